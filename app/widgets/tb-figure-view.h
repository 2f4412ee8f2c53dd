/* tb-figure-view.h: the widget of a figure, whatever its kind
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
 * @search_hint: an example of what can be looked for, for an empty search entry; not translated yet
 * @search: looks for something, or nothing (%NULL)
 * @filter: shows only, or first, what a filter leaves; everything (%NULL). A view that cannot tell for some of its terms says
 *   so rather than to hide what may be meant. Without it a filter is looked for as text by @search
 * @show_selection: shows what is selected in the focus; not called for what the view selected itself
 * @names_changed: names were found that labels of the figure, which are asked for when they are drawn, may hold
 * @keep_place: takes the place of a view of an earlier state of the figure: what it was zoomed and scrolled to and what was
 *   selected in it
 * @select_at: (nullable): selects what is drawn at a place of the view, where it is not part of what is selected already; where
 *   nothing is drawn, what is selected stays
 * @get_state: (nullable): what the user made of it that is worth keeping, as its order and what is pinned: an `a{sv}`; %NULL
 *   where it is as it was made
 * @set_state: (nullable): takes what @get_state gave, perhaps of another recording; what it does not know it leaves
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
/* before (nullable): the view of an earlier state of the same figure, whose place it takes. */
TB_EXPORT GtkWidget *tb_figure_view_new_after (TbFigure *figure, TbFocus *focus, GtkWidget *before);
TB_EXPORT TbFigure *tb_figure_view_get_figure (TbFigureView *self);
TB_EXPORT TbFocus *tb_figure_view_get_focus (TbFigureView *self);
TB_EXPORT GtkWidget *tb_figure_view_new_legend (TbFigure *figure);

/* What tb_figure_view_new() makes may also be the text of a figure, which none of these is for. */
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
