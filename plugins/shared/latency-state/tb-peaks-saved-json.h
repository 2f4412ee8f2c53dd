/* tb-peaks-saved-json.h: checked reading of a saved drill-down from untrusted JSON, and how far its
 * latencies may differ from present ones by chance and probes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "tb-peaks-bins.h"

G_BEGIN_DECLS

#define TB_PEAKS_SAVED_FORMAT "tailback-latency"
/* Limits beyond any JSON that Tailback writes. */
#define TB_PEAKS_SAVED_MAX_LENGTH (64u << 20)
#define TB_PEAKS_SAVED_MAX_NODES 4096
/* Phase of a node that has been decided: its callees are not counted any more. */
#define TB_PEAKS_SAVED_DECIDED 3

gint64 tb_peaks_saved_get_integer (JsonObject *object, const char *member, gint64 otherwise);
/* 0 for an invalid number, at most 2⁴⁸. */
guint64 tb_peaks_saved_get_count (JsonObject *object, const char *member);
/* "" for an invalid string. */
const char *tb_peaks_saved_get_string (JsonObject *object, const char *member);
gboolean tb_peaks_saved_get_boolean (JsonObject *object, const char *member);
/* These return NULL for an invalid member; object may be NULL, too. */
JsonArray *tb_peaks_saved_get_array (JsonObject *object, const char *member);
JsonObject *tb_peaks_saved_get_object (JsonObject *object, const char *member);

/* array may be NULL. */
guint tb_peaks_saved_get_length (JsonArray *array);
/* NULL: the element is not an object. */
JsonObject *tb_peaks_saved_get_element (JsonArray *array, guint i);
/* Reads the first n numbers of a row; FALSE if there are fewer, or one is negative. */
gboolean tb_peaks_saved_get_row (JsonArray *array, guint i, gint64 *numbers, guint n);

/* The state of a drill-down, also if root is a report that has it in its summary. (transfer none)
 * NULL: it is neither. */
JsonObject *tb_peaks_saved_find_state (JsonNode *root);
/* Whether the state is about the operation. It may be if one of the names lacks the function's
 * module. */
gboolean tb_peaks_saved_is_of (JsonObject *state, const char *operation);
/* Member with the bins at the choice of the peak; null or missing: no search changed the bins. */
#define TB_PEAKS_SAVED_BINS_AT_CHOICE "bins_at_choice"
/* The number of calls in each of n bins, before the search put probes into them. (transfer full) */
guint64 *tb_peaks_saved_read_counts (JsonObject *state, guint n);
/* Member with the number of probed calls within the calls of each bin; only if the latencies
 * contain the overhead of their probes, as those of a recording do that did not measure it. */
#define TB_PEAKS_SAVED_PROBED_CALLS "probed_calls"
/* As of n bins, 0 where the state has none. (transfer full) */
guint64 *tb_peaks_saved_read_probed_calls (JsonObject *state, guint n);
/* A live search subtracts the overhead of probes, a recording may not. Returns the last bin of
 * which calls may have moved between the two, for probes that lengthen a call by call_ns; -1: none.
 * probed: the number of probed calls within the recorded calls (counts) of each bin, each of which
 * lengthens them as much; NULL: none. */
int tb_peaks_saved_find_reach (const TbPeaksBins *bins,
                               gint64 call_ns,
                               const guint64 *counts,
                               const guint64 *probed);
/* Latencies within the reach of the probe overhead reflect the probes rather than the calls: all
 * calls up to bin reach are counted in that bin. (transfer full) */
guint64 *tb_peaks_saved_pool (const guint64 *counts, guint n, int reach);
/* The maximum distance in bins between the earlier and the current calls that chance and the
 * variation of the machine explain, for a given number of current calls. */
double tb_peaks_saved_get_limit (const guint64 *earlier, guint n, guint64 calls);

G_END_DECLS
