/* tb-figure-table.c: conversion of a figure of any kind into a table with a row for each item
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-figure-table.h"
#include "report/flame/tb-flame-figure.h"
#include "report/graph/tb-graph-figure.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/histogram/tb-histogram-figure.h"
#include "report/timeline/tb-timeline-figure.h"

/* Maximum number of rows of a table that is made from a figure. */
#define ROWS_MAX 100000

static gint64
clamp_weight (guint64 weight)
{
  return (gint64) MIN (weight, (guint64) G_MAXINT64);
}

static TbCellType
get_cell_type (const char *unit)
{
  return strcmp (unit, "ns") == 0      ? TB_CELL_DURATION
         : strcmp (unit, "bytes") == 0 ? TB_CELL_BYTES
                                       : TB_CELL_COUNT;
}

/* Timeline: time of each track in each state */

static guint32
sum_tracks (TbTimelineFigure *figure, TbTimelineCoverage *sums)
{
  guint32 present = 0;
  gint64 from, to;

  tb_timeline_figure_get_range (figure, &from, &to);
  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (figure); i++)
    {
      tb_timeline_figure_get_coverage (figure, i, from, to, &sums[i]);
      present |= sums[i].present;
    }
  return present;
}

static void
fill_from_timeline (TbTableFigure *table, TbTimelineFigure *figure)
{
  guint n = tb_timeline_figure_get_n_tracks (figure);
  g_autofree TbTimelineCoverage *sums = g_new (TbTimelineCoverage, MAX (n, 1));
  guint32 present = sum_tracks (figure, sums);
  guint columns[TB_N_PAINTS] = { 0 }, intervals;

  tb_table_figure_add_column (table, "group", _ ("Group"), TB_CELL_TEXT);
  tb_table_figure_add_column (table, "track", _ ("Track"), TB_CELL_TEXT);
  for (guint paint = 1; paint < TB_N_PAINTS; paint++)
    if (present & 1u << paint)
      {
        g_autofree char *id = g_strconcat (tb_paint_get_name (paint), "_ns", NULL);

        columns[paint]
            = tb_table_figure_add_column (table, id, tb_paint_get_label (paint), TB_CELL_DURATION);
      }
  intervals = tb_table_figure_add_column (table, "intervals", _ ("Intervals"), TB_CELL_COUNT);
  for (guint i = 0; i < MIN (n, ROWS_MAX); i++)
    {
      TbTimelineTrack track;
      guint row;

      tb_timeline_figure_get_track (figure, i, &track);
      row = tb_table_figure_add_row (table, track.id);
      tb_table_figure_set_text (table, row, 0, track.group);
      tb_table_figure_set_text (table, row, 1, track.name);
      for (guint paint = 1; paint < TB_N_PAINTS; paint++)
        if (columns[paint] != 0)
          tb_table_figure_set_integer (table, row, columns[paint], sums[i].ns[paint]);
      tb_table_figure_set_integer (table, row, intervals, (gint64) track.n);
    }
}

/* Flame: boxes, the widest first */

static int
compare_totals (gconstpointer a, gconstpointer b, gpointer data)
{
  guint64 first = tb_flame_figure_get_node (data, *(const guint *) a)->total;
  guint64 second = tb_flame_figure_get_node (data, *(const guint *) b)->total;

  if (first != second)
    return first < second ? 1 : -1;
  return *(const guint *) a < *(const guint *) b ? -1 : 1;
}

static void
fill_from_flame (TbTableFigure *table, TbFlameFigure *figure)
{
  TbCellType type = get_cell_type (tb_flame_figure_get_unit (figure));
  double whole = (double) MAX (tb_flame_figure_get_total (figure), 1);
  guint n = tb_flame_figure_get_n_nodes (figure);
  g_autofree guint *order = g_new (guint, MAX (n, 1));

  tb_table_figure_add_column (table, "name", _ ("Name"), TB_CELL_TEXT);
  tb_table_figure_add_column (table, "module", _ ("Module"), TB_CELL_TEXT);
  tb_table_figure_add_column (table, "kind", _ ("Kind"), TB_CELL_TEXT);
  tb_table_figure_add_column (table, "depth", _ ("Depth"), TB_CELL_COUNT);
  tb_table_figure_add_column (table, "total", _ ("Total"), type);
  tb_table_figure_add_column (table, "own", _ ("Self"), type);
  tb_table_figure_add_column (table, "share", _ ("Share"), TB_CELL_SHARE);
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_sort_array (order, n, sizeof *order, compare_totals, figure);
  for (guint i = 0; i < MIN (n, ROWS_MAX); i++)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (figure, order[i]);
      g_autofree char *item = tb_flame_figure_get_item (figure, order[i]);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, 0, node->name);
      tb_table_figure_set_text (table, row, 1, node->module);
      tb_table_figure_set_text (table, row, 2, tb_flame_paint_get_label (node->paint));
      tb_table_figure_set_integer (table, row, 3, node->depth);
      tb_table_figure_set_integer (table, row, 4, clamp_weight (node->total));
      tb_table_figure_set_integer (table, row, 5, clamp_weight (node->own));
      tb_table_figure_set_double (table, row, 6, (double) node->total / whole);
    }
}

