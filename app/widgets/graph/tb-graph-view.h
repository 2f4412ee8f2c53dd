/* tb-graph-view.h: widget that shows a graph figure, with a weight that edges must exceed and
 * clusters that can be collapsed
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/graph/tb-graph-figure.h"
#include "widgets/tb-figure-view.h"

G_BEGIN_DECLS

#define TB_TYPE_GRAPH_VIEW (tb_graph_view_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbGraphView, tb_graph_view, TB, GRAPH_VIEW, TbFigureView)

TB_EXPORT GtkWidget *tb_graph_view_new (TbGraphFigure *figure, TbFocus *focus);
TB_EXPORT void tb_graph_view_set_threshold (TbGraphView *self, guint64 threshold);
TB_EXPORT guint64 tb_graph_view_get_threshold (TbGraphView *self);
TB_EXPORT void tb_graph_view_set_collapsed (TbGraphView *self, guint cluster, gboolean collapsed);
TB_EXPORT gboolean tb_graph_view_get_collapsed (TbGraphView *self, guint cluster);
TB_EXPORT const char *tb_graph_view_get_item_at (TbGraphView *self, double x, double y);
TB_EXPORT gboolean tb_graph_view_get_place (TbGraphView *self,
                                            const char *item,
                                            double *x,
                                            double *y);
TB_EXPORT double tb_graph_view_get_scale (TbGraphView *self);
TB_EXPORT void tb_graph_view_fit (TbGraphView *self);
TB_EXPORT guint tb_graph_view_get_n_drawn (TbGraphView *self, gboolean edges);
TB_EXPORT gboolean tb_graph_view_is_busy (TbGraphView *self);

G_END_DECLS
