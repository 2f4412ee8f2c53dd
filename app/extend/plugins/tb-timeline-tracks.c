/* tb-timeline-tracks.c: timeline tracks that several analyses share
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/plugins/tb-timeline-tracks.h"

static GBytes *
clip (GBytes *times, gint64 from, gint64 to)
{
  gsize size;
  gint64 *copy = g_memdup2 (g_bytes_get_data (times, &size), g_bytes_get_size (times));
  gsize n = size / sizeof (gint64);

  for (gsize i = 0; i < n; i++)
    copy[i] = CLAMP (copy[i], from, to);
  return g_bytes_new_take (copy, size);
}

/**
 * tb_timeline_figure_set_clipped_intervals:
 * @figure: a timeline that is being built
 * @track: index of a track
 * @start: gint64, ns, ascending
 * @end: gint64, ns, as many as @start
 * @paint: guint8 [enum@Paint], as many as @start
 *
 * As [method@TimelineFigure.set_intervals], with the intervals clipped to the time range of the
 * figure. Nothing is copied if all lie within it.
 */
void
tb_timeline_figure_set_clipped_intervals (TbTimelineFigure *figure,
                                          guint track,
                                          GBytes *start,
                                          GBytes *end,
                                          GBytes *paint)
{
  gsize n = g_bytes_get_size (paint);
  const gint64 *starts = g_bytes_get_data (start, NULL);
  const gint64 *ends = g_bytes_get_data (end, NULL);
  gint64 from, to;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (figure));
  g_return_if_fail (g_bytes_get_size (start) == n * sizeof *starts);
  g_return_if_fail (g_bytes_get_size (end) == n * sizeof *ends);

  tb_timeline_figure_get_range (figure, &from, &to);
  if (n > 0 && (starts[0] < from || ends[n - 1] > to))
    {
      g_autoptr (GBytes) cut_start = clip (start, from, to);
      g_autoptr (GBytes) cut_end = clip (end, from, to);

      tb_timeline_figure_set_intervals (figure, track, n, cut_start, cut_end, paint);
      return;
    }
  tb_timeline_figure_set_intervals (figure, track, n, start, end, paint);
}

