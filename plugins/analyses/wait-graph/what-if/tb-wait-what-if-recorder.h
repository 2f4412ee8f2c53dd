/* tb-wait-what-if-recorder.h: what runs took but for being recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-what-if-predictor.h"

G_BEGIN_DECLS

typedef struct
{
  double cost; /* of recording a switch with its waking, ns */
  double rest; /* how far the recording is slower yet, as a logarithm */
} TbWaitCost;

/* By step: the share that is left of it. (transfer full) */
double *tb_wait_recorder_take_off (const TbReplayRecording *of, double cost);
/* By wait: ns that who was woken in an interrupt was woken the later for its records. (transfer full) */
double *tb_wait_recorder_shorten (const TbReplayRecording *of, double cost);
/* What makes the replay without a change so many times as fast as the recording was; records cost so many times what was measured
 * for them at most. FALSE: cancelled. */
gboolean tb_wait_recorder_calibrate (const TbWaitPredictor *self,
                                     double times,
                                     double most,
                                     TbWaitCost *cost,
                                     GCancellable *cancellable,
                                     GError **error);

G_END_DECLS
