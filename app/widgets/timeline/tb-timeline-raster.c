/* tb-timeline-raster.c: drawing of a stretch of a track into pixels: boxes for long intervals;
 * columns that many share are divided among their states by time; faint non-matches, hatched
 * estimates, lost ranges
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-columns-private.h"
#include "widgets/timeline/tb-timeline-match-private.h"

#include <math.h>

/*
 * An interval that covers whole columns is drawn as a box. A column that several intervals share is
 * drawn from the exact sums of their times. Running is the stronger the longer it is, waiting is
 * stacked in the thin band below. Every state that occurs gets at least one pixel, so that nothing
 * rare is lost by zooming out.
 */

/* A column with fewer intervals than this is summed here, one with more by the figure's sums over
 * blocks. */
#define MAX_SUMMED 24
/* Largest number of matches in a column that are drawn separately from other intervals. */
#define MAX_SEPARATE_MATCHES 256
#define FAINT 0.22f
#define MIN_TONE 0.5f
/* Number of shades of a colour. */
#define N_SHADES 32

/* Strength of the ground on which an estimate is hatched. */
#define ESTIMATE_GROUND .35f

typedef struct
{
  const TbTimelineContext *context;
  TbTimelineTrack track;
  guint index;
  gboolean thread;
  gint64 first;
  guint n;
  guint height;
  guint thin;   /* rows of the band for waiting */
  guint middle; /* rows for runnable */
  guint32 *pixels;
  gboolean drawn;
  guint32 paints[TB_PAINT_HEIGHT_FULL + 1];  /* set of paints drawn at each height, as 1 << paint */
  guint32 shades[TB_N_PAINTS][N_SHADES + 1]; /* pixel values, 0: not computed yet */
} Raster;

TbPaintHeight
tb_timeline_get_paint_height (gboolean thread, guint paint)
{
  switch (paint)
    {
    case TB_PAINT_NONE:
      return TB_PAINT_HEIGHT_NONE;
    case TB_PAINT_RUNNING:
    case TB_PAINT_ESTIMATED:
    case TB_PAINT_INTERRUPT:
    case TB_PAINT_LOST:
      return TB_PAINT_HEIGHT_FULL;
    case TB_PAINT_RUNNABLE:
      return TB_PAINT_HEIGHT_MIDDLE;
    case TB_PAINT_WAITING:
    case TB_PAINT_UNKNOWN:
    case TB_PAINT_STOPPED:
      return TB_PAINT_HEIGHT_THIN;
    case TB_PAINT_DISK:
    case TB_PAINT_UNINTERRUPTIBLE:
    case TB_PAINT_NETWORK:
      /* A thread waits for the disk. The disk itself works. */
      return thread ? TB_PAINT_HEIGHT_THIN : TB_PAINT_HEIGHT_FULL;
    default:
      return TB_PAINT_HEIGHT_THIN;
    }
}

/* More important paints are higher in a stack. */
static const guint8 importance[TB_N_PAINTS] = {
  TB_PAINT_LOST,      TB_PAINT_UNINTERRUPTIBLE, TB_PAINT_DISK,      TB_PAINT_NETWORK,
  TB_PAINT_STOPPED,   TB_PAINT_UNKNOWN,         TB_PAINT_INTERRUPT, TB_PAINT_RUNNING,
  TB_PAINT_ESTIMATED, TB_PAINT_RUNNABLE,        TB_PAINT_WAITING,
};

static guint32
get_pixel (const GdkRGBA *color, float alpha)
{
  float a = color->alpha * alpha;
  guint32 opacity = (guint32) (a * 255.f + .5f);
  guint32 red = (guint32) (color->red * a * 255.f + .5f);
  guint32 green = (guint32) (color->green * a * 255.f + .5f);
  guint32 blue = (guint32) (color->blue * a * 255.f + .5f);

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  return opacity << 24 | red << 16 | green << 8 | blue; /* B8G8R8A8 in memory */
#else
  return blue << 24 | green << 16 | red << 8 | opacity;
#endif
}

