/* tb-wait-replay-tables.h: tables of a recording (wake-ups, messages, system calls, probed calls)
 * loaded while the program of a replay is built: look-up of wakers and sends, counts of records
 * made in interrupts, a point in the running thread for each record, which costs time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-replay-builder.h"

G_BEGIN_DECLS

gboolean tb_replay_builder_load_tables (TbReplayBuilder *self, GError **error);
/* Whether a thread sent from an address in an interval. A message within the machine is delivered,
 * and wakes the receiver, in a softirq on top of the sender. local: TB_STRING_NONE: any address. */
gboolean tb_replay_builder_has_sent (const TbReplayBuilder *self, gsize row, guint32 local);
/* The thread that ended a sleep by its own action, not one that was merely interrupted; TB_ID_NONE:
 * none. */
guint32 tb_replay_builder_find_waker (const TbReplayBuilder *self, gsize row);
/* The system call in which a thread slept; TB_STRING_NONE: none or unknown. */
guint32 tb_replay_builder_get_sleep_call (const TbReplayBuilder *self, gsize row);
/* The peer of the socket for which a thread slept; TB_STRING_NONE: none or unknown. */
guint32 tb_replay_builder_get_sleep_peer (const TbReplayBuilder *self, gsize row);
/* The number of records made in the interrupt of a wake-up, including the wake-up itself. */
guint tb_replay_builder_count_before (const TbReplayBuilder *self, guint32 wakeup);
/* The number of records made in interrupts of a CPU between two times, limited to those of a few
 * interrupts. */
guint tb_replay_builder_count_between (const TbReplayBuilder *self,
                                       guint16 cpu,
                                       gint64 start,
                                       gint64 end);

G_END_DECLS
