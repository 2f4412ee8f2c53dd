/* test-flame-time.c: test that boxes of chronological flames keep their positions, and none is left
 * out
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/flame/tb-flame-private.h"

#define FROM 1000
#define TO 101000

static TbFlameFigure *
random_figure (guint n, gboolean narrow)
{
  TbFlameFigure *figure = tb_flame_figure_new ("f", "F", "ns");

  tb_flame_figure_set_chronological (figure, FROM, TO);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%d", g_test_rand_int_range (0, 4));
      guint parent = i == 0 || g_test_rand_int_range (0, 6) == 0
                         ? TB_ID_NONE
                         : (guint) g_test_rand_int_range (0, (gint32) i);
      gint64 from = g_test_rand_int_range (FROM, TO);
      gint64 to = from + g_test_rand_int_range (0, narrow ? 200 : 9000);

      if (parent == TB_ID_NONE && i % 3 == 0)
        tb_flame_figure_begin_lane (figure, i % 2 ? "a" : "b", i % 2 ? "A" : "B");
      tb_flame_figure_add_box (figure, parent, name, NULL, i % 3, from, MIN (to, TO), 1);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* Every visible node is covered by a box of its line, to within a pixel. Where there was no node,
 * no box is drawn that is wider than the merging distance. */
static void
check_layout (TbFlameFigure *figure, gint64 from, gint64 to, double width)
{
  g_autoptr (TbFlameLines) lines = tb_flame_lines_new (figure);
  g_autoptr (GArray) boxes = tb_flame_layout_time (figure, lines, from, to, width, 2);
  double scale = width / (double) (to - from);

  for (guint node = 0; node < tb_flame_figure_get_n_nodes (figure); node++)
    {
      const TbFlameNode *info = tb_flame_figure_get_node (figure, node);
      double left = (double) (MAX (info->from, from) - from) * scale;
      double right = (double) (MIN (info->to, to) - from) * scale;
      gboolean found = FALSE;

      if (info->from >= to || info->to <= from)
        continue;
      for (guint i = 0; i < boxes->len && !found; i++)
        {
          const TbFlameBox *box = &g_array_index (boxes, TbFlameBox, i);

          found = box->depth == lines->base[info->lane] + info->depth && box->x <= left + 1.01
                  && box->x + box->width >= right - 1.01;
          /* A box of its own has the exact width. */
          if (found && box->n_merged == 0 && box->node == node)
            g_assert_cmpfloat_with_epsilon (box->x, left, 1e-6);
        }
      g_assert_true (found);
    }
  for (guint i = 0; i < boxes->len; i++)
    {
      const TbFlameBox *box = &g_array_index (boxes, TbFlameBox, i);
      const TbFlameNode *info = tb_flame_figure_get_node (figure, box->node);

      g_assert_cmpuint (box->depth, ==, lines->base[info->lane] + info->depth);
      g_assert_cmpuint (box->depth, <, lines->n);
      g_assert_cmpfloat (box->x, >=, 0);
      g_assert_cmpfloat (box->x + box->width, <=, width + 2);
    }
}

static void
test_layout (void)
{
  for (guint round = 0; round < 60; round++)
    {
      g_autoptr (TbFlameFigure) figure = random_figure (round * 5, round % 2);
      gint64 from = g_test_rand_int_range (FROM, TO - 10);
      gint64 to = g_test_rand_int_range ((gint32) from + 1, TO);

      check_layout (figure, FROM, TO, 600);
      check_layout (figure, from, to, g_test_rand_int_range (1, 900));
    }
}

/* A million boxes become at most as many as there are pixels. */
static void
test_bounded (void)
{
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "F", "ns");
  g_autoptr (TbFlameLines) lines = NULL;
  g_autoptr (GArray) boxes = NULL;

  tb_flame_figure_set_chronological (figure, 0, 1000000);
  for (guint i = 0; i < 500000; i++)
    tb_flame_figure_add_box (figure, TB_ID_NONE, i % 2 ? "a" : "b", NULL, i % 3, 2 * i, 2 * i + 1,
                             1);
  tb_figure_freeze (TB_FIGURE (figure));
  lines = tb_flame_lines_new (figure);
  boxes = tb_flame_layout_time (figure, lines, 0, 1000000, 1000, 2);
  g_assert_cmpuint (boxes->len, <=, 1000);
  g_assert_cmpuint (boxes->len, >, 0);
}

/* Equal neighbours are one box until the gap between them is visible, and so are their children. */
static void
test_joined (void)
{
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "F", "ns");
  g_autoptr (TbFlameLines) lines = NULL;

  tb_flame_figure_set_chronological (figure, 0, 1000);
  for (guint i = 0; i < 10; i++)
    {
      guint poll = tb_flame_figure_add_box (figure, TB_ID_NONE, "poll", NULL, TB_FLAME_WAITING,
                                            100 * i, 100 * i + 99, 0);

      tb_flame_figure_add_box (figure, poll, "helper", NULL, TB_FLAME_PROCESS, 100 * i,
                               100 * i + 99, 99);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  lines = tb_flame_lines_new (figure);
  {
    g_autoptr (GArray) far = tb_flame_layout_time (figure, lines, 0, 1000, 900, 2);
    g_autoptr (GArray) near = tb_flame_layout_time (figure, lines, 0, 1000, 4000, 2);

    g_assert_cmpuint (far->len, ==, 2);
    g_assert_cmpfloat_with_epsilon (g_array_index (far, TbFlameBox, 1).width, 899.1, .01);
    g_assert_cmpuint (near->len, ==, 20);
  }
}

