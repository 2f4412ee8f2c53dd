/* tb-graph-layout.h: layout of a graph: places of its vertices, names and frames of clusters,
 * curves and labels of its edges; mirroring, distance of a point from an edge; interface of the
 * engine that a program can install
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

/**
 * TbGraphFlow:
 * @TB_GRAPH_FLOW_HORIZONTAL: edges point to the right, names stand below their vertices
 * @TB_GRAPH_FLOW_VERTICAL: edges point down, names stand beside their vertices; for narrow views
 *
 * The direction of most edges of a layout.
 */
typedef enum
{
  TB_GRAPH_FLOW_HORIZONTAL,
  TB_GRAPH_FLOW_VERTICAL,
} TbGraphFlow;

/**
 * TbGraphNode:
 * @radius: half of its size
 * @label_width: width of the label
 * @label_height: height of the label
 * @group: index of the group whose frame contains it, or G_MAXUINT32
 * @square: drawn as a square instead of a circle
 *
 * A node to be placed. All sizes have the same unit.
 */
typedef struct
{
  double radius;
  double label_width;
  double label_height;
  guint32 group;
  gboolean square;
} TbGraphNode;

/**
 * TbGraphArc:
 * @from: index of the start node
 * @to: index of the end node
 * @weight: weight, by which crossings are avoided
 * @label_width: width of the label, 0: none
 * @label_height: height of the label
 *
 * An edge to be placed.
 */
typedef struct
{
  guint from;
  guint to;
  double weight;
  double label_width;
  double label_height;
} TbGraphArc;

/**
 * TbGraphPoint:
 * @x: horizontal position
 * @y: vertical position
 *
 * A point of a layout.
 */
typedef struct
{
  double x;
  double y;
} TbGraphPoint;

/**
 * TbGraphBox:
 * @x: left side
 * @y: top
 * @width: width
 * @height: height
 *
 * A box of a layout.
 */
typedef struct
{
  double x;
  double y;
  double width;
  double height;
} TbGraphBox;

/**
 * TbGraphPlace:
 * @centre: middle of the node
 * @label: box of its label
 * @layer: number of layers from the first one of its group, or without a group of its connected
 *   component
 *
 * The place of a node.
 */
typedef struct
{
  TbGraphPoint centre;
  TbGraphBox label;
  guint layer;
} TbGraphPlace;

/**
 * TbGraphRoute:
 * @first: index of the first point
 * @n: number of points: a start and three for each cubic curve
 * @has_label: whether there is room for its label
 * @label: box of its label
 *
 * The line of an edge.
 */
typedef struct
{
  guint first;
  guint n;
  gboolean has_label;
  TbGraphBox label;
} TbGraphRoute;

/**
 * TbGraphLayout:
 * @width: width of the whole
 * @height: height of the whole
 * @flow: direction of edges
 * @is_mirrored: edges that would point to the right point to the left, names beside vertices stand
 *   on the left
 * @n_places: number of nodes
 * @n_routes: number of edges
 * @n_groups: number of groups
 * @n_points: number of points
 * @places: by node
 * @routes: by arc
 * @groups: the frames, by group; empty for a group without nodes
 * @points: the points of all routes
 *
 * Places of nodes and lines of edges, from [func@Tailback.GraphLayout.new].
 */
typedef struct
{
  double width;
  double height;
  TbGraphFlow flow;
  gboolean is_mirrored;
  guint n_places;
  guint n_routes;
  guint n_groups;
  guint n_points;
  TbGraphPlace *places;
  TbGraphRoute *routes;
  TbGraphBox *groups;
  TbGraphPoint *points;
} TbGraphLayout;

/**
 * TbGraphEngine:
 * @find_feedback: sets back[i] for arcs whose removal breaks all cycles, preferably light ones
 * @order: sets the position of each vertex in its layer; all arcs lead to the next layer
 *
 * Algorithms that draw graphs with few crossings. They return %FALSE on failure or cancellation,
 * and are called from any thread.
 */
typedef struct
{
  gboolean (*find_feedback) (guint n_vertices,
                             guint n_arcs,
                             const guint *from,
                             const guint *to,
                             const double *weight,
                             gboolean *back);
  gboolean (*order) (guint n_vertices,
                     const guint *layer,
                     guint n_arcs,
                     const guint *from,
                     const guint *to,
                     double *position,
                     GCancellable *cancellable);
} TbGraphEngine;

TB_EXPORT void tb_graph_layout_set_engine (const TbGraphEngine *new_engine);

TB_EXPORT TbGraphLayout *tb_graph_layout_new (const TbGraphNode *nodes,
                                              guint n_nodes,
                                              const TbGraphArc *arcs,
                                              guint n_arcs,
                                              guint n_groups,
                                              double group_name_height,
                                              TbGraphFlow flow,
                                              GCancellable *cancellable,
                                              GError **error);
TB_EXPORT void tb_graph_layout_free (TbGraphLayout *self);
/* Mirrors the layout, for right-to-left languages. */
TB_EXPORT void tb_graph_layout_mirror (TbGraphLayout *self);
TB_EXPORT double tb_graph_layout_get_distance (const TbGraphLayout *self,
                                               guint arc,
                                               double x,
                                               double y,
                                               double most);
TB_EXPORT TbGraphPoint tb_graph_curve_at (const TbGraphPoint *curve, double t);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbGraphLayout, tb_graph_layout_free)

G_END_DECLS
