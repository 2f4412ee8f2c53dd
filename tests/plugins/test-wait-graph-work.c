/* test-wait-graph-work.c: test of the work unit that is chosen for a recording and stored in it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define FACT "wait-graph-work"

/* B completes a unit every 1 ms and flushes every other one; A waits for B. The length is 10 ms.
 * more: a further line each time; last: a line at the end; NULL: none. */
static TbTrace *
open_load_with (const char *name, const char *more, const char *last)
{
  Story *story = story_new ("A B");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (int t = 0; t < 10000; t += 1000)
    {
      story_sleep (story, t + 100, t + 600, 0, 11, 1, 12);
      story_add (story, t + 500, "1,mark,,,,,,,12,,,work,,,");
      if (more != NULL)
        story_add (story, t + 300, "%s", more);
      if (t % 2000 != 0)
        continue;
      story_enter (story, t + 510, 1, 12, "fsync");
      story_add (story, t + 520, "1,sys_exit,,,,,,,12,,0,fsync,,,");
    }
  if (last != NULL)
    story_add (story, 10000, "%s", last);
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open_as (story, name);
}

static TbTrace *
open_load (const char *name)
{
  return open_load_with (name, NULL, NULL);
}

/* Two processes write. One of them also calls a function with an "@" in its name, and sends
 * messages. */
static TbTrace *
open_writers (void)
{
  static const struct
  {
    const char *thread;
    int n;
  } writers[] = { { "11", 3 }, { "31", 5 } };
  Story *story = story_new ("A");
  int t = 100;

  story_name (story, 30, "other", 30);
  story_name (story, 31, "other/one", 30);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 31);
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    for (int j = 0; j < writers[i].n; j++, t += 50)
      {
        story_add (story, t, "0,mark,,,,,,,%s,,,work:reads,,,", writers[i].thread);
      }
  story_add (story, t, "0,net_send,,,,,,,11,eth0,100,host:80,,,7");
  for (int i = 0; i < 4; i++, t += 50)
    {
      story_add (story, t, "%s",
                 i < 2 ? "0,call,,,,,,,11,,,open@app,,," : "1,call,,,,,,,31,,,open,,,");
      story_add (story, t + 10, "%s",
                 i < 2 ? "0,return,,,,,,,11,,,open@app,,," : "1,return,,,,,,,31,,,open,,,");
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open_as (story, "writers");
}

static void
store_choice (TbTrace *trace, const char *unit)
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

/* The report contains the option that reproduces it. */
static void
assert_option (TbReport *report, const char *unit)
{
  g_autoptr (JsonNode) node = tb_report_to_json (report);
  JsonObject *options = json_object_get_object_member (json_node_get_object (node), "options");

  g_assert_cmpstr (json_object_get_string_member (options, "work"), ==, unit);
}

/* The option has precedence, then the stored choice, then marks. An invalid stored choice is
 * reported. */
static void
test_stored (void)
{
  static const struct
  {
    const char *stored;
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
    { "work@app", "", "work@app", 10, FALSE },
    { "work@nobody", "", "mark:work", 10, TRUE },
  };
  g_autoptr (TbTrace) trace = open_load ("kept");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbReport) report = NULL;
      gboolean is_known = cases[i].stored != NULL && *cases[i].stored != '\0' && !cases[i].is_wrong;

      store_choice (trace, cases[i].stored);
      report = wait_graph_analyze (trace, "work", cases[i].option, NULL);
      assert_unit (wait_graph_get_summary (report), cases[i].unit, cases[i].count);
      g_assert_cmpint (report_has_warning (report, "kept with the recording is not used"), ==,
                       cases[i].is_wrong);
      if (is_known && *cases[i].option == '\0')
        assert_option (report, cases[i].stored);
    }
}

/* The same forms as in the help page about annotations. */
static void
test_forms (void)
{
  static const struct
  {
    const char *unit;
    gint64 count;
  } cases[] = {
    { "", 8 },
    { "work", 8 },
    { "mark:work", 8 },
    { "work:reads", 8 },
    { "work:writes", 0 },
    { "work@app", 3 },
    { "work@30", 5 },
    { "work:reads@other", 5 },
    { "mark:work@app", 3 },
    { "call:open@app", 2 }, /* the function has that name */
    { "function:open@app@app", 2 },
    { "call:open@app@other", 0 },
    { "call:open", 2 },
    { "function:open@other", 2 },
    { "send:app", 1 },
    { "send:30", 0 },
  };
  static const struct
  {
    const char *unit;
    TbExtendError code;
  } wrong[] = {
    { "work:", TB_EXTEND_ERROR_USAGE },
    { "works", TB_EXTEND_ERROR_USAGE },
    { "call:", TB_EXTEND_ERROR_USAGE },
    { "syscall", TB_EXTEND_ERROR_USAGE },
    { "none@app", TB_EXTEND_ERROR_USAGE },
    { "work@nobody", TB_EXTEND_ERROR_UNAVAILABLE },
    { "mark:work@", TB_EXTEND_ERROR_UNAVAILABLE },
  };
  g_autoptr (TbTrace) trace = open_writers ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbReport) report = wait_graph_analyze (trace, "work", cases[i].unit, NULL);
      const char *unit = *cases[i].unit != '\0' ? cases[i].unit : "mark:work";

      assert_unit (wait_graph_get_summary (report), unit, cases[i].count);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (TbAnalysis) analysis = report_create_analysis ("wait-graph", NULL);
      g_autoptr (TbSelection) selection = tb_selection_new (trace);
      g_autoptr (GError) error = NULL;
      g_autoptr (TbReport) report = NULL;

      if (tb_option_set_from_text (G_OBJECT (analysis), "work", wrong[i].unit, &error))
        report = tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, &error);
      g_test_message ("%s: %s", wrong[i].unit, error != NULL ? error->message : "none");
      g_assert_null (report);
      g_assert_error (error, TB_EXTEND_ERROR, (int) wrong[i].code);
    }
}

