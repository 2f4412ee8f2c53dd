/* tb-peaks-derived-operations.h: derived operations, whose calls no table has as such: messages,
 * waits for locks, waits for a CPU, interrupt handlers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-tables.h"

G_BEGIN_DECLS

/* Messages. The latency is that of the system call that passes the message. If system calls were
 * not recorded, it is the time that the thread slept in the socket before, which is less. Several
 * messages in one call are one operation. */
gboolean tb_peaks_make_network (TbPeaksCalls *calls, TbPeaksTable *table, GError **error);
/* Sleeps for locks, by lock. */
gboolean tb_peaks_make_locks (TbPeaksCalls *calls, TbPeaksTable *table);
/* Waits for a CPU, after a wake-up or a preemption. */
gboolean tb_peaks_make_run_queue (TbPeaksCalls *calls, TbPeaksTable *table);
/* Interrupt handlers, by source. */
gboolean tb_peaks_make_interrupts (TbPeaksCalls *calls, TbPeaksTable *table, GError **error);

G_END_DECLS
