/* tb-accessible-items-private.h: what assistive technologies see of a widget that draws many things
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Numbers that tell what is seen. */
#define TB_ACCESSIBLE_STATE 8

/* One thing that is drawn. */
typedef struct
{
  guint64 key;            /* of the thing, as long as the widget is there */
  guint parent;           /* the place of what it stands on, which comes before it; TB_ID_NONE: the widget */
  graphene_rect_t bounds; /* in the widget */
} TbAccessiblePlace;

/* Texts: (transfer full) */
typedef struct
{
  char *name;
  char *value;       /* nullable */
  char *description; /* nullable */
  const char *kind;  /* nullable: what is said for its role, translated */
  int level;         /* 1… of a tree, 0 none */
  int expanded;      /* 1; -1: it is collapsed; 0: it cannot be either */
} TbAccessibleText;

/**
 * TbAccessibleItemsClass:
 * @get_role: of a thing
 * @get_state: sets what changes when other things are seen, or the same elsewhere; all 0 at first. The size of the widget
 *   need not be among it
 * @list: appends #TbAccessiblePlace, in the order in which they are read
 * @describe: says what a thing is; all %NULL and 0 at first
 * @is_selected: whether a thing is
 * @get_selected: the thing that the keyboard is at; %FALSE if it is at none
 *
 * How a widget tells what it draws.
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

/* For G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE, …) of a widget that has no children but these. */
void tb_accessible_items_interface_init (GtkAccessibleInterface *iface);
/* For one that only lies over what others draw: it is not what is found at a place. */
void tb_accessible_nothing_interface_init (GtkAccessibleInterface *iface);
/* Once, when the widget is made. Nothing is listed before somebody asks. */
void tb_accessible_items_attach (GtkWidget *widget, const TbAccessibleItemsClass *klass);
void tb_accessible_items_selection_changed (GtkWidget *widget);
/* What was told of things is not right any more. */
void tb_accessible_items_forget (GtkWidget *widget);

/* A double as one of the numbers of a state. */
static inline guint64
tb_accessible_state_of (double value)
{
  union
  {
    double value;
    guint64 bits;
  } number = { .value = value };

  return number.bits;
}

G_END_DECLS
