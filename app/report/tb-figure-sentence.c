/* tb-figure-sentence.c: sentence about one item of a figure, and the short name of the item
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "report/tb-figure-table.h"
#include "report/flame/tb-flame-figure.h"
#include "report/graph/tb-graph-figure.h"
#include "report/graph/tb-graph-scene.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/histogram/tb-histogram-figure.h"
#include "report/tb-report.h"
#include "report/timeline/tb-timeline-figure.h"

static char *
describe_node (TbFlameFigure *figure, const char *item)
{
  guint index = tb_flame_figure_find_item (figure, item);
  const TbFlameNode *node = index != TB_ID_NONE ? tb_flame_figure_get_node (figure, index) : NULL;
  const char *unit = tb_flame_figure_get_unit (figure);
  gboolean is_time = strcmp (unit, "ns") == 0;
  g_autofree char *total = NULL, *own = NULL, *share = NULL, *name = NULL;

  if (node == NULL)
    return NULL;
  total = tb_format_amount (node->total, unit);
  own = tb_format_amount (node->own, unit);
  share = tb_format_share ((double) node->total
                           / (double) MAX (tb_flame_figure_get_total (figure), 1));
  if (*node->module)
    /* Translators: a function and its file, “read of libc.so.6”: the subject of a sentence */
    name = g_strdup_printf (C_ ("function", "%s of %s"), node->name, node->module);
  else
    name = g_strdup (node->name);
  if (node->own == node->total)
    return g_strdup_printf (
        is_time ? _ ("%s took %s (%s of the total), none of it in its callees.")
                /* Translators: a function, an amount such as “12 samples”, a share */
                : _ ("%s: %s (%s of the total), nothing in its callees."),
        name, total, share);
  return g_strdup_printf (
      is_time ? _ ("%s took %s (%s of the total), %s of it itself and the rest in its callees.")
              /* Translators: a function, an amount such as “12 samples”, a share, an amount */
              : _ ("%s: %s (%s of the total), of these %s itself and the rest in its callees."),
      name, total, share, own);
}

static char *
describe_bins (TbHistogramFigure *figure, const char *item)
{
  const char *unit = tb_histogram_figure_get_unit (figure);
  gint64 from = G_MAXINT64, to = G_MININT64;
  guint64 count = 0, all = 0;
  g_autofree char *first = NULL, *last = NULL, *share = NULL, *number = NULL;
  gint64 low = 0, high = 0;
  gboolean found = FALSE;
  guint64 bin;

  for (guint i = 0; i < tb_histogram_figure_get_n_marks (figure) && !found; i++)
    {
      const TbHistogramMark *mark = tb_histogram_figure_get_mark (figure, i);

      found = strcmp (mark->item, item) == 0;
      low = mark->from;
      high = mark->to;
    }
  if (!found && g_str_has_prefix (item, "bin-")
      && g_ascii_string_to_unsigned (item + 4, 10, 0, G_MAXUINT, &bin, NULL)
      && bin < tb_histogram_figure_get_n_bins (figure))
    {
      found = TRUE;
      low = tb_histogram_figure_get_bin (figure, bin)->from;
      high = tb_histogram_figure_get_bin (figure, bin)->to;
    }
  for (guint i = 0; found && i < tb_histogram_figure_get_n_bins (figure); i++)
    {
      const TbHistogramBin *bounds = tb_histogram_figure_get_bin (figure, i);
      gboolean inside = bounds->from < high && bounds->to > low;

      all += tb_histogram_figure_get_count (figure, 0, i);
      if (!inside)
        continue;
      count += tb_histogram_figure_get_count (figure, 0, i);
      from = MIN (from, bounds->from);
      to = MAX (to, bounds->to);
    }
  if (!found || from > to)
    return NULL;
  first = tb_format_amount ((guint64) MAX (from, 0), unit);
  last = tb_format_amount ((guint64) MAX (to, 0), unit);
  share = tb_format_share ((double) count / (double) MAX (all, 1));
  number = tb_format_count (count);
  return g_strdup_printf (ngettext ("%s value (%s of all) is from %s to below %s.",
                                    "%s values (%s of all) are from %s to below %s.", count),
                          number, share, first, last);
}

static char *
describe_cell (TbHeatmapFigure *figure, const char *item)
{
  guint row, column;

  return tb_heatmap_figure_find_item (figure, item, &row, &column)
             ? tb_heatmap_figure_describe (figure, row, column)
             : NULL;
}

static char *
describe_graph_item (TbGraphFigure *figure, const char *item)
{
  for (guint i = 0; i < tb_graph_figure_get_n_edges (figure); i++)
    if (strcmp (tb_graph_figure_get_edge (figure, i)->id, item) == 0)
      return tb_graph_figure_describe_edge (figure, i);
  for (guint i = 0; i < tb_graph_figure_get_n_vertices (figure); i++)
    if (strcmp (tb_graph_figure_get_vertex (figure, i)->id, item) == 0)
      return tb_graph_figure_describe_vertex (figure, i);
  return NULL;
}

