/* tb-graph-layout.c: layout of a graph, assembled from sheets (tb-graph-sheet), components and
 * routes (tb-graph-route): frames of clusters, places of vertices and names, gates that edges pass,
 * size; mirroring; keeping of the engine that the program has installed
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/graph/tb-graph-layout-private.h"

#define NONE G_MAXUINT32
#define GAP_ACROSS 84.0
#define GAP_DOWN 58.0
#define FRAME_PADDING 12.0 /* free space inside a frame */
#define MARGIN 18.0
#define LABEL_GAP_BELOW 3.0
#define LABEL_GAP_BESIDE 7.0
#define LOOP_LABEL_GAP 5.0

static const TbGraphEngine *engine;

/**
 * tb_graph_layout_set_engine: (skip)
 * @new_engine: (nullable): engine that breaks cycles and orders layers; must outlive all layouts
 *
 * Sets the engine for the part of the layout for which a library under another licence is better. A
 * program that is allowed to use such a library calls this once, before its first layout.
 */
void
tb_graph_layout_set_engine (const TbGraphEngine *new_engine)
{
  engine = new_engine;
}

const TbGraphEngine *
tb_graph_layout_get_engine (void)
{
  return engine;
}

/* A frame, and its sheet. */
typedef struct
{
  TbGraphSheet sheet;
  GArray *members; /* by item that is a node: the node */
  guint item;      /* on the outer sheet; NONE: the frame is empty */
  double depth;    /* of the sheet, when it is placed */
  double across;
} Frame;

typedef struct
{
  const TbGraphNode *nodes;
  const TbGraphArc *arcs;
  guint n_nodes;
  guint n_arcs;
  guint n_groups;
  double group_name_height;
  TbGraphFlow flow;

  TbGraphExtent *extents; /* by node */
  guint *index;           /* by node: its item on its sheet */
  Frame *frames;
  TbGraphComponents outer;
  guint *outer_arc;   /* by arc, or NONE */
  guint *inner_arc;   /* by arc: arc in the frame of its start, or NONE */
  guint *arrival_arc; /* by arc: arc in the frame of its end if that is another frame */
  guint *outer_node;  /* by item of the outer sheet: its node, or NONE */
} Builder;

static Frame *
get_frame (const Builder *builder, guint node)
{
  guint group = builder->nodes[node].group;

  return group < builder->n_groups ? &builder->frames[group] : NULL;
}

static guint
get_outer_item (const Builder *builder, guint node)
{
  const Frame *frame = get_frame (builder, node);

  return frame != NULL ? frame->item : builder->index[node];
}

static void
measure_nodes (Builder *builder)
{
  g_autofree guint *n_loops = g_new0 (guint, builder->n_nodes + 1);
  g_autofree double *written = g_new0 (double, builder->n_nodes + 1);

  for (guint i = 0; i < builder->n_arcs; i++)
    if (builder->arcs[i].from == builder->arcs[i].to)
      {
        const TbGraphArc *arc = &builder->arcs[i];
        double room
            = builder->flow == TB_GRAPH_FLOW_HORIZONTAL ? arc->label_height : arc->label_width;

        n_loops[arc->from]++;
        written[arc->from] = MAX (written[arc->from], room > 0 ? room + LOOP_LABEL_GAP : 0);
      }
  for (guint i = 0; i < builder->n_nodes; i++)
    {
      const TbGraphNode *node = &builder->nodes[i];
      double loop = tb_graph_get_loop_reach (n_loops[i]);
      gboolean is_across = builder->flow == TB_GRAPH_FLOW_HORIZONTAL;
      double label = is_across ? node->label_width / 2 : node->label_height / 2;
      double reach = MAX (MAX (node->radius, label), loop > 0 ? .9 * (node->radius + loop) : 0);
      double named
          = is_across ? LABEL_GAP_BELOW + node->label_height : LABEL_GAP_BESIDE + node->label_width;

      builder->extents[i] = (TbGraphExtent) { reach, reach, node->radius + loop + written[i],
                                              node->radius + (node->label_width > 0 ? named : 0) };
    }
}

