/* tb-wait-exclusion.c: choice of the edges that are excluded before knots are sought: waits for
 * timers, interrupts, idle CPUs or unknown causes, light edges, dead ends
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-knots.h"

#include <string.h>

static const char *const names[TB_N_WAIT_EXCLUSIONS] = {
  [TB_WAIT_EXCLUSION_NONE] = "none",           [TB_WAIT_EXCLUSION_TIMER] = "timer",
  [TB_WAIT_EXCLUSION_INTERRUPT] = "interrupt", [TB_WAIT_EXCLUSION_IDLE] = "idle",
  [TB_WAIT_EXCLUSION_UNKNOWN] = "unknown",     [TB_WAIT_EXCLUSION_LIGHT] = "light",
  [TB_WAIT_EXCLUSION_ENDED] = "ended",
};

const char *
tb_wait_exclusion_get_name (TbWaitExclusion exclusion)
{
  return names[exclusion];
}

static TbWaitExclusion
find_exclusion (const TbWaitGraph *self, const TbWaitArc *arc)
{
  switch (tb_wait_graph_get_vertex (self, arc->to)->kind)
    {
    case TB_WAIT_NODE_TIMER:
      return TB_WAIT_EXCLUSION_TIMER;
    case TB_WAIT_NODE_INTERRUPT:
      return TB_WAIT_EXCLUSION_INTERRUPT;
    case TB_WAIT_NODE_IDLE:
      return TB_WAIT_EXCLUSION_IDLE;
    case TB_WAIT_NODE_BUSY:
    case TB_WAIT_NODE_UNKNOWN:
      return TB_WAIT_EXCLUSION_UNKNOWN;
    case TB_WAIT_NODE_NETWORK:
      return tb_wait_vertex_is_unknown_peer (self, arc->to) ? TB_WAIT_EXCLUSION_UNKNOWN
                                                            : TB_WAIT_EXCLUSION_NONE;
    default:
      return TB_WAIT_EXCLUSION_NONE;
    }
}

static gboolean
is_outside (const TbWaitGraph *self, guint32 vertex)
{
  return tb_wait_graph_get_vertex (self, vertex)->outside;
}

/* By vertex: whether the target issues requests to this device. */
static guint8 *
find_used (const TbWaitGraph *self)
{
  guint8 *used = g_new0 (guint8, self->vertices->len + 1);

  for (guint32 i = 0; i < self->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (self, i);

      used[arc->from] |= arc->idle && !is_outside (self, arc->to);
    }
  return used;
}

/* Whether the waiter is outside the target and waits for the target, or for a device that serves
 * it. Such an edge can close a knot. */
static gboolean
is_closing (const TbWaitGraph *self, const TbWaitArc *arc, const guint8 *used)
{
  TbWaitNodeKind kind = tb_wait_graph_get_vertex (self, arc->to)->kind;

  if (!is_outside (self, arc->from) || is_outside (self, arc->to))
    return FALSE;
  return kind == TB_WAIT_NODE_THREAD || kind == TB_WAIT_NODE_VIRTUAL || used[arc->to];
}

/* The weight of an edge for the target: what it delays the target by, not others that wait for the
 * target. An edge between two vertices outside the target counts only while the target waits for
 * them; otherwise it is work for others. Idle time of a device that serves the target does not
 * count towards issuers outside it. */
static gint64
weigh_for_target (const TbWaitGraph *self, const TbWaitArc *arc, const guint8 *used)
{
  if (arc->idle)
    return is_outside (self, arc->to) && used[arc->from] ? 0 : arc->weight;
  if (!is_outside (self, arc->from))
    return arc->limits;
  return is_closing (self, arc, used) ? arc->weight : arc->target_delay;
}

/* By vertex, its heaviest edge that is kept even if it is light. A device keeps its heaviest idle
 * edge, because it would otherwise be in no knot. A vertex outside the target keeps the heaviest
 * edge by which it waits for the target. */
static guint32 *
find_heaviest (const TbWaitGraph *self, const guint8 *used)
{
  guint32 *heaviest = g_new (guint32, self->vertices->len + 1);

  memset (heaviest, 0xff, sizeof *heaviest * (self->vertices->len + 1));
  for (guint32 i = 0; i < self->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (self, i);

      if (arc->idle ? is_outside (self, arc->to) && used[arc->from] : !is_closing (self, arc, used))
        continue;
      if (heaviest[arc->from] == TB_ID_NONE
          || arc->weight > tb_wait_graph_get_arc (self, heaviest[arc->from])->weight)
        heaviest[arc->from] = i;
    }
  return heaviest;
}

