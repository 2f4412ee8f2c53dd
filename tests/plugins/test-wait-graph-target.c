/* test-wait-graph-target.c: test of the analysis "wait-graph" with a target of some processes among
 * many
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)

/* The threads 31 and 32 of other processes. */
static void
add_other_processes (Story *story)
{
  story_name (story, 10, "app", 10);
  story_name (story, 30, "other", 30);
  story_name (story, 31, "other/one", 30);
  story_name (story, 32, "busy/two", 40);
  story_name (story, 40, "busy", 40);
}

/* A request, from the thread's sleep to its wake-up by the device. */
static void
sync_request (Story *story, int from, int to, int cpu, int tid, int bytes)
{
  story_add (story, from, "%d,io_issue,,,,,,,%d,vda,%d,,,%d,", cpu, tid, bytes, from);
  story_switch (story, from, cpu, tid, "D", 0);
  story_add (story, to, "%d,irq_entry,,,,,,,,vda,,,,,", cpu);
  story_add (story, to, "%d,io_complete,,,,,,,,vda,%d,,,%d,", cpu, bytes, from);
  story_wake (story, to, cpu, 0, tid);
  story_add (story, to + 1, "%d,irq_exit,,,,,,,,vda,,,,,", cpu);
  story_switch (story, to + 1, cpu, 0, "R", tid);
}

/* A syncs to a disk to which another process writes more. That process waits for one that only
 * computes. */
static TbTrace *
open_shared_disk (void)
{
  Story *story = story_new ("A");

  add_other_processes (story);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 31);
  story_switch (story, 0, 2, 0, "R", 32);
  for (int t = 0; t < 10000; t += 2000)
    {
      sync_request (story, t + 500, t + 1400, 0, 11, 4096);
      sync_request (story, t + 1450, t + 1500, 1, 31, 1 << 20);
      story_sleep (story, t + 1550, t + 1900, 1, 31, 2, 32);
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open (story);
}

/* Other writers to the disk are no exit from the knot of the target. */
static void
test_shared_disk (void)
{
  g_autoptr (TbTrace) trace = open_shared_disk ();
  g_autoptr (TbReport) all = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) report = wait_graph_analyze (trace, "target", "app", NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *edge;

  g_assert_cmpuint (summary_count (wait_graph_get_summary (all), "bottlenecks"), ==, 0);
  g_assert_cmpstr (wait_graph_get_exclusion (summary, "vda", "other"), ==, "light");
  g_assert_cmpstr (wait_graph_get_exclusion (summary, "other", "busy"), ==, "light");
  g_assert_null (wait_graph_get_exclusion (summary, "vda", "A"));
  edge = wait_graph_find_edge (summary, "other", "busy");
  g_assert_cmpint (json_object_get_int_member (edge, "asked_ns"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (edge, "weight_ns"), >=,
                   json_object_get_int_member (edge, "plain_ns"));
  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 1);
  summary_assert_strings (summary_get_element (summary, "bottlenecks", 0), "names", "A vda");
  g_assert_null (findings_find (report, "name", "busy"));
}

/* A waits for a thread of another process, which waits for a third one. The chain is not cut, and
 * its weight is that of A's wait. */
static void
test_chain_outside (void)
{
  Story *story = story_new ("A");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  add_other_processes (story);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 31);
  story_switch (story, 0, 2, 0, "R", 32);
  story_sleep (story, 1000, 6000, 0, 11, 1, 31);
  story_sleep (story, 2000, 5000, 1, 31, 2, 32);
  story_sleep (story, 7000, 9000, 1, 31, 2, 32);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, "target", "app", NULL);
  summary = wait_graph_get_summary (report);
  wait_graph_assert_edge (summary, "other", "busy", 8 * MS, 5 * MS, 2);
  g_assert_cmpint (json_object_get_int_member (wait_graph_find_edge (summary, "other", "busy"),
                                               "asked_ns"),
                   ==, 3 * MS);
  g_assert_null (wait_graph_get_exclusion (summary, "other", "busy"));
  findings_get_with (report, "execution-bottleneck", "name", "busy");
}