/* Numbers the items of the outer sheet: the nodes without a frame, and the frames. */
static guint
number_items (Builder *builder)
{
  guint n = 0;

  for (guint i = 0; i < builder->n_nodes; i++)
    {
      Frame *frame = get_frame (builder, i);

      if (frame == NULL)
        {
          builder->outer_node[n] = i;
          builder->index[i] = n++;
          continue;
        }
      builder->index[i] = frame->members->len;
      g_array_append_val (frame->members, i);
    }
  for (guint group = 0; group < builder->n_groups; group++)
    if (builder->frames[group].members->len > 0)
      {
        builder->outer_node[n] = NONE;
        builder->frames[group].item = n++;
      }
  return n;
}

typedef struct
{
  GArray *from;
  GArray *to;
  GArray *weights;
} ArcList;

static void
arc_list_init (ArcList *self)
{
  self->from = g_array_new (FALSE, FALSE, sizeof (guint));
  self->to = g_array_new (FALSE, FALSE, sizeof (guint));
  self->weights = g_array_new (FALSE, FALSE, sizeof (double));
}

static guint
arc_list_add (ArcList *self, guint from, guint to, double weight)
{
  g_array_append_val (self->from, from);
  g_array_append_val (self->to, to);
  g_array_append_val (self->weights, weight);
  return self->from->len - 1;
}

static void
arc_list_clear (ArcList *self)
{
  g_array_unref (self->from);
  g_array_unref (self->to);
  g_array_unref (self->weights);
}

/* Makes the outer sheets, of frames and of nodes without one, and finds their components. Arcs
 * within a frame are left out; frames get their extents in place_frame(). */
static void
make_outer (Builder *builder)
{
  guint n_items = number_items (builder);
  g_autofree TbGraphExtent *extents = g_new0 (TbGraphExtent, n_items + 1);
  ArcList list;

  for (guint i = 0; i < n_items; i++)
    if (builder->outer_node[i] != NONE)
      extents[i] = builder->extents[builder->outer_node[i]];
  arc_list_init (&list);
  for (guint i = 0; i < builder->n_arcs; i++)
    {
      guint from = get_outer_item (builder, builder->arcs[i].from);
      guint to = get_outer_item (builder, builder->arcs[i].to);

      builder->outer_arc[i]
          = from != to ? arc_list_add (&list, from, to, builder->arcs[i].weight) : NONE;
    }
  tb_graph_components_init (&builder->outer, extents, n_items,
                            (const guint *) (gpointer) list.from->data,
                            (const guint *) (gpointer) list.to->data,
                            (const double *) (gpointer) list.weights->data, list.from->len);
  arc_list_clear (&list);
}

/* Adds an item for the place where an arc crosses the border of a frame. It stands before or after
 * all other items of the frame. */
static guint
add_border (GArray *extents, GArray *pinned, gboolean last)
{
  TbGraphExtent extent = { 0, 0, 6, 6 };
  guint8 side = last ? 2 : 1;

  g_array_append_val (extents, extent);
  g_array_append_val (pinned, side);
  return extents->len - 1;
}

static void
make_frame (Builder *builder, Frame *frame)
{
  g_autoptr (GArray) extents = g_array_new (FALSE, FALSE, sizeof (TbGraphExtent));
  g_autoptr (GArray) pinned = g_array_new (FALSE, FALSE, sizeof (guint8));
  ArcList list;

  arc_list_init (&list);
  for (guint i = 0; i < frame->members->len; i++)
    {
      guint8 free = 0;

      g_array_append_val (extents, builder->extents[g_array_index (frame->members, guint, i)]);
      g_array_append_val (pinned, free);
    }
  for (guint i = 0; i < builder->n_arcs; i++)
    {
      const TbGraphArc *arc = &builder->arcs[i];
      gboolean starts = get_frame (builder, arc->from) == frame,
               ends = get_frame (builder, arc->to) == frame;
      gboolean forward = builder->outer_arc[i] != NONE
                         && tb_graph_components_is_forward (&builder->outer, builder->outer_arc[i]);

      if (starts && ends && arc->from != arc->to)
        builder->inner_arc[i]
            = arc_list_add (&list, builder->index[arc->from], builder->index[arc->to], arc->weight);
      else if (starts && !ends)
        builder->inner_arc[i] = arc_list_add (&list, builder->index[arc->from],
                                              add_border (extents, pinned, forward), arc->weight);
      else if (ends && !starts)
        builder->arrival_arc[i] = arc_list_add (&list, add_border (extents, pinned, !forward),
                                                builder->index[arc->to], arc->weight);
    }
  tb_graph_sheet_init (&frame->sheet, (const TbGraphExtent *) (gpointer) extents->data,
                       extents->len, (const guint *) (gpointer) list.from->data,
                       (const guint *) (gpointer) list.to->data,
                       (const double *) (gpointer) list.weights->data, list.from->len,
                       (const guint8 *) pinned->data);
  arc_list_clear (&list);
}

