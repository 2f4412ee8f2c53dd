/* test-latency-peaks-saved.c: test of further facts in reports on peaks: preemption, serving
 * threads, discriminating variables, resumed searches, comparison
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"

static void
test_delays_and_handlers (void)
{
  g_autoptr (TbTrace) trace = peaks_open_empty_reads ();
  g_autoptr (TbReport) report = peaks_analyze (trace, "");
  g_autoptr (TbReport) delays = NULL;
  g_autoptr (TbReport) handlers = NULL;
  JsonObject *operation = peaks_find_operation (peaks_get_summary (report), "run-queue:preempted");

  g_assert_cmpint (json_object_get_int_member (operation, "calls"), ==, 30);
  g_assert_cmpint (json_object_get_int_member (operation, "total_ns"), ==,
                   30 * G_GINT64_CONSTANT (4000000));
  operation = peaks_find_operation (peaks_get_summary (report), "interrupt:timer");
  g_assert_cmpint (json_object_get_int_member (operation, "calls"), ==, 40);
  g_assert_cmpint (json_object_get_int_member (operation, "total_ns"), ==,
                   40 * G_GINT64_CONSTANT (30000));
  delays = peaks_analyze (trace, "run-queue:preempted");
  peaks_assert_cause (delays, 0, "preemption", "run-queue:preempted",
                      "waits while the CPU runs other (12)");
  handlers = peaks_analyze (trace, "interrupt:timer");
  peaks_assert_cause (handlers, 0, "function", "interrupt:timer", NULL);
}

/* Reads by two threads, one read every so many µs; those of the second thread are slow. */
static Script *
make_readers (int n, int slow, int every)
{
  Script *script = script_new ("reader other waker");
  int time = 1000;

  switch_thread (script, 10, 0, 0, "R", 11);
  switch_thread (script, 10, 1, 0, "R", 12);
  switch_thread (script, 10, 2, 0, "R", 13);
  for (int i = 0; i < n; i++, time += every)
    {
      for (int j = 0; j < 5; j++)
        {
          peaks_script_enter (script, time + j * 10, 0, 11, "read");
          peaks_script_leave (script, time + j * 10 + 2, 0, 11);
        }
      peaks_script_enter (script, time + 100, 1, 12, "read");
      switch_thread_with_stack (script, time + 101, 1, 12, "S", 0,
                                "main;entry_SYSCALL_64@[kernel];wait@[kernel]");
      wake (script, time + 100 + slow - 2, 2, 13, 12);
      switch_thread (script, time + 100 + slow - 1, 1, 0, "R", 12);
      peaks_script_leave (script, time + 100 + slow, 1, 12);
    }
  return script;
}

static void
test_distinguishing_and_period (void)
{
  g_autoptr (TbTrace) trace = script_open (make_readers (40, 900, 20000));
  g_autoptr (TbReport) report = peaks_analyze (trace, "read");
  JsonObject *peak = peaks_get_peak (report, 1), *first, *period;
  gboolean is_thread = FALSE;
  TbFinding *finding;

  g_assert_cmpuint (wait_graph_count (peak, "distinguishing"), >=, 1);
  for (guint i = 0; i < wait_graph_count (peak, "distinguishing"); i++)
    {
      first = wait_graph_get_element (peak, "distinguishing", i);
      if (!g_str_equal (json_object_get_string_member (first, "variable"), "thread"))
        continue;
      is_thread = TRUE;
      g_assert_cmpfloat (json_object_get_double_member (first, "information"), >, 0.9);
      g_assert_cmpstr (json_object_get_string_member (first, "value"), ==, "other (12)");
      g_assert_cmpfloat (json_object_get_double_member (first, "share_in_peak"), ==, 1);
      g_assert_cmpfloat (json_object_get_double_member (first, "share_elsewhere"), ==, 0);
    }
  g_assert_true (is_thread);
  finding = peaks_get_finding (report, 1);
  first = wait_graph_get_element (peak, "distinguishing", 0);
  finding_assert_string (finding, "attribute", json_object_get_string_member (first, "variable"));
  finding_assert_string (finding, "attribute_value",
                         json_object_get_string_member (first, "value"));
  period = json_object_get_object_member (peak, "periodicity");
  g_assert_cmpint (ABS (json_object_get_int_member (period, "period_ns") - 20000000), <, 200000);
  g_assert_cmpfloat (json_object_get_double_member (period, "confidence"), >, 0.999);
  /* What slow calls have more of than fast ones. */
  g_assert_cmpuint (wait_graph_count (peak, "explanation"), >=, 1);
  first = wait_graph_get_element (peak, "explanation", 0);
  g_assert_cmpint (finding_get_integer (finding, "more_ns"), >, 0);
  finding_assert_integer (finding, "more_1_ns", json_object_get_int_member (first, "more_ns"));
  g_assert_cmpuint (wait_graph_count (peaks_get_peak (report, 0), "explanation"), ==, 0);
}

