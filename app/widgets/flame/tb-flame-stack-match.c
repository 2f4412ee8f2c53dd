/* tb-flame-stack-match.c: search in a flame figure for the node most similar to a call stack
 * selected in another figure
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/flame/tb-flame-private.h"

/* Number of callers with the same names, counted from the nearest one. */
static guint
count_callers (TbFlameFigure *figure, guint node, const char *const *stack, guint n)
{
  guint at = tb_flame_figure_get_node (figure, node)->parent, n_equal = 0;

  while (at != TB_ID_NONE && n_equal < n)
    {
      const TbFlameNode *caller = tb_flame_figure_get_node (figure, at);

      if (!g_str_equal (caller->name, stack[n - 1 - n_equal]))
        break;
      n_equal++;
      at = caller->parent;
    }
  return n_equal;
}

/* Figures have different roots and may lack functions or have additional ones. Nodes of the same
 * function are compared by the number of equal callers, then by weight. */
guint
tb_flame_find_stack (TbFlameFigure *figure, const char *const *stack)
{
  guint n = stack != NULL ? g_strv_length ((char **) stack) : 0;
  guint best = TB_ID_NONE, most = 0;
  guint64 weight = 0;

  for (guint i = 0; n > 0 && i < tb_flame_figure_get_n_nodes (figure); i++)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (figure, i);
      guint callers;

      if (!g_str_equal (node->name, stack[n - 1]))
        continue;
      callers = count_callers (figure, i, stack, n - 1);
      if (best != TB_ID_NONE && (callers < most || (callers == most && node->total <= weight)))
        continue;
      best = i;
      most = callers;
      weight = node->total;
    }
  return best;
}
