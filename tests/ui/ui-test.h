/* ui-test.h: windows, keys and mice for tests of widgets
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

typedef gboolean (*UiCondition) (gpointer data);

/* g_test_init() and libadwaita, without animations. */
void ui_test_init (int *argc, char ***argv);
/* Shows a widget in a window of its own, which has the keyboard when this returns. */
GtkWindow *ui_window (GtkWidget *content, int width, int height);
void ui_close (GtkWindow *window);
void ui_frames (GtkWidget *widget, guint n);
/* Until it holds; fails the test after ten seconds. */
void ui_wait (UiCondition condition, gpointer data);
/* Words of xdotool: "key", "Down"; done when this returns, but not yet received. */
void ui_input (const char *first, ...) G_GNUC_NULL_TERMINATED;
/* Presses a key and lets the window deal with it. */
void ui_key (GtkWidget *widget, const char *key);
/* Moves the mouse to a place of a widget. */
void ui_point (GtkWidget *widget, double x, double y);
void ui_click (GtkWidget *widget, double x, double y);
/* What xdotool knows the window of a widget by. */
char *ui_window_id (GtkWidget *widget);
void ui_drag (GtkWidget *widget, double x0, double y0, double x1, double y1, const char *modifier);
/* The first widget of a class in the tree that is shown; how many there are. */
GtkWidget *ui_find (GtkWidget *widget, const char *type_name);
guint ui_count (GtkWidget *widget, const char *type_name);
/* What a widget listens with. */
gpointer ui_find_controller (GtkWidget *widget, GType type);
/* The macro of GTK that asserts it takes the text for a format, and does not say what there is instead. */
void ui_assert_description (GtkWidget *widget, const char *text);
/* What it looks like now. */
GdkTexture *ui_texture (GtkWidget *widget);
