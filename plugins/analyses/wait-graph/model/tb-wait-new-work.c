/* tb-wait-new-work.c: marking of the edges that wait for new work (idle time), by the names of
 * functions or edges in an option
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-wait-new-work.h"

#include "tb-wait-names.h"

#define EDGE "edge:"

typedef struct
{
  char *module; /* NULL: any */
  GPatternSpec *function;
  const char *text;
  gboolean is_known; /* there were waits in it */
} Name;

static void
name_clear (gpointer data)
{
  Name *self = data;

  g_free (self->module);
  g_pattern_spec_free (self->function);
}

gboolean
tb_wait_is_edge_name (const char *text)
{
  return g_str_has_prefix (text, EDGE) && strchr (text, '>') != NULL;
}

static GArray *
list_names (const char *const *functions)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (Name));

  g_array_set_clear_func (names, name_clear);
  for (guint i = 0; functions[i] != NULL; i++)
    {
      const char *colon = strchr (functions[i], ':');
      /* "std::queue::pop" has no module */
      gboolean has_module = colon != NULL && colon[1] != ':';
      Name name = { .text = functions[i] };

      if (tb_wait_is_edge_name (functions[i]))
        continue;
      name.function = g_pattern_spec_new (has_module ? colon + 1 : functions[i]);
      name.module = has_module ? g_strndup (functions[i], (gsize) (colon - functions[i])) : NULL;
      g_array_append_val (names, name);
    }
  return names;
}

static gboolean
is_named (GArray *names, const TbContextNode *node)
{
  gboolean found = FALSE;

  for (guint i = 0; i < names->len; i++)
    {
      Name *name = &g_array_index (names, Name, i);

      if ((name->module == NULL || g_str_equal (name->module, node->module))
          && g_pattern_spec_match_string (name->function, node->function))
        found = name->is_known = TRUE;
    }
  return found;
}

/* By node of the tree: whether there were waits in it or in its callees. */
static guint8 *
find_waited_in (const TbWaitGraph *graph, const TbWaitStacks *stacks)
{
  guint n_nodes = tb_context_tree_get_n_nodes (stacks->tree);
  guint8 *is_waited_in = g_new0 (guint8, n_nodes + 1);

  for (guint32 i = 0; i < graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);

      for (gsize j = arc->first; j < arc->first + arc->n && !tb_wait_is_cancelled (j); j++)
        {
          guint32 stack = tb_wait_stacks_get (stacks, graph->order[j], TB_WAIT_WAITER);

          if (stack != TB_STACK_NONE)
            is_waited_in[tb_context_tree_find (stacks->tree, stack)] = TRUE;
        }
    }
  for (guint32 i = n_nodes; i > 1; i--)
    if (is_waited_in[i - 1])
      is_waited_in[tb_context_tree_get_parent (stacks->tree, i - 1)] = TRUE;
  return is_waited_in;
}

/* By node of the tree: whether it or one of its callers is named. Callers have smaller numbers. */
static guint8 *
find_nodes (const TbWaitGraph *graph, const TbWaitStacks *stacks, GArray *names)
{
  TbContextTree *tree = stacks->tree;
  g_autofree guint8 *is_waited_in = find_waited_in (graph, stacks);
  guint n_nodes = tb_context_tree_get_n_nodes (tree);
  guint8 *is_within = g_new0 (guint8, n_nodes + 1);
  /* 1: not named, 2: named */
  g_autofree guint8 *known = g_new0 (guint8, tb_context_tree_get_n_functions (tree) + 1);

  for (guint32 i = 1; i < n_nodes; i++)
    {
      guint32 function = tb_context_tree_get_function (tree, i);
      TbContextNode node;

      /* Stacks of wakers do not matter. */
      if (!is_waited_in[i])
        continue;
      if (known[function] == 0)
        {
          tb_context_tree_get_node (tree, i, &node);
          known[function] = is_named (names, &node) ? 2 : 1;
        }
      is_within[i] = known[function] == 2 || is_within[tb_context_tree_get_parent (tree, i)];
    }
  return is_within;
}

static gboolean
matches_name (const TbWaitGraph *graph, guint32 vertex, const char *name, gsize length)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  g_autofree char *shown = tb_wait_vertex_describe_translated (graph, vertex);
  const char *const names[] = { of->id, of->name, shown };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strlen (names[i]) == length && memcmp (names[i], name, length) == 0)
      return TRUE;
  return FALSE;
}

/* Names may contain ">", so any ">" of the text may be the separator. Returns whether there is such
 * an edge. */
static gboolean
mark_edge (TbWaitGraph *graph, const char *text)
{
  g_autofree guint8 *ends = g_new (guint8, graph->vertices->len + 1);
  const char *from = text + strlen (EDGE);
  gboolean found = FALSE;

  for (const char *arrow = strchr (from, '>'); arrow != NULL; arrow = strchr (arrow + 1, '>'))
    {
      for (guint32 i = 0; i < graph->vertices->len; i++)
        {
          ends[i] = (guint8) (matches_name (graph, i, from, (gsize) (arrow - from))
                              | matches_name (graph, i, arrow + 1, strlen (arrow + 1)) << 1);
        }
      for (guint32 i = 0; i < graph->arcs->len; i++)
        {
          TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);

          if ((ends[arc->from] & 1) == 0 || (ends[arc->to] & 2) == 0)
            continue;
          found = TRUE;
          if (!arc->idle)
            {
              arc->new_work = TRUE;
              arc->assertion = text;
            }
        }
    }
  return found;
}

static void
mark_edges (TbWaitGraph *graph, const char *const *texts, GPtrArray *unknown)
{
  for (guint i = 0; texts[i] != NULL; i++)
    if (tb_wait_is_edge_name (texts[i]) && !mark_edge (graph, texts[i]))
      g_ptr_array_add (unknown, g_strdup (texts[i]));
}

void
tb_wait_find_new_work (TbWaitGraph *graph,
                       const TbWaitStacks *stacks,
                       const char *const *functions,
                       GPtrArray *unknown)
{
  const TbWaits *waits = &graph->model->waits;
  g_autoptr (GArray) names = NULL;
  g_autofree guint8 *is_within = NULL;

  if (functions == NULL || functions[0] == NULL)
    return;
  names = list_names (functions);
  if (names->len == 0)
    {
      mark_edges (graph, functions, unknown);
      return;
    }
  is_within = find_nodes (graph, stacks, names);
  for (guint i = 0; i < names->len; i++)
    if (!g_array_index (names, Name, i).is_known)
      g_ptr_array_add (unknown, g_strdup (g_array_index (names, Name, i).text));
  for (guint32 i = 0; i < graph->arcs->len; i++)
    {
      TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);
      gint64 all = 0, within = 0;

      for (gsize j = arc->first; j < arc->first + arc->n && !tb_wait_is_cancelled (j); j++)
        {
          gsize wait = graph->order[j];
          gint64 length = waits->end[wait] - waits->start[wait];
          guint32 stack = tb_wait_stacks_get (stacks, wait, TB_WAIT_WAITER);

          all += length;
          if (stack != TB_STACK_NONE && is_within[tb_context_tree_find (stacks->tree, stack)])
            within += length;
        }
      arc->new_work = within > all / 2;
    }
  mark_edges (graph, functions, unknown);
}
