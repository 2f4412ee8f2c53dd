/* test-window-input.c: mouse and wheel over a figure, in a whole window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell-fixture.h"
#include "ui-test.h"

static gint64
get_length (ShellTimeline *self)
{
  gint64 from, to;

  tb_focus_get_view (self->focus, &from, &to);
  return to - from;
}

typedef struct
{
  ShellTimeline *fixture;
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

/* Turns the wheel over the timeline, and waits for a change of the visible range. */
static void
turn (ShellTimeline *self, const char *modifier, const char *button)
{
  View view = { .fixture = self };

  tb_focus_get_view (self->focus, &view.from, &view.to);
  ui_input ("keydown", modifier, "click", button, "keyup", modifier, NULL);
  shell_wait (has_moved, &view, "the view to move");
}

static void
test_wheel (ShellTimeline *self, gconstpointer data)
{
  GtkWidget *canvas = shell_find (self->view, "TbTimelineCanvas", NULL);
  double x = gtk_widget_get_width (canvas) / 2., y = gtk_widget_get_height (canvas) / 2.;
  gint64 all = get_length (self), closer, from, moved;

  ui_point (canvas, x, y);
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
  g_test_add ("/window-input/wheel", ShellTimeline, NULL, shell_timeline_set_up, test_wheel,
              shell_timeline_tear_down);
  return g_test_run ();
}
