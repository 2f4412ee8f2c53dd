/* tb-flame-view.c: widget for a flame figure: its panes, search, filter, status line, selected
 * node, zoom, and properties of its form (which tb-flame-reshaping.c makes); kept when the widget
 * for a newer version of the figure replaces it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "report/tb-report.h"
#include "widgets/flame/tb-flame-view-private.h"
#include "widgets/tb-widgets-private.h"

/**
 * TbFlameView:
 *
 * Shows a #TbFlameFigure: a box for each node, as wide as its weight, above the box of its caller,
 * or below it in an icicle. Nodes that are too narrow for a box share one, so that nothing is left
 * out. Boxes of a chronological figure are placed by time instead, above a time axis. Lanes are
 * stacked.
 *
 * A click selects, a double click or Enter zooms. Backspace, and Escape when nothing is selected,
 * go back to the caller, Home to everything. A map above shows the visible part. Arrow keys go to
 * callers, callees and their neighbours. Over time, plus, minus and Control with the wheel zoom;
 * dragging, and arrows with Control or Shift, move.
 *
 * The menu, the context menu and keys show other forms: inverted (I), from functions to their
 * callers; in order of names (N); a chronological figure merged (M); without recursion (R) or a
 * module (H); only the callees of a function (O), or also its callers (X). Shift+R restores the
 * original form. Selections are those of the original figure in every form.
 *
 * Where the figure has a base, boxes are blue for a smaller share than in the base and orange for a
 * larger one.
 *
 * A search highlights functions, processes and files and shows their share of the whole.
 */
G_DEFINE_FINAL_TYPE (TbFlameView, tb_flame_view, TB_TYPE_FIGURE_VIEW)

enum
{
  PROP_0,
  PROP_ICICLE,
  PROP_MERGED,
  PROP_INVERTED,
  PROP_BY_NAME,
  PROP_COLLAPSE_RECURSION,
  PROP_SWAPPED,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

/* The index of a pane. */
static guint
get_index (TbFlameView *self, TbFlamePane *pane)
{
  return self->panes[1] != NULL && pane == self->panes[1] ? 1 : 0;
}

guint
tb_flame_view_find_origin (TbFlameView *self, TbFlamePane *pane, guint node)
{
  const TbFlameReshapeResult *reshaped = self->reshaped[get_index (self, pane)];

  return reshaped == NULL || node == TB_ID_NONE ? node : reshaped->origin[node];
}

guint
tb_flame_view_find_place (TbFlameView *self, TbFlamePane *pane, guint node)
{
  const TbFlameReshapeResult *reshaped = self->reshaped[get_index (self, pane)];

  return reshaped == NULL || node == TB_ID_NONE ? node : reshaped->place[node];
}

static TbFlamePane *
get_current (TbFlameView *self)
{
  return self->current != NULL ? self->current : self->panes[0];
}

static char *
describe_search (TbFlameView *self, const TbFlameMatch *match)
{
  g_autofree char *share = tb_format_share (tb_flame_view_get_matched_share (self));
  g_autofree char *total = tb_flame_format_value (self->figure, match->total);
  g_autofree char *count = tb_format_count (match->n);
  const char *search = tb_figure_view_get_search (GTK_WIDGET (self));
  TbFilter *filter = tb_figure_view_get_filter (GTK_WIDGET (self));

  if ((search == NULL || *search == '\0') && filter != NULL)
    search = tb_filter_get_text (filter);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "“%s” found %s time: %s, %s of all",
                                       "“%s” found %s times: %s, %s of all", match->n),
                          search != NULL ? search : "", count, total, share);
}

void
tb_flame_view_update_status (TbFlameView *self)
{
  TbFlamePane *pane = get_current (self);
  const TbFlameMatch *match = tb_flame_pane_get_match (self->panes[0]);
  g_autofree char *text = NULL;
  guint node = TB_ID_NONE;

  for (guint i = 0; i < TB_FLAME_PANES && self->panes[i] != NULL && node == TB_ID_NONE; i++)
    {
      TbFlameCanvas *canvas = tb_flame_pane_get_canvas (self->panes[i]);

      pane = self->panes[i];
      node = tb_flame_canvas_get_hovered (canvas);
    }
  if (node != TB_ID_NONE)
    text = tb_flame_describe (tb_flame_pane_get_figure (pane), node);
  else if (match != NULL)
    text = describe_search (self, match);
  else
    {
      g_autofree char *total
          = tb_flame_format_value (self->figure, tb_flame_figure_get_total (
                                                     tb_flame_pane_get_figure (self->panes[0])));

      text = g_strdup_printf (_ ("%s in total"), total);
    }
  gtk_label_set_text (GTK_LABEL (self->status), text);
}

