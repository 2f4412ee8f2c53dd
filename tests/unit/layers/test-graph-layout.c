/* test-graph-layout.c: test that nothing overlaps, edges end at their vertices and layers are kept
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "layers/tb-graph-engine.h"
#include "report/graph/tb-graph-layout.h"

#define NO_GROUP G_MAXUINT32
#define CLEAR 2.0 /* between a vertex and the ends of its edges */
#define GROUP_NAME 15.0

typedef struct
{
  TbGraphNode *nodes;
  TbGraphArc *arcs;
  guint n_nodes;
  guint n_arcs;
  guint n_groups;
  TbGraphFlow flow;
  TbGraphLayout *layout;
} Case;

static void
case_init (Case *self, guint n_nodes, guint n_arcs, guint n_groups)
{
  *self = (Case) { .n_nodes = n_nodes, .n_arcs = n_arcs, .n_groups = n_groups };
  self->nodes = g_new0 (TbGraphNode, n_nodes + 1);
  self->arcs = g_new0 (TbGraphArc, n_arcs + 1);
  for (guint i = 0; i < n_nodes; i++)
    self->nodes[i] = (TbGraphNode) { 16, 60, 30, NO_GROUP, FALSE };
}

static void
case_lay_out (Case *self)
{
  g_autoptr (GError) error = NULL;

  self->layout = tb_graph_layout_new (self->nodes, self->n_nodes, self->arcs, self->n_arcs,
                                      self->n_groups, GROUP_NAME, self->flow, NULL, &error);
  g_assert_no_error (error);
}

static void
case_clear (Case *self)
{
  g_free (self->nodes);
  g_free (self->arcs);
  tb_graph_layout_free (self->layout);
}

/* Some vertices are isolated, some pairs have many edges, some edges are self-loops. */
static void
case_init_random (Case *self)
{
  guint n = (guint) g_test_rand_int_range (1, g_test_rand_int_range (0, 8) == 0 ? 60 : 14);

  case_init (self, n, (guint) g_test_rand_int_range (0, (int) (2 * n) + 1),
             (guint) g_test_rand_int_range (0, 4));
  self->flow = g_test_rand_int_range (0, 2) ? TB_GRAPH_FLOW_HORIZONTAL : TB_GRAPH_FLOW_VERTICAL;
  for (guint i = 0; i < n; i++)
    {
      TbGraphNode *node = &self->nodes[i];

      node->radius = g_test_rand_double_range (5, 40);
      node->label_width = g_test_rand_double_range (0, 150);
      node->label_height = g_test_rand_double_range (0, 40);
      node->square = g_test_rand_int_range (0, 2);
      if (self->n_groups > 0 && g_test_rand_int_range (0, 2))
        node->group = (guint) g_test_rand_int_range (0, (int) self->n_groups);
    }
  for (guint i = 0; i < self->n_arcs; i++)
    self->arcs[i] = (TbGraphArc) { (guint) g_test_rand_int_range (0, (int) n),
                                   (guint) g_test_rand_int_range (0, (int) n),
                                   g_test_rand_double_range (0, 1e9), 40, 14 };
}

static gboolean
boxes_meet (const TbGraphBox *a, const TbGraphBox *b)
{
  const double least = 1e-6;

  return a->x + least < b->x + b->width && b->x + least < a->x + a->width
         && a->y + least < b->y + b->height && b->y + least < a->y + a->height;
}

static gboolean
box_contains (const TbGraphBox *a, const TbGraphBox *b)
{
  const double least = 1e-6;

  return b->x >= a->x - least && b->y >= a->y - least && b->x + b->width <= a->x + a->width + least
         && b->y + b->height <= a->y + a->height + least;
}

static TbGraphBox
get_body (const Case *self, guint node)
{
  double radius = self->nodes[node].radius;
  TbGraphPoint centre = self->layout->places[node].centre;

  return (TbGraphBox) { centre.x - radius, centre.y - radius, 2 * radius, 2 * radius };
}

