/* tb-histogram-input.c: what mouse, fingers and keys do to a histogram
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/tb-schema.h"
#include "widgets/histogram/tb-histogram-private.h"
#include "widgets/time/tb-time-input-private.h"

#define PAN_STEP .1

static guint
get_n_bins (TbHistogramCanvas *self)
{
  return tb_histogram_figure_get_n_bins (self->figure);
}

static gboolean
has_count (TbHistogramCanvas *self, guint bin)
{
  for (guint i = 0; i < tb_histogram_figure_get_n_series (self->figure); i++)
    if (tb_histogram_figure_get_count (self->figure, i, bin) > 0)
      return TRUE;
  return FALSE;
}

/* The next bin that holds anything, or TB_ID_NONE. */
static guint
find_beside (TbHistogramCanvas *self, gint64 bin, int direction)
{
  for (gint64 at = bin + direction; at >= 0 && at < get_n_bins (self); at += direction)
    if (has_count (self, (guint) at))
      return (guint) at;
  return TB_ID_NONE;
}

static gboolean
on_move_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);
  int direction = g_variant_get_int32 (arguments);
  guint next;

  if (self->first == self->end)
    next = direction > 0 ? find_beside (self, -1, 1) : find_beside (self, get_n_bins (self), -1);
  else
    next = find_beside (self, direction > 0 ? self->end - 1 : self->first, direction);
  if (next == TB_ID_NONE)
    {
      gtk_widget_error_bell (widget);
      return TRUE;
    }
  self->cursor = next;
  tb_histogram_canvas_select (self, next, next + 1);
  return TRUE;
}

/* Moves one end of what is selected, as in text. */
static gboolean
on_extend_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);
  int direction = g_variant_get_int32 (arguments);
  guint n = get_n_bins (self);
  guint other;

  if (self->first == self->end)
    return on_move_key (widget, arguments, data);
  other = self->cursor == self->first ? self->end - 1 : self->first;
  if ((direction < 0 && self->cursor == 0) || (direction > 0 && self->cursor + 1 >= n))
    {
      gtk_widget_error_bell (widget);
      return TRUE;
    }
  self->cursor += (guint) direction;
  tb_histogram_canvas_select (self, MIN (self->cursor, other), MAX (self->cursor, other) + 1);
  return TRUE;
}

/* From one mark to the next. */
static gboolean
on_mark_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);
  int direction = g_variant_get_int32 (arguments);
  guint best_first = TB_ID_NONE, best_end = 0;

  for (guint i = 0; i < tb_histogram_figure_get_n_marks (self->figure); i++)
    {
      gboolean beyond;
      guint first, end;

      tb_histogram_figure_get_mark_bins (self->figure, i, &first, &end);
      if (first >= end || (first == self->first && end == self->end))
        continue;
      beyond = self->first == self->end || (direction > 0 ? first > self->first : first < self->first);
      if (!beyond)
        continue;
      if (best_first == TB_ID_NONE || (direction > 0 ? first < best_first : first > best_first))
        {
          best_first = first;
          best_end = end;
        }
    }
  if (best_first == TB_ID_NONE)
    gtk_widget_error_bell (widget);
  else
    tb_histogram_canvas_select (self, best_first, best_end);
  return TRUE;
}

static gboolean
on_edge_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);
  gboolean last = g_variant_get_int32 (arguments) > 0;
  guint bin = last ? find_beside (self, get_n_bins (self), -1) : find_beside (self, -1, 1);

  if (bin != TB_ID_NONE)
    tb_histogram_canvas_select (self, bin, bin + 1);
  return TRUE;
}

static gboolean
on_fit_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);

  tb_histogram_canvas_zoom_to (self, self->first, self->end);
  return TRUE;
}

static gboolean
on_escape_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);

  if (self->first == self->end)
    return FALSE;
  tb_histogram_canvas_select (self, 0, 0);
  return TRUE;
}

/* Around what is selected, else the middle; 0 shows all. */
static gboolean
on_zoom_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHistogramCanvas *self = TB_HISTOGRAM_CANVAS (widget);
  double factor = g_variant_get_double (arguments);
  graphene_rect_t plot;
  double x;

  tb_histogram_canvas_get_plot (self, &plot);
  x = plot.origin.x + plot.size.width / 2;
  if (self->first < self->end)
    {
      const TbHistogramBin *bin
          = tb_histogram_figure_get_bin (self->figure, self->first + (self->end - self->first) / 2);

      x = plot.origin.x + tb_histogram_scale_get_x (&self->scale, plot.size.width, bin->from);
    }
  tb_histogram_canvas_zoom (self, x, factor == 0 ? G_MAXFLOAT : factor);
  return TRUE;
}

static gboolean
on_pan_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  tb_histogram_canvas_pan (TB_HISTOGRAM_CANVAS (widget), PAN_STEP * g_variant_get_int32 (arguments));
  return TRUE;
}

static void
add_pair (GtkWidgetClass *widget_class,
          guint back,
          guint forward,
          GdkModifierType state,
          GtkShortcutFunc func)
{
  gtk_widget_class_add_binding (widget_class, back, state, func, "i", -1);
  gtk_widget_class_add_binding (widget_class, forward, state, func, "i", 1);
}

