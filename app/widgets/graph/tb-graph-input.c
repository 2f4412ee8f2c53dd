/* tb-graph-input.c: keyboard, mouse and touch input of a graph: selection, zoom, panning with
 * kinetic movement, expanding and collapsing of clusters, tooltips
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "base/tb-base.h"
#include "widgets/graph/tb-graph-private.h"
#include "widgets/tb-widgets-private.h"
#include "widgets/time/tb-time-input-private.h"

#define PAN_STEP 60.0 /* pixels, for a key or a step of the wheel */
#define FRICTION 5.0  /* deceleration of kinetic movement: the logarithm of its factor per second */
#define MIN_SPEED 12.0 /* pixels per second */
#define MAX_SPEED 6000.0

static void
select_element (TbGraphCanvas *self, TbGraphElement element)
{
  if (element.kind == TB_GRAPH_NOTHING)
    gtk_widget_error_bell (GTK_WIDGET (self));
  else
    tb_graph_canvas_select (self, element);
}

static gboolean
on_move_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);
  int dx, dy;

  g_variant_get (arguments, "(ii)", &dx, &dy);
  select_element (self, tb_graph_canvas_find_next (self, dx, dy));
  return TRUE;
}

/* Goes to the next item. With nothing selected, and after the last item, the keyboard focus leaves
 * the graph. */
static gboolean
on_tab_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);
  TbGraphElement next;

  if (self->selected.kind == TB_GRAPH_NOTHING)
    return FALSE;
  next = tb_graph_canvas_find_following (self, g_variant_get_int32 (arguments));
  if (next.kind == TB_GRAPH_NOTHING)
    return FALSE;
  tb_graph_canvas_select (self, next);
  return TRUE;
}

static guint32
get_cluster (TbGraphCanvas *self, TbGraphElement element)
{
  if (element.kind == TB_GRAPH_CLUSTER)
    return element.index;
  if (element.kind == TB_GRAPH_VERTEX)
    return tb_graph_figure_get_vertex (self->figure, element.index)->cluster;
  return TB_ID_NONE;
}

static void
toggle_cluster (TbGraphCanvas *self, guint32 cluster)
{
  gboolean collapse = !self->collapsed[cluster];

  tb_graph_canvas_set_collapsed (self, cluster, collapse);
  tb_graph_canvas_select (self, (TbGraphElement) { TB_GRAPH_CLUSTER, cluster });
}

/* Expands a collapsed cluster. Other items are moved into view, and "activated" is emitted. With
 * nothing selected, selects the first item. */
static gboolean
on_activate_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);
  guint32 cluster = get_cluster (self, self->selected);

  if (self->selected.kind == TB_GRAPH_NOTHING)
    select_element (self, tb_graph_canvas_find_following (self, 1));
  else if (self->selected.kind == TB_GRAPH_CLUSTER
           || (cluster != TB_ID_NONE && self->collapsed[cluster]))
    toggle_cluster (self, cluster);
  else
    {
      tb_graph_canvas_reveal (self, self->selected);
      tb_graph_canvas_activate (self);
    }
  return TRUE;
}

static gboolean
on_collapse_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);
  guint32 cluster = get_cluster (self, self->selected);

  if (cluster == TB_ID_NONE)
    gtk_widget_error_bell (widget);
  else
    toggle_cluster (self, cluster);
  return TRUE;
}

static gboolean
on_escape_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);

  if (self->selected.kind == TB_GRAPH_NOTHING)
    return FALSE;
  tb_graph_canvas_select (self, TB_GRAPH_NO_ELEMENT);
  return TRUE;
}

/* Zooms around the selection, else around the middle. */
static gboolean
on_zoom_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);
  double factor = g_variant_get_double (arguments);
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double x, y;

  if (!tb_graph_canvas_get_centre (self, self->selected, &x, &y) || x < 0 || y < 0 || x > width
      || y > height)
    {
      x = width / 2;
      y = height / 2;
    }
  tb_graph_canvas_zoom (self, factor == 0 ? 1 / self->scale : 1 / factor, x, y);
  return TRUE;
}

