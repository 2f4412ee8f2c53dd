/* tb-timeline-lines.c: the lines of a timeline: its groups, what is closed, what a search leaves
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-timeline-canvas-private.h"

#include <math.h>

void
tb_timeline_group_free (gpointer data)
{
  TbTimelineGroup *group = data;

  g_free (group->name);
  g_array_unref (group->tracks);
  g_free (group);
}

void
tb_timeline_canvas_collect_groups (TbTimelineCanvas *self)
{
  guint n = tb_timeline_figure_get_n_tracks (self->figure);
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n; i++)
    {
      TbTimelineTrack track;
      const char *name;
      TbTimelineGroup *group;

      tb_timeline_figure_get_track (self->figure, i, &track);
      name = track.group != NULL ? track.group : "";
      group = g_hash_table_lookup (by_name, name);
      if (group == NULL)
        {
          group = g_new0 (TbTimelineGroup, 1);
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
void
tb_timeline_canvas_collect_lines (TbTimelineCanvas *self)
{
  gboolean searching = tb_timeline_canvas_is_filtered (self);

  g_array_set_size (self->lines, 0);
  self->n_tracks = 0;
  for (guint g = 0; g < self->groups->len; g++)
    {
      TbTimelineGroup *group = g_ptr_array_index (self->groups, g);
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
          if (searching && !tb_timeline_canvas_leaves_track (self, track))
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

const TbTimelineLine *
tb_timeline_canvas_get_line (TbTimelineCanvas *self, guint index)
{
  return index < self->lines->len ? &g_array_index (self->lines, TbTimelineLine, index) : NULL;
}

void
tb_timeline_canvas_toggle (TbTimelineCanvas *self, guint index)
{
  const TbTimelineLine *line = tb_timeline_canvas_get_line (self, index);
  TbTimelineGroup *group;

  if (line == NULL || line->track != TB_TRACK_NONE || tb_timeline_canvas_is_filtered (self))
    return;
  group = g_ptr_array_index (self->groups, line->group);
  group->collapsed = !group->collapsed;
  tb_timeline_canvas_lines_changed (self);
}

gboolean
tb_timeline_canvas_is_collapsed (TbTimelineCanvas *self, guint index)
{
  const TbTimelineLine *line = tb_timeline_canvas_get_line (self, index);

  return line != NULL && ((TbTimelineGroup *) g_ptr_array_index (self->groups, line->group))->collapsed;
}

guint
tb_timeline_canvas_line_at (TbTimelineCanvas *self, double y)
{
  double line = floor ((y + tb_timeline_canvas_get_scrolled (self)) / self->context.row_height);

  return line >= 0 && line < self->lines->len ? (guint) line : TB_TRACK_NONE;
}

/* The top of a track's line, or of the closed heading it is under. */
gboolean
tb_timeline_canvas_locate (TbTimelineCanvas *self, guint track, double *y)
{
  if (track >= tb_timeline_figure_get_n_tracks (self->figure) || self->line_of_track[track] == TB_TRACK_NONE)
    return FALSE;
  *y = (double) self->line_of_track[track] * self->context.row_height
       - tb_timeline_canvas_get_scrolled (self);
  return TRUE;
}

guint
tb_timeline_canvas_get_n_tracks (TbTimelineCanvas *self)
{
  return self->n_tracks;
}

void
tb_timeline_canvas_keep_place (TbTimelineCanvas *self, TbTimelineCanvas *before)
{
  g_autoptr (GHashTable) collapsed = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < before->groups->len; i++)
    {
      const TbTimelineGroup *group = g_ptr_array_index (before->groups, i);

      if (group->collapsed)
        g_hash_table_add (collapsed, group->name);
    }
  for (guint i = 0; i < self->groups->len; i++)
    {
      TbTimelineGroup *group = g_ptr_array_index (self->groups, i);

      group->collapsed = g_hash_table_contains (collapsed, group->name);
    }
  self->wanted_names = before->wanted_names;
  tb_timeline_canvas_lines_changed (self);
  self->current = MIN (before->current, self->lines->len > 0 ? self->lines->len - 1 : 0);
  self->scroll_to_current = FALSE;
}
