/* tb-graph-find.c: look-up of the vertex, edge or cluster frame of a graph at a position, of its
 * bounds, and of the one that an arrow key or Tab leads to
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "base/tb-base.h"
#include "widgets/graph/tb-graph-private.h"

/* Largest distance of the mouse to an edge, in pixels. */
#define MAX_EDGE_DISTANCE 6.0
#define MAX_VERTEX_DISTANCE 2.0
#define FRAME_NAME 20.0

int
tb_graph_canvas_find_node (TbGraphCanvas *self, TbGraphElement element)
{
  if (self->scene == NULL || (element.kind != TB_GRAPH_VERTEX && element.kind != TB_GRAPH_CLUSTER))
    return -1;
  if (element.kind == TB_GRAPH_VERTEX) /* that of its cluster where the cluster is collapsed */
    return element.index < tb_graph_figure_get_n_vertices (self->figure)
                   && self->scene->node_of_vertex[element.index] != TB_ID_NONE
               ? (int) self->scene->node_of_vertex[element.index]
               : -1;
  for (guint i = 0; i < self->scene->n_nodes; i++)
    if (tb_graph_element_equal (tb_graph_canvas_get_node_element (self, i), element))
      return (int) i;
  return -1;
}

int
tb_graph_canvas_find_arc (TbGraphCanvas *self, TbGraphElement element)
{
  if (self->scene == NULL || element.kind != TB_GRAPH_EDGE)
    return -1;
  for (guint i = 0; i < self->scene->n_arcs; i++)
    if (self->scene->edges[i] == element.index)
      return (int) i;
  return -1;
}

TbGraphElement
tb_graph_canvas_get_node_element (TbGraphCanvas *self, guint node)
{
  const TbGraphSceneNode *shown = &self->scene->shown[node];

  if (shown->vertex != TB_ID_NONE)
    return (TbGraphElement) { TB_GRAPH_VERTEX, shown->vertex };
  return (TbGraphElement) { TB_GRAPH_CLUSTER, shown->cluster };
}

TbGraphElement
tb_graph_canvas_get_arc_element (TbGraphCanvas *self, guint arc)
{
  return (TbGraphElement) { TB_GRAPH_EDGE, self->scene->edges[arc] };
}

static const TbGraphPoint *
get_curve (const TbGraphScene *scene, guint arc, guint curve)
{
  return scene->layout->points + scene->layout->routes[arc].first + 3 * curve;
}

static gboolean
box_has (const TbGraphBox *box, double x, double y)
{
  return x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height;
}

static void
to_scene (TbGraphCanvas *self, double *x, double *y)
{
  *x = (*x - self->x) / self->scale;
  *y = (*y - self->y) / self->scale;
}

static int
find_node_at (TbGraphCanvas *self, double x, double y)
{
  const TbGraphScene *scene = self->scene;

  for (guint i = scene->n_nodes; i > 0; i--)
    {
      TbGraphPoint centre = scene->layout->places[i - 1].centre;
      double dx = fabs (x - centre.x), dy = fabs (y - centre.y);

      if ((scene->nodes[i - 1].square ? MAX (dx, dy) : hypot (dx, dy))
          <= scene->nodes[i - 1].radius + MAX_VERTEX_DISTANCE / self->scale)
        return (int) i - 1;
    }
  return -1;
}

/* The arc with the nearest line. Of arcs on top of each other, the heaviest, which is drawn
 * last. */
static int
find_arc_at (TbGraphCanvas *self, double x, double y)
{
  const TbGraphScene *scene = self->scene;
  double best = MAX_EDGE_DISTANCE / self->scale;
  int found = -1;

  for (guint i = 0; i < scene->n_arcs; i++)
    {
      double half = tb_graph_scene_get_line_width (scene, scene->edges[i]) / 2;
      double distance = tb_graph_layout_get_distance (scene->layout, i, x, y, best + half);
      double neighbour = MAX (distance - half, 0);

      if (distance < G_MAXDOUBLE && neighbour < best)
        {
          best = neighbour;
          found = (int) i;
        }
    }
  return found;
}

