/* tb-wait-bottlenecks.c: search for the bottlenecks of each knot, sorted by bound: weights of
 * edges, raised where an idle vertex only forwards waits; vertices and edges that
 * tb-wait-refinement leaves when it removes light edges, and the removed ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-bottlenecks.h"

#include "tb-wait-refinement.h"

#define NONE G_MAXUINT32
/* Longest chain of forwarding vertices that is followed. */
#define FORWARDING_CHAIN_MAX 64

static void
bottleneck_clear (gpointer data)
{
  TbWaitBottleneck *bottleneck = data;

  g_array_unref (bottleneck->vertices);
  g_array_unref (bottleneck->arcs);
  g_array_unref (bottleneck->removed);
}

/* The weight of an edge in the refinement. An edge from outside the target to the target closes the
 * knot, so it keeps its weight even if the target does not wait for it meanwhile. */
static gint64
weigh_link (const TbWaitGraph *graph, const TbWaitArc *arc)
{
  const TbWaitVertex *to = tb_wait_graph_get_vertex (graph, arc->to);
  gboolean closes
      = tb_wait_graph_get_vertex (graph, arc->from)->outside && tb_wait_vertex_is_targeted (to);

  return arc->idle || closes ? arc->weight : arc->limits;
}

/* Strongest limit first, then the heaviest, then the smaller indices of the vertices. Of equal
 * edges the last is removed first. */
static int
compare_arcs (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbWaitGraph *graph = data;
  guint32 left_index = *(const guint32 *) a, right_index = *(const guint32 *) b;
  const TbWaitArc *left = tb_wait_graph_get_arc (graph, left_index);
  const TbWaitArc *right = tb_wait_graph_get_arc (graph, right_index);

  if (left->limits != right->limits)
    return left->limits > right->limits ? -1 : 1;
  if (left->weight != right->weight)
    return left->weight > right->weight ? -1 : 1;
  if (left->from != right->from)
    return left->from < right->from ? -1 : 1;
  if (left->to != right->to)
    return left->to < right->to ? -1 : 1;
  return left_index < right_index ? -1 : left_index > right_index;
}

static int
compare_by_use (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbWaitGraph *graph = data;
  const TbWaitArc *left = tb_wait_graph_get_arc (graph, *(const guint32 *) a);
  const TbWaitArc *right = tb_wait_graph_get_arc (graph, *(const guint32 *) b);

  if (tb_wait_arc_is_for_work (left) != tb_wait_arc_is_for_work (right))
    return tb_wait_arc_is_for_work (left) ? 1 : -1;
  return compare_arcs (a, b, data);
}

/* An edge with its weight in the refinement. */
typedef struct
{
  guint32 arc;
  gint64 weight;
  gboolean raised;
} Raised;

/* The edges of the graph within a knot, heaviest first. */
static GArray *
list_arcs (const TbWaitKnots *self,
           TbWaitGraph *graph,
           guint32 component,
           const GArray *arcs_by_weight)
{
  GArray *arcs = g_array_new (FALSE, FALSE, sizeof (Raised));

  for (guint i = 0; i < arcs_by_weight->len; i++)
    {
      guint32 index = g_array_index (arcs_by_weight, guint32, i);
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, index);
      Raised raised = { index, weigh_link (graph, arc), FALSE };

      if (arc->exclusion == TB_WAIT_EXCLUSION_NONE && self->component_of[arc->from] == component
          && self->component_of[arc->to] == component)
        g_array_append_val (arcs, raised);
    }
  return arcs;
}

/* Of equal edges, raised ones come first, so that the others are removed before them. */
static int
compare_raised (gconstpointer a, gconstpointer b, gpointer data)
{
  const Raised *left = a, *right = b;

  if (left->weight != right->weight)
    return left->weight > right->weight ? -1 : 1;
  if (left->raised != right->raised)
    return left->raised ? -1 : 1;
  return compare_arcs (&left->arc, &right->arc, data);
}

/* One round: raises the edges of forwarding vertices to the weight of the heaviest edge into them.
 * Returns whether any was raised. */
static gboolean
raise_once (const TbWaitGraph *graph, GArray *arcs, const guint32 *place, gint64 *heaviest)
{
  gboolean any = FALSE;

  for (guint i = 0; i < arcs->len; i++)
    {
      const Raised *raised = &g_array_index (arcs, Raised, i);
      guint32 to = place[tb_wait_graph_get_arc (graph, raised->arc)->to];

      heaviest[to] = MAX (heaviest[to], raised->weight);
    }
  for (guint i = 0; i < arcs->len; i++)
    {
      Raised *raised = &g_array_index (arcs, Raised, i);
      guint32 from = tb_wait_graph_get_arc (graph, raised->arc)->from;

      if (raised->weight >= heaviest[place[from]]
          || !tb_wait_graph_get_vertex (graph, from)->outside
          || tb_wait_vertex_is_saturated (graph, from))
        continue;
      raised->weight = heaviest[place[from]];
      any = raised->raised = TRUE;
    }
  return any;
}

/* A mostly idle vertex outside the target forwards waits. It leaves the knot together with the
 * edges that lead to it, and not earlier because all its own edges are light. */
static void
raise_links (TbWaitGraph *graph, GArray *arcs, const guint32 *place, guint32 n_vertices)
{
  g_autofree gint64 *heaviest = g_new0 (gint64, n_vertices + 1);

  for (guint i = 0; i < FORWARDING_CHAIN_MAX && raise_once (graph, arcs, place, heaviest); i++)
    ;
  g_array_sort_with_data (arcs, compare_raised, graph);
}

