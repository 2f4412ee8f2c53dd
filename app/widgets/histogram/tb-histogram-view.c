/* tb-histogram-view.c: widget for a histogram figure: its canvas, scale, percentiles, selection and
 * status line
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/histogram/tb-histogram-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "base/tb-base.h"
#include "widgets/tb-figure-view-private.h"
#include "widgets/histogram/tb-histogram-private.h"

/**
 * TbHistogramView:
 *
 * Shows a #TbHistogramFigure: a bar for each bin of its first series, further series as outlines
 * over it, and marks behind them. Bins narrower than a pixel share one bar, as high as the highest
 * of them. The scales of values and of counts may be logarithmic or linear. On logarithmic scales
 * rare values remain visible next to frequent ones.
 *
 * A click selects a mark or a bin, dragging a range of bins. Arrow keys go from bin to bin, and
 * with Shift extend the range. Up and Down go from mark to mark. Control with the wheel, W and S,
 * plus and minus zoom. Shift with the wheel, A and D move. F zooms to the selection, 0 shows
 * everything.
 */
struct _TbHistogramView
{
  TbFigureView parent_instance;

  TbHistogramFigure *figure;

  GtkWidget *box;
  GtkWidget *values_group;
  GtkWidget *counts_group;
  GtkWidget *percentiles;
  GtkWidget *status;
  TbHistogramCanvas *canvas;
};

G_DEFINE_FINAL_TYPE (TbHistogramView, tb_histogram_view, TB_TYPE_FIGURE_VIEW)

static char *
describe_all (TbHistogramView *self)
{
  guint n = tb_histogram_figure_get_n_bins (self->figure);

  return n > 0 ? tb_histogram_figure_describe (self->figure, 0, n) : g_strdup ("");
}

/* Describes what is under the mouse, else the selection, else the whole. */
static void
update_status (TbHistogramView *self)
{
  TbHistogramCanvas *canvas = self->canvas;
  g_autofree char *text = NULL;

  if (canvas->hovered != TB_ID_NONE)
    text = tb_histogram_figure_describe (self->figure, canvas->hovered, canvas->hovered + 1);
  else if (canvas->first < canvas->end)
    text = tb_histogram_figure_describe (self->figure, canvas->first, canvas->end);
  else
    text = describe_all (self);
  gtk_label_set_text (GTK_LABEL (self->status), text);
}

static void
on_selected_changed (TbHistogramView *self)
{
  TbFigureView *view = TB_FIGURE_VIEW (self);
  g_autofree char *item = NULL;

  update_status (self);
  if (tb_figure_view_is_selecting (view))
    return;
  if (self->canvas->first < self->canvas->end)
    item = tb_histogram_figure_get_item (self->figure, self->canvas->first, self->canvas->end);
  tb_figure_view_select_item (view, item, TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE, NULL);
}

static void
tb_histogram_view_show_selection (TbFigureView *view)
{
  TbHistogramView *self = TB_HISTOGRAM_VIEW (view);
  guint first, end;

  if (!tb_histogram_figure_find_item (self->figure, tb_figure_view_get_item (view), &first, &end))
    first = end = 0;
  tb_histogram_canvas_select (self->canvas, first, end);
}

static void
on_scale_chosen (TbHistogramView *self)
{
  tb_histogram_canvas_set_scale (
      self->canvas, adw_toggle_group_get_active (ADW_TOGGLE_GROUP (self->values_group)) == 0,
      adw_toggle_group_get_active (ADW_TOGGLE_GROUP (self->counts_group)) == 0);
}

static void
on_percentiles_toggled (TbHistogramView *self)
{
  tb_histogram_canvas_set_percentiles (self->canvas, gtk_toggle_button_get_active (
                                                         GTK_TOGGLE_BUTTON (self->percentiles)));
}

