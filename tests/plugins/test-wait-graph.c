/* test-wait-graph.c: test of the analysis "wait-graph" on recordings with known results
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)

static void
assert_wait (TbFinding *finding, const char *waiter, gint64 ns, const char *awaited)
{
  finding_assert_string (finding, "waiter", waiter);
  finding_assert_integer (finding, "wait_ns", ns);
  finding_assert_string (finding, "awaited", awaited);
}

/* Asserts that a thread runs all of the time and limits the threads that wait for it. */
static void
assert_busy (TbReport *report, const char *name)
{
  TbFinding *finding = findings_get (report, "execution-bottleneck");

  finding_assert_string (finding, "name", name);
  finding_assert_number (finding, "running_share", 1);
}

/* The paper's motivation: A hands requests to B, which syncs each. Neither the threads nor the disk
 * are busy all of the time. */
static void
test_figure_1 (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("plugins/wait-graph-figure-1.csv");
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  g_autofree char *names = NULL;
  JsonObject *bottleneck;
  TbFinding *finding;

  wait_graph_assert_edge (summary, "A", "B", 80 * MS, 80 * MS, 10);
  wait_graph_assert_edge (summary, "B", "disk", 100 * MS, 50 * MS, 10);
  wait_graph_assert_edge (summary, "disk", "B", 50 * MS + 1000, 50 * MS + 1000, 11);
  g_assert_cmpuint (summary_count (summary, "edges"), ==, 3);
  g_assert_cmpuint (summary_count (summary, "set_aside"), ==, 0);
  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 1);
  bottleneck = summary_get_element (summary, "bottlenecks", 0);
  summary_assert_strings (bottleneck, "names", "B disk");
  g_assert_cmpint (json_object_get_int_member (bottleneck, "gain_upper_bound_ns"), ==, 50 * MS);
  g_assert_cmpuint (summary_count (bottleneck, "edges"), ==, 2);
  g_assert_cmpuint (summary_count (bottleneck, "removed"), ==, 0);
  finding = findings_get (report, "bottleneck-knot");
  g_assert_true (finding == tb_report_get_finding (report, 0));
  names = finding_join_strings (finding, "names");
  g_assert_cmpstr (names, ==, "B (12),disk");
  assert_wait (finding, "B (12)", 50 * MS, "disk");
  finding_assert_integer (finding, "waits", 10);
  finding_assert_integer (finding, "delay_ns", 100 * MS);
  finding_assert_number (finding, "gain_high_share", 50 / 100.001);
  finding_assert_number (finding, "throughput_high", 100.001 / 50.001);
  g_assert_cmpfloat_with_epsilon (tb_finding_get_share (finding), 50 / 100.001, 1e-9);
  assert_wait (findings_get (report, "longest-wait-outside-bottleneck"), "A (11)", 80 * MS,
               "B (12)");
}

/* C wakes B, B wakes A: A → B = t2 - t0, B → C = 2 (t1 - t0). */
static void
test_figure_3 (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("plugins/wait-graph-figure-3.csv");
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  JsonObject *summary = wait_graph_get_summary (report);

  wait_graph_assert_edge (summary, "A", "B", 10 * MS, 10 * MS, 1);
  wait_graph_assert_edge (summary, "B", "C", 8 * MS, 4 * MS, 1);
  g_assert_cmpuint (summary_count (summary, "edges"), ==, 2);
  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 0);
  assert_busy (report, "C (13)");
}

/* A and B mostly wait for one another; A at times for the timer, B rarely for C. */
static Story *
make_hand_over (void)
{
  Story *story = story_new ("A B C");

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  for (int i = 0; i < 10; i++)
    {
      int t = i * 1000;

      story_switch (story, t + 50, 0, 11, "S", 0);
      story_wake (story, t + 500, 1, 12, 11);
      story_switch (story, t + 510, 1, 12, "S", 0);
      story_switch (story, t + 700, 0, 0, "R", 11);
      story_wake (story, t + 900, 0, 11, 12);
      story_switch (story, t + 920, 1, 0, "R", 12);
    }
  story_switch (story, 9960, 0, 11, "S", 0);
  story_wake_by_timer (story, 9970, 0, 11);
  story_switch (story, 9970, 0, 0, "R", 11);
  story_sleep (story, 9960, 9965, 1, 12, 2, 13);
  story_switch (story, 10000, 2, 13, "R", 13);
  return story;
}

