/* tb-overview-strip.c: the whole recording, and the part of it that is selected
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-overview-strip.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "session/tb-schema.h"
#include "widgets/tb-palette.h"
#include "widgets/tb-time-axis.h"
#include "widgets/tb-widgets-private.h"

#define HEIGHT 46
#define MARGIN 4
#define HANDLE 6
#define GRIP 7
#define BINS 512
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
 * Shows how much went on in all of a recording, and lets the user choose a part of it: dragging over it selects a
 * range and makes it visible, its ends can be dragged, it can be moved as a whole; a double click goes back to everything.
 *
 * Keys: Left and Right move the range, with Shift its end and with Control its start, Escape drops it.
 */
struct _TbOverviewStrip
{
  GtkWidget parent_instance;

  TbFocus *focus;
  TbTimelineFigure *figure;
  float *activity;
  gsize n_activity;
  GCancellable *cancellable;

  GskPath *path;
  int path_width;
  int path_height;

  Drag drag;
  gint64 drag_time;
  gint64 drag_from;
  gint64 drag_to;
};

G_DEFINE_FINAL_TYPE (TbOverviewStrip, tb_overview_strip, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_FOCUS,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static double
position_of (TbOverviewStrip *self, gint64 time)
{
  double width = MAX (1, gtk_widget_get_width (GTK_WIDGET (self)) - 2 * MARGIN);
  gint64 from, to;

  tb_focus_get_extent (self->focus, &from, &to);
  return MARGIN + (double) (time - from) / (double) (to - from) * width;
}

static gint64
time_at (TbOverviewStrip *self, double x)
{
  double width = MAX (1, gtk_widget_get_width (GTK_WIDGET (self)) - 2 * MARGIN);
  gint64 from, to;

  tb_focus_get_extent (self->focus, &from, &to);
  return from + (gint64) llround (CLAMP ((x - MARGIN) / width, 0, 1) * (double) (to - from));
}

/* The range the handles are at: the selected one, else what is visible. */
static gboolean
get_range (TbOverviewStrip *self, gint64 *from, gint64 *to)
{
  if (tb_focus_get_range (self->focus, from, to))
    return TRUE;
  tb_focus_get_view (self->focus, from, to);
  return FALSE;
}

static void
choose (TbOverviewStrip *self, gint64 from, gint64 to)
{
  tb_focus_select_range (self->focus, from, to);
  if (tb_focus_get_range (self->focus, &from, &to))
    tb_focus_set_view (self->focus, from, to);
}

static void
choose_all (TbOverviewStrip *self)
{
  gint64 from, to;

  tb_focus_get_extent (self->focus, &from, &to);
  tb_focus_clear_range (self->focus);
  tb_focus_set_view (self->focus, from, to);
}

static void
ensure_path (TbOverviewStrip *self, int width, int height)
{
  g_autoptr (GskPathBuilder) builder = NULL;
  int columns = width - 2 * MARGIN, room = height - 2 * MARGIN - 2;

  if (self->path != NULL && self->path_width == width && self->path_height == height)
    return;
  g_clear_pointer (&self->path, gsk_path_unref);
  self->path_width = width;
  self->path_height = height;
  if (self->n_activity == 0 || columns <= 0 || room <= 0)
    return;
  builder = gsk_path_builder_new ();
  gsk_path_builder_move_to (builder, MARGIN, height - 2);
  for (int x = 0; x <= columns; x += 2)
    {
      gsize first = (gsize) x * self->n_activity / (gsize) (columns + 2);
      gsize last = MIN (self->n_activity,
                        MAX (first + 1, (gsize) (x + 2) * self->n_activity / (gsize) (columns + 2)));
      float peak = 0;

      /* The highest of those that share a place, so that no short burst is lost. */
      for (gsize i = first; i < last; i++)
        peak = MAX (peak, self->activity[i]);
      gsk_path_builder_line_to (builder, (float) (MARGIN + x), (float) height - 2 - peak * (float) room);
    }
  gsk_path_builder_line_to (builder, (float) (width - MARGIN), (float) height - 2);
  gsk_path_builder_close (builder);
  self->path = gsk_path_builder_free_to_path (g_steal_pointer (&builder));
}

static void
append_handle (GtkSnapshot *snapshot, const TbPalette *palette, double x, int height)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT ((float) x - HANDLE / 2.f, (float) height / 2 - 11, HANDLE, 22);
  GskRoundedRect rounded;

  gsk_rounded_rect_init_from_rect (&rounded, &bounds, HANDLE / 2.f);
  gtk_snapshot_push_rounded_clip (snapshot, &rounded);
  gtk_snapshot_append_color (snapshot, &palette->accent, &bounds);
  gtk_snapshot_pop (snapshot);
}

