/* test-wait-graph-verdict.c: test of what the analysis "wait-graph" concludes on the whole: when a
 * program is saturated, when it waits for requests, and when that is not known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "finding-checks.h"
#include "wait-graph-fixture.h"

#define MUTEX "main@app;take@app;pthread_mutex_lock@libc.so.6"
#define CONDITION "main@app;next@app;pthread_cond_wait@libc.so.6"
#define TIMER_VECTOR 1
#define NETWORK_VECTOR 3

static Story *
begin (const char *names, int n)
{
  Story *story = story_new (names);

  for (int i = 0; i < n; i++)
    story_switch (story, 0, i, 0, "R", 11 + i);
  return story;
}

static TbTrace *
finish (Story *story, int us)
{
  story_switch (story, us, 0, 11, "R", 11);
  return story_open (story);
}

static void
assert_no_requests (TbReport *report)
{
  wait_graph_get_summary (report);
  g_assert_cmpuint (findings_count (report, "no-saturation"), ==, 0);
  g_assert_cmpuint (findings_count (report, "no-foreground-saturation"), ==, 0);
  g_assert_null (strstr (tb_report_get_headline (report), "request"));
}

/* --- programs that are saturated --- */

static void
sleep_for_lock (Story *story, gint64 us, int cpu, const char *stack)
{
  story_add (story, us, "%d,sleep,,lock,,,,,%d,,-1,futex,,%u,0", cpu, 11 + cpu, 0x7000);
  story_switch_with_stack (story, us, cpu, 11 + cpu, "S", 0, stack);
}

/* Four threads take turns at one lock: each holds it for 1 ms, in which it runs for that many µs,
 * and sleeps for the rest. */
static TbTrace *
open_lock (int running, const char *stack)
{
  Story *story = begin ("worker-1 worker-2 worker-3 worker-4", 4);

  for (int t = 0; t < 40000; t += 1000)
    {
      int holder = t / 1000 % 4, next = (holder + 1) % 4;

      if (running < 990)
        story_sleep_until (story, t + running, t + 990, t + 990, holder, 11 + holder, TIMER_VECTOR,
                           "main@app;hold@app;clock_nanosleep@libc.so.6");
      story_wake (story, t + 1000, holder, 11 + holder, 11 + next);
      if (t + 1000 >= 4000)
        story_switch (story, t + 1000, next, 0, "R", 11 + next);
      sleep_for_lock (story, t + 1005, holder, stack);
    }
  for (int i = 1; i < 4; i++)
    {
      sleep_for_lock (story, 5, i, stack);
      story_switch (story, 1000 * i, i, 0, "R", 11 + i);
    }
  return finish (story, 40000);
}

/* Threads that take turns at a lock together use less than a CPU, and yet the lock limits them. */
static void
test_lock (void)
{
  g_autoptr (TbTrace) busy = open_lock (990, MUTEX);
  g_autoptr (TbReport) report = wait_graph_analyze (busy, NULL);

  assert_no_requests (report);
  g_assert_cmpuint (findings_count (report, "bottleneck-group")
                        + findings_count (report, "bottleneck-knot"),
                    ==, 1);
  g_assert_cmpuint (findings_count (report, "background-knot"), ==, 0);
}

/* Two threads meet at a barrier after work that takes one of them twice as long as the other. */
static void
test_barrier (void)
{
  Story *story = begin ("A B", 2);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  for (int t = 0; t < 20000; t += 1000)
    {
      int first = t / 1000 % 2, last = 1 - first;

      story_sleep (story, t + 500, t + 1000, first, 11 + first, last, 11 + last);
    }
  trace = finish (story, 20000);
  report = wait_graph_analyze (trace, NULL);
  assert_no_requests (report);
  g_assert_false (g_str_has_prefix (tb_report_get_headline (report), "Nothing here"));
}

/* A script runs one program after another, each for a short time and of another name. */
static TbTrace *
open_script (void)
{
  static const char *const names[] = { "sed", "awk", "sort", "grep", "cut", "uniq", "join", "tr" };
  Story *story = begin ("sh", 1);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      int t = (int) i * 1000, tid = 21 + (int) i;

      story_fork (story, t + 50, 0, 11, tid);
      story_add (story, t + 50, "0,name,,,,%d,,,%d,,,%s,,,", tid, tid, names[i]);
      story_switch_with_stack (story, t + 60, 0, 11, "S", tid, "main;run;wait4");
      story_wake (story, t + 990, 0, tid, 11);
      story_switch (story, t + 1000, 0, tid, "X", 11);
      story_add (story, t + 1000, "0,exit,,,,,,,%d,,,,,,", tid);
    }
  story_switch (story, 8000, 0, 11, "S", 0);
  story_switch (story, 8100, 0, 0, "R", 0);
  return story_open (story);
}

static void
test_script (void)
{
  g_autoptr (TbTrace) trace = open_script ();
  g_autoptr (TbReport) report = wait_graph_analyze (trace, "merge-short-lived", "off", NULL);
  TbFinding *finding;

  assert_no_requests (report);
  finding = findings_get (report, "execution-in-turns");
  g_assert_cmpint (finding_get_integer (finding, "busy_ns"), >, 7900000);
}