static void
test_excluded (void)
{
  g_autoptr (TbTrace) trace = story_open (make_hand_over ());
  g_autoptr (TbReport) report = wait_graph_analyze (trace, "workers", "A", NULL);
  g_autoptr (TbReport) all
      = wait_graph_analyze (trace, "workers", "A", "set-aside", "light,interrupt", NULL);
  g_autoptr (TbReport) none = wait_graph_analyze (trace, "set-aside", "none", NULL);
  JsonObject *summary = wait_graph_get_summary (report);

  wait_graph_assert_edge (summary, "A", "B", 4500000, 4500000, 10);
  wait_graph_assert_edge (summary, "B", "A", 3900000, 3900000, 10);
  g_assert_cmpstr (wait_graph_get_exclusion (summary, "A", "timer"), ==, "timer");
  g_assert_cmpstr (wait_graph_get_exclusion (summary, "B", "C"), ==, "light");
  g_assert_null (wait_graph_get_exclusion (summary, "A", "B"));
  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 1);
  summary_assert_strings (summary_get_element (summary, "bottlenecks", 0), "names", "A B");
  g_assert_cmpstr (json_array_get_string_element (
                       json_array_get_array_element (
                           json_object_get_array_member (
                               summary_get_element (summary, "bottlenecks", 0), "edges"),
                           0),
                       0),
                   ==, json_object_get_string_member (wait_graph_find_vertex (summary, "A"), "id"));

  /* The timer edge is light, too: an edge that is no longer excluded for one reason may be excluded
   * for another. */
  summary = wait_graph_get_summary (all);
  g_assert_cmpstr (wait_graph_get_exclusion (summary, "A", "timer"), ==, "light");
  /* A single exit dissolves the knot: C is the sink. */
  summary = wait_graph_get_summary (none);
  g_assert_cmpuint (summary_count (summary, "set_aside"), ==, 0);
  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 0);
  assert_busy (none, "C (13)");
}

/* In each ms, B sleeps until a timer wakes it, then hands something to A, which answers. Both are
 * busy for a sixth of the time. C is always busy. */
static Story *
make_heartbeat (void)
{
  Story *story = story_new ("A B C");

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  for (int t = 0; t < 10000; t += 1000)
    {
      story_switch (story, t + 50, 0, 11, "S", 0);
      story_sleep_until (story, t + 100, t + 480, t + 480, 1, 12, 1, "main;beat;nap");
      story_wake (story, t + 500, 1, 12, 11);
      story_switch (story, t + 500, 0, 0, "R", 11);
      story_switch (story, t + 510, 1, 12, "S", 0);
      story_wake (story, t + 590, 0, 11, 12);
      story_switch (story, t + 590, 1, 0, "R", 12);
      story_switch (story, t + 600, 0, 11, "S", 0);
      story_sleep_until (story, t + 620, t + 990, t + 990, 1, 12, 1, "main;beat;nap");
      story_wake (story, t + 1000, 1, 12, 11);
      story_switch (story, t + 1000, 0, 0, "R", 11);
    }
  story_switch (story, 10000, 2, 13, "R", 13);
  return story;
}

/* Busy for less than half of its life and no device: probably background, reported but not first.
 * The user can overrule that. */
static void
test_background (void)
{
  g_autoptr (TbTrace) trace = story_open (make_heartbeat ());
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) overruled = wait_graph_analyze (trace, "workers", "B", NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *bottleneck = summary_get_element (summary, "bottlenecks", 0);
  g_autofree char *names = NULL;

  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 1);
  g_assert_true (json_object_get_boolean_member (bottleneck, "background"));
  findings_get (report, "background-knot");
  assert_busy (report, "C (13)");
  summary = wait_graph_get_summary (overruled);
  bottleneck = summary_get_element (summary, "bottlenecks", 0);
  g_assert_false (json_object_get_boolean_member (bottleneck, "background"));
  names = finding_join_strings (findings_get (overruled, "bottleneck-knot"), "names");
  g_assert_cmpstr (names, ==, "A (11),B (12)");
}

/* Two threads that hand work to each other never use a whole CPU together, but they are no
 * background. */
static void
test_not_background (void)
{
  g_autoptr (TbTrace) trace = story_open (make_hand_over ());
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *bottleneck = summary_get_element (summary, "bottlenecks", 0);
  g_autofree char *names = finding_join_strings (findings_get (report, "bottleneck-knot"), "names");

  g_assert_false (json_object_get_boolean_member (bottleneck, "background"));
  g_assert_cmpstr (names, ==, "A (11),B (12)");
  assert_busy (report, "C (13)");
  assert_wait (findings_get (report, "longest-wait-first"), "A (11)", 4500000, "B (12)");
}

