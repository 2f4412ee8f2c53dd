/* tb-timeline-canvas.c: canvas widget of a timeline: reuse and placement of row widgets for the
 * visible lines, widths of columns, redrawing after a zoom, and which interval is at a position
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-canvas-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/time/tb-time-axis.h"
#include "widgets/timeline/tb-timeline-match-private.h"
#include "widgets/tb-widgets-private.h"

#define MIN_NAME_WIDTH 64
/* Time in a frame, in µs, for drawing lines again after a zoom. */
#define REFRESH_US 2000
/* Least number of lines drawn in a frame, even if the time is over, so that a busy machine makes
 * progress too. */
#define REFRESH_LEAST 4

G_DEFINE_FINAL_TYPE_WITH_CODE (TbTimelineCanvas,
                               tb_timeline_canvas,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

enum
{
  PROP_0,
  PROP_HADJUSTMENT,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
};

enum
{
  ARRANGED,
  LAYOUT_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

double
tb_timeline_canvas_get_scrolled (TbTimelineCanvas *self)
{
  return self->vadjustment != NULL ? floor (gtk_adjustment_get_value (self->vadjustment)) : 0;
}

TbTimelineRow *
tb_timeline_canvas_get_row (TbTimelineCanvas *self, guint index)
{
  return g_hash_table_lookup (self->rows.live, GUINT_TO_POINTER (index + 1));
}

static void
bind_row (TbTimelineCanvas *self, TbTimelineRow *row, guint index)
{
  const TbTimelineLine *line = tb_timeline_canvas_get_line (self, index);

  if (line->track == TB_TRACK_NONE)
    {
      g_autofree char *name = tb_timeline_canvas_name_line (self, index, row == self->sticky);

      tb_timeline_row_show_heading (row, name, line->kind == TB_LINE_GROUP,
                                    !tb_timeline_canvas_is_collapsed (self, index)
                                        || tb_timeline_canvas_is_filtered (self),
                                    line->n_tracks);
    }
  else
    tb_timeline_row_show_track (row, line->track, line->group == TB_TRACK_NONE);
  tb_timeline_row_set_position (row, index, self->lines->len);
}

static void
release_row (TbTimelineCanvas *self, TbTimelineRow *row)
{
  /* The canvas keeps the keyboard focus when the line that had it is scrolled away. */
  if (gtk_widget_is_focus (GTK_WIDGET (row)))
    GTK_WIDGET_CLASS (tb_timeline_canvas_parent_class)->grab_focus (GTK_WIDGET (self));
  gtk_widget_set_child_visible (GTK_WIDGET (row), FALSE);
  g_ptr_array_add (self->rows.spare, row);
}

static TbTimelineRow *
take_row (TbTimelineCanvas *self, guint index)
{
  TbTimelineRow *row, *before = index > 0 ? tb_timeline_canvas_get_row (self, index - 1) : NULL;
  guint n_fixed = tb_timeline_canvas_get_n_fixed (self);

  if (before == NULL && n_fixed > 0 && index > n_fixed)
    before = tb_timeline_canvas_get_row (self, n_fixed - 1);
  if (self->rows.spare->len > 0)
    row = g_ptr_array_steal_index_fast (self->rows.spare, self->rows.spare->len - 1);
  else
    row = tb_timeline_row_new (&self->context);
  /* Rows are kept in order for assistive technologies. */
  gtk_widget_insert_after (GTK_WIDGET (row), GTK_WIDGET (self), GTK_WIDGET (before));
  gtk_widget_set_child_visible (GTK_WIDGET (row), TRUE);
  g_hash_table_insert (self->rows.live, GUINT_TO_POINTER (index + 1), row);
  bind_row (self, row, index);
  return row;
}

static void
place_row (TbTimelineCanvas *self, TbTimelineRow *row, double y)
{
  graphene_point_t at = GRAPHENE_POINT_INIT (0, (float) y);
  int minimum;

  gtk_widget_measure (GTK_WIDGET (row), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_allocate (GTK_WIDGET (row), MAX (minimum, self->context.width),
                       self->context.row_height, -1, gsk_transform_translate (NULL, &at));
}

static void
place_line (TbTimelineCanvas *self, guint index)
{
  TbTimelineRow *row = tb_timeline_canvas_get_row (self, index);

  place_row (self, row != NULL ? row : take_row (self, index),
             tb_timeline_canvas_get_top (self, index));
}

static void
place_sticky (TbTimelineCanvas *self)
{
  guint n_fixed = tb_timeline_canvas_get_n_fixed (self), heading;
  double pushed;
  gboolean shown = tb_timeline_canvas_get_sticky (self, &heading, &pushed);

  gtk_widget_set_child_visible (GTK_WIDGET (self->sticky), shown);
  self->context.covered = n_fixed * self->context.row_height;
  if (!shown)
    return;
  bind_row (self, self->sticky, heading);
  place_row (self, self->sticky, self->context.covered - pushed);
  self->context.covered += self->context.row_height - (int) pushed;
}

void
tb_timeline_canvas_place_rows (TbTimelineCanvas *self, int height)
{
  double top = tb_timeline_canvas_get_scrolled (self);
  int row_height = self->context.row_height;
  guint n_fixed = MIN (tb_timeline_canvas_get_n_fixed (self), self->lines->len);
  guint first = MAX ((guint) (top / row_height) + n_fixed, n_fixed);
  guint last = MIN ((guint) ((top + height) / row_height) + 1, self->lines->len);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->rows.live);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint index = GPOINTER_TO_UINT (key) - 1;

      if (index >= n_fixed && (index < first || index >= last))
        {
          g_hash_table_iter_remove (&iter);
          release_row (self, value);
        }
    }
  for (guint index = 0; index < n_fixed; index++)
    place_line (self, index);
  for (guint index = first; index < last; index++)
    place_line (self, index);
  place_sticky (self);
  if (gtk_widget_is_focus (GTK_WIDGET (self))
      && tb_timeline_canvas_get_row (self, self->current) != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (tb_timeline_canvas_get_row (self, self->current)));
}

void
tb_timeline_canvas_redraw (TbTimelineCanvas *self)
{
  GHashTableIter iter;
  gpointer row;

  g_hash_table_iter_init (&iter, self->rows.live);
  while (g_hash_table_iter_next (&iter, NULL, &row))
    gtk_widget_queue_draw (row);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self->sticky));
  gtk_widget_queue_draw (GTK_WIDGET (self->overlay));
}

