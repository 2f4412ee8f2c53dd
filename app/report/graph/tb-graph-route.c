/* tb-graph-route.c: curves of the edges between placed vertices, places of their labels, and
 * distance of a point from an edge
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/graph/tb-graph-layout-private.h"

/* Edges meet a vertex on the side that they come from, away from its name. In radians from the
 * direction straight ahead. */
#define ANGLE_LOW -1.2
#define ANGLE_HIGH .65
#define ANGLE_GAP .42
/* The distance of a curve's control points from its ends, as a share of its length. */
#define CONTROL_SHARE .42
#define CONTROL_DISTANCE_MIN 10.0
#define CONTROL_SHARE_MAX .6 /* of the distance in depth */
#define LOOP_START .5
#define LOOP_SPREAD .72
#define SHEET_MARGIN 1. /* margin of the sheet without labels */
#define LABEL_GAP 2.0
#define FLATNESS                                                                                   \
  .02 /* maximum deviation of a curve from the lines by which its distance is measured */

typedef struct
{
  guint node;
  guint arc;
  int side; /* in depth */
  gboolean at_end;
  double angle;
} Port;

static const TbGraphGate *
get_gate (const TbGraphRouting *routing, guint arc, gboolean last)
{
  GArray *gates = routing->gates[arc];

  if (gates == NULL || gates->len == 0)
    return NULL;
  return &g_array_index (gates, TbGraphGate, last ? gates->len - 1 : 0);
}

static Port
make_port (const TbGraphRouting *routing, guint arc, gboolean at_end)
{
  const TbGraphArc *info = &routing->arcs[arc];
  guint node = at_end ? info->to : info->from;
  guint other = at_end ? info->from : info->to;
  const TbGraphGate *gate = get_gate (routing, arc, at_end);
  Port port = { .node = node, .arc = arc, .at_end = at_end };
  double depth = gate != NULL ? (gate->depth_from + gate->depth_to) / 2 : routing->depths[other];
  double across = gate != NULL ? gate->across : routing->across[other];

  port.side = depth < routing->depths[node] ? -1 : 1;
  if (gate != NULL)
    depth = port.side > 0 ? gate->depth_from : gate->depth_to;
  port.angle
      = .8 * atan2 (across - routing->across[node], MAX (1, fabs (depth - routing->depths[node])));
  return port;
}

static int
compare_ports (gconstpointer a, gconstpointer b)
{
  const Port *one = a, *two = b;

  if (one->node != two->node)
    return one->node < two->node ? -1 : 1;
  if (one->side != two->side)
    return one->side - two->side;
  if (one->angle != two->angle)
    return one->angle < two->angle ? -1 : 1;
  return one->arc < two->arc ? -1 : one->arc > two->arc;
}

/* Spreads the ports on one side of a vertex as far as there is room. */
static void
spread_ports (Port *ports, guint n)
{
  g_autofree double *columns = g_new (double, 4 * n + 1);
  double *desired = columns, *weights = columns + n, *distances = columns + 2 * n,
         *angles = columns + 3 * n;
  double gap = n > 1 ? MIN (ANGLE_GAP, (ANGLE_HIGH - ANGLE_LOW) / (n - 1)) : 0;

  for (guint i = 0; i < n; i++)
    {
      desired[i] = ports[i].angle;
      weights[i] = 1;
      distances[i] = gap;
    }
  tb_graph_spread (n, desired, weights, distances, angles);
  for (guint i = 0; i < n; i++)
    ports[i].angle = MAX (angles[i], ANGLE_LOW + gap * i);
  for (guint i = 0; i < n; i++)
    ports[i].angle = MIN (ports[i].angle, ANGLE_HIGH - gap * (n - 1 - i));
}

typedef struct
{
  TbGraphPoint point;
  double depth; /* direction, away from the vertex */
  double across;
} Tangent;

/* x is the depth until swap_axes(). */
static Tangent
get_tangent (const TbGraphRouting *routing, guint node, double depth, double across)
{
  double reach = routing->nodes[node].radius;
  Tangent tangent = { .depth = depth, .across = across };

  if (routing->nodes[node].square)
    reach = MIN (reach / MAX (fabs (depth), fabs (across)), 1.22 * reach);
  reach += LABEL_GAP;
  tangent.point.x = routing->depths[node] + reach * depth;
  tangent.point.y = routing->across[node] + reach * across;
  return tangent;
}

