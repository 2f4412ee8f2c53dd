/* tb-flame-canvas.c: draws the boxes of a flame figure
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "report/tb-report.h"
#include "widgets/tb-flame-private.h"
#include "widgets/tb-palette.h"
#include "widgets/tb-widgets-private.h"

#define LEAST_BOX 2.0
#define LEAST_LABEL 26
#define LABEL_SCALE .78
#define MARGIN 8
/* A widget cannot be higher than some 32000 pixels. */
#define MOST_LINES 1500

struct _TbFlameCanvas
{
  GtkWidget parent_instance;

  TbFlameFigure *figure;
  const TbFlameMatch *match; /* the view's */
  gboolean icicle;
  guint zoomed;
  guint selected;
  guint hovered;

  GArray *boxes;
  guint depth;
  double layout_width;
  int line;
  GHashTable *labels; /* node + 1 → PangoLayout */
};

G_DEFINE_FINAL_TYPE (TbFlameCanvas, tb_flame_canvas, GTK_TYPE_WIDGET)

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
}

static void
ensure_layout (TbFlameCanvas *self, double width)
{
  if (self->boxes != NULL && self->layout_width == width)
    return;
  forget_layout (self);
  self->layout_width = width;
  self->boxes = tb_flame_layout (self->figure, self->zoomed, MAX (1, width), LEAST_BOX, &self->depth);
}

static double
plot_width (TbFlameCanvas *self)
{
  return MAX (1, gtk_widget_get_width (GTK_WIDGET (self)) - 2 * MARGIN);
}

static void
measure_line (TbFlameCanvas *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "Ẫg");
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  self->line = MAX (20, (int) (height * LABEL_SCALE) + 8);
}

static void
box_bounds (TbFlameCanvas *self, const TbFlameBox *box, graphene_rect_t *bounds)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self));
  double left = floor (box->x + .5), right = floor (box->x + box->width + .5);
  double y = self->icicle ? MARGIN + (double) box->depth * self->line
                          : height - MARGIN - (double) (box->depth + 1) * self->line;

  /* A pixel stays free between neighbours, unless that were all of them. */
  graphene_rect_init (bounds, (float) (MARGIN + left), (float) y,
                      (float) MAX (1, right - left - (right - left > 3 ? 1 : 0)), (float) (self->line - 1));
}

static guint8
box_match (TbFlameCanvas *self, const TbFlameBox *box)
{
  guint8 matched = 0;

  if (self->match == NULL)
    return 1;
  if (box->n_merged == 0)
    return self->match->matched[box->node];
  for (guint node = box->first_merged; node != TB_ID_NONE;
       node = tb_flame_figure_get_node (self->figure, node)->next_sibling)
    matched |= self->match->matched[node] != 0;
  return matched;
}

static PangoLayout *
get_label (TbFlameCanvas *self, guint node)
{
  gpointer key = GUINT_TO_POINTER (node + 1);
  PangoLayout *layout = g_hash_table_lookup (self->labels, key);
  g_autoptr (PangoAttrList) attributes = NULL;

  if (layout != NULL)
    return layout;
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self),
                                           tb_flame_figure_get_node (self->figure, node)->name);
  attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_scale_new (LABEL_SCALE));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  g_hash_table_insert (self->labels, key, layout);
  return layout;
}

