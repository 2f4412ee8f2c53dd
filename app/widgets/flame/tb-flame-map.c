/* tb-flame-map.c: overview map of a flame: the whole figure with the visible part marked; over
 * time, clicks and drags move that part, otherwise a click zooms to the box there; accessible
 * items of the map
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/tb-base.h"
#include "widgets/accessible/tb-accessible-items-private.h"
#include "widgets/tb-widget-drawing-private.h"
#include "widgets/flame/tb-flame-pane-private.h"

#define HEIGHT 44
#define MARGIN 8
#define MAX_LINE 4
/* Opacity of the grey over the parts that are not visible. */
#define GREY_OPACITY .62f

struct _TbFlameMap
{
  GtkWidget parent_instance;

  TbFlameFigure *figure;
  TbFlameCanvas *canvas; /* not owned: the canvas that the map belongs to */
  TbFocus *lens;
  TbFlameLines *lines;

  GArray *boxes;
  guint depth;
  double width;
};

G_DEFINE_FINAL_TYPE_WITH_CODE (TbFlameMap,
                               tb_flame_map,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE,
                                                      tb_accessible_items_interface_init))

static void
ensure_layout (TbFlameMap *self)
{
  double width = MAX (1, gtk_widget_get_width (GTK_WIDGET (self)) - 2 * MARGIN);
  gint64 from, to;

  if (self->boxes != NULL && self->width == width)
    return;
  g_clear_pointer (&self->boxes, g_array_unref);
  self->width = width;
  if (self->lens != NULL)
    {
      tb_focus_get_extent (self->lens, &from, &to);
      self->boxes = tb_flame_layout_time (self->figure, self->lines, from, to, width, 1);
      self->depth = self->lines->n;
    }
  else
    self->boxes = tb_flame_layout (self->figure, TB_ID_NONE, width, 1, &self->depth);
}

static double
get_line (TbFlameMap *self)
{
  return MIN (MAX_LINE, (double) HEIGHT / MAX (self->depth, 1));
}

static void
get_bounds (TbFlameMap *self, const TbFlameBox *box, graphene_rect_t *bounds)
{
  double line = get_line (self);
  double y = tb_flame_canvas_get_icicle (self->canvas) ? box->depth * line
                                                       : HEIGHT - (box->depth + 1) * line;

  graphene_rect_init (bounds, (float) (MARGIN + box->x), (float) y, (float) MAX (box->width, 1),
                      (float) MAX (line, .5));
}

static void
find_in_time (TbFlameMap *self, double *left, double *right)
{
  gint64 from, to, start, end;

  tb_focus_get_view (self->lens, &from, &to);
  tb_focus_get_extent (self->lens, &start, &end);
  *left = (double) (from - start) / (double) (end - start) * self->width;
  *right = (double) (to - start) / (double) (end - start) * self->width;
}

/* The total of the siblings before a node in its lane, in the order of the layout. */
static double
sum_before (TbFlameMap *self, guint node)
{
  const TbFlameNode *info = tb_flame_figure_get_node (self->figure, node);
  double sum = 0;
  guint at = info->parent != TB_ID_NONE
                 ? tb_flame_figure_get_node (self->figure, info->parent)->first_child
                 : tb_flame_figure_get_first_root (self->figure);

  for (; at != TB_ID_NONE && at != node;
       at = tb_flame_figure_get_node (self->figure, at)->next_sibling)
    if (tb_flame_figure_get_node (self->figure, at)->lane == info->lane)
      sum += (double) tb_flame_figure_get_node (self->figure, at)->total;
  return sum;
}

/* The same scale as in the layout: all lanes have that of the heaviest. */
static double
get_scale (TbFlameMap *self)
{
  double heaviest = 0, weight = 0;
  guint lane = TB_ID_NONE;
  const TbFlameNode *info;

  for (guint at = tb_flame_figure_get_first_root (self->figure); at != TB_ID_NONE;
       at = info->next_sibling)
    {
      info = tb_flame_figure_get_node (self->figure, at);
      weight = (info->lane == lane ? weight : 0) + (double) info->total;
      lane = info->lane;
      heaviest = MAX (heaviest, weight);
    }
  return heaviest > 0 ? self->width / heaviest : 0;
}