/* --- programs that are not --- */

/* A server that waits for messages for 90 % of the time, the last of which comes at the end.
 * vector: of the softirq that ends the wait. */
static TbTrace *
open_server (int vector)
{
  Story *story = begin ("server", 1);

  for (int t = 0; t < 10000; t += 1000)
    story_sleep_until (story, t + 100, t + 1000, t + 1000, 0, 11, vector, "main;work;nap");
  return finish (story, 10000);
}

static void
test_requests (void)
{
  g_autoptr (TbTrace) trace = open_server (NETWORK_VECTOR);
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (TbTrace) by_timer = NULL;
  g_autoptr (TbReport) other = NULL;
  TbFinding *finding = findings_get (report, "no-saturation");

  wait_graph_get_summary (report);
  g_assert_cmpfloat_with_epsilon (finding_get_number (finding, "until_request_share"), .81, 1e-9);
  by_timer = open_server (TIMER_VECTOR);
  other = wait_graph_analyze (by_timer, NULL);
  assert_no_requests (other);
  finding = findings_get (other, "mostly-asleep");
  g_assert_cmpfloat_with_epsilon (finding_get_number (finding, "until_timer_share"), .81, 1e-9);
}

/* --- what is not known --- */

/* Nothing is concluded if more than half of the time was lost. */
static void
test_lost (void)
{
  Story *story = begin ("A B", 2);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  for (int t = 0; t < 4000; t += 1000)
    {
      story_sleep (story, t + 100, t + 500, 0, 11, 1, 12);
      story_sleep (story, t + 510, t + 990, 1, 12, 0, 11);
    }
  story_switch (story, 4000, 0, 11, "S", 0);
  story_switch (story, 4000, 1, 12, "S", 0);
  story_add (story, 9990, "0,lost,,,,,,,,,7,,,,");
  story_switch (story, 10000, 0, 0, "R", 11);
  trace = finish (story, 10010);
  report = wait_graph_analyze (trace, NULL);
  assert_no_requests (report);
  findings_get (report, "unknown-time");
  g_assert_cmpuint (findings_count (report, "bottleneck-knot"), ==, 0);
  g_assert_nonnull (strstr (tb_report_get_headline (report), "unknown"));
}

/* A thread that is first recorded when it is woken slept until then, so nothing is unknown of its
 * load. One that is first recorded when it leaves its CPU may have run all the time. */
static void
assert_first (gboolean is_woken)
{
  Story *story = begin ("server", 1);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  story_name (story, 30, "other", 30);
  story_add (story, 0, "1,mark,,,,,,,30,,,begin,,,");
  for (int t = 0; t < 10000; t += 1000)
    story_sleep_until (story, t + 100, t + 1000, t + 1000, 0, 11, NETWORK_VECTOR, "main;work;nap");
  if (is_woken)
    {
      story_wake_in_softirq (story, 9000, 1, 0, 30, NETWORK_VECTOR);
      story_switch (story, 9000, 1, 0, "R", 30);
    }
  story_switch (story, 9100, 1, 30, "S", 0);
  trace = finish (story, 10000);
  report = wait_graph_analyze (trace, NULL);
  wait_graph_get_summary (report);
  if (is_woken)
    {
      findings_get (report, "no-saturation");
      return;
    }
  finding_assert_string (findings_get (report, "unknown-load"), "name", "other (30)");
  finding_assert_integer (findings_get (report, "unknown-load"), "count", 1);
  finding_assert_integer (findings_get (report, "unknown-load"), "unknown_ns", 9100000);
}

static void
test_first (void)
{
  assert_first (TRUE);
  assert_first (FALSE);
}

/* --- what is in the graph --- */

/* The recorder's threads are in no vertex and no finding, also if others waited for them; as the
 * target they are what they are. */
static void
test_recorder (void)
{
  Story *story = begin ("A", 1);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (TbReport) of_recorder = NULL;
  JsonObject *summary;

  story_name (story, 30, "tailback-agent", 30);
  story_switch (story, 0, 1, 0, "R", 30);
  story_sleep (story, 1000, 9000, 0, 11, 1, 30);
  trace = finish (story, 10000);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  g_assert_null (wait_graph_find_vertex (summary, "tailback-agent"));
  g_assert_cmpuint (summary_count (summary, "edges"), ==, 0);
  g_assert_cmpuint (findings_count (report, "execution-bottleneck"), ==, 0);
  of_recorder = wait_graph_analyze (trace, "target", "tailback-agent", NULL);
  summary = wait_graph_get_summary (of_recorder);
  g_assert_nonnull (wait_graph_find_vertex (summary, "tailback-agent"));
}

/* Short-lived threads of different programs are not one vertex, though they begin with one
 * function, and the beginning that their names share is no name. */