static int
find_text_at (const TbGraphText *texts, guint n, double x, double y)
{
  for (guint i = 0; i < n; i++)
    if (texts[i].is_placed && box_has (&texts[i].box, x, y))
      return (int) i;
  return -1;
}

/* Vertices are on top, then labels of edges, then edges, then names. */
TbGraphElement
tb_graph_canvas_get_element_at (TbGraphCanvas *self, double x, double y)
{
  const TbGraphTexts *texts;
  int found;

  if (self->scene == NULL)
    return TB_GRAPH_NO_ELEMENT;
  to_scene (self, &x, &y);
  texts = tb_graph_canvas_get_texts (self);
  if ((found = find_node_at (self, x, y)) >= 0)
    return tb_graph_canvas_get_node_element (self, (guint) found);
  if ((found = find_text_at (texts->labels, self->scene->n_arcs, x, y)) >= 0
      || (found = find_arc_at (self, x, y)) >= 0)
    return tb_graph_canvas_get_arc_element (self, (guint) found);
  if ((found = find_text_at (texts->names, self->scene->n_nodes, x, y)) >= 0)
    return tb_graph_canvas_get_node_element (self, (guint) found);
  return TB_GRAPH_NO_ELEMENT;
}

guint
tb_graph_canvas_get_frame_at (TbGraphCanvas *self, double x, double y)
{
  if (self->scene == NULL)
    return TB_ID_NONE;
  to_scene (self, &x, &y);
  for (guint i = 0; i < self->scene->layout->n_groups; i++)
    {
      TbGraphBox name = self->scene->layout->groups[i];
      const TbGraphText *text = &tb_graph_canvas_get_texts (self)->frames[i];

      name.height = MIN (name.height, FRAME_NAME);
      if (box_has (&name, x, y) || (text->is_placed && box_has (&text->box, x, y)))
        return i;
    }
  return TB_ID_NONE;
}

TbGraphElement
tb_graph_canvas_get_pointed (TbGraphCanvas *self, double x, double y)
{
  TbGraphElement element = tb_graph_canvas_get_element_at (self, x, y);
  guint frame
      = element.kind == TB_GRAPH_NOTHING ? tb_graph_canvas_get_frame_at (self, x, y) : TB_ID_NONE;

  return frame != TB_ID_NONE ? (TbGraphElement) { TB_GRAPH_CLUSTER, frame } : element;
}

gboolean
tb_graph_canvas_has_frame (TbGraphCanvas *self, guint cluster)
{
  return self->scene != NULL && cluster < self->scene->layout->n_groups
         && self->scene->layout->groups[cluster].width > 0;
}

/* The frame of a cluster that is not collapsed. */
static const TbGraphBox *
get_frame (TbGraphCanvas *self, TbGraphElement element)
{
  if (element.kind != TB_GRAPH_CLUSTER || !tb_graph_canvas_has_frame (self, element.index))
    return NULL;
  return &self->scene->layout->groups[element.index];
}

/* The position of an item in the scene, from which arrow keys start. */
static gboolean
get_point (TbGraphCanvas *self, TbGraphElement element, TbGraphPoint *point)
{
  int node = tb_graph_canvas_find_node (self, element);
  int arc = tb_graph_canvas_find_arc (self, element);
  const TbGraphBox *frame = get_frame (self, element);

  if (node >= 0)
    *point = self->scene->layout->places[node].centre;
  else if (frame != NULL)
    *point = (TbGraphPoint) { frame->x + frame->width / 2, frame->y + frame->height / 2 };
  else if (arc >= 0)
    {
      guint n_curves = (self->scene->layout->routes[arc].n - 1) / 3;

      *point = n_curves % 2 == 1
                   ? tb_graph_curve_at (get_curve (self->scene, (guint) arc, n_curves / 2), .5)
                   : *get_curve (self->scene, (guint) arc, n_curves / 2);
    }
  return node >= 0 || arc >= 0 || frame != NULL;
}

