/* tb-graph-figure.h: graph of vertices and weighted edges, with clusters, a threshold, and aliases
 * and occurrences of edges: building and access
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

/**
 * TbVertexKind:
 * @TB_VERTEX_THREAD: a thread
 * @TB_VERTEX_PROCESS: a process
 * @TB_VERTEX_DEVICE: a device
 * @TB_VERTEX_NETWORK: the network, or a peer
 * @TB_VERTEX_TIMER: a timer
 * @TB_VERTEX_INTERRUPT: an interrupt
 * @TB_VERTEX_MERGED: several of one kind, drawn as one
 * @TB_VERTEX_FUNCTION: a function
 * @TB_VERTEX_OTHER: something else
 *
 * What a vertex of a graph stands for. It determines the symbol.
 */
typedef enum
{
  TB_VERTEX_THREAD,
  TB_VERTEX_PROCESS,
  TB_VERTEX_DEVICE,
  TB_VERTEX_NETWORK,
  TB_VERTEX_TIMER,
  TB_VERTEX_INTERRUPT,
  TB_VERTEX_MERGED,
  TB_VERTEX_FUNCTION,
  TB_VERTEX_OTHER,
} TbVertexKind;

/**
 * TB_N_VERTEX_KINDS:
 *
 * Number of the values of [enum@VertexKind].
 */
#define TB_N_VERTEX_KINDS (TB_VERTEX_OTHER + 1)

/**
 * TbEdgeFlags:
 * @TB_EDGE_STRONG: part of the subject of the figure
 * @TB_EDGE_EXCLUDED: light, or excluded
 * @TB_EDGE_CUT: cut from the computation, and drawn as such
 * @TB_EDGE_IDLE: only waiting for new work: never a candidate for improvement
 * @TB_EDGE_BASE: of the base of a comparison: the times and threads of its occurrences are those of
 *   the base recording
 * @TB_EDGE_OUTSIDE: not of what the figure is about, such as the recorded command: it is neither
 *   counted nor drawn, unless it is selected
 *
 * Properties of an edge of a graph.
 */
typedef enum
{
  TB_EDGE_STRONG = 1 << 0,
  TB_EDGE_EXCLUDED = 1 << 1,
  TB_EDGE_CUT = 1 << 2,
  TB_EDGE_IDLE = 1 << 3,
  TB_EDGE_BASE = 1 << 4,
  TB_EDGE_OUTSIDE = 1 << 5,
} TbEdgeFlags;

/**
 * TbClusterKind:
 * @TB_CLUSTER_GROUP: vertices that belong together
 * @TB_CLUSTER_KNOT: vertices that wait for one another
 *
 * The kind of the clusters of a graph, which determines their name in counts.
 */
typedef enum
{
  TB_CLUSTER_GROUP,
  TB_CLUSTER_KNOT,
} TbClusterKind;

/**
 * TbGraphVertex:
 * @id: id that references use
 * @name: user-visible name
 * @detail: second line of text, "": none
 * @kind: what it stands for
 * @cluster: index of its cluster, or TB_ID_NONE
 * @weight: weight in the unit of the graph
 *
 * A vertex of a graph. Texts are owned by the figure.
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
 * @id: id that references use
 * @label: user-visible label, "": none
 * @detail: further user-visible text, "": none
 * @from_item: item of the start in the first of the figure's flames, "": none
 * @to_item: item of the end in the second of the figure's flames, "": none
 * @from: index of the start vertex
 * @to: can equal @from
 * @flags: [flags@Tailback.EdgeFlags]
 * @weight: weight in the unit of the graph
 * @plain: a second measure, not more than @weight; %G_MAXUINT64: none
 * @count: number of occurrences, 0: unknown
 * @longest: the longest occurrence
 *
 * An edge of a graph. Texts are owned by the figure.
 */
typedef struct
{
  const char *id;
  const char *label;
  const char *detail;
  const char *from_item;
  const char *to_item;
  guint from;
  guint to;
  guint flags;
  guint64 weight;
  guint64 plain;
  guint64 count;
  guint64 longest;
} TbGraphEdge;

/**
 * TbGraphOccurrences:
 * @n: number of occurrences
 * @from: (array length=n): start, ns of the session's clock, ascending
 * @to: (array length=n): end
 * @thread: (array length=n): thread at the edge's start, id in the session, %TB_ID_NONE: none
 * @other: (array length=n): thread at the edge's end, %TB_ID_NONE: none
 *
 * The occurrences of an edge in the recording. In a comparison they are those in the other
 * recording, or in the base for an edge of the base.
 */
