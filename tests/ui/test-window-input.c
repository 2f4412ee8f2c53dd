/* test-window-input.c: mouse and wheel over a figure, in the whole window around it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell-fixture.h"
#include "ui-test.h"

typedef struct
{
  TbWindow *window;
  TbDocument *document;
  TbFocus *focus;
  GtkWidget *canvas;
} Fixture;

static gboolean
is_shown (gpointer data)
{
  Fixture *self = data;

  self->canvas = shell_find (GTK_WIDGET (self->window), "TbTimelineCanvas", NULL);
  return self->canvas != NULL && gtk_widget_get_mapped (self->canvas)
         && gtk_widget_get_height (self->canvas) > 0;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GFile) file = shell_inbox ();

  self->window = shell_new_window ();
  self->document = shell_open (self->window, file);
  self->focus = tb_document_get_focus (self->document);
  shell_activate (self->window, "show-figure", g_variant_new_string ("timeline"));
  shell_wait (is_shown, self, "the timeline");
  ui_frames (GTK_WIDGET (self->window), 2);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  shell_close_window (self->window);
}

static gint64
get_length (Fixture *self)
{
  gint64 from, to;

  tb_focus_get_view (self->focus, &from, &to);
  return to - from;
}

typedef struct
{
  Fixture *fixture;
  gint64 from;
  gint64 to;
} View;

static gboolean
has_moved (gpointer data)
{
  View *view = data;
  gint64 from, to;

  tb_focus_get_view (view->fixture->focus, &from, &to);
  return from != view->from || to != view->to;
}

/* Turns the wheel over the timeline, and awaits that something else is seen. */
static void
turn (Fixture *self, const char *modifier, const char *button)
{
  View view = { .fixture = self };

  tb_focus_get_view (self->focus, &view.from, &view.to);
  ui_input ("keydown", modifier, "click", button, "keyup", modifier, NULL);
  shell_wait (has_moved, &view, "the view to move");
}

static void
test_wheel (Fixture *self, gconstpointer data)
{
  double x = gtk_widget_get_width (self->canvas) / 2., y = gtk_widget_get_height (self->canvas) / 2.;
  gint64 all = get_length (self), closer, from, moved;

  ui_point (self->canvas, x, y);
  turn (self, "ctrl", "4");
  closer = get_length (self);
  g_assert_cmpint (closer, <, all);
  tb_focus_get_view (self->focus, &from, NULL);
  turn (self, "shift", "5");
  tb_focus_get_view (self->focus, &moved, NULL);
  g_assert_cmpint (moved, >, from);
  g_assert_cmpint (get_length (self), ==, closer);
  turn (self, "ctrl", "5");
  g_assert_cmpint (get_length (self), >, closer);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add ("/window-input/wheel", Fixture, NULL, set_up, test_wheel, tear_down);
  return g_test_run ();
}
