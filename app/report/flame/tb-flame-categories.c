/* tb-flame-categories.c: kinds of boxes of a flame figure with their names and labels; categories,
 * and the breakdown of a box's weight by category
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/flame/tb-flame-figure-private.h"

G_STATIC_ASSERT (TB_N_FLAME_PAINTS == TB_FLAME_LOST + 1);

static const struct
{
  const char *name;
  const char *label;
} paints[TB_N_FLAME_PAINTS] = {
  [TB_FLAME_USER] = { "user", N_ ("program") },
  [TB_FLAME_KERNEL] = { "kernel", N_ ("kernel") },
  [TB_FLAME_WAITING] = { "waiting", N_ ("waiting") },
  [TB_FLAME_PROCESS] = { "process", N_ ("process") },
  [TB_FLAME_DISK] = { "disk", N_ ("disk") },
  [TB_FLAME_NETWORK] = { "network", N_ ("network") },
  [TB_FLAME_UNKNOWN] = { "unknown", N_ ("unknown") },
  [TB_FLAME_BOTH] = { "both", N_ ("running and waiting") },
  [TB_FLAME_INFERRED] = { "inferred", N_ ("inferred") },
  [TB_FLAME_UNSAMPLED] = { "unsampled", N_ ("not sampled") },
  [TB_FLAME_QUEUED] = { "queued", N_ ("I/O queue") },
  [TB_FLAME_RUNNABLE] = { "runnable", N_ ("waiting for a CPU") },
  [TB_FLAME_PREEMPTED] = { "preempted", N_ ("preempted") },
  [TB_FLAME_INTERRUPT] = { "interrupt", N_ ("hardware") },
  [TB_FLAME_KERNEL_BLOCK] = { "kernel-block", N_ ("blocked in the kernel") },
  [TB_FLAME_SLEEPING] = { "sleeping", N_ ("sleeping deliberately") },
  [TB_FLAME_TIMED_OUT] = { "timed-out", N_ ("timed out") },
  [TB_FLAME_OTHER_PATH] = { "other-path", N_ ("waiting on another path") },
  [TB_FLAME_LOST] = { "lost", N_ ("events lost") },
};

/**
 * tb_flame_paint_get_name:
 * @paint: kind of a box
 *
 * Gets the name of a kind of box in JSON.
 *
 * Returns: (transfer none): the stable name that is used in JSON
 */
const char *
tb_flame_paint_get_name (TbFlamePaint paint)
{
  return paints[paint < TB_N_FLAME_PAINTS ? paint : TB_FLAME_UNKNOWN].name;
}

/**
 * tb_flame_paint_find:
 * @name: name in JSON
 *
 * Finds the kind of a box by its name in JSON.
 *
 * Returns: the kind of box with that name, %TB_FLAME_UNKNOWN if there is none
 */
TbFlamePaint
tb_flame_paint_find (const char *name)
{
  g_return_val_if_fail (name != NULL, TB_FLAME_UNKNOWN);

  for (guint paint = 0; paint < TB_N_FLAME_PAINTS; paint++)
    if (strcmp (name, paints[paint].name) == 0)
      return paint;
  return TB_FLAME_UNKNOWN;
}

/**
 * tb_flame_paint_get_label:
 * @paint: kind of a box
 *
 * Gets the meaning of a look for the legend, in the language of the user.
 *
 * Returns: (transfer none): the label in a legend
 */
const char *
tb_flame_paint_get_label (TbFlamePaint paint)
{
  return _ (paints[paint < TB_N_FLAME_PAINTS ? paint : TB_FLAME_UNKNOWN].label);
}

/**
 * tb_flame_figure_add_category:
 * @self: a figure that is being built
 * @id: name in JSON
 * @name: user-visible name
 * @paint: look in a legend
 *
 * Adds a category for the own weight of nodes. At most 255 categories are distinguished.
 *
 * Returns: its index
 */
guint
tb_flame_figure_add_category (TbFlameFigure *self,
                              const char *id,
                              const char *name,
                              TbFlamePaint paint)
{
  TbFlameCategory category = { .paint = paint };

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);
  g_return_val_if_fail (paint < TB_N_FLAME_PAINTS, 0);
  g_return_val_if_fail (self->categories->len < TB_FLAME_CATEGORIES_MAX, 0);

  category.id = tb_flame_figure_intern (self, id);
  category.name = tb_flame_figure_intern (self, name);
  g_array_append_val (self->categories, category);
  return self->categories->len - 1;
}

