/* tb-wait-replay-requests.h: what devices were asked for, for a replay's maker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay-maker.h"

G_BEGIN_DECLS

gboolean tb_replay_maker_load_requests (TbReplayMaker *self, GError **error);
/* The program's device for one of the session's, TB_REPLAY_NONE there is no such device. */
guint32 tb_replay_maker_get_device (TbReplayMaker *self, guint32 device);
/* The request whose completion ended a wait of the thread's; NULL not known. device: the program's. */
TbReplayAsked *tb_replay_maker_find_request (const TbReplayMaker *self,
                                             guint32 device,
                                             guint32 thread,
                                             gint64 start,
                                             gint64 end);
/* Gives them to the program, when it is known who waits for which. */
void tb_replay_maker_add_requests (TbReplayMaker *self);

G_END_DECLS
