/* tb-histogram-canvas.c: canvas widget of a histogram: area of the plot, bars as
 * tb-histogram-layout.c places them, zoom and visible part, linear or logarithmic scales, selection
 * of bins, the mark that has given bins
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/tb-base.h"
#include "widgets/histogram/tb-histogram-private.h"
#include "widgets/tb-widgets-private.h"

#define TOP 22
#define END 12
#define GAP 6

G_DEFINE_FINAL_TYPE_WITH_CODE (TbHistogramCanvas,
                               tb_histogram_canvas,
                               TB_TYPE_BINS_CANVAS,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE,
                                                      tb_accessible_items_interface_init))

void
tb_histogram_canvas_redraw (TbHistogramCanvas *self)
{
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
forget_layout (TbHistogramCanvas *self)
{
  g_clear_pointer (&self->bars, g_ptr_array_unref);
  tb_histogram_canvas_redraw (self);
}

static void
measure_text (TbHistogramCanvas *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "000000");
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  self->label_width = (int) (width * .8);
  self->line = height;
}

void
tb_histogram_canvas_get_plot (TbHistogramCanvas *self, graphene_rect_t *plot)
{
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  float side, width, height, top;

  if (self->line == 0)
    measure_text (self);
  /* The names of marks fit above the bars, with large text too. */
  top = MAX (TOP, (float) ceil (self->line * TB_BINS_LABEL_SCALE) + 6);
  side = (float) self->label_width + GAP;
  width = MAX (1, (float) gtk_widget_get_width (GTK_WIDGET (self)) - side - END);
  height
      = MAX (1, (float) gtk_widget_get_height (GTK_WIDGET (self)) - (float) self->line - top - 4);
  /* Values increase to the right in every language, like times. The counts are where lines of text
   * begin. */
  graphene_rect_init (plot, mirrored ? END : side, top, width, height);
}

void
tb_histogram_canvas_ensure_layout (TbHistogramCanvas *self)
{
  graphene_rect_t plot;

  tb_histogram_canvas_get_plot (self, &plot);
  if (self->bars != NULL && self->bars_width == plot.size.width)
    return;
  g_clear_pointer (&self->bars, g_ptr_array_unref);
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  self->bars = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->bars_width = plot.size.width;
  for (guint i = 0; i < self->maxima->len; i++)
    g_ptr_array_add (self->bars,
                     tb_histogram_layout (self->figure, g_ptr_array_index (self->maxima, i),
                                          &self->scale, plot.size.width));
}

static void
tb_histogram_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);

  tb_histogram_canvas_ensure_layout (self);
  tb_histogram_canvas_draw (self, snapshot);
}

static void
tb_histogram_canvas_measure (GtkWidget *widget,
                             GtkOrientation orientation,
                             int for_size,
                             int *minimum,
                             int *natural,
                             int *minimum_baseline,
                             int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 180 : 120;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 600 : 280;
}

static void
tb_histogram_canvas_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);

  GTK_WIDGET_CLASS (tb_histogram_canvas_parent_class)->css_changed (widget, change);
  self->line = 0;
  forget_layout (self);
}

static void
tb_histogram_canvas_direction_changed (GtkWidget *widget, GtkTextDirection before)
{
  forget_layout (TB_HISTOGRAM_CANVAS (widget));
}

guint
tb_histogram_canvas_find_mark (TbHistogramCanvas *self, guint first, guint end)
{
  for (guint i = 0; i < tb_histogram_figure_get_n_marks (self->figure); i++)
    {
      guint mark_first, mark_end;

      tb_histogram_figure_get_mark_bins (self->figure, i, &mark_first, &mark_end);
      if (mark_first <= first && end <= mark_end && mark_first < mark_end)
        return i;
    }
  return TB_ID_NONE;
}

static void
update_accessible (TbHistogramCanvas *self)
{
  g_autofree char *text = NULL;

  if (self->first < self->end)
    text = tb_histogram_figure_describe (self->figure, self->first, self->end);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text != NULL ? text : _ ("Nothing selected"), -1);
  tb_accessible_items_selection_changed (GTK_WIDGET (self));
  if (text != NULL && gtk_widget_is_focus (GTK_WIDGET (self)))
    tb_widgets_announce (GTK_WIDGET (self), text);
}

/* Moves the selection into view. */
static void
reveal (TbHistogramCanvas *self)
{
  const TbHistogramScale *scale = &self->scale;
  double from, to;

  from = tb_histogram_scale_get_place (
      scale, tb_histogram_figure_get_bin (self->figure, self->first)->from);
  to = tb_histogram_scale_get_place (scale,
                                     tb_histogram_figure_get_bin (self->figure, self->end - 1)->to);
  if (to - from > scale->to - scale->from)
    tb_histogram_canvas_zoom_to (self, self->first, self->end);
  else if (from < scale->from || to > scale->to)
    {
      tb_histogram_scale_pan (&self->scale,
                              from < scale->from ? from - scale->from : to - scale->to);
      forget_layout (self);
    }
}

