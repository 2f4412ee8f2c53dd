/* test-heatmap.c: test of the pixels of a heat map against a check of each cell
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "session/schema/tb-schema.h"
#include "widgets/bins/tb-bins-canvas-private.h"
#include "widgets/heatmap/tb-heatmap-private.h"

static TbHeatmapFigure *
random_heatmap (guint n_rows, guint n_columns, gboolean is_signed)
{
  TbHeatmapFigure *figure = tb_heatmap_figure_new ("h", "H", "calls", 0, 1000, n_columns);
  g_autofree gint64 *values = g_new (gint64, n_columns + 1);

  if (is_signed)
    tb_heatmap_figure_set_signed (figure);
  for (guint row = 0; row < n_rows; row++)
    {
      g_autofree char *item = g_strdup_printf ("r%u", row);

      for (guint column = 0; column < n_columns; column++)
        values[column] = g_test_rand_int_range (0, 3)
                             ? 0
                             : g_test_rand_int_range (is_signed ? -1000 : 0, 1000);
      if (is_signed)
        tb_heatmap_figure_add_signed_row (figure, item, item, values);
      else
        tb_heatmap_figure_add_row (figure, item, item, (const guint64 *) values);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static gint64
get_value (TbHeatmapFigure *figure, guint row, guint column)
{
  return tb_heatmap_figure_is_signed (figure)
             ? tb_heatmap_figure_get_signed_row (figure, row)[column]
             : (gint64) tb_heatmap_figure_get_row (figure, row)[column];
}

/* Strength of a number's colour, as documented in the help page about heat maps. */
static int
get_step (TbHeatmapFigure *figure, gint64 value, gboolean logarithmic)
{
  double share = tb_heatmap_get_share ((guint64) ABS (value),
                                       tb_heatmap_figure_get_largest (figure), logarithmic);
  int step = value == 0 ? 0 : MAX (1, (int) lround (share * TB_HEATMAP_STEPS));

  return value < 0 ? -step : step;
}

/* Every visible cell has a pixel near its place that is at least as strong, and every pixel has the
 * value of a cell near it. */
static void
check_pixels (TbHeatmapFigure *figure, const TbHeatmapViewport *viewport, guint width, guint height)
{
  guint n_rows = tb_heatmap_figure_get_n_rows (figure),
        n_columns = tb_heatmap_figure_get_n_columns (figure);
  gboolean logarithmic = g_test_rand_bit ();
  g_autoptr (TbHeatmapSteps) steps = tb_heatmap_steps_new (figure, logarithmic);
  g_autofree gint16 *pixels = tb_heatmap_reduce (steps, viewport, width, height);
  double wide = width / viewport->n_columns, high = height / viewport->n_rows;
  gint64 extreme = 0, drawn = 0;

  for (guint row = 0; row < n_rows; row++)
    for (guint column = 0; column < n_columns; column++)
      {
        double x = (column + .5 - viewport->column) * wide,
               y = height - (row + .5 - viewport->row) * high;
        gint64 value = get_step (figure, get_value (figure, row, column), logarithmic), best = 0;

        if (x < 0 || x >= width || y < 0 || y >= height)
          continue;
        extreme = MAX (extreme, ABS (value));
        for (gint64 i = (gint64) y - 1; i <= (gint64) y + 1; i++)
          for (gint64 k = (gint64) x - 1; k <= (gint64) x + 1; k++)
            if (i >= 0 && i < height && k >= 0 && k < width)
              best = MAX (best, ABS (pixels[i * width + k]));
        g_assert_cmpint (best, >=, ABS (value));
      }
  for (guint i = 0; i < width * height; i++)
    {
      guint row, column;

      drawn = MAX (drawn, ABS (pixels[i]));
      /* The cell found for a pixel is the one shown. */
      tb_heatmap_find_cell (figure, viewport, width, height, i % width, i / width, &row, &column);
      g_assert_cmpint (pixels[i], ==,
                       get_step (figure, get_value (figure, row, column), logarithmic));
    }
  g_assert_cmpint (drawn, >=, extreme);
}

