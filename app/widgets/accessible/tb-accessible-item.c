/* tb-accessible-item.c: accessible object, as for screen readers, of one item that a widget draws
 * itself
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "base/tb-base.h"
#include "widgets/accessible/tb-accessible-items-private.h"

/* Not a widget: there may be thousands of items, which are only read. */
struct _TbAccessibleItem
{
  GObject parent_instance;

  TbAccessibleItems *items; /* not owned; NULL after the item has been removed */
  GtkATContext *context;
  guint64 key;
  guint index;
  gboolean selected;
};

enum
{
  PROP_0,
  PROP_ACCESSIBLE_ROLE,
};

static const TbAccessiblePlace *
get_place (TbAccessibleItem *self)
{
  if (self->items == NULL)
    return NULL;
  tb_accessible_items_ensure (self->items);
  /* The call before may have removed this item. */
  if (self->items == NULL || self->index == TB_ID_NONE)
    return NULL;
  return &g_array_index (self->items->places, TbAccessiblePlace, self->index);
}

/* Text from recordings may be invalid UTF-8. text: (transfer full) (nullable) */
static void
set_text_property (GtkAccessible *accessible, GtkAccessibleProperty property, char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  gtk_accessible_update_property (accessible, property, valid, -1);
  g_free (text);
}

static void
describe (TbAccessibleItem *self)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (self);
  TbAccessibleText text = { NULL };

  self->items->klass->describe (self->items->widget, self->key, &text);
  set_text_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, text.name);
  if (text.value != NULL)
    set_text_property (accessible, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text.value);
  if (text.description != NULL)
    set_text_property (accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text.description);
  if (text.kind != NULL)
    gtk_accessible_update_property (accessible, GTK_ACCESSIBLE_PROPERTY_ROLE_DESCRIPTION, text.kind,
                                    -1);
  if (text.level > 0)
    gtk_accessible_update_property (accessible, GTK_ACCESSIBLE_PROPERTY_LEVEL, text.level, -1);
  if (text.expanded != 0)
    gtk_accessible_update_state (accessible, GTK_ACCESSIBLE_STATE_EXPANDED, text.expanded > 0, -1);
  self->selected = self->items->klass->is_selected (self->items->widget, self->key);
  gtk_accessible_update_state (accessible, GTK_ACCESSIBLE_STATE_SELECTED, self->selected, -1);
}

/* The texts of an item are made only on request. */
static GtkATContext *
tb_accessible_item_get_at_context (GtkAccessible *accessible)
{
  TbAccessibleItem *self = TB_ACCESSIBLE_ITEM (accessible);

  if (self->context == NULL && self->items != NULL)
    {
      self->context
          = gtk_at_context_create (self->items->klass->get_role (self->items->widget, self->key),
                                   accessible, gtk_widget_get_display (self->items->widget));
      if (self->context != NULL)
        describe (self);
    }
  return self->context != NULL ? g_object_ref (self->context) : NULL;
}

static gboolean
tb_accessible_item_get_platform_state (GtkAccessible *accessible, GtkAccessiblePlatformState state)
{
  TbAccessibleItem *self = TB_ACCESSIBLE_ITEM (accessible);
  guint64 selected;

  switch (state)
    {
    case GTK_ACCESSIBLE_PLATFORM_STATE_FOCUSABLE:
    case GTK_ACCESSIBLE_PLATFORM_STATE_ACTIVE:
      return self->items != NULL;
    case GTK_ACCESSIBLE_PLATFORM_STATE_FOCUSED:
      return self->items != NULL && gtk_widget_is_focus (self->items->widget)
             && self->items->klass->get_selected (self->items->widget, &selected)
             && selected == self->key;
    default:
      return FALSE;
    }
}

static GtkAccessible *
tb_accessible_item_get_accessible_parent (GtkAccessible *accessible)
{
  TbAccessibleItem *self = TB_ACCESSIBLE_ITEM (accessible);
  const TbAccessiblePlace *place = get_place (self);

  if (place != NULL && place->parent != TB_ID_NONE)
    return tb_accessible_items_get (self->items, place->parent);
  return self->items != NULL ? GTK_ACCESSIBLE (g_object_ref (self->items->widget)) : NULL;
}

static GtkAccessible *
tb_accessible_item_get_first_accessible_child (GtkAccessible *accessible)
{
  TbAccessibleItem *self = TB_ACCESSIBLE_ITEM (accessible);

  if (get_place (self) == NULL)
    return NULL;
  return tb_accessible_items_get (
      self->items, g_array_index (self->items->links, TbAccessibleLink, self->index).first_child);
}

