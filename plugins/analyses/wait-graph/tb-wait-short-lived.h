/* tb-wait-short-lived.h: threads that are started again and again, as one that goes on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-apart.h"
#include "tb-wait-model.h"

G_BEGIN_DECLS

/* Finds threads that were created and ended in the range, lived less than half of it, and have a creator and an entry
 * function (else a name) in common with at least one other, and are not to be seen apart, which is then noted. Creators that are
 * merged themselves count as one. Sets the model's groups. */
gboolean
tb_wait_find_short_lived (TbWaitModel *model, TbWaitApart *apart, GCancellable *cancellable, GError **error);
/* Puts one virtual node in the place of each group: it runs while any member runs, else is runnable while any is; it does not
 * wait while a member runs or is runnable (or what it does is not known); while members wait and none does either, each of their
 * waits counts, divided by the number of members that wait; while none lives it waits for the creator. paper: for the creator in
 * all of that time.
 *
 * At any time it waits for one only: members that wait have equal parts of each time in which nothing changes, to the
 * nanosecond, one after another. So divided are as many times as make at most one piece more for each wait there was so far, and
 * TB_WAIT_PIECES_FREE beyond: there are never more pieces in all than that, and one for each time that a member falls asleep or
 * ends. Each other time belongs as a whole to the wait that is owed most of those that were not divided, and what a waker has too
 * much or too little when a wait for it ends counts when it is waited for again. Nothing of the time is lost or counted twice
 * either way. */
gboolean
tb_wait_merge_short_lived (TbWaitModel *model, gboolean paper, GCancellable *cancellable, GError **error);

#define TB_WAIT_PIECES_FREE 64

G_END_DECLS