static guint32
get_shade (Raster *self, guint paint, float alpha)
{
  guint shade = (guint) (alpha * N_SHADES + .5f);

  if (self->shades[paint][shade] == 0)
    self->shades[paint][shade]
        = get_pixel (&self->context->palette->paint[paint], (float) shade / N_SHADES);
  return self->shades[paint][shade];
}

static guint
get_top (const Raster *self, TbPaintHeight height)
{
  switch (height)
    {
    case TB_PAINT_HEIGHT_THIN:
      return self->height - self->thin;
    case TB_PAINT_HEIGHT_MIDDLE:
      return self->height - self->middle;
    case TB_PAINT_HEIGHT_NONE:
    case TB_PAINT_HEIGHT_FULL:
    default:
      return 0;
    }
}

static void
fill_rows (Raster *self, guint x0, guint x1, guint y0, guint y1, guint32 pixel)
{
  for (guint y = y0; y < y1; y++)
    {
      guint32 *row = self->pixels + (gsize) y * self->n;

      for (guint x = x0; x < x1; x++)
        row[x] = pixel;
    }
  if (x0 < x1 && y0 < y1)
    self->drawn = TRUE;
}

static gboolean
is_faint (const Raster *self, gsize i)
{
  return self->context->matches != NULL
         && !tb_timeline_matches_has (self->context->matches, self->index, i);
}

/* Diagonal stripes that keep their position in time while the view moves. */
static void
fill_hatch (Raster *self, guint x0, guint x1, guint y0, guint y1, guint32 pixel)
{
  guint period = 6 * (guint) self->context->scale, stripe = 2 * (guint) self->context->scale;

  for (guint y = y0; y < y1; y++)
    {
      guint32 *row = self->pixels + (gsize) y * self->n;

      for (guint x = x0; x < x1; x++)
        if ((guint64) (self->first + G_GINT64_CONSTANT (0x600000000) + x + y) % period < stripe)
          row[x] = pixel;
    }
  self->drawn = TRUE;
}

/* Fills rows with a paint at a strength. An estimate is hatched on a faint ground. */
static void
fill_paint (Raster *self, guint x0, guint x1, guint y0, guint y1, guint paint, float alpha)
{
  if (paint != TB_PAINT_ESTIMATED)
    {
      fill_rows (self, x0, x1, y0, y1, get_shade (self, paint, alpha));
      return;
    }
  fill_rows (self, x0, x1, y0, y1, get_shade (self, paint, alpha * ESTIMATE_GROUND));
  fill_hatch (self, x0, x1, y0, y1, get_shade (self, paint, alpha));
}

/* Rounds the corners of the box [begin, end), at this pixel size and within the tile. */
static void
round_corners (Raster *self, gint64 begin, gint64 end, guint top, const GdkRGBA *color, float alpha)
{
  guint scale = (guint) self->context->scale;

  for (guint k = 0; k < scale; k++)
    {
      guint32 *upper = self->pixels + (gsize) (top + k) * self->n;
      guint32 *lower = self->pixels + (gsize) (self->height - 1 - k) * self->n;

      for (gint64 j = 0; j < MIN (scale - k, end - begin); j++)
        {
          guint32 corner = j + 1 == scale - k ? get_pixel (color, alpha * .4f) : 0;
          gint64 left = begin + j - self->first, right = end - 1 - j - self->first;

          if (left >= 0 && left < self->n)
            upper[left] = lower[left] = corner;
          if (right >= 0 && right < self->n)
            upper[right] = lower[right] = corner;
        }
    }
}

/* Draws the part of the box [begin, end) within the tile. begin and end may lie outside, so that
 * adjacent tiles fit together. */
