/* tb-timeline-search.c: limits the lines of a timeline to what a search finds
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-timeline-canvas-private.h"

/* A task that held the widget might drop its last reference in the thread. */
typedef struct
{
  GWeakRef owner;
  TbTimelineFigure *figure;
  gint64 *longest;
} Longest;

static void
longest_free (gpointer data)
{
  Longest *work = data;

  g_weak_ref_clear (&work->owner);
  g_object_unref (work->figure);
  g_free (work->longest);
  g_free (work);
}

static void
find_longest (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Longest *work = data;
  guint n = tb_timeline_figure_get_n_tracks (work->figure);

  for (guint k = 0; k < n && !g_cancellable_is_cancelled (cancellable); k++)
    {
      TbTimelineTrack track;
      gint64 longest = 0;

      tb_timeline_figure_get_track (work->figure, k, &track);
      for (gsize i = 0; i < track.n; i++)
        if (track.paint[i] != TB_PAINT_NONE)
          longest = MAX (longest, track.end[i] - track.start[i]);
      work->longest[k] = longest;
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_longest (GObject *source, GAsyncResult *result, gpointer data)
{
  Longest *work = g_task_get_task_data (G_TASK (result));
  g_autoptr (TbTimelineCanvas) self = g_weak_ref_get (&work->owner);

  if (!g_task_propagate_boolean (G_TASK (result), NULL) || self == NULL)
    return;
  self->longest = g_steal_pointer (&work->longest);
  tb_timeline_canvas_lines_changed (self);
}

/* How long intervals are is looked up once, beside the main thread: there may be a great many. */
static void
seek_longest (TbTimelineCanvas *self)
{
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_longest, NULL);
  Longest *work = g_new0 (Longest, 1);

  self->seeking = TRUE;
  g_weak_ref_init (&work->owner, self);
  work->figure = g_object_ref (self->figure);
  work->longest = g_new0 (gint64, MAX (1, tb_timeline_figure_get_n_tracks (self->figure)));
  g_task_set_task_data (task, work, longest_free);
  g_task_set_check_cancellable (task, TRUE);
  g_task_run_in_thread (task, find_longest);
}

void
tb_timeline_canvas_set_search (TbTimelineCanvas *self, const char *search)
{
  g_clear_pointer (&self->filter, tb_timeline_filter_free);
  self->filter = tb_timeline_filter_parse (search);
  self->context.dim_below = MAX (0, self->filter->longer);

  if (self->filter->longer >= 0 && self->longest == NULL && !self->seeking)
    seek_longest (self);
  tb_timeline_canvas_lines_changed (self);
}
