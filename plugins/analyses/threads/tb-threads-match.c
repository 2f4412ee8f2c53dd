/* tb-threads-match.c: intervals of the timeline that match a filter of functions: waits by their
 * stack, runs by their samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-threads-labels-private.h"

static gboolean
match_function (const char *function, const char *module, gpointer data)
{
  return tb_filter_match_function (data, function, module);
}

/* The stacks that match a filter, one byte for each. The result is cached for the next track. */
static GBytes *
match_stacks (TbLabels *self, const TbFilter *filter)
{
  GBytes *stacks;

  g_mutex_lock (&self->mutex);
  if (self->matched == NULL || !tb_filter_equal (self->filter, filter))
    {
      guint32 n;
      guint8 *matched = tb_trace_match_stacks (self->trace, match_function, (gpointer) filter, &n);

      g_clear_pointer (&self->matched, g_bytes_unref);
      g_clear_pointer (&self->filter, tb_filter_unref);
      self->matched = g_bytes_new_take (matched, n);
      self->filter = tb_filter_ref ((TbFilter *) filter);
    }
  stacks = g_bytes_ref (self->matched);
  g_mutex_unlock (&self->mutex);
  return stacks;
}

/* A run matches if one of its samples does. */
static gboolean
match_run (TbLabels *self,
           guint32 thread,
           gint64 from,
           gint64 to,
           const guint8 *stacks,
           gsize n_stacks)
{
  const Samples *samples = tb_labels_get_samples (self);
  guint32 end;

  if (samples == NULL || thread >= samples->n_threads)
    return FALSE;
  end = samples->first[thread + 1];
  for (guint32 i = tb_labels_find_sample (samples, thread, from);
       i < end && samples->time[samples->order[i]] < to; i++)
    {
      guint32 stack = samples->stack[samples->order[i]];

      if (stack < n_stacks && stacks[stack])
        return TRUE;
    }
  return FALSE;
}

gboolean
tb_labels_match (TbTimelineFigure *figure,
                 guint track,
                 const TbFilter *filter,
                 guint8 *matched,
                 gpointer data)
{
  TbLabels *self = data;
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  const TbTrackContent *shown = &g_array_index (self->shown, TbTrackContent, track);
  g_autoptr (GBytes) bytes = NULL;
  const guint8 *stacks;
  gsize n_stacks;
  TbTimelineTrack info;

  /* Only threads are in functions; on other tracks nothing matches. */
  if (shown->kind != TRACK_THREAD && shown->kind != TRACK_ESTIMATE)
    return TRUE;
  bytes = match_stacks (self, filter);
  stacks = g_bytes_get_data (bytes, &n_stacks);
  tb_timeline_figure_get_track (figure, track, &info);
  if (shown->kind == TRACK_ESTIMATE)
    {
      /* The last sample ends the run. */
      for (gsize i = 0; i < info.n; i++)
        matched[i]
            = info.paint[i] == TB_PAINT_ESTIMATED
              && match_run (self, shown->thread, info.start[i], info.end[i] + 1, stacks, n_stacks);
      return TRUE;
    }
  for (gsize i = 0; i < info.n; i++)
    {
      gsize row = shown->first_row + i;

      if (intervals->state[row] == TB_STATE_RUNNING)
        matched[i] = match_run (self, intervals->thread[row], intervals->start[row],
                                intervals->end[row], stacks, n_stacks);
      else
        matched[i] = intervals->stack[row] < n_stacks && stacks[intervals->stack[row]];
    }
  return TRUE;
}