static double
get_gap (const Builder *builder)
{
  return builder->flow == TB_GRAPH_FLOW_HORIZONTAL ? GAP_ACROSS : GAP_DOWN;
}

static void
place_frame (Builder *builder, Frame *frame, GCancellable *cancellable)
{
  TbGraphSheet *sheet = &frame->sheet;
  double across = 0, depth;
  double named = TB_GRAPH_FRAME_NAME_TOP + builder->group_name_height;
  double named_depth = builder->flow == TB_GRAPH_FLOW_VERTICAL ? named : 0;
  double named_across = builder->flow == TB_GRAPH_FLOW_HORIZONTAL ? named : 0;

  tb_graph_sheet_place (sheet, get_gap (builder), cancellable);
  for (guint i = 0; i < sheet->n_items; i++)
    across = MAX (across, sheet->across[i] + sheet->extents[i].high);
  depth = sheet->layer_to[sheet->n_layers - 1];
  *tb_graph_components_get_extent (&builder->outer, frame->item)
      = (TbGraphExtent) { depth / 2 + FRAME_PADDING + named_depth, depth / 2 + FRAME_PADDING,
                          across / 2 + FRAME_PADDING + named_across, across / 2 + FRAME_PADDING };
  frame->depth = -depth / 2;
  frame->across = -across / 2;
}

static void
add_gates (GArray *gates, const TbGraphSheet *sheet, guint arc, double depth, double across)
{
  for (guint i = sheet->first_passed[arc]; i < sheet->first_passed[arc + 1]; i++)
    {
      guint item = sheet->passed[i];
      TbGraphGate gate
          = { depth + sheet->layer_from[sheet->layers[item]],
              depth + sheet->layer_to[sheet->layers[item]], across + sheet->across[item] };

      g_array_append_val (gates, gate);
    }
}

static void
add_item_gate (GArray *gates, const TbGraphSheet *sheet, guint item, double depth, double across)
{
  TbGraphGate gate
      = { depth + sheet->depths[item], depth + sheet->depths[item], across + sheet->across[item] };

  g_array_append_val (gates, gate);
}

/* The gates of an arc, from its start to its end. */
static GArray *
make_gates (const Builder *builder, guint arc)
{
  GArray *gates = g_array_new (FALSE, FALSE, sizeof (TbGraphGate));
  guint inner = builder->inner_arc[arc], outer = builder->outer_arc[arc],
        arrival = builder->arrival_arc[arc];

  if (inner != NONE)
    {
      const Frame *frame = get_frame (builder, builder->arcs[arc].from);

      add_gates (gates, &frame->sheet, inner, frame->depth, frame->across);
      if (outer != NONE)
        add_item_gate (gates, &frame->sheet, frame->sheet.to[inner], frame->depth, frame->across);
    }
  if (outer != NONE)
    {
      guint component = builder->outer.arc_component[outer];

      add_gates (gates, &builder->outer.sheets[component], builder->outer.arc[outer],
                 builder->outer.depths[component], builder->outer.across[component]);
    }
  if (arrival != NONE)
    {
      const Frame *frame = get_frame (builder, builder->arcs[arc].to);

      add_item_gate (gates, &frame->sheet, frame->sheet.from[arrival], frame->depth, frame->across);
      add_gates (gates, &frame->sheet, arrival, frame->depth, frame->across);
    }
  return gates;
}

