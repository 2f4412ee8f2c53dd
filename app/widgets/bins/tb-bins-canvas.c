/* tb-bins-canvas.c: base class of the canvases of histograms and heat maps: their mouse, touch and
 * keyboard input with kinetic movement, handed to their class as selection, zoom and panning
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "widgets/bins/tb-bins-canvas-private.h"
#include "widgets/time/tb-time-input-private.h"

#define PAN_STEP .1
/* Pixels of a touchpad that equal one step of a wheel. */
#define SURFACE_STEP 40.
/* Deceleration of kinetic movement: the speed decreases by the factor e^FRICTION in a second. */
#define FRICTION 4.
#define MIN_SPEED .02 /* visible lengths per second */
/* Speed of movement beyond an edge, in visible lengths per second, and its increase per pixel. */
#define EDGE_SPEED .4
#define EDGE_SPEED_PER_PIXEL .04
#define MAX_EDGE_SPEED 2.

typedef enum
{
  DRAG_NONE,
  DRAG_BRUSH,
  DRAG_PAN,
} Drag;

typedef struct
{
  double pointer_x;
  double pointer_y;

  Drag drag;
  gboolean touch;
  gboolean long_pressed; /* a long press, before it moved */
  gboolean moved;        /* further than a hand trembles */
  double panned_x;
  double panned_y;
  double brush_x; /* position of the mouse, which may be beyond the plot */
  double brush_y;
  double pinched;

  double speed_x; /* visible lengths per second */
  double speed_y;
  gint64 tick_time;
  guint tick;
} TbBinsCanvasPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (TbBinsCanvas, tb_bins_canvas, GTK_TYPE_WIDGET)

enum
{
  SELECTED_CHANGED,
  HOVERED_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

#define GET_PRIVATE(self) ((TbBinsCanvasPrivate *) tb_bins_canvas_get_instance_private (self))
#define GET_CLASS(self) TB_BINS_CANVAS_GET_CLASS (self)

void
tb_bins_canvas_selected_changed (TbBinsCanvas *self)
{
  g_signal_emit (self, signals[SELECTED_CHANGED], 0);
}

void
tb_bins_canvas_hovered_changed (TbBinsCanvas *self)
{
  g_signal_emit (self, signals[HOVERED_CHANGED], 0);
}

void
tb_bins_canvas_choose_at (TbBinsCanvas *self, GtkWidget *from, double x, double y)
{
  graphene_point_t point;

  if (!gtk_widget_compute_point (from, GTK_WIDGET (self),
                                 &GRAPHENE_POINT_INIT ((float) x, (float) y), &point)
      || !gtk_widget_contains (GTK_WIDGET (self), point.x, point.y))
    return;
  if (!GET_CLASS (self)->has_chosen_at (self, point.x, point.y))
    GET_CLASS (self)->choose (self, 1, point.x, point.y);
}

void
tb_bins_canvas_stop (TbBinsCanvas *self)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);

  priv->speed_x = priv->speed_y = 0;
  if (priv->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), priv->tick);
  priv->tick = 0;
}

/* Kinetic movement */

static void
brush_to_pointer (TbBinsCanvas *self)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);
  graphene_rect_t plot;

  GET_CLASS (self)->get_plot (self, &plot);
  GET_CLASS (self)->brush_to (
      self, CLAMP (priv->brush_x, plot.origin.x, plot.origin.x + plot.size.width - .5),
      CLAMP (priv->brush_y, plot.origin.y, plot.origin.y + plot.size.height - .5));
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TbBinsCanvas *self = TB_BINS_CANVAS (widget);
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double seconds = priv->tick_time != 0 ? (double) (now - priv->tick_time) / G_USEC_PER_SEC : 0;

  priv->tick_time = now;
  if (seconds <= 0)
    return G_SOURCE_CONTINUE;
  GET_CLASS (self)->pan (self, priv->speed_x * seconds, priv->speed_y * seconds);
  if (priv->drag == DRAG_BRUSH)
    {
      brush_to_pointer (self);
      return G_SOURCE_CONTINUE;
    }
  priv->speed_x *= exp (-FRICTION * seconds);
  priv->speed_y *= exp (-FRICTION * seconds);
  if (hypot (priv->speed_x, priv->speed_y) > MIN_SPEED)
    return G_SOURCE_CONTINUE;
  priv->tick = 0;
  return G_SOURCE_REMOVE;
}

static void
start_motion (TbBinsCanvas *self, double speed_x, double speed_y)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);

  if (speed_x == 0 && speed_y == 0)
    {
      tb_bins_canvas_stop (self);
      return;
    }
  priv->speed_x = speed_x;
  priv->speed_y = speed_y;
  if (priv->tick != 0)
    return;
  priv->tick_time = 0;
  priv->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