/* The user declares a knot as background. It is then reported as background, and no other finding
 * follows. A thread named as both worker and background is shown as worker. */
static void
test_background_chosen (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("plugins/wait-graph-figure-1.csv");
  g_autoptr (TbReport) by_default = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) as_background = wait_graph_analyze (trace, "background", "B", NULL);
  g_autoptr (TbReport) both = wait_graph_analyze (trace, "background", "B", "workers", "B", NULL);
  JsonObject *bottleneck
      = summary_get_element (wait_graph_get_summary (as_background), "bottlenecks", 0);

  summary_assert_strings (bottleneck, "names", "B disk");
  g_assert_true (json_object_get_boolean_member (bottleneck, "background"));
  g_assert_cmpuint (findings_count (as_background, "bottleneck-knot"), ==, 0);
  /* The rest is analyzed again, without the background knot. */
  g_assert_cmpstr (wait_graph_get_kind (wait_graph_get_summary (by_default), "A"), ==, "inner");
  g_assert_cmpstr (wait_graph_get_kind (wait_graph_get_summary (as_background), "A"), ==, "idle");
  bottleneck = summary_get_element (wait_graph_get_summary (both), "bottlenecks", 0);
  g_assert_false (json_object_get_boolean_member (bottleneck, "background"));
  findings_get (both, "bottleneck-knot");
}

/* Two threads hand work to each other and wait for a CPU that others have. Runnable threads are
 * busy, so they are no background. */
static void
test_background_starved (void)
{
  Story *story = story_new ("A B C");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (int t = 0; t < 10000; t += 2000)
    {
      story_switch (story, t + 100, 0, 11, "S", 0);
      story_wake (story, t + 200, 1, 12, 11);
      story_switch (story, t + 900, 0, 0, "R", 11);
      story_switch (story, t + 300, 1, 12, "S", 0);
      story_wake (story, t + 1000, 0, 11, 12);
      story_switch (story, t + 1900, 1, 0, "R", 12);
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  findings_get (report, "bottleneck-knot");
  finding_assert_integer (findings_get_with (report, "cpu-contention", "name", "A (11)"),
                          "runnable_ns", 3500000);
  finding_assert_integer (findings_get_with (report, "cpu-contention", "name", "B (12)"),
                          "runnable_ns", 4500000);
  g_assert_cmpuint (findings_count (report, "background-knot"), ==, 0);
  g_assert_cmpuint (findings_count (report, "no-saturation"), ==, 0);
  g_assert_cmpuint (findings_count (report, "no-foreground-saturation"), ==, 0);
}

/* Removed edges are listed. The threshold stops the removal. */
static void
test_threshold (void)
{
  Story *story = story_new ("A B C");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) low = NULL;
  g_autoptr (TbReport) high = NULL;
  JsonObject *bottleneck;

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  story_sleep (story, 1000, 5000, 0, 11, 1, 12);
  story_sleep (story, 5500, 9000, 1, 12, 0, 11);
  story_sleep (story, 1000, 1500, 2, 13, 1, 12);
  story_sleep (story, 9200, 9800, 1, 12, 2, 13);
  story_switch (story, 10000, 2, 13, "R", 13);
  trace = story_open (story);
  low = wait_graph_analyze (trace, "workers", "A", "threshold", "0.03", NULL);
  high = wait_graph_analyze (trace, "workers", "A", NULL);
  bottleneck = summary_get_element (wait_graph_get_summary (low), "bottlenecks", 0);
  summary_assert_strings (bottleneck, "names", "A B C");
  g_assert_cmpuint (summary_count (bottleneck, "removed"), ==, 0);
  /* Four edges, of which C → B is the lightest. Without it C waits for no thread. */
  bottleneck = summary_get_element (wait_graph_get_summary (high), "bottlenecks", 0);
  summary_assert_strings (bottleneck, "names", "C");
  g_assert_cmpuint (summary_count (bottleneck, "removed"), ==, 1);
}

