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
  JsonObject *operation = peaks_find_operation (report_get_summary (report), "run-queue:preempted");

  g_assert_cmpint (json_object_get_int_member (operation, "calls"), ==, 30);
  g_assert_cmpint (json_object_get_int_member (operation, "total_ns"), ==,
                   30 * G_GINT64_CONSTANT (4000000));
  operation = peaks_find_operation (report_get_summary (report), "interrupt:timer");
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
static Story *
make_readers (int n, int slow, int every)
{
  Story *story = story_new ("reader other waker");
  int time = 1000;

  story_switch (story, 10, 0, 0, "R", 11);
  story_switch (story, 10, 1, 0, "R", 12);
  story_switch (story, 10, 2, 0, "R", 13);
  for (int i = 0; i < n; i++, time += every)
    {
      for (int j = 0; j < 5; j++)
        {
          story_enter (story, time + j * 10, 0, 11, "read");
          story_leave (story, time + j * 10 + 2, 0, 11);
        }
      story_enter (story, time + 100, 1, 12, "read");
      story_switch_with_stack (story, time + 101, 1, 12, "S", 0,
                               "main;entry_SYSCALL_64@[kernel];wait@[kernel]");
      story_wake (story, time + 100 + slow - 2, 2, 13, 12);
      story_switch (story, time + 100 + slow - 1, 1, 0, "R", 12);
      story_leave (story, time + 100 + slow, 1, 12);
    }
  return story;
}

