/* tb-wait-replay-tables.h: wake-ups, messages and system calls of the recording, as a replay's maker asks for them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay-maker.h"

G_BEGIN_DECLS

gboolean tb_replay_maker_load_tables (TbReplayMaker *self, GError **error);
/* Whether a thread sent from the address in that interval. A message to the same machine is delivered, and wakes who waits
 * for it, in a soft interrupt on top of the sender. local: TB_STRING_NONE any. */
gboolean tb_replay_maker_has_sent (const TbReplayMaker *self, gsize row, guint32 local);
/* The thread that ended a sleep, if one did of its own: not who was interrupted then; TB_ID_NONE none. */
guint32 tb_replay_maker_find_waker (const TbReplayMaker *self, gsize row);
/* The system call that a sleep was in, TB_STRING_NONE none or unknown. */
guint32 tb_replay_maker_get_sleep_call (const TbReplayMaker *self, gsize row);
/* At the other end of the socket that a sleep was for, likewise. */
guint32 tb_replay_maker_get_sleep_peer (const TbReplayMaker *self, gsize row);
/* How many records were made in the interrupt of that waking, until it was. */
guint tb_replay_maker_count_before (const TbReplayMaker *self, guint32 wakeup);
/* How many in interrupts of a cpu between two times; those of a few interrupts at most. */
guint tb_replay_maker_count_between (const TbReplayMaker *self, guint16 cpu, gint64 start, gint64 end);

G_END_DECLS
