/* test-wait-graph-execution.c: test of execution bottlenecks, where running time limits and not
 * waiting
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

/* A computes and B does a part of the work: B waits for A in each of ten rounds, and at times A
 * happens to wait for B. noise: total time of the latter (µs). */
static Story *
make_phases (int noise)
{
  Story *story = story_new ("A B main");

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  for (int t = 0; t < 10000; t += 1000)
    story_sleep (story, t + 300, t + 800, 1, 12, 0, 11);
  story_sleep (story, 4850, 4850 + noise / 2, 0, 11, 1, 12);
  story_sleep (story, 5850, 5850 + noise / 2, 0, 11, 1, 12);
  /* main waits for A, and so for everything that A waits for. */
  story_sleep (story, 10, 9990, 2, 13, 0, 11);
  story_switch (story, 10000, 2, 13, "R", 13);
  return story;
}

/* The waits of a knot can gain at most what its least waiting thread waits. If that is next to
 * nothing and the thread is busy, its running is the bottleneck, however often it waited. */
static void
test_execution (void)
{
  g_autoptr (TbTrace) trace = story_open (make_phases (280));
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) strict = wait_graph_analyze (trace, "threshold", "0.02", NULL);
  JsonObject *summary = wait_graph_get_summary (report), *sink = NULL;
  TbFinding *finding;

  wait_graph_assert_edge (summary, "A", "B", 560000, 280000, 2);
  g_assert_null (wait_graph_get_exclusion (summary, "A", "B"));
  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 0);
  for (guint i = 0; i < summary_count (summary, "components"); i++)
    {
      JsonObject *component = summary_get_element (summary, "components", i);

      if (g_str_equal (json_object_get_string_member (component, "kind"), "sink"))
        sink = component;
      else
        g_assert_cmpstr (json_object_get_string_member (component, "kind"), ==, "inner");
    }
  g_assert_nonnull (sink);
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (sink, "vertices"),
                                                  0),
                   ==, json_object_get_string_member (wait_graph_find_vertex (summary, "A"), "id"));
  g_assert_cmpuint (summary_count (sink, "removed"), ==, 1);
  finding = findings_get_with (report, "execution-bottleneck", "name", "A (11)");
  finding_assert_number (finding, "running_share", .972);
  finding_assert_number (finding, "knot_wait_share", .028);
  finding = findings_get (report, "longest-wait-first");
  finding_assert_string (finding, "waiter", "main (13)");
  finding_assert_string (finding, "awaited", "A (11)");
  finding_assert_integer (finding, "wait_ns", 9980000);
  /* Its edge is heavier than the limit for removal. */
  summary = wait_graph_get_summary (strict);
  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 1);
  summary_assert_strings (summary_get_element (summary, "bottlenecks", 0), "names", "A B");
}

/* A thread that waits for a twentieth of the time belongs to the knot, and so does one that is
 * mostly idle. */
static void
test_execution_not (void)
{
  g_autoptr (TbTrace) waits = story_open_as (make_phases (500), "waits");
  g_autoptr (TbReport) knot = wait_graph_analyze (waits, NULL);
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) idle = NULL;
  g_autoptr (TbReport) report = NULL;

  summary_assert_strings (summary_get_element (wait_graph_get_summary (knot), "bottlenecks", 0),
                          "names", "A B");
  /* A sleeps until a timer wakes it, and rarely until B does. */
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (int t = 0; t < 10000; t += 1000)
    {
      story_switch (story, t + 100, 0, 11, "S", 0);
      story_wake_by_timer (story, t + 900, 0, 11);
      story_switch (story, t + 900, 0, 0, "R", 11);
      story_sleep (story, t + 200, t + 950, 1, 12, 0, 11);
    }
  story_sleep (story, 10000, 10300, 0, 11, 1, 12);
  story_switch (story, 10500, 1, 12, "R", 12);
  idle = story_open_as (story, "idle");
  report = wait_graph_analyze (idle, "workers", "A", NULL);
  summary_assert_strings (summary_get_element (wait_graph_get_summary (report), "bottlenecks", 0),
                          "names", "A B");
}

/* A runs for that many µs each millisecond, then sleeps until a timer wakes it. B and C sleep until
 * A wakes them, B every other time until C does. Once A sleeps briefly until B wakes it. */
static TbTrace *
open_alone (const char *name, int running)
{
  Story *story = story_new ("A B C");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_switch (story, 0, 2, 0, "R", 13);
  for (int t = 0; t < 10000; t += 1000)
    {
      int woken = t + 1000 - running;

      story_sleep (story, t + 5, woken + 3, 2, 13, 0, 11);
      story_sleep (story, t + 5, woken + 4, 1, 12, t % 2000 == 0 ? 0 : 2, t % 2000 == 0 ? 11 : 13);
      story_switch (story, t + 8, 0, 11, "S", 0);
      story_wake_by_timer (story, woken, 0, 11);
      story_switch (story, woken, 0, 0, "R", 11);
    }
  story_sleep (story, 10010, 10160, 0, 11, 1, 12);
  story_switch (story, 10165, 0, 11, "S", 0);
  story_switch (story, 10500, 1, 12, "R", 12);
  return story_open_as (story, name);
}

