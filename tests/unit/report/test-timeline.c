/* test-timeline.c: test of timelines against a plain reading of their intervals
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "random-figures.h"
#include "report/timeline/tb-timeline-figure-private.h"

static void
naive_coverage (const TbTimelineTrack *track, gint64 from, gint64 to, TbTimelineCoverage *out)
{
  memset (out, 0, sizeof *out);
  for (gsize i = 0; to > from && i < track->n; i++)
    {
      gint64 start = MAX (track->start[i], from);
      gint64 end = MIN (track->end[i], to);
      gboolean is_point = track->start[i] == track->end[i];

      if (end > start)
        out->ns[track->paint[i]] += end - start;
      if (end > start || (is_point && track->start[i] >= from && track->start[i] < to))
        out->present |= 1u << track->paint[i];
    }
}

static void
test_coverage (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint round = 0; round < 60; round++)
    {
      g_autoptr (TbTimelineFigure) figure = random_timeline (rand, 3, round * 20);

      tb_figure_freeze (TB_FIGURE (figure));
      for (guint track = 0; track < 3; track++)
        {
          TbTimelineTrack view;

          tb_timeline_figure_get_track (figure, track, &view);
          for (guint i = 0; i < 200; i++)
            {
              gint64 from = g_rand_int_range (rand, -10, 20 * 20 * 60);
              gint64 to = from + g_rand_int_range (rand, -2, i % 2 ? 10 : 20 * 20 * 60);
              TbTimelineCoverage expected;
              TbTimelineCoverage got;
              gsize first = 0;

              naive_coverage (&view, from, to, &expected);
              tb_timeline_figure_get_coverage (figure, track, from, to, &got);
              g_assert_cmpmem (got.ns, sizeof got.ns, expected.ns, sizeof expected.ns);
              g_assert_cmpuint (got.present, ==, expected.present);
              while (first < view.n && view.end[first] <= from)
                first++;
              g_assert_cmpuint (tb_timeline_figure_find (figure, track, from), ==, first);
            }
        }
    }
}

/* Longest intervals for any set of paints, and for any boundaries of blocks. */
static void
test_longest (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);

  for (guint round = 0; round < 8; round++)
    {
      g_autoptr (TbTimelineFigure) figure
          = random_timeline (rand, 1, round < 4 ? round * 500 : 20000 + round * 37);
      TbTimelineTrack view;

      tb_figure_freeze (TB_FIGURE (figure));
      tb_timeline_figure_get_track (figure, 0, &view);
      for (guint i = 0; i < 150; i++)
        {
          gsize first = (gsize) g_rand_int_range (rand, 0, (gint32) view.n + 1);
          gsize n = (gsize) g_rand_int_range (rand, 0, i % 2 ? 700 : (gint32) view.n + 1);
          gsize end = MIN (view.n, first + n);
          guint32 paints
              = i % 3 ? 1u << g_rand_int_range (rand, 0, TB_N_PAINTS) : (guint32) g_rand_int (rand);
          gsize found = tb_timeline_figure_find_longest (figure, 0, first, end, paints);
          gint64 longest = -1;

          for (gsize k = first; k < end; k++)
            if (paints & 1u << view.paint[k])
              longest = MAX (longest, view.end[k] - view.start[k]);
          g_assert_true ((found == G_MAXSIZE) == (longest < 0));
          if (longest < 0)
            continue;
          g_assert_cmpuint (found, >=, first);
          g_assert_cmpuint (found, <, end);
          g_assert_true (paints & 1u << view.paint[found]);
          g_assert_cmpint (view.end[found] - view.start[found], ==, longest);
        }
      g_assert_cmpuint (tb_timeline_figure_find_longest (figure, 0, 5, 5, ~0u), ==, G_MAXSIZE);
    }
}

static void
test_hosts (void)
{
  g_autoptr (TbTimelineFigure) figure = tb_timeline_figure_new ("f", "F", 0, 10);
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (TbFigure) read = NULL;
  g_autoptr (GError) error = NULL;
  TbTimelineTrack track;

  tb_timeline_figure_add_track (figure, "a", "a", "p 1", 1);
  tb_timeline_figure_add_track (figure, "b", "b", "p 1", 2);
  tb_timeline_figure_set_track_host (figure, 1, "web");
  tb_figure_freeze (TB_FIGURE (figure));
  node = tb_figure_to_json (TB_FIGURE (figure));
  read = tb_figure_from_json (node, &error);
  g_assert_no_error (error);
  tb_timeline_figure_get_track (TB_TIMELINE_FIGURE (read), 0, &track);
  g_assert_cmpstr (track.host, ==, "");
  tb_timeline_figure_get_track (TB_TIMELINE_FIGURE (read), 1, &track);
  g_assert_cmpstr (track.host, ==, "web");
}

static void
test_round_trip (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  for (guint round = 0; round < 50; round++)
    {
      g_autoptr (TbTimelineFigure) figure = random_timeline (rand, round % 7, round);

      assert_round_trip (TB_FIGURE (figure));
    }
}

/* Merging preserves the total time of each paint, over the whole and over ranges of the merged
 * length, and which paints occur. */
