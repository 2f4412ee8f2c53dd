/* test-wait-graph-findings.c: test of the findings of the analysis "wait-graph", and that no two of
 * them contradict each other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define TIMER_VECTOR 1

/* --- several threads --- */

/* Two similar threads run 0.6 ms of each ms, then sleep until a timer wakes them. They are runnable
 * for that many µs before they run. */
static TbTrace *
open_workers (int runnable)
{
  Story *story = story_new ("worker-1 worker-2");

  for (int cpu = 0; cpu < 2; cpu++)
    {
      story_switch (story, 0, cpu, 0, "R", 11 + cpu);
      for (int t = 0; t < 10000; t += 1000)
        story_sleep_until (story, t + 600, t + 1000 - runnable, t + 1000, cpu, 11 + cpu,
                           TIMER_VECTOR, "main;work;nap");
    }
  return story_open (story);
}

/* Times of merged threads are reported per thread: no share exceeds 100 %. */
static void
test_merged (void)
{
  g_autoptr (TbTrace) hardly = open_workers (30);
  g_autoptr (TbReport) report = wait_graph_analyze (hardly, NULL);
  g_autoptr (TbTrace) often = NULL;
  g_autoptr (TbReport) other = NULL;
  JsonObject *summary = wait_graph_get_summary (report);
  TbFinding *finding;

  g_assert_cmpstr (wait_graph_get_kind (summary, "worker ×2"), ==, "sink");
  finding = findings_get (report, "execution-bottleneck");
  finding_assert_string (finding, "name", "worker ×2");
  finding_assert_integer (finding, "threads", 2);
  finding_assert_number (finding, "running_share", .6);
  finding_assert_number (finding, "runnable_share", .03);
  g_assert_cmpfloat_with_epsilon (tb_finding_get_share (finding), .6, 1e-9);
  /* 3 % of the time each does not count as often, though it is 6 % together. */
  g_assert_cmpuint (findings_count (report, "cpu-contention"), ==, 0);
  g_assert_false (
      json_object_has_member (wait_graph_find_vertex (summary, "worker ×2"), "culprits"));

  often = open_workers (80);
  other = wait_graph_analyze (often, NULL);
  finding = findings_get (other, "cpu-contention");
  finding_assert_string (finding, "name", "worker ×2");
  finding_assert_integer (finding, "threads", 2);
  finding_assert_integer (finding, "mean_runnable_ns", 800000);
  finding_assert_integer (finding, "runnable_ns", 1600000);
  g_assert_cmpfloat_with_epsilon (tb_finding_get_share (finding), .08, 1e-9);
  summary = wait_graph_get_summary (other);
  g_assert_true (
      json_object_has_member (wait_graph_find_vertex (summary, "worker ×2"), "culprits"));
}

/* Threads of a process outside the target are reported together. */
static void
test_together (void)
{
  Story *story = story_new ("A");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  story_name (story, 10, "app", 10);
  story_name (story, 30, "helper", 30);
  story_name (story, 31, "helper/one", 30);
  story_name (story, 32, "helper/two", 30);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 31);
  story_switch (story, 0, 2, 0, "R", 32);
  story_sleep (story, 1000, 9000, 0, 11, 1, 31);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, "target", "app", NULL);
  g_assert_cmpstr (wait_graph_get_kind (wait_graph_get_summary (report), "helper"), ==, "sink");
  finding = findings_get (report, "joint-execution-bottleneck");
  finding_assert_string (finding, "name", "helper");
  finding_assert_integer (finding, "threads", 2);
  finding_assert_number (finding, "running_cpus", 2);
  g_assert_cmpfloat (tb_finding_get_share (finding), ==, 1);
}

/* --- idle threads --- */

/* Runnable time counts as much as running time: A runs 40 % of the time and is runnable for 20 %
 * more, B runs 45 %. */
