/* tb-contexts-graph.h: calling contexts as a tree of functions, of one recording or of two sides together
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/graph/tb-graph-figure.h"
#include "tb-contexts-instances.h"
#include "tb-contexts-match.h"

G_BEGIN_DECLS

/* A function called from a chain of functions. Number 0 stands for what calls the outermost. */
typedef struct
{
  guint32 parent;
  guint32 node;                    /* of the tree that it is from */
  guint32 of[TB_CONTEXTS_N_SIDES]; /* node in the recording of a side whose calls are listed, 0 none */
  guint in[TB_CONTEXTS_N_SIDES];   /* which recording that is */
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

/* The paper's Figure 6: an edge a call, as thick as it took long. With two sides each has its own, the other's in the accent.
 * of_edges: (out) (transfer full): of each vertex an edge for each side, TB_ID_NONE none. */
TbGraphFigure *tb_contexts_graph_draw (const TbContextsGraph *self,
                                       const char *id,
                                       const char *title,
                                       guint n_sides,
                                       guint **of_edges);
/* Says of each edge when the calls were, and of which recording. calls: of each side an array of TbContextsInstances of each of
 * its recordings, NULL where no vertex has a node in it. */
void tb_contexts_graph_set_calls (const TbContextsGraph *self,
                                  TbGraphFigure *figure,
                                  const guint *of_edges,
                                  GPtrArray *const *calls,
                                  guint n_sides);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsGraph, tb_contexts_graph_free)

G_END_DECLS
