/* tb-heatmap-raster.c: pixels of a heat map, as a picture: the most extreme cell at each pixel, and
 * its colour on a linear or logarithmic scale; the cell that a pixel shows
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "widgets/heatmap/tb-heatmap-private.h"

/* Bits after the leading one by which the step of a number is looked up. */
#define LEADING 6

static inline guint64
get_size (gint64 value)
{
  return value < 0 ? -(guint64) value : (guint64) value;
}

/* The cells of one dimension that a pixel shows, [first, end): those that it touches, at least one.
 * Neighbouring pixels share none where cells are narrower than pixels, so that each cell is
 * examined once. */
static void
find_cells (double from,
            double n_visible,
            guint n_pixels,
            guint pixel,
            guint n,
            guint *first,
            guint *end)
{
  double step = n_visible / n_pixels;
  gint64 low, high;

  if (step < 1)
    {
      low = (gint64) floor (from + (pixel + .5) * step);
      high = low + 1;
    }
  else
    {
      low = (gint64) floor (from + pixel * step);
      high = (gint64) floor (from + (pixel + 1) * step);
      /* The last pixel includes every cell that it touches. */
      if (pixel + 1 == n_pixels)
        high = (gint64) ceil (from + n_visible);
    }
  low = CLAMP (low, 0, (gint64) n - 1);
  *first = (guint) low;
  *end = (guint) CLAMP (high, low + 1, (gint64) n);
}

typedef struct
{
  guint first;
  guint end;
} Span;

static Span *
find_spans (double from, double n_visible, guint n_pixels, guint n)
{
  Span *spans = g_new (Span, n_pixels);

  for (guint i = 0; i < n_pixels; i++)
    find_cells (from, n_visible, n_pixels, i, n, &spans[i].first, &spans[i].end);
  return spans;
}

