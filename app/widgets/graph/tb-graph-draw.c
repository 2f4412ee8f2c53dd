/* tb-graph-draw.c: drawing of a graph: edges with heads and labels, vertices with names, frames of
 * clusters, selection and hovered item; parts are kept between frames
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/tb-finding.h"
#include "base/tb-base.h"
#include "widgets/tb-widget-drawing-private.h"
#include "widgets/graph/tb-graph-private.h"

#define FADED .22f
#define NAME_GROUND .8f /* opacity of the ground behind a name */
#define FADED_NAME .45
#define FRAME_RADIUS 12
typedef struct
{
  TbGraphCanvas *canvas;
  const TbGraphScene *scene;
  const TbPalette *palette;
  GtkSnapshot *snapshot;
} Pen;

/* Draws text in the middle of its box, scaled like all text. */
static void
append_text (const Pen *pen, PangoLayout *layout, const TbGraphBox *box, const GdkRGBA *color)
{
  gboolean is_centred = pen->scene->layout->flow == TB_GRAPH_FLOW_HORIZONTAL;
  GskRenderNode *node
      = tb_graph_canvas_get_text_node (layout, color,
                                       is_centred ? PANGO_ALIGN_CENTER : PANGO_ALIGN_LEFT);
  float size = (float) pen->canvas->texts->size;
  int width, height;

  if (node == NULL)
    return;
  pango_layout_get_pixel_size (layout, &width, &height);
  gtk_snapshot_save (pen->snapshot);
  gtk_snapshot_translate (
      pen->snapshot, &GRAPHENE_POINT_INIT ((float) (box->x + (box->width - size * width) / 2),
                                           (float) (box->y + (box->height - size * height) / 2)));
  gtk_snapshot_scale (pen->snapshot, size, size);
  gtk_snapshot_append_node (pen->snapshot, node);
  gtk_snapshot_restore (pen->snapshot);
}

static GdkRGBA
with_alpha (GdkRGBA color, float alpha)
{
  color.alpha *= alpha;
  return color;
}

/* Blends with the ground to an opaque colour, so that edges do not shine through. */
static GdkRGBA
blend (const GdkRGBA *color, const GdkRGBA *ground, float share)
{
  return (GdkRGBA) { ground->red + (color->red - ground->red) * share,
                     ground->green + (color->green - ground->green) * share,
                     ground->blue + (color->blue - ground->blue) * share, 1 };
}

static const GdkRGBA *
get_vertex_color (const Pen *pen, TbVertexKind kind)
{
  static const TbPaint paints[TB_N_VERTEX_KINDS] = {
    [TB_VERTEX_THREAD] = TB_PAINT_RUNNING, [TB_VERTEX_PROCESS] = TB_PAINT_RUNNING,
    [TB_VERTEX_DEVICE] = TB_PAINT_DISK,    [TB_VERTEX_NETWORK] = TB_PAINT_NETWORK,
    [TB_VERTEX_TIMER] = TB_PAINT_STOPPED,  [TB_VERTEX_INTERRUPT] = TB_PAINT_INTERRUPT,
    [TB_VERTEX_MERGED] = TB_PAINT_RUNNING, [TB_VERTEX_FUNCTION] = TB_PAINT_RUNNING,
    [TB_VERTEX_OTHER] = TB_PAINT_STOPPED,
  };

  return &pen->palette->paint[paints[kind]];
}

static gboolean
is_muted (const Pen *pen, guint vertex)
{
  guint32 cluster = tb_graph_figure_get_vertex (pen->scene->figure, vertex)->cluster;

  return cluster != TB_ID_NONE && tb_graph_figure_is_cluster_muted (pen->scene->figure, cluster);
}