gboolean
tb_graph_canvas_get_centre (TbGraphCanvas *self, TbGraphElement element, double *x, double *y)
{
  TbGraphPoint point;

  if (!get_point (self, element, &point))
    return FALSE;
  *x = self->x + self->scale * point.x;
  *y = self->y + self->scale * point.y;
  return TRUE;
}

gboolean
tb_graph_canvas_get_bounds (TbGraphCanvas *self, TbGraphElement element, graphene_rect_t *bounds)
{
  int node = tb_graph_canvas_find_node (self, element);
  int arc = tb_graph_canvas_find_arc (self, element);
  const TbGraphBox *frame = get_frame (self, element);
  double x0 = G_MAXDOUBLE, y0 = G_MAXDOUBLE, x1 = -G_MAXDOUBLE, y1 = -G_MAXDOUBLE;

  if (node < 0 && arc < 0 && frame == NULL)
    return FALSE;
  if (frame != NULL)
    {
      x0 = frame->x;
      y0 = frame->y;
      x1 = frame->x + frame->width;
      y1 = frame->y + frame->height;
    }
  if (node >= 0)
    {
      TbGraphPoint centre = self->scene->layout->places[node].centre;
      double radius = self->scene->nodes[node].radius;

      x0 = centre.x - radius;
      y0 = centre.y - radius;
      x1 = centre.x + radius;
      y1 = centre.y + radius;
    }
  for (guint i = 0; arc >= 0 && i < self->scene->layout->routes[arc].n; i++)
    {
      const TbGraphPoint *point
          = self->scene->layout->points + self->scene->layout->routes[arc].first + i;

      x0 = MIN (x0, point->x);
      y0 = MIN (y0, point->y);
      x1 = MAX (x1, point->x);
      y1 = MAX (y1, point->y);
    }
  graphene_rect_init (bounds, (float) (self->x + self->scale * x0),
                      (float) (self->y + self->scale * y0), (float) (self->scale * (x1 - x0)),
                      (float) (self->scale * (y1 - y0)));
  return TRUE;
}

/* The cost of a step in the direction of an arrow key. G_MAXDOUBLE where it goes more sideways than
 * forwards. */
static double
get_step_cost (TbGraphPoint from, TbGraphPoint to, double dx, double dy)
{
  double x = to.x - from.x, y = to.y - from.y;
  double forwards = x * dx + y * dy, sideways = fabs (x * dy - y * dx);

  return forwards > 1 && forwards >= .8 * sideways ? forwards + 2 * sideways : G_MAXDOUBLE;
}

static TbGraphElement
choose_edge (TbGraphCanvas *self, guint node, double dx, double dy)
{
  const TbGraphScene *scene = self->scene;
  TbGraphElement found = TB_GRAPH_NO_ELEMENT;
  double best = -G_MAXDOUBLE;

  /* Of the edges in that direction, the one nearest to it. */
  for (guint i = 0; i < scene->n_arcs; i++)
    {
      TbGraphElement element = tb_graph_canvas_get_arc_element (self, i);
      TbGraphPoint from = scene->layout->places[node].centre, to;
      double length;

      if ((scene->arcs[i].from != node && scene->arcs[i].to != node)
          || !get_point (self, element, &to))
        continue;
      length = MAX (hypot (to.x - from.x, to.y - from.y), 1);
      if (((to.x - from.x) * dx + (to.y - from.y) * dy) / length > MAX (best, .6))
        {
          best = ((to.x - from.x) * dx + (to.y - from.y) * dy) / length;
          found = element;
        }
    }
  return found;
}

static TbGraphElement
choose_vertex (TbGraphCanvas *self, TbGraphPoint from, double dx, double dy)
{
  TbGraphElement found = TB_GRAPH_NO_ELEMENT;
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < self->scene->n_nodes; i++)
    {
      double rating = get_step_cost (from, self->scene->layout->places[i].centre, dx, dy);

      if (rating < best)
        {
          best = rating;
          found = tb_graph_canvas_get_node_element (self, i);
        }
    }
  return found;
}

/* Leads from an edge to the end in that direction. Sideways, it leads to another edge between the
 * same two vertices. */
