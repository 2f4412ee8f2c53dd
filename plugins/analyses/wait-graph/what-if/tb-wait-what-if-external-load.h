/* tb-wait-what-if-external-load.h: external load (threads that are neither replayed nor of the
 * recorder): how much longer a changed run takes as they compete for the CPU time that the change
 * frees, by the share that they got in the recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-what-if-predictor.h"

G_BEGIN_DECLS

/* How much longer the run with the change may take, as a logarithm, because external load competes
 * for CPU time that is no longer free. The recording shows which side got a CPU when both wanted
 * one, and the external load gets that share. Tailback's recorders do not count: the prediction is
 * for the load without them. length, changed: durations of the replays without and with the
 * change. */
double tb_wait_external_load_measure (const TbWaitPredictor *self,
                                      const TbWaitChanges *what,
                                      double length,
                                      double changed);

G_END_DECLS
