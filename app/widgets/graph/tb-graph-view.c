/* tb-graph-view.c: widget for a graph figure: its canvas, threshold slider, filter, selection and
 * status line
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/graph/tb-graph-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "report/tb-report.h"
#include "base/tb-base.h"
#include "widgets/tb-figure-view-private.h"
#include "widgets/graph/tb-graph-private.h"
#include "widgets/tb-widgets-private.h"

/* Powers of ten that the slider spans. */
#define DECADES 4.0
#define THRESHOLD_STEP .05 /* fraction of the slider per key press */

/**
 * TbGraphView:
 *
 * Shows a #TbGraphFigure. The size of vertices is their weight. They are placed in layers along the
 * direction of the edges, whose width is their weight. Clusters have frames, and are collapsed to
 * one vertex by a double click or the space bar. Edges up to the threshold, which the slider below
 * sets, are dashed, and drawn only where there are few others. Of very many edges only the heaviest
 * are drawn, and their number is shown. Names are never too small to be read: when zoomed out,
 * names of the largest vertices are shown where there is room, and others at the mouse.
 *
 * A click selects. Arrow keys go from a vertex along an edge to the next, Tab to the next item by
 * weight. Dragging and the wheel move. Control with the wheel, plus, minus and 0 zoom, F shows
 * everything. < and > move the slider.
 *
 * A search fades vertices whose names do not match.
 */
struct _TbGraphView
{
  TbFigureView parent_instance;

  TbGraphFigure *figure;
  GHashTable *elements; /* item → TbGraphElement */

  GtkWidget *box;
  GtkWidget *overlay;
  GtkWidget *busy;
  GtkWidget *bar;
  GtkWidget *slider;
  GtkWidget *threshold_label;
  GtkWidget *counts_label;
  GtkWidget *status;
  TbGraphCanvas *canvas;
};

G_DEFINE_FINAL_TYPE (TbGraphView, tb_graph_view, TB_TYPE_FIGURE_VIEW)

static const char *
get_item (TbGraphView *self, TbGraphElement element)
{
  switch (element.kind)
    {
    case TB_GRAPH_VERTEX:
      return tb_graph_figure_get_vertex (self->figure, element.index)->id;
    case TB_GRAPH_EDGE:
      return tb_graph_figure_get_edge (self->figure, element.index)->id;
    case TB_GRAPH_CLUSTER:
      return tb_graph_figure_get_cluster_id (self->figure, element.index);
    case TB_GRAPH_NOTHING:
    default:
      return NULL;
    }
}

static void
add_element (TbGraphView *self, TbGraphElementKind kind, guint index)
{
  TbGraphElement element = { kind, index };
  const char *item = get_item (self, element);

  if (!g_hash_table_contains (self->elements, item))
    g_hash_table_insert (self->elements, (gpointer) item, g_memdup2 (&element, sizeof element));
}

/* Where several items have the same id, edges take precedence over vertices. */
static void
index_elements (TbGraphView *self)
{
  self->elements = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  for (guint i = 0; i < tb_graph_figure_get_n_edges (self->figure); i++)
    add_element (self, TB_GRAPH_EDGE, i);
  for (guint i = 0; i < tb_graph_figure_get_n_vertices (self->figure); i++)
    add_element (self, TB_GRAPH_VERTEX, i);
  for (guint i = 0; i < tb_graph_figure_get_n_clusters (self->figure); i++)
    add_element (self, TB_GRAPH_CLUSTER, i);
}

static TbGraphElement
find_element (TbGraphView *self, const char *item)
{
  const TbGraphElement *element = item != NULL ? g_hash_table_lookup (self->elements, item) : NULL;
  guint edge;

  if (element != NULL)
    return *element;
  edge = tb_graph_figure_find_edge (self->figure, item);
  return edge != TB_ID_NONE ? (TbGraphElement) { TB_GRAPH_EDGE, edge } : TB_GRAPH_NO_ELEMENT;
}

/* A thread vertex with a numeric id belongs to the thread with that number. */
static guint32
get_thread (TbGraphView *self, TbGraphElement element)
{
  const TbGraphVertex *vertex;
  guint64 thread;

  if (element.kind != TB_GRAPH_VERTEX)
    return TB_ID_NONE;
  vertex = tb_graph_figure_get_vertex (self->figure, element.index);
  if (vertex->kind != TB_VERTEX_THREAD
      || !g_ascii_string_to_unsigned (vertex->id, 10, 0, TB_ID_NONE - 1, &thread, NULL))
    return TB_ID_NONE;
  return (guint32) thread;
}

