/* tb-peaks-detection.h: detection of the peaks of a histogram, as a person would see them: local
 * maxima parted by empty bins or by significant valleys; tb-peaks-refinement.c divides broad ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-bins.h"

G_BEGIN_DECLS

/* Bins [first, last] of a histogram. */
typedef struct
{
  guint first;
  guint last;
  guint top; /* the bin with most calls, as found */
} TbPeakRange;

/* Fewer calls between empty bins are no peak. */
#define TB_PEAKS_LEAST_CALLS 4
/* Probability, at most, that calls of one rate show a valley that parts two peaks. */
#define TB_PEAKS_CHANCE 0.01
/* The lesser of two peaks is this many times as high as the valley, both plus one. */
#define TB_PEAKS_VALLEY_RATIO 1.75

/* Finds the peaks among n counts, ascending; their ranges do not overlap.
 *
 * Every local maximum of the counts starts as a hill that extends to the lowest bins on both sides.
 * Two neighbours are parted
 *
 * - by an empty doubling, always: `bins_per_doubling` adjacent bins without calls;
 * - by any other valley from which both rise visibly (TB_PEAKS_VALLEY_RATIO on the logarithmic
 *   axis) and significantly: if the bins of the valley and those of the hill had one rate, so few
 *   of their calls would fall into the valley with a probability of TB_PEAKS_CHANCE at most (exact
 *   test of two Poisson counts, times the number of widths tried and of bins in a doubling).
 *
 * Hills that are not parted are merged, across the weakest valley first. Hills of fewer than
 * TB_PEAKS_LEAST_CALLS are no peaks. Finally strays in the tails are left out: outermost bins with
 * less than a thirtieth of the peak's calls that have fewer than 5. */
GArray *tb_peaks_find (const guint64 *counts, guint n, guint bins_per_doubling);
/* The same, but hills with tops less than min_distance bins from each other are merged. */
GArray *tb_peaks_find_separated (const guint64 *counts,
                                 guint n,
                                 guint bins_per_doubling,
                                 guint min_distance);
/* The probability that of calls which fall equally often into any of the bins, at most n_valley are
 * in the valley, given n_valley + n_hill calls in both: a bound from above that is exact except for
 * rounding, or 1 if the valley has its share of the calls. */
double tb_peaks_get_chance (guint64 n_valley, guint valley_bins, guint64 n_hill, guint hill_bins);

G_END_DECLS
