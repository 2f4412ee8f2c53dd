/* tb-wait-execution-limits.c: search for the vertices of a knot that are limited by their own
 * execution, not by waits
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread in a knot gets faster only by waiting less for the others of the knot (the wPerf paper's
 * lemma 3.1). All waits of a knot together can therefore gain no more than the least waiting time
 * of one of its threads. If that is next to nothing and the thread is busy, its execution is the
 * limit, however heavy the edges to it are. A single edge shows this badly: its weight counts all
 * that wait for the thread, so that a few waits by chance decide whether it is light.
 */

#include "config.h"

#include "tb-wait-execution-limits.h"

#include "tb-wait-knots.h"

static gboolean
is_thread (const TbWaitVertex *vertex)
{
  return vertex->kind == TB_WAIT_NODE_THREAD && !vertex->outside
         && vertex->merged != TB_WAIT_MERGED_POOL;
}

guint8 *
tb_wait_find_execution_limited (const TbWaitGraph *graph, const guint32 *from, gint64 threshold)
{
  guint8 *executing = g_new0 (guint8, graph->vertices->len + 1);
  g_autofree gint64 *waits = g_new0 (gint64, graph->vertices->len + 1);
  g_autofree guint8 *is_held = g_new0 (guint8, graph->vertices->len + 1);

  for (guint32 i = 0; i < graph->arcs->len; i++)
    if (from[i] != TB_ID_NONE)
      {
        const TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);

        waits[from[i]] += arc->plain;
        is_held[from[i]] |= arc->limits > threshold;
      }
  for (guint32 i = 0; i < graph->vertices->len; i++)
    {
      const TbWaitVertex *vertex = tb_wait_graph_get_vertex (graph, i);
      double life = (double) vertex->life / tb_wait_vertex_count_alike (vertex);

      executing[i] = is_thread (vertex) && !is_held[i]
                     && (double) waits[i] < TB_WAIT_NEGLIGIBLE_SHARE * life
                     && tb_wait_vertex_is_saturated (graph, i);
    }
  return executing;
}
