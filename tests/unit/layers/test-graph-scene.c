/* test-graph-scene.c: test of edges near the pointer, of labels at any zoom, and of mirrored graphs
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "layers/tb-graph-engine.h"
#include "report/graph/tb-graph-label-places.h"
#include "session/schema/tb-schema.h"

#define N_SAMPLES 20000 /* points on a curve, by brute force */
#define SLACK .05       /* distance of sampled points from the curve, and of lines */
#define N_CASES 60

static void
measure (const char *name, const char *detail, double *width, double *height, gpointer data)
{
  gsize longest = strlen (name);

  if (detail != NULL)
    longest = MAX (longest, strlen (detail));
  *width = 7. * (double) longest;
  *height = longest == 0 ? 0 : detail != NULL && *detail != '\0' ? 30 : 15;
}

static TbGraphFigure *
make_figure (void)
{
  TbGraphFigure *figure = tb_graph_figure_new ("graph", "Graph", "ns");
  guint n = (guint) g_test_rand_int_range (1, 50), n_edges = (guint) g_test_rand_int_range (0, 70);
  guint cluster = tb_graph_figure_add_cluster (figure, "knot", "Knot 1");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("v%u", i);
      g_autofree char *name = g_strnfill ((gsize) g_test_rand_int_range (0, 24), 'n');
      g_autofree char *detail = g_strnfill ((gsize) g_test_rand_int_range (0, 24), 'd');

      tb_graph_figure_add_vertex (figure, id, name, detail,
                                  (TbVertexKind) g_test_rand_int_range (0, TB_N_VERTEX_KINDS),
                                  g_test_rand_int_range (0, 4) == 0 ? cluster : TB_ID_NONE,
                                  (guint64) g_test_rand_int_range (0, 1000000));
    }
  for (guint i = 0; i < n_edges; i++)
    {
      g_autofree char *id = g_strdup_printf ("e%u", i);

      tb_graph_figure_add_edge (figure, id, (guint) g_test_rand_int_range (0, (int) n),
                                (guint) g_test_rand_int_range (0, (int) n),
                                (guint64) g_test_rand_int_range (1, 1000000), 0, "12 ms");
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static TbGraphScene *
make_scene (gboolean is_mirrored)
{
  g_autoptr (TbGraphFigure) figure = make_figure ();
  g_autoptr (TbGraphRanking) ranking = tb_graph_ranking_new (figure);
  TbGraphScene *scene
      = tb_graph_scene_new (figure, ranking, 0, 300, TB_ID_NONE, NULL, measure, NULL);

  g_assert_true (tb_graph_scene_lay_out_to_fit (scene, g_test_rand_double_range (200, 1500),
                                                g_test_rand_double_range (200, 1500), is_mirrored,
                                                NULL, NULL));
  return scene;
}

/* A weight equal to the threshold does not exceed it, as in the refinement of a knot: the edge is
 * dashed and not counted. */
static void
test_threshold (void)
{
  static const guint64 weights[] = { 1000, 999, 1001 };
  TbGraphFigure *figure = tb_graph_figure_new ("graph", "Graph", "ns");
  g_autoptr (TbGraphRanking) ranking = NULL;
  TbGraphScene *scene;
  g_autofree char *text = NULL;

  for (guint i = 0; i < 2; i++)
    tb_graph_figure_add_vertex (figure, i == 0 ? "a" : "b", "v", "", TB_VERTEX_THREAD, TB_ID_NONE,
                                1);
  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      g_autofree char *id = g_strdup_printf ("e%u", i);

      tb_graph_figure_add_edge (figure, id, 0, 1, weights[i], 0, "");
    }
  tb_figure_freeze (TB_FIGURE (figure));
  ranking = tb_graph_ranking_new (figure);
  scene = tb_graph_scene_new (figure, ranking, 1000, 300, TB_ID_NONE, NULL, measure, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    g_assert_cmpint (tb_graph_scene_is_dashed (scene, i), ==, weights[i] <= 1000);
  text = tb_graph_scene_describe (scene, ranking);
  g_assert_true (g_str_has_prefix (text, "3 edges, 1 above the threshold"));
  tb_graph_scene_free (scene);
  g_object_unref (figure);
}

static double
get_distance_by_samples (const TbGraphLayout *layout, guint arc, double x, double y)
{
  const TbGraphRoute *route = &layout->routes[arc];
  double least = G_MAXDOUBLE;

  for (guint i = 0; i + 3 < route->n; i += 3)
    for (guint k = 0; k <= N_SAMPLES; k++)
      {
        TbGraphPoint point
            = tb_graph_curve_at (layout->points + route->first + i, (double) k / N_SAMPLES);

        least = MIN (least, hypot (point.x - x, point.y - y));
      }
  return least;
}

/* Distances of points near an edge and far from it, against the nearest of very many points on the
 * curve. */
static void
test_distance (void)
{
  for (guint n = 0; n < N_CASES; n++)
    {
      g_autoptr (TbGraphScene) scene = make_scene (FALSE);
      const TbGraphLayout *layout = scene->layout;
      guint arc;
      const TbGraphRoute *route;
      TbGraphPoint near;
      double x, y, expected, most, distance;

      if (scene->n_arcs == 0)
        continue;
      arc = (guint) g_test_rand_int_range (0, (int) scene->n_arcs);
      route = &layout->routes[arc];
      near = tb_graph_curve_at (
          layout->points + route->first
              + 3 * (guint) g_test_rand_int_range (0, (int) (route->n - 1) / 3),
          g_test_rand_double ());
      x = near.x + g_test_rand_double_range (-40, 40);
      y = near.y + g_test_rand_double_range (-40, 40);
      expected = get_distance_by_samples (layout, arc, x, y);
      distance = tb_graph_layout_get_distance (layout, arc, x, y, 1e9);
      g_assert_cmpfloat_with_epsilon (distance, expected, SLACK);
      most = g_test_rand_double_range (1, 60);
      distance = tb_graph_layout_get_distance (layout, arc, x, y, most);
      if (expected < most - SLACK)
        g_assert_cmpfloat_with_epsilon (distance, expected, SLACK);
      else if (expected > most + SLACK)
        g_assert_true (distance == G_MAXDOUBLE);
    }
}

static gboolean
boxes_meet (const TbGraphBox *a, const TbGraphBox *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height
         && b->y < a->y + a->height;
}

static void
assert_on_sheet (const TbGraphLayout *layout, const TbGraphBox *box)
{
  g_assert_cmpfloat (box->x, >=, 0);
  g_assert_cmpfloat (box->y, >=, 0);
  g_assert_cmpfloat (box->x + box->width, <=, layout->width + 1e-6);
  g_assert_cmpfloat (box->y + box->height, <=, layout->height + 1e-6);
}

static void
gather (GArray *written, const TbGraphText *texts, guint n)
{
  for (guint i = 0; i < n; i++)
    if (texts[i].is_placed)
      g_array_append_val (written, texts[i].box);
}

static TbGraphBox
get_body (const TbGraphScene *scene, guint node)
{
  TbGraphPoint centre = scene->layout->places[node].centre;
  double radius = scene->nodes[node].radius;

  return (TbGraphBox) { centre.x - radius, centre.y - radius, 2 * radius, 2 * radius };
}

/* At any zoom texts have their size and cover no other text and no vertex. The largest vertex has a
 * name wherever there is room. */
static void
check_texts (const TbGraphScene *scene, const TbGraphTexts *texts)
{
  g_autoptr (GArray) written = g_array_new (FALSE, FALSE, sizeof (TbGraphBox));

  gather (written, texts->names, scene->n_nodes);
  gather (written, texts->labels, scene->n_arcs);
  gather (written, texts->frames, scene->layout->n_groups);
  for (guint i = 0; i < written->len; i++)
    {
      const TbGraphBox *box = &g_array_index (written, TbGraphBox, i);

      assert_on_sheet (scene->layout, box);
      for (guint k = 0; k < i; k++)
        g_assert_false (boxes_meet (box, &g_array_index (written, TbGraphBox, k)));
      for (guint node = 0; node < scene->n_nodes; node++)
        {
          TbGraphBox body = get_body (scene, node);

          g_assert_false (boxes_meet (box, &body));
        }
    }
  for (guint i = 0; i < scene->n_nodes; i++)
    if (texts->names[i].is_placed)
      {
        double width
            = texts->names[i].is_short ? scene->short_names[i].width : scene->nodes[i].label_width;

        g_assert_cmpfloat_with_epsilon (texts->names[i].box.width, texts->size * width, 1e-6);
      }
}

static void
test_texts (void)
{
  for (guint n = 0; n < N_CASES; n++)
    {
      g_autoptr (TbGraphScene) scene = make_scene (g_test_rand_bit ());
      g_autoptr (TbGraphTexts) usual = tb_graph_texts_new (scene, 1);
      g_autoptr (TbGraphTexts) larger
          = tb_graph_texts_new (scene, g_test_rand_double_range (1.01, 6));
      guint n_usual = 0, n_larger = 0;

      for (guint i = 0; i < scene->n_nodes; i++)
        {
          n_usual += usual->names[i].is_placed;
          n_larger += larger->names[i].is_placed;
          g_assert_true (usual->names[i].is_placed == (scene->nodes[i].label_width > 0));
          g_assert_cmpfloat (usual->names[i].box.x, ==, scene->layout->places[i].label.x);
        }
      g_assert_cmpuint (n_larger, <=, n_usual);
      check_texts (scene, usual);
      check_texts (scene, larger);
    }
}

/* Whether a name of that size covers no vertex below, above or beside its own. */
static gboolean
has_room (const TbGraphScene *scene, guint node, double size)
{
  TbGraphPoint centre = scene->layout->places[node].centre;
  double away = scene->nodes[node].radius + 3 * size;
  double width = size * scene->short_names[node].width,
         height = size * scene->short_names[node].height;
  TbGraphBox boxes[] = { { centre.x - width / 2, centre.y + away, width, height },
                         { centre.x - width / 2, centre.y - away - height, width, height },
                         { centre.x + away, centre.y - height / 2, width, height },
                         { centre.x - away - width, centre.y - height / 2, width, height } };

  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++)
    {
      gboolean is_free = TRUE;

      boxes[i].x = CLAMP (boxes[i].x, 0, scene->layout->width - width);
      boxes[i].y = CLAMP (boxes[i].y, 0, scene->layout->height - height);
      for (guint other = 0; other < scene->n_nodes; other++)
        {
          TbGraphBox body = get_body (scene, other);

          body = (TbGraphBox) { body.x - 2, body.y - 1, body.width + 4, body.height + 2 };
          is_free &= !boxes_meet (&boxes[i], &body);
        }
      if (is_free)
        return TRUE;
    }
  return FALSE;
}

