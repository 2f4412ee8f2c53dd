/* tb-flame-order.c: order, depths and totals of the nodes of a flame figure, and its rows of boxes
 * by time, computed when it is frozen
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/flame/tb-flame-figure-private.h"

static TbFlameNode *
get_nodes (TbFlameFigure *self)
{
  return (TbFlameNode *) (gpointer) self->nodes->data;
}

static gboolean
is_cancelled (guint i, GCancellable *cancellable)
{
  return i % TB_FLAME_CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable);
}

/* A parent has a smaller index than its children. */
static gboolean
find_depths (TbFlameFigure *self, GCancellable *cancellable)
{
  TbFlameNode *nodes = get_nodes (self);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      TbFlameNode *node = &nodes[i];
      TbFlameLane *lane = &g_array_index (self->lanes, TbFlameLane, node->lane);

      if (is_cancelled (i, cancellable))
        return FALSE;
      node->total = node->own;
      node->base_total = node->base_own;
      node->n_children = 0;
      node->depth = node->parent == TB_ID_NONE ? 0 : nodes[node->parent].depth + 1;
      lane->depth = MAX (lane->depth, node->depth + 1);
      self->depth = MAX (self->depth, node->depth + 1);
    }
  return TRUE;
}

/* From the last node to the first, so that the totals of all children are complete before their
 * parent's. */
static gboolean
sum_totals (TbFlameFigure *self, GCancellable *cancellable)
{
  TbFlameNode *nodes = get_nodes (self);

  self->total = 0;
  self->base_total = 0;
  for (guint i = self->nodes->len; i-- > 0;)
    {
      guint64 *sum = nodes[i].parent == TB_ID_NONE ? &self->total : &nodes[nodes[i].parent].total;
      guint64 *base
          = nodes[i].parent == TB_ID_NONE ? &self->base_total : &nodes[nodes[i].parent].base_total;

      if (is_cancelled (i, cancellable))
        return FALSE;
      *sum = tb_flame_add_saturated (*sum, nodes[i].total);
      *base = tb_flame_add_saturated (*base, nodes[i].base_total);
      if (nodes[i].parent != TB_ID_NONE)
        nodes[nodes[i].parent].n_children++;
      nodes[i].overhang = MIN (nodes[i].overhang, nodes[i].total - nodes[i].own);
    }
  return TRUE;
}

/* The sort key among siblings: in a chronological figure the start time, else the name or the
 * weight. */
static TbFlameKey
make_key (TbFlameFigure *self, const TbFlameNode *node, guint index)
{
  guint64 minor = self->chronological ? (guint64) node->from : self->by_name ? 0 : ~node->total;

  return (TbFlameKey) { .major = node->lane, .node = index, .minor = minor };
}

/* Keys of all nodes, grouped by parent. starts[0]: the roots. starts[parent + 1]: the children of a
 * parent. */
static TbFlameKey *
gather_siblings (TbFlameFigure *self, guint *starts, GCancellable *cancellable)
{
  const TbFlameNode *nodes = get_nodes (self);
  guint n = self->nodes->len, n_roots = 0;
  g_autofree TbFlameKey *keys = g_new (TbFlameKey, (gsize) n + 1);

  for (guint i = 0; i < n; i++)
    {
      if (is_cancelled (i, cancellable))
        return NULL;
      n_roots += nodes[i].parent == TB_ID_NONE;
    }
  starts[0] = 0;
  starts[1] = n_roots;
  for (guint i = 0; i < n; i++)
    {
      if (is_cancelled (i, cancellable))
        return NULL;
      starts[i + 2] = starts[i + 1] + nodes[i].n_children;
    }
  for (guint i = 0; i < n; i++)
    {
      guint group = nodes[i].parent == TB_ID_NONE ? 0 : nodes[i].parent + 1;

      if (is_cancelled (i, cancellable))
        return NULL;
      keys[starts[group]++] = make_key (self, &nodes[i], i);
    }
  /* Each start has advanced to the next one. */
  memmove (&starts[1], starts, ((gsize) n + 1) * sizeof *starts);
  starts[0] = 0;
  return g_steal_pointer (&keys);
}

