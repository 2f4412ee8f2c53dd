/* tb-heatmap-draw.c: drawing of a heat map: cells (as pixels of tb-heatmap-raster.c) with numbers,
 * labels and titles of rows and columns, marks of search matches, selection, selected time range
 * and pointer of the document
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/tb-report.h"
#include "base/tb-base.h"
#include "widgets/tb-widget-drawing-private.h"
#include "widgets/heatmap/tb-heatmap-private.h"
#include "widgets/time/tb-time-axis.h"
#include "widgets/tb-widgets-private.h"

#define MIN_CELL 5
#define COLUMN_SPACING 60

typedef struct
{
  TbHeatmapCanvas *canvas;
  GtkSnapshot *snapshot;
  const TbPalette *palette;
  graphene_rect_t plot;
} Drawing;

static void
append_text (const Drawing *self,
             const char *text,
             const GdkRGBA *color,
             double x,
             double y,
             double align,
             double width)
{
  tb_bins_append_label (self->canvas, self->snapshot, text, x, y,
                        &(TbBinsLabel) { color, FALSE, align, width, PANGO_ELLIPSIZE_MIDDLE });
}

static void
append_title (const Drawing *self, const char *text, double x, double y, double align, double width)
{
  tb_bins_append_label (self->canvas, self->snapshot, text, x, y,
                        &(TbBinsLabel) { &self->palette->dim, TRUE, align, width,
                                         PANGO_ELLIPSIZE_END });
}

static void
append_cells (const Drawing *self)
{
  TbHeatmapCanvas *canvas = self->canvas;
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (canvas));
  int width = (int) self->plot.size.width * scale, height = (int) self->plot.size.height * scale;

  if (canvas->texture == NULL || canvas->texture_width != width || canvas->texture_height != height)
    {
      g_clear_object (&canvas->texture);
      if (canvas->steps == NULL)
        canvas->steps = tb_heatmap_steps_new (canvas->figure, canvas->logarithmic);
      canvas->texture
          = tb_heatmap_rasterize (canvas->steps, &canvas->viewport, (guint) width, (guint) height,
                                  (guint) (MIN_CELL * scale), self->palette);
      canvas->texture_width = width;
      canvas->texture_height = height;
    }
  gtk_snapshot_append_scaled_texture (self->snapshot, canvas->texture, GSK_SCALING_FILTER_NEAREST,
                                      &self->plot);
}

static const GdkRGBA *
get_label_color (const Drawing *self, guint row)
{
  return self->canvas->matched != NULL && self->canvas->matched[row] ? &self->palette->match
                                                                     : &self->palette->dim;
}

/* Draws a mark next to each row that matches, even if there is no room for its label. */
static void
append_matches (const Drawing *self)
{
  TbHeatmapCanvas *canvas = self->canvas;
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (canvas)) == GTK_TEXT_DIR_RTL;
  double high = self->plot.size.height / canvas->viewport.n_rows, last = -1;
  float x = mirrored ? self->plot.origin.x + self->plot.size.width + 1 : self->plot.origin.x - 4;

  for (guint row = (guint) canvas->viewport.row;
       row < tb_heatmap_figure_get_n_rows (canvas->figure)
       && row < canvas->viewport.row + canvas->viewport.n_rows;
       row++)
    {
      double y
          = self->plot.origin.y + self->plot.size.height - (row + 1 - canvas->viewport.row) * high;

      /* Rows in the same pixel share one mark. */
      if (!canvas->matched[row] || floor (y) == last)
        continue;
      last = floor (y);
      gtk_snapshot_append_color (self->snapshot, &self->palette->match,
                                 &GRAPHENE_RECT_INIT (x, (float) last, 3,
                                                      (float) MAX (2, high - 1)));
    }
}

/* Draws as many labels as there is room for, evenly spaced. */
static void
append_rows (const Drawing *self)
{
  TbHeatmapCanvas *canvas = self->canvas;
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (canvas)) == GTK_TEXT_DIR_RTL;
  double high = self->plot.size.height / canvas->viewport.n_rows;
  guint step = (guint) MAX (1, ceil (canvas->line * .9 / high));
  guint n = tb_heatmap_figure_get_n_rows (canvas->figure);
  float room = mirrored ? (float) gtk_widget_get_width (GTK_WIDGET (canvas)) - self->plot.origin.x
                              - self->plot.size.width - 10
                        : self->plot.origin.x - 10;

  for (guint row = ((guint) ceil (canvas->viewport.row) + step - 1) / step * step;
       row < n && row < canvas->viewport.row + canvas->viewport.n_rows; row += step)
    {
      double y = self->plot.origin.y + self->plot.size.height
                 - (row + .5 - canvas->viewport.row) * high - canvas->line * .42;

      append_text (self, tb_heatmap_figure_get_row_label (canvas->figure, row),
                   get_label_color (self, row),
                   mirrored ? self->plot.origin.x + self->plot.size.width + 6
                            : self->plot.origin.x - 6,
                   y, mirrored ? 0 : 1, room);
    }
}

