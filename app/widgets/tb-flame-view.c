/* tb-flame-view.c: shows a tree of boxes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-flame-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "report/tb-report.h"
#include "widgets/tb-figure-view-private.h"
#include "widgets/tb-flame-private.h"
#include "widgets/tb-time-axis.h"

/**
 * TbFlameView:
 *
 * Shows a #TbFlameFigure: a box for each node, as wide as its weight, on that of its caller; callers at the bottom, or
 * on top as an icicle. Nodes that are too narrow for a box share one, so that nothing is left out. Boxes of a chronological
 * figure stand at their time instead, over a scale of times. Lanes are one above the other.
 *
 * A click selects, a double click or Enter zooms; Backspace, and Escape when nothing is selected, go back to the caller,
 * Home to everything. Arrow keys go to callers, callees and their neighbours. Over time plus, minus, Control with the wheel
 * zoom, and dragging, Control or Shift with arrows move.
 *
 * A search highlights functions, processes, files and says how much of all they take.
 */
struct _TbFlameView
{
  TbFigureView parent_instance;

  TbFlameFigure *figure;
  TbFocus *lens; /* what is seen of a chronological figure, else NULL */
  TbFlameMatch *match;
  gboolean scrolling;
  gboolean at_root;
  guint settle_callback;

  GtkWidget *box;
  GtkWidget *breadcrumbs;
  GtkWidget *scroller;
  GtkWidget *status;
  TbFlameCanvas *canvas;
};

G_DEFINE_FINAL_TYPE (TbFlameView, tb_flame_view, TB_TYPE_FIGURE_VIEW)

enum
{
  PROP_0,
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
                              tb_figure_view_get_search (GTK_WIDGET (self)), self->match->n, total, share);
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
  TbFigureView *view = TB_FIGURE_VIEW (self);
  guint selected = tb_flame_canvas_get_selected (self->canvas);
  g_autoptr (GPtrArray) stack = NULL;
  g_autofree char *item = NULL;
  const TbFlameNode *info;

  if (tb_figure_view_is_selecting (view))
    return;
  if (selected == TB_ID_NONE)
    {
      tb_figure_view_select_item (view, NULL, TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE, NULL);
      return;
    }
  stack = g_ptr_array_new ();
  for (guint node = selected; node != TB_ID_NONE;
       node = tb_flame_figure_get_node (self->figure, node)->parent)
    g_ptr_array_insert (stack, 0, (gpointer) tb_flame_figure_get_node (self->figure, node)->name);
  g_ptr_array_add (stack, NULL);
  info = tb_flame_figure_get_node (self->figure, selected);
  item = tb_flame_figure_get_item (self->figure, selected);
  tb_figure_view_select_item (view, item, info->thread, info->from, info->to,
                              (const char *const *) stack->pdata);
}

static void
tb_flame_view_show_selection (TbFigureView *view)
{
  TbFlameView *self = TB_FLAME_VIEW (view);
  guint node = tb_flame_figure_find_item (self->figure, tb_figure_view_get_item (view));
  gint64 from, to;

  tb_flame_canvas_show (self->canvas, node);
  if (self->lens == NULL)
    return;
  if (node == TB_ID_NONE && tb_focus_get_time (tb_figure_view_get_focus (view), &from, &to))
    tb_focus_reveal (self->lens, from, to);
  if (tb_focus_get_range (tb_figure_view_get_focus (view), &from, &to))
    tb_focus_select_range (self->lens, from, to);
  else
    tb_focus_clear_range (self->lens);
}

/* The lens has the range of the document, as far as it sees it. */
static void
on_lens_range (TbFlameView *self)
{
  TbFocus *focus = tb_figure_view_get_focus (TB_FIGURE_VIEW (self));
  gint64 from, to;

  if (tb_figure_view_is_selecting (TB_FIGURE_VIEW (self)))
    return;
  if (tb_focus_get_range (self->lens, &from, &to))
    tb_focus_select_range (focus, from, to);
  else
    tb_focus_clear_range (focus);
}

static void
on_lens_pointer (TbFlameView *self)
{
  tb_focus_set_pointer (tb_figure_view_get_focus (TB_FIGURE_VIEW (self)), tb_focus_get_pointer (self->lens));
}

