/* tb-trace-marks.h: a trace as if its programs had made marks that they did not make
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbAddedMark: (skip)
 * @time: when
 * @thread: whose
 * @other: of the end of spinning: for which thread, %TB_ID_NONE unknown
 * @kind: [enum@Tailback.MarkKind]
 *
 * A mark that a program could have made.
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
