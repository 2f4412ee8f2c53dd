/* tb-graph-accessible.c: accessible items, for screen readers, for the vertices, clusters and edges
 * of a graph: their order, roles, texts and selection
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/tb-base.h"
#include "widgets/graph/tb-graph-private.h"

#define KIND_SHIFT 32

static guint64
get_key (TbGraphElement element)
{
  return (guint64) element.kind << KIND_SHIFT | element.index;
}

static TbGraphElement
get_element (guint64 key)
{
  return (TbGraphElement) { (TbGraphElementKind) (key >> KIND_SHIFT), (guint) key };
}

static GtkAccessibleRole
get_role (GtkWidget *widget, guint64 key)
{
  return GTK_ACCESSIBLE_ROLE_LIST_ITEM;
}

static void
get_state (GtkWidget *widget, guint64 *state)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);

  state[0] = (guint64) (gsize) self->scene;
  state[1] = tb_accessible_pack_double (self->scale);
  state[2] = tb_accessible_pack_double (self->x);
  state[3] = tb_accessible_pack_double (self->y);
}

static void
append_element (TbGraphCanvas *self, TbGraphElement element, GArray *places)
{
  TbAccessiblePlace place = { .key = get_key (element), .parent = TB_ID_NONE };

  if (tb_graph_canvas_get_bounds (self, element, &place.bounds))
    g_array_append_val (places, place);
}

/* Includes items outside the view, because the keyboard can reach them too. */
static void
list (GtkWidget *widget, GArray *places)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);

  for (guint i = 0; self->scene != NULL && i < self->scene->n_nodes; i++)
    append_element (self, tb_graph_canvas_get_node_element (self, i), places);
  for (guint i = 0; self->scene != NULL && i < self->scene->n_arcs; i++)
    append_element (self, tb_graph_canvas_get_arc_element (self, i), places);
  for (guint i = 0; self->scene != NULL && i < self->scene->layout->n_groups; i++)
    if (tb_graph_canvas_has_frame (self, i))
      append_element (self, (TbGraphElement) { TB_GRAPH_CLUSTER, i }, places);
}

static char *
dup_name (TbGraphFigure *figure, TbGraphElement element)
{
  const TbGraphEdge *edge;

  if (element.kind == TB_GRAPH_CLUSTER)
    return g_strdup (tb_graph_figure_get_cluster_name (figure, element.index));
  if (element.kind == TB_GRAPH_VERTEX)
    return g_strdup (tb_graph_figure_get_vertex (figure, element.index)->name);
  edge = tb_graph_figure_get_edge (figure, element.index);
  return g_strdup_printf ("%s → %s", tb_graph_figure_get_vertex (figure, edge->from)->name,
                          tb_graph_figure_get_vertex (figure, edge->to)->name);
}

static char *
dup_value (TbGraphFigure *figure, TbGraphElement element)
{
  if (element.kind == TB_GRAPH_VERTEX)
    return tb_graph_figure_format_weight (
        figure, tb_graph_figure_get_vertex (figure, element.index)->weight);
  if (element.kind == TB_GRAPH_EDGE)
    return tb_graph_figure_format_weight (figure,
                                          tb_graph_figure_get_edge (figure, element.index)->weight);
  return NULL;
}

static void
describe (GtkWidget *widget, guint64 key, TbAccessibleText *text)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);
  TbGraphElement element = get_element (key);

  text->name = dup_name (self->figure, element);
  text->value = dup_value (self->figure, element);
  if (element.kind == TB_GRAPH_CLUSTER)
    text->expanded = self->collapsed[element.index] ? -1 : 1;
  text->description = tb_graph_canvas_describe (self, element);
  text->kind = element.kind == TB_GRAPH_EDGE      ? _ ("edge")
               : element.kind == TB_GRAPH_CLUSTER ? _ ("group")
                                                  : _ ("vertex");
}

static gboolean
is_selected (GtkWidget *widget, guint64 key)
{
  return tb_graph_element_equal (TB_GRAPH_CANVAS (widget)->selected, get_element (key));
}

static gboolean
get_selected (GtkWidget *widget, guint64 *key)
{
  TbGraphElement selected = TB_GRAPH_CANVAS (widget)->selected;

  *key = get_key (selected);
  return selected.kind != TB_GRAPH_NOTHING;
}

const TbAccessibleItemsClass tb_graph_accessible_items = {
  .get_role = get_role,
  .get_state = get_state,
  .list = list,
  .describe = describe,
  .is_selected = is_selected,
  .get_selected = get_selected,
};
