/* tb-wait-forwarding.c: copy of the waits of a graph in which the target's waits for kernel threads
 * become waits for the devices that these threads meanwhile waited for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that syncs a file waits for a kernel worker, and the worker waits for the disk. Which
 * of them did which part does not matter for what limits the program: it waits for the disk.
 */

#include "config.h"

#include "tb-wait-forwarding.h"

#include <string.h>

/* Longest chain of forwarding threads that is followed. */
#define CHAIN_MOST 8

typedef struct
{
  TbWaitGraph *graph;
  const guint8 *outside;
  const guint8 *is_forwarder;
  gsize *first;      /* by node: its waits, and one past the last */
  GHashTable *arcs;  /* from << 32 | to → arc + 1 */
  GHashTable *ns_of; /* arc << 32 | forwarding vertex → ns */
  TbWaits pieces;
  gsize size;
} Splitter;

static void
splitter_clear (Splitter *self)
{
  g_free (self->first);
  g_clear_pointer (&self->arcs, g_hash_table_unref);
  g_clear_pointer (&self->ns_of, g_hash_table_unref);
  tb_waits_clear (&self->pieces);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Splitter, splitter_clear)

guint8 *
tb_wait_find_forwarders (const TbWaitModel *model, const guint8 *outside)
{
  guint8 *is_forwarder = g_new0 (guint8, model->nodes->len + 1);

  for (guint32 i = 1; i < model->n_threads; i++)
    is_forwarder[i] = outside[i] && tb_trace_is_kernel_thread (model->trace, i);
  return is_forwarder;
}

static void
index_waits (Splitter *self)
{
  const TbWaitModel *model = self->graph->model;
  guint32 node = 0;

  self->first = g_new (gsize, (gsize) model->nodes->len + 2);
  for (gsize i = 0; i < model->waits.n; i++)
    while (node <= model->waits.waiter[i])
      self->first[node++] = i;
  while (node <= model->nodes->len)
    self->first[node++] = model->waits.n;
}

static gint64 *
make_key (guint32 high, guint32 low)
{
  gint64 *key = g_new (gint64, 1);

  *key = (gint64) ((guint64) high << 32 | low);
  return key;
}

static void
index_arcs (Splitter *self)
{
  self->arcs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->ns_of = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  for (guint32 i = 0; i < self->graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (self->graph, i);
      TbWaitNodeKind kind = tb_wait_graph_get_vertex (self->graph, arc->to)->kind;

      if (!arc->idle && (kind == TB_WAIT_NODE_DEVICE || kind == TB_WAIT_NODE_NETWORK))
        g_hash_table_insert (self->arcs, make_key (arc->from, arc->to), GUINT_TO_POINTER (i + 1));
    }
}

/* The arc by which a vertex waits for a device; TB_ID_NONE: none. */
static guint32
find_arc (const Splitter *self, guint32 from, guint32 to)
{
  gint64 key = (gint64) ((guint64) from << 32 | to);

  return GPOINTER_TO_UINT (g_hash_table_lookup (self->arcs, &key)) - 1;
}

/* The wait of a node that is open at a time; where there is none, the next one; the end of the
 * node's waits if it does not wait any more. */
