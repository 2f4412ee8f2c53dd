/* tb-graph-draw.c: draws a graph
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/tb-finding.h"
#include "session/tb-schema.h"
#include "widgets/tb-drawing-private.h"
#include "widgets/graph/tb-graph-private.h"

#define NAME_MOST 180 /* pixels */
#define NAME_SCALE .92
#define DETAIL_SCALE .8
#define EDGE_SCALE .8
#define FADED .22f
#define FADED_NAME .45
#define THINNEST 1.3f
#define THICKEST 6.5f
#define THICKEST_LOOP 4.f
#define THIN 1.1f /* of dashed ones */
#define FRAME_RADIUS 12
/* From which scale on names and labels of edges are drawn. */
#define SCALE_NAMES .42
#define SCALE_LABELS .6

typedef struct
{
  TbGraphCanvas *canvas;
  const TbGraphScene *scene;
  const TbPalette *palette;
  GtkSnapshot *snapshot;
  int detail; /* 0: no text, 1: names, 2: all */
} Pen;

static char *
flatten (const char *text)
{
  char *flat = g_utf8_make_valid (text, -1);

  for (char *c = flat; *c != '\0'; c++)
    if ((guchar) *c < 0x20)
      *c = ' ';
  return flat;
}

/* Text is drawn at any scale: hinted for one, it would be cut off at another. */
static PangoLayout *
make_layout (TbGraphCanvas *self, const char *text)
{
  PangoContext *context = gtk_widget_create_pango_context (GTK_WIDGET (self));
  cairo_font_options_t *options = cairo_font_options_create ();
  PangoLayout *layout;

  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  pango_context_set_round_glyph_positions (context, FALSE);
  cairo_font_options_destroy (options);
  layout = pango_layout_new (context);
  pango_layout_set_text (layout, text, -1);
  g_object_unref (context);
  return layout;
}

static PangoAttribute *
set_span (PangoAttribute *attribute, gsize from, gsize to)
{
  attribute->start_index = (guint) from;
  attribute->end_index = (guint) to;
  return attribute;
}

/* A name in bold over its second line; what is too long for the room is cut. */
PangoLayout *
tb_graph_canvas_get_name_layout (TbGraphCanvas *self, const char *name, const char *detail)
{
  g_autofree char *first = flatten (name);
  g_autofree char *second = flatten (detail);
  g_autofree char *text = *second ? g_strdup_printf ("%s\n%s", first, second) : g_strdup (first);
  PangoLayout *layout = g_hash_table_lookup (self->labels, text);
  g_autoptr (PangoAttrList) attributes = NULL;
  gsize end = strlen (first), all = strlen (text);
  int width;

  if (layout != NULL)
    return layout;
  attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, set_span (pango_attr_weight_new (PANGO_WEIGHT_BOLD), 0, end));
  pango_attr_list_insert (attributes, set_span (pango_attr_scale_new (NAME_SCALE), 0, end));
  pango_attr_list_insert (attributes, set_span (pango_attr_scale_new (DETAIL_SCALE), end, all));
  pango_attr_list_insert (attributes,
                          set_span (pango_attr_foreground_alpha_new (G_MAXUINT16 / 10 * 7), end, all));
  layout = make_layout (self, text);
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_get_pixel_size (layout, &width, NULL);
  pango_layout_set_width (layout, MIN (width + 1, NAME_MOST) * PANGO_SCALE);
  if (self->flow == TB_GRAPH_ACROSS)
    pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  g_hash_table_insert (self->labels, g_steal_pointer (&text), layout);
  return layout;
}

PangoLayout *
tb_graph_canvas_get_edge_layout (TbGraphCanvas *self, const char *text)
{
  g_autofree char *flat = flatten (text);
  g_autofree char *key = g_strdup_printf ("\n%s", flat);
  PangoLayout *layout = g_hash_table_lookup (self->labels, key);
  g_autoptr (PangoAttrList) attributes = NULL;
  int width;

  if (layout != NULL)
    return layout;
  attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_scale_new (EDGE_SCALE));
  pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_SEMIBOLD));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  layout = make_layout (self, flat);
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_get_pixel_size (layout, &width, NULL);
  pango_layout_set_width (layout, MIN (width + 1, NAME_MOST) * PANGO_SCALE);
  g_hash_table_insert (self->labels, g_steal_pointer (&key), layout);
  return layout;
}

