/* tb-graph-walk.c: search for elements of a graph by position or direction
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "session/tb-schema.h"
#include "widgets/graph/tb-graph-private.h"

/* Largest distance of the mouse to an edge, in pixels. */
#define NEAR 6.0
#define VERTEX_NEAR 2.0
#define FRAME_NAME 20.0

int
tb_graph_canvas_find_node (TbGraphCanvas *self, TbGraphThing thing)
{
  if (self->scene == NULL || (thing.kind != TB_GRAPH_VERTEX && thing.kind != TB_GRAPH_CLUSTER))
    return -1;
  if (thing.kind == TB_GRAPH_VERTEX) /* that of its cluster where the cluster is collapsed */
    return thing.index < tb_graph_figure_get_n_vertices (self->figure)
                   && self->scene->node_of_vertex[thing.index] != TB_ID_NONE
               ? (int) self->scene->node_of_vertex[thing.index]
               : -1;
  for (guint i = 0; i < self->scene->n_nodes; i++)
    if (tb_graph_thing_equal (tb_graph_canvas_get_node_thing (self, i), thing))
      return (int) i;
  return -1;
}

int
tb_graph_canvas_find_arc (TbGraphCanvas *self, TbGraphThing thing)
{
  if (self->scene == NULL || thing.kind != TB_GRAPH_EDGE)
    return -1;
  for (guint i = 0; i < self->scene->n_arcs; i++)
    if (self->scene->edges[i] == thing.index)
      return (int) i;
  return -1;
}

TbGraphThing
tb_graph_canvas_get_node_thing (TbGraphCanvas *self, guint node)
{
  const TbGraphShown *shown = &self->scene->shown[node];

  if (shown->vertex != TB_ID_NONE)
    return (TbGraphThing) { TB_GRAPH_VERTEX, shown->vertex };
  return (TbGraphThing) { TB_GRAPH_CLUSTER, shown->cluster };
}

TbGraphThing
tb_graph_canvas_get_arc_thing (TbGraphCanvas *self, guint arc)
{
  return (TbGraphThing) { TB_GRAPH_EDGE, self->scene->edges[arc] };
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
          <= scene->nodes[i - 1].radius + VERTEX_NEAR / self->scale)
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
  double best = NEAR / self->scale;
  int found = -1;

  for (guint i = 0; i < scene->n_arcs; i++)
    {
      double half = tb_graph_scene_get_line_width (scene, scene->edges[i]) / 2;
      double distance = tb_graph_layout_get_distance (scene->layout, i, x, y, best + half);
      double beside = MAX (distance - half, 0);

      if (distance < G_MAXDOUBLE && beside < best)
        {
          best = beside;
          found = (int) i;
        }
    }
  return found;
}

static int
find_text_at (const TbGraphText *texts, guint n, double x, double y)
{
  for (guint i = 0; i < n; i++)
    if (texts[i].is_written && box_has (&texts[i].box, x, y))
      return (int) i;
  return -1;
}

/* Vertices are on top, then labels of edges, then edges, then names. */
TbGraphThing
tb_graph_canvas_get_thing_at (TbGraphCanvas *self, double x, double y)
{
  const TbGraphTexts *texts;
  int found;

  if (self->scene == NULL)
    return TB_GRAPH_NO_THING;
  to_scene (self, &x, &y);
  texts = tb_graph_canvas_get_texts (self);
  if ((found = find_node_at (self, x, y)) >= 0)
    return tb_graph_canvas_get_node_thing (self, (guint) found);
  if ((found = find_text_at (texts->labels, self->scene->n_arcs, x, y)) >= 0
      || (found = find_arc_at (self, x, y)) >= 0)
    return tb_graph_canvas_get_arc_thing (self, (guint) found);
  if ((found = find_text_at (texts->names, self->scene->n_nodes, x, y)) >= 0)
    return tb_graph_canvas_get_node_thing (self, (guint) found);
  return TB_GRAPH_NO_THING;
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
      if (box_has (&name, x, y) || (text->is_written && box_has (&text->box, x, y)))
        return i;
    }
  return TB_ID_NONE;
}

