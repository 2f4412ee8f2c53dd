/* tb-wait-figures.h: figures of a wait-graph report: the graph with the occurrences of its edges,
 * the edges as a table, their stacks, devices, proposed annotations, work over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

/* Ids of the figures. */
#define TB_WAIT_FIGURE_GRAPH "wait-graph"
#define TB_WAIT_FIGURE_EDGES "edges"
#define TB_WAIT_FIGURE_DEVICES "devices"
#define TB_WAIT_FIGURE_PROPOSALS "proposals"
#define TB_WAIT_FIGURE_WAITERS "waiter-stacks"
#define TB_WAIT_FIGURE_WAKERS "waker-stacks"

gboolean tb_wait_add_figures (TbReport *report,
                              const TbWaitResult *result,
                              double threshold,
                              GCancellable *cancellable,
                              GError **error);
/* The time of a wait, clipped to the range. For a virtual vertex's part of a member's wait, the
 * time of that wait. */
void tb_wait_find_range (const TbWaitGraph *graph, guint32 wait, gint64 *from, gint64 *to);
/* The id of an edge in references: "12>device:0". */
char *tb_wait_arc_get_item (const TbWaitGraph *graph, guint32 arc);

G_END_DECLS
