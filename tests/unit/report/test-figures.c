/* test-figures.c: test of histograms, heat maps and graphs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "random-figures.h"

#include "report/graph/tb-graph-scene.h"
#include "session/schema/tb-schema.h"

static void
test_round_trip (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (10);

  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (TbHistogramFigure) histogram = random_histogram (rand, i);
      g_autoptr (TbHeatmapFigure) heatmap = random_heatmap (rand, i);
      g_autoptr (TbGraphFigure) graph = random_graph (rand, i);

      assert_round_trip (TB_FIGURE (histogram));
      assert_round_trip (TB_FIGURE (heatmap));
      assert_round_trip (TB_FIGURE (graph));
    }
}

static void
test_histogram (void)
{
  g_autoptr (TbHistogramFigure) figure = tb_histogram_figure_new ("h", "fsync", "ns");
  g_autofree char *text = NULL;
  guint series;

  for (guint i = 0; i < 5; i++)
    tb_histogram_figure_add_bin (figure, 1000 * i, 1000 * (i + 1));
  series = tb_histogram_figure_add_series (figure, "all", "all");
  tb_histogram_figure_set_count (figure, series, 0, 40, 100);
  tb_histogram_figure_set_count (figure, series, 4, 1, 4500);
  tb_histogram_figure_add_mark (figure, "2", "slow", 4000, 5000);
  tb_figure_freeze (TB_FIGURE (figure));
  text = tb_figure_to_text (TB_FIGURE (figure), 38);
  g_assert_cmpstr (text, ==,
                   "fsync\n─────\n"
                   "        0 ns ████████ 40\n"
                   "           …\n"
                   "        4 µs ▏ 1  ← slow\n");
}

static void
test_uncertain (void)
{
  g_autoptr (TbHistogramFigure) figure = tb_histogram_figure_new ("h", "fsync", "ns");
  g_autofree char *text = NULL, *first = NULL, *last = NULL;
  guint series;

  for (guint i = 0; i < 3; i++)
    tb_histogram_figure_add_bin (figure, 1000 * i, 1000 * (i + 1));
  series = tb_histogram_figure_add_series (figure, "all", "all");
  for (guint i = 0; i < 3; i++)
    tb_histogram_figure_set_count (figure, series, i, 8, 1000 * i);
  tb_histogram_figure_set_uncertain (figure, 1500, "too short");
  tb_figure_freeze (TB_FIGURE (figure));
  g_assert_true (tb_histogram_figure_is_uncertain (figure, 0));
  g_assert_true (tb_histogram_figure_is_uncertain (figure, 1));
  g_assert_false (tb_histogram_figure_is_uncertain (figure, 2));
  text = tb_figure_to_text (TB_FIGURE (figure), 38);
  g_assert_cmpstr (text, ==,
                   "fsync\n─────\n"
                   "        0 ns ████████ ~8\n"
                   "        1 µs ████████ ~8\n"
                   "        2 µs ████████ 8\n"
                   "~ uncertain: too short\n");
  first = tb_histogram_figure_describe (figure, 0, 2);
  last = tb_histogram_figure_describe (figure, 2, 3);
  g_assert_nonnull (strstr (first, "uncertain: too short"));
  g_assert_null (strstr (last, "uncertain"));
}

static void
test_heatmap (void)
{
  const guint64 low[] = { 0, 1, 50, 100 };
  const guint64 high[] = { 0, 0, 0, 25 };
  g_autoptr (TbHeatmapFigure) figure = tb_heatmap_figure_new ("h", "", "calls", 0, 4000000, 4);
  g_autofree char *text = NULL;
  g_autofree char *narrow = NULL;

  tb_heatmap_figure_add_row (figure, "0", "low", low);
  tb_heatmap_figure_add_row (figure, "1", "high", high);
  tb_figure_freeze (TB_FIGURE (figure));
  text = tb_figure_to_text (TB_FIGURE (figure), 40);
  g_assert_cmpstr (text, ==,
                   "high ▏   ░▕\n"
                   " low ▏ ░▒█▕\n"
                   "4 ms; darkest: 100 calls\n");
  /* joined columns have the greatest of their values, so that rare ones stay visible */
  narrow = tb_figure_to_text (TB_FIGURE (figure), 8);
  g_assert_nonnull (strstr (narrow, "▏ ░█"));
}

