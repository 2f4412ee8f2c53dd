/* tb-accessible-items-private.h: tree of the items that a widget draws itself, for screen readers:
 * listed anew when what is visible changes, with accessible objects, one an item, made on request
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Numbers in the state that identifies what is visible. */
#define TB_ACCESSIBLE_STATE 8

/* An item that is drawn. */
typedef struct
{
  guint64 key;  /* identifies the item for the lifetime of the widget */
  guint parent; /* index of the parent's place, which precedes it; TB_ID_NONE: the widget */
  graphene_rect_t bounds; /* relative to the widget */
} TbAccessiblePlace;

/* Texts are (transfer full). */
typedef struct
{
  char *name;
  char *value;       /* nullable */
  char *description; /* nullable */
  const char *kind;  /* nullable: description of its role, translated */
  int level;         /* 1… in a tree, 0 otherwise */
  int expanded;      /* 1: expanded; -1: collapsed; 0: neither is possible */
} TbAccessibleText;

/**
 * TbAccessibleItemsClass:
 * @get_role: returns the role of an item
 * @get_state: sets numbers that change when other items are visible, or the same ones elsewhere;
 *   all are 0 at first. The size of the widget need not be included
 * @list: appends #TbAccessiblePlace, in the order of reading
 * @describe: sets the texts of an item; all are %NULL and 0 at first
 * @is_selected: whether an item is selected
 * @get_selected: gets the item with the keyboard focus; %FALSE if there is none
 *
 * How a widget describes the items that it draws.
 */
typedef struct
{
  GtkAccessibleRole (*get_role) (GtkWidget *widget, guint64 key);
  void (*get_state) (GtkWidget *widget, guint64 *state);
  void (*list) (GtkWidget *widget, GArray *places);
  void (*describe) (GtkWidget *widget, guint64 key, TbAccessibleText *text);
  gboolean (*is_selected) (GtkWidget *widget, guint64 key);
  gboolean (*get_selected) (GtkWidget *widget, guint64 *key);
} TbAccessibleItemsClass;

/* For G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE, …) of a widget that has no other children than
 * these items. */
void tb_accessible_items_interface_init (GtkAccessibleInterface *iface);
/* For a widget that only overlays others and is never found at a position. */
void tb_accessible_overlay_interface_init (GtkAccessibleInterface *iface);
/* Call it once, when the widget is created. Nothing is listed before the first request. */
void tb_accessible_items_attach (GtkWidget *widget, const TbAccessibleItemsClass *klass);
void tb_accessible_items_selection_changed (GtkWidget *widget);
/* The reported items are no longer valid. */
void tb_accessible_items_invalidate (GtkWidget *widget);

/* A double as one number of a state. */
static inline guint64
tb_accessible_pack_double (double value)
{
  union
  {
    double value;
    guint64 bits;
  } number = { .value = value };

  return number.bits;
}

/* For the files of this folder */

/* Indices of places. TB_ID_NONE: none. */
typedef struct
{
  guint first_child;
  guint last_child;
  guint next;
} TbAccessibleLink;

/* The accessible items that a widget draws. */
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
