/* tb-graph-figure.c: graph of vertices and weighted edges, with clusters, labels, details and a
 * threshold: building and access
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-figure-private.h"
#include "report/graph/tb-graph-figure-private.h"
#include "report/tb-valid-text-private.h"
#include "base/tb-base.h"

#define FLAGS_ALL                                                                                  \
  (TB_EDGE_STRONG | TB_EDGE_EXCLUDED | TB_EDGE_CUT | TB_EDGE_IDLE | TB_EDGE_BASE | TB_EDGE_OUTSIDE)

/**
 * TbGraphFigure:
 *
 * Vertices, optionally in clusters, and directed edges with weights.
 */
G_DEFINE_FINAL_TYPE (TbGraphFigure, tb_graph_figure, TB_TYPE_FIGURE)

static const char *const kind_names[TB_N_VERTEX_KINDS] = {
  [TB_VERTEX_THREAD] = "thread", [TB_VERTEX_PROCESS] = "process",
  [TB_VERTEX_DEVICE] = "device", [TB_VERTEX_NETWORK] = "network",
  [TB_VERTEX_TIMER] = "timer",   [TB_VERTEX_INTERRUPT] = "interrupt",
  [TB_VERTEX_MERGED] = "merged", [TB_VERTEX_FUNCTION] = "function",
  [TB_VERTEX_OTHER] = "other",
};

/**
 * tb_vertex_kind_get_name:
 * @kind: kind of a vertex
 *
 * Gets the name of a kind of vertex in JSON.
 *
 * Returns: the stable name that is used in JSON
 */
const char *
tb_vertex_kind_get_name (TbVertexKind kind)
{
  g_return_val_if_fail (kind < TB_N_VERTEX_KINDS, "other");

  return kind_names[kind];
}

static void
tb_graph_figure_freeze (TbFigure *figure)
{
  TbGraphFigure *self = TB_GRAPH_FIGURE (figure);

  for (guint i = 0; i < self->edges->len; i++)
    self->largest = MAX (self->largest, tb_graph_figure_peek_edge (self, i)->weight);
}

static void
tb_graph_figure_finalize (GObject *object)
{
  TbGraphFigure *self = TB_GRAPH_FIGURE (object);

  g_free (self->unit);
  g_free (self->weight_name);
  g_array_unref (self->clusters);
  for (guint i = 0; i < TB_N_OCCURRENCE_COLUMNS; i++)
    g_clear_pointer (&self->occurrences[i], g_bytes_unref);
  g_free (self->occurrence_first);
  g_array_unref (self->vertices);
  g_array_unref (self->edges);
  g_clear_pointer (&self->aliases, g_hash_table_unref);
  g_clear_pointer (&self->recordings, g_hash_table_unref);
  g_string_chunk_free (self->strings);
  G_OBJECT_CLASS (tb_graph_figure_parent_class)->finalize (object);
}

static void
tb_graph_figure_class_init (TbGraphFigureClass *klass)
{
  TbFigureClass *figure_class = TB_FIGURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_graph_figure_finalize;
  figure_class->kind = "graph";
  figure_class->freeze = tb_graph_figure_freeze;
  figure_class->write_json = tb_graph_figure_write_json;
  figure_class->read_json = tb_graph_figure_read_json;
  figure_class->render_text = tb_graph_figure_render_text;
}

static void
tb_graph_figure_init (TbGraphFigure *self)
{
  self->unit = g_strdup ("");
  self->weight_name = g_strdup ("weight");
  self->strings = g_string_chunk_new (4096);
  self->flames[0] = self->flames[1] = "";
  self->clusters = g_array_new (FALSE, FALSE, sizeof (TbGraphCluster));
  self->vertices = g_array_new (FALSE, FALSE, sizeof (TbGraphVertex));
  self->edges = g_array_new (FALSE, FALSE, sizeof (TbGraphEdge));
}

/**
 * tb_graph_figure_new:
 * @id: id that references use
 * @title: user-visible title
 * @unit: unit of the weights: "ns"…
 *
 * Creates a graph figure, which has vertices, clusters of vertices, and weighted edges.
 *
 * Returns: (transfer full): a graph without vertices
 */
TbGraphFigure *
tb_graph_figure_new (const char *id, const char *title, const char *unit)
{
  TbGraphFigure *self = g_object_new (TB_TYPE_GRAPH_FIGURE, NULL);

  tb_figure_set_names (TB_FIGURE (self), id, title);
  tb_valid_text_set (&self->unit, unit ? unit : "");
  return self;
}

static const char *
keep (TbGraphFigure *self, const char *text)
{
  g_autofree char *copy = NULL;

  return g_string_chunk_insert_const (self->strings, tb_valid_text (text ? text : "", &copy));
}

