/* tb-graph-item.c: what assistive technologies see of a vertex or an edge
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "session/tb-schema.h"
#include "widgets/graph/tb-graph-private.h"

/* Not a widget: there may be hundreds, and all they do is to be read. */
struct _TbGraphItem
{
  GObject parent_instance;

  TbGraphCanvas *canvas; /* not owned; NULL once it is gone */
  GtkATContext *context;
  TbGraphThing thing;
};

enum
{
  PROP_0,
  PROP_ACCESSIBLE_ROLE,
};

static GtkATContext *
tb_graph_item_get_at_context (GtkAccessible *accessible)
{
  TbGraphItem *self = TB_GRAPH_ITEM (accessible);

  if (self->context == NULL && self->canvas != NULL)
    self->context = gtk_at_context_create (GTK_ACCESSIBLE_ROLE_LIST_ITEM, accessible,
                                           gtk_widget_get_display (GTK_WIDGET (self->canvas)));
  return self->context != NULL ? g_object_ref (self->context) : NULL;
}

static gboolean
tb_graph_item_get_platform_state (GtkAccessible *accessible, GtkAccessiblePlatformState state)
{
  TbGraphItem *self = TB_GRAPH_ITEM (accessible);

  switch (state)
    {
    case GTK_ACCESSIBLE_PLATFORM_STATE_FOCUSABLE:
    case GTK_ACCESSIBLE_PLATFORM_STATE_ACTIVE:
      return TRUE;
    case GTK_ACCESSIBLE_PLATFORM_STATE_FOCUSED:
      return self->canvas != NULL && gtk_widget_is_focus (GTK_WIDGET (self->canvas))
             && tb_graph_thing_equal (self->canvas->selected, self->thing);
    default:
      return FALSE;
    }
}

static GtkAccessible *
tb_graph_item_get_accessible_parent (GtkAccessible *accessible)
{
  TbGraphItem *self = TB_GRAPH_ITEM (accessible);

  return self->canvas != NULL ? GTK_ACCESSIBLE (g_object_ref (self->canvas)) : NULL;
}

static GtkAccessible *
tb_graph_item_get_first_accessible_child (GtkAccessible *accessible)
{
  return NULL;
}

static GtkAccessible *
tb_graph_item_get_next_accessible_sibling (GtkAccessible *accessible)
{
  TbGraphItem *self = TB_GRAPH_ITEM (accessible);
  guint index;

  if (self->canvas == NULL || !g_ptr_array_find (self->canvas->items, self, &index)
      || index + 1 >= self->canvas->items->len)
    return NULL;
  return g_object_ref (g_ptr_array_index (self->canvas->items, index + 1));
}

static gboolean
tb_graph_item_get_bounds (GtkAccessible *accessible, int *x, int *y, int *width, int *height)
{
  TbGraphItem *self = TB_GRAPH_ITEM (accessible);
  graphene_rect_t bounds;

  if (self->canvas == NULL || !tb_graph_canvas_get_bounds (self->canvas, self->thing, &bounds))
    return FALSE;
  *x = (int) bounds.origin.x;
  *y = (int) bounds.origin.y;
  *width = (int) bounds.size.width;
  *height = (int) bounds.size.height;
  return TRUE;
}

static void
tb_graph_item_accessible_init (GtkAccessibleInterface *iface)
{
  iface->get_at_context = tb_graph_item_get_at_context;
  iface->get_platform_state = tb_graph_item_get_platform_state;
  iface->get_accessible_parent = tb_graph_item_get_accessible_parent;
  iface->get_first_accessible_child = tb_graph_item_get_first_accessible_child;
  iface->get_next_accessible_sibling = tb_graph_item_get_next_accessible_sibling;
  iface->get_bounds = tb_graph_item_get_bounds;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TbGraphItem,
                               tb_graph_item,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE, tb_graph_item_accessible_init))

static void
tb_graph_item_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  if (property_id == PROP_ACCESSIBLE_ROLE)
    g_value_set_enum (value, GTK_ACCESSIBLE_ROLE_LIST_ITEM);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

