/* test-timeline-raster.c: test of the pixels of a track against a check of every interval
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "widgets/timeline/tb-timeline-match-private.h"

#define HEIGHT 22
#define COLUMNS 300

typedef struct
{
  TbTimelineFigure *figure;
  TbTimelineContext context;
  TbTimelineTrack track;
} Fixture;

static void
fixture_init (Fixture *fixture, gsize n, gint64 longest, gboolean thread)
{
  gint64 *start = g_new (gint64, MAX (1, n)), *end = g_new (gint64, MAX (1, n)), at = 1000;
  guint8 *paint = g_new (guint8, MAX (1, n));

  for (gsize i = 0; i < n; i++)
    {
      if (g_test_rand_int_range (0, 4) == 0)
        at += g_test_rand_int_range (0, (gint32) longest);
      start[i] = at;
      /* Some have length 0, few are long. */
      if (g_test_rand_int_range (0, 8) != 0)
        at += g_test_rand_int_range (1, g_test_rand_int_range (0, 8) == 0 ? (gint32) longest * 8
                                                                          : (gint32) longest);
      end[i] = at;
      paint[i] = (guint8) g_test_rand_int_range (TB_PAINT_NONE, TB_N_PAINTS);
      /* Stripes would not be visible in every column. */
      if (paint[i] == TB_PAINT_LOST)
        paint[i] = TB_PAINT_RUNNING;
    }
  {
    g_autoptr (GBytes) starts = g_bytes_new_take (start, n * sizeof (gint64));
    g_autoptr (GBytes) ends = g_bytes_new_take (end, n * sizeof (gint64));
    g_autoptr (GBytes) paints = g_bytes_new_take (paint, n);

    fixture->figure = tb_timeline_figure_new ("f", "F", 1000, MAX (at, 1001));
    tb_timeline_figure_add_track (fixture->figure, "t", "t", NULL, thread ? 1 : TB_ID_NONE);
    tb_timeline_figure_set_intervals (fixture->figure, 0, n, starts, ends, paints);
    tb_figure_freeze (TB_FIGURE (fixture->figure));
  }
  tb_timeline_figure_get_track (fixture->figure, 0, &fixture->track);
  fixture->context = (TbTimelineContext) {
    .figure = fixture->figure,
    .palette = tb_palette_get (TB_PALETTE_LIGHT),
    .origin = 1000,
    .ns_per_column = (double) (at - 1000) / COLUMNS * g_test_rand_double_range (.02, 1.1),
    .scale = 1,
    .bar_height = HEIGHT,
    .row_height = HEIGHT + 7,
    .plot_width = COLUMNS,
    .selected_track = TB_TRACK_NONE,
  };
  fixture->context.ns_per_column = MAX (fixture->context.ns_per_column, .3);
}

static void
fixture_clear (Fixture *fixture)
{
  g_clear_object (&fixture->figure);
}

/* The paint with which a pixel was drawn, at any strength. */
static guint
paint_of_pixel (const TbPalette *palette, guint32 pixel)
{
  float alpha = (float) (pixel >> 24), red = (float) (pixel >> 16 & 255),
        green = (float) (pixel >> 8 & 255), blue = (float) (pixel & 255), best = 1e9f;
  guint found = TB_PAINT_NONE;

  if (alpha == 0)
    return TB_PAINT_NONE;
  for (guint paint = 1; paint < TB_N_PAINTS; paint++)
    {
      const GdkRGBA *color = &palette->paint[paint];
      float distance = fabsf (red - color->red * alpha) + fabsf (green - color->green * alpha)
                       + fabsf (blue - color->blue * alpha);

      if (distance < best)
        {
          best = distance;
          found = paint;
        }
    }
  g_assert_cmpfloat (best, <, 4);
  return found;
}

static void
column_times (const Fixture *fixture, gint64 column, gint64 *from, gint64 *to)
{
  *from = 1000 + (gint64) floor ((double) column * fixture->context.ns_per_column);
  *to = MAX (1000 + (gint64) floor ((double) (column + 1) * fixture->context.ns_per_column),
             *from + 1);
}

/* Every paint that occurs in the time of a column, however briefly, is visible in it, and no other
 * one. */
