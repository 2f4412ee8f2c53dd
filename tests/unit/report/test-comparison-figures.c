/* test-comparison-figures.c: test of comparing flames, and of aliases of edges
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/flame/tb-flame-figure.h"
#include "report/graph/tb-graph-figure.h"
#include "session/schema/tb-schema.h"

/* --- flames --- */

static void
test_flames (void)
{
  g_autoptr (TbFlameFigure) base = tb_flame_figure_new ("base", "Base", "ns");
  g_autoptr (TbFlameFigure) other = tb_flame_figure_new ("other", "Other", "ns");
  g_autoptr (TbFlameFigure) both = NULL;
  guint main_node
      = tb_flame_figure_add_node (base, TB_ID_NONE, "main", "app", TB_FLAME_USER, 10, 1);
  guint64 before;

  tb_flame_figure_add_node (base, main_node, "read", "libc", TB_FLAME_USER, 30, 1);
  tb_flame_figure_add_node (base, main_node, "gone", "app", TB_FLAME_USER, 5, 1);
  main_node = tb_flame_figure_add_node (other, TB_ID_NONE, "main", "app", TB_FLAME_USER, 20, 2);
  tb_flame_figure_add_node (other, main_node, "new", "app", TB_FLAME_USER, 8, 2);
  tb_flame_figure_add_node (other, main_node, "read", "libc", TB_FLAME_USER, 200, 2);
  tb_figure_freeze (TB_FIGURE (base));
  tb_figure_freeze (TB_FIGURE (other));
  both = tb_flame_figure_new_compared ("both", "Both", base, other, 0.5);
  tb_figure_freeze (TB_FIGURE (both));
  g_assert_cmpuint (tb_flame_figure_get_n_nodes (both), ==, 4);
  g_assert_cmpuint (tb_flame_figure_get_total (both), ==, 114);
  g_assert_true (tb_flame_figure_get_base (both, &before));
  g_assert_cmpuint (before, ==, 45);
  for (guint i = 0; i < 4; i++)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (both, i);

      if (g_str_equal (node->name, "read"))
        {
          g_assert_cmpuint (node->own, ==, 100);
          g_assert_cmpuint (node->base_own, ==, 30);
        }
      else if (g_str_equal (node->name, "gone"))
        g_assert_cmpfloat (tb_flame_figure_get_difference (both, i), ==, -1);
      else if (g_str_equal (node->name, "new"))
        g_assert_cmpfloat (tb_flame_figure_get_difference (both, i), ==, 1);
    }
}

/* --- graphs --- */

static void
test_aliases (void)
{
  g_autoptr (TbGraphFigure) graph = tb_graph_figure_new ("graph", "Graph", "ns");
  g_autoptr (JsonNode) json = NULL;
  g_autoptr (TbFigure) again = NULL;
  g_autoptr (TbFigure) refused = NULL;
  g_autoptr (GError) error = NULL;

  tb_graph_figure_add_vertex (graph, "a", "a", "", TB_VERTEX_FUNCTION, TB_ID_NONE, 1);
  tb_graph_figure_add_vertex (graph, "b", "b", "", TB_VERTEX_FUNCTION, TB_ID_NONE, 1);
  tb_graph_figure_add_edge (graph, "there", 0, 1, 5, 0, "");
  tb_graph_figure_add_edge (graph, "back", 1, 0, 7, 0, "");
  tb_graph_figure_add_alias (graph, 1, "3/7");
  tb_graph_figure_add_alias (graph, 0, "3/7"); /* the first one is used */
  tb_figure_freeze (TB_FIGURE (graph));
  json = tb_figure_to_json (TB_FIGURE (graph));
  again = tb_figure_from_json (json, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      TbGraphFigure *figure = i == 0 ? graph : TB_GRAPH_FIGURE (again);

      g_assert_cmpuint (tb_graph_figure_find_edge (figure, "3/7"), ==, 1);
      g_assert_cmpuint (tb_graph_figure_find_edge (figure, "there"), ==, 0);
      g_assert_cmpuint (tb_graph_figure_find_edge (figure, "nowhere"), ==, TB_ID_NONE);
      g_assert_cmpuint (tb_graph_figure_find_edge (figure, NULL), ==, TB_ID_NONE);
    }
  json_object_set_int_member (json_object_get_object_member (json_node_get_object (json),
                                                             "aliases"),
                              "far", 2);
  refused = tb_figure_from_json (json, &error);
  g_assert_null (refused);
  g_assert_error (error, TB_REPORT_ERROR, TB_REPORT_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "far"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compared/flames", test_flames);
  g_test_add_func ("/compared/aliases", test_aliases);
  return g_test_run ();
}
