/* tb-figure-view.h: the widget of a figure, whatever its kind
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/tb-figure.h"
#include "widgets/tb-focus.h"

G_BEGIN_DECLS

TB_EXPORT GtkWidget *tb_figure_view_new (TbFigure *figure, TbFocus *focus);
TB_EXPORT gboolean tb_figure_view_can_search (GtkWidget *view);
TB_EXPORT void tb_figure_view_set_search (GtkWidget *view, const char *search);
TB_EXPORT const char *tb_figure_view_get_search_hint (GtkWidget *view);
TB_EXPORT GtkWidget *tb_figure_view_new_legend (TbFigure *figure);

G_END_DECLS
