/* tb-wait-graph.c: wait graph, made from the waits of a recording: vertices of one or more threads
 * or devices, edges with sums, longest and upper bound of their waits
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-graph.h"

#include "model/tb-wait-program-nodes.h"

#include <string.h>

static void
vertex_clear (gpointer data)
{
  TbWaitVertex *vertex = data;

  g_free (vertex->id);
  g_free (vertex->name);
  g_free (vertex->common);
  g_free (vertex->label);
  g_array_unref (vertex->nodes);
}

void
tb_wait_graph_free (TbWaitGraph *self)
{
  g_free (self->vertex_of_node);
  g_array_unref (self->vertices);
  g_array_unref (self->arcs);
  g_free (self->arc_of_edge);
  g_free (self->order);
  g_free (self);
}

/* --- vertices --- */

/* Nodes without activity and without edges are not shown, unless they may have been busy for most
 * of their lives. */
static guint8 *
find_present (const TbWaitModel *model)
{
  guint8 *present = g_new0 (guint8, model->nodes->len + 1);

  for (guint32 i = 0; i < model->nodes->len; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (model, i);

      present[i] = node->running > 0 || node->runnable > 0
                   || (node->waiting > 0 && node->possible > (node->last - node->first) / 2);
    }
  for (guint32 i = 0; i < model->edges->len; i++)
    {
      present[tb_wait_model_get_edge (model, i)->from] = TRUE;
      present[tb_wait_model_get_edge (model, i)->to] = TRUE;
    }
  /* Short-lived threads are represented by their virtual node. */
  for (guint32 i = 0; model->group_of_thread != NULL && i < model->n_threads; i++)
    if (model->group_of_thread[i] != TB_ID_NONE)
      present[i] = FALSE;
  return present;
}

static guint32
add_vertex (TbWaitGraph *self, TbWaitNodeKind kind, TbWaitMerged merged, gboolean outside)
{
  TbWaitVertex vertex = { .kind = kind,
                          .merged = merged,
                          .outside = outside,
                          .process = TB_ID_NONE,
                          .first = TB_TIME_NONE,
                          .last = TB_TIME_NONE };

  vertex.nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (self->vertices, vertex);
  return self->vertices->len - 1;
}

/* Extends the life of a vertex by that of a node. */
static void
add_life (TbWaitVertex *to, const TbWaitNode *node)
{
  if (node->first == TB_TIME_NONE)
    return;
  to->first = to->first == TB_TIME_NONE ? node->first : MIN (to->first, node->first);
  to->last = to->last == TB_TIME_NONE ? node->last : MAX (to->last, node->last);
  to->life += node->last - node->first;
}

/* Adds the times of short-lived threads, each by itself. */
static void
add_members (const TbWaitModel *model, TbWaitVertex *to, const GArray *members)
{
  for (guint i = 0; i < members->len; i++)
    {
      const TbWaitNode *member
          = tb_wait_model_get_node (model, g_array_index (members, guint32, i));

      to->used += member->running;
      to->wanted += member->runnable;
      to->possible += member->possible;
      add_life (to, member);
    }
  to->possible = MIN (to->possible, to->unknown);
}

static void
add_node (TbWaitGraph *self, guint32 vertex, guint32 node)
{
  TbWaitVertex *to = tb_wait_graph_get_vertex (self, vertex);
  const TbWaitNode *from = tb_wait_model_get_node (self->model, node);

  g_array_append_val (to->nodes, node);
  to->running += from->running;
  to->runnable += from->runnable;
  to->waiting += from->waiting;
  to->unknown += from->unknown;
  if (from->kind == TB_WAIT_NODE_VIRTUAL)
    add_members (self->model, to,
                 g_array_index (self->model->groups, TbWaitGroup, from->id).members);
  else
    {
      to->used += from->running;
      to->wanted += from->runnable;
      to->possible += from->possible;
      add_life (to, from);
    }
  self->vertex_of_node[node] = vertex;
}

