/* tb-peaks-refine.h: broad peaks that are several in finer bins
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-find.h"

G_BEGIN_DECLS

/* Divides peaks of a histogram whose bins have parts. Two peaks that lie few doublings apart fill the bins of a doubling between
 * them from both sides, where OSprof's r = 1 then shows one broad peak. An analyst who suspects that looks at r = 2; so do we,
 * where there is a reason and as far as the calls bear it:
 *
 * - Peaks that span BROAD doublings or more are looked at in bins of half a doubling, by the same method. Tops less than APART
 *   doublings from each other are one: they have no bin between them that could show a valley at r = 1.
 * - They are divided only where other calls of the same kind would show both tops, too: in STABLE of RESAMPLES bootstrap
 *   resamples.
 *
 * The cut is the edge of a bin nearest to the lowest part between two tops, so that ranges are whole bins all the same. */
void tb_peaks_refine (GArray *peaks, const TbPeaksHistogram *histogram, const TbPeaksBins *bins);

G_END_DECLS