/* first = end: selects nothing. */
void
tb_histogram_canvas_select (TbHistogramCanvas *self, guint first, guint end)
{
  if (self->first == first && self->end == end)
    return;
  self->first = first;
  self->end = end;
  if (first < end)
    reveal (self);
  if (self->cursor < first || self->cursor >= end)
    self->cursor = first;
  update_accessible (self);
  tb_histogram_canvas_redraw (self);
  tb_bins_canvas_selected_changed (TB_BINS_CANVAS (self));
}

void
tb_histogram_canvas_set_hovered (TbHistogramCanvas *self, guint bin)
{
  if (self->hovered == bin)
    return;
  self->hovered = bin;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  tb_bins_canvas_hovered_changed (TB_BINS_CANVAS (self));
}

void
tb_histogram_canvas_set_scale (TbHistogramCanvas *self, gboolean values_log, gboolean counts_log)
{
  if (self->scale.logarithmic != values_log)
    tb_histogram_scale_init (&self->scale, self->figure, values_log);
  self->counts_are_log = counts_log;
  forget_layout (self);
}

void
tb_histogram_canvas_set_percentiles (TbHistogramCanvas *self, gboolean percentiles)
{
  self->percentiles = percentiles;
  tb_histogram_canvas_redraw (self);
}

/* With some space around them. */
void
tb_histogram_canvas_zoom_to (TbHistogramCanvas *self, guint first, guint end)
{
  TbHistogramScale *scale = &self->scale;
  double from, length;

  if (first >= end)
    return;
  from = tb_histogram_scale_get_place (scale,
                                       tb_histogram_figure_get_bin (self->figure, first)->from);
  length = tb_histogram_scale_get_place (scale,
                                         tb_histogram_figure_get_bin (self->figure, end - 1)->to)
           - from;
  tb_histogram_scale_zoom (scale, from, length * 1.2 / (scale->to - scale->from));
  tb_histogram_scale_pan (scale, from - (scale->to - scale->from - length) / 2 - scale->from);
  forget_layout (self);
}

void
tb_histogram_canvas_zoom (TbHistogramCanvas *self, double x, double factor)
{
  graphene_rect_t plot;
  double part;

  tb_histogram_canvas_get_plot (self, &plot);
  part = CLAMP ((x - plot.origin.x) / plot.size.width, 0, 1);
  tb_histogram_scale_zoom (&self->scale,
                           self->scale.from + part * (self->scale.to - self->scale.from), factor);
  forget_layout (self);
}

void
tb_histogram_canvas_pan (TbHistogramCanvas *self, double share)
{
  tb_histogram_scale_pan (&self->scale, share * (self->scale.to - self->scale.from));
  forget_layout (self);
}

static void
tb_histogram_canvas_finalize (GObject *object)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (object);

  g_clear_pointer (&self->bars, g_ptr_array_unref);
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  g_ptr_array_unref (self->maxima);
  g_clear_object (&self->figure);

  G_OBJECT_CLASS (tb_histogram_canvas_parent_class)->finalize (object);
}

static void
tb_histogram_canvas_class_init (TbHistogramCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_histogram_canvas_finalize;
  widget_class->snapshot = tb_histogram_canvas_snapshot;
  widget_class->measure = tb_histogram_canvas_measure;
  widget_class->css_changed = tb_histogram_canvas_css_changed;
  widget_class->direction_changed = tb_histogram_canvas_direction_changed;

  tb_histogram_canvas_class_add_input (klass);
  gtk_widget_class_set_css_name (widget_class, "tb-histogram-canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
}

static void
tb_histogram_canvas_init (TbHistogramCanvas *self)
{
  self->hovered = TB_ID_NONE;
  self->counts_are_log = TRUE;
  self->maxima = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_maxima_free);
  tb_accessible_items_attach (GTK_WIDGET (self), &tb_histogram_accessible_items);
  tb_widgets_follow_style (GTK_WIDGET (self), G_CALLBACK (tb_histogram_canvas_redraw));
}

TbHistogramCanvas *
tb_histogram_canvas_new (TbHistogramFigure *figure)
{
  TbHistogramCanvas *self = g_object_new (TB_TYPE_HISTOGRAM_CANVAS, NULL);

  self->figure = g_object_ref (figure);
  tb_histogram_scale_init (&self->scale, figure, tb_histogram_figure_is_logarithmic (figure));
  for (guint i = 0; i < tb_histogram_figure_get_n_series (figure); i++)
    g_ptr_array_add (self->maxima, tb_maxima_new (tb_histogram_figure_get_counts (figure, i),
                                                  tb_histogram_figure_get_n_bins (figure)));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (TB_FIGURE (figure)), -1);
  update_accessible (self);
  return self;
}
