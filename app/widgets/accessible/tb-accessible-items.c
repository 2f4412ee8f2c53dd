/* tb-accessible-items.c: tree of the items that a widget draws itself, for screen readers: listed
 * anew when what is visible changes, with accessible objects made on request
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "base/tb-base.h"
#include "widgets/accessible/tb-accessible-items-private.h"

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("tb-accessible-items");
}

static TbAccessibleItems *
get_items (GtkWidget *widget)
{
  return g_object_get_qdata (G_OBJECT (widget), get_quark ());
}

/* Any remaining reference is to an item without a place. */
static void
drop_item (gpointer item)
{
  tb_accessible_item_detach (item);
  g_object_unref (item);
}

static void
items_free (gpointer data)
{
  TbAccessibleItems *self = data;

  g_hash_table_unref (self->items);
  g_array_unref (self->places);
  g_array_unref (self->links);
  g_free (self);
}

void
tb_accessible_items_attach (GtkWidget *widget, const TbAccessibleItemsClass *klass)
{
  TbAccessibleItems *self = g_new0 (TbAccessibleItems, 1);

  g_assert (get_items (widget) == NULL);
  self->widget = widget;
  self->klass = klass;
  self->places = g_array_new (FALSE, FALSE, sizeof (TbAccessiblePlace));
  self->links = g_array_new (FALSE, FALSE, sizeof (TbAccessibleLink));
  self->first = TB_ID_NONE;
  self->items = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, drop_item);
  g_object_set_qdata_full (G_OBJECT (widget), get_quark (), self, items_free);
}

static TbAccessibleItem *
ensure_item (TbAccessibleItems *self, guint64 key)
{
  TbAccessibleItem *item = g_hash_table_lookup (self->items, &key);

  if (item != NULL)
    return item;
  item = tb_accessible_item_new (self, key);
  g_hash_table_insert (self->items, (gpointer) tb_accessible_item_get_key (item), item);
  return item;
}

/* Links each place to its siblings and children. */
static void
link_places (TbAccessibleItems *self)
{
  const TbAccessibleLink none = { TB_ID_NONE, TB_ID_NONE, TB_ID_NONE };
  guint last = TB_ID_NONE;

  g_array_set_size (self->links, 0);
  self->first = TB_ID_NONE;
  for (guint i = 0; i < self->places->len; i++)
    {
      guint parent = g_array_index (self->places, TbAccessiblePlace, i).parent;
      guint before;

      g_assert (parent == TB_ID_NONE || parent < i);
      g_array_append_val (self->links, none);
      before = parent == TB_ID_NONE
                   ? last
                   : g_array_index (self->links, TbAccessibleLink, parent).last_child;
      if (before != TB_ID_NONE)
        g_array_index (self->links, TbAccessibleLink, before).next = i;
      else if (parent == TB_ID_NONE)
        self->first = i;
      else
        g_array_index (self->links, TbAccessibleLink, parent).first_child = i;
      if (parent == TB_ID_NONE)
        last = i;
      else
        g_array_index (self->links, TbAccessibleLink, parent).last_child = i;
    }
}

/* Items that are still visible keep their objects, which may be in use. Others are removed. */
static void
keep_items (TbAccessibleItems *self)
{
  GHashTableIter iter;
  gpointer item;
  guint64 selected;
  gboolean has_selected = self->klass->get_selected (self->widget, &selected);

  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, NULL, &item))
    tb_accessible_item_set_index (item, TB_ID_NONE);
  for (guint i = 0; i < self->places->len; i++)
    {
      item = g_hash_table_lookup (self->items,
                                  &g_array_index (self->places, TbAccessiblePlace, i).key);
      if (item != NULL)
        tb_accessible_item_set_index (item, i);
    }
  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, NULL, &item))
    if (tb_accessible_item_get_index (item) == TB_ID_NONE
        && !(has_selected && *tb_accessible_item_get_key (item) == selected))
      g_hash_table_iter_remove (&iter);
}

void
tb_accessible_items_ensure (TbAccessibleItems *self)
{
  int width = gtk_widget_get_width (self->widget), height = gtk_widget_get_height (self->widget);
  guint64 state[TB_ACCESSIBLE_STATE] = { 0 };

  self->klass->get_state (self->widget, state);
  if (self->listed && self->width == width && self->height == height
      && memcmp (self->state, state, sizeof state) == 0)
    return;
  self->listed = TRUE;
  self->width = width;
  self->height = height;
  memcpy (self->state, state, sizeof state);
  g_array_set_size (self->places, 0);
  /* A widget without a size shows nothing. */
  if (width > 0 && height > 0)
    self->klass->list (self->widget, self->places);
  link_places (self);
  keep_items (self);
}

GtkAccessible *
tb_accessible_items_get (TbAccessibleItems *self, guint index)
{
  TbAccessibleItem *item;

  if (index == TB_ID_NONE)
    return NULL;
  item = ensure_item (self, g_array_index (self->places, TbAccessiblePlace, index).key);
  tb_accessible_item_set_index (item, index);
  return GTK_ACCESSIBLE (g_object_ref (item));
}

static GtkAccessible *
get_first_accessible_child (GtkAccessible *accessible)
{
  TbAccessibleItems *self = get_items (GTK_WIDGET (accessible));

  /* A request while the widget is being constructed or destroyed. */
  if (self == NULL || gtk_widget_in_destruction (GTK_WIDGET (accessible)))
    return NULL;
  tb_accessible_items_ensure (self);
  return tb_accessible_items_get (self, self->first);
}

void
tb_accessible_items_interface_init (GtkAccessibleInterface *iface)
{
  iface->get_first_accessible_child = get_first_accessible_child;
}

static gboolean
get_no_bounds (GtkAccessible *accessible, int *x, int *y, int *width, int *height)
{
  return FALSE;
}

void
tb_accessible_overlay_interface_init (GtkAccessibleInterface *iface)
{
  iface->get_bounds = get_no_bounds;
}

/* Updates the item with the keyboard focus. Its object is created even if it was never requested,
 * because screen readers read it now. */
static void
update_active_descendant (TbAccessibleItems *self)
{
  guint64 key;

  if (!self->klass->get_selected (self->widget, &key))
    gtk_accessible_reset_relation (GTK_ACCESSIBLE (self->widget),
                                   GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT);
  else
    gtk_accessible_update_relation (GTK_ACCESSIBLE (self->widget),
                                    GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT,
                                    ensure_item (self, key), -1);
}

void
tb_accessible_items_selection_changed (GtkWidget *widget)
{
  TbAccessibleItems *self = get_items (widget);
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, NULL, &item))
    tb_accessible_item_update_selected (item);
  update_active_descendant (self);
}

void
tb_accessible_items_invalidate (GtkWidget *widget)
{
  TbAccessibleItems *self = get_items (widget);

  /* Otherwise the relation to an item that no longer exists would remain. */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget),
                                 GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT);
  g_hash_table_remove_all (self->items);
  g_array_set_size (self->places, 0);
  g_array_set_size (self->links, 0);
  self->first = TB_ID_NONE;
  self->listed = FALSE;
}
