/* tb-wait-replay-preemption.h: counts, by pair of threads, of how often a woken thread preempted a
 * running one in a recording, as the scheduler model adds them case by case; the share that a
 * replay uses
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TbReplayPreemption TbReplayPreemption;

TbReplayPreemption *tb_replay_preemption_new (void);
void tb_replay_preemption_free (TbReplayPreemption *self);
/* Counts a wake-up of a thread on the CPU of another: it preempted that one at once, or did not. */
void tb_replay_preemption_count (TbReplayPreemption *self,
                                 guint32 woken,
                                 guint32 runner,
                                 gboolean is_at_once);
/* The share of cases in which woken preempts runner, or any thread where that pair is too rare; -1:
 * not known. */
double
tb_replay_preemption_get_share (const TbReplayPreemption *self, guint32 woken, guint32 runner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayPreemption, tb_replay_preemption_free)

G_END_DECLS