static void
check_columns (const Fixture *fixture, gint64 first, const guint32 *pixels)
{
  for (guint x = 0; x < COLUMNS; x++)
    {
      guint32 expected = 0, seen = 0;
      gint64 from, to;

      column_times (fixture, first + x, &from, &to);
      for (gsize i = 0; i < fixture->track.n; i++)
        if (fixture->track.start[i] < to
            && MAX (fixture->track.end[i], fixture->track.start[i] + 1) > from)
          expected |= 1u << fixture->track.paint[i];
      for (guint y = 0; y < HEIGHT; y++)
        seen |= 1u << paint_of_pixel (fixture->context.palette, pixels[y * COLUMNS + x]);
      expected &= ~1u;
      seen &= ~1u;
      /* An estimate has the colour of running, and is hatched. */
      if (expected & 1u << TB_PAINT_ESTIMATED)
        expected = (expected & ~(1u << TB_PAINT_ESTIMATED)) | 1u << TB_PAINT_RUNNING;
      /* An empty column may mark the gap between two boxes of one colour. */
      if (seen == 0 && (expected & (expected - 1)) == 0)
        continue;
      g_assert_cmphex (seen, ==, expected);
    }
}

static void
test_nothing_lost (void)
{
  for (guint i = 0; i < 150; i++)
    {
      gint64 first = g_test_rand_int_range (-40, 200);
      g_autofree guint32 *pixels = g_new0 (guint32, COLUMNS * HEIGHT);
      Fixture fixture;

      fixture_init (&fixture, (gsize) g_test_rand_int_range (0, i % 2 ? 4000 : 60),
                    i % 3 ? 50 : 5000, i % 2 == 0);
      tb_timeline_raster_draw (&fixture.context, 0, first, COLUMNS, HEIGHT, pixels, 26, NULL);
      check_columns (&fixture, first, pixels);
      fixture_clear (&fixture);
    }
}

/* Running is of one colour, an estimate of two. */
static void
test_estimate (void)
{
  for (guint paint = TB_PAINT_RUNNING; paint <= TB_PAINT_ESTIMATED;
       paint += TB_PAINT_ESTIMATED - TB_PAINT_RUNNING)
    {
      const gint64 start = 1000, end = 100000000;
      const guint8 value = (guint8) paint;
      g_autoptr (GBytes) starts = g_bytes_new (&start, sizeof start);
      g_autoptr (GBytes) ends = g_bytes_new (&end, sizeof end);
      g_autoptr (GBytes) paints = g_bytes_new (&value, 1);
      g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);
      g_autofree guint32 *pixels = g_new0 (guint32, COLUMNS * HEIGHT);
      Fixture fixture;

      fixture_init (&fixture, 0, 50, TRUE);
      g_clear_object (&fixture.figure);
      fixture.figure = tb_timeline_figure_new ("timeline", "", 0, end);
      tb_timeline_figure_add_track (fixture.figure, "t", "t", "", 1);
      tb_timeline_figure_set_intervals (fixture.figure, 0, 1, starts, ends, paints);
      tb_figure_freeze (TB_FIGURE (fixture.figure));
      fixture.context.figure = fixture.figure;
      tb_timeline_raster_draw (&fixture.context, 0, 20, COLUMNS, HEIGHT, pixels, 26, NULL);
      for (guint i = 0; i < COLUMNS * HEIGHT; i++)
        g_hash_table_add (colours, GUINT_TO_POINTER (pixels[i]));
      g_hash_table_remove (colours, NULL);
      g_assert_cmpuint (g_hash_table_size (colours), ==, paint == TB_PAINT_RUNNING ? 1 : 2);
      fixture_clear (&fixture);
    }
}

static void
assert_part (const guint32 *whole, const guint32 *part, guint first, guint n)
{
  for (guint y = 0; y < HEIGHT; y++)
    g_assert_cmpmem (whole + y * COLUMNS + first, n * 4, part + y * n, n * 4);
}

/* The boundaries of tiles make no difference, wherever they are. */
static void
test_tiles_fit (void)
{
  for (guint i = 0; i < 150; i++)
    {
      g_autofree guint32 *whole = g_new0 (guint32, COLUMNS * HEIGHT);
      Fixture fixture;

      fixture_init (&fixture, (gsize) g_test_rand_int_range (0, 1000), i % 3 ? 50 : 5000,
                    i % 2 == 0);
      fixture.context.scale = 1 + i % 4 / 2;
      tb_timeline_raster_draw (&fixture.context, 0, 0, COLUMNS, HEIGHT, whole, 26, NULL);
      for (guint first = 0; first < COLUMNS;)
        {
          guint n = (guint) g_test_rand_int_range (1, g_test_rand_bit () ? 4 : COLUMNS);
          guint32 part[COLUMNS * HEIGHT] = { 0 };

          n = MIN (n, COLUMNS - first);
          tb_timeline_raster_draw (&fixture.context, 0, first, n, HEIGHT, part, 26, NULL);
          assert_part (whole, part, first, n);
          first += n;
        }
      fixture_clear (&fixture);
    }
}