/* By arc, two for each: start and end. */
static Tangent *
make_tangents (const TbGraphRouting *routing)
{
  Tangent *tangents = g_new0 (Tangent, 2 * routing->n_arcs + 1);
  g_autoptr (GArray) ports = g_array_new (FALSE, FALSE, sizeof (Port));

  for (guint arc = 0; arc < routing->n_arcs; arc++)
    for (guint end = 0; end < 2 && routing->arcs[arc].from != routing->arcs[arc].to; end++)
      {
        Port port = make_port (routing, arc, end);

        g_array_append_val (ports, port);
      }
  g_array_sort (ports, compare_ports);
  for (guint i = 0, next; i < ports->len; i = next)
    {
      Port *port = &g_array_index (ports, Port, i);

      for (next = i + 1; next < ports->len; next++)
        {
          const Port *other = &g_array_index (ports, Port, next);

          if (other->node != port->node || other->side != port->side)
            break;
        }
      spread_ports (port, next - i);
      for (guint k = 0; k < next - i; k++)
        tangents[2 * port[k].arc + port[k].at_end]
            = get_tangent (routing, port[k].node, port[k].side * cos (port[k].angle),
                           sin (port[k].angle));
    }
  return tangents;
}

static void
add_point (GArray *points, double depth, double across)
{
  TbGraphPoint point = { depth, across };

  g_array_append_val (points, point);
}

/* depth_end, across_end: the direction of the curve at its end. */
static void
add_curve (GArray *points,
           double depth,
           double across,
           TbGraphPoint to,
           double depth_end,
           double across_end)
{
  TbGraphPoint from = g_array_index (points, TbGraphPoint, points->len - 1);
  double reach = CONTROL_SHARE * hypot (to.x - from.x, to.y - from.y);
  double most = MAX (CONTROL_DISTANCE_MIN, CONTROL_SHARE_MAX * fabs (to.x - from.x));

  /* Limited, so that the curve does not reach into the next layer and turn back. */
  add_point (points, from.x + MIN (reach * fabs (depth), most) * (depth < 0 ? -1 : 1),
             from.y + MIN (reach, most / MAX (fabs (depth), .1)) * across);
  add_point (points, to.x - MIN (reach * fabs (depth_end), most) * (depth_end < 0 ? -1 : 1),
             to.y - MIN (reach, most / MAX (fabs (depth_end), .1)) * across_end);
  add_point (points, to.x, to.y);
}

static void
route_arc (const TbGraphRouting *routing,
           guint arc,
           const Tangent *start,
           const Tangent *end,
           GArray *points)
{
  GArray *gates = routing->gates[arc];
  double depth = start->depth, across = start->across;

  add_point (points, start->point.x, start->point.y);
  for (guint i = 0; gates != NULL && i < gates->len; i++)
    {
      const TbGraphGate *gate = &g_array_index (gates, TbGraphGate, i);
      double last = g_array_index (points, TbGraphPoint, points->len - 1).x;
      gboolean forward = (gate->depth_from + gate->depth_to) / 2 >= last;
      TbGraphPoint in = { forward ? gate->depth_from : gate->depth_to, gate->across };
      TbGraphPoint out = { forward ? gate->depth_to : gate->depth_from, gate->across };

      add_curve (points, depth, across, in, forward ? 1 : -1, 0);
      depth = forward ? 1 : -1;
      across = 0;
      if (out.x != in.x)
        add_curve (points, depth, across, out, depth, across);
    }
  add_curve (points, depth, across, end->point, -end->depth, -end->across);
}

double
tb_graph_get_loop_reach (guint n_loops)
{
  return n_loops > 0 ? 26 + 11 * (MIN (n_loops, 4) - 1) : 0;
}

/* A loop stands on the side away from the name. */
static void
route_loop (const TbGraphRouting *routing, guint node, guint nth, GArray *points)
{
  double radius = routing->nodes[node].radius;
  double apex = radius + tb_graph_get_loop_reach (nth + 1);
  double start = LOOP_START, spread = LOOP_SPREAD + .1 * MIN (nth, 3);
  Tangent from = get_tangent (routing, node, -sin (start), -cos (start));
  Tangent to = get_tangent (routing, node, sin (start), -cos (start));
  double reach = (apex - .25 * radius * cos (start)) / (.75 * cos (spread));
  double depth = routing->depths[node], across = routing->across[node];

  add_point (points, from.point.x, from.point.y);
  add_point (points, depth - reach * sin (spread), across - reach * cos (spread));
  add_point (points, depth + reach * sin (spread), across - reach * cos (spread));
  add_point (points, to.point.x, to.point.y);
}

void
tb_graph_route (const TbGraphRouting *routing, TbGraphRoute *routes, GArray *points)
{
  g_autofree Tangent *tangents = make_tangents (routing);
  g_autofree guint *n_loops = g_new0 (guint, routing->n_nodes + 1);

  for (guint arc = 0; arc < routing->n_arcs; arc++)
    {
      const TbGraphArc *info = &routing->arcs[arc];

      routes[arc].first = points->len;
      if (info->from == info->to)
        route_loop (routing, info->from, n_loops[info->from]++, points);
      else
        route_arc (routing, arc, &tangents[2 * arc], &tangents[2 * arc + 1], points);
      routes[arc].n = points->len - routes[arc].first;
    }
}

