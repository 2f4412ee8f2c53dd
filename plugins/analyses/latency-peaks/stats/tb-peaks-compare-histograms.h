/* tb-peaks-compare-histograms.h: comparison of latencies in two recordings, added to a report: of
 * one operation, its histograms, their distance, and peaks that only one has; or a table of all
 * operations
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "calls/tb-peaks-calls.h"

G_BEGIN_DECLS

/* Compares all operations of both recordings, including those that only one of them has. */
void tb_peaks_compare_all (TbReport *report, const TbPeaksCalls *base, const TbPeaksCalls *other);
/* Compares one operation. */
void tb_peaks_compare_one (TbReport *report,
                           const TbPeaksCalls *base,
                           const TbPeaksOperation *of_base,
                           const TbPeaksCalls *other,
                           const TbPeaksOperation *of_other);

G_END_DECLS
