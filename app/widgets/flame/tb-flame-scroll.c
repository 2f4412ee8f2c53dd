/* tb-flame-scroll.c: wheel, touchpad and touch input of a flame: zoom, panning and pinching, with
 * kinetic movement
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "widgets/flame/tb-flame-canvas-private.h"
#include "widgets/time/tb-time-input-private.h"

/* Kinetic movement slows down to e^-FRICTION of its speed in a second. It ends at SLOWEST, in
 * visible lengths per second. */
#define FRICTION 4.
#define MIN_SPEED .01
#define MAX_SPEED 20.
/* Where boxes are not over time, zoom goes in steps: scale of a pinch for one step. */
#define PINCH_STEP 1.5
/* A box wider than this share of the visible width is not a step inwards. */
#define MAX_STEP_WIDTH .95

void
tb_flame_canvas_stop (TbFlameCanvas *self)
{
  if (self->motion != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->motion);
  self->motion = 0;
}

/* Pans by a share of the visible part. Returns whether there was more in that direction. */
static gboolean
pan (TbFlameCanvas *self, double share)
{
  gint64 from, to, now, step;

  tb_focus_get_view (self->lens, &from, &to);
  step = (gint64) llround (share * (double) (to - from));
  tb_focus_set_view (self->lens, from + step, to + step);
  tb_focus_get_view (self->lens, &now, NULL);
  return step == 0 || now != from;
}

/* Kinetic movement continues for a while. */
static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double seconds = self->moved_at > 0 ? (double) (now - self->moved_at) / G_USEC_PER_SEC : 0;

  self->moved_at = now;
  if (fabs (self->speed) < MIN_SPEED || !pan (self, self->speed * seconds))
    {
      self->motion = 0;
      return G_SOURCE_REMOVE;
    }
  self->speed *= exp (-FRICTION * seconds);
  return G_SOURCE_CONTINUE;
}

/* Speed in pixels per second, positive towards later times. */
static void
start_motion (TbFlameCanvas *self, double pixels)
{
  double speed = pixels / tb_flame_canvas_get_plot_width (self);
  gboolean animated;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &animated,
                NULL);
  tb_flame_canvas_stop (self);
  if (self->lens == NULL || !animated || pixels == 0)
    return;
  self->speed = CLAMP (speed, -MAX_SPEED, MAX_SPEED);
  self->moved_at = 0;
  self->motion = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

/* The outermost caller of node that is narrower than the visible part. node itself where there is
 * none. */
static guint
get_step_to (TbFlameCanvas *self, guint node)
{
  const TbFlameNode *seen
      = self->zoomed != TB_ID_NONE ? tb_flame_figure_get_node (self->figure, self->zoomed) : NULL;
  double widest
      = MAX_STEP_WIDTH
        * (double) (seen != NULL ? seen->total : tb_flame_figure_get_total (self->figure));
  guint step = node;

  for (guint at = node; at != TB_ID_NONE && at != self->zoomed;
       at = tb_flame_figure_get_node (self->figure, at)->parent)
    if ((double) tb_flame_figure_get_node (self->figure, at)->total < widest)
      step = at;
  return step;
}

/* Zooms by one step into the box at a position, or out. */
static void
zoom_step_at (TbFlameCanvas *self, double x, double y, gboolean inwards)
{
  const TbFlameBox *box = tb_flame_canvas_get_box_at (self, x, y);

  if (!inwards)
    tb_flame_canvas_zoom_out (self);
  else if (box != NULL)
    tb_flame_canvas_zoom_to (self, get_step_to (self, box->node));
}

static void
zoom_by_wheel (TbFlameCanvas *self, double dy, GtkEventControllerScroll *controller)
{
  gint64 pointer, from, to;

  if (self->lens == NULL)
    {
      /* A touchpad sends many small steps. */
      self->scrolled += gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL
                            ? dy
                            : dy / 50;
      if (fabs (self->scrolled) < 1)
        return;
      zoom_step_at (self, self->pointer_x, self->pointer_y, self->scrolled < 0);
      self->scrolled = 0;
      return;
    }
  tb_focus_get_view (self->lens, &from, &to);
  pointer = tb_focus_get_pointer (self->lens);
  tb_focus_zoom (self->lens, pointer != TB_TIME_NONE ? pointer : from + (to - from) / 2,
                 tb_time_input_get_zoom (controller, dy));
}

