/* tb-peaks-over-time.h: calls counted by time and latency, as heat map and JSON; correlation over
 * time of an operation's slow calls with those of another (by tb-peaks-coincidence.c), as figure,
 * finding and JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-coincidence.h"
#include "drill/tb-peaks-result.h"

G_BEGIN_DECLS

/* Counts the calls of rows: TB_PEAKS_SLICES rows of last − first + 1 counts. A slice is an equal
 * part of the range; a call belongs to the slice in which it ended. */
guint64 *tb_peaks_count_slices (const TbPeaksCalls *calls,
                                const TbPeaksOperation *operation,
                                const GArray *rows,
                                guint first,
                                guint last);
/* Heat map of the examined operation. */
TbFigure *tb_peaks_draw_slices (const TbPeaksResult *result);
/* Writes the member "slices", with counts in the order of the bins; slices: NULL if there are
 * none. */
void tb_peaks_slices_to_json (JsonBuilder *builder,
                              const TbPeaksCalls *calls,
                              guint first,
                              guint last,
                              const guint64 *slices);

/* Another operation of the recording, correlated with the examined one. */
typedef struct _TbPeaksCorrelation
{
  const TbPeaksOperation *operation;
  TbPeakRange slow[2]; /* slow calls of the examined operation, and of this one */
  guint first;
  guint last;
  guint64 *slices;
  TbPeaksCoincidence coincidence;
} TbPeaksCorrelation;

/* The slow calls are those of the chosen peak, else those of the slowest peak. For an operation
 * with one peak or none, they are all calls. */
TbPeaksCorrelation *tb_peaks_correlation_new (TbPeaksResult *result,
                                              const char *operation,
                                              GCancellable *cancellable,
                                              GError **error);
void tb_peaks_correlation_free (TbPeaksCorrelation *self);
void tb_peaks_correlation_add_figure (TbReport *report, const TbPeaksResult *result);
void tb_peaks_correlation_add_finding (TbReport *report, const TbPeaksResult *result);
void tb_peaks_correlation_to_json (JsonBuilder *builder, const TbPeaksResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksCorrelation, tb_peaks_correlation_free)

G_END_DECLS
