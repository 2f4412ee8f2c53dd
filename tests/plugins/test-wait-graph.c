/* test-wait-graph.c: the analysis "wait-graph" on recordings whose truth is known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)

/* The paper's motivation: A hands requests to B, which syncs each; neither they nor the disk are busy all of the time. */
static void
test_figure_1 (void)
{
  g_autoptr (TbTrace) trace = wait_graph_open_file ("wait-graph-figure-1.csv");
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *bottleneck;

  wait_graph_assert_edge (summary, "A", "B", 80 * MS, 80 * MS, 10);
  wait_graph_assert_edge (summary, "B", "disk", 100 * MS, 50 * MS, 10);
  wait_graph_assert_edge (summary, "disk", "B", 50 * MS + 1000, 50 * MS + 1000, 11);
  g_assert_cmpuint (wait_graph_count (summary, "edges"), ==, 3);
  g_assert_cmpuint (wait_graph_count (summary, "set_aside"), ==, 0);
  g_assert_cmpuint (wait_graph_count (summary, "bottlenecks"), ==, 1);
  bottleneck = wait_graph_get_element (summary, "bottlenecks", 0);
  wait_graph_assert_strings (bottleneck, "names", "B disk");
  g_assert_cmpint (json_object_get_int_member (bottleneck, "gain_upper_bound_ns"), ==, 50 * MS);
  g_assert_cmpuint (wait_graph_count (bottleneck, "edges"), ==, 2);
  g_assert_cmpuint (wait_graph_count (bottleneck, "removed"), ==, 0);
  g_assert_true (wait_graph_has_finding (report, "B (12) waits 50 ms for disk, 10 times"));
  g_assert_true (wait_graph_has_finding (report, "delays others by 100 ms"));
  g_assert_true (wait_graph_has_finding (
      report, "Ranked by waiting time alone this would come first: A (11) waits 80 ms for B (12)"));
}

/* C wakes B, B wakes A: A → B = t2 - t0, B → C = 2 (t1 - t0). */
static void
test_figure_3 (void)
{
  g_autoptr (TbTrace) trace = wait_graph_open_file ("wait-graph-figure-3.csv");
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  JsonObject *summary = wait_graph_get_summary (report);

  wait_graph_assert_edge (summary, "A", "B", 10 * MS, 10 * MS, 1);
  wait_graph_assert_edge (summary, "B", "C", 8 * MS, 4 * MS, 1);
  g_assert_cmpuint (wait_graph_count (summary, "edges"), ==, 2);
  g_assert_cmpuint (wait_graph_count (summary, "bottlenecks"), ==, 0);
  g_assert_true (wait_graph_has_finding (report, "C (13) runs 100 % of the time"));
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  wait_graph_fixture_init ();
  g_test_add_func ("/wait-graph/figure-1", test_figure_1);
  g_test_add_func ("/wait-graph/figure-3", test_figure_3);
  result = g_test_run ();
  wait_graph_fixture_clear ();
  return result;
}
