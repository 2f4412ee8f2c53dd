/* tb-peaks-refinement.c: peaks of a histogram whose bins have parts: detection, and division of
 * broad peaks into narrow ones, by counting their calls in finer bins
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "tb-peaks-refinement.h"

#define BROAD 4
#define MIN_DISTANCE 2
#define RESAMPLES 100
#define STABLE 95
/* fixed seed of the resamples, so that the same calls always show the same peaks */
#define SEED 20080623
#define NORMAL_CALLS 400

/* Draws from a Poisson distribution, approximated by a normal distribution for large counts. */
static guint64
resample (GRand *rand, guint64 count)
{
  double limit = exp (-(double) count), product = 1;
  guint64 drawn = 0;

  if (count > NORMAL_CALLS)
    {
      double normal
          = sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));

      return (guint64) fmax (round ((double) count + sqrt ((double) count) * normal), 0);
    }
  while ((product *= g_rand_double (rand)) > limit)
    drawn++;
  return drawn;
}

static GArray *
find_in_parts (const guint64 *parts, guint n)
{
  return tb_peaks_find_separated (parts, n, TB_PEAKS_FINE_RESOLUTION,
                                  MIN_DISTANCE * TB_PEAKS_FINE_RESOLUTION);
}

/* Whether one of the peaks has its top within half a doubling of top. */
static gboolean
has_top (const GArray *peaks, guint top)
{
  for (guint i = 0; i < peaks->len; i++)
    {
      guint other = g_array_index (peaks, TbPeakRange, i).top;

      if (MAX (other, top) - MIN (other, top) <= TB_PEAKS_FINE_RESOLUTION / 2)
        return TRUE;
    }
  return FALSE;
}

/* Leaves out peaks that other calls of the same kind would not show as distinct from the previous
 * one. */
static void
drop_unstable (GArray *found, const guint64 *counts, guint n)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);
  g_autofree guint64 *drawn = g_new (guint64, n);
  g_autofree guint *n_distinct = g_new0 (guint, found->len);

  for (guint i = 0; i < RESAMPLES; i++)
    {
      g_autoptr (GArray) resampled = NULL;

      for (guint part = 0; part < n; part++)
        drawn[part] = resample (rand, counts[part]);
      resampled = find_in_parts (drawn, n);
      for (guint j = 1; j < found->len; j++)
        n_distinct[j] += has_top (resampled, g_array_index (found, TbPeakRange, j - 1).top)
                         && has_top (resampled, g_array_index (found, TbPeakRange, j).top);
    }
  for (guint j = found->len; j-- > 1;)
    {
      const TbPeakRange *one = &g_array_index (found, TbPeakRange, j);

      if (n_distinct[j] < STABLE)
        g_array_remove_index (found, counts[one->top] > counts[one[-1].top] ? j - 1 : j);
    }
}

/* The bin edge nearest to the lowest part between two tops: after the bin of the left one, not
 * after that of the right one. */
static guint
find_cut (const guint64 *counts, guint left, guint right, guint parts)
{
  guint lowest = left;

  for (guint part = left; part <= right; part++)
    if (counts[part] <= counts[lowest])
      lowest = part;
  return CLAMP ((2 * lowest + 1 + parts) / (2 * parts), left / parts + 1, right / parts);
}

/* Replaces a peak by those that have their tops in it; returns the number of additional peaks. */
static guint
divide (GArray *peaks, guint i, const GArray *found, const guint64 *counts, guint parts)
{
  TbPeakRange peak = g_array_index (peaks, TbPeakRange, i);
  g_autoptr (GArray) divided = g_array_new (FALSE, FALSE, sizeof (TbPeakRange));
  guint before = 0;

  for (guint j = 0; j < found->len; j++)
    {
      guint top = g_array_index (found, TbPeakRange, j).top;
      TbPeakRange one = { peak.first, peak.last, top / parts };

      if (one.top < peak.first || one.top > peak.last)
        continue;
      if (divided->len > 0)
        {
          one.first = find_cut (counts, before, top, parts);
          g_array_index (divided, TbPeakRange, divided->len - 1).last = one.first - 1;
        }
      g_array_append_val (divided, one);
      before = top;
    }
  if (divided->len < 2)
    return 0;
  g_array_remove_index (peaks, i);
  g_array_insert_vals (peaks, i, divided->data, divided->len);
  return divided->len - 1;
}

static gboolean
is_broad (const TbPeakRange *peak, const TbPeaksBins *bins)
{
  return peak->last - peak->first + 1 >= BROAD * bins->resolution;
}

void
tb_peaks_refine (GArray *peaks, const TbPeaksHistogram *histogram, const TbPeaksBins *bins)
{
  guint n = bins->n * bins->parts;
  g_autoptr (GArray) found = NULL;
  gboolean any = FALSE;

  for (guint i = 0; i < peaks->len; i++)
    any |= is_broad (&g_array_index (peaks, TbPeakRange, i), bins);
  if (!any)
    return;
  found = find_in_parts (histogram->fine, n);
  if (found->len > 1)
    drop_unstable (found, histogram->fine, n);
  for (guint i = 0; i < peaks->len; i++)
    if (is_broad (&g_array_index (peaks, TbPeakRange, i), bins))
      i += divide (peaks, i, found, histogram->fine, bins->parts);
}

GArray *
tb_peaks_find_in_histogram (const TbPeaksHistogram *histogram, const TbPeaksBins *bins)
{
  g_autofree guint64 *counts = g_new (guint64, bins->n);
  g_autofree guint *bin_of = g_new (guint, bins->n);
  GArray *peaks;
  guint n = 0;

  for (guint bin = 0; bin < bins->n; bin++)
    if (bins->edges[bin] < bins->edges[bin + 1])
      {
        bin_of[n] = bin;
        counts[n++] = histogram->counts[bin];
      }
  peaks = tb_peaks_find (counts, n, bins->resolution);
  for (guint i = 0; i < peaks->len; i++)
    {
      TbPeakRange *peak = &g_array_index (peaks, TbPeakRange, i);

      *peak = (TbPeakRange) { bin_of[peak->first], bin_of[peak->last], bin_of[peak->top] };
    }
  if (bins->parts > 1)
    tb_peaks_refine (peaks, histogram, bins);
  return peaks;
}