static void
search_pane (TbFlameView *self, TbFlamePane *pane)
{
  const char *search = tb_figure_view_get_search (GTK_WIDGET (self));

  tb_flame_pane_search (pane, search != NULL && *search != '\0' ? search : NULL,
                        tb_figure_view_get_filter (GTK_WIDGET (self)));
}

static void
add_pane (TbFlameView *self, guint index, TbFlameReshapeResult *reshaped, gboolean icicle)
{
  TbFlamePane *pane = tb_flame_pane_new (reshaped != NULL ? reshaped->figure : self->figure,
                                         reshaped != NULL ? NULL : self->lens, icicle);

  self->reshaped[index] = reshaped;
  self->panes[index] = pane;
  gtk_box_append (GTK_BOX (self->panes_box), GTK_WIDGET (pane));
  g_signal_connect_object (pane, "selected-changed", G_CALLBACK (tb_flame_view_on_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (pane, "hovered-changed", G_CALLBACK (tb_flame_view_update_status), self,
                           G_CONNECT_SWAPPED);
}

static void
remove_panes (TbFlameView *self)
{
  for (guint i = 0; i < TB_FLAME_PANES; i++)
    {
      if (self->panes[i] != NULL)
        gtk_box_remove (GTK_BOX (self->panes_box), GTK_WIDGET (self->panes[i]));
      self->panes[i] = NULL;
      g_clear_pointer (&self->reshaped[i], tb_flame_reshape_result_free);
    }
  self->current = NULL;
}

/* The selection is kept as far as it still exists. The keyboard focus stays in the flame. */
void
tb_flame_view_show_panes (TbFlameView *self,
                          TbFlameReshapeResult *first,
                          TbFlameReshapeResult *second)
{
  TbFigureView *view = TB_FIGURE_VIEW (self);
  gboolean focused = gtk_widget_get_focus_child (self->panes_box) != NULL;
  guint node = tb_flame_figure_find_item (self->figure, tb_figure_view_get_item (view));

  remove_panes (self);
  /* Callers of a function are above it, callees below. */
  add_pane (self, 0, first, second == NULL && self->icicle);
  if (second != NULL)
    add_pane (self, 1, second, TRUE);
  for (guint i = 0; i < TB_FLAME_PANES && self->panes[i] != NULL; i++)
    {
      TbFlamePane *pane = self->panes[i];

      search_pane (self, pane);
      if (node != TB_ID_NONE)
        {
          g_signal_handlers_block_by_func (pane, tb_flame_view_on_selected, self);
          tb_flame_canvas_show_node (tb_flame_pane_get_canvas (pane),
                                     tb_flame_view_find_place (self, pane, node));
          g_signal_handlers_unblock_by_func (pane, tb_flame_view_on_selected, self);
        }
    }
  if (focused)
    gtk_widget_grab_focus (GTK_WIDGET (self->panes[0]));
  tb_flame_view_update_actions (self);
  tb_flame_view_update_status (self);
}

void
tb_flame_view_notify_form (TbFlameView *self)
{
  for (guint i = PROP_MERGED; i < N_PROPS; i++)
    g_object_notify_by_pspec (G_OBJECT (self), properties[i]);
}

static void
tb_flame_view_constructed (GObject *object)
{
  TbFlameView *self = TB_FLAME_VIEW (object);
  TbFigureView *view = TB_FIGURE_VIEW (object);
  gboolean any;

  G_OBJECT_CLASS (tb_flame_view_parent_class)->constructed (object);
  self->figure = TB_FLAME_FIGURE (tb_figure_view_get_figure (view));
  tb_flame_view_make_lens (self);
  self->menu_button = tb_flame_view_make_menu_button (self);
  gtk_box_append (GTK_BOX (gtk_widget_get_parent (self->status)), self->menu_button);
  add_pane (self, 0, NULL, FALSE);
  any = tb_flame_figure_get_n_nodes (self->figure) > 0
        && (self->lens != NULL || tb_flame_figure_get_total (self->figure) > 0);
  tb_flame_view_update_actions (self);
  tb_figure_view_set_page (view, self->box, self->panes_box);
  tb_figure_view_set_found (view, FALSE, any, _ ("No stacks were recorded in this range."), NULL);
  tb_flame_view_update_status (self);
}

static void
search_panes (TbFlameView *self)
{
  for (guint i = 0; i < TB_FLAME_PANES && self->panes[i] != NULL; i++)
    search_pane (self, self->panes[i]);
  tb_flame_view_update_status (self);
}

static void
tb_flame_view_search (TbFigureView *view, const char *search)
{
  search_panes (TB_FLAME_VIEW (view));
}

static void
tb_flame_view_filter (TbFigureView *view, TbFilter *filter)
{
  search_panes (TB_FLAME_VIEW (view));
}

static void
keep_selection (TbFlameView *self, TbFlameView *before)
{
  TbFigureView *view = TB_FIGURE_VIEW (self);
  guint old = tb_flame_view_get_selected (before);
  guint node = tb_flame_find_matching (before->figure, old, self->figure, FALSE);

  if (old == TB_ID_NONE)
    return;
  /* it was selected in another figure and stays selected there */
  if (!tb_flame_view_is_source (before))
    {
      tb_figure_view_show_selection (view);
      return;
    }
  /* A node that no longer exists is not selected any more: its number now identifies another
   * one. */
  if (node == TB_ID_NONE)
    tb_figure_view_select_item (view, NULL, TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE, NULL);
  else if (tb_flame_form_is_plain (self))
    tb_flame_canvas_restore_selected (tb_flame_pane_get_canvas (self->panes[0]), node);
  else
    tb_flame_view_select_origin (self, node);
}

static void
tb_flame_view_keep_place (TbFigureView *view, TbFigureView *before)
{
  TbFlameView *self = TB_FLAME_VIEW (view);
  TbFlameView *other = TB_FLAME_VIEW (before);
  gint64 view_from, view_to;

  tb_flame_view_set_icicle (self, other->icicle);
  if (self->lens != NULL && other->lens != NULL)
    {
      tb_focus_get_view (other->lens, &view_from, &view_to);
      tb_focus_set_view (self->lens, view_from, view_to);
    }
  tb_flame_form_copy (&self->form, &other->form);
  if (!tb_flame_form_is_plain (self))
    {
      keep_selection (self, other);
      tb_flame_view_update_form (self);
      return;
    }
  if (self->lens == NULL && other->lens == NULL && other->reshaped[0] == NULL)
    tb_flame_view_zoom_to (self,
                           tb_flame_find_matching (other->figure, tb_flame_view_get_zoomed (other),
                                                   self->figure, TRUE));
  keep_selection (self, other);
  tb_flame_pane_copy_scroll (self->panes[0], other->panes[0]);
}

static gboolean
tb_flame_view_grab_focus (GtkWidget *widget)
{
  TbFlameView *self = TB_FLAME_VIEW (widget);

  return self->panes[0] != NULL && gtk_widget_grab_focus (GTK_WIDGET (get_current (self)));
}

static gboolean *
get_form_flag (TbFlameView *self, guint property_id)
{
  switch (property_id)
    {
    case PROP_MERGED:
      return &self->form.merged;
    case PROP_INVERTED:
      return &self->form.inverted;
    case PROP_BY_NAME:
      return &self->form.by_name;
    case PROP_COLLAPSE_RECURSION:
      return &self->form.collapse_recursion;
    case PROP_SWAPPED:
      return &self->form.swapped;
    default:
      return NULL;
    }
}

static void
tb_flame_view_set_property (GObject *object,
                            guint property_id,
                            const GValue *value,
                            GParamSpec *pspec)
{
  TbFlameView *self = TB_FLAME_VIEW (object);
  gboolean *flag = get_form_flag (self, property_id);

  if (property_id == PROP_ICICLE)
    tb_flame_view_set_icicle (self, g_value_get_boolean (value));
  else if (flag == NULL)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
  else if (*flag != g_value_get_boolean (value))
    {
      *flag = g_value_get_boolean (value);
      tb_flame_view_update_form (self);
      g_object_notify_by_pspec (object, pspec);
    }
}

static void
tb_flame_view_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  TbFlameView *self = TB_FLAME_VIEW (object);
  gboolean *flag = get_form_flag (self, property_id);

  if (property_id == PROP_ICICLE)
    g_value_set_boolean (value, self->icicle);
  else if (flag != NULL)
    g_value_set_boolean (value, *flag);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
tb_flame_view_dispose (GObject *object)
{
  TbFlameView *self = TB_FLAME_VIEW (object);
  GtkWidget *child;

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->task);
  g_clear_handle_id (&self->progress_timeout, g_source_remove);
  for (guint i = 0; i < TB_FLAME_PANES; i++)
    self->panes[i] = NULL;
  self->current = NULL;
  /* The overlay does not dispose of an open context menu, which is its child. */
  for (child = self->overlay != NULL ? gtk_widget_get_last_child (self->overlay) : NULL;
       child != NULL && GTK_IS_POPOVER (child); child = gtk_widget_get_last_child (self->overlay))
    gtk_widget_unparent (child);
  self->overlay = NULL;

  G_OBJECT_CLASS (tb_flame_view_parent_class)->dispose (object);
}

static void
tb_flame_view_finalize (GObject *object)
{
  TbFlameView *self = TB_FLAME_VIEW (object);

  g_clear_object (&self->lens);
  for (guint i = 0; i < TB_FLAME_PANES; i++)
    g_clear_pointer (&self->reshaped[i], tb_flame_reshape_result_free);
  tb_flame_form_clear (&self->form);

  G_OBJECT_CLASS (tb_flame_view_parent_class)->finalize (object);
}

/**
 * TbFlameView:icicle:
 *
 * Whether callers are on top.
 */

/**
 * TbFlameView:merged:
 *
 * Whether equal calls of a chronological figure are merged instead of shown over time.
 */

/**
 * TbFlameView:inverted:
 *
 * Whether callers are children of the functions that they call.
 */

/**
 * TbFlameView:by-name:
 *
 * Whether siblings are sorted by name, else by weight.
 */

/**
 * TbFlameView:collapse-recursion:
 *
 * Whether recursive calls of a function are merged with it.
 */

/**
 * TbFlameView:swapped:
 *
 * Whether the widths in a comparison are those of the base.
 */

static void
tb_flame_view_class_init (TbFlameViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TbFigureViewClass *view_class = TB_FIGURE_VIEW_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = tb_flame_view_constructed;
  object_class->set_property = tb_flame_view_set_property;
  object_class->get_property = tb_flame_view_get_property;
  object_class->dispose = tb_flame_view_dispose;
  object_class->finalize = tb_flame_view_finalize;
  GTK_WIDGET_CLASS (klass)->grab_focus = tb_flame_view_grab_focus;
  view_class->search_hint = N_ ("Find function");
  view_class->search = tb_flame_view_search;
  view_class->filter = tb_flame_view_filter;
  view_class->show_selection = tb_flame_view_show_selection;
  view_class->keep_place = tb_flame_view_keep_place;
  view_class->select_at = tb_flame_view_select_at;

  properties[PROP_ICICLE]
      = g_param_spec_boolean ("icicle", "Icicle", "Whether callers are on top", FALSE, flags);
  properties[PROP_MERGED]
      = g_param_spec_boolean ("merged", "Merged",
                              "Whether equal calls are merged instead of shown over time", FALSE,
                              flags);
  properties[PROP_INVERTED]
      = g_param_spec_boolean ("inverted", "Inverted", "Whether callers are children of functions",
                              FALSE, flags);
  properties[PROP_BY_NAME]
      = g_param_spec_boolean ("by-name", "By name", "Whether siblings are sorted by name", FALSE,
                              flags);
  properties[PROP_COLLAPSE_RECURSION]
      = g_param_spec_boolean ("collapse-recursion", "Collapse recursion",
                              "Whether recursive calls of a function are merged", FALSE, flags);
  properties[PROP_SWAPPED]
      = g_param_spec_boolean ("swapped", "Swapped", "Whether widths are those of the base", FALSE,
                              flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  tb_flame_view_class_add_actions (GTK_WIDGET_CLASS (klass));
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "tb-flame");
}

static GtkWidget *
make_status (TbFlameView *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_widget_add_css_class (line, "tb-statusline");
  self->status = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->status), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->status), PANGO_ELLIPSIZE_END);
  tb_widgets_add_cut_tooltip (self->status);
  gtk_widget_set_hexpand (self->status, TRUE);
  gtk_widget_add_css_class (self->status, "dim-label");
  gtk_box_append (GTK_BOX (line), self->status);
  return line;
}

