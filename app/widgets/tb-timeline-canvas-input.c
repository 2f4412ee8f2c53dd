/* tb-timeline-canvas-input.c: what mouse, fingers and keys do to a timeline
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <adwaita.h>
#include <math.h>

#include "widgets/tb-time-input-private.h"
#include "widgets/tb-timeline-canvas-private.h"

#define ANIMATION_MS 180

void
tb_timeline_canvas_stop (TbTimelineCanvas *self)
{
  if (self->animation != NULL)
    adw_animation_pause (self->animation);
  g_clear_object (&self->animation);
}

static void
on_animate (double value, gpointer data)
{
  TbTimelineCanvas *self = data;
  double from
      = (double) self->animate_from[0] + value * (double) (self->animate_to[0] - self->animate_from[0]);
  double to = (double) self->animate_from[1] + value * (double) (self->animate_to[1] - self->animate_from[1]);

  if (value >= 1)
    tb_focus_set_view (self->focus, self->animate_to[0], self->animate_to[1]);
  else
    tb_focus_set_view (self->focus, (gint64) from, (gint64) to);
}

/* Glides there, unless the user wants no animations: libadwaita sees to that. */
void
tb_timeline_canvas_zoom_to (TbTimelineCanvas *self, gint64 from, gint64 to)
{
  tb_timeline_canvas_stop (self);
  tb_focus_get_view (self->focus, &self->animate_from[0], &self->animate_from[1]);
  self->animate_to[0] = from;
  self->animate_to[1] = to;
  self->animation = adw_timed_animation_new (GTK_WIDGET (self), 0, 1, ANIMATION_MS,
                                             adw_callback_animation_target_new (on_animate, self, NULL));
  adw_timed_animation_set_easing (ADW_TIMED_ANIMATION (self->animation), ADW_EASE_OUT_CUBIC);
  adw_animation_play (self->animation);
}

static void
zoom_around (TbTimelineCanvas *self, double x, double factor)
{
  tb_timeline_canvas_stop (self);
  tb_focus_zoom (self->focus, tb_timeline_context_get_time (&self->context, x), factor);
}

/* Where zooming by key keeps still: the selected interval if it is seen, else the pointer, else the middle. */
static double
zoom_center (TbTimelineCanvas *self)
{
  const TbTimelineContext *context = &self->context;
  gint64 from, to, view_from, view_to;

  tb_focus_get_view (self->focus, &view_from, &view_to);
  if (tb_focus_get_time (self->focus, &from, &to) && to > view_from && from < view_to)
    return tb_timeline_context_get_x (context, MAX (from, view_from) / 2 + MIN (to, view_to) / 2);
  if (self->pointer_x >= context->plot_x && self->pointer_x < context->plot_x + context->plot_width)
    return self->pointer_x;
  return context->plot_x + context->plot_width / 2.;
}

static gboolean
on_zoom_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  double factor = g_variant_get_double (arguments);
  gint64 from, to;

  if (factor > 0)
    {
      zoom_around (self, zoom_center (self), factor);
      return TRUE;
    }
  tb_focus_get_extent (self->focus, &from, &to);
  tb_timeline_canvas_zoom_to (self, from, to);
  return TRUE;
}

static gboolean
on_pan_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);

  tb_timeline_canvas_stop (self);
  tb_time_input_pan (self->focus, g_variant_get_int32 (arguments));
  return TRUE;
}

static void
go_to_line (TbTimelineCanvas *self, guint line)
{
  TbTimelineRow *row;

  self->current = line;
  tb_timeline_canvas_scroll_to (self, line);
  row = tb_timeline_canvas_get_row (self, line);
  if (row != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (row));
}

static gboolean
on_line_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  gint64 step = g_variant_get_int32 (arguments), page, line;

  if (self->lines->len == 0)
    return FALSE;
  page = MAX (1, gtk_widget_get_height (widget) / self->context.row_height - 1);
  if (ABS (step) == 2)
    step = step / 2 * page;
  else if (ABS (step) == 3)
    step = step / 3 * (gint64) self->lines->len;
  line = CLAMP ((gint64) self->current + step, 0, (gint64) self->lines->len - 1);
  go_to_line (self, (guint) line);
  return TRUE;
}

