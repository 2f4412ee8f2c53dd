/* tb-peaks-detection.c: detection of the peaks of a histogram, as a person would see them: local
 * maxima, merged where they hardly stand out; tb-peaks-refinement.c divides broad ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "tb-peaks-detection.h"

#define VALLEY_RATIO 1.75
#define SIGNIFICANCE 2.5
#define LEAST_CALLS 9
#define STRAY_CALLS 5
#define STRAY_PART 30
#define STRAY_RUN 10

typedef struct
{
  /* bins [first, last]; the lowest bin between two hills is the last bin of the left one */
  guint first;
  guint last;
  guint top;
} Hill;

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
  Hill hill = { 0, 0, 0 };
  gboolean falls = FALSE;

  for (guint i = 1; i < n; i++)
    {
      if (counts[i] > counts[i - 1] && falls)
        {
          g_array_append_val (hills, hill);
          hill = (Hill) { i, i, i };
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

/* The lowest count between a hill and the next one on its left or right; 0 at the ends. */
static guint64
get_valley (GArray *hills, const guint64 *counts, guint i, gboolean right)
{
  guint from, to;
  guint64 lowest = G_MAXUINT64;

  if (right ? i + 1 >= hills->len : i == 0)
    return 0;
  from = get_hill (hills, right ? i : i - 1)->top;
  to = get_hill (hills, right ? i + 1 : i)->top;
  for (guint bin = from; bin <= to; bin++)
    lowest = MIN (lowest, counts[bin]);
  return lowest;
}

/* Significance of the calls above a level, in standard deviations. */
static double
get_significance (const Hill *hill, const guint64 *counts, guint64 level)
{
  double above = 0, calls = 0, width = 0;

  for (guint bin = hill->first; bin <= hill->last; bin++)
    if (counts[bin] > level)
      {
        above += (double) (counts[bin] - level);
        calls += (double) counts[bin];
        width++;
      }
  return above > 0 ? above / sqrt (calls + width * width * (double) level) : 0;
}

static double
count_calls (const Hill *hill, const guint64 *counts)
{
  double calls = 0;

  for (guint bin = hill->first; bin <= hill->last; bin++)
    calls += (double) counts[bin];
  return calls;
}

/* How distinct a hill is from the neighbour that it would be merged with: at 1 or more, it is a
 * peak. */
static double
get_distinctness (GArray *hills, const guint64 *counts, guint i, gboolean *right)
{
  const Hill *hill = get_hill (hills, i);
  guint64 left_valley = get_valley (hills, counts, i, FALSE),
          right_valley = get_valley (hills, counts, i, TRUE);
  gboolean has_left = i > 0, has_right = i + 1 < hills->len;
  guint64 valley = MAX (left_valley, right_valley);
  double ratio, significance;

  *right = has_right
           && (!has_left || right_valley > left_valley
               || (right_valley == left_valley
                   && get_hill (hills, i + 1)->first - hill->top
                          < hill->top - get_hill (hills, i - 1)->last));
  if (valley == 0)
    return count_calls (hill, counts) / LEAST_CALLS;
  ratio = log ((double) (counts[hill->top] + 1) / (double) (valley + 1)) / log (VALLEY_RATIO);
  significance = get_significance (hill, counts, valley) / SIGNIFICANCE;
  return MIN (MIN (ratio, significance), count_calls (hill, counts) / LEAST_CALLS);
}

static void
merge (GArray *hills, const guint64 *counts, guint i, gboolean right)
{
  guint left = right ? i : i - 1;
  Hill *one = get_hill (hills, left);
  const Hill *two = get_hill (hills, left + 1);

  one->last = two->last;
  if (counts[two->top] > counts[one->top])
    one->top = two->top;
  g_array_remove_index (hills, left + 1);
}

/* Merges the weakest hill with a neighbour until every hill is a peak. A hill is judged by the
 * higher of its valleys. */
static void
merge_hills (GArray *hills, const guint64 *counts)
{
  while (hills->len > 1)
    {
      double least = 1;
      guint weakest = G_MAXUINT;
      gboolean where = FALSE;

      for (guint i = 0; i < hills->len; i++)
        {
          gboolean right;
          double strength = get_distinctness (hills, counts, i, &right);

          if (strength < least)
            {
              least = strength;
              weakest = i;
              where = right;
            }
        }
      if (weakest == G_MAXUINT)
        return;
      merge (hills, counts, weakest, where);
    }
}

/* Leaves out runs between empty bins that hold few of the peak's calls, from the outside inwards,
 * until a run holds more. */
static void
drop_stray_runs (Hill *hill, const guint64 *counts)
{
  double most = MAX (count_calls (hill, counts) / STRAY_RUN, 2);
  double calls = 0;

  for (guint bin = hill->first; bin < hill->top && calls <= most; bin++)
    {
      calls += (double) counts[bin];
      if (counts[bin] == 0 && calls <= most)
        {
          hill->first = bin + 1;
          calls = 0;
        }
    }
  calls = 0;
  for (guint bin = hill->last; bin > hill->top && calls <= most; bin--)
    {
      calls += (double) counts[bin];
      if (counts[bin] == 0 && calls <= most)
        {
          hill->last = bin - 1;
          calls = 0;
        }
    }
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
      merge (hills, counts, nearest, TRUE);
    }
}

GArray *
tb_peaks_find (const guint64 *counts, guint n)
{
  return tb_peaks_find_separated (counts, n, 0);
}

GArray *
tb_peaks_find_separated (const guint64 *counts, guint n, guint min_distance)
{
  g_autoptr (GArray) hills = cut_into_hills (counts, n);
  GArray *peaks = g_array_new (FALSE, FALSE, sizeof (TbPeakRange));

  merge_near_hills (hills, counts, min_distance);
  merge_hills (hills, counts);
  for (guint i = 0; i < hills->len; i++)
    {
      Hill *hill = get_hill (hills, i);
      TbPeakRange peak;

      if (count_calls (hill, counts) < LEAST_CALLS)
        continue;
      drop_stray_runs (hill, counts);
      drop_stray_calls (hill, counts);
      peak = (TbPeakRange) { hill->first, hill->last, hill->top };
      g_array_append_val (peaks, peak);
    }
  return peaks;
}
