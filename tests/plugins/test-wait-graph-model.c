/* test-wait-graph-model.c: test of the sweep against the paper's recursion, and of refinement
 * against removal of single edges
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "../test-mode.h"
#include "graph/tb-wait-components.h"
#include "graph/tb-wait-knots.h"
#include "graph/tb-wait-cascaded-weights.h"
#include "wait-graph-reference.h"

/* Number of random cases for each invariant. */
#define N_CASES test_rounds (10000, 1500)

static GRand *
new_rand (void)
{
  return g_rand_new_with_seed ((guint32) g_test_rand_int ());
}

static void
sweep (TbWaitModel *model)
{
  g_assert_true (tb_wait_set_cascaded_weights (model, NULL, NULL));
}

static void
assert_same (const TbWaitModel *model, const gint64 *expected)
{
  for (guint32 i = 0; i < model->edges->len; i++)
    {
      const TbWaitEdge *edge = tb_wait_model_get_edge (model, i);

      g_assert_cmpint (edge->weight, ==, expected[i]);
      g_assert_cmpint (edge->weight, >=, edge->plain);
      g_assert_cmpint (edge->plain, >=, edge->longest);
      g_assert_cmpuint (edge->waits, >, 0);
      /* An edge has cascaded weight if and only if it has plain weight. */
      g_assert_cmpint (edge->weight > 0, ==, edge->plain > 0);
    }
}

static void
test_recursion (void)
{
  g_autoptr (GRand) rand = new_rand ();

  for (guint i = 0; i < N_CASES; i++)
    {
      g_autoptr (TbWaitModel) model
          = wait_graph_random_model (rand, (guint) g_rand_int_range (rand, 2, 9),
                                     (guint) g_rand_int_range (rand, 0, 60),
                                     g_rand_int_range (rand, 1, 9));
      g_autofree gint64 *expected = NULL;
      guint64 n_cut;

      sweep (model);
      expected = wait_graph_cascade (model, &n_cut);
      g_assert_cmpuint (n_cut, ==, 0);
      g_assert_cmpuint (model->cycles_cut, ==, 0);
      assert_same (model, expected);
    }
}

/* Contradictory wakers: cut waits are counted, the rest is as without them. */
static void
test_cycles (void)
{
  g_autoptr (GRand) rand = new_rand ();
  guint64 n_all = 0;

  for (guint i = 0; i < N_CASES; i++)
    {
      g_autoptr (TbWaitModel) model
          = wait_graph_wrong_model (rand, (guint) g_rand_int_range (rand, 1, 7),
                                    (guint) g_rand_int_range (rand, 0, 40));
      g_autofree gint64 *expected = NULL;
      guint64 n_cut;

      sweep (model);
      expected = wait_graph_cascade (model, &n_cut);
      g_assert_cmpuint (model->cycles_cut, ==, n_cut);
      assert_same (model, expected);
      n_all += n_cut;
    }
  g_assert_cmpuint (n_all, >, 0);
}

static TbWaitEdge *
find_edge (const TbWaitModel *model, guint32 from, guint32 to)
{
  for (guint32 i = 0; i < model->edges->len; i++)
    {
      TbWaitEdge *edge = tb_wait_model_get_edge (model, i);

      if (edge->from == from && edge->to == to)
        return edge;
    }
  return NULL;
}

static void
test_split (void)
{
  g_autoptr (GRand) rand = new_rand ();

  for (guint i = 0; i < N_CASES; i++)
    {
      g_autoptr (TbWaitModel) model = wait_graph_random_model (rand, 6, 80, 9);
      gint64 at = model->from + g_rand_int_range (rand, 0, (gint32) (model->to - model->from));
      g_autoptr (TbWaitModel) early = wait_graph_cut_model (model, model->from, at);
      g_autoptr (TbWaitModel) late = wait_graph_cut_model (model, at, model->to);

      sweep (model);
      sweep (early);
      sweep (late);
      for (guint32 j = 0; j < model->edges->len; j++)
        {
          const TbWaitEdge *edge = tb_wait_model_get_edge (model, j);
          const TbWaitEdge *one = find_edge (early, edge->from, edge->to);
          const TbWaitEdge *two = find_edge (late, edge->from, edge->to);

          g_assert_cmpint (edge->weight, ==, (one ? one->weight : 0) + (two ? two->weight : 0));
          g_assert_cmpint (edge->plain, ==, (one ? one->plain : 0) + (two ? two->plain : 0));
        }
    }
}

