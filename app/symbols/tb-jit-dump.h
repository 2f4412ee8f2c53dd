/* tb-jit-dump.h: reader of the dump file of a just-in-time compiler (jitdump): functions that it
 * generated, with addresses and times; which of them share addresses with others; conversion to
 * lines of a perf map
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

/**
 * TbJitCode:
 * @time: when the code was there, ns of the dump's clock
 * @address: its first address
 * @size: its length in bytes
 * @name: offset of the function's name; see tb_jit_dump_get_name()
 * @is_reused: whether other functions had some of these addresses at other times
 *
 * Code of a function at a place.
 */
typedef struct
{
  guint64 time;
  guint64 address;
  guint64 size;
  gsize name;
  gboolean is_reused;
} TbJitCode;

/**
 * TbJitDump:
 *
 * A dump of generated code ("jit-PID.dump"), as the kernel's
 * `tools/perf/Documentation/jitdump-specification.txt` defines it.
 */
typedef struct _TbJitDump TbJitDump;

TB_EXPORT TbJitDump *tb_jit_dump_read (int fd, gint32 pid);
TB_EXPORT void tb_jit_dump_free (TbJitDump *self);

TB_EXPORT gboolean tb_jit_dump_has_clock (const TbJitDump *self);
TB_EXPORT const TbJitCode *tb_jit_dump_get_code (const TbJitDump *self, guint *n);
TB_EXPORT const char *tb_jit_dump_get_name (const TbJitDump *self, const TbJitCode *code);
TB_EXPORT char *tb_jit_dump_to_perf_map (const TbJitDump *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbJitDump, tb_jit_dump_free)

G_END_DECLS
