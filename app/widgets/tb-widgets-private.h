/* tb-widgets-private.h: what the widgets share
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The least distance of two ticks of a time axis and of the grid lines above it, pixels. */
#define TB_TICK_SPACING 54.0

/* The style sheet of this library, once for the display. */
void tb_widgets_load_style (void);

/* Has the style class "contrast" while contrast is to be high. */
void tb_widgets_follow_contrast (GtkWidget *widget);
/* Calls redraw (widget) when the application is dark or rich in contrast, or not any more, or has another palette. */
void tb_widgets_follow_style (GtkWidget *widget, GCallback redraw);
/* Has all of them called: there is another palette. */
void tb_widgets_style_changed (void);

/* Says something to who uses a screen reader. */
void tb_widgets_announce (GtkWidget *widget, const char *text);

/* Where there is no room for all of a label's text, all of it is in a tooltip. */
void tb_widgets_show_cut (GtkWidget *label);

G_END_DECLS
