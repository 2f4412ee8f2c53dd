/* tb-figure-view.h: base class of the widgets that show figures, and choice of the widget for a
 * figure: search, filter, selection shared with the document, message where empty, stored
 * arrangement
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/tb-figure.h"
#include "report/tb-filter.h"
#include "widgets/focus/tb-focus.h"

G_BEGIN_DECLS

#define TB_TYPE_FIGURE_VIEW (tb_figure_view_get_type ())
TB_EXPORT
G_DECLARE_DERIVABLE_TYPE (TbFigureView, tb_figure_view, TB, FIGURE_VIEW, GtkWidget)

/**
 * TbFigureViewClass:
 * @search_hint: an example of a search, for an empty search entry; not yet translated
 * @search: searches for text; %NULL ends the search
 * @filter: shows only, or first, what matches a filter; %NULL shows everything. A view that cannot
 *   check some of the filter's terms shows that fact, and does not hide possible matches. Without
 *   this function the text of a filter is searched for with @search
 * @show_selection: shows the selection of the focus; not called when the view itself made the
 *   selection
 * @names_changed: called after names were found that may be part of the figure's labels, which are
 *   requested when they are drawn
 * @keep_place: takes over zoom, scroll position and selection from a view of an earlier state of
 *   the figure
 * @select_at: (nullable): selects the item drawn at a position of the view, unless the selection
 *   already includes it; where nothing is drawn, the selection stays as it is
 * @get_state: (nullable): returns the user's arrangement, such as its order and what is pinned, as
 *   an `a{sv}`; %NULL where nothing was arranged
 * @set_state: (nullable): applies the result of @get_state, possibly for another recording; unknown
 *   parts are ignored
 */
struct _TbFigureViewClass
{
  GtkWidgetClass parent_class;

  const char *search_hint;
  void (*search) (TbFigureView *self, const char *search);
  void (*filter) (TbFigureView *self, TbFilter *filter);
  void (*show_selection) (TbFigureView *self);
  void (*names_changed) (TbFigureView *self);
  void (*keep_place) (TbFigureView *self, TbFigureView *before);
  GVariant *(*get_state) (TbFigureView *self);
  void (*set_state) (TbFigureView *self, GVariant *state);
  void (*select_at) (TbFigureView *self, double x, double y);

  /*< private >*/
  gpointer padding[4];
};

TB_EXPORT GtkWidget *tb_figure_view_new (TbFigure *figure, TbFocus *focus);
/* before (nullable): a view of an earlier state of the same figure, which the new view replaces */
TB_EXPORT GtkWidget *tb_figure_view_new_after (TbFigure *figure, TbFocus *focus, GtkWidget *before);
TB_EXPORT TbFigure *tb_figure_view_get_figure (TbFigureView *self);
TB_EXPORT TbFocus *tb_figure_view_get_focus (TbFigureView *self);
TB_EXPORT GtkWidget *tb_figure_view_new_legend (TbFigure *figure);

/* The view of tb_figure_view_new() may also be a label with the text of a figure. The following
 * functions do nothing for it. */
TB_EXPORT gboolean tb_figure_view_can_search (GtkWidget *view);
TB_EXPORT void tb_figure_view_set_search (GtkWidget *view, const char *search);
TB_EXPORT const char *tb_figure_view_get_search (GtkWidget *view);
TB_EXPORT const char *tb_figure_view_get_search_hint (GtkWidget *view);
TB_EXPORT gboolean tb_figure_view_can_filter (GtkWidget *view);
TB_EXPORT void tb_figure_view_set_filter (GtkWidget *view, TbFilter *filter);
TB_EXPORT TbFilter *tb_figure_view_get_filter (GtkWidget *view);
TB_EXPORT void tb_figure_view_select_at (TbFigureView *self, double x, double y);
TB_EXPORT void tb_figure_view_names_changed (GtkWidget *view);
TB_EXPORT GVariant *tb_figure_view_get_state (GtkWidget *view);
TB_EXPORT void tb_figure_view_set_state (GtkWidget *view, GVariant *state);

G_END_DECLS
