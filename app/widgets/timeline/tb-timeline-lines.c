/* tb-timeline-lines.c: list of the lines of a timeline (hosts, groups, tracks) as filtered and
 * sorted; closed headings, pinned tracks, lines that stay at the top, positions of lines
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-canvas-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

void
tb_timeline_group_free (gpointer data)
{
  TbTimelineGroup *group = data;

  g_free (group->name);
  g_array_unref (group->tracks);
  g_free (group);
}

static TbTimelineGroup *
add_group (TbTimelineCanvas *self, const TbTimelineTrack *track, guint host)
{
  TbTimelineGroup *group = g_new0 (TbTimelineGroup, 1);

  group->name = g_strdup (track->group != NULL ? track->group : "");
  group->host = host;
  group->recorded = self->groups->len;
  group->tracks = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_add (self->groups, group);
  return group;
}

/* The index of a host in the order of the figure. */
static guint
find_host (TbTimelineCanvas *self, const char *name)
{
  guint index;

  if (g_ptr_array_find_with_equal_func (self->hosts, name, g_str_equal, &index))
    return index;
  g_ptr_array_add (self->hosts, (gpointer) name);
  return self->hosts->len - 1;
}

void
tb_timeline_canvas_collect_groups (TbTimelineCanvas *self)
{
  guint n = tb_timeline_figure_get_n_tracks (self->figure);
  g_autoptr (GHashTable) by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < n; i++)
    {
      TbTimelineTrack track;
      TbTimelineGroup *group;
      g_autofree char *key = NULL;
      guint host;

      tb_timeline_figure_get_track (self->figure, i, &track);
      host = find_host (self, track.host != NULL ? track.host : "");
      key = g_strdup_printf ("%u %s", host, track.group != NULL ? track.group : "");
      group = g_hash_table_lookup (by_name, key);
      if (group == NULL)
        {
          group = add_group (self, &track, host);
          g_hash_table_insert (by_name, g_steal_pointer (&key), group);
        }
      g_array_append_val (group->tracks, i);
      if (track.id != NULL)
        g_hash_table_insert (self->track_by_id, (gpointer) track.id, GUINT_TO_POINTER (i + 1));
      if (track.thread != TB_ID_NONE
          && !g_hash_table_contains (self->track_by_thread, GUINT_TO_POINTER (track.thread)))
        g_hash_table_insert (self->track_by_thread, GUINT_TO_POINTER (track.thread),
                             GUINT_TO_POINTER (i + 1));
    }
  /* Groups of one host are adjacent, whatever their order in the figure. */
  tb_timeline_canvas_sort_groups (self);
}

static guint
add_line (TbTimelineCanvas *self, TbTimelineLineKind kind, guint group, guint track, guint heading)
{
  TbTimelineLine line = { .kind = kind, .group = group, .track = track, .heading = heading };

  g_array_append_val (self->lines, line);
  return self->lines->len - 1;
}

/* Pinned tracks are at the top, with the names of their groups, and stay there. */
static void
collect_pinned (TbTimelineCanvas *self, gboolean filtered)
{
  guint heading = TB_TRACK_NONE;

  for (guint i = 0; i < self->pinned->len; i++)
    {
      guint track = g_array_index (self->pinned, guint, i);

      self->line_of_track[track] = TB_TRACK_NONE;
      if (filtered && !tb_timeline_canvas_matches_track (self, track))
        continue;
      if (heading == TB_TRACK_NONE)
        heading = add_line (self, TB_LINE_PINNED, TB_TRACK_NONE, TB_TRACK_NONE, TB_TRACK_NONE);
      self->line_of_track[track] = add_line (self, TB_LINE_TRACK, TB_TRACK_NONE, track, heading);
      g_array_index (self->lines, TbTimelineLine, heading).n_tracks++;
      self->n_tracks++;
    }
  self->n_pinned_lines = self->lines->len;
}