static GdkRGBA
get_edge_color (const Pen *pen, guint edge)
{
  const TbGraphEdge *info = tb_graph_figure_get_edge (pen->scene->figure, edge);
  const TbPalette *palette = pen->palette;
  const guint8 *matched = pen->canvas->matched;
  gboolean grouped
      = tb_graph_figure_is_grouped (pen->scene->figure, edge) && !is_muted (pen, info->from);
  GdkRGBA color = palette->dim;

  if (tb_graph_scene_is_dashed (pen->scene, edge))
    color = blend (&palette->dim, &palette->surface, .8f);
  else if (info->flags & TB_EDGE_IDLE)
    color = blend (&palette->dim, &palette->surface, .62f);
  else if ((info->flags & TB_EDGE_STRONG) || grouped)
    color = palette->severity[TB_SEVERITY_HIGH];
  if (matched != NULL && !matched[info->from] && !matched[info->to])
    color.alpha = FADED;
  return color;
}

static float
get_edge_width (const Pen *pen, guint edge)
{
  return (float) tb_graph_scene_get_line_width (pen->scene, edge);
}

static TbGraphPoint
interpolate (TbGraphPoint a, TbGraphPoint b, double t)
{
  return (TbGraphPoint) { a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t };
}

static void
add_cubic (GskPathBuilder *builder, TbGraphPoint a, TbGraphPoint b, TbGraphPoint c)
{
  gsk_path_builder_cubic_to (builder, (float) a.x, (float) a.y, (float) b.x, (float) b.y,
                             (float) c.x, (float) c.y);
}

/* The curve up to t (de Casteljau). */
static TbGraphPoint
add_start_of_cubic (GskPathBuilder *builder, const TbGraphPoint *p, double t)
{
  TbGraphPoint a = interpolate (p[0], p[1], t), b = interpolate (p[1], p[2], t),
               c = interpolate (p[2], p[3], t);
  TbGraphPoint ab = interpolate (a, b, t), bc = interpolate (b, c, t),
               end = interpolate (ab, bc, t);

  add_cubic (builder, a, ab, end);
  return end;
}

/* Makes the dashes of a line one by one. Where cairo makes them, they begin elsewhere when part of
 * a curve lies outside the painted area, and copied parts would not match. */
static GskPath *
make_dashes (GskPath *line, float on, float off)
{
  g_autoptr (GskPathMeasure) measure = gsk_path_measure_new (line);
  g_autoptr (GskPathBuilder) builder = gsk_path_builder_new ();
  float length = gsk_path_measure_get_length (measure);

  /* A dash of less than a pixel at the end is left out. */
  for (float at = 0; at + 1 <= length; at += on + off)
    {
      GskPathPoint from, to;

      if (gsk_path_measure_get_point (measure, at, &from)
          && gsk_path_measure_get_point (measure, MIN (at + on, length), &to)
          && gsk_path_point_compare (&from, &to) < 0)
        gsk_path_builder_add_segment (builder, line, &from, &to);
    }
  return gsk_path_builder_free_to_path (g_steal_pointer (&builder));
}

/* on: 0: without dashes */
static void
append_line (const Pen *pen, GskPath *line, float width, float on, float off, const GdkRGBA *color)
{
  g_autoptr (GskPath) dashes = on > 0 ? make_dashes (line, on, off) : NULL;
  GskStroke *stroke = gsk_stroke_new (width);

  gtk_snapshot_append_stroke (pen->snapshot, dashes != NULL ? dashes : line, stroke, color);
  gsk_stroke_free (stroke);
}

static void
append_head (const Pen *pen,
             TbGraphPoint from,
             TbGraphPoint tip,
             double half_width,
             const GdkRGBA *color)
{
  g_autoptr (GskPathBuilder) builder = gsk_path_builder_new ();
  g_autoptr (GskPath) path = NULL;
  double length = MAX (hypot (tip.x - from.x, tip.y - from.y), .1);
  double dx = (tip.x - from.x) / length * half_width, dy = (tip.y - from.y) / length * half_width;

  gsk_path_builder_move_to (builder, (float) tip.x, (float) tip.y);
  gsk_path_builder_line_to (builder, (float) (from.x - dx * .35 - dy),
                            (float) (from.y - dy * .35 + dx));
  gsk_path_builder_line_to (builder, (float) from.x, (float) from.y);
  gsk_path_builder_line_to (builder, (float) (from.x - dx * .35 + dy),
                            (float) (from.y - dy * .35 - dx));
  gsk_path_builder_close (builder);
  path = gsk_path_builder_free_to_path (g_steal_pointer (&builder));
  gtk_snapshot_append_fill (pen->snapshot, path, GSK_FILL_RULE_WINDING, color);
}

