/* tb-contexts-graph.h: calling contexts as a tree of functions, of one recording or of two sides together
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/graph/tb-graph-figure.h"
#include "tb-contexts-match.h"

G_BEGIN_DECLS

/* A function called from a chain of functions. Number 0 stands for what calls the outermost. */
typedef struct
{
  guint32 parent;
  guint32 node; /* of the tree that it is from */
  TbContextNode context;
  double total[TB_CONTEXTS_N_SIDES]; /* ns; NaN: that side does not have it */
  double own[TB_CONTEXTS_N_SIDES];
} TbContextsVertex;

typedef struct
{
  GArray *vertices;  /* TbContextsVertex, callers first */
  GHashTable *known; /* node → number */
} TbContextsGraph;

TbContextsGraph *tb_contexts_graph_new (void);
void tb_contexts_graph_free (TbContextsGraph *self);
/* The number of a node, 0 where it is not there yet; add: makes it. */
guint32 tb_contexts_graph_find (const TbContextsGraph *self, guint32 node);
guint32 tb_contexts_graph_add (TbContextsGraph *self, const TbContextsVertex *vertex);

/* The paper's Figure 6: an edge a call, as thick as it took long. With two sides each has its own, the other's in the accent. What
 * all share at the outer end is left out where shall_cut is set. of_edges: (out) (optional) (transfer full): the edge of each
 * vertex, TB_ID_NONE none; of the base where there are two. */
TbGraphFigure *tb_contexts_graph_draw (const TbContextsGraph *self,
                                       const char *id,
                                       const char *title,
                                       guint n_sides,
                                       gboolean shall_cut,
                                       guint **of_edges);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsGraph, tb_contexts_graph_free)

G_END_DECLS
