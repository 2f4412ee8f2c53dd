/* tb-flame-merge.c: copy of a flame in which equal siblings, and optionally recursive calls, are
 * one node, and hidden modules are left out, their weight added to their callers; and copy of only
 * the calls of one function and its callees
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/flame/tb-flame-shape-private.h"

static gboolean
is_hidden (const TbFlameNode *node, const TbFlameShape *shape)
{
  return shape->hidden != NULL && *node->module != '\0'
         && g_strv_contains (shape->hidden, node->module);
}

/* The node or ancestor in the new figure that is the same function. */
static guint
find_recursion (TbFlameFigure *figure, guint parent, const TbFlameNode *node)
{
  for (guint at = parent; at != TB_ID_NONE;)
    {
      const TbFlameNode *caller = &g_array_index (figure->nodes, TbFlameNode, at);

      /* Both figures share their strings, so that addresses identify names. */
      if (caller->name == node->name && caller->module == node->module)
        return at;
      at = caller->parent;
    }
  return TB_ID_NONE;
}

static TbFlameNode
get_weights (const TbFlameNode *node, const TbFlameShape *shape)
{
  TbFlameNode weights = { .own = node->own, .base_own = node->base_own, .count = node->count };

  if (shape->swapped)
    {
      weights.own = node->base_own;
      weights.base_own = node->own;
    }
  return weights;
}

/* Adds weight to an existing node. */
static void
add_weight (TbFlameFigure *figure, guint node, const TbFlameNode *weights)
{
  TbFlameNode *now = &g_array_index (figure->nodes, TbFlameNode, node);

  now->own = tb_flame_add_saturated (now->own, weights->own);
  now->base_own = tb_flame_add_saturated (now->base_own, weights->base_own);
}

/* The weight of hidden nodes without a visible caller is kept in a root of its own. */
static guint
add_hidden_root (TbFlameReshapeResult *self, const TbFlameNode *weights)
{
  guint before = self->figure->nodes->len;
  guint node = tb_flame_figure_add_node (self->figure, TB_ID_NONE, _ ("(hidden)"), "",
                                         TB_FLAME_UNKNOWN, weights->own, 0);

  g_array_index (self->figure->nodes, TbFlameNode, node).base_own += weights->base_own;
  if (node == before)
    {
      self->origin = g_renew (guint, self->origin, (gsize) (node + 1) * 2);
      self->origin[node] = TB_ID_NONE;
    }
  return node;
}

static void
copy_lanes (TbFlameReshapeResult *self, TbFlameFigure *source)
{
  for (guint i = 0; i < source->lanes->len; i++)
    {
      const TbFlameLane *lane = &g_array_index (source->lanes, TbFlameLane, i);

      tb_flame_figure_begin_lane (self->figure, lane->id, lane->name);
    }
  for (guint i = 0; i < source->categories->len; i++)
    {
      const TbFlameCategory *category = &g_array_index (source->categories, TbFlameCategory, i);

      tb_flame_figure_add_category (self->figure, category->id, category->name, category->paint);
    }
}

static void
copy_shares (TbFlameReshapeResult *self, TbFlameFigure *source, guint hidden_root)
{
  for (guint i = 0; i < source->shares->len; i++)
    {
      const TbFlameShare *share = &g_array_index (source->shares, TbFlameShare, i);

      guint place = self->place[share->node] != TB_ID_NONE ? self->place[share->node] : hidden_root;

      if (place != TB_ID_NONE)
        tb_flame_figure_add_to_category (self->figure, place, share->category, share->weight);
    }
}

static void
add_node (TbFlameReshapeResult *self,
          TbFlameFigure *source,
          guint i,
          const TbFlameShape *shape,
          guint *hidden_root)
{
  const TbFlameNode *node = &g_array_index (source->nodes, TbFlameNode, i);
  guint parent = node->parent == TB_ID_NONE ? TB_ID_NONE : self->place[node->parent];
  const TbFlameNode weights = get_weights (node, shape);
  guint recursion;

  if (is_hidden (node, shape))
    {
      self->place[i] = parent;
      if (parent != TB_ID_NONE)
        add_weight (self->figure, parent, &weights);
      else if (weights.own > 0 || weights.base_own > 0)
        *hidden_root = add_hidden_root (self, &weights);
      return;
    }
  recursion = shape->collapse_recursion ? find_recursion (self->figure, parent, node) : TB_ID_NONE;
  if (recursion != TB_ID_NONE)
    {
      add_weight (self->figure, recursion, &weights);
      self->place[i] = recursion;
      return;
    }
  if (parent == TB_ID_NONE)
    self->figure->lane = node->lane;
  self->place[i] = tb_flame_reshape_result_add (self, source, parent, i, &weights);
  if (!shape->swapped)
    tb_flame_figure_add_overhang (self->figure, self->place[i], node->overhang);
}

TbFlameReshapeResult *
tb_flame_merge (TbFlameFigure *source,
                const TbFlameShape *shape,
                GCancellable *cancellable,
                GError **error)
{
  g_autoptr (TbFlameReshapeResult) self = tb_flame_reshape_result_new (source, shape->by_name);
  guint hidden_root = TB_ID_NONE;

  self->figure->swapped = shape->swapped != source->swapped;
  copy_lanes (self, source);
  /* A parent has a smaller index than its children. */
  for (guint i = 0; i < source->nodes->len; i++)
    {
      if (i % TB_FLAME_CANCEL_EVERY == 0)
        {
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return NULL;
          tb_flame_shape_set_progress (shape, 300. * i / source->nodes->len);
        }
      add_node (self, source, i, shape, &hidden_root);
    }
  copy_shares (self, source, hidden_root);
  return g_steal_pointer (&self);
}

TbFlameReshapeResult *
tb_flame_list_callees (TbFlameFigure *source,
                       const TbFlameShape *shape,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (TbFlameReshapeResult) self = tb_flame_reshape_result_new (source, shape->by_name);

  for (guint i = 0; i < source->nodes->len; i++)
    {
      const TbFlameNode *node = &g_array_index (source->nodes, TbFlameNode, i);
      guint parent = node->parent == TB_ID_NONE ? TB_ID_NONE : self->place[node->parent];

      if (i % TB_FLAME_CANCEL_EVERY == 0
          && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (parent != TB_ID_NONE || tb_flame_is_function (node, shape))
        self->place[i] = tb_flame_reshape_result_add (self, source, parent, i, node);
    }
  return g_steal_pointer (&self);
}
