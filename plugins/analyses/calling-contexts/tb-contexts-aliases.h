/* tb-contexts-aliases.h: which calls rows of tables and boxes of flames mean
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-contexts-graph.h"

G_BEGIN_DECLS

/* A graph as it was drawn. */
typedef struct
{
  const TbContextsGraph *graph;
  TbGraphFigure *figure;
  const guint *of_edges;
  guint n_sides;
} TbContextsDrawn;

/* Where nodes of the tree that the graph is of have their boxes in a flame. */
typedef struct
{
  const char *flame;
  const guint32 *boxes; /* by node, TB_ID_NONE none */
  TbContextsSide preferred;
} TbContextsBoxes;

/* The edge of a vertex, of the preferred side if that has one; TB_ID_NONE none. */
guint tb_contexts_drawn_get_edge (const TbContextsDrawn *self, guint32 vertex, TbContextsSide preferred);
/* A row of a path means the calls of its hottest function there, a node of the tree that the graph is of. */
void tb_contexts_alias_path (const TbContextsDrawn *self, guint rank, guint32 hot);
/* A row of a function or module means the calls of it that take most themselves, or grew most, of those in the graph. */
void tb_contexts_alias_rollups (const TbContextsDrawn *self);
/* A box means the calls of its function there. */
void tb_contexts_alias_boxes (const TbContextsDrawn *self, const TbContextsBoxes *flame);

G_END_DECLS