static void
test_distinguishing_and_period (void)
{
  g_autoptr (TbTrace) trace = story_open (make_readers (40, 900, 20000));
  g_autoptr (TbReport) report = peaks_analyze (trace, "read");
  JsonObject *peak = peaks_get_peak (report, 1), *first, *period;
  gboolean is_thread = FALSE;
  TbFinding *finding;

  g_assert_cmpuint (summary_count (peak, "distinguishing"), >=, 1);
  for (guint i = 0; i < summary_count (peak, "distinguishing"); i++)
    {
      first = summary_get_element (peak, "distinguishing", i);
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
  first = summary_get_element (peak, "distinguishing", 0);
  finding_assert_string (finding, "attribute", json_object_get_string_member (first, "variable"));
  finding_assert_string (finding, "attribute_value",
                         json_object_get_string_member (first, "value"));
  period = json_object_get_object_member (peak, "periodicity");
  g_assert_cmpint (ABS (json_object_get_int_member (period, "period_ns") - 20000000), <, 200000);
  g_assert_cmpfloat (json_object_get_double_member (period, "confidence"), >, 0.999);
  /* What slow calls have more of than fast ones. */
  g_assert_cmpuint (summary_count (peak, "explanation"), >=, 1);
  first = summary_get_element (peak, "explanation", 0);
  g_assert_cmpint (finding_get_integer (finding, "more_ns"), >, 0);
  finding_assert_integer (finding, "more_1_ns", json_object_get_int_member (first, "more_ns"));
  g_assert_cmpuint (summary_count (peaks_get_peak (report, 0), "explanation"), ==, 0);
}

/* A thread waits for another one, which runs, waits itself, and runs again. */
static void
test_served (void)
{
  Story *story = story_new ("client server");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  story_switch (story, 10, 1, 0, "R", 12);
  for (guint i = 0; i < 30; i++, time += 1000)
    {
      story_enter (story, time, 0, 11, "read");
      story_switch_with_stack (story, time + 1, 0, 11, "S", 0,
                               "main;entry_SYSCALL_64@[kernel];ask@[kernel]");
      story_switch_with_stack (story, time + 31, 1, 12, "D", 0,
                               "serve;entry_SYSCALL_64@[kernel];fetch@[kernel]");
      story_switch (story, time + 331, 1, 0, "R", 12);
      story_wake (story, time + 401, 1, 12, 11);
      story_switch (story, time + 401, 0, 0, "R", 11);
      story_leave (story, time + 403, 0, 11);
    }
  trace = story_open (story);
  report = peaks_analyze (trace, "read");
  peak = peaks_get_peak (report, 0);
  g_assert_cmpint (json_object_get_int_member (peaks_find_in_tree (peak, "[server (12)]"),
                                               "total_ns"),
                   ==, 30 * G_GINT64_CONSTANT (400000));
  g_assert_cmpint (json_object_get_int_member (peaks_find_in_tree (peak,
                                                                   "[running during the wait]"),
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
  Story *story = story_new ("worker");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 30; i++, time += 1000)
    {
      story_call (story, time, 0, 11, "outer");
      for (int j = 0; j < 10; j++)
        story_add (story, time + 5 + j * 10, "0,sample,,,,,,,11,,,,main;outer%s,,",
                   j < 9 ? ";inner" : "");
      story_return (story, time + 100, 0, 11, "outer");
    }
  trace = story_open (story);
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
  g_autoptr (TbTrace) trace = story_open (make_readers (60, 900, 20000));
  g_autoptr (TbReport) report = peaks_analyze (trace, "");
  g_autoptr (TbReport) wait = NULL;
  JsonObject *operation
      = peaks_find_operation (report_get_summary (report), "function:wait@[kernel]");

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
  Story *story = story_new ("talker");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 20; i++, time += 100)
    {
      story_enter (story, time, 0, 11, "sendto");
      story_add (story, time + 2, "0,net_send,,,,,,,11,,100,10.0.0.1:80>10.0.0.2:90,,,s1");
      story_leave (story, time + 9, 0, 11);
    }
  trace = story_open (story);
  report = peaks_analyze (trace, "network:send");
  g_assert_cmpint (json_object_get_int_member (report_get_summary (report), "total_ns"), ==,
                   20 * G_GINT64_CONSTANT (9000));
}

static char *
get_state (TbReport *report)
{
  JsonNode *state = json_object_get_member (report_get_summary (report), "state");

  g_assert_true (JSON_NODE_HOLDS_OBJECT (state));
  return json_to_string (state, FALSE);
}

/* A further recording of the same operation continues with the counters of the first; one of
 * another distribution does not. */
static void
test_resume (void)
{
  g_autoptr (TbTrace) first = story_open_as (make_readers (25, 900, 20000), "first");
  g_autoptr (TbTrace) same = story_open_as (make_readers (30, 900, 20000), "same");
  g_autoptr (TbTrace) other = story_open_as (make_readers (30, 9000, 20000), "other");
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) before = peaks_try_analyze (first, "read", "peak", "2", &error);
  g_autoptr (TbReport) after = NULL;
  g_autoptr (TbReport) refused = NULL;
  g_autofree char *state = get_state (before);
  JsonObject *peak, *root;

  after = peaks_try_analyze (same, "read", "resume", state, &error);
  g_assert_no_error (error);
  g_assert_true (json_object_get_boolean_member (
      json_object_get_object_member (report_get_summary (after), "distance"), "same"));
  peak = summary_get_element (report_get_summary (after), "peaks", 0);
  root = summary_get_element (peak, "tree", 0);
  g_assert_cmpint (json_object_get_int_member (peak, "drilled"), ==, 25 + 30);
  g_assert_cmpint (json_object_get_int_member (root, "calls"), ==, 25 + 30);
  g_assert_cmpint (json_object_get_int_member (peaks_find_in_tree (peak, "wait"), "maxcount"), ==,
                   25 + 30);
  findings_get (after, "resumed-search");

  refused = peaks_try_analyze (other, "read", "resume", state, &error);
  g_assert_no_error (error);
  g_assert_false (json_object_get_boolean_member (
      json_object_get_object_member (report_get_summary (refused), "distance"), "same"));
  findings_get (refused, "search-not-resumed");
  g_assert_cmpint (json_object_get_int_member (summary_get_element (report_get_summary (refused),
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
  g_autoptr (TbTrace) base = story_open_as (make_readers (150, 900, 20000), "base");
  g_autoptr (TbTrace) other = story_open_as (make_readers (150, 9000, 20000), "changed");
  TbTrace *const others[] = { base, other };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (TbReport) report = report_compare ("latency-peaks", base, others[i], NULL,
                                                    "operation", "syscall:read", NULL);
      JsonObject *distance
          = json_object_get_object_member (report_get_summary (report), "distance");

      g_assert_true (json_object_get_boolean_member (distance, "same") == (i == 0));
      g_assert_cmpuint (summary_count (report_get_summary (report), "other_only"), ==, i);
      g_assert_cmpuint (summary_count (report_get_summary (report), "base_only"), ==, i);
      /* One call in six moves by the number of bins between its old and its new length. */
      if (i == 1)
        g_assert_cmpfloat_with_epsilon (json_object_get_double_member (distance, "emd_bins"),
                                        4 / 6.0, 1e-6);
    }
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/delays-and-handlers", test_delays_and_handlers);
  g_test_add_func ("/latency-peaks/apart-and-period", test_distinguishing_and_period);
  g_test_add_func ("/latency-peaks/served", test_served);
  g_test_add_func ("/latency-peaks/samples", test_samples);
  g_test_add_func ("/latency-peaks/inferred", test_inferred);
  g_test_add_func ("/latency-peaks/messages", test_messages);
  g_test_add_func ("/latency-peaks/resume", test_resume);
  g_test_add_func ("/latency-peaks/compare", test_compare);
  return recording_run_tests ();
}
