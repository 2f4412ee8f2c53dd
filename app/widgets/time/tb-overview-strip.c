/* tb-overview-strip.c: strip with the activity of threads in the whole recording (summed by
 * tb-overview-activity.c, or given); mouse and keys select a time range of the document there, or
 * move it, and make it visible
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/time/tb-overview-strip.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "report/tb-report.h"
#include "base/tb-base.h"
#include "widgets/tb-widget-drawing-private.h"
#include "widgets/time/tb-overview-strip-private.h"

#define HEIGHT 46
/* A narrow strip is also lower, because the screen is probably that of a phone. */
#define NARROW 400
#define NARROW_HEIGHT 30
#define HANDLE 6
#define GRIP 7
#define STEP .05

typedef enum
{
  DRAG_NONE,
  DRAG_START,
  DRAG_END,
  DRAG_MOVE,
  DRAG_NEW,
} Drag;

/**
 * TbOverviewStrip:
 *
 * Shows the activity in the whole recording, and lets the user select a part of it. Dragging
 * selects a range and makes it visible. Its ends, and the range as a whole, can be dragged. A
 * double click shows everything again.
 *
 * Keys: Left and Right move the range, with Shift its end and with Control its start. Escape clears
 * it.
 */
G_DEFINE_FINAL_TYPE_WITH_CODE (TbOverviewStrip,
                               tb_overview_strip,
                               TB_TYPE_FOCUS_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE,
                                                      tb_accessible_items_interface_init))

static TbFocus *
get_focus (TbOverviewStrip *self)
{
  return tb_focus_widget_get_focus (TB_FOCUS_WIDGET (self));
}

static double
get_position (TbOverviewStrip *self, gint64 time)
{
  double width = MAX (1, gtk_widget_get_width (GTK_WIDGET (self)) - 2 * TB_OVERVIEW_MARGIN);
  gint64 from, to;

  tb_focus_get_extent (get_focus (self), &from, &to);
  return TB_OVERVIEW_MARGIN + (double) (time - from) / (double) (to - from) * width;
}

static gint64
get_time_at (TbOverviewStrip *self, double x)
{
  double width = MAX (1, gtk_widget_get_width (GTK_WIDGET (self)) - 2 * TB_OVERVIEW_MARGIN);
  gint64 from, to;

  tb_focus_get_extent (get_focus (self), &from, &to);
  return from
         + (gint64) llround (CLAMP ((x - TB_OVERVIEW_MARGIN) / width, 0, 1) * (double) (to - from));
}

/* The range with the handles: the selected range, else the visible part. */
static gboolean
get_range (TbOverviewStrip *self, gint64 *from, gint64 *to)
{
  if (tb_focus_get_range (get_focus (self), from, to))
    return TRUE;
  tb_focus_get_view (get_focus (self), from, to);
  return FALSE;
}

static void
choose (TbOverviewStrip *self, gint64 from, gint64 to)
{
  tb_focus_select_range (get_focus (self), from, to);
  if (tb_focus_get_range (get_focus (self), &from, &to))
    tb_focus_set_view (get_focus (self), from, to);
}

static void
choose_all (TbOverviewStrip *self)
{
  gint64 from, to;

  tb_focus_get_extent (get_focus (self), &from, &to);
  tb_focus_clear_range (get_focus (self));
  tb_focus_set_view (get_focus (self), from, to);
}

