/* tb-wait-virtual-nodes.h: replacement of each group of short-lived threads by one virtual node,
 * which waits while all its members wait, with the time divided among their waits, and for the
 * creator while no member lives
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-model.h"

G_BEGIN_DECLS

#define TB_WAIT_EXTRA_PIECES 64

/* Replaces each group by one virtual node. The node runs while any member runs, and is otherwise
 * runnable while any member is. It does not wait while a member runs or is runnable, or while a
 * member's state is unknown. While the members only wait, each of their waits counts, divided by
 * the number of waiting members. While no member lives, the node waits for the creator. wperf: the
 * node waits for the creator in all of that time.
 *
 * The node waits for one other node at a time. Waiting members have equal parts of each period in
 * which nothing changes, to the nanosecond, one after another. The number of periods that are
 * divided is limited, so that they add at most one piece for each wait so far and
 * TB_WAIT_EXTRA_PIECES more. There are never more pieces in all than that, plus one for each time
 * that a member falls asleep or ends. Each other period belongs as a whole to the wait with the
 * largest credit of undivided periods. What a waker has too much or too little when a wait for it
 * ends is carried over to the next wait for it. No time is lost or counted twice. */
gboolean tb_wait_add_virtual_nodes (TbWaitModel *model,
                                    gboolean wperf,
                                    GCancellable *cancellable,
                                    GError **error);

G_END_DECLS
