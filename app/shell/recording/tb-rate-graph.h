/* tb-rate-graph.h: bar graph of the recent event rate of a recording in progress; bars with lost
 * events have another colour
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TB_TYPE_RATE_GRAPH (tb_rate_graph_get_type ())
G_DECLARE_FINAL_TYPE (TbRateGraph, tb_rate_graph, TB, RATE_GRAPH, GtkWidget)

void tb_rate_graph_push (TbRateGraph *self, double rate, gboolean lost);

G_END_DECLS