static void
append_text (const Pen *pen, PangoLayout *layout, const TbGraphBox *box, const GdkRGBA *color)
{
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  gtk_snapshot_save (pen->snapshot);
  /* With a width of its own a centred layout begins at its box. */
  gtk_snapshot_translate (pen->snapshot,
                          &GRAPHENE_POINT_INIT ((float) (box->x + (box->width - width) / 2),
                                                (float) (box->y + (box->height - height) / 2)));
  gtk_snapshot_append_layout (pen->snapshot, layout, color);
  gtk_snapshot_restore (pen->snapshot);
}

static GdkRGBA
with_alpha (GdkRGBA color, float alpha)
{
  color.alpha *= alpha;
  return color;
}

/* Laid over the ground rather than left open, so that edges do not shine through. */
static GdkRGBA
mix (const GdkRGBA *color, const GdkRGBA *ground, float share)
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
  gboolean grouped = tb_graph_figure_is_grouped (pen->scene->figure, edge) && !is_muted (pen, info->from);
  GdkRGBA color = palette->dim;

  if (tb_graph_scene_is_dashed (pen->scene, edge))
    color = mix (&palette->dim, &palette->surface, .8f);
  else if (info->flags & TB_EDGE_IDLE)
    color = mix (&palette->dim, &palette->surface, .62f);
  else if ((info->flags & TB_EDGE_STRONG) || grouped)
    color = palette->severity[TB_SEVERITY_HIGH];
  if (matched != NULL && !matched[info->from] && !matched[info->to])
    color.alpha = FADED;
  return color;
}

static float
get_edge_width (const Pen *pen, guint edge)
{
  const TbGraphEdge *info = tb_graph_figure_get_edge (pen->scene->figure, edge);
  float most = info->from == info->to ? THICKEST_LOOP : THICKEST;

  if (tb_graph_scene_is_dashed (pen->scene, edge))
    return THIN;
  return THINNEST + (most - THINNEST) * (float) tb_graph_scene_get_width (pen->scene, edge);
}

static TbGraphPoint
between (TbGraphPoint a, TbGraphPoint b, double t)
{
  return (TbGraphPoint) { a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t };
}

static void
add_cubic (GskPathBuilder *builder, TbGraphPoint a, TbGraphPoint b, TbGraphPoint c)
{
  gsk_path_builder_cubic_to (builder, (float) a.x, (float) a.y, (float) b.x, (float) b.y, (float) c.x,
                             (float) c.y);
}

/* The curve up to t (de Casteljau). */
static TbGraphPoint
add_start_of_cubic (GskPathBuilder *builder, const TbGraphPoint *p, double t)
{
  TbGraphPoint a = between (p[0], p[1], t), b = between (p[1], p[2], t), c = between (p[2], p[3], t);
  TbGraphPoint ab = between (a, b, t), bc = between (b, c, t), end = between (ab, bc, t);

  add_cubic (builder, a, ab, end);
  return end;
}

static void
append_head (const Pen *pen, TbGraphPoint from, TbGraphPoint tip, double half_width, const GdkRGBA *color)
{
  g_autoptr (GskPathBuilder) builder = gsk_path_builder_new ();
  g_autoptr (GskPath) path = NULL;
  double length = MAX (hypot (tip.x - from.x, tip.y - from.y), .1);
  double dx = (tip.x - from.x) / length * half_width, dy = (tip.y - from.y) / length * half_width;

  gsk_path_builder_move_to (builder, (float) tip.x, (float) tip.y);
  gsk_path_builder_line_to (builder, (float) (from.x - dx * .35 - dy), (float) (from.y - dy * .35 + dx));
  gsk_path_builder_line_to (builder, (float) from.x, (float) from.y);
  gsk_path_builder_line_to (builder, (float) (from.x - dx * .35 + dy), (float) (from.y - dy * .35 - dx));
  gsk_path_builder_close (builder);
  path = gsk_path_builder_free_to_path (g_steal_pointer (&builder));
  gtk_snapshot_append_fill (pen->snapshot, path, GSK_FILL_RULE_WINDING, color);
}

