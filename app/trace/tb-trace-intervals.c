/* tb-trace-intervals.c: state intervals of a trace as columns, by thread, and at a time; index of
 * the first row of each thread, with a check of the order of its rows
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-intervals-private.h"
#include "trace/tb-trace-private.h"

void
tb_trace_set_intervals (TbTrace *self, gsize n)
{
#define COLUMN(COLUMN) g_bytes_get_data (self->columns[COLUMN], NULL)
  self->intervals = (TbIntervals) {
    .n = n,
    .start = COLUMN (TB_INTERVAL_START),
    .end = COLUMN (TB_INTERVAL_END),
    .thread = COLUMN (TB_INTERVAL_THREAD),
    .state = COLUMN (TB_INTERVAL_STATE),
    .flags = COLUMN (TB_INTERVAL_FLAGS),
    .cpu = COLUMN (TB_INTERVAL_CPU),
    .kind = COLUMN (TB_INTERVAL_KIND),
    .object = COLUMN (TB_INTERVAL_OBJECT),
    .stack = COLUMN (TB_INTERVAL_STACK),
    .cause_kind = COLUMN (TB_INTERVAL_CAUSE_KIND),
    .cause = COLUMN (TB_INTERVAL_CAUSE),
    .wakeup = COLUMN (TB_INTERVAL_WAKEUP),
    .sleep = COLUMN (TB_INTERVAL_SLEEP),
  };
#undef COLUMN
}

gboolean
tb_trace_index_threads (TbTrace *self)
{
  const TbIntervals *intervals = &self->intervals;
  guint32 thread = 0;

  g_clear_pointer (&self->first, g_free);
  self->first = g_new (gsize, (gsize) self->n_threads + 1);
  self->first[0] = 0;
  for (gsize i = 0; i < intervals->n; i++)
    {
      guint32 of = intervals->thread[i];

      if (tb_trace_is_cancelled_at (i))
        return FALSE;
      if (G_LIKELY (of == thread && i > 0))
        {
          if (intervals->start[i] != intervals->end[i - 1] && self->first[thread] != i)
            return FALSE;
          continue;
        }
      if (of >= self->n_threads || of < thread)
        return FALSE;
      while (thread < of)
        self->first[++thread] = i;
    }
  while (thread < self->n_threads)
    self->first[++thread] = intervals->n;
  return TRUE;
}

/**
 * tb_trace_get_intervals: (skip)
 * @self: a trace
 *
 * Gets the intervals of all threads, sorted by thread and start, without gaps from the first to the
 * last interval of a thread.
 *
 * Returns: (transfer none): the intervals, valid as long as the trace
 */
const TbIntervals *
tb_trace_get_intervals (TbTrace *self)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  return &self->intervals;
}

/**
 * tb_trace_get_interval_column:
 * @self: a trace
 * @column: the column
 *
 * Gets a column of the intervals as a buffer that is shared without copying.
 *
 * Returns: (transfer full): the values of the column
 */
GBytes *
tb_trace_get_interval_column (TbTrace *self, TbIntervalColumn column)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);
  g_return_val_if_fail ((guint) column < TB_INTERVAL_N_COLUMNS, NULL);

  return g_bytes_ref (self->columns[column]);
}

/**
 * tb_trace_get_thread_intervals:
 * @self: a trace
 * @thread: a thread
 * @first: (out): the row of its first interval
 * @n: (out): number of its intervals; 0 for the idle task and for threads without events
 *
 * Gets the rows of a thread's intervals.
 */
void
tb_trace_get_thread_intervals (TbTrace *self, guint32 thread, gsize *first, gsize *n)
{
  g_return_if_fail (TB_IS_TRACE (self));
  g_return_if_fail (first != NULL && n != NULL);

  *first = 0;
  *n = 0;
  if (thread >= self->n_threads)
    return;
  *first = self->first[thread];
  *n = self->first[thread + 1] - self->first[thread];
}

/**
 * tb_trace_find_interval:
 * @self: a trace
 * @thread: a thread
 * @time: ns of the session clock
 *
 * Finds the interval of a thread at a given time.
 *
 * Returns: the row of its interval, or -1 if the thread did not exist at that time
 */
gssize
tb_trace_find_interval (TbTrace *self, guint32 thread, gint64 time)
{
  gsize low, high, end;

  g_return_val_if_fail (TB_IS_TRACE (self), -1);

  if (thread >= self->n_threads)
    return -1;
  low = self->first[thread];
  high = end = self->first[thread + 1];
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (self->intervals.end[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low < end && self->intervals.start[low] <= time ? (gssize) low : -1;
}
