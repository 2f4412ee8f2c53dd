/* tb-histogram-input.c: input of a histogram: keys that move or extend the selection or go to
 * marks; selection by click and drag, hovering, zoom and panning, as its base class requests them;
 * tooltips
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "base/tb-base.h"
#include "widgets/histogram/tb-histogram-private.h"

static guint
get_n_bins (TbHistogramCanvas *self)
{
  return tb_histogram_figure_get_n_bins (self->figure);
}

static gboolean
has_count (TbHistogramCanvas *self, guint bin)
{
  for (guint i = 0; i < tb_histogram_figure_get_n_series (self->figure); i++)
    if (tb_histogram_figure_get_count (self->figure, i, bin) > 0)
      return TRUE;
  return FALSE;
}

/* The next bin with a count, or TB_ID_NONE. */
static guint
find_next_bin (TbHistogramCanvas *self, gint64 bin, int direction)
{
  for (gint64 at = bin + direction; at >= 0 && at < get_n_bins (self); at += direction)
    if (has_count (self, (guint) at))
      return (guint) at;
  return TB_ID_NONE;
}

static gboolean
on_move_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);
  int direction = g_variant_get_int32 (arguments);
  guint next;

  if (self->first == self->end)
    next
        = direction > 0 ? find_next_bin (self, -1, 1) : find_next_bin (self, get_n_bins (self), -1);
  else
    next = find_next_bin (self, direction > 0 ? self->end - 1 : self->first, direction);
  if (next == TB_ID_NONE)
    {
      gtk_widget_error_bell (widget);
      return TRUE;
    }
  self->cursor = next;
  tb_histogram_canvas_select (self, next, next + 1);
  return TRUE;
}

/* Moves one end of the selection, as in text. */
static gboolean
on_extend_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);
  int direction = g_variant_get_int32 (arguments);
  guint n = get_n_bins (self);
  guint other;

  if (self->first == self->end)
    return on_move_key (widget, arguments, data);
  other = self->cursor == self->first ? self->end - 1 : self->first;
  if ((direction < 0 && self->cursor == 0) || (direction > 0 && self->cursor + 1 >= n))
    {
      gtk_widget_error_bell (widget);
      return TRUE;
    }
  self->cursor += (guint) direction;
  tb_histogram_canvas_select (self, MIN (self->cursor, other), MAX (self->cursor, other) + 1);
  return TRUE;
}

/* Goes to the next mark. */
static gboolean
on_mark_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);
  int direction = g_variant_get_int32 (arguments);
  guint best_first = TB_ID_NONE, best_end = 0;

  for (guint i = 0; i < tb_histogram_figure_get_n_marks (self->figure); i++)
    {
      gboolean beyond;
      guint first, end;

      tb_histogram_figure_get_mark_bins (self->figure, i, &first, &end);
      if (first >= end || (first == self->first && end == self->end))
        continue;
      beyond
          = self->first == self->end || (direction > 0 ? first > self->first : first < self->first);
      if (!beyond)
        continue;
      if (best_first == TB_ID_NONE || (direction > 0 ? first < best_first : first > best_first))
        {
          best_first = first;
          best_end = end;
        }
    }
  if (best_first == TB_ID_NONE)
    gtk_widget_error_bell (widget);
  else
    tb_histogram_canvas_select (self, best_first, best_end);
  return TRUE;
}

static gboolean
on_edge_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);
  gboolean last = g_variant_get_int32 (arguments) > 0;
  guint bin = last ? find_next_bin (self, get_n_bins (self), -1) : find_next_bin (self, -1, 1);

  if (bin != TB_ID_NONE)
    tb_histogram_canvas_select (self, bin, bin + 1);
  return TRUE;
}

static guint
get_bin_at (TbHistogramCanvas *self, double x)
{
  graphene_rect_t plot;

  tb_histogram_canvas_get_plot (self, &plot);
  return tb_histogram_scale_find_bin (&self->scale, self->figure, plot.size.width,
                                      CLAMP (x - plot.origin.x, 0, plot.size.width - .001));
}

