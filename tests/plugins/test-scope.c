/* test-scope.c: test of the scope of reports (recorded command, threads that worked for it,
 * recorder), and of losses, which are warnings or remarks by their share of the time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "finding-checks.h"
#include "report-reader.h"
#include "story.h"
#include "trace/tb-trace-roles.h"

#define TOOL 10
#define CHILD 11
#define SERVER 20
#define HELPER 21
#define OTHER 30
#define PARTNER 31
#define CLI 40
#define AGENT 41

/* The tool runs on CPU 0 and starts a child on CPU 1. It asks the server, which asks its helper,
 * for 4 of 20 ms. Two other threads wake one another. The agent reads what was recorded and wakes
 * the tool, too. */
static Story *
make_story (gboolean has_command)
{
  Story *story = story_new (NULL);

  g_string_append (story, "# fact: recorder-pid=40\n");
  if (has_command)
    g_string_append (story, "# fact: command-pid=10\n");
  story_name (story, TOOL, "tool", TOOL);
  story_name (story, SERVER, "server", SERVER);
  story_name (story, HELPER, "helper", HELPER);
  story_name (story, OTHER, "other", OTHER);
  story_name (story, PARTNER, "partner", PARTNER);
  story_name (story, CLI, "tailback-cli", CLI);
  story_switch (story, 0, 0, 0, "R", TOOL);
  story_switch (story, 0, 3, 0, "R", CLI);
  story_fork (story, 100, 3, CLI, AGENT);
  story_exec (story, 200, 3, AGENT, "tailback-agent");
  story_fork (story, 1000, 0, TOOL, CHILD);
  story_switch (story, 1100, 1, 0, "R", CHILD);
  story_wake (story, 2000, 0, TOOL, SERVER);
  story_switch (story, 2010, 2, 0, "R", SERVER);
  story_switch (story, 2020, 0, TOOL, "S", 0);
  story_wake (story, 3000, 2, SERVER, HELPER);
  story_switch (story, 3010, 2, SERVER, "S", HELPER);
  story_wake (story, 5000, 2, HELPER, SERVER);
  story_switch (story, 5010, 2, HELPER, "S", SERVER);
  story_wake (story, 6000, 2, SERVER, TOOL);
  story_switch (story, 6010, 0, 0, "R", TOOL);
  story_switch (story, 6020, 2, SERVER, "S", OTHER);
  story_wake (story, 8000, 2, OTHER, PARTNER);
  story_switch (story, 8010, 2, OTHER, "S", PARTNER);
  story_switch (story, 8020, 0, TOOL, "S", 0);
  story_switch (story, 8030, 3, CLI, "S", AGENT);
  story_wake (story, 9000, 3, AGENT, TOOL);
  story_switch (story, 9010, 0, 0, "R", TOOL);
  story_wake (story, 10000, 2, PARTNER, OTHER);
  story_switch (story, 20000, 0, TOOL, "S", 0);
  story_switch (story, 20000, 1, CHILD, "S", 0);
  return story;
}

static char *
list_selected (TbTrace *trace, TbSelectionScope scope)
{
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  GString *text = g_string_new (NULL);
  guint n;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n);

  tb_selection_set_scope (selection, scope);
  for (gint32 tid = 1; tid < 50; tid++)
    for (guint32 i = 1; i < n; i++)
      if (threads[i].tid == tid && tb_selection_has_thread (selection, i))
        g_string_append_printf (text, "%s%d", text->len > 0 ? " " : "", tid);
  return g_string_free (text, FALSE);
}

static void
test_scopes (void)
{
  g_autoptr (TbTrace) trace = story_open (make_story (TRUE));
  g_autofree char *command = list_selected (trace, TB_SELECTION_COMMAND);
  g_autofree char *system = list_selected (trace, TB_SELECTION_SYSTEM);
  g_autofree char *all = list_selected (trace, TB_SELECTION_ALL);

  g_assert_cmpstr (command, ==, "10 11 20 21");
  g_assert_cmpstr (system, ==, "10 11 20 21 30 31");
  g_assert_cmpstr (all, ==, "10 11 20 21 30 31 40 41");
}

static void
test_without_command (void)
{
  g_autoptr (TbTrace) trace = story_open (make_story (FALSE));
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autofree char *command = list_selected (trace, TB_SELECTION_COMMAND);

  g_assert_cmpuint (tb_trace_get_command_process (trace), ==, TB_ID_NONE);
  g_assert_cmpstr (command, ==, "10 11 20 21 30 31");
  tb_selection_set_scope (selection, TB_SELECTION_COMMAND);
  g_assert_cmpint (tb_selection_get_scope (selection), ==, TB_SELECTION_SYSTEM);
}

