/* tb-wait-stacks.c: call stacks of the waits of an edge, of the waiter or of the waker: that of one
 * wait, or all summed by functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-stacks.h"

TbWaitStacks *
tb_wait_stacks_new (const TbWaitGraph *graph, GError **error)
{
  TbTable *table
      = tb_session_get_table (tb_trace_get_session (graph->model->trace), TB_TABLE_WAKEUP);
  g_autoptr (TbWaitStacks) self = g_new0 (TbWaitStacks, 1);

  self->graph = graph;
  self->rows = tb_trace_get_intervals (graph->model->trace);
  self->tree = tb_trace_get_context_tree (graph->model->trace);
  self->sum_of_context = g_new0 (guint32, (gsize) tb_context_tree_get_n_nodes (self->tree) + 1);
  self->n_wakeups = tb_table_get_n_rows (table);
  if (self->n_wakeups == 0)
    return g_steal_pointer (&self);
  self->wakers = tb_table_get_column (table, TB_WAKEUP_STACK, error);
  if (self->wakers == NULL)
    return NULL;
  self->stack_of_wakeup = g_bytes_get_data (self->wakers, NULL);
  return g_steal_pointer (&self);
}

void
tb_wait_stacks_free (TbWaitStacks *self)
{
  g_clear_pointer (&self->wakers, g_bytes_unref);
  g_clear_object (&self->tree);
  g_free (self->sum_of_context);
  g_free (self);
}

guint32
tb_wait_stacks_get (const TbWaitStacks *self, gsize wait, TbWaitSide side)
{
  const TbIntervals *rows = self->rows;
  guint32 row = self->graph->model->waits.row[wait];

  if (row >= rows->n)
    return TB_STACK_NONE;
  if (side == TB_WAIT_WAITER)
    return rows->stack[row];
  return rows->wakeup[row] < self->n_wakeups ? self->stack_of_wakeup[rows->wakeup[row]]
                                             : TB_STACK_NONE;
}

static int
compare_stacks (gconstpointer a, gconstpointer b)
{
  const TbWaitStack *left = a, *right = b;

  /* Equal sums stay in the order of their waits, because stack numbers depend on what else was
   * recorded. */
  return left->ns > right->ns ? -1 : left->ns < right->ns;
}

GArray *
tb_wait_stacks_sum (const TbWaitStacks *self, guint32 arc, TbWaitSide side)
{
  const TbWaitArc *of = tb_wait_graph_get_arc (self->graph, arc);
  const TbWaits *waits = &self->graph->model->waits;
  GArray *stacks = g_array_new (FALSE, FALSE, sizeof (TbWaitStack));
  /* A virtual vertex may have several parts of a member's wait. */
  gboolean has_pieces
      = tb_wait_graph_get_vertex (self->graph, of->from)->kind == TB_WAIT_NODE_VIRTUAL;
  g_autoptr (GHashTable) counted = has_pieces ? g_hash_table_new (NULL, NULL) : NULL;

  for (gsize i = of->first; i < of->first + of->n && !tb_wait_is_cancelled (i); i++)
    {
      gsize wait = self->graph->order[i];
      guint32 stack = tb_wait_stacks_get (self, wait, side);
      guint32 *index;
      TbWaitStack *sum;

      if (stack == TB_STACK_NONE)
        continue;
      index = &self->sum_of_context[tb_context_tree_find (self->tree, stack)];
      if (*index == 0)
        {
          TbWaitStack new_stack = { .stack = stack };

          g_array_append_val (stacks, new_stack);
          *index = stacks->len;
        }
      sum = &g_array_index (stacks, TbWaitStack, *index - 1);
      sum->ns += waits->end[wait] - waits->start[wait];
      sum->count
          += counted == NULL || g_hash_table_add (counted, GUINT_TO_POINTER (waits->row[wait]));
    }
  for (guint i = 0; i < stacks->len; i++)
    self->sum_of_context[tb_context_tree_find (self->tree,
                                               g_array_index (stacks, TbWaitStack, i).stack)]
        = 0;
  g_array_sort (stacks, compare_stacks);
  return stacks;
}
