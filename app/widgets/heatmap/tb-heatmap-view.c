/* tb-heatmap-view.c: widget for a heat map figure: its canvas, scale, search, filter, selection and
 * status line
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "base/tb-duration.h"
#include "widgets/heatmap/tb-heatmap-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "report/tb-report.h"
#include "base/tb-base.h"
#include "widgets/tb-figure-view-private.h"
#include "widgets/heatmap/tb-heatmap-private.h"

/**
 * TbHeatmapView:
 *
 * Shows a #TbHeatmapFigure: a cell for each number, darker for larger numbers, or blue and orange
 * for negative and positive ones. Where cells are narrower or lower than pixels, a pixel shows the
 * most extreme number of its cells, so that none disappears.
 *
 * A click selects a cell, a click next to the cells a row, and dragging several columns. Arrow keys
 * go from cell to cell, and with Shift extend the selection. Control with the wheel, W and S, plus
 * and minus zoom. Shift with the wheel, A and D move. F zooms to the selection, 0 shows everything.
 * Over time a cell is selected together with its time in all figures of the document, and several
 * cells as a range of time.
 */
struct _TbHeatmapView
{
  TbFigureView parent_instance;

  TbHeatmapFigure *figure;

  GtkWidget *box;
  GtkWidget *scale_group;
  GtkWidget *status;
  TbHeatmapCanvas *canvas;
};

G_DEFINE_FINAL_TYPE (TbHeatmapView, tb_heatmap_view, TB_TYPE_FIGURE_VIEW)

static void
update_status (TbHeatmapView *self)
{
  TbHeatmapCanvas *canvas = self->canvas;
  g_autofree char *text = NULL;

  if (canvas->hovered_row != TB_ID_NONE)
    text = tb_heatmap_figure_describe (self->figure, canvas->hovered_row, canvas->hovered_column);
  else if (canvas->row != TB_ID_NONE)
    text = tb_heatmap_figure_describe (self->figure, canvas->row,
                                       canvas->end == canvas->first + 1 ? canvas->first
                                                                        : TB_ID_NONE);
  gtk_label_set_text (GTK_LABEL (self->status),
                      text != NULL ? text : _ ("Select a cell to see its value"));
}

static void
on_selected_changed (TbHeatmapView *self)
{
  TbFigureView *view = TB_FIGURE_VIEW (self);
  TbHeatmapCanvas *canvas = self->canvas;
  gint64 from = TB_TIME_NONE, to = TB_TIME_NONE, unused;
  g_autofree char *item = NULL;

  update_status (self);
  if (tb_figure_view_is_selecting (view))
    return;
  if (canvas->row != TB_ID_NONE)
    item = tb_heatmap_figure_get_item (self->figure, canvas->row,
                                       canvas->end == canvas->first + 1 ? canvas->first
                                                                        : TB_ID_NONE);
  if (canvas->timed && canvas->row != TB_ID_NONE && canvas->first < canvas->end)
    {
      tb_heatmap_figure_get_column_range (self->figure, canvas->first, &from, &unused);
      tb_heatmap_figure_get_column_range (self->figure, canvas->end - 1, &unused, &to);
    }
  tb_focus_begin_change (tb_figure_view_get_focus (view));
  tb_figure_view_select_item (view, item, TB_ID_NONE, from, to, NULL);
  /* Several slices of time are selected as a range in all figures. */
  if (from != TB_TIME_NONE && canvas->end > canvas->first + 1)
    tb_focus_select_range (tb_figure_view_get_focus (view), from, to);
  tb_focus_end_change (tb_figure_view_get_focus (view));
}

/* The columns of a time. [0, 0) where no column has it. */
static void
find_columns (TbHeatmapView *self, gint64 from, gint64 to, guint *first, guint *end)
{
  guint n = tb_heatmap_figure_get_n_columns (self->figure);

  *first = *end = 0;
  for (guint column = 0; column < n; column++)
    {
      gint64 column_from, column_to;

      tb_heatmap_figure_get_column_range (self->figure, column, &column_from, &column_to);
      if (column_to <= from || column_from >= MAX (to, from + 1))
        continue;
      if (*first == *end)
        *first = column;
      *end = column + 1;
    }
}