/* The times of similar threads are sums, and so is their life. */
static void
finish_life (const TbWaitGraph *self, TbWaitVertex *vertex)
{
  if (vertex->first == TB_TIME_NONE)
    {
      vertex->first = self->model->from;
      vertex->last = self->model->to;
      vertex->life = vertex->last - vertex->first;
    }
  else if (vertex->merged != TB_WAIT_MERGED_SIMILAR && vertex->merged != TB_WAIT_MERGED_POOL)
    vertex->life = vertex->last - vertex->first;
}

static void
find_vertices (TbWaitGraph *self, const guint32 *group, const guint8 *merged, const guint8 *outside)
{
  const TbWaitModel *model = self->model;
  g_autofree guint8 *present = find_present (model);
  g_autoptr (GHashTable) vertex_of_group = g_hash_table_new (NULL, NULL);

  self->vertex_of_node = g_new (guint32, model->nodes->len + 1);
  for (guint32 i = 0; i < model->nodes->len; i++)
    {
      TbWaitNodeKind kind = tb_wait_model_get_node (model, i)->kind;
      TbWaitMerged how = kind == TB_WAIT_NODE_VIRTUAL ? TB_WAIT_MERGED_VIRTUAL : TB_WAIT_MERGED_NOT;
      gpointer found;
      guint32 vertex;

      self->vertex_of_node[i] = TB_ID_NONE;
      if (!present[i])
        continue;
      if (group == NULL || group[i] == TB_ID_NONE)
        vertex = add_vertex (self, kind, how, outside != NULL && outside[i]);
      else if (g_hash_table_lookup_extended (vertex_of_group, GUINT_TO_POINTER (group[i]), NULL,
                                             &found))
        vertex = GPOINTER_TO_UINT (found);
      else
        {
          vertex = add_vertex (self, kind, merged[i], outside != NULL && outside[i]);
          g_hash_table_insert (vertex_of_group, GUINT_TO_POINTER (group[i]),
                               GUINT_TO_POINTER (vertex));
        }
      add_node (self, vertex, i);
    }
}

guint32
tb_wait_graph_find_vertex (const TbWaitGraph *self, guint32 thread, gint64 time)
{
  guint32 node = tb_wait_model_find_merged_node (self->model, thread, time);

  return node != TB_ID_NONE ? self->vertex_of_node[node] : TB_ID_NONE;
}

/* --- edges --- */

typedef struct
{
  guint64 key;
  guint32 edge;
} Keyed;

static int
compare_keyed (gconstpointer a, gconstpointer b)
{
  const Keyed *left = a, *right = b;

  if (left->key != right->key)
    return left->key < right->key ? -1 : 1;
  return left->edge < right->edge ? -1 : left->edge > right->edge;
}

static void
update_busiest (TbWaitGraph *self, const TbWaitEdge *edge)
{
  TbWaitVertex *to = tb_wait_graph_get_vertex (self, self->vertex_of_node[edge->to]);
  const TbWaitNode *node = tb_wait_model_get_node (self->model, edge->to);

  if (edge->from != edge->to)
    to->busiest = MAX (to->busiest, node->running + node->runnable);
}