static gboolean
in_plot (TbHistogramCanvas *self, double x)
{
  graphene_rect_t plot;

  tb_histogram_canvas_get_plot (self, &plot);
  return x >= plot.origin.x && x < plot.origin.x + plot.size.width;
}

static void
tb_histogram_canvas_hover (TbBinsCanvas *canvas, double x, double y)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (canvas);

  tb_histogram_canvas_set_hovered (self, in_plot (self, x) ? get_bin_at (self, x) : TB_ID_NONE);
}

static void
tb_histogram_canvas_leave (TbBinsCanvas *canvas)
{
  tb_histogram_canvas_set_hovered (TB_HISTOGRAM_CANVAS (canvas), TB_ID_NONE);
}

static gboolean
tb_histogram_canvas_brush_begin (TbBinsCanvas *canvas, double x, double y)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (canvas);

  self->brush_from = get_bin_at (self, x);
  return TRUE;
}

/* Dragging selects all bins that it passes. */
static void
tb_histogram_canvas_brush_to (TbBinsCanvas *canvas, double x, double y)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (canvas);
  guint bin = get_bin_at (self, x);

  self->cursor = bin;
  tb_histogram_canvas_select (self, MIN (self->brush_from, bin), MAX (self->brush_from, bin) + 1);
}

/* A click selects the mark under it, and a click on the selection its bin. A double click zooms
 * in. */
static void
choose_at (TbHistogramCanvas *self, double x)
{
  guint bin = get_bin_at (self, x);
  guint mark = tb_histogram_canvas_find_mark (self, bin, bin + 1);
  guint first = bin, end = bin + 1;

  if (mark != TB_ID_NONE)
    tb_histogram_figure_get_mark_bins (self->figure, mark, &first, &end);
  if (mark == TB_ID_NONE || (self->first == first && self->end == end))
    {
      first = bin;
      end = bin + 1;
    }
  tb_histogram_canvas_select (self, first, end);
}

static void
tb_histogram_canvas_choose (TbBinsCanvas *canvas, int n_press, double x, double y)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (canvas);
  guint bin = get_bin_at (self, x);
  guint mark = tb_histogram_canvas_find_mark (self, bin, bin + 1);
  guint first, end;

  if (!in_plot (self, x))
    tb_histogram_canvas_select (self, 0, 0);
  else if (n_press == 1)
    choose_at (self, x);
  else if (n_press == 2 && mark != TB_ID_NONE)
    {
      tb_histogram_figure_get_mark_bins (self->figure, mark, &first, &end);
      tb_histogram_canvas_select (self, first, end);
      tb_histogram_canvas_zoom_to (self, first, end);
    }
  else if (n_press == 2)
    tb_histogram_canvas_zoom (self, x, G_MAXFLOAT);
}

static gboolean
tb_histogram_canvas_has_chosen_at (TbBinsCanvas *canvas, double x, double y)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (canvas);
  guint bin = get_bin_at (self, x);

  return !in_plot (self, x) || (bin >= self->first && bin < self->end);
}

static void
tb_histogram_canvas_get_bins_plot (TbBinsCanvas *canvas, graphene_rect_t *plot)
{
  tb_histogram_canvas_get_plot (TB_HISTOGRAM_CANVAS (canvas), plot);
}

static void
tb_histogram_canvas_zoom_bins (TbBinsCanvas *canvas, double x, double y, double factor)
{
  tb_histogram_canvas_zoom (TB_HISTOGRAM_CANVAS (canvas), x, factor == 0 ? G_MAXFLOAT : factor);
}

static gboolean
tb_histogram_canvas_pan_bins (TbBinsCanvas *canvas, double across, double up)
{
  if (across == 0 || ABS (across) < ABS (up) / 2)
    return FALSE;
  tb_histogram_canvas_pan (TB_HISTOGRAM_CANVAS (canvas), across);
  return TRUE;
}