/* A thread waits for another one, which runs, waits itself, and runs again. */
static void
test_served (void)
{
  Script *script = script_new ("client server");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;
  int time = 100;

  switch_thread (script, 10, 0, 0, "R", 11);
  switch_thread (script, 10, 1, 0, "R", 12);
  for (guint i = 0; i < 30; i++, time += 1000)
    {
      peaks_script_enter (script, time, 0, 11, "read");
      switch_thread_with_stack (script, time + 1, 0, 11, "S", 0,
                                "main;entry_SYSCALL_64@[kernel];ask@[kernel]");
      switch_thread_with_stack (script, time + 31, 1, 12, "D", 0,
                                "serve;entry_SYSCALL_64@[kernel];fetch@[kernel]");
      switch_thread (script, time + 331, 1, 0, "R", 12);
      wake (script, time + 401, 1, 12, 11);
      switch_thread (script, time + 401, 0, 0, "R", 11);
      peaks_script_leave (script, time + 403, 0, 11);
    }
  trace = script_open (script);
  report = peaks_analyze (trace, "read");
  peak = peaks_get_peak (report, 0);
  g_assert_cmpint (json_object_get_int_member (peaks_find_in_tree (peak, "[server (12)]"),
                                               "total_ns"),
                   ==, 30 * G_GINT64_CONSTANT (400000));
  g_assert_cmpint (json_object_get_int_member (peaks_find_in_tree (peak,
                                                                   "[which runs during the wait]"),
                                               "total_ns"),
                   ==, 30 * G_GINT64_CONSTANT (100000));
  g_assert_cmpint (json_object_get_int_member (peaks_find_in_tree (peak, "[server (12)]"),
                                               "own_ns"),
                   ==, 0);
}

/* Samples show in which functions a call ran, in proportion to their number. */
static void
test_samples (void)
{
  Script *script = script_new ("worker");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;
  int time = 100;

  switch_thread (script, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 30; i++, time += 1000)
    {
      peaks_script_call (script, time, 0, 11, "outer");
      for (int j = 0; j < 10; j++)
        g_string_append_printf (script, "%d000,0,sample,,,,,,,11,,,,main;outer%s,,\n",
                                time + 5 + j * 10, j < 9 ? ";inner" : "");
      peaks_script_return (script, time + 100, 0, 11, "outer");
    }
  trace = script_open (script);
  report = peaks_analyze (trace, "function:outer");
  peaks_assert_cause (report, 0, "function", "function:outer inner", NULL);
  peak = peaks_get_peak (report, 0);
  g_assert_cmpint (json_object_get_int_member (peaks_find_in_tree (peak, "inner"), "total_ns"), ==,
                   30 * G_GINT64_CONSTANT (90000));
  g_assert_cmpint (json_object_get_int_member (peaks_find_in_tree (peak, "function:outer"),
                                               "own_ns"),
                   ==, 30 * G_GINT64_CONSTANT (10000));
}

/* Functions recorded by stacks only: the count is reported as a lower bound. */
static void
test_inferred (void)
{
  g_autoptr (TbTrace) trace = script_open (make_readers (60, 900, 20000));
  g_autoptr (TbReport) report = peaks_analyze (trace, "");
  g_autoptr (TbReport) wait = NULL;
  JsonObject *operation
      = peaks_find_operation (peaks_get_summary (report), "function:wait@[kernel]");

  g_assert_true (json_object_get_boolean_member (operation, "inferred"));
  g_assert_true (json_object_get_null_member (operation, "missing_calls_at_most"));
  /* The end of the last call was not recorded. */
  g_assert_cmpint (json_object_get_int_member (operation, "calls"), ==, 59);
  g_assert_cmpint (json_object_get_int_member (operation, "open_calls"), ==, 1);
  wait = peaks_analyze (trace, "function:wait@[kernel]");
  finding_assert_string (findings_get (wait, "inferred-calls"), "operation",
                         "function:wait@[kernel]");
  finding_assert_string (findings_get (wait, "inferred-calls"), "function", "wait");
}

/* A message takes as long as the call that passes it. */
static void
test_messages (void)
{
  Script *script = script_new ("talker");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  int time = 100;

  switch_thread (script, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 20; i++, time += 100)
    {
      peaks_script_enter (script, time, 0, 11, "sendto");
      g_string_append_printf (script,
                              "%d000,0,net_send,,,,,,,11,,100,10.0.0.1:80>10.0.0.2:90,,,s1\n",
                              time + 2);
      peaks_script_leave (script, time + 9, 0, 11);
    }
  trace = script_open (script);
  report = peaks_analyze (trace, "network:send");
  g_assert_cmpint (json_object_get_int_member (peaks_get_summary (report), "total_ns"), ==,
                   20 * G_GINT64_CONSTANT (9000));
}

