/* tb-peaks-accuracy.h: findings about the accuracy of a live search, which probes the running
 * program: cost of probes, lost calls; text on the limit that ended it; findings about interrupts
 * as frequent causes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "drill/tb-peaks-result.h"

G_BEGIN_DECLS

/* For results of a recording, all of these return nothing. */

/* Latencies up to this are comparable to the overhead of the probes, ns. */
gint64 tb_peaks_accuracy_get_reach (const TbPeaksResult *result);
gboolean tb_peaks_accuracy_is_within_reach (const TbPeaksResult *result, guint bin);
guint64 tb_peaks_accuracy_count_within_reach (const TbPeaksResult *result);
/* Calls and parts of calls that are not counted, because there was no room for them or a probe was
 * skipped. */
guint64 tb_peaks_accuracy_count_lost (const TbPeaksResult *result);
void tb_peaks_accuracy_add_findings (TbReport *report, const TbPeaksResult *result);
/* The limit that ended the search: "probes", "calls"; NULL if none. */
const char *tb_peaks_accuracy_get_limit (const TbPeaksResult *result);
/* " The search ended …", for the peak that was examined; "" if no limit was reached. (transfer
 * full) */
char *tb_peaks_accuracy_describe_limit (const TbPeaksResult *result);

G_END_DECLS
