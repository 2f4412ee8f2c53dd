/* tb-perf-jit.h: functions of just-in-time compilers, from dump files (tb-jit-dump) that a
 * perf.data file maps: those that shared addresses become mappings at the times when each was
 * there; their names stored as facts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/schema/tb-module-file.h"
#include "tb-perf-import-private.h"

G_BEGIN_DECLS

TbPerfJit *tb_perf_jit_new (void);
void tb_perf_jit_free (TbPerfJit *self);

/* Reads the dump file that a process has mapped, if the path is that of one. */
void tb_perf_jit_add_dump (TbPerfImport *import,
                           gint32 pid,
                           const char *path,
                           const TbModuleFile *mapped);
/* Maps the code that was there until a time. */
void tb_perf_jit_advance (TbPerfImport *import, gint64 time);
/* Maps code again after anonymous memory was mapped over it, as when its protection changes. */
void tb_perf_jit_map_again (TbPerfImport *import,
                            gint32 pid,
                            guint64 start,
                            guint64 length,
                            gint64 time);
/* The process has executed another program. */
void tb_perf_jit_end_program (TbPerfImport *import, gint32 pid);
/* Stores the names of the mapped code; called after the last event. */
void tb_perf_jit_set_facts (const TbPerfJit *self, TbRecorder *recorder);

G_END_DECLS
