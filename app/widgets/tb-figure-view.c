/* tb-figure-view.c: base class of the widgets that show figures: search, filter, selection shared
 * with the document, message where empty, stored arrangement
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "widgets/tb-figure-view-private.h"
#include "widgets/tb-legend.h"
#include "widgets/tb-widgets-private.h"

/**
 * TbFigureView:
 *
 * Base class of the views of all kinds of figures. A view follows the selection of its focus, can
 * be searched, and shows a message where it is empty. It can replace a view of an earlier state of
 * its figure.
 */
typedef struct
{
  TbFigure *figure;
  TbFocus *focus;
  TbFigureView *before; /* only until the view is set up */
  char *search;
  TbFilter *filter;
  guint selecting;
  guint arranging; /* greater than 0 while the view is arranged by the program */
  GtkWidget *stack;
  GtkWidget *page;
  GtkWidget *keyboard;
  GtkWidget *empty;
} TbFigureViewPrivate;

enum
{
  ARRANGED,
  ITEM_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (TbFigureView, tb_figure_view, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_FIGURE,
  PROP_FOCUS,
  PROP_BEFORE,
  PROP_SEARCH,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static TbFigureViewPrivate *
get_private (TbFigureView *self)
{
  return tb_figure_view_get_instance_private (self);
}

void
tb_figure_view_show_selection (TbFigureView *self)
{
  TbFigureViewPrivate *priv = get_private (self);

  if (priv->selecting > 0 || priv->page == NULL
      || TB_FIGURE_VIEW_GET_CLASS (self)->show_selection == NULL)
    return;
  priv->selecting++;
  TB_FIGURE_VIEW_GET_CLASS (self)->show_selection (self);
  priv->selecting--;
}

static void
tb_figure_view_constructed (GObject *object)
{
  TbFigureView *self = TB_FIGURE_VIEW (object);
  TbFigureViewPrivate *priv = get_private (self);

  G_OBJECT_CLASS (tb_figure_view_parent_class)->constructed (object);
  g_signal_connect_object (priv->focus, "selection-changed",
                           G_CALLBACK (tb_figure_view_show_selection), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (priv->figure), -1);
}

static void
set_filter (TbFigureView *self, TbFilter *filter)
{
  TbFigureViewPrivate *priv = get_private (self);

  if (filter != NULL && tb_filter_is_empty (filter))
    filter = NULL;
  if (tb_filter_equal (priv->filter, filter))
    return;
  g_clear_pointer (&priv->filter, tb_filter_unref);
  priv->filter = filter != NULL ? tb_filter_ref (filter) : NULL;
  TB_FIGURE_VIEW_GET_CLASS (self)->filter (self, filter);
}

/* Sets the search. A view without text search uses it as a filter. An invalid filter changes
 * nothing. */
static void
set_search (TbFigureView *self, const char *search)
{
  TbFigureViewPrivate *priv = get_private (self);
  g_autoptr (TbFilter) filter = NULL;

  if (!g_set_str (&priv->search, search))
    return;
  if (TB_FIGURE_VIEW_GET_CLASS (self)->search != NULL)
    TB_FIGURE_VIEW_GET_CLASS (self)->search (self,
                                             search != NULL && search[0] != '\0' ? search : NULL);
  else if ((filter = tb_filter_parse (search, NULL)) != NULL)
    set_filter (self, filter);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SEARCH]);
}

