/* tb-histogram-layout.c: visible bars of a histogram: one for each bin, or for several bins that
 * are narrower than a pixel
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "widgets/histogram/tb-histogram-private.h"

typedef struct
{
  TbHistogramFigure *figure;
  const TbHistogramScale *scale;
  double width;
} Layout;

static double
get_start (const Layout *self, guint bin)
{
  return tb_histogram_scale_get_x (self->scale, self->width,
                                   tb_histogram_figure_get_bin (self->figure, bin)->from);
}

static double
get_end (const Layout *self, guint bin)
{
  return tb_histogram_scale_get_x (self->scale, self->width,
                                   tb_histogram_figure_get_bin (self->figure, bin)->to);
}

/* The first bin of [low, high) that begins at x or after it. */
static guint
find_start (const Layout *self, guint low, guint high, double x)
{
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (get_start (self, middle) < x)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Where bins are narrower than a pixel, all that begin in the same pixel share a bar. */
GArray *
tb_histogram_layout (TbHistogramFigure *figure,
                     const TbMaxima *maxima,
                     const TbHistogramScale *scale,
                     double width)
{
  const Layout layout = { figure, scale, width };
  GArray *bars = g_array_new (FALSE, FALSE, sizeof (TbHistogramBar));
  guint n = tb_histogram_figure_get_n_bins (figure);
  guint first, last;

  if (n == 0 || width <= 0)
    return bars;
  first = tb_histogram_scale_find_bin (scale, figure, width, 0);
  last = tb_histogram_scale_find_bin (scale, figure, width, width);
  for (guint bin = first; bin <= last;)
    {
      TbHistogramBar bar = { .first = bin, .end = bin + 1, .x = get_start (&layout, bin) };

      bar.width = get_end (&layout, bin) - bar.x;
      if (bar.width < 1)
        {
          double pixel = floor (MAX (bar.x, 0));

          bar.end = MAX (bin + 1, find_start (&layout, bin + 1, last + 1, pixel + 1));
          bar.x = pixel;
          bar.width = 1;
        }
      bar.count = tb_maxima_get (maxima, bar.first, bar.end);
      if (bar.count > 0 && bar.x < width && bar.x + bar.width > 0)
        g_array_append_val (bars, bar);
      bin = bar.end;
    }
  return bars;
}