void
tb_histogram_canvas_class_add_keys (GtkWidgetClass *widget_class)
{
  /* Before those of tb_time_input_add_keys(), which has Shift and arrows pan. */
  add_pair (widget_class, GDK_KEY_Left, GDK_KEY_Right, GDK_SHIFT_MASK, on_extend_key);
  add_pair (widget_class, GDK_KEY_KP_Left, GDK_KEY_KP_Right, GDK_SHIFT_MASK, on_extend_key);
  add_pair (widget_class, GDK_KEY_Left, GDK_KEY_Right, 0, on_move_key);
  add_pair (widget_class, GDK_KEY_KP_Left, GDK_KEY_KP_Right, 0, on_move_key);
  add_pair (widget_class, GDK_KEY_Down, GDK_KEY_Up, 0, on_mark_key);
  add_pair (widget_class, GDK_KEY_Page_Up, GDK_KEY_Page_Down, 0, on_mark_key);
  add_pair (widget_class, GDK_KEY_Home, GDK_KEY_End, 0, on_edge_key);
  add_pair (widget_class, GDK_KEY_a, GDK_KEY_d, 0, on_pan_key);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_w, 0, on_zoom_key, "d", 1 / TB_ZOOM_STEP);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_s, 0, on_zoom_key, "d", TB_ZOOM_STEP);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_f, 0, on_fit_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape_key, NULL);
  tb_time_input_add_keys (widget_class, on_zoom_key, on_pan_key);
}

static guint
get_bin_at (TbHistogramCanvas *self, double x)
{
  graphene_rect_t plot;

  tb_histogram_canvas_get_plot (self, &plot);
  return tb_histogram_scale_find_bin (&self->scale, self->figure, plot.size.width,
                                      CLAMP (x - plot.origin.x, 0, plot.size.width - .001));
}

static gboolean
in_plot (TbHistogramCanvas *self, double x)
{
  graphene_rect_t plot;

  tb_histogram_canvas_get_plot (self, &plot);
  return x >= plot.origin.x && x < plot.origin.x + plot.size.width;
}

static void
on_motion (TbHistogramCanvas *self, double x, double y)
{
  tb_histogram_canvas_set_hovered (self, in_plot (self, x) ? get_bin_at (self, x) : TB_ID_NONE);
}

static void
on_leave (TbHistogramCanvas *self)
{
  tb_histogram_canvas_set_hovered (self, TB_ID_NONE);
}

static void
on_drag_begin (TbHistogramCanvas *self, double x, double y, GtkGesture *gesture)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->brush_from = get_bin_at (self, x);
  self->brushing = FALSE;
}

/* Dragging chooses all bins it goes over. */
static void
on_drag_update (TbHistogramCanvas *self, double dx, double dy, GtkGestureDrag *gesture)
{
  double x, y;
  guint bin;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (!self->brushing && !gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
    return;
  self->brushing = TRUE;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  bin = get_bin_at (self, x + dx);
  self->cursor = bin;
  tb_histogram_canvas_select (self, MIN (self->brush_from, bin), MAX (self->brush_from, bin) + 1);
}

/* A click chooses the mark it falls on, a click on what is chosen its bin; a double click looks closer. */
static void
choose_at (TbHistogramCanvas *self, double x)
{
  guint bin = get_bin_at (self, x);
  guint mark = tb_histogram_canvas_find_mark (self, bin, bin + 1);
  guint first = bin, end = bin + 1;

  if (mark != TB_ID_NONE)
    tb_histogram_figure_get_mark_bins (self->figure, mark, &first, &end);
  if (mark == TB_ID_NONE || (self->first == first && self->end == end))
    {
      first = bin;
      end = bin + 1;
    }
  tb_histogram_canvas_select (self, first, end);
}

static void
on_released (TbHistogramCanvas *self, int n_press, double x, double y)
{
  guint bin = get_bin_at (self, x);
  guint mark = tb_histogram_canvas_find_mark (self, bin, bin + 1);
  guint first, end;

  if (self->brushing)
    return;
  if (!in_plot (self, x))
    tb_histogram_canvas_select (self, 0, 0);
  else if (n_press == 1)
    choose_at (self, x);
  else if (n_press == 2 && mark != TB_ID_NONE)
    {
      tb_histogram_figure_get_mark_bins (self->figure, mark, &first, &end);
      tb_histogram_canvas_select (self, first, end);
      tb_histogram_canvas_zoom_to (self, first, end);
    }
  else if (n_press == 2)
    tb_histogram_canvas_zoom (self, x, G_MAXFLOAT);
}

static gboolean
on_scroll (TbHistogramCanvas *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (controller));
  graphene_rect_t plot;
  double x, y;

  if (state & GDK_CONTROL_MASK)
    {
      graphene_point_t point = GRAPHENE_POINT_INIT (0, 0);

      tb_histogram_canvas_get_plot (self, &plot);
      x = plot.origin.x + plot.size.width / 2;
      if (event != NULL && gdk_event_get_position (event, &x, &y)
          && gtk_widget_compute_point (GTK_WIDGET (gtk_widget_get_native (GTK_WIDGET (self))),
                                       GTK_WIDGET (self), &GRAPHENE_POINT_INIT ((float) x, (float) y),
                                       &point))
        x = point.x;
      tb_histogram_canvas_zoom (self, x, tb_time_input_get_zoom (controller, dy));
      return GDK_EVENT_STOP;
    }
  if (dx == 0 && !(state & GDK_SHIFT_MASK))
    return GDK_EVENT_PROPAGATE;
  tb_histogram_canvas_pan (self, PAN_STEP * (dx != 0 ? dx : dy));
  return GDK_EVENT_STOP;
}

static gboolean
on_query_tooltip (TbHistogramCanvas *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;

  if (keyboard && self->first < self->end)
    text = tb_histogram_figure_describe (self->figure, self->first, self->end);
  else if (!keyboard && in_plot (self, x) && has_count (self, get_bin_at (self, x)))
    text = tb_histogram_figure_describe (self->figure, get_bin_at (self, x), get_bin_at (self, x) + 1);
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

void
tb_histogram_canvas_add_controllers (TbHistogramCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect_swapped (widget, "query-tooltip", G_CALLBACK (on_query_tooltip), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}
