/* tb-histogram-distance.c: how far two histograms of the same bins are apart
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "report/histogram/tb-histogram-distance.h"

#define N_SAMPLES 200
/* Calls drawn for a sample: of more the distance by chance is less by the root of how many times as many they are. */
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
 * @other: counts of another one with the same bins
 * @n_bins: of both
 *
 * The Earth Mover's Distance of two histograms, each taken as 1 (DARC, section 5; Rubner and others 1998): by how many bins
 * what one holds has to be moved on average to become the other. In one dimension that is the sum of the differences of
 * what both hold up to each bin, so it is exact.
 *
 * Returns: in bins, 0…@n_bins − 1; %NAN where one of them is empty and the other is not
 */
double
tb_histogram_get_distance (const guint64 *one, const guint64 *other, guint n_bins)
{
  guint64 of_one = sum (one, n_bins), of_other = sum (other, n_bins);
  double carried = 0, moved = 0;

  if (of_one == 0 || of_other == 0)
    return of_one == of_other ? 0 : NAN;
  for (guint i = 0; i < n_bins; i++)
    {
      carried += (double) one[i] / (double) of_one - (double) other[i] / (double) of_other;
      moved += fabs (carried);
    }
  return moved;
}

/* Draws so many calls; sums: up to and with each bin. */
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
 * tb_histogram_get_distance_by_chance: (skip)
 * @counts: a histogram
 * @n_bins: its bins
 * @of_one: how many calls the one has that is compared with another: %G_MAXUINT64 where it is taken for the truth
 * @of_other: how many the other has
 *
 * How far chance alone moves two histograms apart that are of the same kind: the 95th percentile of the distances between
 * resamples of @counts with that many calls. The same histogram always gives the same number.
 *
 * Returns: in bins; 0 where there is nothing to draw from
 */
double
tb_histogram_get_distance_by_chance (const guint64 *counts, guint n_bins, guint64 of_one, guint64 of_other)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autofree guint64 *sums = g_new0 (guint64, n_bins + 1);
  g_autofree guint64 *sample = g_new0 (guint64, n_bins + 1);
  double distances[N_SAMPLES];
  double calls;
  guint64 so_far = 0;
  guint n_drawn;

  for (guint i = 0; i < n_bins; i++)
    sums[i] = so_far += counts[i];
  if (so_far == 0 || of_one == 0 || of_other == 0)
    return 0;
  /* The difference of two samples varies as one of so many calls does. */
  calls = 1 / ((of_one < G_MAXUINT64 ? 1 / (double) of_one : 0) + 1 / (double) of_other);
  n_drawn = (guint) CLAMP (calls, 1, MAX_DRAWN);
  for (guint i = 0; i < N_SAMPLES; i++)
    {
      draw (sums, n_bins, n_drawn, sample, random);
      distances[i] = tb_histogram_get_distance (counts, sample, n_bins);
    }
  qsort (distances, N_SAMPLES, sizeof *distances, compare);
  return distances[N_SAMPLES * 95 / 100] * sqrt (n_drawn / calls);
}
