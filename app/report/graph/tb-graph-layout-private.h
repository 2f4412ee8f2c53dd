/* tb-graph-layout-private.h: the parts of a layout
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/graph/tb-graph-layout.h"

G_BEGIN_DECLS

#define TB_GRAPH_FRAME_NAME_TOP 5.0 /* from the border of a frame to what it is called */

/* Things are placed in layers, one after the other in depth, and beside each other across. How far a thing reaches from its
 * anchor into the four directions: */
typedef struct
{
  double before; /* in depth */
  double after;
  double low; /* across */
  double high;
} TbGraphExtent;

/* One sheet of layers: all that is outside of frames, or what is in one. The items that were given come first, then one for
 * each layer that an arc passes. */
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
  guint *first_passed; /* by arc and one more: in passed */
  guint *passed;       /* items, in the direction of the arc */

  guint n_layers;
  double *layer_from; /* in depth */
  double *layer_to;
} TbGraphSheet;

/* Arcs from an item to itself are not for here. pinned: 1 first layer, 2 last, of their own; nullable. */
void tb_graph_sheet_init (TbGraphSheet *self,
                          const TbGraphExtent *extents,
                          guint n_items,
                          const guint *from,
                          const guint *to,
                          const double *weights,
                          guint n_arcs,
                          const guint8 *pinned);
/* Extents may be changed between the two. */
void tb_graph_sheet_place (TbGraphSheet *self, double gap, GCancellable *cancellable);
void tb_graph_sheet_clear (TbGraphSheet *self);

/* What is not connected is laid out apart: a sheet each, at a place of its own. */
typedef struct
{
  guint n_items;
  guint n_arcs;
  guint n_parts;
  guint *part; /* by item */
  guint *item; /* by item: on the sheet of its part */
  guint *arc_part;
  guint *arc; /* by arc: on the sheet of its part */
  TbGraphSheet *sheets;
  double *depths; /* by part */
  double *across;
} TbGraphParts;

/* As tb_graph_sheet_init(), and so on. */
void tb_graph_parts_init (TbGraphParts *self,
                          const TbGraphExtent *extents,
                          guint n_items,
                          const guint *from,
                          const guint *to,
                          const double *weights,
                          guint n_arcs);
void tb_graph_parts_place (TbGraphParts *self, double gap, TbGraphFlow flow, GCancellable *cancellable);
void tb_graph_parts_clear (TbGraphParts *self);
TbGraphExtent *tb_graph_parts_get_extent (const TbGraphParts *self, guint item);
/* Whether an arc leads to a later layer. */
gboolean tb_graph_parts_leads_on (const TbGraphParts *self, guint arc);
/* Returns the layer, of its part. */
guint tb_graph_parts_get_place (const TbGraphParts *self, guint item, double *depth, double *across);

const TbGraphEngine *tb_graph_layout_get_engine (void);

/* Values nearest to those desired (least squares, weighted) that keep their order and their distances: distance[i] is that of
 * i and i + 1. */
void tb_graph_spread (guint n,
                      const double *desired,
                      const double *weights,
                      const double *distances,
                      double *values);

/* A stretch that a route leads through: straight on in depth, at one place across. */
typedef struct
{
  double depth_from;
  double depth_to;
  double across;
} TbGraphGate;

/* In depth and across: the routes of all arcs. gates: by arc, nullable where there are none. */
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
/* How far a node's loops to itself reach beyond it. */
double tb_graph_get_loop_reach (guint n_loops);
/* Finds room for the labels of routes, in the end in x and y. */
void tb_graph_place_labels (TbGraphLayout *layout,
                            const TbGraphNode *nodes,
                            const TbGraphArc *arcs,
                            double group_name_height);
/* The nth best place for what is written on an arc; FALSE: there are no more. size: how much larger it is written. */
gboolean tb_graph_get_label_box (const TbGraphLayout *layout,
                                 const TbGraphArc *arc,
                                 guint route,
                                 guint nth,
                                 double size,
                                 TbGraphBox *box);

G_END_DECLS
