/* tb-draw-distributions.c: drawing of histograms and heat maps as shapes, with axes, labels, marks,
 * legend and scale of the colours
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "report/drawing/tb-drawing-private.h"
#include "report/tb-finding.h"
#include "report/tb-report.h"

#define HEIGHT 180.
#define MARK_HEIGHT 16.
#define LABEL_WIDTH_MAX 100.
#define LABEL_WIDTH 130.
#define ROW 14.
#define COLUMNS_MAX 400
#define ROWS_MAX 120
#define NAME_WIDTH_MIN 24. /* px */

/* Inks of the series, used in turn. */
static const guint series_inks[]
    = { TB_INK_ACCENT, TB_INK_PAINT + TB_PAINT_DISK, TB_INK_PAINT + TB_PAINT_INTERRUPT,
        TB_INK_PAINT + TB_PAINT_RUNNING };

static char *
format_value (const char *unit, gint64 value)
{
  g_autofree char *size = NULL;

  if (strcmp (unit, "ns") == 0)
    return tb_format_duration (value);
  size = tb_format_amount (value < 0 ? -(guint64) value : (guint64) value, unit);
  return value < 0 ? g_strconcat ("-", size, NULL) : g_steal_pointer (&size);
}

static void
add_label (TbDrawing *self, double x, guint flags, double y, const char *text)
{
  tb_drawing_add_text (self, x, y, 0, &(TbShape) { .fill = TB_INK_DIM, .flags = flags }, text);
}

/* Histogram */

typedef struct
{
  TbDrawing *drawing;
  TbHistogramFigure *figure;
  guint n_bins;
  double base; /* y of the bottom of the bars */
} Bars;

static double
get_left (const Bars *bars, guint bin)
{
  return DRAWING_WIDTH * bin / bars->n_bins;
}

/* The bar of a bin that is not empty is at least one pixel high. */
static gboolean
get_bar (const Bars *bars, guint series, guint bin, double *x, double *width, double *height)
{
  guint n_series = tb_histogram_figure_get_n_series (bars->figure);
  double largest = (double) tb_histogram_figure_get_largest_count (bars->figure);
  guint64 count = tb_histogram_figure_get_count (bars->figure, series, bin);
  double room = get_left (bars, bin + 1) - get_left (bars, bin), gap = room > 4 ? 1 : 0;

  *width = MAX ((room - gap) / n_series, .3);
  *height = MAX ((double) count / largest * HEIGHT, 1);
  *x = get_left (bars, bin) + *width * series;
  return count > 0;
}

static void
add_series (const Bars *bars, guint series)
{
  guint ink = series_inks[series % G_N_ELEMENTS (series_inks)];
  double x, width, height;

  tb_drawing_begin_path (bars->drawing, &(TbShape) { .fill = ink });
  for (guint bin = 0; bin < bars->n_bins; bin++)
    if (!tb_histogram_figure_is_uncertain (bars->figure, bin)
        && get_bar (bars, series, bin, &x, &width, &height))
      {
        tb_drawing_add_point (bars->drawing, 'B', x, bars->base - height);
        tb_drawing_add_point (bars->drawing, 'S', width, height);
      }
  for (guint bin = 0; bin < bars->n_bins && tb_histogram_figure_is_uncertain (bars->figure, bin);
       bin++)
    if (get_bar (bars, series, bin, &x, &width, &height))
      tb_drawing_add_box (bars->drawing, x, bars->base - height, width, height,
                          &(TbShape) { .fill = ink, .flags = TB_SHAPE_HATCHED, .opacity = .45 });
}

/* Draws a bracket with a label over the bins that the marked range of values covers. */
static void
add_mark (const Bars *bars, const TbHistogramMark *mark, double y)
{
  guint first = 0, last;

  while (first + 1 < bars->n_bins
         && tb_histogram_figure_get_bin (bars->figure, first)->to <= mark->from)
    first++;
  for (last = first; last + 1 < bars->n_bins; last++)
    if (tb_histogram_figure_get_bin (bars->figure, last + 1)->from >= mark->to)
      break;
  tb_drawing_begin_group (bars->drawing, mark->label);
  tb_drawing_add_line (bars->drawing, get_left (bars, first), y, get_left (bars, last + 1), y,
                       TB_INK_SEVERITY + TB_SEVERITY_HIGH);
  tb_drawing_add_text (bars->drawing, get_left (bars, first), y - 3, LABEL_WIDTH_MAX,
                       &(TbShape) { .fill = TB_INK_TEXT, .flags = TB_SHAPE_BOLD }, mark->label);
  tb_drawing_end_group (bars->drawing);
}