/* Chosen threads are selected whatever the scope; another recording has the same scope. */
static void
test_selection (void)
{
  g_autoptr (TbTrace) trace = story_open_as (make_story (TRUE), "scope-base");
  g_autoptr (TbTrace) other = story_open_as (make_story (FALSE), "scope-other");
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbSelection) carried = NULL;
  g_autoptr (GError) error = NULL;

  tb_selection_set_scope (selection, TB_SELECTION_COMMAND);
  carried = tb_selection_carry_over (selection, other);
  g_assert_cmpint (tb_selection_get_scope (carried), ==, TB_SELECTION_SYSTEM);
  g_assert_false (tb_selection_is_of_threads (selection));
  g_assert_true (tb_selection_add_process_by_name (selection, "tailback-agent", &error));
  g_assert_no_error (error);
  g_assert_true (tb_selection_is_of_threads (selection));
}

static void
test_report (void)
{
  g_autoptr (TbTrace) trace = story_open (make_story (TRUE));
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbReport) all = report_run ("threads", trace, selection, NULL);
  g_autoptr (TbReport) report = NULL;
  g_autofree char *table = NULL;
  JsonObject *values;

  g_assert_null (tb_report_get_scope (all));
  g_assert_cmpuint (summary_count (report_get_summary (all), "threads"), ==, 8);
  tb_selection_set_scope (selection, TB_SELECTION_COMMAND);
  report = report_run ("threads", trace, selection, NULL);
  g_assert_cmpuint (summary_count (report_get_summary (report), "threads"), ==, 4);
  g_assert_nonnull (strstr (tb_report_get_scope (report), "2 processes of the recorded command"));
  table = tb_figure_to_text (tb_report_find_figure (report, "states"), 0);
  g_assert_nonnull (strstr (table, "Recording itself"));
  g_assert_null (strstr (table, "tailback-agent"));
  values = json_node_get_object (tb_report_get_scope_values (report));
  g_assert_cmpstr (json_object_get_string_member (values, "kind"), ==, "command");
  g_assert_cmpint (json_object_get_int_member (values, "threads"), ==, 4);
  g_assert_cmpint (json_object_get_int_member (values, "helper_processes"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (values, "recorder_threads"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (values, "recorder_running_ns"), >, 8000000);
}

static guint
count_outside (TbGraphFigure *figure)
{
  guint n = 0;

  for (guint i = 0; i < tb_graph_figure_get_n_edges (figure); i++)
    {
      const TbGraphEdge *edge = tb_graph_figure_get_edge (figure, i);
      const char *from = tb_graph_figure_get_vertex (figure, edge->from)->name;
      const char *to = tb_graph_figure_get_vertex (figure, edge->to)->name;
      gboolean is_outside = (edge->flags & TB_EDGE_OUTSIDE) != 0;

      if (is_outside)
        g_assert_true (g_str_equal (from, "other") && g_str_equal (to, "partner"));
      n += is_outside;
    }
  return n;
}

/* Edges of others are neither counted nor drawn, unless the scope is the whole machine. */
static void
test_graph (void)
{
  g_autoptr (TbTrace) trace = story_open (make_story (TRUE));
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbReport) all = NULL;
  g_autoptr (TbReport) with_recorder = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *text = NULL;
  g_autofree char *expected = NULL;
  TbFigure *figure;
  guint n_shown;

  tb_selection_set_scope (selection, TB_SELECTION_SYSTEM);
  all = report_run ("wait-graph", trace, selection, NULL);
  figure = tb_report_find_figure (all, "wait-graph");
  text = tb_figure_to_text (figure, 0);
  expected = g_strdup_printf ("\n%u edges", tb_graph_figure_get_n_edges (TB_GRAPH_FIGURE (figure)));
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, expected));
  g_assert_cmpuint (count_outside (TB_GRAPH_FIGURE (figure)), ==, 0);
  tb_selection_set_scope (selection, TB_SELECTION_ALL);
  with_recorder = report_run ("wait-graph", trace, selection, NULL);
  figure = tb_report_find_figure (with_recorder, "wait-graph");
  g_assert_cmpuint (count_outside (TB_GRAPH_FIGURE (figure)), ==, 0);
  tb_selection_set_scope (selection, TB_SELECTION_COMMAND);
  report = report_run ("wait-graph", trace, selection, NULL);
  figure = tb_report_find_figure (report, "wait-graph");
  n_shown = tb_graph_figure_get_n_edges (TB_GRAPH_FIGURE (figure)) - 1;
  g_assert_cmpuint (count_outside (TB_GRAPH_FIGURE (figure)), ==, 1);
  g_clear_pointer (&text, g_free);
  g_clear_pointer (&expected, g_free);
  text = tb_figure_to_text (figure, 0);
  expected = g_strdup_printf ("\n%u edge%s", n_shown, n_shown == 1 ? "" : "s");
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, expected));
  g_assert_null (strstr (text, "partner"));
  g_clear_object (&report);
  report = report_run ("wait-graph", trace, selection, "light-edge", "1", NULL);
  finding_assert_integer (findings_get (report, "excluded-edges"), "count", n_shown);
  finding_assert_integer (findings_get (report, "excluded-edges"), "edges", n_shown);
}