/* Draws a line that ends under its head, and the head. */
static void
append_edge (const Pen *pen, guint arc, float width, const GdkRGBA *color)
{
  const TbGraphRoute *route = &pen->scene->layout->routes[arc];
  const TbGraphPoint *points = pen->scene->layout->points + route->first;
  const TbGraphEdge *info = tb_graph_figure_get_edge (pen->scene->figure, pen->scene->edges[arc]);
  g_autoptr (GskPathBuilder) builder = gsk_path_builder_new ();
  g_autoptr (GskPath) path = NULL;
  const TbGraphPoint *last = points + route->n - 4;
  double head = 6 + 1.7 * width;
  double length = hypot (last[3].x - last[0].x, last[3].y - last[0].y)
                  + hypot (last[2].x - last[3].x, last[2].y - last[3].y) * .3;
  TbGraphPoint end;

  gsk_path_builder_move_to (builder, (float) points[0].x, (float) points[0].y);
  for (guint i = 0; i + 4 < route->n; i += 3)
    add_cubic (builder, points[i + 1], points[i + 2], points[i + 3]);
  end = add_start_of_cubic (builder, last, CLAMP (1 - head / MAX (length, 1), .3, .97));
  path = gsk_path_builder_free_to_path (g_steal_pointer (&builder));
  if (info->flags & TB_EDGE_CUT)
    append_line (pen, path, width, 2, 3, color);
  else if (tb_graph_scene_is_dashed (pen->scene, pen->scene->edges[arc]))
    append_line (pen, path, width, 5, 4, color);
  else
    append_line (pen, path, width, 0, 0, color);
  append_head (pen, end, last[3], 3 + .85 * width, color);
}

static graphene_rect_t
to_rect (const TbGraphBox *box, float more)
{
  return GRAPHENE_RECT_INIT ((float) box->x - more, (float) box->y - more,
                             (float) box->width + 2 * more, (float) box->height + 2 * more);
}

/* Draws the label on a ground of its own, which hides what is below it. */
static void
append_edge_label (const Pen *pen, guint arc, const GdkRGBA *color)
{
  const TbGraphText *text = &pen->canvas->texts->labels[arc];
  const TbGraphEdge *info = tb_graph_figure_get_edge (pen->scene->figure, pen->scene->edges[arc]);
  graphene_rect_t bounds = to_rect (&text->box, 0);
  GdkRGBA ground = with_alpha (pen->palette->surface, .92f);

  if (!text->is_placed)
    return;
  /* Without rounded corners, which take much longer and are hardly visible. */
  gtk_snapshot_append_color (pen->snapshot, &ground, &bounds);
  append_text (pen, tb_graph_canvas_get_edge_layout (pen->canvas, info->label), &text->box, color);
}

/* Adds the corners one by one: GTK 4.18 never frees its measurements of its own rounded
 * rectangles. */
static GskPath *
make_frame (const graphene_rect_t *bounds, float radius)
{
  g_autoptr (GskPathBuilder) builder = gsk_path_builder_new ();
  float left = bounds->origin.x, top = bounds->origin.y;
  float right = left + bounds->size.width, bottom = top + bounds->size.height;

  radius = MIN (radius, MIN (bounds->size.width, bounds->size.height) / 2);
  gsk_path_builder_move_to (builder, left + radius, top);
  gsk_path_builder_line_to (builder, right - radius, top);
  gsk_path_builder_arc_to (builder, right, top, right, top + radius);
  gsk_path_builder_line_to (builder, right, bottom - radius);
  gsk_path_builder_arc_to (builder, right, bottom, right - radius, bottom);
  gsk_path_builder_line_to (builder, left + radius, bottom);
  gsk_path_builder_arc_to (builder, left, bottom, left, bottom - radius);
  gsk_path_builder_line_to (builder, left, top + radius);
  gsk_path_builder_arc_to (builder, left, top, left + radius, top);
  gsk_path_builder_close (builder);
  return gsk_path_builder_free_to_path (g_steal_pointer (&builder));
}