static void
add_axis (const Bars *bars)
{
  const char *unit = tb_histogram_figure_get_unit (bars->figure);
  guint n_labels = MIN (DRAWING_WIDTH / LABEL_WIDTH_MAX, bars->n_bins);

  tb_drawing_add_line (bars->drawing, 0, bars->base, DRAWING_WIDTH, bars->base, TB_INK_LINE);
  for (guint i = 0; i < n_labels; i++)
    {
      guint bin = (guint64) bars->n_bins * i / n_labels;
      g_autofree char *text
          = format_value (unit, tb_histogram_figure_get_bin (bars->figure, bin)->from);

      tb_drawing_add_line (bars->drawing, get_left (bars, bin), bars->base, get_left (bars, bin),
                           bars->base + 4, TB_INK_LINE);
      add_label (bars->drawing, get_left (bars, bin), 0, bars->base + 15, text);
    }
}

static void
add_series_legend (const Bars *bars)
{
  guint n = tb_histogram_figure_get_n_series (bars->figure);
  g_autofree TbDrawingKey *keys = g_new0 (TbDrawingKey, n);

  for (guint i = 0; i < n; i++)
    keys[i] = (TbDrawingKey) { series_inks[i % G_N_ELEMENTS (series_inks)],
                               g_strdup (tb_histogram_figure_get_series_name (bars->figure, i)) };
  tb_drawing_add_legend (bars->drawing, 0, keys, n);
}

void
tb_drawing_draw_histogram (TbDrawing *self, TbHistogramFigure *figure)
{
  Bars bars
      = { .drawing = self, .figure = figure, .n_bins = tb_histogram_figure_get_n_bins (figure) };
  guint64 largest = tb_histogram_figure_get_largest_count (figure);
  guint n_marks = tb_histogram_figure_get_n_marks (figure);
  double top = tb_drawing_get_bottom (self);
  g_autofree char *most = NULL, *number = NULL;

  if (bars.n_bins == 0 || largest == 0)
    return;
  number = tb_format_count (largest);
  most = g_strdup_printf (_ ("at most %s"), number);
  add_label (self, DRAWING_WIDTH, TB_SHAPE_RIGHT, top + 11, most);
  for (guint i = 0; i < n_marks; i++)
    add_mark (&bars, tb_histogram_figure_get_mark (figure, i), top + MARK_HEIGHT * (1 + i % 2));
  bars.base = top + MARK_HEIGHT * (1 + MIN (n_marks, 2)) + HEIGHT;
  for (guint series = 0; series < tb_histogram_figure_get_n_series (figure); series++)
    add_series (&bars, series);
  add_axis (&bars);
  if (tb_histogram_figure_get_n_series (figure) > 1)
    add_series_legend (&bars);
  if (*tb_histogram_figure_get_uncertain_reason (figure) != '\0')
    {
      g_autofree char *note = g_strdup_printf (_ ("Hatched bars are uncertain: %s"),
                                               tb_histogram_figure_get_uncertain_reason (figure));

      tb_drawing_add_note (self, note);
    }
}

/* Heat map */

static double
get_opacity (guint64 value, guint64 largest)
{
  return .15 + .85 * (double) value / (double) MAX (largest, 1);
}

/* The absolute value of a cell. */
static guint64
get_size (TbHeatmapFigure *figure, guint row, guint column, gboolean *is_negative)
{
  gint64 value;

  *is_negative = FALSE;
  if (!tb_heatmap_figure_is_signed (figure))
    return tb_heatmap_figure_get_row (figure, row)[column];
  value = tb_heatmap_figure_get_signed_row (figure, row)[column];
  *is_negative = value < 0;
  return value < 0 ? -(guint64) value : (guint64) value;
}

/* Increases and decreases have two colours that are distinguishable with every kind of colour
 * vision. */
static guint
get_cell_ink (TbHeatmapFigure *figure, gboolean is_negative)
{
  if (!tb_heatmap_figure_is_signed (figure))
    return TB_INK_ACCENT;
  return is_negative ? TB_INK_SEVERITY + TB_SEVERITY_LOW : TB_INK_SEVERITY + TB_SEVERITY_HIGH;
}

static void
add_row (TbDrawing *self, TbHeatmapFigure *figure, guint row, double y, guint n_shown)
{
  guint n_columns = tb_heatmap_figure_get_n_columns (figure);
  guint64 largest = tb_heatmap_figure_get_largest (figure);
  double cell_width = (DRAWING_WIDTH - LABEL_WIDTH) / n_shown;

  tb_drawing_add_text (self, LABEL_WIDTH - 6, y + 11, LABEL_WIDTH - 8,
                       &(TbShape) { .fill = TB_INK_TEXT, .flags = TB_SHAPE_RIGHT },
                       tb_heatmap_figure_get_row_label (figure, row));
  for (guint cell = 0; cell < n_shown; cell++)
    {
      gboolean is_negative = FALSE;
      guint64 greatest = 0;

      for (guint column = (guint64) cell * n_columns / n_shown;
           column < (guint64) (cell + 1) * n_columns / n_shown; column++)
        {
          gboolean negative;
          guint64 size = get_size (figure, row, column, &negative);

          is_negative = size > greatest ? negative : is_negative;
          greatest = MAX (greatest, size);
        }
      if (greatest > 0)
        tb_drawing_add_box (self, LABEL_WIDTH + cell * cell_width, y, cell_width, ROW - 1,
                            &(TbShape) { .fill = get_cell_ink (figure, is_negative),
                                         .opacity = get_opacity (greatest, largest) });
    }
}

