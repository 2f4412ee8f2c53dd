/* tb-wait-flames.c: two flame graphs for a wait-graph report, of waiters' and of wakers' call
 * stacks; in each, every edge of the graph is a root
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-wait-items.h"
#include "tb-wait-flames.h"
#include "model/tb-wait-names.h"
#include "trace/tb-context-tree.h"

typedef struct
{
  const TbWaitResult *result;
  TbContextTree *tree;
  TbFlameFigure *figure;
  TbWaitSide side;
  GHashTable *node_of; /* of the current edge: context → node of the figure */
} Drawer;

void
tb_wait_flames_free (TbWaitFlames *self)
{
  for (guint i = 0; i < 2; i++)
    {
      g_clear_object (&self->figures[i]);
      for (guint32 j = 0; self->items[i] != NULL && j < self->n_arcs; j++)
        g_free (self->items[i][j]);
      g_free (self->items[i]);
    }
  g_free (self);
}

/* Adds a context below its callers. Returns its node. */
static guint
add_context (Drawer *self, guint root, guint32 context)
{
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (guint32));
  gpointer found = GUINT_TO_POINTER (root);

  while (context != 0
         && !g_hash_table_lookup_extended (self->node_of, GUINT_TO_POINTER (context), NULL, &found))
    {
      g_array_append_val (chain, context);
      context = tb_context_tree_get_parent (self->tree, context);
    }
  if (context == 0)
    found = GUINT_TO_POINTER (root);
  for (guint i = chain->len; i > 0; i--)
    {
      guint32 next = g_array_index (chain, guint32, i - 1);
      TbContextNode node;

      tb_context_tree_get_node (self->tree, next, &node);
      found = GUINT_TO_POINTER (
          tb_flame_figure_add_node (self->figure, GPOINTER_TO_UINT (found), node.function,
                                    node.module, node.kernel ? TB_FLAME_KERNEL : TB_FLAME_USER, 0,
                                    0));
      g_hash_table_insert (self->node_of, GUINT_TO_POINTER (next), found);
    }
  return GPOINTER_TO_UINT (found);
}

static char *
draw_arc (Drawer *self, guint32 arc)
{
  const TbWaitGraph *graph = self->result->graph;
  const TbWaitArc *of = tb_wait_graph_get_arc (graph, arc);
  g_autoptr (GArray) stacks = tb_wait_stacks_sum (self->result->stacks, arc, self->side);
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  g_autofree char *name = NULL;
  g_autofree char *item = NULL;
  guint root;

  if (stacks->len == 0)
    return NULL;
  from = tb_wait_vertex_describe_translated (graph, of->from);
  to = tb_wait_vertex_describe_translated (graph, of->to);
  name = g_strdup_printf ("%s → %s", from, to);
  item = tb_wait_arc_get_item (graph, arc);
  root = tb_flame_figure_add_node (self->figure, TB_ID_NONE, name, "", TB_FLAME_PROCESS, 0,
                                   of->waits);
  tb_flame_figure_set_detail (self->figure, root, item);
  g_hash_table_remove_all (self->node_of);
  for (guint i = 0; i < stacks->len; i++)
    {
      const TbWaitStack *stack = &g_array_index (stacks, TbWaitStack, i);
      guint node = add_context (self, root, tb_context_tree_find (self->tree, stack->stack));

      tb_flame_figure_add_node (self->figure, node,
                                self->side == TB_WAIT_WAITER ? C_ ("what a thread does", "waits")
                                                             : C_ ("what a thread does", "wakes"),
                                "", TB_FLAME_WAITING, (guint64) stack->ns, stack->count);
    }
  return tb_flame_figure_get_item (self->figure, root);
}

static TbFigure *
draw (const TbWaitResult *result, TbWaitSide side, char **items, GCancellable *cancellable)
{
  g_autoptr (TbFlameFigure) figure
      = side == TB_WAIT_WAITER
            ? tb_flame_figure_new (TB_WAIT_FIGURE_WAITERS, _ ("Stacks of Waiters"), "ns")
            : tb_flame_figure_new (TB_WAIT_FIGURE_WAKERS, _ ("Stacks of Wakers"), "ns");
  Drawer drawer = { .result = result,
                    .tree = tb_trace_get_context_tree (result->trace),
                    .figure = figure,
                    .side = side };
  gboolean is_good = TRUE, any = FALSE;

  drawer.node_of = g_hash_table_new (NULL, NULL);
  for (guint32 i = 0; is_good && i < result->graph->arcs->len; i++)
    {
      items[i] = draw_arc (&drawer, i);
      any |= items[i] != NULL;
      is_good = !g_cancellable_is_cancelled (cancellable);
    }
  g_hash_table_unref (drawer.node_of);
  g_object_unref (drawer.tree);
  return any && is_good ? TB_FIGURE (g_steal_pointer (&figure)) : NULL;
}

TbWaitFlames *
tb_wait_flames_new (const TbWaitResult *result, GCancellable *cancellable, GError **error)
{
  g_autoptr (TbWaitFlames) self = g_new0 (TbWaitFlames, 1);

  self->n_arcs = result->graph->arcs->len;
  for (guint i = 0; i < 2; i++)
    {
      self->items[i] = g_new0 (char *, self->n_arcs + 1);
      self->figures[i] = draw (result, i, self->items[i], cancellable);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}
