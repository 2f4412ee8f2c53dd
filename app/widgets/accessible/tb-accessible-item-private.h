/* tb-accessible-item-private.h: accessible object, as for screen readers, of one item that a widget
 * draws itself, and the structure of the tree of such items, in which it finds its place
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/accessible/tb-accessible-items-private.h"

G_BEGIN_DECLS

/* Indices of places. TB_ID_NONE: none. */
typedef struct
{
  guint first_child;
  guint last_child;
  guint next;
} TbAccessibleLink;

/**
 * TbAccessibleItems:
 *
 * The accessible items that a widget draws.
 */
typedef struct
{
  GtkWidget *widget;
  const TbAccessibleItemsClass *klass;

  gboolean listed; /* when it was listed: */
  int width;
  int height;
  guint64 state[TB_ACCESSIBLE_STATE];
  GArray *places; /* TbAccessiblePlace */
  GArray *links;  /* TbAccessibleLink, by place */
  guint first;    /* index of the first place without a parent */

  GHashTable *items; /* key → TbAccessibleItem: objects that have been requested */
} TbAccessibleItems;

/* Lists the visible items again if they have changed. */
void tb_accessible_items_ensure (TbAccessibleItems *self);
/* (transfer full) (nullable): the item with an index, which may be TB_ID_NONE */
GtkAccessible *tb_accessible_items_get (TbAccessibleItems *self, guint index);

#define TB_TYPE_ACCESSIBLE_ITEM (tb_accessible_item_get_type ())
G_DECLARE_FINAL_TYPE (TbAccessibleItem, tb_accessible_item, TB, ACCESSIBLE_ITEM, GObject)

TbAccessibleItem *tb_accessible_item_new (TbAccessibleItems *items, guint64 key);
void tb_accessible_item_detach (TbAccessibleItem *self);
const guint64 *tb_accessible_item_get_key (TbAccessibleItem *self);
/* The index of its place. TB_ID_NONE: it is not visible. */
void tb_accessible_item_set_index (TbAccessibleItem *self, guint index);
guint tb_accessible_item_get_index (TbAccessibleItem *self);
void tb_accessible_item_update_selected (TbAccessibleItem *self);

G_END_DECLS