/* A line that ends under its head, and the head. */
static void
append_edge (const Pen *pen, guint arc, float width, const GdkRGBA *color)
{
  const TbGraphRoute *route = &pen->scene->layout->routes[arc];
  const TbGraphPoint *points = pen->scene->layout->points + route->first;
  const TbGraphEdge *info = tb_graph_figure_get_edge (pen->scene->figure, pen->scene->edges[arc]);
  g_autoptr (GskPathBuilder) builder = gsk_path_builder_new ();
  g_autoptr (GskPath) path = NULL;
  GskStroke *stroke = gsk_stroke_new (width);
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
    gsk_stroke_set_dash (stroke, (float[]) { 2, 3 }, 2);
  else if (tb_graph_scene_is_dashed (pen->scene, pen->scene->edges[arc]))
    gsk_stroke_set_dash (stroke, (float[]) { 5, 4 }, 2);
  gtk_snapshot_append_stroke (pen->snapshot, path, stroke, color);
  gsk_stroke_free (stroke);
  append_head (pen, end, last[3], 3 + .85 * width, color);
}

static graphene_rect_t
to_rect (const TbGraphBox *box, float more)
{
  return GRAPHENE_RECT_INIT ((float) box->x - more, (float) box->y - more, (float) box->width + 2 * more,
                             (float) box->height + 2 * more);
}

/* On a ground of its own: what is below it stays away. */
static void
append_edge_label (const Pen *pen, guint arc, const GdkRGBA *color)
{
  const TbGraphRoute *route = &pen->scene->layout->routes[arc];
  const TbGraphEdge *info = tb_graph_figure_get_edge (pen->scene->figure, pen->scene->edges[arc]);
  graphene_rect_t bounds = to_rect (&route->label, 0);
  GdkRGBA ground = with_alpha (pen->palette->surface, .92f);

  if (!route->has_label || pen->detail < 2)
    return;
  tb_draw_rounded (pen->snapshot, &ground, &bounds, 4);
  append_text (pen, tb_graph_canvas_get_edge_layout (pen->canvas, info->label), &route->label, color);
}

static void
append_frame (const Pen *pen, guint group)
{
  const TbGraphBox *box = &pen->scene->layout->groups[group];
  gboolean muted = tb_graph_figure_is_cluster_muted (pen->scene->figure, group);
  const GdkRGBA *color = muted ? &pen->palette->dim : &pen->palette->severity[TB_SEVERITY_HIGH];
  GdkRGBA ground = with_alpha (*color, muted ? .05f : .08f), line = with_alpha (*color, .55f);
  graphene_rect_t bounds = to_rect (box, 0);
  GskRoundedRect rounded;
  g_autoptr (GskPathBuilder) builder = NULL;
  g_autoptr (GskPath) path = NULL;
  GskStroke *stroke;

  if (box->width <= 0)
    return;
  tb_draw_rounded (pen->snapshot, &ground, &bounds, FRAME_RADIUS);
  gsk_rounded_rect_init_from_rect (&rounded, &bounds, FRAME_RADIUS);
  builder = gsk_path_builder_new ();
  gsk_path_builder_add_rounded_rect (builder, &rounded);
  path = gsk_path_builder_free_to_path (g_steal_pointer (&builder));
  stroke = gsk_stroke_new (1.4f);
  gsk_stroke_set_dash (stroke, (float[]) { 7, 5 }, 2);
  gtk_snapshot_append_stroke (pen->snapshot, path, stroke, &line);
  gsk_stroke_free (stroke);
}

static void
append_frame_name (const Pen *pen, guint group)
{
  const TbGraphBox *box = &pen->scene->layout->groups[group];
  gboolean muted = tb_graph_figure_is_cluster_muted (pen->scene->figure, group);
  PangoLayout *layout;
  TbGraphBox place;
  int width, height;

  if (box->width <= 0 || pen->detail < 1)
    return;
  layout = tb_graph_canvas_get_edge_layout (pen->canvas,
                                            tb_graph_figure_get_cluster_name (pen->scene->figure, group));
  pango_layout_set_width (layout, (int) MAX (box->width - 20, 10) * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, &width, &height);
  place = (TbGraphBox) { box->x + 12, box->y + 5, width, height };
  append_text (pen, layout, &place, muted ? &pen->palette->dim : &pen->palette->severity[TB_SEVERITY_HIGH]);
}

