/* test-latency-peaks-recorded.c: test of special cases of recordings: bins below the resolution of
 * stacks, shallow searches resumed deeper, peaks within the foot of another recording's peak
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"

/* --- inferred functions --- */

#define SPACING 1000 /* µs between samples */

/* Most calls of brief() last for one sample, some for sixteen. Further calls as short as the former
 * would have no sample at all. */
static TbTrace *
open_brief (void)
{
  Story *story = story_new ("worker");
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 60; i++)
    {
      guint n = i % 4 == 3 ? 16 : 1;

      for (guint k = 0; k < n; k++, time += SPACING)
        story_sample (story, time, 0, 11, "main;brief");
      for (guint k = 0; k < 2; k++, time += SPACING)
        story_sample (story, time, 0, 11, "main;other");
    }
  return story_open (story);
}

static void
test_inferred_bins (void)
{
  g_autoptr (TbTrace) trace = open_brief ();
  g_autoptr (TbReport) table = peaks_analyze (trace, "");
  g_autoptr (TbReport) report = peaks_analyze (trace, "function:brief");
  JsonObject *summary = report_get_summary (report), *peak;
  TbHistogramFigure *figure = TB_HISTOGRAM_FIGURE (tb_report_find_figure (report, "histogram"));
  gint64 seen_from = json_object_get_int_member (summary, "seen_from_ns");
  gint64 n_hatched = 0, n_seen = 0, last_hatched = -1;

  /* The limit is a power of two. */
  g_assert_cmpint (seen_from, >, SPACING * 1000 / 2);
  g_assert_cmpint (seen_from, <=, SPACING * 1000);
  for (guint i = 0; i < summary_count (summary, "bins"); i++)
    {
      JsonObject *bin = summary_get_element (summary, "bins", i);
      gboolean is_hidden = json_object_get_int_member (bin, "from_ns") <= seen_from;

      g_assert_true (json_object_get_boolean_member (bin, "uncertain") == is_hidden);
      g_assert_true (tb_histogram_figure_is_uncertain (figure, i) == is_hidden);
      *(is_hidden ? &n_hatched : &n_seen) += json_object_get_int_member (bin, "count");
      if (is_hidden)
        last_hatched = json_object_get_int_member (bin, "bin");
    }
  /* These calls would be a clear peak if they were all calls. */
  g_assert_cmpint (n_hatched, ==, 45);
  g_assert_cmpint (n_seen, ==, 15);
  g_assert_nonnull (strstr (tb_histogram_figure_get_uncertain_reason (figure), "mostly missing"));
  g_assert_cmpuint (summary_count (summary, "peaks"), ==, 1);
  peak = summary_get_element (summary, "peaks", 0);
  g_assert_cmpint (json_object_get_int_member (peak, "from_bin"), >, last_hatched);
  g_assert_cmpint (json_object_get_int_member (peak, "count"), ==, 15);
  g_assert_cmpint (json_object_get_int_member (peaks_find_operation (report_get_summary (table),
                                                                     "function:brief"),
                                               "peaks"),
                   ==, 1);
  finding_assert_string (findings_get (report, "inferred-calls"), "function", "brief");
}

/* --- resuming at a greater depth --- */

#define LEVELS 6

static TbTrace *
open_levels (const char *name, int n)
{
  Story *story = story_new ("caller");
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  for (int i = 0; i < n; i++, time += 1000)
    {
      for (int k = 0; k < LEVELS; k++)
        {
          g_autofree char *function = g_strdup_printf ("level%d", k);

          story_call (story, time + k, 0, 11, function);
        }
      for (int k = LEVELS; k-- > 0;)
        {
          g_autofree char *function = g_strdup_printf ("level%d", k);

          story_return (story, time + 100 - k, 0, 11, function);
        }
    }
  return story_open_as (story, name);
}

