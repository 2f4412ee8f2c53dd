/* test-control-paths-running.c: test of what control paths report of a program that computes: in
 * garbage collection, under a quota of CPU time, beside others that have the CPU meanwhile, and in
 * functions whose callers are missing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "control-paths-fixture.h"

/* Most samples are below a function that collects garbage, or below one that only allocates. */
static void
check_garbage (const char *function, const char *code)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;
  gint64 expected = 0;
  g_autofree char *stack = g_strdup_printf ("start@java;%s@libjvm.so;copy@libjvm.so", function);

  story_name (story, 10, "java", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  for (guint i = 1; i < 10; i++)
    story_add (story, 1000 * i, "0,sample,,,,,,,10,,1000000,,%s,,",
               i < 8 ? stack : "start@java;work@java");
  story_end (story, 10000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "java");
  finding = tb_report_get_finding (report, 0);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, code);
  /* 7 of 9 samples; their times are rounded. */
  if (strcmp (code, "cpu-bound") != 0)
    expected = finding_get_integer (finding, "sampled_ns") * 7 / 9;
  g_assert_cmpint (ABS (finding_get_integer (finding, "garbage_ns") - expected), <=, 1);
}

/* The program waits for a thread that collects garbage, and loses its CPU for 2 ms meanwhile. */
static void
test_collector (void)
{
  static const char *const stack = "start@java;VM_SerialCollectForAllocation@libjvm.so";
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  story_name (story, 10, "java", 10);
  story_name (story, 11, "VM Thread", 10);
  story_name (story, 40, "rival", 40);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 0, 1, 0, "R", 11);
  story_switch_with_stack (story, 10, 1, 11, "S", 0, "start@java;wait@libjvm.so");
  story_sample (story, 1000, 0, 10, "start@java;work@java");
  story_wake (story, 2000, 0, 10, 11);
  story_switch (story, 2000, 1, 0, "R", 11);
  story_switch_with_stack (story, 2000, 0, 10, "S", 0, "start@java;allocate@libjvm.so");
  for (guint i = 3; i < 10; i++)
    {
      story_sample (story, 1000 * i, 1, 11, stack);
      if (i == 5)
        {
          story_switch_with_stack (story, 5500, 1, 11, "R", 40, stack);
          story_switch (story, 7500, 1, 40, "S", 11);
          i = 7;
        }
    }
  story_wake (story, 10000, 1, 11, 10);
  story_switch (story, 10000, 0, 0, "R", 10);
  story_switch_with_stack (story, 10000, 1, 11, "S", 0, "start@java;wait@libjvm.so");
  story_end (story, 11000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "java");
  finding = findings_get (report, "garbage-collection");
  finding_assert_string (finding, "thread", "VM Thread");
  finding_assert_integer (finding, "tid", 11);
  finding_assert_integer (finding, "collector_threads", 1);
  finding_assert_integer (finding, "pause_ns", 8000000);
  finding_assert_integer (finding, "garbage_ns", 6000000);
  g_assert_nonnull (strstr (tb_finding_get_text (finding),
                            "in garbage collection, which took 8 ms in the thread VM Thread"));
}

static void
test_garbage (void)
{
  check_garbage ("DefNewGeneration::collect(bool)", "garbage-collection");
  check_garbage ("CollectedHeap::obj_allocate(Klass*)", "cpu-bound");
}

/* A control group has 20 ms of CPU time in each 100 ms. The CPU is idle for the rest, or another
 * thread has it. */
