/* tb-unwinder.h: unwinder of dumps of user stacks into code addresses, by the unwind tables of the
 * files that the caller lists as mapped by each process; statistics and a warning for the session
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"
#include "session/schema/tb-module-file.h"
#include "symbols/tb-stack-dump.h"

G_BEGIN_DECLS

/**
 * TbMachine:
 * @TB_MACHINE_X86_64: x86-64
 * @TB_MACHINE_AARCH64: 64-bit ARM
 *
 * The machines of which recorded stacks can be unwound.
 */
typedef enum
{
  TB_MACHINE_X86_64,
  TB_MACHINE_AARCH64,
} TbMachine;

/**
 * TbUnwindStatistics:
 * @n_dumps: dumps passed to tb_unwinder_unwind()
 * @n_incomplete: dumps that were not unwound to the outermost frame
 * @n_unverified: dumps unwound with files that may be other ones than the recorded files
 * @n_bytes: bytes in the stacks of the dumps
 * @n_repeated: dumps with a result that was in the cache
 * @time_us: time spent unwinding
 *
 * Numbers about the stacks that were unwound.
 */
typedef struct
{
  guint64 n_dumps;
  guint64 n_incomplete;
  guint64 n_unverified;
  guint64 n_bytes;
  guint64 n_repeated;
  gint64 time_us;
} TbUnwindStatistics;

#define TB_TYPE_UNWINDER (tb_unwinder_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbUnwinder, tb_unwinder, TB, UNWINDER, GObject)

TB_EXPORT TbUnwinder *tb_unwinder_new (TbMachine machine);
TB_EXPORT void tb_unwinder_set_recording (TbUnwinder *self, gboolean is_own_host, gint64 until);
TB_EXPORT void tb_unwinder_add_mapping (TbUnwinder *self,
                                        gint32 pid,
                                        guint64 start,
                                        guint64 length,
                                        guint64 offset,
                                        const char *path,
                                        const char *build_id,
                                        const TbModuleFile *file);
TB_EXPORT void tb_unwinder_clear_process (TbUnwinder *self, gint32 pid);
TB_EXPORT void tb_unwinder_fork_process (TbUnwinder *self, gint32 parent, gint32 child);
TB_EXPORT guint tb_unwinder_unwind (TbUnwinder *self,
                                    gint32 pid,
                                    const TbStackDump *dump,
                                    guint64 *addresses,
                                    guint max_addresses,
                                    gboolean *complete);
TB_EXPORT guint tb_unwinder_unwind_chain (TbUnwinder *self,
                                          gint32 pid,
                                          const TbStackDump *dump,
                                          const guint64 *chain,
                                          guint n_chain,
                                          guint64 *joined,
                                          guint max_joined);
TB_EXPORT void tb_unwinder_get_statistics (TbUnwinder *self, TbUnwindStatistics *statistics);
TB_EXPORT void tb_unwinder_report (TbUnwinder *self, TbRecorder *recorder, guint64 n_failed);

G_END_DECLS