/* The bound of the heaviest edge of the knot into a vertex that is left alone. */
static gint64
find_bound_alone (const TbWaitGraph *graph, guint32 vertex, const GArray *arcs)
{
  const TbWaitArc *heaviest = NULL;

  for (guint i = 0; i < arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, g_array_index (arcs, Raised, i).arc);

      if (arc->to == vertex && !tb_wait_arc_is_for_work (arc)
          && (heaviest == NULL || arc->limits > heaviest->limits))
        heaviest = arc;
    }
  return heaviest != NULL ? heaviest->bound : 0;
}

static void
add_bottleneck (GArray *bottlenecks,
                const TbWaitKnots *self,
                TbWaitGraph *graph,
                guint32 component,
                const TbWaitRefined *refined,
                const TbWaitLeaf *leaf,
                const GArray *arcs)
{
  const GArray *vertices = tb_wait_knots_get_component (self, component)->vertices;
  TbWaitBottleneck bottleneck = { .component = component };
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (guint32));

  bottleneck.vertices = g_array_new (FALSE, FALSE, sizeof (guint32));
  bottleneck.arcs = g_array_new (FALSE, FALSE, sizeof (guint32));
  bottleneck.removed = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < leaf->vertices->len; i++)
    g_array_append_val (bottleneck.vertices,
                        g_array_index (vertices, guint32,
                                       g_array_index (leaf->vertices, guint32, i)));
  for (guint i = 0; i < leaf->links->len; i++)
    {
      guint32 arc = g_array_index (arcs, Raised, g_array_index (leaf->links, guint32, i)).arc;

      g_array_append_val (bottleneck.arcs, arc);
      if (!tb_wait_arc_is_for_work (tb_wait_graph_get_arc (graph, arc)))
        bottleneck.bound = MAX (bottleneck.bound, tb_wait_graph_get_arc (graph, arc)->bound);
    }
  g_array_sort_with_data (bottleneck.arcs, compare_by_use, graph);
  for (guint32 step = leaf->parent; step != NONE;
       step = g_array_index (refined->steps, TbWaitStep, step).parent)
    g_array_prepend_val (steps, step);
  for (guint i = 0; i < steps->len; i++)
    {
      const GArray *removed
          = g_array_index (refined->steps, TbWaitStep, g_array_index (steps, guint32, i)).removed;

      for (guint j = 0; j < removed->len; j++)
        g_array_append_val (bottleneck.removed,
                            g_array_index (arcs, Raised, g_array_index (removed, guint32, j)).arc);
    }
  g_array_unref (steps);
  if (bottleneck.arcs->len == 0)
    bottleneck.bound
        = find_bound_alone (graph, g_array_index (bottleneck.vertices, guint32, 0), arcs);
  g_array_append_val (bottlenecks, bottleneck);
}

static void
refine_knot (const TbWaitKnots *self,
             TbWaitGraph *graph,
             guint32 component,
             const GArray *arcs_by_weight,
             guint32 *place,
             gint64 threshold,
             GArray *bottlenecks)
{
  const GArray *vertices = tb_wait_knots_get_component (self, component)->vertices;
  g_autoptr (GArray) arcs = list_arcs (self, graph, component, arcs_by_weight);
  g_autofree TbWaitLink *links = g_new (TbWaitLink, arcs->len + 1);
  g_autoptr (TbWaitRefined) refined = NULL;

  for (guint32 i = 0; i < vertices->len; i++)
    place[g_array_index (vertices, guint32, i)] = i;
  raise_links (graph, arcs, place, vertices->len);
  for (guint i = 0; i < arcs->len; i++)
    {
      const Raised *raised = &g_array_index (arcs, Raised, i);
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, raised->arc);

      links[i] = (TbWaitLink) { place[arc->from], place[arc->to], raised->weight };
    }
  refined = tb_wait_refine (vertices->len, links, arcs->len, threshold);
  for (guint i = 0; i < refined->leaves->len; i++)
    add_bottleneck (bottlenecks, self, graph, component, refined,
                    &g_array_index (refined->leaves, TbWaitLeaf, i), arcs);
}

typedef struct
{
  const TbWaitKnots *knots;
  const TbWaitGraph *graph;
} Order;

static int
compare_bottlenecks (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbWaitBottleneck *left = a, *right = b;
  const Order *order = data;
  gboolean left_background
      = tb_wait_knots_get_component (order->knots, left->component)->background;
  gboolean right_background
      = tb_wait_knots_get_component (order->knots, right->component)->background;

  if (left_background != right_background)
    return left_background ? 1 : -1;
  if (left->bound != right->bound)
    return left->bound > right->bound ? -1 : 1;
  return tb_wait_graph_compare_ids (left->vertices->data, right->vertices->data,
                                    (gpointer) order->graph);
}

GArray *
tb_wait_bottlenecks_find (const TbWaitKnots *knots, TbWaitGraph *graph, gint64 threshold)
{
  GArray *bottlenecks = g_array_new (FALSE, FALSE, sizeof (TbWaitBottleneck));
  g_autoptr (GArray) arcs_by_weight = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *place = g_new (guint32, graph->vertices->len + 1);
  Order order = { knots, graph };

  g_array_set_clear_func (bottlenecks, bottleneck_clear);
  for (guint32 i = 0; i < graph->arcs->len; i++)
    g_array_append_val (arcs_by_weight, i);
  g_array_sort_with_data (arcs_by_weight, compare_arcs, graph);
  for (guint32 i = 0; i < knots->components->len; i++)
    {
      const TbWaitComponent *component = tb_wait_knots_get_component (knots, i);

      if (component->kind == TB_WAIT_KNOT && !component->outside)
        refine_knot (knots, graph, i, arcs_by_weight, place, threshold, bottlenecks);
    }
  g_array_sort_with_data (bottlenecks, compare_bottlenecks, &order);
  return bottlenecks;
}
