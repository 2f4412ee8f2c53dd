/* test-flame.c: test of flame figures against a plain tree
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "random-figures.h"
#include "report/flame/tb-flame-figure-private.h"

/* Compares with the path of every added node as text and its weight: equal paths must be one
 * node. */
static void
test_merge (void)
{
  static const char *const names[] = { "a", "b", "c" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint round = 0; round < 100; round++)
    {
      g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "f", "ns");
      g_autoptr (GHashTable) own = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint));
      GHashTableIter iter;
      gpointer path;
      gpointer weight;
      guint64 total = 0;

      for (guint i = 0; i < round * 3; i++)
        {
          gint parent = g_rand_int_range (rand, -1, i);
          const char *name = names[g_rand_int_range (rand, 0, 3)];
          guint w = g_rand_int_range (rand, 0, 100);
          char *key
              = g_strconcat (parent < 0 ? "" : g_ptr_array_index (paths, parent), "/", name, NULL);
          guint node = tb_flame_figure_add_node (figure,
                                                 parent < 0 ? TB_ID_NONE
                                                            : g_array_index (nodes, guint, parent),
                                                 name, NULL, TB_FLAME_USER, w, 1);

          g_ptr_array_add (paths, key);
          g_array_append_val (nodes, node);
          g_hash_table_insert (own, g_strdup (key),
                               GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (own, key))
                                                 + w));
          total += w;
        }
      tb_figure_freeze (TB_FIGURE (figure));
      g_assert_cmpuint (tb_flame_figure_get_n_nodes (figure), ==, g_hash_table_size (own));
      g_assert_cmpuint (tb_flame_figure_get_total (figure), ==, total);
      for (guint i = 0; i < paths->len; i++)
        {
          const char *key = g_ptr_array_index (paths, i);
          g_autofree char *below = g_strconcat (key, "/", NULL);
          const TbFlameNode *node
              = tb_flame_figure_get_node (figure, g_array_index (nodes, guint, i));
          guint64 expected = 0;
          guint depth = 0;
          guint64 last = G_MAXUINT64;

          g_hash_table_iter_init (&iter, own);
          while (g_hash_table_iter_next (&iter, &path, &weight))
            if (strcmp (path, key) == 0 || g_str_has_prefix (path, below))
              expected += GPOINTER_TO_UINT (weight);
          for (const char *c = key + 1; *c; c++)
            depth += *c == '/';
          g_assert_cmpuint (node->total, ==, expected);
          g_assert_cmpuint (node->own, ==, GPOINTER_TO_UINT (g_hash_table_lookup (own, key)));
          g_assert_cmpuint (node->depth, ==, depth);
          for (guint child = node->first_child; child != TB_ID_NONE;
               child = tb_flame_figure_get_node (figure, child)->next_sibling)
            {
              const TbFlameNode *view = tb_flame_figure_get_node (figure, child);

              g_assert_true (tb_flame_figure_get_node (figure, view->parent) == node);
              g_assert_cmpuint (view->total, <=, last);
              last = view->total;
            }
        }
    }
}

static void
test_round_trip (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);

  for (guint i = 0; i < 50; i++)
    {
      g_autoptr (TbFlameFigure) figure = random_flame (rand, i * 3);

      assert_round_trip (TB_FIGURE (figure));
    }
}

/* A chain far deeper than any stack: the code must not be recursive. */
static void
test_deep (void)
{
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "f", "ns");
  guint node = TB_ID_NONE;

  for (guint i = 0; i < 30000; i++)
    node = tb_flame_figure_add_node (figure, node, "deeper", NULL, TB_FLAME_USER, 1, 1);
  assert_round_trip (TB_FIGURE (figure));
  g_assert_cmpuint (tb_flame_figure_get_depth (figure), ==, 30000);
  g_assert_cmpuint (tb_flame_figure_get_node (figure, 0)->total, ==, 30000);
}

static void
test_gathered (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "f", "ns");
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (TbFigure) read = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 200000; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%u", i);

      tb_flame_figure_add_node (figure, i < 10 ? TB_ID_NONE : (guint) g_rand_int_range (rand, 0, i),
                                name, NULL, TB_FLAME_USER, g_rand_int_range (rand, 0, 50), 1);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  node = tb_figure_to_json (TB_FIGURE (figure));
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (node), "merged_below"), >, 0);
  read = tb_figure_from_json (node, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tb_flame_figure_get_total (TB_FLAME_FIGURE (read)), ==,
                    tb_flame_figure_get_total (figure));
  g_assert_cmpuint (tb_flame_figure_get_n_nodes (TB_FLAME_FIGURE (read)), <=,
                    2 * TB_FLAME_JSON_NODES);
  g_assert_cmpuint (tb_flame_figure_get_n_nodes (TB_FLAME_FIGURE (read)), >, 100);
}

static void
test_text (void)
{
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "On CPU", "ns");
  guint main_node
      = tb_flame_figure_add_node (figure, TB_ID_NONE, "main", "demo", TB_FLAME_USER, 0, 1);
  guint run = tb_flame_figure_add_node (figure, main_node, "run", "demo", TB_FLAME_USER, 0, 1);
  g_autofree char *text = NULL;

  tb_flame_figure_add_node (figure, run, "write", "libc.so.6", TB_FLAME_USER, 750000, 1);
  tb_flame_figure_add_node (figure, run, "sync", "libc.so.6", TB_FLAME_USER, 250000, 1);
  tb_figure_freeze (TB_FIGURE (figure));
  text = tb_figure_to_text (TB_FIGURE (figure), 80);
  g_assert_cmpstr (text, ==,
                   "On CPU\n──────\n1 ms in total\n"
                   "  100 %       1 ms  main [demo] → run [demo]\n"
                   "   75 %     750 µs    write [libc.so.6]\n"
                   "   25 %     250 µs    sync [libc.so.6]\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/flame/merge", test_merge);
  g_test_add_func ("/report/flame/round-trip", test_round_trip);
  g_test_add_func ("/report/flame/deep", test_deep);
  g_test_add_func ("/report/flame/gathered", test_gathered);
  g_test_add_func ("/report/flame/text", test_text);
  return g_test_run ();
}
