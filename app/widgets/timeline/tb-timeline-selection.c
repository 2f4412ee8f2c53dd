/* tb-timeline-selection.c: selection in a timeline: thread and interval that are selected in the
 * document (TbFocus), found in this figure, shown and scrolled to; selection of an interval by the
 * user, and of several threads
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-canvas-private.h"

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

/* Updates the existing rows. Others update themselves when they are created. */
static void
update_selected_threads (TbTimelineCanvas *self)
{
  GHashTableIter iter;
  gpointer row;

  g_hash_table_iter_init (&iter, self->rows.live);
  while (g_hash_table_iter_next (&iter, NULL, &row))
    tb_timeline_row_show_selected (row);
}

/* The part of the focus's selection that is in this figure. */
void
tb_timeline_canvas_find_selection (TbTimelineCanvas *self, guint *index, gsize *interval)
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

void
tb_timeline_canvas_show_selection (TbTimelineCanvas *self)
{
  guint before = self->context.selected_track;
  gint64 from, to;

  tb_timeline_canvas_find_selection (self, &self->context.selected_track,
                                     &self->context.selected_interval);
  update_row (self, before);
  update_row (self, self->context.selected_track);
  update_selected_threads (self);
  tb_timeline_overlay_update (self->overlay);
  if (self->context.selected_track == TB_TRACK_NONE || self->selecting)
    return;

  /* A selection made elsewhere must be visible here too. */
  if (before != self->context.selected_track)
    tb_timeline_canvas_reveal_track (self, self->context.selected_track);
  if (self->context.selected_interval != TB_INTERVAL_NONE
      && tb_focus_get_time (self->focus, &from, &to))
    tb_focus_reveal (self->focus, from, to);
}

void
tb_timeline_canvas_reveal_track (TbTimelineCanvas *self, guint track)
{
  if (self->line_of_track[track] == TB_TRACK_NONE)
    return;
  if (tb_timeline_canvas_get_line (self, self->line_of_track[track])->track != track)
    tb_timeline_canvas_toggle (self, self->line_of_track[track]);
  self->current = self->line_of_track[track];
  tb_timeline_canvas_scroll_to (self, self->current);
}

void
tb_timeline_canvas_select (TbTimelineCanvas *self, guint index, gsize interval)
{
  TbTimelineTrack track;
  gboolean has_interval;

  tb_timeline_figure_get_track (self->figure, index, &track);
  has_interval = interval < track.n;
  self->selecting++;
  tb_focus_select_item (self->focus, tb_figure_get_id (TB_FIGURE (self->figure)), track.id,
                        track.thread, has_interval ? track.start[interval] : TB_TIME_NONE,
                        has_interval ? track.end[interval] : TB_TIME_NONE, NULL);
  self->selecting--;
}

static void
add_thread (TbTimelineCanvas *self, guint track, GArray *threads)
{
  TbTimelineTrack info;

  tb_timeline_figure_get_track (self->figure, track, &info);
  if (info.thread != TB_ID_NONE)
    g_array_append_val (threads, info.thread);
}

void
tb_timeline_canvas_toggle_threads (TbTimelineCanvas *self, guint index)
{
  const TbTimelineLine *line = tb_timeline_canvas_get_line (self, index);
  g_autoptr (GArray) threads = g_array_new (FALSE, FALSE, sizeof (guint32));
  const TbTimelineGroup *group;

  if (line == NULL)
    return;
  group = line->kind == TB_LINE_GROUP ? g_ptr_array_index (self->groups, line->group) : NULL;
  for (guint i = 0; group != NULL && i < group->tracks->len; i++)
    add_thread (self, g_array_index (group->tracks, guint, i), threads);
  if (line->track != TB_TRACK_NONE)
    add_thread (self, line->track, threads);
  if (threads->len == 0)
    gtk_widget_error_bell (GTK_WIDGET (self));
  else
    tb_focus_toggle_threads (self->focus, (const guint32 *) threads->data, threads->len);
}