static gboolean
nodes_meet (const Case *self, guint a, guint b)
{
  TbGraphBox body_a = get_body (self, a), body_b = get_body (self, b);
  const TbGraphBox *label_a = &self->layout->places[a].label,
                   *label_b = &self->layout->places[b].label;

  return boxes_meet (&body_a, &body_b) || boxes_meet (&body_a, label_b)
         || boxes_meet (label_a, &body_b) || boxes_meet (label_a, label_b);
}

static void
check_nodes (const Case *self)
{
  TbGraphBox all = { 0, 0, self->layout->width, self->layout->height };

  for (guint a = 0; a < self->n_nodes; a++)
    {
      TbGraphBox body = get_body (self, a);

      g_assert_true (box_contains (&all, &body));
      g_assert_true (box_contains (&all, &self->layout->places[a].label));
      g_assert_false (boxes_meet (&body, &self->layout->places[a].label));
      for (guint b = 0; b < a; b++)
        g_assert_false (nodes_meet (self, a, b));
    }
}

/* A frame contains all of its group and nothing else. */
static void
check_groups (const Case *self)
{
  for (guint group = 0; group < self->n_groups; group++)
    {
      const TbGraphBox *frame = &self->layout->groups[group];
      gboolean any = FALSE;

      for (guint i = 0; i < self->n_nodes; i++)
        {
          TbGraphBox body = get_body (self, i);
          gboolean inside = self->nodes[i].group == group;

          any |= inside;
          g_assert_true (inside ? box_contains (frame, &body) : !boxes_meet (frame, &body));
          g_assert_true (inside ? box_contains (frame, &self->layout->places[i].label)
                                : !boxes_meet (frame, &self->layout->places[i].label));
        }
      g_assert_cmpint (frame->width > 0, ==, any);
      for (guint other = 0; other < group; other++)
        g_assert_false (any && self->layout->groups[other].width > 0
                        && boxes_meet (frame, &self->layout->groups[other]));
    }
}

static guint
find_root (guint *parents, guint node)
{
  while (parents[node] != node)
    node = parents[node];
  return node;
}

/* Returns a number for each vertex, which is the same for all vertices connected by edges or
 * frames. */
static guint *
find_parts (const Case *self)
{
  guint *parents = g_new (guint, self->n_nodes + 1);

  for (guint i = 0; i < self->n_nodes; i++)
    parents[i] = i;
  for (guint i = 0; i < self->n_arcs; i++)
    parents[find_root (parents, self->arcs[i].from)] = find_root (parents, self->arcs[i].to);
  for (guint i = 0; i < self->n_nodes; i++)
    for (guint k = 0; k < i; k++)
      if (self->nodes[i].group != NO_GROUP && self->nodes[i].group == self->nodes[k].group)
        parents[find_root (parents, i)] = find_root (parents, k);
  for (guint i = 0; i < self->n_nodes; i++)
    parents[i] = find_root (parents, i);
  return parents;
}

/* The vertices of a layer are in one line, and layers are in order. */
static void
check_layers (const Case *self)
{
  g_autofree guint *parts = find_parts (self);

  for (guint a = 0; a < self->n_nodes; a++)
    for (guint b = 0; b < self->n_nodes; b++)
      {
        const TbGraphPlace *one = &self->layout->places[a], *two = &self->layout->places[b];
        double first = self->flow == TB_GRAPH_FLOW_HORIZONTAL ? one->centre.x : one->centre.y;
        double second = self->flow == TB_GRAPH_FLOW_HORIZONTAL ? two->centre.x : two->centre.y;

        if (self->nodes[a].group != self->nodes[b].group || parts[a] != parts[b])
          continue;
        if (one->layer == two->layer)
          g_assert_cmpfloat_with_epsilon (first, second, 1e-6);
        else
          g_assert_cmpint (one->layer < two->layer, ==, first < second);
      }
  for (guint i = 0; i < self->n_arcs; i++)
    {
      guint from = self->arcs[i].from, to = self->arcs[i].to;

      if (from != to && self->nodes[from].group == self->nodes[to].group)
        g_assert_cmpuint (self->layout->places[from].layer, !=, self->layout->places[to].layer);
    }
}

