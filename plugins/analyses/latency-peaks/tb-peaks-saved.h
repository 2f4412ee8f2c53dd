/* tb-peaks-saved.h: members of a drill-down's JSON, which may be anything
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "tb-peaks-bins.h"

G_BEGIN_DECLS

#define TB_PEAKS_SAVED_FORMAT "tailback-latency"
/* Longer ones, and with more nodes, nobody has written. */
#define TB_PEAKS_SAVED_MAX_LENGTH (64u << 20)
#define TB_PEAKS_SAVED_MAX_NODES 4096
/* Of a node: its callees count no more. */
#define TB_PEAKS_SAVED_DECIDED 3

gint64 tb_peaks_saved_get_integer (JsonObject *object, const char *member, gint64 otherwise);
/* 0 of what is none, at most 2⁴⁸. */
guint64 tb_peaks_saved_get_count (JsonObject *object, const char *member);
/* "" of what is none. */
const char *tb_peaks_saved_get_string (JsonObject *object, const char *member);
gboolean tb_peaks_saved_get_boolean (JsonObject *object, const char *member);
/* These are NULL of what is none; object may be NULL, too. */
JsonArray *tb_peaks_saved_get_array (JsonObject *object, const char *member);
JsonObject *tb_peaks_saved_get_object (JsonObject *object, const char *member);

/* Of an array that may be NULL. */
guint tb_peaks_saved_get_length (JsonArray *array);
/* NULL: it is no object. */
JsonObject *tb_peaks_saved_get_element (JsonArray *array, guint i);
/* The first n numbers of a row of them; FALSE if they are fewer, or one is negative. */
gboolean tb_peaks_saved_get_row (JsonArray *array, guint i, gint64 *numbers, guint n);

/* The state of a drill-down, or of the report that has it in its summary. (transfer none) NULL: it is neither. */
JsonObject *tb_peaks_saved_find_state (JsonNode *root);
/* Whether it is of that operation; where recordings and people leave a function's module out, it may be. */
gboolean tb_peaks_saved_is_of (JsonObject *state, const char *operation);
/* How many calls were in each of n bins. (transfer full) */
guint64 *tb_peaks_saved_read_counts (JsonObject *state, guint n);
/* Between what was seen live, where what probes take is subtracted, and a recording, where it is not: the last bin whose calls
 * may have been moved, by probes that make a call so many ns longer; -1 none. */
int tb_peaks_saved_find_reach (const TbPeaksBins *bins, gint64 call_ns);
/* Where calls are within the reach of their probes tells more about these than about the calls: up to that bin, they are in it.
 * (transfer full) */
guint64 *tb_peaks_saved_pool (const guint64 *counts, guint n, int reach);
/* How many bins calls then and now may lie apart, by chance and by the unrest of the machine, where there are so many now. */
double tb_peaks_saved_get_limit (const guint64 *then, guint n, guint64 calls);

G_END_DECLS
