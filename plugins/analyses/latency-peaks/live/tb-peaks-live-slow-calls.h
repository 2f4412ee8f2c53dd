/* tb-peaks-live-slow-calls.h: longest calls that a live search stored in the recording: table with
 * report actions that record all calls, finding about the longest one with its thread and time;
 * error when one call is to be examined alone
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "drill/tb-peaks-result.h"

G_BEGIN_DECLS

/* Adds a table, each row with its thread and time. Adds nothing for a recording, or if no calls
 * were stored. */
void tb_peaks_add_longest (TbReport *report, const TbPeaksResult *result);
/* Adds a finding that links the longest call to its control paths. */
void tb_peaks_add_longest_finding (TbReport *report, const TbPeaksResult *result);
/* The longest call: its thread, TB_ID_NONE if not known, and its time, ns. FALSE: no calls were
 * stored. */
gboolean
tb_peaks_get_longest (const TbPeaksResult *result, guint32 *thread, gint64 *from, gint64 *to);
/* A single call of a live search cannot be examined: error names what can be analyzed at the time
 * of the call. */
void tb_peaks_refuse_call (const TbPeaksResult *result, gint64 time, GError **error);

G_END_DECLS
