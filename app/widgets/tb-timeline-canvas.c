/* tb-timeline-canvas.c: all lines of a timeline, as many of them as are visible
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-timeline-canvas-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/tb-time-axis.h"
#include "widgets/tb-widgets-private.h"

#define LEAST_NAME_WIDTH 64
#define BOTTOM_MARGIN 12

typedef struct
{
  char *name;
  gboolean collapsed;
  GArray *tracks; /* guint */
} Group;

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
  LAYOUT_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
group_free (gpointer data)
{
  Group *group = data;

  g_free (group->name);
  g_array_unref (group->tracks);
  g_free (group);
}

static void
collect_groups (TbTimelineCanvas *self)
{
  guint n = tb_timeline_figure_get_n_tracks (self->figure);
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n; i++)
    {
      TbTimelineTrack track;
      const char *name;
      Group *group;

      tb_timeline_figure_get_track (self->figure, i, &track);
      name = track.group != NULL ? track.group : "";
      group = g_hash_table_lookup (by_name, name);
      if (group == NULL)
        {
          group = g_new0 (Group, 1);
          group->name = g_strdup (name);
          group->tracks = g_array_new (FALSE, FALSE, sizeof (guint));
          g_ptr_array_add (self->groups, group);
          g_hash_table_insert (by_name, group->name, group);
        }
      g_array_append_val (group->tracks, i);
      if (track.id != NULL)
        g_hash_table_insert (self->track_by_id, (gpointer) track.id, GUINT_TO_POINTER (i + 1));
      if (track.thread != TB_ID_NONE
          && !g_hash_table_contains (self->track_by_thread, GUINT_TO_POINTER (track.thread)))
        g_hash_table_insert (self->track_by_thread, GUINT_TO_POINTER (track.thread),
                             GUINT_TO_POINTER (i + 1));
    }
}

/* Which lines there are, after a search or a heading was opened. */
static void
collect_lines (TbTimelineCanvas *self)
{
  gboolean searching = !tb_timeline_filter_is_empty (self->filter);

  g_array_set_size (self->lines, 0);
  self->n_tracks = 0;
  for (guint g = 0; g < self->groups->len; g++)
    {
      Group *group = g_ptr_array_index (self->groups, g);
      /* A search opens what it found something in. */
      gboolean collapsed = group->collapsed && !searching;
      guint heading = self->lines->len;
      gboolean has_heading = group->name[0] != '\0';
      guint found = 0;

      if (has_heading)
        g_array_append_val (self->lines, ((TbTimelineLine) { .group = g, .track = TB_TRACK_NONE }));
      for (guint i = 0; i < group->tracks->len; i++)
        {
          guint track = g_array_index (group->tracks, guint, i);

          self->line_of_track[track] = TB_TRACK_NONE;
          if (searching && !tb_timeline_filter_match (self->filter, self->figure, track, self->longest))
            continue;
          found++;
          if (collapsed && has_heading)
            {
              self->line_of_track[track] = heading;
              continue;
            }
          self->line_of_track[track] = self->lines->len;
          g_array_append_val (self->lines, ((TbTimelineLine) { .group = g, .track = track }));
        }
      if (found == 0)
        g_array_set_size (self->lines, heading);
      else if (has_heading)
        g_array_index (self->lines, TbTimelineLine, heading).n_tracks = found;
      self->n_tracks += found;
    }
  if (self->current >= self->lines->len)
    self->current = self->lines->len > 0 ? self->lines->len - 1 : 0;
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_ROW_COUNT,
                                  (int) self->lines->len, -1);
}

static const TbTimelineLine *
get_line (TbTimelineCanvas *self, guint index)
{
  return index < self->lines->len ? &g_array_index (self->lines, TbTimelineLine, index) : NULL;
}

static double
scrolled (TbTimelineCanvas *self)
{
  return self->vadjustment != NULL ? floor (gtk_adjustment_get_value (self->vadjustment)) : 0;
}

