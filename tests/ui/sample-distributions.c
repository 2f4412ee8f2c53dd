/* sample-distributions.c: sample histograms and heat maps for inspection and tests
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/tb-report.h"
#include "sample-figures.h"

/* Calls of 2^5 ns and more, in three groups: the first is by far the most frequent, the last has
 * most of the time. */
static const guint64 latencies[]
    = { 4,   40, 1200, 90000, 620000, 380000, 70000, 9000, 900,  300,  1800, 6200, 2100,
        240, 30, 5,    3,     2,      60,     420,   980,  1700, 1300, 500,  90,   9 };

static TbHistogramFigure *
new_latencies (void)
{
  TbHistogramFigure *figure = tb_histogram_figure_new ("latency", "How long read took", "ns");

  tb_histogram_figure_set_logarithmic (figure, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (latencies); i++)
    tb_histogram_figure_add_bin (figure, G_GINT64_CONSTANT (1) << (i + 4),
                                 G_GINT64_CONSTANT (1) << (i + 5));
  return figure;
}

static void
fill_series (TbHistogramFigure *figure, guint series, guint shift, guint divisor)
{
  for (guint i = 0; i < G_N_ELEMENTS (latencies); i++)
    {
      guint64 count = i >= shift ? latencies[i - shift] / divisor : 0;

      tb_histogram_figure_set_count (figure, series, i, count,
                                     count * (G_GUINT64_CONSTANT (3) << (i + 3)));
    }
}

static void
add_peaks (TbHistogramFigure *figure)
{
  tb_histogram_figure_add_mark (figure, "1", "peak 1", 1 << 5, 1 << 12);
  tb_histogram_figure_add_mark (figure, "2", "peak 2", 1 << 13, 1 << 19);
  tb_histogram_figure_add_mark (figure, "3", "peak 3", 1 << 22, 1 << 30);
}

TbHistogramFigure *
sample_histogram (void)
{
  TbHistogramFigure *figure = new_latencies ();

  fill_series (figure, tb_histogram_figure_add_series (figure, "read", "read"), 0, 1);
  add_peaks (figure);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbHistogramFigure *
sample_histogram_uncertain (void)
{
  TbHistogramFigure *figure = new_latencies ();

  fill_series (figure, tb_histogram_figure_add_series (figure, "read", "read"), 0, 1);
  add_peaks (figure);
  tb_histogram_figure_set_uncertain (figure, 1 << 9, "no longer than the probes");
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbHistogramFigure *
sample_histogram_two (void)
{
  TbHistogramFigure *figure = new_latencies ();

  fill_series (figure, tb_histogram_figure_add_series (figure, "before", "before"), 0, 1);
  fill_series (figure, tb_histogram_figure_add_series (figure, "after", "after"), 2, 3);
  add_peaks (figure);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbHistogramFigure *
sample_histogram_random (guint n_bins)
{
  TbHistogramFigure *figure = tb_histogram_figure_new ("sizes", "Sizes", "bytes");
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  guint series;

  for (guint i = 0; i < n_bins; i++)
    tb_histogram_figure_add_bin (figure, i * 10, i * 10 + 10);
  series = tb_histogram_figure_add_series (figure, "all", "all");
  for (guint i = 0; i < n_bins; i++)
    {
      double at = (double) i / n_bins;
      guint64 count = (guint64) (1000 * exp (-40 * (at - .3) * (at - .3)) * g_rand_double (rand));

      /* One in a thousand is much higher than its neighbours, at any position. */
      tb_histogram_figure_set_count (figure, series, i, i % 9973 == 77 ? 5000 : count, G_MAXUINT64);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbHistogramFigure *
sample_histogram_empty (void)
{
  TbHistogramFigure *figure = tb_histogram_figure_new ("latency", "How long read took", "ns");

  tb_histogram_figure_add_series (figure, "read", "read");
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbHeatmapFigure *
sample_heatmap (void)
{
  TbHeatmapFigure *figure
      = tb_heatmap_figure_new ("over-time", "How long read took over time", "calls", SAMPLE_START,
                               SAMPLE_START + 265 * SAMPLE_MS, 60);

  tb_heatmap_figure_set_axis_titles (figure, "Latency, at least", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (latencies); i++)
    {
      g_autofree char *item = g_strdup_printf ("%u", i);
      g_autofree char *label = tb_format_duration (G_GINT64_CONSTANT (1) << (i + 4));
      guint64 values[60];

      for (guint slice = 0; slice < 60; slice++)
        values[slice] = i >= 18 ? (slice % 15 == 7 ? latencies[i] / 4 : 0)
                                : latencies[i] / 60 * (1 + slice % 3 / 4);
      tb_heatmap_figure_add_row (figure, item, label, values);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* Paths and their frames, as differences. */
TbHeatmapFigure *
sample_heatmap_differences (void)
{
  static const char *const paths[]
      = { "sha512_rounds",   "fsync",
          "memcpy",          "inflate_fast",
          "poll_for_events", "very_long_function_name_of_a_template<int, std::string, allocator>" };
  static const char *const frames[]
      = { "main", "loop", "handle", "read", "decode", "copy", "write", "flush", NULL };
  TbHeatmapFigure *figure = tb_heatmap_figure_new ("heat", "Paths and frames", "ns", 0, 8, 8);

  tb_heatmap_figure_set_columns (figure, frames);
  tb_heatmap_figure_set_axis_titles (figure, "Path", "Frame, outermost first");
  tb_heatmap_figure_set_signed (figure);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *item = g_strdup_printf ("path%u", i);
      gint64 values[8];

      for (guint k = 0; k < 8; k++)
        values[k]
            = k > i + 3 ? 0 : ((gint64) ((i * 7 + k * 5) % 11) - 5) * (gint64) (k + 1) * 1700000;
      tb_heatmap_figure_add_signed_row (figure, item, paths[i], values);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbHeatmapFigure *
sample_heatmap_random (guint n_rows, guint n_columns)
{
  TbHeatmapFigure *figure
      = tb_heatmap_figure_new ("over-time", "Calls over time", "calls", SAMPLE_START,
                               SAMPLE_START + 265 * SAMPLE_MS, n_columns);
  g_autofree guint64 *values = g_new (guint64, n_columns);
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);

  for (guint i = 0; i < n_rows; i++)
    {
      g_autofree char *item = g_strdup_printf ("%u", i);
      g_autofree char *label = g_strdup_printf ("thread %u", i);

      for (guint k = 0; k < n_columns; k++)
        {
          double wave = sin (i / 90.) * cos (k / 170.);

          values[k] = wave > .2 ? (guint64) (wave * 100 * g_rand_double (rand)) : 0;
          if (g_rand_int_range (rand, 0, 50000) == 0)
            values[k] = 100000;
        }
      tb_heatmap_figure_add_row (figure, item, label, values);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

TbHeatmapFigure *
sample_heatmap_empty (void)
{
  TbHeatmapFigure *figure = tb_heatmap_figure_new ("over-time", "Calls over time", "calls",
                                                   SAMPLE_START, SAMPLE_START + SAMPLE_MS, 10);

  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}