static GtkWidget *
make_bar (TbHistogramView *self)
{
  const char *const names[] = { _ ("Log"), _ ("Linear"), NULL };
  GtkWidget *bar = adw_wrap_box_new ();

  adw_wrap_box_set_child_spacing (ADW_WRAP_BOX (bar), 14);
  adw_wrap_box_set_line_spacing (ADW_WRAP_BOX (bar), 4);
  gtk_widget_add_css_class (bar, "tb-figurebar");
  self->values_group
      = tb_bins_make_choice (_ ("Values"), names,
                             (const char *[]) { _ ("Equal ratios have equal distances"),
                                                _ ("Equal differences have equal distances") });
  self->counts_group
      = tb_bins_make_choice (_ ("Counts"), names,
                             (const char *[]) {
                                 _ ("Small counts stay visible beside large ones"),
                                 _ ("The height of a bar is proportional to its count") });
  self->percentiles = gtk_toggle_button_new_with_label (_ ("Percentiles"));
  gtk_widget_set_tooltip_text (
      self->percentiles,
      /* xgettext:no-c-format */
      _ ("The values below which 50 %, 90 %, 99 % and 99.9 % of all values are"));
  adw_wrap_box_append (ADW_WRAP_BOX (bar),
                       tb_bins_make_labelled (_ ("Values"), self->values_group));
  adw_wrap_box_append (ADW_WRAP_BOX (bar),
                       tb_bins_make_labelled (_ ("Counts"), self->counts_group));
  adw_wrap_box_append (ADW_WRAP_BOX (bar), self->percentiles);
  return bar;
}

static void
connect_controls (TbHistogramView *self)
{
  adw_toggle_group_set_active (ADW_TOGGLE_GROUP (self->values_group),
                               tb_histogram_figure_is_logarithmic (self->figure) ? 0 : 1);
  adw_toggle_group_set_active (ADW_TOGGLE_GROUP (self->counts_group), 0);
  g_signal_connect_object (self->values_group, "notify::active", G_CALLBACK (on_scale_chosen), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->counts_group, "notify::active", G_CALLBACK (on_scale_chosen), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->percentiles, "toggled", G_CALLBACK (on_percentiles_toggled), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "selected-changed", G_CALLBACK (on_selected_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "hovered-changed", G_CALLBACK (update_status), self,
                           G_CONNECT_SWAPPED);
}

static void
tb_histogram_view_constructed (GObject *object)
{
  TbHistogramView *self = TB_HISTOGRAM_VIEW (object);
  TbFigureView *view = TB_FIGURE_VIEW (object);

  G_OBJECT_CLASS (tb_histogram_view_parent_class)->constructed (object);
  self->figure = TB_HISTOGRAM_FIGURE (tb_figure_view_get_figure (view));
  self->canvas = tb_histogram_canvas_new (self->figure);
  gtk_box_insert_child_after (GTK_BOX (self->box), GTK_WIDGET (self->canvas),
                              gtk_widget_get_first_child (self->box));
  connect_controls (self);
  tb_figure_view_set_page (view, self->box, GTK_WIDGET (self->canvas));
  tb_figure_view_set_found (view, FALSE, tb_histogram_figure_get_largest_count (self->figure) > 0,
                            _ ("Nothing of this kind was recorded in this range."), NULL);
  update_status (self);
}

static void
tb_histogram_view_keep_place (TbFigureView *view, TbFigureView *before)
{
  TbHistogramView *self = TB_HISTOGRAM_VIEW (view);
  TbHistogramView *other = TB_HISTOGRAM_VIEW (before);
  const TbHistogramScale *scale = &other->canvas->scale;
  gint64 from = tb_histogram_scale_get_value (scale, scale->from);
  gint64 to = tb_histogram_scale_get_value (scale, scale->to);

  tb_histogram_view_set_logarithmic (self, scale->logarithmic, other->canvas->counts_are_log);
  tb_histogram_view_set_percentiles (self, other->canvas->percentiles);
  /* Where everything was visible, it stays so, even if the figure covers other values now. */
  if (scale->from > scale->start || scale->to < scale->end)
    {
      TbHistogramScale *now = &self->canvas->scale;
      double start = tb_histogram_scale_get_place (now, from),
             end = tb_histogram_scale_get_place (now, to);

      tb_histogram_scale_zoom (now, start, (end - start) / (now->to - now->from));
      tb_histogram_scale_pan (now, start - now->from);
    }
  tb_histogram_view_show_selection (view);
}

static void
tb_histogram_view_select_at (TbFigureView *view, double x, double y)
{
  tb_bins_canvas_choose_at (TB_BINS_CANVAS (TB_HISTOGRAM_VIEW (view)->canvas), GTK_WIDGET (view), x,
                            y);
}

static void
tb_histogram_view_class_init (TbHistogramViewClass *klass)
{
  TbFigureViewClass *view_class = TB_FIGURE_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = tb_histogram_view_constructed;
  view_class->show_selection = tb_histogram_view_show_selection;
  view_class->keep_place = tb_histogram_view_keep_place;
  view_class->select_at = tb_histogram_view_select_at;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "tb-histogram");
}

