/* tb-flame-view.c: shows a tree of boxes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-flame-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "report/tb-report.h"
#include "widgets/tb-flame-private.h"
#include "widgets/tb-widgets-private.h"

/**
 * TbFlameView:
 *
 * Shows a #TbFlameFigure: a box for each node, as wide as its weight, on that of its caller; callers at the bottom, or
 * on top as an icicle. Nodes that are too narrow for a box share one, so that nothing is left out.
 *
 * A click selects, a double click or Enter zooms; Backspace, and Escape when nothing is selected, go back to the caller,
 * Home to everything. Arrow keys go to callers, callees and their neighbours.
 */
struct _TbFlameView
{
  GtkWidget parent_instance;

  TbFlameFigure *figure;
  TbFocus *focus;
  char *search;
  TbFlameMatch *match;
  gboolean selecting;
  gboolean scrolling;
  gboolean at_root;

  GtkWidget *stack;
  GtkWidget *box;
  GtkWidget *breadcrumbs;
  GtkWidget *scroller;
  GtkWidget *status;
  TbFlameCanvas *canvas;
};

G_DEFINE_FINAL_TYPE (TbFlameView, tb_flame_view, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_FIGURE,
  PROP_FOCUS,
  PROP_SEARCH,
  PROP_ICICLE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void
on_breadcrumb (GtkButton *button, gpointer data)
{
  TbFlameView *self = data;

  tb_flame_canvas_zoom_to (self->canvas,
                           GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "tb-node")) - 1);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
prepend_breadcrumb (TbFlameView *self, guint node, const char *name)
{
  GtkWidget *label = gtk_label_new (name);
  GtkWidget *button = gtk_button_new ();

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 24);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_set_tooltip_text (button, name);
  gtk_widget_add_css_class (button, "flat");
  g_object_set_data (G_OBJECT (button), "tb-node", GUINT_TO_POINTER (node + 1));
  g_signal_connect (button, "clicked", G_CALLBACK (on_breadcrumb), self);
  if (gtk_widget_get_first_child (self->breadcrumbs) != NULL)
    {
      GtkWidget *separator
          = gtk_label_new (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL ? "‹" : "›");

      gtk_widget_add_css_class (separator, "dim-label");
      adw_wrap_box_prepend (ADW_WRAP_BOX (self->breadcrumbs), separator);
    }
  adw_wrap_box_prepend (ADW_WRAP_BOX (self->breadcrumbs), button);
}

static void
on_zoom_changed (TbFlameView *self)
{
  guint zoomed = tb_flame_canvas_get_zoomed (self->canvas);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->breadcrumbs)) != NULL)
    adw_wrap_box_remove (ADW_WRAP_BOX (self->breadcrumbs), child);
  for (guint node = zoomed; node != TB_ID_NONE; node = tb_flame_figure_get_node (self->figure, node)->parent)
    prepend_breadcrumb (self, node, tb_flame_figure_get_node (self->figure, node)->name);
  /* Translators: the first of a row of names that lead back to all functions. */
  prepend_breadcrumb (self, TB_ID_NONE, _ ("All"));
  gtk_widget_set_visible (self->breadcrumbs, zoomed != TB_ID_NONE);
}

static void
update_status (TbFlameView *self)
{
  guint node = tb_flame_canvas_get_hovered (self->canvas);
  g_autofree char *text = NULL;

  if (node != TB_ID_NONE)
    text = tb_flame_describe (self->figure, node);
  else if (self->match != NULL)
    {
      g_autofree char *share = tb_format_share (tb_flame_view_get_matched_share (self));
      g_autofree char *total = tb_flame_format_value (self->figure, self->match->total);

      text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "“%s” found %u time: %s, %s of all",
                                           "“%s” found %u times: %s, %s of all", self->match->n),
                              self->search, self->match->n, total, share);
    }
  else
    {
      g_autofree char *total = tb_flame_format_value (self->figure, tb_flame_figure_get_total (self->figure));

      text = g_strdup_printf (_ ("%s in all"), total);
    }
  gtk_label_set_text (GTK_LABEL (self->status), text);
}