static char *
get_state (TbReport *report)
{
  JsonNode *state = json_object_get_member (peaks_get_summary (report), "state");

  g_assert_true (JSON_NODE_HOLDS_OBJECT (state));
  return json_to_string (state, FALSE);
}

/* A further recording of the same operation continues with the counters of the first; one of
 * another distribution does not. */
static void
test_resume (void)
{
  g_autoptr (TbTrace) first = script_open_as (make_readers (25, 900, 20000), "first");
  g_autoptr (TbTrace) same = script_open_as (make_readers (30, 900, 20000), "same");
  g_autoptr (TbTrace) other = script_open_as (make_readers (30, 9000, 20000), "other");
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) before = peaks_try_analyze (first, "read", "peak", "2", &error);
  g_autoptr (TbReport) after = NULL;
  g_autoptr (TbReport) refused = NULL;
  g_autofree char *state = get_state (before);
  JsonObject *peak, *root;

  after = peaks_try_analyze (same, "read", "resume", state, &error);
  g_assert_no_error (error);
  g_assert_true (json_object_get_boolean_member (
      json_object_get_object_member (peaks_get_summary (after), "distance"), "same"));
  peak = wait_graph_get_element (peaks_get_summary (after), "peaks", 0);
  root = wait_graph_get_element (peak, "tree", 0);
  g_assert_cmpint (json_object_get_int_member (peak, "drilled"), ==, 25 + 30);
  g_assert_cmpint (json_object_get_int_member (root, "calls"), ==, 25 + 30);
  g_assert_cmpint (json_object_get_int_member (peaks_find_in_tree (peak, "wait"), "maxcount"), ==,
                   25 + 30);
  findings_get (after, "resumed-search");

  refused = peaks_try_analyze (other, "read", "resume", state, &error);
  g_assert_no_error (error);
  g_assert_false (json_object_get_boolean_member (
      json_object_get_object_member (peaks_get_summary (refused), "distance"), "same"));
  findings_get (refused, "search-not-resumed");
  g_assert_cmpint (json_object_get_int_member (wait_graph_get_element (peaks_get_summary (refused),
                                                                       "peaks", 1),
                                               "drilled"),
                   ==, 30);

  g_assert_null (peaks_try_analyze (same, "run-queue:woken", "resume", state, &error));
  g_assert_nonnull (strstr (error->message, "syscall:read"));
  g_clear_error (&error);
  g_assert_null (peaks_try_analyze (same, "read", "resume", "{}", &error));
  g_assert_nonnull (strstr (error->message, "not the JSON of a drill-down"));
}

static void
test_compare (void)
{
  g_autoptr (TbTrace) base = script_open_as (make_readers (150, 900, 20000), "base");
  g_autoptr (TbTrace) other = script_open_as (make_readers (150, 9000, 20000), "changed");
  TbTrace *const others[] = { base, other };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (TbAnalysis) analysis
          = tb_engine_create_analysis (tb_engine_get_default (), "latency-peaks", NULL);
      g_autoptr (TbSelection) selection = tb_selection_new (others[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (TbReport) report = NULL;
      JsonObject *distance;

      g_assert_true (
          tb_option_set_from_text (G_OBJECT (analysis), "operation", "syscall:read", NULL));
      report = tb_analysis_compare (analysis, base, others[i], selection, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
      findings_assert_codes (report);
      distance = json_object_get_object_member (peaks_get_summary (report), "distance");
      g_assert_true (json_object_get_boolean_member (distance, "same") == (i == 0));
      g_assert_cmpuint (wait_graph_count (peaks_get_summary (report), "other_only"), ==, i);
      g_assert_cmpuint (wait_graph_count (peaks_get_summary (report), "base_only"), ==, i);
      /* One call in six moves by the number of bins between its old and its new length. */
      if (i == 1)
        g_assert_cmpfloat_with_epsilon (json_object_get_double_member (distance, "emd_bins"),
                                        4 / 6.0, 1e-6);
    }
}

int
main (int argc, char *argv[])
{
  int status;

  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  wait_graph_fixture_init ();
  g_test_add_func ("/latency-peaks/delays-and-handlers", test_delays_and_handlers);
  g_test_add_func ("/latency-peaks/apart-and-period", test_distinguishing_and_period);
  g_test_add_func ("/latency-peaks/served", test_served);
  g_test_add_func ("/latency-peaks/samples", test_samples);
  g_test_add_func ("/latency-peaks/inferred", test_inferred);
  g_test_add_func ("/latency-peaks/messages", test_messages);
  g_test_add_func ("/latency-peaks/resume", test_resume);
  g_test_add_func ("/latency-peaks/compare", test_compare);
  status = g_test_run ();
  wait_graph_fixture_clear ();
  return status;
}