static void
test_merged (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (TbTimelineFigure) figure = random_timeline (rand, 4, 150000);
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (TbFigure) read = NULL;
  g_autoptr (GError) error = NULL;
  gint64 below;
  guint64 n_read = 0;

  tb_figure_freeze (TB_FIGURE (figure));
  node = tb_figure_to_json (TB_FIGURE (figure));
  read = tb_figure_from_json (node, &error);
  g_assert_no_error (error);
  below = tb_timeline_figure_get_merge_threshold (TB_TIMELINE_FIGURE (read));
  g_assert_cmpint (below, >, 0);
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (node), "merged_below_ns"), ==,
                   below);
  for (guint track = 0; track < 4; track++)
    {
      TbTimelineTrack view;

      tb_timeline_figure_get_track (TB_TIMELINE_FIGURE (read), track, &view);
      n_read += view.n;
      for (guint i = 0; i < 500; i++)
        {
          gint64 from = below * g_rand_int_range (rand, 0, 3000000 / below);
          gint64 to = from + below * g_rand_int_range (rand, 1, 20);
          TbTimelineCoverage expected;
          TbTimelineCoverage got;

          tb_timeline_figure_get_coverage (figure, track, from, to, &expected);
          tb_timeline_figure_get_coverage (TB_TIMELINE_FIGURE (read), track, from, to, &got);
          g_assert_cmpmem (got.ns, sizeof got.ns, expected.ns, sizeof expected.ns);
        }
    }
  g_assert_cmpuint (n_read, <=, TB_TIMELINE_JSON_INTERVALS);
  g_assert_cmpuint (n_read, >, TB_TIMELINE_JSON_INTERVALS / 4);
}

static void
test_lines (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  for (guint width = 30; width < 160; width += 7)
    {
      g_autoptr (TbTimelineFigure) figure = random_timeline (rand, 6, 50);
      g_autofree char *text = NULL;
      g_auto (GStrv) lines = NULL;

      tb_figure_freeze (TB_FIGURE (figure));
      text = tb_figure_to_text (TB_FIGURE (figure), width);
      g_assert_true (g_utf8_validate (text, -1, NULL));
      g_assert_null (strstr (text, "\xe2\x80\xae"));
      lines = g_strsplit (text, "\n", -1);
      for (guint i = 0; lines[i]; i++)
        g_assert_cmpint (g_utf8_strlen (lines[i], -1), <=, width);
    }
}

static void
test_text (void)
{
  const gint64 start[] = { 0, 500, 600 };
  const gint64 end[] = { 500, 600, 1000 };
  const guint8 paint[] = { TB_PAINT_RUNNING, TB_PAINT_RUNNABLE, TB_PAINT_WAITING };
  g_autoptr (GBytes) start_bytes = g_bytes_new_static (start, sizeof start);
  g_autoptr (GBytes) end_bytes = g_bytes_new_static (end, sizeof end);
  g_autoptr (GBytes) paint_bytes = g_bytes_new_static (paint, sizeof paint);
  g_autoptr (TbTimelineFigure) figure = tb_timeline_figure_new ("t", "Threads", 0, 1000);
  g_autofree char *text = NULL;

  tb_timeline_figure_add_track (figure, "1", "curl", "curl 12", 1);
  tb_timeline_figure_set_intervals (figure, 0, 3, start_bytes, end_bytes, paint_bytes);
  tb_figure_freeze (TB_FIGURE (figure));
  text = tb_figure_to_text (TB_FIGURE (figure), 26);
  g_assert_cmpstr (text, ==,
                   "Threads\n───────\n"
                   "        1 µs, 100…     run\n"
                   "curl 12\n"
                   "  curl ▏█████▒····▕   50 %\n"
                   "█▂ Running  ▒░ Runnable,\n"
                   "  waiting for a CPU  ·\n"
                   "  Waiting\n");
}

static void
test_refuses_disorder (void)
{
  const gint64 start[] = { 0, 5 };
  const gint64 end[] = { 6, 7 };
  const guint8 paint[] = { 1, 1 };
  g_autoptr (GBytes) start_bytes = g_bytes_new_static (start, sizeof start);
  g_autoptr (GBytes) end_bytes = g_bytes_new_static (end, sizeof end);
  g_autoptr (GBytes) paint_bytes = g_bytes_new_static (paint, sizeof paint);
  g_autoptr (TbTimelineFigure) figure = tb_timeline_figure_new ("t", "t", 0, 10);
  TbTimelineTrack track;

  tb_timeline_figure_add_track (figure, "1", "one", NULL, 1);
  g_assert_null (tb_figure_get_fault (TB_FIGURE (figure)));
  tb_timeline_figure_set_intervals (figure, 0, 2, start_bytes, end_bytes, paint_bytes);
  g_assert_nonnull (strstr (tb_figure_get_fault (TB_FIGURE (figure)), "overlap"));
  tb_timeline_figure_get_track (figure, 0, &track);
  g_assert_cmpuint (track.n, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/timeline/coverage", test_coverage);
  g_test_add_func ("/report/timeline/longest", test_longest);
  g_test_add_func ("/report/timeline/hosts", test_hosts);
  g_test_add_func ("/report/timeline/round-trip", test_round_trip);
  g_test_add_func ("/report/timeline/merged", test_merged);
  g_test_add_func ("/report/timeline/lines", test_lines);
  g_test_add_func ("/report/timeline/text", test_text);
  g_test_add_func ("/report/timeline/refuses-disorder", test_refuses_disorder);
  return g_test_run ();
}
