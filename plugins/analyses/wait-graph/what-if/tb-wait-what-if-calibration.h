/* tb-wait-what-if-calibration.h: search, by repeated replays, for the cost of one record (event)
 * that explains how much slower the recorded load was than the same load without a recorder
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

/* Finds the cost that makes the replay without a change the given times as fast as the recording.
 * most: limit of the cost, as a multiple of the measured one. Returns FALSE if cancelled. */
gboolean tb_wait_recording_cost_calibrate (const TbWaitPredictor *self,
                                           double times,
                                           double most,
                                           TbWaitRecordingCost *cost,
                                           GCancellable *cancellable,
                                           GError **error);

G_END_DECLS