/* The role never changes. */
static void
tb_graph_item_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  if (property_id != PROP_ACCESSIBLE_ROLE)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
tb_graph_item_dispose (GObject *object)
{
  TbGraphItem *self = TB_GRAPH_ITEM (object);

  self->canvas = NULL;
  g_clear_object (&self->context);
  G_OBJECT_CLASS (tb_graph_item_parent_class)->dispose (object);
}

static void
tb_graph_item_class_init (TbGraphItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tb_graph_item_get_property;
  object_class->set_property = tb_graph_item_set_property;
  object_class->dispose = tb_graph_item_dispose;
  g_object_class_override_property (object_class, PROP_ACCESSIBLE_ROLE, "accessible-role");
}

static void
tb_graph_item_init (TbGraphItem *self)
{
}

static char *
dup_name (TbGraphCanvas *canvas, TbGraphThing thing)
{
  TbGraphFigure *figure = canvas->figure;
  const TbGraphEdge *edge;

  if (thing.kind == TB_GRAPH_CLUSTER)
    return g_strdup (tb_graph_figure_get_cluster_name (figure, thing.index));
  if (thing.kind == TB_GRAPH_VERTEX)
    return g_strdup (tb_graph_figure_get_vertex (figure, thing.index)->name);
  edge = tb_graph_figure_get_edge (figure, thing.index);
  return g_strdup_printf ("%s → %s", tb_graph_figure_get_vertex (figure, edge->from)->name,
                          tb_graph_figure_get_vertex (figure, edge->to)->name);
}

static char *
dup_value (TbGraphCanvas *canvas, TbGraphThing thing)
{
  TbGraphFigure *figure = canvas->figure;

  if (thing.kind == TB_GRAPH_VERTEX)
    return tb_graph_figure_format_weight (figure, tb_graph_figure_get_vertex (figure, thing.index)->weight);
  if (thing.kind == TB_GRAPH_EDGE)
    return tb_graph_figure_format_weight (figure, tb_graph_figure_get_edge (figure, thing.index)->weight);
  return g_strdup ("");
}

TbGraphItem *
tb_graph_item_new (TbGraphCanvas *canvas, TbGraphThing thing)
{
  TbGraphItem *self = g_object_new (TB_TYPE_GRAPH_ITEM, NULL);
  g_autofree char *name = dup_name (canvas, thing);
  g_autofree char *value = dup_value (canvas, thing);
  g_autofree char *description = tb_graph_canvas_describe (canvas, thing);

  self->canvas = canvas;
  self->thing = thing;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, value,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description,
                                  GTK_ACCESSIBLE_PROPERTY_ROLE_DESCRIPTION,
                                  thing.kind == TB_GRAPH_EDGE      ? _ ("edge")
                                  : thing.kind == TB_GRAPH_CLUSTER ? _ ("group")
                                                                   : _ ("vertex"),
                                  -1);
  tb_graph_item_set_selected (self, tb_graph_thing_equal (canvas->selected, thing));
  return self;
}

TbGraphThing
tb_graph_item_get_thing (TbGraphItem *self)
{
  return self->thing;
}

void
tb_graph_item_set_selected (TbGraphItem *self, gboolean selected)
{
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_SELECTED, selected, -1);
}

void
tb_graph_canvas_clear_items (TbGraphCanvas *self)
{
  /* Whoever still holds one holds one of nothing. */
  for (guint i = 0; i < self->items->len; i++)
    TB_GRAPH_ITEM (g_ptr_array_index (self->items, i))->canvas = NULL;
  g_ptr_array_set_size (self->items, 0);
}

void
tb_graph_canvas_make_items (TbGraphCanvas *self)
{
  tb_graph_canvas_clear_items (self);
  for (guint i = 0; self->scene != NULL && i < self->scene->n_nodes; i++)
    g_ptr_array_add (self->items, tb_graph_item_new (self, tb_graph_canvas_get_node_thing (self, i)));
  for (guint i = 0; self->scene != NULL && i < self->scene->n_arcs; i++)
    g_ptr_array_add (self->items, tb_graph_item_new (self, tb_graph_canvas_get_arc_thing (self, i)));
}

TbGraphItem *
tb_graph_canvas_find_item (TbGraphCanvas *self, TbGraphThing thing)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      TbGraphItem *item = g_ptr_array_index (self->items, i);

      if (tb_graph_thing_equal (item->thing, thing))
        return item;
    }
  return NULL;
}