static void
tb_heatmap_view_show_selection (TbFigureView *view)
{
  TbHeatmapView *self = TB_HEATMAP_VIEW (view);
  guint row, column, first = 0, end = 0;
  gint64 from, to;

  if (!tb_heatmap_figure_find_item (self->figure, tb_figure_view_get_item (view), &row, &column))
    row = TB_ID_NONE;
  else if (column != TB_ID_NONE)
    {
      first = column;
      end = column + 1;
    }
  else if (self->canvas->timed && tb_focus_get_time (tb_figure_view_get_focus (view), &from, &to))
    find_columns (self, from, to, &first, &end);
  tb_heatmap_canvas_select (self->canvas, row, first, end);
}

static void
on_scale_chosen (TbHeatmapView *self)
{
  tb_heatmap_canvas_set_logarithmic (
      self->canvas, adw_toggle_group_get_active (ADW_TOGGLE_GROUP (self->scale_group)) == 0);
}

static GtkWidget *
make_bar (TbHeatmapView *self)
{
  const char *const names[] = { _ ("Log"), _ ("Linear"), NULL };
  const char *const tooltips[] = { _ ("Small numbers stay visible beside large ones"),
                                   _ ("The strength of a color is proportional to the number") };
  GtkWidget *bar;

  self->scale_group = tb_bins_make_choice (_ ("Colors"), names, tooltips);
  bar = tb_bins_make_labelled (_ ("Colors"), self->scale_group);
  gtk_widget_add_css_class (bar, "tb-figurebar");
  return bar;
}