/**
 * tb_graph_figure_add_cluster:
 * @self: a graph that is being built
 * @id: id that references use
 * @name: user-visible name
 *
 * Adds a cluster: vertices that are drawn together in a frame.
 *
 * Returns: the cluster's index
 */
guint
tb_graph_figure_add_cluster (TbGraphFigure *self, const char *id, const char *name)
{
  TbGraphCluster cluster = { 0 };

  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);

  cluster.id = keep (self, id);
  cluster.name = keep (self, name);
  g_array_append_val (self->clusters, cluster);
  return self->clusters->len - 1;
}

/**
 * tb_graph_figure_add_vertex:
 * @self: a graph that is being built
 * @id: id that references use
 * @name: user-visible name
 * @detail: (nullable): second line of text
 * @kind: kind of the vertex
 * @cluster: index of a cluster, or %TB_ID_NONE
 * @weight: weight in the unit of the graph
 *
 * Adds a vertex. Clusters are added before their vertices.
 *
 * Returns: the vertex's index
 */
guint
tb_graph_figure_add_vertex (TbGraphFigure *self,
                            const char *id,
                            const char *name,
                            const char *detail,
                            TbVertexKind kind,
                            guint32 cluster,
                            guint64 weight)
{
  TbGraphVertex vertex = { .kind = kind, .cluster = cluster, .weight = weight };

  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);
  tb_figure_return_val_if_fault_at (self, (guint) kind < TB_N_VERTEX_KINDS, 0,
                                    _ ("a vertex has an unknown kind"), _ ("vertex %u"),
                                    self->vertices->len);
  tb_figure_return_val_if_fault_at (self, cluster == TB_ID_NONE || cluster < self->clusters->len, 0,
                                    _ ("the cluster of a vertex does not exist"), _ ("vertex %u"),
                                    self->vertices->len);

  vertex.id = keep (self, id);
  vertex.name = keep (self, name);
  vertex.detail = keep (self, detail);
  g_array_append_val (self->vertices, vertex);
  return self->vertices->len - 1;
}

/**
 * tb_graph_figure_add_edge:
 * @self: a graph that is being built
 * @id: id that references use
 * @from: index of the start vertex
 * @to: index of the end vertex
 * @weight: weight in the unit of the graph
 * @flags: #TbEdgeFlags
 * @label: (nullable): user-visible label
 *
 * Adds an edge. An edge to a vertex that does not exist is a fault of the figure, see
 * [method@Figure.get_fault].
 *
 * Returns: the edge's index
 */
guint
tb_graph_figure_add_edge (TbGraphFigure *self,
                          const char *id,
                          guint from,
                          guint to,
                          guint64 weight,
                          guint flags,
                          const char *label)
{
  TbGraphEdge edge = {
    .from = from,
    .to = to,
    .weight = weight,
    .flags = flags & FLAGS_ALL,
    .plain = G_MAXUINT64,
    .detail = "",
    .from_item = "",
    .to_item = "",
  };

  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);
  tb_figure_return_val_if_fault_at (self, from < self->vertices->len && to < self->vertices->len, 0,
                                    _ ("a vertex of an edge does not exist"),
                                    _ ("edge %u, from vertex %u to %u"), self->edges->len, from,
                                    to);

  edge.id = keep (self, id);
  edge.label = keep (self, label);
  g_array_append_val (self->edges, edge);
  return self->edges->len - 1;
}

/**
 * tb_graph_figure_set_edge_values:
 * @self: a graph that is being built
 * @edge: index of an edge
 * @plain: a second measure, in the unit of the weight; %G_MAXUINT64: none
 * @count: number of occurrences
 * @longest: the longest occurrence
 *
 * Sets further values of an edge.
 */
