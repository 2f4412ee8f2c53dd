/* tb-peaks-detection.h: detection of the peaks of a histogram, as a person would see them: local
 * maxima, merged where they hardly stand out; tb-peaks-refinement.c divides broad ones
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

/* Finds the peaks among n counts, ascending; their ranges do not overlap.
 *
 * Every local maximum of the counts starts as a hill that extends to the lowest bins on both sides.
 * A hill is distinct from its higher neighbour if the valley between them is visible on a
 * logarithmic axis (its top is VALLEY_RATIO times the valley, both plus one) and is significant
 * (the calls above the level of the valley are SIGNIFICANCE times their own uncertainty; calls are
 * assumed to be independent). A hill between empty bins needs LEAST_CALLS. The weakest hill that is
 * not distinct is merged with the neighbour across the higher of its valleys, until all remaining
 * hills are peaks. Finally strays in the tails are left out: separate runs with a tenth of the
 * peak's calls or less, and outermost bins with less than a thirtieth of its calls that have fewer
 * than STRAY_CALLS. */
GArray *tb_peaks_find (const guint64 *counts, guint n);
/* The same, but hills with tops less than min_distance bins from each other are merged. */
GArray *tb_peaks_find_separated (const guint64 *counts, guint n, guint min_distance);

G_END_DECLS