static GdkRGBA
get_frame_color (const Pen *pen, guint group)
{
  return tb_graph_figure_is_cluster_muted (pen->scene->figure, group)
             ? pen->palette->dim
             : pen->palette->severity[TB_SEVERITY_HIGH];
}

/* Share of the frame's colour in what is below it. */
static float
get_frame_share (const Pen *pen, guint group)
{
  return tb_graph_figure_is_cluster_muted (pen->scene->figure, group) ? .05f : .08f;
}

static void
append_frame (const Pen *pen, guint group)
{
  const TbGraphBox *box = &pen->scene->layout->groups[group];
  GdkRGBA color = get_frame_color (pen, group);
  GdkRGBA ground = with_alpha (color, get_frame_share (pen, group)),
          line = with_alpha (color, .55f);
  graphene_rect_t bounds = to_rect (box, 0);
  g_autoptr (GskPath) path = NULL;

  if (box->width <= 0)
    return;
  tb_draw_rounded (pen->snapshot, &ground, &bounds, FRAME_RADIUS);
  path = make_frame (&bounds, FRAME_RADIUS);
  append_line (pen, path, 1.4f, 7, 5, &line);
}

static void
append_frame_name (const Pen *pen, guint group)
{
  const TbGraphText *text = &pen->canvas->texts->frames[group];
  gboolean muted = tb_graph_figure_is_cluster_muted (pen->scene->figure, group);
  PangoLayout *layout;
  int width;

  if (!text->is_placed)
    return;
  layout = tb_graph_canvas_get_edge_layout (pen->canvas,
                                            tb_graph_figure_get_cluster_name (pen->scene->figure,
                                                                              group));
  width = (int) (text->box.width / pen->canvas->texts->size * PANGO_SCALE);
  if (width + PANGO_SCALE < pango_layout_get_width (layout))
    pango_layout_set_width (layout, width);
  append_text (pen, layout, &text->box,
               muted ? &pen->palette->dim : &pen->palette->severity[TB_SEVERITY_HIGH]);
}

static void
append_shape (const Pen *pen,
              guint node,
              float more,
              float line,
              const GdkRGBA *fill,
              const GdkRGBA *border)
{
  const TbGraphNode *info = &pen->scene->nodes[node];
  TbGraphPoint centre = pen->scene->layout->places[node].centre;
  float radius = (float) info->radius + more;
  graphene_rect_t bounds = GRAPHENE_RECT_INIT ((float) centre.x - radius, (float) centre.y - radius,
                                               2 * radius, 2 * radius);
  GskRoundedRect rounded;

  gsk_rounded_rect_init_from_rect (&rounded, &bounds,
                                   info->square ? MIN (6 + more, radius) : radius);
  if (fill != NULL)
    {
      gtk_snapshot_push_rounded_clip (pen->snapshot, &rounded);
      gtk_snapshot_append_color (pen->snapshot, fill, &bounds);
      gtk_snapshot_pop (pen->snapshot);
    }
  gtk_snapshot_append_border (pen->snapshot, &rounded, (float[4]) { line, line, line, line },
                              (GdkRGBA[4]) { *border, *border, *border, *border });
}

static float
get_vertex_alpha (const Pen *pen, guint node)
{
  guint vertex = pen->scene->shown[node].vertex;

  return pen->canvas->matched == NULL || vertex == TB_ID_NONE || pen->canvas->matched[vertex]
             ? 1
             : FADED;
}

