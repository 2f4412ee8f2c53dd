/* tb-heatmap-input.c: input of a heat map: keys that move or extend the selection; selection by
 * click and drag, hovering, zoom and panning, as its base class requests them; tooltips
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "base/tb-base.h"
#include "widgets/heatmap/tb-heatmap-private.h"
#include "widgets/tb-widgets-private.h"

static gboolean
is_empty (TbHeatmapCanvas *self)
{
  return tb_heatmap_figure_get_n_rows (self->figure) == 0
         || tb_heatmap_figure_get_n_columns (self->figure) == 0;
}

/* The first key selects the cell with the largest number. */
static void
select_largest (TbHeatmapCanvas *self)
{
  guint n_columns = tb_heatmap_figure_get_n_columns (self->figure), best_row = 0, best_column = 0;
  double best = -1;

  for (guint row = 0; row < tb_heatmap_figure_get_n_rows (self->figure); row++)
    for (guint column = 0; column < n_columns; column++)
      {
        double size
            = tb_heatmap_figure_is_signed (self->figure)
                  ? ABS ((double) tb_heatmap_figure_get_signed_row (self->figure, row)[column])
                  : (double) tb_heatmap_figure_get_row (self->figure, row)[column];

        if (size <= best)
          continue;
        best = size;
        best_row = row;
        best_column = column;
      }
  tb_heatmap_canvas_select (self, best_row, best_column, best_column + 1);
}

static gboolean
on_move_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);
  gint64 row, column;
  int dx, dy;

  if (is_empty (self))
    return FALSE;
  if (self->row == TB_ID_NONE)
    {
      select_largest (self);
      return TRUE;
    }
  g_variant_get (arguments, "(ii)", &dx, &dy);
  row = (gint64) self->row + dy;
  column = (gint64) self->cursor + (self->first < self->end ? dx : 0);
  if (row < 0 || row >= tb_heatmap_figure_get_n_rows (self->figure) || column < 0
      || column >= tb_heatmap_figure_get_n_columns (self->figure))
    {
      gtk_widget_error_bell (widget);
      return TRUE;
    }
  self->cursor = (guint) column;
  tb_heatmap_canvas_select (self, (guint) row, (guint) column, (guint) column + 1);
  return TRUE;
}

static gboolean
on_extend_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);
  int direction = g_variant_get_int32 (arguments);
  guint other;

  if (self->row == TB_ID_NONE || self->first == self->end)
    return FALSE;
  other = self->cursor == self->first ? self->end - 1 : self->first;
  if ((direction < 0 && self->cursor == 0)
      || (direction > 0 && self->cursor + 1 >= tb_heatmap_figure_get_n_columns (self->figure)))
    {
      gtk_widget_error_bell (widget);
      return TRUE;
    }
  self->cursor += (guint) direction;
  tb_heatmap_canvas_select (self, self->row, MIN (self->cursor, other),
                            MAX (self->cursor, other) + 1);
  return TRUE;
}

static gboolean
on_edge_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);
  guint column = g_variant_get_int32 (arguments) < 0
                     ? 0
                     : tb_heatmap_figure_get_n_columns (self->figure) - 1;

  if (is_empty (self))
    return FALSE;
  self->cursor = column;
  tb_heatmap_canvas_select (self, self->row != TB_ID_NONE ? self->row : 0, column, column + 1);
  return TRUE;
}

static gboolean
on_page_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);

  tb_heatmap_canvas_pan (self, 0, -.9 * self->viewport.n_rows * g_variant_get_int32 (arguments));
  return TRUE;
}

static void
tb_heatmap_canvas_hover (TbBinsCanvas *canvas, double x, double y)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (canvas);
  guint row, column;
  gint64 from, to;

  if (!tb_heatmap_canvas_get_cell_at (self, x, y, &row, &column))
    row = column = TB_ID_NONE;
  tb_heatmap_canvas_set_hovered (self, row, column);
  if (!self->timed)
    return;
  if (row == TB_ID_NONE)
    tb_focus_set_pointer (self->focus, TB_TIME_NONE);
  else
    {
      graphene_rect_t plot;
      double share;

      tb_heatmap_canvas_get_plot (self, &plot);
      tb_heatmap_figure_get_range (self->figure, &from, &to);
      share = (self->viewport.column
               + (x - plot.origin.x) / plot.size.width * self->viewport.n_columns)
              / tb_heatmap_figure_get_n_columns (self->figure);
      tb_focus_set_pointer (self->focus, from + (gint64) (share * (double) (to - from)));
    }
}

