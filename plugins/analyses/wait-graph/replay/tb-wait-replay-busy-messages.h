/* tb-wait-replay-busy-messages.h: waits of no length added to the program of a replay for messages
 * that reached a polling thread while it was busy: which message each sent one answers, and when
 * the thread could have begun to handle it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-replay-builder.h"

G_BEGIN_DECLS

/* To be called after all waits are added. */
void tb_replay_builder_add_messages (TbReplayBuilder *self);

G_END_DECLS