static void
test_pixels (void)
{
  for (guint round = 0; round < 120; round++)
    {
      guint n_rows = (guint) g_test_rand_int_range (1, 120),
            n_columns = (guint) g_test_rand_int_range (1, 120);
      g_autoptr (TbHeatmapFigure) figure = random_heatmap (n_rows, n_columns, g_test_rand_bit ());
      TbHeatmapViewport viewport = { 0, n_columns, 0, n_rows };
      guint width = (guint) g_test_rand_int_range (1, 150),
            height = (guint) g_test_rand_int_range (1, 150);

      check_pixels (figure, &viewport, width, height);
      viewport.n_columns = g_test_rand_double_range (.5, 1) * n_columns;
      viewport.n_rows = g_test_rand_double_range (.5, 1) * n_rows;
      viewport.column = g_test_rand_double () * (n_columns - viewport.n_columns);
      viewport.row = g_test_rand_double () * (n_rows - viewport.n_rows);
      check_pixels (figure, &viewport, width, height);
    }
}

/* A cell that is many pixels large covers all of them, and none of another cell's. */
static void
test_exact (void)
{
  g_autoptr (TbHeatmapFigure) figure = random_heatmap (7, 9, TRUE);
  const TbHeatmapViewport viewport = { 0, 9, 0, 7 };
  g_autoptr (TbHeatmapSteps) steps = tb_heatmap_steps_new (figure, FALSE);
  g_autofree gint16 *pixels = tb_heatmap_reduce (steps, &viewport, 90, 140);

  for (guint y = 0; y < 140; y++)
    for (guint x = 0; x < 90; x++)
      g_assert_cmpint (pixels[y * 90 + x], ==,
                       get_step (figure, get_value (figure, 6 - y / 20, x / 10), FALSE));
}

static void
test_shares (void)
{
  for (guint round = 0; round < 2000; round++)
    {
      guint64 a = (guint64) g_test_rand_int_range (0, 10000),
              b = (guint64) g_test_rand_int_range (0, 10000);
      gboolean logarithmic = g_test_rand_bit ();
      double one = tb_heatmap_get_share (a, 10000, logarithmic),
             two = tb_heatmap_get_share (b, 10000, logarithmic);

      g_assert_cmpfloat (one, <=, 1);
      g_assert_true ((a < b) == (one < two));
      g_assert_true ((a == 0) == (one == 0));
    }
}

/* Numbers of any size, up to the maximum. */
static void
test_steps (void)
{
  for (guint round = 0; round < 300; round++)
    {
      gboolean is_signed = g_test_rand_bit (), logarithmic = g_test_rand_bit ();
      g_autoptr (TbHeatmapFigure) figure = tb_heatmap_figure_new ("h", "H", "calls", 0, 1000, 50);
      g_autoptr (TbHeatmapSteps) steps = NULL;
      gint64 values[50];

      for (guint i = 0; i < 50; i++)
        {
          guint64 random
              = (guint64) (guint32) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();

          values[i] = (gint64) (random >> g_test_rand_int_range (1, 65 - 1));
          if (is_signed && g_test_rand_bit ())
            values[i] = -values[i];
        }
      if (is_signed)
        tb_heatmap_figure_set_signed (figure);
      if (is_signed)
        tb_heatmap_figure_add_signed_row (figure, "a", "A", values);
      else
        tb_heatmap_figure_add_row (figure, "a", "A", (const guint64 *) values);
      tb_figure_freeze (TB_FIGURE (figure));
      steps = tb_heatmap_steps_new (figure, logarithmic);
      for (guint i = 0; i < 50; i++)
        g_assert_cmpint (values[i] < 0 ? -steps->less[i] : steps->more[i], ==,
                         get_step (figure, values[i], logarithmic));
    }
}