static void
tb_figure_view_set_property (GObject *object,
                             guint property_id,
                             const GValue *value,
                             GParamSpec *pspec)
{
  TbFigureView *self = TB_FIGURE_VIEW (object);
  TbFigureViewPrivate *priv = get_private (self);

  switch (property_id)
    {
    case PROP_FIGURE:
      priv->figure = g_value_dup_object (value);
      break;
    case PROP_FOCUS:
      priv->focus = g_value_dup_object (value);
      break;
    case PROP_BEFORE:
      priv->before = g_value_dup_object (value);
      break;
    case PROP_SEARCH:
      set_search (self, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_figure_view_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  TbFigureViewPrivate *priv = get_private (TB_FIGURE_VIEW (object));

  switch (property_id)
    {
    case PROP_FIGURE:
      g_value_set_object (value, priv->figure);
      break;
    case PROP_FOCUS:
      g_value_set_object (value, priv->focus);
      break;
    case PROP_SEARCH:
      g_value_set_string (value, priv->search);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_figure_view_dispose (GObject *object)
{
  TbFigureViewPrivate *priv = get_private (TB_FIGURE_VIEW (object));

  g_clear_pointer (&priv->stack, gtk_widget_unparent);
  g_clear_object (&priv->before);
  g_clear_object (&priv->empty);
  priv->page = priv->keyboard = NULL;

  G_OBJECT_CLASS (tb_figure_view_parent_class)->dispose (object);
}

static void
tb_figure_view_finalize (GObject *object)
{
  TbFigureViewPrivate *priv = get_private (TB_FIGURE_VIEW (object));

  g_clear_object (&priv->figure);
  g_clear_object (&priv->focus);
  g_clear_pointer (&priv->filter, tb_filter_unref);
  g_free (priv->search);

  G_OBJECT_CLASS (tb_figure_view_parent_class)->finalize (object);
}

static gboolean
tb_figure_view_grab_focus (GtkWidget *widget)
{
  TbFigureViewPrivate *priv = get_private (TB_FIGURE_VIEW (widget));

  return priv->keyboard != NULL && gtk_widget_grab_focus (priv->keyboard);
}

/* When focus moves backwards, the default implementation would return it to the widget that
 * grab_focus() chooses. */
static gboolean
tb_figure_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  return gtk_widget_child_focus (get_private (TB_FIGURE_VIEW (widget))->stack, direction);
}

/**
 * TbFigureView:figure:
 *
 * The figure that is shown.
 */

/**
 * TbFigureView:focus:
 *
 * Selection and visible part, which the views of a document share.
 */

/**
 * TbFigureView:before:
 *
 * The view of an earlier state of the figure which this one replaces; its place is kept.
 */

/**
 * TbFigureView:search:
 *
 * The text that is searched for.
 */

static void
tb_figure_view_class_init (TbFigureViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags once = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = tb_figure_view_constructed;
  object_class->set_property = tb_figure_view_set_property;
  object_class->get_property = tb_figure_view_get_property;
  object_class->dispose = tb_figure_view_dispose;
  object_class->finalize = tb_figure_view_finalize;
  widget_class->focus = tb_figure_view_focus;
  widget_class->grab_focus = tb_figure_view_grab_focus;

  properties[PROP_FIGURE]
      = g_param_spec_object ("figure", "Figure", "The displayed figure", TB_TYPE_FIGURE, once);
  properties[PROP_FOCUS]
      = g_param_spec_object ("focus", "Focus", "Shared selection and visible range", TB_TYPE_FOCUS,
                             once);
  properties[PROP_BEFORE]
      = g_param_spec_object ("before", "Before", "The view that this view replaces",
                             TB_TYPE_FIGURE_VIEW,
                             G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SEARCH]
      = g_param_spec_string ("search", "Search", "The search text", NULL,
                             G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);

  /**
   * TbFigureView::arranged:
   * @self: a view
   *
   * The user sorted or pinned something, so that the result of
   * [func@TailbackGtk.FigureView.get_state] has changed.
   */
  signals[ARRANGED] = g_signal_new ("arranged", TB_TYPE_FIGURE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 0);
  /**
   * TbFigureView::item-activated:
   * @self: a view
   * @item: an item of its figure
   *
   * An item was double-clicked, or Enter was pressed on it. The application shows more or less of
   * it.
   */
  signals[ITEM_ACTIVATED] = g_signal_new ("item-activated", TB_TYPE_FIGURE_VIEW, G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
tb_figure_view_init (TbFigureView *self)
{
  TbFigureViewPrivate *priv = get_private (self);

  tb_widgets_load_style ();
  priv->stack = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (priv->stack), FALSE);
  gtk_stack_set_vhomogeneous (GTK_STACK (priv->stack), FALSE);
  gtk_widget_set_parent (priv->stack, GTK_WIDGET (self));
  priv->empty = adw_status_page_new ();
  gtk_widget_add_css_class (priv->empty, "compact");
  g_object_ref_sink (priv->empty);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

void
tb_figure_view_set_page (TbFigureView *self, GtkWidget *page, GtkWidget *keyboard)
{
  TbFigureViewPrivate *priv = get_private (self);
  g_autoptr (TbFigureView) before = g_steal_pointer (&priv->before);

  priv->page = page;
  priv->keyboard = keyboard;
  gtk_stack_add_child (GTK_STACK (priv->stack), page);
  gtk_stack_add_child (GTK_STACK (priv->stack), priv->empty);
  gtk_stack_set_visible_child (GTK_STACK (priv->stack), page);
  if (before == NULL || G_OBJECT_TYPE (before) != G_OBJECT_TYPE (self))
    {
      tb_figure_view_show_selection (self);
      return;
    }
  /* The old view stops following the selection, because the numbers of new selections do not fit
   * its figure. */
  g_signal_handlers_disconnect_by_func (priv->focus, tb_figure_view_show_selection, before);
  tb_figure_view_set_search (GTK_WIDGET (self), tb_figure_view_get_search (GTK_WIDGET (before)));
  /* A view that uses its search as a filter already has it. */
  if (tb_figure_view_get_filter (GTK_WIDGET (before)) != NULL)
    tb_figure_view_set_filter (GTK_WIDGET (self), tb_figure_view_get_filter (GTK_WIDGET (before)));
  priv->arranging++;
  TB_FIGURE_VIEW_GET_CLASS (self)->keep_place (self, before);
  priv->arranging--;
}

void
tb_figure_view_set_found (TbFigureView *self,
                          gboolean any,
                          gboolean found,
                          const char *nothing,
                          const char *not_found)
{
  TbFigureViewPrivate *priv = get_private (self);
  AdwStatusPage *empty = ADW_STATUS_PAGE (priv->empty);

  if (!found)
    {
      adw_status_page_set_title (empty, any ? not_found : _ ("Nothing to Show"));
      adw_status_page_set_description (empty, any ? _ ("Try a different search.") : nothing);
      adw_status_page_set_icon_name (empty, any ? "edit-find-symbolic" : NULL);
    }
  gtk_stack_set_visible_child (GTK_STACK (priv->stack), found ? priv->page : priv->empty);
}

void
tb_figure_view_arranged (TbFigureView *self)
{
  TbFigureViewPrivate *priv = get_private (self);

  /* A view that is being disposed has not been arranged. */
  if (priv->arranging == 0 && priv->stack != NULL && priv->page != NULL)
    g_signal_emit (self, signals[ARRANGED], 0);
}

void
tb_figure_view_activate_item (TbFigureView *self, const char *item)
{
  g_signal_emit (self, signals[ITEM_ACTIVATED], 0, item);
}

void
tb_figure_view_select_item (TbFigureView *self,
                            const char *item,
                            guint32 thread,
                            gint64 from,
                            gint64 to,
                            const char *const *stack)
{
  TbFigureViewPrivate *priv = get_private (self);

  priv->selecting++;
  if (item == NULL)
    tb_focus_clear (priv->focus);
  else
    tb_focus_select_item (priv->focus, tb_figure_get_item_owner (priv->figure), item, thread, from,
                          to, stack);
  priv->selecting--;
}

const char *
tb_figure_view_get_item (TbFigureView *self)
{
  TbFigureViewPrivate *priv = get_private (self);

  if (g_strcmp0 (tb_focus_get_figure (priv->focus), tb_figure_get_item_owner (priv->figure)) != 0)
    return NULL;
  return tb_focus_get_item (priv->focus);
}

gboolean
tb_figure_view_is_selecting (TbFigureView *self)
{
  return get_private (self)->selecting > 0;
}

/* Number of changes of a scroll bar's range after which the wanted position is replaced by the
 * nearest one. */
#define SCROLL_TRIES 4

typedef struct
{
  double value;
  guint n_tries;
} Scroll;

static void
scroll_free (gpointer data, GClosure *closure)
{
  g_free (data);
}

static void
on_scrollable (GtkAdjustment *adjustment, gpointer data)
{
  Scroll *scroll = data;
  double last = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  if (gtk_adjustment_get_page_size (adjustment) <= 1)
    return;
  gtk_adjustment_set_value (adjustment, MIN (scroll->value, last));
  if (last >= scroll->value || ++scroll->n_tries == SCROLL_TRIES)
    g_signal_handlers_disconnect_by_func (adjustment, on_scrollable, data);
}

void
tb_figure_view_restore_scroll (GtkAdjustment *adjustment, double value)
{
  Scroll *scroll = g_new0 (Scroll, 1);

  scroll->value = value;
  g_signal_connect_data (adjustment, "changed", G_CALLBACK (on_scrollable), scroll, scroll_free,
                         G_CONNECT_AFTER);
}

char *
tb_figure_view_fold (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  return g_utf8_casefold (valid, -1);
}

/**
 * tb_figure_view_get_figure:
 * @self: a view
 *
 * Gets the figure of the view.
 *
 * Returns: (transfer none): the figure that it shows
 */
TbFigure *
tb_figure_view_get_figure (TbFigureView *self)
{
  g_return_val_if_fail (TB_IS_FIGURE_VIEW (self), NULL);

  return get_private (self)->figure;
}

/**
 * tb_figure_view_get_focus:
 * @self: a view
 *
 * Gets the focus that the view shares with others.
 *
 * Returns: (transfer none): the focus of the document
 */
TbFocus *
tb_figure_view_get_focus (TbFigureView *self)
{
  g_return_val_if_fail (TB_IS_FIGURE_VIEW (self), NULL);

  return get_private (self)->focus;
}

/**
 * tb_figure_view_can_search:
 * @view: made by tb_figure_view_new()
 *
 * Gets whether a view can be searched.
 *
 * Returns: whether it can be searched
 */
gboolean
tb_figure_view_can_search (GtkWidget *view)
{
  g_return_val_if_fail (GTK_IS_WIDGET (view), FALSE);

  return TB_IS_FIGURE_VIEW (view)
         && (TB_FIGURE_VIEW_GET_CLASS (view)->search != NULL
             || TB_FIGURE_VIEW_GET_CLASS (view)->filter != NULL);
}

/**
 * tb_figure_view_set_search:
 * @view: made by tb_figure_view_new()
 * @search: (nullable): the text to search for
 *
 * Searches in the view, if its kind supports that. A timeline and a table show only matches, a
 * flame highlights them.
 */
void
tb_figure_view_set_search (GtkWidget *view, const char *search)
{
  g_return_if_fail (GTK_IS_WIDGET (view));

  if (tb_figure_view_can_search (view))
    set_search (TB_FIGURE_VIEW (view), search);
}

/**
 * tb_figure_view_get_search:
 * @view: made by tb_figure_view_new()
 *
 * Gets what is searched for.
 *
 * Returns: (nullable): the text of the search
 */
const char *
tb_figure_view_get_search (GtkWidget *view)
{
  g_return_val_if_fail (GTK_IS_WIDGET (view), NULL);

  return TB_IS_FIGURE_VIEW (view) ? get_private (TB_FIGURE_VIEW (view))->search : NULL;
}

/**
 * tb_figure_view_get_search_hint:
 * @view: made by tb_figure_view_new()
 *
 * Gets an example of a search.
 *
 * Returns: (transfer none) (nullable): an example of a search, for an empty search entry
 */
const char *
tb_figure_view_get_search_hint (GtkWidget *view)
{
  g_return_val_if_fail (GTK_IS_WIDGET (view), NULL);

  return tb_figure_view_can_search (view) ? _ (TB_FIGURE_VIEW_GET_CLASS (view)->search_hint) : NULL;
}

/**
 * tb_figure_view_can_filter:
 * @view: made by tb_figure_view_new()
 *
 * Gets whether a view supports filters.
 *
 * Returns: whether it supports filters; otherwise the text of a filter is searched for
 */
gboolean
tb_figure_view_can_filter (GtkWidget *view)
{
  g_return_val_if_fail (GTK_IS_WIDGET (view), FALSE);

  return TB_IS_FIGURE_VIEW (view) && TB_FIGURE_VIEW_GET_CLASS (view)->filter != NULL;
}

/**
 * tb_figure_view_set_filter:
 * @view: made by tb_figure_view_new()
 * @filter: (nullable): the limits
 *
 * Limits what is shown. A timeline is limited to threads and their intervals, a table to rows. A
 * view that supports neither filters nor searches does not change.
 */
void
tb_figure_view_set_filter (GtkWidget *view, TbFilter *filter)
{
  g_return_if_fail (GTK_IS_WIDGET (view));

  if (tb_figure_view_can_filter (view))
    set_filter (TB_FIGURE_VIEW (view), filter);
  else if (filter != NULL || tb_figure_view_get_search (view) != NULL)
    tb_figure_view_set_search (view, filter != NULL ? tb_filter_get_text (filter) : NULL);
}

/**
 * tb_figure_view_get_filter:
 * @view: made by tb_figure_view_new()
 *
 * Gets what limits the view.
 *
 * Returns: (transfer none) (nullable): its filter
 */
TbFilter *
tb_figure_view_get_filter (GtkWidget *view)
{
  g_return_val_if_fail (GTK_IS_WIDGET (view), NULL);

  return TB_IS_FIGURE_VIEW (view) ? get_private (TB_FIGURE_VIEW (view))->filter : NULL;
}

/**
 * tb_figure_view_select_at:
 * @self: a view
 * @x: a position in it
 * @y: a position in it
 *
 * Selects the item that is drawn there, for a context menu. The selection stays as it is if it
 * includes that item, or if nothing is drawn there.
 */
void
tb_figure_view_select_at (TbFigureView *self, double x, double y)
{
  g_return_if_fail (TB_IS_FIGURE_VIEW (self));

  if (TB_FIGURE_VIEW_GET_CLASS (self)->select_at != NULL)
    TB_FIGURE_VIEW_GET_CLASS (self)->select_at (self, x, y);
}

/**
 * tb_figure_view_names_changed:
 * @view: made by tb_figure_view_new()
 *
 * Updates the labels after names have been found: the view gets them from its figure again. Text
 * that is part of the figure itself does not change until there is a new figure.
 */
void
tb_figure_view_names_changed (GtkWidget *view)
{
  g_return_if_fail (GTK_IS_WIDGET (view));

  if (TB_IS_FIGURE_VIEW (view) && TB_FIGURE_VIEW_GET_CLASS (view)->names_changed != NULL)
    TB_FIGURE_VIEW_GET_CLASS (view)->names_changed (TB_FIGURE_VIEW (view));
}

/**
 * tb_figure_view_get_state:
 * @view: made by tb_figure_view_new()
 *
 * Gets the user's arrangement of the view, to be stored with the document: how it is sorted, what
 * is pinned, which columns are shown.
 *
 * Returns: (transfer full) (nullable): an `a{sv}`; %NULL where nothing was arranged
 */
GVariant *
tb_figure_view_get_state (GtkWidget *view)
{
  GVariant *state;

  g_return_val_if_fail (GTK_IS_WIDGET (view), NULL);

  if (!TB_IS_FIGURE_VIEW (view) || TB_FIGURE_VIEW_GET_CLASS (view)->get_state == NULL)
    return NULL;
  state = TB_FIGURE_VIEW_GET_CLASS (view)->get_state (TB_FIGURE_VIEW (view));
  return state != NULL ? g_variant_ref_sink (state) : NULL;
}

/**
 * tb_figure_view_set_state:
 * @view: made by tb_figure_view_new()
 * @state: an `a{sv}` that tb_figure_view_get_state() gave
 *
 * Restores the arrangement of a view, as far as its items still exist.
 */
void
tb_figure_view_set_state (GtkWidget *view, GVariant *state)
{
  TbFigureViewPrivate *priv;

  g_return_if_fail (GTK_IS_WIDGET (view));
  g_return_if_fail (state != NULL && g_variant_is_of_type (state, G_VARIANT_TYPE_VARDICT));

  if (!TB_IS_FIGURE_VIEW (view) || TB_FIGURE_VIEW_GET_CLASS (view)->set_state == NULL)
    return;
  priv = get_private (TB_FIGURE_VIEW (view));
  priv->arranging++;
  TB_FIGURE_VIEW_GET_CLASS (view)->set_state (TB_FIGURE_VIEW (view), state);
  priv->arranging--;
}

/**
 * tb_figure_view_new_legend:
 * @figure: a figure
 *
 * Creates the legend of a figure.
 *
 * Returns: (transfer floating) (nullable): the legend of its colours, if it has any
 */
GtkWidget *
tb_figure_view_new_legend (TbFigure *figure)
{
  g_return_val_if_fail (TB_IS_FIGURE (figure), NULL);

  if (TB_IS_TIMELINE_FIGURE (figure))
    return tb_legend_new_for_timeline (TB_TIMELINE_FIGURE (figure));
  if (TB_IS_FLAME_FIGURE (figure))
    return tb_legend_new_for_flame (TB_FLAME_FIGURE (figure));
  if (TB_IS_HEATMAP_FIGURE (figure))
    return tb_legend_new_for_heatmap (TB_HEATMAP_FIGURE (figure));
  if (TB_IS_HISTOGRAM_FIGURE (figure))
    return tb_legend_new_for_histogram (TB_HISTOGRAM_FIGURE (figure));
  return NULL;
}