/* The next interval in a direction that is drawn at all. */
static gsize
step_interval (TbTimelineCanvas *self, guint index, int direction)
{
  TbTimelineTrack track;
  gint64 from, to;
  gssize i;

  tb_timeline_figure_get_track (self->figure, index, &track);
  tb_focus_get_view (self->focus, &from, &to);
  if (self->context.selected_track == index && self->context.selected_interval < track.n)
    i = (gssize) self->context.selected_interval + direction;
  else if (tb_focus_get_time (self->focus, &from, NULL))
    /* Coming from another track: what was there at the same time. */
    i = (gssize) tb_timeline_figure_find (self->figure, index, from);
  else
    i = (gssize) tb_timeline_figure_find (self->figure, index, direction > 0 ? from : to - 1);
  while (i >= 0 && i < (gssize) track.n
         && (track.paint[i] == TB_PAINT_NONE || !tb_timeline_canvas_leaves_interval (self, index, (gsize) i)))
    i += direction;
  return i >= 0 && i < (gssize) track.n ? (gsize) i : TB_INTERVAL_NONE;
}

static gboolean
on_interval_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  int direction = g_variant_get_int32 (arguments);
  guint track = tb_timeline_canvas_get_current_track (self);
  gsize interval;
  gint64 from, to;

  if (self->lines->len == 0)
    return FALSE;
  if (track == TB_TRACK_NONE)
    {
      if (tb_timeline_canvas_is_collapsed (self, self->current) == (direction > 0))
        tb_timeline_canvas_toggle (self, self->current);
      return TRUE;
    }
  interval = step_interval (self, track, direction);
  if (interval == TB_INTERVAL_NONE)
    {
      gtk_widget_error_bell (widget);
      return TRUE;
    }
  tb_timeline_canvas_select (self, track, interval);
  if (tb_focus_get_time (self->focus, &from, &to))
    tb_focus_reveal (self->focus, from, to);
  return TRUE;
}

static void
zoom_to_time (TbTimelineCanvas *self, gint64 from, gint64 to)
{
  gint64 margin = MAX ((to - from) / 8, 25);

  tb_timeline_canvas_zoom_to (self, from - margin, to + margin);
}

static gboolean
on_activate_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  guint track = tb_timeline_canvas_get_current_track (self);
  gint64 from, to;

  if (self->lines->len == 0)
    return FALSE;
  if (track == TB_TRACK_NONE)
    tb_timeline_canvas_toggle (self, self->current);
  else if (self->context.selected_track == track && tb_focus_get_time (self->focus, &from, &to))
    zoom_to_time (self, from, to);
  else
    tb_timeline_canvas_select (self, track, TB_INTERVAL_NONE);
  return TRUE;
}

static gboolean
on_escape_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  gint64 from, to, start, end;

  tb_focus_get_view (self->focus, &from, &to);
  tb_focus_get_extent (self->focus, &start, &end);
  if (tb_focus_get_item (self->focus) != NULL || tb_focus_get_thread (self->focus) != TB_ID_NONE)
    tb_focus_clear (self->focus);
  else if (tb_focus_get_range (self->focus, NULL, NULL))
    tb_focus_clear_range (self->focus);
  else if (from != start || to != end)
    tb_timeline_canvas_zoom_to (self, start, end);
  else
    return FALSE;
  return TRUE;
}

/* The time a key refers to: an edge of the selected interval, the pointer, or an edge of what is visible. */
static gboolean
on_range_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  gint64 range_from, range_to, from, to;
  int edge = g_variant_get_int32 (arguments);

  if (!tb_focus_get_time (self->focus, &from, &to))
    tb_focus_get_view (self->focus, &from, &to);
  if (!tb_focus_get_range (self->focus, &range_from, &range_to))
    tb_focus_get_extent (self->focus, &range_from, &range_to);
  if (edge == 0)
    tb_focus_select_range (self->focus, from, to);
  else if (edge < 0)
    tb_focus_select_range (self->focus, from, MAX (range_to, from + 1));
  else
    tb_focus_select_range (self->focus, MIN (range_from, to - 1), to);
  return TRUE;
}