static void
test_shift_and_names (void)
{
  g_autoptr (GRand) rand = new_rand ();

  for (guint i = 0; i < N_CASES; i++)
    {
      g_autoptr (TbWaitModel) model = wait_graph_random_model (rand, 6, 80, 9);
      g_autoptr (TbWaitModel) other = tb_wait_model_new_empty (6, model->from + 77, model->to + 77);

      /* Thread i becomes 5 - i, so that the order of the waits changes, too. */
      tb_wait_model_reserve (other, model->waits.n);
      for (guint32 waiter = 6; waiter-- > 0;)
        for (gsize j = 0; j < model->waits.n; j++)
          if (model->waits.waiter[j] == waiter)
            tb_wait_model_add (other, model->waits.start[j] + 77, model->waits.end[j] + 77,
                               5 - waiter, 5 - model->waits.waker[j], TB_ID_NONE);
      tb_wait_model_index_edges (other);
      sweep (model);
      sweep (other);
      g_assert_cmpuint (model->edges->len, ==, other->edges->len);
      for (guint32 j = 0; j < model->edges->len; j++)
        {
          const TbWaitEdge *edge = tb_wait_model_get_edge (model, j);
          const TbWaitEdge *same = find_edge (other, 5 - edge->from, 5 - edge->to);

          g_assert_nonnull (same);
          g_assert_cmpint (same->weight, ==, edge->weight);
          g_assert_cmpint (same->plain, ==, edge->plain);
          g_assert_cmpuint (same->waits, ==, edge->waits);
        }
    }
}

/* Lengths of the wait chains of all threads at an instant, summed. */
static gint64
measure_chains (const TbWaitModel *model, gint64 time)
{
  const TbWaits *waits = &model->waits;
  gint64 sum = 0;

  for (guint32 thread = 0; thread < model->n_threads; thread++)
    for (guint32 at = thread;;)
      {
        gsize i;

        for (i = 0; i < waits->n; i++)
          if (waits->waiter[i] == at && waits->start[i] <= time && waits->end[i] > time)
            break;
        if (i == waits->n)
          break;
        sum++;
        at = waits->waker[i];
      }
  return sum;
}

/* The sum over edges is the integral over time of the sum of chain lengths. */
static void
test_chains (void)
{
  g_autoptr (GRand) rand = new_rand ();

  for (guint i = 0; i < N_CASES; i++)
    {
      g_autoptr (TbWaitModel) model
          = wait_graph_random_model (rand, (guint) g_rand_int_range (rand, 2, 6), 30, 4);
      gint64 sum = 0, integral = 0;

      sweep (model);
      for (guint32 j = 0; j < model->edges->len; j++)
        sum += tb_wait_model_get_edge (model, j)->weight;
      for (gint64 time = model->from; time < model->to; time++)
        integral += measure_chains (model, time);
      g_assert_cmpint (sum, ==, integral);
    }
}

/* Long enough for several slices and for two worker threads. */
static void
test_long (void)
{
  g_autoptr (GRand) rand = new_rand ();
  g_autoptr (TbWaitModel) model = wait_graph_random_model (rand, 40, 250000, 900);
  gint64 parts = 20, from = model->from, length = (model->to - model->from) / parts;
  g_autofree gint64 *sums = g_new0 (gint64, model->edges->len);

  g_assert_cmpuint (model->waits.n, >, 65536);
  sweep (model);
  for (gint64 i = 0; i < parts; i++)
    {
      gint64 to = i + 1 == parts ? model->to : from + length;
      g_autoptr (TbWaitModel) part = wait_graph_cut_model (model, from, to);

      sweep (part);
      for (guint32 j = 0; j < model->edges->len; j++)
        {
          const TbWaitEdge *edge = tb_wait_model_get_edge (model, j);
          const TbWaitEdge *same = find_edge (part, edge->from, edge->to);

          sums[j] += same != NULL ? same->weight : 0;
        }
      from = to;
    }
  assert_same (model, sums);
}

static void
test_empty (void)
{
  g_autoptr (TbWaitModel) nothing = tb_wait_model_new_empty (0, 5, 5);
  g_autoptr (TbWaitModel) alone = tb_wait_model_new_empty (3, 5, 9);

  sweep (nothing);
  sweep (alone);
  g_assert_cmpuint (alone->edges->len, ==, 0);
}

/* --- components and refinement --- */

