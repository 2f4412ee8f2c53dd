/* tb-time-axis.c: axis with the times of the visible range (ticks from tb-time-ticks.c), on which
 * a range is selected, for views over time
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/time/tb-time-axis.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "report/tb-report.h"
#include "widgets/tb-palette.h"
#include "widgets/tb-widgets-private.h"

/**
 * TbTimeAxis:
 *
 * An axis with the times of the visible part of a focus. Dragging selects a range, a double click
 * clears it.
 */
struct _TbTimeAxis
{
  TbFocusWidget parent_instance;

  int margin_start;
  int margin_end;
  gint64 drag_from;
  gboolean dragging;
};

G_DEFINE_FINAL_TYPE (TbTimeAxis, tb_time_axis, TB_TYPE_FOCUS_WIDGET)

static TbFocus *
get_focus (TbTimeAxis *self)
{
  return tb_focus_widget_get_focus (TB_FOCUS_WIDGET (self));
}

static void
get_plot (TbTimeAxis *self, double *x, double *width)
{
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;

  /* The margins change sides with the direction of text. Time does not. */
  *x = mirrored ? self->margin_end : self->margin_start;
  *width
      = MAX (1, gtk_widget_get_width (GTK_WIDGET (self)) - self->margin_start - self->margin_end);
}

static gint64
get_time_at (TbTimeAxis *self, double position)
{
  double x, width;
  gint64 from, to;

  get_plot (self, &x, &width);
  tb_focus_get_view (get_focus (self), &from, &to);
  return from
         + (gint64) llround ((CLAMP (position, x, x + width) - x) / width * (double) (to - from));
}

static double
get_position (TbTimeAxis *self, gint64 time)
{
  double x, width;
  gint64 from, to;

  get_plot (self, &x, &width);
  tb_focus_get_view (get_focus (self), &from, &to);
  return x + (double) (time - from) * width / (double) (to - from);
}

/* Labels that are too wide for every tick are drawn at every second, fifth or tenth one. */
static gint64
get_label_step (TbTimeAxis *self, const TbTimeTicks *ticks, gint64 origin, double distance)
{
  static const gint64 steps[] = { 1, 2, 5, 10, 20, 50 };
  g_autoptr (PangoLayout) layout = NULL;
  g_autofree char *label = NULL;
  gint64 to;
  int width;
  guint i = 0;

  tb_focus_get_view (get_focus (self), NULL, &to);
  label = tb_time_ticks_format (ticks, (to - origin) / ticks->step * ticks->step);
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), label);
  pango_layout_get_pixel_size (layout, &width, NULL);
  while (i + 1 < G_N_ELEMENTS (steps) && distance * (double) steps[i] < width + 10)
    i++;
  return steps[i];
}

static void
tb_time_axis_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbTimeAxis *self = TB_TIME_AXIS (widget);
  const TbPalette *palette = tb_palette_get_default ();
  double x, width, last_end = -G_MAXDOUBLE;
  gint64 from, to, origin, range_from, range_to, every;
  int height = gtk_widget_get_height (widget);
  TbTimeTicks ticks;

  get_plot (self, &x, &width);
  tb_focus_get_view (get_focus (self), &from, &to);
  tb_focus_get_extent (get_focus (self), &origin, NULL);
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT ((float) x, 0, (float) width, height));

  if (tb_focus_get_range (get_focus (self), &range_from, &range_to))
    {
      float left = (float) CLAMP (get_position (self, range_from), x - 1, x + width);
      float right = (float) CLAMP (get_position (self, range_to), x - 1, x + width + 1);

      gtk_snapshot_append_color (snapshot, &palette->range,
                                 &GRAPHENE_RECT_INIT (left, 0, MAX (1, right - left), height));
    }

  tb_time_ticks_init (&ticks, origin, from, to, width, TB_TICK_SPACING);
  every = get_label_step (self, &ticks, origin, (double) ticks.step * width / (double) (to - from));
  for (gint64 time = ticks.first; time <= to; time += ticks.step)
    {
      g_autofree char *label = tb_time_ticks_format (&ticks, time - origin);
      g_autoptr (PangoLayout) layout = NULL;
      double left = get_position (self, time);
      int label_width, label_height;

      gtk_snapshot_append_color (snapshot, &palette->line,
                                 &GRAPHENE_RECT_INIT ((float) floor (left), 0, 1, 4));
      if ((time - origin) / ticks.step % every != 0)
        continue;
      layout = gtk_widget_create_pango_layout (widget, label);
      pango_layout_get_pixel_size (layout, &label_width, &label_height);
      /* The last label stays inside. */
      left = MIN (left + 3, x + width - label_width - 2);
      if (left < last_end + 6 || left < x)
        continue;
      last_end = left + label_width;
      gtk_snapshot_save (snapshot);
      gtk_snapshot_translate (snapshot,
                              &GRAPHENE_POINT_INIT ((float) floor (left),
                                                    (float) ((height - label_height) / 2)));
      gtk_snapshot_append_layout (snapshot, layout, &palette->dim);
      gtk_snapshot_restore (snapshot);
    }
  gtk_snapshot_pop (snapshot);
}