static void
tb_flame_view_init (TbFlameView *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->chips = adw_wrap_box_new ();
  adw_wrap_box_set_child_spacing (ADW_WRAP_BOX (self->chips), 6);
  adw_wrap_box_set_line_spacing (ADW_WRAP_BOX (self->chips), 4);
  gtk_widget_add_css_class (self->chips, "tb-chips");
  gtk_widget_set_visible (self->chips, FALSE);
  self->panes_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_set_homogeneous (GTK_BOX (self->panes_box), TRUE);
  self->busy = tb_flame_view_make_busy (self);
  self->overlay = gtk_overlay_new ();
  gtk_widget_set_vexpand (self->overlay, TRUE);
  gtk_overlay_set_child (GTK_OVERLAY (self->overlay), self->panes_box);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), self->busy);
  tb_flame_view_add_context_menu (self);
  gtk_box_append (GTK_BOX (self->box), self->overlay);
  gtk_box_append (GTK_BOX (self->box), self->chips);
  gtk_box_append (GTK_BOX (self->box), make_status (self));
}

/**
 * tb_flame_view_new:
 * @figure: a flame figure
 * @focus: the focus of the document
 *
 * Creates a view of a flame figure.
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
 * Sets the direction in which the flame grows.
 */
void
tb_flame_view_set_icicle (TbFlameView *self, gboolean icicle)
{
  g_return_if_fail (TB_IS_FLAME_VIEW (self));

  if (self->icicle == !!icicle)
    return;
  self->icicle = !!icicle;
  if (self->panes[1] == NULL)
    tb_flame_pane_set_icicle (self->panes[0], self->icicle);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ICICLE]);
}

