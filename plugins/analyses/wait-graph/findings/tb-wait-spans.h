/* tb-wait-spans.h: rows of a session's table that have a beginning and an end (system calls,
 * messages), sorted by thread, to find whether a thread has one within a time range
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/file/tb-session.h"

G_BEGIN_DECLS

/* The rows of one thread do not overlap. */
typedef struct
{
  gsize n;
  guint n_threads;
  GBytes *bytes[3];
  const gint64 *begin; /* TB_TIME_NONE: earlier than known */
  const gint64 *end;   /* TB_TIME_NONE: not before the end of the recording */
  const guint32 *thread;
  gsize *first;   /* by thread: position of its first row in order */
  guint32 *order; /* rows, by thread, then in the order of the table */
} TbWaitSpans;

/* begin, end: columns, which may be the same. n_threads: the number of all threads. */
gboolean tb_wait_spans_load (TbWaitSpans *self,
                             TbTable *table,
                             guint begin,
                             guint end,
                             guint thread,
                             guint n_threads,
                             GError **error);
void tb_wait_spans_clear (TbWaitSpans *self);
/* Whether a row of a thread begins and ends within a range. */
gboolean tb_wait_spans_has_within (const TbWaitSpans *self, guint32 thread, gint64 from, gint64 to);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitSpans, tb_wait_spans_clear)

G_END_DECLS