/* Aligns the drawing with the visible part of the focus. */
static void
update_columns (TbTimelineCanvas *self)
{
  TbTimelineContext *context = &self->context;
  gint64 from, to;

  context->scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  tb_focus_get_view (self->focus, &from, &to);
  tb_focus_get_extent (self->focus, &context->origin, NULL);
  context->ns_per_column
      = (double) (to - from) / MAX (1, (double) context->plot_width * context->scale);
  context->first_column
      = (gint64) llround ((double) (from - context->origin) / context->ns_per_column);
}

static void
measure_text (TbTimelineCanvas *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "Ẫg");
  int height;

  /* Rows are higher with larger text. */
  pango_layout_get_pixel_size (layout, NULL, &height);
  self->context.row_height = MAX (24, height + 12);
  self->context.bar_height = self->context.row_height - 7;
}

/* The width of the longest names, within limits. */
static int
compute_name_width (TbTimelineCanvas *self)
{
  guint n = tb_timeline_figure_get_n_tracks (self->figure);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  gsize longest = 0;
  int width = 0;

  for (guint i = 0; i < n; i++)
    {
      TbTimelineTrack track;
      gsize length;
      int wanted;

      tb_timeline_figure_get_track (self->figure, i, &track);
      length = track.name != NULL ? strlen (track.name) : 0;
      if (length <= longest)
        continue;
      longest = length;
      /* Not within a character: longer names are cut where they are drawn. */
      if (length > 200)
        length = (gsize) (g_utf8_find_prev_char (track.name, track.name + 201) - track.name);
      pango_layout_set_text (layout, track.name, (int) length);
      pango_layout_get_pixel_size (layout, &wanted, NULL);
      width = MAX (width, wanted);
    }
  return CLAMP ((int) (width * .87) + 28 + 14, 110, 220);
}

