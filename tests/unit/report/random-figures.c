/* random-figures.c: figures with random content
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "random-figures.h"

static const char *const words[] = {
  "main",
  "read",
  "poll",
  "",
  "näme with spaces",
  "\"quoted\" \\ back",
  "漢字",
  "a<b>&c",
  "operator()",
  "\xe2\x80\xae rtl",
};

static const char *
random_word (GRand *rand)
{
  return words[g_rand_int_range (rand, 0, G_N_ELEMENTS (words))];
}

static void
add_random_track (GRand *rand, TbTimelineFigure *figure, guint n)
{
  g_autofree gint64 *start = g_new (gint64, n + 1);
  g_autofree gint64 *end = g_new (gint64, n + 1);
  g_autofree guint8 *paint = g_new (guint8, n + 1);
  g_autoptr (GBytes) start_bytes = NULL;
  g_autoptr (GBytes) end_bytes = NULL;
  g_autoptr (GBytes) paint_bytes = NULL;
  gint64 time = g_rand_int_range (rand, 0, 100);
  guint track;

  for (guint i = 0; i < n; i++)
    {
      if (g_rand_int_range (rand, 0, 3) == 0)
        time += g_rand_int_range (rand, 0, 50);
      start[i] = time;
      time += g_rand_int_range (rand, 0, 4) == 0 ? 0 : g_rand_int_range (rand, 0, 30);
      end[i] = time;
      paint[i] = g_rand_int_range (rand, 0, TB_N_PAINTS);
    }
  start_bytes = g_bytes_new (start, n * sizeof *start);
  end_bytes = g_bytes_new (end, n * sizeof *end);
  paint_bytes = g_bytes_new (paint, n);
  track = tb_timeline_figure_add_track (figure, random_word (rand), random_word (rand),
                                        random_word (rand),
                                        g_rand_boolean (rand)
                                            ? TB_ID_NONE
                                            : (guint32) g_rand_int_range (rand, 0, 100));
  tb_timeline_figure_set_intervals (figure, track, n, start_bytes, end_bytes, paint_bytes);
}

static char *
label_interval (TbTimelineFigure *figure,
                guint track,
                gsize interval,
                gboolean long_form,
                gpointer data)
{
  return g_strdup (words[(track + interval) % G_N_ELEMENTS (words)]);
}

TbTimelineFigure *
random_timeline (GRand *rand, guint n_tracks, guint n_intervals)
{
  TbTimelineFigure *figure
      = tb_timeline_figure_new ("timeline", random_word (rand), 0, 20 * (gint64) n_intervals + 1);
  guint n_arrows = n_tracks ? g_rand_int_range (rand, 0, 100) : 0;
  g_autofree guint32 *tracks = g_new (guint32, n_arrows + 1);
  g_autofree gint64 *times = g_new (gint64, n_arrows + 1);
  g_autoptr (GBytes) track_bytes = NULL;
  g_autoptr (GBytes) time_bytes = NULL;

  for (guint i = 0; i < n_tracks; i++)
    add_random_track (rand, figure, g_rand_int_range (rand, 0, n_intervals + 1));
  for (guint i = 0; i < n_arrows; i++)
    {
      tracks[i] = g_rand_int_range (rand, 0, n_tracks);
      times[i] = (i ? times[i - 1] : 0) + g_rand_int_range (rand, 0, 10);
    }
  track_bytes = g_bytes_new (tracks, n_arrows * sizeof *tracks);
  time_bytes = g_bytes_new (times, n_arrows * sizeof *times);
  tb_timeline_figure_set_arrows (figure, n_arrows, track_bytes, time_bytes, track_bytes,
                                 time_bytes);
  for (guint i = g_rand_int_range (rand, 0, 4); i > 0; i--)
    tb_timeline_figure_add_lost (figure, n_tracks && g_rand_boolean (rand) ? 0 : TB_ID_NONE, i * 10,
                                 i * 10 + 5, i);
  if (g_rand_boolean (rand))
    tb_timeline_figure_set_label_func (figure, label_interval, NULL, NULL);
  return figure;
}

static guint
add_random_node (GRand *rand, TbFlameFigure *figure, guint parent)
{
  guint paint = g_rand_int_range (rand, 0, TB_N_FLAME_PAINTS);
  guint own = g_rand_int_range (rand, 0, 1000);
  gint64 from = g_rand_int_range (rand, 0, 100000);

  if (tb_flame_figure_get_chronological (figure, NULL, NULL))
    return tb_flame_figure_add_box (figure, parent, random_word (rand), random_word (rand), paint,
                                    from, from + g_rand_int_range (rand, 0, 2000), own);
  return tb_flame_figure_add_node (figure, parent, random_word (rand), random_word (rand), paint,
                                   own, g_rand_int_range (rand, 0, 5));
}

/* At times with everything that a flame figure can have. */
TbFlameFigure *
random_flame (GRand *rand, guint n_nodes)
{
  gboolean rich = g_rand_boolean (rand);
  TbFlameFigure *figure
      = tb_flame_figure_new ("flame", random_word (rand), g_rand_boolean (rand) ? "ns" : "samples");

  if (g_rand_boolean (rand))
    tb_flame_figure_set_chronological (figure, 0, 100000);
  if (rich)
    for (guint i = 0; i < 4; i++)
      tb_flame_figure_add_category (figure, random_word (rand), random_word (rand), i);
  for (guint i = 0; i < n_nodes; i++)
    {
      guint n = tb_flame_figure_get_n_nodes (figure);
      gboolean root = n == 0 || g_rand_int_range (rand, 0, 8) == 0;
      guint node;

      if (rich && root)
        tb_flame_figure_begin_lane (figure, random_word (rand), random_word (rand));
      node = add_random_node (rand, figure,
                              root ? TB_ID_NONE : (guint) g_rand_int_range (rand, 0, n));
      if (!rich)
        continue;
      tb_flame_figure_set_detail (figure, node, random_word (rand));
      tb_flame_figure_set_note (figure, node, random_word (rand));
      tb_flame_figure_set_thread (figure, node, g_rand_boolean (rand) ? TB_ID_NONE : i);
      tb_flame_figure_add_overhang (figure, node, g_rand_int_range (rand, 0, 50));
      tb_flame_figure_add_to_category (figure, node, g_rand_int_range (rand, 0, 4),
                                       g_rand_int_range (rand, 0, 100));
    }
  return figure;
}

