/* tb-wait-new-work.h: edges that only wait for new work, as programs' queues have them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-stacks.h"

G_BEGIN_DECLS

/* Marks the edges of which most was waited in one of these functions, or in what they called. Nothing that is recorded tells the
 * wait for a queue's next element from one for an answer, but for the function it is in: names may have "*" and "?" in them, and a
 * module before them ("libfoo.so:pop"). Or an edge itself is named, by ids or names of its ends ("edge:12>13"). NULL: none.
 * unknown: gets a copy of each for which there is no such edge, or in which nobody waited. */
void tb_wait_find_new_work (TbWaitGraph *graph,
                            const TbWaitStacks *stacks,
                            const char *const *functions,
                            GPtrArray *unknown);

/* Whether an edge is named, not a function. */
gboolean tb_wait_is_edge_name (const char *text);

G_END_DECLS
