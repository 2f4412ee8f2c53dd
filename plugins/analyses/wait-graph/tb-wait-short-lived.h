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
/* Puts one virtual node in the place of each group: it does not wait while a member runs or is runnable (or what it does is
 * not known); while members wait and none does either, each of their waits counts, divided by the number of members that wait:
 * they have equal parts of that time, one after another; while none lives it waits for the creator. paper: for the creator
 * in all of that time. */
void tb_wait_merge_short_lived (TbWaitModel *model, gboolean paper);

G_END_DECLS