void
tb_graph_figure_set_edge_values (TbGraphFigure *self,
                                 guint edge,
                                 guint64 plain,
                                 guint64 count,
                                 guint64 longest)
{
  TbGraphEdge *to;

  g_return_if_fail (TB_IS_GRAPH_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  tb_figure_return_if_fault_at (self, edge < self->edges->len,
                                _ ("values are given for an edge that does not exist"),
                                _ ("edge %u"), edge);

  to = tb_graph_figure_peek_edge (self, edge);
  to->plain = plain;
  to->count = count;
  to->longest = longest;
}

/**
 * tb_graph_figure_set_edge_items:
 * @self: a graph that is being built
 * @edge: index of an edge
 * @from_item: (nullable): item of the first flame
 * @to_item: (nullable): item of the second flame
 *
 * Sets the items of an edge's start and end in the flames of tb_graph_figure_set_flames().
 */
void
tb_graph_figure_set_edge_items (TbGraphFigure *self,
                                guint edge,
                                const char *from_item,
                                const char *to_item)
{
  g_return_if_fail (TB_IS_GRAPH_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  tb_figure_return_if_fault_at (self, edge < self->edges->len,
                                _ ("values are given for an edge that does not exist"),
                                _ ("edge %u"), edge);

  tb_graph_figure_peek_edge (self, edge)->from_item = keep (self, from_item);
  tb_graph_figure_peek_edge (self, edge)->to_item = keep (self, to_item);
}

/**
 * tb_graph_figure_set_edge_detail:
 * @self: a graph that is being built
 * @edge: index of an edge
 * @detail: (nullable): further user-visible text
 *
 * Sets further text about an edge.
 */
void
tb_graph_figure_set_edge_detail (TbGraphFigure *self, guint edge, const char *detail)
{
  g_return_if_fail (TB_IS_GRAPH_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  tb_figure_return_if_fault_at (self, edge < self->edges->len,
                                _ ("values are given for an edge that does not exist"),
                                _ ("edge %u"), edge);

  tb_graph_figure_peek_edge (self, edge)->detail = keep (self, detail);
}

/**
 * tb_graph_figure_set_flames:
 * @self: a graph that is being built
 * @from_flame: (nullable): id of a flame of the same report that shows the starts of edges
 * @to_flame: (nullable): id of a flame that shows the ends of edges
 *
 * Sets the flame figures whose roots or lanes show the starts and the ends of edges.
 */
void
tb_graph_figure_set_flames (TbGraphFigure *self, const char *from_flame, const char *to_flame)
{
  g_return_if_fail (TB_IS_GRAPH_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));

  self->flames[0] = keep (self, from_flame);
  self->flames[1] = keep (self, to_flame);
}

/**
 * tb_graph_figure_set_threshold:
 * @self: a graph that is being built
 * @threshold: initial threshold: edges that do not exceed it are drawn dashed
 * @whole: the total that weights are shares of, 0: none
 *
 * Sets which edges are drawn dashed at first.
 */
void
tb_graph_figure_set_threshold (TbGraphFigure *self, guint64 threshold, guint64 whole)
{
  g_return_if_fail (TB_IS_GRAPH_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));

  self->threshold = threshold;
  self->whole = whole;
}

/**
 * tb_graph_figure_set_weight_name:
 * @self: a graph that is being built
 * @name: stable name of the weights of edges, in lower case; "weight" by default
 *
 * Sets the name of the weights of edges in JSON and CSV.
 */
void
tb_graph_figure_set_weight_name (TbGraphFigure *self, const char *name)
{
  g_return_if_fail (TB_IS_GRAPH_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (name != NULL);

  tb_valid_text_set (&self->weight_name, name);
}

/**
 * tb_graph_figure_set_cluster_kind:
 * @self: a graph that is being built
 * @kind: kind of the clusters; groups by default
 *
 * Sets the kind of the clusters.
 */
void
tb_graph_figure_set_cluster_kind (TbGraphFigure *self, TbClusterKind kind)
{
  g_return_if_fail (TB_IS_GRAPH_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));

  self->cluster_kind = kind;
}

/**
 * tb_graph_figure_set_cluster_muted:
 * @self: a graph that is being built
 * @cluster: index of a cluster
 *
 * Draws a cluster paler, because it is not the subject of the figure.
 */
void
tb_graph_figure_set_cluster_muted (TbGraphFigure *self, guint cluster)
{
  g_return_if_fail (TB_IS_GRAPH_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (cluster < self->clusters->len);

  g_array_index (self->clusters, TbGraphCluster, cluster).muted = TRUE;
}

/**
 * tb_graph_figure_get_unit:
 * @self: a graph
 *
 * Gets the unit of the weights.
 *
 * Returns: the unit of the weights
 */
const char *
tb_graph_figure_get_unit (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), "");

  return self->unit;
}

/**
 * tb_graph_figure_get_weight_name:
 * @self: a graph
 *
 * Gets the name of the weights of edges in JSON and CSV.
 *
 * Returns: the stable name of the weights of edges: "weight", …
 */
const char *
tb_graph_figure_get_weight_name (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), "");

  return self->weight_name;
}

/**
 * tb_graph_figure_get_cluster_kind:
 * @self: a graph
 *
 * Gets the kind of the clusters.
 *
 * Returns: the kind of the clusters
 */
TbClusterKind
tb_graph_figure_get_cluster_kind (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), TB_CLUSTER_GROUP);

  return self->cluster_kind;
}

/**
 * tb_graph_figure_get_n_clusters:
 * @self: a graph
 *
 * Gets the number of clusters.
 *
 * Returns: the number of clusters
 */
guint
tb_graph_figure_get_n_clusters (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);

  return self->clusters->len;
}

/**
 * tb_graph_figure_get_cluster_id:
 * @self: a graph
 * @cluster: index of a cluster
 *
 * Gets the id of a cluster.
 *
 * Returns: the id that references use
 */