static void
tb_heatmap_view_constructed (GObject *object)
{
  TbHeatmapView *self = TB_HEATMAP_VIEW (object);
  TbFigureView *view = TB_FIGURE_VIEW (object);

  G_OBJECT_CLASS (tb_heatmap_view_parent_class)->constructed (object);
  self->figure = TB_HEATMAP_FIGURE (tb_figure_view_get_figure (view));
  self->canvas = tb_heatmap_canvas_new (self->figure, tb_figure_view_get_focus (view));
  gtk_box_insert_child_after (GTK_BOX (self->box), GTK_WIDGET (self->canvas),
                              gtk_widget_get_first_child (self->box));
  adw_toggle_group_set_active (ADW_TOGGLE_GROUP (self->scale_group), 0);
  g_signal_connect_object (self->scale_group, "notify::active", G_CALLBACK (on_scale_chosen), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "selected-changed", G_CALLBACK (on_selected_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "hovered-changed", G_CALLBACK (update_status), self,
                           G_CONNECT_SWAPPED);
  tb_figure_view_set_page (view, self->box, GTK_WIDGET (self->canvas));
  tb_figure_view_set_found (view, FALSE, tb_heatmap_figure_get_largest (self->figure) > 0,
                            _ ("Nothing of this kind was recorded in this range."), NULL);
  update_status (self);
}

/* Marks matching rows, and moves the highest one into view. */
static void
show_matched (TbHeatmapView *self, guint8 *matched)
{
  TbHeatmapCanvas *canvas = self->canvas;
  gboolean seen = FALSE;
  guint first = TB_ID_NONE;

  for (guint row = 0; matched != NULL && row < tb_heatmap_figure_get_n_rows (self->figure); row++)
    if (matched[row])
      {
        first = row;
        seen |= row >= canvas->viewport.row
                && row + 1 <= canvas->viewport.row + canvas->viewport.n_rows;
      }
  tb_heatmap_canvas_set_matched (canvas, matched);
  if (first != TB_ID_NONE && !seen)
    tb_heatmap_canvas_pan (canvas, 0,
                           first + .5 - canvas->viewport.n_rows / 2 - canvas->viewport.row);
  tb_figure_view_set_found (TB_FIGURE_VIEW (self), tb_heatmap_figure_get_largest (self->figure) > 0,
                            tb_heatmap_figure_get_largest (self->figure) > 0
                                && (matched == NULL || first != TB_ID_NONE),
                            _ ("Nothing of this kind was recorded in this range."),
                            _ ("No Row Found"));
}

static void
tb_heatmap_view_search (TbFigureView *view, const char *search)
{
  TbHeatmapView *self = TB_HEATMAP_VIEW (view);
  guint n = tb_heatmap_figure_get_n_rows (self->figure);
  g_autofree char *folded = search != NULL ? tb_filter_fold (search) : NULL;
  guint8 *matched = folded != NULL ? g_new0 (guint8, n + 1) : NULL;

  for (guint row = 0; matched != NULL && row < n; row++)
    matched[row] = tb_filter_contains (tb_heatmap_figure_get_row_label (self->figure, row), folded);
  show_matched (self, matched);
}

/* Columns are slices of time or frames. Only with frames the cells are functions. Over time the
 * rows may be lengths of time. */
static gboolean
has_functions (TbHeatmapView *self)
{
  return tb_heatmap_figure_get_n_columns (self->figure) > 0
         && tb_heatmap_figure_get_column_label (self->figure, 0) != NULL;
}

/* The longest time of a row: the one in its label, else the largest of its cells. −1 where there is
 * none. */
static gint64
get_longest (TbHeatmapView *self, guint row)
{
  gint64 ns = -1;

  if (!has_functions (self)
      && tb_duration_parse (tb_heatmap_figure_get_row_label (self->figure, row), &ns)
             == TB_DURATION_OK)
    return ns;
  if (!g_str_equal (tb_heatmap_figure_get_unit (self->figure), "ns"))
    return -1;
  for (guint column = 0; column < tb_heatmap_figure_get_n_columns (self->figure); column++)
    {
      gint64 cell = tb_heatmap_figure_is_signed (self->figure)
                        ? ABS (tb_heatmap_figure_get_signed_row (self->figure, row)[column])
                        : (gint64) tb_heatmap_figure_get_row (self->figure, row)[column];

      ns = MAX (ns, cell);
    }
  return ns;
}

/* The label of a function may contain its file where it has no name. */
static gboolean
matches (TbHeatmapView *self, guint row, TbFilter *filter)
{
  const char *label = tb_heatmap_figure_get_row_label (self->figure, row);
  gint64 longer = tb_filter_get_min_length (filter),
         longest = longer < 0 ? -1 : get_longest (self, row);

  return tb_filter_match_words (filter, &label, 1)
         && (!has_functions (self) || tb_filter_match_function (filter, label, label))
         && (longest < 0 || longest >= longer);
}

/* Terms that a row has no information about, such as the state of a thread, are ignored. */
static void
tb_heatmap_view_filter (TbFigureView *view, TbFilter *filter)
{
  TbHeatmapView *self = TB_HEATMAP_VIEW (view);
  guint n = tb_heatmap_figure_get_n_rows (self->figure);
  guint8 *matched = filter != NULL ? g_new0 (guint8, n + 1) : NULL;
  gboolean all = TRUE;

  for (guint row = 0; matched != NULL && row < n; row++)
    {
      matched[row] = matches (self, row, filter);
      all &= matched[row];
    }
  /* If all terms are ignored, nothing is marked. */
  if (all)
    g_clear_pointer (&matched, g_free);
  tb_heatmap_canvas_set_matched (self->canvas, matched);
}

static void
tb_heatmap_view_keep_place (TbFigureView *view, TbFigureView *before)
{
  TbHeatmapView *self = TB_HEATMAP_VIEW (view);
  TbHeatmapView *other = TB_HEATMAP_VIEW (before);

  tb_heatmap_view_set_logarithmic (self, other->canvas->logarithmic);
  if (tb_heatmap_figure_get_n_columns (self->figure)
          == tb_heatmap_figure_get_n_columns (other->figure)
      && tb_heatmap_figure_get_n_rows (self->figure)
             == tb_heatmap_figure_get_n_rows (other->figure))
    self->canvas->viewport = other->canvas->viewport;
  tb_heatmap_view_show_selection (view);
}

static void
tb_heatmap_view_select_at (TbFigureView *view, double x, double y)
{
  tb_bins_canvas_choose_at (TB_BINS_CANVAS (TB_HEATMAP_VIEW (view)->canvas), GTK_WIDGET (view), x,
                            y);
}

static void
tb_heatmap_view_class_init (TbHeatmapViewClass *klass)
{
  TbFigureViewClass *view_class = TB_FIGURE_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = tb_heatmap_view_constructed;
  view_class->search_hint = N_ ("Find row");
  view_class->search = tb_heatmap_view_search;
  view_class->filter = tb_heatmap_view_filter;
  view_class->show_selection = tb_heatmap_view_show_selection;
  view_class->keep_place = tb_heatmap_view_keep_place;
  view_class->select_at = tb_heatmap_view_select_at;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "tb-heatmap");
}

