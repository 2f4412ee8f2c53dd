/* tb-peaks-lapse.h: how latencies are distributed as time goes by, of one operation or of two beside each other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-coincidence.h"
#include "tb-peaks-result.h"

G_BEGIN_DECLS

/* Of the calls of rows: TB_PEAKS_SLICES rows of last − first + 1 counts. A slice is an equal part of the range; a call is in the
 * one in which it ended. */
guint64 *tb_peaks_count_slices (const TbPeaksCalls *calls,
                                const TbPeaksOperation *operation,
                                const GArray *rows,
                                guint first,
                                guint last);
/* Of the operation that is looked into. */
TbFigure *tb_peaks_draw_slices (const TbPeaksResult *result);
/* The member "slices", with counts in the order of the bins; slices: NULL without any. */
void tb_peaks_slices_to_json (JsonBuilder *builder,
                              const TbPeaksCalls *calls,
                              guint first,
                              guint last,
                              const guint64 *slices);

/* Another operation of the recording beside the one that is looked into. */
typedef struct _TbPeaksBeside
{
  const TbPeaksOperation *operation;
  TbPeakRange slow[2]; /* the slow calls of the one, and of this one */
  guint first;
  guint last;
  guint64 *slices;
  TbPeaksCoincidence coincidence;
} TbPeaksBeside;

/* The slow calls are those of the peak that was chosen, or else of the slowest; of one that has a single peak or none, all. */
TbPeaksBeside *
tb_peaks_beside_new (TbPeaksResult *result, const char *operation, GCancellable *cancellable, GError **error);
void tb_peaks_beside_free (TbPeaksBeside *self);
void tb_peaks_beside_add_figure (TbReport *report, const TbPeaksResult *result);
void tb_peaks_beside_add_finding (TbReport *report, const TbPeaksResult *result);
void tb_peaks_beside_to_json (JsonBuilder *builder, const TbPeaksResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksBeside, tb_peaks_beside_free)

G_END_DECLS
