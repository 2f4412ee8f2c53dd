/* tb-flame-shape.c: reshaped copy of a flame figure: choice and sequence of the steps (merging or
 * callees in tb-flame-merge, inversion in tb-flame-invert), nodes of the copy, and the old node
 * that each stands for
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/flame/tb-flame-shape-private.h"

TbFlameReshapeResult *
tb_flame_reshape_result_new (TbFlameFigure *source, gboolean by_name)
{
  TbFlameReshapeResult *self = g_new0 (TbFlameReshapeResult, 1);
  guint n = source->nodes->len;

  self->figure = tb_flame_figure_new (tb_figure_get_id (TB_FIGURE (source)),
                                      tb_figure_get_title (TB_FIGURE (source)), source->unit);
  /* The new figure uses the strings of the old one: equal names have equal addresses, and none is
   * copied. */
  self->figure->string_owner = g_object_ref (source);
  self->figure->by_name = by_name;
  self->figure->has_base = source->has_base;
  self->figure->swapped = source->swapped;
  self->place = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    self->place[i] = TB_ID_NONE;
  return self;
}

/**
 * tb_flame_reshape_result_free:
 * @self: (transfer full): the result of [method@FlameFigure.reshape]
 *
 * Frees the result of reshaping.
 */
void
tb_flame_reshape_result_free (TbFlameReshapeResult *self)
{
  g_clear_object (&self->figure);
  g_free (self->origin);
  g_free (self->place);
  g_free (self);
}

void
tb_flame_shape_set_progress (const TbFlameShape *shape, double done)
{
  if (shape->progress != NULL)
    g_atomic_int_set (shape->progress, (gint) CLAMP (done, 0, 1000));
}

/* The size of the array is the number of nodes, rounded up to a power of two. */
static void
set_origin (TbFlameReshapeResult *self, guint node, guint origin)
{
  if ((node & (node + 1)) == 0)
    self->origin = g_renew (guint, self->origin, (gsize) (node + 1) * 2);
  self->origin[node] = origin;
}

guint
tb_flame_reshape_result_append (TbFlameReshapeResult *self, const TbFlameNode *node, guint origin)
{
  guint added = tb_flame_figure_append (self->figure, node);

  set_origin (self, added, origin);
  return added;
}

guint
tb_flame_reshape_result_add (TbFlameReshapeResult *self,
                             TbFlameFigure *source,
                             guint parent,
                             guint node,
                             const TbFlameNode *weights)
{
  const TbFlameNode *old = &g_array_index (source->nodes, TbFlameNode, node);
  guint before = self->figure->nodes->len, lane, added;
  TbFlameNode *now, like;

  if (self->figure->lanes->len == 0)
    tb_flame_figure_begin_lane (self->figure, NULL, NULL);
  lane = parent == TB_ID_NONE ? self->figure->lane
                              : g_array_index (self->figure->nodes, TbFlameNode, parent).lane;
  like = tb_flame_node_init (parent, lane, old->name, old->module, old->paint);
  like.detail = old->detail;
  like.note = old->note;
  like.thread = old->thread;
  added = tb_flame_figure_append_unique (self->figure, &like);
  now = &g_array_index (self->figure->nodes, TbFlameNode, added);
  now->own = tb_flame_add_saturated (now->own, weights->own);
  now->count = tb_flame_add_saturated (now->count, weights->count);
  now->base_own = tb_flame_add_saturated (now->base_own, weights->base_own);
  if (added == before)
    {
      set_origin (self, added, node);
      return added;
    }
  now->note = ""; /* no single note applies to several merged nodes */
  if (now->thread != old->thread)
    now->thread = TB_ID_NONE;
  if (self->origin[added] == TB_ID_NONE
      || g_array_index (source->nodes, TbFlameNode, self->origin[added]).total < old->total)
    self->origin[added] = node;
  return added;
}

gboolean
tb_flame_is_function (const TbFlameNode *node, const TbFlameShape *shape)
{
  return g_str_equal (node->name, shape->function)
         && (shape->module == NULL || g_str_equal (node->module, shape->module));
}

/* Combines two reshaping steps into one whose origins and places refer to the first figure. */
static TbFlameReshapeResult *
compose (TbFlameReshapeResult *first, TbFlameReshapeResult *second, guint n_nodes)
{
  for (guint i = 0; i < second->figure->nodes->len; i++)
    if (second->origin[i] != TB_ID_NONE)
      second->origin[i] = first->origin[second->origin[i]];
  for (guint i = 0; i < n_nodes; i++)
    if (first->place[i] != TB_ID_NONE)
      first->place[i] = second->place[first->place[i]];
  g_free (second->place);
  second->place = g_steal_pointer (&first->place);
  tb_flame_reshape_result_free (first);
  return second;
}

/* Whether a merge is needed before the figure is inverted or its callees are listed. In a figure
 * that is not chronological equal nodes are merged already. */
static gboolean
needs_merge (TbFlameFigure *self, const TbFlameShape *shape)
{
  return self->chronological || shape->collapse_recursion || shape->swapped
         || (shape->hidden != NULL && shape->hidden[0] != NULL)
         || (!shape->inverted && shape->function == NULL);
}

static gboolean
freeze (TbFlameReshapeResult *self,
        const TbFlameShape *shape,
        double done,
        GCancellable *cancellable,
        GError **error)
{
  tb_flame_shape_set_progress (shape, done);
  if (!tb_flame_figure_sort_nodes (self->figure, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return FALSE;
    }
  tb_figure_freeze (TB_FIGURE (self->figure));
  return TRUE;
}

/**
 * tb_flame_figure_reshape: (skip)
 * @self: a frozen figure
 * @shape: options
 * @cancellable: (nullable): a #GCancellable
 * @error: return location for an error
 *
 * Makes another figure with the same weights. The total stays the same, except for functions that
 * @shape leaves out together with all their callers. In an inverted figure the number of callers is
 * limited: the lightest callers are merged into one node with a name of its own.
 *
 * Takes time proportional to the number of nodes, or inverted to the sum of their depths.
 *
 * Returns: (transfer full) (nullable): the other figure, or %NULL with %G_IO_ERROR_CANCELLED
 */
TbFlameReshapeResult *
tb_flame_figure_reshape (TbFlameFigure *self,
                         const TbFlameShape *shape,
                         GCancellable *cancellable,
                         GError **error)
{
  g_autoptr (TbFlameReshapeResult) merged = NULL;
  g_autoptr (TbFlameReshapeResult) last = NULL;
  TbFlameFigure *source = self;

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), NULL);
  g_return_val_if_fail (tb_figure_is_frozen (TB_FIGURE (self)), NULL);
  g_return_val_if_fail (shape != NULL, NULL);

  if (needs_merge (self, shape))
    {
      merged = tb_flame_merge (self, shape, cancellable, error);
      if (merged == NULL || !freeze (merged, shape, 300, cancellable, error))
        return NULL;
      if (!shape->inverted && shape->function == NULL)
        return g_steal_pointer (&merged);
      source = merged->figure;
    }
  last = shape->inverted ? tb_flame_invert (source, shape, cancellable, error)
                         : tb_flame_list_callees (source, shape, cancellable, error);
  if (last == NULL || !freeze (last, shape, 800, cancellable, error))
    return NULL;
  if (merged == NULL)
    return g_steal_pointer (&last);
  return compose (g_steal_pointer (&merged), g_steal_pointer (&last), self->nodes->len);
}