static gboolean
chain (TbFlameNode *nodes, const TbFlameKey *keys, guint n, guint *first, GCancellable *cancellable)
{
  for (guint i = n; i-- > 0;)
    {
      if (i % TB_FLAME_CANCEL_EVERY == TB_FLAME_CANCEL_EVERY - 1
          && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      nodes[keys[i].node].next_sibling = *first;
      *first = keys[i].node;
    }
  return TRUE;
}

static gboolean
link_siblings (TbFlameFigure *self, GCancellable *cancellable)
{
  TbFlameNode *nodes = get_nodes (self);
  guint n = self->nodes->len;
  g_autofree guint *starts = g_new (guint, (gsize) n + 2);
  g_autofree TbFlameKey *keys = gather_siblings (self, starts, cancellable);
  g_autofree TbFlameKey *spare = g_new (TbFlameKey, (gsize) n + 1);

  if (keys == NULL)
    return FALSE;
  for (guint group = 0; group <= n; group++)
    {
      guint first = starts[group];
      guint *head = group == 0 ? &self->first_root : &nodes[group - 1].first_child;
      TbFlameKey *sorted;

      if (starts[group + 1] == first)
        continue;
      sorted = tb_flame_sort (&keys[first], &spare[first], starts[group + 1] - first,
                              self->by_name && !self->chronological ? nodes : NULL, cancellable);
      if (sorted == NULL || is_cancelled (group, cancellable))
        return FALSE;
      if (!chain (nodes, sorted, starts[group + 1] - first, head, cancellable))
        return FALSE;
    }
  return TRUE;
}

/* Computes the first box of each row of each lane. */
static guint
count_rows (TbFlameFigure *self)
{
  const TbFlameNode *nodes = get_nodes (self);
  guint n_rows = 0;

  for (guint i = 0; i < self->lanes->len; i++)
    {
      TbFlameLane *lane = &g_array_index (self->lanes, TbFlameLane, i);

      lane->first_row = n_rows;
      n_rows += lane->depth; /* the sum does not exceed the number of nodes */
    }
  self->row_starts = g_new0 (guint, (gsize) n_rows + 1);
  for (guint i = 0; i < self->nodes->len; i++)
    self->row_starts[g_array_index (self->lanes, TbFlameLane, nodes[i].lane).first_row
                     + nodes[i].depth + 1]++;
  for (guint row = 0; row < n_rows; row++)
    self->row_starts[row + 1] += self->row_starts[row];
  return n_rows;
}

/* Sorts the boxes of each row of each lane by time, so that a view finds those of a time range
 * without a scan. */
static void
build_rows (TbFlameFigure *self, const TbFlameKey *order)
{
  const TbFlameNode *nodes = get_nodes (self);
  guint n = self->nodes->len, n_rows = count_rows (self);
  g_autofree guint *next = g_memdup2 (self->row_starts, ((gsize) n_rows + 1) * sizeof *next);

  self->row_nodes = g_new (guint, (gsize) n + 1);
  self->row_reach = g_new (gint64, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    {
      const TbFlameNode *node = &nodes[order[i].node];
      guint row = g_array_index (self->lanes, TbFlameLane, node->lane).first_row + node->depth;
      guint place = next[row]++;

      self->row_nodes[place] = order[i].node;
      self->row_reach[place]
          = place > self->row_starts[row] ? MAX (node->to, self->row_reach[place - 1]) : node->to;
    }
}

static gboolean
order_by_time (TbFlameFigure *self, GCancellable *cancellable)
{
  const TbFlameNode *nodes = get_nodes (self);
  guint n = self->nodes->len;
  g_autofree TbFlameKey *keys = g_new (TbFlameKey, (gsize) n + 1);
  g_autofree TbFlameKey *spare = g_new (TbFlameKey, (gsize) n + 1);
  TbFlameKey *order;

  for (guint i = 0; i < n; i++)
    keys[i] = (TbFlameKey) { .minor = (guint64) nodes[i].from, .node = i };
  order = tb_flame_sort (keys, spare, n, NULL, cancellable);
  if (order == NULL)
    return FALSE;
  build_rows (self, order);
  tb_flame_figure_index_threads (self, order);
  return TRUE;
}

/* FALSE if cancelled: the figure must then not be used. */
gboolean
tb_flame_figure_sort_nodes (TbFlameFigure *self, GCancellable *cancellable)
{
  if (!find_depths (self, cancellable) || !sum_totals (self, cancellable)
      || !link_siblings (self, cancellable)
      || (self->chronological && !order_by_time (self, cancellable))
      || g_cancellable_is_cancelled (cancellable))
    return FALSE;
  tb_flame_figure_sort_shares (self);
  self->ordered = TRUE;
  return TRUE;
}
