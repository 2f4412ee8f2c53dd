/* tb-wait-what-if-periodic-threads.h: search for periodic threads, which timers drive; marking of
 * waits of others for them, which a replay keeps as long as recorded, and of rare waits, which it
 * makes no longer than that
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-what-if-predictor.h"

G_BEGIN_DECLS

/* By thread. Periodic threads wait for timers and for one another, and other threads hardly wait
 * for them: heartbeats, housekeeping. They keep their pace however fast the others are. (The
 * paper's background threads, definition 3.1, as far as one recording shows them.) */
guint8 *tb_wait_find_periodic_threads (const TbWaitPredictor *self, const TbWaitChanges *what);
/* Waits of other threads for periodic ones keep their recorded length. is_periodic: NULL: there
 * are none. A thread that waits for another in at most one of a hundred of its waits met it by
 * chance, at a lock that one of them rarely takes. If it had come earlier, it would not have
 * waited. Such a wait takes at most its recorded length, unless it is for the other thread's
 * end. */
void tb_wait_loosen_rare_waits (const TbReplayRecording *recording,
                                TbTrace *trace,
                                const guint8 *is_periodic);

G_END_DECLS