/* The first interval that ends after a time. The intervals ascend and do not overlap. */
static gsize
find_after (const gint64 *ends, gsize n, gint64 time)
{
  gsize low = 0, high = n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (ends[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/**
 * tb_timeline_figure_add_trace_track:
 * @figure: a timeline that is being built
 * @id: id of the track in references
 * @name: name for display
 * @group: heading that it is shown under
 * @track: track of a device, an interrupt or a CPU of the trace
 * @paint: paint of all its intervals
 * @first: (out): the interval of @track that is the first one in the figure
 *
 * Adds the intervals within the time range of the figure.
 *
 * Returns: index of the new track, or %TB_ID_NONE if there are no intervals
 */
guint
tb_timeline_figure_add_trace_track (TbTimelineFigure *figure,
                                    const char *id,
                                    const char *name,
                                    const char *group,
                                    const TbTrack *track,
                                    TbPaint paint,
                                    gsize *first)
{
  g_autoptr (GBytes) start = NULL;
  g_autoptr (GBytes) end = NULL;
  g_autoptr (GBytes) paints = NULL;
  const gint64 *starts, *ends;
  gsize last;
  gint64 from, to;
  guint added;

  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (figure), TB_ID_NONE);
  g_return_val_if_fail (track != NULL && first != NULL, TB_ID_NONE);

  if (track->n == 0)
    return TB_ID_NONE;
  starts = g_bytes_get_data (track->start, NULL);
  ends = g_bytes_get_data (track->end, NULL);
  tb_timeline_figure_get_range (figure, &from, &to);
  *first = find_after (ends, track->n, from);
  for (last = track->n; last > *first && starts[last - 1] >= to;)
    last--;
  if (*first == last)
    return TB_ID_NONE;
  added = tb_timeline_figure_add_track (figure, id, name, group, TB_ID_NONE);
  start = g_bytes_new_from_bytes (track->start, *first * sizeof *starts,
                                  (last - *first) * sizeof *starts);
  end = g_bytes_new_from_bytes (track->end, *first * sizeof *ends, (last - *first) * sizeof *ends);
  paints
      = g_bytes_new_take (memset (g_malloc (last - *first), paint, last - *first), last - *first);
  tb_timeline_figure_set_clipped_intervals (figure, added, start, end, paints);
  return added;
}

/**
 * tb_timeline_figure_set_trace_host:
 * @figure: a timeline that is being built
 * @track: index of a track
 * @trace: the trace that it comes from
 * @host: a host of the trace's session, or %TB_ID_NONE
 *
 * Groups a track under its host, if the recording has several hosts.
 */
void
tb_timeline_figure_set_trace_host (TbTimelineFigure *figure,
                                   guint track,
                                   TbTrace *trace,
                                   guint32 host)
{
  guint n_hosts;
  const TbHost *hosts;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (figure));
  g_return_if_fail (TB_IS_TRACE (trace));

  hosts = tb_session_get_hosts (tb_trace_get_session (trace), &n_hosts);
  if (n_hosts > 1 && host < n_hosts)
    tb_timeline_figure_set_track_host (figure, track, hosts[host].name);
}

/**
 * tb_timeline_figure_set_thread_host:
 * @figure: a timeline that is being built
 * @track: index of a track
 * @trace: the trace that it comes from
 * @thread: a thread
 *
 * Groups a track under the host of a thread, if the recording has several hosts.
 */
void
tb_timeline_figure_set_thread_host (TbTimelineFigure *figure,
                                    guint track,
                                    TbTrace *trace,
                                    guint32 thread)
{
  guint n_threads, n_processes;
  const TbThread *threads;
  const TbProcess *processes;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (figure));
  g_return_if_fail (TB_IS_TRACE (trace));

  threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  processes = tb_session_get_processes (tb_trace_get_session (trace), &n_processes);
  if (thread < n_threads && threads[thread].process < n_processes)
    tb_timeline_figure_set_trace_host (figure, track, trace,
                                       processes[threads[thread].process].host);
}

/**
 * tb_timeline_figure_add_trace_losses:
 * @figure: a timeline that is being built
 * @trace: the trace with the lost events
 *
 * Marks the ranges of lost events across all tracks. tb_trace_check() reports a failure to read
 * them.
 */
void
tb_timeline_figure_add_trace_losses (TbTimelineFigure *figure, TbTrace *trace)
{
  TbTable *lost;
  g_autoptr (GBytes) from_bytes = NULL;
  g_autoptr (GBytes) to_bytes = NULL;
  g_autoptr (GBytes) count_bytes = NULL;
  const gint64 *froms, *tos;
  const guint64 *counts;
  gint64 from, to;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (figure));
  g_return_if_fail (TB_IS_TRACE (trace));

  lost = tb_session_get_table (tb_trace_get_session (trace), TB_TABLE_LOST);
  from_bytes = tb_trace_read_column (trace, TB_TABLE_LOST, TB_LOST_FROM);
  to_bytes = tb_trace_read_column (trace, TB_TABLE_LOST, TB_LOST_TO);
  count_bytes = tb_trace_read_column (trace, TB_TABLE_LOST, TB_LOST_COUNT);
  if (from_bytes == NULL || to_bytes == NULL || count_bytes == NULL)
    return;
  tb_timeline_figure_get_range (figure, &from, &to);
  froms = g_bytes_get_data (from_bytes, NULL);
  tos = g_bytes_get_data (to_bytes, NULL);
  counts = g_bytes_get_data (count_bytes, NULL);
  for (gsize i = 0; i < tb_table_get_n_rows (lost); i++)
    if (tos[i] >= from && froms[i] < to)
      tb_timeline_figure_add_lost (figure, TB_ID_NONE, MAX (froms[i], from), MIN (tos[i], to),
                                   counts[i]);
}
