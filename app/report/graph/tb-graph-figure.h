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
 * @TB_EDGE_IDLE: nothing but waiting for new work: never what is to be improved
 * @TB_EDGE_BASE: of the base of two recordings that are compared: its occurrences are that one's times and threads
 */
typedef enum
{
  TB_EDGE_STRONG = 1 << 0,
  TB_EDGE_FAINT = 1 << 1,
  TB_EDGE_CUT = 1 << 2,
  TB_EDGE_IDLE = 1 << 3,
  TB_EDGE_BASE = 1 << 4,
} TbEdgeFlags;

/**
 * TbClusterKind:
 * @TB_CLUSTER_GROUP: vertices that belong together
 * @TB_CLUSTER_KNOT: vertices that wait for one another
 *
 * What the clusters of a graph are called where they are counted.
 */
typedef enum
{
  TB_CLUSTER_GROUP,
  TB_CLUSTER_KNOT,
} TbClusterKind;

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
 * @detail: what else is known of it, for people, "" nothing
 * @from_item: item of the first of the figure's flames that shows where @from was, "" none; likewise @to_item in the second
 * @to: may equal @from
 * @plain: a second measure beside @weight, never more than it; %G_MAXUINT64 none
 * @count: how many occurrences it stands for, 0 unknown
 * @longest: the longest of them
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
 * @n: how many
 * @from: (array length=n): when each begins, ns of the session's clock, ascending
 * @to: (array length=n): when it ends
 * @thread: (array length=n): thread of the session that was at the edge's beginning, %TB_ID_NONE none
 * @other: (array length=n): thread that was at its end, %TB_ID_NONE none
 *
 * When an edge was in the recording; of two that are compared in the other one, or in the base where it is of that.
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
/* What is known of an edge besides: see TbGraphEdge. */
TB_EXPORT void tb_graph_figure_set_edge_values (TbGraphFigure *self,
                                                guint edge,
                                                guint64 plain,
                                                guint64 count,
                                                guint64 longest);
TB_EXPORT void
tb_graph_figure_set_edge_items (TbGraphFigure *self, guint edge, const char *from_item, const char *to_item);
/* What else is known of an edge, for people. */
TB_EXPORT void tb_graph_figure_set_edge_detail (TbGraphFigure *self, guint edge, const char *detail);
/* Another name of an edge, by which figures that have its items mean it, too: a cell of a heat map, a row of a table. */
TB_EXPORT void tb_graph_figure_add_alias (TbGraphFigure *self, guint edge, const char *item);
/* Likewise an item of a figure that has items of its own: a box of a flame, a row of a table. */
TB_EXPORT void
tb_graph_figure_add_alias_of (TbGraphFigure *self, guint edge, const char *figure, const char *item);
/* Ids of the report's flames, whose roots (or lanes) tell the places at which edges begin and end. */
TB_EXPORT void tb_graph_figure_set_flames (TbGraphFigure *self, const char *from_flame, const char *to_flame);
/* Edges that do not exceed threshold are drawn dashed at first; whole: what weights are shares of, 0 none. */
TB_EXPORT void tb_graph_figure_set_threshold (TbGraphFigure *self, guint64 threshold, guint64 whole);
/* What the weights of edges are, in lower case and stable: "weight" unless something else is said. */
TB_EXPORT void tb_graph_figure_set_weight_name (TbGraphFigure *self, const char *name);
TB_EXPORT void tb_graph_figure_set_cluster_kind (TbGraphFigure *self, TbClusterKind kind);
/* Drawn paler: shown, but not what the figure is about. */
TB_EXPORT void tb_graph_figure_set_cluster_muted (TbGraphFigure *self, guint cluster);
/* After all edges. One value each of every occurrence: index of the edge (guint32, ascending), from and to (gint64 ns; within
 * an edge ascending by from), thread and other (guint32). Nothing is copied. A figure from JSON has the longest of each edge. */
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
/* Whether it is drawn dashed where edges lighter than threshold are: so is what is set aside, or left out. */
TB_EXPORT gboolean tb_graph_figure_is_dashed (TbGraphFigure *self, guint edge, guint64 threshold);
/* By its id or an alias; TB_ID_NONE: none. */
TB_EXPORT guint tb_graph_figure_find_edge (TbGraphFigure *self, const char *item);
/* By an item of another figure; TB_ID_NONE: it means none. */
TB_EXPORT guint tb_graph_figure_find_edge_of (TbGraphFigure *self, const char *figure, const char *item);
TB_EXPORT guint64 tb_graph_figure_get_largest_weight (TbGraphFigure *self); /* of an edge */
TB_EXPORT guint64 tb_graph_figure_get_threshold (TbGraphFigure *self);
TB_EXPORT guint64 tb_graph_figure_get_whole (TbGraphFigure *self);
TB_EXPORT gboolean tb_graph_figure_is_cluster_muted (TbGraphFigure *self, guint cluster);
TB_EXPORT const char *tb_graph_figure_get_from_flame (TbGraphFigure *self); /* "" none */
TB_EXPORT const char *tb_graph_figure_get_to_flame (TbGraphFigure *self);
TB_EXPORT void tb_graph_figure_get_occurrences (TbGraphFigure *self, guint edge, TbGraphOccurrences *out);

G_END_DECLS
