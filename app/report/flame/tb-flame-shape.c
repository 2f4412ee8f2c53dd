/* tb-flame-shape.c: other ways to look at the same flame
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/flame/tb-flame-shape-private.h"

TbFlameReshaped *
tb_flame_reshaped_new (TbFlameFigure *of, gboolean by_name)
{
  TbFlameReshaped *self = g_new0 (TbFlameReshaped, 1);
  guint n = of->nodes->len;

  self->figure = tb_flame_figure_new (tb_figure_get_id (TB_FIGURE (of)), tb_figure_get_title (TB_FIGURE (of)),
                                      of->unit);
  self->figure->by_name = by_name;
  self->figure->has_base = of->has_base;
  self->figure->swapped = of->swapped;
  self->place = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    self->place[i] = TB_ID_NONE;
  return self;
}

/**
 * tb_flame_reshaped_free:
 * @self: (transfer full): what [method@FlameFigure.reshape] made
 */
void
tb_flame_reshaped_free (TbFlameReshaped *self)
{
  g_clear_object (&self->figure);
  g_free (self->origin);
  g_free (self->place);
  g_free (self);
}

/* As many as there are nodes, rounded up to a power of two. */
static void
set_origin (TbFlameReshaped *self, guint node, guint origin)
{
  if ((node & (node + 1)) == 0)
    self->origin = g_renew (guint, self->origin, (gsize) (node + 1) * 2);
  self->origin[node] = origin;
}

guint
tb_flame_reshaped_add (TbFlameReshaped *self,
                       TbFlameFigure *of,
                       guint parent,
                       guint node,
                       const TbFlameNode *weights)
{
  const TbFlameNode *old = &g_array_index (of->nodes, TbFlameNode, node);
  guint before = self->figure->nodes->len;
  guint added = tb_flame_figure_add_node (self->figure, parent, old->name, old->module, old->paint,
                                          weights->own, weights->count);
  TbFlameNode *now = &g_array_index (self->figure->nodes, TbFlameNode, added);

  now->base_own = tb_flame_add_saturated (now->base_own, weights->base_own);
  if (added == before)
    {
      set_origin (self, added, node);
      tb_flame_figure_set_detail (self->figure, added, old->detail);
      now->thread = old->thread;
      return added;
    }
  if (now->thread != old->thread)
    now->thread = TB_ID_NONE;
  if (self->origin[added] == TB_ID_NONE
      || g_array_index (of->nodes, TbFlameNode, self->origin[added]).total < old->total)
    self->origin[added] = node;
  return added;
}

gboolean
tb_flame_is_function (const TbFlameNode *node, const TbFlameShape *shape)
{
  return g_str_equal (node->name, shape->function)
         && (shape->module == NULL || g_str_equal (node->module, shape->module));
}

/* What was made of what was made of a figure, as made of that. */
static TbFlameReshaped *
compose (TbFlameReshaped *first, TbFlameReshaped *second, guint n_nodes)
{
  for (guint i = 0; i < second->figure->nodes->len; i++)
    if (second->origin[i] != TB_ID_NONE)
      second->origin[i] = first->origin[second->origin[i]];
  for (guint i = 0; i < n_nodes; i++)
    if (first->place[i] != TB_ID_NONE)
      first->place[i] = second->place[first->place[i]];
  g_free (second->place);
  second->place = g_steal_pointer (&first->place);
  tb_flame_reshaped_free (first);
  return second;
}

/**
 * tb_flame_figure_reshape:
 * @self: a frozen figure
 * @shape: how to look at it
 * @cancellable: (nullable): ends the work
 * @error: return location
 *
 * Makes another figure of the same weights. They add up to the same total, but that of functions that @shape leaves out with all
 * they are called by. Inverted, where the callers of very much would be too many to show, those of the lightest are one node
 * that says so.
 *
 * Takes time proportional to the nodes, inverted to the sum of their depths.
 *
 * Returns: (transfer full) (nullable): the other figure, or %NULL with %G_IO_ERROR_CANCELLED
 */
TbFlameReshaped *
tb_flame_figure_reshape (TbFlameFigure *self,
                         const TbFlameShape *shape,
                         GCancellable *cancellable,
                         GError **error)
{
  g_autoptr (TbFlameReshaped) merged = NULL;
  TbFlameReshaped *last;

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), NULL);
  g_return_val_if_fail (tb_figure_is_frozen (TB_FIGURE (self)), NULL);
  g_return_val_if_fail (shape != NULL, NULL);

  merged = tb_flame_merge (self, shape, cancellable, error);
  if (merged == NULL)
    return NULL;
  tb_figure_freeze (TB_FIGURE (merged->figure));
  if (!shape->inverted && shape->function == NULL)
    return g_steal_pointer (&merged);
  last = shape->inverted ? tb_flame_invert (merged->figure, shape, cancellable, error)
                         : tb_flame_list_callees (merged->figure, shape, cancellable, error);
  if (last == NULL)
    return NULL;
  tb_figure_freeze (TB_FIGURE (last->figure));
  return compose (g_steal_pointer (&merged), last, self->nodes->len);
}