static void
on_selected_changed (TbFlameView *self)
{
  guint selected = tb_flame_canvas_get_selected (self->canvas);
  g_autoptr (GPtrArray) stack = NULL;
  g_autofree char *item = NULL;

  if (self->selecting)
    return;
  self->selecting = TRUE;
  if (selected == TB_ID_NONE)
    tb_focus_clear (self->focus);
  else
    {
      stack = g_ptr_array_new ();
      for (guint node = selected; node != TB_ID_NONE;
           node = tb_flame_figure_get_node (self->figure, node)->parent)
        g_ptr_array_insert (stack, 0, (gpointer) tb_flame_figure_get_node (self->figure, node)->name);
      g_ptr_array_add (stack, NULL);
      item = g_strdup_printf ("%u", selected);
      tb_focus_select_item (self->focus, tb_figure_get_id (TB_FIGURE (self->figure)), item, TB_ID_NONE,
                            TB_TIME_NONE, TB_TIME_NONE, (const char *const *) stack->pdata);
    }
  self->selecting = FALSE;
}

static void
on_selection_changed (TbFlameView *self)
{
  const char *item = tb_focus_get_item (self->focus);
  guint n = tb_flame_figure_get_n_nodes (self->figure);
  guint64 node = TB_ID_NONE;

  if (self->selecting)
    return;
  if (item == NULL || n == 0
      || g_strcmp0 (tb_focus_get_figure (self->focus), tb_figure_get_id (TB_FIGURE (self->figure))) != 0
      || !g_ascii_string_to_unsigned (item, 10, 0, n - 1, &node, NULL))
    node = TB_ID_NONE;
  self->selecting = TRUE;
  tb_flame_canvas_select (self->canvas, (guint) node);
  self->selecting = FALSE;
}

static void
scroll_to_root (TbFlameView *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  self->scrolling = TRUE;
  gtk_adjustment_set_value (adjustment, tb_flame_canvas_get_icicle (self->canvas) ? 0 : end);
  self->scrolling = FALSE;
}

/* A flame stands on its root, however its height changes, until the user scrolls away from it. */
static void
on_adjustment_changed (TbFlameView *self)
{
  if (self->at_root)
    scroll_to_root (self);
}

static void
on_scrolled (TbFlameView *self, GtkAdjustment *adjustment)
{
  double value = gtk_adjustment_get_value (adjustment);
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  if (!self->scrolling)
    self->at_root = tb_flame_canvas_get_icicle (self->canvas) ? value < 1 : value > end - 1;
}

static void
tb_flame_view_constructed (GObject *object)
{
  TbFlameView *self = TB_FLAME_VIEW (object);
  gboolean any;

  G_OBJECT_CLASS (tb_flame_view_parent_class)->constructed (object);
  any = tb_flame_figure_get_n_nodes (self->figure) > 0 && tb_flame_figure_get_total (self->figure) > 0;
  self->canvas = tb_flame_canvas_new (self->figure);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->canvas));
  g_signal_connect_object (self->canvas, "zoom-changed", G_CALLBACK (on_zoom_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "selected-changed", G_CALLBACK (on_selected_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "hovered-changed", G_CALLBACK (update_status), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->focus, "selection-changed", G_CALLBACK (on_selection_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)),
                           "changed", G_CALLBACK (on_adjustment_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)),
                           "value-changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (TB_FIGURE (self->figure)), -1);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), any ? "flame" : "empty");
  if (any)
    on_selection_changed (self);
  update_status (self);
}