/**
 * tb_flame_view_get_icicle:
 * @self: a flame view
 *
 * Gets whether the view is drawn from top to bottom.
 *
 * Returns: whether callers are on top
 */
gboolean
tb_flame_view_get_icicle (TbFlameView *self)
{
  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), FALSE);

  return self->icicle;
}

/**
 * tb_flame_view_get_matched_share:
 * @self: a flame view
 *
 * Gets how much of the whole weight matches the search.
 *
 * Returns: the share, 0…1, of the highlighted nodes including their callees; 0 without a search
 */
double
tb_flame_view_get_matched_share (TbFlameView *self)
{
  const TbFlameMatch *match;
  guint64 total;

  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), 0);

  match = tb_flame_pane_get_match (self->panes[0]);
  total = tb_flame_figure_get_total (tb_flame_pane_get_figure (self->panes[0]));
  return match != NULL && total > 0 ? (double) match->total / (double) total : 0;
}

/**
 * tb_flame_view_zoom_to:
 * @self: a flame view
 * @node: a node, or %TB_ID_NONE for all
 *
 * Zooms so that a node fills the width of the view.
 */
void
tb_flame_view_zoom_to (TbFlameView *self, guint node)
{
  g_return_if_fail (TB_IS_FLAME_VIEW (self));
  g_return_if_fail (node == TB_ID_NONE || node < tb_flame_figure_get_n_nodes (self->figure));

  tb_flame_canvas_zoom_to (tb_flame_pane_get_canvas (self->panes[0]),
                           tb_flame_view_find_place (self, self->panes[0], node));
}

