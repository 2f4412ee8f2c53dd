/* tb-wait-replay-messages.h: what came for a thread that polls while it did something else
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay-maker.h"

G_BEGIN_DECLS

/* After all waits. */
void tb_replay_maker_add_messages (TbReplayMaker *self);

G_END_DECLS