static void
place_nodes (Builder *builder, TbGraphLayout *layout)
{
  for (guint group = 0; group < builder->n_groups; group++)
    {
      Frame *frame = &builder->frames[group];
      const TbGraphExtent *extent;
      double depth, across;

      if (frame->item == NONE)
        continue;
      extent = tb_graph_components_get_extent (&builder->outer, frame->item);
      tb_graph_components_get_place (&builder->outer, frame->item, &depth, &across);
      frame->depth += depth;
      frame->across += across;
      layout->groups[group]
          = (TbGraphBox) { depth - extent->before, across - extent->low,
                           extent->before + extent->after, extent->low + extent->high };
    }
  for (guint i = 0; i < builder->n_nodes; i++)
    {
      const Frame *frame = get_frame (builder, i);
      TbGraphPlace *place = &layout->places[i];

      if (frame == NULL)
        {
          place->layer = tb_graph_components_get_place (&builder->outer, builder->index[i],
                                                        &place->centre.x, &place->centre.y);
          continue;
        }
      place->centre.x = frame->depth + frame->sheet.depths[builder->index[i]];
      place->centre.y = frame->across + frame->sheet.across[builder->index[i]];
      place->layer = frame->sheet.layers[builder->index[i]];
    }
}

static void
route (const Builder *builder, TbGraphLayout *layout)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TbGraphPoint));
  g_autoptr (GPtrArray) gates = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autofree double *depths = g_new (double, builder->n_nodes + 1);
  g_autofree double *across = g_new (double, builder->n_nodes + 1);
  TbGraphRouting routing = { .nodes = builder->nodes,
                             .arcs = builder->arcs,
                             .n_nodes = builder->n_nodes,
                             .n_arcs = builder->n_arcs,
                             .depths = depths,
                             .across = across };

  for (guint i = 0; i < builder->n_nodes; i++)
    {
      depths[i] = layout->places[i].centre.x;
      across[i] = layout->places[i].centre.y;
    }
  for (guint i = 0; i < builder->n_arcs; i++)
    g_ptr_array_add (gates, make_gates (builder, i));
  routing.gates = (GArray **) gates->pdata;
  tb_graph_route (&routing, layout->routes, points);
  layout->n_points = points->len;
  layout->points = (TbGraphPoint *) (gpointer) g_array_free (g_steal_pointer (&points), FALSE);
}

static void
swap (double *a, double *b)
{
  double value = *a;

  *a = *b;
  *b = value;
}

/* Swaps x and y: up to here x was the depth. */
static void
swap_axes (TbGraphLayout *layout)
{
  for (guint i = 0; i < layout->n_places; i++)
    swap (&layout->places[i].centre.x, &layout->places[i].centre.y);
  for (guint i = 0; i < layout->n_points; i++)
    swap (&layout->points[i].x, &layout->points[i].y);
  for (guint i = 0; i < layout->n_groups; i++)
    {
      swap (&layout->groups[i].x, &layout->groups[i].y);
      swap (&layout->groups[i].width, &layout->groups[i].height);
    }
}

static void
place_names (const Builder *builder, TbGraphLayout *layout)
{
  for (guint i = 0; i < layout->n_places; i++)
    {
      const TbGraphNode *node = &builder->nodes[i];
      TbGraphPoint centre = layout->places[i].centre;
      TbGraphBox *label = &layout->places[i].label;

      *label = (TbGraphBox) { 0, 0, node->label_width, node->label_height };
      if (builder->flow == TB_GRAPH_FLOW_HORIZONTAL)
        {
          label->x = centre.x - node->label_width / 2;
          label->y = centre.y + node->radius + LABEL_GAP_BELOW;
        }
      else
        {
          label->x = centre.x + node->radius + LABEL_GAP_BESIDE;
          label->y = centre.y - node->label_height / 2;
        }
    }
}

typedef struct
{
  double x0, y0, x1, y1;
} Bounds;

static void
include (Bounds *bounds, double x, double y, double width, double height)
{
  bounds->x0 = MIN (bounds->x0, x);
  bounds->y0 = MIN (bounds->y0, y);
  bounds->x1 = MAX (bounds->x1, x + width);
  bounds->y1 = MAX (bounds->y1, y + height);
}