static void
check_end (const Case *self, guint node, TbGraphPoint point)
{
  TbGraphPoint centre = self->layout->places[node].centre;
  double away = hypot (point.x - centre.x, point.y - centre.y);
  double radius = self->nodes[node].radius;

  if (!self->nodes[node].square)
    g_assert_cmpfloat_with_epsilon (away, radius + CLEAR, 1e-6);
  else
    {
      g_assert_cmpfloat (away, >=, radius + CLEAR - 1e-6);
      g_assert_cmpfloat (away, <=, 1.22 * radius + CLEAR + 1e-6);
    }
}

/* An edge starts and ends at its vertices, never turns back between the layers it passes, and stays
 * in the picture. */
static void
check_routes (const Case *self)
{
  for (guint i = 0; i < self->n_arcs; i++)
    {
      const TbGraphRoute *route = &self->layout->routes[i];
      const TbGraphPoint *points = self->layout->points + route->first;

      g_assert_cmpuint (route->n, >=, 4);
      g_assert_cmpuint (route->n % 3, ==, 1);
      g_assert_cmpuint (route->first + route->n, <=, self->layout->n_points);
      check_end (self, self->arcs[i].from, points[0]);
      check_end (self, self->arcs[i].to, points[route->n - 1]);
      for (guint k = 0; k + 3 < route->n; k += 3)
        for (double t = 0; t <= 1; t += 1 / 16.)
          {
            TbGraphPoint point = tb_graph_curve_at (points + k, t);

            g_assert_true (point.x >= 0 && point.x <= self->layout->width);
            g_assert_true (point.y >= 0 && point.y <= self->layout->height);
          }
    }
}

static void
check_labels (const Case *self)
{
  TbGraphBox all = { 0, 0, self->layout->width, self->layout->height };

  for (guint a = 0; a < self->n_arcs; a++)
    {
      const TbGraphRoute *one = &self->layout->routes[a];

      g_assert_true (!one->has_label || box_contains (&all, &one->label));
      for (guint b = 0; one->has_label && b < a; b++)
        g_assert_false (self->layout->routes[b].has_label
                        && boxes_meet (&one->label, &self->layout->routes[b].label));
      for (guint i = 0; one->has_label && i < self->layout->n_groups; i++)
        {
          const TbGraphBox *frame = &self->layout->groups[i];
          TbGraphBox name = { frame->x, frame->y, frame->width, 18 };

          g_assert_false (frame->width > 0 && boxes_meet (&one->label, &name));
        }
      for (guint i = 0; one->has_label && i < self->n_nodes; i++)
        {
          TbGraphBox body = get_body (self, i);

          g_assert_false (boxes_meet (&one->label, &body));
          g_assert_false (boxes_meet (&one->label, &self->layout->places[i].label));
        }
    }
}

static void
check (const Case *self)
{
  check_nodes (self);
  check_groups (self);
  check_layers (self);
  check_routes (self);
  check_labels (self);
}

static void
test_random (void)
{
  for (guint i = 0; i < 300; i++)
    {
      Case random;

      case_init_random (&random);
      case_lay_out (&random);
      check (&random);
      case_clear (&random);
    }
}

/* Without cycles all edges point forward. */
static void
test_acyclic (void)
{
  for (guint i = 0; i < 100; i++)
    {
      Case random;

      case_init_random (&random);
      for (guint k = 0; k < random.n_nodes; k++)
        random.nodes[k].group = NO_GROUP;
      for (guint k = 0; k < random.n_arcs; k++)
        {
          guint from = random.arcs[k].from, to = random.arcs[k].to;

          random.arcs[k].from = MIN (from, to);
          random.arcs[k].to = MAX (from, to);
        }
      case_lay_out (&random);
      check (&random);
      for (guint k = 0; k < random.n_arcs; k++)
        if (random.arcs[k].from != random.arcs[k].to)
          g_assert_cmpuint (random.layout->places[random.arcs[k].from].layer, <,
                            random.layout->places[random.arcs[k].to].layer);
      case_clear (&random);
    }
}