/**
 * tb_flame_view_get_zoomed:
 * @self: a flame view
 *
 * Gets the node to which the view is zoomed.
 *
 * Returns: the node that fills the width of the view, or %TB_ID_NONE
 */
guint
tb_flame_view_get_zoomed (TbFlameView *self)
{
  TbFlamePane *pane;

  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), TB_ID_NONE);

  pane = self->panes[0];
  return tb_flame_view_find_origin (self, pane,
                                    tb_flame_canvas_get_zoomed (tb_flame_pane_get_canvas (pane)));
}

/**
 * tb_flame_view_select:
 * @self: a flame view
 * @node: a node, or %TB_ID_NONE for none
 *
 * Selects a node, as a click on it does. Zooms to it if it is not visible.
 */
void
tb_flame_view_select (TbFlameView *self, guint node)
{
  g_return_if_fail (TB_IS_FLAME_VIEW (self));
  g_return_if_fail (node == TB_ID_NONE || node < tb_flame_figure_get_n_nodes (self->figure));

  tb_flame_canvas_select (tb_flame_pane_get_canvas (self->panes[0]),
                          tb_flame_view_find_place (self, self->panes[0], node));
}

/**
 * tb_flame_view_get_selected:
 * @self: a flame view
 *
 * Gets the selected node.
 *
 * Returns: the selected node, or %TB_ID_NONE; in another form, the heaviest of the nodes that are
 *   merged there
 */
