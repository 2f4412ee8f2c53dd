/* tb-wait-spans.h: rows of a table that begin and end, by thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/tb-session.h"

G_BEGIN_DECLS

/* Of a thread none begins before the one before it ended. */
typedef struct
{
  gsize n;
  guint n_threads;
  GBytes *bytes[3];
  const gint64 *begin; /* TB_TIME_NONE: before what is known */
  const gint64 *end;   /* TB_TIME_NONE: not before the end of the recording */
  const guint32 *thread;
  gsize *first;   /* by thread: where its rows begin in the order */
  guint32 *order; /* rows, by thread, then as they come in the table */
} TbWaitSpans;

/* begin, end: columns, which may be the same. n_threads: of all of them. */
gboolean tb_wait_spans_load (TbWaitSpans *self,
                             TbTable *table,
                             guint begin,
                             guint end,
                             guint thread,
                             guint n_threads,
                             GError **error);
void tb_wait_spans_clear (TbWaitSpans *self);
/* Whether one of a thread begins and ends in that time. */
gboolean tb_wait_spans_has_within (const TbWaitSpans *self, guint32 thread, gint64 from, gint64 to);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitSpans, tb_wait_spans_clear)

G_END_DECLS
