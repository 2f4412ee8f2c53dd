/* test-timeline-tracks.c: test of clipping the trace's intervals to the time of a timeline
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "extend/plugins/tb-timeline-tracks.h"

#define FROM 1000
#define TO 2000

/* Ascending intervals around and beyond the time of the figure, some of length 0. */
static void
make_columns (gsize n, GBytes **start, GBytes **end)
{
  gint64 *starts = g_new (gint64, MAX (1, n)), *ends = g_new (gint64, MAX (1, n));
  gint64 at = g_test_rand_int_range (0, 1500);

  for (gsize i = 0; i < n; i++)
    {
      starts[i] = at += g_test_rand_int_range (0, 40);
      ends[i] = at += g_test_rand_int_range (0, g_test_rand_bit () ? 60 : 2);
    }
  *start = g_bytes_new_take (starts, n * sizeof *starts);
  *end = g_bytes_new_take (ends, n * sizeof *ends);
}

/* Intervals within the time, each clipped to it, against a check of every interval. */
static void
test_trace_track (void)
{
  for (guint round = 0; round < 500; round++)
    {
      g_autoptr (TbTimelineFigure) figure = tb_timeline_figure_new ("f", "F", FROM, TO);
      gsize n = (gsize) g_test_rand_int_range (0, 60), first = 77, shown = 0;
      g_autoptr (GBytes) start = NULL;
      g_autoptr (GBytes) end = NULL;
      TbTrack track = { .n = n };
      const gint64 *starts, *ends;
      TbTimelineTrack view;
      guint added;

      make_columns (n, &start, &end);
      track.start = start;
      track.end = end;
      starts = g_bytes_get_data (start, NULL);
      ends = g_bytes_get_data (end, NULL);
      added = tb_timeline_figure_add_trace_track (figure, "id", "name", "group", &track,
                                                  TB_PAINT_DISK, &first);
      for (gsize i = 0; i < n; i++)
        shown += ends[i] > FROM && starts[i] < TO;
      g_assert_true ((added == TB_ID_NONE) == (shown == 0));
      if (shown == 0)
        {
          g_assert_cmpuint (tb_timeline_figure_get_n_tracks (figure), ==, 0);
          continue;
        }
      tb_figure_freeze (TB_FIGURE (figure));
      tb_timeline_figure_get_track (figure, added, &view);
      g_assert_cmpstr (view.name, ==, "name");
      g_assert_cmpstr (view.group, ==, "group");
      g_assert_cmpuint (view.thread, ==, TB_ID_NONE);
      g_assert_cmpuint (view.n, ==, shown);
      for (gsize i = 0; i < view.n; i++)
        {
          g_assert_cmpint (view.start[i], ==, CLAMP (starts[first + i], FROM, TO));
          g_assert_cmpint (view.end[i], ==, CLAMP (ends[first + i], FROM, TO));
          g_assert_cmpuint (view.paint[i], ==, TB_PAINT_DISK);
        }
    }
}

/* Intervals within the time are not copied; others are clipped. */
static void
test_clipped (void)
{
  const gint64 inside[] = { 1000, 1500 }, inside_end[] = { 1500, 2000 };
  const gint64 outside[] = { 500, 1500 }, outside_end[] = { 1500, 9000 };
  const guint8 paint[] = { TB_PAINT_RUNNING, TB_PAINT_WAITING };
  g_autoptr (TbTimelineFigure) figure = tb_timeline_figure_new ("f", "F", FROM, TO);
  g_autoptr (GBytes) paints = g_bytes_new_static (paint, sizeof paint);
  g_autoptr (GBytes) starts = g_bytes_new_static (inside, sizeof inside);
  g_autoptr (GBytes) ends = g_bytes_new_static (inside_end, sizeof inside_end);
  g_autoptr (GBytes) early = g_bytes_new_static (outside, sizeof outside);
  g_autoptr (GBytes) late = g_bytes_new_static (outside_end, sizeof outside_end);
  TbTimelineTrack view;

  tb_timeline_figure_add_track (figure, "a", "a", NULL, 1);
  tb_timeline_figure_add_track (figure, "b", "b", NULL, 2);
  tb_timeline_figure_set_clipped_intervals (figure, 0, starts, ends, paints);
  tb_timeline_figure_set_clipped_intervals (figure, 1, early, late, paints);
  tb_timeline_figure_get_track (figure, 0, &view);
  g_assert_true (view.start == inside && view.end == inside_end);
  tb_timeline_figure_get_track (figure, 1, &view);
  g_assert_cmpint (view.start[0], ==, FROM);
  g_assert_cmpint (view.end[0], ==, 1500);
  g_assert_cmpint (view.end[1], ==, TO);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline-tracks/trace-track", test_trace_track);
  g_test_add_func ("/timeline-tracks/clipped", test_clipped);
  return g_test_run ();
}