static void
update_geometry (TbTimelineCanvas *self, int width)
{
  TbTimelineContext *context = &self->context;
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;

  measure_text (self);
  if (self->names.natural == 0)
    self->names.natural = compute_name_width (self);
  context->width = width;
  context->name_width
      = self->names.user > 0 ? self->names.user : MIN (self->names.natural, width * 3 / 10);
  context->name_width
      = CLAMP (context->name_width, MIN (MIN_NAME_WIDTH, width / 2), MAX (1, width * 6 / 10));
  context->plot_width = MAX (1, width - context->name_width - 4);
  context->name_x = mirrored ? width - context->name_width : 0;
  context->plot_x = mirrored ? 4 : context->name_width;
  update_columns (self);
}

static void
tb_timeline_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  int plot_x = self->context.plot_x, plot_width = self->context.plot_width;

  update_geometry (self, width);
  tb_timeline_canvas_configure (self, height);
  tb_timeline_canvas_place_rows (self, height);
  gtk_widget_allocate (GTK_WIDGET (self->overlay), width, height, -1, NULL);
  if (self->scroll_to_current)
    {
      self->scroll_to_current = FALSE;
      tb_timeline_canvas_scroll_to (self, self->current);
    }
  if (plot_x != self->context.plot_x || plot_width != self->context.plot_width)
    {
      tb_timeline_canvas_redraw (self);
      g_signal_emit (self, signals[LAYOUT_CHANGED], 0);
    }
}

static void
tb_timeline_canvas_measure (GtkWidget *widget,
                            GtkOrientation orientation,
                            int for_size,
                            int *minimum,
                            int *natural,
                            int *minimum_baseline,
                            int *natural_baseline)
{
  int overlay;

  gtk_widget_measure (GTK_WIDGET (TB_TIMELINE_CANVAS (widget)->overlay), orientation, for_size,
                      &overlay, NULL, NULL, NULL);
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 60;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : 400;
}

static gboolean
on_refresh_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  GHashTableIter iter;
  gpointer row;

  self->rows.refresh_callback = 0;
  g_hash_table_iter_init (&iter, self->rows.live);
  while (g_hash_table_iter_next (&iter, NULL, &row))
    if (tb_timeline_row_is_old (row))
      gtk_widget_queue_draw (row);
  gtk_widget_queue_draw (widget);
  return G_SOURCE_REMOVE;
}

/* After a zoom all lines must be drawn again. Each frame draws as many as there is time for, one
 * after the other. The other lines show their old drawing scaled. */
static void
refresh_rows (TbTimelineCanvas *self)
{
  gint64 until = g_get_monotonic_time () + REFRESH_US;
  guint first = (guint) (tb_timeline_canvas_get_scrolled (self) / self->context.row_height);
  guint n = (guint) (gtk_widget_get_height (GTK_WIDGET (self)) / self->context.row_height) + 2;
  guint n_drawn = 0;
  guint start = self->rows.refreshed >= first && self->rows.refreshed < first + n
                    ? self->rows.refreshed - first
                    : 0;
  guint n_fixed = tb_timeline_canvas_get_n_fixed (self);

  for (guint i = 0; i < n_fixed + n; i++)
    {
      guint line = i < n_fixed ? i : first + (start + i - n_fixed) % n;
      TbTimelineRow *row = tb_timeline_canvas_get_row (self, line);

      if (row == NULL || !tb_timeline_row_is_old (row))
        continue;
      if (n_drawn >= REFRESH_LEAST && g_get_monotonic_time () >= until)
        {
          if (self->rows.refresh_callback == 0)
            self->rows.refresh_callback
                = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_refresh_tick, NULL, NULL);
          return;
        }
      tb_timeline_row_refresh (row);
      self->rows.refreshed = line + 1;
      n_drawn++;
    }
}

/* Scrolled lines are drawn below the ones that stay at the top. */
static void
append_rows (TbTimelineCanvas *self, GtkSnapshot *snapshot)
{
  GtkWidget *widget = GTK_WIDGET (self);
  guint n_fixed = tb_timeline_canvas_get_n_fixed (self);
  float covered = (float) self->context.covered;
  GHashTableIter iter;
  gpointer key, row;

  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT (0, covered, (float) gtk_widget_get_width (widget),
                                               (float) gtk_widget_get_height (widget) - covered));
  g_hash_table_iter_init (&iter, self->rows.live);
  while (g_hash_table_iter_next (&iter, &key, &row))
    if (GPOINTER_TO_UINT (key) > n_fixed)
      gtk_widget_snapshot_child (widget, row, snapshot);
  gtk_snapshot_pop (snapshot);
  for (guint line = 0; line < n_fixed; line++)
    if ((row = tb_timeline_canvas_get_row (self, line)) != NULL)
      gtk_widget_snapshot_child (widget, row, snapshot);
}