static void
check_quota (gboolean is_idle)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  story_name (story, 10, "limited", 10);
  story_name (story, 20, "rival", 20);
  story_switch (story, 0, 0, 0, "R", 10);
  for (gint64 period = 0; period < 400000; period += 100000)
    {
      story_switch (story, period + 20000, 0, 10, "R", is_idle ? 0 : 20);
      story_switch (story, period + 100000, 0, is_idle ? 0 : 20, "R", 10);
    }
  story_end (story, 420000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "limited");
  finding = tb_report_get_finding (report, 0);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, is_idle ? "cpu-quota" : "cpu-bound");
  finding_assert_integer (finding, is_idle ? "activity_ns" : "second_activity_ns", 320000000);
  finding_assert_integer (finding, "throttled_ns", is_idle ? 320000000 : 0);
  finding_assert_integer (finding, "rivals", is_idle ? 0 : 1);
  if (is_idle)
    return;
  finding_assert_string (finding, "second_activity", "preemption");
  finding_assert_string (finding, "rival", "rival");
  finding_assert_integer (finding, "rival_ns", 320000000);
}

static void
test_quota (void)
{
  check_quota (TRUE);
  check_quota (FALSE);
}

/* Each 10 ms a worker runs for some of them, and another thread has its CPU for the rest. The
 * worker computes all the time, or sleeps 1 µs each time. */
static TbFinding *
find_first_of_worker (gint64 running, gboolean sleeps, TbReport **report)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;

  story_name (story, 10, "worker", 10);
  story_name (story, 20, "rival", 20);
  story_switch (story, 0, 0, 0, "R", 10);
  for (gint64 time = 0; time < 50000; time += 10000)
    {
      story_switch (story, time + running, 0, 10, sleeps ? "S" : "R", 20);
      if (sleeps)
        story_wake_by_timer (story, time + running + 1, 0, 10);
      story_switch (story, time + 10000, 0, 20, "R", 10);
    }
  story_end (story, 50001, 0, 10);
  trace = story_open (story);
  *report = control_paths_explain (trace, "worker");
  return tb_report_get_finding (*report, 0);
}

/* Computing comes first, however long others kept it off the CPU. */
static void
test_rival (void)
{
  g_autoptr (TbReport) half = NULL;
  g_autoptr (TbReport) tenth = NULL;
  TbFinding *finding = find_first_of_worker (4000, FALSE, &half);

  g_assert_cmpstr (tb_finding_get_code (finding), ==, "cpu-bound");
  finding_assert_string (finding, "second_activity", "preemption");
  finding_assert_integer (finding, "second_activity_ns", 30000000);
  finding = find_first_of_worker (1000, FALSE, &tenth);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, "cpu-bound");
  finding_assert_integer (finding, "activity_ns", 5001000);
  g_assert_nonnull (strstr (tb_finding_get_text (finding),
                            "running 5 ms and kept off the CPU, used mostly by rival (45 ms)"));
}

/* What it does between sleeps comes first, unless it lacks a CPU for more than twice as long; but
 * it is named then, too. */
static void
test_rival_of_sleeper (void)
{
  g_autoptr (TbReport) half = NULL;
  g_autoptr (TbReport) quarter = NULL;
  TbFinding *finding = find_first_of_worker (4000, TRUE, &half);

  g_assert_cmpstr (tb_finding_get_code (finding), ==, "cpu-bound");
  finding_assert_string (finding, "second_activity", "cpu-contention");
  finding = find_first_of_worker (3000, TRUE, &quarter);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, "cpu-contention");
  finding_assert_string (finding, "second_activity", "cpu-bound");
  g_assert_nonnull (strstr (tb_finding_get_text (finding),
                            "ready to run and waiting for a CPU, used mostly by rival (35 ms)"));
}

/* Each 10 ms one program has the CPU for 3 ms in which the worker was kept off it, and for 1 ms
 * after the wake-up; another has it for the 2.5 ms that are left of that wait. */
