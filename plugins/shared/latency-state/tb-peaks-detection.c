/* tb-peaks-detection.c: detection of the peaks of a histogram, as a person would see them: local
 * maxima parted by empty bins or by significant valleys; tb-peaks-refinement.c divides broad ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <float.h>
#include <math.h>

#include "tb-peaks-detection.h"

#define STRAY_CALLS 5
#define STRAY_PART 30
/* Widths of a valley and of a hill that are compared: 1, 2, 4 … bins. */
#define MAX_WIDTHS 11
/* Terms of a probability that are summed up one by one. */
#define MAX_TERMS 4096

typedef struct
{
  /* bins [first, last]; the lowest bin between two hills is the last bin of the left one */
  guint first;
  guint last;
  guint top;
  /* how distinct the valley between it and the next hill is: at 1 or more, it parts them */
  double valley;
} Hill;

/* Calls of the 1, 2, 4 … adjacent bins around a place, as many as there are. */
typedef struct
{
  guint n;
  guint first[MAX_WIDTHS];
  guint last[MAX_WIDTHS];
  guint64 calls[MAX_WIDTHS];
} Widths;

static Hill *
get_hill (GArray *hills, guint i)
{
  return &g_array_index (hills, Hill, i);
}

/* Makes one hill for each local maximum; a plateau is one maximum. */
static GArray *
cut_into_hills (const guint64 *counts, guint n)
{
  GArray *hills = g_array_new (FALSE, FALSE, sizeof (Hill));
  Hill hill = { 0 };
  gboolean falls = FALSE;

  for (guint i = 1; i < n; i++)
    {
      if (counts[i] > counts[i - 1] && falls)
        {
          g_array_append_val (hills, hill);
          hill = (Hill) { i, i, i, 0 };
          falls = FALSE;
        }
      if (counts[i] < counts[i - 1])
        falls = TRUE;
      if (counts[i] > counts[hill.top])
        hill.top = i;
      hill.last = i;
    }
  if (n > 0)
    g_array_append_val (hills, hill);
  return hills;
}

/* --- significance --- */

/* P(X ≤ v) of n = v + h calls that fall into the valley with probability q = bins of it / all. The
 * terms are summed up from X = v downwards, where they fall at least as fast as a geometric
 * series. */
double
tb_peaks_get_chance (guint64 n_valley, guint valley_bins, guint64 n_hill, guint hill_bins)
{
  double v = (double) n_valley, h = (double) n_hill, n = v + h;
  double q = (double) valley_bins / ((double) valley_bins + hill_bins), odds = (1 - q) / q;
  double term, ratio, sum = 0;

  if (v >= q * n)
    return 1;
  term = exp (lgamma (n + 1) - lgamma (v + 1) - lgamma (h + 1) + v * log (q) + h * log1p (-q));
  for (guint i = 0; i < MAX_TERMS && term > sum * 1e-12; i++)
    {
      sum += term;
      ratio = v / (h + 1) * odds;
      term *= ratio;
      v--;
      h++;
      if (v < 0)
        return MIN (sum, 1);
    }
  /* The rest is less than a geometric series of the next ratio. */
  ratio = MAX (v, 0) / (h + 1) * odds;
  return MIN (sum + term / (1 - MIN (ratio, 0.999)), 1);
}

/* Adds bins in [from, to] to the start one, the one that fits better first: the lower one for a
 * valley, the higher one for a hill. */
static void
measure_widths (Widths *widths,
                const guint64 *counts,
                guint start,
                guint from,
                guint to,
                gboolean is_valley)
{
  guint low = start, high = start, next = 1;
  guint64 calls = counts[start];

  widths->n = 0;
  for (guint width = 1; widths->n < MAX_WIDTHS; width++)
    {
      gboolean can_left = low > from, can_right = high < to, is_left;

      if (width == next)
        {
          widths->first[widths->n] = low;
          widths->last[widths->n] = high;
          widths->calls[widths->n++] = calls;
          next *= 2;
        }
      if (!can_left && !can_right)
        return;
      is_left = can_left
                && (!can_right || (counts[low - 1] < counts[high + 1]) == (is_valley != FALSE));
      calls += is_left ? counts[--low] : counts[++high];
    }
}

/* The least probability of all widths that do not overlap, times their number. */
static double
get_least_chance (const Widths *valley, const Widths *hill)
{
  double least = 1;
  guint n_tried = 0;

  for (guint i = 0; i < valley->n; i++)
    for (guint j = 0; j < hill->n; j++)
      {
        if (valley->first[i] <= hill->last[j] && hill->first[j] <= valley->last[i])
          continue;
        n_tried++;
        least = MIN (least,
                     tb_peaks_get_chance (valley->calls[i], valley->last[i] - valley->first[i] + 1,
                                          hill->calls[j], hill->last[j] - hill->first[j] + 1));
      }
  return least * n_tried;
}

/* --- valleys --- */

/* The lowest bin between two hills. */
static guint
find_lowest (const guint64 *counts, guint from, guint to)
{
  guint lowest = from;

  for (guint bin = from; bin <= to; bin++)
    if (counts[bin] < counts[lowest])
      lowest = bin;
  return lowest;
}

static gboolean
has_empty_run (const guint64 *counts, guint from, guint to, guint length)
{
  guint run = 0;

  for (guint bin = from; bin <= to; bin++)
    {
      run = counts[bin] == 0 ? run + 1 : 0;
      if (run >= length)
        return TRUE;
    }
  return FALSE;
}