static void
tb_overview_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (widget);
  const TbPalette *palette = tb_palette_get_default ();
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  GdkRGBA color = palette->paint[TB_PAINT_RUNNING];
  gint64 from, to, start, end, pointer = tb_focus_get_pointer (self->focus);
  gboolean selected = get_range (self, &from, &to);
  double left, right;

  ensure_path (self, width, height);
  color.alpha = .55f;
  if (self->path != NULL)
    gtk_snapshot_append_fill (snapshot, self->path, GSK_FILL_RULE_WINDING, &color);

  tb_focus_get_extent (self->focus, &start, &end);
  left = position_of (self, from);
  right = position_of (self, to);
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
      /* What is visible, where that is something else. */
      tb_focus_get_view (self->focus, &from, &to);
      left = position_of (self, from);
      gtk_snapshot_append_color (snapshot, &palette->accent,
                                 &GRAPHENE_RECT_INIT ((float) left, (float) height - 2,
                                                      (float) MAX (2, position_of (self, to) - left), 2));
    }
  if (pointer != TB_TIME_NONE && pointer >= start && pointer <= end)
    gtk_snapshot_append_color (snapshot, &palette->accent,
                               &GRAPHENE_RECT_INIT ((float) floor (position_of (self, pointer)), 0, 1,
                                                    (float) height));
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
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 100 : HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 600 : HEIGHT;
}

static void
update_accessible (TbOverviewStrip *self)
{
  gint64 from, to, start, end;
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;
  g_autofree char *text = NULL;
  gboolean selected = get_range (self, &from, &to);

  tb_focus_get_extent (self->focus, &start, &end);
  first = tb_time_format (from - start, (to - from) / 1000);
  last = tb_time_format (to - start, (to - from) / 1000);
  if (selected)
    /* Translators: a range of time, both are times such as "160.2 ms". */
    text = g_strdup_printf (_ ("%s to %s selected"), first, last);
  else
    text = g_strdup_printf (_ ("%s to %s visible, nothing selected"), first, last);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static void
on_changed (TbOverviewStrip *self)
{
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static Drag
drag_at (TbOverviewStrip *self, double x)
{
  gint64 from, to, start, end;
  double left, right;
  gboolean selected = get_range (self, &from, &to);

  tb_focus_get_extent (self->focus, &start, &end);
  if (!selected && from == start && to == end)
    return DRAG_NEW;
  left = position_of (self, from);
  right = position_of (self, to);
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

  gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                   cursors[self->drag != DRAG_NONE ? self->drag : drag_at (self, x)]);
  tb_focus_set_pointer (self->focus, time_at (self, x));
}

static void
on_leave (TbOverviewStrip *self)
{
  tb_focus_set_pointer (self->focus, TB_TIME_NONE);
}

static void
on_drag_begin (TbOverviewStrip *self, double x, double y)
{
  self->drag = drag_at (self, x);
  self->drag_time = time_at (self, x);
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
  time = time_at (self, start_x + x);
  tb_focus_get_extent (self->focus, &start, &end);
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
  tb_focus_get_extent (self->focus, &start, &end);
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

  tb_focus_get_extent (self->focus, &start, &end);
  if (!get_range (self, &from, &to) && from == start && to == end)
    return FALSE;
  choose_all (self);
  return TRUE;
}

static void
tb_overview_strip_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (object);

  switch (property_id)
    {
    case PROP_FOCUS:
      self->focus = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_overview_strip_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (object);

  switch (property_id)
    {
    case PROP_FOCUS:
      g_value_set_object (value, self->focus);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_overview_strip_constructed (GObject *object)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (object);
  AdwStyleManager *manager = adw_style_manager_get_default ();

  G_OBJECT_CLASS (tb_overview_strip_parent_class)->constructed (object);
  g_signal_connect_object (self->focus, "view-changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->focus, "selection-changed", G_CALLBACK (on_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->focus, "pointer-changed", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  update_accessible (self);
}

static void
tb_overview_strip_dispose (GObject *object)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (tb_overview_strip_parent_class)->dispose (object);
}

static void
tb_overview_strip_finalize (GObject *object)
{
  TbOverviewStrip *self = TB_OVERVIEW_STRIP (object);

  g_clear_object (&self->focus);
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

  object_class->set_property = tb_overview_strip_set_property;
  object_class->get_property = tb_overview_strip_get_property;
  object_class->constructed = tb_overview_strip_constructed;
  object_class->dispose = tb_overview_strip_dispose;
  object_class->finalize = tb_overview_strip_finalize;
  widget_class->snapshot = tb_overview_strip_snapshot;
  widget_class->measure = tb_overview_strip_measure;

  properties[PROP_FOCUS]
      = g_param_spec_object ("focus", "Focus", "What the user looks at", TB_TYPE_FOCUS,
                             G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, 0, on_key, "(ii)", -1, DRAG_MOVE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, 0, on_key, "(ii)", 1, DRAG_MOVE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, GDK_SHIFT_MASK, on_key, "(ii)", -1, DRAG_END);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, GDK_SHIFT_MASK, on_key, "(ii)", 1, DRAG_END);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, GDK_CONTROL_MASK, on_key, "(ii)", -1, DRAG_START);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, GDK_CONTROL_MASK, on_key, "(ii)", 1, DRAG_START);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
  gtk_widget_class_set_css_name (widget_class, "tb-overview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
tb_overview_strip_init (TbOverviewStrip *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  tb_widgets_load_style ();
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Whole recording"),
                                  -1);
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
 * @focus: what the user of the document looks at
 *
 * Returns: a strip that shows nothing going on yet
 */
GtkWidget *
tb_overview_strip_new (TbFocus *focus)
{
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);

  return g_object_new (TB_TYPE_OVERVIEW_STRIP, "focus", focus, NULL);
}

