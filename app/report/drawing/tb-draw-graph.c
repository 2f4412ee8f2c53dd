/* tb-draw-graph.c: drawing of a graph as shapes, at the places that its scene (tb-graph-scene) has
 * laid out: vertices with names, edges with arrowheads and labels, frames of clusters; only the
 * heaviest edges
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/drawing/tb-drawing-private.h"
#include "report/tb-finding.h"
#include "report/graph/tb-graph-scene.h"
#include "report/tb-text-private.h"

#define EDGES_MAX 120
#define NAME_CHARACTERS 32
#define LINE 13.
#define FRAME_SHARE .07 /* opacity of a frame's colour in its background */
#define NAME_GROUND .8
/* Size of a page, and of a picture on it. Edges point across if the whole graph then fits in it. */
#define SHEET_WIDTH 1000.
#define SHEET_HEIGHT 700.

static void
measure (const char *name, const char *detail, double *width, double *height, gpointer data)
{
  guint n = MIN (tb_text_get_width (name), NAME_CHARACTERS);

  if (detail != NULL)
    n = MAX (n, MIN (tb_text_get_width (detail), NAME_CHARACTERS));
  *width = n * CHARACTER_WIDTH;
  *height = n == 0 ? 0 : detail != NULL && *detail != '\0' ? 2 * LINE : LINE;
}

static gboolean
is_muted (const TbGraphScene *scene, guint vertex)
{
  guint32 cluster = tb_graph_figure_get_vertex (scene->figure, vertex)->cluster;

  return cluster != TB_ID_NONE && tb_graph_figure_is_cluster_muted (scene->figure, cluster);
}

/* The look of an edge: its ink, line style and opacity. */
static TbShape
get_look (const TbGraphScene *scene, guint edge)
{
  const TbGraphEdge *info = tb_graph_figure_get_edge (scene->figure, edge);
  TbShape look = { .stroke = TB_INK_DIM, .opacity = 1 };

  look.line_width = tb_graph_scene_get_line_width (scene, edge);
  if (info->flags & TB_EDGE_CUT)
    look.flags = TB_SHAPE_DOTTED;
  else if (tb_graph_scene_is_dashed (scene, edge))
    {
      look.flags = TB_SHAPE_DASHED;
      look.opacity = .8;
    }
  else if (info->flags & TB_EDGE_IDLE)
    look.opacity = .62;
  else if ((info->flags & TB_EDGE_STRONG)
           || (tb_graph_figure_is_grouped (scene->figure, edge) && !is_muted (scene, info->from)))
    look.stroke = TB_INK_SEVERITY + TB_SEVERITY_HIGH;
  return look;
}

static void
add_arrowhead (TbDrawing *self, const TbShape *line, TbGraphPoint tip, double dx, double dy)
{
  double head = 6 + 1.7 * line->line_width, half = 3 + .85 * line->line_width;

  tb_drawing_begin_path (self, &(TbShape) { .fill = line->stroke, .opacity = line->opacity });
  tb_drawing_add_point (self, 'M', tip.x, tip.y);
  tb_drawing_add_point (self, 'L', tip.x - dx * head - dy * half, tip.y - dy * head + dx * half);
  tb_drawing_add_point (self, 'L', tip.x - dx * head + dy * half, tip.y - dy * head - dx * half);
  tb_drawing_add_point (self, 'Z', 0, 0);
}