static void
on_focus_pointer (TbFlameView *self)
{
  tb_focus_set_pointer (self->lens, tb_focus_get_pointer (tb_figure_view_get_focus (TB_FIGURE_VIEW (self))));
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

/* What the range of the scroll bar changed in was the allocation of what is scrolled: it knows the new place only after
 * another one. */
static gboolean
on_settle (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TbFlameView *self = TB_FLAME_VIEW (widget);

  self->settle_callback = 0;
  if (self->canvas != NULL && gtk_widget_get_parent (GTK_WIDGET (self->canvas)) != NULL)
    gtk_widget_queue_allocate (gtk_widget_get_parent (GTK_WIDGET (self->canvas)));
  return G_SOURCE_REMOVE;
}

/* A flame stands on its root, however its height changes, until the user scrolls away from it. */
static void
on_adjustment_changed (TbFlameView *self)
{
  if (!self->at_root)
    return;
  scroll_to_root (self);
  if (self->settle_callback == 0)
    self->settle_callback = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_settle, NULL, NULL);
}

static void
on_scrolled (TbFlameView *self, GtkAdjustment *adjustment)
{
  double value = gtk_adjustment_get_value (adjustment);
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  if (!self->scrolling)
    self->at_root = tb_flame_canvas_get_icicle (self->canvas) ? value < 1 : value > end - 1;
}

/* A chronological figure is seen through a lens of its own: it may be a small part of the recording, and looking closer at it
 * is not to lose what the timeline shows. */
static void
make_lens (TbFlameView *self)
{
  TbFocus *focus = tb_figure_view_get_focus (TB_FIGURE_VIEW (self));
  GtkWidget *axis;
  gint64 from, to;

  if (!tb_flame_figure_get_chronological (self->figure, &from, &to))
    return;
  self->lens = tb_focus_new (from, to);
  axis = tb_time_axis_new (self->lens);
  tb_time_axis_set_margins (TB_TIME_AXIS (axis), tb_flame_canvas_get_margin (),
                            tb_flame_canvas_get_margin ());
  gtk_box_insert_child_after (GTK_BOX (self->box), axis, self->scroller);
  g_signal_connect_object (self->lens, "selection-changed", G_CALLBACK (on_lens_range), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->lens, "pointer-changed", G_CALLBACK (on_lens_pointer), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "pointer-changed", G_CALLBACK (on_focus_pointer), self, G_CONNECT_SWAPPED);
}