static void
append_vertex (const Pen *pen, guint node)
{
  const TbGraphSceneNode *shown = &pen->scene->shown[node];
  float alpha = get_vertex_alpha (pen, node);
  GdkRGBA color = *get_vertex_color (pen, shown->kind);
  GdkRGBA fill = blend (&color, &pen->palette->surface, .2f * alpha);
  GdkRGBA border = blend (&color, &pen->palette->surface, alpha);

  /* A merged vertex has a second line around it. */
  if (shown->kind == TB_VERTEX_MERGED)
    append_shape (pen, node, 3.5f, 1, NULL, &border);
  append_shape (pen, node, 0, 2, &fill, &border);
}

static void
append_name_at (const Pen *pen, guint node, const TbGraphText *text, float ground_alpha)
{
  const TbGraphSceneNode *shown = &pen->scene->shown[node];
  guint group = pen->scene->nodes[node].group;
  GdkRGBA ground = pen->palette->surface;
  graphene_rect_t bounds = to_rect (&text->box, 1);

  /* The colour of its frame, and only within the frame: when zoomed out, a name may extend across
   * its border. */
  if (group != TB_ID_NONE)
    {
      GdkRGBA frame = get_frame_color (pen, group);
      graphene_rect_t inside = to_rect (&pen->scene->layout->groups[group], -2);

      ground = blend (&frame, &ground, get_frame_share (pen, group));
      graphene_rect_intersection (&bounds, &inside, &bounds);
    }
  ground = with_alpha (ground, ground_alpha);
  gtk_snapshot_append_color (pen->snapshot, &ground, &bounds);
  append_text (pen,
               tb_graph_canvas_get_name_layout (pen->canvas, shown->name,
                                                text->is_short ? "" : shown->detail),
               &text->box, &pen->palette->text);
}

static void
append_name (const Pen *pen, guint node)
{
  const TbGraphText *text = &pen->canvas->texts->names[node];
  gboolean faded = get_vertex_alpha (pen, node) < 1;

  if (!text->is_placed)
    return;
  if (faded)
    gtk_snapshot_push_opacity (pen->snapshot, FADED_NAME);
  append_name_at (pen, node, text, NAME_GROUND);
  if (faded)
    gtk_snapshot_pop (pen->snapshot);
}

/* Takes what was drawn since the last piece. */
static void
finish_piece (Pen *pen, GPtrArray *pieces)
{
  GskRenderNode *piece = gtk_snapshot_free_to_node (pen->snapshot);

  pen->snapshot = gtk_snapshot_new ();
  if (piece != NULL)
    g_ptr_array_add (pieces, piece);
}

/* Draws frames, edges and vertices. */
static GPtrArray *
draw_pieces (TbGraphCanvas *self)
{
  GPtrArray *pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) gsk_render_node_unref);
  const TbGraphScene *scene = self->scene;
  Pen pen = { self, scene, tb_palette_get_default (), gtk_snapshot_new () };

  for (guint i = 0; i < scene->layout->n_groups; i++, finish_piece (&pen, pieces))
    append_frame (&pen, i);
  /* The heaviest edges are on top. */
  for (guint i = scene->n_arcs; i > 0; i--, finish_piece (&pen, pieces))
    {
      GdkRGBA color = get_edge_color (&pen, scene->edges[i - 1]);

      append_edge (&pen, i - 1, get_edge_width (&pen, scene->edges[i - 1]), &color);
    }
  for (guint i = 0; i < scene->n_nodes; i++, finish_piece (&pen, pieces))
    append_vertex (&pen, i);
  g_object_unref (pen.snapshot);
  return pieces;
}