TbTimelineRow *
tb_timeline_canvas_get_row (TbTimelineCanvas *self, guint index)
{
  return g_hash_table_lookup (self->live, GUINT_TO_POINTER (index + 1));
}

static void
bind_row (TbTimelineCanvas *self, TbTimelineRow *row, guint index)
{
  const TbTimelineLine *line = get_line (self, index);

  if (line->track == TB_TRACK_NONE)
    {
      const Group *group = g_ptr_array_index (self->groups, line->group);

      tb_timeline_row_show_heading (row, group->name,
                                    !group->collapsed || !tb_timeline_filter_is_empty (self->filter),
                                    line->n_tracks);
    }
  else
    tb_timeline_row_show_track (row, line->track);
  tb_timeline_row_set_position (row, index, self->lines->len);
}

static void
release_row (TbTimelineCanvas *self, TbTimelineRow *row)
{
  /* The keyboard stays here when the line it was in is scrolled away. */
  if (gtk_widget_is_focus (GTK_WIDGET (row)))
    GTK_WIDGET_CLASS (tb_timeline_canvas_parent_class)->grab_focus (GTK_WIDGET (self));
  gtk_widget_set_child_visible (GTK_WIDGET (row), FALSE);
  g_ptr_array_add (self->spare, row);
}

static TbTimelineRow *
take_row (TbTimelineCanvas *self, guint index)
{
  TbTimelineRow *row, *before = index > 0 ? tb_timeline_canvas_get_row (self, index - 1) : NULL;

  if (self->spare->len > 0)
    row = g_ptr_array_steal_index_fast (self->spare, self->spare->len - 1);
  else
    row = tb_timeline_row_new (&self->context);
  /* In order, for who goes through them with assistive technology. */
  gtk_widget_insert_after (GTK_WIDGET (row), GTK_WIDGET (self), GTK_WIDGET (before));
  gtk_widget_set_child_visible (GTK_WIDGET (row), TRUE);
  g_hash_table_insert (self->live, GUINT_TO_POINTER (index + 1), row);
  bind_row (self, row, index);
  return row;
}

static void
place_rows (TbTimelineCanvas *self, int height)
{
  double top = scrolled (self);
  int row_height = self->context.row_height;
  guint first = (guint) (top / row_height), last = (guint) ((top + height) / row_height) + 1;
  GHashTableIter iter;
  gpointer key, value;

  last = MIN (last, self->lines->len);
  g_hash_table_iter_init (&iter, self->live);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint index = GPOINTER_TO_UINT (key) - 1;

      if (index < first || index >= last)
        {
          g_hash_table_iter_remove (&iter);
          release_row (self, value);
        }
    }
  for (guint index = first; index < last; index++)
    {
      TbTimelineRow *row = tb_timeline_canvas_get_row (self, index);
      graphene_point_t at = GRAPHENE_POINT_INIT (0, (float) ((double) index * row_height - top));
      int minimum;

      if (row == NULL)
        row = take_row (self, index);
      gtk_widget_measure (GTK_WIDGET (row), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
      gtk_widget_allocate (GTK_WIDGET (row), MAX (minimum, self->context.width), row_height, -1,
                           gsk_transform_translate (NULL, &at));
    }
  if (gtk_widget_is_focus (GTK_WIDGET (self)) && tb_timeline_canvas_get_row (self, self->current) != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (tb_timeline_canvas_get_row (self, self->current)));
}

static void
redraw (TbTimelineCanvas *self)
{
  GHashTableIter iter;
  gpointer row;

  g_hash_table_iter_init (&iter, self->live);
  while (g_hash_table_iter_next (&iter, NULL, &row))
    gtk_widget_queue_draw (row);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self->overlay));
}

/* Brings what is drawn into line with the visible part of the focus. */
static void
update_columns (TbTimelineCanvas *self)
{
  TbTimelineContext *context = &self->context;
  gint64 from, to;

  context->scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  tb_focus_get_view (self->focus, &from, &to);
  tb_focus_get_extent (self->focus, &context->origin, NULL);
  context->ns_per_column = (double) (to - from) / MAX (1, (double) context->plot_width * context->scale);
  context->first_column = (gint64) llround ((double) (from - context->origin) / context->ns_per_column);
}