static gboolean
on_pan_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  tb_graph_canvas_pan (TB_GRAPH_CANVAS (widget), -PAN_STEP * g_variant_get_int32 (arguments), 0);
  return TRUE;
}

static gboolean
on_pan_down_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  tb_graph_canvas_pan (TB_GRAPH_CANVAS (widget), 0, -PAN_STEP * g_variant_get_int32 (arguments));
  return TRUE;
}

static gboolean
on_fit_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  tb_graph_canvas_show_all (TB_GRAPH_CANVAS (widget));
  return TRUE;
}

void
tb_graph_canvas_class_add_keys (GtkWidgetClass *widget_class)
{
  tb_widgets_add_move_keys (widget_class, on_move_key, -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Tab, 0, on_tab_key, "i", 1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Tab, GDK_SHIFT_MASK, on_tab_key, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_ISO_Left_Tab, GDK_SHIFT_MASK, on_tab_key, "i",
                                -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, 0, on_activate_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, 0, on_activate_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, 0, on_collapse_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_f, 0, on_fit_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Home, 0, on_fit_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Up, GDK_CONTROL_MASK, on_pan_down_key, "i",
                                -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Down, GDK_CONTROL_MASK, on_pan_down_key, "i",
                                1);
  tb_time_input_add_keys (widget_class, on_zoom_key, on_pan_key);
}

static void
on_motion (TbGraphCanvas *self, double x, double y)
{
  TbGraphElement element = tb_graph_canvas_get_element_at (self, x, y);
  gboolean on_frame = tb_graph_canvas_get_frame_at (self, x, y) != TB_ID_NONE;

  self->pointer_x = x;
  self->pointer_y = y;
  tb_graph_canvas_hover (self, element);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                   element.kind != TB_GRAPH_NOTHING || on_frame ? "pointer" : NULL);
}

static void
on_leave (TbGraphCanvas *self)
{
  tb_graph_canvas_hover (self, TB_GRAPH_NO_ELEMENT);
}

/* A click selects. A double click on a collapsed cluster expands it, one on the name of a frame
 * collapses it, and one on empty space shows the whole graph. */
static void
on_released (TbGraphCanvas *self, int n_press, double x, double y)
{
  TbGraphElement element = tb_graph_canvas_get_pointed (self, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (n_press == 2 && element.kind == TB_GRAPH_CLUSTER)
    toggle_cluster (self, element.index);
  else if (n_press == 2 && element.kind == TB_GRAPH_VERTEX)
    tb_graph_canvas_activate (self);
  else if (n_press == 2 && element.kind == TB_GRAPH_NOTHING)
    tb_graph_canvas_show_all (self);
  else if (n_press == 1)
    tb_graph_canvas_select (self, element);
}

static void
stop_motion (TbGraphCanvas *self)
{
  if (self->motion != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->motion);
  self->motion = 0;
}

/* Kinetic movement continues for a while. */
static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double elapsed = self->moved_at > 0 ? (double) (now - self->moved_at) / G_USEC_PER_SEC : 0;
  double slower = exp (-FRICTION * elapsed);
  double x = self->x + self->rest_x, y = self->y + self->rest_y;

  self->moved_at = now;
  if (hypot (self->speed_x, self->speed_y) < MIN_SPEED)
    {
      self->motion = 0;
      return G_SOURCE_REMOVE;
    }
  if (elapsed > 0)
    {
      tb_graph_canvas_pan (self, self->speed_x * (1 - slower) / FRICTION,
                           self->speed_y * (1 - slower) / FRICTION);
      self->speed_x *= slower;
      self->speed_y *= slower;
      if (x == self->x + self->rest_x && y == self->y + self->rest_y)
        self->speed_x = self->speed_y = 0;
    }
  return G_SOURCE_CONTINUE;
}