TbTableFigure *
random_table (GRand *rand, guint n_rows)
{
  TbTableFigure *figure = tb_table_figure_new ("table", random_word (rand));

  for (guint type = TB_CELL_TEXT; type <= TB_CELL_BYTES; type++)
    tb_table_figure_add_column (figure, random_word (rand), random_word (rand), type);
  if (g_rand_boolean (rand))
    tb_table_figure_set_bar (figure,
                             tb_table_figure_add_column (figure, "bar", "Bar", TB_CELL_DURATION));
  if (g_rand_boolean (rand))
    tb_table_figure_set_histogram (figure,
                                   tb_table_figure_add_column (figure, "counted", "Counted",
                                                               TB_CELL_DURATION),
                                   random_word (rand));
  for (guint i = 0; i < n_rows; i++)
    {
      guint row = tb_table_figure_add_row (figure, random_word (rand));

      if (g_rand_boolean (rand))
        tb_table_figure_set_paint (figure, row, g_rand_int_range (rand, 0, TB_N_FLAME_PAINTS));

      for (guint column = 0; column <= TB_CELL_BYTES; column++)
        if (g_rand_int_range (rand, 0, 4) == 0)
          continue;
        else if (column == TB_CELL_TEXT)
          {
            double low = g_rand_double_range (rand, -1e9, 1e9);

            tb_table_figure_set_text (figure, row, column, random_word (rand));
            if (g_rand_boolean (rand))
              tb_table_figure_set_measure (
                  figure, row, column, g_rand_int_range (rand, TB_CELL_COUNT, TB_CELL_BYTES + 1),
                  low, g_rand_boolean (rand) ? low : low + g_rand_double (rand));
          }
        else if (column == TB_CELL_SHARE)
          tb_table_figure_set_double (figure, row, column, g_rand_double (rand));
        else
          tb_table_figure_set_integer (figure, row, column,
                                       (gint64) g_rand_int (rand)
                                           * g_rand_int_range (rand, -1000, 1000000));
    }
  return figure;
}

