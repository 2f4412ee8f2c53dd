/* tb-wait-what-if-batches.h: batches in which threads get what is prepared ahead for them: by
 * wait, whether it begins one, or its thread then only reads a part of one; also whether a single
 * job, without a wait for other threads, is most of what a thread runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "replay/tb-wait-replay-recording.h"

G_BEGIN_DECLS

/* By wait: whether its thread did noticeable work since its previous wait of the same stream, so
 * that the wait begins another batch of what is prepared ahead. stream: by wait; TB_REPLAY_NONE:
 * none. */
guint8 *tb_wait_find_batches (const TbReplayRecording *recording, const guint32 *stream);
/* By wait: whether its waiter, until its next wait, only reads a part of a batch that came from
 * outside. begins: from tb_wait_find_batches(). */
guint8 *tb_wait_find_batch_reads (const TbReplayRecording *recording,
                                  const guint32 *stream,
                                  const guint8 *begins);
/* Whether one job, between two waits for other threads, is more than half of what an actor runs.
 * Further threads then divide that job. */
gboolean tb_wait_has_one_job (const TbReplayRecording *recording, guint32 actor);

G_END_DECLS