static void
test_depth_raised (void)
{
  g_autoptr (TbTrace) first = open_levels ("first", 30);
  g_autoptr (TbTrace) second = open_levels ("second", 30);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) shallow
      = peaks_try_analyze (first, "function:level0", "max-depth", "2", &error);
  g_autoptr (TbReport) deep = NULL;
  g_autofree char *state = NULL;
  JsonObject *peak;

  g_assert_no_error (error);
  peak = peaks_get_peak (shallow, 0);
  g_assert_cmpstr (json_object_get_string_member (peak, "status"), ==, "depth-reached");
  peaks_assert_cause (shallow, 0, "function", "function:level0 level1 level2", NULL);
  finding_assert_string (peaks_get_finding (shallow, 0), "status", "depth-reached");
  finding_assert_integer (peaks_get_finding (shallow, 0), "max_depth", 2);
  state = json_to_string (json_object_get_member (report_get_summary (shallow), "state"), FALSE);

  /* The default depth is unlimited: the first search's depth limit does not mean that nothing is
   * below. */
  deep = peaks_try_analyze (second, "function:level0", "resume", state, &error);
  g_assert_no_error (error);
  peak = summary_get_element (report_get_summary (deep), "peaks", 0);
  g_assert_cmpstr (json_object_get_string_member (peak, "status"), ==, "found");
  g_assert_cmpint (json_object_get_int_member (peak, "drilled"), ==, 30 + 30);
  g_assert_cmpint (json_object_get_int_member (peaks_find_in_tree (peak, "level2"), "maxcount"), ==,
                   30 + 30);
  g_assert_cmpint (json_object_get_int_member (peaks_find_in_tree (peak, "level3"), "maxcount"), ==,
                   30);
  g_assert_cmpuint (summary_count (peak, "root_causes"), ==, 1);
  summary_assert_strings (summary_get_element (peak, "root_causes", 0), "path",
                          "function:level0 level1 level2 level3 level4 level5");
}

/* --- the foot of a peak is not a peak --- */

/* For each pair, that many calls of that length in µs. */
static TbTrace *
open_lengths (const char *name, const int (*lengths)[2], guint n_lengths)
{
  Story *story = story_new ("forker");
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  for (guint i = 0; i < n_lengths; i++)
    for (int k = 0; k < lengths[i][1]; k++)
      {
        story_call (story, time, 0, 11, "fork_once");
        story_return (story, time + lengths[i][0], 0, 11, "fork_once");
        time += lengths[i][0] + 5;
      }
  return story_open_as (story, name);
}

static void
assert_alone (TbTrace *base, TbTrace *other, guint base_only, guint other_only)
{
  g_autoptr (TbReport) report = report_compare ("latency-peaks", base, other, NULL, "operation",
                                                "function:fork_once", NULL);

  g_assert_cmpuint (summary_count (report_get_summary (report), "base_only"), ==, base_only);
  g_assert_cmpuint (summary_count (report_get_summary (report), "other_only"), ==, other_only);
  g_assert_cmpuint (findings_count (report, "new-peak"), ==, other_only);
  g_assert_cmpuint (findings_count (report, "gone-peak"), ==, base_only);
}

/* Recorded latencies of fork by one process and by four (a tenth of the calls): the one process's
 * peak has a foot that reaches to the second peak of the four. */
static void
test_foot (void)
{
  static const int one[][2] = { { 100, 61 }, { 200, 784 }, { 400, 39 }, { 800, 12 }, { 1500, 8 } };
  static const int four[][2]
      = { { 100, 61 }, { 200, 1306 }, { 400, 142 }, { 800, 10 }, { 1500, 43 }, { 3000, 26 } };
  g_autoptr (TbTrace) base = open_lengths ("one", one, G_N_ELEMENTS (one));
  g_autoptr (TbTrace) other = open_lengths ("four", four, G_N_ELEMENTS (four));

  assert_alone (base, base, 0, 0);
  assert_alone (base, other, 0, 1);
  assert_alone (other, base, 1, 0);
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/recorded/inferred-bins", test_inferred_bins);
  g_test_add_func ("/latency-peaks/recorded/depth-raised", test_depth_raised);
  g_test_add_func ("/latency-peaks/recorded/foot", test_foot);
  return recording_run_tests ();
}
