/* test-histogram.c: test of bars, maxima and positions of a histogram against a check of each bin
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "widgets/histogram/tb-histogram-private.h"

static TbHistogramFigure *
random_histogram (guint n, gboolean logarithmic)
{
  TbHistogramFigure *figure = tb_histogram_figure_new ("h", "H", "ns");
  gint64 at = g_test_rand_int_range (-5, 5);
  guint series;

  tb_histogram_figure_set_logarithmic (figure, logarithmic);
  for (guint i = 0; i < n; i++)
    {
      gint64 length = logarithmic ? ABS (at) / 2 + 1 : g_test_rand_int_range (1, 40);

      at += g_test_rand_int_range (0, 5) == 0 ? g_test_rand_int_range (0, 9) : 0;
      /* Logarithmic bins end at the largest number. */
      if (at > G_MAXINT64 / 4)
        break;
      tb_histogram_figure_add_bin (figure, at, at + length);
      at += length;
    }
  series = tb_histogram_figure_add_series (figure, "a", "A");
  for (guint i = 0; i < tb_histogram_figure_get_n_bins (figure); i++)
    {
      guint64 count
          = g_test_rand_int_range (0, 4) == 0 ? (guint64) g_test_rand_int_range (0, 100000) : 0;

      tb_histogram_figure_set_count (figure, series, i, count, count * 3);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static void
test_maxima (void)
{
  for (guint round = 0; round < 200; round++)
    {
      gsize n = (gsize) g_test_rand_int_range (0, 3000);
      g_autofree guint64 *values = g_new (guint64, n + 1);
      TbMaxima *maxima;

      for (gsize i = 0; i < n; i++)
        values[i] = (guint64) g_test_rand_int_range (0, 1000000);
      maxima = tb_maxima_new (values, n);
      for (guint k = 0; k < 50; k++)
        {
          gsize first = (gsize) g_test_rand_int_range (0, (gint32) n + 1);
          gsize end = (gsize) g_test_rand_int_range ((gint32) first, (gint32) n + 1);
          guint64 greatest = 0;

          for (gsize i = first; i < end; i++)
            greatest = MAX (greatest, values[i]);
          g_assert_cmpuint (tb_maxima_get (maxima, first, end), ==, greatest);
        }
      tb_maxima_free (maxima);
    }
}

/* Every visible, non-empty bin is covered by a bar at least as high, near its position; the number
 * of bars is small. */
static void
check_bars (TbHistogramFigure *figure, const TbHistogramScale *scale, double width)
{
  const guint64 *counts = tb_histogram_figure_get_counts (figure, 0);
  TbMaxima *maxima = tb_maxima_new (counts, tb_histogram_figure_get_n_bins (figure));
  g_autoptr (GArray) bars = tb_histogram_layout (figure, maxima, scale, width);
  guint next = 0;

  g_assert_cmpuint (bars->len, <=, 2 * (guint) width + 4);
  for (guint bin = 0; bin < tb_histogram_figure_get_n_bins (figure); bin++)
    {
      const TbHistogramBin *range = tb_histogram_figure_get_bin (figure, bin);
      double left = tb_histogram_scale_get_x (scale, width, range->from);
      double right = tb_histogram_scale_get_x (scale, width, range->to);
      const TbHistogramBar *bar;

      if (counts[bin] == 0 || right <= 0 || left >= width)
        continue;
      while (next < bars->len && g_array_index (bars, TbHistogramBar, next).end <= bin)
        next++;
      g_assert_cmpuint (next, <, bars->len);
      bar = &g_array_index (bars, TbHistogramBar, next);
      g_assert_cmpuint (bar->first, <=, bin);
      g_assert_cmpuint (bar->count, >=, counts[bin]);
      g_assert_cmpfloat (bar->x, <=, MAX (left, 0) + .001);
      g_assert_cmpfloat (bar->x + bar->width, >=, left - .001);
      g_assert_cmpfloat (bar->x, >=, left - 1.001);
    }
  for (guint i = 0; i < bars->len; i++)
    {
      const TbHistogramBar *bar = &g_array_index (bars, TbHistogramBar, i);
      guint64 greatest = 0;

      for (guint bin = bar->first; bin < bar->end; bin++)
        greatest = MAX (greatest, counts[bin]);
      g_assert_cmpuint (bar->count, ==, greatest);
      g_assert_cmpuint (bar->count, >, 0);
    }
  tb_maxima_free (maxima);
}

static void
test_bars (void)
{
  for (guint round = 0; round < 200; round++)
    {
      gboolean logarithmic = g_test_rand_bit ();
      g_autoptr (TbHistogramFigure) figure
          = random_histogram ((guint) g_test_rand_int_range (1, logarithmic ? 60 : 4000),
                              logarithmic);
      TbHistogramScale scale;

      tb_histogram_scale_init (&scale, figure, g_test_rand_bit ());
      check_bars (figure, &scale, g_test_rand_int_range (1, 1200));
      for (guint k = 0; k < 6; k++)
        {
          tb_histogram_scale_zoom (&scale, g_test_rand_double_range (scale.from, scale.to),
                                   g_test_rand_double_range (.2, 1.3));
          tb_histogram_scale_pan (&scale,
                                  g_test_rand_double_range (-1, 1) * (scale.to - scale.from));
          g_assert_cmpfloat (scale.from, >=, scale.start - 1e-6);
          g_assert_cmpfloat (scale.to, <=, scale.end + 1e-6 * (1 + ABS (scale.end)));
          check_bars (figure, &scale, g_test_rand_int_range (1, 1200));
        }
    }
}

static void
test_hits (void)
{
  for (guint round = 0; round < 100; round++)
    {
      gboolean logarithmic = g_test_rand_bit ();
      g_autoptr (TbHistogramFigure) figure
          = random_histogram ((guint) g_test_rand_int_range (1, 60), logarithmic);
      TbHistogramScale scale;

      tb_histogram_scale_init (&scale, figure, logarithmic);
      for (guint bin = 0; bin < tb_histogram_figure_get_n_bins (figure); bin++)
        {
          const TbHistogramBin *range = tb_histogram_figure_get_bin (figure, bin);
          double left = tb_histogram_scale_get_x (&scale, 900, range->from);
          double right = tb_histogram_scale_get_x (&scale, 900, range->to);

          g_assert_cmpuint (tb_histogram_scale_find_bin (&scale, figure, 900, (left + right) / 2),
                            ==, bin);
        }
    }
}

/* Percentiles as from the single values, to the precision of their bins. */
static void
test_percentiles (void)
{
  for (guint round = 0; round < 100; round++)
    {
      g_autoptr (TbHistogramFigure) figure
          = random_histogram ((guint) g_test_rand_int_range (1, 200), FALSE);
      const guint64 *counts = tb_histogram_figure_get_counts (figure, 0);
      double share = g_test_rand_double ();
      guint64 count, total;
      double before = 0;
      gint64 value;

      tb_histogram_figure_get_sum (figure, 0, 0, tb_histogram_figure_get_n_bins (figure), &count,
                                   &total);
      if (!tb_histogram_figure_get_percentile (figure, 0, share, &value))
        {
          g_assert_cmpuint (count, ==, 0);
          continue;
        }
      for (guint bin = 0; bin < tb_histogram_figure_get_n_bins (figure); bin++)
        {
          const TbHistogramBin *range = tb_histogram_figure_get_bin (figure, bin);

          if (value >= range->to)
            before += (double) counts[bin];
          else if (value >= range->from)
            {
              g_assert_cmpfloat (before, <=, share * (double) count + 1e-6);
              g_assert_cmpfloat (before + (double) counts[bin], >=, share * (double) count - 1e-6);
            }
        }
    }
}

static void
test_items (void)
{
  g_autoptr (TbHistogramFigure) figure = tb_histogram_figure_new ("h", "H", "ns");
  g_autofree char *mark = NULL;
  g_autofree char *bin = NULL;
  g_autofree char *range = NULL;
  g_autofree char *text = NULL;
  guint first, end, series;

  for (guint i = 0; i < 10; i++)
    tb_histogram_figure_add_bin (figure, i * 1000, i * 1000 + 1000);
  series = tb_histogram_figure_add_series (figure, "a", "A");
  for (guint i = 0; i < 10; i++)
    tb_histogram_figure_set_count (figure, series, i, 10, 10 * i * 1000);
  tb_histogram_figure_add_mark (figure, "2", "Peak 2", 3000, 5000);
  tb_figure_freeze (TB_FIGURE (figure));
  mark = tb_histogram_figure_get_item (figure, 3, 5);
  g_assert_cmpstr (mark, ==, "2");
  bin = tb_histogram_figure_get_item (figure, 7, 8);
  g_assert_cmpstr (bin, ==, "bin-7");
  range = tb_histogram_figure_get_item (figure, 3, 6);
  g_assert_cmpstr (range, ==, "3000..6000");
  g_assert_true (tb_histogram_figure_find_item (figure, "2", &first, &end));
  g_assert_cmpuint (first, ==, 3);
  g_assert_cmpuint (end, ==, 5);
  g_assert_true (tb_histogram_figure_find_item (figure, "bin-9", &first, &end));
  g_assert_cmpuint (first, ==, 9);
  g_assert_true (tb_histogram_figure_find_item (figure, "2500..2600", &first, &end));
  g_assert_cmpuint (first, ==, 2);
  g_assert_cmpuint (end, ==, 3);
  for (guint i = 0; i < 6; i++)
    g_assert_false (tb_histogram_figure_find_item (figure,
                                                   (const char *[]) { NULL, "", "bin-10", "9..3",
                                                                      "x..y", "99999..100000" }[i],
                                                   &first, &end));
  text = tb_histogram_figure_describe (figure, 3, 5);
  g_assert_cmpstr (text, ==, "Peak 2: 20 times, 20 % of all; 70 µs in total, 16 % of the sum");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/widgets/histogram/maxima", test_maxima);
  g_test_add_func ("/widgets/histogram/bars", test_bars);
  g_test_add_func ("/widgets/histogram/hits", test_hits);
  g_test_add_func ("/widgets/histogram/percentiles", test_percentiles);
  g_test_add_func ("/widgets/histogram/items", test_items);
  return g_test_run ();
}
