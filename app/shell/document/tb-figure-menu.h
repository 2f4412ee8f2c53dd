/* tb-figure-menu.h: context menu of figures: commands for the item at the pointer, else for the
 * selected item, those of the figure's own view, and report actions whose labels the page of the
 * analysis sets
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns the visible view of a figure: (transfer none) (nullable) */
typedef GtkWidget *(*TbFigureMenuGetView) (gpointer data);

void tb_figure_menu_attach (GtkWidget *figures, TbFigureMenuGetView get_view, gpointer data);
void tb_figure_menu_set_actions (GtkWidget *figures, const char *assertion, const char *recording);
void tb_figure_menu_detach (GtkWidget *figures);

G_END_DECLS