static void
on_selected_changed (TbGraphView *self)
{
  TbGraphElement selected = self->canvas->selected;

  if (!tb_figure_view_is_selecting (TB_FIGURE_VIEW (self)))
    tb_figure_view_select_item (TB_FIGURE_VIEW (self), get_item (self, selected),
                                get_thread (self, selected), TB_TIME_NONE, TB_TIME_NONE, NULL);
}

static void
tb_graph_view_show_selection (TbFigureView *view)
{
  TbGraphView *self = TB_GRAPH_VIEW (view);

  tb_graph_canvas_select (self->canvas, find_element (self, tb_figure_view_get_item (view)));
}

static void
on_activated (TbGraphView *self)
{
  const char *item = get_item (self, self->canvas->selected);

  if (item != NULL)
    tb_figure_view_activate_item (TB_FIGURE_VIEW (self), item);
}

static void
set_text (GtkWidget *label, const char *text)
{
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (label), text);
}

/* Describes the item under the mouse, else the selected item. */
static void
update_status (TbGraphView *self)
{
  TbGraphElement element = self->canvas->hovered.kind != TB_GRAPH_NOTHING ? self->canvas->hovered
                                                                          : self->canvas->selected;
  g_autofree char *text = tb_graph_canvas_describe (self->canvas, element);

  set_text (self->status,
            text != NULL ? text : _ ("Select an edge to see its causes and occurrences"));
}

static void
on_scene_changed (TbGraphView *self)
{
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->busy, self->canvas->cancellable != NULL);
  if (self->canvas->scene == NULL)
    return;
  text = tb_graph_scene_describe (self->canvas->scene, self->canvas->ranking);
  set_text (self->counts_label, text);
  gtk_widget_set_tooltip_text (self->counts_label, text);
  update_status (self);
}

/* The slider is logarithmic. At its start all edges with a weight are above the threshold. */
static guint64
get_weight_at (TbGraphView *self, double value)
{
  double largest = (double) MAX (1, tb_graph_figure_get_largest_weight (self->figure));

  return value <= 0 ? 0 : (guint64) llround (largest * pow (10, DECADES * (value - 1)));
}

static double
get_value_at (TbGraphView *self, guint64 weight)
{
  double largest = (double) MAX (1, tb_graph_figure_get_largest_weight (self->figure));

  return weight == 0 ? 0 : CLAMP (log10 ((double) weight / largest) / DECADES + 1, 0, 1);
}

static void
update_threshold (TbGraphView *self)
{
  guint64 threshold = self->canvas->threshold, whole = tb_graph_figure_get_whole (self->figure);
  g_autofree char *weight = tb_graph_figure_format_weight (self->figure, threshold);
  g_autofree char *text = NULL;

  if (whole > 0)
    {
      g_autofree char *share = tb_format_share ((double) threshold / (double) whole);

      text = g_strdup_printf ("%s (%s)", weight, share);
    }
  else
    text = g_strdup (weight);
  set_text (self->threshold_label, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  text, -1);
}

static void
on_slider (TbGraphView *self)
{
  tb_graph_canvas_set_threshold (self->canvas, get_weight_at (self, gtk_range_get_value (
                                                                        GTK_RANGE (self->slider))));
  update_threshold (self);
}

static void
set_slider (TbGraphView *self)
{
  g_signal_handlers_block_by_func (self->slider, on_slider, self);
  gtk_range_set_value (GTK_RANGE (self->slider), get_value_at (self, self->canvas->threshold));
  g_signal_handlers_unblock_by_func (self->slider, on_slider, self);
  update_threshold (self);
}

