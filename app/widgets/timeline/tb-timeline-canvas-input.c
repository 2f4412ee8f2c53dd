/* tb-timeline-canvas-input.c: mouse and touch input of a timeline: clicks that select, drags of a
 * time range, of the view or of the width of names, zoom by scrolling or pinching
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "widgets/time/tb-time-input-private.h"
#include "widgets/timeline/tb-timeline-canvas-private.h"

/* Speed of movement beyond an edge, in visible lengths per second, and its increase per pixel. */
#define EDGE_SPEED .4
#define EDGE_SPEED_PER_PIXEL .04
#define MAX_EDGE_SPEED 2.

static gboolean
on_names_edge (TbTimelineCanvas *self, double x)
{
  const TbTimelineContext *context = &self->context;
  double edge = context->name_x == 0 ? context->name_width : context->name_x;

  return fabs (x - edge) <= 4;
}

static void
on_motion (TbTimelineCanvas *self, double x, double y)
{
  guint track = TB_TRACK_NONE;
  gsize interval = TB_INTERVAL_NONE;

  self->pointer.x = x;
  self->pointer.y = y;
  tb_timeline_canvas_pick (self, x, y, &track, &interval);
  tb_timeline_overlay_set_hovered (self->overlay, track, interval);
  tb_focus_set_pointer (self->focus, tb_timeline_canvas_in_plot (self, x)
                                         ? tb_timeline_context_get_time (&self->context, x)
                                         : TB_TIME_NONE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), on_names_edge (self, x) ? "col-resize"
                                                      : self->drag.kind == TB_DRAG_PAN ? "grabbing"
                                                      : self->drag.kind == TB_DRAG_RANGE ? "text"
                                                      : interval != TB_INTERVAL_NONE     ? "pointer"
                                                                                         : NULL);
}

static void
on_leave (TbTimelineCanvas *self)
{
  self->pointer.x = -1;
  tb_timeline_overlay_set_hovered (self->overlay, TB_TRACK_NONE, TB_INTERVAL_NONE);
  tb_focus_set_pointer (self->focus, TB_TIME_NONE);
}

static void
stop_at_edge (TbTimelineCanvas *self)
{
  if (self->drag.edge_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->drag.edge_tick);
  self->drag.edge_tick = 0;
  self->drag.edge_time = 0;
}

static void
select_to (TbTimelineCanvas *self, double x)
{
  const TbTimelineContext *context = &self->context;

  tb_focus_select_range (self->focus, self->drag.time,
                         tb_timeline_context_get_time (context, CLAMP (x, context->plot_x,
                                                                       context->plot_x
                                                                           + context->plot_width)));
}

static double
get_edge_speed (TbTimelineCanvas *self, double x)
{
  double first = self->context.plot_x, last = first + self->context.plot_width;

  if (x < first)
    return -MIN (EDGE_SPEED + (first - x) * EDGE_SPEED_PER_PIXEL, MAX_EDGE_SPEED);
  if (x > last)
    return MIN (EDGE_SPEED + (x - last) * EDGE_SPEED_PER_PIXEL, MAX_EDGE_SPEED);
  return 0;
}

static gboolean
on_edge_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock), from, to, step;
  double seconds
      = self->drag.edge_time != 0 ? (double) (now - self->drag.edge_time) / G_USEC_PER_SEC : 0;
  double speed = get_edge_speed (self, self->drag.x);

  self->drag.edge_time = now;
  tb_focus_get_view (self->focus, &from, &to);
  step = (gint64) llround (speed * seconds * (double) (to - from));
  if (step != 0)
    tb_focus_set_view (self->focus, from + step, to + step);
  select_to (self, self->drag.x);
  return G_SOURCE_CONTINUE;
}

/* A range that is dragged beyond an edge continues there. */
static void
drag_range (TbTimelineCanvas *self, double x)
{
  self->drag.x = x;
  select_to (self, x);
  if (get_edge_speed (self, x) == 0)
    stop_at_edge (self);
  else if (self->drag.edge_tick == 0)
    self->drag.edge_tick
        = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_edge_tick, NULL, NULL);
}

void
tb_timeline_canvas_end_drag (TbTimelineCanvas *self)
{
  stop_at_edge (self);
  if (self->drag.kind == TB_DRAG_RANGE)
    tb_focus_end_change (self->focus);
  self->drag.kind = TB_DRAG_NONE;
}

static gboolean
is_touch (GtkGesture *gesture)
{
  GdkDevice *device
      = gtk_event_controller_get_current_event_device (GTK_EVENT_CONTROLLER (gesture));

  return device != NULL && gdk_device_get_source (device) == GDK_SOURCE_TOUCHSCREEN;
}

/* A drag selects. With Shift or the middle button it moves. */
static TbTimelineDrag
drag_at (TbTimelineCanvas *self, double x, GtkGesture *gesture)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  /* A finger scrolls, with kinetic movement, which the scrolled window implements. */
  if (is_touch (gesture) || (button != GDK_BUTTON_PRIMARY && button != GDK_BUTTON_MIDDLE))
    return TB_DRAG_NONE;
  if (on_names_edge (self, x))
    return TB_DRAG_NAMES;
  if (!tb_timeline_canvas_in_plot (self, x))
    return TB_DRAG_NONE;
  return button == GDK_BUTTON_MIDDLE || state & GDK_SHIFT_MASK ? TB_DRAG_PAN : TB_DRAG_RANGE;
}

