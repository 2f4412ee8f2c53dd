/* tb-wait-vertex-match.c: names by which the vertices of two recordings are matched for a
 * comparison: without the number of threads, so that "server ×4" and "server ×16" match
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-vertex-match.h"

/* Vertices with names that differ at most by a number. */
typedef struct
{
  gboolean is_alone;   /* one of them has no number, in either recording */
  gboolean has_sum[2]; /* one of them has a number: base, other */
  char *sum;           /* common name of those with a number */
} NameGroup;

static void
name_group_free (gpointer data)
{
  NameGroup *group = data;

  g_free (group->sum);
  g_free (group);
}

void
tb_wait_vertex_match_free (TbWaitVertexMatch *self)
{
  g_hash_table_unref (self->groups);
  g_free (self);
}

static gboolean
is_sum (const TbWaitVertex *vertex)
{
  return !g_str_equal (vertex->name, vertex->common);
}

static void
add_vertex (TbWaitVertexMatch *self, const TbWaitVertex *vertex, guint side)
{
  NameGroup *group = g_hash_table_lookup (self->groups, vertex->common);

  if (group == NULL)
    {
      group = g_new0 (NameGroup, 1);
      g_hash_table_insert (self->groups, g_strdup (vertex->common), group);
    }
  if (!is_sum (vertex))
    {
      group->is_alone = TRUE;
      return;
    }
  group->has_sum[side] = TRUE;
  if (group->sum == NULL)
    group->sum = g_strdup_printf ("%s ×N", vertex->common);
}

TbWaitVertexMatch *
tb_wait_vertex_match_new (const TbWaitGraph *base, const TbWaitGraph *other)
{
  const TbWaitGraph *const graphs[] = { base, other };
  TbWaitVertexMatch *self = g_new0 (TbWaitVertexMatch, 1);

  self->groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, name_group_free);
  for (guint side = 0; side < 2; side++)
    for (guint32 i = 0; i < graphs[side]->vertices->len; i++)
      add_vertex (self, tb_wait_graph_get_vertex (graphs[side], i), side);
  return self;
}

const char *
tb_wait_vertex_match_get_name (const TbWaitVertexMatch *self, const TbWaitVertex *vertex)
{
  const NameGroup *group = g_hash_table_lookup (self->groups, vertex->common);

  if (group == NULL || !is_sum (vertex))
    return vertex->name;
  /* A single vertex matches a numbered one only if one of the recordings has no numbered one. */
  return group->is_alone && group->has_sum[0] && group->has_sum[1] ? group->sum : vertex->common;
}
