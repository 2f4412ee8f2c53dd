/* tb-figure-view-private.h: what the views of figures are built on
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/tb-figure-view.h"

G_BEGIN_DECLS

/* page is all of the view, keyboard the part of it that takes the keyboard. At the end of constructed(). */
void tb_figure_view_set_page (TbFigureView *self, GtkWidget *page, GtkWidget *keyboard);
/* Shows the page, or why there is nothing on it: the figure has nothing (any is FALSE), or the search found nothing. */
void tb_figure_view_set_found (TbFigureView *self,
                               gboolean any,
                               gboolean found,
                               const char *nothing,
                               const char *not_found);
/* Emits TbFigureView::arranged, unless it is being made. */
void tb_figure_view_arranged (TbFigureView *self);
/* Emits TbFigureView::item-activated. */
void tb_figure_view_activate_item (TbFigureView *self, const char *item);
/* As tb_focus_select_item() for an item of the figure; NULL clears. */
void tb_figure_view_select_item (TbFigureView *self,
                                 const char *item,
                                 guint32 thread,
                                 gint64 from,
                                 gint64 to,
                                 const char *const *stack);
/* The selected item, where it is one of this figure, else NULL. */
const char *tb_figure_view_get_item (TbFigureView *self);
/* Shows what is selected in the focus, where it has not been shown. */
void tb_figure_view_show_selection (TbFigureView *self);
/* Whether the selection is being shown, or made, by the view. */
gboolean tb_figure_view_is_selecting (TbFigureView *self);
/* Scrolls to a place as soon as there is enough to scroll over. */
void tb_figure_view_restore_scroll (GtkAdjustment *adjustment, double value);
/* Each part of a search is looked for in text that was folded so. */
char *tb_figure_view_fold (const char *text);

G_END_DECLS
