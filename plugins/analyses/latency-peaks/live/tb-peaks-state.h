/* tb-peaks-state.h: saved drill-down as JSON: written for a peak; read to continue it: its
 * latencies compared with this recording's, its counters added to the matching nodes of the tree
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "drill/tb-peaks-result.h"

G_BEGIN_DECLS

/* The distance between the earlier latencies and the current ones. */
typedef struct
{
  double bins;
  double limit; /* maximum distance explained by chance, at least half a bin */
  gboolean is_same;
} TbPeaksDistance;

typedef struct _TbPeaksState TbPeaksState;

/* text: the JSON of a report of latency-peaks, or of the state in it. */
TbPeaksState *tb_peaks_state_parse (const char *text, GError **error);
void tb_peaks_state_free (TbPeaksState *self);
const char *tb_peaks_state_get_operation (const TbPeaksState *self);
gboolean tb_peaks_state_is_of (const TbPeaksState *self, const TbPeaksOperation *operation);
/* Whether the state has a peak, and the same bins as the calls. */
gboolean tb_peaks_state_fits (const TbPeaksState *self, const TbPeaksCalls *calls, GError **error);
TbPeaksDistance tb_peaks_state_compare (const TbPeaksState *self,
                                        const TbPeaksCalls *calls,
                                        const TbPeaksOperation *operation);
TbPeakRange tb_peaks_state_get_range (const TbPeaksState *self);
/* Adds the counters of the state to those of the only peak of a drill-down, before it is
 * finished. */
gboolean tb_peaks_state_add (const TbPeaksState *self, TbPeaksResult *result, GError **error);

/* The state of a peak, including the counters that were added: the format is that of the collector
 * "latency", which can continue from it. */
JsonNode *tb_peaks_state_make (const TbPeaksResult *result, guint peak);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksState, tb_peaks_state_free)

G_END_DECLS