TbGraphThing
tb_graph_canvas_get_pointed (TbGraphCanvas *self, double x, double y)
{
  TbGraphThing thing = tb_graph_canvas_get_thing_at (self, x, y);
  guint frame = thing.kind == TB_GRAPH_NOTHING ? tb_graph_canvas_get_frame_at (self, x, y) : TB_ID_NONE;

  return frame != TB_ID_NONE ? (TbGraphThing) { TB_GRAPH_CLUSTER, frame } : thing;
}

gboolean
tb_graph_canvas_has_frame (TbGraphCanvas *self, guint cluster)
{
  return self->scene != NULL && cluster < self->scene->layout->n_groups
         && self->scene->layout->groups[cluster].width > 0;
}

/* The frame of a cluster that is not collapsed. */
static const TbGraphBox *
get_frame (TbGraphCanvas *self, TbGraphThing thing)
{
  if (thing.kind != TB_GRAPH_CLUSTER || !tb_graph_canvas_has_frame (self, thing.index))
    return NULL;
  return &self->scene->layout->groups[thing.index];
}

/* The position of an item in the scene, from which arrow keys start. */
static gboolean
get_point (TbGraphCanvas *self, TbGraphThing thing, TbGraphPoint *point)
{
  int node = tb_graph_canvas_find_node (self, thing);
  int arc = tb_graph_canvas_find_arc (self, thing);
  const TbGraphBox *frame = get_frame (self, thing);

  if (node >= 0)
    *point = self->scene->layout->places[node].centre;
  else if (frame != NULL)
    *point = (TbGraphPoint) { frame->x + frame->width / 2, frame->y + frame->height / 2 };
  else if (arc >= 0)
    {
      guint n_curves = (self->scene->layout->routes[arc].n - 1) / 3;

      *point = n_curves % 2 == 1 ? tb_graph_curve_at (get_curve (self->scene, (guint) arc, n_curves / 2), .5)
                                 : *get_curve (self->scene, (guint) arc, n_curves / 2);
    }
  return node >= 0 || arc >= 0 || frame != NULL;
}

gboolean
tb_graph_canvas_get_centre (TbGraphCanvas *self, TbGraphThing thing, double *x, double *y)
{
  TbGraphPoint point;

  if (!get_point (self, thing, &point))
    return FALSE;
  *x = self->x + self->scale * point.x;
  *y = self->y + self->scale * point.y;
  return TRUE;
}

gboolean
tb_graph_canvas_get_bounds (TbGraphCanvas *self, TbGraphThing thing, graphene_rect_t *bounds)
{
  int node = tb_graph_canvas_find_node (self, thing);
  int arc = tb_graph_canvas_find_arc (self, thing);
  const TbGraphBox *frame = get_frame (self, thing);
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
      const TbGraphPoint *point = self->scene->layout->points + self->scene->layout->routes[arc].first + i;

      x0 = MIN (x0, point->x);
      y0 = MIN (y0, point->y);
      x1 = MAX (x1, point->x);
      y1 = MAX (y1, point->y);
    }
  graphene_rect_init (bounds, (float) (self->x + self->scale * x0), (float) (self->y + self->scale * y0),
                      (float) (self->scale * (x1 - x0)), (float) (self->scale * (y1 - y0)));
  return TRUE;
}

/* The cost of a step in the direction of an arrow key. G_MAXDOUBLE where it goes more sideways than
 * forwards. */
static double
rate (TbGraphPoint from, TbGraphPoint to, double dx, double dy)
{
  double x = to.x - from.x, y = to.y - from.y;
  double on = x * dx + y * dy, aside = fabs (x * dy - y * dx);

  return on > 1 && on >= .8 * aside ? on + 2 * aside : G_MAXDOUBLE;
}