/* Refinement leaves only A. It is an execution bottleneck only if it runs enough. */
static void
test_alone (void)
{
  g_autoptr (TbTrace) busy = open_alone ("busy", 300);
  g_autoptr (TbTrace) idle = open_alone ("idle", 12);
  g_autoptr (TbReport) does = wait_graph_analyze (busy, "workers", "A", NULL);
  g_autoptr (TbReport) does_not = wait_graph_analyze (idle, "workers", "A", NULL);

  summary_assert_strings (summary_get_element (wait_graph_get_summary (does), "bottlenecks", 0),
                          "names", "A");
  summary_assert_strings (summary_get_element (wait_graph_get_summary (does_not), "bottlenecks", 0),
                          "names", "A");
  finding_assert_string (findings_get (does, "knot-execution"), "waiter", "C (13)");
  finding_assert_string (findings_get (does, "longest-wait-first"), "waiter", "C (13)");
  g_assert_cmpuint (findings_count (does_not, "knot-execution"), ==, 0);
  findings_get (does_not, "knot-unexplained");
}

/* No thread is busy and all wait for the network: the finding recommends more load. */
static void
test_not_saturated (void)
{
  Story *story = story_new ("server");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  for (int i = 0; i < 10; i++)
    {
      int t = i * 1000;

      story_switch (story, t + 100, 0, 11, "S", 0);
      story_wake_in_softirq (story, t + 1000, 0, 0, 11, 3);
      story_switch (story, t + 1000, 0, 0, "R", 11);
    }
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  g_assert_cmpstr (tb_finding_get_code (tb_report_get_finding (report, 0)), ==, "no-saturation");
  g_assert_cmpuint (summary_count (wait_graph_get_summary (report), "bottlenecks"), ==, 0);
  wait_graph_assert_edge (wait_graph_get_summary (report), "server", "network", 9000000, 9000000,
                          10);
}

/* A and B wait for each other. At the start A waits for C, which then exits: either so briefly that
 * the wait gains next to nothing, however many threads wait for A in that time, or for longer. A
 * and B went on without C, so it is no exit from their knot, unless the user wants it to be. */
static void
assert_start (int us, const char *exclusion)
{
  Story *story = story_new ("A B C");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) all = NULL;
  g_autoptr (TbReport) none = NULL;
  g_autoptr (TbReport) report = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_switch (story, 0, 2, 0, "R", 13);
  story_switch (story, 10, 0, 11, "S", 0);
  story_switch (story, 10, 1, 12, "S", 0);
  story_wake (story, 10 + us, 2, 13, 11);
  story_switch (story, 10 + us, 0, 0, "R", 11);
  story_switch (story, 10 + us, 2, 13, "X", 0);
  story_wake (story, 15 + us, 0, 11, 12);
  story_switch (story, 15 + us, 1, 0, "R", 12);
  for (int t = 2000; t < 10000; t += 2000)
    {
      story_sleep (story, t + 100, t + 800, 0, 11, 1, 12);
      story_sleep (story, t + 900, t + 1500, 1, 12, 0, 11);
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, "target", "app", "workers", "app", NULL);
  all = wait_graph_analyze (trace, "target", "app", "workers", "app", "light-edge", "0", NULL);
  none = wait_graph_analyze (trace, "target", "app", "workers", "app", "set-aside", "none", NULL);
  /* With 0 no edge is excluded as light. */
  g_assert_cmpstr (wait_graph_get_exclusion (wait_graph_get_summary (all), "A", "C"), ==, "ended");
  g_assert_cmpstr (wait_graph_get_exclusion (wait_graph_get_summary (report), "A", "C"), ==,
                   exclusion);
  summary_assert_strings (summary_get_element (wait_graph_get_summary (report), "bottlenecks", 0),
                          "names", "A B");
  g_assert_cmpuint (summary_count (wait_graph_get_summary (none), "set_aside"), ==, 0);
  g_assert_cmpuint (summary_count (wait_graph_get_summary (none), "bottlenecks"), ==, 0);
}

static void
test_start (void)
{
  assert_start (450, "light");
  assert_start (900, "ended");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/execution", test_execution);
  g_test_add_func ("/wait-graph/execution/not", test_execution_not);
  g_test_add_func ("/wait-graph/alone", test_alone);
  g_test_add_func ("/wait-graph/not-saturated", test_not_saturated);
  g_test_add_func ("/wait-graph/start", test_start);
  return recording_run_tests ();
}