/* Adds the lines of a group. Returns the number of its tracks. */
static guint
collect_group (TbTimelineCanvas *self, guint index, gboolean filtered)
{
  const TbTimelineGroup *group = g_ptr_array_index (self->groups, index);
  /* A filter opens the groups in which it has matches. */
  gboolean collapsed = group->collapsed && !filtered;
  gboolean has_heading = group->name[0] != '\0';
  guint before = self->lines->len, found = 0;
  guint heading = has_heading ? add_line (self, TB_LINE_GROUP, index, TB_TRACK_NONE, TB_TRACK_NONE)
                              : TB_TRACK_NONE;

  for (guint i = 0; i < group->tracks->len; i++)
    {
      guint track = g_array_index (group->tracks, guint, i);

      if (tb_timeline_canvas_is_pinned (self, track))
        continue;
      self->line_of_track[track] = TB_TRACK_NONE;
      if (filtered && !tb_timeline_canvas_matches_track (self, track))
        continue;
      found++;
      self->line_of_track[track] = collapsed && has_heading
                                       ? heading
                                       : add_line (self, TB_LINE_TRACK, index, track, heading);
    }
  if (found == 0)
    g_array_set_size (self->lines, before);
  else if (has_heading)
    g_array_index (self->lines, TbTimelineLine, heading).n_tracks = found;
  return found;
}

/* Lists the lines again after a change of the filter, the sorting, the pinned tracks or the open
 * headings. */
void
tb_timeline_canvas_collect_lines (TbTimelineCanvas *self)
{
  gboolean filtered = tb_timeline_canvas_is_filtered (self);
  guint host = TB_TRACK_NONE, host_line = TB_TRACK_NONE;

  g_array_set_size (self->lines, 0);
  self->n_tracks = 0;
  collect_pinned (self, filtered);
  for (guint g = 0; g < self->groups->len; g++)
    {
      const TbTimelineGroup *group = g_ptr_array_index (self->groups, g);
      guint found;

      if (self->hosts->len > 1 && group->host != host)
        {
          host = group->host;
          host_line = add_line (self, TB_LINE_HOST, g, TB_TRACK_NONE, TB_TRACK_NONE);
        }
      found = collect_group (self, g, filtered);
      if (host_line != TB_TRACK_NONE)
        g_array_index (self->lines, TbTimelineLine, host_line).n_tracks += found;
      self->n_tracks += found;
      /* The host has no lines left. */
      if (host_line != TB_TRACK_NONE && host_line + 1 == self->lines->len
          && (g + 1 == self->groups->len
              || ((TbTimelineGroup *) g_ptr_array_index (self->groups, g + 1))->host != host))
        g_array_set_size (self->lines, host_line);
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

char *
tb_timeline_canvas_name_line (TbTimelineCanvas *self, guint index, gboolean with_host)
{
  const TbTimelineLine *line = tb_timeline_canvas_get_line (self, index);
  const TbTimelineGroup *group
      = line->group != TB_TRACK_NONE ? g_ptr_array_index (self->groups, line->group) : NULL;

  if (line->kind == TB_LINE_PINNED)
    return g_strdup (_ ("Pinned"));
  if (line->kind == TB_LINE_HOST)
    return g_strdup (g_ptr_array_index (self->hosts, group->host));
  if (with_host && self->hosts->len > 1)
    return g_strdup_printf ("%s · %s", (char *) g_ptr_array_index (self->hosts, group->host),
                            group->name);
  return g_strdup (group->name);
}

void
tb_timeline_canvas_toggle (TbTimelineCanvas *self, guint index)
{
  const TbTimelineLine *line = tb_timeline_canvas_get_line (self, index);
  TbTimelineGroup *group;

  if (line == NULL || line->kind != TB_LINE_GROUP || tb_timeline_canvas_is_filtered (self))
    return;
  group = g_ptr_array_index (self->groups, line->group);
  group->collapsed = !group->collapsed;
  tb_timeline_canvas_lines_changed (self);
}

void
tb_timeline_canvas_collapse_all (TbTimelineCanvas *self, gboolean collapsed)
{
  for (guint g = 0; g < self->groups->len; g++)
    ((TbTimelineGroup *) g_ptr_array_index (self->groups, g))->collapsed = collapsed;
  tb_timeline_canvas_lines_changed (self);
}

gboolean
tb_timeline_canvas_is_collapsed (TbTimelineCanvas *self, guint index)
{
  const TbTimelineLine *line = tb_timeline_canvas_get_line (self, index);

  return line != NULL && line->kind == TB_LINE_GROUP
         && ((TbTimelineGroup *) g_ptr_array_index (self->groups, line->group))->collapsed;
}

guint
tb_timeline_canvas_get_n_tracks (TbTimelineCanvas *self)
{
  return self->n_tracks;
}

/* Pinning */

gboolean
tb_timeline_canvas_is_pinned (TbTimelineCanvas *self, guint track)
{
  for (guint i = 0; i < self->pinned->len; i++)
    if (g_array_index (self->pinned, guint, i) == track)
      return TRUE;
  return FALSE;
}

/* The keyboard focus stays with the track. */
void
tb_timeline_canvas_toggle_pinned (TbTimelineCanvas *self, guint track)
{
  if (!tb_timeline_canvas_is_pinned (self, track))
    g_array_append_val (self->pinned, track);
  else
    for (guint i = 0; i < self->pinned->len; i++)
      if (g_array_index (self->pinned, guint, i) == track)
        g_array_remove_index (self->pinned, i);
  tb_timeline_canvas_lines_changed (self);
  if (self->line_of_track[track] != TB_TRACK_NONE)
    tb_timeline_canvas_go_to_line (self, self->line_of_track[track]);
  tb_timeline_canvas_arranged (self);
}

void
tb_timeline_canvas_pin_current (TbTimelineCanvas *self)
{
  guint track = tb_timeline_canvas_get_current_track (self);

  if (track != TB_TRACK_NONE)
    tb_timeline_canvas_toggle_pinned (self, track);
  else
    gtk_widget_error_bell (GTK_WIDGET (self));
}

void
tb_timeline_canvas_unpin_all (TbTimelineCanvas *self)
{
  g_array_set_size (self->pinned, 0);
  tb_timeline_canvas_lines_changed (self);
  tb_timeline_canvas_arranged (self);
}

/* Positions of lines */

/* Pinned lines stay at the top if they leave enough room for others. Otherwise all lines are
 * scrolled. */
guint
tb_timeline_canvas_get_n_fixed (TbTimelineCanvas *self)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self));

  return (int) self->n_pinned_lines * self->context.row_height * 2 <= height ? self->n_pinned_lines
                                                                             : 0;
}

