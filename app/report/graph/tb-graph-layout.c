/* tb-graph-layout.c: placement of the vertices and edges of a graph
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/graph/tb-graph-layout-private.h"

#define NONE G_MAXUINT32
#define GAP_ACROSS 84.0
#define GAP_DOWN 58.0
#define FRAME 12.0 /* free space inside a frame */
#define MARGIN 18.0
#define LABEL_BELOW 3.0
#define LABEL_BESIDE 7.0
#define LOOP_LABEL_AWAY 5.0

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
  TbGraphParts outer;
  guint *outer_arc;   /* by arc, or NONE */
  guint *inner_arc;   /* by arc: arc in the frame of its start, or NONE */
  guint *arrival_arc; /* by arc: arc in the frame of its end if that is another frame */
  guint *outer_node;  /* by item of the outer sheet: its node, or NONE */
} Work;

static Frame *
get_frame (const Work *work, guint node)
{
  guint group = work->nodes[node].group;

  return group < work->n_groups ? &work->frames[group] : NULL;
}

static guint
get_outer_item (const Work *work, guint node)
{
  const Frame *frame = get_frame (work, node);

  return frame != NULL ? frame->item : work->index[node];
}

static void
measure_nodes (Work *work)
{
  g_autofree guint *n_loops = g_new0 (guint, work->n_nodes + 1);
  g_autofree double *written = g_new0 (double, work->n_nodes + 1);

  for (guint i = 0; i < work->n_arcs; i++)
    if (work->arcs[i].from == work->arcs[i].to)
      {
        const TbGraphArc *arc = &work->arcs[i];
        double room = work->flow == TB_GRAPH_ACROSS ? arc->label_height : arc->label_width;

        n_loops[arc->from]++;
        written[arc->from] = MAX (written[arc->from], room > 0 ? room + LOOP_LABEL_AWAY : 0);
      }
  for (guint i = 0; i < work->n_nodes; i++)
    {
      const TbGraphNode *node = &work->nodes[i];
      double loop = tb_graph_get_loop_reach (n_loops[i]);
      gboolean is_across = work->flow == TB_GRAPH_ACROSS;
      double label = is_across ? node->label_width / 2 : node->label_height / 2;
      double reach = MAX (MAX (node->radius, label), loop > 0 ? .9 * (node->radius + loop) : 0);
      double named = is_across ? LABEL_BELOW + node->label_height : LABEL_BESIDE + node->label_width;

      work->extents[i] = (TbGraphExtent) { reach, reach, node->radius + loop + written[i],
                                           node->radius + (node->label_width > 0 ? named : 0) };
    }
}