/* At high zoom all vertices have names, at low zoom the largest ones wherever there is room. */
static void
test_texts_by_weight (void)
{
  g_autoptr (TbGraphFigure) figure = tb_graph_figure_new ("graph", "Graph", "ns");
  g_autoptr (TbGraphRanking) ranking = NULL;
  g_autoptr (TbGraphScene) scene = NULL;

  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *id = g_strdup_printf ("v%u", i);

      tb_graph_figure_add_vertex (figure, id, "vertex", "", TB_VERTEX_THREAD, TB_ID_NONE,
                                  1 + i * 1000);
      if (i > 0)
        tb_graph_figure_add_edge (figure, id, (i - 1) / 2, i, 1000, 0, "");
    }
  tb_figure_freeze (TB_FIGURE (figure));
  ranking = tb_graph_ranking_new (figure);
  scene = tb_graph_scene_new (figure, ranking, 0, 300, TB_ID_NONE, NULL, measure, NULL);
  g_assert_true (tb_graph_scene_lay_out_to_fit (scene, 900, 600, FALSE, NULL, NULL));
  for (double size = 1.1; size < 6; size *= 1.3)
    {
      g_autoptr (TbGraphTexts) texts = tb_graph_texts_new (scene, size);
      guint n = 0;

      for (guint i = 0; i < scene->n_nodes; i++)
        {
          n += texts->names[i].is_placed;
          if (scene->shown[i].vertex == 39)
            g_assert_true (texts->names[i].is_placed == has_room (scene, i, size));
        }
      if (size < 1.2)
        g_assert_cmpuint (n, ==, scene->n_nodes);
      g_assert_cmpuint (n, >, 0);
    }
}