/* Makes one arc of all edges of the model that connect the same vertices. */
static void
find_arcs (TbWaitGraph *self)
{
  const TbWaitModel *model = self->model;
  guint32 n = model->edges->len;
  g_autofree Keyed *keyed = g_new (Keyed, n + 1);
  TbWaitArc *arc = NULL;

  self->arc_of_edge = g_new (guint32, n + 1);
  for (guint32 i = 0; i < n; i++)
    {
      const TbWaitEdge *edge = tb_wait_model_get_edge (model, i);

      keyed[i].key
          = (guint64) self->vertex_of_node[edge->from] << 32 | self->vertex_of_node[edge->to];
      keyed[i].edge = i;
      update_busiest (self, edge);
    }
  qsort (keyed, n, sizeof *keyed, compare_keyed);
  for (guint32 i = 0; i < n; i++)
    {
      const TbWaitEdge *edge = tb_wait_model_get_edge (model, keyed[i].edge);

      if (i == 0 || keyed[i].key != keyed[i - 1].key)
        {
          TbWaitArc new_arc = { .from = keyed[i].key >> 32, .to = (guint32) keyed[i].key };

          g_array_append_val (self->arcs, new_arc);
          arc = tb_wait_graph_get_arc (self, self->arcs->len - 1);
        }
      self->arc_of_edge[keyed[i].edge] = self->arcs->len - 1;
      arc->weight += edge->weight;
      arc->plain += edge->plain;
      arc->waits += edge->waits;
      arc->longest = MAX (arc->longest, edge->longest);
      /* The edges of one waiter are consecutive. */
      arc->n_waiters += i == 0 || keyed[i].key != keyed[i - 1].key
                        || edge->from != tb_wait_model_get_edge (model, keyed[i - 1].edge)->from;
    }
}

/* Groups the waits by arc. */
static void
order_waits (TbWaitGraph *self)
{
  const TbWaits *waits = &self->model->waits;
  g_autofree gsize *next = g_new0 (gsize, self->arcs->len + 1);
  gsize at = 0;

  for (gsize i = 0; i < waits->n; i++)
    tb_wait_graph_get_arc (self, self->arc_of_edge[waits->edge[i]])->n++;
  for (guint32 i = 0; i < self->arcs->len; i++)
    {
      TbWaitArc *arc = tb_wait_graph_get_arc (self, i);

      next[i] = arc->first = at;
      at += arc->n;
    }
  self->order = g_new (guint32, waits->n + 1);
  for (gsize i = 0; i < waits->n; i++)
    self->order[next[self->arc_of_edge[waits->edge[i]]]++] = (guint32) i;
}

static int
compare_starts (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbWaits *waits = data;
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;

  if (waits->start[left] != waits->start[right])
    return waits->start[left] < waits->start[right] ? -1 : 1;
  return left < right ? -1 : left > right;
}

static gint64
measure_union (const TbWaits *waits, const guint32 *order, gsize n)
{
  gint64 until = G_MININT64, length = 0;

  for (gsize i = 0; i < n; i++)
    {
      gint64 start = MAX (waits->start[order[i]], until), end = waits->end[order[i]];

      if (end > start)
        length += end - start;
      until = MAX (until, end);
    }
  return length;
}

/* By arc: how long its virtual waiter waited while a wait of the arc was open, of waits for
 * members' wakers. The union is measured in the waiter's own time. Arcs of several waiters are left
 * out. */
static gint64 *
measure_open_time (const TbWaitGraph *self)
{
  const GArray *opens = self->model->opens;
  gint64 *length = g_new0 (gint64, (gsize) self->arcs->len + 1);
  g_autofree gint64 *until = g_new0 (gint64, (gsize) self->arcs->len + 1);

  for (guint i = 0; i < opens->len; i++)
    {
      const TbWaitOpen *open = &g_array_index (opens, TbWaitOpen, i);
      guint32 arc = self->arc_of_edge[open->edge];

      length[arc] += MAX (open->end - MAX (open->start, until[arc]), 0);
      until[arc] = MAX (until[arc], open->end);
    }
  return length;
}

/* A virtual waiter has only a part of each of its members' waits. */
static gint64
measure_open (const TbWaitGraph *self, const TbWaitArc *arc, gint64 of_members)
{
  const TbWaits *waits = &self->model->waits;
  gint64 bound = of_members;

  if (tb_wait_graph_get_vertex (self, arc->from)->kind != TB_WAIT_NODE_VIRTUAL)
    return arc->plain;
  for (gsize i = arc->first; i < arc->first + arc->n; i++)
    if (waits->row[self->order[i]] == TB_ID_NONE)
      bound += waits->end[self->order[i]] - waits->start[self->order[i]];
  return bound;
}