static void
test_programs (void)
{
  static const char *const names[] = { "perl", "python3", "perl", "python3" };
  Story *story = begin ("sh", 1);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  for (int i = 0; i < 4; i++)
    {
      int t = i * 1000, tid = 21 + i;

      story_fork (story, t + 50, 0, 11, tid);
      story_add (story, t + 50, "0,name,,,,%d,,,%d,,,%s,,,", tid, tid, names[i]);
      story_switch (story, t + 60, 1, 0, "R", tid);
      story_switch_with_stack (story, t + 100, 1, tid, "S", 0, "__libc_start_call_main;go;nap");
      story_wake_by_timer (story, t + 500, 1, tid);
      story_switch (story, t + 500, 1, 0, "R", tid);
      story_end (story, t + 900, 1, tid);
    }
  trace = finish (story, 10000);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  g_assert_nonnull (wait_graph_find_vertex (summary, "perl ×2"));
  g_assert_nonnull (wait_graph_find_vertex (summary, "python3 ×2"));
}

/* Options take names as the report shows them. */
static void
test_shown_names (void)
{
  static const char *const names[] = { "worker ×4", "worker-1 (11)", "app", "worker-2" };
  g_autoptr (TbTrace) trace = open_lock (100, CONDITION);
  g_autoptr (TbReport) plain = wait_graph_analyze (trace, NULL);

  g_assert_nonnull (wait_graph_find_vertex (wait_graph_get_summary (plain), "worker ×4"));
  g_assert_cmpuint (findings_count (plain, "bottleneck-group"), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (TbReport) report = wait_graph_analyze (trace, "workers", names[i], NULL);

      wait_graph_get_summary (report);
      findings_get (report, "bottleneck-group");
    }
}

/* A thread that waits for a lock has work to do, even if its holder sleeps; one that waits for a
 * condition may have none. */
static void
test_sleeping_holder (void)
{
  g_autoptr (TbTrace) locked = open_lock (100, MUTEX);
  g_autoptr (TbReport) report = wait_graph_analyze (locked, NULL);
  g_autoptr (TbTrace) signalled = NULL;
  g_autoptr (TbReport) other = NULL;

  assert_no_requests (report);
  findings_get (report, "bottleneck-group");
  signalled = open_lock (100, CONDITION);
  other = wait_graph_analyze (signalled, NULL);
  assert_no_requests (other);
  findings_get (other, "background-knot");
}

/* A client waits for a server, which waits for the disk. The disk is idle for that many µs of each
 * ms. */
static TbTrace *
open_disk (int idle)
{
  Story *story = begin ("client server", 2);

  for (int t = 0; t < 20000; t += 1000)
    {
      story_switch (story, t + 10, 0, 11, "S", 0);
      story_request (story, t + idle, t + idle, t + 40, 1, 12, 4096, 8 * t);
      story_write (story, t + 30, t + 950, 1, 12, 4096);
      story_switch_with_stack (story, t + 30, 1, 12, "D", 0, "main;commit;fsync");
      story_request (story, t + 940, t + 940, t + 1000, 1, 12, 4096, 8 * t + 100);
      story_wake_by_device (story, t + 950, 1, "vda", 12);
      story_switch (story, t + 950, 1, 0, "R", 12);
      story_wake (story, t + 970, 1, 12, 11);
      story_switch (story, t + 970, 0, 0, "R", 11);
      story_switch (story, t + 975, 1, 12, "S", 0);
      story_wake (story, t + 995, 0, 11, 12);
      story_switch (story, t + 995, 1, 0, "R", 12);
    }
  return finish (story, 20000);
}

/* What refinement leaves of a knot, be it the disk alone or with the thread that waits for it: the
 * finding has the whole knot, too, and how its waits hang on that. */
static void
test_disk (void)
{
  static const struct
  {
    int idle;
    const char *code;
  } cases[] = { { 5, "knot-execution" }, { 25, "bottleneck-knot" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbTrace) trace = open_disk (cases[i].idle);
      g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
      TbFinding *finding = findings_get (report, cases[i].code);
      g_autofree char *names = finding_join_strings (finding, "knot_names");

      wait_graph_get_summary (report);
      g_assert_cmpstr (names, ==, "client (11),server (12),vda");
      finding_assert_string (finding, "waiter", "server (12)");
      g_assert_nonnull (strstr (tb_finding_get_text (finding), "client (11) waits"));
      g_assert_nonnull (strstr (tb_report_get_headline (report), "vda limit"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/verdict/lock", test_lock);
  g_test_add_func ("/wait-graph/verdict/sleeping-holder", test_sleeping_holder);
  g_test_add_func ("/wait-graph/verdict/barrier", test_barrier);
  g_test_add_func ("/wait-graph/verdict/script", test_script);
  g_test_add_func ("/wait-graph/verdict/requests", test_requests);
  g_test_add_func ("/wait-graph/verdict/lost", test_lost);
  g_test_add_func ("/wait-graph/verdict/first", test_first);
  g_test_add_func ("/wait-graph/verdict/recorder", test_recorder);
  g_test_add_func ("/wait-graph/verdict/programs", test_programs);
  g_test_add_func ("/wait-graph/verdict/shown-names", test_shown_names);
  g_test_add_func ("/wait-graph/verdict/disk", test_disk);
  return recording_run_tests ();
}