/* Left becomes right, and mirroring twice changes nothing. */
static void
test_mirror (void)
{
  for (guint n = 0; n < N_CASES; n++)
    {
      g_autoptr (TbGraphScene) scene = make_scene (FALSE);
      TbGraphLayout *layout = scene->layout;
      g_autofree TbGraphPlace *places
          = g_memdup2 (layout->places, sizeof *places * (layout->n_places + 1));
      double x = g_test_rand_double_range (0, layout->width),
             y = g_test_rand_double_range (0, layout->height);
      double before
          = layout->n_routes > 0 ? tb_graph_layout_get_distance (layout, 0, x, y, 1e9) : 0;

      g_assert_false (layout->is_mirrored);
      tb_graph_layout_mirror (layout);
      g_assert_true (layout->is_mirrored);
      for (guint i = 0; i < layout->n_places; i++)
        {
          g_assert_cmpfloat_with_epsilon (layout->places[i].centre.x,
                                          layout->width - places[i].centre.x, 1e-9);
          g_assert_cmpfloat (layout->places[i].centre.y, ==, places[i].centre.y);
          assert_on_sheet (layout, &layout->places[i].label);
        }
      if (layout->n_routes > 0)
        g_assert_cmpfloat_with_epsilon (tb_graph_layout_get_distance (layout, 0, layout->width - x,
                                                                      y, 1e9),
                                        before, 1e-6);
      tb_graph_layout_mirror (layout);
      for (guint i = 0; i < layout->n_places; i++)
        g_assert_cmpfloat_with_epsilon (layout->places[i].centre.x, places[i].centre.x, 1e-9);
    }
}

