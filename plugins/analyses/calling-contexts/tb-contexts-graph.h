/* tb-contexts-graph.h: tree of some calling contexts of one or two sides: collected as vertices,
 * drawn as a graph figure whose edges show the cost and list the single calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/graph/tb-graph-figure.h"
#include "tb-contexts-instances.h"
#include "tb-contexts-match.h"

G_BEGIN_DECLS

/* A function called from a chain of functions. Number 0 is the caller of the outermost
 * functions. */
typedef struct
{
  guint32 parent;
  guint32 node; /* node of the tree that it comes from */
  /* node in the recording of a side whose calls are listed, 0 none */
  guint32 of[TB_CONTEXTS_N_SIDES];
  guint in[TB_CONTEXTS_N_SIDES]; /* index of that recording */
  TbContextNode context;
  double total[TB_CONTEXTS_N_SIDES]; /* ns; NaN: the side does not have it */
  double own[TB_CONTEXTS_N_SIDES];
} TbContextsVertex;

typedef struct
{
  GArray *vertices;  /* TbContextsVertex, callers first */
  GHashTable *known; /* node → number */
  const char *unit;  /* of the costs: “ns”, or a counter; not copied */
} TbContextsGraph;

TbContextsGraph *tb_contexts_graph_new (void);
void tb_contexts_graph_free (TbContextsGraph *self);
/* Returns the number of a node, 0 where it is not in the graph. tb_contexts_graph_add() adds it. */
guint32 tb_contexts_graph_find (const TbContextsGraph *self, guint32 node);
guint32 tb_contexts_graph_add (TbContextsGraph *self, const TbContextsVertex *vertex);

/* The paper's Figure 6: an edge for each call, its thickness by the time that the call took. With
 * two sides each has edges of its own, those of the other side in the accent colour. of_edges:
 * (out) (transfer full): by vertex, an edge for each side, TB_ID_NONE none. */
TbGraphFigure *tb_contexts_graph_draw (const TbContextsGraph *self,
                                       const char *id,
                                       const char *title,
                                       guint n_sides,
                                       guint **of_edges);
/* Sets the times of each edge's calls, and their recording. calls: by side, an array with the
 * TbContextsInstances of each of its recordings, NULL where no vertex has a node in the
 * recording. */
void tb_contexts_graph_set_calls (const TbContextsGraph *self,
                                  TbGraphFigure *figure,
                                  const guint *of_edges,
                                  GPtrArray *const *calls,
                                  guint n_sides);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsGraph, tb_contexts_graph_free)

G_END_DECLS
