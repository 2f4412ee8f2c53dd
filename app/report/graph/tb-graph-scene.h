/* tb-graph-scene.h: part of a graph that is drawn: heaviest edges, their vertices, collapsed
 * clusters; ranking of edges; layout (by tb-graph-layout) across or down, as it fits; line widths;
 * descriptions of the part, its vertices and its edges
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/graph/tb-graph-figure.h"
#include "report/graph/tb-graph-layout.h"

G_BEGIN_DECLS

/**
 * TbGraphRanking:
 * @order: the edges of a figure, the heaviest first
 * @n: number of edges
 * @n_grouped: number of edges within a cluster
 *
 * The edges of a graph by their weight.
 */
typedef struct
{
  guint *order;
  guint n;
  guint n_grouped;
} TbGraphRanking;

/**
 * TbGraphSceneNode:
 * @vertex: index of the vertex, or TB_ID_NONE
 * @cluster: index of the collapsed cluster that it stands for, or TB_ID_NONE
 * @name: user-visible name
 * @detail: second line of text, "": none
 * @kind: what it stands for
 *
 * A drawn node: a vertex, or a cluster in place of its vertices.
 */
typedef struct
{
  guint vertex;
  guint32 cluster;
  char *name;
  char *detail;
  TbVertexKind kind;
} TbGraphSceneNode;

/**
 * TbGraphSize:
 * @width: width
 * @height: height
 *
 * The size of a text.
 */
typedef struct
{
  double width;
  double height;
} TbGraphSize;

/**
 * TbGraphMeasure:
 * @name: name of a vertex, or label of an edge
 * @detail: (nullable): second line of the name of a vertex; %NULL of the label of an edge
 * @width: (out): width of the text
 * @height: (out): height of the text
 * @data: user data
 *
 * Measures a text as it will be drawn.
 */
typedef void (*TbGraphMeasure) (const char *name,
                                const char *detail,
                                double *width,
                                double *height,
                                gpointer data);

/**
 * TbGraphScene:
 * @figure: the graph
 * @threshold: weight that an edge must exceed in order not to be drawn dashed
 * @n_above: number of edges of the figure that exceed the threshold
 * @n_hidden: number of edges within collapsed clusters
 * @n_hidden_above: number of those that exceed the threshold
 * @n_nodes: number of drawn nodes
 * @n_arcs: number of drawn edges
 * @shown: by node of the layout
 * @nodes: by node, its size for the layout
 * @short_names: by node, the size of its name without the second line
 * @frame_names: by cluster, the size of its name
 * @edges: by arc of the layout, the index of its edge
 * @arcs: by arc, its ends and label for the layout
 * @node_of_vertex: by vertex of the figure, its node; %TB_ID_NONE: not drawn
 * @layout: the layout, when it is known
 *
 * The heaviest part of a graph that can be far too large to draw.
 */
typedef struct
{
  TbGraphFigure *figure;
  guint64 threshold;
  guint n_above;
  guint n_hidden;
  guint n_hidden_above;
  guint n_nodes;
  guint n_arcs;
  TbGraphSceneNode *shown;
  TbGraphNode *nodes;
  TbGraphSize *short_names;
  TbGraphSize *frame_names;
  guint *edges;
  TbGraphArc *arcs;
  guint *node_of_vertex;
  TbGraphLayout *layout;
} TbGraphScene;

TB_EXPORT TbGraphRanking *tb_graph_ranking_new (TbGraphFigure *figure);
TB_EXPORT void tb_graph_ranking_free (TbGraphRanking *self);
TB_EXPORT guint tb_graph_ranking_count_above (const TbGraphRanking *self,
                                              TbGraphFigure *figure,
                                              guint64 threshold);

TB_EXPORT TbGraphScene *tb_graph_scene_new (TbGraphFigure *figure,
                                            const TbGraphRanking *ranking,
                                            guint64 threshold,
                                            guint most_edges,
                                            guint extra_edge,
                                            const guint8 *collapsed,
                                            TbGraphMeasure measure,
                                            gpointer data);
TB_EXPORT gboolean tb_graph_scene_lay_out (TbGraphScene *self,
                                           TbGraphFlow flow,
                                           GCancellable *cancellable,
                                           GError **error);
/* Lays out the scene in the direction in which the whole graph fits into a view at the larger
 * scale. */
TB_EXPORT gboolean tb_graph_scene_lay_out_to_fit (TbGraphScene *self,
                                                  double width,
                                                  double height,
                                                  gboolean is_mirrored,
                                                  GCancellable *cancellable,
                                                  GError **error);
TB_EXPORT void tb_graph_scene_free (TbGraphScene *self);
/* Whether an edge is drawn dashed, and its width relative to the largest, at most 1. */
TB_EXPORT gboolean tb_graph_scene_is_dashed (const TbGraphScene *self, guint edge);
TB_EXPORT double tb_graph_scene_get_width (const TbGraphScene *self, guint edge);
/* The width of the edge's line. */
TB_EXPORT double tb_graph_scene_get_line_width (const TbGraphScene *self, guint edge);
TB_EXPORT gboolean tb_graph_figure_is_grouped (TbGraphFigure *figure, guint edge);

/* One line of text, for tooltips and screen readers. */
TB_EXPORT char *tb_graph_figure_format_weight (TbGraphFigure *self, guint64 weight);
TB_EXPORT char *tb_graph_figure_describe_vertex (TbGraphFigure *self, guint vertex);
TB_EXPORT char *tb_graph_figure_describe_edge (TbGraphFigure *self, guint edge);
/* "41 edges, 13 above the threshold, 5 in knots", and the number of edges that are not drawn. */
TB_EXPORT char *tb_graph_scene_describe (const TbGraphScene *self, const TbGraphRanking *ranking);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbGraphRanking, tb_graph_ranking_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbGraphScene, tb_graph_scene_free)

G_END_DECLS
