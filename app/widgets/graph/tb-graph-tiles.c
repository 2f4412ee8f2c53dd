/* tb-graph-tiles.c: pixel tiles of a graph for screens that the CPU draws: made from the pieces of
 * the drawing, also ahead in idle time, and kept while the graph is moved
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "widgets/graph/tb-graph-private.h"

/* Width and height of a tile, in pixels of the widget. */
#define TILE_SIZE 256
/* Painted around each tile and cut off, because cairo smooths lines differently at the edge of a
 * surface. */
#define BORDER 4
/* Largest graph that is painted as a whole in advance, in pixels. Of a larger one, this many pixels
 * around the visible part are painted. */
#define MAX_PIXELS (2048 * 2048)
#define PREFETCH_MARGIN 384

/* One layer of a graph at one scale. Positions are relative to the scene's origin, which is always
 * at a whole pixel. A copied tile is therefore equal to a new drawing, at every position. */
struct _TbGraphTiles
{
  GPtrArray *pieces;
  GHashTable *nodes; /* position → GskRenderNode, NULL where the tile is empty */
  GdkRGBA ground;    /* transparent: what is below shows through */
  double scale;
  int density; /* pixels of the screen per pixel of the widget, in both directions */
};

typedef struct
{
  int left; /* columns and rows of tiles: the first one, and one past the last */
  int top;
  int right;
  int bottom;
} Span;

static void
clear_node (gpointer node)
{
  if (node != NULL)
    gsk_render_node_unref (node);
}

TbGraphTiles *
tb_graph_tiles_new (GPtrArray *pieces, const GdkRGBA *ground, double scale, int density)
{
  TbGraphTiles *self = g_new0 (TbGraphTiles, 1);

  self->pieces = g_ptr_array_ref (pieces);
  self->nodes = g_hash_table_new_full (NULL, NULL, NULL, clear_node);
  if (ground != NULL)
    self->ground = *ground;
  self->scale = scale;
  self->density = density;
  return self;
}

void
tb_graph_tiles_free (TbGraphTiles *self)
{
  g_ptr_array_unref (self->pieces);
  g_hash_table_unref (self->nodes);
  g_free (self);
}

static gpointer
get_key (int column, int row)
{
  return GUINT_TO_POINTER ((guint) (column & 0xffff) << 16 | (guint) (row & 0xffff));
}

static Span
get_span (const graphene_rect_t *area)
{
  return (Span) { (int) floorf (area->origin.x / TILE_SIZE),
                  (int) floorf (area->origin.y / TILE_SIZE),
                  (int) ceilf ((area->origin.x + area->size.width) / TILE_SIZE),
                  (int) ceilf ((area->origin.y + area->size.height) / TILE_SIZE) };
}

static cairo_t *
begin (TbGraphTiles *self, cairo_surface_t *surface, int left, int top)
{
  cairo_t *cr = cairo_create (surface);

  if (self->ground.alpha > 0)
    {
      gdk_cairo_set_source_rgba (cr, &self->ground);
      cairo_paint (cr);
    }
  cairo_scale (cr, self->density, self->density);
  cairo_translate (cr, -left, -top);
  /* With the same precision as the scale of snapshots. */
  cairo_scale (cr, (float) self->scale, (float) self->scale);
  return cr;
}

/* NULL where the area is empty. */
static cairo_surface_t *
paint_span (TbGraphTiles *self, const Span *span)
{
  int left = span->left * TILE_SIZE - BORDER, top = span->top * TILE_SIZE - BORDER;
  int width = span->right * TILE_SIZE + BORDER - left,
      height = span->bottom * TILE_SIZE + BORDER - top;
  graphene_rect_t area
      = GRAPHENE_RECT_INIT ((float) (left / self->scale), (float) (top / self->scale),
                            (float) (width / self->scale), (float) (height / self->scale));
  cairo_surface_t *surface = NULL;
  cairo_t *cr = NULL;

  for (guint i = 0; i < self->pieces->len; i++)
    {
      GskRenderNode *piece = g_ptr_array_index (self->pieces, i);
      graphene_rect_t bounds;

      gsk_render_node_get_bounds (piece, &bounds);
      if (!graphene_rect_intersection (&bounds, &area, NULL))
        continue;
      if (cr == NULL)
        {
          surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width * self->density,
                                                height * self->density);
          cr = begin (self, surface, left, top);
        }
      gsk_render_node_draw (piece, cr);
    }
  g_clear_pointer (&cr, cairo_destroy);
  return surface;
}