TbHistogramFigure *
random_histogram (GRand *rand, guint n_bins)
{
  TbHistogramFigure *figure = tb_histogram_figure_new ("histogram", random_word (rand),
                                                       g_rand_boolean (rand) ? "ns" : "bytes");
  gint64 from = g_rand_int_range (rand, 0, 100);
  guint n_series = g_rand_int_range (rand, 1, 3);

  tb_histogram_figure_set_logarithmic (figure, g_rand_boolean (rand));
  for (guint i = 0; i < n_bins; i++)
    {
      gint64 to = from + g_rand_int_range (rand, 1, 1000000);

      tb_histogram_figure_add_bin (figure, from, to);
      from = to + g_rand_int_range (rand, 0, 2);
    }
  for (guint i = 0; i < n_series; i++)
    {
      guint series
          = tb_histogram_figure_add_series (figure, random_word (rand), random_word (rand));

      for (guint bin = 0; bin < n_bins; bin++)
        tb_histogram_figure_set_count (figure, series, bin,
                                       g_rand_boolean (rand) ? 0 : g_rand_int_range (rand, 0, 100),
                                       g_rand_boolean (rand) ? G_MAXUINT64 : g_rand_int (rand));
    }
  tb_histogram_figure_add_mark (figure, "1", random_word (rand), 50, 500000);
  if (g_rand_boolean (rand))
    tb_histogram_figure_set_uncertain (figure, g_rand_int_range (rand, -10, 500000),
                                       random_word (rand));
  return figure;
}

TbHeatmapFigure *
random_heatmap (GRand *rand, guint n_rows)
{
  guint n_columns = g_rand_int_range (rand, 0, 200);
  TbHeatmapFigure *figure
      = tb_heatmap_figure_new ("heatmap", random_word (rand), "calls", 5, 1000000, n_columns);
  g_autofree guint64 *values = g_new0 (guint64, n_columns + 1);

  if (g_rand_boolean (rand))
    tb_heatmap_figure_set_axis_titles (figure, random_word (rand),
                                       g_rand_boolean (rand) ? random_word (rand) : NULL);
  for (guint i = 0; i < n_rows; i++)
    {
      for (guint column = 0; column < n_columns; column++)
        values[column] = g_rand_boolean (rand) ? 0 : g_rand_int_range (rand, 0, 100);
      tb_heatmap_figure_add_row (figure, random_word (rand), random_word (rand), values);
      if (n_columns > 0 && g_rand_boolean (rand))
        {
          guint n = g_rand_int_range (rand, 1, n_columns + 1);

          tb_heatmap_figure_set_numbering (figure, i, g_rand_int_range (rand, 0, n), n);
        }
    }
  return figure;
}

static void
add_random_occurrences (TbGraphFigure *figure, GRand *rand)
{
  GArray *columns[] = {
    g_array_new (FALSE, FALSE, sizeof (guint32)), g_array_new (FALSE, FALSE, sizeof (gint64)),
    g_array_new (FALSE, FALSE, sizeof (gint64)),  g_array_new (FALSE, FALSE, sizeof (guint32)),
    g_array_new (FALSE, FALSE, sizeof (guint32)),
  };
  GBytes *bytes[G_N_ELEMENTS (columns)];

  for (guint32 edge = 0; edge < tb_graph_figure_get_n_edges (figure); edge++)
    {
      gint64 from = 0;

      for (guint i = g_rand_int_range (rand, 0, 20); i > 0; i--)
        {
          gint64 to = (from += g_rand_int_range (rand, 0, 9)) + g_rand_int_range (rand, 0, 9);
          guint32 thread
              = g_rand_boolean (rand) ? (guint32) g_rand_int_range (rand, 0, 9) : TB_ID_NONE;

          g_array_append_val (columns[0], edge);
          g_array_append_val (columns[1], from);
          g_array_append_val (columns[2], to);
          g_array_append_val (columns[3], thread);
          g_array_append_val (columns[4], thread);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    bytes[i] = g_bytes_new_take (columns[i]->data,
                                 (gsize) columns[i]->len * g_array_get_element_size (columns[i]));
  tb_graph_figure_set_occurrences (figure, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4]);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_array_free (columns[i], FALSE);
      g_bytes_unref (bytes[i]);
    }
}

TbGraphFigure *
random_graph (GRand *rand, guint n_vertices)
{
  TbGraphFigure *figure = tb_graph_figure_new ("graph", random_word (rand), "ns");

  tb_graph_figure_add_cluster (figure, "0", random_word (rand));
  if (g_rand_boolean (rand))
    tb_graph_figure_set_cluster_muted (figure, 0);
  if (g_rand_boolean (rand))
    tb_graph_figure_set_cluster_kind (figure, TB_CLUSTER_KNOT);
  tb_graph_figure_set_weight_name (figure, g_rand_boolean (rand) ? "limits" : "weight");
  tb_graph_figure_set_flames (figure, random_word (rand), random_word (rand));
  tb_graph_figure_set_threshold (figure, g_rand_int (rand), g_rand_int (rand));
  for (guint i = 0; i < n_vertices; i++)
    tb_graph_figure_add_vertex (figure, random_word (rand), random_word (rand), random_word (rand),
                                g_rand_int_range (rand, 0, TB_N_VERTEX_KINDS),
                                g_rand_boolean (rand) ? 0 : TB_ID_NONE, g_rand_int (rand));
  for (guint i = 0; i < 2 * n_vertices; i++)
    {
      guint edge
          = tb_graph_figure_add_edge (figure, random_word (rand),
                                      g_rand_int_range (rand, 0, n_vertices),
                                      g_rand_int_range (rand, 0, n_vertices), g_rand_int (rand),
                                      g_rand_int_range (rand, 0, 32), random_word (rand));

      tb_graph_figure_set_edge_values (figure, edge,
                                       g_rand_boolean (rand) ? g_rand_int (rand) : G_MAXUINT64,
                                       g_rand_int (rand), g_rand_int (rand));
      if (g_rand_boolean (rand))
        tb_graph_figure_set_edge_detail (figure, edge, random_word (rand));
      tb_graph_figure_set_edge_items (figure, edge, random_word (rand), random_word (rand));
    }
  add_random_occurrences (figure, rand);
  return figure;
}

