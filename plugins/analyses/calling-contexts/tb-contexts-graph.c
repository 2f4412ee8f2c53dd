/* tb-contexts-graph.c: calling contexts as a tree of functions, of one recording or of two sides together
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/tb-report.h"
#include "tb-contexts-graph.h"

/* A function that takes this share itself is not left out, even if all are called through it. */
#define LEAST_OWN 0.01

TbContextsGraph *
tb_contexts_graph_new (void)
{
  TbContextsGraph *self = g_new0 (TbContextsGraph, 1);
  TbContextsVertex root = { 0 };

  self->vertices = g_array_new (FALSE, FALSE, sizeof (TbContextsVertex));
  self->known = g_hash_table_new (NULL, NULL);
  g_array_append_val (self->vertices, root);
  return self;
}

void
tb_contexts_graph_free (TbContextsGraph *self)
{
  g_array_unref (self->vertices);
  g_hash_table_unref (self->known);
  g_free (self);
}

guint32
tb_contexts_graph_find (const TbContextsGraph *self, guint32 node)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->known, GUINT_TO_POINTER (node)));
}

guint32
tb_contexts_graph_add (TbContextsGraph *self, const TbContextsVertex *vertex)
{
  guint32 number = self->vertices->len;

  g_array_append_vals (self->vertices, vertex, 1);
  g_hash_table_insert (self->known, GUINT_TO_POINTER (vertex->node), GUINT_TO_POINTER (number));
  return number;
}

static const TbContextsVertex *
get_vertex (const TbContextsGraph *self, guint32 number)
{
  return &g_array_index (self->vertices, TbContextsVertex, number);
}

static double
get_most (const double *values)
{
  return fmax (isnan (values[0]) ? 0 : values[0], isnan (values[1]) ? 0 : values[1]);
}

/* The innermost function that all are called through: what is above it tells nothing. */
static guint32
find_start (const TbContextsGraph *self)
{
  guint32 n = self->vertices->len, start = 0;
  g_autofree guint32 *n_children = g_new0 (guint32, n);
  g_autofree guint32 *child = g_new0 (guint32, n);
  double most = 0;

  for (guint32 i = 1; i < n; i++)
    {
      guint32 parent = get_vertex (self, i)->parent;

      n_children[parent]++;
      child[parent] = i;
      most = fmax (most, get_most (get_vertex (self, i)->total));
    }
  while (n_children[start] == 1
         && (start == 0 || get_most (get_vertex (self, start)->own) < LEAST_OWN * most))
    start = child[start];
  return start;
}

static gboolean
is_below (const TbContextsGraph *self, guint32 number, guint32 start)
{
  /* Numbers of callers are smaller. */
  while (number > start)
    number = get_vertex (self, number)->parent;
  return number == start;
}

static char *
describe_vertex (const TbContextsVertex *vertex, guint n_sides)
{
  g_autofree char *base
      = isnan (vertex->own[0]) ? g_strdup ("—") : tb_format_duration (llrint (vertex->own[0]));
  g_autofree char *other = NULL;

  if (n_sides == 1)
    /* Translators: a module, and how long a function of it ran itself */
    return g_strdup_printf (_ ("%s · %s itself"), vertex->context.module, base);
  other = isnan (vertex->own[1]) ? g_strdup ("—") : tb_format_duration (llrint (vertex->own[1]));
  /* Translators: a module, and how long a function of it ran itself before and after */
  return g_strdup_printf (_ ("%s · %s → %s itself"), vertex->context.module, base, other);
}

static guint
add_vertex (const TbContextsGraph *self, TbGraphFigure *figure, guint32 number, guint32 start, guint n_sides)
{
  const TbContextsVertex *vertex = get_vertex (self, number);
  g_autofree char *id = g_strdup_printf ("f%u", number);
  g_autofree char *detail = NULL;

  if (number == 0)
    return tb_graph_figure_add_vertex (figure, id, _ ("Threads"), "", TB_VERTEX_OTHER, TB_ID_NONE, 0);
  if (number == start && vertex->context.depth > 1)
    detail = g_strdup_printf (ngettext ("called through %u function", "called through %u functions",
                                        vertex->context.depth - 1),
                              vertex->context.depth - 1);
  else
    detail = describe_vertex (vertex, n_sides);
  return tb_graph_figure_add_vertex (figure, id, vertex->context.function, detail, TB_VERTEX_FUNCTION,
                                     TB_ID_NONE, (guint64) llrint (fmax (get_most (vertex->total), 0)));
}

static guint
add_edges (const TbContextsGraph *self,
           TbGraphFigure *figure,
           guint32 number,
           const guint *places,
           guint n_sides)
{
  static const char *const names[TB_CONTEXTS_N_SIDES] = { "base", "other" };
  const TbContextsVertex *vertex = get_vertex (self, number);
  guint first = TB_ID_NONE;

  for (guint side = 0; side < n_sides; side++)
    {
      gboolean is_known = !isnan (vertex->total[side]);
      guint64 weight = is_known ? (guint64) llrint (fmax (vertex->total[side], 0)) : 0;
      g_autofree char *length = tb_format_duration ((gint64) weight);
      g_autofree char *label = n_sides > 1 && side == TB_CONTEXTS_BASE
                                   /* Translators: how long it took in the base recording */
                                   ? g_strdup_printf (_ ("%s (base)"), length)
                                   : g_strdup (length);
      g_autofree char *id
          = n_sides == 1 ? g_strdup_printf ("%u", number) : g_strdup_printf ("%u %s", number, names[side]);
      guint edge;

      if (!is_known)
        continue;
      edge = tb_graph_figure_add_edge (figure, id, places[vertex->parent], places[number], weight,
                                       n_sides > 1 && side == TB_CONTEXTS_OTHER ? TB_EDGE_STRONG : 0, label);
      first = MIN (first, edge);
    }
  return first;
}

TbGraphFigure *
tb_contexts_graph_draw (const TbContextsGraph *self,
                        const char *id,
                        const char *title,
                        guint n_sides,
                        gboolean shall_cut,
                        guint **of_edges)
{
  TbGraphFigure *figure = tb_graph_figure_new (id, title, "ns");
  guint32 n = self->vertices->len, start = shall_cut ? find_start (self) : 0;
  g_autofree guint *places = g_new (guint, n);
  g_autofree guint *edges = g_new (guint, n);

  for (guint32 i = 0; i < n; i++)
    {
      places[i] = edges[i] = TB_ID_NONE;
      if (n > 1 && is_below (self, i, start))
        places[i] = add_vertex (self, figure, i, start, n_sides);
      if (places[i] != TB_ID_NONE && i != start)
        edges[i] = add_edges (self, figure, i, places, n_sides);
    }
  if (of_edges != NULL)
    *of_edges = g_steal_pointer (&edges);
  return figure;
}
