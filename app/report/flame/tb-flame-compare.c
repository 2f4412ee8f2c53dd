/* tb-flame-compare.c: comparison of two flames, merged into one: the weight of a box is its scaled
 * weight in the other flame, its base is its weight in the base flame
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/flame/tb-flame-figure.h"
#include "base/tb-base.h"

static guint64
scale_weight (guint64 weight, double scale)
{
  double scaled = rint ((double) weight * scale);

  return scale == 1 ? weight : scaled >= 0x1p63 ? G_MAXINT64 : (guint64) scaled;
}

static void
add_side (TbFlameFigure *figure, TbFlameFigure *side, gboolean is_base, double scale)
{
  guint n = tb_flame_figure_get_n_nodes (side);
  g_autofree guint *places = g_new (guint, MAX (n, 1));

  /* A parent has a smaller index than its children. */
  for (guint i = 0; i < n; i++)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (side, i);
      guint parent = node->parent != TB_ID_NONE ? places[node->parent] : TB_ID_NONE;
      guint64 own = scale_weight (node->own, scale);

      places[i] = tb_flame_figure_add_node (figure, parent, node->name, node->module, node->paint,
                                            is_base ? 0 : own, is_base ? 0 : node->count);
      if (is_base)
        tb_flame_figure_add_base (figure, places[i], own);
    }
}

/**
 * tb_flame_figure_new_compared:
 * @id: id of the new figure
 * @title: user-visible title of the new figure
 * @base: a frozen flame
 * @other: another flame with the same unit
 * @scale: factor for the weights of @other
 *
 * Merges two flames that are not chronological into one. Boxes with the same name, module, kind and
 * parent are one box. Its weight is that in @other, its base is that in @base.
 *
 * Returns: (transfer full): a flame that is not frozen yet
 */
TbFlameFigure *
tb_flame_figure_new_compared (const char *id,
                              const char *title,
                              TbFlameFigure *base,
                              TbFlameFigure *other,
                              double scale)
{
  TbFlameFigure *self;

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (base) && TB_IS_FLAME_FIGURE (other), NULL);
  g_return_val_if_fail (isfinite (scale) && scale >= 0, NULL);

  self = tb_flame_figure_new (id, title, tb_flame_figure_get_unit (other));
  add_side (self, other, FALSE, scale);
  add_side (self, base, TRUE, 1);
  return self;
}