/**
 * tb_graph_curve_at: (skip)
 * @curve: (array fixed-size=4): start, two control points, end
 * @t: parameter, from 0 to 1
 *
 * Gets a point of a cubic curve.
 *
 * Returns: the point at @t
 */
TbGraphPoint
tb_graph_curve_at (const TbGraphPoint *curve, double t)
{
  double s = 1 - t;
  double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
  TbGraphPoint point = { a * curve[0].x + b * curve[1].x + c * curve[2].x + d * curve[3].x,
                         a * curve[0].y + b * curve[1].y + c * curve[2].y + d * curve[3].y };

  return point;
}

/* The point at a share of the route's length. */
static TbGraphPoint
get_point_at (const TbGraphLayout *layout, const TbGraphRoute *route, double share)
{
  const TbGraphPoint *points = layout->points + route->first;
  double length = 0, at = 0;

  for (guint i = 0; i + 3 < route->n; i += 3)
    length += hypot (points[i + 3].x - points[i].x, points[i + 3].y - points[i].y);
  for (guint i = 0; i + 3 < route->n; i += 3)
    {
      double step = hypot (points[i + 3].x - points[i].x, points[i + 3].y - points[i].y);

      if (at + step >= share * length || i + 6 >= route->n)
        return tb_graph_curve_at (points + i,
                                  step > 0 ? CLAMP ((share * length - at) / step, 0, 1) : .5);
      at += step;
    }
  return points[0];
}

/* The label of a loop stands outside the loop. */
static TbGraphBox
get_loop_label (const TbGraphLayout *layout,
                const TbGraphArc *arc,
                const TbGraphRoute *route,
                double size)
{
  TbGraphPoint apex = tb_graph_curve_at (layout->points + route->first, .5);
  TbGraphPoint centre = layout->places[arc->from].centre;
  double offset = fabs (apex.x - centre.x), width = size * arc->label_width,
         height = size * arc->label_height;
  TbGraphBox box = { apex.x - width / 2, apex.y - height / 2, width, height };

  if (apex.y < centre.y && centre.y - apex.y > offset)
    box.y -= height / 2 + LABEL_GAP;
  else
    box.x += (apex.x < centre.x ? -1 : 1) * (width / 2 + LABEL_GAP);
  return box;
}

gboolean
tb_graph_get_label_box (const TbGraphLayout *layout,
                        const TbGraphArc *arc,
                        guint route,
                        guint nth,
                        double size,
                        TbGraphBox *box)
{
  static const double shares[] = { .5, .44, .56, .38, .62, .32, .68, .26, .74 };
  TbGraphPoint middle;

  if (nth >= (arc->from == arc->to ? 1 : G_N_ELEMENTS (shares)))
    return FALSE;
  if (arc->from == arc->to)
    {
      *box = get_loop_label (layout, arc, &layout->routes[route], size);
      return TRUE;
    }
  middle = get_point_at (layout, &layout->routes[route], shares[nth]);
  *box = (TbGraphBox) { middle.x - size * arc->label_width / 2,
                        middle.y - size * arc->label_height / 2, size * arc->label_width,
                        size * arc->label_height };
  return TRUE;
}

static gboolean
boxes_meet (const TbGraphBox *a, const TbGraphBox *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height
         && b->y < a->y + a->height;
}

/* Moves a box onto the sheet; FALSE if it is too large. */
static gboolean
clamp_to_sheet (const TbGraphLayout *layout, TbGraphBox *box)
{
  double right = layout->width - SHEET_MARGIN - box->width,
         bottom = layout->height - SHEET_MARGIN - box->height;

  if (right < SHEET_MARGIN || bottom < SHEET_MARGIN)
    return FALSE;
  box->x = CLAMP (box->x, SHEET_MARGIN, right);
  box->y = CLAMP (box->y, SHEET_MARGIN, bottom);
  return TRUE;
}

static gboolean
is_free (GArray *taken, const TbGraphBox *box)
{
  for (guint i = 0; i < taken->len; i++)
    if (boxes_meet (&g_array_index (taken, TbGraphBox, i), box))
      return FALSE;
  return TRUE;
}

static int
compare_weights (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbGraphArc *arcs = data;
  guint one = *(const guint *) a, two = *(const guint *) b;

  if (arcs[one].weight != arcs[two].weight)
    return arcs[one].weight > arcs[two].weight ? -1 : 1;
  return one < two ? -1 : one > two;
}

/* Places the labels of the heaviest arcs first. An arc for whose label there is no room has
 * none. */