/* Names of columns that are not slices of time. If there is no room for them, only the table has
 * them. */
static void
add_column_names (TbDrawing *self, TbHeatmapFigure *figure, guint n_shown)
{
  double cell_width = (DRAWING_WIDTH - LABEL_WIDTH) / n_shown,
         y = tb_drawing_get_bottom (self) + 12;

  for (guint i = 0; i < n_shown && cell_width >= NAME_WIDTH_MIN; i++)
    tb_drawing_add_text (self, LABEL_WIDTH + (i + .5) * cell_width, y, cell_width - 2,
                         &(TbShape) { .fill = TB_INK_DIM, .flags = TB_SHAPE_CENTERED },
                         tb_heatmap_figure_get_column_label (figure, i));
  tb_drawing_set_size (self, DRAWING_WIDTH, y + 4);
}

static void
add_scale (TbDrawing *self, TbHeatmapFigure *figure)
{
  double y = tb_drawing_get_bottom (self) + 10;
  g_autofree char *most
      = format_value (tb_heatmap_figure_get_unit (figure),
                      (gint64) MIN (tb_heatmap_figure_get_largest (figure), (guint64) G_MAXINT64));
  g_autofree char *least = NULL;

  for (guint i = 0; i < 5; i++)
    {
      gboolean is_signed = tb_heatmap_figure_is_signed (figure), is_negative = is_signed && i < 2;
      guint size = is_signed ? (i < 2 ? 2 - i : i - 2) : i;

      tb_drawing_add_box (self, LABEL_WIDTH + i * 20, y, 20, 10,
                          &(TbShape) { .fill = get_cell_ink (figure, is_negative),
                                       .opacity = get_opacity (size, is_signed ? 2 : 4) });
    }
  least = tb_heatmap_figure_is_signed (figure) ? g_strconcat ("−", most, NULL) : g_strdup ("1");
  add_label (self, LABEL_WIDTH - 6, TB_SHAPE_RIGHT, y + 9, least);
  add_label (self, LABEL_WIDTH + 106, 0, y + 9, most);
}

static void
add_column_title (TbDrawing *self, TbHeatmapFigure *figure)
{
  const char *title = tb_heatmap_figure_get_column_title (figure);
  double y = tb_drawing_get_bottom (self) + 12;

  if (title == NULL)
    return;
  tb_drawing_add_text (self, (LABEL_WIDTH + DRAWING_WIDTH) / 2, y, DRAWING_WIDTH - LABEL_WIDTH,
                       &(TbShape) { .fill = TB_INK_DIM,
                                    .flags = TB_SHAPE_CENTERED | TB_SHAPE_BOLD },
                       title);
  tb_drawing_set_size (self, DRAWING_WIDTH, y + 2);
}

/* The title stands above the labels of the rows, beside those of the columns. */
static void
add_row_title (TbDrawing *self, TbHeatmapFigure *figure)
{
  const char *title = tb_heatmap_figure_get_row_title (figure);

  if (title != NULL)
    tb_drawing_add_text (self, LABEL_WIDTH - 6, tb_drawing_get_bottom (self) - 2, LABEL_WIDTH - 8,
                         &(TbShape) { .fill = TB_INK_DIM, .flags = TB_SHAPE_RIGHT | TB_SHAPE_BOLD },
                         title);
}

void
tb_drawing_draw_heatmap (TbDrawing *self, TbHeatmapFigure *figure)
{
  guint n_all = tb_heatmap_figure_get_n_rows (figure), n_rows = MIN (n_all, ROWS_MAX);
  guint n_shown = MIN (tb_heatmap_figure_get_n_columns (figure), COLUMNS_MAX);
  gint64 origin = tb_figure_get_origin (TB_FIGURE (figure)), from, to;
  double top;

  if (n_rows == 0 || n_shown == 0)
    return;
  tb_heatmap_figure_get_range (figure, &from, &to);
  add_column_title (self, figure);
  if (tb_heatmap_figure_get_column_label (figure, 0) != NULL)
    add_column_names (self, figure, n_shown);
  else
    tb_drawing_add_time_axis (self, LABEL_WIDTH, DRAWING_WIDTH - LABEL_WIDTH,
                              origin == TB_TIME_NONE ? from : origin, from, to);
  add_row_title (self, figure);
  top = tb_drawing_get_bottom (self) + 2;
  for (guint i = 0; i < n_rows; i++)
    add_row (self, figure, n_all - 1 - i, top + i * ROW, n_shown);
  add_scale (self, figure);
  if (n_rows < n_all)
    {
      g_autofree char *text
          = g_strdup_printf (ngettext ("… and %'u more row", "… and %'u more rows", n_all - n_rows),
                             n_all - n_rows);

      tb_drawing_add_note (self, text);
    }
}