/* Default values of the options. */
static void
test_defaults (void)
{
  g_autoptr (TbAnalysis) analysis = report_create_analysis ("wait-graph", NULL);
  g_autofree char *short_lived = NULL, *device_idle = NULL, *work = NULL, *excluded = NULL;
  g_auto (GStrv) target = NULL, exclusions = NULL, workers = NULL, background = NULL,
                 what_if = NULL;
  double threshold, light_edge, capacity;
  gint64 grace;
  gboolean similar;

  g_object_get (analysis, "target", &target, "threshold", &threshold, "light-edge", &light_edge,
                "set-aside", &exclusions, "merge-similar", &similar, "merge-short-lived",
                &short_lived, "device-idle", &device_idle, "device-capacity", &capacity, "workers",
                &workers, "background", &background, "work", &work, "what-if", &what_if,
                "wakeup-tolerance", &grace, NULL);
  excluded = g_strjoinv (" ", exclusions);
  g_assert_cmpstr (excluded, ==, "timer interrupt idle unknown light ended");
  g_assert_cmpfloat (threshold, ==, 0.2);
  g_assert_cmpfloat (light_edge, ==, 0.01);
  g_assert_true (similar);
  g_assert_cmpstr (short_lived, ==, "on");
  g_assert_cmpstr (device_idle, ==, "in-flight");
  g_assert_cmpstr (work, ==, "");
  g_assert_cmpuint (g_strv_length (target) + g_strv_length (workers) + g_strv_length (background)
                        + g_strv_length (what_if),
                    ==, 0);
  g_assert_cmpfloat (capacity, ==, 0);
  g_assert_cmpint (grace, ==, 100000);
}

/* A is woken 50 µs before it leaves the CPU. This is no wait unless the grace is shorter. */
static TbTrace *
open_woken_early (const char *name)
{
  Story *story = story_new ("A B");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_wake (story, 950, 1, 12, 11);
  story_switch (story, 1000, 0, 11, "S", 0);
  story_wake (story, 3000, 1, 12, 11);
  story_switch (story, 3000, 0, 0, "R", 11);
  story_wake (story, 4950, 1, 12, 11);
  story_switch (story, 5000, 0, 11, "S", 0);
  story_switch (story, 6000, 0, 0, "R", 11);
  story_switch (story, 7000, 0, 11, "S", 0);
  story_wake (story, 8000, 1, 12, 11);
  story_switch (story, 8000, 0, 0, "R", 11);
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open_as (story, name);
}

static void
test_waking_grace (void)
{
  g_autoptr (TbTrace) trace = open_woken_early ("early");
  g_autoptr (TbReport) usual = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) same = wait_graph_analyze (trace, "wakeup-tolerance", "50us", NULL);
  g_autoptr (TbReport) strict = wait_graph_analyze (trace, "wakeup-tolerance", "49us", NULL);
  JsonObject *summary;

  /* The first wake-up is not an early one: another wake-up of A comes before its switch-in. */
  for (guint i = 0; i < 2; i++)
    {
      summary = wait_graph_get_summary (i == 0 ? usual : same);
      wait_graph_assert_edge (summary, "A", "B", 3 * MS, 3 * MS, 2);
      g_assert_cmpint (json_object_get_int_member (summary, "unmatched_waits"), ==, 0);
      g_assert_cmpint (json_object_get_int_member (wait_graph_find_vertex (summary, "A"),
                                                   "runnable_ns"),
                       ==, 1 * MS);
    }
  summary = wait_graph_get_summary (strict);
  wait_graph_assert_edge (summary, "A", "B", 3 * MS, 3 * MS, 2);
  g_assert_cmpint (json_object_get_int_member (summary, "unmatched_waits"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (summary, "unmatched_ns"), ==, 1 * MS);
  g_assert_cmpint (json_object_get_int_member (wait_graph_find_vertex (summary, "A"),
                                               "runnable_ns"),
                   ==, 0);
  /* The grace is that of the analysis; the stored trace is unchanged. */
  g_assert_cmpint (tb_trace_get_wakeup_tolerance (trace), ==, 100000);
}

/* Three threads wait equally long for each other. Of equal edges the one from the last thread to
 * appear, to the last one to appear, is removed first, whatever their names. */
