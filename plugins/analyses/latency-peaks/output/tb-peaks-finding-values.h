/* tb-peaks-finding-values.h: code and values of the finding about a peak, for programs that read
 * the report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "drill/tb-peaks-result.h"

G_BEGIN_DECLS

#define TB_PEAKS_CAUSES_SHOWN 3

/* Sets "from_ns" and "to_ns", after a prefix such as "other_"; a range without an upper end has
 * null. */
void tb_peaks_finding_set_range (TbFinding *finding,
                                 const char *prefix,
                                 const TbPeaksBins *bins,
                                 const TbPeakRange *range);
/* Sets the code and the values of the finding about a peak. attribute, periodicity: NULL if there
 * is none. */
void tb_peaks_finding_set_peak (TbFinding *finding,
                                const TbPeaksResult *result,
                                guint peak,
                                const TbPeakAttribute *attribute,
                                const TbPeakPeriodicity *periodicity);

G_END_DECLS
