/* tb-wait-replay-habits.h: how the kernel gave out cpus in a recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay-maker.h"

G_BEGIN_DECLS

/* Once it is known who had cpus, and tables of wakings are loaded. */
void tb_replay_maker_find_habits (TbReplayMaker *self);
/* The cpu that a thread waited for in a runnable row, and whether an idle one took it from there. previous: where it ran before. */
guint tb_replay_maker_find_queue (const TbReplayMaker *self, gsize row, guint previous, gboolean *is_fetched);

G_END_DECLS