void
tb_timeline_canvas_class_add_keys (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint key;
    int step;
  } lines[] = {
    { GDK_KEY_Up, -1 },      { GDK_KEY_Down, 1 },        { GDK_KEY_Page_Up, -2 }, { GDK_KEY_Page_Down, 2 },
    { GDK_KEY_Home, -3 },    { GDK_KEY_End, 3 },         { GDK_KEY_KP_Up, -1 },   { GDK_KEY_KP_Down, 1 },
    { GDK_KEY_KP_Home, -3 }, { GDK_KEY_KP_Page_Up, -2 }, { GDK_KEY_KP_End, 3 },   { GDK_KEY_KP_Page_Down, 2 },
  };
  static const guint activate[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter, GDK_KEY_space };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    gtk_widget_class_add_binding (widget_class, lines[i].key, 0, on_line_key, "i", lines[i].step);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, 0, on_interval_key, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, 0, on_interval_key, "i", 1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Left, 0, on_interval_key, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Right, 0, on_interval_key, "i", 1);
  for (guint i = 0; i < G_N_ELEMENTS (activate); i++)
    gtk_widget_class_add_binding (widget_class, activate[i], 0, on_activate_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape_key, NULL);
  tb_time_input_add_keys (widget_class, on_zoom_key, on_pan_key);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_bracketleft, 0, on_range_key, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_bracketright, 0, on_range_key, "i", 1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_r, 0, on_range_key, "i", 0);
}

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

  self->pointer_x = x;
  self->pointer_y = y;
  tb_timeline_canvas_pick (self, x, y, &track, &interval);
  tb_timeline_overlay_set_hovered (self->overlay, track, interval);
  tb_focus_set_pointer (self->focus, tb_timeline_canvas_in_plot (self, x)
                                         ? tb_timeline_context_get_time (&self->context, x)
                                         : TB_TIME_NONE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), on_names_edge (self, x)        ? "col-resize"
                                                      : self->drag == TB_DRAG_PAN    ? "grabbing"
                                                      : self->drag == TB_DRAG_RANGE  ? "text"
                                                      : interval != TB_INTERVAL_NONE ? "pointer"
                                                                                     : NULL);
}

static void
on_leave (TbTimelineCanvas *self)
{
  self->pointer_x = -1;
  tb_timeline_overlay_set_hovered (self->overlay, TB_TRACK_NONE, TB_INTERVAL_NONE);
  tb_focus_set_pointer (self->focus, TB_TIME_NONE);
}

static void
on_drag_begin (TbTimelineCanvas *self, double x, double y, GtkGestureDrag *gesture)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  tb_timeline_canvas_stop (self);
  self->drag = TB_DRAG_NONE;
  if (on_names_edge (self, x))
    self->drag = TB_DRAG_NAMES;
  else if (tb_timeline_canvas_in_plot (self, x))
    self->drag = state & GDK_SHIFT_MASK ? TB_DRAG_RANGE : TB_DRAG_PAN;
  else
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  self->drag_names = self->context.name_width;
  self->drag_time = tb_timeline_context_get_time (&self->context, x);
  self->drag_value = self->vadjustment != NULL ? gtk_adjustment_get_value (self->vadjustment) : 0;
  tb_focus_get_view (self->focus, &self->drag_from, &self->drag_to);
}