/**
 * tb_overview_strip_get_focus:
 * @self: a strip
 *
 * Returns: (transfer none): what the user looks at
 */
TbFocus *
tb_overview_strip_get_focus (TbOverviewStrip *self)
{
  g_return_val_if_fail (TB_IS_OVERVIEW_STRIP (self), NULL);

  return self->focus;
}

/**
 * tb_overview_strip_set_activity:
 * @self: a strip
 * @activity: (array length=n): how much went on in equal parts of the extent, 0…1
 * @n: how many parts
 *
 * Sets what is drawn.
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
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* A task that held the widget might drop its last reference in the thread. */
typedef struct
{
  GWeakRef owner;
  TbTimelineFigure *figure;
  gint64 from;
  gint64 to;
  double busy[BINS];
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_weak_ref_clear (&work->owner);
  g_object_unref (work->figure);
  g_free (work);
}

static gint64
bin_start (const Work *work, guint bin)
{
  return work->from + (gint64) ((double) (work->to - work->from) * bin / BINS);
}

/* Few intervals are walked through, many are asked for by bins. */
static void
add_track (Work *work, guint index, const TbTimelineTrack *track)
{
  double bins_a_ns = BINS / (double) (work->to - work->from);

  if (track->n > 32 * BINS)
    {
      for (guint bin = 0; bin < BINS; bin++)
        {
          TbTimelineCoverage coverage;

          tb_timeline_figure_get_coverage (work->figure, index, bin_start (work, bin),
                                           bin_start (work, bin + 1), &coverage);
          work->busy[bin] += (double) coverage.ns[TB_PAINT_RUNNING];
        }
      return;
    }
  for (gsize i = 0; i < track->n; i++)
    {
      gint64 start = MAX (track->start[i], work->from), end = MIN (track->end[i], work->to);

      if (track->paint[i] != TB_PAINT_RUNNING || start >= end)
        continue;
      for (gint64 bin = (gint64) ((double) (start - work->from) * bins_a_ns); bin < BINS && start < end;
           bin++)
        {
          gint64 edge = MIN (bin_start (work, (guint) bin + 1), end);

          if (edge > start)
            {
              work->busy[bin] += (double) (edge - start);
              start = edge;
            }
        }
    }
}

static void
find_activity (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  guint n = tb_timeline_figure_get_n_tracks (work->figure);

  for (guint i = 0; i < n && !g_cancellable_is_cancelled (cancellable); i++)
    {
      TbTimelineTrack track;

      tb_timeline_figure_get_track (work->figure, i, &track);
      if (track.thread != TB_ID_NONE)
        add_track (work, i, &track);
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_activity (GObject *source, GAsyncResult *result, gpointer data)
{
  Work *work = g_task_get_task_data (G_TASK (result));
  g_autoptr (TbOverviewStrip) self = g_weak_ref_get (&work->owner);
  double most = 0;
  float activity[BINS];

  if (!g_task_propagate_boolean (G_TASK (result), NULL) || self == NULL)
    return;
  for (guint i = 0; i < BINS; i++)
    most = MAX (most, work->busy[i]);
  for (guint i = 0; i < BINS; i++)
    activity[i] = most > 0 ? (float) (work->busy[i] / most) : 0;
  tb_overview_strip_set_activity (self, activity, BINS);
}

/**
 * tb_overview_strip_set_figure:
 * @self: a strip
 * @figure: (nullable): a timeline of threads
 *
 * Shows how much the threads of a timeline ran; it is counted in a thread and appears when that is done.
 */
void
tb_overview_strip_set_figure (TbOverviewStrip *self, TbTimelineFigure *figure)
{
  g_autoptr (GTask) task = NULL;
  Work *work;

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
  work = g_new0 (Work, 1);
  g_weak_ref_init (&work->owner, self);
  work->figure = g_object_ref (figure);
  tb_focus_get_extent (self->focus, &work->from, &work->to);
  task = g_task_new (NULL, self->cancellable, on_activity, NULL);
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, find_activity);
}
