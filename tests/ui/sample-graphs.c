/* sample-graphs.c: sample graphs for inspection and tests
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/tb-report.h"
#include "sample-figures.h"
#include "session/schema/tb-schema.h"

#define SECOND (1000 * SAMPLE_MS)

static guint
add_vertex (TbGraphFigure *figure,
            const char *name,
            TbVertexKind kind,
            guint32 cluster,
            double seconds)
{
  g_autofree char *id = g_strdup_printf ("v%u", tb_graph_figure_get_n_vertices (figure));
  g_autofree char *share = tb_format_share (seconds / 90);
  g_autofree char *detail
      = kind == TB_VERTEX_TIMER
            ? NULL
            : g_strdup_printf (kind == TB_VERTEX_DEVICE ? "busy %s" : "ran %s", share);

  return tb_graph_figure_add_vertex (figure, id, name, detail, kind, cluster,
                                     (guint64) (seconds * SECOND));
}

static guint
add_edge (TbGraphFigure *figure, guint from, guint to, double seconds, guint flags)
{
  guint64 weight = (guint64) (seconds * SECOND);
  g_autofree char *id = g_strdup_printf ("%u>%u", from, to);
  g_autofree char *label = tb_format_duration ((gint64) weight);
  guint edge = tb_graph_figure_add_edge (figure, id, from, to, weight, flags, label);

  tb_graph_figure_set_edge_values (figure, edge, weight * 4 / 5, 1 + weight / (5 * SAMPLE_MS),
                                   weight / 50);
  return edge;
}

/* Adds some occurrences of each edge, the first at SAMPLE_START. */
static void
add_occurrences (TbGraphFigure *figure, guint each)
{
  guint n_edges = tb_graph_figure_get_n_edges (figure);
  gsize n = (gsize) n_edges * each, size = MAX (n, 1);
  guint32 *edges = g_new (guint32, size), *thread = g_new (guint32, size),
          *other = g_new (guint32, size);
  gint64 *from = g_new (gint64, size), *to = g_new (gint64, size);
  g_autoptr (GBytes) edge_bytes = g_bytes_new_take (edges, n * sizeof *edges);
  g_autoptr (GBytes) from_bytes = g_bytes_new_take (from, n * sizeof *from);
  g_autoptr (GBytes) to_bytes = g_bytes_new_take (to, n * sizeof *to);
  g_autoptr (GBytes) thread_bytes = g_bytes_new_take (thread, n * sizeof *thread);
  g_autoptr (GBytes) other_bytes = g_bytes_new_take (other, n * sizeof *other);

  for (gsize i = 0; i < n; i++)
    {
      edges[i] = (guint32) (i / each);
      from[i] = SAMPLE_START + (gint64) (i % each) * 20 * SAMPLE_MS + (gint64) edges[i] * SAMPLE_MS;
      to[i] = from[i] + (gint64) (1 + i % 7) * SAMPLE_MS;
      thread[i] = 10;
      other[i] = 12;
    }
  tb_graph_figure_set_occurrences (figure, edge_bytes, from_bytes, to_bytes, thread_bytes,
                                   other_bytes);
}

/* A server whose log waits for a disk: a knot of three vertices, the vertices it delays, and
 * vertices that wait for work. */