static void
add_edge (TbDrawing *self, const TbGraphScene *scene, double top, guint arc)
{
  const TbGraphRoute *route = &scene->layout->routes[arc];
  const TbGraphPoint *points = scene->layout->points + route->first;
  TbGraphPoint tip = { points[route->n - 1].x, points[route->n - 1].y + top };
  TbGraphPoint before = { points[route->n - 2].x, points[route->n - 2].y + top };
  g_autofree char *title = tb_graph_figure_describe_edge (scene->figure, scene->edges[arc]);
  TbShape line = get_look (scene, scene->edges[arc]);
  double length = MAX (hypot (tip.x - before.x, tip.y - before.y), .1),
         head = 6 + 1.7 * line.line_width;
  double dx = (tip.x - before.x) / length, dy = (tip.y - before.y) / length;

  tb_drawing_begin_group (self, title);
  tb_drawing_begin_path (self, &line);
  tb_drawing_add_point (self, 'M', points->x, points->y + top);
  for (guint i = 1; i + 2 < route->n; i++)
    tb_drawing_add_point (self, 'C', points[i].x, points[i].y + top);
  /* The line ends below the arrowhead. */
  tb_drawing_add_point (self, 'C', before.x - dx * head * .5, before.y - dy * head * .5);
  tb_drawing_add_point (self, 'C', tip.x - dx * head * .8, tip.y - dy * head * .8);
  add_arrowhead (self, &line, tip, dx, dy);
  tb_drawing_end_group (self);
}

static void
add_line_of_text (TbDrawing *self, double x, double y, guint ink, gboolean bold, const char *text)
{
  tb_drawing_add_text (self, x, y, (NAME_CHARACTERS + .5) * CHARACTER_WIDTH,
                       &(TbShape) { .fill = ink,
                                    .flags = TB_SHAPE_CENTERED | (bold ? TB_SHAPE_BOLD : 0) },
                       text);
}

static void
add_edge_label (TbDrawing *self, const TbGraphScene *scene, double top, guint arc)
{
  const TbGraphRoute *route = &scene->layout->routes[arc];

  if (!route->has_label)
    return;
  tb_drawing_add_box (self, route->label.x, route->label.y + top - 1, route->label.width,
                      route->label.height + 2,
                      &(TbShape) { .fill = TB_INK_SURFACE, .radius = 3, .opacity = .92 });
  add_line_of_text (self, route->label.x + route->label.width / 2, route->label.y + top + LINE - 3,
                    TB_INK_TEXT, FALSE,
                    tb_graph_figure_get_edge (scene->figure, scene->edges[arc])->label);
}

static guint
get_frame_ink (const TbGraphScene *scene, guint group)
{
  return tb_graph_figure_is_cluster_muted (scene->figure, group)
             ? TB_INK_DIM
             : TB_INK_SEVERITY + TB_SEVERITY_HIGH;
}

static void
add_frame (TbDrawing *self, const TbGraphScene *scene, double top, guint group)
{
  const TbGraphBox *box = &scene->layout->groups[group];
  guint ink = get_frame_ink (scene, group);

  if (box->width <= 0)
    return;
  tb_drawing_add_box (self, box->x, box->y + top, box->width, box->height,
                      &(TbShape) { .fill = ink, .radius = 12, .opacity = FRAME_SHARE });
  tb_drawing_add_box (self, box->x, box->y + top, box->width, box->height,
                      &(TbShape) {
                          .stroke = ink, .radius = 12, .opacity = .6, .flags = TB_SHAPE_DASHED });
  tb_drawing_add_text (self, box->x + 12, box->y + top + 16, box->width - 24,
                       &(TbShape) { .fill = ink, .flags = TB_SHAPE_BOLD },
                       tb_graph_figure_get_cluster_name (scene->figure, group));
}

static guint
get_vertex_ink (TbVertexKind kind)
{
  switch (kind)
    {
    case TB_VERTEX_DEVICE:
      return TB_INK_PAINT + TB_PAINT_DISK;
    case TB_VERTEX_NETWORK:
      return TB_INK_PAINT + TB_PAINT_NETWORK;
    case TB_VERTEX_INTERRUPT:
      return TB_INK_PAINT + TB_PAINT_INTERRUPT;
    case TB_VERTEX_TIMER:
    case TB_VERTEX_OTHER:
      return TB_INK_PAINT + TB_PAINT_STOPPED;
    default:
      return TB_INK_PAINT + TB_PAINT_RUNNING;
    }
}

static void
add_circle (TbDrawing *self,
            TbGraphPoint centre,
            double radius,
            gboolean square,
            const TbShape *look)
{
  TbShape shape = *look;

  shape.radius = square ? MIN (6, radius) : radius;
  tb_drawing_add_box (self, centre.x - radius, centre.y - radius, 2 * radius, 2 * radius, &shape);
}