static void
test_sink_and_idle (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *idle = NULL;
  JsonObject *summary;
  TbFinding *finding;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (int t = 0; t < 10000; t += 1000)
    {
      story_sleep_until (story, t + 400, t + 800, t + 1000, 0, 11, TIMER_VECTOR, "main;one;nap");
      story_sleep_until (story, t + 450, t + 1000, t + 1000, 1, 12, TIMER_VECTOR, "main;two;doze");
    }
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpstr (wait_graph_get_kind (summary, "A"), ==, "sink");
  g_assert_cmpstr (wait_graph_get_kind (summary, "B"), ==, "idle");
  finding = findings_get (report, "execution-bottleneck");
  finding_assert_string (finding, "name", "A (11)");
  finding_assert_number (finding, "running_share", .4);
  finding_assert_number (finding, "runnable_share", .2);
  finding = findings_get (report, "cpu-contention");
  finding_assert_string (finding, "name", "A (11)");
  finding_assert_integer (finding, "runnable_ns", 2000000);
  idle = finding_join_strings (findings_get (report, "idle-threads"), "names");
  g_assert_cmpstr (idle, ==, "B (12)");
  g_assert_cmpuint (findings_count (report, "no-saturation"), ==, 0);
  g_assert_cmpuint (findings_count (report, "no-foreground-saturation"), ==, 0);
}

/* Two threads wait in turn for each other, one of them at any time, and run for a fifth of the time
 * each. */
static TbTrace *
open_turns (void)
{
  Story *story = story_new ("worker-1 worker-2");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_switch_with_stack (story, 0, 0, 11, "S", 0, "main;work;lock");
  story_sleep_until (story, 1000, 4000, 4000, 1, 12, TIMER_VECTOR, "main;work;nap");
  story_wake (story, 5000, 1, 12, 11);
  story_switch_with_stack (story, 5000, 1, 12, "S", 0, "main;work;lock");
  story_switch (story, 5000, 0, 0, "R", 11);
  story_sleep_until (story, 6000, 9000, 9000, 0, 11, TIMER_VECTOR, "main;work;nap");
  story_wake (story, 10000, 0, 11, 12);
  story_switch (story, 10000, 1, 0, "R", 12);
  return story_open (story);
}

/* Where no thread is busy, but some wait in a circle all the time, neither a knot nor its absence
 * can be stated first. */
static void
test_background_first (void)
{
  g_autoptr (TbTrace) trace = open_turns ();
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *bottleneck = summary_get_element (summary, "bottlenecks", 0);

  g_assert_true (json_object_get_boolean_member (bottleneck, "background"));
  g_assert_cmpint (json_object_get_int_member (bottleneck, "gain_upper_bound_ns"), ==,
                   json_object_get_int_member (summary, "recorded_ns"));
  g_assert_cmpstr (tb_finding_get_code (tb_report_get_finding (report, 0)), ==, "busy-background");
  g_assert_nonnull (strstr (tb_report_get_headline (report), "in the background"));
  findings_get (report, "background-knot");
  findings_get (report, "longest-wait-in-background");
}

/* The thread sleeps until the disk wakes it. */
static void
wait_for_disk (Story *story, int from, int to, int cpu, int tid)
{
  story_switch_with_stack (story, from, cpu, tid, "D", 0, "main;read");
  story_wake_by_device (story, to, cpu, "vda", tid);
  story_switch (story, to, cpu, 0, "R", tid);
}

/* In the JSON the largest knot comes first, even if it is background. The finding about the limit
 * names another one. */
static void
test_order (void)
{
  Story *story = story_new ("A B C");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  for (int t = 0; t < 10000; t += 1000)
    {
      story_sleep (story, t + 50, t + 500, 0, 11, 1, 12);
      story_sleep (story, t + 510, t + 990, 1, 12, 0, 11);
      story_write (story, t + 500, t + 700, 2, 13, 4096);
      wait_for_disk (story, t + 500, t + 700, 2, 13);
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, "background", "A", NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 2);
  summary_assert_strings (summary_get_element (summary, "bottlenecks", 0), "names", "A B");
  summary_assert_strings (summary_get_element (summary, "bottlenecks", 1), "names", "C vda");
  g_assert_true (
      g_str_has_prefix (tb_report_get_headline (report), "C (13) and vda limit the throughput"));
}

/* --- results of ranking by waiting time alone --- */

static void
assert_ranked (TbReport *report,
               const char *code,
               const char *waiter,
               gint64 ns,
               const char *awaited)
{
  TbFinding *finding = findings_get (report, code);

  finding_assert_string (finding, "waiter", waiter);
  finding_assert_integer (finding, "wait_ns", ns);
  finding_assert_string (finding, "awaited", awaited);
}