/* Two edges between the same vertices are apart in their middles, whatever their directions. */
static void
test_parallel_edges (void)
{
  for (TbGraphFlow flow = TB_GRAPH_FLOW_HORIZONTAL; flow <= TB_GRAPH_FLOW_VERTICAL; flow++)
    {
      TbGraphPoint one, two;
      Case pair;

      case_init (&pair, 2, 2, 0);
      pair.flow = flow;
      pair.arcs[0] = (TbGraphArc) { 0, 1, 2, 0, 0 };
      pair.arcs[1] = (TbGraphArc) { 1, 0, 1, 0, 0 };
      case_lay_out (&pair);
      check (&pair);
      one = tb_graph_curve_at (pair.layout->points + pair.layout->routes[0].first, .5);
      two = tb_graph_curve_at (pair.layout->points + pair.layout->routes[1].first, .5);
      g_assert_cmpfloat (hypot (one.x - two.x, one.y - two.y), >, 12);
      /* The heavier edge points forward. */
      g_assert_cmpuint (pair.layout->places[0].layer, <, pair.layout->places[1].layer);
      case_clear (&pair);
    }
}

/* A self-loop runs around its vertex, and several of them around each other. */
static void
test_loops (void)
{
  double last = 20 + CLEAR;
  Case loops;

  case_init (&loops, 1, 3, 1);
  loops.nodes[0].radius = 20;
  loops.nodes[0].group = 0;
  case_lay_out (&loops);
  check (&loops);
  for (guint i = 0; i < 3; i++)
    {
      TbGraphPoint apex
          = tb_graph_curve_at (loops.layout->points + loops.layout->routes[i].first, .5);
      double away = hypot (apex.x - loops.layout->places[0].centre.x,
                           apex.y - loops.layout->places[0].centre.y);

      g_assert_cmpfloat (away, >, last + 5);
      last = away;
    }
  case_clear (&loops);
}

/* An edge that passes a layer avoids the vertices in it. */
static void
test_passing (void)
{
  Case chain;

  case_init (&chain, 3, 3, 0);
  chain.arcs[0] = (TbGraphArc) { 0, 1, 1, 0, 0 };
  chain.arcs[1] = (TbGraphArc) { 1, 2, 1, 0, 0 };
  chain.arcs[2] = (TbGraphArc) { 0, 2, 1, 0, 0 };
  case_lay_out (&chain);
  check (&chain);
  for (guint k = 0; k + 3 < chain.layout->routes[2].n; k += 3)
    for (double t = 0; t <= 1; t += 1 / 32.)
      {
        TbGraphPoint point
            = tb_graph_curve_at (chain.layout->points + chain.layout->routes[2].first + k, t);
        TbGraphBox body = get_body (&chain, 1), dot = { point.x, point.y, .1, .1 };

        g_assert_false (boxes_meet (&body, &dot));
        g_assert_false (boxes_meet (&chain.layout->places[1].label, &dot));
      }
  case_clear (&chain);
}

/* A star with hundreds of arms does not become one very long column. */
static void
test_star (void)
{
  Case star;

  case_init (&star, 200, 199, 0);
  for (guint i = 0; i < 199; i++)
    star.arcs[i] = (TbGraphArc) { i + 1, 0, i, 0, 0 };
  case_lay_out (&star);
  check (&star);
  g_assert_cmpfloat (star.layout->height, <, 3 * star.layout->width);
  case_clear (&star);
}