static void
tb_heatmap_canvas_leave (TbBinsCanvas *canvas)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (canvas);

  tb_heatmap_canvas_set_hovered (self, TB_ID_NONE, TB_ID_NONE);
  if (self->timed)
    tb_focus_set_pointer (self->focus, TB_TIME_NONE);
}

/* A click next to the cells selects a whole row. */
static gboolean
get_row_at (TbHeatmapCanvas *self, double y, guint *row)
{
  graphene_rect_t plot;
  guint column;

  tb_heatmap_canvas_get_plot (self, &plot);
  return tb_heatmap_canvas_get_cell_at (self, plot.origin.x + 1, y, row, &column);
}

static void
tb_heatmap_canvas_choose (TbBinsCanvas *canvas, int n_press, double x, double y)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (canvas);
  guint row, column;

  if (tb_heatmap_canvas_get_cell_at (self, x, y, &row, &column))
    {
      self->cursor = column;
      tb_heatmap_canvas_select (self, row, column, column + 1);
      if (n_press == 2)
        tb_heatmap_canvas_show_selected (self);
    }
  else if (get_row_at (self, y, &row))
    tb_heatmap_canvas_select (self, row, 0, 0);
  else
    tb_heatmap_canvas_select (self, TB_ID_NONE, 0, 0);
}

/* A selected row includes all of its cells. */
static gboolean
tb_heatmap_canvas_has_chosen_at (TbBinsCanvas *canvas, double x, double y)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (canvas);
  guint row, column;

  if (tb_heatmap_canvas_get_cell_at (self, x, y, &row, &column))
    return row == self->row
           && (self->first == self->end || (column >= self->first && column < self->end));
  return !get_row_at (self, y, &row);
}

/* All that is selected during the drag is one step of the history. */
static gboolean
tb_heatmap_canvas_brush_begin (TbBinsCanvas *canvas, double x, double y)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (canvas);

  if (!tb_heatmap_canvas_get_cell_at (self, x, y, &self->brush_row, &self->brush_column))
    return FALSE;
  tb_focus_begin_change (self->focus);
  return TRUE;
}

static void
tb_heatmap_canvas_brush_end (TbBinsCanvas *canvas)
{
  tb_focus_end_change (TB_HEATMAP_CANVAS (canvas)->focus);
}

/* Dragging selects columns of the row in which it began. */
static void
tb_heatmap_canvas_brush_to (TbBinsCanvas *canvas, double x, double y)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (canvas);
  guint row, column;

  if (!tb_heatmap_canvas_get_cell_at (self, x, y, &row, &column))
    return;
  self->cursor = column;
  tb_heatmap_canvas_select (self, self->brush_row, MIN (column, self->brush_column),
                            MAX (column, self->brush_column) + 1);
}

static void
tb_heatmap_canvas_get_bins_plot (TbBinsCanvas *canvas, graphene_rect_t *plot)
{
  tb_heatmap_canvas_get_plot (TB_HEATMAP_CANVAS (canvas), plot);
}

static void
tb_heatmap_canvas_zoom_bins (TbBinsCanvas *canvas, double x, double y, double factor)
{
  if (factor == 0)
    tb_heatmap_canvas_show_all (TB_HEATMAP_CANVAS (canvas));
  else
    tb_heatmap_canvas_zoom (TB_HEATMAP_CANVAS (canvas), x, y, factor);
}

/* Pans vertically only where not all rows are visible. Otherwise a surrounding widget may
 * scroll. */
