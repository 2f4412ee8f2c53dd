/* tb-wait-new-work.h: marking of the edges that wait for new work (idle time), by the names of
 * functions or edges in an option
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-stacks.h"

G_BEGIN_DECLS

/* Marks the edges of which most waiting took place in one of these functions or in their callees.
 * Nothing but the function distinguishes a wait for a queue's next element from a wait for an
 * answer. Names may contain "*" and "?", and a module may precede them ("libfoo.so:pop"). An edge
 * can also be named itself, by the ids or names of its ends ("edge:12>13"). NULL: none. unknown:
 * receives a copy of each name for which there is no edge, or no wait in that function. */
void tb_wait_find_new_work (TbWaitGraph *graph,
                            const TbWaitStacks *stacks,
                            const char *const *functions,
                            GPtrArray *unknown);

/* Whether the text names an edge, not a function. */
gboolean tb_wait_is_edge_name (const char *text);

G_END_DECLS