static void
append_shape (const Pen *pen, guint node, float more, float line, const GdkRGBA *fill, const GdkRGBA *border)
{
  const TbGraphNode *info = &pen->scene->nodes[node];
  TbGraphPoint centre = pen->scene->layout->places[node].centre;
  float radius = (float) info->radius + more;
  graphene_rect_t bounds
      = GRAPHENE_RECT_INIT ((float) centre.x - radius, (float) centre.y - radius, 2 * radius, 2 * radius);
  GskRoundedRect rounded;

  gsk_rounded_rect_init_from_rect (&rounded, &bounds, info->square ? MIN (6 + more, radius) : radius);
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

  return pen->canvas->matched == NULL || vertex == TB_ID_NONE || pen->canvas->matched[vertex] ? 1 : FADED;
}

static void
append_vertex (const Pen *pen, guint node)
{
  const TbGraphShown *shown = &pen->scene->shown[node];
  float alpha = get_vertex_alpha (pen, node);
  GdkRGBA color = *get_vertex_color (pen, shown->kind);
  GdkRGBA fill = mix (&color, &pen->palette->surface, .2f * alpha);
  GdkRGBA border = mix (&color, &pen->palette->surface, alpha);

  /* Several that are one have a second line around them. */
  if (shown->kind == TB_VERTEX_MERGED)
    append_shape (pen, node, 3.5f, 1, NULL, &border);
  append_shape (pen, node, 0, 2, &fill, &border);
}

static void
append_name (const Pen *pen, guint node)
{
  const TbGraphShown *shown = &pen->scene->shown[node];
  const TbGraphBox *box = &pen->scene->layout->places[node].label;
  GdkRGBA ground = with_alpha (pen->palette->surface, .72f);
  gboolean faded = get_vertex_alpha (pen, node) < 1;
  graphene_rect_t bounds = to_rect (box, 1);

  if (box->width <= 0)
    return;
  /* In a frame its own ground would show. */
  if (pen->scene->nodes[node].group == TB_ID_NONE)
    tb_draw_rounded (pen->snapshot, &ground, &bounds, 4);
  if (faded)
    gtk_snapshot_push_opacity (pen->snapshot, FADED_NAME);
  append_text (pen, tb_graph_canvas_get_name_layout (pen->canvas, shown->name, shown->detail), box,
               &pen->palette->text);
  if (faded)
    gtk_snapshot_pop (pen->snapshot);
}

/* What was drawn since the last piece. */
static void
take_piece (Pen *pen, GPtrArray *pieces)
{
  GskRenderNode *piece = gtk_snapshot_free_to_node (pen->snapshot);

  pen->snapshot = gtk_snapshot_new ();
  if (piece != NULL)
    g_ptr_array_add (pieces, piece);
}

static GPtrArray *
draw_pieces (TbGraphCanvas *self, int detail)
{
  GPtrArray *pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) gsk_render_node_unref);
  const TbGraphScene *scene = self->scene;
  Pen pen = { self, scene, tb_palette_get_default (), gtk_snapshot_new (), detail };

  for (guint i = 0; i < scene->layout->n_groups; i++, take_piece (&pen, pieces))
    append_frame (&pen, i);
  /* The heaviest on top. */
  for (guint i = scene->n_arcs; i > 0; i--, take_piece (&pen, pieces))
    {
      GdkRGBA color = get_edge_color (&pen, scene->edges[i - 1]);

      append_edge (&pen, i - 1, get_edge_width (&pen, scene->edges[i - 1]), &color);
    }
  for (guint i = 0; i < scene->n_nodes && detail >= 1; i++, take_piece (&pen, pieces))
    append_name (&pen, i);
  for (guint i = 0; i < scene->n_nodes; i++, take_piece (&pen, pieces))
    append_vertex (&pen, i);
  for (guint i = 0; i < scene->layout->n_groups; i++, take_piece (&pen, pieces))
    append_frame_name (&pen, i);
  g_object_unref (pen.snapshot);
  return pieces;
}

/* What is written on edges: over those that are chosen, too. */
static GPtrArray *
draw_label_pieces (TbGraphCanvas *self, int detail)
{
  GPtrArray *pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) gsk_render_node_unref);
  Pen pen = { self, self->scene, tb_palette_get_default (), gtk_snapshot_new (), detail };

  for (guint i = 0; i < self->scene->n_arcs; i++, take_piece (&pen, pieces))
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

void
tb_graph_canvas_clear_drawn (TbGraphCanvas *self)
{
  g_clear_pointer (&self->pieces, g_ptr_array_unref);
  g_clear_pointer (&self->label_pieces, g_ptr_array_unref);
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  g_clear_pointer (&self->drawn_labels, gsk_render_node_unref);
}