/* The smallest of the sizes 1…largest that has at least the given step. */
static guint64
find_threshold (guint step, guint64 largest, gboolean logarithmic)
{
  guint64 low = 1, high = largest;

  while (low < high)
    {
      guint64 middle = low + (high - low) / 2;

      if (lround (tb_heatmap_get_share (middle, largest, logarithmic) * TB_HEATMAP_STEPS) >= step)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* Sizes with the same leading bits begin in one step, which is looked up. Only few steps are left
 * to examine. */
typedef struct
{
  guint64 from[TB_HEATMAP_STEPS + 2];
  guint8 first[64 << LEADING];
} Scale;

static inline guint
get_leading (guint64 size)
{
  guint bits = 63 - (guint) __builtin_clzll (size);
  guint64 part = bits >= LEADING ? size >> (bits - LEADING) : size << (LEADING - bits);

  return bits << LEADING | ((guint) part & ((1 << LEADING) - 1));
}

static guint
find_step (const Scale *scale, guint step, guint64 size)
{
  while (step < TB_HEATMAP_STEPS && size >= scale->from[step + 1])
    step++;
  return step;
}

static void
make_scale (Scale *scale, guint64 largest, gboolean logarithmic)
{
  scale->from[1] = 1; /* small numbers remain visible */
  for (guint step = 2; step <= TB_HEATMAP_STEPS; step++)
    scale->from[step] = find_threshold (step, largest, logarithmic);
  for (guint bits = 0; bits < 64; bits++)
    for (guint part = 0; part < 1 << LEADING; part++)
      {
        guint64 least = G_GUINT64_CONSTANT (1) << bits;

        if (bits >= LEADING)
          least |= (guint64) part << (bits - LEADING);
        scale->first[bits << LEADING | part] = (guint8) find_step (scale, 1, least);
      }
}

/* Computes the strength of each cell's colour, in one byte instead of eight. The most extreme
 * number is also the strongest. */
static void
fill_steps (TbHeatmapSteps *self, TbHeatmapFigure *figure, gboolean logarithmic)
{
  g_autofree Scale *scale = g_new (Scale, 1);
  gboolean is_signed = tb_heatmap_figure_is_signed (figure);

  make_scale (scale, MAX (1, tb_heatmap_figure_get_largest (figure)), logarithmic);
  for (guint row = 0; row < self->n_rows; row++)
    {
      const gint64 *values
          = is_signed ? tb_heatmap_figure_get_signed_row (figure, row)
                      : (const gint64 *) (gconstpointer) tb_heatmap_figure_get_row (figure, row);
      guint8 *more = &self->more[(gsize) row * self->n_columns];
      guint8 *less = is_signed ? &self->less[(gsize) row * self->n_columns] : NULL;

      for (guint column = 0; column < self->n_columns; column++)
        {
          gboolean negative = is_signed && values[column] < 0;
          guint64 size = is_signed ? get_size (values[column]) : (guint64) values[column];

          if (size != 0)
            (negative ? less : more)[column]
                = (guint8) find_step (scale, scale->first[get_leading (size)], size);
        }
    }
}

TbHeatmapSteps *
tb_heatmap_steps_new (TbHeatmapFigure *figure, gboolean logarithmic)
{
  TbHeatmapSteps *self = g_new0 (TbHeatmapSteps, 1);
  gsize n;

  self->figure = g_object_ref (figure);
  self->n_columns = tb_heatmap_figure_get_n_columns (figure);
  self->n_rows = tb_heatmap_figure_get_n_rows (figure);
  n = (gsize) self->n_columns * self->n_rows;
  self->more = g_new0 (guint8, n + 1);
  if (tb_heatmap_figure_is_signed (figure))
    self->less = g_new0 (guint8, n + 1);
  fill_steps (self, figure, logarithmic);
  return self;
}

void
tb_heatmap_steps_free (TbHeatmapSteps *self)
{
  g_object_unref (self->figure);
  g_free (self->more);
  g_free (self->less);
  g_free (self);
}

/* The strongest step of each column in some rows, then of the columns of each pixel. */
static void
reduce_line (const TbHeatmapSteps *self,
             const guint8 *steps,
             Span rows,
             const Span *spans,
             guint width,
             guint8 *columns,
             guint8 *line)
{
  guint first = spans[0].first, n = spans[width - 1].end - first;

  memcpy (columns, &steps[(gsize) rows.first * self->n_columns + first], n);
  for (guint row = rows.first + 1; row < rows.end; row++)
    {
      const guint8 *from = &steps[(gsize) row * self->n_columns + first];

      for (guint i = 0; i < n; i++)
        columns[i] = MAX (columns[i], from[i]);
    }
  for (guint x = 0; x < width; x++)
    {
      guint8 strongest = columns[spans[x].first - first];

      for (guint i = spans[x].first - first + 1; i < spans[x].end - first; i++)
        strongest = MAX (strongest, columns[i]);
      line[x] = strongest;
    }
}

/* Where positive and negative steps are equally strong, the numbers themselves decide. */
static gboolean
is_less (const TbHeatmapSteps *self, Span rows, Span columns)
{
  gint64 extreme = 0;

  for (guint row = rows.first; row < rows.end; row++)
    {
      const gint64 *values = tb_heatmap_figure_get_signed_row (self->figure, row);

      for (guint column = columns.first; column < columns.end; column++)
        if (get_size (values[column]) > get_size (extreme))
          extreme = values[column];
    }
  return extreme < 0;
}

/* The step of each pixel of a line, −TB_HEATMAP_STEPS…TB_HEATMAP_STEPS. */
static void
reduce_rows (const TbHeatmapSteps *self,
             Span rows,
             const Span *spans,
             guint width,
             guint8 *scratch,
             gint16 *line)
{
  guint8 *more = &scratch[self->n_columns], *less = &more[width];

  reduce_line (self, self->more, rows, spans, width, scratch, more);
  if (self->less == NULL)
    {
      for (guint x = 0; x < width; x++)
        line[x] = more[x];
      return;
    }
  reduce_line (self, self->less, rows, spans, width, scratch, less);
  for (guint x = 0; x < width; x++)
    if (more[x] != less[x])
      line[x] = (gint16) (more[x] > less[x] ? more[x] : -less[x]);
    else
      line[x] = (gint16) (more[x] != 0 && is_less (self, rows, spans[x]) ? -less[x] : more[x]);
}

gint16 *
tb_heatmap_reduce (const TbHeatmapSteps *self,
                   const TbHeatmapViewport *viewport,
                   guint width,
                   guint height)
{
  gint16 *pixels = g_new0 (gint16, (gsize) width * height + 1);
  g_autofree guint8 *scratch = NULL;
  g_autofree Span *spans = NULL;
  Span before = { 0, 0 };

  if (self->n_columns == 0 || self->n_rows == 0 || width == 0)
    return pixels;
  spans = find_spans (viewport->column, viewport->n_columns, width, self->n_columns);
  scratch = g_new (guint8, (gsize) self->n_columns + 2 * (gsize) width);
  for (guint y = 0; y < height; y++)
    {
      gint16 *line = &pixels[(gsize) y * width];
      Span rows;

      /* The lowest row is the first. */
      find_cells (viewport->row, viewport->n_rows, height, height - 1 - y, self->n_rows,
                  &rows.first, &rows.end);
      if (y > 0 && rows.first == before.first && rows.end == before.end)
        memcpy (line, line - width, width * sizeof *line);
      else
        reduce_rows (self, rows, spans, width, scratch, line);
      before = rows;
    }
  return pixels;
}

void
tb_heatmap_find_cell (TbHeatmapFigure *figure,
                      const TbHeatmapViewport *viewport,
                      guint width,
                      guint height,
                      guint x,
                      guint y,
                      guint *row,
                      guint *column)
{
  gboolean is_signed = tb_heatmap_figure_is_signed (figure);
  guint64 extreme = 0;
  Span rows, columns;

  find_cells (viewport->column, viewport->n_columns, width, x,
              tb_heatmap_figure_get_n_columns (figure), &columns.first, &columns.end);
  find_cells (viewport->row, viewport->n_rows, height, height - 1 - y,
              tb_heatmap_figure_get_n_rows (figure), &rows.first, &rows.end);
  *row = rows.first;
  *column = columns.first;
  for (guint i = rows.first; i < rows.end; i++)
    for (guint k = columns.first; k < columns.end; k++)
      {
        guint64 size = is_signed ? get_size (tb_heatmap_figure_get_signed_row (figure, i)[k])
                                 : tb_heatmap_figure_get_row (figure, i)[k];

        if (size <= extreme)
          continue;
        extreme = size;
        *row = i;
        *column = k;
      }
}

double
tb_heatmap_get_share (guint64 size, guint64 largest, gboolean logarithmic)
{
  if (size == 0 || largest == 0)
    return 0;
  return logarithmic ? log2 (1 + (double) size) / log2 (1 + (double) largest)
                     : (double) size / (double) largest;
}

static guint32
pack (const GdkRGBA *color)
{
  guint32 red = (guint32) lroundf (color->red * 255),
          green = (guint32) lroundf (color->green * 255);
  guint32 blue = (guint32) lroundf (color->blue * 255);

  return 0xff000000u | red << 16 | green << 8 | blue;
}

/* Colours by step from −TB_HEATMAP_STEPS to TB_HEATMAP_STEPS. Zero has the colour of the surface,
 * unless there are negative numbers. */
static void
make_colors (const TbPalette *palette, gboolean is_signed, guint32 *colors)
{
  for (int step = -TB_HEATMAP_STEPS; step <= TB_HEATMAP_STEPS; step++)
    {
      GdkRGBA color = palette->surface;

      if (is_signed)
        tb_palette_get_difference (palette, (double) step / TB_HEATMAP_STEPS, &color);
      else if (step > 0)
        tb_palette_get_shade (palette, (double) (step - 1) / (TB_HEATMAP_STEPS - 1), &color);
      colors[step + TB_HEATMAP_STEPS] = pack (&color);
    }
}

/* Whether the next pixel shows other cells, so that this one stays free. */
static gboolean *
find_gaps (double from, double n_visible, guint n_pixels, guint n, guint gap, gboolean reversed)
{
  gboolean *gaps = g_new0 (gboolean, n_pixels);

  if (n_visible * gap > n_pixels)
    return gaps;
  for (guint i = 0; i + 1 < n_pixels; i++)
    {
      guint first, next, end;

      find_cells (from, n_visible, n_pixels, i, n, &first, &end);
      find_cells (from, n_visible, n_pixels, i + 1, n, &next, &end);
      gaps[reversed ? n_pixels - 1 - i : i] = next != first;
    }
  return gaps;
}

GdkTexture *
tb_heatmap_rasterize (const TbHeatmapSteps *steps,
                      const TbHeatmapViewport *viewport,
                      guint width,
                      guint height,
                      guint gap,
                      const TbPalette *palette)
{
  g_autofree gint16 *reduced = tb_heatmap_reduce (steps, viewport, width, height);
  g_autofree gboolean *x_gaps
      = find_gaps (viewport->column, viewport->n_columns, width, steps->n_columns, gap, FALSE);
  g_autofree gboolean *y_gaps
      = find_gaps (viewport->row, viewport->n_rows, height, steps->n_rows, gap, TRUE);
  g_autoptr (GBytes) bytes = NULL;
  guint32 colors[2 * TB_HEATMAP_STEPS + 1], surface = pack (&palette->surface);
  guint32 *pixels = g_new (guint32, (gsize) width * height + 1);

  make_colors (palette, steps->less != NULL, colors);
  for (guint y = 0; y < height; y++)
    {
      const gint16 *line = &reduced[(gsize) y * width];
      guint32 *to = &pixels[(gsize) y * width];

      for (guint x = 0; x < width; x++)
        to[x] = x_gaps[x] || y_gaps[y] ? surface : colors[line[x] + TB_HEATMAP_STEPS];
    }
  bytes = g_bytes_new_take (pixels, (gsize) width * height * sizeof (guint32));
  return gdk_memory_texture_new ((int) width, (int) height,
                                 G_BYTE_ORDER == G_LITTLE_ENDIAN ? GDK_MEMORY_B8G8R8A8
                                                                 : GDK_MEMORY_A8R8G8B8,
                                 bytes, (gsize) width * sizeof (guint32));
}