typedef struct
{
  gsize n;
  const gint64 *from;
  const gint64 *to;
  const guint32 *thread;
  const guint32 *other;
} TbGraphOccurrences;

#define TB_TYPE_GRAPH_FIGURE (tb_graph_figure_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbGraphFigure, tb_graph_figure, TB, GRAPH_FIGURE, TbFigure)

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
TB_EXPORT void tb_graph_figure_set_edge_values (TbGraphFigure *self,
                                                guint edge,
                                                guint64 plain,
                                                guint64 count,
                                                guint64 longest);
TB_EXPORT void tb_graph_figure_set_edge_items (TbGraphFigure *self,
                                               guint edge,
                                               const char *from_item,
                                               const char *to_item);
TB_EXPORT void
tb_graph_figure_set_edge_detail (TbGraphFigure *self, guint edge, const char *detail);
TB_EXPORT void tb_graph_figure_add_alias (TbGraphFigure *self, guint edge, const char *item);
/* Adds an item of a figure that has items of its own: a box of a flame, a row of a table. */
TB_EXPORT void tb_graph_figure_add_foreign_alias (TbGraphFigure *self,
                                                  guint edge,
                                                  const char *figure,
                                                  const char *item);
TB_EXPORT void
tb_graph_figure_set_flames (TbGraphFigure *self, const char *from_flame, const char *to_flame);
TB_EXPORT void
tb_graph_figure_set_threshold (TbGraphFigure *self, guint64 threshold, guint64 whole);
TB_EXPORT void tb_graph_figure_set_weight_name (TbGraphFigure *self, const char *name);
TB_EXPORT void tb_graph_figure_set_cluster_kind (TbGraphFigure *self, TbClusterKind kind);
TB_EXPORT void tb_graph_figure_set_cluster_muted (TbGraphFigure *self, guint cluster);
TB_EXPORT void tb_graph_figure_set_occurrences (TbGraphFigure *self,
                                                GBytes *edge,
                                                GBytes *from,
                                                GBytes *to,
                                                GBytes *thread,
                                                GBytes *other);

TB_EXPORT const char *tb_vertex_kind_get_name (TbVertexKind kind); /* stable, for JSON */
TB_EXPORT const char *tb_graph_figure_get_unit (TbGraphFigure *self);
TB_EXPORT const char *tb_graph_figure_get_weight_name (TbGraphFigure *self);
TB_EXPORT TbClusterKind tb_graph_figure_get_cluster_kind (TbGraphFigure *self);
TB_EXPORT guint tb_graph_figure_get_n_clusters (TbGraphFigure *self);
TB_EXPORT const char *tb_graph_figure_get_cluster_id (TbGraphFigure *self, guint cluster);
TB_EXPORT const char *tb_graph_figure_get_cluster_name (TbGraphFigure *self, guint cluster);
TB_EXPORT guint tb_graph_figure_get_n_vertices (TbGraphFigure *self);
TB_EXPORT const TbGraphVertex *tb_graph_figure_get_vertex (TbGraphFigure *self, guint vertex);
TB_EXPORT guint tb_graph_figure_get_n_edges (TbGraphFigure *self);
TB_EXPORT const TbGraphEdge *tb_graph_figure_get_edge (TbGraphFigure *self, guint edge);
/* Whether the edge is drawn dashed at this threshold. Excluded and cut edges are always dashed. */
TB_EXPORT gboolean tb_graph_figure_is_dashed (TbGraphFigure *self, guint edge, guint64 threshold);
TB_EXPORT guint tb_graph_figure_find_edge (TbGraphFigure *self, const char *item);
TB_EXPORT guint tb_graph_figure_find_edge_for_item (TbGraphFigure *self,
                                                    const char *figure,
                                                    const char *item);
TB_EXPORT guint64 tb_graph_figure_get_largest_weight (TbGraphFigure *self); /* of an edge */
TB_EXPORT guint64 tb_graph_figure_get_threshold (TbGraphFigure *self);
TB_EXPORT guint64 tb_graph_figure_get_whole (TbGraphFigure *self);
TB_EXPORT gboolean tb_graph_figure_is_cluster_muted (TbGraphFigure *self, guint cluster);
TB_EXPORT const char *tb_graph_figure_get_from_flame (TbGraphFigure *self); /* "" none */
TB_EXPORT const char *tb_graph_figure_get_to_flame (TbGraphFigure *self);
TB_EXPORT void
tb_graph_figure_get_occurrences (TbGraphFigure *self, guint edge, TbGraphOccurrences *out);

G_END_DECLS