static void
connect_canvas (TbFlameView *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));

  g_signal_connect_object (self->canvas, "zoom-changed", G_CALLBACK (on_zoom_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "selected-changed", G_CALLBACK (on_selected_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "hovered-changed", G_CALLBACK (update_status), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (on_adjustment_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
}

static void
tb_flame_view_constructed (GObject *object)
{
  TbFlameView *self = TB_FLAME_VIEW (object);
  TbFigureView *view = TB_FIGURE_VIEW (object);
  gboolean any;

  G_OBJECT_CLASS (tb_flame_view_parent_class)->constructed (object);
  self->figure = TB_FLAME_FIGURE (tb_figure_view_get_figure (view));
  make_lens (self);
  self->canvas = tb_flame_canvas_new (self->figure, self->lens);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->canvas));
  connect_canvas (self);
  any = tb_flame_figure_get_n_nodes (self->figure) > 0
        && (self->lens != NULL || tb_flame_figure_get_total (self->figure) > 0);
  tb_figure_view_set_page (view, self->box, GTK_WIDGET (self->canvas));
  tb_figure_view_set_found (view, FALSE, any, _ ("No stacks were recorded in this range."), NULL);
  update_status (self);
}

static void
tb_flame_view_search (TbFigureView *view, const char *search)
{
  TbFlameView *self = TB_FLAME_VIEW (view);

  tb_flame_canvas_set_match (self->canvas, NULL);
  g_clear_pointer (&self->match, tb_flame_match_free);
  if (search != NULL)
    self->match = tb_flame_match (self->figure, search);
  tb_flame_canvas_set_match (self->canvas, self->match);
  update_status (self);
}

static void
keep_selection (TbFlameView *self, TbFlameView *before)
{
  TbFigureView *view = TB_FIGURE_VIEW (self);
  guint old = tb_flame_canvas_get_selected (before->canvas);
  guint node = tb_flame_find_same (before->figure, old, self->figure, FALSE);

  if (old == TB_ID_NONE)
    return;
  /* What is gone is not selected any more: its number means another one now. */
  if (node == TB_ID_NONE)
    tb_figure_view_select_item (view, NULL, TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE, NULL);
  else
    tb_flame_canvas_keep_selected (self->canvas, node);
}

static void
tb_flame_view_keep_place (TbFigureView *view, TbFigureView *before)
{
  TbFlameView *self = TB_FLAME_VIEW (view);
  TbFlameView *other = TB_FLAME_VIEW (before);
  GtkAdjustment *from = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (other->scroller));
  GtkAdjustment *to = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  gint64 view_from, view_to;

  tb_flame_canvas_set_icicle (self->canvas, tb_flame_canvas_get_icicle (other->canvas));
  if (self->lens != NULL && other->lens != NULL)
    {
      tb_focus_get_view (other->lens, &view_from, &view_to);
      tb_focus_set_view (self->lens, view_from, view_to);
    }
  else if (self->lens == NULL && other->lens == NULL)
    tb_flame_canvas_zoom_to (self->canvas,
                             tb_flame_find_same (other->figure, tb_flame_canvas_get_zoomed (other->canvas),
                                                 self->figure, TRUE));
  keep_selection (self, other);
  self->at_root = other->at_root;
  if (!self->at_root)
    tb_figure_view_restore_scroll (to, gtk_adjustment_get_value (from));
}

static void
tb_flame_view_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  switch (property_id)
    {
    case PROP_ICICLE:
      tb_flame_view_set_icicle (TB_FLAME_VIEW (object), g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_flame_view_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  switch (property_id)
    {
    case PROP_ICICLE:
      g_value_set_boolean (value, tb_flame_view_get_icicle (TB_FLAME_VIEW (object)));
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

  G_OBJECT_CLASS (tb_flame_view_parent_class)->dispose (object);
}

static void
tb_flame_view_finalize (GObject *object)
{
  TbFlameView *self = TB_FLAME_VIEW (object);

  g_clear_object (&self->lens);
  g_clear_pointer (&self->match, tb_flame_match_free);

  G_OBJECT_CLASS (tb_flame_view_parent_class)->finalize (object);
}

static void
tb_flame_view_class_init (TbFlameViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TbFigureViewClass *view_class = TB_FIGURE_VIEW_CLASS (klass);

  object_class->constructed = tb_flame_view_constructed;
  object_class->set_property = tb_flame_view_set_property;
  object_class->get_property = tb_flame_view_get_property;
  object_class->dispose = tb_flame_view_dispose;
  object_class->finalize = tb_flame_view_finalize;
  view_class->search_hint = N_ ("Find function");
  view_class->search = tb_flame_view_search;
  view_class->show_selection = tb_flame_view_show_selection;
  view_class->keep_place = tb_flame_view_keep_place;

  properties[PROP_ICICLE]
      = g_param_spec_boolean ("icicle", "Icicle", "Whether callers are on top", FALSE,
                              G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "tb-flame");
}

static void
tb_flame_view_init (TbFlameView *self)
{
  self->at_root = TRUE;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
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

  return tb_figure_view_new (TB_FIGURE (figure), focus);
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

  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), TB_ID_NONE);

  if (!gtk_widget_compute_point (GTK_WIDGET (self), GTK_WIDGET (self->canvas), &point, &point))
    return TB_ID_NONE;
  return tb_flame_canvas_get_node_at (self->canvas, point.x, point.y);
}

/**
 * tb_flame_view_get_lens:
 * @self: a flame view
 *
 * Returns: (transfer none) (nullable): what is seen of a chronological figure, which has no more than that in common with
 *   what is seen of a timeline; %NULL where boxes are as wide as they weigh
 */
TbFocus *
tb_flame_view_get_lens (TbFlameView *self)
{
  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), NULL);

  return self->lens;
}
