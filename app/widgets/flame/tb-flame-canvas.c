/* tb-flame-canvas.c: canvas widget of a flame figure: keeps the boxes placed by tb-flame-layout.c
 * or tb-flame-time.c, finds the box at a position, selects a node and makes it visible, zooms to a
 * node or a time range; draws (tb-flame-draw.c) and gets input (tb-flame-input.c) in other files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/flame/tb-flame-canvas-private.h"
#include "widgets/tb-widgets-private.h"

#define MIN_BOX 2.0
/* Least width of a box that is shown because it was selected elsewhere: part of its name is
 * visible. */
#define MIN_SHOWN 48.0
/* A widget cannot be higher than about 32000 pixels. */
#define MAX_LINES 1500

G_DEFINE_FINAL_TYPE_WITH_CODE (TbFlameCanvas,
                               tb_flame_canvas,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE,
                                                      tb_accessible_items_interface_init))

enum
{
  ZOOM_CHANGED,
  SELECTED_CHANGED,
  HOVERED_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
forget_layout (TbFlameCanvas *self)
{
  g_clear_pointer (&self->boxes, g_array_unref);
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
}

void
tb_flame_canvas_redraw (TbFlameCanvas *self)
{
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
tb_flame_canvas_ensure_layout (TbFlameCanvas *self, double width)
{
  gint64 from, to;

  if (self->boxes != NULL && self->layout_width == width)
    return;
  forget_layout (self);
  self->layout_width = width;
  if (self->lens == NULL)
    {
      self->boxes
          = tb_flame_layout (self->figure, self->zoomed, MAX (1, width), MIN_BOX, &self->depth);
      return;
    }
  tb_focus_get_view (self->lens, &from, &to);
  self->boxes = tb_flame_layout_time (self->figure, self->lines, from, to, MAX (1, width), MIN_BOX);
  self->depth = self->lines->n;
}

double
tb_flame_canvas_get_plot_width (TbFlameCanvas *self)
{
  return MAX (1, gtk_widget_get_width (GTK_WIDGET (self)) - 2 * TB_FLAME_MARGIN);
}

gint64
tb_flame_canvas_get_time (TbFlameCanvas *self, double x)
{
  gint64 from, to;

  tb_focus_get_view (self->lens, &from, &to);
  return from
         + (gint64) floor ((x - TB_FLAME_MARGIN) / tb_flame_canvas_get_plot_width (self)
                           * (double) (to - from));
}

int
tb_flame_canvas_get_margin (void)
{
  return TB_FLAME_MARGIN;
}

static void
measure_line (TbFlameCanvas *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "Ẫg");
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  self->line = MAX (20, (int) (height * TB_FLAME_LABEL_SCALE) + 8);
}

void
tb_flame_canvas_get_bounds (TbFlameCanvas *self, const TbFlameBox *box, graphene_rect_t *bounds)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self));
  double left = floor (box->x + .5), right = floor (box->x + box->width + .5);
  double y = self->icicle ? TB_FLAME_MARGIN + (double) box->depth * self->line
                          : height - TB_FLAME_MARGIN - (double) (box->depth + 1) * self->line;

  /* A pixel between neighbours stays free, unless the box is too narrow. */
  graphene_rect_init (bounds, (float) (TB_FLAME_MARGIN + left), (float) y,
                      (float) MAX (1, right - left - (right - left > 3 ? 1 : 0)),
                      (float) (self->line - 1));
}

static void
tb_flame_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);

  if (self->line == 0)
    measure_line (self);
  tb_flame_canvas_ensure_layout (self, tb_flame_canvas_get_plot_width (self));
  tb_flame_canvas_draw (self, snapshot);
}

static void
tb_flame_canvas_measure (GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 160;
      *natural = 600;
      return;
    }
  if (self->line == 0)
    measure_line (self);
  tb_flame_canvas_ensure_layout (self,
                                 MAX (1, (for_size > 0 ? for_size : gtk_widget_get_width (widget))
                                             - 2 * TB_FLAME_MARGIN));
  *minimum = *natural = (int) MIN (self->depth, MAX_LINES) * self->line + 2 * TB_FLAME_MARGIN;
}

static GtkSizeRequestMode
tb_flame_canvas_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
tb_flame_canvas_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);

  GTK_WIDGET_CLASS (tb_flame_canvas_parent_class)->css_changed (widget, change);
  g_hash_table_remove_all (self->labels);
  self->line = 0;
  forget_layout (self);
  gtk_widget_queue_resize (widget);
}

