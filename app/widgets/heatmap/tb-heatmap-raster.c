/* tb-heatmap-raster.c: the pixels of a heat map
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "widgets/heatmap/tb-heatmap-private.h"

/* Colours a number can have: as many on both sides of nothing. */
#define STEPS 255

static inline guint64
get_size (gint64 value)
{
  return value < 0 ? -(guint64) value : (guint64) value;
}

/* The cells of one dimension that a pixel shows, [first, end): those it touches, at least one. Neighbours share none where
 * cells are narrower than pixels, so that each pixel is looked at once. */
static void
find_cells (double from, double n_seen, guint n_pixels, guint pixel, guint n, guint *first, guint *end)
{
  double step = n_seen / n_pixels;
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
      /* What the last pixel touches too. */
      if (pixel + 1 == n_pixels)
        high = (gint64) ceil (from + n_seen);
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
find_spans (double from, double n_seen, guint n_pixels, guint n)
{
  Span *spans = g_new (Span, n_pixels);

  for (guint i = 0; i < n_pixels; i++)
    find_cells (from, n_seen, n_pixels, i, n, &spans[i].first, &spans[i].end);
  return spans;
}

/* The numbers of a row, which are below G_MAXINT64 where they have no sign, go into a line of pixels. */
static void
add_row (TbHeatmapFigure *figure, guint row, const Span *spans, guint width, gint64 *line)
{
  gboolean is_signed = tb_heatmap_figure_is_signed (figure);
  const gint64 *values = is_signed ? tb_heatmap_figure_get_signed_row (figure, row)
                                   : (const gint64 *) (gconstpointer) tb_heatmap_figure_get_row (figure, row);

  for (guint x = 0; x < width; x++)
    {
      gint64 extreme = line[x];

      for (guint column = spans[x].first; column < spans[x].end; column++)
        {
          gint64 value = is_signed ? values[column] : (gint64) MIN ((guint64) values[column], G_MAXINT64);

          if (get_size (value) > get_size (extreme))
            extreme = value;
        }
      line[x] = extreme;
    }
}

gint64 *
tb_heatmap_reduce (TbHeatmapFigure *figure, const TbHeatmapLook *look, guint width, guint height)
{
  guint n_columns = tb_heatmap_figure_get_n_columns (figure);
  guint n_rows = tb_heatmap_figure_get_n_rows (figure);
  gint64 *pixels = g_new0 (gint64, (gsize) width * height + 1);
  g_autofree Span *spans = NULL;
  Span before = { 0, 0 };

  if (n_columns == 0 || n_rows == 0 || width == 0)
    return pixels;
  spans = find_spans (look->column, look->n_columns, width, n_columns);
  for (guint y = 0; y < height; y++)
    {
      gint64 *line = &pixels[(gsize) y * width];
      Span rows;

      /* The lowest row is the first. */
      find_cells (look->row, look->n_rows, height, height - 1 - y, n_rows, &rows.first, &rows.end);
      if (y > 0 && rows.first == before.first && rows.end == before.end)
        memcpy (line, line - width, width * sizeof (gint64));
      else
        for (guint row = rows.first; row < rows.end; row++)
          add_row (figure, row, spans, width, line);
      before = rows;
    }
  return pixels;
}

void
tb_heatmap_find_cell (TbHeatmapFigure *figure,
                      const TbHeatmapLook *look,
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

  find_cells (look->column, look->n_columns, width, x, tb_heatmap_figure_get_n_columns (figure),
              &columns.first, &columns.end);
  find_cells (look->row, look->n_rows, height, height - 1 - y, tb_heatmap_figure_get_n_rows (figure),
              &rows.first, &rows.end);
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
tb_heatmap_get_share (gint64 value, guint64 largest, gboolean logarithmic)
{
  double size = (double) get_size (value), share;

  if (value == 0 || largest == 0)
    return 0;
  share = logarithmic ? log2 (1 + size) / log2 (1 + (double) largest) : size / (double) largest;
  return value < 0 ? -share : share;
}

static guint32
pack (const GdkRGBA *color)
{
  guint32 red = (guint32) lroundf (color->red * 255), green = (guint32) lroundf (color->green * 255);
  guint32 blue = (guint32) lroundf (color->blue * 255);

  return 0xff000000u | red << 16 | green << 8 | blue;
}

/* By step from −STEPS to STEPS; nothing is the surface, unless there is less than that. */
static void
make_colors (const TbPalette *palette, gboolean is_signed, guint32 *colors)
{
  for (int step = -STEPS; step <= STEPS; step++)
    {
      GdkRGBA color = palette->surface;

      if (is_signed)
        tb_palette_get_difference (palette, (double) step / STEPS, &color);
      else if (step > 0)
        tb_palette_get_shade (palette, (double) (step - 1) / (STEPS - 1), &color);
      colors[step + STEPS] = pack (&color);
    }
}

/* Whether the pixel after this one shows other cells, so that this one stays free. */
static gboolean *
find_gaps (double from, double n_seen, guint n_pixels, guint n, guint gap, gboolean reversed)
{
  gboolean *gaps = g_new0 (gboolean, n_pixels);

  if (n_seen * gap > n_pixels)
    return gaps;
  for (guint i = 0; i + 1 < n_pixels; i++)
    {
      guint first, next, end;

      find_cells (from, n_seen, n_pixels, i, n, &first, &end);
      find_cells (from, n_seen, n_pixels, i + 1, n, &next, &end);
      gaps[reversed ? n_pixels - 1 - i : i] = next != first;
    }
  return gaps;
}

static void
paint_line (const gint64 *values,
            guint width,
            const guint32 *colors,
            guint64 largest,
            gboolean logarithmic,
            guint32 *pixels)
{
  for (guint x = 0; x < width; x++)
    {
      int step;

      /* A cell is often many pixels wide. */
      if (x > 0 && values[x] == values[x - 1])
        {
          pixels[x] = pixels[x - 1];
          continue;
        }
      step = (int) lround (tb_heatmap_get_share (values[x], largest, logarithmic) * STEPS);
      if (step == 0 && values[x] != 0)
        step = values[x] < 0 ? -1 : 1; /* what is little is still seen */
      pixels[x] = colors[step + STEPS];
    }
}

GdkTexture *
tb_heatmap_rasterize (TbHeatmapFigure *figure,
                      const TbHeatmapLook *look,
                      guint width,
                      guint height,
                      gboolean logarithmic,
                      guint gap,
                      const TbPalette *palette)
{
  g_autofree gint64 *values = tb_heatmap_reduce (figure, look, width, height);
  g_autofree gboolean *x_gaps = NULL;
  g_autofree gboolean *y_gaps = NULL;
  g_autoptr (GBytes) bytes = NULL;
  guint64 largest = tb_heatmap_figure_get_largest (figure);
  guint32 colors[2 * STEPS + 1], surface = pack (&palette->surface);
  guint32 *pixels = g_new (guint32, (gsize) width * height + 1);

  make_colors (palette, tb_heatmap_figure_is_signed (figure), colors);
  x_gaps = find_gaps (look->column, look->n_columns, width, tb_heatmap_figure_get_n_columns (figure), gap,
                      FALSE);
  y_gaps = find_gaps (look->row, look->n_rows, height, tb_heatmap_figure_get_n_rows (figure), gap, TRUE);
  for (guint y = 0; y < height; y++)
    {
      const gint64 *line = &values[(gsize) y * width];
      guint32 *to = &pixels[(gsize) y * width];

      if (y > 0 && !y_gaps[y - 1] && memcmp (line, line - width, width * sizeof (gint64)) == 0)
        {
          memcpy (to, to - width, width * sizeof (guint32));
        }
      else
        {
          paint_line (line, width, colors, largest, logarithmic, to);
          for (guint x = 0; x < width; x++)
            if (x_gaps[x])
              to[x] = surface;
        }
      for (guint x = 0; y_gaps[y] && x < width; x++)
        to[x] = surface;
    }
  bytes = g_bytes_new_take (pixels, (gsize) width * height * sizeof (guint32));
  return gdk_memory_texture_new ((int) width, (int) height,
                                 G_BYTE_ORDER == G_LITTLE_ENDIAN ? GDK_MEMORY_B8G8R8A8 : GDK_MEMORY_A8R8G8B8,
                                 bytes, (gsize) width * sizeof (guint32));
}
