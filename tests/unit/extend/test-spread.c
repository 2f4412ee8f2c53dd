/* test-spread.c: test of separating differences between two sides from differences within them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "extend/compare/tb-comparison.h"

#define N_TRIES 2000
/* The expected 95 % of N_TRIES, minus five standard deviations. */
#define LEAST_SHARE 0.925

static void
test_one_each (void)
{
  const double five = 5, seven = 7;
  TbSpread spread;

  tb_spread_measure (&five, 1, &seven, 1, &spread);
  g_assert_cmpfloat (spread.delta, ==, 2);
  g_assert_true (isnan (spread.low) && isnan (spread.high));
  g_assert_false (spread.within_noise);
  tb_spread_measure (&five, 1, &five, 1, &spread);
  g_assert_true (spread.within_noise);
}

static void
test_by_hand (void)
{
  const double base[] = { 10, 12, 14 }, other[] = { 20, 22, 24 }, near[] = { 12, 14, 16 };
  TbSpread spread;

  /* A pooled variance of 4 with four degrees of freedom: 2.776 · 2 · √(2/3) */
  tb_spread_measure (base, 3, other, 3, &spread);
  g_assert_cmpfloat (spread.mean[TB_COMPARISON_BASE], ==, 12);
  g_assert_cmpfloat (spread.mean[TB_COMPARISON_OTHER], ==, 22);
  g_assert_cmpfloat_with_epsilon (spread.low, 10 - 4.5332, 1e-3);
  g_assert_cmpfloat_with_epsilon (spread.high, 10 + 4.5332, 1e-3);
  g_assert_false (spread.within_noise);

  tb_spread_measure (base, 3, near, 3, &spread);
  g_assert_cmpfloat_with_epsilon (spread.low, 2 - 4.5332, 1e-3);
  g_assert_true (spread.within_noise);

  /* A single base uses the spread of the other side: two degrees of freedom, 4.303 · 2 · √(4/3) */
  tb_spread_measure (base, 1, other, 3, &spread);
  g_assert_cmpfloat_with_epsilon (spread.high - spread.delta, 9.937, 1e-3);
  g_assert_false (spread.within_noise);
}

/* A difference that also occurs within the base is noise, even if the means are known well. */
static void
test_extent (void)
{
  const double base[] = { 100, 100, 100, 100, 100, 100, 100, 100, 100, 104 };
  const double other[] = { 103, 103, 103, 103, 103, 103, 103, 103, 103, 103 };
  TbSpread spread;

  tb_spread_measure (base, 10, other, 10, &spread);
  g_assert_cmpfloat (spread.low, >, 0);
  g_assert_true (spread.within_noise);
}

static double
draw_normal (void)
{
  double sum = -6;

  for (guint i = 0; i < 12; i++)
    sum += g_test_rand_double ();
  return sum;
}

static void
test_same_is_noise (void)
{
  guint n_noise = 0, n_covered = 0;

  for (guint try = 0; try < N_TRIES; try++)
    {
      double base[40], other[40];
      guint n_base = (guint) g_test_rand_int_range (1, 40),
            n_other = (guint) g_test_rand_int_range (2, 40);
      TbSpread same, more;

      for (guint i = 0; i < n_base; i++)
        base[i] = 50 + draw_normal ();
      for (guint i = 0; i < n_other; i++)
        other[i] = 50 + draw_normal ();
      tb_spread_measure (base, n_base, other, n_other, &same);
      n_noise += same.within_noise;
      for (guint i = 0; i < n_other; i++)
        other[i] += 3;
      tb_spread_measure (base, n_base, other, n_other, &more);
      n_covered += more.low <= 3 && more.high >= 3;
      /* A shift of one side shifts the interval by the same amount. */
      g_assert_cmpfloat_with_epsilon (more.low, same.low + 3, 1e-9);
    }
  g_assert_cmpfloat ((double) n_noise / N_TRIES, >=, LEAST_SHARE);
  g_assert_cmpfloat ((double) n_covered / N_TRIES, >=, LEAST_SHARE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spread/one-each", test_one_each);
  g_test_add_func ("/spread/by-hand", test_by_hand);
  g_test_add_func ("/spread/extent", test_extent);
  g_test_add_func ("/spread/same-is-noise", test_same_is_noise);
  return g_test_run ();
}
