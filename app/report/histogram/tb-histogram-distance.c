/* tb-histogram-distance.c: Earth Mover's Distance of two histograms with the same bins, and the
 * distance that chance alone explains
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "report/histogram/tb-histogram-distance.h"

#define N_SAMPLES 200
/* Maximum number of calls drawn for a sample. For more calls the distance by chance is scaled down
 * by the square root of the ratio. */
#define MAX_DRAWN 4096

static guint64
sum (const guint64 *counts, guint n)
{
  guint64 total = 0;

  for (guint i = 0; i < n; i++)
    if (__builtin_add_overflow (total, counts[i], &total))
      return G_MAXUINT64;
  return total;
}

/**
 * tb_histogram_get_distance: (skip)
 * @one: counts of a histogram
 * @other: counts of another histogram with the same bins
 * @n_bins: number of bins of both
 *
 * The Earth Mover's Distance of two histograms, each normalized to 1 (DARC, section 5; Rubner and
 * others 1998): the average number of bins by which the contents of one have to be moved to get the
 * other. In one dimension that is the sum of the absolute differences of the cumulative
 * distributions, so the result is exact.
 *
 * Returns: in bins, 0…@n_bins − 1; %NAN if one of them is empty and the other is not
 */
double
tb_histogram_get_distance (const guint64 *one, const guint64 *other, guint n_bins)
{
  guint64 n_one = sum (one, n_bins), n_other = sum (other, n_bins);
  double difference = 0, moved = 0;

  if (n_one == 0 || n_other == 0)
    return n_one == n_other ? 0 : NAN;
  for (guint i = 0; i < n_bins; i++)
    {
      difference += (double) one[i] / (double) n_one - (double) other[i] / (double) n_other;
      moved += fabs (difference);
    }
  return moved;
}

/* Draws n calls. sums: cumulative counts, each including its bin. */
static void
draw (const guint64 *sums, guint n_bins, guint n, guint64 *sample, GRand *random)
{
  double all = (double) sums[n_bins - 1];

  for (guint i = 0; i < n_bins; i++)
    sample[i] = 0;
  for (guint i = 0; i < n; i++)
    {
      double at = g_rand_double (random) * all;
      guint low = 0, high = n_bins - 1;

      while (low < high)
        {
          guint middle = low + (high - low) / 2;

          if ((double) sums[middle] > at)
            high = middle;
          else
            low = middle + 1;
        }
      sample[low]++;
    }
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a, right = *(const double *) b;

  return left < right ? -1 : left > right;
}

/**
 * tb_histogram_get_chance_distance: (skip)
 * @counts: a histogram
 * @n_bins: number of bins
 * @n_one: number of calls of the first histogram that is compared; %G_MAXUINT64: it is taken as
 *   the true distribution
 * @n_other: number of calls of the second histogram
 *
 * The distance of two histograms of the same distribution that chance alone explains: the 95th
 * percentile of the distances between resamples of @counts with those numbers of calls. The result
 * is deterministic.
 *
 * Returns: in bins; 0 if there is nothing to draw from
 */
double
tb_histogram_get_chance_distance (const guint64 *counts,
                                  guint n_bins,
                                  guint64 n_one,
                                  guint64 n_other)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autofree guint64 *sums = g_new0 (guint64, n_bins + 1);
  g_autofree guint64 *sample = g_new0 (guint64, n_bins + 1);
  double distances[N_SAMPLES];
  double calls;
  guint64 cumulative = 0;
  guint n_drawn;

  for (guint i = 0; i < n_bins; i++)
    sums[i] = cumulative += counts[i];
  if (cumulative == 0 || n_one == 0 || n_other == 0)
    return 0;
  /* The difference of two samples has the variance of one sample with this number of calls. */
  calls = 1 / ((n_one < G_MAXUINT64 ? 1 / (double) n_one : 0) + 1 / (double) n_other);
  n_drawn = (guint) CLAMP (calls, 1, MAX_DRAWN);
  for (guint i = 0; i < N_SAMPLES; i++)
    {
      draw (sums, n_bins, n_drawn, sample, random);
      distances[i] = tb_histogram_get_distance (counts, sample, n_bins);
    }
  qsort (distances, N_SAMPLES, sizeof *distances, compare);
  return distances[N_SAMPLES * 95 / 100] * sqrt (n_drawn / calls);
}