TbReport *
random_report (GRand *rand)
{
  TbReport *report = tb_report_new ("random", random_word (rand), 100, 100000);
  JsonObject *summary = json_object_new ();

  json_object_set_int_member (summary, "answer", g_rand_int (rand));
  tb_report_set_summary (report, json_node_init_object (json_node_alloc (), summary));
  json_object_unref (summary);
  tb_report_set_option (report, "threshold",
                        json_node_init_double (json_node_alloc (), g_rand_double (rand)));
  if (g_rand_boolean (rand))
    tb_report_set_headline (report, random_word (rand));
  if (g_rand_boolean (rand))
    tb_report_set_uncertainty (report, g_rand_int (rand), TB_TIME_NONE);
  tb_report_add_warning (report, random_word (rand));
  for (guint i = g_rand_int_range (rand, 0, 8); i > 0; i--)
    {
      TbFinding *finding
          = tb_finding_new (g_rand_int_range (rand, 0, 4), random_word (rand),
                            g_rand_int_range (rand, -5, 100), g_rand_boolean (rand) ? NAN : 0.5);

      if (g_rand_boolean (rand))
        tb_finding_set_code (finding, g_rand_boolean (rand) ? "disk-wait" : "oversleep");
      if (g_rand_boolean (rand))
        tb_finding_set_time (finding, "wait_ns", g_rand_int_range (rand, -1, 100));
      if (g_rand_boolean (rand))
        tb_finding_set_number (finding, "share",
                               g_rand_boolean (rand) ? NAN : g_rand_double (rand));
      if (g_rand_boolean (rand))
        tb_finding_set_string (finding, "thread", random_word (rand));
      if (g_rand_boolean (rand))
        tb_finding_set_range (finding, i, 2 * i);
      if (g_rand_boolean (rand))
        tb_finding_set_stack (finding, (const char *const[]) { "main", "läuft", NULL });
      tb_finding_add_thread (finding, i);
      tb_finding_set_place (finding, "table", g_rand_boolean (rand) ? "1" : NULL);
      tb_report_add_finding (report, finding);
    }
  tb_report_add_figure (report, TB_FIGURE (random_timeline (rand, 5, 40)));
  tb_report_add_figure (report, TB_FIGURE (random_flame (rand, 60)));
  tb_report_add_figure (report, TB_FIGURE (random_table (rand, 10)));
  tb_report_add_figure (report, TB_FIGURE (random_histogram (rand, 20)));
  tb_report_add_figure (report, TB_FIGURE (random_heatmap (rand, 8)));
  tb_report_add_figure (report, TB_FIGURE (random_graph (rand, 12)));
  return report;
}

char *
json_to_text (JsonNode *node)
{
  g_autoptr (JsonNode) owned = node;

  return json_to_string (owned, FALSE);
}

void
assert_round_trip (TbFigure *figure)
{
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;
  g_autofree char *rendered = NULL;
  g_autofree char *rendered_again = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (TbFigure) read = NULL;
  g_autoptr (GError) error = NULL;

  tb_figure_freeze (figure);
  text = json_to_text (tb_figure_to_json (figure));
  node = json_from_string (text, &error);
  g_assert_no_error (error);
  read = tb_figure_from_json (node, &error);
  g_assert_no_error (error);
  again = json_to_text (tb_figure_to_json (read));
  g_assert_true (g_str_equal (text, again));
  rendered = tb_figure_to_text (figure, 80);
  rendered_again = tb_figure_to_text (read, 80);
  if (!g_str_equal (rendered, rendered_again))
    g_error ("%s\n--- became ---\n%s", rendered, rendered_again);
}
