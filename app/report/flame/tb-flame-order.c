/* tb-flame-order.c: puts the nodes of a flame figure in order when it is frozen
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/flame/tb-flame-private.h"

static TbFlameNode *
get_nodes (TbFlameFigure *self)
{
  return (TbFlameNode *) (gpointer) self->nodes->data;
}

static void
sum_totals (TbFlameFigure *self)
{
  TbFlameNode *nodes = get_nodes (self);

  self->total = 0;
  self->base_total = 0;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      TbFlameNode *node = &nodes[i];
      TbFlameLane *lane = &g_array_index (self->lanes, TbFlameLane, node->lane);

      node->total = node->own;
      node->base_total = node->base_own;
      node->n_children = 0;
      node->depth = node->parent == TB_ID_NONE ? 0 : nodes[node->parent].depth + 1;
      lane->depth = MAX (lane->depth, node->depth + 1);
      self->depth = MAX (self->depth, node->depth + 1);
    }
  /* A parent stands before its children: from the last to the first, all children are complete. */
  for (guint i = self->nodes->len; i-- > 0;)
    {
      guint64 *into = nodes[i].parent == TB_ID_NONE ? &self->total : &nodes[nodes[i].parent].total;

      guint64 *base = nodes[i].parent == TB_ID_NONE ? &self->base_total : &nodes[nodes[i].parent].base_total;

      *into = tb_flame_add_saturated (*into, nodes[i].total);
      *base = tb_flame_add_saturated (*base, nodes[i].base_total);
      if (nodes[i].parent != TB_ID_NONE)
        nodes[nodes[i].parent].n_children++;
      nodes[i].beyond = MIN (nodes[i].beyond, nodes[i].total - nodes[i].own);
    }
}

static int
compare_indices (guint one, guint two)
{
  return one < two ? -1 : one > two;
}

static int
compare_siblings (gconstpointer a, gconstpointer b, gpointer data)
{
  TbFlameFigure *self = data;
  const TbFlameNode *nodes = get_nodes (self);
  guint one = *(const guint *) a;
  guint two = *(const guint *) b;

  if (nodes[one].parent != nodes[two].parent)
    return nodes[one].parent < nodes[two].parent ? -1 : 1;
  if (nodes[one].lane != nodes[two].lane)
    return nodes[one].lane < nodes[two].lane ? -1 : 1;
  if (nodes[one].from != nodes[two].from)
    return nodes[one].from < nodes[two].from ? -1 : 1;
  if (self->by_name && nodes[one].name != nodes[two].name)
    {
      int order = strcmp (nodes[one].name, nodes[two].name);

      return order != 0 ? order : compare_indices (one, two);
    }
  /* In a chronological figure what begins at one time stays as it was added. */
  if (nodes[one].from == TB_TIME_NONE && nodes[one].total != nodes[two].total)
    return nodes[one].total > nodes[two].total ? -1 : 1;
  return compare_indices (one, two);
}

static void
link_siblings (TbFlameFigure *self)
{
  TbFlameNode *nodes = get_nodes (self);
  guint n = self->nodes->len;
  g_autofree guint *order = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_sort_array (order, n, sizeof (guint), compare_siblings, self);
  for (guint i = n; i-- > 0;)
    {
      TbFlameNode *node = &nodes[order[i]];
      guint *first = node->parent == TB_ID_NONE ? &self->first_root : &nodes[node->parent].first_child;

      node->next_sibling = *first;
      *first = order[i];
    }
}

static int
compare_times (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbFlameNode *nodes = data;
  guint one = *(const guint *) a;
  guint two = *(const guint *) b;

  if (nodes[one].from != nodes[two].from)
    return nodes[one].from < nodes[two].from ? -1 : 1;
  return compare_indices (one, two);
}

/* The boxes of each row of each lane by time, so that a view finds those of a stretch without looking at all. */
static void
lay_rows (TbFlameFigure *self)
{
  const TbFlameNode *nodes = get_nodes (self);
  guint n = self->nodes->len;
  guint n_rows = 0;
  g_autofree guint *order = g_new (guint, n + 1);
  g_autofree guint *next = NULL;

  for (guint i = 0; i < self->lanes->len; i++)
    {
      TbFlameLane *lane = &g_array_index (self->lanes, TbFlameLane, i);

      lane->first_row = n_rows;
      n_rows += lane->depth; /* in all not more than there are nodes */
    }
  self->row_starts = g_new0 (guint, n_rows + 1);
  self->row_nodes = g_new (guint, n + 1);
  self->row_reach = g_new (gint64, n + 1);
  for (guint i = 0; i < n; i++)
    {
      order[i] = i;
      self->row_starts[g_array_index (self->lanes, TbFlameLane, nodes[i].lane).first_row + nodes[i].depth
                       + 1]++;
    }
  for (guint row = 0; row < n_rows; row++)
    self->row_starts[row + 1] += self->row_starts[row];
  g_sort_array (order, n, sizeof (guint), compare_times, (gpointer) nodes);
  next = g_memdup2 (self->row_starts, (n_rows + 1) * sizeof *next);
  for (guint i = 0; i < n; i++)
    {
      const TbFlameNode *node = &nodes[order[i]];
      guint row = g_array_index (self->lanes, TbFlameLane, node->lane).first_row + node->depth;
      guint place = next[row]++;

      self->row_nodes[place] = order[i];
      self->row_reach[place]
          = place > self->row_starts[row] ? MAX (node->to, self->row_reach[place - 1]) : node->to;
    }
}

void
tb_flame_figure_put_in_order (TbFlameFigure *self)
{
  sum_totals (self);
  link_siblings (self);
  if (self->chronological)
    lay_rows (self);
  tb_flame_figure_sort_shares (self);
}