/* Times of completion: a slice begins with its first ns, in the figure as in JSON. */
static void
test_slices (void)
{
  g_autoptr (TbTrace) trace = open_load_with ("slices", NULL, "1,mark,,,,,,,12,,,work,,,");
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  JsonObject *work = json_object_get_object_member (wait_graph_get_summary (report), "work");
  JsonArray *slices = json_object_get_array_member (work, "slices");
  TbHeatmapFigure *figure = TB_HEATMAP_FIGURE (tb_report_find_figure (report, "work"));
  const guint64 *cells = tb_heatmap_figure_get_row (figure, 0);

  g_assert_cmpuint (json_array_get_length (slices), ==, 100);
  g_assert_cmpuint (tb_heatmap_figure_get_n_columns (figure), ==, 100);
  for (guint i = 0; i < 100; i++)
    {
      gint64 from, to, expected = i % 10 == 5 || i == 99;

      tb_heatmap_figure_get_column_range (figure, i, &from, &to);
      g_assert_cmpint (from, ==, i * 100000);
      g_assert_cmpint (json_array_get_int_element (slices, i), ==, expected);
      g_assert_cmpuint (cells[i], ==, (guint64) expected);
    }
}

static double
get_throughput (TbTrace *trace, const char *work)
{
  g_autoptr (TbReport) report
      = wait_graph_analyze (trace, "what-if", "edge:A>B*0.5", "work", work, NULL);
  JsonObject *work_object = summary_get_element (wait_graph_get_summary (report), "what_if", 0);

  g_assert_cmpstr (json_object_get_string_member (work_object, "metric"), ==, "throughput");
  return json_object_get_double_member (work_object, "before");
}

/* The unit of a prediction. */
static void
test_predicted (void)
{
  g_autoptr (TbTrace) trace = open_load ("predicted");
  g_autoptr (TbTrace) by_three = open_load_with ("by three", "1,mark,,,,,,,12,,,work:n=3,,,", NULL);
  g_autoptr (TbTrace) at_end = open_load_with ("at the end", NULL, "1,mark,,,,,,,12,,,work,,,");
  double of_marks = get_throughput (trace, "");

  /* Counting begins at the first unit. */
  g_assert_cmpfloat_with_epsilon (of_marks, 1000, 1e-6);
  g_assert_cmpfloat_with_epsilon (get_throughput (by_three, "mark:work:n"), 3000, 1e-6);
  /* A unit completed at the end of the recording is not replayed. */
  g_assert_cmpfloat_with_epsilon (get_throughput (at_end, ""), 1000, 1e-6);
  store_choice (trace, "syscall:fsync");
  g_assert_cmpfloat_with_epsilon (get_throughput (trace, ""), 500, 1e-6);
  g_assert_cmpfloat (get_throughput (trace, ""), ==, get_throughput (trace, "syscall:fsync"));
}

/* Both recordings are counted in one unit: that of the other recording, otherwise that of the
 * base. */
static void
test_compared (void)
{
  static const char *const stored[][3] = {
    { NULL, NULL, "mark:work" },
    { "syscall:fsync", NULL, "syscall:fsync" },
    { NULL, "syscall:fsync", "syscall:fsync" },
    { "none", "syscall:fsync", "syscall:fsync" },
    { "syscall:fsync", "furlongs", "mark:work" },
  };
  g_autoptr (TbTrace) base = open_load ("base");
  g_autoptr (TbTrace) other = open_load ("other");

  for (guint i = 0; i < G_N_ELEMENTS (stored); i++)
    {
      g_autoptr (TbReport) report = NULL;
      JsonObject *work_object;
      gint64 count = g_str_equal (stored[i][2], "mark:work") ? 10 : 5;

      store_choice (base, stored[i][0]);
      store_choice (other, stored[i][1]);
      report = report_compare ("wait-graph", base, other, NULL, NULL);
      work_object = report_get_summary (report);
      assert_unit (json_object_get_object_member (work_object, "base"), stored[i][2], count);
      assert_unit (json_object_get_object_member (work_object, "other"), stored[i][2], count);
      g_assert_cmpstr (json_object_get_string_member (work_object, "normalized_by"), ==, "work");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/work/kept", test_stored);
  g_test_add_func ("/wait-graph/work/forms", test_forms);
  g_test_add_func ("/wait-graph/work/slices", test_slices);
  g_test_add_func ("/wait-graph/work/predicted", test_predicted);
  g_test_add_func ("/wait-graph/work/compared", test_compared);
  return recording_run_tests ();
}