static gboolean
on_scroll (TbFlameCanvas *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  double along = dx != 0 ? dx : state & GDK_SHIFT_MASK ? dy : 0;

  tb_flame_canvas_stop (self);
  if (state & GDK_CONTROL_MASK)
    {
      zoom_by_wheel (self, dy, controller);
      return GDK_EVENT_STOP;
    }
  if (self->lens == NULL || along == 0)
    return GDK_EVENT_PROPAGATE;
  if (gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL)
    tb_time_input_pan (self->lens, along < 0 ? -1 : 1);
  else
    pan (self, along / tb_flame_canvas_get_plot_width (self));
  return GDK_EVENT_STOP;
}

/* Kinetic scrolling by touchpad. */
static void
on_decelerate (TbFlameCanvas *self, double velocity_x, double velocity_y)
{
  start_motion (self, velocity_x);
}

static void
on_drag_begin (TbFlameCanvas *self, double x, double y, GtkGesture *gesture)
{
  tb_flame_canvas_stop (self);
  if (self->lens == NULL)
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_DENIED);
  else
    tb_focus_get_view (self->lens, &self->drag_from, &self->drag_to);
}

static void
on_drag_update (TbFlameCanvas *self, double x, double y, GtkGesture *gesture)
{
  double share = x / tb_flame_canvas_get_plot_width (self);
  gint64 moved = (gint64) llround (share * (double) (self->drag_to - self->drag_from));

  if (self->lens == NULL || !gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) x, (int) y))
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  tb_focus_set_view (self->lens, self->drag_from - moved, self->drag_to - moved);
}

static void
on_swipe (TbFlameCanvas *self, double velocity_x, double velocity_y)
{
  start_motion (self, -velocity_x);
}

static void
on_pinch_begin (TbFlameCanvas *self)
{
  tb_flame_canvas_stop (self);
  self->pinched = 1;
  if (self->lens != NULL)
    tb_focus_get_view (self->lens, &self->pinch_from, &self->pinch_to);
}

/* Keeps the content between the two fingers in place. */
static void
pinch_time (TbFlameCanvas *self, double scale, double x)
{
  double width = tb_flame_canvas_get_plot_width (self);
  double share = CLAMP ((x - TB_FLAME_MARGIN) / width, 0, 1);
  double length = (double) (self->pinch_to - self->pinch_from);
  gint64 center = self->pinch_from + (gint64) (share * length);

  length = MAX (1, length / scale);
  tb_focus_set_view (self->lens, center - (gint64) (share * length),
                     center + (gint64) ((1 - share) * length));
}

static void
on_pinch (TbFlameCanvas *self, double scale, GtkGesture *gesture)
{
  double x = gtk_widget_get_width (GTK_WIDGET (self)) / 2.,
         y = gtk_widget_get_height (GTK_WIDGET (self)) / 2.;

  if (scale <= 0)
    return;
  if (gtk_gesture_is_active (gesture))
    gtk_gesture_get_bounding_box_center (gesture, &x, &y);
  if (self->lens != NULL)
    pinch_time (self, scale, x);
  else if (scale / self->pinched > PINCH_STEP || self->pinched / scale > PINCH_STEP)
    {
      zoom_step_at (self, x, y, scale > self->pinched);
      self->pinched = scale;
    }
}

void
tb_flame_canvas_add_scrolling (TbFlameCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *scroll = gtk_event_controller_scroll_new (
      GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *swipe = gtk_gesture_swipe_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect_swapped (scroll, "decelerate", G_CALLBACK (on_decelerate), self);
  gtk_widget_add_controller (widget, scroll);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (swipe, "swipe", G_CALLBACK (on_swipe), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (swipe));
  gtk_gesture_group (drag, swipe);
  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}
