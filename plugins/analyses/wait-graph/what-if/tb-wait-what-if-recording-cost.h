/* tb-wait-what-if-recording-cost.h: cost of recording: the share of each run of a replay that is
 * left without it, its delay of each wake-up, and its calibration by how much slower the load was
 * than without a recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-what-if-predictor.h"

G_BEGIN_DECLS

typedef struct
{
  double cost; /* of recording a switch with its wake-up, ns */
  double rest; /* by how much the recording is still slower, as a logarithm */
} TbWaitRecordingCost;

/* By step: the share of its length that is left without recording. (transfer full) */
double *tb_wait_recording_cost_subtract (const TbReplayRecording *of, double cost);
/* By wait: ns by which records in an interrupt delayed its wake-up. (transfer full) */
double *tb_wait_recording_cost_get_delays (const TbReplayRecording *of, double cost);
/* Finds the cost that makes the replay without a change the given times as fast as the recording.
 * most: limit of the cost, as a multiple of the measured one. Returns FALSE if cancelled. */
gboolean tb_wait_recording_cost_calibrate (const TbWaitPredictor *self,
                                           double times,
                                           double most,
                                           TbWaitRecordingCost *cost,
                                           GCancellable *cancellable,
                                           GError **error);

G_END_DECLS
