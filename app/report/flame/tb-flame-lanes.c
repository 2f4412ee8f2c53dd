/* tb-flame-lanes.c: lanes of a flame figure, one above another, each with roots and rows of its own
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/flame/tb-flame-figure-private.h"

/**
 * tb_flame_figure_begin_lane:
 * @self: a figure that is being built
 * @id: name in JSON; an existing lane with this name is continued
 * @name: user-visible name
 *
 * Begins a lane: roots that are added from now on stand in it. Lanes are drawn one above the other,
 * in this order. Without a call, all roots stand in one lane without a name. In a chronological
 * figure the roots of a lane should not overlap.
 *
 * Returns: its index
 */
guint
tb_flame_figure_begin_lane (TbFlameFigure *self, const char *id, const char *name)
{
  TbFlameLane lane = { 0 };
  gpointer found;

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);
  g_return_val_if_fail (self->lanes->len < TB_FLAME_LANES_MAX, 0);

  found = g_hash_table_lookup (self->by_id, id ? id : "");
  if (!found)
    {
      lane.id = tb_flame_figure_intern (self, id);
      lane.name = tb_flame_figure_intern (self, name);
      g_array_append_val (self->lanes, lane);
      found = GUINT_TO_POINTER (self->lanes->len);
      g_hash_table_insert (self->by_id, (gpointer) lane.id, found);
    }
  self->lane = GPOINTER_TO_UINT (found) - 1;
  return self->lane;
}

/**
 * tb_flame_figure_get_n_lanes:
 * @self: a figure
 *
 * Gets the number of lanes.
 *
 * Returns: the number of lanes
 */
guint
tb_flame_figure_get_n_lanes (TbFlameFigure *self)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), 0);

  return self->lanes->len;
}

static const TbFlameLane *
get_lane (TbFlameFigure *self, guint lane)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), NULL);
  g_return_val_if_fail (lane < self->lanes->len, NULL);

  return &g_array_index (self->lanes, TbFlameLane, lane);
}

/**
 * tb_flame_figure_get_lane_id:
 * @self: a figure
 * @lane: index of a lane
 *
 * Gets the name of a lane in JSON.
 *
 * Returns: the name that is used in JSON
 */
const char *
tb_flame_figure_get_lane_id (TbFlameFigure *self, guint lane)
{
  const TbFlameLane *info = get_lane (self, lane);

  return info ? info->id : "";
}

/**
 * tb_flame_figure_get_lane_name:
 * @self: a figure
 * @lane: index of a lane
 *
 * Gets the user-visible name of a lane.
 *
 * Returns: the user-visible name, "": none
 */
const char *
tb_flame_figure_get_lane_name (TbFlameFigure *self, guint lane)
{
  const TbFlameLane *info = get_lane (self, lane);

  return info ? info->name : "";
}

/**
 * tb_flame_figure_get_lane_depth:
 * @self: a frozen figure
 * @lane: index of a lane
 *
 * Gets how deep a lane is.
 *
 * Returns: the depth of the lane, in nodes
 */
guint
tb_flame_figure_get_lane_depth (TbFlameFigure *self, guint lane)
{
  const TbFlameLane *info = get_lane (self, lane);

  return info ? info->depth : 0;
}

/**
 * tb_flame_figure_get_row:
 * @self: a frozen chronological figure
 * @lane: index of a lane
 * @depth: a depth in the lane
 * @n_nodes: (out): number of nodes
 * @reach: (out) (optional) (transfer none) (array length=n_nodes): for each node the latest end of
 *   it and all before it, which makes a binary search possible although nodes can overlap
 *
 * Gets the nodes of one row of a chronological figure.
 *
 * Returns: (transfer none) (array length=n_nodes): the indices of the nodes of one row, sorted by
 *   start time
 */
const guint *
tb_flame_figure_get_row (TbFlameFigure *self,
                         guint lane,
                         guint depth,
                         guint *n_nodes,
                         const gint64 **reach)
{
  guint row;

  *n_nodes = 0;
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), NULL);
  g_return_val_if_fail (self->row_starts != NULL, NULL);
  g_return_val_if_fail (lane < self->lanes->len, NULL);
  g_return_val_if_fail (depth < tb_flame_figure_get_lane_depth (self, lane), NULL);

  row = g_array_index (self->lanes, TbFlameLane, lane).first_row + depth;
  *n_nodes = self->row_starts[row + 1] - self->row_starts[row];
  if (reach)
    *reach = self->row_reach + self->row_starts[row];
  return self->row_nodes + self->row_starts[row];
}
