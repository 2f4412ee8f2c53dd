/* tb-peaks-holds.h: how long threads held locks that others waited for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-calls.h"

G_BEGIN_DECLS

/* (transfer full) (element-type utf8): what each of a trace's locks is called, of several of one name with their places in the list. */
GPtrArray *tb_peaks_name_locks (TbTrace *trace);
/* What waits tell of holds: a thread that ends another's wait for a lock lets go of it. It took the lock when it ran again after a
 * wait of its own for it; whether it kept it all the time since then only others can tell who already waited then, for it would
 * have woken one of them. So a hold counts from where, up to its end, there always was somebody who waited; no hold is told to be
 * longer than it was, and those that nobody waited for are not known. Waits on conditions, semaphores and barriers, whose ends are
 * no releases, are left out as far as stacks show them. */
gboolean tb_peaks_make_holds (TbPeaksCalls *calls, TbPeaksTable *table);

G_END_DECLS
