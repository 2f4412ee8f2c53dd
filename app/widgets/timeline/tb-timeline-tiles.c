/* tb-timeline-tiles.c: tiles of a track, kept between frames: missing ones drawn (by
 * tb-timeline-raster.c), old ones scaled after a zoom until replaced, far ones dropped
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-tiles-private.h"

#include <math.h>

#define SPARE_TILES 3
/* Old tiles are drawn scaled, up to this factor, while they cover at least this part of the
 * plot. */
#define MAX_STRETCHED 1.6
#define MIN_COVERED .6

typedef struct
{
  gint64 number;
  GdkTexture *texture; /* NULL: the tile is empty */
  GArray *wide;        /* gsize: intervals that have room for a label */
} Tile;

struct _TbTimelineTiles
{
  const TbTimelineContext *context;
  guint track;

  /* The state that the tiles were drawn for. */
  double ns_per_column;
  gint64 origin;
  guint match_generation;
  const TbPalette *palette;
  int bar_height;
  int scale;
  GArray *tiles; /* Tile, by number */
};

static void
tile_clear (gpointer data)
{
  Tile *tile = data;

  g_clear_object (&tile->texture);
  g_clear_pointer (&tile->wide, g_array_unref);
}

TbTimelineTiles *
tb_timeline_tiles_new (const TbTimelineContext *context)
{
  TbTimelineTiles *self = g_new0 (TbTimelineTiles, 1);

  self->context = context;
  self->track = TB_TRACK_NONE;
  self->tiles = g_array_new (FALSE, FALSE, sizeof (Tile));
  g_array_set_clear_func (self->tiles, tile_clear);
  return self;
}

void
tb_timeline_tiles_free (TbTimelineTiles *self)
{
  g_array_unref (self->tiles);
  g_free (self);
}

void
tb_timeline_tiles_set_track (TbTimelineTiles *self, guint track)
{
  self->track = track;
  g_array_set_size (self->tiles, 0);
}

/* Tiles of different rows end at different columns. A pan then needs a few new ones in every frame,
 * and never those of all rows at once. */
static gint64
get_shift (TbTimelineTiles *self)
{
  return (gint64) (self->track * 89u % TB_TILE_COLUMNS);
}

static void
get_visible_tiles (TbTimelineTiles *self, gint64 *first, gint64 *last)
{
  const TbTimelineContext *context = self->context;
  gint64 columns = (gint64) context->plot_width * context->scale;
  gint64 shift = get_shift (self);

  *first = (gint64) floor ((double) (context->first_column + shift) / TB_TILE_COLUMNS);
  *last = (gint64) floor ((double) (context->first_column + columns - 1 + shift) / TB_TILE_COLUMNS);
}

/* Whether nothing but the zoom has changed. */
static gboolean
has_same_state (TbTimelineTiles *self)
{
  const TbTimelineContext *context = self->context;

  return self->origin == context->origin && self->match_generation == context->match_generation
         && self->palette == context->palette && self->bar_height == context->bar_height
         && self->scale == context->scale;
}

gboolean
tb_timeline_tiles_are_old (TbTimelineTiles *self)
{
  return self->tiles->len == 0 || self->ns_per_column != self->context->ns_per_column
         || !has_same_state (self);
}

/* The position of a column of the tiles in the view. */
static double
get_x (TbTimelineTiles *self, gint64 column)
{
  const TbTimelineContext *context = self->context;
  double ratio = self->ns_per_column / context->ns_per_column;

  return context->plot_x
         + ((double) column * ratio - (double) context->first_column) / context->scale;
}

gboolean
tb_timeline_tiles_can_wait (TbTimelineTiles *self)
{
  const TbTimelineContext *context = self->context;
  double ratio = self->ns_per_column / context->ns_per_column;
  double left, right;
  gint64 first, last;

  if (self->tiles->len == 0 || !has_same_state (self) || ratio > MAX_STRETCHED
      || ratio < 1 / MAX_STRETCHED)
    return FALSE;
  first = g_array_index (self->tiles, Tile, 0).number * TB_TILE_COLUMNS - get_shift (self);
  last = (g_array_index (self->tiles, Tile, self->tiles->len - 1).number + 1) * TB_TILE_COLUMNS
         - get_shift (self);
  left = MAX (get_x (self, first), context->plot_x);
  right = MIN (get_x (self, last), context->plot_x + context->plot_width);
  return right - left >= MIN_COVERED * context->plot_width;
}

