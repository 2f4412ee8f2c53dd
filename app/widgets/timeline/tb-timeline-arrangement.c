/* tb-timeline-arrangement.c: user's arrangement of a timeline: pinned tracks and sort order as a
 * saved state; also closed groups and width of names, copied when a new canvas replaces another
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-canvas-private.h"

static void
pin (TbTimelineCanvas *self, const char *id)
{
  gpointer found = g_hash_table_lookup (self->track_by_id, id);
  guint track = GPOINTER_TO_UINT (found) - 1;

  if (found != NULL && !tb_timeline_canvas_is_pinned (self, track))
    g_array_append_val (self->pinned, track);
}

static const char *
get_pinned (TbTimelineCanvas *self, guint index)
{
  TbTimelineTrack track;

  tb_timeline_figure_get_track (self->figure, g_array_index (self->pinned, guint, index), &track);
  return track.id;
}

void
tb_timeline_canvas_copy_place (TbTimelineCanvas *self, TbTimelineCanvas *before)
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
  for (guint i = 0; i < before->pinned->len; i++)
    pin (self, get_pinned (before, i));
  self->names.user = before->names.user;
  self->sort = before->sort;
  tb_timeline_canvas_sort_groups (self);
  tb_timeline_canvas_lines_changed (self);
  self->current = MIN (before->current, self->lines->len > 0 ? self->lines->len - 1 : 0);
  self->scroll_to_current = FALSE;
}

GVariant *
tb_timeline_canvas_get_state (TbTimelineCanvas *self)
{
  GVariantDict state;
  g_autoptr (GStrvBuilder) pinned = g_strv_builder_new ();
  g_auto (GStrv) ids = NULL;

  if (self->sort == TB_SORT_RECORDED && self->pinned->len == 0)
    return NULL;
  for (guint i = 0; i < self->pinned->len; i++)
    g_strv_builder_add (pinned, get_pinned (self, i));
  ids = g_strv_builder_end (pinned);
  g_variant_dict_init (&state, NULL);
  g_variant_dict_insert (&state, "sort", "s", tb_timeline_canvas_get_sort (self));
  g_variant_dict_insert (&state, "pinned", "^as", ids);
  return g_variant_dict_end (&state);
}

void
tb_timeline_canvas_set_state (TbTimelineCanvas *self, GVariant *state)
{
  const char *sort;
  g_autofree const char **ids = NULL;

  if (g_variant_lookup (state, "pinned", "^a&s", &ids))
    for (guint i = 0; ids[i] != NULL; i++)
      pin (self, ids[i]);
  if (g_variant_lookup (state, "sort", "&s", &sort))
    tb_timeline_canvas_sort_by (self, sort);
  tb_timeline_canvas_lines_changed (self);
}
