/* tb-timeline-keys.c: keyboard input of a timeline: zoom and moves in time, animated; moves between
 * lines and intervals; selection of intervals, threads and time range; pinning
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <adwaita.h>
#include <math.h>

#include "widgets/time/tb-time-input-private.h"
#include "widgets/timeline/tb-timeline-canvas-private.h"

#define ANIMATION_MS 180

void
tb_timeline_canvas_stop (TbTimelineCanvas *self)
{
  if (self->zoom.animation != NULL)
    adw_animation_pause (self->zoom.animation);
  g_clear_object (&self->zoom.animation);
}

static void
on_animate (double value, gpointer data)
{
  TbTimelineCanvas *self = data;
  double from
      = (double) self->zoom.from[0] + value * (double) (self->zoom.to[0] - self->zoom.from[0]);
  double to
      = (double) self->zoom.from[1] + value * (double) (self->zoom.to[1] - self->zoom.from[1]);

  if (value >= 1)
    tb_focus_set_view (self->focus, self->zoom.to[0], self->zoom.to[1]);
  else
    tb_focus_set_view (self->focus, (gint64) from, (gint64) to);
}

/* Moves there with an animation, unless the user has disabled animations: libadwaita handles
 * that. */
void
tb_timeline_canvas_zoom_to (TbTimelineCanvas *self, gint64 from, gint64 to)
{
  tb_timeline_canvas_stop (self);
  tb_focus_get_view (self->focus, &self->zoom.from[0], &self->zoom.from[1]);
  self->zoom.to[0] = from;
  self->zoom.to[1] = to;
  self->zoom.animation
      = adw_timed_animation_new (GTK_WIDGET (self), 0, 1, ANIMATION_MS,
                                 adw_callback_animation_target_new (on_animate, self, NULL));
  adw_timed_animation_set_easing (ADW_TIMED_ANIMATION (self->zoom.animation), ADW_EASE_OUT_CUBIC);
  adw_animation_play (self->zoom.animation);
}

void
tb_timeline_canvas_zoom_around (TbTimelineCanvas *self, double x, double factor)
{
  tb_timeline_canvas_stop (self);
  tb_focus_zoom (self->focus, tb_timeline_context_get_time (&self->context, x), factor);
}

/* The time that stays at its position when zooming by key: the selected interval if it is visible,
 * else the pointer, else the middle. */
double
tb_timeline_canvas_get_zoom_center (TbTimelineCanvas *self)
{
  const TbTimelineContext *context = &self->context;
  gint64 from, to, view_from, view_to;

  tb_focus_get_view (self->focus, &view_from, &view_to);
  if (tb_focus_get_time (self->focus, &from, &to) && to > view_from && from < view_to)
    return tb_timeline_context_get_x (context, MAX (from, view_from) / 2 + MIN (to, view_to) / 2);
  if (self->pointer.x >= context->plot_x && self->pointer.x < context->plot_x + context->plot_width)
    return self->pointer.x;
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
      tb_timeline_canvas_zoom_around (self, tb_timeline_canvas_get_zoom_center (self), factor);
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

void
tb_timeline_canvas_go_to_line (TbTimelineCanvas *self, guint line)
{
  TbTimelineRow *row;

  self->current = line;
  tb_timeline_canvas_scroll_to (self, line);
  /* The line may have been pinned just now. */
  if (tb_timeline_canvas_get_row (self, line) == NULL
      && gtk_widget_get_height (GTK_WIDGET (self)) > 0)
    tb_timeline_canvas_place_rows (self, gtk_widget_get_height (GTK_WIDGET (self)));
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
  tb_timeline_canvas_go_to_line (self, (guint) line);
  return TRUE;
}

/* The next interval in a direction that is drawn. */
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
    /* Coming from another track: the interval at the same time. */
    i = (gssize) tb_timeline_figure_find (self->figure, index, from);
  else
    i = (gssize) tb_timeline_figure_find (self->figure, index, direction > 0 ? from : to - 1);
  while (i >= 0 && i < (gssize) track.n
         && (track.paint[i] == TB_PAINT_NONE
             || !tb_timeline_canvas_matches_interval (self, index, (gsize) i)))
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

/* The ends of time. The ends of lines are reached with Control, as in a grid. */
static gboolean
on_end_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  gint64 from, to, start, end;

  tb_focus_get_view (self->focus, &from, &to);
  tb_focus_get_extent (self->focus, &start, &end);
  if (g_variant_get_int32 (arguments) < 0)
    tb_timeline_canvas_zoom_to (self, start, start + (to - from));
  else
    tb_timeline_canvas_zoom_to (self, end - (to - from), end);
  return TRUE;
}

