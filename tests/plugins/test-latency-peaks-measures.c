/* test-latency-peaks-measures.c: test of distances, correlations and periods of latencies against
 * plain arithmetic and random data
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "report/histogram/tb-histogram-distance.h"
#include "stats/tb-peaks-discrimination.h"
#include "stats/tb-peaks-period.h"

#define N_BINS 12
#define ROUNDS 2000

/* --- distance --- */

/* Moves calls in order: of two histograms with as many calls, the first calls of one move to the
 * place of the first of the other. In one dimension no other way is shorter. One call at a time. */
static double
transport (const guint64 *one, const guint64 *other)
{
  guint64 left[N_BINS], wanted[N_BINS];
  guint64 all_one = 0, all_other = 0;
  double moved = 0;

  for (guint i = 0; i < N_BINS; i++)
    {
      all_one += one[i];
      all_other += other[i];
    }
  for (guint i = 0; i < N_BINS; i++)
    {
      left[i] = one[i] * all_other;
      wanted[i] = other[i] * all_one;
    }
  for (guint from = 0, to = 0; from < N_BINS;)
    if (left[from] == 0)
      from++;
    else if (wanted[to] == 0)
      to++;
    else
      {
        left[from]--;
        wanted[to]--;
        moved += ABS ((double) from - (double) to);
      }
  return moved / (double) (all_one * all_other);
}

static void
make_histogram (guint64 *counts)
{
  for (guint i = 0; i < N_BINS; i++)
    counts[i] = g_test_rand_int_range (0, 3) == 0 ? 0 : (guint64) g_test_rand_int_range (0, 9);
  counts[g_test_rand_int_range (0, N_BINS)]++;
}

static void
test_distance (void)
{
  guint64 empty[N_BINS] = { 0 };

  for (guint round = 0; round < ROUNDS; round++)
    {
      guint64 one[N_BINS], other[N_BINS];
      double distance;

      make_histogram (one);
      make_histogram (other);
      distance = tb_histogram_get_distance (one, other, N_BINS);
      g_assert_cmpfloat_with_epsilon (distance, transport (one, other), 1e-9);
      g_assert_cmpfloat_with_epsilon (distance, tb_histogram_get_distance (other, one, N_BINS),
                                      1e-12);
      g_assert_cmpfloat_with_epsilon (tb_histogram_get_distance (one, one, N_BINS), 0, 1e-12);
      g_assert_true (isnan (tb_histogram_get_distance (one, empty, N_BINS)));
    }
  g_assert_cmpfloat (tb_histogram_get_distance (empty, empty, N_BINS), ==, 0);
}

static void
draw (const guint64 *counts, guint n, guint64 *drawn)
{
  guint64 all = 0;

  for (guint i = 0; i < N_BINS; i++)
    {
      all += counts[i];
      drawn[i] = 0;
    }
  for (guint i = 0; i < n; i++)
    {
      guint64 call = (guint64) (g_test_rand_double () * (double) all);
      guint bin = 0;

      while (call >= counts[bin])
        call -= counts[bin++];
      drawn[bin]++;
    }
}

/* Two samples of one distribution match in about 95 of 100 cases; samples of two distributions do
 * not. */
static void
test_chance (void)
{
  const guint64 counts[N_BINS] = { 0, 400, 900, 300, 20, 0, 0, 90, 200, 80, 1, 0 };
  guint64 other[N_BINS] = { 0, 400, 900, 300, 20, 0, 0, 20, 60, 20, 1, 0 };
  guint same = 0, different = 0;

  for (guint round = 0; round < 150; round++)
    {
      guint64 one[N_BINS], two[N_BINS], three[N_BINS];

      draw (counts, 1500, one);
      draw (counts, 700, two);
      draw (other, 700, three);
      same += tb_histogram_get_distance (one, two, N_BINS)
              <= tb_histogram_get_chance_distance (one, N_BINS, 1500, 700);
      different += tb_histogram_get_distance (one, three, N_BINS)
                   > tb_histogram_get_chance_distance (one, N_BINS, 1500, 700);
    }
  g_test_message ("%u of 150 the same, %u of 150 distinguished", same, different);
  g_assert_cmpuint (same, >=, 150 * 85 / 100);
  g_assert_cmpuint (different, >=, 150 * 95 / 100);
  /* With very many calls the distance by chance is very small; it falls with the square root of
   * their number. */
  g_assert_cmpfloat (tb_histogram_get_chance_distance (counts, N_BINS, G_MAXUINT64, 100000000), <,
                     0.002);
  g_assert_cmpfloat (tb_histogram_get_chance_distance (counts, N_BINS, G_MAXUINT64, 100000000), >,
                     0);
}

/* --- correlation with a variable --- */

