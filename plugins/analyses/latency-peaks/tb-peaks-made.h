/* tb-peaks-made.h: operations that no table of a session holds as such
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-calls.h"

G_BEGIN_DECLS

/* Messages: each takes as long as the system call that passes it; where those were not recorded, as long as the thread
 * slept in the socket before it, which is less. Several in one call are one. */
gboolean tb_peaks_make_network (TbPeaksCalls *calls, TbPeaksTable *table, GError **error);
/* Sleeps for locks, by lock. */
gboolean tb_peaks_make_locks (TbPeaksCalls *calls, TbPeaksTable *table);
/* Waits for a cpu, after a waking and after a preemption. */
gboolean tb_peaks_make_run_queue (TbPeaksCalls *calls, TbPeaksTable *table);
/* Interrupt handlers, by source. */
gboolean tb_peaks_make_interrupts (TbPeaksCalls *calls, TbPeaksTable *table, GError **error);

G_END_DECLS