const TbFlameBox *
tb_flame_canvas_get_box_at (TbFlameCanvas *self, double x, double y)
{
  if (self->line == 0 || gtk_widget_get_width (GTK_WIDGET (self)) == 0)
    return NULL;
  tb_flame_canvas_ensure_layout (self, tb_flame_canvas_get_plot_width (self));
  for (guint i = 0; i < self->boxes->len; i++)
    {
      const TbFlameBox *box = &g_array_index (self->boxes, TbFlameBox, i);
      graphene_rect_t bounds;

      tb_flame_canvas_get_bounds (self, box, &bounds);
      if (x >= bounds.origin.x && x < bounds.origin.x + MAX (bounds.size.width, (float) box->width)
          && y >= bounds.origin.y && y < bounds.origin.y + bounds.size.height + 1)
        return box;
    }
  return NULL;
}

guint
tb_flame_canvas_get_node_at (TbFlameCanvas *self, double x, double y)
{
  const TbFlameBox *box = tb_flame_canvas_get_box_at (self, x, y);
  const TbFlameNode *info;
  guint node;

  if (box == NULL || (box->n_merged > 0 && self->lens == NULL))
    return TB_ID_NONE;
  if (self->lens == NULL || box->n_merged > 0)
    return box->n_merged > 0 ? TB_ID_NONE : box->node;
  info = tb_flame_figure_get_node (self->figure, box->node);
  node = tb_flame_find_at (self->figure, info->lane, info->depth,
                           tb_flame_canvas_get_time (self, x));
  return node != TB_ID_NONE ? node : box->node;
}

/* Over time a node is at its own time, whichever box it is drawn in. */
static gboolean
get_box_in_time (TbFlameCanvas *self, guint node, graphene_rect_t *bounds)
{
  const TbFlameNode *info = tb_flame_figure_get_node (self->figure, node);
  TbFlameBox box = { .node = node };
  double scale;
  gint64 from, to;

  tb_focus_get_view (self->lens, &from, &to);
  if (info->from >= to || info->to < from)
    return FALSE;
  scale = tb_flame_canvas_get_plot_width (self) / (double) (to - from);
  box.depth = self->lines->base[info->lane] + info->depth;
  box.x = (double) (MAX (info->from, from) - from) * scale;
  box.width = (double) (MIN (info->to, to) - from) * scale - box.x;
  tb_flame_canvas_get_bounds (self, &box, bounds);
  return TRUE;
}

gboolean
tb_flame_canvas_get_box (TbFlameCanvas *self, guint node, graphene_rect_t *bounds)
{
  if (self->line == 0 || gtk_widget_get_width (GTK_WIDGET (self)) == 0)
    return FALSE;
  if (self->lens != NULL)
    return get_box_in_time (self, node, bounds);
  tb_flame_canvas_ensure_layout (self, tb_flame_canvas_get_plot_width (self));
  for (guint i = 0; i < self->boxes->len; i++)
    {
      const TbFlameBox *box = &g_array_index (self->boxes, TbFlameBox, i);

      if (box->node == node && box->n_merged == 0)
        {
          tb_flame_canvas_get_bounds (self, box, bounds);
          return TRUE;
        }
    }
  return FALSE;
}

static void
update_accessible (TbFlameCanvas *self)
{
  g_autofree char *text = NULL;

  if (self->selected != TB_ID_NONE)
    text = tb_flame_describe (self->figure, self->selected);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text != NULL ? text : _ ("Nothing selected"), -1);
  tb_accessible_items_selection_changed (GTK_WIDGET (self));
  if (text != NULL && gtk_widget_is_focus (GTK_WIDGET (self)))
    tb_widgets_announce (GTK_WIDGET (self), text);
}

static void
scroll_to_node (TbFlameCanvas *self, guint node)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_VIEWPORT);
  GtkAdjustment *adjustment;
  graphene_rect_t bounds;
  double value, page;

  if (viewport == NULL || !tb_flame_canvas_get_box (self, node, &bounds))
    return;
  adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport));
  value = gtk_adjustment_get_value (adjustment);
  page = gtk_adjustment_get_page_size (adjustment);
  if (bounds.origin.y < value)
    gtk_adjustment_set_value (adjustment, bounds.origin.y - TB_FLAME_MARGIN);
  else if (bounds.origin.y + bounds.size.height > value + page)
    gtk_adjustment_set_value (adjustment,
                              bounds.origin.y + bounds.size.height + TB_FLAME_MARGIN - page);
}

static gboolean
is_under (TbFlameCanvas *self, guint node, guint ancestor)
{
  while (node != TB_ID_NONE && node != ancestor)
    node = tb_flame_figure_get_node (self->figure, node)->parent;
  return node == ancestor;
}

