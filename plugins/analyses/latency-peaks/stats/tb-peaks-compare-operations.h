/* tb-peaks-compare-operations.h: differences between the operations of two recordings in total
 * time, number and latencies of calls, as summary members, findings and a heat map of more and
 * fewer calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "calls/tb-peaks-calls.h"

G_BEGIN_DECLS

/* Completes the report of a comparison with members of its summary, findings, and a heat map of the
 * histograms of all operations. scale: factor for the calls of the other recording; normalized_by:
 * name of the normalization, "" if none. */
void tb_peaks_add_differences (TbReport *report,
                               const TbPeaksCalls *base,
                               const TbPeaksCalls *other,
                               double scale,
                               const char *normalized_by);

G_END_DECLS
