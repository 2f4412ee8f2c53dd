/* test-wait-graph-report.c: test of the figures in reports of the analysis "wait-graph"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)

static guint
find_graph_edge (TbGraphFigure *graph, const char *from, const char *to)
{
  for (guint i = 0; i < tb_graph_figure_get_n_edges (graph); i++)
    {
      const TbGraphEdge *edge = tb_graph_figure_get_edge (graph, i);

      if (g_str_equal (tb_graph_figure_get_vertex (graph, edge->from)->name, from)
          && g_str_equal (tb_graph_figure_get_vertex (graph, edge->to)->name, to))
        return i;
    }
  g_assert_not_reached ();
}

static void
assert_flame (TbReport *report, const char *figure, const char *item, const char *innermost)
{
  TbFlameFigure *flame = TB_FLAME_FIGURE (tb_report_find_figure (report, figure));
  guint root = tb_flame_figure_find_item (flame, item), leaf = root;

  g_assert_cmpuint (root, !=, TB_ID_NONE);
  g_assert_cmpuint (tb_flame_figure_get_node (flame, root)->total, ==, 80 * MS);
  g_assert_cmpuint (tb_flame_figure_get_node (flame, root)->count, ==, 10);
  /* The leaf below its function names what was done there. */
  for (guint depth = 0; depth < 3; depth++)
    leaf = tb_flame_figure_get_node (flame, leaf)->first_child;
  g_assert_cmpstr (tb_flame_figure_get_node (flame, leaf)->name, ==, innermost);
  g_assert_cmpuint (tb_flame_figure_get_node (flame, leaf)->total, ==, 80 * MS);
}

/* A waits for B at one place and is woken from one place, 80 ms in total; the first time from 2.001
 * to 10.001 ms. */
static void
assert_first_edge (TbTrace *trace, TbReport *report, TbGraphFigure *graph)
{
  guint edge = find_graph_edge (graph, "A", "B"), n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  TbGraphOccurrences occurrences;

  assert_flame (report, "waiter-stacks", tb_graph_figure_get_edge (graph, edge)->from_item,
                "enqueue");
  assert_flame (report, "waker-stacks", tb_graph_figure_get_edge (graph, edge)->to_item, "dequeue");
  g_assert_cmpstr (tb_graph_figure_get_from_flame (graph), ==, "waiter-stacks");
  g_assert_cmpstr (tb_graph_figure_get_to_flame (graph), ==, "waker-stacks");
  tb_graph_figure_get_occurrences (graph, edge, &occurrences);
  g_assert_cmpuint (occurrences.n, ==, 10);
  g_assert_cmpint (occurrences.from[0], ==, 2001000);
  g_assert_cmpint (occurrences.to[0], ==, 10001000);
  g_assert_cmpuint (occurrences.thread[0], <, n_threads);
  g_assert_cmpint (threads[occurrences.thread[0]].tid, ==, 11);
  g_assert_cmpuint (occurrences.other[0], <, n_threads);
  g_assert_cmpint (threads[occurrences.other[0]].tid, ==, 12);
  /* The device ended the wait, not the thread that ran at that time. */
  tb_graph_figure_get_occurrences (graph, find_graph_edge (graph, "B", "disk"), &occurrences);
  g_assert_cmpint (threads[occurrences.thread[0]].tid, ==, 12);
  g_assert_cmpuint (occurrences.other[0], ==, TB_ID_NONE);
}

/* Numbers of edges in total, above the threshold and in knots, and the edges of each knot: as under
 * the graph. */
static void
assert_text (const char *text)
{
  g_assert_nonnull (strstr (text, "3 edges, 3 above the threshold, 2 in knots\n"));
  g_assert_nonnull (strstr (text, "    100 ms  B → disk\n"));
  g_assert_nonnull (strstr (text, "     50 ms  disk → B (waiting for new work)\n"));
  g_assert_nonnull (strstr (text, "Knot 1: B, disk\n"));
}