static void
test_rival_of_each_lack (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  story_name (story, 10, "worker", 10);
  story_name (story, 20, "rival", 20);
  story_name (story, 30, "other", 30);
  story_switch (story, 0, 0, 0, "R", 10);
  for (gint64 time = 0; time < 50000; time += 10000)
    {
      story_switch (story, time + 3000, 0, 10, "R", 20);
      story_switch (story, time + 6000, 0, 20, "R", 10);
      story_switch (story, time + 6500, 0, 10, "S", 20);
      story_wake_by_timer (story, time + 6501, 0, 10);
      story_switch (story, time + 7500, 0, 20, "R", 30);
      story_switch (story, time + 10000, 0, 30, "R", 10);
    }
  story_end (story, 50001, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "worker");
  finding = tb_report_get_finding (report, 0);
  finding_assert_string (finding, "second_activity", "cpu-contention");
  finding_assert_string (finding, "rival", "other");
  finding_assert_integer (finding, "rival_ns", 12500000);
  g_assert_nonnull (strstr (tb_finding_get_text (finding), "used mostly by other ("));
}

/* An application that computes, and then sleeps for a given time, in functions of the C library
 * whose callers are missing. */
static TbFinding *
find_without_callers (gint64 sleep, const char *collector, TbReport **report)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (GError) error = NULL;

  story_name (story, 10, "app", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  for (guint i = 1; i < 10; i++)
    story_sample (story, 1000 * i, 0, 10, "[broken];memcpy@libc.so.6");
  story_switch_with_stack (story, 10000, 0, 10, "S", 0, "[broken];clock_nanosleep@libc.so.6");
  story_wake_by_timer (story, 10000 + sleep, 0, 10);
  story_switch (story, 10000 + sleep, 0, 0, "R", 10);
  story_end (story, 10010 + sleep, 0, 10);
  trace = story_open (story);
  tb_session_set_fact (tb_trace_get_session (trace), "collector", collector, &error);
  g_assert_no_error (error);
  *report = control_paths_explain (trace, "app");
  return tb_report_get_finding (*report, 0);
}

/* The sentence names the option that records them, where one is known. */
static void
test_missing_callers (void)
{
  g_autoptr (TbReport) running = NULL;
  g_autoptr (TbReport) sleeping = NULL;
  g_autoptr (TbReport) unknown = NULL;
  TbFinding *finding = find_without_callers (10, "ebpf", &running);

  g_assert_cmpstr (tb_finding_get_code (finding), ==, "cpu-bound");
  finding_assert_string (finding, "caller_option", "repair-stacks");
  g_assert_nonnull (strstr (tb_finding_get_text (finding),
                            "; its caller is recorded with the option repair-stacks)"));
  finding = find_without_callers (50000, "perf", &sleeping);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, "deliberate-sleep");
  finding_assert_string (finding, "caller_option", "dump-stacks");
  g_assert_nonnull (strstr (tb_finding_get_text (finding),
                            "sleeping deliberately in clock_nanosleep (its caller is recorded "
                            "with the option dump-stacks)"));
  finding = find_without_callers (50000, "another", &unknown);
  g_assert_true (finding_is_null (finding, "caller_option"));
  g_assert_null (strstr (tb_finding_get_text (finding), "caller"));
}

/* The share in the sentence is that of all that the program did: what took less has a time. */
static void
test_single_activity (void)
{
  g_autoptr (TbReport) most = NULL;
  g_autoptr (TbReport) nearly_all = NULL;
  TbFinding *finding = find_without_callers (50000, "another", &most);

  g_assert_true (g_str_has_suffix (tb_finding_get_text (finding),
                                   "sleeping deliberately in clock_nanosleep (50 ms)."));
  finding = find_without_callers (500000, "another", &nearly_all);
  g_assert_true (g_str_has_suffix (tb_finding_get_text (finding),
                                   "sleeping deliberately in clock_nanosleep."));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/control-paths/garbage", test_garbage);
  g_test_add_func ("/control-paths/collector", test_collector);
  g_test_add_func ("/control-paths/quota", test_quota);
  g_test_add_func ("/control-paths/rival", test_rival);
  g_test_add_func ("/control-paths/rival-of-sleeper", test_rival_of_sleeper);
  g_test_add_func ("/control-paths/rival-of-each-lack", test_rival_of_each_lack);
  g_test_add_func ("/control-paths/missing-callers", test_missing_callers);
  g_test_add_func ("/control-paths/single-activity", test_single_activity);
  return recording_run_tests ();
}