static void
configure_adjustments (TbTimelineCanvas *self, int height)
{
  const TbTimelineContext *context = &self->context;
  gint64 from, to, start, end;

  self->configuring++;
  if (self->hadjustment != NULL)
    {
      double page = context->plot_width, unit;

      tb_focus_get_view (self->focus, &from, &to);
      tb_focus_get_extent (self->focus, &start, &end);
      unit = page / (double) (to - from);
      gtk_adjustment_configure (self->hadjustment, (double) (from - start) * unit, 0,
                                (double) (end - start) * unit, page * .1, page * .9, page);
    }
  if (self->vadjustment != NULL && height > 0)
    {
      double upper = (double) self->lines->len * context->row_height + BOTTOM_MARGIN;
      double value = gtk_adjustment_get_value (self->vadjustment);

      gtk_adjustment_configure (self->vadjustment, CLAMP (value, 0, MAX (0, upper - height)), 0,
                                MAX (upper, height), context->row_height,
                                MAX (1, height - context->row_height), height);
    }
  self->configuring--;
}

static void
measure_text (TbTimelineCanvas *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "Ẫg");
  int height;

  /* Higher where text is larger. */
  pango_layout_get_pixel_size (layout, NULL, &height);
  self->context.row_height = MAX (24, height + 12);
  self->context.bar_height = self->context.row_height - 7;
}

/* As wide as the longest names need, within reason. */
static int
natural_name_width (TbTimelineCanvas *self)
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
      pango_layout_set_text (layout, track.name, MIN (length, 200));
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
  if (self->natural_names == 0)
    self->natural_names = natural_name_width (self);
  context->width = width;
  context->name_width
      = self->wanted_names > 0 ? self->wanted_names : MIN (self->natural_names, width * 3 / 10);
  context->name_width
      = CLAMP (context->name_width, MIN (LEAST_NAME_WIDTH, width / 2), MAX (1, width * 6 / 10));
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
  configure_adjustments (self, height);
  place_rows (self, height);
  gtk_widget_allocate (GTK_WIDGET (self->overlay), width, height, -1, NULL);
  if (self->scroll_to_current)
    {
      self->scroll_to_current = FALSE;
      tb_timeline_canvas_scroll_to (self, self->current);
    }
  if (plot_x != self->context.plot_x || plot_width != self->context.plot_width)
    {
      redraw (self);
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

  gtk_widget_measure (GTK_WIDGET (TB_TIMELINE_CANVAS (widget)->overlay), orientation, for_size, &overlay,
                      NULL, NULL, NULL);
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 60;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : 400;
}

static void
tb_timeline_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);
  const TbTimelineContext *context = &self->context;
  gint64 from, to;
  TbTimeTicks ticks;

  tb_focus_get_view (self->focus, &from, &to);
  tb_time_ticks_init (&ticks, context->origin, from, to, context->plot_width, TB_TICK_SPACING);
  for (gint64 time = ticks.first; time <= to; time += ticks.step)
    gtk_snapshot_append_color (snapshot, &context->palette->grid,
                               &GRAPHENE_RECT_INIT ((float) floor (tb_timeline_context_get_x (context, time)),
                                                    0, 1, (float) gtk_widget_get_height (widget)));
  GTK_WIDGET_CLASS (tb_timeline_canvas_parent_class)->snapshot (widget, snapshot);
}

static void
update_palette (TbTimelineCanvas *self)
{
  if (self->context.palette == tb_palette_get_default ())
    return;
  self->context.palette = tb_palette_get_default ();
  redraw (self);
}

static void
tb_timeline_canvas_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (widget);

  GTK_WIDGET_CLASS (tb_timeline_canvas_parent_class)->css_changed (widget, change);
  self->natural_names = 0;
  if (self->overlay != NULL)
    {
      update_palette (self);
      gtk_widget_queue_resize (widget);
    }
}

