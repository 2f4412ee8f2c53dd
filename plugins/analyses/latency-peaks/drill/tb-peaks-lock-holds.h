/* tb-peaks-lock-holds.h: calls of the operations "lock-hold": each from the time when a thread got
 * a lock to the time when it ended another thread's wait for it, as far as the recorded waits show;
 * also list of the names of all locks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "calls/tb-peaks-tables.h"

G_BEGIN_DECLS

/* (transfer full) (element-type utf8): the name of each lock of a trace; locks with equal names
 * have their list index appended. */
GPtrArray *tb_peaks_name_locks (TbTrace *trace);
/* Derives lock holds from waits. A thread that ends another thread's wait for a lock releases the
 * lock. It acquired the lock when it ran again after its own wait for it. That it held the lock all
 * the time since then is certain only while another thread waited, because a release would have
 * woken a waiter. So a hold is counted from the earliest time since which there always was a
 * waiter, to its end. No hold is reported longer than it was, and holds without waiters are not
 * known. Waits for conditions, semaphores and barriers do not end by a release; they are left out
 * as far as stacks identify them. */
gboolean tb_peaks_make_lock_holds (TbPeaksCalls *calls, TbPeaksTable *table);

G_END_DECLS