static void
on_drag_begin (TbTimelineCanvas *self, double x, double y, GtkGestureDrag *gesture)
{
  tb_timeline_canvas_stop (self);
  tb_timeline_canvas_end_drag (self);
  self->drag.kind = drag_at (self, x, GTK_GESTURE (gesture));
  if (self->drag.kind == TB_DRAG_RANGE)
    tb_focus_begin_change (self->focus);
  else if (self->drag.kind == TB_DRAG_NONE)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  self->drag.names = self->context.name_width;
  self->drag.time = tb_timeline_context_get_time (&self->context, x);
  self->drag.value = self->vadjustment != NULL ? gtk_adjustment_get_value (self->vadjustment) : 0;
  tb_focus_get_view (self->focus, &self->drag.from, &self->drag.to);
}

static void
on_drag_update (TbTimelineCanvas *self, double x, double y, GtkGestureDrag *gesture)
{
  const TbTimelineContext *context = &self->context;
  double start_x, start_y;
  gint64 moved;

  gtk_gesture_drag_get_start_point (gesture, &start_x, &start_y);
  if (gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (gesture)) != NULL
      && gtk_gesture_get_sequence_state (GTK_GESTURE (gesture),
                                         gtk_gesture_single_get_current_sequence (
                                             GTK_GESTURE_SINGLE (gesture)))
             != GTK_EVENT_SEQUENCE_CLAIMED)
    {
      if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) x, (int) y))
        return;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    }

  switch (self->drag.kind)
    {
    case TB_DRAG_PAN:
      moved = (gint64) llround (x * context->scale * context->ns_per_column);
      tb_focus_set_view (self->focus, self->drag.from - moved, self->drag.to - moved);
      if (self->vadjustment != NULL)
        gtk_adjustment_set_value (self->vadjustment, self->drag.value - y);
      break;
    case TB_DRAG_RANGE:
      drag_range (self, start_x + x);
      break;
    case TB_DRAG_NAMES:
      self->names.user = MAX (1, self->drag.names + (int) (context->name_x == 0 ? x : -x));
      gtk_widget_queue_allocate (GTK_WIDGET (self));
      break;
    case TB_DRAG_NONE:
    default:
      break;
    }
}

static void
on_released (TbTimelineCanvas *self, int n_press, double x, double y, GtkGestureClick *gesture)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  guint line = tb_timeline_canvas_line_at (self, y), track;
  gsize interval;
  gint64 from, to;

  if (line == TB_TRACK_NONE)
    {
      tb_focus_clear (self->focus);
      return;
    }
  tb_timeline_canvas_go_to_line (self, line);
  if (state & GDK_CONTROL_MASK)
    {
      tb_timeline_canvas_toggle_threads (self, line);
      return;
    }
  tb_timeline_canvas_pick (self, x, y, &track, &interval);
  if (track == TB_TRACK_NONE)
    tb_timeline_canvas_toggle (self, line);
  else if (n_press == 2 && tb_focus_get_time (self->focus, &from, &to))
    tb_timeline_canvas_zoom_to_time (self, from, to);
  else if (interval == TB_INTERVAL_NONE && tb_timeline_canvas_in_plot (self, x))
    {
      tb_focus_clear (self->focus);
      if (n_press == 2)
        {
          tb_focus_get_extent (self->focus, &from, &to);
          tb_timeline_canvas_zoom_to (self, from, to);
        }
    }
  else
    tb_timeline_canvas_select (self, track, interval);
  if (state & GDK_SHIFT_MASK && interval != TB_INTERVAL_NONE
      && tb_focus_get_time (self->focus, &from, &to))
    tb_focus_select_range (self->focus, from, to);
}

static gboolean
on_scroll (TbTimelineCanvas *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if (!(state & GDK_CONTROL_MASK))
    {
      tb_timeline_canvas_stop (self);
      return GDK_EVENT_PROPAGATE;
    }
  tb_timeline_canvas_zoom_around (self,
                                  tb_timeline_canvas_in_plot (self, self->pointer.x)
                                      ? self->pointer.x
                                      : tb_timeline_canvas_get_zoom_center (self),
                                  tb_time_input_get_zoom (controller, dy));
  return GDK_EVENT_STOP;
}

static void
on_pinch_begin (TbTimelineCanvas *self)
{
  tb_timeline_canvas_stop (self);
  tb_focus_get_view (self->focus, &self->pinch.from, &self->pinch.to);
}

static void
on_pinch (TbTimelineCanvas *self, double scale, GtkGesture *gesture)
{
  const TbTimelineContext *context = &self->context;
  double x = context->plot_x + context->plot_width / 2., y, share, length;
  gint64 center;

  if (scale <= 0)
    return;
  if (gtk_gesture_is_active (gesture))
    gtk_gesture_get_bounding_box_center (gesture, &x, &y);
  share = CLAMP ((x - context->plot_x) / context->plot_width, 0, 1);
  length = (double) (self->pinch.to - self->pinch.from);
  center = self->pinch.from + (gint64) (share * length);
  length = MAX (1, length / scale);
  tb_focus_set_view (self->focus, center - (gint64) (share * length),
                     center + (gint64) ((1 - share) * length));
}

void
tb_timeline_canvas_add_controllers (TbTimelineCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  self->pointer.x = -1;
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);

  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);

  /* Only the mouse buttons that drag. */
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (tb_timeline_canvas_end_drag), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));

  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));

  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect_swapped (widget, "query-tooltip", G_CALLBACK (tb_timeline_canvas_query_tooltip),
                            self);
}
