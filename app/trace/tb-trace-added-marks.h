/* tb-trace-added-marks.h: further trace of a session for an analysis, not stored: computed as if
 * the program had also made the marks of spinning and of false wake-ups that the analysis passes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbAddedMark: (skip)
 * @time: time of the mark
 * @thread: thread that makes the mark
 * @other: for the end of spinning: the thread that was waited for, %TB_ID_NONE if unknown
 * @kind: [enum@Tailback.MarkKind]
 *
 * A mark that the program did not make, but could have made.
 */
typedef struct
{
  gint64 time;
  guint32 thread;
  guint32 other;
  guint8 kind;
} TbAddedMark;

TB_EXPORT TbTrace *tb_trace_new_with_marks (TbTrace *of,
                                            const GArray *marks,
                                            TbProgressFunc progress,
                                            gpointer data,
                                            GCancellable *cancellable,
                                            GError **error);

G_END_DECLS