static void
test_equal_weights (void)
{
  static const char *const names[] = { "A B C", "C B A", "x y z" };
  g_autoptr (GString) first = NULL;

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    {
      Story *story = story_new (names[k]);
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      g_autoptr (GString) removed = g_string_new (NULL);
      JsonObject *summary;
      JsonArray *arcs;

      for (int tid = 11; tid <= 13; tid++)
        story_switch (story, 0, tid - 11, 0, "R", tid);
      for (int i = 0; i < 6; i++)
        {
          int waiter = i / 2, waker = (waiter + 1 + i % 2) % 3;

          story_sleep (story, 100 + i * 1500, 1400 + i * 1500, waiter, 11 + waiter, waker,
                       11 + waker);
        }
      story_switch (story, 10000, 2, 13, "R", 13);
      trace = story_open (story);
      report = wait_graph_analyze (trace, "workers", "app", NULL);
      summary = wait_graph_get_summary (report);
      g_assert_cmpuint (summary_count (summary, "edges"), ==, 6);
      g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 1);
      arcs = json_object_get_array_member (summary_get_element (summary, "bottlenecks", 0),
                                           "removed");
      g_assert_cmpuint (json_array_get_length (arcs), >, 0);
      for (guint i = 0; i < json_array_get_length (arcs); i++)
        {
          JsonArray *arc = json_array_get_array_element (arcs, i);

          g_assert_cmpint (json_array_get_int_element (arc, 2), ==, 1300000);
          g_string_append_printf (removed, "%s>%s ", json_array_get_string_element (arc, 0),
                                  json_array_get_string_element (arc, 1));
        }
      if (first == NULL)
        first = g_steal_pointer (&removed);
      else
        g_assert_cmpstr (removed->str, ==, first->str);
    }
  g_assert_true (g_str_has_prefix (first->str, "3>2 3>1 "));
}

/* --- devices --- */

static void
assert_longest (JsonObject *summary, const char *issuer, gint64 longest)
{
  JsonObject *edge = wait_graph_find_edge (summary, "vda", issuer);

  g_assert_cmpint (json_object_get_int_member (edge, "longest_ns"), ==, longest);
}

/* In flight from 1 to 3, 2 to 4 and 6 to 7 ms of 10: idle 6 ms, shared 3 to 1 by bytes. */
static void
test_devices (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (TbReport) given = NULL;
  g_autoptr (TbReport) requests = NULL;
  JsonObject *summary, *device;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_request (story, 1000, 1000, 3000, 1, 11, 2000, 1);
  story_request (story, 2000, 2000, 4000, 1, 12, 1000, 2);
  story_request (story, 6000, 6000, 7000, 1, 11, 1000, 3);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  wait_graph_assert_edge (summary, "vda", "A", 4500000, 4500000, 3);
  wait_graph_assert_edge (summary, "vda", "B", 1500000, 1500000, 3);
  /* Shares of idle times of 1, 2 and 3 ms. */
  assert_longest (summary, "A", 2250000);
  assert_longest (summary, "B", 750000);
  g_assert_true (
      json_object_get_boolean_member (wait_graph_find_edge (summary, "vda", "A"), "idle"));
  device = summary_get_element (summary, "devices", 0);
  g_assert_cmpint (json_object_get_int_member (device, "busy_ns"), ==, 4 * MS);
  g_assert_cmpint (json_object_get_int_member (device, "deepest"), ==, 2);
  g_assert_cmpfloat (json_object_get_double_member (device, "mean_depth"), ==, 1.25);

  /* 4000 bytes in 10 ms at 1 MB a second: 4 ms used. */
  given = wait_graph_analyze (trace, "device-idle", "bytes", "device-capacity", "1000000", NULL);
  summary = wait_graph_get_summary (given);
  /* The position of the idle time is unknown: all of it counts as one wait. */
  wait_graph_assert_edge (summary, "vda", "A", 4500000, 4500000, 1);
  assert_longest (summary, "A", 4500000);
  g_assert_cmpint (json_object_get_int_member (wait_graph_find_vertex (summary, "vda"),
                                               "waiting_ns"),
                   ==, 6 * MS);
  requests = wait_graph_analyze (trace, "device-idle", "requests", "device-capacity", "600", NULL);
  summary = wait_graph_get_summary (requests);
  wait_graph_assert_edge (summary, "vda", "A", 3750000, 3750000, 1);
  device = summary_get_element (summary, "devices", 0);
  g_assert_cmpint (json_object_get_int_member (device, "idle_ns"), ==, 5 * MS);
  g_assert_cmpint (json_object_get_int_member (wait_graph_find_vertex (summary, "vda"),
                                               "waiting_ns"),
                   ==, 5 * MS);
}

/* The capacity is the most that a disk did in a tenth of a second: 3 MB in the first, 30 requests
 * in the third. */