/* Vertices of the knot are framed. The size of a vertex is its running time. */
static void
check_vertices (TbGraphFigure *graph, JsonObject *summary)
{
  for (guint i = 0; i < tb_graph_figure_get_n_vertices (graph); i++)
    {
      const TbGraphVertex *vertex = tb_graph_figure_get_vertex (graph, i);
      JsonObject *vertex_object = wait_graph_find_vertex (summary, vertex->name);

      g_assert_cmpuint (vertex->cluster, ==, g_str_equal (vertex->name, "A") ? TB_ID_NONE : 0);
      g_assert_cmpint ((gint64) vertex->weight, ==,
                       json_object_get_int_member (vertex_object, "running_ns"));
    }
}

static guint
find_column (TbTableFigure *table, const char *id)
{
  guint column = 0;

  while (!g_str_equal (tb_table_figure_get_column_id (table, column), id))
    column++;
  return column;
}

static void
check_rows (TbTableFigure *table)
{
  gboolean is_found = FALSE;

  for (guint row = 0; row < tb_table_figure_get_n_rows (table); row++)
    {
      if (!g_str_equal (tb_table_figure_get_text (table, row, find_column (table, "to")), "disk"))
        continue;
      is_found = TRUE;
      g_assert_cmpint (tb_table_figure_get_integer (table, row, find_column (table, "weight")), ==,
                       100 * MS);
      g_assert_cmpint (tb_table_figure_get_integer (table, row, find_column (table, "plain")), ==,
                       50 * MS);
      g_assert_cmpstr (tb_table_figure_get_text (table, row, find_column (table, "role")), ==,
                       "bottleneck");
    }
  g_assert_true (is_found);
}

/* Without wake-ups it is unknown how long a thread was runnable. */
static void
test_unknown_detail (void)
{
  g_autoptr (TbTrace) trace = story_open_lines (
      "story", "0,0,switch,0,R,1,,,,,,\n10,0,switch,1,S,0,,,,,,\n50,0,switch,0,R,1,,,,,,\n"
               "60,0,switch,1,S,0,,,,,,\n");
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  TbGraphFigure *graph = TB_GRAPH_FIGURE (tb_report_find_figure (report, "wait-graph"));

  g_assert_cmpstr (tb_graph_figure_get_vertex (graph, 0)->detail, ==,
                   "ran 33\302\240%, runnable —");
}

/* The report survives conversion to JSON and back. */
static void
test_report (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("plugins/wait-graph-figure-1.csv");
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (JsonNode) node = tb_report_to_json (report);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) again = tb_report_from_json (node, &error);
  g_autofree char *text = tb_report_to_text (report, 100);
  g_autofree char *text_again = NULL;
  TbGraphFigure *graph = TB_GRAPH_FIGURE (tb_report_find_figure (report, "wait-graph"));
  TbFlameFigure *flame;
  TbGraphOccurrences occurrences;

  g_assert_no_error (error);
  text_again = tb_report_to_text (again, 100);
  g_assert_cmpstr (text, ==, text_again);
  g_assert_cmpuint (tb_graph_figure_get_n_clusters (graph), ==, 1);
  g_assert_cmpuint (tb_graph_figure_get_whole (graph), ==, 100 * MS + 1000);
  g_assert_cmpuint (tb_graph_figure_get_threshold (graph), ==, 20 * MS + 200);
  check_vertices (graph, wait_graph_get_summary (report));
  check_rows (TB_TABLE_FIGURE (tb_report_find_figure (report, "edges")));
  for (guint i = 0; i < tb_graph_figure_get_n_edges (graph); i++)
    {
      const TbGraphEdge *edge = tb_graph_figure_get_edge (graph, i);

      tb_graph_figure_get_occurrences (graph, i, &occurrences);
      if (edge->flags & TB_EDGE_IDLE)
        {
          g_assert_cmpuint (occurrences.n, ==, 0);
          continue;
        }
      g_assert_cmpuint (occurrences.n, ==, edge->count);
      flame = TB_FLAME_FIGURE (
          tb_report_find_figure (report, tb_graph_figure_get_from_flame (graph)));
      g_assert_cmpuint (tb_flame_figure_find_item (flame, edge->from_item), !=, TB_ID_NONE);
    }
  assert_first_edge (trace, report, graph);
  assert_text (text);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/report/unknown-detail", test_unknown_detail);
  g_test_add_func ("/wait-graph/report", test_report);
  return recording_run_tests ();
}
