/* tb-wait-replay-polls.h: who waits for any of several does first what comes first
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay.h"

G_BEGIN_DECLS

typedef struct _TbReplayPolls TbReplayPolls;

/* Both not owned. */
TbReplayPolls *tb_replay_polls_new (const TbReplayProgram *program, const TbReplayChange *change);
void tb_replay_polls_free (TbReplayPolls *self);
/* Whether a wait is one of those. */
gboolean tb_replay_polls_has (const TbReplayPolls *self, guint32 wait);
/* One of them is signalled. Returns its actor. */
guint32 tb_replay_polls_raise (TbReplayPolls *self, guint32 wait, double now);
/* Of those waits of an actor that may be its next, the one that was signalled first, and the step after it; TB_REPLAY_NONE: none of
 * them was. */
guint32 tb_replay_polls_take (TbReplayPolls *self, guint32 actor, gsize *step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayPolls, tb_replay_polls_free)

G_END_DECLS