static void
on_horizontal_changed (TbTimelineCanvas *self)
{
  double page = gtk_adjustment_get_page_size (self->hadjustment);
  gint64 from, to, start;

  if (self->configuring > 0 || page <= 0)
    return;
  tb_focus_get_view (self->focus, &from, &to);
  tb_focus_get_extent (self->focus, &start, NULL);
  start += (gint64) llround (gtk_adjustment_get_value (self->hadjustment) * (double) (to - from) / page);
  tb_focus_set_view (self->focus, start, start + (to - from));
}

static void
on_vertical_changed (TbTimelineCanvas *self)
{
  if (self->configuring == 0)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
set_adjustment (TbTimelineCanvas *self, GtkAdjustment **where, GtkAdjustment *adjustment, GCallback callback)
{
  if (*where == adjustment && adjustment != NULL)
    return;
  if (*where != NULL)
    {
      g_signal_handlers_disconnect_by_func (*where, callback, self);
      g_clear_object (where);
    }
  *where = g_object_ref_sink (adjustment != NULL ? adjustment : gtk_adjustment_new (0, 0, 0, 0, 0, 0));
  g_signal_connect_swapped (*where, "value-changed", callback, self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
on_view_changed (TbTimelineCanvas *self)
{
  update_columns (self);
  configure_adjustments (self, 0);
  redraw (self);
}

static void
update_row (TbTimelineCanvas *self, guint track)
{
  TbTimelineRow *row = NULL;

  if (track != TB_TRACK_NONE && self->line_of_track[track] != TB_TRACK_NONE)
    row = tb_timeline_canvas_get_row (self, self->line_of_track[track]);
  if (row == NULL)
    return;
  tb_timeline_row_update_accessible (row);
  gtk_widget_queue_draw (GTK_WIDGET (row));
}

/* What of the focus' selection can be seen in this figure. */
static void
find_selection (TbTimelineCanvas *self, guint *index, gsize *interval)
{
  const char *figure = tb_focus_get_figure (self->focus), *item = tb_focus_get_item (self->focus);
  guint32 thread = tb_focus_get_thread (self->focus);
  TbTimelineTrack track;
  gpointer found = NULL;
  gint64 from, to;

  *index = TB_TRACK_NONE;
  *interval = TB_INTERVAL_NONE;
  if (item != NULL && g_strcmp0 (figure, tb_figure_get_id (TB_FIGURE (self->figure))) == 0)
    found = g_hash_table_lookup (self->track_by_id, item);
  if (found == NULL && thread != TB_ID_NONE)
    found = g_hash_table_lookup (self->track_by_thread, GUINT_TO_POINTER (thread));
  if (found == NULL)
    return;

  *index = GPOINTER_TO_UINT (found) - 1;
  if (!tb_focus_get_time (self->focus, &from, &to))
    return;
  tb_timeline_figure_get_track (self->figure, *index, &track);
  for (gsize i = tb_timeline_figure_find (self->figure, *index, from - 1);
       i < track.n && track.start[i] <= from; i++)
    if (track.start[i] == from && track.end[i] == to)
      *interval = i;
}

static void
on_selection_changed (TbTimelineCanvas *self)
{
  guint before = self->context.selected_track;
  gint64 from, to;

  find_selection (self, &self->context.selected_track, &self->context.selected_interval);
  update_row (self, before);
  update_row (self, self->context.selected_track);
  tb_timeline_overlay_update (self->overlay);
  if (self->context.selected_track == TB_TRACK_NONE || self->selecting)
    return;

  /* Chosen elsewhere: it is to be seen here too. */
  if (before != self->context.selected_track)
    tb_timeline_canvas_reveal_track (self, self->context.selected_track);
  if (self->context.selected_interval != TB_INTERVAL_NONE && tb_focus_get_time (self->focus, &from, &to))
    tb_focus_reveal (self->focus, from, to);
}

void
tb_timeline_canvas_reveal_track (TbTimelineCanvas *self, guint track)
{
  if (self->line_of_track[track] == TB_TRACK_NONE)
    return;
  if (get_line (self, self->line_of_track[track])->track != track)
    tb_timeline_canvas_toggle (self, self->line_of_track[track]);
  self->current = self->line_of_track[track];
  tb_timeline_canvas_scroll_to (self, self->current);
}

void
tb_timeline_canvas_scroll_to (TbTimelineCanvas *self, guint line)
{
  double top = (double) line * self->context.row_height, value, page;

  if (self->vadjustment == NULL || gtk_adjustment_get_page_size (self->vadjustment) <= 0)
    {
      self->scroll_to_current = TRUE;
      return;
    }
  value = gtk_adjustment_get_value (self->vadjustment);
  page = gtk_adjustment_get_page_size (self->vadjustment);
  if (top < value)
    gtk_adjustment_set_value (self->vadjustment, top);
  else if (top + self->context.row_height > value + page)
    gtk_adjustment_set_value (self->vadjustment, top + self->context.row_height - page);
  else
    return;
  /* At once, so that the line exists when the keyboard is moved to it. */
  if (gtk_widget_get_height (GTK_WIDGET (self)) > 0)
    place_rows (self, gtk_widget_get_height (GTK_WIDGET (self)));
}

void
tb_timeline_canvas_toggle (TbTimelineCanvas *self, guint index)
{
  const TbTimelineLine *line = get_line (self, index);
  Group *group;

  if (line == NULL || line->track != TB_TRACK_NONE || !tb_timeline_filter_is_empty (self->filter))
    return;
  group = g_ptr_array_index (self->groups, line->group);
  group->collapsed = !group->collapsed;
  tb_timeline_canvas_lines_changed (self);
}

gboolean
tb_timeline_canvas_is_collapsed (TbTimelineCanvas *self, guint index)
{
  const TbTimelineLine *line = get_line (self, index);

  return line != NULL && ((Group *) g_ptr_array_index (self->groups, line->group))->collapsed;
}

void
tb_timeline_canvas_lines_changed (TbTimelineCanvas *self)
{
  GHashTableIter iter;
  gpointer key, row;

  collect_lines (self);
  g_hash_table_iter_init (&iter, self->live);
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
  redraw (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_signal_emit (self, signals[LAYOUT_CHANGED], 0);
}

static gboolean
locate (guint track, double *y, gpointer data)
{
  return tb_timeline_canvas_locate (data, track, y);
}

/* The top of a track's line, or of the closed heading it is under. */
gboolean
tb_timeline_canvas_locate (TbTimelineCanvas *self, guint track, double *y)
{
  if (track >= tb_timeline_figure_get_n_tracks (self->figure) || self->line_of_track[track] == TB_TRACK_NONE)
    return FALSE;
  *y = (double) self->line_of_track[track] * self->context.row_height - scrolled (self);
  return TRUE;
}

guint
tb_timeline_canvas_line_at (TbTimelineCanvas *self, double y)
{
  double line = floor ((y + scrolled (self)) / self->context.row_height);

  return line >= 0 && line < self->lines->len ? (guint) line : TB_TRACK_NONE;
}

gboolean
tb_timeline_canvas_pick (TbTimelineCanvas *self, double x, double y, guint *track, gsize *interval)
{
  const TbTimelineContext *context = &self->context;
  guint line = tb_timeline_canvas_line_at (self, y);
  double top;

  *track = TB_TRACK_NONE;
  *interval = TB_INTERVAL_NONE;
  if (line == TB_TRACK_NONE || get_line (self, line)->track == TB_TRACK_NONE)
    return FALSE;
  *track = get_line (self, line)->track;
  if (x < context->plot_x || x >= context->plot_x + context->plot_width)
    return FALSE;
  top = line * (double) context->row_height - scrolled (self)
        + (context->row_height - context->bar_height) / 2.;
  *interval = tb_timeline_hit (context, *track, x, CLAMP ((y - top) / context->bar_height, 0, 1));
  return *interval != TB_INTERVAL_NONE;
}

void
tb_timeline_canvas_select (TbTimelineCanvas *self, guint index, gsize interval)
{
  TbTimelineTrack track;
  gboolean has_interval;

  tb_timeline_figure_get_track (self->figure, index, &track);
  has_interval = interval < track.n;
  self->selecting++;
  tb_focus_select_item (self->focus, tb_figure_get_id (TB_FIGURE (self->figure)), track.id, track.thread,
                        has_interval ? track.start[interval] : TB_TIME_NONE,
                        has_interval ? track.end[interval] : TB_TIME_NONE, NULL);
  self->selecting--;
}

/* A task that held the widget might drop its last reference in the thread. */
typedef struct
{
  GWeakRef owner;
  TbTimelineFigure *figure;
  gint64 *longest;
} Longest;

static void
longest_free (gpointer data)
{
  Longest *work = data;

  g_weak_ref_clear (&work->owner);
  g_object_unref (work->figure);
  g_free (work->longest);
  g_free (work);
}

static void
find_longest (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Longest *work = data;
  guint n = tb_timeline_figure_get_n_tracks (work->figure);

  for (guint k = 0; k < n && !g_cancellable_is_cancelled (cancellable); k++)
    {
      TbTimelineTrack track;
      gint64 longest = 0;

      tb_timeline_figure_get_track (work->figure, k, &track);
      for (gsize i = 0; i < track.n; i++)
        if (track.paint[i] != TB_PAINT_NONE)
          longest = MAX (longest, track.end[i] - track.start[i]);
      work->longest[k] = longest;
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_longest (GObject *source, GAsyncResult *result, gpointer data)
{
  Longest *work = g_task_get_task_data (G_TASK (result));
  g_autoptr (TbTimelineCanvas) self = g_weak_ref_get (&work->owner);

  if (!g_task_propagate_boolean (G_TASK (result), NULL) || self == NULL)
    return;
  self->longest = g_steal_pointer (&work->longest);
  tb_timeline_canvas_lines_changed (self);
}

void
tb_timeline_canvas_set_search (TbTimelineCanvas *self, const char *search)
{
  g_clear_pointer (&self->filter, tb_timeline_filter_free);
  self->filter = tb_timeline_filter_parse (search);
  self->context.dim_below = MAX (0, self->filter->longer);

  /* How long intervals are is looked up once, beside the main thread: there may be a great many. */
  if (self->filter->longer >= 0 && self->longest == NULL && !self->seeking)
    {
      g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_longest, NULL);
      Longest *work = g_new0 (Longest, 1);

      self->seeking = TRUE;
      g_weak_ref_init (&work->owner, self);
      work->figure = g_object_ref (self->figure);
      work->longest = g_new0 (gint64, MAX (1, tb_timeline_figure_get_n_tracks (self->figure)));
      g_task_set_task_data (task, work, longest_free);
      g_task_set_check_cancellable (task, TRUE);
      g_task_run_in_thread (task, find_longest);
    }
  tb_timeline_canvas_lines_changed (self);
}

guint
tb_timeline_canvas_get_n_tracks (TbTimelineCanvas *self)
{
  return self->n_tracks;
}

const TbTimelineContext *
tb_timeline_canvas_get_context (TbTimelineCanvas *self)
{
  return &self->context;
}

static void
tb_timeline_canvas_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (object);

  switch (property_id)
    {
    case PROP_HADJUSTMENT:
      set_adjustment (self, &self->hadjustment, g_value_get_object (value),
                      G_CALLBACK (on_horizontal_changed));
      break;
    case PROP_VADJUSTMENT:
      set_adjustment (self, &self->vadjustment, g_value_get_object (value), G_CALLBACK (on_vertical_changed));
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
tb_timeline_canvas_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
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

  g_cancellable_cancel (self->cancellable);
  tb_timeline_canvas_stop (self);
  if (self->hadjustment != NULL)
    g_signal_handlers_disconnect_by_data (self->hadjustment, self);
  if (self->vadjustment != NULL)
    g_signal_handlers_disconnect_by_data (self->vadjustment, self);
  g_clear_object (&self->hadjustment);
  g_clear_object (&self->vadjustment);
  g_hash_table_remove_all (self->live);
  g_ptr_array_set_size (self->spare, 0);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  self->overlay = NULL;

  G_OBJECT_CLASS (tb_timeline_canvas_parent_class)->dispose (object);
}

static void
tb_timeline_canvas_finalize (GObject *object)
{
  TbTimelineCanvas *self = TB_TIMELINE_CANVAS (object);

  g_clear_object (&self->cancellable);
  g_clear_object (&self->figure);
  g_clear_object (&self->focus);
  g_clear_pointer (&self->filter, tb_timeline_filter_free);
  g_hash_table_unref (self->live);
  g_hash_table_unref (self->track_by_id);
  g_hash_table_unref (self->track_by_thread);
  g_ptr_array_unref (self->spare);
  g_ptr_array_unref (self->groups);
  g_array_unref (self->lines);
  g_free (self->line_of_track);
  g_free (self->longest);

  G_OBJECT_CLASS (tb_timeline_canvas_parent_class)->finalize (object);
}

static gboolean
tb_timeline_canvas_focus (GtkWidget *widget, GtkDirectionType direction)
{
  /* One stop for who goes round with Tab; inside, the arrow keys lead on. */
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

  /* The plot has another place, or other lines are shown. */
  signals[LAYOUT_CHANGED] = g_signal_new ("layout-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 0);
  tb_timeline_canvas_class_add_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "tb-timeline-canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TABLE);
}

static void
tb_timeline_canvas_init (TbTimelineCanvas *self)
{
  self->cancellable = g_cancellable_new ();
  self->live = g_hash_table_new (NULL, NULL);
  self->spare = g_ptr_array_new ();
  self->groups = g_ptr_array_new_with_free_func (group_free);
  self->lines = g_array_new (FALSE, TRUE, sizeof (TbTimelineLine));
  self->track_by_id = g_hash_table_new (g_str_hash, g_str_equal);
  self->track_by_thread = g_hash_table_new (NULL, NULL);
  self->filter = tb_timeline_filter_parse (NULL);
  self->context.palette = tb_palette_get_default ();
  self->context.selected_track = TB_TRACK_NONE;
  self->context.selected_interval = TB_INTERVAL_NONE;
  self->context.scale = 1;
  self->context.ns_per_column = 1;
  self->context.row_height = 29;
  self->context.bar_height = 22;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  self->overlay = tb_timeline_overlay_new (&self->context, locate, self);
  gtk_widget_set_parent (GTK_WIDGET (self->overlay), GTK_WIDGET (self));
  tb_timeline_canvas_add_controllers (self);
}

TbTimelineCanvas *
tb_timeline_canvas_new (TbTimelineFigure *figure, TbFocus *focus)
{
  TbTimelineCanvas *self = g_object_new (TB_TYPE_TIMELINE_CANVAS, NULL);
  AdwStyleManager *manager = adw_style_manager_get_default ();

  self->figure = g_object_ref (figure);
  self->focus = g_object_ref (focus);
  self->context.figure = figure;
  self->context.focus = focus;
  self->line_of_track = g_new0 (guint, MAX (1, tb_timeline_figure_get_n_tracks (figure)));
  collect_groups (self);
  collect_lines (self);
  find_selection (self, &self->context.selected_track, &self->context.selected_interval);
  tb_timeline_overlay_update (self->overlay);
  if (self->context.selected_track != TB_TRACK_NONE)
    tb_timeline_canvas_reveal_track (self, self->context.selected_track);

  g_signal_connect_object (focus, "view-changed", G_CALLBACK (on_view_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "selection-changed", G_CALLBACK (on_selection_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "pointer-changed", G_CALLBACK (gtk_widget_queue_draw), self->overlay,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (update_palette), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (update_palette), self,
                           G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (TB_FIGURE (figure)), -1);
  return self;
}