static void
tb_flame_view_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  TbFlameView *self = TB_FLAME_VIEW (object);

  switch (property_id)
    {
    case PROP_FIGURE:
      self->figure = g_value_dup_object (value);
      break;
    case PROP_FOCUS:
      self->focus = g_value_dup_object (value);
      break;
    case PROP_SEARCH:
      tb_flame_view_set_search (self, g_value_get_string (value));
      break;
    case PROP_ICICLE:
      tb_flame_view_set_icicle (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_flame_view_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  TbFlameView *self = TB_FLAME_VIEW (object);

  switch (property_id)
    {
    case PROP_FIGURE:
      g_value_set_object (value, self->figure);
      break;
    case PROP_FOCUS:
      g_value_set_object (value, self->focus);
      break;
    case PROP_SEARCH:
      g_value_set_string (value, self->search);
      break;
    case PROP_ICICLE:
      g_value_set_boolean (value, tb_flame_view_get_icicle (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_flame_view_dispose (GObject *object)
{
  TbFlameView *self = TB_FLAME_VIEW (object);

  if (self->canvas != NULL)
    tb_flame_canvas_set_match (self->canvas, NULL);
  self->canvas = NULL;
  g_clear_pointer (&self->stack, gtk_widget_unparent);

  G_OBJECT_CLASS (tb_flame_view_parent_class)->dispose (object);
}

static void
tb_flame_view_finalize (GObject *object)
{
  TbFlameView *self = TB_FLAME_VIEW (object);

  g_clear_object (&self->figure);
  g_clear_object (&self->focus);
  g_clear_pointer (&self->match, tb_flame_match_free);
  g_free (self->search);

  G_OBJECT_CLASS (tb_flame_view_parent_class)->finalize (object);
}

static gboolean
tb_flame_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (TB_FLAME_VIEW (widget)->canvas));
}

/* The default would take the keyboard back to where grab_focus() puts it when it is to go backwards. */
static gboolean
tb_flame_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  return gtk_widget_child_focus (TB_FLAME_VIEW (widget)->stack, direction);
}

static void
tb_flame_view_class_init (TbFlameViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = tb_flame_view_constructed;
  object_class->set_property = tb_flame_view_set_property;
  object_class->get_property = tb_flame_view_get_property;
  object_class->dispose = tb_flame_view_dispose;
  object_class->finalize = tb_flame_view_finalize;
  widget_class->focus = tb_flame_view_focus;
  widget_class->grab_focus = tb_flame_view_grab_focus;

  properties[PROP_FIGURE]
      = g_param_spec_object ("figure", "Figure", "What is shown", TB_TYPE_FLAME_FIGURE,
                             G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_FOCUS]
      = g_param_spec_object ("focus", "Focus", "What the user looks at", TB_TYPE_FOCUS,
                             G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SEARCH] = g_param_spec_string ("search", "Search", "What is highlighted", NULL, flags);
  properties[PROP_ICICLE]
      = g_param_spec_boolean ("icicle", "Icicle", "Whether callers are on top", FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "tb-flame");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
tb_flame_view_init (TbFlameView *self)
{
  GtkWidget *empty = adw_status_page_new ();

  tb_widgets_load_style ();
  self->at_root = TRUE;
  self->stack = gtk_stack_new ();
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_stack_add_named (GTK_STACK (self->stack), self->box, "flame");
  adw_status_page_set_title (ADW_STATUS_PAGE (empty), _ ("Nothing to Show"));
  adw_status_page_set_description (ADW_STATUS_PAGE (empty), _ ("No stacks were recorded in this range."));
  gtk_widget_add_css_class (empty, "compact");
  gtk_stack_add_named (GTK_STACK (self->stack), empty, "empty");

  self->breadcrumbs = GTK_WIDGET (adw_wrap_box_new ());
  gtk_widget_add_css_class (self->breadcrumbs, "tb-breadcrumbs");
  gtk_widget_set_visible (self->breadcrumbs, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->breadcrumbs), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Callers"), -1);
  gtk_box_append (GTK_BOX (self->box), self->breadcrumbs);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (self->scroller, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->scroller);
  self->status = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->status), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->status), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->status, "tb-statusline");
  gtk_widget_add_css_class (self->status, "dim-label");
  gtk_box_append (GTK_BOX (self->box), self->status);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

/**
 * tb_flame_view_new:
 * @figure: what to show
 * @focus: what the user of the document looks at
 *
 * Returns: a view of @figure
 */
GtkWidget *
tb_flame_view_new (TbFlameFigure *figure, TbFocus *focus)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (figure), NULL);
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);

  return g_object_new (TB_TYPE_FLAME_VIEW, "figure", figure, "focus", focus, NULL);
}

/**
 * tb_flame_view_get_figure:
 * @self: a flame view
 *
 * Returns: (transfer none): what it shows
 */
TbFlameFigure *
tb_flame_view_get_figure (TbFlameView *self)
{
  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), NULL);

  return self->figure;
}

/**
 * tb_flame_view_get_focus:
 * @self: a flame view
 *
 * Returns: (transfer none): what the user looks at
 */
TbFocus *
tb_flame_view_get_focus (TbFlameView *self)
{
  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), NULL);

  return self->focus;
}

/**
 * tb_flame_view_set_icicle:
 * @self: a flame view
 * @icicle: whether callers are on top
 *
 * Sets which way it grows.
 */
void
tb_flame_view_set_icicle (TbFlameView *self, gboolean icicle)
{
  g_return_if_fail (TB_IS_FLAME_VIEW (self));

  if (tb_flame_canvas_get_icicle (self->canvas) == !!icicle)
    return;
  tb_flame_canvas_set_icicle (self->canvas, !!icicle);
  scroll_to_root (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ICICLE]);
}