guint
tb_flame_view_get_selected (TbFlameView *self)
{
  TbFlamePane *pane;

  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), TB_ID_NONE);

  pane = get_current (self);
  return tb_flame_view_find_origin (self, pane,
                                    tb_flame_canvas_get_selected (tb_flame_pane_get_canvas (pane)));
}

/**
 * tb_flame_view_get_node_at:
 * @self: a flame view
 * @x: a position in the view
 * @y: a position in the view
 *
 * Gets what is drawn at a position.
 *
 * Returns: the node that is drawn there, or %TB_ID_NONE
 */
guint
tb_flame_view_get_node_at (TbFlameView *self, double x, double y)
{
  graphene_point_t point = GRAPHENE_POINT_INIT ((float) x, (float) y);
  TbFlameCanvas *canvas;

  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), TB_ID_NONE);

  canvas = tb_flame_pane_get_canvas (self->panes[0]);
  if (!gtk_widget_compute_point (GTK_WIDGET (self), GTK_WIDGET (canvas), &point, &point))
    return TB_ID_NONE;
  return tb_flame_view_find_origin (self, self->panes[0],
                                    tb_flame_canvas_get_node_at (canvas, point.x, point.y));
}

/**
 * tb_flame_view_get_lens:
 * @self: a flame view
 *
 * Gets the visible part of a chronological figure.
 *
 * Returns: (transfer none) (nullable): the visible part of a chronological figure, which is
 *   independent of the visible part of a timeline; %NULL where the width of boxes is their weight
 */
TbFocus *
tb_flame_view_get_lens (TbFlameView *self)
{
  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), NULL);

  return self->lens;
}

/**
 * tb_flame_view_show_function:
 * @self: a flame view
 * @function: (nullable): a function's name, or %NULL for all
 * @module: (nullable): the function's module, or %NULL for any
 * @callers: whether its callers are also shown, above it
 *
 * Shows only the calls of one function, from all of its callers.
 */
void
tb_flame_view_show_function (TbFlameView *self,
                             const char *function,
                             const char *module,
                             gboolean callers)
{
  g_return_if_fail (TB_IS_FLAME_VIEW (self));

  g_set_str (&self->form.function, function);
  g_set_str (&self->form.module, module);
  self->form.sandwich = callers && function != NULL;
  tb_flame_view_update_form (self);
}

/**
 * tb_flame_view_hide_module:
 * @self: a flame view
 * @module: a module
 *
 * Hides the functions of a module. Their weight is added to that of their callers.
 */
void
tb_flame_view_hide_module (TbFlameView *self, const char *module)
{
  g_return_if_fail (TB_IS_FLAME_VIEW (self));
  g_return_if_fail (module != NULL);

  if (self->form.hidden == NULL)
    self->form.hidden = g_ptr_array_new_with_free_func (g_free);
  if (!g_ptr_array_find_with_equal_func (self->form.hidden, module, g_str_equal, NULL))
    g_ptr_array_add (self->form.hidden, g_strdup (module));
  tb_flame_view_update_form (self);
}

/**
 * tb_flame_view_reset:
 * @self: a flame view
 *
 * Shows the figure in its original form.
 */
void
tb_flame_view_reset (TbFlameView *self)
{
  g_return_if_fail (TB_IS_FLAME_VIEW (self));

  tb_flame_form_clear (&self->form);
  tb_flame_form_clear (&self->shown);
  tb_flame_view_notify_form (self);
  tb_flame_view_update_form (self);
}

/**
 * tb_flame_view_is_busy:
 * @self: a flame view
 *
 * Gets whether the view is going to change.
 *
 * Returns: whether another form of the figure is being made
 */
gboolean
tb_flame_view_is_busy (TbFlameView *self)
{
  g_return_val_if_fail (TB_IS_FLAME_VIEW (self), FALSE);

  return self->cancellable != NULL;
}
