/* tb-wait-replay-habits.h: scheduler model, derived from the decisions of the recorded kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay-maker.h"

G_BEGIN_DECLS

/* To be called after CPU occupancy is known and the wake-up tables are loaded. */
void tb_replay_maker_find_habits (TbReplayMaker *self);
/* The CPU for which a thread waited in a runnable interval. is_fetched: set to whether an idle CPU
 * took the thread from there. previous: the CPU where it ran before. */
guint tb_replay_maker_find_queue (const TbReplayMaker *self, gsize row, guint previous, gboolean *is_fetched);

G_END_DECLS