static void
tb_histogram_view_init (TbHistogramView *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->status = tb_bins_make_status ();
  gtk_box_append (GTK_BOX (self->box), make_bar (self));
  gtk_box_append (GTK_BOX (self->box), self->status);
}

/**
 * tb_histogram_view_new:
 * @figure: a histogram figure
 * @focus: the focus of the document
 *
 * Creates a view of a histogram.
 *
 * Returns: (transfer floating): a view of @figure
 */
GtkWidget *
tb_histogram_view_new (TbHistogramFigure *figure, TbFocus *focus)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (figure), NULL);
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);

  return tb_figure_view_new (TB_FIGURE (figure), focus);
}

/**
 * tb_histogram_view_select:
 * @self: a view
 * @first: index of a bin
 * @end: index of the bin after the last one; @first: selects nothing
 *
 * Selects bins, as dragging over them does.
 */
void
tb_histogram_view_select (TbHistogramView *self, guint first, guint end)
{
  g_return_if_fail (TB_IS_HISTOGRAM_VIEW (self));
  g_return_if_fail (first <= end && end <= tb_histogram_figure_get_n_bins (self->figure));

  tb_histogram_canvas_select (self->canvas, first, end);
}

/**
 * tb_histogram_view_get_selected:
 * @self: a view
 * @first: (out): the first selected bin
 * @end: (out): the bin after the last one
 *
 * Gets the selected bins.
 *
 * Returns: whether any bin is selected
 */
gboolean
tb_histogram_view_get_selected (TbHistogramView *self, guint *first, guint *end)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_VIEW (self), FALSE);

  *first = self->canvas->first;
  *end = self->canvas->end;
  return *first < *end;
}

/**
 * tb_histogram_view_set_logarithmic:
 * @self: a view
 * @values: whether the scale of values is logarithmic
 * @counts: whether the scale of counts is logarithmic
 *
 * Sets the scales of the axes.
 */
void
tb_histogram_view_set_logarithmic (TbHistogramView *self, gboolean values, gboolean counts)
{
  g_return_if_fail (TB_IS_HISTOGRAM_VIEW (self));

  adw_toggle_group_set_active (ADW_TOGGLE_GROUP (self->values_group), values ? 0 : 1);
  adw_toggle_group_set_active (ADW_TOGGLE_GROUP (self->counts_group), counts ? 0 : 1);
}

/**
 * tb_histogram_view_set_percentiles:
 * @self: a view
 * @shown: whether lines show the 50th, 90th, 99th and 99.9th percentiles of the first series
 *
 * Sets whether percentiles are marked.
 */
void
tb_histogram_view_set_percentiles (TbHistogramView *self, gboolean shown)
{
  g_return_if_fail (TB_IS_HISTOGRAM_VIEW (self));

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->percentiles), shown);
}
