/* tb-contexts-aliases.h: links to edges of the graph of calls, which list the single calls, from
 * rows of tables and boxes of flames
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-contexts-graph.h"

G_BEGIN_DECLS

/* A graph and the figure that it was drawn as. */
typedef struct
{
  const TbContextsGraph *graph;
  TbGraphFigure *figure;
  const guint *of_edges;
  guint n_sides;
} TbContextsDrawnGraph;

/* Boxes of the graph's nodes in a flame. */
typedef struct
{
  const char *flame;
  const guint32 *boxes; /* by node, TB_ID_NONE none */
  TbContextsSide preferred;
} TbContextsBoxes;

/* The edge of a vertex, of the preferred side where that has one. TB_ID_NONE: none. */
guint tb_contexts_drawn_graph_get_edge (const TbContextsDrawnGraph *self,
                                        guint32 vertex,
                                        TbContextsSide preferred);
/* Links the row of a path to the calls of its hottest function. hot: a node of the tree that the
 * graph is made from. */
void tb_contexts_alias_path (const TbContextsDrawnGraph *self, guint rank, guint32 hot);
/* Links the row of a function or module to its calls with the most own time, or the largest growth
 * of it, in the graph. */
void tb_contexts_alias_rollups (const TbContextsDrawnGraph *self);
/* Links each box to the calls of its function in that context. */
void tb_contexts_alias_boxes (const TbContextsDrawnGraph *self, const TbContextsBoxes *flame);

G_END_DECLS