/**
 * tb_flame_view_get_icicle:
 * @self: a flame view
 *
 * Returns: whether callers are on top
 */
gboolean
tb_flame_view_get_icicle (TbFlameView *self)
{
  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), FALSE);

  return tb_flame_canvas_get_icicle (self->canvas);
}

/**
 * tb_flame_view_set_search:
 * @self: a flame view
 * @search: (nullable): part of a function's name
 *
 * Highlights functions and says how much of all they take.
 */
void
tb_flame_view_set_search (TbFlameView *self, const char *search)
{
  g_return_if_fail (TB_IS_FLAME_VIEW (self));

  if (!g_set_str (&self->search, search))
    return;
  tb_flame_canvas_set_match (self->canvas, NULL);
  g_clear_pointer (&self->match, tb_flame_match_free);
  if (search != NULL && search[0] != '\0')
    self->match = tb_flame_match (self->figure, search);
  tb_flame_canvas_set_match (self->canvas, self->match);
  update_status (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SEARCH]);
}

/**
 * tb_flame_view_get_search:
 * @self: a flame view
 *
 * Returns: (nullable): what is highlighted
 */
const char *
tb_flame_view_get_search (TbFlameView *self)
{
  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), NULL);

  return self->search;
}

/**
 * tb_flame_view_get_matched_share:
 * @self: a flame view
 *
 * Returns: the share of all, 0…1, that what is highlighted takes together with what it calls; 0 without a search
 */
double
tb_flame_view_get_matched_share (TbFlameView *self)
{
  guint64 total;

  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), 0);

  total = tb_flame_figure_get_total (self->figure);
  return self->match != NULL && total > 0 ? (double) self->match->total / (double) total : 0;
}

/**
 * tb_flame_view_zoom_to:
 * @self: a flame view
 * @node: a node, or %TB_ID_NONE for all
 *
 * Makes a node as wide as the view.
 */
void
tb_flame_view_zoom_to (TbFlameView *self, guint node)
{
  g_return_if_fail (TB_IS_FLAME_VIEW (self));
  g_return_if_fail (node == TB_ID_NONE || node < tb_flame_figure_get_n_nodes (self->figure));

  tb_flame_canvas_zoom_to (self->canvas, node);
}

/**
 * tb_flame_view_get_zoomed:
 * @self: a flame view
 *
 * Returns: the node that is as wide as the view, or %TB_ID_NONE
 */
guint
tb_flame_view_get_zoomed (TbFlameView *self)
{
  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), TB_ID_NONE);

  return tb_flame_canvas_get_zoomed (self->canvas);
}

/**
 * tb_flame_view_select:
 * @self: a flame view
 * @node: a node, or %TB_ID_NONE for none
 *
 * Selects a node, as a click on it does. It is zoomed to where it could not be seen.
 */
void
tb_flame_view_select (TbFlameView *self, guint node)
{
  g_return_if_fail (TB_IS_FLAME_VIEW (self));
  g_return_if_fail (node == TB_ID_NONE || node < tb_flame_figure_get_n_nodes (self->figure));

  tb_flame_canvas_select (self->canvas, node);
}

/**
 * tb_flame_view_get_selected:
 * @self: a flame view
 *
 * Returns: the selected node, or %TB_ID_NONE
 */
guint
tb_flame_view_get_selected (TbFlameView *self)
{
  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), TB_ID_NONE);

  return tb_flame_canvas_get_selected (self->canvas);
}

/**
 * tb_flame_view_get_node_at:
 * @self: a flame view
 * @x: a place in the view
 * @y: a place in the view
 *
 * Returns: the node that is drawn there, or %TB_ID_NONE
 */
guint
tb_flame_view_get_node_at (TbFlameView *self, double x, double y)
{
  graphene_point_t point = GRAPHENE_POINT_INIT ((float) x, (float) y);
  const TbFlameBox *box;

  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), TB_ID_NONE);

  if (!gtk_widget_compute_point (GTK_WIDGET (self), GTK_WIDGET (self->canvas), &point, &point))
    return TB_ID_NONE;
  box = tb_flame_canvas_get_box_at (self->canvas, point.x, point.y);
  return box != NULL && box->n_merged == 0 ? box->node : TB_ID_NONE;
}
