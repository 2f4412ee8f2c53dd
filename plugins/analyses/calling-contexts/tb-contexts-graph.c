/* tb-contexts-graph.c: tree of some calling contexts of one or two sides: collected as vertices,
 * drawn as a graph figure whose edges show the cost and list the single calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/graph/tb-graph-occurrences.h"
#include "report/tb-report.h"
#include "tb-contexts-graph.h"

/* Largest number of calls listed, for all edges together. */
#define MAX_CALLS_IN_ALL 2000000

TbContextsGraph *
tb_contexts_graph_new (void)
{
  TbContextsGraph *self = g_new0 (TbContextsGraph, 1);
  TbContextsVertex root = { 0 };

  self->vertices = g_array_new (FALSE, FALSE, sizeof (TbContextsVertex));
  self->known = g_hash_table_new (NULL, NULL);
  self->unit = "ns";
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

static char *
format_cost (const TbContextsGraph *self, double cost)
{
  if (isnan (cost))
    return g_strdup ("—");
  return g_str_equal (self->unit, "ns") ? tb_format_duration (llrint (cost))
                                        : g_strdup_printf ("%'.0f", cost);
}

static char *
describe_vertex (const TbContextsGraph *self, const TbContextsVertex *vertex, guint n_sides)
{
  g_autofree char *base = format_cost (self, vertex->own[0]);
  g_autofree char *other = NULL;

  if (n_sides == 1)
    /* Translators: a module, and the own time of one of its functions */
    return g_strdup_printf (_ ("%s · %s itself"), vertex->context.module, base);
  other = format_cost (self, vertex->own[1]);
  /* Translators: a module, and the own time of one of its functions before and after */
  return g_strdup_printf (_ ("%s · %s → %s itself"), vertex->context.module, base, other);
}

static guint
add_vertex (const TbContextsGraph *self, TbGraphFigure *figure, guint32 number, guint n_sides)
{
  const TbContextsVertex *vertex = get_vertex (self, number);
  g_autofree char *id = g_strdup_printf ("f%u", number);
  g_autofree char *detail = NULL;

  if (number == 0)
    return tb_graph_figure_add_vertex (figure, id, _ ("Threads"), "", TB_VERTEX_OTHER, TB_ID_NONE,
                                       0);
  detail = describe_vertex (self, vertex, n_sides);
  return tb_graph_figure_add_vertex (figure, id, vertex->context.function, detail,
                                     TB_VERTEX_FUNCTION, TB_ID_NONE,
                                     (guint64) llrint (fmax (get_most (vertex->total), 0)));
}

static guint
get_flags (guint side, guint n_sides)
{
  if (n_sides == 1)
    return 0;
  return side == TB_CONTEXTS_OTHER ? TB_EDGE_STRONG : TB_EDGE_BASE;
}

/* Adds an edge for each side that has the call. edges: (out): by side */
static void
add_edges (const TbContextsGraph *self,
           TbGraphFigure *figure,
           guint32 number,
           const guint *places,
           guint n_sides,
           guint *edges)
{
  static const char *const names[TB_CONTEXTS_N_SIDES] = { "base", "other" };
  const TbContextsVertex *vertex = get_vertex (self, number);

  for (guint side = 0; side < n_sides; side++)
    {
      gboolean is_known = number > 0 && !isnan (vertex->total[side]);
      guint64 weight = is_known ? (guint64) llrint (fmax (vertex->total[side], 0)) : 0;
      g_autofree char *length = format_cost (self, (double) weight);
      g_autofree char *label = n_sides > 1 && side == TB_CONTEXTS_BASE
                                   /* Translators: the time in the base recording */
                                   ? g_strdup_printf (_ ("%s (base)"), length)
                                   : g_strdup (length);
      g_autofree char *id = n_sides == 1 ? g_strdup_printf ("%u", number)
                                         : g_strdup_printf ("%u %s", number, names[side]);

      edges[side]
          = is_known ? tb_graph_figure_add_edge (figure, id, places[vertex->parent], places[number],
                                                 weight, get_flags (side, n_sides), label)
                     : TB_ID_NONE;
    }
}

TbGraphFigure *
tb_contexts_graph_draw (const TbContextsGraph *self,
                        const char *id,
                        const char *title,
                        guint n_sides,
                        guint **of_edges)
{
  TbGraphFigure *figure = tb_graph_figure_new (id, title, self->unit);
  guint32 n = self->vertices->len;
  g_autofree guint *places = g_new (guint, n);
  g_autofree guint *edges = g_new (guint, (gsize) n * n_sides);

  for (guint32 i = 0; i < n; i++)
    {
      places[i] = n > 1 ? add_vertex (self, figure, i, n_sides) : TB_ID_NONE;
      add_edges (self, figure, i, places, n_sides, &edges[(gsize) i * n_sides]);
    }
  *of_edges = g_steal_pointer (&edges);
  return figure;
}

/* --- calls --- */

static GBytes *
to_bytes (GArray *column)
{
  gsize size = (gsize) column->len * g_array_get_element_size (column);

  return g_bytes_new_take (g_array_free (column, FALSE), size);
}

typedef struct
{
  GArray *edge;   /* guint32 */
  GArray *from;   /* gint64 */
  GArray *to;     /* gint64 */
  GArray *thread; /* guint32 */
  GArray *other;  /* guint32 */
} Columns;

static void
add_calls (Columns *columns, guint32 edge, const TbContextsCalls *calls)
{
  const guint32 none = TB_ID_NONE;

  for (guint i = 0; i < calls->calls->len && columns->edge->len < MAX_CALLS_IN_ALL; i++)
    {
      const TbContextsCall *call = &g_array_index (calls->calls, TbContextsCall, i);

      g_array_append_val (columns->edge, edge);
      g_array_append_val (columns->from, call->from);
      g_array_append_val (columns->to, call->to);
      g_array_append_val (columns->thread, call->thread);
      g_array_append_val (columns->other, none);
    }
}

static gint64
get_longest (const TbContextsSummary *summary, guint32 node)
{
  return summary->nodes[node].longest[summary->options.estimate];
}

void
tb_contexts_graph_set_calls (const TbContextsGraph *self,
                             TbGraphFigure *figure,
                             const guint *of_edges,
                             GPtrArray *const *calls,
                             guint n_sides)
{
  Columns columns = {
    g_array_new (FALSE, FALSE, sizeof (guint32)), g_array_new (FALSE, FALSE, sizeof (gint64)),
    g_array_new (FALSE, FALSE, sizeof (gint64)),  g_array_new (FALSE, FALSE, sizeof (guint32)),
    g_array_new (FALSE, FALSE, sizeof (guint32)),
  };
  g_autoptr (GBytes) edges = NULL;
  g_autoptr (GBytes) starts = NULL;
  g_autoptr (GBytes) ends = NULL;
  g_autoptr (GBytes) threads = NULL;
  g_autoptr (GBytes) others = NULL;

  /* In the order of the edges. */
  for (guint32 i = 1; i < self->vertices->len; i++)
    for (guint side = 0; side < n_sides; side++)
      {
        guint32 node = get_vertex (self, i)->of[side];
        guint in = get_vertex (self, i)->in[side];
        guint edge = of_edges[(gsize) i * n_sides + side];
        const TbContextsInstances *instances = g_ptr_array_index (calls[side], in);
        const TbContextsCalls *found
            = node != 0 ? tb_contexts_instances_get (instances, node) : NULL;

        if (found == NULL || edge == TB_ID_NONE)
          continue;
        tb_graph_figure_set_edge_values (figure, edge, G_MAXUINT64, found->n,
                                         (guint64) MAX (get_longest (instances->summary, node), 0));
        if (in > 0)
          tb_graph_figure_set_edge_recording (figure, edge, in);
        add_calls (&columns, edge, found);
      }
  edges = to_bytes (columns.edge);
  starts = to_bytes (columns.from);
  ends = to_bytes (columns.to);
  threads = to_bytes (columns.thread);
  others = to_bytes (columns.other);
  tb_graph_figure_set_occurrences (figure, edges, starts, ends, threads, others);
}