static void
reveal_in_time (TbFlameCanvas *self, guint node, double least)
{
  const TbFlameNode *info = tb_flame_figure_get_node (self->figure, node);
  gint64 length = MAX (info->to - info->from, 1);
  gint64 margin = MAX (4 * length, 25);
  graphene_rect_t bounds;

  tb_focus_reveal (self->lens, info->from, info->to);
  if (get_box_in_time (self, node, &bounds) && bounds.size.width <= least)
    tb_focus_set_view (self->lens, info->from - margin, info->to + margin);
}

/* The outermost caller that leaves the node at least this width when it fills the view. */
static guint
find_room (TbFlameCanvas *self, guint node, double least)
{
  double total = (double) tb_flame_figure_get_node (self->figure, node)->total;
  guint room = node;

  for (guint at = node; at != TB_ID_NONE; at = tb_flame_figure_get_node (self->figure, at)->parent)
    if (total * tb_flame_canvas_get_plot_width (self)
        >= least * (double) tb_flame_figure_get_node (self->figure, at)->total)
      room = at;
  return room;
}

/* Zooms so that a node is visible, has its own box and is wide enough. */
static void
reveal (TbFlameCanvas *self, guint node, double least)
{
  graphene_rect_t bounds;

  if (self->lens != NULL)
    {
      reveal_in_time (self, node, least);
      return;
    }
  if (!tb_flame_canvas_get_box (self, node, &bounds))
    tb_flame_canvas_zoom_to (self, is_under (self, node, self->zoomed)
                                       ? tb_flame_figure_get_node (self->figure, node)->parent
                                       : TB_ID_NONE);
  if (!tb_flame_canvas_get_box (self, node, &bounds) || bounds.size.width < least)
    tb_flame_canvas_zoom_to (self, find_room (self, node, least));
  if (!tb_flame_canvas_get_box (self, node, &bounds))
    tb_flame_canvas_zoom_to (self, node);
}

/* A view that is shown for the first time, or is higher after a zoom, gets its size in the next
 * frame. */
static gboolean
on_reveal (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);

  if (gtk_widget_get_width (widget) == 0 || self->line == 0)
    return G_SOURCE_CONTINUE;
  self->reveal_callback = 0;
  if (self->selected == TB_ID_NONE)
    return G_SOURCE_REMOVE;
  if (self->reveal_width > 0)
    {
      double least = self->reveal_width;

      self->reveal_width = 0;
      reveal (self, self->selected, least);
      self->reveal_callback = gtk_widget_add_tick_callback (widget, on_reveal, NULL, NULL);
    }
  scroll_to_node (self, self->selected);
  return G_SOURCE_REMOVE;
}

static void
reveal_soon (TbFlameCanvas *self, double least)
{
  self->reveal_width = least;
  if (self->reveal_callback == 0)
    self->reveal_callback = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_reveal, NULL, NULL);
}

/* least: least width of the box; 0: it may be invisible */
static void
select_node (TbFlameCanvas *self, guint node, double least)
{
  if (self->selected == node)
    return;
  self->selected = node;
  if (node == TB_ID_NONE || least <= 0)
    self->reveal_width = 0;
  else if (gtk_widget_get_width (GTK_WIDGET (self)) == 0 || self->line == 0)
    reveal_soon (self, least);
  else
    {
      guint zoomed = self->zoomed;

      reveal (self, node, least);
      scroll_to_node (self, node);
      if (self->zoomed != zoomed)
        reveal_soon (self, 0);
    }
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SELECTED_CHANGED], 0);
  g_signal_emit (self, signals[HOVERED_CHANGED], 0);
}

void
tb_flame_canvas_select (TbFlameCanvas *self, guint node)
{
  select_node (self, node, MIN_BOX);
}

void
tb_flame_canvas_restore_selected (TbFlameCanvas *self, guint node)
{
  select_node (self, node, 0);
}

void
tb_flame_canvas_show_node (TbFlameCanvas *self, guint node)
{
  select_node (self, node, MIN_SHOWN);
}

guint
tb_flame_canvas_get_selected (TbFlameCanvas *self)
{
  return self->selected;
}

guint
tb_flame_canvas_get_hovered (TbFlameCanvas *self)
{
  return self->hovered != TB_ID_NONE ? self->hovered : self->selected;
}

void
tb_flame_canvas_set_hovered (TbFlameCanvas *self, guint node)
{
  if (self->hovered == node)
    return;
  self->hovered = node;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[HOVERED_CHANGED], 0);
}

