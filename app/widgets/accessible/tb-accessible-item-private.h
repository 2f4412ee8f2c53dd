/* tb-accessible-item-private.h: one of the things that a widget draws, for assistive technologies
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/accessible/tb-accessible-items-private.h"

G_BEGIN_DECLS

/* Places, TB_ID_NONE none. */
typedef struct
{
  guint first_child;
  guint last_child;
  guint next;
} TbAccessibleLink;

/**
 * TbAccessibleItems:
 *
 * The things that a widget draws.
 */
typedef struct
{
  GtkWidget *widget;
  const TbAccessibleItemsClass *klass;

  gboolean listed; /* when this was: */
  int width;
  int height;
  guint64 state[TB_ACCESSIBLE_STATE];
  GArray *places; /* TbAccessiblePlace */
  GArray *links;  /* TbAccessibleLink, by place */
  guint first;    /* of those that stand on none */

  GHashTable *items; /* key → TbAccessibleItem: those that somebody has asked for */
} TbAccessibleItems;

/* Lists what is seen, where that is not what was seen last. */
void tb_accessible_items_ensure (TbAccessibleItems *self);
/* (transfer full) (nullable): what is at a place, which may be TB_ID_NONE */
GtkAccessible *tb_accessible_items_get (TbAccessibleItems *self, guint index);

#define TB_TYPE_ACCESSIBLE_ITEM (tb_accessible_item_get_type ())
G_DECLARE_FINAL_TYPE (TbAccessibleItem, tb_accessible_item, TB, ACCESSIBLE_ITEM, GObject)

TbAccessibleItem *tb_accessible_item_new (TbAccessibleItems *items, guint64 key);
void tb_accessible_item_detach (TbAccessibleItem *self);
const guint64 *tb_accessible_item_get_key (TbAccessibleItem *self);
/* Its place, TB_ID_NONE: it is not seen. */
void tb_accessible_item_set_index (TbAccessibleItem *self, guint index);
guint tb_accessible_item_get_index (TbAccessibleItem *self);
void tb_accessible_item_update_selected (TbAccessibleItem *self);

G_END_DECLS