static char *
describe_table_row (TbTableFigure *figure, const char *item)
{
  guint n_columns = tb_table_figure_get_n_columns (figure);

  for (guint row = 0; row < tb_table_figure_get_n_rows (figure); row++)
    {
      GString *text;

      if (strcmp (tb_table_figure_get_row_item (figure, row), item) != 0)
        continue;
      text = g_string_new (NULL);
      for (guint column = 0; column < n_columns; column++)
        {
          g_autofree char *cell = tb_table_figure_format_cell (figure, row, column);

          if (!tb_table_figure_is_known (figure, row, column) || *cell == '\0')
            continue;
          g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "; " : "",
                                  tb_table_figure_get_column_title (figure, column), cell);
        }
      g_string_append_c (text, '.');
      return g_string_free (text, FALSE);
    }
  return NULL;
}

static char *
describe_track (TbTimelineFigure *figure, const char *item)
{
  gint64 from, to;

  tb_timeline_figure_get_range (figure, &from, &to);
  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (figure); i++)
    {
      TbTimelineCoverage sums;
      TbTimelineTrack track;
      gboolean first = TRUE;
      GString *text;

      tb_timeline_figure_get_track (figure, i, &track);
      if (strcmp (track.id, item) != 0)
        continue;
      tb_timeline_figure_get_coverage (figure, i, from, to, &sums);
      text = g_string_new (track.name);
      for (guint paint = 1; paint < TB_N_PAINTS; paint++)
        if (sums.ns[paint] > 0)
          {
            g_autofree char *length = tb_format_duration (sums.ns[paint]);

            g_string_append_printf (text, "%s%s: %s", first ? " – " : "; ",
                                    tb_paint_get_label (paint), length);
            first = FALSE;
          }
      g_string_append_c (text, '.');
      return g_string_free (text, FALSE);
    }
  return NULL;
}

/**
 * tb_figure_describe_item:
 * @figure: a frozen figure of any kind
 * @item: item of the figure: a box, a bin, a row, an edge, a track
 *
 * Describes an item with the facts that the drawn figure shows, for tooltips and screen readers.
 *
 * Returns: (transfer full) (nullable): a sentence, %NULL if the figure has no such item
 */
char *
tb_figure_describe_item (TbFigure *figure, const char *item)
{
  g_return_val_if_fail (TB_IS_FIGURE (figure) && item != NULL, NULL);

  if (TB_IS_FLAME_FIGURE (figure))
    return describe_node (TB_FLAME_FIGURE (figure), item);
  if (TB_IS_HISTOGRAM_FIGURE (figure))
    return describe_bins (TB_HISTOGRAM_FIGURE (figure), item);
  if (TB_IS_HEATMAP_FIGURE (figure))
    return describe_cell (TB_HEATMAP_FIGURE (figure), item);
  if (TB_IS_GRAPH_FIGURE (figure))
    return describe_graph_item (TB_GRAPH_FIGURE (figure), item);
  if (TB_IS_TABLE_FIGURE (figure))
    return describe_table_row (TB_TABLE_FIGURE (figure), item);
  if (TB_IS_TIMELINE_FIGURE (figure))
    return describe_track (TB_TIMELINE_FIGURE (figure), item);
  return NULL;
}

static const char *
find_track_name (TbTimelineFigure *figure, const char *item)
{
  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (figure); i++)
    {
      TbTimelineTrack track;

      tb_timeline_figure_get_track (figure, i, &track);
      if (strcmp (track.id, item) == 0)
        return track.name;
    }
  return NULL;
}

static const char *
find_vertex_name (TbGraphFigure *figure, const char *item)
{
  for (guint i = 0; i < tb_graph_figure_get_n_vertices (figure); i++)
    if (strcmp (tb_graph_figure_get_vertex (figure, i)->id, item) == 0)
      return tb_graph_figure_get_vertex (figure, i)->name;
  return NULL;
}

/**
 * tb_figure_get_item_name:
 * @figure: a frozen figure of any kind
 * @item: item of the figure
 *
 * The user-visible name of an item, for a heading above [method@Figure.describe_item]. An id is not
 * suitable as a heading.
 *
 * Returns: (nullable): the name of a track, a box or a vertex; %NULL if the items of the figure
 *   have no names. The string is valid as long as the figure.
 */
const char *
tb_figure_get_item_name (TbFigure *figure, const char *item)
{
  g_return_val_if_fail (TB_IS_FIGURE (figure) && item != NULL, NULL);

  if (TB_IS_TIMELINE_FIGURE (figure))
    return find_track_name (TB_TIMELINE_FIGURE (figure), item);
  if (TB_IS_GRAPH_FIGURE (figure))
    return find_vertex_name (TB_GRAPH_FIGURE (figure), item);
  if (TB_IS_FLAME_FIGURE (figure))
    {
      guint node = tb_flame_figure_find_item (TB_FLAME_FIGURE (figure), item);

      return node != TB_ID_NONE ? tb_flame_figure_get_node (TB_FLAME_FIGURE (figure), node)->name
                                : NULL;
    }
  return NULL;
}