static void
tb_time_axis_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  TbTimeAxis *self = TB_TIME_AXIS (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = self->margin_start + self->margin_end + 40;
      *natural = *minimum + 200;
    }
  else
    {
      g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, "0");
      int height;

      pango_layout_get_pixel_size (layout, NULL, &height);
      *minimum = *natural = height + 8;
    }
}

static void
tb_time_axis_changed (TbFocusWidget *widget)
{
  TbTimeAxis *self = TB_TIME_AXIS (widget);
  gint64 from, to, origin;
  g_autofree char *start = NULL;
  g_autofree char *end = NULL;
  g_autofree char *text = NULL;

  tb_focus_get_view (get_focus (self), &from, &to);
  tb_focus_get_extent (get_focus (self), &origin, NULL);
  start = tb_format_time (from - origin, (to - from) / 1000);
  end = tb_format_time (to - origin, (to - from) / 1000);
  /* Translators: the range of a time axis, both are times such as "160.2 ms". */
  text = g_strdup_printf (_ ("Time from %s to %s"), start, end);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
on_drag_begin (TbTimeAxis *self, double x, double y)
{
  if (!self->dragging)
    tb_focus_begin_change (get_focus (self));
  self->dragging = TRUE;
  self->drag_from = get_time_at (self, x);
}

static void
on_drag_end (TbTimeAxis *self)
{
  if (self->dragging)
    tb_focus_end_change (get_focus (self));
  self->dragging = FALSE;
}

static void
on_drag_update (TbTimeAxis *self, double x, double y, GtkGestureDrag *gesture)
{
  double start;

  gtk_gesture_drag_get_start_point (gesture, &start, NULL);
  if (!gtk_drag_check_threshold (GTK_WIDGET (self), (int) start, 0, (int) (start + x), 0)
      && gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)) == 0)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  tb_focus_select_range (get_focus (self), self->drag_from, get_time_at (self, start + x));
}

static void
on_pressed (TbTimeAxis *self, int n_press)
{
  if (n_press == 2)
    tb_focus_clear_range (get_focus (self));
}

static void
tb_time_axis_dispose (GObject *object)
{
  on_drag_end (TB_TIME_AXIS (object));

  G_OBJECT_CLASS (tb_time_axis_parent_class)->dispose (object);
}

static void
tb_time_axis_class_init (TbTimeAxisClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_time_axis_dispose;
  TB_FOCUS_WIDGET_CLASS (klass)->changed = tb_time_axis_changed;
  widget_class->snapshot = tb_time_axis_snapshot;
  widget_class->measure = tb_time_axis_measure;
  gtk_widget_class_set_css_name (widget_class, "tb-time-axis");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
tb_time_axis_init (TbTimeAxis *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "text");
}

/**
 * tb_time_axis_new:
 * @focus: the focus with the visible part
 *
 * Creates an axis of the visible part of the time.
 *
 * Returns: a time axis
 */
GtkWidget *
tb_time_axis_new (TbFocus *focus)
{
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);

  return g_object_new (TB_TYPE_TIME_AXIS, "focus", focus, NULL);
}

/**
 * tb_time_axis_set_margins:
 * @self: a time axis
 * @start: free pixels at the start, in the direction of text
 * @end: free pixels at the end
 *
 * Aligns the axis with a plot above it.
 */
void
tb_time_axis_set_margins (TbTimeAxis *self, int start, int end)
{
  g_return_if_fail (TB_IS_TIME_AXIS (self));

  if (self->margin_start == start && self->margin_end == end)
    return;
  self->margin_start = start;
  self->margin_end = end;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
