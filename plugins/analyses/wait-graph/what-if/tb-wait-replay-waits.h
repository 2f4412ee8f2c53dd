/* tb-wait-replay-waits.h: what threads waited for, and who ended it, for a replay's maker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay-maker.h"

G_BEGIN_DECLS

guint32 tb_replay_maker_add_wait (TbReplayMaker *self,
                                  guint32 waiter,
                                  TbWaitNodeKind kind,
                                  guint32 id,
                                  guint32 lock,
                                  gint64 length);
/* Who ends a wait, and where he was; FALSE: nobody who is played. */
gboolean tb_replay_maker_set_signaller (TbReplayMaker *self, guint32 wait, guint32 thread, gint64 time);
/* Makes a thread that was there an actor, with all its waits. */
void tb_replay_maker_add_waits (TbReplayMaker *self, guint32 thread);

G_END_DECLS
