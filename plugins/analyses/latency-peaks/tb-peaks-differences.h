/* tb-peaks-differences.h: what the operations of two recordings differ by, as every comparison tells it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-peaks-calls.h"

G_BEGIN_DECLS

/* Completes the report of a comparison: members of its summary, findings, and a heat map of all operations' histograms. scale: of
 * the other's calls; normalized_by: what for, "" nothing. */
void tb_peaks_add_differences (TbReport *report,
                               const TbPeaksCalls *base,
                               const TbPeaksCalls *other,
                               double scale,
                               const char *normalized_by);

G_END_DECLS