const char *
tb_graph_figure_get_cluster_id (TbGraphFigure *self, guint cluster)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), "");
  g_return_val_if_fail (cluster < self->clusters->len, "");

  return g_array_index (self->clusters, TbGraphCluster, cluster).id;
}

/**
 * tb_graph_figure_get_cluster_name:
 * @self: a graph
 * @cluster: index of a cluster
 *
 * Gets the user-visible name of a cluster.
 *
 * Returns: the user-visible name
 */
const char *
tb_graph_figure_get_cluster_name (TbGraphFigure *self, guint cluster)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), "");
  g_return_val_if_fail (cluster < self->clusters->len, "");

  return g_array_index (self->clusters, TbGraphCluster, cluster).name;
}

/**
 * tb_graph_figure_get_n_vertices:
 * @self: a graph
 *
 * Gets the number of vertices.
 *
 * Returns: the number of vertices
 */
guint
tb_graph_figure_get_n_vertices (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);

  return self->vertices->len;
}

/**
 * tb_graph_figure_get_vertex:
 * @self: a graph
 * @vertex: index of a vertex
 *
 * Gets a vertex.
 *
 * Returns: (transfer none): the vertex
 */
const TbGraphVertex *
tb_graph_figure_get_vertex (TbGraphFigure *self, guint vertex)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), NULL);
  g_return_val_if_fail (vertex < self->vertices->len, NULL);

  return tb_graph_figure_peek_vertex (self, vertex);
}

/**
 * tb_graph_figure_get_n_edges:
 * @self: a graph
 *
 * Gets the number of edges.
 *
 * Returns: the number of edges
 */
guint
tb_graph_figure_get_n_edges (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);

  return self->edges->len;
}

/**
 * tb_graph_figure_get_edge:
 * @self: a graph
 * @edge: index of an edge
 *
 * Gets an edge.
 *
 * Returns: (transfer none): the edge
 */
const TbGraphEdge *
tb_graph_figure_get_edge (TbGraphFigure *self, guint edge)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), NULL);
  g_return_val_if_fail (edge < self->edges->len, NULL);

  return tb_graph_figure_peek_edge (self, edge);
}

/**
 * tb_graph_figure_is_dashed:
 * @self: a graph
 * @edge: index of an edge
 * @threshold: edges that do not exceed this are drawn dashed
 *
 * Gets whether an edge is drawn dashed. Excluded and cut edges always are.
 *
 * Returns: whether the edge does not exceed the threshold, is excluded or is cut
 */
gboolean
tb_graph_figure_is_dashed (TbGraphFigure *self, guint edge, guint64 threshold)
{
  const TbGraphEdge *info = tb_graph_figure_get_edge (self, edge);

  g_return_val_if_fail (info != NULL, FALSE);

  return info->weight <= threshold || (info->flags & (TB_EDGE_EXCLUDED | TB_EDGE_CUT)) != 0;
}

/**
 * tb_graph_figure_get_largest_weight:
 * @self: a frozen graph
 *
 * Gets the largest weight of an edge.
 *
 * Returns: the largest weight of an edge
 */
guint64
tb_graph_figure_get_largest_weight (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);

  return self->largest;
}

/**
 * tb_graph_figure_get_threshold:
 * @self: a graph
 *
 * Gets which edges are drawn dashed at first.
 *
 * Returns: the initial threshold: edges that do not exceed it are drawn dashed
 */
guint64
tb_graph_figure_get_threshold (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);

  return self->threshold;
}

/**
 * tb_graph_figure_get_whole:
 * @self: a graph
 *
 * Gets the total that weights are shares of.
 *
 * Returns: the total that weights are shares of, 0: none
 */
guint64
tb_graph_figure_get_whole (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);

  return self->whole;
}

/**
 * tb_graph_figure_is_cluster_muted:
 * @self: a graph
 * @cluster: index of a cluster
 *
 * Gets whether a cluster is drawn paler, as it is not the subject of the figure.
 *
 * Returns: whether the cluster is drawn paler
 */
gboolean
tb_graph_figure_is_cluster_muted (TbGraphFigure *self, guint cluster)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), FALSE);
  g_return_val_if_fail (cluster < self->clusters->len, FALSE);

  return g_array_index (self->clusters, TbGraphCluster, cluster).muted;
}

/**
 * tb_graph_figure_get_from_flame:
 * @self: a graph
 *
 * Gets the flame figure that shows the starts of edges.
 *
 * Returns: id of the flame that shows the starts of edges, "": none
 */
const char *
tb_graph_figure_get_from_flame (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), "");

  return self->flames[0];
}

/**
 * tb_graph_figure_get_to_flame:
 * @self: a graph
 *
 * Gets the flame figure that shows the ends of edges.
 *
 * Returns: id of the flame that shows the ends of edges, "": none
 */
const char *
tb_graph_figure_get_to_flame (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), "");

  return self->flames[1];
}