/* Draws each cell's distance from the cell of its row that is 0, where there is room. The number
 * has a ground of its own, because cells have all colours. */
static void
append_numbers (const Drawing *self)
{
  TbHeatmapCanvas *canvas = self->canvas;
  double high = self->plot.size.height / canvas->viewport.n_rows,
         wide = self->plot.size.width / canvas->viewport.n_columns;
  float line = (float) canvas->line, ground = line * 1.4f;
  guint rows = tb_heatmap_figure_get_n_rows (canvas->figure);
  guint columns = tb_heatmap_figure_get_n_columns (canvas->figure);

  if (high < line + 2 || wide < ground + 2)
    return;
  for (guint row = (guint) ceil (canvas->viewport.row);
       row < rows && row + 1 <= canvas->viewport.row + canvas->viewport.n_rows; row++)
    for (guint column = (guint) ceil (canvas->viewport.column);
         column < columns && column + 1 <= canvas->viewport.column + canvas->viewport.n_columns;
         column++)
      {
        guint number = tb_heatmap_figure_get_number (canvas->figure, row, column);
        double x = self->plot.origin.x + (column + .5 - canvas->viewport.column) * wide;
        double y = self->plot.origin.y + self->plot.size.height
                   - (row + .5 - canvas->viewport.row) * high;
        g_autofree char *text = NULL;

        if (number == TB_ID_NONE)
          continue;
        text = g_strdup_printf ("%u", number);
        tb_draw_rounded (self->snapshot, &self->palette->surface,
                         &GRAPHENE_RECT_INIT ((float) x - ground / 2, (float) y - line / 2, ground,
                                              line),
                         line / 2);
        append_text (self, text, number == 0 ? &self->palette->text : &self->palette->dim, x,
                     y - line * .42, .5, 0);
      }
}

static void
append_column_labels (const Drawing *self)
{
  TbHeatmapCanvas *canvas = self->canvas;
  double wide = self->plot.size.width / canvas->viewport.n_columns;
  guint step = (guint) MAX (1, ceil (COLUMN_SPACING / wide));
  guint n = tb_heatmap_figure_get_n_columns (canvas->figure);
  double y = self->plot.origin.y + self->plot.size.height + 3;

  for (guint column = ((guint) ceil (canvas->viewport.column) + step - 1) / step * step;
       column < n && column < canvas->viewport.column + canvas->viewport.n_columns; column += step)
    {
      double x = self->plot.origin.x + (column + .5 - canvas->viewport.column) * wide;

      append_text (self, tb_heatmap_figure_get_column_label (canvas->figure, column),
                   &self->palette->dim, x, y,
                   x > self->plot.origin.x + self->plot.size.width - 20 ? 1 : .5, step * wide - 4);
    }
}

static void
get_times (TbHeatmapCanvas *canvas, gint64 *from, gint64 *to)
{
  double length, columns = tb_heatmap_figure_get_n_columns (canvas->figure);
  gint64 start, end;

  tb_heatmap_figure_get_range (canvas->figure, &start, &end);
  length = (double) (end - start);
  *from = start + (gint64) (length * canvas->viewport.column / columns);
  *to = start
        + (gint64) (length * (canvas->viewport.column + canvas->viewport.n_columns) / columns);
}

static double
get_x (const Drawing *self, gint64 time)
{
  gint64 from, to;

  get_times (self->canvas, &from, &to);
  return self->plot.origin.x
         + (double) (time - from) * self->plot.size.width / (double) MAX (1, to - from);
}

/* Times have the same origin as those of the document. */
static void
append_times (const Drawing *self)
{
  double y = self->plot.origin.y + self->plot.size.height, last_end = -G_MAXDOUBLE;
  gint64 origin, from, to;
  TbTimeTicks ticks;

  get_times (self->canvas, &from, &to);
  if (from >= to)
    return;
  tb_focus_get_extent (self->canvas->focus, &origin, NULL);
  tb_time_ticks_init (&ticks, origin, from, to, self->plot.size.width, TB_TICK_SPACING * 1.4);
  for (gint64 time = ticks.first; time <= to; time += ticks.step)
    {
      g_autofree char *text = tb_time_ticks_format (&ticks, time - origin);
      double x = get_x (self, time);
      double align = x < self->plot.origin.x + 16                           ? 0
                     : x > self->plot.origin.x + self->plot.size.width - 20 ? 1
                                                                            : .5;

      gtk_snapshot_append_color (self->snapshot, &self->palette->line,
                                 &GRAPHENE_RECT_INIT ((float) floor (x), (float) y, 1, 3));
      if (tb_bins_place_label (x, align, tb_bins_get_label_width (self->canvas, text, FALSE),
                               &last_end))
        append_text (self, text, &self->palette->dim, x, y + 3, align, 0);
    }
}