static void
on_drag_update (TbTimelineCanvas *self, double x, double y, GtkGestureDrag *gesture)
{
  const TbTimelineContext *context = &self->context;
  double start_x, start_y;
  gint64 moved;

  gtk_gesture_drag_get_start_point (gesture, &start_x, &start_y);
  if (gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (gesture)) != NULL
      && gtk_gesture_get_sequence_state (GTK_GESTURE (gesture), gtk_gesture_single_get_current_sequence (
                                                                    GTK_GESTURE_SINGLE (gesture)))
             != GTK_EVENT_SEQUENCE_CLAIMED)
    {
      if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) x, (int) y))
        return;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    }

  switch (self->drag)
    {
    case TB_DRAG_PAN:
      moved = (gint64) llround (x * context->scale * context->ns_per_column);
      tb_focus_set_view (self->focus, self->drag_from - moved, self->drag_to - moved);
      if (self->vadjustment != NULL)
        gtk_adjustment_set_value (self->vadjustment, self->drag_value - y);
      break;
    case TB_DRAG_RANGE:
      tb_focus_select_range (self->focus, self->drag_time,
                             tb_timeline_context_get_time (context,
                                                           CLAMP (start_x + x, context->plot_x,
                                                                  context->plot_x + context->plot_width)));
      break;
    case TB_DRAG_NAMES:
      self->wanted_names = MAX (1, self->drag_names + (int) (context->name_x == 0 ? x : -x));
      gtk_widget_queue_allocate (GTK_WIDGET (self));
      break;
    case TB_DRAG_NONE:
    default:
      break;
    }
}

static void
on_drag_end (TbTimelineCanvas *self)
{
  self->drag = TB_DRAG_NONE;
}

static void
on_released (TbTimelineCanvas *self, int n_press, double x, double y, GtkGestureClick *gesture)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  guint line = tb_timeline_canvas_line_at (self, y), track;
  gsize interval;
  gint64 from, to;

  if (line == TB_TRACK_NONE)
    {
      tb_focus_clear (self->focus);
      return;
    }
  go_to_line (self, line);
  tb_timeline_canvas_pick (self, x, y, &track, &interval);
  if (track == TB_TRACK_NONE)
    tb_timeline_canvas_toggle (self, line);
  else if (n_press == 2 && tb_focus_get_time (self->focus, &from, &to))
    zoom_to_time (self, from, to);
  else if (interval == TB_INTERVAL_NONE && tb_timeline_canvas_in_plot (self, x))
    tb_focus_clear (self->focus);
  else
    tb_timeline_canvas_select (self, track, interval);
  if (state & GDK_SHIFT_MASK && interval != TB_INTERVAL_NONE && tb_focus_get_time (self->focus, &from, &to))
    tb_focus_select_range (self->focus, from, to);
}

static gboolean
on_scroll (TbTimelineCanvas *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if (!(state & GDK_CONTROL_MASK))
    {
      tb_timeline_canvas_stop (self);
      return GDK_EVENT_PROPAGATE;
    }
  zoom_around (self,
               tb_timeline_canvas_in_plot (self, self->pointer_x) ? self->pointer_x : zoom_center (self),
               tb_time_input_get_zoom (controller, dy));
  return GDK_EVENT_STOP;
}

static void
on_pinch_begin (TbTimelineCanvas *self)
{
  tb_timeline_canvas_stop (self);
  tb_focus_get_view (self->focus, &self->pinch_from, &self->pinch_to);
}

static void
on_pinch (TbTimelineCanvas *self, double scale, GtkGesture *gesture)
{
  const TbTimelineContext *context = &self->context;
  double x = context->plot_x + context->plot_width / 2., share, length;
  gint64 center;

  if (scale <= 0)
    return;
  gtk_gesture_get_bounding_box_center (gesture, &x, NULL);
  share = CLAMP ((x - context->plot_x) / context->plot_width, 0, 1);
  length = (double) (self->pinch_to - self->pinch_from);
  center = self->pinch_from + (gint64) (share * length);
  length = MAX (1, length / scale);
  tb_focus_set_view (self->focus, center - (gint64) (share * length),
                     center + (gint64) ((1 - share) * length));
}

void
tb_timeline_canvas_add_controllers (TbTimelineCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  self->pointer_x = -1;
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);

  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);

  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));

  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));

  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect_swapped (widget, "query-tooltip", G_CALLBACK (tb_timeline_canvas_query_tooltip), self);
}