static void
test_peak (void)
{
  static const struct
  {
    int n, bytes; /* number of requests, and size of each */
  } tenths[] = { { 3, 1000000 }, { 10, 10000 }, { 30, 10000 }, { 17, 30000 }, { 0, 0 } };
  Story *story = story_new ("A");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) bytes = NULL;
  g_autoptr (TbReport) requests = NULL;
  int sector = 1;

  story_switch (story, 0, 0, 0, "R", 11);
  for (guint i = 0; i < G_N_ELEMENTS (tenths); i++)
    for (int j = 0; j < tenths[i].n; j++, sector++)
      {
        int t = (int) i * 100000 + 1000 + j * 3000;

        story_request (story, t, t, t + 2000, 1, 11, tenths[i].bytes, sector);
      }
  story_switch (story, 500000, 0, 11, "R", 11);
  trace = story_open (story);
  bytes = wait_graph_analyze (trace, "device-idle", "bytes", NULL);
  requests = wait_graph_analyze (trace, "device-idle", "requests", NULL);
  /* 3000000 + 100000 + 300000 + 510000 bytes at 30 MB/s: 130.33 ms */
  wait_graph_assert_edge (wait_graph_get_summary (bytes), "vda", "A", 500 * MS - 130333334,
                          500 * MS - 130333334, 1);
  /* 60 requests at 300 a second: 200 ms */
  wait_graph_assert_edge (wait_graph_get_summary (requests), "vda", "A", 300 * MS, 300 * MS, 1);
}

/* Another thread sends very few requests to the disk. That is no exit from the knot of the main
 * requester. */
static void
test_light_issuer (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 2, 0, "R", 12);
  story_request (story, 100, 100, 101, 1, 12, 1, 99);
  for (int i = 0; i < 5; i++)
    {
      int t = i * 2000;

      story_request (story, t + 1000, t + 1000, t + 1999, 1, 11, 1000, i + 1);
      story_switch (story, t + 1000, 0, 11, "D", 0);
      story_wake_by_device (story, t + 1999, 1, "vda", 11);
      story_switch (story, t + 1999, 0, 0, "R", 11);
    }
  story_switch (story, 10000, 2, 12, "R", 12);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpstr (wait_graph_get_exclusion (summary, "vda", "B"), ==, "light");
  g_assert_null (wait_graph_get_exclusion (summary, "vda", "A"));
  summary_assert_strings (summary_get_element (summary, "bottlenecks", 0), "names", "A vda");
}

/* --- merging --- */

/* C starts a thread in each of two rounds. The first waits for B, the second for D; both live in
 * the middle. */
static Story *
make_short_lived (void)
{
  Story *story = story_new ("C B D");

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  story_fork (story, 1000, 0, 11, 21);
  story_add (story, 1000, "0,name,,,,10,,,21,,,task,,,");
  story_fork (story, 2000, 0, 11, 22);
  story_add (story, 2000, "0,name,,,,10,,,22,,,task,,,");
  story_switch (story, 1000, 3, 0, "R", 21);
  story_switch (story, 2000, 4, 0, "R", 22);
  story_switch (story, 2100, 3, 21, "S", 0);
  story_switch_with_stack (story, 2500, 4, 22, "S", 0, "start_thread;work;lock");
  story_wake (story, 3500, 1, 12, 21);
  story_switch (story, 3500, 3, 0, "R", 21);
  story_end (story, 3600, 3, 21);
  story_wake (story, 4000, 2, 13, 22);
  story_switch (story, 4000, 4, 0, "R", 22);
  story_end (story, 4200, 4, 22);
  story_switch (story, 10000, 0, 11, "R", 11);
  return story;
}

/* Time with at least one open wait of the vertex while none of its threads did anything else, and
 * the longest such time. */
static void
assert_open (JsonObject *summary, const char *waker, gint64 bound, gint64 longest)
{
  JsonObject *edge = wait_graph_find_edge (summary, "task ×2", waker);

  g_assert_cmpint (json_object_get_int_member (edge, "bound_ns"), ==, bound);
  g_assert_cmpint (json_object_get_int_member (edge, "longest_ns"), ==, longest);
}

