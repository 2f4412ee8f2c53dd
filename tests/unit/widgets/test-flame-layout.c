/* test-flame-layout.c: test that every node of a flame figure has a box, alone or merged with
 * others
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/flame/tb-flame-private.h"

static TbFlameFigure *
random_figure (guint n)
{
  TbFlameFigure *figure = tb_flame_figure_new ("f", "F", "ns");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%d", g_test_rand_int_range (0, 40));
      guint known = tb_flame_figure_get_n_nodes (figure);
      guint parent = known == 0 || g_test_rand_int_range (0, 20) == 0
                         ? TB_ID_NONE
                         : (guint) g_test_rand_int_range (0, (gint32) known);

      tb_flame_figure_add_node (figure, parent, name, NULL, TB_FLAME_USER,
                                (guint64) g_test_rand_int_range (0, 100), 1);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static guint
n_children (TbFlameFigure *figure, guint node, guint64 *total)
{
  guint n = 0;

  *total = 0;
  for (guint child = node == TB_ID_NONE ? tb_flame_figure_get_first_root (figure)
                                        : tb_flame_figure_get_node (figure, node)->first_child;
       child != TB_ID_NONE; child = tb_flame_figure_get_node (figure, child)->next_sibling)
    {
      n++;
      *total += tb_flame_figure_get_node (figure, child)->total;
    }
  return n;
}

/* Under each box that is wide enough, its children add up in number and weight; they are within the
 * box and next to each other. */
static void
check_children (TbFlameFigure *figure, GArray *boxes, const TbFlameBox *parent, guint node)
{
  guint expected, n = 0;
  guint64 expected_total, total = 0;
  double x = parent->x;

  expected = n_children (figure, node, &expected_total);
  for (guint i = 0; i < boxes->len; i++)
    {
      const TbFlameBox *box = &g_array_index (boxes, TbFlameBox, i);
      guint of
          = box->n_merged > 0 ? box->node : tb_flame_figure_get_node (figure, box->node)->parent;

      if (of != node || (box->n_merged == 0 && box->depth != parent->depth + 1))
        continue;
      g_assert_cmpuint (box->depth, ==, parent->depth + 1);
      g_assert_cmpfloat (box->x, >=, x - .001);
      x = box->x;
      n += MAX (1, box->n_merged);
      total += box->total;
    }
  g_assert_cmpuint (n, ==, expected);
  g_assert_cmpuint (total, ==, expected_total);
  g_assert_cmpfloat (x, <=, parent->x + parent->width + 1);
}

static void
check_layout (TbFlameFigure *figure, guint zoomed, double width)
{
  guint depth;
  g_autoptr (GArray) boxes = tb_flame_layout (figure, zoomed, width, 2, &depth);
  TbFlameBox root = { .node = TB_ID_NONE, .depth = G_MAXUINT, .width = width };

  if (zoomed == TB_ID_NONE && tb_flame_figure_get_total (figure) > 0)
    check_children (figure, boxes, &root, TB_ID_NONE);
  for (guint i = 0; i < boxes->len; i++)
    {
      const TbFlameBox *box = &g_array_index (boxes, TbFlameBox, i);

      g_assert_cmpuint (box->depth, <, depth);
      g_assert_cmpfloat (box->width, >=, 1);
      g_assert_cmpfloat (box->x + box->width, <=, width + 1.001);
      if (box->n_merged > 0 || box->width < 2)
        continue;
      /* The callers of the zoomed node show nothing else. */
      if (zoomed == TB_ID_NONE || box->depth >= tb_flame_figure_get_node (figure, zoomed)->depth)
        if (tb_flame_figure_get_node (figure, box->node)->total > 0)
          check_children (figure, boxes, box, box->node);
    }
}

static void
test_random (void)
{
  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (TbFlameFigure) figure = random_figure ((guint) g_test_rand_int_range (0, 400));
      guint n = tb_flame_figure_get_n_nodes (figure);

      check_layout (figure, TB_ID_NONE, g_test_rand_double_range (50, 1200));
      if (n > 0)
        check_layout (figure, (guint) g_test_rand_int_range (0, (gint32) n),
                      g_test_rand_double_range (50, 1200));
    }
}

/* At most as many boxes as fit, however large the tree. */
static void
test_bounded (void)
{
  g_autoptr (TbFlameFigure) figure = random_figure (50000);
  guint depth;
  g_autoptr (GArray) boxes = tb_flame_layout (figure, TB_ID_NONE, 100, 2, &depth);

  g_assert_cmpuint (boxes->len, <=, depth * 100);
}

/* A chain as deep as endless recursion. */
static void
test_deep (void)
{
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "F", "ns");
  guint parent = TB_ID_NONE, depth;
  g_autoptr (GArray) boxes = NULL;

  for (guint i = 0; i < 20000; i++)
    parent = tb_flame_figure_add_node (figure, parent, "f", NULL, TB_FLAME_USER, 1, 1);
  tb_figure_freeze (TB_FIGURE (figure));
  boxes = tb_flame_layout (figure, TB_ID_NONE, 1000, 2, &depth);
  g_assert_cmpuint (boxes->len, >, 10000);
  g_assert_cmpuint (depth, >, 10000);
}

/* The matched weight is that of the outermost matches, however they are nested. */
static void
test_match (void)
{
  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (TbFlameFigure) figure = random_figure ((guint) g_test_rand_int_range (0, 300));
      g_autoptr (TbFlameMatch) match = tb_flame_match (figure, "F1");
      guint64 total = 0;
      guint n = 0;

      for (guint node = 0; node < tb_flame_figure_get_n_nodes (figure); node++)
        {
          const TbFlameNode *info = tb_flame_figure_get_node (figure, node);
          gboolean matched = g_str_has_prefix (info->name, "f1"), below = FALSE;
          guint8 expected = matched;

          for (guint caller = info->parent; caller != TB_ID_NONE;
               caller = tb_flame_figure_get_node (figure, caller)->parent)
            below |= g_str_has_prefix (tb_flame_figure_get_node (figure, caller)->name, "f1");
          for (guint other = node + 1; other < tb_flame_figure_get_n_nodes (figure); other++)
            {
              guint caller = other;

              while (caller != TB_ID_NONE && caller != node)
                caller = tb_flame_figure_get_node (figure, caller)->parent;
              if (caller == node
                  && g_str_has_prefix (tb_flame_figure_get_node (figure, other)->name, "f1"))
                expected |= 2;
            }
          g_assert_cmpuint (match->matched[node], ==, expected);
          n += matched;
          if (matched && !below)
            total += info->total;
        }
      g_assert_cmpuint (match->n, ==, n);
      g_assert_cmpuint (match->total, ==, total);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flame-layout/random", test_random);
  g_test_add_func ("/flame-layout/bounded", test_bounded);
  g_test_add_func ("/flame-layout/deep", test_deep);
  g_test_add_func ("/flame-layout/match", test_match);
  return g_test_run ();
}