/* Information from the entropies of few values, by definition. */
static double
get_plain_information (const gint64 *inside, guint n_inside, const gint64 *outside, guint n_outside)
{
  double n = n_inside + (double) n_outside, before, after = 0;

  before = -(n_inside / n * log2 (n_inside / n) + n_outside / n * log2 (n_outside / n));
  for (gint64 value = 0; value < 4; value++)
    {
      double in = 0, out = 0;

      for (guint i = 0; i < n_inside; i++)
        in += inside[i] == value;
      for (guint i = 0; i < n_outside; i++)
        out += outside[i] == value;
      if (in > 0)
        after -= in / n * log2 (in / (in + out));
      if (out > 0)
        after -= out / n * log2 (out / (in + out));
    }
  return (before - after) / before;
}

/* Difference between a value's share inside and outside. */
static double
get_plain_excess (int value,
                  const gint64 *inside,
                  guint n_inside,
                  const gint64 *outside,
                  guint n_outside)
{
  guint in = 0, out = 0;

  for (guint i = 0; i < n_inside; i++)
    in += inside[i] == value;
  for (guint i = 0; i < n_outside; i++)
    out += outside[i] == value;
  return in / (double) n_inside - out / (double) n_outside;
}

static void
test_bonds (void)
{
  guint found = 0;

  for (guint round = 0; round < ROUNDS; round++)
    {
      gint64 inside[200], outside[600];
      guint n_inside = (guint) g_test_rand_int_range (40, 200),
            n_outside = (guint) g_test_rand_int_range (40, 600);
      int shift = g_test_rand_int_range (0, 3);
      TbPeakAssociation bond;

      for (guint i = 0; i < n_inside; i++)
        {
          int value = g_test_rand_int_range (0, 4) + shift;

          inside[i] = MIN (value, 3);
        }
      for (guint i = 0; i < n_outside; i++)
        outside[i] = g_test_rand_int_range (0, 4);
      bond = tb_peaks_measure_association (inside, n_inside, n_inside, outside, n_outside,
                                           n_outside, FALSE);
      /* The result is smaller by the information that four values have by chance. */
      g_assert_cmpfloat_with_epsilon (bond.information,
                                      get_plain_information (inside, n_inside, outside, n_outside),
                                      0.09);
      for (int value = 0; value < 4; value++)
        g_assert_cmpfloat (get_plain_excess (value, inside, n_inside, outside, n_outside), <=,
                           bond.share_in - bond.share_out + 1e-9);
      g_assert_cmpfloat_with_epsilon (get_plain_excess ((int) bond.value, inside, n_inside, outside,
                                                        n_outside),
                                      bond.share_in - bond.share_out, 1e-9);
      if (shift == 0)
        found += bond.is_significant;
      if (shift == 2)
        {
          g_assert_true (bond.is_significant);
          g_assert_cmpfloat (bond.share_in, >, bond.share_out);
          /* With fewer calls another value may be chosen by chance. */
          if (MIN (n_inside, n_outside) >= 100)
            g_assert_cmpint (bond.value, ==, 3);
        }
    }
  g_test_message ("%u of about %u without a bond seemed to have one", found, ROUNDS / 3);
  g_assert_cmpuint (found, <=, 3);
}

/* Thousands of independent values carry no information; a number that is correlated is found by its
 * size. */
static void
test_many_values (void)
{
  gint64 inside[500], outside[500];
  TbPeakAssociation bond;

  for (guint i = 0; i < 500; i++)
    {
      inside[i] = (gint64) g_test_rand_int ();
      outside[i] = (gint64) g_test_rand_int ();
    }
  bond = tb_peaks_measure_association (inside, 500, 500, outside, 500, 500, FALSE);
  g_assert_false (bond.is_significant);
  g_assert_cmpfloat (bond.information, <, 0.02);
  for (guint i = 0; i < 500; i++)
    {
      inside[i] = 65536 + g_test_rand_int_range (0, 60000);
      outside[i] = g_test_rand_int_range (1, 4096);
    }
  bond = tb_peaks_measure_association (inside, 500, 500, outside, 500, 500, TRUE);
  g_assert_true (bond.is_significant);
  g_assert_cmpfloat (bond.information, >, 0.95);
  g_assert_cmpint (bond.value, >=, 65536);
  g_assert_cmpfloat (bond.share_in, >, 0.9);
  g_assert_cmpfloat (bond.share_out, ==, 0);
  /* Nothing to compare with. */
  bond = tb_peaks_measure_association (inside, 500, 500, outside, 0, 0, TRUE);
  g_assert_false (bond.is_significant);
  g_assert_cmpfloat (bond.information, ==, 0);
}

/* --- periods --- */

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a, right = *(const gint64 *) b;

  return left < right ? -1 : left > right;
}