static void
test_items (void)
{
  static const char *const labels[] = { "a", "b", "c", NULL };
  g_autoptr (TbHeatmapFigure) figure = tb_heatmap_figure_new ("h", "H", "ns", 0, 3, 3);
  const gint64 values[] = { -2000, 0, 5000 };
  g_autofree char *cell = NULL;
  g_autofree char *text = NULL;
  g_autofree char *row_text = NULL;
  guint row, column;

  tb_heatmap_figure_set_columns (figure, labels);
  tb_heatmap_figure_set_signed (figure);
  tb_heatmap_figure_add_signed_row (figure, "x/1", "path", values);
  tb_figure_freeze (TB_FIGURE (figure));
  cell = tb_heatmap_figure_get_item (figure, 0, 2);
  g_assert_cmpstr (cell, ==, "x/1/2");
  g_assert_true (tb_heatmap_figure_find_item (figure, cell, &row, &column));
  g_assert_cmpuint (row, ==, 0);
  g_assert_cmpuint (column, ==, 2);
  g_assert_true (tb_heatmap_figure_find_item (figure, "x/1", &row, &column));
  g_assert_cmpuint (column, ==, TB_ID_NONE);
  for (guint i = 0; i < 5; i++)
    g_assert_false (
        tb_heatmap_figure_find_item (figure, (const char *[]) { NULL, "", "x", "x/1/3", "y/1" }[i],
                                     &row, &column));
  text = tb_heatmap_figure_describe (figure, 0, 2);
  g_assert_cmpstr (text, ==, "path, c: +5 µs");
  row_text = tb_heatmap_figure_describe (figure, 0, TB_ID_NONE);
  g_assert_cmpstr (row_text, ==, "path: at most +5 µs");
}

static void
test_units (void)
{
  static const char *const expected[][2] = {
    { "1 call", "2 calls" }, { "1 unit", "2 units" }, { "1 ns", "2 ns" }, { "1 sheep", "2 sheep" }
  };
  static const char *const units[] = { "calls", "units", "ns", "sheep" };
  const guint64 values[] = { 1, 2 };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autoptr (TbHeatmapFigure) figure = tb_heatmap_figure_new ("h", "H", units[i], 0, 1000, 2);

      tb_heatmap_figure_add_row (figure, "a", "A", values);
      tb_figure_freeze (TB_FIGURE (figure));
      for (guint column = 0; column < 2; column++)
        {
          g_autofree char *text = tb_heatmap_figure_format_value (figure, 0, column);

          g_assert_cmpstr (text, ==, expected[i][column]);
        }
    }
}

/* Labels from left to right: each placed label overlaps no other one, and none is left out without
 * need. */
static void
test_labels (void)
{
  for (guint round = 0; round < 200; round++)
    {
      double ends[60], last_end = -G_MAXDOUBLE, x = 0;
      guint n_placed = 0;

      for (guint i = 0; i < 60; i++)
        {
          double width = g_test_rand_double_range (5, 60), align = g_test_rand_double_range (0, 1);
          double from = (x += g_test_rand_double_range (1, 80)) - align * width;
          gboolean is_clear = n_placed == 0 || from >= ends[n_placed - 1] + 8;

          g_assert_true (tb_bins_place_label (x, align, width, &last_end) == is_clear);
          if (is_clear)
            ends[n_placed++] = from + width;
        }
      g_assert_cmpuint (n_placed, >, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/widgets/heatmap/units", test_units);
  g_test_add_func ("/widgets/heatmap/labels", test_labels);
  g_test_add_func ("/widgets/heatmap/pixels", test_pixels);
  g_test_add_func ("/widgets/heatmap/exact", test_exact);
  g_test_add_func ("/widgets/heatmap/shares", test_shares);
  g_test_add_func ("/widgets/heatmap/steps", test_steps);
  g_test_add_func ("/widgets/heatmap/items", test_items);
  return g_test_run ();
}