/* The speed of movement for a position beyond an edge. */
static double
get_edge_speed (double place, double first, double last)
{
  if (place < first)
    return -MIN (EDGE_SPEED + (first - place) * EDGE_SPEED_PER_PIXEL, MAX_EDGE_SPEED);
  if (place > last)
    return MIN (EDGE_SPEED + (place - last) * EDGE_SPEED_PER_PIXEL, MAX_EDGE_SPEED);
  return 0;
}

/* Pointing */

static void
on_motion (TbBinsCanvas *self, double x, double y)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);

  priv->pointer_x = x;
  priv->pointer_y = y;
  GET_CLASS (self)->hover (self, x, y);
}

static void
on_leave (TbBinsCanvas *self)
{
  GET_CLASS (self)->leave (self);
}

static void
on_released (TbBinsCanvas *self, int n_press, double x, double y)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);

  if (!priv->moved && !priv->long_pressed)
    GET_CLASS (self)->choose (self, n_press, x, y);
}

/* Dragging */

static gboolean
is_touch (GtkGesture *gesture)
{
  GdkDevice *device
      = gtk_event_controller_get_current_event_device (GTK_EVENT_CONTROLLER (gesture));

  return device != NULL && gdk_device_get_source (device) == GDK_SOURCE_TOUCHSCREEN;
}

static void
on_drag_begin (TbBinsCanvas *self, double x, double y, GtkGesture *gesture)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  tb_bins_canvas_stop (self);
  priv->touch = is_touch (gesture);
  priv->moved = priv->long_pressed = FALSE;
  priv->panned_x = priv->panned_y = 0;
  priv->drag = priv->touch                                  ? DRAG_PAN
               : GET_CLASS (self)->brush_begin (self, x, y) ? DRAG_BRUSH
                                                            : DRAG_NONE;
}

/* A long press begins a selection. */
static void
on_long_press (TbBinsCanvas *self, double x, double y, GtkGesture *gesture)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);

  if (priv->moved || !GET_CLASS (self)->brush_begin (self, x, y))
    return;
  priv->drag = DRAG_BRUSH;
  priv->long_pressed = TRUE;
  GET_CLASS (self)->brush_to (self, x, y);
}

/* Moves the content with the finger. FALSE: it cannot move in that direction, and another widget
 * may handle the gesture. */
static gboolean
pan_by (TbBinsCanvas *self, double dx, double dy)
{
  graphene_rect_t plot;

  GET_CLASS (self)->get_plot (self, &plot);
  return GET_CLASS (self)->pan (self, -dx / plot.size.width, dy / plot.size.height);
}

static void
brush (TbBinsCanvas *self, double x, double y)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);
  graphene_rect_t plot;

  GET_CLASS (self)->get_plot (self, &plot);
  priv->brush_x = x;
  priv->brush_y = y;
  brush_to_pointer (self);
  start_motion (self, get_edge_speed (x, plot.origin.x, plot.origin.x + plot.size.width), 0);
}

static void
on_drag_update (TbBinsCanvas *self, double dx, double dy, GtkGestureDrag *gesture)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);
  double x, y;

  if (priv->drag == DRAG_NONE
      || (!priv->moved && !gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy)))
    return;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (priv->drag == DRAG_BRUSH)
    brush (self, x + dx, y + dy);
  else if (!pan_by (self, dx - priv->panned_x, dy - priv->panned_y) && !priv->moved)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  priv->moved = TRUE;
  priv->panned_x = dx;
  priv->panned_y = dy;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_drag_end (TbBinsCanvas *self)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);

  if (priv->drag == DRAG_BRUSH)
    {
      tb_bins_canvas_stop (self);
      if (GET_CLASS (self)->brush_end != NULL)
        GET_CLASS (self)->brush_end (self);
    }
  priv->drag = DRAG_NONE;
}

/* Velocities are in pixels per second. */
static void
on_swipe (TbBinsCanvas *self, double velocity_x, double velocity_y, GtkGesture *gesture)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);
  graphene_rect_t plot;

  if (!is_touch (gesture) || priv->long_pressed)
    return;
  GET_CLASS (self)->get_plot (self, &plot);
  start_motion (self, -velocity_x / plot.size.width, velocity_y / plot.size.height);
}

/* Pinch gestures and wheels */

static void
on_pinch_begin (TbBinsCanvas *self)
{
  GET_PRIVATE (self)->pinched = 1;
  tb_bins_canvas_stop (self);
}

static void
on_pinch (TbBinsCanvas *self, double scale, GtkGesture *gesture)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);
  graphene_rect_t plot;
  double x, y;

  if (scale <= 0)
    return;
  GET_CLASS (self)->get_plot (self, &plot);
  x = plot.origin.x + plot.size.width / 2;
  y = plot.origin.y + plot.size.height / 2;
  if (gtk_gesture_is_active (gesture))
    gtk_gesture_get_bounding_box_center (gesture, &x, &y);
  GET_CLASS (self)->zoom (self, x, y, priv->pinched / scale);
  priv->pinched = scale;
}