static guint32
make_links (GRand *rand, guint32 n_vertices, TbWaitLink *links, guint32 n_links, gint32 weights)
{
  for (guint32 i = 0; i < n_links; i++)
    links[i] = (TbWaitLink) {
      .from = (guint32) g_rand_int_range (rand, 0, (gint32) n_vertices),
      .to = (guint32) g_rand_int_range (rand, 0, (gint32) n_vertices),
      .weight = g_rand_int_range (rand, 0, weights),
    };
  return n_links;
}

static void
test_components (void)
{
  g_autoptr (GRand) rand = new_rand ();

  for (guint i = 0; i < N_CASES; i++)
    {
      guint32 n = (guint32) g_rand_int_range (rand, 1, 12);
      TbWaitLink links[40];
      guint32 m = make_links (rand, n, links, (guint32) g_rand_int_range (rand, 0, 40), 9);
      guint32 from[40], to[40], component[12];
      guint8 present[40];
      g_auto (TbWaitAdjacency) adjacency = { 0 };
      g_autofree guint32 *expected = NULL;

      for (guint32 j = 0; j < m; j++)
        {
          present[j] = (guint8) g_rand_int_range (rand, 0, 2);
          from[j] = present[j] ? links[j].from : G_MAXUINT32;
          to[j] = links[j].to;
        }
      expected = wait_graph_components (n, links, present, m);
      tb_wait_adjacency_init (&adjacency, n, from, to, m);
      tb_wait_find_components (&adjacency, component);
      for (guint32 j = 0; j < n; j++)
        for (guint32 k = 0; k < j; k++)
          g_assert_cmpint (component[j] == component[k], ==, expected[j] == expected[k]);
      for (guint32 j = 0; j < m; j++)
        if (present[j])
          g_assert_cmpuint (component[links[j].from], >=, component[links[j].to]);
    }
}

static int
compare_links (gconstpointer a, gconstpointer b)
{
  const TbWaitLink *left = a, *right = b;

  return left->weight > right->weight ? -1 : left->weight < right->weight;
}

/* A leaf's edges are edges of the input within the leaf, none leads out, and no refinement rule
 * applies to it. */
static void
assert_leaf (const TbWaitLeaf *leaf,
             guint32 n,
             const TbWaitLink *links,
             guint32 m,
             gint64 threshold)
{
  guint32 n_vertices = leaf->vertices->len, n_links = leaf->links->len;
  g_autofree guint8 *is_in = g_new0 (guint8, n);
  g_autofree guint8 *n_out = g_new0 (guint8, n);

  for (guint i = 0; i < n_vertices; i++)
    is_in[g_array_index (leaf->vertices, guint32, i)] = TRUE;
  for (guint i = 0; i < n_links; i++)
    {
      guint32 link = g_array_index (leaf->links, guint32, i);

      g_assert_cmpuint (link, <, m);
      g_assert_true (is_in[links[link].from] && is_in[links[link].to]);
      n_out[links[link].from]++;
      if (leaf->kind == TB_WAIT_LEAF_HEAVY)
        g_assert_cmpint (links[link].weight, >, threshold);
    }
  if (leaf->kind == TB_WAIT_LEAF_VERTEX)
    g_assert_cmpuint (n_vertices, ==, 1);
  if (leaf->kind == TB_WAIT_LEAF_CYCLE)
    {
      g_assert_cmpuint (n_links, ==, n_vertices);
      for (guint i = 0; i < n; i++)
        g_assert_cmpuint (n_out[i], ==, is_in[i]);
    }
}

/* All edges out of a leaf are among the removed ones. */
static void
assert_closed (const TbWaitRefined *refined,
               const TbWaitLeaf *leaf,
               guint32 n,
               const TbWaitLink *links,
               guint32 m)
{
  g_autofree guint8 *is_in = g_new0 (guint8, n);
  g_autofree guint8 *is_removed = g_new0 (guint8, m + 1);

  for (guint i = 0; i < leaf->vertices->len; i++)
    is_in[g_array_index (leaf->vertices, guint32, i)] = TRUE;
  for (guint32 step = leaf->parent; step != G_MAXUINT32;)
    {
      const TbWaitStep *at = &g_array_index (refined->steps, TbWaitStep, step);

      for (guint i = 0; i < at->removed->len; i++)
        is_removed[g_array_index (at->removed, guint32, i)] = TRUE;
      step = at->parent;
    }
  for (guint32 i = 0; i < m; i++)
    g_assert_true (is_removed[i] || !is_in[links[i].from] || is_in[links[i].to]);
}

