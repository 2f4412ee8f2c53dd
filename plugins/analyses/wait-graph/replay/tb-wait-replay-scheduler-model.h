/* tb-wait-replay-scheduler-model.h: scheduler model for replays, counted from the recorded
 * decisions of the kernel: placement, preemption and migration of threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-replay-builder.h"

G_BEGIN_DECLS

/* To be called after CPU occupancy is known and the wake-up tables are loaded. */
void tb_replay_builder_find_scheduler_model (TbReplayBuilder *self);
/* The CPU for which a thread waited in a runnable interval. is_migrated: set to whether an idle CPU
 * took the thread from there. previous: the CPU where it ran before. */
guint tb_replay_builder_find_queue (const TbReplayBuilder *self,
                                    gsize row,
                                    guint previous,
                                    gboolean *is_migrated);

G_END_DECLS
