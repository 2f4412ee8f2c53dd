/* tb-threads-estimate.c: intervals in which a thread of unknown state ran, estimated from its
 * samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/timeline/tb-timeline-figure.h"
#include "tb-threads-estimate.h"

/* A longer time between two samples, in periods, is not known to be one run. */
#define PERIODS_BRIDGED 3

typedef struct
{
  GArray *start; /* gint64 */
  GArray *end;
  GArray *paint; /* guint8 */
  gint64 first;  /* life of the thread */
  gint64 last;
  gint64 done; /* end of the last interval */
  gint64 from; /* the current run; TB_TIME_NONE: none */
  gint64 to;
} Estimate;

static void
add_interval (Estimate *self, gint64 end, guint8 paint)
{
  if (end <= self->done)
    return;
  g_array_append_val (self->start, self->done);
  g_array_append_val (self->end, end);
  g_array_append_val (self->paint, paint);
  self->done = end;
}

static void
finish_run (Estimate *self)
{
  if (self->from == TB_TIME_NONE)
    return;
  add_interval (self, MIN (self->from, self->last), TB_PAINT_UNKNOWN);
  add_interval (self, MIN (self->to, self->last), TB_PAINT_ESTIMATED);
  self->from = TB_TIME_NONE;
}

/* A sample is taken at the end of the time for which it stands. */
static void
add_sample (Estimate *self, gint64 time, gint64 period)
{
  period = CLAMP (period, 1, MAX (self->last - self->first, 1));
  if (self->from == TB_TIME_NONE || time - self->to > PERIODS_BRIDGED * (double) period)
    {
      finish_run (self);
      self->from = MAX (time - period, self->done);
    }
  self->to = time;
}

static void
add_row (Estimate *self, TbThreadsSummary *summary, const TbThreadsSamples *samples, guint row)
{
  gint64 period = tb_trace_get_sample_period (summary->trace);

  for (guint32 i = samples->head[row]; i != TB_ID_NONE && tb_threads_should_continue (i);
       i = samples->next[i])
    add_sample (self, samples->time[i],
                period > 0 ? period : (gint64) MIN (samples->weight[i], (guint64) G_MAXINT64));
}

static GBytes *
take_column (GArray *column)
{
  gsize size = (gsize) column->len * g_array_get_element_size (column);

  return g_bytes_new_take (g_array_free (column, FALSE), size);
}

gboolean
tb_threads_estimate (TbThreadsSummary *summary,
                     const TbThreadsSamples *samples,
                     const TbThreadSummary *thread,
                     gsize *n,
                     GBytes **start,
                     GBytes **end,
                     GBytes **paint)
{
  Estimate self = {
    .first = thread->first,
    .last = thread->last,
    .done = thread->first,
    .from = TB_TIME_NONE,
  };

  if (thread->is_known || thread->n_samples == 0 || !summary->has_sample_times
      || summary->evidence->samples != TB_SAMPLES_TIME)
    return FALSE;
  self.start = g_array_new (FALSE, FALSE, sizeof (gint64));
  self.end = g_array_new (FALSE, FALSE, sizeof (gint64));
  self.paint = g_array_new (FALSE, FALSE, sizeof (guint8));
  for (guint i = 0; thread->parts != NULL && i < thread->parts->len; i++)
    add_row (&self, summary, samples,
             ((const TbThreadSummary *) g_ptr_array_index (thread->parts, i))->row);
  if (thread->parts == NULL)
    add_row (&self, summary, samples, thread->row);
  finish_run (&self);
  add_interval (&self, self.last, TB_PAINT_UNKNOWN);
  *n = self.paint->len;
  *start = take_column (self.start);
  *end = take_column (self.end);
  *paint = take_column (self.paint);
  return TRUE;
}