static void
assert_refined (guint32 n, const TbWaitLink *links, guint32 m, gint64 threshold)
{
  g_autoptr (TbWaitRefined) refined = tb_wait_refine (n, links, m, threshold);
  g_autoptr (GPtrArray) found = wait_graph_describe_refined (refined);
  g_autoptr (GPtrArray) expected = wait_graph_refine (n, links, m, threshold);

  g_assert_cmpuint (found->len, ==, expected->len);
  for (guint j = 0; j < found->len; j++)
    g_assert_cmpstr (g_ptr_array_index (found, j), ==, g_ptr_array_index (expected, j));
  for (guint j = 0; j < refined->leaves->len; j++)
    {
      const TbWaitLeaf *leaf = &g_array_index (refined->leaves, TbWaitLeaf, j);

      assert_leaf (leaf, n, links, m, threshold);
      assert_closed (refined, leaf, n, links, m);
    }
  for (guint j = 0; j < refined->steps->len; j++)
    {
      const GArray *removed = g_array_index (refined->steps, TbWaitStep, j).removed;

      for (guint k = 0; k < removed->len; k++)
        g_assert_cmpint (links[g_array_index (removed, guint32, k)].weight, <=, threshold);
      for (guint k = 1; k < removed->len; k++)
        g_assert_cmpuint (g_array_index (removed, guint32, k), <,
                          g_array_index (removed, guint32, k - 1));
    }
}

static void
test_refinement (void)
{
  g_autoptr (GRand) rand = new_rand ();

  for (guint i = 0; i < N_CASES; i++)
    {
      guint32 n = (guint32) g_rand_int_range (rand, 1, 9);
      TbWaitLink links[48];
      guint32 m = 0;

      /* A cycle first, so that the vertices are strongly connected. */
      for (guint32 j = 0; j < n && n > 1; j++)
        links[m++] = (TbWaitLink) { j, (j + 1) % n, g_rand_int_range (rand, 0, 20) };
      m += make_links (rand, n, links + m, (guint32) g_rand_int_range (rand, 0, 30), 20);
      qsort (links, m, sizeof *links, compare_links);
      assert_refined (n, links, m, g_rand_int_range (rand, -1, 22));
    }
}

/* --- from random traces to the leaves of their knots --- */

/* The edges of a graph as links, heaviest first, of equal weight the lower number first, and
 * whether each is present. */
typedef struct
{
  const TbWaitGraph *graph;
  guint32 n; /* number of vertices */
  guint32 m;
  guint32 *order; /* by link: the edge */
  TbWaitLink *links;
  guint8 *present;    /* by link */
  guint32 *component; /* by vertex: the lowest vertex of its component */
} Links;

static void
links_init (Links *self, const TbWaitGraph *graph)
{
  self->graph = graph;
  self->n = graph->vertices->len;
  self->m = graph->arcs->len;
  self->order = g_new (guint32, self->m + 1);
  self->links = g_new (TbWaitLink, self->m + 1);
  self->present = g_new0 (guint8, self->m + 1);
  for (guint32 i = 0; i < self->m; i++)
    self->order[i] = i;
  g_sort_array (self->order, self->m, sizeof *self->order, tb_wait_graph_compare_arcs,
                (gpointer) graph);
  for (guint32 i = 0; i < self->m; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, self->order[i]);

      self->links[i] = (TbWaitLink) { arc->from, arc->to, arc->weight };
      self->present[i] = arc->exclusion == TB_WAIT_EXCLUSION_NONE;
    }
  self->component = wait_graph_components (self->n, self->links, self->present, self->m);
}

static void
links_clear (Links *self)
{
  g_free (self->order);
  g_free (self->links);
  g_free (self->present);
  g_free (self->component);
}

/* Whether no present edge leads out of the vertex's component, and at least one is within. */
static gboolean
is_knot (const Links *self, guint32 vertex)
{
  gboolean within = FALSE;

  for (guint32 i = 0; i < self->m; i++)
    if (self->present[i] && self->component[self->links[i].from] == self->component[vertex])
      {
        if (self->component[self->links[i].to] != self->component[vertex])
          return FALSE;
        within = TRUE;
      }
  return within;
}