static void
test_labels (void)
{
  for (guint i = 0; i < 100; i++)
    {
      g_autofree guint32 *pixels = g_new0 (guint32, COLUMNS * HEIGHT);
      g_autoptr (GArray) wide = g_array_new (FALSE, FALSE, sizeof (gsize));
      gint64 from, to, unused;
      guint found = 0;
      Fixture fixture;

      fixture_init (&fixture, (gsize) g_test_rand_int_range (0, 400), 5000, TRUE);
      tb_timeline_raster_draw (&fixture.context, 0, 20, COLUMNS, HEIGHT, pixels, 26, wide);
      column_times (&fixture, 20, &from, &unused);
      /* An interval that begins in the last column has no room for a label there. */
      column_times (&fixture, 20 + COLUMNS - 1, &to, &unused);
      for (gsize k = 0; k < fixture.track.n; k++)
        {
          gint64 length = fixture.track.end[k] - fixture.track.start[k];

          if (fixture.track.paint[k] == TB_PAINT_NONE || fixture.track.end[k] <= from
              || fixture.track.start[k] >= to
              || (double) length < 26 * fixture.context.ns_per_column)
            continue;
          g_assert_cmpuint (found, <, wide->len);
          g_assert_cmpuint (g_array_index (wide, gsize, found), ==, k);
          found++;
        }
      g_assert_cmpuint (wide->len - found, <=, 1);
      fixture_clear (&fixture);
    }
}

/* The interval found is in the column, and no other one of its height is longer there. */
static void
test_hit (void)
{
  for (guint i = 0; i < 100; i++)
    {
      Fixture fixture;

      fixture_init (&fixture, (gsize) g_test_rand_int_range (1, 600), 500, TRUE);
      for (guint k = 0; k < 200; k++)
        {
          double x = g_test_rand_double_range (0, COLUMNS), y = g_test_rand_double_range (0, 1);
          gsize hit = tb_timeline_find_interval_at (&fixture.context, 0, x, y);
          gboolean any = FALSE;
          gint64 from, to;

          column_times (&fixture, (gint64) floor (x), &from, &to);
          for (gsize j = 0; j < fixture.track.n; j++)
            {
              gint64 end = MAX (fixture.track.end[j], fixture.track.start[j] + 1);

              if (fixture.track.paint[j] == TB_PAINT_NONE || fixture.track.start[j] >= to
                  || end <= from)
                continue;
              any = TRUE;
              if (hit != TB_INTERVAL_NONE && fixture.track.paint[j] == fixture.track.paint[hit])
                g_assert_cmpint (MIN (end, to) - MAX (fixture.track.start[j], from), <=,
                                 MIN (MAX (fixture.track.end[hit], fixture.track.start[hit] + 1),
                                      to)
                                     - MAX (fixture.track.start[hit], from));
            }
          g_assert_true (any == (hit != TB_INTERVAL_NONE));
          if (hit != TB_INTERVAL_NONE)
            {
              g_assert_cmpint (fixture.track.start[hit], <, to);
              g_assert_cmpint (MAX (fixture.track.end[hit], fixture.track.start[hit] + 1), >, from);
            }
        }
      fixture_clear (&fixture);
    }
}

/* A searched state is not hidden by being drawn faintly, and intervals that are long enough are
 * drawn strongly. */
