/* tb-wait-what-if-recording-cost.h: cost of recording, removed from the runs and wake-ups of a
 * replay
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "replay/tb-wait-replay-recording.h"

G_BEGIN_DECLS

/* By step: the share of its length that is left without recording. (transfer full) */
double *tb_wait_recording_cost_subtract (const TbReplayRecording *of, double cost);
/* By wait: ns by which records in an interrupt delayed its wake-up. (transfer full) */
double *tb_wait_recording_cost_get_delays (const TbReplayRecording *of, double cost);

G_END_DECLS
