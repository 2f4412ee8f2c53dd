/* tb-overview-activity.c: running time of all threads of a timeline, summed in equal parts of the
 * recording in a worker thread, for the overview strip
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "base/tb-base.h"
#include "widgets/time/tb-overview-strip-private.h"

#define BINS 512

/* The task does not hold the widget, because its last reference might be dropped in the worker
 * thread. */
typedef struct
{
  GWeakRef owner;
  TbOverviewActivityFunc done;
  TbTimelineFigure *figure;
  gint64 from;
  gint64 to;
  double busy[BINS];
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_weak_ref_clear (&work->owner);
  g_object_unref (work->figure);
  g_free (work);
}

static gint64
get_bin_start (const Work *work, guint bin)
{
  return work->from + (gint64) ((double) (work->to - work->from) * bin / BINS);
}

/* The intervals of a track are added one by one, or by bins where there are many. */
static void
add_track (Work *work, guint index, const TbTimelineTrack *track)
{
  double bins_a_ns = BINS / (double) (work->to - work->from);

  if (track->n > 32 * BINS)
    {
      for (guint bin = 0; bin < BINS; bin++)
        {
          TbTimelineCoverage coverage;

          tb_timeline_figure_get_coverage (work->figure, index, get_bin_start (work, bin),
                                           get_bin_start (work, bin + 1), &coverage);
          work->busy[bin] += (double) coverage.ns[TB_PAINT_RUNNING];
        }
      return;
    }
  for (gsize i = 0; i < track->n; i++)
    {
      gint64 start = MAX (track->start[i], work->from), end = MIN (track->end[i], work->to);

      if (track->paint[i] != TB_PAINT_RUNNING || start >= end)
        continue;
      for (gint64 bin = (gint64) ((double) (start - work->from) * bins_a_ns);
           bin < BINS && start < end; bin++)
        {
          gint64 edge = MIN (get_bin_start (work, (guint) bin + 1), end);

          if (edge > start)
            {
              work->busy[bin] += (double) (edge - start);
              start = edge;
            }
        }
    }
}

static void
find_activity (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  guint n = tb_timeline_figure_get_n_tracks (work->figure);

  for (guint i = 0; i < n && !g_cancellable_is_cancelled (cancellable); i++)
    {
      TbTimelineTrack track;

      tb_timeline_figure_get_track (work->figure, i, &track);
      if (track.thread != TB_ID_NONE)
        add_track (work, i, &track);
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer data)
{
  Work *work = g_task_get_task_data (G_TASK (result));
  g_autoptr (GObject) owner = g_weak_ref_get (&work->owner);
  double most = 0;
  float activity[BINS];

  if (!g_task_propagate_boolean (G_TASK (result), NULL) || owner == NULL)
    return;
  for (guint i = 0; i < BINS; i++)
    most = MAX (most, work->busy[i]);
  for (guint i = 0; i < BINS; i++)
    activity[i] = most > 0 ? (float) (work->busy[i] / most) : 0;
  work->done (owner, activity, BINS);
}

void
tb_overview_count_activity (TbTimelineFigure *figure,
                            TbFocus *focus,
                            GCancellable *cancellable,
                            TbOverviewActivityFunc done,
                            gpointer owner)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, on_found, NULL);
  Work *work = g_new0 (Work, 1);

  g_weak_ref_init (&work->owner, owner);
  work->done = done;
  work->figure = g_object_ref (figure);
  tb_focus_get_extent (focus, &work->from, &work->to);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, find_activity);
}
