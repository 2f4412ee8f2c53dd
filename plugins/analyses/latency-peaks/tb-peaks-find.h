/* tb-peaks-find.h: the peaks of a histogram, as a person would see them
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
  guint top; /* the fullest; as found */
} TbPeakRange;

/* Finds the peaks among n counts, ascending; their ranges do not overlap.
 *
 * Every local maximum of the counts begins as a hill that reaches to the lowest bins beside it. A hill is told from its
 * higher neighbour where the valley between them is seen on a logarithmic axis (its top is VALLEY_RATIO times the valley,
 * both plus one) and is no chance (the calls above the level of the valley are SIGNIFICANCE times their own uncertainty,
 * calls being counted as independent); one that rises from nothing needs LEAST_CALLS. The weakest hill that is not told
 * from its neighbour becomes part of the neighbour across the higher of its valleys, until all that are left are peaks.
 * At last strays in the tails are left out: runs apart from the peak with a tenth of its calls or less, and outermost
 * bins of less than a thirtieth of its calls that have fewer than STRAY_CALLS. */
GArray *tb_peaks_find (const guint64 *counts, guint n);
/* Likewise, but hills with tops less than so many bins apart are one. */
GArray *tb_peaks_find_apart (const guint64 *counts, guint n, guint apart);
/* The same of a histogram, whose bins of no width are no valleys; the indices are those of the bins. A broad peak whose parts
 * show more than one is divided: see tb_peaks_refine(). */
GArray *tb_peaks_find_in_histogram (const TbPeaksHistogram *histogram, const TbPeaksBins *bins);

G_END_DECLS
