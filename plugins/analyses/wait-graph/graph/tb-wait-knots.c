/* tb-wait-knots.c: properties of vertices of a wait graph: saturated, of the target, an unknown
 * peer; order by id; freeing of its knots (found by tb-wait-knot-search.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-knots.h"

void
tb_wait_knots_free (TbWaitKnots *self)
{
  g_array_unref (self->components);
  g_array_unref (self->bottlenecks);
  g_free (self->component_of);
  g_free (self);
}

gboolean
tb_wait_vertex_is_unknown_peer (const TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);

  return of->kind == TB_WAIT_NODE_NETWORK
         && tb_wait_model_get_node (graph->model, g_array_index (of->nodes, guint32, 0))->id
                == TB_STRING_NONE;
}

gint64
tb_wait_vertex_get_busy (const TbWaitVertex *vertex)
{
  /* A process outside the target is as busy as its busiest thread that others wait for. Many
   * threads with little work each do not delay it. */
  return vertex->merged == TB_WAIT_MERGED_OUTSIDE && vertex->nodes->len > 1
             ? vertex->busiest
             : vertex->running + vertex->runnable;
}

/* Whether a vertex is busy for more than half of its life, if it is so for unknown (ns) besides. */
static gboolean
is_saturated (const TbWaitGraph *graph, guint32 vertex, gint64 unknown)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  gint64 busy = tb_wait_vertex_get_busy (of) + unknown;

  return busy > of->life / 2 && busy / tb_wait_vertex_count_alike (of) > graph->least_busy
         && !tb_wait_vertex_is_unknown_peer (graph, vertex);
}

gboolean
tb_wait_vertex_is_saturated (const TbWaitGraph *graph, guint32 vertex)
{
  return is_saturated (graph, vertex, 0);
}

gboolean
tb_wait_vertex_may_be_saturated (const TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  gint64 possible = 0;

  if (of->merged != TB_WAIT_MERGED_OUTSIDE)
    return is_saturated (graph, vertex, of->possible);
  for (guint i = 0; i < of->nodes->len; i++)
    possible = MAX (
        possible,
        tb_wait_model_get_node (graph->model, g_array_index (of->nodes, guint32, i))->possible);
  return is_saturated (graph, vertex, possible);
}

int
tb_wait_graph_compare_ids (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbWaitGraph *graph = data;
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;
  const char *left_id = tb_wait_graph_get_vertex (graph, left)->id;
  const char *right_id = tb_wait_graph_get_vertex (graph, right)->id;
  int order = g_strcmp0 (left_id, right_id);

  return order != 0 ? order : left < right ? -1 : left > right;
}

gboolean
tb_wait_vertex_is_targeted (const TbWaitVertex *vertex)
{
  return !vertex->outside
         && (vertex->kind == TB_WAIT_NODE_THREAD || vertex->kind == TB_WAIT_NODE_VIRTUAL);
}