/* If an item of another figure is selected, that figure handles the key. */
static gboolean
on_event_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);

  if (tb_focus_get_item (self->focus) != NULL
      && g_strcmp0 (tb_focus_get_figure (self->focus), tb_figure_get_id (TB_FIGURE (self->figure)))
             != 0)
    return FALSE;
  if (tb_timeline_canvas_get_current_track (self) == TB_TRACK_NONE)
    return FALSE;
  return on_interval_key (widget, arguments, data);
}

void
tb_timeline_canvas_zoom_to_time (TbTimelineCanvas *self, gint64 from, gint64 to)
{
  gint64 margin = MAX ((to - from) / 8, 25);

  tb_timeline_canvas_zoom_to (self, from - margin, to + margin);
}

/* Zooms to the selected interval, else to the selected range, else to the whole extent. */
static gboolean
on_fit_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  gint64 from, to;

  if (tb_focus_get_time (self->focus, &from, &to))
    tb_timeline_canvas_zoom_to_time (self, from, to);
  else if (tb_focus_get_range (self->focus, &from, &to))
    tb_timeline_canvas_zoom_to (self, from, to);
  else
    {
      tb_focus_get_extent (self->focus, &from, &to);
      tb_timeline_canvas_zoom_to (self, from, to);
    }
  return TRUE;
}

static gboolean
on_pin_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  tb_timeline_canvas_pin_current (TB_TIMELINE_CANVAS (widget));
  return TRUE;
}

static gboolean
on_toggle_thread_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);

  tb_timeline_canvas_toggle_threads (self, self->current);
  return TRUE;
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
    tb_timeline_canvas_zoom_to_time (self, from, to);
  else
    tb_timeline_canvas_select (self, track, TB_INTERVAL_NONE);
  return TRUE;
}

static gboolean
on_escape_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  gint64 from, to, start, end;
  guint n_threads;

  tb_focus_get_view (self->focus, &from, &to);
  tb_focus_get_extent (self->focus, &start, &end);
  if (tb_focus_get_item (self->focus) != NULL || tb_focus_get_thread (self->focus) != TB_ID_NONE)
    tb_focus_clear (self->focus);
  else if (tb_focus_get_range (self->focus, NULL, NULL))
    tb_focus_clear_range (self->focus);
  else if (tb_focus_get_threads (self->focus, &n_threads) != NULL && n_threads > 0)
    tb_focus_select_threads (self->focus, NULL, 0);
  else if (from != start || to != end)
    tb_timeline_canvas_zoom_to (self, start, end);
  else
    return FALSE;
  return TRUE;
}

/* Sets a range or one end of it by the time that a key refers to: an edge of the selected interval,
 * the pointer, or an edge of the visible part. */
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
    { GDK_KEY_Up, -1 },         { GDK_KEY_Down, 1 },         { GDK_KEY_Page_Up, -2 },
    { GDK_KEY_Page_Down, 2 },   { GDK_KEY_KP_Up, -1 },       { GDK_KEY_KP_Down, 1 },
    { GDK_KEY_KP_Page_Up, -2 }, { GDK_KEY_KP_Page_Down, 2 },
  };
  static const struct
  {
    guint key;
    int end;
  } ends[] = {
    { GDK_KEY_Home, -1 }, { GDK_KEY_End, 1 }, { GDK_KEY_KP_Home, -1 }, { GDK_KEY_KP_End, 1 }
  };
  static const guint activate[]
      = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter, GDK_KEY_space };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    gtk_widget_class_add_binding (widget_class, lines[i].key, 0, on_line_key, "i", lines[i].step);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      gtk_widget_class_add_binding (widget_class, ends[i].key, 0, on_end_key, "i", ends[i].end);
      gtk_widget_class_add_binding (widget_class, ends[i].key, GDK_CONTROL_MASK, on_line_key, "i",
                                    3 * ends[i].end);
    }
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
  gtk_widget_class_add_binding (widget_class, GDK_KEY_f, 0, on_fit_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_p, 0, on_pin_key, NULL);
  /* The same without character keys, for users that have disabled those. */
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Home, GDK_SHIFT_MASK, on_range_key, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_End, GDK_SHIFT_MASK, on_range_key, "i", 1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, GDK_SHIFT_MASK, on_range_key, "i", 0);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Insert, 0, on_pin_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_comma, 0, on_event_key, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_period, 0, on_event_key, "i", 1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, GDK_CONTROL_MASK, on_toggle_thread_key,
                                NULL);
}
