/* tb-wait-same.c: matching of vertices between two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-same.h"

/* Vertices with names that differ at most by a number. */
typedef struct
{
  gboolean is_alone;   /* one of them has no number, in either recording */
  gboolean has_sum[2]; /* one of them has a number: base, other */
  char *sum;           /* common name of those with a number */
} Kin;

static void
kin_free (gpointer data)
{
  Kin *kin = data;

  g_free (kin->sum);
  g_free (kin);
}

void
tb_wait_same_free (TbWaitSame *self)
{
  g_hash_table_unref (self->kins);
  g_free (self);
}

static gboolean
is_sum (const TbWaitVertex *vertex)
{
  return !g_str_equal (vertex->name, vertex->common);
}

static void
add_vertex (TbWaitSame *self, const TbWaitVertex *vertex, guint side)
{
  Kin *kin = g_hash_table_lookup (self->kins, vertex->common);

  if (kin == NULL)
    {
      kin = g_new0 (Kin, 1);
      g_hash_table_insert (self->kins, g_strdup (vertex->common), kin);
    }
  if (!is_sum (vertex))
    {
      kin->is_alone = TRUE;
      return;
    }
  kin->has_sum[side] = TRUE;
  if (kin->sum == NULL)
    kin->sum = g_strdup_printf ("%s ×N", vertex->common);
}

TbWaitSame *
tb_wait_same_new (const TbWaitGraph *base, const TbWaitGraph *other)
{
  const TbWaitGraph *const graphs[] = { base, other };
  TbWaitSame *self = g_new0 (TbWaitSame, 1);

  self->kins = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, kin_free);
  for (guint side = 0; side < 2; side++)
    for (guint32 i = 0; i < graphs[side]->vertices->len; i++)
      add_vertex (self, tb_wait_graph_get_vertex (graphs[side], i), side);
  return self;
}

const char *
tb_wait_same_get_name (const TbWaitSame *self, const TbWaitVertex *vertex)
{
  const Kin *kin = g_hash_table_lookup (self->kins, vertex->common);

  if (kin == NULL || !is_sum (vertex))
    return vertex->name;
  /* A single vertex matches a numbered one only if one of the recordings has no numbered one. */
  return kin->is_alone && kin->has_sum[0] && kin->has_sum[1] ? kin->sum : vertex->common;
}
