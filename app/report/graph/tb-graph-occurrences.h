/* tb-graph-occurrences.h: recording that the occurrences of an edge belong to, in a comparison of
 * several recordings
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/graph/tb-graph-figure.h"

G_BEGIN_DECLS

/* If each side of a comparison has several recordings: the index of the recording on its side, 0 by
 * default. */
TB_EXPORT void
tb_graph_figure_set_edge_recording (TbGraphFigure *self, guint edge, guint recording);
TB_EXPORT guint tb_graph_figure_get_edge_recording (TbGraphFigure *self, guint edge);

G_END_DECLS