static void
tb_heatmap_view_init (TbHeatmapView *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->status = tb_bins_make_status ();
  gtk_box_append (GTK_BOX (self->box), make_bar (self));
  gtk_box_append (GTK_BOX (self->box), self->status);
}

/**
 * tb_heatmap_view_new:
 * @figure: a heat map figure
 * @focus: the focus of the document
 *
 * Creates a view of a heat map.
 *
 * Returns: (transfer floating): a view of @figure
 */
GtkWidget *
tb_heatmap_view_new (TbHeatmapFigure *figure, TbFocus *focus)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (figure), NULL);
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);

  return tb_figure_view_new (TB_FIGURE (figure), focus);
}

/**
 * tb_heatmap_view_select:
 * @self: a view
 * @row: index of a row, %TB_ID_NONE for nothing
 * @first: its first column
 * @end: the column after the last one; equal to @first for the whole row
 *
 * Selects cells, as a click or dragging does.
 */
void
tb_heatmap_view_select (TbHeatmapView *self, guint row, guint first, guint end)
{
  g_return_if_fail (TB_IS_HEATMAP_VIEW (self));
  g_return_if_fail (row == TB_ID_NONE || row < tb_heatmap_figure_get_n_rows (self->figure));
  g_return_if_fail (first <= end && end <= tb_heatmap_figure_get_n_columns (self->figure));

  tb_heatmap_canvas_select (self->canvas, row, first, end);
}

/**
 * tb_heatmap_view_get_selected:
 * @self: a view
 * @row: (out): the selected row
 * @first: (out): its first column
 * @end: (out): the column after the last one; equal to @first for the whole row
 *
 * Gets the selected cells.
 *
 * Returns: whether anything is selected
 */
gboolean
tb_heatmap_view_get_selected (TbHeatmapView *self, guint *row, guint *first, guint *end)
{
  g_return_val_if_fail (TB_IS_HEATMAP_VIEW (self), FALSE);

  *row = self->canvas->row;
  *first = self->canvas->first;
  *end = self->canvas->end;
  return *row != TB_ID_NONE;
}

/**
 * tb_heatmap_view_is_found:
 * @self: a view
 * @row: index of a row
 *
 * Gets whether a row is a match.
 *
 * Returns: whether it is marked as a match of the search or filter
 */
gboolean
tb_heatmap_view_is_found (TbHeatmapView *self, guint row)
{
  g_return_val_if_fail (TB_IS_HEATMAP_VIEW (self), FALSE);
  g_return_val_if_fail (row < tb_heatmap_figure_get_n_rows (self->figure), FALSE);

  return self->canvas->matched != NULL && self->canvas->matched[row];
}

/**
 * tb_heatmap_view_set_logarithmic:
 * @self: a view
 * @logarithmic: whether equal ratios are equal steps of colour
 *
 * Sets the scale of the colours.
 */
void
tb_heatmap_view_set_logarithmic (TbHeatmapView *self, gboolean logarithmic)
{
  g_return_if_fail (TB_IS_HEATMAP_VIEW (self));

  adw_toggle_group_set_active (ADW_TOGGLE_GROUP (self->scale_group), logarithmic ? 0 : 1);
}