static TbGraphThing
choose_edge (TbGraphCanvas *self, guint node, double dx, double dy)
{
  const TbGraphScene *scene = self->scene;
  TbGraphThing found = TB_GRAPH_NO_THING;
  double best = -G_MAXDOUBLE;

  /* Of the edges in that direction, the one nearest to it. */
  for (guint i = 0; i < scene->n_arcs; i++)
    {
      TbGraphThing thing = tb_graph_canvas_get_arc_thing (self, i);
      TbGraphPoint from = scene->layout->places[node].centre, to;
      double length;

      if ((scene->arcs[i].from != node && scene->arcs[i].to != node) || !get_point (self, thing, &to))
        continue;
      length = MAX (hypot (to.x - from.x, to.y - from.y), 1);
      if (((to.x - from.x) * dx + (to.y - from.y) * dy) / length > MAX (best, .6))
        {
          best = ((to.x - from.x) * dx + (to.y - from.y) * dy) / length;
          found = thing;
        }
    }
  return found;
}

static TbGraphThing
choose_vertex (TbGraphCanvas *self, TbGraphPoint from, double dx, double dy)
{
  TbGraphThing found = TB_GRAPH_NO_THING;
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < self->scene->n_nodes; i++)
    {
      double rating = rate (from, self->scene->layout->places[i].centre, dx, dy);

      if (rating < best)
        {
          best = rating;
          found = tb_graph_canvas_get_node_thing (self, i);
        }
    }
  return found;
}

/* Leads from an edge to the end in that direction. Sideways, it leads to another edge between the
 * same two vertices. */
static TbGraphThing
leave_edge (TbGraphCanvas *self, guint arc, double dx, double dy)
{
  const TbGraphArc *info = &self->scene->arcs[arc];
  TbGraphPoint from = self->scene->layout->places[info->from].centre;
  TbGraphPoint to = self->scene->layout->places[info->to].centre;
  double on = (to.x - from.x) * dx + (to.y - from.y) * dy;
  double aside = fabs ((to.x - from.x) * dy - (to.y - from.y) * dx);
  TbGraphPoint at, other;

  if (info->from == info->to || fabs (on) >= aside)
    return tb_graph_canvas_get_node_thing (self, on >= 0 ? info->to : info->from);
  get_point (self, tb_graph_canvas_get_arc_thing (self, arc), &at);
  for (guint i = 0; i < self->scene->n_arcs; i++)
    {
      const TbGraphArc *beside = &self->scene->arcs[i];

      if (i != arc && MIN (beside->from, beside->to) == MIN (info->from, info->to)
          && MAX (beside->from, beside->to) == MAX (info->from, info->to)
          && get_point (self, tb_graph_canvas_get_arc_thing (self, i), &other)
          && (other.x - at.x) * dx + (other.y - at.y) * dy > 0)
        return tb_graph_canvas_get_arc_thing (self, i);
    }
  return tb_graph_canvas_get_node_thing (self, on >= 0 ? info->to : info->from);
}

TbGraphThing
tb_graph_canvas_find_next (TbGraphCanvas *self, double dx, double dy)
{
  int node = tb_graph_canvas_find_node (self, self->selected);
  int arc = tb_graph_canvas_find_arc (self, self->selected);
  TbGraphThing found;
  TbGraphPoint frame;

  if (self->scene == NULL)
    return TB_GRAPH_NO_THING;
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
is_there (TbGraphCanvas *self, guint place)
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

TbGraphThing
tb_graph_canvas_find_following (TbGraphCanvas *self, int step)
{
  int n_nodes, n_arcs, n, at;

  if (self->scene == NULL)
    return TB_GRAPH_NO_THING;
  n_nodes = (int) self->scene->n_nodes;
  n_arcs = (int) self->scene->n_arcs;
  n = n_nodes + n_arcs + (int) self->scene->layout->n_groups;
  at = find_place (self);
  at = at < 0 && step < 0 ? n - 1 : at + step;
  while (at >= 0 && at < n && !is_there (self, (guint) at))
    at += step < 0 ? -1 : 1;
  if (at < 0 || at >= n)
    return TB_GRAPH_NO_THING;
  if (at < n_nodes)
    return tb_graph_canvas_get_node_thing (self, (guint) at);
  if (at < n_nodes + n_arcs)
    return tb_graph_canvas_get_arc_thing (self, (guint) (at - n_nodes));
  return (TbGraphThing) { TB_GRAPH_CLUSTER, (guint) (at - n_nodes - n_arcs) };
}