static void
draw_box (Raster *self, gint64 begin, gint64 end, gsize i)
{
  guint paint = MIN (self->track.paint[i], TB_N_PAINTS - 1);
  TbPaintHeight kind = tb_timeline_get_paint_height (self->thread, paint);
  const GdkRGBA *color = &self->context->palette->paint[paint];
  float alpha = is_faint (self, i) ? FAINT : 1.f;
  guint top = get_top (self, kind), scale = (guint) self->context->scale;
  guint x0 = (guint) CLAMP (begin - self->first, 0, (gint64) self->n);
  guint x1 = (guint) CLAMP (end - self->first, 0, (gint64) self->n);
  guint32 pixel = get_pixel (color, alpha);

  if (kind == TB_PAINT_HEIGHT_NONE)
    return;
  if (paint == TB_PAINT_LOST)
    {
      fill_hatch (self, x0, x1, top, self->height, pixel);
      return;
    }
  if (paint == TB_PAINT_ESTIMATED)
    {
      fill_paint (self, x0, x1, top, self->height, paint, alpha);
      return;
    }
  fill_rows (self, x0, x1, top, self->height, pixel);
  if ((double) (self->track.end[i] - self->track.start[i])
      >= self->context->ns_per_column * 5 * scale)
    round_corners (self, begin, end, top, color, alpha);
}

static guint
pop_paint (guint32 *paints)
{
  guint paint = (guint) __builtin_ctz (*paints);

  *paints &= *paints - 1;
  return paint;
}

/* Divides rows [y0, y1) among paints: at least one each, the longest gets the rest. */
static void
draw_stack (Raster *self,
            guint x,
            guint y0,
            guint y1,
            const TbTimelineCoverage *coverage,
            guint32 paints,
            float alpha)
{
  guint rows[TB_N_PAINTS] = { 0 };
  guint n = y1 - y0, used = 0, longest = (guint) __builtin_ctz (paints);
  gint64 total = 0;
  double rows_a_ns;

  if ((paints & (paints - 1)) == 0)
    {
      fill_paint (self, x, x + 1, y0, y1, longest, alpha);
      return;
    }
  for (guint32 left = paints; left != 0;)
    {
      guint paint = pop_paint (&left);

      total += coverage->ns[paint];
      if (coverage->ns[paint] > coverage->ns[longest])
        longest = paint;
    }
  rows_a_ns = total > 0 ? n / (double) total : 0;
  for (guint k = 0; k < TB_N_PAINTS && used + 1 < n; k++)
    {
      guint paint = importance[k];

      if (paint == longest || !(paints & 1u << paint))
        continue;
      rows[paint] = (guint) ((double) coverage->ns[paint] * rows_a_ns + .5);
      rows[paint] = CLAMP (rows[paint], 1, n - 1 - used);
      used += rows[paint];
    }
  rows[longest] = n - used;
  for (guint k = 0, y = y0; k < TB_N_PAINTS && y < y1; k++)
    {
      guint paint = importance[k];

      if (rows[paint] == 0)
        continue;
      fill_paint (self, x, x + 1, y, y + rows[paint], paint, alpha);
      y += rows[paint];
    }
}

static gint64
sum_paints (const TbTimelineCoverage *coverage, guint32 paints)
{
  gint64 sum = 0;

  while (paints != 0)
    sum += coverage->ns[pop_paint (&paints)];
  return sum;
}

/* The strength of a colour: longer is stronger, and never too weak to be visible. */
static float
get_tone (gint64 ns, gint64 length)
{
  return MIN (1.f, MIN_TONE + (1.f - MIN_TONE) * (float) ns / (float) length);
}

static void
draw_shared (Raster *self,
             guint x,
             gint64 length,
             const TbTimelineCoverage *coverage,
             float strength)
{
  guint32 full = coverage->present & self->paints[TB_PAINT_HEIGHT_FULL];
  guint32 middle = coverage->present & self->paints[TB_PAINT_HEIGHT_MIDDLE];
  guint32 thin = coverage->present & self->paints[TB_PAINT_HEIGHT_THIN];
  gint64 full_ns = sum_paints (coverage, full), middle_ns = sum_paints (coverage, middle);
  gint64 thin_ns = sum_paints (coverage, thin);
  guint bottom = thin != 0 ? get_top (self, TB_PAINT_HEIGHT_THIN) : self->height;
  guint middle_top = bottom;

  if (middle != 0)
    {
      middle_top = get_top (self, TB_PAINT_HEIGHT_MIDDLE);
      if (full != 0)
        {
          /* Next to running it gets its share of the height, from below, and always at least a
           * row. */
          guint room = bottom - middle_top;
          guint rows
              = (guint) ((float) room * (float) middle_ns / (float) MAX (1, middle_ns + full_ns)
                         + .5f);

          middle_top = bottom - CLAMP (rows, MIN (room, 2 * (guint) self->context->scale), room);
        }
      draw_stack (self, x, middle_top, bottom, coverage, middle,
                  get_tone (middle_ns, length) * strength);
    }
  if (full != 0)
    draw_stack (self, x, 0, middle_top, coverage, full, get_tone (full_ns, length) * strength);
  if (thin != 0)
    draw_stack (self, x, bottom, self->height, coverage, thin,
                get_tone (thin_ns, length) * strength);
}