static void
append_box (TbFlameCanvas *self, GtkSnapshot *snapshot, const TbPalette *palette, const TbFlameBox *box)
{
  guint8 matched = box_match (self, box);
  gboolean caller = self->zoomed != TB_ID_NONE && box->n_merged == 0 && box->node != self->zoomed
                    && box->depth < tb_flame_figure_get_node (self->figure, self->zoomed)->depth;
  guint paint;
  graphene_rect_t bounds;
  GdkRGBA color, text;

  box_bounds (self, box, &bounds);
  if (box->n_merged > 0)
    paint = TB_FLAME_PROCESS;
  else
    paint = MIN (tb_flame_figure_get_node (self->figure, box->node)->paint, TB_N_FLAME_PAINTS - 1);
  color = palette->flame[paint];
  text = palette->on_flame[paint];
  if (matched == 0 || caller)
    {
      color.alpha *= caller && matched != 0 ? .55f : .28f;
      text = palette->dim;
    }
  if (bounds.size.width >= 4)
    {
      GskRoundedRect rounded;

      gsk_rounded_rect_init_from_rect (&rounded, &bounds, 1.5f);
      gtk_snapshot_push_rounded_clip (snapshot, &rounded);
      gtk_snapshot_append_color (snapshot, &color, &bounds);
      gtk_snapshot_pop (snapshot);
    }
  else
    gtk_snapshot_append_color (snapshot, &color, &bounds);
  if (self->match != NULL && matched & 1)
    gtk_snapshot_append_color (snapshot, &palette->match,
                               &GRAPHENE_RECT_INIT (bounds.origin.x, bounds.origin.y + bounds.size.height - 3,
                                                    bounds.size.width, 3));

  if (bounds.size.width >= LEAST_LABEL || (box->n_merged > 0 && bounds.size.width >= 14))
    {
      g_autoptr (PangoLayout) layout = NULL;
      int height;

      layout = box->n_merged > 0 ? gtk_widget_create_pango_layout (GTK_WIDGET (self), "…")
                                 : g_object_ref (get_label (self, box->node));
      pango_layout_set_width (layout, ((int) bounds.size.width - 8) * PANGO_SCALE);
      pango_layout_get_pixel_size (layout, NULL, &height);
      gtk_snapshot_save (snapshot);
      gtk_snapshot_translate (snapshot,
                              &GRAPHENE_POINT_INIT (bounds.origin.x + 4,
                                                    bounds.origin.y
                                                        + floorf ((bounds.size.height - height) / 2)));
      gtk_snapshot_append_layout (snapshot, layout, &text);
      gtk_snapshot_restore (snapshot);
    }
}

static void
append_outline (TbFlameCanvas *self, GtkSnapshot *snapshot, const TbPalette *palette, guint node, float width)
{
  graphene_rect_t bounds;
  GskRoundedRect outline;

  if (node == TB_ID_NONE || !tb_flame_canvas_get_box (self, node, &bounds))
    return;
  gsk_rounded_rect_init_from_rect (&outline, &bounds, 2);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { width, width, width, width },
                              (GdkRGBA[4]) { palette->select, palette->select, palette->select,
                                             palette->select });
}

static void
tb_flame_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);
  const TbPalette *palette = tb_palette_get_default ();

  if (self->line == 0)
    measure_line (self);
  ensure_layout (self, plot_width (self));
  for (guint i = 0; i < self->boxes->len; i++)
    append_box (self, snapshot, palette, &g_array_index (self->boxes, TbFlameBox, i));
  if (self->hovered != self->selected)
    append_outline (self, snapshot, palette, self->hovered, 1);
  append_outline (self, snapshot, palette, self->selected, 2);
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
  ensure_layout (self, MAX (1, (for_size > 0 ? for_size : gtk_widget_get_width (widget)) - 2 * MARGIN));
  *minimum = *natural = (int) MIN (self->depth, MOST_LINES) * self->line + 2 * MARGIN;
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
  gtk_widget_queue_resize (widget);
}

const TbFlameBox *
tb_flame_canvas_get_box_at (TbFlameCanvas *self, double x, double y)
{
  if (self->line == 0 || gtk_widget_get_width (GTK_WIDGET (self)) == 0)
    return NULL;
  ensure_layout (self, plot_width (self));
  for (guint i = 0; i < self->boxes->len; i++)
    {
      const TbFlameBox *box = &g_array_index (self->boxes, TbFlameBox, i);
      graphene_rect_t bounds;

      box_bounds (self, box, &bounds);
      if (x >= bounds.origin.x && x < bounds.origin.x + MAX (bounds.size.width, (float) box->width)
          && y >= bounds.origin.y && y < bounds.origin.y + bounds.size.height + 1)
        return box;
    }
  return NULL;
}