/* Leaves of one knot by the reference, with vertices and edges numbered within the knot. */
static GPtrArray *
refine_knot (const Links *self, const GArray *vertices, const guint32 *place, gint64 threshold)
{
  g_autofree TbWaitLink *links = g_new (TbWaitLink, self->m + 1);
  guint32 m = 0;

  for (guint32 i = 0; i < self->m; i++)
    if (self->present[i]
        && self->component[self->links[i].from] == g_array_index (vertices, guint32, 0))
      links[m++] = (TbWaitLink) { place[self->links[i].from], place[self->links[i].to],
                                  self->links[i].weight };
  return wait_graph_refine (vertices->len, links, m, threshold);
}

/* A leaf of the analysis in the same format. */
static char *
describe_bottleneck (const Links *self, const TbWaitBottleneck *bottleneck, const guint32 *place)
{
  g_autofree guint8 *is_left = g_new0 (guint8, self->m + 1);
  GString *text = g_string_new (NULL);
  guint32 knot = self->component[g_array_index (bottleneck->vertices, guint32, 0)], m = 0;

  for (guint i = 0; i < bottleneck->arcs->len; i++)
    is_left[g_array_index (bottleneck->arcs, guint32, i)] = TRUE;
  g_string_append (text, bottleneck->vertices->len == 1                       ? "v:"
                         : bottleneck->vertices->len == bottleneck->arcs->len ? "c:"
                                                                              : "h:");
  for (guint i = 0; i < bottleneck->vertices->len; i++)
    g_string_append_printf (text, " %u", place[g_array_index (bottleneck->vertices, guint32, i)]);
  g_string_append_c (text, ':');
  for (guint32 i = 0; i < self->m; i++)
    if (self->present[i] && self->component[self->links[i].from] == knot)
      {
        if (is_left[self->order[i]])
          g_string_append_printf (text, " %u", m);
        m++;
      }
  return g_string_free (text, FALSE);
}

/* A single vertex, a simple cycle, or no removable edge left. Every removed edge was a removable
 * edge of the knot. */
static void
check_bottleneck (const Links *self, const TbWaitBottleneck *bottleneck, gint64 threshold)
{
  const TbWaitGraph *graph = self->graph;
  guint32 knot = self->component[g_array_index (bottleneck->vertices, guint32, 0)];
  g_autofree guint8 *n_out = g_new0 (guint8, self->n + 1);
  g_autofree guint8 *is_left = g_new0 (guint8, self->m + 1);
  gboolean is_simple = TRUE, is_heavy = TRUE;

  for (guint i = 0; i < bottleneck->arcs->len; i++)
    {
      guint32 index = g_array_index (bottleneck->arcs, guint32, i);
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, index);

      is_left[index] = TRUE;
      n_out[arc->from]++;
      is_heavy &= arc->weight > threshold;
      g_assert_cmpint (arc->exclusion, ==, TB_WAIT_EXCLUSION_NONE);
      g_assert_cmpint (arc->bound, <=, graph->model->to - graph->model->from);
    }
  for (guint i = 0; i < bottleneck->vertices->len; i++)
    is_simple &= n_out[g_array_index (bottleneck->vertices, guint32, i)] == 1;
  g_assert_true (bottleneck->vertices->len == 1 || is_simple || is_heavy);
  for (guint i = 0; i < bottleneck->removed->len; i++)
    {
      guint32 index = g_array_index (bottleneck->removed, guint32, i);
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, index);

      g_assert_false (is_left[index]);
      g_assert_cmpint (arc->exclusion, ==, TB_WAIT_EXCLUSION_NONE);
      g_assert_cmpint (arc->weight, <=, threshold);
      g_assert_true (self->component[arc->from] == knot && self->component[arc->to] == knot);
    }
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

/* Checks a knot: its vertices, and its leaves. */
static guint
check_knot (const Links *self, const TbWaitKnots *knots, guint32 index, gint64 threshold)
{
  const GArray *vertices = tb_wait_knots_get_component (knots, index)->vertices;
  g_autofree guint32 *place = g_new0 (guint32, self->n + 1);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) expected = NULL;

  for (guint32 i = 0; i < vertices->len; i++)
    place[g_array_index (vertices, guint32, i)] = i;
  expected = refine_knot (self, vertices, place, threshold);
  for (guint i = 0; i < knots->bottlenecks->len; i++)
    {
      const TbWaitBottleneck *bottleneck = tb_wait_knots_get_bottleneck (knots, i);

      if (bottleneck->component != index)
        continue;
      check_bottleneck (self, bottleneck, threshold);
      g_ptr_array_add (found, describe_bottleneck (self, bottleneck, place));
    }
  g_ptr_array_sort (found, compare_texts);
  g_assert_cmpuint (found->len, ==, expected->len);
  for (guint i = 0; i < found->len; i++)
    g_assert_cmpstr (g_ptr_array_index (found, i), ==, g_ptr_array_index (expected, i));
  return found->len;
}