TbGraphFigure *
sample_graph (void)
{
  TbGraphFigure *figure = tb_graph_figure_new ("graph", "Graph of waits", "ns");
  guint knot = tb_graph_figure_add_cluster (figure, "knot:1", "Knot 1");
  guint workers = add_vertex (figure, "NIO worker ×4", TB_VERTEX_MERGED, TB_ID_NONE, 64);
  guint commit = add_vertex (figure, "Commit", TB_VERTEX_THREAD, TB_ID_NONE, 11);
  guint final = add_vertex (figure, "Final", TB_VERTEX_THREAD, TB_ID_NONE, 8);
  guint preparer = add_vertex (figure, "Preparer", TB_VERTEX_THREAD, TB_ID_NONE, 5);
  guint network = add_vertex (figure, "network eth0", TB_VERTEX_NETWORK, TB_ID_NONE, 28);
  guint sync = add_vertex (figure, "SyncThread", TB_VERTEX_THREAD, knot, 7);
  guint disk = add_vertex (figure, "vda", TB_VERTEX_DEVICE, knot, 58);
  guint journal = add_vertex (figure, "jbd2/vda-8", TB_VERTEX_THREAD, knot, 3);
  guint timer = add_vertex (figure, "timer", TB_VERTEX_TIMER, TB_ID_NONE, 0);

  tb_graph_figure_set_cluster_kind (figure, TB_CLUSTER_KNOT);
  tb_graph_figure_set_threshold (figure, 18 * SECOND, 90 * SECOND);
  add_edge (figure, sync, disk, 71, TB_EDGE_STRONG);
  add_edge (figure, journal, disk, 52, TB_EDGE_STRONG);
  add_edge (figure, commit, sync, 43, 0);
  add_edge (figure, sync, journal, 38, TB_EDGE_STRONG);
  add_edge (figure, workers, network, 26, 0);
  add_edge (figure, workers, commit, 24, 0);
  add_edge (figure, disk, sync, 22, TB_EDGE_STRONG | TB_EDGE_IDLE);
  add_edge (figure, commit, final, 19, 0);
  add_edge (figure, disk, journal, 18.5, TB_EDGE_STRONG | TB_EDGE_IDLE);
  add_edge (figure, network, workers, 9, TB_EDGE_IDLE);
  add_edge (figure, sync, preparer, 6, TB_EDGE_CUT);
  add_edge (figure, preparer, workers, 4, 0);
  add_edge (figure, final, commit, 2, 0);
  add_edge (figure, workers, workers, 20, 0);
  add_edge (figure, preparer, timer, 3, TB_EDGE_EXCLUDED);
  add_occurrences (figure, 9);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* The edges of the sample in a table, with the same items. */
TbTableFigure *
sample_graph_edges (void)
{
  g_autoptr (TbGraphFigure) graph = sample_graph ();
  TbTableFigure *table = tb_table_figure_new ("edges", "Waits");
  guint from = tb_table_figure_add_column (table, "from", "Waiter", TB_CELL_TEXT);
  guint to = tb_table_figure_add_column (table, "to", "Waits for", TB_CELL_TEXT);
  guint weight = tb_table_figure_add_column (table, "weight", "Delays by", TB_CELL_DURATION);
  guint plain = tb_table_figure_add_column (table, "plain", "Waits", TB_CELL_DURATION);

  for (guint i = 0; i < tb_graph_figure_get_n_edges (graph); i++)
    {
      const TbGraphEdge *edge = tb_graph_figure_get_edge (graph, i);
      guint row = tb_table_figure_add_row (table, edge->id);

      tb_table_figure_set_text (table, row, from,
                                tb_graph_figure_get_vertex (graph, edge->from)->name);
      tb_table_figure_set_text (table, row, to, tb_graph_figure_get_vertex (graph, edge->to)->name);
      tb_table_figure_set_integer (table, row, weight, (gint64) edge->weight);
      tb_table_figure_set_integer (table, row, plain, (gint64) edge->plain);
    }
  tb_figure_set_item_owner (TB_FIGURE (table), "graph");
  tb_figure_freeze (TB_FIGURE (table));
  return table;
}

TbGraphFigure *
sample_graph_long_names (void)
{
  TbGraphFigure *figure = tb_graph_figure_new ("graph", "Graph of waits", "ns");
  guint knot = tb_graph_figure_add_cluster (
      figure, "knot:1", "A knot of whatever handles requests, and of the disk of the volume");
  guint a = add_vertex (figure, "org.apache.zookeeper.server.NIOServerCnxnFactory$SelectorThread-0",
                        TB_VERTEX_THREAD, TB_ID_NONE, 20);
  guint b = add_vertex (figure,
                        "<b>org.example.Überlänge & 漢字 مرحبا ‮rtl‬\nsecond line</b>",
                        TB_VERTEX_THREAD, knot, 10);
  guint c = add_vertex (figure, "dm-3 (/dev/mapper/vg_data-lv_with_a_very_long_name)",
                        TB_VERTEX_DEVICE, knot, 50);
  guint d = add_vertex (figure, "", TB_VERTEX_OTHER, TB_ID_NONE, 0);

  add_edge (figure, a, b, 12, 0);
  add_edge (figure, b, c, 40, TB_EDGE_STRONG);
  add_edge (figure, c, b, 20, TB_EDGE_STRONG | TB_EDGE_IDLE);
  add_edge (figure, b, b, 8, TB_EDGE_STRONG);
  add_edge (figure, a, d, 3, 0);
  tb_graph_figure_set_threshold (figure, SECOND, 90 * SECOND);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbGraphFigure *
sample_graph_empty (void)
{
  TbGraphFigure *figure = tb_graph_figure_new ("graph", "Graph of waits", "ns");

  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* A single vertex, with or without an edge to itself. */
TbGraphFigure *
sample_graph_one (gboolean with_loop)
{
  TbGraphFigure *figure = tb_graph_figure_new ("graph", "Graph of waits", "ns");
  guint32 knot = with_loop ? tb_graph_figure_add_cluster (figure, "knot:1", "Knot 1") : TB_ID_NONE;
  guint vertex = add_vertex (figure, "handler ×8", TB_VERTEX_MERGED, knot, 30);

  if (with_loop)
    add_edge (figure, vertex, vertex, 60, TB_EDGE_STRONG);
  tb_graph_figure_set_threshold (figure, 18 * SECOND, 90 * SECOND);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* Few edges are heavy, as in the waits of real programs; from a fixed seed. */
TbGraphFigure *
sample_graph_random (guint n_vertices, guint n_edges)
{
  static const TbVertexKind kinds[]
      = { TB_VERTEX_THREAD, TB_VERTEX_THREAD,  TB_VERTEX_THREAD, TB_VERTEX_DEVICE,
          TB_VERTEX_MERGED, TB_VERTEX_NETWORK, TB_VERTEX_THREAD };
  TbGraphFigure *figure = tb_graph_figure_new ("graph", "Graph of waits", "ns");
  g_autoptr (GRand) rand = g_rand_new_with_seed (4711);
  guint knot = tb_graph_figure_add_cluster (figure, "knot:1", "Knot 1");

  for (guint i = 0; i < n_vertices; i++)
    {
      g_autofree char *name = g_strdup_printf ("worker-%u", i);

      add_vertex (figure, name, kinds[i % G_N_ELEMENTS (kinds)],
                  i >= 5 && i < 9 ? knot : TB_ID_NONE, g_rand_double_range (rand, 0, 10));
    }
  for (guint i = 0; i < n_edges; i++)
    {
      double draw = g_rand_double_range (rand, 0, 1);
      guint to = (guint) (draw * draw * draw * n_vertices);

      add_edge (figure,
                i < n_vertices ? i : (guint) g_rand_int_range (rand, 0, (gint32) n_vertices), to,
                .01 + 60 * draw * draw * g_rand_double_range (rand, 0, 1), 0);
    }
  tb_graph_figure_set_threshold (figure, 18 * SECOND, 90 * SECOND);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}