static void
tb_graph_view_constructed (GObject *object)
{
  TbGraphView *self = TB_GRAPH_VIEW (object);
  TbFigureView *view = TB_FIGURE_VIEW (object);
  gboolean any;

  G_OBJECT_CLASS (tb_graph_view_parent_class)->constructed (object);
  self->figure = TB_GRAPH_FIGURE (tb_figure_view_get_figure (view));
  index_elements (self);
  self->canvas = tb_graph_canvas_new (self->figure);
  gtk_overlay_set_child (GTK_OVERLAY (self->overlay), GTK_WIDGET (self->canvas));
  g_signal_connect_object (self->canvas, "selected-changed", G_CALLBACK (on_selected_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "activated", G_CALLBACK (on_activated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "hovered-changed", G_CALLBACK (update_status), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "scene-changed", G_CALLBACK (on_scene_changed), self,
                           G_CONNECT_SWAPPED);
  any = tb_graph_figure_get_n_vertices (self->figure) > 0;
  gtk_widget_set_visible (self->bar, tb_graph_figure_get_n_edges (self->figure) > 0);
  set_slider (self);
  update_status (self);
  tb_figure_view_set_page (view, self->box, GTK_WIDGET (self->canvas));
  tb_figure_view_set_found (view, FALSE, any, _ ("No waits were recorded in this range."), NULL);
}

/* Words are matched with names. Processes and threads are matched only with vertices of their kind.
 * Terms that vertices have no information about, such as functions on the stack, are ignored. */
static gboolean
matches (const TbGraphVertex *vertex, TbFilter *filter)
{
  if (vertex->kind == TB_VERTEX_PROCESS && !tb_filter_match_process (filter, vertex->name))
    return FALSE;
  if (vertex->kind == TB_VERTEX_THREAD && !tb_filter_match_thread_name (filter, vertex->name))
    return FALSE;
  return tb_filter_match_words (filter, &vertex->name, 1);
}

static void
tb_graph_view_filter (TbFigureView *view, TbFilter *filter)
{
  TbGraphView *self = TB_GRAPH_VIEW (view);
  guint n = tb_graph_figure_get_n_vertices (self->figure);
  gboolean is_filtered
      = filter != NULL
        && (tb_filter_get_words (filter)[0] != NULL || tb_filter_limits_threads (filter));
  guint8 *matched = is_filtered ? g_new0 (guint8, n + 1) : NULL;
  gboolean any = !is_filtered;

  for (guint i = 0; is_filtered && i < n; i++)
    {
      matched[i] = matches (tb_graph_figure_get_vertex (self->figure, i), filter);
      any |= matched[i];
    }
  tb_graph_canvas_set_matched (self->canvas, matched);
  tb_figure_view_set_found (view, n > 0, any && n > 0, _ ("No waits were recorded in this range."),
                            _ ("Nothing Found"));
}

static void
keep_collapsed (TbGraphView *self, TbGraphView *before)
{
  for (guint i = 0; i < tb_graph_figure_get_n_clusters (before->figure); i++)
    {
      TbGraphElement element
          = find_element (self, tb_graph_figure_get_cluster_id (before->figure, i));

      if (before->canvas->collapsed[i] && element.kind == TB_GRAPH_CLUSTER)
        tb_graph_canvas_set_collapsed (self->canvas, element.index, TRUE);
    }
}

/* Positions may differ in the new layout. Only the scale and the offset are kept. */
static void
tb_graph_view_keep_place (TbFigureView *view, TbFigureView *before)
{
  TbGraphView *self = TB_GRAPH_VIEW (view);
  TbGraphView *other = TB_GRAPH_VIEW (before);
  TbGraphElement old = other->canvas->selected,
                 selected = find_element (self, get_item (other, old));

  if (other->canvas->threshold != tb_graph_figure_get_threshold (other->figure))
    tb_graph_view_set_threshold (self, other->canvas->threshold);
  keep_collapsed (self, other);
  if (other->canvas->moved)
    {
      self->canvas->moved = TRUE;
      self->canvas->scale = other->canvas->scale;
      self->canvas->x = other->canvas->x;
      self->canvas->y = other->canvas->y;
    }
  if (old.kind == TB_GRAPH_NOTHING)
    return;
  /* An item that no longer exists is not selected any more. */
  if (selected.kind == TB_GRAPH_NOTHING)
    tb_figure_view_select_item (view, NULL, TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE, NULL);
  else
    tb_graph_canvas_select (self->canvas, selected);
}

static void
tb_graph_view_finalize (GObject *object)
{
  TbGraphView *self = TB_GRAPH_VIEW (object);

  g_clear_pointer (&self->elements, g_hash_table_unref);
  G_OBJECT_CLASS (tb_graph_view_parent_class)->finalize (object);
}

/* Moves the slider by key, from anywhere in the view. */
static gboolean
on_threshold_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbGraphView *self = TB_GRAPH_VIEW (widget);
  double value = gtk_range_get_value (GTK_RANGE (self->slider)),
         step = g_variant_get_double (arguments);

  if (CLAMP (value + step, 0, 1) == value)
    gtk_widget_error_bell (widget);
  gtk_range_set_value (GTK_RANGE (self->slider), value + step);
  tb_widgets_announce (widget, gtk_label_get_text (GTK_LABEL (self->threshold_label)));
  return TRUE;
}

static void
tb_graph_view_select_at (TbFigureView *view, double x, double y)
{
  TbGraphView *self = TB_GRAPH_VIEW (view);
  TbGraphElement element = TB_GRAPH_NO_ELEMENT;
  graphene_point_t point;

  if (gtk_widget_compute_point (GTK_WIDGET (self), GTK_WIDGET (self->canvas),
                                &GRAPHENE_POINT_INIT ((float) x, (float) y), &point)
      && gtk_widget_contains (GTK_WIDGET (self->canvas), point.x, point.y))
    element = tb_graph_canvas_get_pointed (self->canvas, point.x, point.y);
  if (element.kind != TB_GRAPH_NOTHING)
    tb_graph_canvas_select (self->canvas, element);
}

static void
tb_graph_view_class_init (TbGraphViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TbFigureViewClass *view_class = TB_FIGURE_VIEW_CLASS (klass);

  object_class->constructed = tb_graph_view_constructed;
  object_class->finalize = tb_graph_view_finalize;
  view_class->search_hint = N_ ("Name of a vertex");
  view_class->filter = tb_graph_view_filter;
  view_class->show_selection = tb_graph_view_show_selection;
  view_class->keep_place = tb_graph_view_keep_place;
  view_class->select_at = tb_graph_view_select_at;
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_less, 0, on_threshold_key, "d",
                                -THRESHOLD_STEP);
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_greater, 0, on_threshold_key, "d",
                                THRESHOLD_STEP);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "tb-graph");
}