/* Each piece is drawn once. Those that are seen are kept together: while they are the same ones, GTK compares nothing. */
static void
update_drawn (TbGraphCanvas *self, int detail)
{
  double scale = self->scale;
  graphene_rect_t area = GRAPHENE_RECT_INIT ((float) (-self->x / scale), (float) (-self->y / scale),
                                             (float) (gtk_widget_get_width (GTK_WIDGET (self)) / scale),
                                             (float) (gtk_widget_get_height (GTK_WIDGET (self)) / scale));

  if (self->pieces == NULL || self->drawn_detail != detail)
    {
      tb_graph_canvas_clear_drawn (self);
      self->pieces = draw_pieces (self, detail);
      self->label_pieces = draw_label_pieces (self, detail);
      self->drawn_detail = detail;
    }
  else if (graphene_rect_equal (&self->drawn_area, &area))
    return;
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  g_clear_pointer (&self->drawn_labels, gsk_render_node_unref);
  self->drawn_area = area;
  self->drawn = gather (self->pieces, &area);
  self->drawn_labels = gather (self->label_pieces, &area);
}

static gboolean
is_chosen (const Pen *pen, guint arc, int node, int chosen_arc)
{
  const TbGraphArc *info = &pen->scene->arcs[arc];

  return (int) arc == chosen_arc || (node >= 0 && (info->from == (guint) node || info->to == (guint) node));
}

/* A vertex with what leads to it and from it; an edge; a frame. */
static void
append_chosen (const Pen *pen, TbGraphThing thing, const GdkRGBA *color, float line)
{
  int node = tb_graph_canvas_find_node (pen->canvas, thing);
  int arc = tb_graph_canvas_find_arc (pen->canvas, thing);

  for (guint i = 0; i < pen->scene->n_arcs; i++)
    if (is_chosen (pen, i, node, arc))
      {
        float width = get_edge_width (pen, pen->scene->edges[i]);

        append_edge (pen, i, (int) i == arc ? MAX (width, line) : width, color);
      }
  if (node >= 0)
    append_shape (pen, (guint) node, 3 + line, line, NULL, color);
  else if (thing.kind == TB_GRAPH_CLUSTER && thing.index < pen->scene->layout->n_groups
           && pen->scene->layout->groups[thing.index].width > 0)
    {
      graphene_rect_t bounds = to_rect (&pen->scene->layout->groups[thing.index], 0);
      GskRoundedRect rounded;

      gsk_rounded_rect_init_from_rect (&rounded, &bounds, FRAME_RADIUS);
      gtk_snapshot_append_border (pen->snapshot, &rounded, (float[4]) { line, line, line, line },
                                  (GdkRGBA[4]) { *color, *color, *color, *color });
    }
}

static void
append_chosen_labels (const Pen *pen, TbGraphThing thing, const GdkRGBA *color)
{
  int node = tb_graph_canvas_find_node (pen->canvas, thing);
  int arc = tb_graph_canvas_find_arc (pen->canvas, thing);

  for (guint i = 0; i < pen->scene->n_arcs; i++)
    if (is_chosen (pen, i, node, arc))
      append_edge_label (pen, i, color);
}

/* The graph is kept as it was drawn: looking at another part of it, or choosing one, draws no more than that. */
void
tb_graph_canvas_draw (TbGraphCanvas *self, GtkSnapshot *snapshot)
{
  const TbPalette *palette = tb_palette_get_default ();
  int detail = self->scale >= SCALE_LABELS ? 2 : self->scale >= SCALE_NAMES ? 1 : 0;
  Pen pen = { self, self->scene, palette, snapshot, detail };

  if (self->scene == NULL)
    return;
  update_drawn (self, detail);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) self->x, (float) self->y));
  gtk_snapshot_scale (snapshot, (float) self->scale, (float) self->scale);
  if (self->drawn != NULL)
    gtk_snapshot_append_node (snapshot, self->drawn);
  if (!tb_graph_thing_equal (self->hovered, self->selected))
    append_chosen (&pen, self->hovered, &palette->text, 1.5f);
  append_chosen (&pen, self->selected, &palette->select, 2.5f);
  if (self->drawn_labels != NULL)
    gtk_snapshot_append_node (snapshot, self->drawn_labels);
  append_chosen_labels (&pen, self->selected, &palette->select);
  gtk_snapshot_restore (snapshot);
}