static void
tb_timeline_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  const TbTimelineContext *context = &self->context;
  gint64 from, to;
  TbTimeTicks ticks;

  refresh_rows (self);
  tb_focus_get_view (self->focus, &from, &to);
  tb_time_ticks_init (&ticks, context->origin, from, to, context->plot_width, TB_TICK_SPACING);
  for (gint64 time = ticks.first; time <= to; time += ticks.step)
    gtk_snapshot_append_color (snapshot, &context->palette->grid,
                               &GRAPHENE_RECT_INIT ((float) floor (
                                                        tb_timeline_context_get_x (context, time)),
                                                    0, 1, (float) gtk_widget_get_height (widget)));
  append_rows (self, snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->sticky), snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->overlay), snapshot);
}

static void
update_palette (TbTimelineCanvas *self)
{
  if (self->context.palette == tb_palette_get_default ())
    return;
  self->context.palette = tb_palette_get_default ();
  tb_timeline_canvas_redraw (self);
}

static void
tb_timeline_canvas_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);

  GTK_WIDGET_CLASS (tb_timeline_canvas_parent_class)->css_changed (widget, change);
  self->names.natural = 0;
  if (self->overlay != NULL)
    {
      update_palette (self);
      gtk_widget_queue_resize (widget);
    }
}

static void
on_view_changed (TbTimelineCanvas *self)
{
  update_columns (self);
  tb_timeline_canvas_configure (self, 0);
  tb_timeline_canvas_redraw (self);
}

void
tb_timeline_canvas_arranged (TbTimelineCanvas *self)
{
  g_signal_emit (self, signals[ARRANGED], 0);
}