/* Histogram: bins */

static void
fill_from_histogram (TbTableFigure *table, TbHistogramFigure *figure)
{
  guint n_series = tb_histogram_figure_get_n_series (figure);
  TbCellType type = get_cell_type (tb_histogram_figure_get_unit (figure));

  tb_table_figure_add_column (table, "from", C_ ("range", "From"), type);
  tb_table_figure_add_column (table, "to", C_ ("range", "To"), type);
  for (guint i = 0; i < n_series; i++)
    tb_table_figure_add_column (table, tb_histogram_figure_get_series_id (figure, i),
                                n_series > 1 ? tb_histogram_figure_get_series_name (figure, i)
                                             : _ ("Count"),
                                TB_CELL_COUNT);
  for (guint bin = 0; bin < tb_histogram_figure_get_n_bins (figure); bin++)
    {
      const TbHistogramBin *bounds = tb_histogram_figure_get_bin (figure, bin);
      g_autofree char *item = g_strdup_printf ("bin-%u", bin);
      guint row;

      for (guint i = 0; i < tb_histogram_figure_get_n_marks (figure); i++)
        {
          const TbHistogramMark *mark = tb_histogram_figure_get_mark (figure, i);

          if (mark->from < bounds->to && mark->to > bounds->from)
            g_set_str (&item, mark->item);
        }
      row = tb_table_figure_add_row (table, item);
      tb_table_figure_set_integer (table, row, 0, bounds->from);
      tb_table_figure_set_integer (table, row, 1, bounds->to);
      for (guint i = 0; i < n_series; i++)
        tb_table_figure_set_integer (table, row, 2 + i,
                                     clamp_weight (tb_histogram_figure_get_count (figure, i, bin)));
    }
}

/* Heat map: cells that are not 0 */

static void
fill_from_heatmap (TbTableFigure *table, TbHeatmapFigure *figure)
{
  guint n_columns = tb_heatmap_figure_get_n_columns (figure);
  gboolean is_signed = tb_heatmap_figure_is_signed (figure);
  gboolean has_names = n_columns > 0 && tb_heatmap_figure_get_column_label (figure, 0) != NULL;
  const char *row_title = tb_heatmap_figure_get_row_title (figure);
  const char *column_title = tb_heatmap_figure_get_column_title (figure);
  guint value_column;

  tb_table_figure_add_column (table, "row", row_title != NULL ? row_title : _ ("Row"),
                              TB_CELL_TEXT);
  if (has_names)
    tb_table_figure_add_column (table, "column", column_title != NULL ? column_title : _ ("Column"),
                                TB_CELL_TEXT);
  else
    {
      tb_table_figure_add_column (table, "from_ns", C_ ("range", "From"), TB_CELL_TIME);
      tb_table_figure_add_column (table, "to_ns", C_ ("range", "To"), TB_CELL_TIME);
    }
  value_column = tb_table_figure_add_column (table, "value", _ ("Value"),
                                             get_cell_type (tb_heatmap_figure_get_unit (figure)));
  for (guint i = tb_heatmap_figure_get_n_rows (figure); i > 0; i--)
    for (guint column = 0; column < n_columns; column++)
      {
        gint64 value = is_signed ? tb_heatmap_figure_get_signed_row (figure, i - 1)[column]
                                 : clamp_weight (tb_heatmap_figure_get_row (figure, i - 1)[column]);
        g_autofree char *item = NULL;
        gint64 from, to;
        guint row;

        if (value == 0 || tb_table_figure_get_n_rows (table) >= ROWS_MAX)
          continue;
        item = tb_heatmap_figure_get_item (figure, i - 1, column);
        row = tb_table_figure_add_row (table, item);
        tb_table_figure_set_text (table, row, 0, tb_heatmap_figure_get_row_label (figure, i - 1));
        if (has_names)
          tb_table_figure_set_text (table, row, 1,
                                    tb_heatmap_figure_get_column_label (figure, column));
        else
          {
            tb_heatmap_figure_get_column_range (figure, column, &from, &to);
            tb_table_figure_set_integer (table, row, 1, from);
            tb_table_figure_set_integer (table, row, 2, to);
          }
        tb_table_figure_set_integer (table, row, value_column, value);
      }
}