/* Finds the visible part, in pixels from the margin. FALSE where everything is visible. */
static gboolean
find_part (TbFlameMap *self, double *left, double *right)
{
  guint zoomed = tb_flame_canvas_get_zoomed (self->canvas);
  double sum = 0;

  if (self->lens != NULL)
    {
      find_in_time (self, left, right);
      return TRUE;
    }
  if (zoomed == TB_ID_NONE)
    return FALSE;
  for (guint at = zoomed; at != TB_ID_NONE;
       at = tb_flame_figure_get_node (self->figure, at)->parent)
    sum += sum_before (self, at);
  *left = sum * get_scale (self);
  *right
      = *left + (double) tb_flame_figure_get_node (self->figure, zoomed)->total * get_scale (self);
  return TRUE;
}

static void
append_grey (GtkSnapshot *snapshot, const TbPalette *palette, double x, double width, int height)
{
  GdkRGBA color = palette->surface;

  color.alpha = GREY_OPACITY;
  if (width > 0)
    gtk_snapshot_append_color (snapshot, &color,
                               &GRAPHENE_RECT_INIT ((float) (MARGIN + x), 0, (float) width,
                                                    (float) height));
}

static void
tb_flame_map_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbFlameMap *self = TB_FLAME_MAP (widget);
  const TbPalette *palette = tb_palette_get_default ();
  int height = gtk_widget_get_height (widget);
  double left, right;

  ensure_layout (self);
  for (guint i = 0; i < self->boxes->len; i++)
    {
      const TbFlameBox *box = &g_array_index (self->boxes, TbFlameBox, i);
      guint paint = TB_FLAME_UNKNOWN;
      graphene_rect_t bounds;

      get_bounds (self, box, &bounds);
      if (bounds.origin.y + bounds.size.height < 0 || bounds.origin.y > height)
        continue;
      if (box->n_merged == 0 || self->lens != NULL)
        paint = MIN (tb_flame_figure_get_node (self->figure, box->node)->paint,
                     TB_N_FLAME_PAINTS - 1);
      gtk_snapshot_append_color (snapshot, &palette->flame[paint], &bounds);
    }
  if (!find_part (self, &left, &right))
    return;
  append_grey (snapshot, palette, 0, left, height);
  append_grey (snapshot, palette, right, self->width - right, height);
  tb_draw_outline (snapshot, &palette->accent,
                   &GRAPHENE_RECT_INIT ((float) (MARGIN + left) - 1, 0,
                                        (float) MAX (4, right - left + 2), (float) height),
                   1);
}

static GtkAccessibleRole
get_role (GtkWidget *widget, guint64 key)
{
  return GTK_ACCESSIBLE_ROLE_TREE_ITEM;
}

static void
get_state (GtkWidget *widget, guint64 *state)
{
  state[0] = tb_flame_canvas_get_icicle (TB_FLAME_MAP (widget)->canvas);
}

/* Lists the boxes of single functions that are visible in the map. */
static void
list (GtkWidget *widget, GArray *places)
{
  TbFlameMap *self = TB_FLAME_MAP (widget);
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                            (float) gtk_widget_get_height (widget));
  g_autoptr (GHashTable) place_of = g_hash_table_new (NULL, NULL); /* node + 1 → place + 1 */

  if (all.size.width <= 2 * MARGIN)
    return;
  ensure_layout (self);
  for (guint i = 0; i < self->boxes->len; i++)
    {
      const TbFlameBox *box = &g_array_index (self->boxes, TbFlameBox, i);
      TbAccessiblePlace place = { .key = box->node, .parent = TB_ID_NONE };
      guint parent = tb_flame_figure_get_node (self->figure, box->node)->parent;
      gpointer found = parent != TB_ID_NONE
                           ? g_hash_table_lookup (place_of, GUINT_TO_POINTER (parent + 1))
                           : NULL;

      get_bounds (self, box, &place.bounds);
      if (box->n_merged > 0 || !graphene_rect_intersection (&place.bounds, &all, &place.bounds)
          || place.bounds.size.height < .25f)
        continue;
      if (found != NULL)
        place.parent = GPOINTER_TO_UINT (found) - 1;
      g_array_append_val (places, place);
      g_hash_table_insert (place_of, GUINT_TO_POINTER (box->node + 1),
                           GUINT_TO_POINTER (places->len));
    }
}

