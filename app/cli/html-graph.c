/* html-graph.c: graphs on a page
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n.h>

#include "html.h"

#define EDGES_MAX 120
#define NAME_CHARACTERS 24
#define CHARACTER 6.3 /* width of one, as far as that can be known here */
#define LINE 13.0
#define THINNEST 1.3
#define THICKEST 6.5
#define THICKEST_LOOP 4.0

static char *
cut (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *start = NULL;

  if (g_utf8_strlen (valid, -1) <= NAME_CHARACTERS)
    return g_steal_pointer (&valid);
  start = g_utf8_substring (valid, 0, NAME_CHARACTERS - 1);
  return g_strconcat (start, "…", NULL);
}

static void
measure (const char *name, const char *detail, double *width, double *height, gpointer data)
{
  glong n = MIN (g_utf8_strlen (name, -1), NAME_CHARACTERS);

  if (detail != NULL)
    n = MAX (n, MIN (g_utf8_strlen (detail, -1), NAME_CHARACTERS));
  *width = (double) n * CHARACTER;
  *height = n == 0 ? 0 : detail != NULL && *detail != '\0' ? 2 * LINE : LINE;
}

/* A number as the page needs it, whatever the language. */
static void
append_number (GString *page, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (page, g_ascii_formatd (text, sizeof text, "%.1f", value));
}

static void
append_attribute (GString *page, const char *name, double value)
{
  html_append (page, " %s=\"", name);
  append_number (page, value);
  g_string_append_c (page, '"');
}

static void
append_point (GString *page, char command, double x, double y)
{
  if (command != '\0')
    g_string_append_c (page, command);
  else
    g_string_append_c (page, ' ');
  append_number (page, x);
  g_string_append_c (page, ' ');
  append_number (page, y);
}

static const char *
get_edge_class (const TbGraphScene *scene, guint edge)
{
  const TbGraphEdge *info = tb_graph_figure_get_edge (scene->figure, edge);
  guint32 cluster = tb_graph_figure_get_vertex (scene->figure, info->from)->cluster;

  if (info->flags & TB_EDGE_CUT)
    return "e-cut";
  if (tb_graph_scene_is_dashed (scene, edge))
    return "e-light";
  if (info->flags & TB_EDGE_IDLE)
    return "e-idle";
  if ((info->flags & TB_EDGE_STRONG)
      || (tb_graph_figure_is_grouped (scene->figure, edge)
          && !tb_graph_figure_is_cluster_muted (scene->figure, cluster)))
    return "e-strong";
  return "e-plain";
}

static void
append_edge (GString *page, const TbGraphScene *scene, guint arc)
{
  const TbGraphRoute *route = &scene->layout->routes[arc];
  const TbGraphPoint *points = scene->layout->points + route->first, *tip = points + route->n - 1;
  g_autofree char *title = tb_graph_figure_describe_edge (scene->figure, scene->edges[arc]);
  gboolean is_loop = scene->arcs[arc].from == scene->arcs[arc].to;
  double width = THINNEST
                 + ((is_loop ? THICKEST_LOOP : THICKEST) - THINNEST)
                       * tb_graph_scene_get_width (scene, scene->edges[arc]);
  double length = MAX (hypot (tip->x - tip[-1].x, tip->y - tip[-1].y), .1), head, half, dx, dy;

  if (tb_graph_scene_is_dashed (scene, scene->edges[arc]))
    width = 1.1;
  head = 6 + 1.7 * width;
  half = 3 + .85 * width;
  dx = (tip->x - tip[-1].x) / length;
  dy = (tip->y - tip[-1].y) / length;
  html_append (page, "<g class=\"%s\"><title>", get_edge_class (scene, scene->edges[arc]));
  html_append_text (page, title);
  g_string_append (page, "</title><path class=\"line\"");
  append_attribute (page, "stroke-width", width);
  g_string_append (page, " d=\"");
  append_point (page, 'M', points->x, points->y);
  for (guint i = 1; i + 3 < route->n; i++)
    append_point (page, i % 3 == 1 ? 'C' : '\0', points[i].x, points[i].y);
  /* It ends below its head. */
  append_point (page, 'C', points[route->n - 3].x, points[route->n - 3].y);
  append_point (page, '\0', tip[-1].x - dx * head * .5, tip[-1].y - dy * head * .5);
  append_point (page, '\0', tip->x - dx * head * .8, tip->y - dy * head * .8);
  g_string_append (page, "\"/><path class=\"head\" d=\"");
  append_point (page, 'M', tip->x, tip->y);
  append_point (page, 'L', tip->x - dx * head - dy * half, tip->y - dy * head + dx * half);
  append_point (page, 'L', tip->x - dx * head + dy * half, tip->y - dy * head - dx * half);
  g_string_append (page, "z\"/></g>\n");
}