static void
add_interval (const Raster *self, gsize i, gint64 from, gint64 to, TbTimelineCoverage *coverage)
{
  guint paint = MIN (self->track.paint[i], TB_N_PAINTS - 1);

  coverage->ns[paint]
      += MIN (tb_timeline_track_get_end (&self->track, i), to) - MAX (self->track.start[i], from);
  coverage->present |= 1u << paint;
}

/* Sums the intervals [i, end) within [from, to): the faint ones, or the others. */
static void
sum_few (const Raster *self,
         gsize i,
         gsize end,
         gint64 from,
         gint64 to,
         gboolean faint,
         TbTimelineCoverage *coverage)
{
  *coverage = (TbTimelineCoverage) { 0 };
  for (; i < end; i++)
    {
      if (is_faint (self, i) == faint)
        add_interval (self, i, from, to, coverage);
    }
}

/* Two wide boxes of the same colour next to each other would look like one. The column where they
 * meet is drawn weaker. */
static gboolean
is_seam (const Raster *self, gsize i, gint64 from, gint64 to)
{
  const TbTimelineTrack *track = &self->track;
  double wide = self->context->ns_per_column * 4 * self->context->scale;

  return i > 0 && i < track->n && track->start[i] >= from && track->start[i] < to
         && track->end[i - 1] == track->start[i] && track->paint[i - 1] == track->paint[i]
         && (double) (track->end[i] - track->start[i]) > wide
         && (double) (track->end[i - 1] - track->start[i - 1]) > wide;
}

static void
add_wide (const Raster *self, gsize i, gint64 columns, GArray *wide)
{
  if (wide == NULL || self->track.paint[i] == TB_PAINT_NONE || is_faint (self, i))
    return;
  if ((double) (self->track.end[i] - self->track.start[i])
      < self->context->ns_per_column * (double) columns)
    return;
  if (wide->len > 0 && g_array_index (wide, gsize, wide->len - 1) == i)
    return;
  g_array_append_val (wide, i);
}

/* Matches of a filter are drawn at full strength among other intervals. */
static void
draw_many (Raster *self, guint x, gsize i, gsize end, gint64 from, gint64 to)
{
  const TbTimelineMatches *matches = self->context->matches;
  gsize n_matched
      = matches != NULL ? tb_timeline_matches_count (matches, self->index, i, end) : end - i;
  TbTimelineCoverage coverage;

  tb_timeline_figure_get_coverage (self->context->figure, self->index, from, to, &coverage);
  if (n_matched > 0 && (n_matched == end - i || n_matched > MAX_SEPARATE_MATCHES))
    {
      draw_shared (self, x, to - from, &coverage, 1.f);
      return;
    }
  draw_shared (self, x, to - from, &coverage, FAINT);
  if (n_matched == 0)
    return;
  coverage = (TbTimelineCoverage) { 0 };
  for (gsize k = tb_timeline_matches_next (matches, self->index, i); k < end;
       k = tb_timeline_matches_next (matches, self->index, k + 1))
    add_interval (self, k, from, to, &coverage);
  draw_shared (self, x, to - from, &coverage, 1.f);
}

