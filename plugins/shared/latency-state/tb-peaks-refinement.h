/* tb-peaks-refinement.h: peaks of a histogram whose bins have parts: detection, and division of
 * broad peaks into narrow ones, by counting their calls in finer bins
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-detection.h"

G_BEGIN_DECLS

/* Divides peaks of a histogram whose bins have parts. Two peaks a few doublings apart fill the bins
 * of a doubling between them from both sides, so that OSprof's r = 1 shows one broad peak, and r =
 * 2 may show two. Such a peak is divided where there is a reason and as far as the number of calls
 * permits:
 *
 * - Peaks that span BROAD doublings or more are examined in bins of half a doubling, by the same
 *   method. Tops less than APART doublings from each other are merged: they have no bin between
 *   them that could show a valley at r = 1.
 * - They are divided only if other calls of the same kind would show both tops, too: in STABLE of
 *   RESAMPLES bootstrap resamples.
 *
 * The cut is the bin edge nearest to the lowest part between two tops, so that ranges remain whole
 * bins. */
void tb_peaks_refine (GArray *peaks, const TbPeaksHistogram *histogram, const TbPeaksBins *bins);
/* The same for a histogram. Bins of zero width are not valleys; the indices are those of the bins.
 * A broad peak whose parts show several peaks is divided: see tb_peaks_refine(). */
GArray *tb_peaks_find_in_histogram (const TbPeaksHistogram *histogram, const TbPeaksBins *bins);

G_END_DECLS
