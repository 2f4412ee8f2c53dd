/* tb-wait-short-lived.h: search for groups of short-lived threads that one creator starts again and
 * again with one entry function, such as those of a shell script
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-unmerged.h"
#include "tb-wait-model.h"

G_BEGIN_DECLS

/* Finds threads that were created and ended in the range, lived for less than half of it, and share
 * their creator and entry function (or else their name) with at least one other. Threads that are
 * not to be merged are left out; which ones is stored in unmerged. Creators that are merged count
 * as one. Sets the model's groups. */
gboolean tb_wait_find_short_lived (TbWaitModel *model,
                                   TbWaitUnmerged *unmerged,
                                   GCancellable *cancellable,
                                   GError **error);
G_END_DECLS