static void
test_find (void)
{
  for (guint round = 1; round < 40; round++)
    {
      g_autoptr (TbFlameFigure) figure = random_figure (round * 5, FALSE);

      for (guint node = 0; node < tb_flame_figure_get_n_nodes (figure); node++)
        {
          const TbFlameNode *info = tb_flame_figure_get_node (figure, node);
          gint64 time = g_test_rand_int_range (FROM, TO);
          guint found = tb_flame_find_at (figure, info->lane, info->depth, time);
          guint expected = 0;
          guint neighbour = tb_flame_find_neighbour (figure, node, 1);

          for (guint other = 0; other < tb_flame_figure_get_n_nodes (figure); other++)
            {
              const TbFlameNode *seen = tb_flame_figure_get_node (figure, other);

              expected += seen->lane == info->lane && seen->depth == info->depth
                          && seen->from <= time && seen->to > time;
            }
          g_assert_true ((found != TB_ID_NONE) == (expected > 0));
          if (found != TB_ID_NONE)
            {
              g_assert_cmpint (tb_flame_figure_get_node (figure, found)->from, <=, time);
              g_assert_cmpint (tb_flame_figure_get_node (figure, found)->to, >, time);
            }
          if (neighbour == TB_ID_NONE)
            continue;
          g_assert_cmpint (tb_flame_figure_get_node (figure, neighbour)->from, >=, info->from);
          g_assert_cmpuint (tb_flame_find_neighbour (figure, neighbour, -1), ==, node);
        }
    }
}

/* After symbols were resolved: frames are matched by their ancestors, and frames without a name by
 * their weight. */
static void
test_same (void)
{
  g_autoptr (TbFlameFigure) before = tb_flame_figure_new ("f", "F", "ns");
  g_autoptr (TbFlameFigure) after = tb_flame_figure_new ("f", "F", "ns");
  guint old[5], new[5];

  old[0] = tb_flame_figure_add_node (before, TB_ID_NONE, "curl (1)", NULL, TB_FLAME_PROCESS, 0, 1);
  old[1] = tb_flame_figure_add_node (before, old[0], "0x1000", "libc", TB_FLAME_USER, 10, 1);
  old[2] = tb_flame_figure_add_node (before, old[0], "0x2000", "libc", TB_FLAME_USER, 40, 1);
  old[3] = tb_flame_figure_add_node (before, old[1], "0x3000", "libc", TB_FLAME_USER, 5, 1);
  old[4] = tb_flame_figure_add_node (before, old[0], "gone", "libz", TB_FLAME_USER, 9, 1);
  tb_figure_freeze (TB_FIGURE (before));
  new[2] = tb_flame_figure_add_node (after, TB_ID_NONE, "other", NULL, TB_FLAME_PROCESS, 7, 1);
  new[0] = tb_flame_figure_add_node (after, TB_ID_NONE, "curl (1)", NULL, TB_FLAME_PROCESS, 0, 1);
  new[2] = tb_flame_figure_add_node (after, new[0], "write", "libc", TB_FLAME_USER, 40, 1);
  new[1] = tb_flame_figure_add_node (after, new[0], "read", "libc", TB_FLAME_USER, 11, 1);
  new[3] = tb_flame_figure_add_node (after, new[1], "memcpy", "libc", TB_FLAME_USER, 5, 1);
  tb_figure_freeze (TB_FIGURE (after));
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (tb_flame_find_matching (before, old[i], after, FALSE), ==, new[i]);
  g_assert_cmpuint (tb_flame_find_matching (before, old[4], after, FALSE), ==, TB_ID_NONE);
  g_assert_cmpuint (tb_flame_find_matching (before, old[4], after, TRUE), ==, new[0]);
  g_assert_cmpuint (tb_flame_find_matching (before, TB_ID_NONE, after, TRUE), ==, TB_ID_NONE);
}

static void
test_same_in_time (void)
{
  for (guint round = 0; round < 20; round++)
    {
      g_autoptr (TbFlameFigure) figure = random_figure (100, FALSE);

      for (guint node = 0; node < tb_flame_figure_get_n_nodes (figure); node++)
        {
          const TbFlameNode *info = tb_flame_figure_get_node (figure, node);
          guint same = tb_flame_find_matching (figure, node, figure, FALSE);

          /* A box under another one in its row cannot be distinguished from it. */
          if (same == TB_ID_NONE)
            continue;
          g_assert_cmpint (tb_flame_figure_get_node (figure, same)->from, ==, info->from);
          g_assert_cmpuint (tb_flame_figure_get_node (figure, same)->depth, ==, info->depth);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flame-time/layout", test_layout);
  g_test_add_func ("/flame-time/bounded", test_bounded);
  g_test_add_func ("/flame-time/joined", test_joined);
  g_test_add_func ("/flame-time/find", test_find);
  g_test_add_func ("/flame-time/same", test_same);
  g_test_add_func ("/flame-time/same-in-time", test_same_in_time);
  return g_test_run ();
}