/**
 * tb_flame_figure_add_to_category:
 * @self: a figure that is being built
 * @node: index of a node
 * @category: index of a category
 * @weight: in the figure's unit
 *
 * Assigns more of the node's own weight to a category. The sum over all categories should not
 * exceed the own weight.
 */
void
tb_flame_figure_add_to_category (TbFlameFigure *self, guint node, guint category, guint64 weight)
{
  TbFlameShare share = { node, category, weight };

  g_return_if_fail (TB_IS_FLAME_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (node < self->nodes->len);
  g_return_if_fail (category < self->categories->len);

  if (weight > 0)
    g_array_append_val (self->shares, share);
}

static int
compare_shares (gconstpointer a, gconstpointer b)
{
  const TbFlameShare *one = a;
  const TbFlameShare *two = b;

  if (one->node != two->node)
    return one->node < two->node ? -1 : 1;
  return one->category < two->category ? -1 : one->category > two->category;
}

void
tb_flame_figure_sort_shares (TbFlameFigure *self)
{
  TbFlameShare *shares = (TbFlameShare *) (gpointer) self->shares->data;
  guint n = 0;
  guint at = 0;

  if (self->shares->len == 0)
    return;
  g_array_sort (self->shares, compare_shares);
  for (guint i = 0; i < self->shares->len; i++)
    {
      TbFlameCategory *category
          = &g_array_index (self->categories, TbFlameCategory, shares[i].category);

      category->own = tb_flame_add_saturated (category->own, shares[i].weight);
      if (n > 0 && compare_shares (&shares[n - 1], &shares[i]) == 0)
        shares[n - 1].weight = tb_flame_add_saturated (shares[n - 1].weight, shares[i].weight);
      else
        shares[n++] = shares[i];
    }
  g_array_set_size (self->shares, n);
  self->share_starts = g_new (guint, self->nodes->len + 1);
  for (guint node = 0; node <= self->nodes->len; node++)
    {
      while (at < n && shares[at].node < node)
        at++;
      self->share_starts[node] = at;
    }
}

/**
 * tb_flame_figure_get_n_categories:
 * @self: a figure
 *
 * Gets the number of categories.
 *
 * Returns: the number of categories
 */
guint
tb_flame_figure_get_n_categories (TbFlameFigure *self)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), 0);

  return self->categories->len;
}

/**
 * tb_flame_figure_get_category:
 * @self: a frozen figure
 * @category: index of a category
 *
 * Gets a category of the own weight of nodes.
 *
 * Returns: (transfer none): the category, owned by @self
 */
const TbFlameCategory *
tb_flame_figure_get_category (TbFlameFigure *self, guint category)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), NULL);
  g_return_val_if_fail (category < self->categories->len, NULL);

  return &g_array_index (self->categories, TbFlameCategory, category);
}

static void
add_shares (TbFlameFigure *self, guint node, guint64 *weights)
{
  for (guint i = self->share_starts[node]; i < self->share_starts[node + 1]; i++)
    {
      const TbFlameShare *share = &g_array_index (self->shares, TbFlameShare, i);

      weights[share->category] = tb_flame_add_saturated (weights[share->category], share->weight);
    }
}

/**
 * tb_flame_figure_get_breakdown:
 * @self: a frozen figure
 * @node: index of a node
 * @whole: whether to include all descendants; takes time proportional to their number
 * @weights: (array) (out caller-allocates): set to a weight for each category
 *
 * Divides the weight of a node among the categories.
 */
void
tb_flame_figure_get_breakdown (TbFlameFigure *self, guint node, gboolean whole, guint64 *weights)
{
  guint at = node;

  g_return_if_fail (TB_IS_FLAME_FIGURE (self));
  g_return_if_fail (tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (node < self->nodes->len);

  memset (weights, 0, self->categories->len * sizeof *weights);
  if (!self->share_starts)
    return;
  add_shares (self, node, weights);
  if (!whole)
    return;
  /* Go to the first child. A node without children is followed by the next sibling of itself or of
   * its nearest ancestor with one. */
  for (;;)
    {
      const TbFlameNode *info = tb_flame_figure_get_node (self, at);

      if (info->first_child != TB_ID_NONE)
        at = info->first_child;
      else
        {
          while (at != node && info->next_sibling == TB_ID_NONE)
            {
              at = info->parent;
              info = tb_flame_figure_get_node (self, at);
            }
          if (at == node)
            return;
          at = info->next_sibling;
        }
      add_shares (self, at, weights);
    }
}