/* A and B wait for each other, and A at times for a helper that only waits for timers. The helper
 * is excluded like a timer. */
static void
assert_dead_end (const char *threads, int tid, const char *helper)
{
  Story *story = story_new (threads);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  add_other_processes (story);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_switch (story, 0, 2, 0, "R", tid);
  story_switch (story, 10, 2, tid, "S", 0);
  for (int t = 0; t < 10000; t += 2000)
    {
      story_sleep (story, t + 100, t + 800, 0, 11, 1, 12);
      story_sleep (story, t + 900, t + 1500, 1, 12, 0, 11);
      story_switch (story, t + 1510, 0, 11, "S", 0);
      story_add (story, t + 1600, "2,softirq_entry,,,,,,1,,,,,,,");
      story_wake (story, t + 1600, 2, 0, tid);
      story_add (story, t + 1601, "2,softirq_exit,,,,,,1,,,,,,,");
      story_switch (story, t + 1602, 2, 0, "R", tid);
      story_wake (story, t + 1650, 2, tid, 11);
      story_switch (story, t + 1650, 0, 0, "R", 11);
      story_switch (story, t + 1660, 2, tid, "S", 0);
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, "target", "app", "workers", "app", NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpstr (wait_graph_get_exclusion (summary, helper, "timer"), ==, "timer");
  g_assert_cmpstr (wait_graph_get_exclusion (summary, "A", helper), ==, "timer");
  summary_assert_strings (summary_get_element (summary, "bottlenecks", 0), "names", "A B");
}

static void
test_dead_end (void)
{
  assert_dead_end ("A B", 31, "other");
  assert_dead_end ("A B C", 13, "C");
}

/* A syncs to a disk, at times by itself, at times through one of two kernel workers, which also
 * send requests to the disk when no thread waits for them. */
static TbTrace *
open_workers (void)
{
  Story *story = story_new ("A");

  add_other_processes (story);
  story_name (story, 51, "kworker/u8:0-events_unbound", 51);
  story_name (story, 52, "kworker/u8:6-events_unbound", 52);
  story_switch (story, 0, 0, 0, "R", 11);
  for (int cpu = 1; cpu <= 2; cpu++)
    {
      story_switch (story, 0, cpu, 0, "R", 50 + cpu);
      story_switch (story, 10, cpu, 50 + cpu, "S", 0);
    }
  for (int t = 0; t < 10000; t += 2000)
    {
      int cpu = 1 + t / 2000 % 2, worker = 50 + cpu;

      sync_request (story, t + 500, t + 700, 0, 11, 4096);
      story_wake (story, t + 840, 0, 11, worker);
      story_switch (story, t + 845, cpu, 0, "R", worker);
      sync_request (story, t + 850, t + 1400, cpu, worker, 4096);
      story_switch (story, t + 900, 0, 11, "D", 0);
      story_wake (story, t + 1450, cpu, worker, 11);
      story_switch (story, t + 1450, 0, 0, "R", 11);
      sync_request (story, t + 1500, t + 1990, cpu, worker, 4096);
      story_switch (story, t + 1995, cpu, worker, "S", 0);
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open (story);
}

static void
assert_ns (JsonObject *summary,
           const char *from,
           const char *to,
           const char *member,
           gint64 expected)
{
  JsonObject *edge = wait_graph_find_edge (summary, from, to);

  g_assert_nonnull (edge);
  g_assert_cmpint (json_object_get_int_member (edge, member), ==, expected);
}

/* The edges to look at, as "from>to" by names. */
static char *
list_edges (JsonObject *summary, JsonObject *bottleneck)
{
  GString *text = g_string_new (NULL);
  JsonArray *edges = json_object_get_array_member (bottleneck, "edges");

  for (guint i = 0; i < json_array_get_length (edges); i++)
    {
      JsonArray *ends = json_array_get_array_element (edges, i);

      for (guint j = 0; j < 2; j++)
        for (guint k = 0; k < summary_count (summary, "vertices"); k++)
          {
            JsonObject *vertex = summary_get_element (summary, "vertices", k);

            if (g_str_equal (json_object_get_string_member (vertex, "id"),
                             json_array_get_string_element (ends, j)))
              g_string_append_printf (text, "%s%s", json_object_get_string_member (vertex, "name"),
                                      j == 0 ? ">" : " ");
          }
    }
  return g_string_free (text, FALSE);
}

/* The disk limits A, also through the workers. The workers' other waits for the disk do not concern
 * A. */
static void
test_forwarded (void)
{
  static const char pool[] = "kworker/u8 events_unbound ×2";
  g_autoptr (TbTrace) trace = open_workers ();
  g_autoptr (TbReport) report
      = wait_graph_analyze (trace, "target", "app", "threshold", "0.05", NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *bottleneck = summary_get_element (summary, "bottlenecks", 0);
  g_autofree char *edges = list_edges (summary, bottleneck);
  TbFinding *finding;

  wait_graph_assert_edge (summary, "A", "vda", 2800000, 1 * MS, 5);
  assert_ns (summary, "A", "vda", "by_way_ns", 2500000);
  assert_ns (summary, "A", "vda", "bound_ns", 3500000);
  assert_ns (summary, "A", "vda", "limits_ns", 3500000);
  g_assert_cmpstr (json_object_get_string_member (wait_graph_find_edge (summary, "A", "vda"),
                                                  "by_way_of"),
                   ==,
                   json_object_get_string_member (wait_graph_find_vertex (summary, pool), "id"));
  assert_ns (summary, "A", pool, "plain_ns", 2750000);
  assert_ns (summary, "A", pool, "bound_ns", 2750000);
  assert_ns (summary, "A", pool, "limits_ns", 250000);
  /* Waits of the two merged waiters count half each, but time in which A waited behind them counts
   * in full. */
  wait_graph_assert_edge (summary, pool, "vda", 4850000, 2600000, 10);
  assert_ns (summary, pool, "vda", "bound_ns", 2500000);
  assert_ns (summary, pool, "vda", "asked_ns", 1250000);
  assert_ns (summary, pool, "vda", "limits_ns", 0);
  summary_assert_strings (bottleneck, "names", "A vda");
  g_assert_cmpstr (edges, ==, "A>vda vda>A ");
  g_assert_cmpint (json_object_get_int_member (bottleneck, "gain_upper_bound_ns"), ==, 3500000);
  finding = findings_get (report, "bottleneck-knot");
  finding_assert_string (finding, "waiter", "A (11)");
  finding_assert_string (finding, "awaited", "vda");
  finding_assert_integer (finding, "wait_ns", 1 * MS);
  finding_assert_integer (finding, "waits", 5);
  finding_assert_integer (finding, "longest_ns", 200000);
  finding_assert_integer (finding, "forwarded_ns", 2500000);
  finding_assert_string (finding, "forwarded_through", pool);
  finding_assert_number (finding, "gain_high_share", .35);
  g_assert_nonnull (strstr (tb_report_get_headline (report), "35 %"));
}

/* The workers of a pool are separate vertices if the user unmerges them. */
static void
test_pool_unmerged (void)
{
  g_autoptr (TbTrace) trace = open_workers ();
  g_autoptr (TbReport) off
      = wait_graph_analyze (trace, "target", "app", "merge-similar", "no", NULL);
  g_autoptr (TbReport) all = wait_graph_analyze (trace, NULL);
  g_autofree char *id = g_strdup (json_object_get_string_member (
      wait_graph_find_vertex (wait_graph_get_summary (all), "kworker/u8 events_unbound ×2"), "id"));
  g_autoptr (TbReport) unmerged = wait_graph_analyze (trace, "target", "app", "unmerge", id, NULL);
  TbReport *reports[] = { off, unmerged };

  g_assert_true (g_str_has_prefix (id, "pool:"));
  for (guint i = 0; i < G_N_ELEMENTS (reports); i++)
    {
      JsonObject *summary = wait_graph_get_summary (reports[i]);

      assert_ns (summary, "A", "kworker/u8:0-events_unbound", "plain_ns", 1650000);
      assert_ns (summary, "A", "kworker/u8:6-events_unbound", "plain_ns", 1100000);
      assert_ns (summary, "A", "vda", "by_way_ns", 2500000);
      assert_ns (summary, "kworker/u8:0-events_unbound", "vda", "bound_ns", 1500000);
    }
}

/* A waits 80 µs for B, which is light. Waits of other threads for A in that time do not make it
 * heavier for this target. */
static void
test_light_for_target (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) all = NULL;
  g_autoptr (TbReport) report = NULL;

  add_other_processes (story);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_switch (story, 0, 2, 0, "R", 31);
  story_sleep (story, 1000, 9000, 1, 12, 0, 11);
  story_sleep (story, 9200, 9280, 0, 11, 1, 12);
  story_sleep (story, 500, 9500, 2, 31, 0, 11);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  all = wait_graph_analyze (trace, NULL);
  report = wait_graph_analyze (trace, "target", "app", NULL);
  g_assert_null (wait_graph_get_exclusion (wait_graph_get_summary (all), "A", "B"));
  g_assert_cmpstr (wait_graph_get_exclusion (wait_graph_get_summary (report), "A", "B"), ==,
                   "light");
  assert_ns (wait_graph_get_summary (report), "A", "B", "limits_ns", 80000);
  findings_get_with (report, "execution-bottleneck", "name", "A (11)");
}

/* Every 500 µs another process answers A, in turn by each of its n_threads threads, which sleep
 * until a timer wakes them and then run for 300 µs. */
static TbTrace *
open_helpers (int n_threads)
{
  Story *story = story_new ("A");

  story_name (story, 10, "app", 10);
  story_name (story, 30, "helper", 30);
  for (int i = 0; i < n_threads; i++)
    story_add (story, 0, "0,name,,,,30,,,%d,,,helper/%d,,,", 31 + i, i);
  story_name (story, 60, "helper/rest", 30);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 2, 0, "R", 60);
  story_switch (story, 10, 2, 60, "S", 0);
  for (int i = 0; i < 80; i++)
    {
      int t = i * 500, tid = 31 + i % n_threads;

      story_add (story, t, "1,softirq_entry,,,,,,1,,,,,,,");
      story_wake (story, t, 1, 0, tid);
      story_add (story, t + 1, "1,softirq_exit,,,,,,1,,,,,,,");
      story_switch (story, t + 1, 1, 0, "R", tid);
      if (i > 0)
        {
          story_wake (story, t + 290, 1, tid, 11);
          story_switch (story, t + 290, 0, 0, "R", 11);
        }
      story_switch (story, t + 300, 1, tid, "S", 0);
      story_switch (story, t + 310, 0, 11, "S", 0);
    }
  story_add (story, 40000, "0,mark,,,,,,,11,,,end,,,");
  return story_open (story);
}

/* A little work in each of many threads is no bottleneck, although a CPU is busy with it most of
 * the time. The same work in one thread is. */
static void
test_outside_busy (void)
{
  g_autoptr (TbTrace) many = open_helpers (20);
  g_autoptr (TbReport) idle = wait_graph_analyze (many, "target", "app", NULL);
  g_autoptr (TbTrace) one = NULL;
  g_autoptr (TbReport) busy = NULL;

  g_assert_nonnull (wait_graph_find_edge (wait_graph_get_summary (idle), "A", "helper"));
  g_assert_cmpuint (findings_count (idle, "execution-bottleneck"), ==, 0);
  g_assert_cmpuint (findings_count (idle, "joint-execution-bottleneck"), ==, 0);
  findings_get (idle, "mostly-asleep");
  one = open_helpers (1);
  busy = wait_graph_analyze (one, "target", "app", NULL);
  findings_get (busy, "joint-execution-bottleneck");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/shared-disk", test_shared_disk);
  g_test_add_func ("/wait-graph/chain-outside", test_chain_outside);
  g_test_add_func ("/wait-graph/dead-end", test_dead_end);
  g_test_add_func ("/wait-graph/by-way", test_forwarded);
  g_test_add_func ("/wait-graph/light-for-target", test_light_for_target);
  g_test_add_func ("/wait-graph/pool-apart", test_pool_unmerged);
  g_test_add_func ("/wait-graph/outside-busy", test_outside_busy);
  return recording_run_tests ();
}