/* A chain is laid out along the longer side of its view. */
static void
test_shape (void)
{
  g_autoptr (TbGraphFigure) figure = tb_graph_figure_new ("graph", "Graph", "ns");
  g_autoptr (TbGraphRanking) ranking = NULL;

  for (guint i = 0; i < 9; i++)
    {
      g_autofree char *id = g_strdup_printf ("v%u", i);

      tb_graph_figure_add_vertex (figure, id, "vertex", "detail", TB_VERTEX_THREAD, TB_ID_NONE,
                                  1000);
      if (i > 0)
        tb_graph_figure_add_edge (figure, id, i - 1, i, 1000, 0, "1 ms");
    }
  tb_figure_freeze (TB_FIGURE (figure));
  ranking = tb_graph_ranking_new (figure);
  for (guint wide = 0; wide < 2; wide++)
    {
      g_autoptr (TbGraphScene) scene
          = tb_graph_scene_new (figure, ranking, 0, 300, TB_ID_NONE, NULL, measure, NULL);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;

      g_assert_true (tb_graph_scene_lay_out_to_fit (scene, wide ? 1200 : 300, wide ? 300 : 900,
                                                    FALSE, NULL, NULL));
      g_assert_cmpint (scene->layout->flow, ==,
                       wide ? TB_GRAPH_FLOW_HORIZONTAL : TB_GRAPH_FLOW_VERTICAL);
      g_cancellable_cancel (cancellable);
      g_assert_false (tb_graph_scene_lay_out_to_fit (scene, 300, 300, FALSE, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

/* Weights of 10, 20 and 30, together with an excluded and a hidden edge, which are both heavier; a
 * threshold of 20. */
static void
test_dashed (void)
{
  static const struct
  {
    guint64 weight;
    guint flags;
    gboolean is_dashed;
  } edges[] = { { 10, 0, TRUE },
                { 20, 0, TRUE },
                { 30, 0, FALSE },
                { 40, TB_EDGE_EXCLUDED, TRUE },
                { 50, TB_EDGE_CUT, TRUE },
                { 60, TB_EDGE_IDLE, FALSE },
                { 15, TB_EDGE_STRONG, TRUE } };
  g_autoptr (TbGraphFigure) figure = tb_graph_figure_new ("graph", "Graph", "ns");
  guint a = tb_graph_figure_add_vertex (figure, "a", "a", "", TB_VERTEX_THREAD, TB_ID_NONE, 1);
  guint b = tb_graph_figure_add_vertex (figure, "b", "b", "", TB_VERTEX_THREAD, TB_ID_NONE, 1);
  g_autoptr (TbGraphRanking) ranking = NULL;
  g_autoptr (TbGraphScene) scene = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    {
      g_autofree char *id = g_strdup_printf ("e%u", i);

      tb_graph_figure_add_edge (figure, id, a, b, edges[i].weight, edges[i].flags, "");
    }
  tb_figure_freeze (TB_FIGURE (figure));
  ranking = tb_graph_ranking_new (figure);
  scene = tb_graph_scene_new (figure, ranking, 20, 300, TB_ID_NONE, NULL, measure, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    {
      g_assert_cmpint (tb_graph_scene_is_dashed (scene, i), ==, edges[i].is_dashed);
      g_assert_cmpint (tb_graph_figure_is_dashed (figure, i, 20), ==, edges[i].is_dashed);
      /* All of these edges have the same line width. */
      if (edges[i].is_dashed)
        g_assert_cmpfloat (tb_graph_scene_get_line_width (scene, i), ==,
                           tb_graph_scene_get_line_width (scene, 0));
      else
        g_assert_cmpfloat (tb_graph_scene_get_line_width (scene, i), >,
                           tb_graph_scene_get_line_width (scene, 0));
    }
}

/* By running time: the area beyond the minimum is proportional to it. */
static void
test_vertex_sizes (void)
{
  static const guint64 weights[] = { 100, 25, 0 };
  g_autoptr (TbGraphFigure) figure = tb_graph_figure_new ("graph", "Graph", "ns");
  g_autoptr (TbGraphRanking) ranking = NULL;
  g_autoptr (TbGraphScene) scene = NULL;
  double radii[G_N_ELEMENTS (weights)] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      g_autofree char *id = g_strdup_printf ("v%u", i);

      tb_graph_figure_add_vertex (figure, id, id, "", TB_VERTEX_THREAD, TB_ID_NONE, weights[i]);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  ranking = tb_graph_ranking_new (figure);
  scene = tb_graph_scene_new (figure, ranking, 0, 300, TB_ID_NONE, NULL, measure, NULL);
  g_assert_cmpuint (scene->n_nodes, ==, G_N_ELEMENTS (weights));
  for (guint i = 0; i < scene->n_nodes; i++)
    radii[scene->shown[i].vertex] = scene->nodes[i].radius;
  g_assert_cmpfloat (radii[2], >, 0);
  g_assert_cmpfloat_with_epsilon (radii[0] - radii[2], 2 * (radii[1] - radii[2]), 1e-9);
  g_assert_cmpfloat (radii[0], >, 1.3 * radii[1]);
}

/* A knot with 60 edges, and 400 edges outside of it, of which every third is heavier than all in
 * it. */
static TbGraphFigure *
make_large_knot (void)
{
  TbGraphFigure *figure = tb_graph_figure_new ("graph", "Graph", "ns");
  guint knot = tb_graph_figure_add_cluster (figure, "knot", "Knot 1");

  tb_graph_figure_set_cluster_kind (figure, TB_CLUSTER_KNOT);
  for (guint i = 0; i < 22; i++)
    {
      g_autofree char *id = g_strdup_printf ("v%u", i);

      tb_graph_figure_add_vertex (figure, id, id, "", TB_VERTEX_THREAD, i < 2 ? knot : TB_ID_NONE,
                                  1);
    }
  for (guint i = 0; i < 460; i++)
    {
      g_autofree char *id = g_strdup_printf ("e%u", i);
      guint from = i < 60 ? i % 2 : 2 + i % 20, to = i < 60 ? (i + 1) % 2 : 2 + (i / 20) % 20;

      tb_graph_figure_add_edge (figure, id, from, to, i < 60 || i % 3 != 0 ? 1000 - i : 2000 - i, 0,
                                "");
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static void
assert_described (TbGraphFigure *figure,
                  guint64 threshold,
                  guint8 collapsed,
                  guint drawn,
                  const char *text)
{
  g_autoptr (TbGraphRanking) ranking = tb_graph_ranking_new (figure);
  g_autoptr (TbGraphScene) scene
      = tb_graph_scene_new (figure, ranking, threshold, 300, TB_ID_NONE, &collapsed, measure, NULL);
  g_autofree char *description = tb_graph_scene_describe (scene, ranking);

  g_assert_cmpstr (description, ==, text);
  g_assert_cmpuint (scene->n_arcs, ==, drawn);
}

/* Edges hidden in a collapsed knot are not drawn and not counted as lighter, and they take no place
 * in the ranking. */
static void
test_collapsed_counts (void)
{
  g_autoptr (TbGraphFigure) figure = make_large_knot ();

  assert_described (
      figure, 0, FALSE, 300,
      "460 edges, 460 above the threshold, 60 in knots; only the 300 heaviest are drawn");
  assert_described (
      figure, 0, TRUE, 300,
      "460 edges, 460 above the threshold, 60 in knots, 60 of these collapsed; of the others "
      "only the 300 heaviest are drawn");
  assert_described (figure, 1900, FALSE, 40,
                    "460 edges, 14 above the threshold, 60 in knots; 40 drawn");
  assert_described (
      figure, 941, TRUE, 134,
      "460 edges, 193 above the threshold, 60 in knots, 60 of these collapsed; 134 drawn");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tb_graph_engine_install ();
  g_test_add_func ("/graph-scene/threshold", test_threshold);
  g_test_add_func ("/graph-scene/distance", test_distance);
  g_test_add_func ("/graph-scene/texts", test_texts);
  g_test_add_func ("/graph-scene/texts-by-weight", test_texts_by_weight);
  g_test_add_func ("/graph-scene/mirror", test_mirror);
  g_test_add_func ("/graph-scene/shape", test_shape);
  g_test_add_func ("/graph-scene/dashed", test_dashed);
  g_test_add_func ("/graph-scene/vertex-sizes", test_vertex_sizes);
  g_test_add_func ("/graph-scene/collapsed-counts", test_collapsed_counts);
  return g_test_run ();
}
