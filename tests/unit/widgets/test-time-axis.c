/* test-time-axis.c: test of round times on the axis, and of their labels
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/tb-report.h"
#include "widgets/time/tb-time-axis.h"

#define MS G_GINT64_CONSTANT (1000000)

static void
assert_label (gint64 origin, gint64 from, gint64 to, guint index, const char *expected)
{
  TbTimeTicks ticks;
  g_autofree char *label = NULL;

  tb_time_ticks_init (&ticks, origin, from, to, 700, 60);
  label = tb_time_ticks_format (&ticks, ticks.first + ticks.step * index - origin);
  g_assert_cmpstr (label, ==, expected);
}

static void
test_labels (void)
{
  assert_label (5000, 5000, 5000 + 265 * MS, 0, "0\u00a0ms");
  assert_label (5000, 5000, 5000 + 265 * MS, 2, "100\u00a0ms");
  assert_label (0, 1026 * MS, 1027 * MS, 1, "1.0261\u00a0s");
  assert_label (0, 0, 900, 3, "300\u00a0ns");
  assert_label (0, 0, 60000 * MS, 2, "20\u00a0s");
}

static void
test_format (void)
{
  static const struct
  {
    gint64 time;
    gint64 resolution;
    const char *text;
  } cases[] = {
    { 160200000, 100000, "160.2\u00a0ms" },
    { 0, 1, "0\u00a0ns" },
    { 999, 1, "999\u00a0ns" },
    { 1500, 1, "1.500\u00a0µs" },
    { 2500000000, MS, "2.500\u00a0s" },
    { 160200000, 10 * MS, "160\u00a0ms" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = tb_format_time (cases[i].time, cases[i].resolution);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* For any range, ticks are round, inside the range and far enough apart, and no two have the same
 * label. */
static void
test_random (void)
{
  for (guint i = 0; i < 3000; i++)
    {
      gint64 origin = g_test_rand_int_range (0, 1000000000);
      gint64 length
          = (gint64) (g_test_rand_double_range (1, 1000)
                      * (double) (G_GINT64_CONSTANT (1) << g_test_rand_int_range (0, 40)));
      gint64 from = origin + (gint64) (g_test_rand_double_range (0, 100) * (double) length);
      double width = g_test_rand_double_range (50, 3000),
             spacing = g_test_rand_double_range (20, 100);
      g_autofree char *before = NULL;
      TbTimeTicks ticks;
      guint n = 0;
      gint64 mantissa;

      length = MAX (length, 50);
      tb_time_ticks_init (&ticks, origin, from, from + length, width, spacing);
      g_assert_cmpint (ticks.first, >=, from);
      g_assert_cmpint (ticks.first - ticks.step, <, from);
      g_assert_cmpint ((ticks.first - origin) % ticks.step, ==, 0);
      g_assert_cmpfloat ((double) ticks.step / (double) length * width, >=, spacing * .999);
      for (mantissa = ticks.step; mantissa % 10 == 0; mantissa /= 10)
        ;
      g_assert_true (mantissa == 1 || mantissa == 2 || mantissa == 5);
      for (gint64 time = ticks.first; time <= from + length; time += ticks.step)
        {
          g_autofree char *label = tb_time_ticks_format (&ticks, time - origin);

          g_assert_cmpstr (label, !=, before);
          g_free (before);
          before = g_steal_pointer (&label);
          g_assert_cmpuint (++n, <, 1000);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-axis/labels", test_labels);
  g_test_add_func ("/time-axis/format", test_format);
  g_test_add_func ("/time-axis/random", test_random);
  return g_test_run ();
}
