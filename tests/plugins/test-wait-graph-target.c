/* test-wait-graph-target.c: what the analysis "wait-graph" says of some processes among many
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)

/* The threads 31 and 32 of another process. */
static void
add_others (Story *story)
{
  g_string_append (story, "0,0,name,,,,10,,,10,,,app,,,\n0,0,name,,,,30,,,30,,,other,,,\n"
                          "0,0,name,,,,30,,,31,,,other/one,,,\n0,0,name,,,,40,,,32,,,busy/two,,,\n"
                          "0,0,name,,,,40,,,40,,,busy,,,\n");
}

/* From its sleep to its waking by the device. */
static void
sync_request (Story *story, int from, int to, int cpu, int tid, int bytes)
{
  g_string_append_printf (story, "%d000,%d,io_issue,,,,,,,%d,vda,%d,,,%d,\n", from, cpu, tid, bytes, from);
  go (story, from, cpu, tid, "D", 0);
  g_string_append_printf (story, "%d000,%d,irq_entry,,,,,,,,vda,,,,,\n", to, cpu);
  g_string_append_printf (story, "%d000,%d,io_complete,,,,,,,,vda,%d,,,%d,\n", to, cpu, bytes, from);
  wake (story, to, cpu, 0, tid);
  g_string_append_printf (story, "%d000,%d,irq_exit,,,,,,,,vda,,,,,\n", to + 1, cpu);
  go (story, to + 1, cpu, 0, "R", tid);
}

/* A syncs to a disk that another process writes more to; that process waits for one that only computes. */
static TbTrace *
open_shared_disk (void)
{
  Story *story = story_new ("A");

  add_others (story);
  go (story, 0, 0, 0, "R", 11);
  go (story, 0, 1, 0, "R", 31);
  go (story, 0, 2, 0, "R", 32);
  for (int t = 0; t < 10000; t += 2000)
    {
      sync_request (story, t + 500, t + 1400, 0, 11, 4096);
      sync_request (story, t + 1450, t + 1500, 1, 31, 1 << 20);
      sleep_and_wake (story, t + 1550, t + 1900, 1, 31, 2, 32);
    }
  go (story, 10000, 0, 11, "R", 11);
  sort_story (story);
  return story_open (story);
}

/* Who else writes to the disk is no way out of the knot of the process asked about. */
static void
test_shared_disk (void)
{
  g_autoptr (TbTrace) trace = open_shared_disk ();
  g_autoptr (TbReport) all = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) report = wait_graph_analyze (trace, "target", "app", NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *edge;

  g_assert_cmpuint (wait_graph_count (wait_graph_get_summary (all), "bottlenecks"), ==, 0);
  g_assert_cmpstr (wait_graph_get_aside (summary, "vda", "other"), ==, "light");
  g_assert_cmpstr (wait_graph_get_aside (summary, "other", "busy"), ==, "light");
  g_assert_null (wait_graph_get_aside (summary, "vda", "A"));
  edge = wait_graph_find_edge (summary, "other", "busy");
  g_assert_cmpint (json_object_get_int_member (edge, "asked_ns"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (edge, "weight_ns"), >=,
                   json_object_get_int_member (edge, "plain_ns"));
  g_assert_cmpuint (wait_graph_count (summary, "bottlenecks"), ==, 1);
  wait_graph_assert_strings (wait_graph_get_element (summary, "bottlenecks", 0), "names", "A vda");
  g_assert_false (wait_graph_has_finding (report, "busy runs"));
}

/* A waits for one of another process while that waits for a third: a chain that is not cut, and whose weight is A's. */
static void
test_chain_outside (void)
{
  Story *story = story_new ("A");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  add_others (story);
  go (story, 0, 0, 0, "R", 11);
  go (story, 0, 1, 0, "R", 31);
  go (story, 0, 2, 0, "R", 32);
  sleep_and_wake (story, 1000, 6000, 0, 11, 1, 31);
  sleep_and_wake (story, 2000, 5000, 1, 31, 2, 32);
  sleep_and_wake (story, 7000, 9000, 1, 31, 2, 32);
  go (story, 10000, 0, 11, "R", 11);
  sort_story (story);
  trace = story_open (story);
  report = wait_graph_analyze (trace, "target", "app", NULL);
  summary = wait_graph_get_summary (report);
  wait_graph_assert_edge (summary, "other", "busy", 8 * MS, 5 * MS, 2);
  g_assert_cmpint (json_object_get_int_member (wait_graph_find_edge (summary, "other", "busy"), "asked_ns"),
                   ==, 3 * MS);
  g_assert_null (wait_graph_get_aside (summary, "other", "busy"));
  g_assert_true (wait_graph_has_finding (report, "busy runs"));
}

/* A and B wait for each other, and A at times for a helper that only waits for timers: as good as a timer. */
static void
assert_dead_end (const char *threads, int tid, const char *helper)
{
  Story *story = story_new (threads);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  add_others (story);
  go (story, 0, 0, 0, "R", 11);
  go (story, 0, 1, 0, "R", 12);
  go (story, 0, 2, 0, "R", tid);
  go (story, 10, 2, tid, "S", 0);
  for (int t = 0; t < 10000; t += 2000)
    {
      sleep_and_wake (story, t + 100, t + 800, 0, 11, 1, 12);
      sleep_and_wake (story, t + 900, t + 1500, 1, 12, 0, 11);
      go (story, t + 1510, 0, 11, "S", 0);
      tell (story, t + 1600, "2,softirq_entry,,,,,,1,,,,,,,");
      wake (story, t + 1600, 2, 0, tid);
      tell (story, t + 1601, "2,softirq_exit,,,,,,1,,,,,,,");
      go (story, t + 1602, 2, 0, "R", tid);
      wake (story, t + 1650, 2, tid, 11);
      go (story, t + 1650, 0, 0, "R", 11);
      go (story, t + 1660, 2, tid, "S", 0);
    }
  go (story, 10000, 0, 11, "R", 11);
  sort_story (story);
  trace = story_open (story);
  report = wait_graph_analyze (trace, "target", "app", "workers", "app", NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpstr (wait_graph_get_aside (summary, helper, "timer"), ==, "timer");
  g_assert_cmpstr (wait_graph_get_aside (summary, "A", helper), ==, "timer");
  wait_graph_assert_strings (wait_graph_get_element (summary, "bottlenecks", 0), "names", "A B");
}

static void
test_dead_end (void)
{
  assert_dead_end ("A B", 31, "other");
  assert_dead_end ("A B C", 13, "C");
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  wait_graph_fixture_init ();
  g_test_add_func ("/wait-graph/shared-disk", test_shared_disk);
  g_test_add_func ("/wait-graph/chain-outside", test_chain_outside);
  g_test_add_func ("/wait-graph/dead-end", test_dead_end);
  result = g_test_run ();
  wait_graph_fixture_clear ();
  return result;
}