void
tb_timeline_canvas_lines_changed (TbTimelineCanvas *self)
{
  GHashTableIter iter;
  gpointer key, row;

  tb_timeline_canvas_collect_lines (self);
  g_hash_table_iter_init (&iter, self->rows.live);
  while (g_hash_table_iter_next (&iter, &key, &row))
    {
      guint index = GPOINTER_TO_UINT (key) - 1;

      if (index < self->lines->len)
        {
          bind_row (self, row, index);
          continue;
        }
      g_hash_table_iter_remove (&iter);
      release_row (self, row);
    }
  tb_timeline_overlay_set_hovered (self->overlay, TB_TRACK_NONE, TB_INTERVAL_NONE);
  tb_timeline_canvas_redraw (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_signal_emit (self, signals[LAYOUT_CHANGED], 0);
}

static gboolean
locate (guint track, double *y, gpointer data)
{
  return tb_timeline_canvas_locate (data, track, y);
}

static gboolean
is_fixed (guint track, gpointer data)
{
  TbTimelineCanvas *self = data;

  return self->line_of_track[track] < tb_timeline_canvas_get_n_fixed (self);
}

gboolean
tb_timeline_canvas_pick (TbTimelineCanvas *self, double x, double y, guint *track, gsize *interval)
{
  const TbTimelineContext *context = &self->context;
  guint line = tb_timeline_canvas_line_at (self, y);
  double top;

  *track = TB_TRACK_NONE;
  *interval = TB_INTERVAL_NONE;
  if (line == TB_TRACK_NONE || tb_timeline_canvas_get_line (self, line)->track == TB_TRACK_NONE)
    return FALSE;
  *track = tb_timeline_canvas_get_line (self, line)->track;
  if (x < context->plot_x || x >= context->plot_x + context->plot_width)
    return FALSE;
  top = tb_timeline_canvas_get_top (self, line) + (context->row_height - context->bar_height) / 2.;
  *interval = tb_timeline_find_interval_at (context, *track, x,
                                            CLAMP ((y - top) / context->bar_height, 0, 1));
  return *interval != TB_INTERVAL_NONE;
}

void
tb_timeline_canvas_forget_labels (TbTimelineCanvas *self)
{
  GHashTableIter iter;
  gpointer row;

  g_hash_table_iter_init (&iter, self->rows.live);
  while (g_hash_table_iter_next (&iter, NULL, &row))
    tb_timeline_row_forget_labels (row);
  for (guint i = 0; i < self->rows.spare->len; i++)
    tb_timeline_row_forget_labels (g_ptr_array_index (self->rows.spare, i));
}

const TbTimelineContext *
tb_timeline_canvas_get_context (TbTimelineCanvas *self)
{
  return &self->context;
}

static void
tb_timeline_canvas_set_property (GObject *object,
                                 guint property_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (object);

  switch (property_id)
    {
    case PROP_HADJUSTMENT:
      tb_timeline_canvas_set_adjustment (self, GTK_ORIENTATION_HORIZONTAL,
                                         g_value_get_object (value));
      break;
    case PROP_VADJUSTMENT:
      tb_timeline_canvas_set_adjustment (self, GTK_ORIENTATION_VERTICAL,
                                         g_value_get_object (value));
      break;
    case PROP_HSCROLL_POLICY:
      self->hscroll_policy = g_value_get_enum (value);
      break;
    case PROP_VSCROLL_POLICY:
      self->vscroll_policy = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_timeline_canvas_get_property (GObject *object,
                                 guint property_id,
                                 GValue *value,
                                 GParamSpec *pspec)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (object);

  switch (property_id)
    {
    case PROP_HADJUSTMENT:
      g_value_set_object (value, self->hadjustment);
      break;
    case PROP_VADJUSTMENT:
      g_value_set_object (value, self->vadjustment);
      break;
    case PROP_HSCROLL_POLICY:
      g_value_set_enum (value, self->hscroll_policy);
      break;
    case PROP_VSCROLL_POLICY:
      g_value_set_enum (value, self->vscroll_policy);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_timeline_canvas_dispose (GObject *object)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (object);
  GtkWidget *child;

  g_cancellable_cancel (self->matches.cancellable);
  tb_timeline_canvas_stop (self);
  if (self->focus != NULL)
    tb_timeline_canvas_end_drag (self);
  if (self->hadjustment != NULL)
    g_signal_handlers_disconnect_by_data (self->hadjustment, self);
  if (self->vadjustment != NULL)
    g_signal_handlers_disconnect_by_data (self->vadjustment, self);
  g_clear_object (&self->hadjustment);
  g_clear_object (&self->vadjustment);
  g_hash_table_remove_all (self->rows.live);
  g_ptr_array_set_size (self->rows.spare, 0);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  self->overlay = NULL;
  self->sticky = NULL;

  G_OBJECT_CLASS (tb_timeline_canvas_parent_class)->dispose (object);
}

static void
tb_timeline_canvas_finalize (GObject *object)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (object);

  g_clear_object (&self->matches.cancellable);
  g_clear_object (&self->figure);
  g_clear_object (&self->focus);
  g_clear_pointer (&self->matches.filter, tb_filter_unref);
  g_clear_pointer (&self->matches.found, tb_timeline_matches_free);
  g_hash_table_unref (self->rows.live);
  g_hash_table_unref (self->track_by_id);
  g_hash_table_unref (self->track_by_thread);
  g_ptr_array_unref (self->rows.spare);
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->hosts);
  g_array_unref (self->pinned);
  g_array_unref (self->lines);
  g_free (self->line_of_track);

  G_OBJECT_CLASS (tb_timeline_canvas_parent_class)->finalize (object);
}

static gboolean
tb_timeline_canvas_focus (GtkWidget *widget, GtkDirectionType direction)
{
  /* The canvas is a single stop for Tab. Within it, arrow keys move the focus. */
  if (gtk_widget_get_focus_child (widget) != NULL || gtk_widget_is_focus (widget))
    return FALSE;
  return gtk_widget_grab_focus (widget);
}

static gboolean
tb_timeline_canvas_grab_focus (GtkWidget *widget)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  TbTimelineRow *row = tb_timeline_canvas_get_row (self, self->current);

  if (row != NULL)
    return gtk_widget_grab_focus (GTK_WIDGET (row));
  return GTK_WIDGET_CLASS (tb_timeline_canvas_parent_class)->grab_focus (widget);
}