gboolean
tb_flame_canvas_get_box (TbFlameCanvas *self, guint node, graphene_rect_t *bounds)
{
  if (self->line == 0 || gtk_widget_get_width (GTK_WIDGET (self)) == 0)
    return FALSE;
  ensure_layout (self, plot_width (self));
  for (guint i = 0; i < self->boxes->len; i++)
    {
      const TbFlameBox *box = &g_array_index (self->boxes, TbFlameBox, i);

      if (box->node == node && box->n_merged == 0)
        {
          box_bounds (self, box, bounds);
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
    gtk_adjustment_set_value (adjustment, bounds.origin.y - MARGIN);
  else if (bounds.origin.y + bounds.size.height > value + page)
    gtk_adjustment_set_value (adjustment, bounds.origin.y + bounds.size.height + MARGIN - page);
}

static gboolean
is_under (TbFlameCanvas *self, guint node, guint ancestor)
{
  while (node != TB_ID_NONE && node != ancestor)
    node = tb_flame_figure_get_node (self->figure, node)->parent;
  return node == ancestor;
}

void
tb_flame_canvas_select (TbFlameCanvas *self, guint node)
{
  graphene_rect_t bounds;

  if (self->selected == node)
    return;
  self->selected = node;
  /* What cannot be seen where the view is zoomed to, or is merged with others, is zoomed to. */
  if (node != TB_ID_NONE && gtk_widget_get_width (GTK_WIDGET (self)) > 0
      && !tb_flame_canvas_get_box (self, node, &bounds))
    tb_flame_canvas_zoom_to (self, is_under (self, node, self->zoomed)
                                       ? tb_flame_figure_get_node (self->figure, node)->parent
                                       : TB_ID_NONE);
  if (node != TB_ID_NONE && gtk_widget_get_width (GTK_WIDGET (self)) > 0
      && !tb_flame_canvas_get_box (self, node, &bounds))
    tb_flame_canvas_zoom_to (self, node);
  if (node != TB_ID_NONE)
    scroll_to_node (self, node);
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SELECTED_CHANGED], 0);
  g_signal_emit (self, signals[HOVERED_CHANGED], 0);
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
tb_flame_canvas_zoom_to (TbFlameCanvas *self, guint node)
{
  if (self->zoomed == node)
    return;
  self->zoomed = node;
  forget_layout (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_signal_emit (self, signals[ZOOM_CHANGED], 0);
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
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
tb_flame_canvas_get_icicle (TbFlameCanvas *self)
{
  return self->icicle;
}

/* match stays the caller's and must live until another is set. */
void
tb_flame_canvas_set_match (TbFlameCanvas *self, const TbFlameMatch *match)
{
  self->match = match;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static guint
first_child (TbFlameCanvas *self, guint node)
{
  return node == TB_ID_NONE ? tb_flame_figure_get_first_root (self->figure)
                            : tb_flame_figure_get_node (self->figure, node)->first_child;
}

static guint
sibling (TbFlameCanvas *self, guint node, int direction)
{
  guint before = TB_ID_NONE;

  if (direction > 0)
    return tb_flame_figure_get_node (self->figure, node)->next_sibling;
  for (guint other = first_child (self, tb_flame_figure_get_node (self->figure, node)->parent);
       other != TB_ID_NONE && other != node;
       other = tb_flame_figure_get_node (self->figure, other)->next_sibling)
    before = other;
  return before;
}

static gboolean
on_move_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);
  int dx, dy;
  guint next;

  g_variant_get (arguments, "(ii)", &dx, &dy);
  if (tb_flame_figure_get_n_nodes (self->figure) == 0)
    return FALSE;
  if (self->selected == TB_ID_NONE)
    next = self->zoomed != TB_ID_NONE ? self->zoomed : first_child (self, TB_ID_NONE);
  else if (dx != 0)
    next = sibling (self, self->selected, dx);
  else if ((dy < 0) == self->icicle)
    next = tb_flame_figure_get_node (self->figure, self->selected)->parent;
  else
    next = first_child (self, self->selected);
  if (next == TB_ID_NONE)
    gtk_widget_error_bell (widget);
  else
    tb_flame_canvas_select (self, next);
  return TRUE;
}

static gboolean
on_activate_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);

  if (self->selected == TB_ID_NONE)
    return FALSE;
  tb_flame_canvas_zoom_to (self, self->selected);
  return TRUE;
}

static gboolean
zoom_out (TbFlameCanvas *self)
{
  if (self->zoomed == TB_ID_NONE)
    return FALSE;
  tb_flame_canvas_zoom_to (self, tb_flame_figure_get_node (self->figure, self->zoomed)->parent);
  return TRUE;
}

static gboolean
on_back_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  return zoom_out (TB_FLAME_CANVAS (widget));
}

static gboolean
on_home_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  tb_flame_canvas_zoom_to (TB_FLAME_CANVAS (widget), TB_ID_NONE);
  return TRUE;
}

static gboolean
on_escape_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);

  if (self->selected == TB_ID_NONE)
    return zoom_out (self);
  tb_flame_canvas_select (self, TB_ID_NONE);
  return TRUE;
}

static void
set_hovered (TbFlameCanvas *self, guint node)
{
  if (self->hovered == node)
    return;
  self->hovered = node;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[HOVERED_CHANGED], 0);
}

static void
on_motion (TbFlameCanvas *self, double x, double y)
{
  const TbFlameBox *box = tb_flame_canvas_get_box_at (self, x, y);

  set_hovered (self, box != NULL && box->n_merged == 0 ? box->node : TB_ID_NONE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), box != NULL ? "pointer" : NULL);
}

static void
on_leave (TbFlameCanvas *self)
{
  set_hovered (self, TB_ID_NONE);
}

