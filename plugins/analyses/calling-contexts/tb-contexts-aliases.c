/* tb-contexts-aliases.c: links to edges of the graph of calls, which list the single calls, from
 * rows of tables and boxes of flames
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-aliases.h"

#include <math.h>

#include "tb-contexts-figures.h"

static const TbContextsVertex *
get_vertex (const TbContextsDrawnGraph *self, guint32 number)
{
  return &g_array_index (self->graph->vertices, TbContextsVertex, number);
}

guint
tb_contexts_drawn_graph_get_edge (const TbContextsDrawnGraph *self,
                                  guint32 vertex,
                                  TbContextsSide preferred)
{
  const guint *edges = &self->of_edges[(gsize) vertex * self->n_sides];

  if (vertex == 0)
    return TB_ID_NONE;
  if (self->n_sides == 1)
    return edges[0];
  return edges[preferred] != TB_ID_NONE ? edges[preferred] : edges[!preferred];
}

void
tb_contexts_alias_path (const TbContextsDrawnGraph *self, guint rank, guint32 hot)
{
  guint edge = tb_contexts_drawn_graph_get_edge (self, tb_contexts_graph_find (self->graph, hot),
                                                 TB_CONTEXTS_OTHER);
  g_autofree char *item = tb_contexts_name_path (rank);

  if (edge != TB_ID_NONE)
    tb_graph_figure_add_foreign_alias (self->figure, edge, "paths", item);
}

/* The value that rows are ranked by: own time, or the growth of it. */
static double
get_rank (const TbContextsDrawnGraph *self, guint32 number)
{
  const TbContextsVertex *vertex = get_vertex (self, number);
  double base = isnan (vertex->own[TB_CONTEXTS_BASE]) ? 0 : vertex->own[TB_CONTEXTS_BASE];
  double other = isnan (vertex->own[TB_CONTEXTS_OTHER]) ? 0 : vertex->own[TB_CONTEXTS_OTHER];

  return self->n_sides == 1 ? base : other - base;
}

static void
take_most (const TbContextsDrawnGraph *self, GHashTable *best, char *item, guint32 number)
{
  guint32 so_far = GPOINTER_TO_UINT (g_hash_table_lookup (best, item));

  if (so_far == 0 || get_rank (self, number) > get_rank (self, so_far))
    g_hash_table_insert (best, item, GUINT_TO_POINTER (number));
  else
    g_free (item);
}

static void
add_most (const TbContextsDrawnGraph *self, GHashTable *best, const char *table)
{
  GHashTableIter iter;
  gpointer item, number;

  g_hash_table_iter_init (&iter, best);
  while (g_hash_table_iter_next (&iter, &item, &number))
    {
      guint edge
          = tb_contexts_drawn_graph_get_edge (self, GPOINTER_TO_UINT (number), TB_CONTEXTS_OTHER);

      if (edge != TB_ID_NONE)
        tb_graph_figure_add_foreign_alias (self->figure, edge, table, item);
    }
}

void
tb_contexts_alias_rollups (const TbContextsDrawnGraph *self)
{
  g_autoptr (GHashTable) functions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 1; i < self->graph->vertices->len; i++)
    {
      const TbContextNode *context = &get_vertex (self, i)->context;

      take_most (self, functions, tb_contexts_name_function (context->function, context->module),
                 i);
      take_most (self, modules, g_strdup (context->module != NULL ? context->module : ""), i);
    }
  add_most (self, functions, "functions");
  add_most (self, modules, "modules");
}

void
tb_contexts_alias_boxes (const TbContextsDrawnGraph *self, const TbContextsBoxes *flame)
{
  for (guint32 i = 1; i < self->graph->vertices->len; i++)
    {
      guint32 box = flame->boxes[get_vertex (self, i)->node];
      guint edge = tb_contexts_drawn_graph_get_edge (self, i, flame->preferred);
      g_autofree char *item = g_strdup_printf ("%u", box);

      if (box != TB_ID_NONE && edge != TB_ID_NONE)
        tb_graph_figure_add_foreign_alias (self->figure, edge, flame->flame, item);
    }
}