static void
test_faint (void)
{
  for (guint i = 0; i < 50; i++)
    {
      g_autofree guint32 *pixels = g_new0 (guint32, COLUMNS * HEIGHT);
      g_autoptr (TbFilter) filter = tb_filter_parse ("longer:2us", NULL);
      g_autoptr (TbTimelineMatches) matches = NULL;
      Fixture fixture;
      gint64 from, to;

      fixture_init (&fixture, 40, 5000, FALSE);
      matches = tb_timeline_matches_new (fixture.figure, filter, NULL);
      fixture.context.matches = matches;
      tb_timeline_raster_draw (&fixture.context, 0, 0, COLUMNS, HEIGHT, pixels, 26, NULL);
      for (guint x = 0; x < COLUMNS; x++)
        for (gsize k = 0; k < fixture.track.n; k++)
          {
            guint32 pixel = pixels[(HEIGHT / 2) * COLUMNS + x];

            column_times (&fixture, x, &from, &to);
            if (fixture.track.paint[k] != TB_PAINT_RUNNING || fixture.track.start[k] > from
                || fixture.track.end[k] < to || pixel == 0)
              continue;
            if (fixture.track.end[k] - fixture.track.start[k] < 2000)
              g_assert_cmpuint (pixel >> 24, <, 80);
            else
              g_assert_cmpuint (pixel >> 24, ==, 255);
          }
      fixture_clear (&fixture);
    }
}

/* If very many intervals share a column, one that matches the filter is drawn strongly; without a
 * match all are faint. */
static void
test_faint_many (void)
{
  for (guint i = 0; i < 50; i++)
    {
      g_autofree guint32 *pixels = g_new0 (guint32, COLUMNS * HEIGHT);
      g_autoptr (TbFilter) filter = tb_filter_parse ("state:disk longer:90", NULL);
      g_autoptr (TbTimelineMatches) matches = NULL;
      Fixture fixture;

      fixture_init (&fixture, 12000, 100, FALSE);
      fixture.context.ns_per_column = 4000;
      matches = tb_timeline_matches_new (fixture.figure, filter, NULL);
      fixture.context.matches = matches;
      tb_timeline_raster_draw (&fixture.context, 0, 0, COLUMNS, HEIGHT, pixels, 26, NULL);
      for (guint x = 0; x < COLUMNS; x++)
        {
          gboolean any = FALSE, strong = FALSE;
          gint64 from, to;

          column_times (&fixture, x, &from, &to);
          for (gsize k = 0; k < fixture.track.n && !any; k++)
            any = fixture.track.paint[k] == TB_PAINT_DISK
                  && fixture.track.end[k] - fixture.track.start[k] >= 90
                  && fixture.track.start[k] < to && fixture.track.end[k] > from;
          for (guint y = 0; y < HEIGHT; y++)
            strong |= pixels[y * COLUMNS + x] >> 24 >= 100;
          g_assert_true (strong == any);
        }
      fixture_clear (&fixture);
    }
}

/* Lost events are always drawn, however short their range. */
static void
test_lost (void)
{
  g_autoptr (TbTimelineFigure) figure = tb_timeline_figure_new ("f", "F", 0, 1000000);
  TbTimelineContext context = { .figure = figure,
                                .palette = tb_palette_get (TB_PALETTE_LIGHT),
                                .ns_per_column = 10000,
                                .scale = 1 };
  g_autofree guint32 *pixels = g_new0 (guint32, COLUMNS * HEIGHT);
  guint seen[2] = { 0, 0 };

  tb_timeline_figure_add_track (figure, "a", "a", NULL, 1);
  tb_timeline_figure_add_track (figure, "b", "b", NULL, 2);
  tb_timeline_figure_add_lost (figure, 1, 500001, 500002, 3);
  tb_figure_freeze (TB_FIGURE (figure));
  g_assert_false (tb_timeline_raster_draw (&context, 0, 0, COLUMNS, HEIGHT, pixels, 26, NULL));
  g_assert_true (tb_timeline_raster_draw (&context, 1, 0, COLUMNS, HEIGHT, pixels, 26, NULL));
  for (guint i = 0; i < COLUMNS * HEIGHT; i++)
    if (pixels[i] != 0)
      seen[i % COLUMNS >= 48 && i % COLUMNS < 56]++;
  g_assert_cmpuint (seen[0], ==, 0);
  g_assert_cmpuint (seen[1], >, HEIGHT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline-raster/estimate", test_estimate);
  g_test_add_func ("/timeline-raster/nothing-lost", test_nothing_lost);
  g_test_add_func ("/timeline-raster/tiles-fit", test_tiles_fit);
  g_test_add_func ("/timeline-raster/labels", test_labels);
  g_test_add_func ("/timeline-raster/hit", test_hit);
  g_test_add_func ("/timeline-raster/faint", test_faint);
  g_test_add_func ("/timeline-raster/faint-many", test_faint_many);
  g_test_add_func ("/timeline-raster/lost", test_lost);
  return g_test_run ();
}
