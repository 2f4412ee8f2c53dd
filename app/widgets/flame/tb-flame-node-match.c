/* tb-flame-node-match.c: look-up, in a new version of a flame figure, of the node that stands for a
 * node of the earlier version: by the names on its path, or over time by time and depth
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/flame/tb-flame-private.h"

static gboolean
is_similar (const TbFlameNode *old, const TbFlameNode *node)
{
  return old->paint == node->paint && g_str_equal (old->module, node->module);
}

/* The child with the same name. If there is none, the name has probably been found since: the
 * address of a function was replaced by its name. Its weight may then include that of other
 * addresses of the function, so that it is not smaller. In that case, the child with the nearest
 * weight. */
static guint
find_child (const TbFlameNode *old, TbFlameFigure *figure, guint first)
{
  guint nearest = TB_ID_NONE;
  guint64 distance = G_MAXUINT64;
  const TbFlameNode *node;

  for (guint at = first; at != TB_ID_NONE; at = node->next_sibling)
    {
      node = tb_flame_figure_get_node (figure, at);
      if (!is_similar (old, node))
        continue;
      if (g_str_equal (old->name, node->name))
        return at;
      if (node->total < old->total || node->total - old->total >= distance)
        continue;
      distance = node->total - old->total;
      nearest = at;
    }
  return nearest;
}

/* Over time, nodes match by time and depth. */
static guint
find_in_time (const TbFlameNode *old, const char *lane_id, TbFlameFigure *figure)
{
  for (guint lane = 0; lane < tb_flame_figure_get_n_lanes (figure); lane++)
    {
      guint node;

      if (!g_str_equal (tb_flame_figure_get_lane_id (figure, lane), lane_id))
        continue;
      node = tb_flame_find_at (figure, lane, old->depth, old->from);
      if (node != TB_ID_NONE && tb_flame_figure_get_node (figure, node)->from == old->from
          && is_similar (old, tb_flame_figure_get_node (figure, node)))
        return node;
    }
  return TB_ID_NONE;
}

guint
tb_flame_find_matching (TbFlameFigure *before, guint node, TbFlameFigure *figure, gboolean nearest)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint));
  guint found = TB_ID_NONE;

  if (node == TB_ID_NONE)
    return TB_ID_NONE;
  if (tb_flame_figure_get_chronological (before, NULL, NULL))
    {
      const TbFlameNode *old = tb_flame_figure_get_node (before, node);

      if (!tb_flame_figure_get_chronological (figure, NULL, NULL))
        return TB_ID_NONE;
      return find_in_time (old, tb_flame_figure_get_lane_id (before, old->lane), figure);
    }
  for (guint at = node; at != TB_ID_NONE; at = tb_flame_figure_get_node (before, at)->parent)
    g_array_append_val (path, at);
  for (guint i = path->len; i-- > 0;)
    {
      const TbFlameNode *old = tb_flame_figure_get_node (before, g_array_index (path, guint, i));
      guint next = find_child (old, figure,
                               found == TB_ID_NONE
                                   ? tb_flame_figure_get_first_root (figure)
                                   : tb_flame_figure_get_node (figure, found)->first_child);

      if (next == TB_ID_NONE)
        return nearest ? found : TB_ID_NONE;
      found = next;
    }
  return found;
}
