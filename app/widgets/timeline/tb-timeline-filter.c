/* tb-timeline-filter.c: filter of a timeline: which tracks are listed and which intervals are not
 * drawn faintly; has matching intervals searched in a thread, by tb-timeline-match.c
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-canvas-private.h"
#include "widgets/timeline/tb-timeline-match-private.h"

/* The task does not hold the widget, because its last reference might be dropped in the worker
 * thread. */
typedef struct
{
  GWeakRef owner;
  TbTimelineFigure *figure;
  TbFilter *filter;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_weak_ref_clear (&work->owner);
  g_object_unref (work->figure);
  tb_filter_unref (work->filter);
  g_free (work);
}

static void
find_matches (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Work *work = data;
  TbTimelineMatches *matches = tb_timeline_matches_new (work->figure, work->filter, cancellable);

  if (matches != NULL)
    g_task_return_pointer (task, matches, (GDestroyNotify) tb_timeline_matches_free);
  else
    g_task_return_error_if_cancelled (task);
}

static void
take_matches (TbTimelineCanvas *self, TbTimelineMatches *matches)
{
  g_clear_pointer (&self->matches.found, tb_timeline_matches_free);
  self->matches.found = matches;
  self->context.matches = matches;
  self->context.match_generation++;
}

static void
on_matched (GObject *source, GAsyncResult *result, gpointer data)
{
  Work *work = g_task_get_task_data (G_TASK (result));
  g_autoptr (TbTimelineCanvas) self = g_weak_ref_get (&work->owner);
  g_autoptr (TbTimelineMatches) matches = g_task_propagate_pointer (G_TASK (result), NULL);

  if (matches == NULL || self == NULL)
    return;
  take_matches (self, g_steal_pointer (&matches));
  tb_timeline_canvas_lines_changed (self);
}

/* Intervals are examined one by one in a thread, because there may be very many. */
static void
start_matching (TbTimelineCanvas *self)
{
  g_autoptr (GTask) task = NULL;
  Work *work = g_new0 (Work, 1);

  self->matches.cancellable = g_cancellable_new ();
  task = g_task_new (NULL, self->matches.cancellable, on_matched, NULL);
  g_weak_ref_init (&work->owner, self);
  work->figure = g_object_ref (self->figure);
  work->filter = tb_filter_ref (self->matches.filter);
  g_task_set_task_data (task, work, work_free);
  g_task_set_check_cancellable (task, TRUE);
  g_task_run_in_thread (task, find_matches);
}

static gboolean
limits_intervals (const TbFilter *filter)
{
  return tb_filter_get_min_length (filter) >= 0 || tb_filter_get_states (filter) != 0
         || tb_filter_limits_functions (filter);
}

void
tb_timeline_canvas_set_filter (TbTimelineCanvas *self, TbFilter *filter)
{
  g_cancellable_cancel (self->matches.cancellable);
  g_clear_object (&self->matches.cancellable);
  g_clear_pointer (&self->matches.filter, tb_filter_unref);
  self->matches.filter = filter != NULL ? tb_filter_ref (filter) : tb_filter_parse (NULL, NULL);
  take_matches (self, NULL);
  if (limits_intervals (self->matches.filter))
    start_matching (self);
  tb_timeline_canvas_lines_changed (self);
}

gboolean
tb_timeline_canvas_is_filtered (TbTimelineCanvas *self)
{
  return !tb_filter_is_empty (self->matches.filter);
}

gboolean
tb_timeline_canvas_matches_track (TbTimelineCanvas *self, guint index)
{
  TbTimelineTrack track;

  tb_timeline_figure_get_track (self->figure, index, &track);
  if (self->matches.found != NULL)
    return tb_timeline_matches_count (self->matches.found, index, 0, track.n) > 0;
  return tb_filter_match_thread (self->matches.filter, track.group, track.name);
}

/* Whether an interval is drawn normally, not faintly. */
gboolean
tb_timeline_canvas_matches_interval (TbTimelineCanvas *self, guint track, gsize interval)
{
  return self->matches.found == NULL
         || tb_timeline_matches_has (self->matches.found, track, interval);
}
