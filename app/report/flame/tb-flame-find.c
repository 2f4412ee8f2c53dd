/* tb-flame-find.c: search for a box of a flame figure: that of a thread at a time, with an index of
 * boxes by thread and time; or that with the same name and callers as a node of another figure
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/flame/tb-flame-figure-private.h"

static gint64
get_overlap (const TbFlameNode *node, gint64 from, gint64 to)
{
  return MIN (node->to, to) - MAX (node->from, from);
}

/* The child with the largest overlap with a time, without children that are other processes. */
static guint
find_child (TbFlameFigure *self, guint node, gint64 from, gint64 to)
{
  guint best = TB_ID_NONE;
  gint64 most = 0;

  for (guint child = tb_flame_figure_get_node (self, node)->first_child; child != TB_ID_NONE;
       child = tb_flame_figure_get_node (self, child)->next_sibling)
    {
      const TbFlameNode *info = tb_flame_figure_get_node (self, child);
      gint64 overlap = get_overlap (info, from, to);

      if (info->from >= to)
        break;
      if (info->paint == TB_FLAME_PROCESS || overlap <= most)
        continue;
      most = overlap;
      best = child;
    }
  /* A child that covers a small part of the time does not represent it. */
  return most >= (to - from + 1) / 2 ? best : TB_ID_NONE;
}

/* Indexes the nodes that have a thread, by thread and time. order: all nodes by time. */
void
tb_flame_figure_index_threads (TbFlameFigure *self, const TbFlameKey *order)
{
  const TbFlameNode *nodes = (const TbFlameNode *) (gconstpointer) self->nodes->data;
  g_autofree TbFlameKey *keys = g_new (TbFlameKey, (gsize) self->nodes->len + 1);
  g_autofree TbFlameKey *spare = NULL;
  const TbFlameKey *sorted;
  guint n = 0;

  for (guint i = 0; i < self->nodes->len; i++)
    if (nodes[order[i].node].thread != TB_ID_NONE)
      keys[n++] = (TbFlameKey) { .minor = nodes[order[i].node].thread, .node = i };
  spare = g_new (TbFlameKey, (gsize) n + 1);
  sorted = tb_flame_sort (keys, spare, n, NULL, NULL);
  self->thread_boxes = g_new (TbFlameThreadBox, (gsize) n + 1);
  self->n_thread_boxes = n;
  for (guint i = 0; i < n; i++)
    {
      const TbFlameNode *node = &nodes[order[sorted[i].node].node];
      TbFlameThreadBox *thread_boxes = &self->thread_boxes[i];

      *thread_boxes = (TbFlameThreadBox) { node->thread, order[sorted[i].node].node, node->to };
      if (i > 0 && thread_boxes[-1].thread == node->thread)
        thread_boxes->reach = MAX (thread_boxes->reach, thread_boxes[-1].reach);
    }
}

/* The first box of the thread that can end after the time. */
static guint
find_first (TbFlameFigure *self, guint32 thread, gint64 from)
{
  guint low = 0, high = self->n_thread_boxes;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TbFlameThreadBox *thread_boxes = &self->thread_boxes[middle];

      if (thread_boxes->thread < thread
          || (thread_boxes->thread == thread && thread_boxes->reach <= from))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * tb_flame_figure_find_box:
 * @self: a frozen chronological figure
 * @thread: id of a thread in the session
 * @from: start of a time, ns of the session's clock
 * @to: end of the time
 * @innermost: whether to prefer a descendant of the box that covers at least half of the time, up
 *   to the next process
 *
 * Finds the box of a thread with the largest overlap with a time. Only the thread's boxes at that
 * time are examined.
 *
 * Returns: index of the node, %TB_ID_NONE if the thread has no box at that time
 */
guint
tb_flame_figure_find_box (TbFlameFigure *self,
                          guint32 thread,
                          gint64 from,
                          gint64 to,
                          gboolean innermost)
{
  guint best = TB_ID_NONE;
  gint64 most = 0;

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), TB_ID_NONE);
  g_return_val_if_fail (tb_figure_is_frozen (TB_FIGURE (self)), TB_ID_NONE);
  g_return_val_if_fail (from <= to, TB_ID_NONE);

  if (thread == TB_ID_NONE || !self->chronological)
    return TB_ID_NONE;
  for (guint i = find_first (self, thread, from);
       i < self->n_thread_boxes && self->thread_boxes[i].thread == thread; i++)
    {
      guint node = self->thread_boxes[i].node;
      const TbFlameNode *info = tb_flame_figure_get_node (self, node);
      gint64 overlap = get_overlap (info, from, to);

      if (info->from >= to)
        break;
      /* Of boxes with the same overlap the one that was added first is taken. */
      if (overlap < most || overlap == 0 || (overlap == most && node > best))
        continue;
      most = overlap;
      best = node;
    }
  for (guint next = best; innermost && next != TB_ID_NONE; next = find_child (self, best, from, to))
    best = next;
  return best;
}

static gboolean
nodes_equal (const TbFlameNode *one, const TbFlameNode *two)
{
  return one->paint == two->paint && g_str_equal (one->name, two->name)
         && g_str_equal (one->module, two->module);
}

/**
 * tb_flame_figure_match_node:
 * @self: a frozen figure that is not chronological
 * @other: another figure
 * @node: index of a node of @other
 *
 * Finds the node with the same name, module and paint whose ancestors are also the same, such as in
 * the chronological and the consolidated figure of one recording.
 *
 * Returns: index of the node in @self, or %TB_ID_NONE
 */
guint
tb_flame_figure_match_node (TbFlameFigure *self, TbFlameFigure *other, guint node)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint));
  guint found = TB_ID_NONE;

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), TB_ID_NONE);
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (other), TB_ID_NONE);
  g_return_val_if_fail (node == TB_ID_NONE || node < other->nodes->len, TB_ID_NONE);

  for (guint at = node; at != TB_ID_NONE; at = tb_flame_figure_get_node (other, at)->parent)
    g_array_append_val (path, at);
  for (guint i = path->len; i-- > 0;)
    {
      const TbFlameNode *wanted = tb_flame_figure_get_node (other, g_array_index (path, guint, i));
      guint at = found == TB_ID_NONE ? self->first_root
                                     : tb_flame_figure_get_node (self, found)->first_child;

      while (at != TB_ID_NONE && !nodes_equal (wanted, tb_flame_figure_get_node (self, at)))
        at = tb_flame_figure_get_node (self, at)->next_sibling;
      if (at == TB_ID_NONE)
        return TB_ID_NONE;
      found = at;
    }
  return found;
}