/* Draws the text, which is above the selection too. */
static GPtrArray *
draw_text_pieces (TbGraphCanvas *self)
{
  GPtrArray *pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) gsk_render_node_unref);
  Pen pen = { self, self->scene, tb_palette_get_default (), gtk_snapshot_new () };

  for (guint i = 0; i < self->scene->layout->n_groups; i++, finish_piece (&pen, pieces))
    append_frame_name (&pen, i);
  for (guint i = 0; i < self->scene->n_nodes; i++, finish_piece (&pen, pieces))
    append_name (&pen, i);
  for (guint i = 0; i < self->scene->n_arcs; i++, finish_piece (&pen, pieces))
    {
      GdkRGBA color = get_edge_color (&pen, self->scene->edges[i]);

      append_edge_label (&pen, i, color.alpha < 1 ? &color : &pen.palette->text);
    }
  g_object_unref (pen.snapshot);
  return pieces;
}

static GskRenderNode *
gather (GPtrArray *pieces, const graphene_rect_t *area)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();

  for (guint i = 0; i < pieces->len; i++)
    {
      GskRenderNode *piece = g_ptr_array_index (pieces, i);
      graphene_rect_t bounds;

      gsk_render_node_get_bounds (piece, &bounds);
      if (graphene_rect_intersection (&bounds, area, NULL))
        gtk_snapshot_append_node (snapshot, piece);
    }
  return gtk_snapshot_to_node (snapshot);
}

static void
clear_text (TbGraphCanvas *self)
{
  tb_graph_canvas_clear_tiles (self);
  g_clear_pointer (&self->text_pieces, g_ptr_array_unref);
  g_clear_pointer (&self->drawn_text, gsk_render_node_unref);
}

void
tb_graph_canvas_clear_drawn (TbGraphCanvas *self)
{
  clear_text (self);
  g_clear_pointer (&self->texts, tb_graph_texts_free);
  g_clear_pointer (&self->pieces, g_ptr_array_unref);
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
}

/* Each piece is drawn once. Text is drawn again when its size has changed. */
static void
update_pieces (TbGraphCanvas *self)
{
  const TbGraphTexts *texts = tb_graph_canvas_get_texts (self);

  if (self->pieces == NULL)
    self->pieces = draw_pieces (self);
  if (self->text_pieces != NULL && self->drawn_size == texts->size)
    return;
  clear_text (self);
  self->text_pieces = draw_text_pieces (self);
  self->drawn_size = texts->size;
}

/* The visible pieces are kept in one node. While they are the same, GTK compares nothing. */
static void
update_drawn (TbGraphCanvas *self)
{
  double scale = self->scale;
  graphene_rect_t area
      = GRAPHENE_RECT_INIT ((float) (-self->x / scale), (float) (-self->y / scale),
                            (float) (gtk_widget_get_width (GTK_WIDGET (self)) / scale),
                            (float) (gtk_widget_get_height (GTK_WIDGET (self)) / scale));

  if (self->drawn != NULL && self->drawn_text != NULL
      && graphene_rect_equal (&self->drawn_area, &area))
    return;
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  g_clear_pointer (&self->drawn_text, gsk_render_node_unref);
  self->drawn_area = area;
  self->drawn = gather (self->pieces, &area);
  self->drawn_text = gather (self->text_pieces, &area);
}

static gboolean
is_chosen (const Pen *pen, guint arc, int node, int chosen_arc)
{
  const TbGraphArc *info = &pen->scene->arcs[arc];

  return (int) arc == chosen_arc
         || (node >= 0 && (info->from == (guint) node || info->to == (guint) node));
}

/* Draws a selected vertex with its edges, a selected edge or a selected frame. */
static void
append_chosen (const Pen *pen, TbGraphElement element, const GdkRGBA *color, float line)
{
  int node = tb_graph_canvas_find_node (pen->canvas, element);
  int arc = tb_graph_canvas_find_arc (pen->canvas, element);

  for (guint i = 0; i < pen->scene->n_arcs; i++)
    if (is_chosen (pen, i, node, arc))
      {
        float width = get_edge_width (pen, pen->scene->edges[i]);

        append_edge (pen, i, (int) i == arc ? MAX (width, line) : width, color);
      }
  if (node >= 0)
    append_shape (pen, (guint) node, 3 + line, line, NULL, color);
  else if (element.kind == TB_GRAPH_CLUSTER && element.index < pen->scene->layout->n_groups
           && pen->scene->layout->groups[element.index].width > 0)
    {
      graphene_rect_t bounds = to_rect (&pen->scene->layout->groups[element.index], 0);
      GskRoundedRect rounded;

      gsk_rounded_rect_init_from_rect (&rounded, &bounds, FRAME_RADIUS);
      gtk_snapshot_append_border (pen->snapshot, &rounded, (float[4]) { line, line, line, line },
                                  (GdkRGBA[4]) { *color, *color, *color, *color });
    }
}