/* Makes several tiles at once, so that pieces that extend over several are drawn once. */
static void
make_tiles (TbGraphTiles *self, const Span *span)
{
  cairo_surface_t *surface = paint_span (self, span);
  g_autoptr (GBytes) bytes = NULL;
  gsize edge = (gsize) (TILE_SIZE * self->density), border = (gsize) (BORDER * self->density),
        stride = 0;

  if (surface != NULL)
    {
      cairo_surface_flush (surface);
      stride = (gsize) cairo_image_surface_get_stride (surface);
      bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface),
                                          stride * (gsize) cairo_image_surface_get_height (surface),
                                          (GDestroyNotify) cairo_surface_destroy, surface);
    }
  for (int row = span->top; row < span->bottom; row++)
    for (int column = span->left; column < span->right; column++)
      {
        gsize at = ((gsize) (row - span->top) * edge + border) * stride
                   + ((gsize) (column - span->left) * edge + border) * 4;
        graphene_rect_t bounds
            = GRAPHENE_RECT_INIT ((float) (column * TILE_SIZE), (float) (row * TILE_SIZE),
                                  TILE_SIZE, TILE_SIZE);
        g_autoptr (GBytes) part
            = bytes != NULL ? g_bytes_new_from_bytes (bytes, at, stride * (edge - 1) + edge * 4)
                            : NULL;
        g_autoptr (GdkTexture) texture
            = part != NULL ? gdk_memory_texture_new ((int) edge, (int) edge, GDK_MEMORY_DEFAULT,
                                                     part, stride)
                           : NULL;

        g_hash_table_insert (self->nodes, get_key (column, row),
                             texture != NULL ? gsk_texture_node_new (texture, &bounds) : NULL);
      }
}

/* The part of a row from the first missing tile to the last. */
static Span
find_missing (TbGraphTiles *self, const Span *span, int row)
{
  Span missing = { G_MAXINT, row, G_MININT, row + 1 };

  for (int column = span->left; column < span->right; column++)
    if (!g_hash_table_contains (self->nodes, get_key (column, row)))
      {
        missing.left = MIN (missing.left, column);
        missing.right = column + 1;
      }
  return missing;
}

/* Rows that lack the same columns are made together. */
void
tb_graph_tiles_make_missing (TbGraphTiles *self, const graphene_rect_t *area)
{
  Span span = get_span (area), together = { G_MAXINT, 0, G_MININT, 0 };

  for (int row = span.top; row < span.bottom; row++)
    {
      Span missing = find_missing (self, &span, row);

      if (missing.left == together.left && missing.right == together.right)
        {
          together.bottom = row + 1;
          continue;
        }
      if (together.left < together.right)
        make_tiles (self, &together);
      together = missing;
    }
  if (together.left < together.right)
    make_tiles (self, &together);
}

gboolean
tb_graph_tiles_make_one (TbGraphTiles *self, const graphene_rect_t *area)
{
  Span span = get_span (area);

  for (int row = span.top; row < span.bottom; row++)
    for (int column = span.left; column < span.right; column++)
      if (!g_hash_table_contains (self->nodes, get_key (column, row)))
        {
          make_tiles (self, &(Span) { column, row, column + 1, row + 1 });
          return TRUE;
        }
  return FALSE;
}

void
tb_graph_tiles_drop_outside (TbGraphTiles *self, const graphene_rect_t *area)
{
  Span span = get_span (area);
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->nodes);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      int column = (gint16) (GPOINTER_TO_UINT (key) >> 16),
          row = (gint16) (GPOINTER_TO_UINT (key) & 0xffff);

      if (column < span.left || column >= span.right || row < span.top || row >= span.bottom)
        g_hash_table_iter_remove (&iter);
    }
}