double
tb_timeline_canvas_get_top (TbTimelineCanvas *self, guint line)
{
  double top = (double) line * self->context.row_height;

  return line < tb_timeline_canvas_get_n_fixed (self)
             ? top
             : top - tb_timeline_canvas_get_scrolled (self);
}

/* The heading of the group that is scrolled to. It stays visible below the pinned lines until the
 * next heading pushes it away. heading: (out): its line. pushed: (out): how far it is pushed. FALSE
 * where it is at its own position or there is none. */
gboolean
tb_timeline_canvas_get_sticky (TbTimelineCanvas *self, guint *heading, double *pushed)
{
  int row_height = self->context.row_height;
  guint n_fixed = tb_timeline_canvas_get_n_fixed (self);
  double scrolled = tb_timeline_canvas_get_scrolled (self) + (double) n_fixed * row_height;
  guint first = (guint) floor (scrolled / row_height);
  const TbTimelineLine *line = tb_timeline_canvas_get_line (self, first), *next;

  *pushed = 0;
  *heading = TB_TRACK_NONE;
  if (line == NULL || scrolled <= (double) n_fixed * row_height)
    return FALSE;
  *heading = line->kind == TB_LINE_GROUP ? first : line->heading;
  if (*heading == TB_TRACK_NONE || *heading < n_fixed || *heading * (double) row_height >= scrolled)
    return FALSE;
  next = tb_timeline_canvas_get_line (self, first + 1);
  if (next != NULL && next->kind != TB_LINE_TRACK)
    *pushed = scrolled - (double) first * row_height;
  return TRUE;
}

guint
tb_timeline_canvas_line_at (TbTimelineCanvas *self, double y)
{
  guint n_fixed = tb_timeline_canvas_get_n_fixed (self), heading;
  int row_height = self->context.row_height;
  double line, pushed;

  if (y >= 0 && y < n_fixed * (double) row_height)
    return (guint) (y / row_height);
  if (tb_timeline_canvas_get_sticky (self, &heading, &pushed)
      && y < (n_fixed + 1) * (double) row_height - pushed)
    return heading;
  line = floor ((y + tb_timeline_canvas_get_scrolled (self)) / row_height);
  return line >= 0 && line < self->lines->len ? (guint) line : TB_TRACK_NONE;
}

/* The top of a track's line, or of the closed heading that it belongs to. */
gboolean
tb_timeline_canvas_locate (TbTimelineCanvas *self, guint track, double *y)
{
  if (track >= tb_timeline_figure_get_n_tracks (self->figure)
      || self->line_of_track[track] == TB_TRACK_NONE)
    return FALSE;
  *y = tb_timeline_canvas_get_top (self, self->line_of_track[track]);
  return TRUE;
}