static void
test_graph (void)
{
  g_autoptr (TbGraphFigure) figure = tb_graph_figure_new ("g", "", "ns");
  guint a
      = tb_graph_figure_add_vertex (figure, "1", "client", NULL, TB_VERTEX_THREAD, TB_ID_NONE, 1);
  guint b
      = tb_graph_figure_add_vertex (figure, "2", "server", NULL, TB_VERTEX_THREAD, TB_ID_NONE, 1);
  g_autofree char *text = NULL;

  tb_graph_figure_add_vertex (figure, "3", "lonely", NULL, TB_VERTEX_DEVICE, TB_ID_NONE, 1);
  tb_graph_figure_add_edge (figure, "a", a, b, 1000, 0, NULL);
  tb_graph_figure_add_edge (figure, "b", b, a, 2000000, TB_EDGE_CUT, "pipe");
  tb_figure_freeze (TB_FIGURE (figure));
  text = tb_figure_to_text (TB_FIGURE (figure), 60);
  g_assert_cmpstr (text, ==,
                   "2 edges\n"
                   "      2 ms  server → client: pipe (cut)\n"
                   "      1 µs  client → server\n"
                   "Vertices without edges: lonely\n");
}

/* Numbers of edges, of excluded edges by reason, and the vertices of each cluster. */
static void
test_graph_clusters (void)
{
  static const struct
  {
    guint from, to;
    guint64 weight;
    guint flags;
  } edges[] = { { 0, 1, 30, 0 },
                { 1, 2, 50, TB_EDGE_STRONG },
                { 2, 1, 20, TB_EDGE_STRONG | TB_EDGE_IDLE },
                { 1, 1, 10, 0 },
                { 0, 3, 40, TB_EDGE_EXCLUDED } };
  g_autoptr (TbGraphFigure) figure = tb_graph_figure_new ("g", "", "ns");
  guint knot = tb_graph_figure_add_cluster (figure, "k", "Knot 1");
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;
  g_autofree char *sentence = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (TbFigure) read = NULL;
  g_autoptr (GError) error = NULL;

  tb_graph_figure_add_vertex (figure, "a", "A", NULL, TB_VERTEX_THREAD, TB_ID_NONE, 1);
  tb_graph_figure_add_vertex (figure, "b", "B", NULL, TB_VERTEX_THREAD, knot, 1);
  tb_graph_figure_add_vertex (figure, "d", "disk", NULL, TB_VERTEX_DEVICE, knot, 1);
  tb_graph_figure_add_vertex (figure, "t", "timer", NULL, TB_VERTEX_TIMER, TB_ID_NONE, 1);
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    {
      g_autofree char *label = tb_format_duration ((gint64) edges[i].weight * 1000000);

      tb_graph_figure_add_edge (figure, label, edges[i].from, edges[i].to,
                                edges[i].weight * 1000000, edges[i].flags, label);
    }
  tb_graph_figure_set_edge_detail (figure, 0, "most of it for the lock queue_lock");
  tb_graph_figure_set_cluster_kind (figure, TB_CLUSTER_KNOT);
  tb_graph_figure_set_weight_name (figure, "limits");
  tb_graph_figure_set_threshold (figure, 20000000, 100000000);
  tb_figure_freeze (TB_FIGURE (figure));
  text = tb_figure_to_text (TB_FIGURE (figure), 72);
  g_assert_cmpstr (text, ==,
                   "5 edges, 3 above the threshold, 3 in knots\n"
                   "     50 ms  B → disk\n"
                   "     40 ms  A → timer (excluded)\n"
                   "     30 ms  A → B, most of it for the lock queue_lock\n"
                   "     20 ms  disk → B (not above the threshold, waiting for new work)\n"
                   "     10 ms  B → B (not above the threshold)\n"
                   "Knot 1: B, disk\n");
  sentence = tb_graph_figure_describe_edge (figure, 0);
  g_assert_cmpstr (sentence, ==, "A → B: 30 ms, most of it for the lock queue_lock");
  node = tb_figure_to_json (TB_FIGURE (figure));
  read = tb_figure_from_json (node, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (tb_graph_figure_get_weight_name (TB_GRAPH_FIGURE (read)), ==, "limits");
  g_assert_cmpint (tb_graph_figure_get_cluster_kind (TB_GRAPH_FIGURE (read)), ==, TB_CLUSTER_KNOT);
  again = tb_figure_to_text (read, 72);
  g_assert_cmpstr (again, ==, text);
}

/* A table may contain the items of a graph, so that both share the selection. */
static void
test_items_of (void)
{
  g_autoptr (TbTableFigure) table = tb_table_figure_new ("edges", "Edges");
  g_autoptr (TbFigure) read = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (tb_figure_get_item_owner (TB_FIGURE (table)), ==, "edges");
  tb_figure_set_item_owner (TB_FIGURE (table), "graph");
  tb_figure_freeze (TB_FIGURE (table));
  node = tb_figure_to_json (TB_FIGURE (table));
  read = tb_figure_from_json (node, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (tb_figure_get_id (read), ==, "edges");
  g_assert_cmpstr (tb_figure_get_item_owner (read), ==, "graph");
}

/* Child rows are in JSON. A text has one line for the row that they are parts of. */
static void
test_children (void)
{
  g_autoptr (TbTableFigure) table = tb_table_figure_new ("locks", "Locks");
  guint name = tb_table_figure_add_column (table, "name", "Name", TB_CELL_TEXT);
  guint wait = tb_table_figure_add_column (table, "wait", "Waited", TB_CELL_DURATION);
  g_autoptr (TbFigure) read = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *again = NULL;
  guint first;

  for (guint row = 0; row < 3; row++)
    {
      tb_table_figure_add_row (table, row == 1 ? "whole" : "single");
      tb_table_figure_set_text (table, row, name, row == 1 ? "2 locks" : "a lock");
    }
  for (guint i = 0; i < 2; i++)
    {
      guint row = tb_table_figure_add_child (table, 1, "part");

      tb_table_figure_set_text (table, row, name, "one of them");
      tb_table_figure_set_integer (table, row, wait, 1000 + i);
    }
  tb_figure_freeze (TB_FIGURE (table));
  text = tb_figure_to_text (TB_FIGURE (table), 72);
  g_assert_null (strstr (text, "one of them"));
  node = tb_figure_to_json (TB_FIGURE (table));
  read = tb_figure_from_json (node, &error);
  g_assert_no_error (error);
  again = tb_figure_to_text (read, 72);
  g_assert_cmpstr (again, ==, text);
  g_assert_cmpuint (tb_table_figure_get_n_rows (TB_TABLE_FIGURE (read)), ==, 3);
  g_assert_cmpuint (tb_table_figure_get_n_children (TB_TABLE_FIGURE (read)), ==, 2);
  g_assert_cmpuint (tb_table_figure_get_children (TB_TABLE_FIGURE (read), 0, &first), ==, 0);
  g_assert_cmpuint (tb_table_figure_get_children (TB_TABLE_FIGURE (read), 2, &first), ==, 0);
  g_assert_cmpuint (tb_table_figure_get_children (TB_TABLE_FIGURE (read), 1, &first), ==, 2);
  g_assert_cmpuint (tb_table_figure_get_children (TB_TABLE_FIGURE (read), 3, &(guint) { 0 }), ==,
                    0);
  g_assert_cmpint (tb_table_figure_get_integer (TB_TABLE_FIGURE (read), first + 1, wait), ==, 1001);

  /* A parent that does not exist, and one before that of the last child */
  for (guint i = 0; i < 2; i++)
    {
      JsonArray *children = json_object_get_array_member (json_node_get_object (node), "children");

      json_object_set_int_member (json_array_get_object_element (children, 1), "parent",
                                  i == 0 ? 3 : 0);
      g_assert_null (tb_figure_from_json (node, &error));
      g_assert_nonnull (error);
      g_clear_error (&error);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/figures/round-trip", test_round_trip);
  g_test_add_func ("/report/figures/histogram", test_histogram);
  g_test_add_func ("/report/figures/uncertain", test_uncertain);
  g_test_add_func ("/report/figures/heatmap", test_heatmap);
  g_test_add_func ("/report/figures/graph", test_graph);
  g_test_add_func ("/report/figures/graph-clusters", test_graph_clusters);
  g_test_add_func ("/report/figures/items-of", test_items_of);
  g_test_add_func ("/report/figures/children", test_children);
  return g_test_run ();
}