/* A is busy. B waits longest for it, but more threads wait behind C's wait. */
static void
test_ranked_sink (void)
{
  Story *story = story_new ("A B C D");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  for (int tid = 11; tid <= 14; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  story_sleep (story, 1000, 7000, 1, 12, 0, 11);
  story_sleep (story, 1500, 6500, 2, 13, 0, 11);
  story_sleep (story, 1500, 6600, 3, 14, 2, 13);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  finding = findings_get (report, "execution-bottleneck");
  finding_assert_string (finding, "waiter", "C (13)");
  finding_assert_integer (finding, "wait_ns", 5000000);
  finding_assert_string (finding, "awaited", "A (11)");
  assert_ranked (report, "longest-wait-in-bottleneck", "B (12)", 6000000, "A (11)");
}

/* A wait ended by a timer is not caused by other threads. */
static void
test_ranked_timer (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_sleep_until (story, 1000, 9000, 9000, 0, 11, TIMER_VECTOR, "main;nap");
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  assert_ranked (report, "longest-wait-for-timer", "A (11)", 8000000, "timer");
}

/* --- excluded edges --- */

static const char *const reasons[] = { "timer", "interrupt", "idle", "unknown" };
static const char *const ends[] = { "timer", "interrupt", "idle task", "busy wait" };

/* A waits for each kind of excluded waker, and briefly for B. */
static TbTrace *
open_excluded (void)
{
  Story *story = story_new ("A B");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_sleep_until (story, 1000, 2000, 2000, 0, 11, TIMER_VECTOR, "");
  story_switch (story, 2100, 0, 11, "S", 0);
  story_wake_in_softirq (story, 3100, 1, 12, 11, 6);
  story_switch (story, 3100, 0, 0, "R", 11);
  story_switch (story, 3200, 0, 11, "S", 0);
  story_wake (story, 4200, 0, 0, 11);
  story_switch (story, 4200, 0, 0, "R", 11);
  story_add (story, 5000, "0,spin_begin,,,,,,,11,,,,,,");
  story_add (story, 6000, "0,spin_end,,,,,,,11,,,,,,");
  story_sleep (story, 7000, 7020, 0, 11, 1, 12);
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open (story);
}

/* Of 5 edges; by reason, and as light. */
static void
assert_excluded (TbReport *report, gint64 count, const gint64 *counts)
{
  static const char *const names[]
      = { "timer_count", "interrupt_count", "idle_count", "unknown_count", "light_count" };
  TbFinding *finding = findings_get (report, "excluded-edges");

  finding_assert_integer (finding, "count", count);
  finding_assert_integer (finding, "edges", 5);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    finding_assert_integer (finding, names[i], counts[i]);
}

/* Each reason is reported, counted, and can be switched off. */
static void
test_exclusions (void)
{
  g_autoptr (TbTrace) trace = open_excluded ();
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) none = wait_graph_analyze (trace, "set-aside", "none", NULL);
  JsonObject *summary = wait_graph_get_summary (report);

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    g_assert_cmpstr (wait_graph_get_exclusion (summary, "A", ends[i]), ==, reasons[i]);
  g_assert_cmpstr (wait_graph_get_exclusion (summary, "A", "B"), ==, "light");
  assert_excluded (report, 5, (const gint64[]) { 1, 1, 1, 1, 1 });
  g_assert_cmpuint (findings_count (none, "excluded-edges"), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr (TbReport) only = wait_graph_analyze (trace, "set-aside", reasons[i], NULL);

      summary = wait_graph_get_summary (only);
      for (guint j = 0; j < G_N_ELEMENTS (ends); j++)
        g_assert_cmpstr (wait_graph_get_exclusion (summary, "A", ends[j]), ==,
                         i == j ? reasons[i] : NULL);
      assert_excluded (only, 1, (const gint64[]) { i == 0, i == 1, i == 2, i == 3, 0 });
    }
}

static void
assert_times (JsonObject *summary, const char *name, gboolean is_known)
{
  static const char *const members[] = { "running_ns", "runnable_ns", "waiting_ns" };
  JsonObject *vertex = wait_graph_find_vertex (summary, name);

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    g_assert_cmpint (!json_object_get_null_member (vertex, members[i]), ==, is_known);
}