/* Unconnected parts are placed next to each other, not in one very long column. */
static void
test_parts (void)
{
  for (TbGraphFlow flow = TB_GRAPH_FLOW_HORIZONTAL; flow <= TB_GRAPH_FLOW_VERTICAL; flow++)
    {
      Case pairs;

      case_init (&pairs, 120, 50, 0);
      pairs.flow = flow;
      for (guint i = 0; i < 50; i++)
        pairs.arcs[i] = (TbGraphArc) { 2 * i, 2 * i + 1, i, 30, 12 };
      case_lay_out (&pairs);
      check (&pairs);
      g_assert_cmpfloat (pairs.layout->height, <, 3 * pairs.layout->width);
      g_assert_cmpfloat (pairs.layout->width, <, 3 * pairs.layout->height);
      case_clear (&pairs);
    }
}

static void
test_empty (void)
{
  Case empty;

  case_init (&empty, 0, 0, 2);
  case_lay_out (&empty);
  check (&empty);
  case_clear (&empty);
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Case random;

  case_init_random (&random);
  g_cancellable_cancel (cancellable);
  g_assert_null (tb_graph_layout_new (random.nodes, random.n_nodes, random.arcs, random.n_arcs,
                                      random.n_groups, GROUP_NAME, random.flow, cancellable,
                                      &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  case_clear (&random);
}

static gpointer
lay_out_some (gpointer data)
{
  Case *cases = data;

  for (guint i = 0; i < 10; i++)
    case_lay_out (&cases[i]);
  return NULL;
}

static void
test_threads (void)
{
  Case cases[20];
  GThread *threads[2];

  for (guint i = 0; i < 20; i++)
    case_init_random (&cases[i]);
  for (guint i = 0; i < 2; i++)
    threads[i] = g_thread_new ("layout", lay_out_some, cases + 10 * i);
  for (guint i = 0; i < 2; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < 20; i++)
    {
      check (&cases[i]);
      case_clear (&cases[i]);
    }
}

/* Total crossings of edges between adjacent layers. igraph must not lead to more than without
 * it. */
static double
sum_crossings (void)
{
  double n = 0;

  for (guint seed = 0; seed < 20; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      Case layered;

      case_init (&layered, 24, 40, 0);
      for (guint i = 0; i < 40; i++)
        {
          guint from = (guint) g_rand_int_range (rand, 0, 23);

          layered.arcs[i]
              = (TbGraphArc) { from, (guint) g_rand_int_range (rand, (int) from + 1, 24), 1, 0, 0 };
        }
      case_lay_out (&layered);
      check (&layered);
      for (guint a = 0; a < 40; a++)
        for (guint b = 0; b < a; b++)
          {
            const TbGraphPlace *places = layered.layout->places;
            const TbGraphPlace *a0 = &places[layered.arcs[a].from],
                               *a1 = &places[layered.arcs[a].to];
            const TbGraphPlace *b0 = &places[layered.arcs[b].from],
                               *b1 = &places[layered.arcs[b].to];

            n += a0->layer == b0->layer && a1->layer == b1->layer
                 && (a0->centre.y - b0->centre.y) * (a1->centre.y - b1->centre.y) < 0;
          }
      case_clear (&layered);
    }
  return n;
}

static void
test_engine (void)
{
  double with, without;

  with = sum_crossings ();
  tb_graph_layout_set_engine (NULL);
  without = sum_crossings ();
  test_random ();
  test_acyclic ();
  tb_graph_engine_install ();
  g_test_message ("%.0f crossings, %.0f without igraph", with, without);
  g_assert_cmpfloat (with, <, without);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tb_graph_engine_install ();
  g_test_add_func ("/graph-layout/random", test_random);
  g_test_add_func ("/graph-layout/acyclic", test_acyclic);
  g_test_add_func ("/graph-layout/apart", test_parallel_edges);
  g_test_add_func ("/graph-layout/loops", test_loops);
  g_test_add_func ("/graph-layout/passing", test_passing);
  g_test_add_func ("/graph-layout/star", test_star);
  g_test_add_func ("/graph-layout/parts", test_parts);
  g_test_add_func ("/graph-layout/empty", test_empty);
  g_test_add_func ("/graph-layout/cancel", test_cancel);
  g_test_add_func ("/graph-layout/threads", test_threads);
  g_test_add_func ("/graph-layout/engine", test_engine);
  return g_test_run ();
}
