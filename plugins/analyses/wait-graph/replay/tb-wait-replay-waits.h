/* tb-wait-replay-waits.h: waits of a recorded thread, added to the program of a replay as an actor:
 * what ended each wait (thread, request, creator), scheduling latency and cost of the wake-up
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-replay-builder.h"

G_BEGIN_DECLS

guint32 tb_replay_builder_add_wait (TbReplayBuilder *self,
                                    guint32 waiter,
                                    TbWaitNodeKind kind,
                                    guint32 id,
                                    guint32 lock,
                                    gint64 length);
/* Sets the thread that ends a wait, and when. Returns FALSE if no replayed thread was running
 * then. */
gboolean
tb_replay_builder_set_signaller (TbReplayBuilder *self, guint32 wait, guint32 thread, gint64 time);
/* Adds an actor for a thread that lived in the range, with all its waits. */
void tb_replay_builder_add_waits (TbReplayBuilder *self, guint32 thread);

G_END_DECLS