static void
exclude_single_arcs (TbWaitGraph *self, guint exclusion, gint64 light_below)
{
  g_autofree guint8 *used = find_used (self);
  g_autofree guint32 *heaviest = find_heaviest (self, used);

  for (guint32 i = 0; i < self->arcs->len; i++)
    {
      TbWaitArc *arc = tb_wait_graph_get_arc (self, i);
      TbWaitExclusion reason = find_exclusion (self, arc);

      if (!(exclusion >> reason & 1))
        reason = TB_WAIT_EXCLUSION_NONE;
      if (reason == TB_WAIT_EXCLUSION_NONE && heaviest[arc->from] != i
          && (exclusion >> TB_WAIT_EXCLUSION_LIGHT & 1)
          && weigh_for_target (self, arc, used) < light_below)
        reason = TB_WAIT_EXCLUSION_LIGHT;
      arc->exclusion = reason;
    }
}

/* --- dead ends --- */

/* Arcs by the vertex they lead to. */
typedef struct
{
  guint32 *first; /* by vertex, and one past the last */
  guint32 *arcs;
} Incoming;

static void
incoming_clear (Incoming *self)
{
  g_free (self->first);
  g_free (self->arcs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Incoming, incoming_clear)

static void
incoming_init (Incoming *self, const TbWaitGraph *graph)
{
  guint32 n = graph->vertices->len;
  g_autofree guint32 *next = g_new (guint32, n + 1);

  self->first = g_new0 (guint32, n + 1);
  self->arcs = g_new (guint32, graph->arcs->len + 1);
  for (guint32 i = 0; i < graph->arcs->len; i++)
    self->first[tb_wait_graph_get_arc (graph, i)->to + 1]++;
  for (guint32 i = 0; i < n; i++)
    self->first[i + 1] += self->first[i];
  memcpy (next, self->first, sizeof *next * n);
  for (guint32 i = 0; i < graph->arcs->len; i++)
    self->arcs[next[tb_wait_graph_get_arc (graph, i)->to]++] = i;
}

/* By vertex: why the heaviest of its excluded edges was excluded. */
static guint8 *
find_reasons (const TbWaitGraph *self)
{
  guint8 *reasons = g_new0 (guint8, self->vertices->len + 1);
  g_autofree gint64 *heaviest = g_new0 (gint64, self->vertices->len + 1);

  for (guint32 i = 0; i < self->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (self, i);

      if (arc->exclusion != TB_WAIT_EXCLUSION_NONE && arc->weight >= heaviest[arc->from])
        {
          heaviest[arc->from] = arc->weight;
          reasons[arc->from] = arc->exclusion;
        }
    }
  return reasons;
}

/* By vertex: sum of the time that others wait for it. */
static gint64 *
find_awaited (const TbWaitGraph *self)
{
  gint64 *awaited = g_new0 (gint64, self->vertices->len + 1);

  for (guint32 i = 0; i < self->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (self, i);

      if (!arc->idle && arc->from != arc->to)
        awaited[arc->to] += arc->plain;
    }
  return awaited;
}

static guint32 *
find_heaviest_idle (const TbWaitGraph *self)
{
  guint32 *idle = g_new (guint32, self->vertices->len + 1);

  memset (idle, 0xff, sizeof *idle * (self->vertices->len + 1));
  for (guint32 i = 0; i < self->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (self, i);

      if (arc->idle && arc->exclusion == TB_WAIT_EXCLUSION_NONE
          && (idle[arc->from] == TB_ID_NONE
              || arc->weight > tb_wait_graph_get_arc (self, idle[arc->from])->weight))
        idle[arc->from] = i;
    }
  return idle;
}

typedef struct
{
  const TbWaitGraph *graph;
  gint64 negligible_ns; /* ns: waits that are shorter in total gain next to nothing */
  guint32 *n_out;       /* by vertex: edges that are left */
  guint8 *reasons;      /* by vertex */
  gint64 *awaited;      /* by vertex */
  guint32 *idle; /* by vertex: the heaviest of its idle edges that are left; TB_ID_NONE: none */
} DeadEnds;

static gboolean
is_dead_end (const DeadEnds *self, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (self->graph, vertex);
  guint8 reason = self->reasons[vertex];

  if (self->n_out[vertex] > 0 || self->idle[vertex] != TB_ID_NONE
      || tb_wait_vertex_is_saturated (self->graph, vertex))
    return FALSE;
  if (reason != TB_WAIT_EXCLUSION_NONE && (of->outside || reason != TB_WAIT_EXCLUSION_LIGHT))
    return TRUE;
  return (of->kind == TB_WAIT_NODE_THREAD || of->kind == TB_WAIT_NODE_VIRTUAL)
         && self->awaited[vertex] < self->negligible_ns;
}

/* A dead end is a mostly idle vertex of which all edges are excluded. It forwards what a timer or
 * an interrupt began, as ksoftirqd, kworkers and timekeeping threads do. An edge to it dissolves a
 * knot as an edge to the timer would. A vertex of the target with no edges, or only light excluded
 * ones, is no dead end, because what it ran while others waited may limit them. It is one
 * nevertheless if these waits gain next to nothing, such as waits for a thread that only runs at
 * the start; this does not apply where no edge counts as light. A device that served others waits
 * for further requests and is no dead end; its heaviest idle edge stays where no other does. A
 * vertex that is busy for most of the time is no dead end either. */
static void
exclude_dead_ends (TbWaitGraph *self, guint exclusion, gint64 light_below)
{
  gboolean light = (exclusion >> TB_WAIT_EXCLUSION_LIGHT & 1) && light_below > 0;
  gint64 recorded = self->model->to - self->model->from;
  g_autofree gint64 *awaited = find_awaited (self);
  g_autofree guint8 *reasons = find_reasons (self);
  g_autofree guint32 *n_out = g_new0 (guint32, self->vertices->len + 1);
  g_autofree guint32 *queue = g_new (guint32, self->vertices->len + 1);
  g_autofree guint32 *idle = find_heaviest_idle (self);
  const DeadEnds ends
      = { self,    light ? (gint64) (TB_WAIT_NEGLIGIBLE_SHARE * (double) recorded) : 0,
          n_out,   reasons,
          awaited, idle };
  g_auto (Incoming) incoming = { 0 };
  guint32 n = 0;

  incoming_init (&incoming, self);
  for (guint32 i = 0; i < self->arcs->len; i++)
    n_out[tb_wait_graph_get_arc (self, i)->from]
        += tb_wait_graph_get_arc (self, i)->exclusion == TB_WAIT_EXCLUSION_NONE;
  for (guint32 i = 0; i < self->vertices->len; i++)
    if (is_dead_end (&ends, i))
      queue[n++] = i;
  for (guint32 done = 0; done < n; done++)
    for (guint32 i = incoming.first[queue[done]]; i < incoming.first[queue[done] + 1]; i++)
      {
        TbWaitArc *arc = tb_wait_graph_get_arc (self, incoming.arcs[i]);

        if (arc->exclusion != TB_WAIT_EXCLUSION_NONE)
          continue;
        arc->exclusion = reasons[queue[done]] != TB_WAIT_EXCLUSION_NONE ? reasons[queue[done]]
                                                                        : TB_WAIT_EXCLUSION_LIGHT;
        n_out[arc->from]--;
        reasons[arc->from]
            = reasons[arc->from] != TB_WAIT_EXCLUSION_NONE ? reasons[arc->from] : arc->exclusion;
        if (is_dead_end (&ends, arc->from))
          queue[n++] = arc->from;
      }
  for (guint32 i = 0; i < self->vertices->len; i++)
    if (idle[i] != TB_ID_NONE && n_out[i] == 0 && !tb_wait_vertex_is_saturated (self, i))
      tb_wait_graph_get_arc (self, idle[i])->exclusion = TB_WAIT_EXCLUSION_NONE;
}

void
tb_wait_graph_exclude_edges (TbWaitGraph *self, guint exclusion, gint64 light_below)
{
  exclude_single_arcs (self, exclusion, light_below);
  exclude_dead_ends (self, exclusion, light_below);
}
