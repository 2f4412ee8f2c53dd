/* tb-wait-roles.c: roles of threads, worker or background, by how their activity grows between
 * recordings of two loads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-roles.h"

#include <math.h>

/* With fewer rounds, rates are unreliable. */
#define ROUNDS_LEAST 8

static void
role_of_free (gpointer data)
{
  TbWaitVertexRole *self = data;

  g_free (self->name);
  g_free (self);
}

void
tb_wait_roles_free (TbWaitRoles *self)
{
  g_ptr_array_unref (self->all);
  g_free (self);
}

/* Short-lived threads have no throughput of their own, and vertices outside the target are not part
 * of the application. */
static gboolean
has_role (const TbWaitVertex *vertex)
{
  return vertex->kind == TB_WAIT_NODE_THREAD && !vertex->outside;
}

static TbWaitVertexRole *
get_role_of (TbWaitRoles *self, GHashTable *by_name, const char *name)
{
  TbWaitVertexRole *of = g_hash_table_lookup (by_name, name);

  if (of != NULL)
    return of;
  of = g_new0 (TbWaitVertexRole, 1);
  of->name = g_strdup (name);
  g_hash_table_insert (by_name, of->name, of);
  g_ptr_array_add (self->all, of);
  return of;
}

static void
gather (TbWaitRoles *self,
        GHashTable *by_name,
        const TbWaitVertexMatch *same,
        const TbWaitResult *result,
        guint side)
{
  const TbWaitGraph *graph = result->graph;

  for (guint32 i = 0; i < graph->vertices->len; i++)
    {
      const TbWaitVertex *vertex = tb_wait_graph_get_vertex (graph, i);

      if (has_role (vertex))
        get_role_of (self, by_name, tb_wait_vertex_match_get_name (same, vertex))->running[side]
            += vertex->used;
    }
  for (guint32 i = 0; i < graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);
      const TbWaitVertex *vertex = tb_wait_graph_get_vertex (graph, arc->from);

      if (has_role (vertex))
        get_role_of (self, by_name, tb_wait_vertex_match_get_name (same, vertex))->rounds[side]
            += arc->waits;
    }
}

/* The growth of a rate, from the smaller load to the greater. */
static double
measure_growth (double less, double more, const TbWaitResult *less_of, const TbWaitResult *more_of)
{
  return less > 0 ? more / (double) more_of->recorded / (less / (double) less_of->recorded) : 0;
}

static void
judge (const TbWaitRoles *self, TbWaitVertexRole *of, const TbWaitResult *const results[2])
{
  guint less = self->throughput[0] <= self->throughput[1] ? 0 : 1, more = 1 - less;
  double rounds = measure_growth ((double) of->rounds[less], (double) of->rounds[more],
                                  results[less], results[more]);
  double running = measure_growth ((double) of->running[less], (double) of->running[more],
                                   results[less], results[more]);

  if (of->rounds[0] < ROUNDS_LEAST || of->rounds[1] < ROUNDS_LEAST)
    return;
  of->growth = MAX (rounds, running);
  of->role = of->growth > sqrt (self->growth) ? TB_WAIT_ROLE_WORKER : TB_WAIT_ROLE_BACKGROUND;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const TbWaitVertexRole *left = *(const TbWaitVertexRole *const *) a,
                         *right = *(const TbWaitVertexRole *const *) b;

  return g_strcmp0 (left->name, right->name);
}

TbWaitRoles *
tb_wait_roles_new (const TbWaitResult *base,
                   const TbWaitResult *other,
                   const TbWaitVertexMatch *same)
{
  const TbWaitResult *const results[2] = { base, other };
  TbWaitRoles *self = g_new0 (TbWaitRoles, 1);
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);

  self->all = g_ptr_array_new_with_free_func (role_of_free);
  if (base->work == NULL || other->work == NULL
      || !g_str_equal (base->work->unit, other->work->unit))
    return self;
  self->throughput[0] = base->work->per_second;
  self->throughput[1] = other->work->per_second;
  if (self->throughput[0] <= 0 || self->throughput[1] <= 0)
    return self;
  self->growth = MAX (self->throughput[0], self->throughput[1])
                 / MIN (self->throughput[0], self->throughput[1]);
  self->is_known = self->growth >= TB_WAIT_MIN_LOAD_RATIO;
  if (!self->is_known)
    return self;
  gather (self, by_name, same, base, 0);
  gather (self, by_name, same, other, 1);
  for (guint i = 0; i < self->all->len; i++)
    judge (self, g_ptr_array_index (self->all, i), results);
  g_ptr_array_sort (self->all, compare_names);
  return self;
}

guint8 *
tb_wait_roles_find (const TbWaitRoles *self,
                    const TbWaitVertexMatch *same,
                    const TbWaitResult *result)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  guint8 *roles = g_new0 (guint8, result->graph->vertices->len + 1);

  for (guint i = 0; i < self->all->len; i++)
    {
      TbWaitVertexRole *of = g_ptr_array_index (self->all, i);

      g_hash_table_insert (by_name, of->name, of);
    }
  for (guint32 i = 0; i < result->graph->vertices->len; i++)
    {
      const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, i);
      const TbWaitVertexRole *of
          = has_role (vertex)
                ? g_hash_table_lookup (by_name, tb_wait_vertex_match_get_name (same, vertex))
                : NULL;

      if (of != NULL)
        roles[i] = of->role;
    }
  return roles;
}
