/* tb-perf-symbols.h: names of functions that came with a perf.data file, from kernel symbols or
 * simpleperf's sections; placed at file offsets and stored in the session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"
#include "tb-perf-file.h"

G_BEGIN_DECLS

typedef struct _TbPerfSymbols TbPerfSymbols;

TbPerfSymbols *tb_perf_symbols_new (void);
void tb_perf_symbols_free (TbPerfSymbols *self);

/* Adds the functions of the recorded kernel from a text in the format of /proc/kallsyms. */
void tb_perf_symbols_add_kallsyms (TbPerfSymbols *self, const char *text, gsize size);
/* Adds the functions in a section of simpleperf: of the old format, or of the one that has protocol
 * buffers. Returns FALSE if the section is damaged; the functions before that place are added. */
gboolean tb_perf_symbols_read_files (TbPerfSymbols *self, TbPerfCursor *cursor);
gboolean tb_perf_symbols_read_messages (TbPerfSymbols *self, TbPerfCursor *cursor);

/* A range of a file is mapped. Its symbols belong there if it is not known otherwise where they are
 * in the file, they fit, and they do not fit into another range. */
void
tb_perf_symbols_add_mapping (TbPerfSymbols *self, const char *path, guint64 offset, guint64 length);

/* Stores the names in the session; called after the last mapping. */
void tb_perf_symbols_set_facts (const TbPerfSymbols *self, TbRecorder *recorder);

G_END_DECLS