static gboolean
tb_histogram_canvas_get_chosen (TbBinsCanvas *canvas, graphene_rect_t *bounds)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (canvas);
  double from, to, left, right;
  graphene_rect_t plot;

  if (self->first == self->end)
    return FALSE;
  tb_histogram_canvas_get_plot (self, &plot);
  from = (double) tb_histogram_figure_get_bin (self->figure, self->first)->from;
  to = (double) tb_histogram_figure_get_bin (self->figure, self->end - 1)->to;
  left = tb_histogram_scale_get_x (&self->scale, plot.size.width, (gint64) from);
  right = tb_histogram_scale_get_x (&self->scale, plot.size.width, (gint64) to);
  graphene_rect_init (bounds, plot.origin.x + (float) left, plot.origin.y, (float) (right - left),
                      plot.size.height);
  return graphene_rect_intersection (bounds, &plot, bounds);
}

static void
tb_histogram_canvas_fit (TbBinsCanvas *canvas)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (canvas);

  tb_histogram_canvas_zoom_to (self, self->first, self->end);
}

static gboolean
tb_histogram_canvas_clear (TbBinsCanvas *canvas)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (canvas);

  if (self->first == self->end)
    return FALSE;
  tb_histogram_canvas_select (self, 0, 0);
  return TRUE;
}

static gboolean
tb_histogram_canvas_query_tooltip (GtkWidget *widget,
                                   int x,
                                   int y,
                                   gboolean keyboard,
                                   GtkTooltip *tooltip)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);
  g_autofree char *text = NULL;

  if (keyboard && self->first < self->end)
    text = tb_histogram_figure_describe (self->figure, self->first, self->end);
  else if (!keyboard && in_plot (self, x) && has_count (self, get_bin_at (self, x)))
    text = tb_histogram_figure_describe (self->figure, get_bin_at (self, x),
                                         get_bin_at (self, x) + 1);
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
add_keys (GtkWidgetClass *widget_class)
{
  tb_bins_canvas_class_add_pair (widget_class, GDK_KEY_Left, GDK_KEY_Right, GDK_SHIFT_MASK,
                                 on_extend_key);
  tb_bins_canvas_class_add_pair (widget_class, GDK_KEY_KP_Left, GDK_KEY_KP_Right, GDK_SHIFT_MASK,
                                 on_extend_key);
  tb_bins_canvas_class_add_pair (widget_class, GDK_KEY_Left, GDK_KEY_Right, 0, on_move_key);
  tb_bins_canvas_class_add_pair (widget_class, GDK_KEY_KP_Left, GDK_KEY_KP_Right, 0, on_move_key);
  tb_bins_canvas_class_add_pair (widget_class, GDK_KEY_Down, GDK_KEY_Up, 0, on_mark_key);
  tb_bins_canvas_class_add_pair (widget_class, GDK_KEY_Page_Up, GDK_KEY_Page_Down, 0, on_mark_key);
  tb_bins_canvas_class_add_pair (widget_class, GDK_KEY_Home, GDK_KEY_End, 0, on_edge_key);
  tb_bins_canvas_class_add_keys (widget_class);
}

void
tb_histogram_canvas_class_add_input (TbHistogramCanvasClass *klass)
{
  TbBinsCanvasClass *canvas_class = TB_BINS_CANVAS_CLASS (klass);

  canvas_class->get_plot = tb_histogram_canvas_get_bins_plot;
  canvas_class->hover = tb_histogram_canvas_hover;
  canvas_class->leave = tb_histogram_canvas_leave;
  canvas_class->choose = tb_histogram_canvas_choose;
  canvas_class->has_chosen_at = tb_histogram_canvas_has_chosen_at;
  canvas_class->brush_begin = tb_histogram_canvas_brush_begin;
  canvas_class->brush_to = tb_histogram_canvas_brush_to;
  canvas_class->zoom = tb_histogram_canvas_zoom_bins;
  canvas_class->pan = tb_histogram_canvas_pan_bins;
  canvas_class->get_chosen = tb_histogram_canvas_get_chosen;
  canvas_class->fit = tb_histogram_canvas_fit;
  canvas_class->clear = tb_histogram_canvas_clear;
  GTK_WIDGET_CLASS (klass)->query_tooltip = tb_histogram_canvas_query_tooltip;
  add_keys (GTK_WIDGET_CLASS (klass));
}
