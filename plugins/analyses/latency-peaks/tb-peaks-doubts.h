/* tb-peaks-doubts.h: what numbers that were found while a function ran are worth
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-result.h"

G_BEGIN_DECLS

/* All of results of a recording: nothing. */

/* Latencies up to this are of the size of what probes took, ns. */
gint64 tb_peaks_doubts_get_reach (const TbPeaksResult *result);
gboolean tb_peaks_doubts_is_within_reach (const TbPeaksResult *result, guint bin);
guint64 tb_peaks_doubts_count_within_reach (const TbPeaksResult *result);
/* Calls and parts of calls that are in no number, as there was no room for them or a probe was passed over. */
guint64 tb_peaks_doubts_count_lost (const TbPeaksResult *result);
void tb_peaks_doubts_add_findings (TbReport *report, const TbPeaksResult *result);
/* What ended the search: "probes", "calls"; NULL nothing. */
const char *tb_peaks_doubts_get_limit (const TbPeaksResult *result);
/* " The search ended …", of the peak that was looked into; "" nothing. (transfer full) */
char *tb_peaks_doubts_describe_limit (const TbPeaksResult *result);

G_END_DECLS