/* A cubic curve stays within the bounds of its control points. */
static Bounds
get_bounds (const Builder *builder, const TbGraphLayout *layout)
{
  Bounds bounds = { G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE, -G_MAXDOUBLE };

  for (guint i = 0; i < layout->n_places; i++)
    {
      const TbGraphPlace *place = &layout->places[i];
      double radius = builder->nodes[i].radius;

      include (&bounds, place->centre.x - radius, place->centre.y - radius, 2 * radius, 2 * radius);
      include (&bounds, place->label.x, place->label.y, place->label.width, place->label.height);
    }
  for (guint i = 0; i < layout->n_groups; i++)
    if (layout->groups[i].width > 0)
      include (&bounds, layout->groups[i].x, layout->groups[i].y, layout->groups[i].width,
               layout->groups[i].height);
  for (guint i = 0; i < layout->n_routes; i++)
    for (guint k = 0; k + 3 < layout->routes[i].n; k += 3)
      for (guint step = 0; step <= 8; step++)
        {
          TbGraphPoint point
              = tb_graph_curve_at (layout->points + layout->routes[i].first + k, step / 8.0);

          include (&bounds, point.x, point.y, 0, 0);
        }
  for (guint i = 0; i < layout->n_places; i++)
    {
      const TbGraphExtent *extent = &builder->extents[i];
      double low = extent->low;

      if (builder->flow == TB_GRAPH_FLOW_HORIZONTAL)
        include (&bounds, layout->places[i].centre.x, layout->places[i].centre.y - low, 0, low);
      else
        include (&bounds, layout->places[i].centre.x - low, layout->places[i].centre.y, low, 0);
    }
  if (layout->n_places == 0)
    bounds = (Bounds) { 0, 0, 0, 0 };
  return bounds;
}

static void
move_to_origin (const Builder *builder, TbGraphLayout *layout)
{
  Bounds bounds = get_bounds (builder, layout);
  double dx = MARGIN - bounds.x0, dy = MARGIN - bounds.y0;

  for (guint i = 0; i < layout->n_places; i++)
    {
      layout->places[i].centre.x += dx;
      layout->places[i].centre.y += dy;
      layout->places[i].label.x += dx;
      layout->places[i].label.y += dy;
    }
  for (guint i = 0; i < layout->n_points; i++)
    {
      layout->points[i].x += dx;
      layout->points[i].y += dy;
    }
  for (guint i = 0; i < layout->n_groups; i++)
    {
      layout->groups[i].x += dx;
      layout->groups[i].y += dy;
    }
  layout->width = bounds.x1 - bounds.x0 + 2 * MARGIN;
  layout->height = bounds.y1 - bounds.y0 + 2 * MARGIN;
}

static void
builder_init (Builder *builder)
{
  builder->extents = g_new0 (TbGraphExtent, builder->n_nodes + 1);
  builder->index = g_new0 (guint, builder->n_nodes + 1);
  builder->frames = g_new0 (Frame, builder->n_groups + 1);
  builder->outer_arc = g_new (guint, builder->n_arcs + 1);
  builder->inner_arc = g_new (guint, builder->n_arcs + 1);
  builder->arrival_arc = g_new (guint, builder->n_arcs + 1);
  builder->outer_node = g_new (guint, builder->n_nodes + builder->n_groups + 1);
  for (guint i = 0; i < builder->n_arcs; i++)
    builder->outer_arc[i] = builder->inner_arc[i] = builder->arrival_arc[i] = NONE;
  for (guint i = 0; i < builder->n_groups; i++)
    {
      builder->frames[i].members = g_array_new (FALSE, FALSE, sizeof (guint));
      builder->frames[i].item = NONE;
    }
}

static void
builder_clear (Builder *builder)
{
  for (guint i = 0; i < builder->n_groups; i++)
    {
      g_array_unref (builder->frames[i].members);
      tb_graph_sheet_clear (&builder->frames[i].sheet);
    }
  tb_graph_components_clear (&builder->outer);
  g_free (builder->frames);
  g_free (builder->extents);
  g_free (builder->index);
  g_free (builder->outer_arc);
  g_free (builder->inner_arc);
  g_free (builder->arrival_arc);
  g_free (builder->outer_node);
}

/* The outer sheet gets its layers first, because they determine where arcs leave the frames. It is
 * placed last, because it needs the sizes of the frames. */