static gboolean
tb_heatmap_canvas_pan_bins (TbBinsCanvas *canvas, double across, double up)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (canvas);
  gboolean upwards = self->viewport.n_rows < tb_heatmap_figure_get_n_rows (self->figure);

  if (!upwards && (across == 0 || ABS (across) < ABS (up) / 2))
    return FALSE;
  tb_heatmap_canvas_pan (self, across * self->viewport.n_columns,
                         upwards ? up * self->viewport.n_rows : 0);
  return TRUE;
}

static gboolean
tb_heatmap_canvas_get_chosen (TbBinsCanvas *canvas, graphene_rect_t *bounds)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (canvas);

  return tb_heatmap_canvas_get_bounds (self, self->row, self->first, self->end, bounds);
}

static void
tb_heatmap_canvas_fit (TbBinsCanvas *canvas)
{
  tb_heatmap_canvas_show_selected (TB_HEATMAP_CANVAS (canvas));
}

static gboolean
tb_heatmap_canvas_clear (TbBinsCanvas *canvas)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (canvas);

  if (self->row == TB_ID_NONE)
    return FALSE;
  tb_heatmap_canvas_select (self, TB_ID_NONE, 0, 0);
  return TRUE;
}

static gboolean
tb_heatmap_canvas_query_tooltip (GtkWidget *widget,
                                 int x,
                                 int y,
                                 gboolean keyboard,
                                 GtkTooltip *tooltip)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);
  g_autofree char *text = NULL;
  guint row, column;

  if (keyboard && self->row != TB_ID_NONE)
    text = tb_heatmap_figure_describe (self->figure, self->row,
                                       self->end == self->first + 1 ? self->first : TB_ID_NONE);
  else if (!keyboard && tb_heatmap_canvas_get_cell_at (self, x, y, &row, &column))
    text = tb_heatmap_figure_describe (self->figure, row, column);
  else if (!keyboard && get_row_at (self, y, &row))
    text = tb_heatmap_figure_describe (self->figure, row, TB_ID_NONE);
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
add_keys (GtkWidgetClass *widget_class)
{
  tb_widgets_add_move_keys (widget_class, on_move_key, 1);
  tb_bins_canvas_class_add_pair (widget_class, GDK_KEY_Left, GDK_KEY_Right, GDK_SHIFT_MASK,
                                 on_extend_key);
  tb_bins_canvas_class_add_pair (widget_class, GDK_KEY_KP_Left, GDK_KEY_KP_Right, GDK_SHIFT_MASK,
                                 on_extend_key);
  tb_bins_canvas_class_add_pair (widget_class, GDK_KEY_Home, GDK_KEY_End, 0, on_edge_key);
  tb_bins_canvas_class_add_pair (widget_class, GDK_KEY_Page_Up, GDK_KEY_Page_Down, 0, on_page_key);
  tb_bins_canvas_class_add_keys (widget_class);
}

void
tb_heatmap_canvas_class_add_input (TbHeatmapCanvasClass *klass)
{
  TbBinsCanvasClass *canvas_class = TB_BINS_CANVAS_CLASS (klass);

  canvas_class->get_plot = tb_heatmap_canvas_get_bins_plot;
  canvas_class->hover = tb_heatmap_canvas_hover;
  canvas_class->leave = tb_heatmap_canvas_leave;
  canvas_class->choose = tb_heatmap_canvas_choose;
  canvas_class->has_chosen_at = tb_heatmap_canvas_has_chosen_at;
  canvas_class->brush_begin = tb_heatmap_canvas_brush_begin;
  canvas_class->brush_to = tb_heatmap_canvas_brush_to;
  canvas_class->brush_end = tb_heatmap_canvas_brush_end;
  canvas_class->zoom = tb_heatmap_canvas_zoom_bins;
  canvas_class->pan = tb_heatmap_canvas_pan_bins;
  canvas_class->get_chosen = tb_heatmap_canvas_get_chosen;
  canvas_class->fit = tb_heatmap_canvas_fit;
  canvas_class->clear = tb_heatmap_canvas_clear;
  GTK_WIDGET_CLASS (klass)->query_tooltip = tb_heatmap_canvas_query_tooltip;
  add_keys (GTK_WIDGET_CLASS (klass));
}
