/* tb-wait-what-if-clockwork.h: threads that timers drive, whatever else is done
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-what-if-predictor.h"

G_BEGIN_DECLS

/* By thread. Those who wait for time to pass and for one another, and for whom the others hardly wait: a heartbeat,
 * housekeeping. They go on at their own pace however fast the others are. (The paper's background threads, definition 3.1,
 * as far as one recording tells.) */
guint8 *tb_wait_find_clockwork (const TbWaitPredictor *self, const TbWaitCase *what);
/* Whose time the few waits of others for them are: they take what they took. is_clockwork: NULL nobody's.
 * And whoever waits for somebody once in a hundred times met him by chance, at a lock that one of them rarely takes: had the one
 * come earlier he would not have waited until the other comes to that. Such waits take what they took at most, but for those
 * for somebody's end. */
void tb_wait_loosen_ties (const TbReplayRecording *recording, TbTrace *trace, const guint8 *is_clockwork);

G_END_DECLS
