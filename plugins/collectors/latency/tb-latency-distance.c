/* tb-latency-distance.c: whether latencies are still distributed as they were
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "tb-latency-distance.h"

#define N_SAMPLES 200
#define MAX_CALLS 5000 /* of a sample: larger ones differ less, which the distance of half a bin covers */
#define UNREST 0.5

static guint64
sum (const guint64 *counts, guint n)
{
  guint64 total = 0;

  for (guint i = 0; i < n; i++)
    total += counts[i];
  return total;
}

double
tb_latency_distance (const guint64 *one, const guint64 *other, guint n_bins)
{
  double of_one = (double) MAX (sum (one, n_bins), 1), of_other = (double) MAX (sum (other, n_bins), 1);
  double carried = 0, moved = 0;

  for (guint i = 0; i < n_bins; i++)
    {
      carried += (double) one[i] / of_one - (double) other[i] / of_other;
      moved += fabs (carried);
    }
  return moved;
}

static void
draw (const guint64 *sums, guint n_bins, guint64 calls, guint64 *sample, GRand *random)
{
  for (guint i = 0; i < n_bins; i++)
    sample[i] = 0;
  for (guint64 i = 0; i < calls; i++)
    {
      double at = g_rand_double (random) * (double) sums[n_bins - 1];
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

double
tb_latency_distance_by_chance (const guint64 *histogram, guint n_bins, guint64 calls)
{
  /* The same data are to give the same answer. */
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autofree guint64 *sums = g_new0 (guint64, n_bins + 1);
  g_autofree guint64 *sample = g_new0 (guint64, n_bins + 1);
  double distances[N_SAMPLES];
  guint64 so_far = 0;

  for (guint i = 0; i < n_bins; i++)
    sums[i] = so_far += histogram[i];
  if (so_far == 0 || calls == 0)
    return UNREST;
  for (guint i = 0; i < N_SAMPLES; i++)
    {
      draw (sums, n_bins, MIN (calls, MAX_CALLS), sample, random);
      distances[i] = tb_latency_distance (histogram, sample, n_bins);
    }
  qsort (distances, N_SAMPLES, sizeof *distances, compare);
  return MAX (distances[N_SAMPLES * 95 / 100], UNREST);
}