static void
draw_tile (TbTimelineTiles *self, Tile *tile)
{
  const TbTimelineContext *context = self->context;
  guint height = (guint) (context->bar_height * context->scale);
  gsize size = (gsize) TB_TILE_COLUMNS * height * sizeof (guint32);
  g_autofree guint32 *pixels = g_malloc0 (size);
  gint64 first = tile->number * TB_TILE_COLUMNS - get_shift (self);

  tile->wide = g_array_new (FALSE, FALSE, sizeof (gsize));
  if (tb_timeline_raster_draw (context, self->track, first, TB_TILE_COLUMNS, height, pixels,
                               TB_TIMELINE_MIN_LABEL * context->scale, tile->wide))
    {
      g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&pixels), size);

      tile->texture = gdk_memory_texture_new (TB_TILE_COLUMNS, (int) height, GDK_MEMORY_DEFAULT,
                                              bytes, TB_TILE_COLUMNS * sizeof (guint32));
    }
}

static void
drop_old (TbTimelineTiles *self)
{
  const TbTimelineContext *context = self->context;

  g_array_set_size (self->tiles, 0);
  self->ns_per_column = context->ns_per_column;
  self->origin = context->origin;
  self->match_generation = context->match_generation;
  self->palette = context->palette;
  self->bar_height = context->bar_height;
  self->scale = context->scale;
}

/* Drops tiles that are neither visible nor near, and all tiles where a gap to the visible part
 * would remain. */
static void
drop_far (TbTimelineTiles *self, gint64 first, gint64 last)
{
  for (guint i = self->tiles->len; i-- > 0;)
    {
      gint64 number = g_array_index (self->tiles, Tile, i).number;

      if (number < first - SPARE_TILES || number > last + SPARE_TILES)
        g_array_remove_index (self->tiles, i);
    }
  if (self->tiles->len > 0
      && (g_array_index (self->tiles, Tile, 0).number > last + 1
          || g_array_index (self->tiles, Tile, self->tiles->len - 1).number < first - 1))
    g_array_set_size (self->tiles, 0);
}

void
tb_timeline_tiles_refresh (TbTimelineTiles *self)
{
  gint64 first, last;

  if (tb_timeline_tiles_are_old (self))
    drop_old (self);
  get_visible_tiles (self, &first, &last);
  drop_far (self, first, last);
  if (self->tiles->len > 0)
    {
      /* Adds the missing tiles before the existing ones, then those after them. */
      gint64 known = g_array_index (self->tiles, Tile, 0).number;

      for (gint64 number = known - 1; number >= first; number--)
        {
          Tile tile = { .number = number };

          draw_tile (self, &tile);
          g_array_prepend_val (self->tiles, tile);
        }
      first = g_array_index (self->tiles, Tile, self->tiles->len - 1).number + 1;
    }
  for (gint64 number = first; number <= last; number++)
    {
      Tile tile = { .number = number };

      draw_tile (self, &tile);
      g_array_append_val (self->tiles, tile);
    }
}

void
tb_timeline_tiles_append (TbTimelineTiles *self, GtkSnapshot *snapshot, float bar_y)
{
  const TbTimelineContext *context = self->context;
  gboolean old = tb_timeline_tiles_are_old (self);

  for (guint i = 0; i < self->tiles->len; i++)
    {
      const Tile *tile = &g_array_index (self->tiles, Tile, i);
      gint64 column = tile->number * TB_TILE_COLUMNS - get_shift (self);
      double x = get_x (self, column), end = get_x (self, column + TB_TILE_COLUMNS);
      graphene_rect_t bounds
          = GRAPHENE_RECT_INIT ((float) x, bar_y, (float) (end - x), (float) context->bar_height);

      if (tile->texture == NULL || end <= context->plot_x
          || x >= context->plot_x + context->plot_width)
        continue;
      if (old)
        gtk_snapshot_append_scaled_texture (snapshot, tile->texture, GSK_SCALING_FILTER_NEAREST,
                                            &bounds);
      else
        gtk_snapshot_append_texture (snapshot, tile->texture, &bounds);
    }
}

void
tb_timeline_tiles_get_wide (TbTimelineTiles *self, GArray *wide)
{
  gsize last = TB_INTERVAL_NONE;

  for (guint i = 0; i < self->tiles->len; i++)
    {
      const Tile *tile = &g_array_index (self->tiles, Tile, i);

      for (guint k = 0; k < tile->wide->len; k++)
        {
          gsize interval = g_array_index (tile->wide, gsize, k);

          if (interval != last)
            g_array_append_val (wide, interval);
          last = interval;
        }
    }
}