/* Numbers the items of the outer sheet: the nodes without a frame, and the frames. */
static guint
number_items (Work *work)
{
  guint n = 0;

  for (guint i = 0; i < work->n_nodes; i++)
    {
      Frame *frame = get_frame (work, i);

      if (frame == NULL)
        {
          work->outer_node[n] = i;
          work->index[i] = n++;
          continue;
        }
      work->index[i] = frame->members->len;
      g_array_append_val (frame->members, i);
    }
  for (guint group = 0; group < work->n_groups; group++)
    if (work->frames[group].members->len > 0)
      {
        work->outer_node[n] = NONE;
        work->frames[group].item = n++;
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

static void
make_outer (Work *work)
{
  guint n_items = number_items (work);
  g_autofree TbGraphExtent *extents = g_new0 (TbGraphExtent, n_items + 1);
  ArcList list;

  for (guint i = 0; i < n_items; i++)
    if (work->outer_node[i] != NONE)
      extents[i] = work->extents[work->outer_node[i]];
  arc_list_init (&list);
  for (guint i = 0; i < work->n_arcs; i++)
    {
      guint from = get_outer_item (work, work->arcs[i].from);
      guint to = get_outer_item (work, work->arcs[i].to);

      work->outer_arc[i] = from != to ? arc_list_add (&list, from, to, work->arcs[i].weight) : NONE;
    }
  tb_graph_parts_init (&work->outer, extents, n_items, (const guint *) (gpointer) list.from->data,
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
make_frame (Work *work, Frame *frame)
{
  g_autoptr (GArray) extents = g_array_new (FALSE, FALSE, sizeof (TbGraphExtent));
  g_autoptr (GArray) pinned = g_array_new (FALSE, FALSE, sizeof (guint8));
  ArcList list;

  arc_list_init (&list);
  for (guint i = 0; i < frame->members->len; i++)
    {
      guint8 free = 0;

      g_array_append_val (extents, work->extents[g_array_index (frame->members, guint, i)]);
      g_array_append_val (pinned, free);
    }
  for (guint i = 0; i < work->n_arcs; i++)
    {
      const TbGraphArc *arc = &work->arcs[i];
      gboolean starts = get_frame (work, arc->from) == frame, ends = get_frame (work, arc->to) == frame;
      gboolean forward
          = work->outer_arc[i] != NONE && tb_graph_parts_leads_on (&work->outer, work->outer_arc[i]);

      if (starts && ends && arc->from != arc->to)
        work->inner_arc[i] = arc_list_add (&list, work->index[arc->from], work->index[arc->to], arc->weight);
      else if (starts && !ends)
        work->inner_arc[i] = arc_list_add (&list, work->index[arc->from],
                                           add_border (extents, pinned, forward), arc->weight);
      else if (ends && !starts)
        work->arrival_arc[i]
            = arc_list_add (&list, add_border (extents, pinned, !forward), work->index[arc->to], arc->weight);
    }
  tb_graph_sheet_init (&frame->sheet, (const TbGraphExtent *) (gpointer) extents->data, extents->len,
                       (const guint *) (gpointer) list.from->data, (const guint *) (gpointer) list.to->data,
                       (const double *) (gpointer) list.weights->data, list.from->len,
                       (const guint8 *) pinned->data);
  arc_list_clear (&list);
}

static double
get_gap (const Work *work)
{
  return work->flow == TB_GRAPH_ACROSS ? GAP_ACROSS : GAP_DOWN;
}

static void
place_frame (Work *work, Frame *frame, GCancellable *cancellable)
{
  TbGraphSheet *sheet = &frame->sheet;
  double across = 0, depth;
  double named = TB_GRAPH_FRAME_NAME_TOP + work->group_name_height;
  double named_depth = work->flow == TB_GRAPH_DOWN ? named : 0;
  double named_across = work->flow == TB_GRAPH_ACROSS ? named : 0;

  tb_graph_sheet_place (sheet, get_gap (work), cancellable);
  for (guint i = 0; i < sheet->n_items; i++)
    across = MAX (across, sheet->across[i] + sheet->extents[i].high);
  depth = sheet->layer_to[sheet->n_layers - 1];
  *tb_graph_parts_get_extent (&work->outer, frame->item)
      = (TbGraphExtent) { depth / 2 + FRAME + named_depth, depth / 2 + FRAME,
                          across / 2 + FRAME + named_across, across / 2 + FRAME };
  frame->depth = -depth / 2;
  frame->across = -across / 2;
}

static void
add_gates (GArray *gates, const TbGraphSheet *sheet, guint arc, double depth, double across)
{
  for (guint i = sheet->first_passed[arc]; i < sheet->first_passed[arc + 1]; i++)
    {
      guint item = sheet->passed[i];
      TbGraphGate gate = { depth + sheet->layer_from[sheet->layers[item]],
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
make_gates (const Work *work, guint arc)
{
  GArray *gates = g_array_new (FALSE, FALSE, sizeof (TbGraphGate));
  guint inner = work->inner_arc[arc], outer = work->outer_arc[arc], arrival = work->arrival_arc[arc];

  if (inner != NONE)
    {
      const Frame *frame = get_frame (work, work->arcs[arc].from);

      add_gates (gates, &frame->sheet, inner, frame->depth, frame->across);
      if (outer != NONE)
        add_item_gate (gates, &frame->sheet, frame->sheet.to[inner], frame->depth, frame->across);
    }
  if (outer != NONE)
    {
      guint part = work->outer.arc_part[outer];

      add_gates (gates, &work->outer.sheets[part], work->outer.arc[outer], work->outer.depths[part],
                 work->outer.across[part]);
    }
  if (arrival != NONE)
    {
      const Frame *frame = get_frame (work, work->arcs[arc].to);

      add_item_gate (gates, &frame->sheet, frame->sheet.from[arrival], frame->depth, frame->across);
      add_gates (gates, &frame->sheet, arrival, frame->depth, frame->across);
    }
  return gates;
}

static void
place_nodes (Work *work, TbGraphLayout *layout)
{
  for (guint group = 0; group < work->n_groups; group++)
    {
      Frame *frame = &work->frames[group];
      const TbGraphExtent *extent;
      double depth, across;

      if (frame->item == NONE)
        continue;
      extent = tb_graph_parts_get_extent (&work->outer, frame->item);
      tb_graph_parts_get_place (&work->outer, frame->item, &depth, &across);
      frame->depth += depth;
      frame->across += across;
      layout->groups[group] = (TbGraphBox) { depth - extent->before, across - extent->low,
                                             extent->before + extent->after, extent->low + extent->high };
    }
  for (guint i = 0; i < work->n_nodes; i++)
    {
      const Frame *frame = get_frame (work, i);
      TbGraphPlace *place = &layout->places[i];

      if (frame == NULL)
        {
          place->layer
              = tb_graph_parts_get_place (&work->outer, work->index[i], &place->centre.x, &place->centre.y);
          continue;
        }
      place->centre.x = frame->depth + frame->sheet.depths[work->index[i]];
      place->centre.y = frame->across + frame->sheet.across[work->index[i]];
      place->layer = frame->sheet.layers[work->index[i]];
    }
}

static void
route (const Work *work, TbGraphLayout *layout)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (TbGraphPoint));
  g_autoptr (GPtrArray) gates = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autofree double *depths = g_new (double, work->n_nodes + 1);
  g_autofree double *across = g_new (double, work->n_nodes + 1);
  TbGraphRouting routing = { .nodes = work->nodes,
                             .arcs = work->arcs,
                             .n_nodes = work->n_nodes,
                             .n_arcs = work->n_arcs,
                             .depths = depths,
                             .across = across };

  for (guint i = 0; i < work->n_nodes; i++)
    {
      depths[i] = layout->places[i].centre.x;
      across[i] = layout->places[i].centre.y;
    }
  for (guint i = 0; i < work->n_arcs; i++)
    g_ptr_array_add (gates, make_gates (work, i));
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
turn_down (TbGraphLayout *layout)
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
place_names (const Work *work, TbGraphLayout *layout)
{
  for (guint i = 0; i < layout->n_places; i++)
    {
      const TbGraphNode *node = &work->nodes[i];
      TbGraphPoint centre = layout->places[i].centre;
      TbGraphBox *label = &layout->places[i].label;

      *label = (TbGraphBox) { 0, 0, node->label_width, node->label_height };
      if (work->flow == TB_GRAPH_ACROSS)
        {
          label->x = centre.x - node->label_width / 2;
          label->y = centre.y + node->radius + LABEL_BELOW;
        }
      else
        {
          label->x = centre.x + node->radius + LABEL_BESIDE;
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
get_bounds (const Work *work, const TbGraphLayout *layout)
{
  Bounds bounds = { G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE, -G_MAXDOUBLE };

  for (guint i = 0; i < layout->n_places; i++)
    {
      const TbGraphPlace *place = &layout->places[i];
      double radius = work->nodes[i].radius;

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
          TbGraphPoint point = tb_graph_curve_at (layout->points + layout->routes[i].first + k, step / 8.0);

          include (&bounds, point.x, point.y, 0, 0);
        }
  for (guint i = 0; i < layout->n_places; i++)
    {
      const TbGraphExtent *extent = &work->extents[i];
      double low = extent->low;

      if (work->flow == TB_GRAPH_ACROSS)
        include (&bounds, layout->places[i].centre.x, layout->places[i].centre.y - low, 0, low);
      else
        include (&bounds, layout->places[i].centre.x - low, layout->places[i].centre.y, low, 0);
    }
  if (layout->n_places == 0)
    bounds = (Bounds) { 0, 0, 0, 0 };
  return bounds;
}

static void
move_to_origin (const Work *work, TbGraphLayout *layout)
{
  Bounds bounds = get_bounds (work, layout);
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
work_init (Work *work)
{
  work->extents = g_new0 (TbGraphExtent, work->n_nodes + 1);
  work->index = g_new0 (guint, work->n_nodes + 1);
  work->frames = g_new0 (Frame, work->n_groups + 1);
  work->outer_arc = g_new (guint, work->n_arcs + 1);
  work->inner_arc = g_new (guint, work->n_arcs + 1);
  work->arrival_arc = g_new (guint, work->n_arcs + 1);
  work->outer_node = g_new (guint, work->n_nodes + work->n_groups + 1);
  for (guint i = 0; i < work->n_arcs; i++)
    work->outer_arc[i] = work->inner_arc[i] = work->arrival_arc[i] = NONE;
  for (guint i = 0; i < work->n_groups; i++)
    {
      work->frames[i].members = g_array_new (FALSE, FALSE, sizeof (guint));
      work->frames[i].item = NONE;
    }
}

static void
work_clear (Work *work)
{
  for (guint i = 0; i < work->n_groups; i++)
    {
      g_array_unref (work->frames[i].members);
      tb_graph_sheet_clear (&work->frames[i].sheet);
    }
  tb_graph_parts_clear (&work->outer);
  g_free (work->frames);
  g_free (work->extents);
  g_free (work->index);
  g_free (work->outer_arc);
  g_free (work->inner_arc);
  g_free (work->arrival_arc);
  g_free (work->outer_node);
}

/* The outer sheet gets its layers first, because they determine where arcs leave the frames. It is
 * placed last, because it needs the sizes of the frames. */
static gboolean
lay_out (Work *work, TbGraphLayout *layout, GCancellable *cancellable, GError **error)
{
  measure_nodes (work);
  make_outer (work);
  for (guint i = 0; i < work->n_groups; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (work->frames[i].item == NONE)
        continue;
      make_frame (work, &work->frames[i]);
      place_frame (work, &work->frames[i], cancellable);
    }
  tb_graph_parts_place (&work->outer, get_gap (work), work->flow, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  place_nodes (work, layout);
  route (work, layout);
  if (work->flow == TB_GRAPH_DOWN)
    turn_down (layout);
  place_names (work, layout);
  move_to_origin (work, layout);
  tb_graph_place_labels (layout, work->nodes, work->arcs, work->group_name_height);
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
  Work work = {
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
  work_init (&work);
  done = lay_out (&work, layout, cancellable, error);
  work_clear (&work);
  return done ? g_steal_pointer (&layout) : NULL;
}

/**
 * tb_graph_layout_free: (skip)
 * @self: (nullable): a layout
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
