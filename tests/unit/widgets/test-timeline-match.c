/* test-timeline-match.c: test of the tracks and intervals of a timeline that a filter selects
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-match-private.h"

static TbTimelineFigure *
make_figure (void)
{
  static const struct
  {
    const char *name;
    const char *group;
    guint8 paint;
  } tracks[] = {
    { "auth", "dovecot 702", TB_PAINT_DISK },
    { "imap-login", "dovecot 702", TB_PAINT_WAITING },
    { "Über", "AUTHD 3", TB_PAINT_RUNNING },
    { "vda", NULL, TB_PAINT_DISK },
  };
  TbTimelineFigure *figure = tb_timeline_figure_new ("f", "F", 0, 1000);

  for (guint i = 0; i < G_N_ELEMENTS (tracks); i++)
    {
      gint64 start = 0, end = 100 * (i + 1);
      g_autoptr (GBytes) starts = g_bytes_new (&start, sizeof start);
      g_autoptr (GBytes) ends = g_bytes_new (&end, sizeof end);
      g_autoptr (GBytes) paints = g_bytes_new (&tracks[i].paint, 1);
      g_autofree char *id = g_strdup_printf ("%u", i);

      tb_timeline_figure_add_track (figure, id, tracks[i].name, tracks[i].group, i);
      tb_timeline_figure_set_intervals (figure, i, 1, starts, ends, paints);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static void
assert_found (const char *search, const char *expected)
{
  g_autoptr (TbTimelineFigure) figure = make_figure ();
  g_autoptr (TbFilter) filter = tb_filter_parse (search, NULL);
  g_autoptr (TbTimelineMatches) matches = tb_timeline_matches_new (figure, filter, NULL);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < 4; i++)
    if (tb_timeline_matches_count (matches, i, 0, 1) > 0)
      g_string_append_printf (found, "%u", i);
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_match (void)
{
  assert_found (NULL, "0123");
  assert_found ("   ", "0123");
  assert_found ("auth", "02");
  assert_found ("AUTH", "02");
  assert_found ("process:auth", "2");
  assert_found ("thread:auth", "0");
  assert_found ("process:dovecot login", "1");
  assert_found ("über", "2");
  assert_found ("longer:201", "23");
  assert_found ("longer:0.0002ms auth", "2");
  assert_found ("state:disk", "03");
  assert_found ("state:disk process:dovecot", "0");
  assert_found ("nothing", "");
  /* Incomplete text, as during typing. */
  assert_found ("longer:", "0123");
  assert_found ("process:", "0123");
  assert_found ("longer:200 state:disk", "3");
  assert_found ("\xff\xfe", "");
}

static gboolean
match_even (TbTimelineFigure *figure,
            guint track,
            const TbFilter *filter,
            guint8 *matched,
            gpointer data)
{
  TbTimelineTrack info;

  tb_timeline_figure_get_track (figure, track, &info);
  for (gsize i = 0; i < info.n; i += 2)
    matched[i] = tb_filter_match_function (filter, "even", "libnumber.so");
  return TRUE;
}

/* Counting and stepping, against a check of each interval. */
static void
test_random (void)
{
  for (guint round = 0; round < 60; round++)
    {
      gsize n = (gsize) g_test_rand_int_range (0, 700);
      gint64 *start = g_new (gint64, n + 1), *end = g_new (gint64, n + 1),
             longer = g_test_rand_int_range (0, 50);
      guint8 *paint = g_new (guint8, n + 1);
      gboolean functions = g_test_rand_bit ();
      g_autofree char *text = g_strdup_printf ("longer:%d state:running state:disk%s", (int) longer,
                                               functions ? " function:EVEN" : "");
      g_autoptr (TbFilter) filter = tb_filter_parse (text, NULL);
      g_autoptr (TbTimelineFigure) figure = tb_timeline_figure_new ("f", "F", 0, 1000000);
      g_autoptr (TbTimelineMatches) matches = NULL;
      g_autofree gsize *before = g_new0 (gsize, n + 2);
      gsize next = TB_INTERVAL_NONE;

      for (gsize i = 0; i < n; i++)
        {
          start[i] = (gint64) i * 100;
          end[i] = start[i] + g_test_rand_int_range (0, 100);
          paint[i] = (guint8) g_test_rand_int_range (TB_PAINT_NONE, TB_N_PAINTS);
        }
      {
        g_autoptr (GBytes) starts = g_bytes_new_take (start, n * sizeof *start);
        g_autoptr (GBytes) ends = g_bytes_new_take (end, n * sizeof *end);
        g_autoptr (GBytes) paints = g_bytes_new_take (paint, n);

        tb_timeline_figure_add_track (figure, "t", "t", NULL, 1);
        tb_timeline_figure_set_intervals (figure, 0, n, starts, ends, paints);
        tb_timeline_figure_set_match_func (figure, match_even, NULL, NULL);
        tb_figure_freeze (TB_FIGURE (figure));
        matches = tb_timeline_matches_new (figure, filter, NULL);
        for (gsize i = 0; i < n; i++)
          {
            gboolean expected = (paint[i] == TB_PAINT_RUNNING || paint[i] == TB_PAINT_DISK)
                                && end[i] - start[i] >= longer && (!functions || i % 2 == 0);

            g_assert_true (tb_timeline_matches_has (matches, 0, i) == expected);
            before[i + 1] = before[i] + expected;
          }
        for (gsize i = n; i-- > 0;)
          {
            if (tb_timeline_matches_has (matches, 0, i))
              next = i;
            g_assert_cmpuint (tb_timeline_matches_next (matches, 0, i), ==, next);
          }
        g_assert_false (tb_timeline_matches_has (matches, 0, n));
        g_assert_cmpuint (tb_timeline_matches_next (matches, 0, n), ==, TB_INTERVAL_NONE);
        for (guint k = 0; k < 100; k++)
          {
            gsize from = (gsize) g_test_rand_int_range (0, (gint32) n + 1);
            gsize to = (gsize) g_test_rand_int_range ((gint32) from, (gint32) n + 1);

            g_assert_cmpuint (tb_timeline_matches_count (matches, 0, from, to), ==,
                              before[to] - before[from]);
          }
      }
    }
}

static void
test_cancelled (void)
{
  g_autoptr (TbTimelineFigure) figure = make_figure ();
  g_autoptr (TbFilter) filter = tb_filter_parse ("longer:1", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  g_assert_null (tb_timeline_matches_new (figure, filter, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline-match/match", test_match);
  g_test_add_func ("/timeline-match/random", test_random);
  g_test_add_func ("/timeline-match/cancelled", test_cancelled);
  return g_test_run ();
}
