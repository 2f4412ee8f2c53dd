/* tb-figure-view-private.h: functions of the base class of figure views for its subclasses: page,
 * message where empty, selection, scroll position, folding of search text
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/tb-figure-view.h"

G_BEGIN_DECLS

/* Call it at the end of constructed(). page: the whole view. keyboard: the part of it that takes
 * the keyboard. */
void tb_figure_view_set_page (TbFigureView *self, GtkWidget *page, GtkWidget *keyboard);
/* Shows the page, or a message about why it is empty: the figure is empty (any is FALSE), or the
 * search found nothing. */
void tb_figure_view_set_found (TbFigureView *self,
                               gboolean any,
                               gboolean found,
                               const char *nothing,
                               const char *not_found);
/* Emits TbFigureView::arranged, unless the view is being set up. */
void tb_figure_view_arranged (TbFigureView *self);
/* Emits TbFigureView::item-activated. */
void tb_figure_view_activate_item (TbFigureView *self, const char *item);
/* Like tb_focus_select_item(), for an item of the figure. NULL clears the selection. */
void tb_figure_view_select_item (TbFigureView *self,
                                 const char *item,
                                 guint32 thread,
                                 gint64 from,
                                 gint64 to,
                                 const char *const *stack);
/* The selected item if it belongs to this figure, else NULL. */
const char *tb_figure_view_get_item (TbFigureView *self);
/* Shows the selection of the focus, unless it is already shown. */
void tb_figure_view_show_selection (TbFigureView *self);
/* Whether the view itself is showing or changing the selection. */
gboolean tb_figure_view_is_selecting (TbFigureView *self);
/* Scrolls to a value as soon as the content is large enough for it. */
void tb_figure_view_restore_scroll (GtkAdjustment *adjustment, double value);
/* Folds text in which the terms of a search are looked for. */
char *tb_figure_view_fold (const char *text);

G_END_DECLS