void
tb_graph_tiles_append (TbGraphTiles *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  Span span = get_span (area);

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (-area->origin.x, -area->origin.y));
  for (int row = span.top; row < span.bottom; row++)
    for (int column = span.left; column < span.right; column++)
      {
        GskRenderNode *node = g_hash_table_lookup (self->nodes, get_key (column, row));

        if (node != NULL)
          gtk_snapshot_append_node (snapshot, node);
      }
  gtk_snapshot_restore (snapshot);
}

/* --- tiles of a canvas --- */

/* Pixels of the screen per pixel of the widget, where the CPU paints and the ratio is a whole
 * number, else 0. */
static int
get_density (TbGraphCanvas *self)
{
  GtkNative *native = gtk_widget_get_native (GTK_WIDGET (self));
  double scale;

  if (native == NULL || !GSK_IS_CAIRO_RENDERER (gtk_native_get_renderer (native)))
    return 0;
  scale = gdk_surface_get_scale (gtk_native_get_surface (native));
  return scale == floor (scale) ? (int) scale : 0;
}

void
tb_graph_canvas_clear_tiles (TbGraphCanvas *self)
{
  g_clear_handle_id (&self->tiling, g_source_remove);
  g_clear_pointer (&self->tiles, tb_graph_tiles_free);
  g_clear_pointer (&self->text_tiles, tb_graph_tiles_free);
}

/* The visible area. */
static graphene_rect_t
get_visible_area (TbGraphCanvas *self)
{
  return GRAPHENE_RECT_INIT ((float) -self->x, (float) -self->y,
                             (float) gtk_widget_get_width (GTK_WIDGET (self)),
                             (float) gtk_widget_get_height (GTK_WIDGET (self)));
}

/* The area that is likely to become visible next. */
static graphene_rect_t
get_prefetch_area (TbGraphCanvas *self)
{
  graphene_rect_t area = get_visible_area (self);
  double width = self->scene->layout->width * self->scale,
         height = self->scene->layout->height * self->scale;

  if (width * height * self->tiles->density * self->tiles->density <= MAX_PIXELS)
    graphene_rect_union (&area, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height), &area);
  else
    graphene_rect_inset (&area, -PREFETCH_MARGIN, -PREFETCH_MARGIN);
  return area;
}

/* Makes one tile per turn, between frames. */
static gboolean
on_idle (gpointer data)
{
  TbGraphCanvas *self = data;
  graphene_rect_t seen = get_visible_area (self), around = get_prefetch_area (self);

  if (tb_graph_tiles_make_one (self->tiles, &seen)
      || tb_graph_tiles_make_one (self->text_tiles, &seen)
      || tb_graph_tiles_make_one (self->tiles, &around)
      || tb_graph_tiles_make_one (self->text_tiles, &around))
    return G_SOURCE_CONTINUE;
  self->tiling = 0;
  return G_SOURCE_REMOVE;
}

/* While the user zooms every frame has another scale. Tiles are started only with the second frame
 * of the same scale. */
gboolean
tb_graph_canvas_update_tiles (TbGraphCanvas *self, graphene_rect_t *area)
{
  int density = get_density (self);
  graphene_rect_t around;

  if (self->tiles != NULL && (self->tiles->scale != self->scale || self->tiles->density != density))
    tb_graph_canvas_clear_tiles (self);
  if (density == 0)
    return FALSE;
  *area = get_visible_area (self);
  if (self->tiles == NULL)
    {
      self->tiles = tb_graph_tiles_new (self->pieces, &tb_palette_get_default ()->surface,
                                        self->scale, density);
      self->text_tiles = tb_graph_tiles_new (self->text_pieces, NULL, self->scale, density);
      return FALSE;
    }
  around = get_prefetch_area (self);
  tb_graph_tiles_drop_outside (self->tiles, &around);
  tb_graph_tiles_drop_outside (self->text_tiles, &around);
  if (self->tiling == 0)
    self->tiling = g_idle_add_full (G_PRIORITY_LOW, on_idle, self, NULL);
  tb_graph_tiles_make_missing (self->tiles, area);
  tb_graph_tiles_make_missing (self->text_tiles, area);
  return TRUE;
}