/* Returns the number of bottlenecks. No thread is busy or in the background, so there is only one
 * round. */
static guint
check_knots (const TbWaitGraph *graph, const TbWaitKnots *knots, gint64 threshold)
{
  Links links = { 0 };
  guint n_left = 0;

  links_init (&links, graph);
  for (guint32 i = 0; i < links.n; i++)
    {
      const TbWaitComponent *component
          = tb_wait_knots_get_component (knots, knots->component_of[i]);

      for (guint32 j = 0; j < i; j++)
        g_assert_cmpint (knots->component_of[i] == knots->component_of[j], ==,
                         links.component[i] == links.component[j]);
      g_assert_cmpint (component->kind == TB_WAIT_KNOT, ==, is_knot (&links, i));
      g_assert_false (component->background);
    }
  for (guint32 i = 0; i < knots->components->len; i++)
    {
      const GArray *vertices = tb_wait_knots_get_component (knots, i)->vertices;

      for (guint j = 1; j < vertices->len; j++)
        g_assert_cmpuint (g_array_index (vertices, guint32, j - 1), <,
                          g_array_index (vertices, guint32, j));
      if (tb_wait_knots_get_component (knots, i)->kind == TB_WAIT_KNOT)
        n_left += check_knot (&links, knots, i, threshold);
    }
  g_assert_cmpuint (n_left, ==, knots->bottlenecks->len);
  links_clear (&links);
  return n_left;
}

/* The whole analysis of random traces against the reference. */
static void
test_knots (void)
{
  g_autoptr (GRand) rand = new_rand ();
  guint n_left = 0, n_excluded = 0;

  for (guint i = 0; i < N_CASES; i++)
    {
      g_autoptr (TbWaitModel) model
          = wait_graph_random_model (rand, (guint) g_rand_int_range (rand, 2, 8),
                                     (guint) g_rand_int_range (rand, 0, 120),
                                     g_rand_int_range (rand, 1, 9));
      gint64 recorded = model->to - model->from;
      gint64 threshold = g_rand_int_range (rand, -1, (gint32) recorded / 2 + 2);
      g_autoptr (TbWaitGraph) graph = NULL;
      g_autoptr (TbWaitKnots) knots = NULL;
      g_autofree guint8 *workers = NULL;
      TbWaitKnotOptions options = { .threshold = threshold };

      sweep (model);
      graph = tb_wait_graph_new (model, NULL, NULL, NULL);
      tb_wait_graph_exclude_edges (graph, 1u << TB_WAIT_EXCLUSION_LIGHT,
                                   g_rand_int_range (rand, 0, 8));
      options.workers = workers = g_new (guint8, graph->vertices->len + 1);
      memset (workers, TRUE, graph->vertices->len);
      knots = tb_wait_knots_new (graph, &options);
      n_left += check_knots (graph, knots, threshold);
      for (guint32 j = 0; j < graph->arcs->len; j++)
        n_excluded += tb_wait_graph_get_arc (graph, j)->exclusion == TB_WAIT_EXCLUSION_LIGHT;
    }
  g_test_message ("%u bottlenecks, %u edges set aside", n_left, n_excluded);
  g_assert_cmpuint (n_left, >, N_CASES / 10);
  g_assert_cmpuint (n_excluded, >, N_CASES / 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/sweep/recursion", test_recursion);
  g_test_add_func ("/wait-graph/sweep/cycles", test_cycles);
  g_test_add_func ("/wait-graph/sweep/split", test_split);
  g_test_add_func ("/wait-graph/sweep/shift-and-names", test_shift_and_names);
  g_test_add_func ("/wait-graph/sweep/chains", test_chains);
  g_test_add_func ("/wait-graph/sweep/long", test_long);
  g_test_add_func ("/wait-graph/sweep/empty", test_empty);
  g_test_add_func ("/wait-graph/components", test_components);
  g_test_add_func ("/wait-graph/refinement", test_refinement);
  g_test_add_func ("/wait-graph/knots", test_knots);
  return g_test_run ();
}