/* A click selects, a click on what is selected or a double click zooms; so does one on what is merged. */
static void
on_released (TbFlameCanvas *self, int n_press, double x, double y)
{
  const TbFlameBox *found = tb_flame_canvas_get_box_at (self, x, y);
  TbFlameBox box;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (found == NULL)
    {
      tb_flame_canvas_select (self, TB_ID_NONE);
      return;
    }
  box = *found;
  if (box.n_merged > 0)
    tb_flame_canvas_zoom_to (self, box.node);
  else if (n_press == 2)
    tb_flame_canvas_zoom_to (self, self->zoomed == box.node
                                       ? tb_flame_figure_get_node (self->figure, box.node)->parent
                                       : box.node);
  else if (n_press == 1)
    tb_flame_canvas_select (self, box.node);
}

static gboolean
on_query_tooltip (TbFlameCanvas *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;
  graphene_rect_t bounds;
  GdkRectangle area;
  const TbFlameBox *box;

  if (keyboard)
    {
      if (self->selected == TB_ID_NONE || !tb_flame_canvas_get_box (self, self->selected, &bounds))
        return FALSE;
      text = tb_flame_describe (self->figure, self->selected);
    }
  else
    {
      box = tb_flame_canvas_get_box_at (self, x, y);
      if (box == NULL)
        return FALSE;
      box_bounds (self, box, &bounds);
      if (box->n_merged > 0)
        {
          g_autofree char *total = tb_flame_format_value (self->figure, box->total);

          text = g_strdup_printf (
              g_dngettext (GETTEXT_PACKAGE, "%u function too narrow to draw, %s: click to zoom in",
                           "%u functions too narrow to draw, %s together: click to zoom in", box->n_merged),
              box->n_merged, total);
        }
      else
        text = tb_flame_describe (self->figure, box->node);
    }
  area = (GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width,
                          (int) bounds.size.height };
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &area);
  return TRUE;
}

static void
tb_flame_canvas_finalize (GObject *object)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (object);

  g_clear_object (&self->figure);
  g_clear_pointer (&self->boxes, g_array_unref);
  g_hash_table_unref (self->labels);

  G_OBJECT_CLASS (tb_flame_canvas_parent_class)->finalize (object);
}

static void
tb_flame_canvas_class_init (TbFlameCanvasClass *klass)
{
  static const struct
  {
    guint key;
    int dx;
    int dy;
  } moves[] = { { GDK_KEY_Left, -1, 0 },  { GDK_KEY_Right, 1, 0 },    { GDK_KEY_Up, 0, -1 },
                { GDK_KEY_Down, 0, 1 },   { GDK_KEY_KP_Left, -1, 0 }, { GDK_KEY_KP_Right, 1, 0 },
                { GDK_KEY_KP_Up, 0, -1 }, { GDK_KEY_KP_Down, 0, 1 } };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_flame_canvas_finalize;
  widget_class->snapshot = tb_flame_canvas_snapshot;
  widget_class->measure = tb_flame_canvas_measure;
  widget_class->get_request_mode = tb_flame_canvas_get_request_mode;
  widget_class->css_changed = tb_flame_canvas_css_changed;

  signals[ZOOM_CHANGED]
      = g_signal_new ("zoom-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SELECTED_CHANGED]
      = g_signal_new ("selected-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[HOVERED_CHANGED]
      = g_signal_new ("hovered-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    gtk_widget_class_add_binding (widget_class, moves[i].key, 0, on_move_key, "(ii)", moves[i].dx,
                                  moves[i].dy);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, 0, on_activate_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, 0, on_activate_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, 0, on_activate_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_BackSpace, 0, on_back_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Home, 0, on_home_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_0, 0, on_home_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_0, GDK_CONTROL_MASK, on_home_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape_key, NULL);
  gtk_widget_class_set_css_name (widget_class, "tb-flame-canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TREE);
}

static void
tb_flame_canvas_init (TbFlameCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  AdwStyleManager *manager = adw_style_manager_get_default ();

  self->zoomed = TB_ID_NONE;
  self->selected = TB_ID_NONE;
  self->hovered = TB_ID_NONE;
  self->labels = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect_swapped (widget, "query-tooltip", G_CALLBACK (on_query_tooltip), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

TbFlameCanvas *
tb_flame_canvas_new (TbFlameFigure *figure)
{
  TbFlameCanvas *self = g_object_new (TB_TYPE_FLAME_CANVAS, NULL);

  self->figure = g_object_ref (figure);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (TB_FIGURE (figure)), -1);
  update_accessible (self);
  return self;
}
