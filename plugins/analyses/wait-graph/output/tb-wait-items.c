/* tb-wait-items.c: id of an edge as an item of the figures of a wait-graph report; time range of a
 * wait, for a virtual node that of the member's whole wait
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-items.h"

char *
tb_wait_arc_get_item (const TbWaitGraph *graph, guint32 arc)
{
  const TbWaitArc *of = tb_wait_graph_get_arc (graph, arc);

  return g_strdup_printf ("%s>%s", tb_wait_graph_get_vertex (graph, of->from)->id,
                          tb_wait_graph_get_vertex (graph, of->to)->id);
}

void
tb_wait_find_range (const TbWaitGraph *graph, guint32 wait, gint64 *from, gint64 *to)
{
  const TbIntervals *rows = tb_trace_get_intervals (graph->model->trace);
  const TbWaits *waits = &graph->model->waits;
  guint32 row = waits->row[wait];

  *from = waits->start[wait];
  *to = waits->end[wait];
  if (row >= rows->n
      || tb_wait_model_get_node (graph->model, waits->waiter[wait])->kind != TB_WAIT_NODE_VIRTUAL)
    return;
  *from = MAX (rows->start[row], graph->model->from);
  *to = MIN (rows->end[row], graph->model->to);
}
