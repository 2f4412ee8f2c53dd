/* test-flame-search.c: test of searching a flame figure against a check of each name
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "widgets/flame/tb-flame-private.h"

/* Characters of one to four bytes, some of another length or character in lower case, invalid
 * bytes, and combining characters. */
static const char *const pieces[] = { "a",
                                      "A",
                                      "b",
                                      "B",
                                      "k",
                                      "\xe2\x84\xaa" /* kelvin */,
                                      "ss",
                                      "ß",
                                      "ẞ",
                                      "é",
                                      "É",
                                      "e\xcc\x81",
                                      "İ",
                                      "ı",
                                      "i",
                                      "σ",
                                      "ς",
                                      "Σ",
                                      "漢",
                                      "😀",
                                      "𐐀",
                                      "\xff",
                                      "\xc3",
                                      "\xef\xbf\xbd",
                                      "::",
                                      " ",
                                      "_",
                                      "<b>",
                                      "&amp;",
                                      "\n",
                                      "\xe2\x80\xae",
                                      "ﬁ",
                                      "ǅ",
                                      "longer" };

static char *
random_text (guint least, guint most)
{
  GString *text = g_string_new (NULL);
  guint n = (guint) g_test_rand_int_range ((gint32) least, (gint32) most + 1);

  for (guint i = 0; i < n; i++)
    g_string_append (text, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
  return g_string_free (text, FALSE);
}

static TbFlameFigure *
random_figure (guint n)
{
  TbFlameFigure *figure = tb_flame_figure_new ("f", "F", "ns");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = random_text (0, 6);
      g_autofree char *detail = random_text (0, 4);
      guint known = tb_flame_figure_get_n_nodes (figure);
      guint parent = known == 0 || g_test_rand_int_range (0, 9) == 0
                         ? TB_ID_NONE
                         : (guint) g_test_rand_int_range (0, (gint32) known);
      guint node = tb_flame_figure_add_node (figure, parent, name, NULL, TB_FLAME_USER,
                                             (guint64) g_test_rand_int_range (0, 100), 1);

      if (g_test_rand_bit ())
        tb_flame_figure_set_detail (figure, node, detail);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static gboolean
text_has (const char *text, const char *search)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *valid_search = g_utf8_make_valid (search, -1);
  g_autofree char *folded = g_utf8_casefold (valid, -1);
  g_autofree char *folded_search = g_utf8_casefold (valid_search, -1);

  return strstr (folded, folded_search) != NULL;
}

static gboolean
node_has (const TbFlameNode *node, const char *search)
{
  return text_has (node->name, search) || text_has (node->detail, search);
}

static void
check (TbFlameFigure *figure, const TbFlameMatch *match, const char *search)
{
  guint n = tb_flame_figure_get_n_nodes (figure), n_matched = 0;
  g_autofree guint8 *expected = g_new0 (guint8, n + 1);
  guint64 total = 0;

  for (guint i = 0; i < n; i++)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (figure, i);
      gboolean matched = node_has (node, search), inside = FALSE;

      for (guint caller = node->parent; caller != TB_ID_NONE;
           caller = tb_flame_figure_get_node (figure, caller)->parent)
        {
          inside |= node_has (tb_flame_figure_get_node (figure, caller), search);
          expected[caller] |= matched ? 2 : 0;
        }
      expected[i] |= matched ? 1 : 0;
      n_matched += matched;
      total += matched && !inside ? node->total : 0;
    }
  g_assert_cmpmem (match->matched, n, expected, n);
  g_assert_cmpuint (match->n, ==, n_matched);
  g_assert_cmpuint (match->total, ==, total);
}

static void
test_random (void)
{
  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (TbFlameFigure) figure = random_figure ((guint) g_test_rand_int_range (0, 60));
      TbFlameIndex *index = tb_flame_index_new (figure, NULL);

      for (guint j = 0; j < 10; j++)
        {
          g_autofree char *search = random_text (1, 3);
          g_autoptr (TbFlameMatch) match = tb_flame_index_match (index, search);
          g_autoptr (TbFlameMatch) direct = tb_flame_match (figure, search);

          check (figure, match, search);
          check (figure, direct, search);
        }
      tb_flame_index_free (index);
    }
}

/* The index stores names next to each other. The end of one name and the beginning of the next
 * never match together. */
static void
test_bounds (void)
{
  static const char *const searches[] = { "ab", "b", "abc", "ba", "c", "bca" };
  g_autoptr (TbFlameFigure) figure = tb_flame_figure_new ("f", "F", "ns");
  TbFlameIndex *index;

  tb_flame_figure_add_node (figure, TB_ID_NONE, "a", NULL, TB_FLAME_USER, 1, 1);
  tb_flame_figure_add_node (figure, TB_ID_NONE, "b", NULL, TB_FLAME_USER, 2, 1);
  tb_flame_figure_add_node (figure, 0, "", NULL, TB_FLAME_USER, 4, 1);
  tb_flame_figure_add_node (figure, 0, "bC", NULL, TB_FLAME_USER, 8, 1);
  tb_flame_figure_add_node (figure, 3, "a", NULL, TB_FLAME_USER, 16, 1);
  tb_figure_freeze (TB_FIGURE (figure));
  index = tb_flame_index_new (figure, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
    {
      g_autoptr (TbFlameMatch) match = tb_flame_index_match (index, searches[i]);

      check (figure, match, searches[i]);
    }
  tb_flame_index_free (index);
}

/* A cancelled index has no results. */
static void
test_stopped (void)
{
  g_autoptr (TbFlameFigure) figure = random_figure (10);
  const gint stop = TRUE, go_on = FALSE;
  TbFlameIndex *index = tb_flame_index_new (figure, &go_on);

  g_assert_null (tb_flame_index_new (figure, &stop));
  g_assert_nonnull (index);
  tb_flame_index_free (index);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flame-search/random", test_random);
  g_test_add_func ("/flame-search/bounds", test_bounds);
  g_test_add_func ("/flame-search/stopped", test_stopped);
  return g_test_run ();
}