/* Unknown times are null: a vertex that is not a thread has no running time, and a device may have
 * served other requests. */
static void
test_unknown_times (void)
{
  static const char *const kinds[] = { "timer", "interrupt", "idle", "busy" };
  g_autoptr (TbTrace) trace = open_excluded ();
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (TbTrace) figure = story_open_file ("plugins/wait-graph-figure-1.csv");
  g_autoptr (TbReport) known = wait_graph_analyze (figure, NULL);
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) other = NULL;
  g_autoptr (TbReport) unknown = NULL;
  JsonObject *summary = wait_graph_get_summary (report);

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_assert_cmpstr (json_object_get_string_member (wait_graph_find_vertex (summary, ends[i]),
                                                      "kind"),
                       ==, kinds[i]);
      assert_times (summary, ends[i], FALSE);
    }
  assert_times (summary, "A", TRUE);
  assert_times (wait_graph_get_summary (known), "disk", TRUE);
  /* A disk wakes A, without a recorded request by A. */
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 1000, 0, 11, "D", 0);
  story_wake_by_device (story, 4000, 0, "vda", 11);
  story_switch (story, 4000, 0, 0, "R", 11);
  story_switch (story, 10000, 0, 11, "R", 11);
  other = story_open (story);
  unknown = wait_graph_analyze (other, NULL);
  wait_graph_assert_edge (wait_graph_get_summary (unknown), "A", "vda", 3000000, 3000000, 1);
  assert_times (wait_graph_get_summary (unknown), "vda", FALSE);
}

/* --- the idle time of devices --- */

/* B writes whenever a timer wakes it, and waits for no write. A waits for the disk, for a request
 * of its own or of another thread. */
static TbTrace *
open_writer (gboolean has_request)
{
  Story *story = story_new ("A B");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (int t = 0; t < 10000; t += 1000)
    {
      story_write (story, t + 40, t + 80, 1, 12, 1 << 20);
      story_sleep_until (story, t + 50, t + 1000, t + 1000, 1, 12, TIMER_VECTOR, "main;nap");
      if (has_request)
        story_write (story, t + 500, t + 700, 0, 11, 1 << 18);
      wait_for_disk (story, t + 500, t + 700, 0, 11);
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open (story);
}

/* A device's edges lead to its requesters. Its heaviest edge to a thread that only waits for timers
 * would be an exit from the knot. It is excluded if the device has another edge, and kept
 * otherwise; a thread that waits for the device does not count as waiting for a timer. */
static void
test_device_edge_stays (void)
{
  g_autoptr (TbTrace) both = open_writer (TRUE);
  g_autoptr (TbReport) knot = wait_graph_analyze (both, NULL);
  g_autoptr (TbTrace) alone = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary = wait_graph_get_summary (knot);

  g_assert_cmpstr (wait_graph_get_exclusion (summary, "vda", "B"), ==, "timer");
  g_assert_null (wait_graph_get_exclusion (summary, "vda", "A"));
  summary_assert_strings (summary_get_element (summary, "bottlenecks", 0), "names", "A vda");

  alone = open_writer (FALSE);
  report = wait_graph_analyze (alone, NULL);
  summary = wait_graph_get_summary (report);
  g_assert_null (wait_graph_get_exclusion (summary, "vda", "B"));
  g_assert_null (wait_graph_get_exclusion (summary, "A", "vda"));
  g_assert_cmpstr (wait_graph_get_kind (summary, "vda"), ==, "inner");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/findings/alike", test_merged);
  g_test_add_func ("/wait-graph/findings/together", test_together);
  g_test_add_func ("/wait-graph/findings/sink-and-idle", test_sink_and_idle);
  g_test_add_func ("/wait-graph/findings/background-first", test_background_first);
  g_test_add_func ("/wait-graph/findings/order", test_order);
  g_test_add_func ("/wait-graph/findings/ranked/sink", test_ranked_sink);
  g_test_add_func ("/wait-graph/findings/ranked/timer", test_ranked_timer);
  g_test_add_func ("/wait-graph/findings/asides", test_exclusions);
  g_test_add_func ("/wait-graph/findings/unknown-times", test_unknown_times);
  g_test_add_func ("/wait-graph/findings/device-edge-stays", test_device_edge_stays);
  return recording_run_tests ();
}
