/* tb-wait-what-if-parts.h: how long a replay took, and how far that would be another if other parts had come together
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-what-if-predictor.h"

G_BEGIN_DECLS

/* When each of the parts of the run was over; the first element is when the first began. */
typedef struct
{
  double at[TB_WAIT_N_PARTS + 1];
  guint32 n_stuck; /* threads that waited for what never came */
} TbWaitParts;

/* is_meant: by actor: whose time it is. */
void tb_wait_parts_init (TbWaitParts *self,
                         const TbWaitPredictor *of,
                         const TbReplayTimes *times,
                         const guint8 *is_meant);
/* ns; 0: nobody meant ran, or no work was done. */
double tb_wait_parts_measure (const TbWaitPredictor *of, const TbReplayTimes *times, const guint8 *is_meant);
/* Variance of the logarithm of the sum of parts drawn anew; of the ratio of two where both are given. */
double tb_wait_parts_draw_variance (const TbWaitParts *self, const TbWaitParts *base);
/* What was recorded of that which is measured of a replay. */
double tb_wait_parts_get_recorded (const TbWaitPredictor *of, const guint8 *is_meant);
/* Units of work that were done in that: those after the first, by threads that are played. */
guint64 tb_wait_parts_count_units (const TbWaitPredictor *of);

G_END_DECLS