/* A name has a background, so that no edge runs through the text. Within a frame it is that of the
 * frame. */
static void
add_name_ground (TbDrawing *self, const TbGraphScene *scene, double top, guint node)
{
  const TbGraphBox *box = &scene->layout->places[node].label;
  guint32 group = scene->nodes[node].group;
  TbShape ground = { .fill = TB_INK_SURFACE, .radius = 3, .opacity = NAME_GROUND };

  if (box->width <= 0)
    return;
  tb_drawing_add_box (self, box->x, box->y + top - 1, box->width, box->height + 2, &ground);
  if (group == TB_ID_NONE)
    return;
  ground.fill = get_frame_ink (scene, group);
  ground.opacity = FRAME_SHARE * NAME_GROUND;
  tb_drawing_add_box (self, box->x, box->y + top - 1, box->width, box->height + 2, &ground);
}

static void
add_vertex (TbDrawing *self, const TbGraphScene *scene, double top, guint node)
{
  const TbGraphSceneNode *shown = &scene->shown[node];
  const TbGraphPlace *place = &scene->layout->places[node];
  TbGraphPoint centre = { place->centre.x, place->centre.y + top };
  g_autofree char *title = shown->vertex != TB_ID_NONE
                               ? tb_graph_figure_describe_vertex (scene->figure, shown->vertex)
                               : g_strdup (shown->name);
  double radius = scene->nodes[node].radius, middle = place->label.x + place->label.width / 2;
  gboolean square = scene->nodes[node].square;
  guint ink = get_vertex_ink (shown->kind);

  tb_drawing_begin_group (self, title);
  if (shown->kind == TB_VERTEX_MERGED)
    add_circle (self, centre, radius + 3, FALSE, &(TbShape) { .stroke = ink });
  add_circle (self, centre, radius, square, &(TbShape) { .fill = TB_INK_SURFACE });
  add_circle (self, centre, radius, square, &(TbShape) { .fill = ink, .opacity = .2 });
  add_circle (self, centre, radius, square, &(TbShape) { .stroke = ink, .line_width = 2 });
  add_name_ground (self, scene, top, node);
  add_line_of_text (self, middle, place->label.y + top + LINE - 3, TB_INK_TEXT, TRUE, shown->name);
  if (*shown->detail)
    add_line_of_text (self, middle, place->label.y + top + 2 * LINE - 3, TB_INK_DIM, FALSE,
                      shown->detail);
  tb_drawing_end_group (self);
}

/* Draws the graph as the window does, without what needs a pointer. */
void
tb_drawing_draw_graph (TbDrawing *self, TbGraphFigure *figure)
{
  g_autoptr (TbGraphRanking) ranking = tb_graph_ranking_new (figure);
  g_autoptr (TbGraphScene) scene
      = tb_graph_scene_new (figure, ranking, tb_graph_figure_get_threshold (figure), EDGES_MAX,
                            TB_ID_NONE, NULL, measure, NULL);
  g_autofree char *counts = tb_graph_scene_describe (scene, ranking);
  double top = tb_drawing_get_bottom (self);

  if (scene->n_nodes == 0
      || !tb_graph_scene_lay_out_to_fit (scene, SHEET_WIDTH, SHEET_HEIGHT, FALSE, NULL, NULL))
    return;
  for (guint i = 0; i < scene->layout->n_groups; i++)
    add_frame (self, scene, top, i);
  for (guint i = scene->n_arcs; i > 0; i--)
    add_edge (self, scene, top, i - 1);
  for (guint i = 0; i < scene->n_nodes; i++)
    add_vertex (self, scene, top, i);
  for (guint i = 0; i < scene->n_arcs; i++)
    add_edge_label (self, scene, top, i);
  tb_drawing_set_size (self, scene->layout->width, top + scene->layout->height);
  tb_drawing_add_note (self, counts);
}
