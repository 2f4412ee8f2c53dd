/* test-wait-graph-work.c: a unit of work that was chosen once for a recording, and is kept with it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define FACT "wait-graph-work"

/* B does a unit every 1 ms, and flushes every other one; A waits for it. In all 10 ms. */
static TbTrace *
open_load (const char *name)
{
  Story *story = story_new ("A B");

  go (story, 0, 0, 0, "R", 11);
  go (story, 0, 1, 0, "R", 12);
  for (int t = 0; t < 10000; t += 1000)
    {
      sleep_and_wake (story, t + 100, t + 600, 0, 11, 1, 12);
      tell (story, t + 500, "1,mark,,,,,,,12,,,work,,,");
      if (t % 2000 != 0)
        continue;
      tell (story, t + 510, "1,sys_enter,,,,,,,12,,,fsync,,,");
      tell (story, t + 520, "1,sys_exit,,,,,,,12,,0,fsync,,,");
    }
  go (story, 10000, 0, 11, "R", 11);
  sort_story (story);
  return story_open_as (story, name);
}

static void
keep (TbTrace *trace, const char *unit)
{
  g_autoptr (GError) error = NULL;

  tb_session_set_fact (tb_trace_get_session (trace), FACT, unit, &error);
  g_assert_no_error (error);
}

static void
assert_unit (JsonObject *summary, const char *unit, gint64 count)
{
  JsonObject *work;

  if (unit == NULL)
    {
      g_assert_true (json_object_get_null_member (summary, "work"));
      return;
    }
  work = json_object_get_object_member (summary, "work");
  g_assert_cmpstr (json_object_get_string_member (work, "unit"), ==, unit);
  g_assert_cmpint (json_object_get_int_member (work, "count"), ==, count);
}

/* As who reads the report has to ask for the same. */
static void
assert_option (TbReport *report, const char *unit)
{
  g_autoptr (JsonNode) node = tb_report_to_json (report);
  JsonObject *options = json_object_get_object_member (json_node_get_object (node), "options");

  g_assert_cmpstr (json_object_get_string_member (options, "work"), ==, unit);
}

/* What is asked for comes first, then what was chosen, then marks; what is none, as it may stand in a file, is told. */
static void
test_kept (void)
{
  static const struct
  {
    const char *kept;
    const char *option;
    const char *unit;
    gint64 count;
    gboolean is_wrong;
  } cases[] = {
    { NULL, "", "mark:work", 10, FALSE },
    { "syscall:fsync", "", "syscall:fsync", 5, FALSE },
    { "syscall:fsync", "syscall:fsync", "syscall:fsync", 5, FALSE },
    { "syscall:fsync", "mark:work", "mark:work", 10, FALSE },
    { "syscall:fsync", "none", NULL, 0, FALSE },
    { "none", "", NULL, 0, FALSE },
    { "none", "mark:work", "mark:work", 10, FALSE },
    { "", "", "mark:work", 10, FALSE },
    { "send:app", "", "send:app", 0, FALSE },
    { "furlongs", "", "mark:work", 10, TRUE },
    { "mark:", "", "mark:work", 10, TRUE },
    { "send:nobody", "", "mark:work", 10, TRUE },
    { "send:nobody", "send:nobody", "mark:work", 10, TRUE },
    { "send:nobody", "syscall:fsync", "syscall:fsync", 5, FALSE },
  };
  g_autoptr (TbTrace) trace = open_load ("kept");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbReport) report = NULL;
      gboolean is_known = cases[i].kept != NULL && *cases[i].kept != '\0' && !cases[i].is_wrong;

      keep (trace, cases[i].kept);
      report = wait_graph_analyze (trace, "work", cases[i].option, NULL);
      assert_unit (wait_graph_get_summary (report), cases[i].unit, cases[i].count);
      g_assert_cmpint (wait_graph_has_warning (report, "kept with the recording is not used"), ==,
                       cases[i].is_wrong);
      if (is_known && *cases[i].option == '\0')
        assert_option (report, cases[i].kept);
    }
}

static double
get_throughput (TbTrace *trace, const char *work)
{
  g_autoptr (TbReport) report = wait_graph_analyze (trace, "what-if", "edge:A>B*0.5", "work", work, NULL);
  JsonObject *told = wait_graph_get_element (wait_graph_get_summary (report), "what_if", 0);

  g_assert_cmpstr (json_object_get_string_member (told, "metric"), ==, "throughput");
  return json_object_get_double_member (told, "before");
}

/* What a prediction is told in. */
static void
test_predicted (void)
{
  g_autoptr (TbTrace) trace = open_load ("predicted");
  double of_marks = get_throughput (trace, "");

  keep (trace, "syscall:fsync");
  g_assert_cmpfloat (get_throughput (trace, ""), <, of_marks * 0.6);
  g_assert_cmpfloat (get_throughput (trace, ""), ==, get_throughput (trace, "syscall:fsync"));
}

static TbReport *
compare (TbTrace *base, TbTrace *other)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "wait-graph", &error);
  g_autoptr (TbSelection) selection = tb_selection_new (other);
  TbReport *report;

  g_assert_no_error (error);
  report = tb_analysis_compare (analysis, base, other, selection, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return report;
}

/* Both are counted in one unit: that of the other one, else that of the base. */
static void
test_compared (void)
{
  static const char *const kept[][3] = {
    { NULL, NULL, "mark:work" },
    { "syscall:fsync", NULL, "syscall:fsync" },
    { NULL, "syscall:fsync", "syscall:fsync" },
    { "none", "syscall:fsync", "syscall:fsync" },
    { "syscall:fsync", "furlongs", "mark:work" },
  };
  g_autoptr (TbTrace) base = open_load ("base");
  g_autoptr (TbTrace) other = open_load ("other");

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      g_autoptr (TbReport) report = NULL;
      JsonObject *told;
      gint64 count = g_str_equal (kept[i][2], "mark:work") ? 10 : 5;

      keep (base, kept[i][0]);
      keep (other, kept[i][1]);
      report = compare (base, other);
      told = json_node_get_object (tb_report_get_summary (report));
      assert_unit (json_object_get_object_member (told, "base"), kept[i][2], count);
      assert_unit (json_object_get_object_member (told, "other"), kept[i][2], count);
      g_assert_cmpstr (json_object_get_string_member (told, "normalized_by"), ==, "work");
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  wait_graph_fixture_init ();
  g_test_add_func ("/wait-graph/work/kept", test_kept);
  g_test_add_func ("/wait-graph/work/predicted", test_predicted);
  g_test_add_func ("/wait-graph/work/compared", test_compared);
  status = g_test_run ();
  wait_graph_fixture_clear ();
  return status;
}