static void
ensure_path (TbOverviewStrip *self, int width, int height)
{
  g_autoptr (GskPathBuilder) builder = NULL;
  int columns = width - 2 * TB_OVERVIEW_MARGIN, room = height - 2 * TB_OVERVIEW_MARGIN - 2;

  if (self->path != NULL && self->path_width == width && self->path_height == height)
    return;
  g_clear_pointer (&self->path, gsk_path_unref);
  self->path_width = width;
  self->path_height = height;
  if (self->n_activity == 0 || columns <= 0 || room <= 0)
    return;
  builder = gsk_path_builder_new ();
  gsk_path_builder_move_to (builder, TB_OVERVIEW_MARGIN, height - 2);
  for (int x = 0; x <= columns; x += 2)
    {
      gsize first = (gsize) x * self->n_activity / (gsize) (columns + 2);
      gsize last = MIN (self->n_activity, MAX (first + 1, (gsize) (x + 2) * self->n_activity
                                                              / (gsize) (columns + 2)));
      float peak = 0;

      /* The highest activity of those that share a position, so that no short burst is lost. */
      for (gsize i = first; i < last; i++)
        peak = MAX (peak, self->activity[i]);
      gsk_path_builder_line_to (builder, (float) (TB_OVERVIEW_MARGIN + x),
                                (float) height - 2 - peak * (float) room);
    }
  gsk_path_builder_line_to (builder, (float) (width - TB_OVERVIEW_MARGIN), (float) height - 2);
  gsk_path_builder_close (builder);
  self->path = gsk_path_builder_free_to_path (g_steal_pointer (&builder));
}

static void
append_handle (GtkSnapshot *snapshot, const TbPalette *palette, double x, int height)
{
  tb_draw_rounded (snapshot, &palette->accent,
                   &GRAPHENE_RECT_INIT ((float) x - HANDLE / 2.f, (float) height / 2 - 11, HANDLE,
                                        22),
                   HANDLE / 2.f);
}

static void
tb_overview_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (widget);
  const TbPalette *palette = tb_palette_get_default ();
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  GdkRGBA color = palette->paint[TB_PAINT_RUNNING];
  gint64 from, to, start, end, pointer = tb_focus_get_pointer (get_focus (self));
  gboolean selected = get_range (self, &from, &to);
  double left, right;

  ensure_path (self, width, height);
  color.alpha = .55f;
  if (self->path != NULL)
    gtk_snapshot_append_fill (snapshot, self->path, GSK_FILL_RULE_WINDING, &color);

  tb_focus_get_extent (get_focus (self), &start, &end);
  left = get_position (self, from);
  right = get_position (self, to);
  if (selected || from != start || to != end)
    {
      graphene_rect_t bounds
          = GRAPHENE_RECT_INIT ((float) left, 0, (float) MAX (1, right - left), (float) height);

      gtk_snapshot_append_color (snapshot, &palette->range, &bounds);
      append_handle (snapshot, palette, left, height);
      append_handle (snapshot, palette, MAX (right, left + 1), height);
    }
  if (selected)
    {
      /* The visible part, where it differs from the range. */
      tb_focus_get_view (get_focus (self), &from, &to);
      left = get_position (self, from);
      gtk_snapshot_append_color (
          snapshot, &palette->accent,
          &GRAPHENE_RECT_INIT ((float) left, (float) height - 2,
                               (float) MAX (2, get_position (self, to) - left), 2));
    }
  if (pointer != TB_TIME_NONE && pointer >= start && pointer <= end)
    gtk_snapshot_append_color (snapshot, &palette->accent,
                               &GRAPHENE_RECT_INIT ((float) floor (get_position (self, pointer)), 0,
                                                    1, (float) height));
}

static void
tb_overview_strip_measure (GtkWidget *widget,
                           GtkOrientation orientation,
                           int for_size,
                           int *minimum,
                           int *natural,
                           int *minimum_baseline,
                           int *natural_baseline)
{
  int height = for_size >= 0 && for_size < NARROW ? NARROW_HEIGHT : HEIGHT;

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 100
             : for_size < 0                            ? NARROW_HEIGHT
                                                       : height;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 600 : height;
}

static GtkSizeRequestMode
tb_overview_strip_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
tb_overview_strip_changed (TbFocusWidget *widget)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (widget);
  gint64 from, to, start, end;
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;
  g_autofree char *text = NULL;
  gboolean selected = get_range (self, &from, &to);

  tb_focus_get_extent (get_focus (self), &start, &end);
  first = tb_format_time (from - start, (to - from) / 1000);
  last = tb_format_time (to - start, (to - from) / 1000);
  if (selected)
    /* Translators: a range of time, both are times such as "160.2 ms". */
    text = g_strdup_printf (_ ("%s to %s selected"), first, last);
  else
    text = g_strdup_printf (_ ("%s to %s visible, nothing selected"), first, last);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
  tb_accessible_items_selection_changed (GTK_WIDGET (self));
}