static GtkWidget *
make_label (const char *text, float xalign)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  tb_widgets_add_cut_tooltip (label);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

/* Makes the slider, its value and the text for it. */
static void
make_bar (TbGraphView *self)
{
  GtkWidget *name = gtk_label_new (_ ("Threshold"));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->bar = adw_wrap_box_new ();
  adw_wrap_box_set_child_spacing (ADW_WRAP_BOX (self->bar), 14);
  gtk_widget_add_css_class (self->bar, "tb-statusline");
  self->slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, .01);
  gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
  gtk_widget_set_size_request (self->slider, 150, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Threshold"), -1);
  g_signal_connect_object (self->slider, "value-changed", G_CALLBACK (on_slider), self,
                           G_CONNECT_SWAPPED);
  self->threshold_label = make_label ("", 0);
  gtk_label_set_width_chars (GTK_LABEL (self->threshold_label), 13);
  self->counts_label = make_label ("", 0);
  gtk_widget_add_css_class (self->counts_label, "dimmed");
  gtk_widget_add_css_class (name, "dimmed");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), self->slider);
  gtk_box_append (GTK_BOX (box), self->threshold_label);
  adw_wrap_box_append (ADW_WRAP_BOX (self->bar), box);
  adw_wrap_box_append (ADW_WRAP_BOX (self->bar), self->counts_label);
}

static void
tb_graph_view_init (TbGraphView *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->overlay = gtk_overlay_new ();
  self->busy = adw_spinner_new ();
  gtk_widget_set_size_request (self->busy, 32, 32);
  gtk_widget_set_halign (self->busy, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->busy, GTK_ALIGN_CENTER);
  gtk_widget_set_can_target (self->busy, FALSE);
  gtk_widget_set_visible (self->busy, FALSE);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), self->busy);
  make_bar (self);
  self->status = make_label ("", 0);
  gtk_widget_add_css_class (self->status, "tb-statusline");
  gtk_box_append (GTK_BOX (self->box), self->overlay);
  gtk_box_append (GTK_BOX (self->box), self->bar);
  gtk_box_append (GTK_BOX (self->box), self->status);
}

/**
 * tb_graph_view_new:
 * @figure: a graph figure
 * @focus: the focus of the document
 *
 * Creates a view of a graph.
 *
 * Returns: (transfer floating): a view
 */
GtkWidget *
tb_graph_view_new (TbGraphFigure *figure, TbFocus *focus)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (figure), NULL);
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);

  return g_object_new (TB_TYPE_GRAPH_VIEW, "figure", figure, "focus", focus, NULL);
}

/**
 * tb_graph_view_set_threshold:
 * @self: a view
 * @threshold: a weight
 *
 * Draws edges up to this weight dashed, or not at all where there are many.
 */
void
tb_graph_view_set_threshold (TbGraphView *self, guint64 threshold)
{
  g_return_if_fail (TB_IS_GRAPH_VIEW (self));

  tb_graph_canvas_set_threshold (self->canvas, threshold);
  set_slider (self);
}

/**
 * tb_graph_view_get_threshold:
 * @self: a view
 *
 * Gets the threshold of solid edges.
 *
 * Returns: the weight that edges must exceed
 */
guint64
tb_graph_view_get_threshold (TbGraphView *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_VIEW (self), 0);

  return self->canvas->threshold;
}