/* of_members: for virtual waiters, see measure_open_time(). */
static void
finish_arc (TbWaitGraph *self, TbWaitArc *arc, gint64 of_members)
{
  TbWaits *waits = &self->model->waits;

  if (arc->n_waiters > 1)
    g_sort_array (self->order + arc->first, arc->n, sizeof *self->order, compare_starts, waits);
  arc->bound = arc->n_waiters > 1 ? measure_union (waits, self->order + arc->first, arc->n)
                                  : measure_open (self, arc, of_members);
  arc->weight /= arc->n_waiters;
  arc->plain /= arc->n_waiters;
  arc->target_delay = arc->limits = arc->weight;
  arc->forwarder = TB_ID_NONE;
}

TbWaitGraph *
tb_wait_graph_new (TbWaitModel *model,
                   const guint32 *group,
                   const guint8 *merged,
                   const guint8 *outside)
{
  TbWaitGraph *self = g_new0 (TbWaitGraph, 1);
  g_autofree gint64 *opens = NULL;

  self->model = model;
  self->vertices = g_array_new (FALSE, FALSE, sizeof (TbWaitVertex));
  g_array_set_clear_func (self->vertices, vertex_clear);
  self->arcs = g_array_new (FALSE, FALSE, sizeof (TbWaitArc));
  find_vertices (self, group, merged, outside);
  for (guint32 i = 0; i < self->vertices->len; i++)
    finish_life (self, tb_wait_graph_get_vertex (self, i));
  find_arcs (self);
  order_waits (self);
  opens = measure_open_time (self);
  for (guint32 i = 0; i < self->arcs->len; i++)
    finish_arc (self, tb_wait_graph_get_arc (self, i), opens[i]);
  return self;
}

int
tb_wait_graph_compare_arcs (gconstpointer a, gconstpointer b, gpointer data)
{
  guint32 left_index = *(const guint32 *) a, right_index = *(const guint32 *) b;
  const TbWaitArc *left = tb_wait_graph_get_arc (data, left_index);
  const TbWaitArc *right = tb_wait_graph_get_arc (data, right_index);

  if (left->limits != right->limits)
    return left->limits > right->limits ? -1 : 1;
  if (left->weight != right->weight)
    return left->weight > right->weight ? -1 : 1;
  return left_index < right_index ? -1 : left_index > right_index;
}

void
tb_wait_graph_set_delays (TbWaitGraph *self,
                          const TbWaitDelays *delays,
                          const TbWaitDelays *forwarded)
{
  const TbWaitDelays *target_delays = forwarded != NULL ? forwarded : delays;

  self->has_target = TRUE;
  for (guint32 i = 0; i < self->arcs->len; i++)
    {
      TbWaitArc *arc = tb_wait_graph_get_arc (self, i);

      if (arc->idle)
        continue;
      arc->target_delay = delays->ns[i] / arc->n_waiters;
      arc->limits = target_delays->ns[i];
      /* For a vertex outside the target, the waiters are the target's threads that wait for it, not
       * its own threads. */
      if (tb_wait_graph_get_vertex (self, arc->from)->outside)
        {
          arc->bound = delays->blocked_ns[i];
          continue;
        }
      arc->limits /= arc->n_waiters;
      arc->forwarded = MAX (target_delays->blocked_ns[i] - arc->bound, 0);
      arc->bound += arc->forwarded;
    }
}

guint32
tb_wait_graph_add_idle_arc (TbWaitGraph *self,
                            guint32 device,
                            guint32 to,
                            gint64 weight,
                            guint64 n,
                            gint64 longest,
                            gint64 bound)
{
  TbWaitArc arc = {
    .from = device,
    .to = to,
    .weight = weight,
    .target_delay = weight,
    .limits = weight,
    .plain = weight,
    .waits = n,
    .longest = longest,
    .bound = bound,
    .forwarder = TB_ID_NONE,
    .n_waiters = 1,
    .idle = TRUE,
    .first = self->model->waits.n,
  };

  g_array_append_val (self->arcs, arc);
  return self->arcs->len - 1;
}