/* Draws the name in the middle of its vertex, where there was no room for it before. */
static void
append_chosen_name (const Pen *pen, guint node)
{
  const TbGraphPlace *place = &pen->scene->layout->places[node];
  const TbGraphNode *info = &pen->scene->nodes[node];
  double size = pen->canvas->texts->size;
  TbGraphText text = pen->canvas->texts->names[node];

  if (text.is_placed && !text.is_short)
    return;
  text.is_short = FALSE;
  text.box = (TbGraphBox) { place->centre.x - size * info->label_width / 2,
                            place->centre.y + info->radius + 3 * size, size * info->label_width,
                            size * info->label_height };
  append_name_at (pen, node, &text, .92f);
}

static void
append_chosen_labels (const Pen *pen, TbGraphElement element, const GdkRGBA *color)
{
  int node = tb_graph_canvas_find_node (pen->canvas, element);
  int arc = tb_graph_canvas_find_arc (pen->canvas, element);

  for (guint i = 0; i < pen->scene->n_arcs; i++)
    if (is_chosen (pen, i, node, arc))
      append_edge_label (pen, i, color);
  if (node >= 0)
    append_chosen_name (pen, (guint) node);
  if (arc >= 0)
    {
      append_chosen_name (pen, pen->scene->arcs[arc].from);
      append_chosen_name (pen, pen->scene->arcs[arc].to);
    }
}

static void
push_scene (TbGraphCanvas *self, GtkSnapshot *snapshot)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) self->x, (float) self->y));
  gtk_snapshot_scale (snapshot, (float) self->scale, (float) self->scale);
}

static void
append_part (TbGraphCanvas *self, GtkSnapshot *snapshot, GskRenderNode *drawn)
{
  if (drawn == NULL)
    return;
  push_scene (self, snapshot);
  gtk_snapshot_append_node (snapshot, drawn);
  gtk_snapshot_restore (snapshot);
}

/* The drawing of the graph is kept. Moving it or selecting in it draws only the changes. */
void
tb_graph_canvas_draw (TbGraphCanvas *self, GtkSnapshot *snapshot)
{
  const TbPalette *palette = tb_palette_get_default ();
  Pen pen = { self, self->scene, palette, snapshot };
  graphene_rect_t area;
  gboolean tiled;

  if (self->scene == NULL)
    return;
  gtk_snapshot_append_color (
      snapshot, &palette->surface,
      &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (GTK_WIDGET (self)),
                           (float) gtk_widget_get_height (GTK_WIDGET (self))));
  update_pieces (self);
  tiled = tb_graph_canvas_update_tiles (self, &area);
  if (tiled)
    tb_graph_tiles_append (self->tiles, snapshot, &area);
  else
    update_drawn (self);
  if (!tiled)
    append_part (self, snapshot, self->drawn);
  push_scene (self, snapshot);
  if (!tb_graph_element_equal (self->hovered, self->selected))
    append_chosen (&pen, self->hovered, &palette->text, 1.5f);
  append_chosen (&pen, self->selected, &palette->select, 2.5f);
  gtk_snapshot_restore (snapshot);
  if (tiled)
    tb_graph_tiles_append (self->text_tiles, snapshot, &area);
  else
    append_part (self, snapshot, self->drawn_text);
  push_scene (self, snapshot);
  append_chosen_labels (&pen, self->selected, &palette->select);
  append_chosen_labels (&pen, self->hovered, &palette->text);
  gtk_snapshot_restore (snapshot);
}
