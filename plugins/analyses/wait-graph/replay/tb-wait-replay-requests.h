/* tb-wait-replay-requests.h: device requests of a recording, added to the program of a replay:
 * step that issues each, its service time, the wait that it ended; how many a device serves at
 * once; which writes were discarded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-replay-builder.h"

G_BEGIN_DECLS

gboolean tb_replay_builder_load_requests (TbReplayBuilder *self, GError **error);
/* The program's device for a device of the session; TB_REPLAY_NONE: the session has no such
 * device. */
guint32 tb_replay_builder_get_device (TbReplayBuilder *self, guint32 device);
/* The request that ended a wait of the thread by its completion; NULL: not known. device: of the
 * program. */
TbReplayIssuedRequest *tb_replay_builder_find_request (const TbReplayBuilder *self,
                                                       guint32 device,
                                                       guint32 thread,
                                                       gint64 start,
                                                       gint64 end);
/* Adds the requests to the program. To be called when it is known which waits are for which
 * requests. */
void tb_replay_builder_add_requests (TbReplayBuilder *self);

G_END_DECLS