static Drag
drag_at (TbOverviewStrip *self, double x)
{
  gint64 from, to, start, end;
  double left, right;
  gboolean selected = get_range (self, &from, &to);

  tb_focus_get_extent (get_focus (self), &start, &end);
  if (!selected && from == start && to == end)
    return DRAG_NEW;
  left = get_position (self, from);
  right = get_position (self, to);
  if (fabs (x - left) <= GRIP && fabs (x - left) < fabs (x - right))
    return DRAG_START;
  if (fabs (x - right) <= GRIP)
    return DRAG_END;
  return x > left && x < right ? DRAG_MOVE : DRAG_NEW;
}

static void
on_motion (TbOverviewStrip *self, double x, double y)
{
  static const char *const cursors[] = { NULL, "ew-resize", "ew-resize", "grab", "text" };

  gtk_widget_set_cursor_from_name (
      GTK_WIDGET (self), cursors[self->drag != DRAG_NONE ? self->drag : drag_at (self, x)]);
  tb_focus_set_pointer (get_focus (self), get_time_at (self, x));
}

static void
on_leave (TbOverviewStrip *self)
{
  tb_focus_set_pointer (get_focus (self), TB_TIME_NONE);
}

static void
on_drag_begin (TbOverviewStrip *self, double x, double y)
{
  if (self->drag == DRAG_NONE)
    tb_focus_begin_change (get_focus (self));
  self->drag = drag_at (self, x);
  self->drag_time = get_time_at (self, x);
  get_range (self, &self->drag_from, &self->drag_to);
}

static void
on_drag_update (TbOverviewStrip *self, double x, double y, GtkGestureDrag *gesture)
{
  gint64 time, moved, start, end;
  double start_x;

  if (ABS (x) < 2)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_gesture_drag_get_start_point (gesture, &start_x, NULL);
  time = get_time_at (self, start_x + x);
  tb_focus_get_extent (get_focus (self), &start, &end);
  switch (self->drag)
    {
    case DRAG_START:
      choose (self, time, self->drag_to);
      break;
    case DRAG_END:
      choose (self, self->drag_from, time);
      break;
    case DRAG_MOVE:
      moved = CLAMP (time - self->drag_time, start - self->drag_from, end - self->drag_to);
      choose (self, self->drag_from + moved, self->drag_to + moved);
      break;
    case DRAG_NEW:
      choose (self, self->drag_time, time);
      break;
    case DRAG_NONE:
    default:
      break;
    }
}

static void
on_drag_end (TbOverviewStrip *self)
{
  if (self->drag != DRAG_NONE)
    tb_focus_end_change (get_focus (self));
  self->drag = DRAG_NONE;
}

static void
on_pressed (TbOverviewStrip *self, int n_press)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (n_press == 2)
    choose_all (self);
}

static gboolean
on_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (widget);
  gint64 from, to, start, end, step;
  int direction, what;

  g_variant_get (arguments, "(ii)", &direction, &what);
  tb_focus_get_extent (get_focus (self), &start, &end);
  get_range (self, &from, &to);
  step = MAX (1, (gint64) ((double) (to - from) * STEP)) * direction;
  switch (what)
    {
    case DRAG_MOVE:
      step = CLAMP (step, start - from, end - to);
      choose (self, from + step, to + step);
      break;
    case DRAG_START:
      choose (self, MIN (from + step, to - 1), to);
      break;
    case DRAG_END:
    default:
      choose (self, from, MAX (to + step, from + 1));
      break;
    }
  return TRUE;
}

static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (widget);
  gint64 from, to, start, end;

  tb_focus_get_extent (get_focus (self), &start, &end);
  if (!get_range (self, &from, &to) && from == start && to == end)
    return FALSE;
  choose_all (self);
  return TRUE;
}

static void
tb_overview_strip_constructed (GObject *object)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (object);

  G_OBJECT_CLASS (tb_overview_strip_parent_class)->constructed (object);
  g_signal_connect_object (get_focus (self), "pointer-changed", G_CALLBACK (gtk_widget_queue_draw),
                           self, G_CONNECT_SWAPPED);
}

