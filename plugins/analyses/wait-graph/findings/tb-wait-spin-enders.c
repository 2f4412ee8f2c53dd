/* tb-wait-spin-enders.c: for proposed annotations of busy waiting: the threads that may
 * have ended it, which are those that may have run at each of its ends
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-spin-enders.h"

/* A thread may have run where its state is unknown, but not before its first switch-in, if there is
 * one. A thread that ran from the start is first recorded when another takes its place. */
static gboolean
may_run (const TbIntervals *rows, gsize first, gsize n, gsize row)
{
  if (rows->state[row] == TB_STATE_UNKNOWN && row == first)
    return n > 1 && rows->state[row + 1] != TB_STATE_RUNNING;
  return rows->state[row] == TB_STATE_RUNNING || rows->state[row] == TB_STATE_UNKNOWN;
}

/* Both limits belong to the range. */
static gboolean
may_have_run (TbTrace *trace, const TbIntervals *rows, guint32 thread, gint64 from, gint64 to)
{
  gsize first, n, low, high;

  tb_trace_get_thread_intervals (trace, thread, &first, &n);
  for (low = first, high = first + n; low < high;)
    {
      gsize middle = low + (high - low) / 2;

      if (rows->end[middle] < from)
        low = middle + 1;
      else
        high = middle;
    }
  for (gsize i = low; i < first + n && rows->start[i] <= to; i++)
    if (may_run (rows, first, n, i))
      return TRUE;
  return FALSE;
}

static GArray *
list_all (TbTrace *trace)
{
  GArray *threads = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_threads;

  tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  for (guint32 i = TB_THREAD_IDLE + 1; i < n_threads; i++)
    g_array_append_val (threads, i);
  return threads;
}

gboolean
tb_wait_spin_enders_narrow (TbWaitSpinEnders *self,
                            TbTrace *trace,
                            guint32 waiting,
                            gint64 from,
                            gint64 to,
                            guint64 *searches_left)
{
  const TbIntervals *rows = tb_trace_get_intervals (trace);
  guint n = 0, n_threads;

  tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  if (*searches_left < (self->threads != NULL ? self->threads->len : n_threads))
    {
      tb_wait_spin_enders_clear (self);
      *searches_left = 0;
      return FALSE;
    }
  if (self->threads == NULL)
    self->threads = list_all (trace);
  *searches_left -= self->threads->len;
  for (guint i = 0; i < self->threads->len; i++)
    {
      guint32 thread = g_array_index (self->threads, guint32, i);

      if (thread != waiting && may_have_run (trace, rows, thread, from, to))
        g_array_index (self->threads, guint32, n++) = thread;
    }
  g_array_set_size (self->threads, n);
  self->n_ends++;
  return TRUE;
}

void
tb_wait_spin_enders_clear (TbWaitSpinEnders *self)
{
  g_clear_pointer (&self->threads, g_array_unref);
  self->n_ends = 0;
}
