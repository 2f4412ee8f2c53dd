/* tb-wait-items.h: ids of the figures of a wait-graph report and of the edges in them; time range
 * of a wait, for a virtual node that of the member's whole wait
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "graph/tb-wait-graph.h"

G_BEGIN_DECLS

/* Ids of the figures. */
#define TB_WAIT_FIGURE_GRAPH "wait-graph"
#define TB_WAIT_FIGURE_EDGES "edges"
#define TB_WAIT_FIGURE_DEVICES "devices"
#define TB_WAIT_FIGURE_PROPOSALS "proposals"
#define TB_WAIT_FIGURE_WAITERS "waiter-stacks"
#define TB_WAIT_FIGURE_WAKERS "waker-stacks"

/* The time of a wait, clipped to the range. For a virtual vertex's part of a member's wait, the
 * time of that wait. */
void tb_wait_find_range (const TbWaitGraph *graph, guint32 wait, gint64 *from, gint64 *to);
/* The id of an edge in references: "12>device:0". */
char *tb_wait_arc_get_item (const TbWaitGraph *graph, guint32 arc);

G_END_DECLS