static void
tb_overview_strip_dispose (GObject *object)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (object);

  on_drag_end (self);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (tb_overview_strip_parent_class)->dispose (object);
}

static void
tb_overview_strip_finalize (GObject *object)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (object);

  g_clear_object (&self->figure);
  g_clear_pointer (&self->path, gsk_path_unref);
  g_free (self->activity);

  G_OBJECT_CLASS (tb_overview_strip_parent_class)->finalize (object);
}

static void
tb_overview_strip_class_init (TbOverviewStripClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->constructed = tb_overview_strip_constructed;
  object_class->dispose = tb_overview_strip_dispose;
  object_class->finalize = tb_overview_strip_finalize;
  widget_class->snapshot = tb_overview_strip_snapshot;
  widget_class->get_request_mode = tb_overview_strip_get_request_mode;
  widget_class->measure = tb_overview_strip_measure;

  TB_FOCUS_WIDGET_CLASS (klass)->changed = tb_overview_strip_changed;
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, 0, on_key, "(ii)", -1, DRAG_MOVE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, 0, on_key, "(ii)", 1, DRAG_MOVE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, GDK_SHIFT_MASK, on_key, "(ii)", -1,
                                DRAG_END);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, GDK_SHIFT_MASK, on_key, "(ii)", 1,
                                DRAG_END);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, GDK_CONTROL_MASK, on_key, "(ii)", -1,
                                DRAG_START);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, GDK_CONTROL_MASK, on_key, "(ii)", 1,
                                DRAG_START);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
  gtk_widget_class_set_css_name (widget_class, "tb-overview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
}

static void
tb_overview_strip_init (TbOverviewStrip *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  tb_accessible_items_attach (widget, &tb_overview_accessible_items);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Whole recording"), -1);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
}

/**
 * tb_overview_strip_new:
 * @focus: the focus of the document
 *
 * Creates a strip that shows the whole recording, and in it the visible part.
 *
 * Returns: a strip without activity
 */
GtkWidget *
tb_overview_strip_new (TbFocus *focus)
{
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);

  return g_object_new (TB_TYPE_OVERVIEW_STRIP, "focus", focus, NULL);
}

/**
 * tb_overview_strip_set_activity:
 * @self: a strip
 * @activity: (array length=n): activity in equal parts of the extent, 0…1
 * @n: number of parts
 *
 * Sets the activity that is drawn.
 */
void
tb_overview_strip_set_activity (TbOverviewStrip *self, const float *activity, gsize n)
{
  g_return_if_fail (TB_IS_OVERVIEW_STRIP (self));
  g_return_if_fail (activity != NULL || n == 0);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_free (self->activity);
  self->activity = g_memdup2 (activity, n * sizeof (float));
  self->n_activity = n;
  for (gsize i = 0; i < n; i++)
    self->activity[i] = self->activity[i] > 0 ? MIN (self->activity[i], 1) : 0;
  g_clear_pointer (&self->path, gsk_path_unref);
  tb_accessible_items_invalidate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_activity (gpointer owner, const float *activity, gsize n)
{
  tb_overview_strip_set_activity (owner, activity, n);
}

/**
 * tb_overview_strip_set_figure:
 * @self: a strip
 * @figure: (nullable): a timeline of threads
 *
 * Shows how much the threads of a timeline ran. The activity is computed in a thread and shown when
 * that is done.
 */
void
tb_overview_strip_set_figure (TbOverviewStrip *self, TbTimelineFigure *figure)
{
  g_return_if_fail (TB_IS_OVERVIEW_STRIP (self));
  g_return_if_fail (figure == NULL || TB_IS_TIMELINE_FIGURE (figure));

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_set_object (&self->figure, figure);
  if (figure == NULL)
    {
      tb_overview_strip_set_activity (self, NULL, 0);
      return;
    }
  self->cancellable = g_cancellable_new ();
  tb_overview_count_activity (figure, get_focus (self), self->cancellable, on_activity, self);
}