static TbGraphElement
leave_edge (TbGraphCanvas *self, guint arc, double dx, double dy)
{
  const TbGraphArc *info = &self->scene->arcs[arc];
  TbGraphPoint from = self->scene->layout->places[info->from].centre;
  TbGraphPoint to = self->scene->layout->places[info->to].centre;
  double forwards = (to.x - from.x) * dx + (to.y - from.y) * dy;
  double sideways = fabs ((to.x - from.x) * dy - (to.y - from.y) * dx);
  TbGraphPoint at, other;

  if (info->from == info->to || fabs (forwards) >= sideways)
    return tb_graph_canvas_get_node_element (self, forwards >= 0 ? info->to : info->from);
  get_point (self, tb_graph_canvas_get_arc_element (self, arc), &at);
  for (guint i = 0; i < self->scene->n_arcs; i++)
    {
      const TbGraphArc *neighbour = &self->scene->arcs[i];

      if (i != arc && MIN (neighbour->from, neighbour->to) == MIN (info->from, info->to)
          && MAX (neighbour->from, neighbour->to) == MAX (info->from, info->to)
          && get_point (self, tb_graph_canvas_get_arc_element (self, i), &other)
          && (other.x - at.x) * dx + (other.y - at.y) * dy > 0)
        return tb_graph_canvas_get_arc_element (self, i);
    }
  return tb_graph_canvas_get_node_element (self, forwards >= 0 ? info->to : info->from);
}

TbGraphElement
tb_graph_canvas_find_next (TbGraphCanvas *self, double dx, double dy)
{
  int node = tb_graph_canvas_find_node (self, self->selected);
  int arc = tb_graph_canvas_find_arc (self, self->selected);
  TbGraphElement found;
  TbGraphPoint frame;

  if (self->scene == NULL)
    return TB_GRAPH_NO_ELEMENT;
  if (arc >= 0)
    return leave_edge (self, (guint) arc, dx, dy);
  if (node < 0 && get_point (self, self->selected, &frame))
    return choose_vertex (self, frame, dx, dy);
  if (node < 0)
    return tb_graph_canvas_find_following (self, 1);
  found = choose_edge (self, (guint) node, dx, dy);
  return found.kind != TB_GRAPH_NOTHING
             ? found
             : choose_vertex (self, self->scene->layout->places[node].centre, dx, dy);
}

static gboolean
exists (TbGraphCanvas *self, guint place)
{
  guint n = self->scene->n_nodes + self->scene->n_arcs;

  return place < n || tb_graph_canvas_has_frame (self, place - n);
}

/* The position of the selected item in the order of all items. */
static int
find_place (TbGraphCanvas *self)
{
  int node = tb_graph_canvas_find_node (self, self->selected);
  int arc = tb_graph_canvas_find_arc (self, self->selected);

  if (node >= 0)
    return node;
  if (arc >= 0)
    return (int) self->scene->n_nodes + arc;
  if (get_frame (self, self->selected) != NULL)
    return (int) (self->scene->n_nodes + self->scene->n_arcs + self->selected.index);
  return -1;
}

TbGraphElement
tb_graph_canvas_find_following (TbGraphCanvas *self, int step)
{
  int n_nodes, n_arcs, n, at;

  if (self->scene == NULL)
    return TB_GRAPH_NO_ELEMENT;
  n_nodes = (int) self->scene->n_nodes;
  n_arcs = (int) self->scene->n_arcs;
  n = n_nodes + n_arcs + (int) self->scene->layout->n_groups;
  at = find_place (self);
  at = at < 0 && step < 0 ? n - 1 : at + step;
  while (at >= 0 && at < n && !exists (self, (guint) at))
    at += step < 0 ? -1 : 1;
  if (at < 0 || at >= n)
    return TB_GRAPH_NO_ELEMENT;
  if (at < n_nodes)
    return tb_graph_canvas_get_node_element (self, (guint) at);
  if (at < n_nodes + n_arcs)
    return tb_graph_canvas_get_arc_element (self, (guint) (at - n_nodes));
  return (TbGraphElement) { TB_GRAPH_CLUSTER, (guint) (at - n_nodes - n_arcs) };
}
