/* html-distributions.c: histograms and heat maps on a page
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "html.h"

#define WIDTH 1000
#define HEIGHT 180
#define LABEL_WIDTH 120
#define ROW 14
#define COLUMNS_MAX 400
#define ROWS_MAX 120

static char *
format_value (const char *unit, gint64 value)
{
  if (strcmp (unit, "ns") == 0)
    return tb_format_duration (value);
  if (strcmp (unit, "bytes") == 0 && value >= 0)
    return tb_format_bytes (value);
  return g_strdup_printf ("%" G_GINT64_FORMAT " %s", value, unit);
}

static void
append_label (GString *page, guint x, const char *anchor, guint y, const char *text)
{
  html_append (page, "<text class=\"d\" x=\"%u\" y=\"%u\" text-anchor=\"%s\">", x, y, anchor);
  html_append_text (page, text);
  g_string_append (page, "</text>");
}

/* One bar a bin and series; a bin that holds anything is at least a pixel high. */
void
html_append_histogram (GString *page, TbHistogramFigure *figure)
{
  static const char *const classes[] = { "bar", "p-disk", "p-interrupt", "p-running" };
  guint n_bins = tb_histogram_figure_get_n_bins (figure);
  guint n_series = tb_histogram_figure_get_n_series (figure);
  guint64 largest = tb_histogram_figure_get_largest_count (figure);
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;

  if (n_bins == 0 || largest == 0)
    return;
  first = format_value (tb_histogram_figure_get_unit (figure), tb_histogram_figure_get_bin (figure, 0)->from);
  last = format_value (tb_histogram_figure_get_unit (figure),
                       tb_histogram_figure_get_bin (figure, n_bins - 1)->to);
  html_append (page, "<svg role=\"img\" viewBox=\"0 0 %d %d\">", WIDTH, HEIGHT + 18);
  for (guint series = 0; series < n_series; series++)
    {
      html_append (page, "<path class=\"%s\" d=\"", classes[series % G_N_ELEMENTS (classes)]);
      for (guint bin = 0; bin < n_bins; bin++)
        {
          guint64 count = tb_histogram_figure_get_count (figure, series, bin);
          guint left = (guint64) WIDTH * bin / n_bins;
          guint room = MAX ((guint64) WIDTH * (bin + 1) / n_bins - left, 1);
          guint width = MAX (room / n_series, 1);
          guint height = MAX ((guint) ((double) count / largest * HEIGHT), 1);

          if (count > 0)
            html_append (page, "M%u %uh%uv%uh-%uz", left + width * series, HEIGHT - height, width, height,
                         width);
        }
      g_string_append (page, "\"/>");
    }
  append_label (page, 0, "start", HEIGHT + 14, first);
  append_label (page, WIDTH, "end", HEIGHT + 14, last);
  g_string_append (page, "</svg>\n");
}

static void
append_row (GString *page, TbHeatmapFigure *figure, guint row, guint y, guint n_shown)
{
  const guint64 *values = tb_heatmap_figure_get_row (figure, row);
  guint n_columns = tb_heatmap_figure_get_n_columns (figure);
  guint64 largest = tb_heatmap_figure_get_largest (figure);
  const char *label = tb_heatmap_figure_get_row_label (figure, row);
  g_autofree char *cut = g_utf8_strlen (label, -1) > 18 ? g_utf8_substring (label, 0, 18) : NULL;

  append_label (page, LABEL_WIDTH - 6, "end", y + 11, cut ? cut : label);
  for (guint cell = 0; cell < n_shown; cell++)
    {
      guint left = LABEL_WIDTH + (guint64) (WIDTH - LABEL_WIDTH) * cell / n_shown;
      guint right = LABEL_WIDTH + (guint64) (WIDTH - LABEL_WIDTH) * (cell + 1) / n_shown;
      guint64 greatest = 0;

      for (guint column = (guint64) cell * n_columns / n_shown;
           column < (guint64) (cell + 1) * n_columns / n_shown; column++)
        greatest = MAX (greatest, values[column]);
      if (greatest > 0)
        html_append (page,
                     "<rect class=\"bar\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\" opacity=\".%02u\"/>",
                     left, y, MAX (right - left, 1), ROW - 1,
                     15 + (guint) ((double) greatest / largest * 84));
    }
}

void
html_append_heatmap (GString *page, TbHeatmapFigure *figure)
{
  guint n_all = tb_heatmap_figure_get_n_rows (figure);
  guint n_rows = MIN (n_all, ROWS_MAX);
  guint n_shown = MIN (tb_heatmap_figure_get_n_columns (figure), COLUMNS_MAX);

  if (n_rows == 0 || n_shown == 0)
    return;
  html_append (page, "<svg role=\"img\" viewBox=\"0 0 %d %u\">", WIDTH, n_rows * ROW);
  for (guint i = 0; i < n_rows; i++)
    append_row (page, figure, n_all - 1 - i, i * ROW, n_shown);
  g_string_append (page, "</svg>\n");
  if (n_rows < n_all)
    html_append (page,
                 ngettext ("<p class=\"note\">… and %u more row</p>",
                           "<p class=\"note\">… and %u more rows</p>", n_all - n_rows),
                 n_all - n_rows);
}
