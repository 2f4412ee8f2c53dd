/* tb-wait-replay-polls.h: polling actors of a replay, which handle the events of several sources in
 * the order in which these are signalled, not as recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-replay-program.h"

G_BEGIN_DECLS

typedef struct _TbReplayPolls TbReplayPolls;

/* Neither argument is owned. */
TbReplayPolls *tb_replay_polls_new (const TbReplayProgram *program, const TbReplayChange *change);
void tb_replay_polls_free (TbReplayPolls *self);
/* Whether a wait is a poll. */
gboolean tb_replay_polls_contains (const TbReplayPolls *self, guint32 wait);
/* Signals a poll. Returns its actor. */
guint32 tb_replay_polls_raise (TbReplayPolls *self, guint32 wait, double now);
/* Of the polls of an actor that may come next, takes the one that was signalled first, and sets the
 * step after it. TB_REPLAY_NONE: none of them was signalled. */
guint32 tb_replay_polls_take (TbReplayPolls *self, guint32 actor, gsize *step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayPolls, tb_replay_polls_free)

G_END_DECLS