static gsize
find_open_or_next_wait (const Splitter *self, guint32 node, gint64 time)
{
  const TbWaits *waits = &self->graph->model->waits;
  gsize low = self->first[node], high = self->first[node + 1];

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (waits->end[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* The device for which a forwarding node waits at a time; the node itself where it waits for no
 * device. until: reduced to when that may change. */
static guint32
follow (const Splitter *self, guint32 from, gint64 time, gint64 *until)
{
  const TbWaits *waits = &self->graph->model->waits;
  guint32 node = from;

  for (guint i = 0; i < CHAIN_MOST && self->is_forwarder[node]; i++)
    {
      gsize wait = find_open_or_next_wait (self, node, time);

      if (wait == self->first[node + 1])
        return from;
      if (waits->start[wait] > time)
        {
          *until = MIN (*until, waits->start[wait]);
          return from;
        }
      *until = MIN (*until, waits->end[wait]);
      node = waits->waker[wait];
    }
  return self->is_forwarder[node] ? from : node;
}

static void
add_forwarder (Splitter *self, guint32 arc, guint32 vertex, gint64 ns)
{
  gint64 key = (gint64) ((guint64) arc << 32 | vertex);
  gint64 *sum = g_hash_table_lookup (self->ns_of, &key);

  if (sum == NULL)
    {
      sum = g_new0 (gint64, 1);
      g_hash_table_insert (self->ns_of, make_key (arc, vertex), sum);
    }
  *sum += ns;
}

static void
add_piece (Splitter *self, gint64 start, gint64 end, guint32 waiter, guint32 waker, guint32 arc)
{
  TbWaits *pieces = &self->pieces;
  gsize i = pieces->n;

  if (i > 0 && pieces->waiter[i - 1] == waiter && pieces->waker[i - 1] == waker
      && pieces->end[i - 1] == start)
    {
      pieces->end[i - 1] = end;
      return;
    }
  if (i == self->size)
    {
      self->size += self->size / 2 + 64;
      pieces->start = g_renew (gint64, pieces->start, self->size);
      pieces->end = g_renew (gint64, pieces->end, self->size);
      pieces->waiter = g_renew (guint32, pieces->waiter, self->size);
      pieces->waker = g_renew (guint32, pieces->waker, self->size);
      pieces->edge = g_renew (guint32, pieces->edge, self->size);
    }
  pieces->start[i] = start;
  pieces->end[i] = end;
  pieces->waiter[i] = waiter;
  pieces->waker[i] = waker;
  pieces->edge[i] = arc;
  pieces->n++;
}

/* Splits a wait. Returns whether any part of it is forwarded. */
static gboolean
split_wait (Splitter *self, gsize wait)
{
  const TbWaitGraph *graph = self->graph;
  const TbWaits *waits = &graph->model->waits;
  guint32 waiter = waits->waiter[wait], waker = waits->waker[wait];
  gint64 time = waits->start[wait];
  gboolean is_forwarded = FALSE;

  while (time < waits->end[wait])
    {
      gint64 until = waits->end[wait];
      guint32 node = follow (self, waker, time, &until);
      guint32 arc = node != waker ? find_arc (self, graph->vertex_of_node[waiter],
                                              graph->vertex_of_node[node])
                                  : TB_ID_NONE;

      if (arc != TB_ID_NONE)
        {
          add_piece (self, time, until, waiter, node, arc);
          add_forwarder (self, arc, graph->vertex_of_node[waker], until - time);
          is_forwarded = TRUE;
        }
      else
        add_piece (self, time, until, waiter, waker, graph->arc_of_edge[waits->edge[wait]]);
      time = until;
    }
  return is_forwarded;
}

static void
set_forwarders (Splitter *self)
{
  g_autofree gint64 *most = g_new0 (gint64, self->graph->arcs->len + 1);
  GHashTableIter iter;
  gpointer key, ns;

  g_hash_table_iter_init (&iter, self->ns_of);
  while (g_hash_table_iter_next (&iter, &key, &ns))
    {
      guint32 index = (guint32) ((guint64) * (gint64 *) key >> 32),
              vertex = (guint32) * (gint64 *) key;
      TbWaitArc *arc = tb_wait_graph_get_arc (self->graph, index);

      if (arc->forwarder != TB_ID_NONE
          && (*(gint64 *) ns < most[index]
              || (*(gint64 *) ns == most[index] && vertex > arc->forwarder)))
        continue;
      most[index] = *(gint64 *) ns;
      arc->forwarder = vertex;
    }
}

gboolean
tb_wait_forward_waits (TbWaitGraph *graph,
                       const guint8 *outside,
                       const guint8 *is_forwarder,
                       TbWaits *waits)
{
  g_auto (Splitter) self = { .graph = graph, .outside = outside, .is_forwarder = is_forwarder };
  const TbWaits *of = &graph->model->waits;
  gsize most = 2 * of->n + 65536;
  gboolean is_forwarded = FALSE;

  index_waits (&self);
  index_arcs (&self);
  if (g_hash_table_size (self.arcs) == 0)
    return FALSE;
  self.size = of->n;
  self.pieces.start = g_new (gint64, of->n + 1);
  self.pieces.end = g_new (gint64, of->n + 1);
  self.pieces.waiter = g_new (guint32, of->n + 1);
  self.pieces.waker = g_new (guint32, of->n + 1);
  self.pieces.edge = g_new (guint32, of->n + 1);
  for (gsize i = 0; i < of->n && self.pieces.n <= most; i++)
    if (!outside[of->waiter[i]] && is_forwarder[of->waker[i]])
      is_forwarded |= split_wait (&self, i);
    else
      add_piece (&self, of->start[i], of->end[i], of->waiter[i], of->waker[i],
                 graph->arc_of_edge[of->edge[i]]);
  if (!is_forwarded || self.pieces.n > most)
    return FALSE;
  set_forwarders (&self);
  *waits = self.pieces;
  self.pieces = (TbWaits) { 0 };
  return TRUE;
}