static void
tb_timeline_canvas_class_init (TbTimelineCanvasClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->set_property = tb_timeline_canvas_set_property;
  object_class->get_property = tb_timeline_canvas_get_property;
  object_class->dispose = tb_timeline_canvas_dispose;
  object_class->finalize = tb_timeline_canvas_finalize;
  widget_class->size_allocate = tb_timeline_canvas_size_allocate;
  widget_class->measure = tb_timeline_canvas_measure;
  widget_class->snapshot = tb_timeline_canvas_snapshot;
  widget_class->css_changed = tb_timeline_canvas_css_changed;
  widget_class->focus = tb_timeline_canvas_focus;
  widget_class->grab_focus = tb_timeline_canvas_grab_focus;

  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");

  /* The plot has another position, or other lines are shown. */
  signals[LAYOUT_CHANGED] = g_signal_new ("layout-changed", G_TYPE_FROM_CLASS (klass),
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ARRANGED] = g_signal_new ("arranged", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  tb_timeline_canvas_class_add_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "tb-timeline-canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TABLE);
}

static void
tb_timeline_canvas_init (TbTimelineCanvas *self)
{
  self->rows.live = g_hash_table_new (NULL, NULL);
  self->rows.spare = g_ptr_array_new ();
  self->groups = g_ptr_array_new_with_free_func (tb_timeline_group_free);
  self->hosts = g_ptr_array_new ();
  self->pinned = g_array_new (FALSE, FALSE, sizeof (guint));
  self->lines = g_array_new (FALSE, TRUE, sizeof (TbTimelineLine));
  self->track_by_id = g_hash_table_new (g_str_hash, g_str_equal);
  self->track_by_thread = g_hash_table_new (NULL, NULL);
  self->matches.filter = tb_filter_parse (NULL, NULL);
  self->context.palette = tb_palette_get_default ();
  self->context.selected_track = TB_TRACK_NONE;
  self->context.selected_interval = TB_INTERVAL_NONE;
  self->context.scale = 1;
  self->context.ns_per_column = 1;
  self->context.row_height = 29;
  self->context.bar_height = 22;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  /* It represents a line that has the focus at its own position. */
  self->sticky = tb_timeline_row_new (&self->context);
  gtk_widget_set_focusable (GTK_WIDGET (self->sticky), FALSE);
  gtk_widget_set_can_target (GTK_WIDGET (self->sticky), FALSE);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->sticky), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE,
                               -1);
  gtk_widget_set_child_visible (GTK_WIDGET (self->sticky), FALSE);
  gtk_widget_set_parent (GTK_WIDGET (self->sticky), GTK_WIDGET (self));
  self->overlay = tb_timeline_overlay_new (&self->context, locate, is_fixed, self);
  gtk_widget_set_parent (GTK_WIDGET (self->overlay), GTK_WIDGET (self));
  tb_timeline_canvas_add_controllers (self);
}

TbTimelineCanvas *
tb_timeline_canvas_new (TbTimelineFigure *figure, TbFocus *focus)
{
  TbTimelineCanvas *self = g_object_new (TB_TYPE_TIMELINE_CANVAS, NULL);

  self->figure = g_object_ref (figure);
  self->focus = g_object_ref (focus);
  self->context.figure = figure;
  self->context.focus = focus;
  self->line_of_track = g_new0 (guint, MAX (1, tb_timeline_figure_get_n_tracks (figure)));
  tb_timeline_canvas_collect_groups (self);
  tb_timeline_canvas_collect_lines (self);
  tb_timeline_canvas_find_selection (self, &self->context.selected_track,
                                     &self->context.selected_interval);
  tb_timeline_overlay_update (self->overlay);
  if (self->context.selected_track != TB_TRACK_NONE)
    tb_timeline_canvas_reveal_track (self, self->context.selected_track);

  g_signal_connect_object (focus, "view-changed", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "selection-changed",
                           G_CALLBACK (tb_timeline_canvas_show_selection), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "pointer-changed", G_CALLBACK (gtk_widget_queue_draw),
                           self->overlay, G_CONNECT_SWAPPED);
  tb_widgets_follow_style (GTK_WIDGET (self), G_CALLBACK (update_palette));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (TB_FIGURE (figure)), -1);
  return self;
}