/* Both sides of a comparison have the scope. */
static void
test_comparison (void)
{
  g_autoptr (TbTrace) base = story_open_as (make_story (TRUE), "scope-base");
  g_autoptr (TbTrace) other = story_open_as (make_story (TRUE), "scope-other");
  g_autoptr (TbSelection) selection = tb_selection_new (other);
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  tb_selection_set_scope (selection, TB_SELECTION_COMMAND);
  report = report_compare ("threads", base, other, selection, NULL);
  g_assert_nonnull (strstr (tb_report_get_scope (report), "recorded command"));
  summary = report_get_summary (report);
  g_assert_cmpuint (summary_count (json_object_get_object_member (summary, "base"), "threads"), ==,
                    4);
  g_assert_cmpuint (summary_count (json_object_get_object_member (summary, "other"), "threads"), ==,
                    4);
}

/* Parents that form a circle, and a waker that is its own helper, end the search. */
static void
test_circles (void)
{
  g_autoptr (TbTrace) trace = NULL;
  Story *story = story_new (NULL);
  g_autofree char *command = NULL;

  g_string_append (story, "# fact: command-pid=10\n");
  story_name (story, TOOL, "tool", TOOL);
  story_name (story, SERVER, "server", SERVER);
  story_name (story, HELPER, "helper", HELPER);
  for (gint64 i = 0; i < 2000; i++)
    {
      story_sleep (story, 30 * i + 1, 30 * i + 11, 0, TOOL, 1, SERVER);
      story_sleep (story, 30 * i + 12, 30 * i + 20, 1, SERVER, 2, HELPER);
      story_sleep (story, 30 * i + 21, 30 * i + 29, 2, HELPER, 1, SERVER);
    }
  trace = story_open (story);
  command = list_selected (trace, TB_SELECTION_COMMAND);
  g_assert_cmpstr (command, ==, "10 20 21");
}

/* A recording without a command is of the whole system only if that was recorded. */
static void
test_coverage (void)
{
  static const struct
  {
    const char *fact;
    const char *scope;
  } cases[] = {
    { "", "Scope: the whole system." },
    { "# fact: coverage=part\n", "Scope: all recorded threads." },
    { "# fact: coverage=container\n",
      "Scope: the threads of the container that was recorded from inside." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Story *story = make_story (FALSE);
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbSelection) selection = NULL;
      g_autoptr (TbReport) report = NULL;

      g_string_append (story, cases[i].fact);
      trace = story_open (story);
      selection = tb_selection_new (trace);
      tb_selection_set_scope (selection, TB_SELECTION_SYSTEM);
      report = report_run ("threads", trace, selection, NULL);
      g_assert_true (g_str_has_prefix (tb_report_get_scope (report), cases[i].scope));
    }
}

/* --- losses --- */

/* unknown: how long it is unknown of a thread what it did, in µs, in 100 ms */
static TbTrace *
open_with_unreported_switch (gint64 unknown)
{
  Story *story = story_new ("one two");

  story_switch (story, 0, 0, 0, "R", 11);
  /* One is not known to run there: when it came to that CPU was not reported. */
  story_switch (story, 50000, 0, 11, "S", 0);
  story_wake_by_timer (story, 50005, 1, 11);
  story_switch (story, 50010 + unknown, 1, 11, "S", 12);
  story_switch (story, 100000, 1, 12, "S", 0);
  return story_open (story);
}

