/* tb-flame-accessible.c: accessible items, for screen readers, for the boxes of a flame: their
 * tree, order, texts and selection
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/flame/tb-flame-canvas-private.h"

/* A box is identified by its node, a merged box by its first node. */
#define MERGED (G_GUINT64_CONSTANT (1) << 32)

static guint64
get_key (const TbFlameBox *box)
{
  return box->n_merged > 0 ? MERGED | box->first_merged : box->node;
}

static GtkAccessibleRole
get_role (GtkWidget *widget, guint64 key)
{
  return GTK_ACCESSIBLE_ROLE_TREE_ITEM;
}

static void
get_state (GtkWidget *widget, guint64 *state)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);
  gint64 from, to;

  state[0] = self->zoomed;
  state[1] = self->icicle;
  state[2] = (guint64) self->line;
  if (self->lens == NULL)
    return;
  tb_focus_get_view (self->lens, &from, &to);
  state[3] = (guint64) from;
  state[4] = (guint64) to;
}

/* Callers come before callees. */
static int
compare_boxes (gconstpointer a, gconstpointer b)
{
  const TbFlameBox *one = *(const TbFlameBox *const *) a, *two = *(const TbFlameBox *const *) b;

  if (one->depth != two->depth)
    return one->depth < two->depth ? -1 : 1;
  return one->x < two->x ? -1 : one->x > two->x;
}

/* The place of the nearest caller that has its own box. */
static guint
find_parent (TbFlameCanvas *self, const TbFlameBox *box, GHashTable *place_of)
{
  guint node = box->node;

  /* A merged box belongs to its node, which is the parent. Over time its node is one of the merged
   * nodes. */
  if (box->n_merged == 0 || self->lens != NULL)
    node = tb_flame_figure_get_node (self->figure, node)->parent;
  while (node != TB_ID_NONE)
    {
      gpointer place = g_hash_table_lookup (place_of, GUINT_TO_POINTER (node + 1));

      if (place != NULL)
        return GPOINTER_TO_UINT (place) - 1;
      node = tb_flame_figure_get_node (self->figure, node)->parent;
    }
  return TB_ID_NONE;
}

static void
list (GtkWidget *widget, GArray *places)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);
  g_autoptr (GHashTable) place_of = g_hash_table_new (NULL, NULL); /* node + 1 → place + 1 */
  g_autoptr (GPtrArray) boxes = g_ptr_array_new ();

  if (self->line == 0)
    return;
  tb_flame_canvas_ensure_layout (self, tb_flame_canvas_get_plot_width (self));
  for (guint i = 0; i < self->boxes->len; i++)
    g_ptr_array_add (boxes, &g_array_index (self->boxes, TbFlameBox, i));
  g_ptr_array_sort (boxes, compare_boxes);
  for (guint i = 0; i < boxes->len; i++)
    {
      const TbFlameBox *box = g_ptr_array_index (boxes, i);
      TbAccessiblePlace place
          = { .key = get_key (box), .parent = find_parent (self, box, place_of) };

      tb_flame_canvas_get_bounds (self, box, &place.bounds);
      if (box->n_merged == 0)
        g_hash_table_insert (place_of, GUINT_TO_POINTER (box->node + 1), GUINT_TO_POINTER (i + 1));
      g_array_append_val (places, place);
    }
}

static void
describe_merged (TbFlameCanvas *self, guint64 key, TbAccessibleText *text)
{
  tb_flame_canvas_ensure_layout (self, tb_flame_canvas_get_plot_width (self));
  for (guint i = 0; i < self->boxes->len; i++)
    {
      const TbFlameBox *box = &g_array_index (self->boxes, TbFlameBox, i);

      if (get_key (box) != key)
        continue;
      text->name = tb_flame_canvas_describe_merged (self, box);
      text->level = (int) MIN (box->depth, G_MAXINT - 1) + 1;
      return;
    }
}

static void
describe (GtkWidget *widget, guint64 key, TbAccessibleText *text)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);
  const TbFlameNode *info;

  if (key & MERGED)
    {
      describe_merged (self, key, text);
      return;
    }
  info = tb_flame_figure_get_node (self->figure, (guint) key);
  text->name = g_strdup (info->name);
  text->value = tb_flame_format_value (self->figure, info->total);
  text->description = tb_flame_describe (self->figure, (guint) key);
  text->level = (int) MIN (info->depth, G_MAXINT - 1) + 1;
}

static gboolean
get_selected (GtkWidget *widget, guint64 *key)
{
  *key = TB_FLAME_CANVAS (widget)->selected;
  return *key != TB_ID_NONE;
}

static gboolean
is_selected (GtkWidget *widget, guint64 key)
{
  return TB_FLAME_CANVAS (widget)->selected == key;
}

const TbAccessibleItemsClass tb_flame_accessible_items = {
  .get_role = get_role,
  .get_state = get_state,
  .list = list,
  .describe = describe,
  .is_selected = is_selected,
  .get_selected = get_selected,
};
