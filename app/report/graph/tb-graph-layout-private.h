/* tb-graph-layout-private.h: parts of the graph layout: sheets of layers, connected components,
 * routes of edges, and places of their labels
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/graph/tb-graph-layout.h"

G_BEGIN_DECLS

#define TB_GRAPH_FRAME_NAME_TOP 5.0 /* from the border of a frame to its name */

/* Items are placed in layers, one after the other in depth. The items of a layer stand beside each
 * other across. The extent of an item is its reach from the anchor in the four directions. */
typedef struct
{
  double before; /* in depth */
  double after;
  double low; /* across */
  double high;
} TbGraphExtent;

/* A sheet of layers: everything outside frames, or the contents of one frame. The given items come
 * first, then one item for each layer that an arc passes. */
typedef struct
{
  guint n_given;
  guint n_items;
  TbGraphExtent *extents; /* by item */
  guint *layers;
  double *depths; /* of the anchors */
  double *across;

  guint n_arcs;
  guint *from;
  guint *to;
  guint *first_passed; /* by arc and one more: index in passed */
  guint *passed;       /* items, in the direction of the arc */

  guint n_layers;
  double *layer_from; /* in depth */
  double *layer_to;
} TbGraphSheet;

/* Arcs from an item to itself are not allowed. pinned: 1: a first layer of its own, 2: a last layer
 * of its own; nullable. */
void tb_graph_sheet_init (TbGraphSheet *self,
                          const TbGraphExtent *extents,
                          guint n_items,
                          const guint *from,
                          const guint *to,
                          const double *weights,
                          guint n_arcs,
                          const guint8 *pinned);
/* Extents can be changed between the two calls. */
void tb_graph_sheet_place (TbGraphSheet *self, double gap, GCancellable *cancellable);
void tb_graph_sheet_clear (TbGraphSheet *self);

/* Connected components, each with a sheet at a place of its own. */
typedef struct
{
  guint n_items;
  guint n_arcs;
  guint n_components;
  guint *component; /* by item */
  guint *item;      /* by item: on the sheet of its component */
  guint *arc_component;
  guint *arc; /* by arc: on the sheet of its component */
  TbGraphSheet *sheets;
  double *depths; /* by component */
  double *across;
} TbGraphComponents;

/* See tb_graph_sheet_init() and the other functions of a sheet. */
void tb_graph_components_init (TbGraphComponents *self,
                               const TbGraphExtent *extents,
                               guint n_items,
                               const guint *from,
                               const guint *to,
                               const double *weights,
                               guint n_arcs);
void tb_graph_components_place (TbGraphComponents *self,
                                double gap,
                                TbGraphFlow flow,
                                GCancellable *cancellable);
void tb_graph_components_clear (TbGraphComponents *self);
TbGraphExtent *tb_graph_components_get_extent (const TbGraphComponents *self, guint item);
/* Whether an arc leads to a later layer. */
gboolean tb_graph_components_is_forward (const TbGraphComponents *self, guint arc);
/* Returns the layer in the sheet of the item's component. */
guint tb_graph_components_get_place (const TbGraphComponents *self,
                                     guint item,
                                     double *depth,
                                     double *across);

const TbGraphEngine *tb_graph_layout_get_engine (void);

/* Computes the values nearest to those desired (weighted least squares) that keep their order and
 * minimum distances. distances[i] is that between i and i + 1. */
void tb_graph_spread (guint n,
                      const double *desired,
                      const double *weights,
                      const double *distances,
                      double *values);

/* A gate of a route: it passes straight in depth at one place across. */
typedef struct
{
  double depth_from;
  double depth_to;
  double across;
} TbGraphGate;

/* Input for the routes of all arcs, in depth and across. gates: by arc; elements can be NULL. */
typedef struct
{
  const TbGraphNode *nodes;
  const TbGraphArc *arcs;
  guint n_nodes;
  guint n_arcs;
  const double *depths; /* by node */
  const double *across;
  GArray **gates;
} TbGraphRouting;

void tb_graph_route (const TbGraphRouting *routing, TbGraphRoute *routes, GArray *points);
/* How far the loops of a node reach beyond it. */
double tb_graph_get_loop_reach (guint n_loops);
/* Places the labels of routes, in x and y. */
void tb_graph_place_labels (TbGraphLayout *layout,
                            const TbGraphNode *nodes,
                            const TbGraphArc *arcs,
                            double group_name_height);
/* The nth best place for the label of an arc; FALSE: there are no more. size: scale of the text. */
gboolean tb_graph_get_label_box (const TbGraphLayout *layout,
                                 const TbGraphArc *arc,
                                 guint route,
                                 guint nth,
                                 double size,
                                 TbGraphBox *box);

G_END_DECLS