static void
append_edge_label (GString *page, const TbGraphScene *scene, guint arc)
{
  const TbGraphRoute *route = &scene->layout->routes[arc];
  g_autofree char *text = cut (tb_graph_figure_get_edge (scene->figure, scene->edges[arc])->label);

  if (!route->has_label)
    return;
  g_string_append (page, "<rect class=\"ground\" rx=\"3\"");
  append_attribute (page, "x", route->label.x);
  append_attribute (page, "y", route->label.y - 1);
  append_attribute (page, "width", route->label.width);
  append_attribute (page, "height", route->label.height + 2);
  g_string_append (page, "/><text class=\"l\" text-anchor=\"middle\"");
  append_attribute (page, "x", route->label.x + route->label.width / 2);
  append_attribute (page, "y", route->label.y + LINE - 3);
  g_string_append_c (page, '>');
  html_append_text (page, text);
  g_string_append (page, "</text>\n");
}

static void
append_frame (GString *page, const TbGraphScene *scene, guint group)
{
  const TbGraphBox *box = &scene->layout->groups[group];

  if (box->width <= 0)
    return;
  html_append (page, "<g class=\"%s\"><rect rx=\"12\"",
               tb_graph_figure_is_cluster_muted (scene->figure, group) ? "frame muted" : "frame");
  append_attribute (page, "x", box->x);
  append_attribute (page, "y", box->y);
  append_attribute (page, "width", box->width);
  append_attribute (page, "height", box->height);
  g_string_append (page, "/><text class=\"g\"");
  append_attribute (page, "x", box->x + 12);
  append_attribute (page, "y", box->y + 16);
  g_string_append_c (page, '>');
  html_append_text (page, tb_graph_figure_get_cluster_name (scene->figure, group));
  g_string_append (page, "</text></g>\n");
}

static void
append_shape (GString *page, TbGraphPoint centre, double radius, gboolean square, const char *class)
{
  html_append (page, "<rect class=\"%s\"", class);
  append_attribute (page, "rx", square ? MIN (6, radius) : radius);
  append_attribute (page, "x", centre.x - radius);
  append_attribute (page, "y", centre.y - radius);
  append_attribute (page, "width", 2 * radius);
  append_attribute (page, "height", 2 * radius);
  g_string_append (page, "/>");
}

static void
append_line (GString *page, const char *class, double x, double y, const char *text)
{
  g_autofree char *shown = cut (text);

  html_append (page, "<text class=\"%s\" text-anchor=\"middle\"", class);
  append_attribute (page, "x", x);
  append_attribute (page, "y", y);
  g_string_append_c (page, '>');
  html_append_text (page, shown);
  g_string_append (page, "</text>");
}

static void
append_vertex (GString *page, const TbGraphScene *scene, guint node)
{
  const TbGraphShown *shown = &scene->shown[node];
  const TbGraphPlace *place = &scene->layout->places[node];
  g_autofree char *title = tb_graph_figure_describe_vertex (scene->figure, shown->vertex);
  double middle = place->label.x + place->label.width / 2;

  html_append (page, "<g class=\"v-%s\"><title>", tb_vertex_kind_get_name (shown->kind));
  html_append_text (page, title);
  g_string_append (page, "</title>");
  if (shown->kind == TB_VERTEX_MERGED)
    append_shape (page, place->centre, scene->nodes[node].radius + 3, FALSE, "ring");
  append_shape (page, place->centre, scene->nodes[node].radius, scene->nodes[node].square, "body");
  append_line (page, "g", middle, place->label.y + LINE - 3, shown->name);
  if (*shown->detail)
    append_line (page, "d", middle, place->label.y + 2 * LINE - 3, shown->detail);
  g_string_append (page, "</g>\n");
}

/* As the window draws it, but for what needs a mouse. */
void
html_append_graph (GString *page, TbGraphFigure *figure)
{
  g_autoptr (TbGraphRanking) ranking = tb_graph_ranking_new (figure);
  g_autoptr (TbGraphScene) scene
      = tb_graph_scene_new (figure, ranking, tb_graph_figure_get_threshold (figure), EDGES_MAX, TB_ID_NONE,
                            NULL, measure, NULL);
  g_autofree char *counts = tb_graph_scene_describe (scene, ranking);

  if (scene->n_nodes == 0 || !tb_graph_scene_lay_out (scene, TB_GRAPH_ACROSS, NULL, NULL))
    return;
  g_string_append (page, "<svg class=\"graph\" role=\"img\" viewBox=\"0 0 ");
  append_point (page, '\0', scene->layout->width, scene->layout->height);
  /* Few vertices are not blown up to the width of the page. */
  g_string_append (page, "\" style=\"max-width:");
  append_number (page, 1.2 * scene->layout->width);
  g_string_append (page, "px\">\n");
  for (guint i = 0; i < scene->layout->n_groups; i++)
    append_frame (page, scene, i);
  for (guint i = scene->n_arcs; i > 0; i--)
    append_edge (page, scene, i - 1);
  for (guint i = 0; i < scene->n_nodes; i++)
    append_vertex (page, scene, i);
  for (guint i = 0; i < scene->n_arcs; i++)
    append_edge_label (page, scene, i);
  g_string_append (page, "</svg>\n<p class=\"note\">");
  html_append_text (page, counts);
  g_string_append (page, "</p>\n");
}
