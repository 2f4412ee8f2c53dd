/* tb-wait-what-if-parts.h: length of a run, recorded or replayed, cut into parts of equal work; the
 * variance that the parts show, and the number of units of work in it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-what-if-predictor.h"

G_BEGIN_DECLS

/* The end of each part of the run; the first element is the beginning of the first part. */
typedef struct
{
  double at[TB_WAIT_N_PARTS + 1];
  guint32 n_stuck; /* threads left in a wait that never ends */
} TbWaitParts;

/* is_measured: by actor, whether its time is measured. */
void tb_wait_parts_init (TbWaitParts *self,
                         const TbWaitPredictor *of,
                         const TbReplayTimes *times,
                         const guint8 *is_measured);
/* ns; 0: no measured actor ran, or no work was done. */
double tb_wait_parts_measure (const TbWaitPredictor *of,
                              const TbReplayTimes *times,
                              const guint8 *is_measured);
/* Runs a replay and measures its length with tb_wait_parts_measure(). parts: NULL: not needed.
 * Returns FALSE if cancelled. */
gboolean tb_wait_parts_measure_replay (const TbWaitPredictor *of,
                                       const TbReplayChange *change,
                                       TbWaitParts *parts,
                                       double *length,
                                       GCancellable *cancellable,
                                       GError **error);
/* Variance of the logarithm of the run's duration, with parts drawn with replacement; if base is
 * given, of the ratio of the two durations. */
double tb_wait_parts_draw_variance (const TbWaitParts *self, const TbWaitParts *base);
/* The recorded value of what tb_wait_parts_measure() measures in a replay. */
double tb_wait_parts_get_recorded (const TbWaitPredictor *of, const guint8 *is_measured);
/* Units of work that were done in that time: those after the first, by replayed threads. */
guint64 tb_wait_parts_count_units (const TbWaitPredictor *of);

G_END_DECLS