/* The edge with that plain time consists of two pieces of the vertex, but is one occurrence. */
static void
assert_one_occurrence (TbReport *report, gint64 plain, gint64 from, gint64 to)
{
  TbGraphFigure *graph = TB_GRAPH_FIGURE (tb_report_find_figure (report, "wait-graph"));
  TbFlameFigure *flame
      = TB_FLAME_FIGURE (tb_report_find_figure (report, tb_graph_figure_get_from_flame (graph)));
  TbGraphOccurrences occurrences;
  const TbFlameNode *nodes;
  guint n_nodes, n = 0, n_leaves = 0;

  for (guint i = 0; i < tb_graph_figure_get_n_edges (graph); i++)
    {
      if (tb_graph_figure_get_edge (graph, i)->plain != (guint64) plain)
        continue;
      n++;
      tb_graph_figure_get_occurrences (graph, i, &occurrences);
      g_assert_cmpuint (occurrences.n, ==, 1);
      g_assert_cmpint (occurrences.from[0], ==, from);
      g_assert_cmpint (occurrences.to[0], ==, to);
    }
  g_assert_cmpuint (n, ==, 1);
  nodes = tb_flame_figure_get_nodes (flame, &n_nodes);
  for (guint i = 0; i < n_nodes; i++)
    if (g_str_equal (nodes[i].name, "waits"))
      {
        n_leaves++;
        g_assert_cmpuint (nodes[i].count, ==, 1);
      }
  g_assert_cmpuint (n_leaves, ==, 1);
}

static void
test_short_lived (void)
{
  g_autoptr (TbTrace) trace = story_open (make_short_lived ());
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) paper = wait_graph_analyze (trace, "merge-short-lived", "wperf", NULL);
  g_autoptr (TbReport) off = wait_graph_analyze (trace, "merge-short-lived", "off", NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *vertex = wait_graph_find_vertex (summary, "task ×2");

  g_assert_nonnull (vertex);
  g_assert_cmpstr (json_object_get_string_member (vertex, "kind"), ==, "merged");
  g_assert_cmpuint (summary_count (vertex, "members"), ==, 2);
  /* None lives until 1 ms and from 4.2 ms on. Both wait from 2.5 to 3.5 ms: half of that each; one
   * waits from 3.6 to 4 ms. */
  wait_graph_assert_edge (summary, "task ×2", "C", 6800000, 6800000, 2);
  wait_graph_assert_edge (summary, "task ×2", "B", 500000, 500000, 1);
  wait_graph_assert_edge (summary, "task ×2", "D", 900000, 900000, 1);
  assert_open (summary, "B", 1 * MS, 1 * MS);
  assert_open (summary, "D", 14 * MS / 10, 14 * MS / 10);
  assert_open (summary, "C", 68 * MS / 10, 58 * MS / 10);
  assert_one_occurrence (report, 9 * MS / 10, 25 * MS / 10, 4 * MS);
  summary = wait_graph_get_summary (paper);
  wait_graph_assert_edge (summary, "task ×2", "C", 8200000, 8200000, 4);
  g_assert_null (wait_graph_find_edge (summary, "task ×2", "B"));
  summary = wait_graph_get_summary (off);
  g_assert_null (wait_graph_find_vertex (summary, "task ×2"));
  wait_graph_assert_edge (summary, "task", "B", 1400000, 1400000, 1);
}

/* Two workers wait at the same place for one another, a third one elsewhere. */
static void
test_similar (void)
{
  Story *story = story_new ("worker-1 worker-2 other");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (TbReport) off = NULL;
  JsonObject *summary, *edge;

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  for (int i = 0; i < 5; i++)
    {
      int t = i * 2000;

      story_switch_with_stack (story, t + 100, 0, 11, "S", 0, "main;work;lock");
      story_wake (story, t + 1000, 1, 12, 11);
      story_switch (story, t + 1000, 0, 0, "R", 11);
      story_switch_with_stack (story, t + 1100, 1, 12, "S", 0, "main;work;lock");
      story_wake (story, t + 1800, 0, 11, 12);
      story_switch (story, t + 1800, 1, 0, "R", 12);
    }
  story_switch_with_stack (story, 9900, 2, 13, "S", 0, "main;listen");
  story_wake (story, 9950, 0, 11, 13);
  story_switch (story, 9950, 2, 0, "R", 13);
  story_switch (story, 10000, 2, 13, "R", 13);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  off = wait_graph_analyze (trace, "merge-similar", "no", NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpstr (json_object_get_string_member (wait_graph_find_vertex (summary, "worker ×2"),
                                                  "kind"),
                   ==, "merged");
  /* (5 × 0.9 + 5 × 0.7 ms) / 2 waiters; at least one waits in all of 8 ms. */
  wait_graph_assert_edge (summary, "worker ×2", "worker ×2", 4 * MS, 4 * MS, 10);
  edge = wait_graph_find_edge (summary, "worker ×2", "worker ×2");
  g_assert_cmpint (json_object_get_int_member (edge, "bound_ns"), ==, 8 * MS);
  summary_assert_strings (edge, "waiter_stack", "main work lock");
  g_assert_nonnull (wait_graph_find_vertex (summary, "other"));
  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 1);
  summary = wait_graph_get_summary (off);
  wait_graph_assert_edge (summary, "worker-1", "worker-2", 4500000, 4500000, 5);
}

