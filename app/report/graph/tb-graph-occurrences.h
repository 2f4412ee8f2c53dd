/* tb-graph-occurrences.h: of which recording the occurrences of an edge are
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/graph/tb-graph-figure.h"

G_BEGIN_DECLS

/* Where several recordings a side are compared: which of its side's, 0 the first, as where nobody said so. */
TB_EXPORT void tb_graph_figure_set_edge_recording (TbGraphFigure *self, guint edge, guint recording);
TB_EXPORT guint tb_graph_figure_get_edge_recording (TbGraphFigure *self, guint edge);

G_END_DECLS