static GtkAccessible *
tb_accessible_item_get_next_accessible_sibling (GtkAccessible *accessible)
{
  TbAccessibleItem *self = TB_ACCESSIBLE_ITEM (accessible);

  if (get_place (self) == NULL)
    return NULL;
  return tb_accessible_items_get (
      self->items, g_array_index (self->items->links, TbAccessibleLink, self->index).next);
}

/* Like the bounds of a widget, relative to the parent item. */
static gboolean
tb_accessible_item_get_bounds (GtkAccessible *accessible, int *x, int *y, int *width, int *height)
{
  TbAccessibleItem *self = TB_ACCESSIBLE_ITEM (accessible);
  const TbAccessiblePlace *place = get_place (self);
  graphene_point_t origin = GRAPHENE_POINT_INIT (0, 0);

  if (place == NULL)
    return FALSE;
  if (place->parent != TB_ID_NONE)
    origin = g_array_index (self->items->places, TbAccessiblePlace, place->parent).bounds.origin;
  *x = (int) floorf (place->bounds.origin.x) - (int) floorf (origin.x);
  *y = (int) floorf (place->bounds.origin.y) - (int) floorf (origin.y);
  *width = (int) ceilf (place->bounds.size.width);
  *height = (int) ceilf (place->bounds.size.height);
  return TRUE;
}

static void
tb_accessible_item_accessible_init (GtkAccessibleInterface *iface)
{
  iface->get_at_context = tb_accessible_item_get_at_context;
  iface->get_platform_state = tb_accessible_item_get_platform_state;
  iface->get_accessible_parent = tb_accessible_item_get_accessible_parent;
  iface->get_first_accessible_child = tb_accessible_item_get_first_accessible_child;
  iface->get_next_accessible_sibling = tb_accessible_item_get_next_accessible_sibling;
  iface->get_bounds = tb_accessible_item_get_bounds;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TbAccessibleItem,
                               tb_accessible_item,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE,
                                                      tb_accessible_item_accessible_init))

static void
tb_accessible_item_get_property (GObject *object,
                                 guint property_id,
                                 GValue *value,
                                 GParamSpec *pspec)
{
  TbAccessibleItem *self = TB_ACCESSIBLE_ITEM (object);

  if (property_id != PROP_ACCESSIBLE_ROLE)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
  else
    g_value_set_enum (value, self->items != NULL
                                 ? self->items->klass->get_role (self->items->widget, self->key)
                                 : GTK_ACCESSIBLE_ROLE_NONE);
}

/* The role is constant. */
static void
tb_accessible_item_set_property (GObject *object,
                                 guint property_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  if (property_id != PROP_ACCESSIBLE_ROLE)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
tb_accessible_item_dispose (GObject *object)
{
  TbAccessibleItem *self = TB_ACCESSIBLE_ITEM (object);

  self->items = NULL;
  g_clear_object (&self->context);
  G_OBJECT_CLASS (tb_accessible_item_parent_class)->dispose (object);
}

static void
tb_accessible_item_class_init (TbAccessibleItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tb_accessible_item_get_property;
  object_class->set_property = tb_accessible_item_set_property;
  object_class->dispose = tb_accessible_item_dispose;
  g_object_class_override_property (object_class, PROP_ACCESSIBLE_ROLE, "accessible-role");
}

static void
tb_accessible_item_init (TbAccessibleItem *self)
{
  self->index = TB_ID_NONE;
}

TbAccessibleItem *
tb_accessible_item_new (TbAccessibleItems *items, guint64 key)
{
  TbAccessibleItem *self = g_object_new (TB_TYPE_ACCESSIBLE_ITEM, NULL);

  self->items = items;
  self->key = key;
  return self;
}

void
tb_accessible_item_detach (TbAccessibleItem *self)
{
  self->items = NULL;
}

const guint64 *
tb_accessible_item_get_key (TbAccessibleItem *self)
{
  return &self->key;
}

void
tb_accessible_item_set_index (TbAccessibleItem *self, guint index)
{
  self->index = index;
}

guint
tb_accessible_item_get_index (TbAccessibleItem *self)
{
  return self->index;
}

/* An item whose texts were never requested has no selected state to update. */
void
tb_accessible_item_update_selected (TbAccessibleItem *self)
{
  gboolean selected;

  if (self->context == NULL)
    return;
  selected = self->items->klass->is_selected (self->items->widget, self->key);
  if (selected == self->selected)
    return;
  self->selected = selected;
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_SELECTED, selected, -1);
}