/* Draws a column that no interval fills. Returns the first interval that extends beyond it. */
static gsize
draw_column (Raster *self, gint64 column, gsize i, gint64 from, gint64 to)
{
  gsize next = tb_timeline_track_find_from (&self->track, i, to - 1), end;
  guint x = (guint) (column - self->first);
  TbTimelineCoverage coverage;

  /* Several intervals may touch the edge, where some have no duration. */
  for (end = next; end < self->track.n && self->track.start[end] < to;)
    end++;
  if (end - i > MAX_SUMMED)
    {
      draw_many (self, x, i, end, from, to);
      return next;
    }
  if (self->context->matches != NULL)
    {
      sum_few (self, i, end, from, to, TRUE, &coverage);
      draw_shared (self, x, to - from, &coverage, FAINT);
    }
  sum_few (self, i, end, from, to, FALSE, &coverage);
  draw_shared (self, x, to - from, &coverage, is_seam (self, end - 1, from, to) ? .62f : 1.f);
  return next;
}

static void
draw_lost (Raster *self)
{
  gint64 from = tb_timeline_columns_get_time (self->context, self->first);
  gint64 to = tb_timeline_columns_get_time (self->context, self->first + self->n);
  guint32 pixel = get_pixel (&self->context->palette->paint[TB_PAINT_LOST], 1.f);

  for (guint k = 0; k < tb_timeline_figure_get_n_lost (self->context->figure); k++)
    {
      guint32 track;
      gint64 start, end, x0, x1;

      tb_timeline_figure_get_lost (self->context->figure, k, &track, &start, &end, NULL);
      if ((track != TB_ID_NONE && track != self->index) || start >= to || end < from)
        continue;
      /* A stretch is at least wide enough for the hatching to be visible. */
      x0 = tb_timeline_columns_find (self->context, start) - self->first;
      x1 = tb_timeline_columns_find (self->context, end) - self->first + 1;
      x1 = MAX (x1, x0 + 4 * self->context->scale);
      x0 = CLAMP (x0, 0, (gint64) self->n);
      x1 = CLAMP (x1, 0, (gint64) self->n);
      fill_hatch (self, (guint) x0, (guint) x1, 0, self->height, pixel);
    }
}

gboolean
tb_timeline_raster_draw (const TbTimelineContext *context,
                         guint track,
                         gint64 first,
                         guint n,
                         guint height,
                         guint32 *pixels,
                         gint64 wide_columns,
                         GArray *wide)
{
  Raster self = {
    .context = context, .index = track, .first = first, .n = n, .height = height, .pixels = pixels
  };
  gint64 end = first + n;
  gsize i;

  tb_timeline_figure_get_track (context->figure, track, &self.track);
  self.thread = self.track.thread != TB_ID_NONE;
  self.thin = MAX (2, (height + 1) / 3);
  self.middle = MAX (3, height * 2 / 3);
  for (guint paint = 0; paint < TB_N_PAINTS; paint++)
    self.paints[tb_timeline_get_paint_height (self.thread, paint)] |= 1u << paint;

  i = tb_timeline_figure_find (context->figure, track,
                               tb_timeline_columns_get_time (context, first) - 1);
  i = tb_timeline_track_find_from (&self.track, i, tb_timeline_columns_get_time (context, first));
  for (gint64 column = first; column < end && i < self.track.n;)
    {
      gint64 from = tb_timeline_columns_get_time (context, column);
      gint64 to = tb_timeline_columns_get_end (context, column);

      i = tb_timeline_track_find_from (&self.track, i, from);
      if (i == self.track.n)
        break;
      if (self.track.start[i] >= to)
        {
          column = MAX (column + 1, tb_timeline_columns_find_after (context, self.track.start[i]));
          continue;
        }
      add_wide (&self, i, wide_columns, wide);
      if (self.track.start[i] <= from && self.track.end[i] >= to)
        {
          /* An event without duration before it shares its first column. */
          gint64 start
              = i > 0 ? MAX (self.track.start[i], tb_timeline_track_get_end (&self.track, i - 1))
                      : self.track.start[i];
          gint64 begin = tb_timeline_columns_find_from (context, start);
          gint64 beyond = tb_timeline_columns_find_after (context, self.track.end[i]);

          begin += is_seam (&self, i, tb_timeline_columns_get_time (context, begin),
                            tb_timeline_columns_get_end (context, begin));
          draw_box (&self, begin, beyond, i);
          column = MAX (beyond, column + 1);
        }
      else
        {
          i = draw_column (&self, column, i, from, to);
          column++;
        }
    }
  draw_lost (&self);
  return self.drawn;
}