/* Graph: edges */

static void
fill_from_graph (TbTableFigure *table, TbGraphFigure *figure)
{
  TbCellType type = get_cell_type (tb_graph_figure_get_unit (figure));
  guint n = MIN (tb_graph_figure_get_n_edges (figure), ROWS_MAX);

  tb_table_figure_add_column (table, "from", C_ ("edge", "From"), TB_CELL_TEXT);
  tb_table_figure_add_column (table, "to", C_ ("edge", "To"), TB_CELL_TEXT);
  tb_table_figure_add_column (table, "weight", _ ("Weight"), type);
  tb_table_figure_add_column (table, "plain", _ ("Plain Weight"), type);
  tb_table_figure_add_column (table, "count", _ ("Count"), TB_CELL_COUNT);
  tb_table_figure_add_column (table, "longest", _ ("Longest"), type);
  tb_table_figure_add_column (table, "label", _ ("Label"), TB_CELL_TEXT);
  for (guint i = 0; i < n; i++)
    {
      const TbGraphEdge *edge = tb_graph_figure_get_edge (figure, i);
      guint row = tb_table_figure_add_row (table, edge->id);

      tb_table_figure_set_text (table, row, 0,
                                tb_graph_figure_get_vertex (figure, edge->from)->name);
      tb_table_figure_set_text (table, row, 1, tb_graph_figure_get_vertex (figure, edge->to)->name);
      tb_table_figure_set_integer (table, row, 2, clamp_weight (edge->weight));
      if (edge->plain != G_MAXUINT64)
        tb_table_figure_set_integer (table, row, 3, clamp_weight (edge->plain));
      if (edge->count > 0)
        {
          tb_table_figure_set_integer (table, row, 4, clamp_weight (edge->count));
          tb_table_figure_set_integer (table, row, 5, clamp_weight (edge->longest));
        }
      tb_table_figure_set_text (table, row, 6, edge->label);
    }
}

/**
 * tb_figure_to_table:
 * @figure: a frozen figure of any kind
 *
 * The contents of the figure as rows: the tracks of a timeline with their time in each state, the
 * boxes of a flame (widest first), the bins of a histogram, the cells of a heat map, the edges of a
 * graph. Rows have the items of the figure, so that a selection in one is shown in the other. The
 * table has at most 100 000 rows. For large figures this can take long: call it in a thread.
 *
 * Returns: (transfer full): a frozen table with the figure's id and title; the figure itself if it
 *   is a table
 */
TbTableFigure *
tb_figure_to_table (TbFigure *figure)
{
  TbTableFigure *table;

  g_return_val_if_fail (TB_IS_FIGURE (figure) && tb_figure_is_frozen (figure), NULL);

  if (TB_IS_TABLE_FIGURE (figure))
    return g_object_ref (TB_TABLE_FIGURE (figure));
  table = tb_table_figure_new (tb_figure_get_id (figure), tb_figure_get_title (figure));
  tb_figure_set_item_owner (TB_FIGURE (table), tb_figure_get_item_owner (figure));
  tb_figure_set_origin (TB_FIGURE (table), tb_figure_get_origin (figure));
  if (TB_IS_TIMELINE_FIGURE (figure))
    fill_from_timeline (table, TB_TIMELINE_FIGURE (figure));
  else if (TB_IS_FLAME_FIGURE (figure))
    fill_from_flame (table, TB_FLAME_FIGURE (figure));
  else if (TB_IS_HISTOGRAM_FIGURE (figure))
    fill_from_histogram (table, TB_HISTOGRAM_FIGURE (figure));
  else if (TB_IS_HEATMAP_FIGURE (figure))
    fill_from_heatmap (table, TB_HEATMAP_FIGURE (figure));
  else if (TB_IS_GRAPH_FIGURE (figure))
    fill_from_graph (table, TB_GRAPH_FIGURE (figure));
  tb_figure_freeze (TB_FIGURE (table));
  return table;
}
