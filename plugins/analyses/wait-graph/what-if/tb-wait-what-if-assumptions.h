/* tb-wait-what-if-assumptions.h: table of the assumptions of replays; repetition of a prediction
 * under each other assumption, to find how much it depends on each
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-what-if-predictor.h"

G_BEGIN_DECLS

/* Repeats both replays, without and with the change, under each other assumption, and sets the
 * members of the estimate for them. estimate: has the ratio of both replays under the given
 * assumptions; the middle between two assumptions is added to it where either may be true.
 * Returns FALSE if cancelled. */
gboolean tb_wait_assumptions_vary (const TbWaitPredictor *self,
                                   const TbWaitChanges *what,
                                   const TbReplayChange *plain,
                                   const TbReplayChange *change,
                                   TbWaitEstimate *estimate,
                                   GCancellable *cancellable,
                                   GError **error);

G_END_DECLS