static void
add_burst (GArray *times, gint64 at, gint64 width)
{
  for (int n = g_test_rand_int_range (1, 8); n > 0; n--)
    {
      gint64 time = at + (gint64) (g_test_rand_double () * (double) width);

      g_array_append_val (times, time);
    }
}

/* Calls delayed by a flusher: several at most of its times, none at some. */
static void
test_periodic (void)
{
  guint found = 0;

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
      gint64 period = g_test_rand_int_range (1000000, 2000000000);
      guint n = (guint) g_test_rand_int_range (16, 60);
      TbPeakPeriod result;

      for (guint i = 0; i < n; i++)
        if (g_test_rand_int_range (0, 5) > 0)
          add_burst (times, (gint64) ((i + 0.08 * g_test_rand_double ()) * (double) period),
                     period / 400);
      g_array_sort (times, compare_times);
      result = tb_peaks_find_period ((const gint64 *) times->data, times->len);
      if (result.period_ns > period * 97 / 100 && result.period_ns < period * 103 / 100)
        found++;
      else
        g_test_message ("%" G_GINT64_FORMAT " for %" G_GINT64_FORMAT
                        " (%u bursts, strength %.2f, confidence %.4f)",
                        result.period_ns, period, result.bursts, result.strength,
                        result.confidence);
    }
  g_test_message ("%u of 200 found", found);
  g_assert_cmpuint (found, >=, 190);
}

/* Random times, single and in bursts. */
static void
test_random (void)
{
  guint found = 0;

  for (guint round = 0; round < 500; round++)
    {
      g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
      guint n = (guint) g_test_rand_int_range (6, 120);

      for (guint i = 0; i < n; i++)
        add_burst (times, (gint64) (g_test_rand_double () * 1e10), round % 2 == 0 ? 1 : 1000000);
      g_array_sort (times, compare_times);
      found += tb_peaks_find_period ((const gint64 *) times->data, times->len).period_ns > 0;
    }
  g_test_message ("%u of 500 random ones seemed to have a period", found);
  g_assert_cmpuint (found, <=, 5);
}

static void
test_few (void)
{
  const gint64 times[] = { 5, 5, 5, 5, 5, 5, 5 };

  g_assert_cmpint (tb_peaks_find_period (times, 0).period_ns, ==, 0);
  g_assert_cmpint (tb_peaks_find_period (times, 5).period_ns, ==, 0);
  g_assert_cmpint (tb_peaks_find_period (times, 7).period_ns, ==, 0);
  g_assert_cmpfloat (tb_peaks_get_period_strength (times, 7, 10), ==, 1);
  g_assert_cmpfloat (tb_peaks_get_period_strength (times, 0, 10), ==, 0);
}

/* Times as in a live search: known only at the end of each tenth of a second, or a little later. */
static gint64
round_up_to_slice (gint64 time)
{
  gint64 slice = 100000000;

  return (time / slice + 1) * slice + g_test_rand_int_range (0, 20000000);
}

static void
test_slices (void)
{
  guint found = 0, n_false = 0;

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (GArray) periodic = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_autoptr (GArray) random = g_array_new (FALSE, FALSE, sizeof (gint64));
      gint64 period = g_test_rand_int_range (450000000, 2000000000), span = period * 40;
      TbPeakPeriod result;

      for (guint i = 0; i < 40; i++)
        {
          gint64 at
              = round_up_to_slice ((gint64) ((i + 0.05 * g_test_rand_double ()) * (double) period));
          gint64 anywhere = round_up_to_slice ((gint64) (g_test_rand_double () * (double) span));

          g_array_append_val (periodic, at);
          g_array_append_val (random, anywhere);
        }
      g_array_sort (periodic, compare_times);
      g_array_sort (random, compare_times);
      result
          = tb_peaks_find_long_period ((const gint64 *) periodic->data, periodic->len, 400000000);
      found += result.period_ns > period * 97 / 100 && result.period_ns < period * 103 / 100;
      n_false += tb_peaks_find_long_period ((const gint64 *) random->data, random->len, 400000000)
                     .period_ns
                 > 0;
    }
  g_test_message ("%u of 200 found, %u made up", found, n_false);
  g_assert_cmpuint (found, >=, 190);
  g_assert_cmpuint (n_false, <=, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/measures/distance", test_distance);
  g_test_add_func ("/latency-peaks/measures/chance", test_chance);
  g_test_add_func ("/latency-peaks/measures/bonds", test_bonds);
  g_test_add_func ("/latency-peaks/measures/many-values", test_many_values);
  g_test_add_func ("/latency-peaks/measures/periodic", test_periodic);
  g_test_add_func ("/latency-peaks/measures/slices", test_slices);
  g_test_add_func ("/latency-peaks/measures/random", test_random);
  g_test_add_func ("/latency-peaks/measures/few", test_few);
  return g_test_run ();
}