static gboolean
lay_out (Builder *builder, TbGraphLayout *layout, GCancellable *cancellable, GError **error)
{
  measure_nodes (builder);
  make_outer (builder);
  for (guint i = 0; i < builder->n_groups; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (builder->frames[i].item == NONE)
        continue;
      make_frame (builder, &builder->frames[i]);
      place_frame (builder, &builder->frames[i], cancellable);
    }
  tb_graph_components_place (&builder->outer, get_gap (builder), builder->flow, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  place_nodes (builder, layout);
  route (builder, layout);
  if (builder->flow == TB_GRAPH_FLOW_VERTICAL)
    swap_axes (layout);
  place_names (builder, layout);
  move_to_origin (builder, layout);
  tb_graph_place_labels (layout, builder->nodes, builder->arcs, builder->group_name_height);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/**
 * tb_graph_layout_new: (skip)
 * @nodes: (array length=n_nodes): nodes to be placed
 * @n_nodes: number of nodes
 * @arcs: (array length=n_arcs): arcs between nodes; loops and parallel arcs are allowed
 * @n_arcs: number of arcs
 * @n_groups: maximum number of frames
 * @group_name_height: height of the name of a frame, which is drawn at the top within it
 * @flow: direction of the arcs
 * @cancellable: (nullable): a #GCancellable
 * @error: return location for %G_IO_ERROR_CANCELLED
 *
 * Places nodes in layers (K. Sugiyama, S. Tagawa, M. Toda: Methods for Visual Understanding of
 * Hierarchical System Structures, 1981), so that most arcs point in one direction. The nodes of a
 * group stand together in a frame that contains nothing else. Arcs run between the nodes of the
 * layers that they pass and, where they enter or leave a frame, between the nodes in it. Connected
 * components are arranged in rows. Nothing overlaps except arcs that cross. Can be called from any
 * thread. Takes some 100 ms for a thousand arcs, so fewer should be drawn.
 *
 * Returns: (transfer full) (nullable): the layout, %NULL if it was cancelled
 */
TbGraphLayout *
tb_graph_layout_new (const TbGraphNode *nodes,
                     guint n_nodes,
                     const TbGraphArc *arcs,
                     guint n_arcs,
                     guint n_groups,
                     double group_name_height,
                     TbGraphFlow flow,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (TbGraphLayout) layout = NULL;
  Builder builder = {
    .nodes = nodes,
    .arcs = arcs,
    .n_nodes = n_nodes,
    .n_arcs = n_arcs,
    .n_groups = n_groups,
    .group_name_height = group_name_height,
    .flow = flow,
  };
  gboolean done;

  for (guint i = 0; i < n_arcs; i++)
    g_return_val_if_fail (arcs[i].from < n_nodes && arcs[i].to < n_nodes, NULL);

  layout = g_new0 (TbGraphLayout, 1);
  layout->flow = flow;
  layout->n_places = n_nodes;
  layout->n_routes = n_arcs;
  layout->n_groups = n_groups;
  layout->places = g_new0 (TbGraphPlace, n_nodes + 1);
  layout->routes = g_new0 (TbGraphRoute, n_arcs + 1);
  layout->groups = g_new0 (TbGraphBox, n_groups + 1);
  builder_init (&builder);
  done = lay_out (&builder, layout, cancellable, error);
  builder_clear (&builder);
  return done ? g_steal_pointer (&layout) : NULL;
}

/**
 * tb_graph_layout_free: (skip)
 * @self: (nullable): a layout
 *
 * Frees the layout.
 */
void
tb_graph_layout_free (TbGraphLayout *self)
{
  if (self == NULL)
    return;
  g_free (self->places);
  g_free (self->routes);
  g_free (self->groups);
  g_free (self->points);
  g_free (self);
}

static void
mirror_box (TbGraphBox *box, double width)
{
  box->x = width - box->x - box->width;
}

/**
 * tb_graph_layout_mirror: (skip)
 * @self: a layout
 *
 * Swaps left and right.
 */
void
tb_graph_layout_mirror (TbGraphLayout *self)
{
  g_return_if_fail (self != NULL);

  self->is_mirrored = !self->is_mirrored;
  for (guint i = 0; i < self->n_places; i++)
    {
      self->places[i].centre.x = self->width - self->places[i].centre.x;
      mirror_box (&self->places[i].label, self->width);
    }
  for (guint i = 0; i < self->n_routes; i++)
    if (self->routes[i].has_label)
      mirror_box (&self->routes[i].label, self->width);
  for (guint i = 0; i < self->n_groups; i++)
    if (self->groups[i].width > 0)
      mirror_box (&self->groups[i], self->width);
  for (guint i = 0; i < self->n_points; i++)
    self->points[i].x = self->width - self->points[i].x;
}