static void
describe (GtkWidget *widget, guint64 key, TbAccessibleText *text)
{
  TbFlameMap *self = TB_FLAME_MAP (widget);
  const TbFlameNode *info = tb_flame_figure_get_node (self->figure, (guint) key);

  text->name = g_strdup (info->name);
  text->value = tb_flame_format_value (self->figure, info->total);
  text->description = tb_flame_describe (self->figure, (guint) key);
  text->level = (int) MIN (info->depth, G_MAXINT - 1) + 1;
}

/* The visible part. */
static gboolean
get_selected (GtkWidget *widget, guint64 *key)
{
  *key = tb_flame_canvas_get_zoomed (TB_FLAME_MAP (widget)->canvas);
  return *key != TB_ID_NONE;
}

static gboolean
is_selected (GtkWidget *widget, guint64 key)
{
  return tb_flame_canvas_get_zoomed (TB_FLAME_MAP (widget)->canvas) == key;
}

static const TbAccessibleItemsClass accessible_items = {
  .get_role = get_role,
  .get_state = get_state,
  .list = list,
  .describe = describe,
  .is_selected = is_selected,
  .get_selected = get_selected,
};

void
tb_flame_map_update (TbFlameMap *self)
{
  tb_accessible_items_selection_changed (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
tb_flame_map_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 100 : HEIGHT;
}

/* Over time, moves the visible part to the mouse. Otherwise zooms to the deepest box there. */
static void
go_to_position (TbFlameMap *self, double x, double y)
{
  gint64 from, to, start, end, at;
  guint found = TB_ID_NONE;

  ensure_layout (self);
  if (self->lens != NULL)
    {
      tb_focus_get_view (self->lens, &from, &to);
      tb_focus_get_extent (self->lens, &start, &end);
      at = start + (gint64) (CLAMP ((x - MARGIN) / self->width, 0, 1) * (double) (end - start));
      tb_focus_set_view (self->lens, at - (to - from) / 2, at + (to - from) - (to - from) / 2);
      return;
    }
  for (guint i = 0; i < self->boxes->len; i++)
    {
      const TbFlameBox *box = &g_array_index (self->boxes, TbFlameBox, i);
      graphene_rect_t bounds;

      get_bounds (self, box, &bounds);
      if (x >= bounds.origin.x && x < bounds.origin.x + bounds.size.width && y >= bounds.origin.y
          && y < bounds.origin.y + bounds.size.height)
        found = box->node;
    }
  tb_flame_canvas_zoom_to (self->canvas, found);
}

static void
on_pressed (TbFlameMap *self, int n_press, double x, double y)
{
  go_to_position (self, x, y);
}

static void
on_drag (TbFlameMap *self, double dx, double dy, GtkGestureDrag *gesture)
{
  double x, y;

  if (self->lens != NULL && gtk_gesture_drag_get_start_point (gesture, &x, &y))
    go_to_position (self, x + dx, y + dy);
}

static void
tb_flame_map_finalize (GObject *object)
{
  TbFlameMap *self = TB_FLAME_MAP (object);

  g_clear_pointer (&self->boxes, g_array_unref);
  g_clear_pointer (&self->lines, tb_flame_lines_free);
  g_clear_object (&self->figure);
  g_clear_object (&self->lens);
  G_OBJECT_CLASS (tb_flame_map_parent_class)->finalize (object);
}

static void
tb_flame_map_class_init (TbFlameMapClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_flame_map_finalize;
  widget_class->snapshot = tb_flame_map_snapshot;
  widget_class->measure = tb_flame_map_measure;
  gtk_widget_class_set_css_name (widget_class, "tb-flame-map");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TREE);
}

static void
tb_flame_map_init (TbFlameMap *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  tb_accessible_items_attach (GTK_WIDGET (self), &accessible_items);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

GtkWidget *
tb_flame_map_new (TbFlameFigure *figure, TbFlameCanvas *canvas, TbFocus *lens)
{
  TbFlameMap *self = g_object_new (TB_TYPE_FLAME_MAP, NULL);

  self->figure = g_object_ref (figure);
  self->canvas = canvas;
  self->lines = tb_flame_lines_new (figure);
  g_set_object (&self->lens, lens);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Map of the whole flame"), -1);
  return GTK_WIDGET (self);
}
