/* tb-wait-what-if-pieces.h: in which pieces a thread gets what it waits for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay-make.h"

G_BEGIN_DECLS

/* By wait: whether its thread did anything worth a mention since the wait before it of the same stream, so that it begins another
 * piece of what is prepared ahead. stream: by wait, TB_REPLAY_NONE none. */
guint8 *tb_wait_find_pieces (const TbReplayRecording *recording, const guint32 *stream);
/* By wait: whether what its waiter runs until its next one only takes in a part of a piece, which came from elsewhere. begins: as above. */
guint8 *tb_wait_find_taking (const TbReplayRecording *recording, const guint32 *stream, const guint8 *begins);
/* Whether an actor mostly does one thing that somebody brought, or nobody did: who would divide its work divides that. */
gboolean tb_wait_has_one_job (const TbReplayRecording *recording, guint32 actor);

G_END_DECLS