static void
zoom_to_time (TbFlameCanvas *self, guint node)
{
  gint64 from, to;

  if (node == TB_ID_NONE)
    tb_focus_get_extent (self->lens, &from, &to);
  else
    {
      from = tb_flame_figure_get_node (self->figure, node)->from;
      to = tb_flame_figure_get_node (self->figure, node)->to;
    }
  tb_focus_set_view (self->lens, from, to);
}

void
tb_flame_canvas_zoom_to (TbFlameCanvas *self, guint node)
{
  if (self->lens != NULL)
    {
      zoom_to_time (self, node);
      return;
    }
  if (self->zoomed == node)
    return;
  self->zoomed = node;
  forget_layout (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_signal_emit (self, signals[ZOOM_CHANGED], 0);
}

gboolean
tb_flame_canvas_zoom_out (TbFlameCanvas *self)
{
  gint64 from, to, start, end;

  if (self->lens == NULL)
    {
      if (self->zoomed == TB_ID_NONE)
        return FALSE;
      tb_flame_canvas_zoom_to (self, tb_flame_figure_get_node (self->figure, self->zoomed)->parent);
      return TRUE;
    }
  tb_focus_get_view (self->lens, &from, &to);
  tb_focus_get_extent (self->lens, &start, &end);
  if (from == start && to == end)
    return FALSE;
  tb_focus_zoom (self->lens, from + (to - from) / 2, 2);
  return TRUE;
}

guint
tb_flame_canvas_get_zoomed (TbFlameCanvas *self)
{
  return self->zoomed;
}

void
tb_flame_canvas_set_icicle (TbFlameCanvas *self, gboolean icicle)
{
  self->icicle = icicle;
  tb_flame_canvas_redraw (self);
}

gboolean
tb_flame_canvas_get_icicle (TbFlameCanvas *self)
{
  return self->icicle;
}

/* match is owned by the caller and must exist until another one is set. */
void
tb_flame_canvas_set_match (TbFlameCanvas *self, const TbFlameMatch *match)
{
  self->match = match;
  tb_flame_canvas_redraw (self);
}

static void
tb_flame_canvas_finalize (GObject *object)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (object);

  g_clear_object (&self->figure);
  g_clear_object (&self->lens);
  g_clear_pointer (&self->lines, tb_flame_lines_free);
  forget_layout (self);
  g_hash_table_unref (self->labels);

  G_OBJECT_CLASS (tb_flame_canvas_parent_class)->finalize (object);
}

static void
tb_flame_canvas_class_init (TbFlameCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_flame_canvas_finalize;
  widget_class->snapshot = tb_flame_canvas_snapshot;
  widget_class->measure = tb_flame_canvas_measure;
  widget_class->get_request_mode = tb_flame_canvas_get_request_mode;
  widget_class->css_changed = tb_flame_canvas_css_changed;

  signals[ZOOM_CHANGED]
      = g_signal_new ("zoom-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SELECTED_CHANGED] = g_signal_new ("selected-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                            NULL, NULL, G_TYPE_NONE, 0);
  signals[HOVERED_CHANGED] = g_signal_new ("hovered-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 0);

  tb_flame_canvas_class_add_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "tb-flame-canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TREE);
}

static void
tb_flame_canvas_init (TbFlameCanvas *self)
{

  self->zoomed = TB_ID_NONE;
  self->selected = TB_ID_NONE;
  self->hovered = TB_ID_NONE;
  self->labels = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  tb_accessible_items_attach (GTK_WIDGET (self), &tb_flame_accessible_items);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  tb_flame_canvas_add_controllers (self);
  tb_widgets_follow_style (GTK_WIDGET (self), G_CALLBACK (tb_flame_canvas_redraw));
}

static void
on_view_changed (TbFlameCanvas *self)
{
  forget_layout (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

TbFlameCanvas *
tb_flame_canvas_new (TbFlameFigure *figure, TbFocus *lens)
{
  TbFlameCanvas *self = g_object_new (TB_TYPE_FLAME_CANVAS, NULL);

  self->figure = g_object_ref (figure);
  self->lines = tb_flame_lines_new (figure);
  if (g_set_object (&self->lens, lens))
    {
      g_signal_connect_object (lens, "view-changed", G_CALLBACK (on_view_changed), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (lens, "pointer-changed", G_CALLBACK (gtk_widget_queue_draw), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (lens, "selection-changed", G_CALLBACK (gtk_widget_queue_draw), self,
                               G_CONNECT_SWAPPED);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (TB_FIGURE (figure)), -1);
  update_accessible (self);
  return self;
}
