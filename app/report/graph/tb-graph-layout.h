/* tb-graph-layout.h: where the vertices and edges of a graph are drawn
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "tb-export.h"

G_BEGIN_DECLS

/**
 * TbGraphFlow:
 * @TB_GRAPH_ACROSS: edges point to the right, names stand below their vertices
 * @TB_GRAPH_DOWN: edges point down, names stand beside their vertices: for narrow places
 */
typedef enum
{
  TB_GRAPH_ACROSS,
  TB_GRAPH_DOWN,
} TbGraphFlow;

/**
 * TbGraphNode:
 * @radius: half of its size
 * @square: drawn as a square rather than a circle
 * @group: index of the group whose frame it stands in, or G_MAXUINT32
 *
 * What is to be placed; all sizes in the same unit.
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
 * @label_width: room for what is written on it, 0 nothing
 */
typedef struct
{
  guint from;
  guint to;
  double weight;
  double label_width;
  double label_height;
} TbGraphArc;

typedef struct
{
  double x;
  double y;
} TbGraphPoint;

typedef struct
{
  double x;
  double y;
  double width;
  double height;
} TbGraphBox;

/**
 * TbGraphPlace:
 * @layer: by how many layers it is from the first, in its group or, where it is in none, of what it is connected to
 */
typedef struct
{
  TbGraphPoint centre;
  TbGraphBox label;
  guint layer;
} TbGraphPlace;

/**
 * TbGraphRoute:
 * @first: of its points
 * @n: how many: a start and three for each cubic curve
 * @has_label: whether there is room for its label
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
 * @places: by node
 * @routes: by arc
 * @groups: the frames, by group; empty for a group that no node is in
 * @points: of all routes
 * @is_mirrored: arcs that point across point to the left, names that stand beside their vertices do so on the left
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
 * @find_feedback: sets back[i] for arcs without which there is no cycle, light ones if possible
 * @order: sets where each vertex stands in its layer; all arcs lead from a layer to the next
 *
 * Who knows how to draw graphs with few crossings; %FALSE where that failed or was cancelled. Called from any thread.
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

/* Before the first layout. Without one, layouts have more crossings. */
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
/* For those who read from right to left. */
TB_EXPORT void tb_graph_layout_mirror (TbGraphLayout *self);
/* How far a place is from the middle of the line of an arc, to a fiftieth of the unit; more than most: that it is more. */
TB_EXPORT double
tb_graph_layout_get_distance (const TbGraphLayout *self, guint arc, double x, double y, double most);
/* A point of a cubic curve, at 0 ≤ t ≤ 1 of it. */
TB_EXPORT TbGraphPoint tb_graph_curve_at (const TbGraphPoint *curve, double t);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbGraphLayout, tb_graph_layout_free)

G_END_DECLS
