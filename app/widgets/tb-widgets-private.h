/* tb-widgets-private.h: functions shared by the widgets: style sheet, redrawing after changes of
 * style or palette, contrast, announcements to screen readers, arrow keys, tooltips
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Least distance, in pixels, of two ticks of a time axis and of the grid lines above it. */
#define TB_TICK_SPACING 54.0

/* Loads the style sheet of this library, once for the display. */
void tb_widgets_load_style (void);

/* Keeps the style class "contrast" set while high contrast is on. */
void tb_widgets_follow_contrast (GtkWidget *widget);
/* Calls redraw (widget) when dark style, high contrast or the palette changes. */
void tb_widgets_follow_style (GtkWidget *widget, GCallback redraw);
/* Calls all these functions after a change of the palette. */
void tb_widgets_style_changed (void);

/* Announces text to users of a screen reader. */
void tb_widgets_announce (GtkWidget *widget, const char *text);

/* Binds the arrow keys to func, which takes the columns and rows of a move as "(ii)". up: the rows
 * of a move upwards, 1 or -1. */
void tb_widgets_add_move_keys (GtkWidgetClass *widget_class, GtkShortcutFunc func, int up);

/* Gives a label a tooltip with its whole text where there is no room for it. */
void tb_widgets_add_cut_tooltip (GtkWidget *label);

G_END_DECLS