/**
 * tb_graph_view_set_collapsed:
 * @self: a view
 * @cluster: index of a cluster of its figure
 * @collapsed: whether it is drawn as one vertex
 *
 * Collapses or expands a cluster.
 */
void
tb_graph_view_set_collapsed (TbGraphView *self, guint cluster, gboolean collapsed)
{
  g_return_if_fail (TB_IS_GRAPH_VIEW (self));
  g_return_if_fail (cluster < tb_graph_figure_get_n_clusters (self->figure));

  tb_graph_canvas_set_collapsed (self->canvas, cluster, collapsed);
}

/**
 * tb_graph_view_get_collapsed:
 * @self: a view
 * @cluster: index of a cluster of its figure
 *
 * Gets whether a cluster is collapsed.
 *
 * Returns: whether it is drawn as one vertex
 */
gboolean
tb_graph_view_get_collapsed (TbGraphView *self, guint cluster)
{
  g_return_val_if_fail (TB_IS_GRAPH_VIEW (self), FALSE);
  g_return_val_if_fail (cluster < tb_graph_figure_get_n_clusters (self->figure), FALSE);

  return self->canvas->collapsed[cluster];
}

/**
 * tb_graph_view_get_item_at:
 * @self: a view
 * @x: a position in it
 * @y: a position in it
 *
 * Gets what is drawn at a position.
 *
 * Returns: (nullable): the id of the edge, vertex or collapsed cluster that is drawn there
 */
const char *
tb_graph_view_get_item_at (TbGraphView *self, double x, double y)
{
  graphene_point_t point;

  g_return_val_if_fail (TB_IS_GRAPH_VIEW (self), NULL);

  if (!gtk_widget_compute_point (GTK_WIDGET (self), GTK_WIDGET (self->canvas),
                                 &GRAPHENE_POINT_INIT ((float) x, (float) y), &point))
    return NULL;
  return get_item (self, tb_graph_canvas_get_element_at (self->canvas, point.x, point.y));
}

/**
 * tb_graph_view_get_place:
 * @self: a view
 * @item: id of an edge, a vertex or a cluster
 * @x: (out): position of its middle
 * @y: (out): position of its middle
 *
 * Gets where an item is drawn.
 *
 * Returns: whether it is drawn
 */
gboolean
tb_graph_view_get_place (TbGraphView *self, const char *item, double *x, double *y)
{
  graphene_point_t point;
  double inner_x, inner_y;

  g_return_val_if_fail (TB_IS_GRAPH_VIEW (self), FALSE);
  g_return_val_if_fail (item != NULL, FALSE);

  if (!tb_graph_canvas_get_centre (self->canvas, find_element (self, item), &inner_x, &inner_y)
      || !gtk_widget_compute_point (GTK_WIDGET (self->canvas), GTK_WIDGET (self),
                                    &GRAPHENE_POINT_INIT ((float) inner_x, (float) inner_y),
                                    &point))
    return FALSE;
  *x = point.x;
  *y = point.y;
  return TRUE;
}

/**
 * tb_graph_view_get_scale:
 * @self: a view
 *
 * Gets the scale.
 *
 * Returns: the scale of the drawing; 1 is natural size
 */
double
tb_graph_view_get_scale (TbGraphView *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_VIEW (self), 1);

  return self->canvas->scale;
}

/**
 * tb_graph_view_fit:
 * @self: a view
 *
 * Shows the whole graph where its names are legible, else its heaviest part.
 */
void
tb_graph_view_fit (TbGraphView *self)
{
  g_return_if_fail (TB_IS_GRAPH_VIEW (self));

  tb_graph_canvas_show_all (self->canvas);
}

/**
 * tb_graph_view_get_n_drawn:
 * @self: a view
 * @edges: whether to count edges; otherwise vertices
 *
 * Gets how much is drawn.
 *
 * Returns: the number that are drawn
 */
guint
tb_graph_view_get_n_drawn (TbGraphView *self, gboolean edges)
{
  g_return_val_if_fail (TB_IS_GRAPH_VIEW (self), 0);

  if (self->canvas->scene == NULL)
    return 0;
  return edges ? self->canvas->scene->n_arcs : self->canvas->scene->n_nodes;
}

/**
 * tb_graph_view_is_busy:
 * @self: a view
 *
 * Gets whether the view is going to change.
 *
 * Returns: whether a layout is being computed in the background
 */
gboolean
tb_graph_view_is_busy (TbGraphView *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_VIEW (self), FALSE);

  return self->canvas->cancellable != NULL;
}
