/* ui-test.h: windows, keys and mouse for tests of widgets
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

typedef gboolean (*UiCondition) (gpointer data);

/* g_test_init() and libadwaita, without animations. */
void ui_test_init (int *argc, char ***argv);
/* Shows a widget in a window of its own, which has the keyboard focus on return. */
GtkWindow *ui_window (GtkWidget *content, int width, int height);
void ui_close (GtkWindow *window);
void ui_frames (GtkWidget *widget, guint n);
/* How long to wait, for builds that are slow on purpose. */
gint64 ui_get_patience (gint64 usual);
/* Waits until the condition holds; fails the test after ten seconds. */
void ui_wait (UiCondition condition, gpointer data);
/* Arguments of xdotool: "key", "Down". On return the input is sent, but not yet received. */
void ui_input (const char *first, ...) G_GNUC_NULL_TERMINATED;
/* Presses a key and lets the window handle it. */
void ui_key (GtkWidget *widget, const char *key);
/* Moves the pointer to a place of a widget. */
void ui_point (GtkWidget *widget, double x, double y);
void ui_click (GtkWidget *widget, double x, double y);
/* The ID by which xdotool finds the window of a widget. */
char *ui_window_id (GtkWidget *widget);
void ui_drag (GtkWidget *widget, double x0, double y0, double x1, double y1, const char *modifier);
/* The first visible widget of a class in the tree; the number of such widgets. */
GtkWidget *ui_find (GtkWidget *widget, const char *type_name);
guint ui_count (GtkWidget *widget, const char *type_name);
/* The first event controller of that type. */
gpointer ui_find_controller (GtkWidget *widget, GType type);
/* Checks the accessible description. GTK's own macro uses the text as a format string, and does not
 * print the actual description. */
void ui_assert_description (GtkWidget *widget, const char *text);
/* A picture of the widget's present state. */
GdkTexture *ui_texture (GtkWidget *widget);