static gboolean
has_text (const char *const *texts, const char *part)
{
  for (guint i = 0; texts[i] != NULL; i++)
    if (strstr (texts[i], part) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_losses (void)
{
  static const char part[] = "The kernel did not report";
  g_autoptr (TbTrace) small = open_with_unreported_switch (300);
  g_autoptr (TbTrace) large = NULL;
  g_autoptr (TbReport) report = report_run ("threads", small, NULL, NULL);
  g_autofree char *text = tb_report_to_text (report, 0);

  g_test_message ("%s / %s", tb_trace_get_remarks (small)[0], tb_trace_get_warnings (small)[0]);
  g_assert_false (has_text (tb_trace_get_warnings (small), part));
  g_assert_true (has_text (tb_trace_get_remarks (small), part));
  g_assert_true (has_text (tb_report_get_remarks (report), part));
  g_assert_nonnull (strstr (text, "Note: The kernel did not report"));
  large = open_with_unreported_switch (30000);
  g_assert_true (has_text (tb_trace_get_warnings (large), part));
  g_assert_false (has_text (tb_trace_get_remarks (large), part));
}

/* Where no switch was recorded, all states are unknown, not those of the time of a loss. */
static void
test_losses_without_switches (void)
{
  for (guint with_switches = 0; with_switches < 2; with_switches++)
    {
      Story *story = story_new ("one");
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      gboolean is_of_states;

      if (with_switches)
        story_switch (story, 0, 0, 0, "R", 11);
      story_sample (story, 10000, 0, 11, "main;work");
      story_add (story, 50000, "0,lost,,,,,,,,,7,,,,");
      story_sample (story, 60000, 0, 11, "main;work");
      if (with_switches)
        story_switch (story, 70000, 0, 11, "S", 0);
      trace = story_open (story);
      g_assert_true (has_text (tb_trace_get_warnings (trace), "7 events were lost"));
      is_of_states = has_text (tb_trace_get_warnings (trace), "states of threads are unknown");
      g_assert_true (is_of_states == (gboolean) with_switches);
      report = report_run ("threads", trace, NULL, NULL);
      g_assert_cmpuint (findings_count (report, "lost-events"), ==, with_switches);
    }
}

/* What was not reported of other programs is neither a warning nor a remark. */
static void
test_losses_outside (void)
{
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *text = NULL;
  Story *story = story_new (NULL);

  g_string_append (story, "# fact: command-pid=10\n");
  story_name (story, TOOL, "tool", TOOL);
  story_name (story, OTHER, "other", OTHER);
  story_switch (story, 0, 0, 0, "R", TOOL);
  story_switch (story, 0, 1, 0, "R", OTHER);
  /* A wake-up is missing, then a switch. */
  story_switch (story, 1000, 1, OTHER, "S", 0);
  story_switch (story, 2000, 1, 0, "R", OTHER);
  story_switch (story, 3000, 2, OTHER, "S", 0);
  story_wake_by_timer (story, 4000, 2, OTHER);
  story_switch (story, 5000, 1, OTHER, "S", 0);
  story_switch (story, 6000, 0, TOOL, "S", 0);
  trace = story_open (story);
  g_assert_cmpuint (tb_trace_get_counts (trace)->sleeps_without_wakeup, >, 0);
  g_assert_cmpuint (tb_trace_get_counts (trace)->unknown_switch_outs, >, 0);
  report = report_run ("threads", trace, NULL, NULL);
  text = tb_report_to_text (report, 0);
  g_assert_false (has_text (tb_trace_get_warnings (trace), "The kernel did not report"));
  g_assert_cmpstr (tb_trace_get_remarks (trace)[0], ==, NULL);
  g_assert_null (strstr (text, "0.00 %"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scope/scopes", test_scopes);
  g_test_add_func ("/scope/without-command", test_without_command);
  g_test_add_func ("/scope/selection", test_selection);
  g_test_add_func ("/scope/report", test_report);
  g_test_add_func ("/scope/graph", test_graph);
  g_test_add_func ("/scope/comparison", test_comparison);
  g_test_add_func ("/scope/circles", test_circles);
  g_test_add_func ("/scope/coverage", test_coverage);
  g_test_add_func ("/scope/losses", test_losses);
  g_test_add_func ("/scope/losses-without-switches", test_losses_without_switches);
  g_test_add_func ("/scope/losses-outside", test_losses_outside);
  return recording_run_tests ();
}