static double
get_step (GtkEventControllerScroll *controller)
{
  return gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL
             ? PAN_STEP
             : PAN_STEP / SURFACE_STEP;
}

static gboolean
on_scroll (TbBinsCanvas *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  TbBinsCanvasPrivate *priv = GET_PRIVATE (self);
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  double step = get_step (controller);
  gboolean across = state & GDK_SHIFT_MASK && dx == 0;

  tb_bins_canvas_stop (self);
  if (state & GDK_CONTROL_MASK)
    {
      GET_CLASS (self)->zoom (self, priv->pointer_x, priv->pointer_y,
                              tb_time_input_get_zoom (controller, dy));
      return GDK_EVENT_STOP;
    }
  return GET_CLASS (self)->pan (self, step * (across ? dy : dx), across ? 0 : -step * dy)
             ? GDK_EVENT_STOP
             : GDK_EVENT_PROPAGATE;
}

/* Kinetic scrolling by touchpad. Velocities are in pixels per second. */
static void
on_decelerate (TbBinsCanvas *self, double velocity_x, double velocity_y)
{
  graphene_rect_t plot;

  GET_CLASS (self)->get_plot (self, &plot);
  start_motion (self, velocity_x / plot.size.width, -velocity_y / plot.size.height);
}

/* Keys */

/* Zooms around the selection, else around the middle. */
static gboolean
on_zoom_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbBinsCanvas *self = TB_BINS_CANVAS (widget);
  graphene_rect_t place;

  tb_bins_canvas_stop (self);
  if (!GET_CLASS (self)->get_chosen (self, &place))
    GET_CLASS (self)->get_plot (self, &place);
  GET_CLASS (self)->zoom (self, place.origin.x + place.size.width / 2,
                          place.origin.y + place.size.height / 2, g_variant_get_double (arguments));
  return TRUE;
}

static gboolean
on_pan_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbBinsCanvas *self = TB_BINS_CANVAS (widget);

  tb_bins_canvas_stop (self);
  GET_CLASS (self)->pan (self, PAN_STEP * g_variant_get_int32 (arguments), 0);
  return TRUE;
}

static gboolean
on_fit_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbBinsCanvas *self = TB_BINS_CANVAS (widget);

  tb_bins_canvas_stop (self);
  GET_CLASS (self)->fit (self);
  return TRUE;
}

static gboolean
on_escape_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbBinsCanvas *self = TB_BINS_CANVAS (widget);

  return GET_CLASS (self)->clear (self);
}

void
tb_bins_canvas_class_add_pair (GtkWidgetClass *widget_class,
                               guint back,
                               guint forward,
                               GdkModifierType state,
                               GtkShortcutFunc func)
{
  gtk_widget_class_add_binding (widget_class, back, state, func, "i", -1);
  gtk_widget_class_add_binding (widget_class, forward, state, func, "i", 1);
}

void
tb_bins_canvas_class_add_keys (GtkWidgetClass *widget_class)
{
  gtk_widget_class_add_binding (widget_class, GDK_KEY_f, 0, on_fit_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape_key, NULL);
  tb_time_input_add_keys (widget_class, on_zoom_key, on_pan_key);
}

static void
add_gestures (TbBinsCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *swipe = gtk_gesture_swipe_new ();
  GtkGesture *hold = gtk_gesture_long_press_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (swipe), TRUE);
  g_signal_connect_swapped (swipe, "swipe", G_CALLBACK (on_swipe), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (swipe));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (hold), TRUE);
  g_signal_connect_swapped (hold, "pressed", G_CALLBACK (on_long_press), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (hold));
  /* All three gestures receive the same finger. */
  gtk_gesture_group (drag, swipe);
  gtk_gesture_group (drag, hold);
  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}

static void
tb_bins_canvas_dispose (GObject *object)
{
  tb_bins_canvas_stop (TB_BINS_CANVAS (object));
  G_OBJECT_CLASS (tb_bins_canvas_parent_class)->dispose (object);
}

static void
tb_bins_canvas_class_init (TbBinsCanvasClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_bins_canvas_dispose;
  signals[SELECTED_CHANGED] = g_signal_new ("selected-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                            NULL, NULL, G_TYPE_NONE, 0);
  signals[HOVERED_CHANGED] = g_signal_new ("hovered-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
tb_bins_canvas_init (TbBinsCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (
      GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);

  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect_swapped (scroll, "decelerate", G_CALLBACK (on_decelerate), self);
  gtk_widget_add_controller (widget, scroll);
  add_gestures (self);
}