/* How distinct a hill is from the valley; at 1 or more, it rises visibly and significantly. */
static double
get_rise (const guint64 *counts,
          const Hill *hill,
          guint lowest,
          const Widths *valley,
          guint bins_per_doubling)
{
  Widths widths;
  double ratio = log ((double) (counts[hill->top] + 1) / (double) (counts[lowest] + 1))
                 / log (TB_PEAKS_VALLEY_RATIO);
  double chance;

  if (ratio < 1)
    return ratio;
  if (hill->top < lowest)
    measure_widths (&widths, counts, hill->top, hill->first, lowest - 1, FALSE);
  else
    measure_widths (&widths, counts, hill->top, lowest + 1, hill->last, FALSE);
  chance = get_least_chance (valley, &widths) * bins_per_doubling;
  return MIN (ratio, log (MAX (chance, DBL_MIN)) / log (TB_PEAKS_CHANCE));
}

/* How distinct the valley between a hill and the next one is. */
static double
measure_valley (GArray *hills, const guint64 *counts, guint i, guint bins_per_doubling)
{
  const Hill *left = get_hill (hills, i), *right = get_hill (hills, i + 1);
  guint lowest;
  Widths valley;

  if (has_empty_run (counts, left->top, right->top, bins_per_doubling))
    return G_MAXDOUBLE;
  lowest = find_lowest (counts, left->top, right->top);
  measure_widths (&valley, counts, lowest, left->top + 1, right->top - 1, TRUE);
  return MIN (get_rise (counts, left, lowest, &valley, bins_per_doubling),
              get_rise (counts, right, lowest, &valley, bins_per_doubling));
}

/* Merges a hill with the next one. */
static void
merge (GArray *hills, const guint64 *counts, guint i)
{
  Hill *one = get_hill (hills, i);
  const Hill *two = get_hill (hills, i + 1);

  one->last = two->last;
  if (counts[two->top] > counts[one->top])
    one->top = two->top;
  g_array_remove_index (hills, i + 1);
}

/* Merges hills across the weakest valley until every valley parts its hills. A merger changes only
 * the valleys on both sides of the merged hill. */
static void
merge_hills (GArray *hills, const guint64 *counts, guint bins_per_doubling)
{
  for (guint i = 0; i + 1 < hills->len; i++)
    get_hill (hills, i)->valley = measure_valley (hills, counts, i, bins_per_doubling);
  while (hills->len > 1)
    {
      guint weakest = 0;

      for (guint i = 1; i + 1 < hills->len; i++)
        if (get_hill (hills, i)->valley < get_hill (hills, weakest)->valley)
          weakest = i;
      if (get_hill (hills, weakest)->valley >= 1)
        return;
      merge (hills, counts, weakest);
      for (guint i = weakest - MIN (weakest, 1); i <= weakest && i + 1 < hills->len; i++)
        get_hill (hills, i)->valley = measure_valley (hills, counts, i, bins_per_doubling);
    }
}

/* Merges hills whose tops are too close, the closest first. */
static void
merge_near_hills (GArray *hills, const guint64 *counts, guint min_distance)
{
  while (hills->len > 1)
    {
      guint nearest = 0, least = G_MAXUINT;

      for (guint i = 0; i + 1 < hills->len; i++)
        {
          guint distance = get_hill (hills, i + 1)->top - get_hill (hills, i)->top;

          if (distance < least)
            {
              least = distance;
              nearest = i;
            }
        }
      if (least >= min_distance)
        return;
      merge (hills, counts, nearest);
    }
}

/* --- peaks --- */

static double
count_calls (const Hill *hill, const guint64 *counts)
{
  double calls = 0;

  for (guint bin = hill->first; bin <= hill->last; bin++)
    calls += (double) counts[bin];
  return calls;
}

static void
drop_stray_calls (Hill *hill, const guint64 *counts)
{
  double least = MIN (count_calls (hill, counts) / STRAY_PART, STRAY_CALLS);

  while (hill->first < hill->top
         && (counts[hill->first] == 0 || (double) counts[hill->first] < least))
    hill->first++;
  while (hill->last > hill->top && (counts[hill->last] == 0 || (double) counts[hill->last] < least))
    hill->last--;
}

GArray *
tb_peaks_find (const guint64 *counts, guint n, guint bins_per_doubling)
{
  return tb_peaks_find_separated (counts, n, bins_per_doubling, 0);
}

GArray *
tb_peaks_find_separated (const guint64 *counts,
                         guint n,
                         guint bins_per_doubling,
                         guint min_distance)
{
  g_autoptr (GArray) hills = cut_into_hills (counts, n);
  GArray *peaks = g_array_new (FALSE, FALSE, sizeof (TbPeakRange));

  merge_near_hills (hills, counts, min_distance);
  merge_hills (hills, counts, MAX (bins_per_doubling, 1));
  for (guint i = 0; i < hills->len; i++)
    {
      Hill *hill = get_hill (hills, i);
      TbPeakRange peak;

      if (count_calls (hill, counts) < TB_PEAKS_LEAST_CALLS)
        continue;
      drop_stray_calls (hill, counts);
      peak = (TbPeakRange) { hill->first, hill->last, hill->top };
      g_array_append_val (peaks, peak);
    }
  return peaks;
}