/* A process outside the target becomes one vertex, and chains continue through it. */
static void
test_target (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_name (story, 31, "helper/one", 30);
  story_name (story, 32, "helper/two", 30);
  story_name (story, 30, "helper", 30);
  story_name (story, 10, "app", 10);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_switch (story, 0, 2, 0, "R", 31);
  story_switch (story, 0, 3, 0, "R", 32);
  story_sleep (story, 1000, 5000, 0, 11, 2, 31);
  story_sleep (story, 1000, 4000, 2, 31, 3, 32);
  story_sleep (story, 1000, 3000, 3, 32, 1, 12);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, "target", "app", NULL);
  summary = wait_graph_get_summary (report);
  wait_graph_assert_edge (summary, "A", "helper", 4 * MS, 4 * MS, 1);
  wait_graph_assert_edge (summary, "helper", "helper", 6 * MS, 3 * MS, 1);
  wait_graph_assert_edge (summary, "helper", "B", 6 * MS, 2 * MS, 1);
  g_assert_true (
      json_object_get_boolean_member (wait_graph_find_vertex (summary, "helper"), "outside"));
}

/* --- marks --- */

/* A wakes C, which finds nothing to do and sleeps again until B wakes it: one wait for B. */
static void
test_false_wakeup (void)
{
  Story *story = story_new ("A B C");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  story_sleep (story, 1000, 3000, 2, 13, 0, 11);
  story_add (story, 3010, "2,false_wakeup,,,,,,,13,,,,,,");
  story_sleep (story, 3020, 6000, 2, 13, 1, 12);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  g_assert_null (wait_graph_find_edge (wait_graph_get_summary (report), "C", "A"));
  wait_graph_assert_edge (wait_graph_get_summary (report), "C", "B", 5 * MS, 5 * MS, 1);
}

static void
test_spin (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_add (story, 1000, "0,spin_begin,,,,,,,11,,,,,,");
  story_add (story, 4000, "0,spin_end,,,,12,,,11,,,,,,");
  story_add (story, 5000, "0,spin_begin,,,,,,,11,,,,,,");
  story_add (story, 6000, "0,spin_end,,,,,,,11,,,,,,");
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  wait_graph_assert_edge (summary, "A", "B", 3 * MS, 3 * MS, 1);
  wait_graph_assert_edge (summary, "A", "busy wait", 1 * MS, 1 * MS, 1);
  g_assert_cmpstr (wait_graph_get_exclusion (summary, "A", "busy wait"), ==, "unknown");
  g_assert_cmpint (json_object_get_int_member (wait_graph_find_vertex (summary, "A"), "running_ns"),
                   ==, 6 * MS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/figure-1", test_figure_1);
  g_test_add_func ("/wait-graph/figure-3", test_figure_3);
  g_test_add_func ("/wait-graph/set-aside", test_excluded);
  g_test_add_func ("/wait-graph/background", test_background);
  g_test_add_func ("/wait-graph/background/not", test_not_background);
  g_test_add_func ("/wait-graph/background/chosen", test_background_chosen);
  g_test_add_func ("/wait-graph/background/starved", test_background_starved);
  g_test_add_func ("/wait-graph/threshold", test_threshold);
  g_test_add_func ("/wait-graph/defaults", test_defaults);
  g_test_add_func ("/wait-graph/ties", test_equal_weights);
  g_test_add_func ("/wait-graph/waking-grace", test_waking_grace);
  g_test_add_func ("/wait-graph/devices", test_devices);
  g_test_add_func ("/wait-graph/peak-capacity", test_peak);
  g_test_add_func ("/wait-graph/light-issuer", test_light_issuer);
  g_test_add_func ("/wait-graph/short-lived", test_short_lived);
  g_test_add_func ("/wait-graph/similar", test_similar);
  g_test_add_func ("/wait-graph/target", test_target);
  g_test_add_func ("/wait-graph/false-wakeup", test_false_wakeup);
  g_test_add_func ("/wait-graph/spin", test_spin);
  return recording_run_tests ();
}