static void throw (TbGraphCanvas * self, double speed_x, double speed_y)
{
  gboolean animated;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &animated,
                NULL);
  stop_motion (self);
  if (!animated)
    return;
  self->speed_x = CLAMP (speed_x, -MAX_SPEED, MAX_SPEED);
  self->speed_y = CLAMP (speed_y, -MAX_SPEED, MAX_SPEED);
  self->moved_at = 0;
  self->motion = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

static gboolean
on_scroll (TbGraphCanvas *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  double step
      = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL ? PAN_STEP : 1;

  stop_motion (self);
  if (state & GDK_CONTROL_MASK)
    {
      tb_graph_canvas_zoom (self, 1 / tb_time_input_get_zoom (controller, dy), self->pointer_x,
                            self->pointer_y);
      return GDK_EVENT_STOP;
    }
  if (state & GDK_SHIFT_MASK && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  tb_graph_canvas_pan (self, -dx * step, -dy * step);
  return GDK_EVENT_STOP;
}

static void
on_decelerate (TbGraphCanvas *self, double speed_x, double speed_y)
{
  throw (self, -speed_x, -speed_y);
}

static void
on_drag_begin (TbGraphCanvas *self, double x, double y, GtkGesture *gesture)
{
  stop_motion (self);
  self->drag_x = self->x + self->rest_x;
  self->drag_y = self->y + self->rest_y;
}

static void
on_drag_update (TbGraphCanvas *self, double x, double y, GtkGesture *gesture)
{
  if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) x, (int) y)
      && gtk_gesture_get_sequence_state (gesture, gtk_gesture_get_last_updated_sequence (gesture))
             != GTK_EVENT_SEQUENCE_CLAIMED)
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  tb_graph_canvas_pan (self, self->drag_x + x - self->x - self->rest_x,
                       self->drag_y + y - self->y - self->rest_y);
}

static void
on_swipe (TbGraphCanvas *self, double speed_x, double speed_y)
{
  throw (self, speed_x, speed_y);
}

static void
on_pinch_begin (TbGraphCanvas *self)
{
  stop_motion (self);
  self->pinch_scale = self->scale;
}

static void
on_pinch (TbGraphCanvas *self, double scale, GtkGesture *gesture)
{
  double x = gtk_widget_get_width (GTK_WIDGET (self)) / 2.,
         y = gtk_widget_get_height (GTK_WIDGET (self)) / 2.;

  if (scale <= 0)
    return;
  if (gtk_gesture_is_active (gesture))
    gtk_gesture_get_bounding_box_center (gesture, &x, &y);
  tb_graph_canvas_zoom (self, self->pinch_scale * scale / self->scale, x, y);
}

static gboolean
on_query_tooltip (TbGraphCanvas *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  TbGraphElement element = keyboard ? self->selected : tb_graph_canvas_get_pointed (self, x, y);
  g_autofree char *text = NULL;
  graphene_rect_t bounds;
  GdkRectangle area = { x, y, 1, 1 };

  text = tb_graph_canvas_describe (self, element);
  if (text == NULL || !tb_graph_canvas_get_bounds (self, element, &bounds))
    return FALSE;
  /* An edge is long, so its tooltip is shown at the mouse. */
  if (keyboard || element.kind == TB_GRAPH_VERTEX)
    area = (GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width,
                            (int) bounds.size.height };
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &area);
  return TRUE;
}

static void
add_pointing (TbGraphCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (
      GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);

  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect_swapped (scroll, "decelerate", G_CALLBACK (on_decelerate), self);
  gtk_widget_add_controller (widget, scroll);
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
}

void
tb_graph_canvas_add_controllers (TbGraphCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *swipe = gtk_gesture_swipe_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect_swapped (widget, "query-tooltip", G_CALLBACK (on_query_tooltip), self);
  add_pointing (self);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (swipe, "swipe", G_CALLBACK (on_swipe), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (swipe));
  gtk_gesture_group (swipe, drag);
  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}
