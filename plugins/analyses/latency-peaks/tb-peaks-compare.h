/* tb-peaks-compare.h: whether latencies of two recordings differ, and which peaks only one of them has
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-peaks-calls.h"

G_BEGIN_DECLS

/* All operations that both have, and those that one has. */
void tb_peaks_compare_all (TbReport *report, const TbPeaksCalls *base, const TbPeaksCalls *other);
/* One operation. */
void tb_peaks_compare_one (TbReport *report,
                           const TbPeaksCalls *base,
                           const TbPeaksOperation *of_base,
                           const TbPeaksCalls *other,
                           const TbPeaksOperation *of_other);

G_END_DECLS
