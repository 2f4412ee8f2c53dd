/* tb-peaks-coincidence.h: whether two operations are slow at the same times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-calls.h"

G_BEGIN_DECLS

#define TB_PEAKS_COINCIDENCE_SLICES 4096
/* So often operations that have nothing to do with each other are told to coincide, at most. */
#define TB_PEAKS_COINCIDENCE_CHANCE 0.025

typedef struct
{
  guint n;     /* slices of the range */
  guint one;   /* of them: with slow calls of the one */
  guint other; /* of the other */
  guint both;
  guint bursts;       /* of the one with some of the other: stretches of slices that follow one another */
  double expected;    /* slices with both, by chance */
  double probability; /* that chance makes as many */
  gboolean is_sure;   /* they coincide */
} TbPeaksCoincidence;

/* Slow calls of two operations, which may overlap and be in any order. The one's are shifted against the other's all around the
 * range, slice by slice: each operation keeps what it is like by itself, its bursts and its period, and only their common times
 * are lost. The probability is the share of shifts, the true one included, with at least as many slices in common. One coincidence
 * alone, or two, may be the beginning of everything: at least three bursts have to. */
TbPeaksCoincidence tb_peaks_measure_coincidence (const TbPeaksSpan *one,
                                                 gsize n_one,
                                                 const TbPeaksSpan *other,
                                                 gsize n_other,
                                                 gint64 from,
                                                 gint64 to);

G_END_DECLS
