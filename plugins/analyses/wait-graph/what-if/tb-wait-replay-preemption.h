/* tb-wait-replay-preemption.h: who that is woken gets at once the cpu of whom, as the kernel was seen to do it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TbReplayPreemption TbReplayPreemption;

TbReplayPreemption *tb_replay_preemption_new (void);
void tb_replay_preemption_free (TbReplayPreemption *self);
/* A thread was woken where another ran, and got its cpu at once, or did not. */
void
tb_replay_preemption_count (TbReplayPreemption *self, guint32 woken, guint32 runner, gboolean is_at_once);
/* In what part of the cases it does, of that runner's or else of all; -1 not known. */
double tb_replay_preemption_get_share (const TbReplayPreemption *self, guint32 woken, guint32 runner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayPreemption, tb_replay_preemption_free)

G_END_DECLS
