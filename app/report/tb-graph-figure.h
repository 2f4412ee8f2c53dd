/* tb-graph-figure.h: vertices and edges with weights
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

typedef enum
{
  TB_VERTEX_THREAD,
  TB_VERTEX_PROCESS,
  TB_VERTEX_DEVICE,
  TB_VERTEX_NETWORK,
  TB_VERTEX_TIMER,
  TB_VERTEX_INTERRUPT,
  TB_VERTEX_MERGED, /* several of one kind, drawn as one */
  TB_VERTEX_FUNCTION,
  TB_VERTEX_OTHER,
  TB_N_VERTEX_KINDS,
} TbVertexKind;

/**
 * TbEdgeFlags:
 * @TB_EDGE_STRONG: part of what the figure is about
 * @TB_EDGE_FAINT: light, or set aside
 * @TB_EDGE_CUT: left out of what was computed, and shown as such
 */
typedef enum
{
  TB_EDGE_STRONG = 1 << 0,
  TB_EDGE_FAINT = 1 << 1,
  TB_EDGE_CUT = 1 << 2,
} TbEdgeFlags;

/**
 * TbGraphVertex:
 * @id: names it in references
 * @detail: a second line, "" none
 * @cluster: index of the cluster it stands in, or TB_ID_NONE
 */
typedef struct
{
  const char *id;
  const char *name;
  const char *detail;
  TbVertexKind kind;
  guint32 cluster;
  guint64 weight;
} TbGraphVertex;

/**
 * TbGraphEdge:
 * @id: names it in references
 * @label: for people, "" none
 */
typedef struct
{
  const char *id;
  const char *label;
  guint from;
  guint to;
  guint flags;
  guint64 weight;
} TbGraphEdge;

#define TB_TYPE_GRAPH_FIGURE (tb_graph_figure_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbGraphFigure, tb_graph_figure, TB, GRAPH_FIGURE, TbFigure)

/* unit: of the weights, "ns", … */
TB_EXPORT TbGraphFigure *tb_graph_figure_new (const char *id, const char *title, const char *unit);
/* Each returns an index. */
TB_EXPORT guint tb_graph_figure_add_cluster (TbGraphFigure *self, const char *id, const char *name);
TB_EXPORT guint tb_graph_figure_add_vertex (TbGraphFigure *self,
                                            const char *id,
                                            const char *name,
                                            const char *detail,
                                            TbVertexKind kind,
                                            guint32 cluster,
                                            guint64 weight);
TB_EXPORT guint tb_graph_figure_add_edge (TbGraphFigure *self,
                                          const char *id,
                                          guint from,
                                          guint to,
                                          guint64 weight,
                                          guint flags,
                                          const char *label);

TB_EXPORT const char *tb_vertex_kind_get_name (TbVertexKind kind); /* stable, for JSON */
TB_EXPORT const char *tb_graph_figure_get_unit (TbGraphFigure *self);
TB_EXPORT guint tb_graph_figure_get_n_clusters (TbGraphFigure *self);
TB_EXPORT const char *tb_graph_figure_get_cluster_id (TbGraphFigure *self, guint cluster);
TB_EXPORT const char *tb_graph_figure_get_cluster_name (TbGraphFigure *self, guint cluster);
TB_EXPORT guint tb_graph_figure_get_n_vertices (TbGraphFigure *self);
TB_EXPORT const TbGraphVertex *tb_graph_figure_get_vertex (TbGraphFigure *self, guint vertex);
TB_EXPORT guint tb_graph_figure_get_n_edges (TbGraphFigure *self);
TB_EXPORT const TbGraphEdge *tb_graph_figure_get_edge (TbGraphFigure *self, guint edge);
TB_EXPORT guint64 tb_graph_figure_get_largest_weight (TbGraphFigure *self); /* of an edge */

G_END_DECLS