void
tb_graph_place_labels (TbGraphLayout *layout,
                       const TbGraphNode *nodes,
                       const TbGraphArc *arcs,
                       double group_name_height)
{
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (TbGraphBox));
  g_autofree guint *order = g_new (guint, layout->n_routes + 1);

  for (guint i = 0; i < layout->n_places; i++)
    {
      const TbGraphPlace *place = &layout->places[i];
      double radius = nodes[i].radius + LABEL_GAP;
      TbGraphBox box
          = { place->centre.x - radius, place->centre.y - radius, 2 * radius, 2 * radius };

      g_array_append_val (taken, box);
      g_array_append_val (taken, place->label);
    }
  /* The names of frames. */
  for (guint i = 0; i < layout->n_groups; i++)
    if (layout->groups[i].width > 0)
      {
        TbGraphBox box = layout->groups[i];

        box.height = TB_GRAPH_FRAME_NAME_TOP + group_name_height;
        g_array_append_val (taken, box);
      }
  for (guint i = 0; i < layout->n_routes; i++)
    order[i] = i;
  g_sort_array (order, layout->n_routes, sizeof (guint), compare_weights, (gpointer) arcs);
  for (guint i = 0; i < layout->n_routes; i++)
    {
      const TbGraphArc *arc = &arcs[order[i]];
      TbGraphRoute *route = &layout->routes[order[i]];

      for (guint k = 0; arc->label_width > 0 && !route->has_label; k++)
        {
          if (!tb_graph_get_label_box (layout, arc, order[i], k, 1, &route->label))
            break;
          route->has_label
              = clamp_to_sheet (layout, &route->label) && is_free (taken, &route->label);
        }
      if (route->has_label)
        g_array_append_val (taken, route->label);
    }
}

static double
get_distance_to_line (TbGraphPoint from, TbGraphPoint to, double x, double y)
{
  double dx = to.x - from.x, dy = to.y - from.y;
  double length = dx * dx + dy * dy;
  double t = length > 0 ? CLAMP (((x - from.x) * dx + (y - from.y) * dy) / length, 0, 1) : 0;

  return hypot (from.x + t * dx - x, from.y + t * dy - y);
}

/* The number of lines that approximate a curve within FLAT: the deviation of a chord is at most an
 * eighth of the largest second derivative, which a cubic curve has at one of its ends. */
static guint
count_lines (const TbGraphPoint *curve)
{
  double start
      = hypot (curve[0].x - 2 * curve[1].x + curve[2].x, curve[0].y - 2 * curve[1].y + curve[2].y);
  double end
      = hypot (curve[1].x - 2 * curve[2].x + curve[3].x, curve[1].y - 2 * curve[2].y + curve[3].y);

  return (guint) CLAMP (ceil (sqrt (6 * MAX (start, end) / (8 * FLATNESS))), 1, 4096);
}

/* A cubic curve stays within the bounds of its control points. */
static gboolean
is_near (const TbGraphPoint *curve, double x, double y, double most)
{
  double left = curve[0].x, right = curve[0].x, top = curve[0].y, bottom = curve[0].y;

  for (guint i = 1; i < 4; i++)
    {
      left = MIN (left, curve[i].x);
      right = MAX (right, curve[i].x);
      top = MIN (top, curve[i].y);
      bottom = MAX (bottom, curve[i].y);
    }
  return x >= left - most && x <= right + most && y >= top - most && y <= bottom + most;
}

/**
 * tb_graph_layout_get_distance: (skip)
 * @self: a layout
 * @arc: index of an arc
 * @x: x of a point
 * @y: y of the point
 * @most: maximum distance of interest
 *
 * Gets the distance of a point from a line, to a fiftieth of the unit.
 *
 * Returns: distance of the point from the centre line of the arc, %G_MAXDOUBLE if it is more than
 *   @most
 */
double
tb_graph_layout_get_distance (const TbGraphLayout *self, guint arc, double x, double y, double most)
{
  const TbGraphRoute *route;
  double least = G_MAXDOUBLE;

  g_return_val_if_fail (self != NULL && arc < self->n_routes, G_MAXDOUBLE);

  route = &self->routes[arc];
  for (guint i = 0; i + 3 < route->n; i += 3)
    {
      const TbGraphPoint *curve = self->points + route->first + i;
      TbGraphPoint from = curve[0];
      guint n_lines;

      if (!is_near (curve, x, y, most))
        continue;
      n_lines = count_lines (curve);
      for (guint k = 1; k <= n_lines; k++)
        {
          TbGraphPoint to = tb_graph_curve_at (curve, (double) k / n_lines);

          least = MIN (least, get_distance_to_line (from, to, x, y));
          from = to;
        }
    }
  return least <= most ? least : G_MAXDOUBLE;
}