/* Draws the selected range and the pointer of the document. */
static void
append_shared_times (const Drawing *self)
{
  TbFocus *focus = self->canvas->focus;
  double last = self->plot.origin.x + self->plot.size.width;
  gint64 pointer = tb_focus_get_pointer (focus), from, to, visible_from, visible_to, origin;

  get_times (self->canvas, &visible_from, &visible_to);
  if (tb_focus_get_range (focus, &from, &to) && from < visible_to && to > visible_from)
    {
      float left = (float) CLAMP (get_x (self, from), self->plot.origin.x, last);
      float right = (float) CLAMP (get_x (self, to), self->plot.origin.x, last);

      gtk_snapshot_append_color (self->snapshot, &self->palette->range,
                                 &GRAPHENE_RECT_INIT (left, self->plot.origin.y,
                                                      MAX (1, right - left),
                                                      self->plot.size.height));
    }
  if (pointer != TB_TIME_NONE && pointer >= visible_from && pointer < visible_to)
    {
      g_autofree char *text = NULL;

      tb_focus_get_extent (focus, &origin, NULL);
      text = tb_format_time (pointer - origin, (gint64) ((double) (visible_to - visible_from)
                                                         / self->plot.size.width * 2));
      tb_draw_pointer (GTK_WIDGET (self->canvas), self->snapshot, self->palette, text,
                       get_x (self, pointer), &self->plot);
    }
}

/* The title of the rows is above their labels, that of the columns below theirs. */
static void
append_titles (const Drawing *self)
{
  TbHeatmapCanvas *canvas = self->canvas;
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (canvas)) == GTK_TEXT_DIR_RTL;
  double whole = gtk_widget_get_width (GTK_WIDGET (canvas)), end;
  const char *rows = tb_heatmap_figure_get_row_title (canvas->figure);
  const char *columns = tb_heatmap_figure_get_column_title (canvas->figure);
  double side
      = mirrored ? self->plot.origin.x + self->plot.size.width + 6 : self->plot.origin.x - 6;
  double top = self->plot.origin.y - canvas->line - 2;

  /* A title longer than the labels extends over the cells. */
  if (rows != NULL)
    {
      end = mirrored ? whole - side : side;
      if (tb_bins_get_label_width (canvas, rows, TRUE) <= end - 4)
        append_title (self, rows, side, top, mirrored ? 0 : 1, end);
      else
        append_title (self, rows, mirrored ? whole - 4 : 4, top, mirrored ? 1 : 0, whole - 8);
    }
  if (columns != NULL)
    append_title (self, columns, self->plot.origin.x + self->plot.size.width / 2,
                  self->plot.origin.y + self->plot.size.height + 2 + canvas->line, .5,
                  self->plot.size.width);
}

void
tb_heatmap_canvas_draw (TbHeatmapCanvas *self, GtkSnapshot *snapshot)
{
  Drawing drawing = { self, snapshot, tb_palette_get_default (), { { 0 } } };
  graphene_rect_t bounds;

  tb_heatmap_canvas_get_plot (self, &drawing.plot);
  append_cells (&drawing);
  append_rows (&drawing);
  append_titles (&drawing);
  if (self->matched != NULL)
    append_matches (&drawing);
  if (self->timed)
    append_times (&drawing);
  else
    {
      append_numbers (&drawing);
      append_column_labels (&drawing);
    }
  if (self->hovered_row != TB_ID_NONE
      && tb_heatmap_canvas_get_bounds (self, self->hovered_row, self->hovered_column,
                                       self->hovered_column + 1, &bounds))
    tb_draw_outline (snapshot, &drawing.palette->select, &bounds, 1);
  if (tb_heatmap_canvas_get_bounds (self, self->row, self->first, self->end, &bounds))
    {
      graphene_rect_inset (&bounds, -2, -2);
      tb_draw_outline (snapshot, &drawing.palette->surface, &bounds, 3);
      tb_draw_outline (snapshot, &drawing.palette->text, &bounds, 2);
    }
  if (self->timed)
    append_shared_times (&drawing);
}
