/* tb-wait-new-work.c: edges that only wait for new work, as programs' queues have them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-wait-new-work.h"

#define EDGE "edge:"

typedef struct
{
  char *module; /* NULL any */
  GPatternSpec *function;
} Name;

static void
name_clear (gpointer data)
{
  Name *self = data;

  g_free (self->module);
  g_pattern_spec_free (self->function);
}

static gboolean
is_edge (const char *text)
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
      /* "std::queue::pop" is no module */
      gboolean has_module = colon != NULL && colon[1] != ':';
      Name name = { .function = NULL };

      if (is_edge (functions[i]))
        continue;
      name.function = g_pattern_spec_new (has_module ? colon + 1 : functions[i]);
      name.module = has_module ? g_strndup (functions[i], (gsize) (colon - functions[i])) : NULL;
      g_array_append_val (names, name);
    }
  return names;
}

static gboolean
is_named (const GArray *names, const TbContextNode *node)
{
  for (guint i = 0; i < names->len; i++)
    {
      const Name *name = &g_array_index (names, Name, i);

      if ((name->module == NULL || g_str_equal (name->module, node->module))
          && g_pattern_spec_match_string (name->function, node->function))
        return TRUE;
    }
  return FALSE;
}

/* By node of the tree: whether it, or what called it, is so named. Callers have smaller numbers. */
static guint8 *
find_nodes (TbContextTree *tree, const GArray *names)
{
  guint n_nodes = tb_context_tree_get_n_nodes (tree);
  guint8 *is_within = g_new0 (guint8, n_nodes + 1);
  g_autofree guint8 *known = g_new0 (guint8, tb_context_tree_get_n_functions (tree) + 1); /* 1 not, 2 named */

  for (guint32 i = 1; i < n_nodes; i++)
    {
      guint32 function = tb_context_tree_get_function (tree, i);
      TbContextNode node;

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
is_called (const TbWaitVertex *vertex, const char *name, gsize length)
{
  return (strlen (vertex->id) == length && memcmp (vertex->id, name, length) == 0)
         || (strlen (vertex->name) == length && memcmp (vertex->name, name, length) == 0);
}

/* Names may have a ">" in them: it may be any of the text. */
static void
mark_edge (TbWaitGraph *graph, const char *text)
{
  g_autofree guint8 *ends = g_new (guint8, graph->vertices->len + 1);
  const char *from = text + strlen (EDGE);

  for (const char *arrow = strchr (from, '>'); arrow != NULL; arrow = strchr (arrow + 1, '>'))
    {
      for (guint32 i = 0; i < graph->vertices->len; i++)
        {
          const TbWaitVertex *vertex = tb_wait_graph_get_vertex (graph, i);

          ends[i] = (guint8) (is_called (vertex, from, (gsize) (arrow - from))
                              | is_called (vertex, arrow + 1, strlen (arrow + 1)) << 1);
        }
      for (guint32 i = 0; i < graph->arcs->len; i++)
        {
          TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);

          if (!arc->idle && (ends[arc->from] & 1) != 0 && (ends[arc->to] & 2) != 0)
            {
              arc->new_work = TRUE;
              arc->said = text;
            }
        }
    }
}

static void
mark_edges (TbWaitGraph *graph, const char *const *texts)
{
  for (guint i = 0; texts[i] != NULL; i++)
    if (is_edge (texts[i]))
      mark_edge (graph, texts[i]);
}

void
tb_wait_find_new_work (TbWaitGraph *graph, const TbWaitStacks *stacks, const char *const *functions)
{
  const TbWaits *waits = &graph->model->waits;
  g_autoptr (GArray) names = NULL;
  g_autofree guint8 *is_within = NULL;

  if (functions == NULL || functions[0] == NULL)
    return;
  names = list_names (functions);
  if (names->len == 0)
    {
      mark_edges (graph, functions);
      return;
    }
  is_within = find_nodes (stacks->tree, names);
  for (guint32 i = 0; i < graph->arcs->len; i++)
    {
      TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);
      gint64 all = 0, within = 0;

      for (gsize j = arc->first; j < arc->first + arc->n && !tb_wait_is_given_up (j); j++)
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
  mark_edges (graph, functions);
}
