/* tb-peaks-coincidence.h: statistical test whether the slow calls of two operations occur at the
 * same times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "calls/tb-peaks-calls.h"

G_BEGIN_DECLS

#define TB_PEAKS_COINCIDENCE_SLICES 4096
/* The maximum rate of false positives for unrelated operations. */
#define TB_PEAKS_COINCIDENCE_CHANCE 0.025

typedef struct
{
  guint n;     /* number of slices of the range */
  guint one;   /* slices with slow calls of the first operation */
  guint other; /* slices with slow calls of the second operation */
  guint both;
  /* bursts of the first operation, runs of consecutive slices, that overlap slow calls of the
   * second */
  guint bursts;
  double expected;         /* expected number of slices with both, by chance */
  double probability;      /* probability that chance gives at least as many */
  gboolean is_significant; /* the operations coincide significantly */
} TbPeaksCoincidence;

/* Slow calls of two operations, which may overlap and be in any order. The calls of the first
 * operation are shifted cyclically against those of the second, slice by slice through the whole
 * range. A shift keeps the properties of each operation, its bursts and its period, and destroys
 * only their coincidence. The probability is the share of shifts, including the actual position,
 * with at least as many common slices. One or two coincidences may be start-up effects; at least
 * three bursts have to coincide. */
TbPeaksCoincidence tb_peaks_measure_coincidence (const TbPeaksSpan *one,
                                                 gsize n_one,
                                                 const TbPeaksSpan *other,
                                                 gsize n_other,
                                                 gint64 from,
                                                 gint64 to);

G_END_DECLS
