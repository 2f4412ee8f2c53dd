/* tb-flame-pane.c: pane of a flame view: a flame with its breadcrumbs, map, time axis and scroll
 * bar; matches of a search (found by tb-flame-search.c), with an index of names that a thread makes
 * for large figures
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "widgets/tb-figure-view-private.h"
#include "widgets/flame/tb-flame-pane-private.h"
#include "widgets/time/tb-time-axis.h"

/* From this number of nodes on the names are indexed in advance, in a thread. */
#define MIN_INDEXED_NODES 50000

/* Names are indexed in a thread. A search before it is done works without the index. */
typedef struct
{
  TbFlameFigure *figure;
  GThread *thread;
  TbFlameIndex *index; /* set when done */
  gint done;
  gint stop;
} IndexJob;

struct _TbFlamePane
{
  GtkWidget parent_instance;

  TbFlameFigure *figure;
  TbFocus *lens;
  TbFlameMatch *match;
  IndexJob *indexing; /* NULL: there are few names */
  gboolean scrolling;
  gboolean at_root;
  guint settle_callback;

  GtkWidget *box;
  GtkWidget *breadcrumbs;
  GtkWidget *map;
  GtkWidget *scroller;
  TbFlameCanvas *canvas;
};

G_DEFINE_FINAL_TYPE (TbFlamePane, tb_flame_pane, GTK_TYPE_WIDGET)

enum
{
  SELECTED_CHANGED,
  HOVERED_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
on_breadcrumb (GtkButton *button, gpointer data)
{
  TbFlamePane *self = data;

  tb_flame_canvas_zoom_to (self->canvas,
                           GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "tb-node")) - 1);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
prepend_breadcrumb (TbFlamePane *self, guint node, const char *name)
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
      GtkWidget *separator = gtk_label_new (
          gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL ? "‹" : "›");

      gtk_widget_add_css_class (separator, "dim-label");
      adw_wrap_box_prepend (ADW_WRAP_BOX (self->breadcrumbs), separator);
    }
  adw_wrap_box_prepend (ADW_WRAP_BOX (self->breadcrumbs), button);
}

static void
on_zoom_changed (TbFlamePane *self)
{
  guint zoomed = tb_flame_canvas_get_zoomed (self->canvas);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->breadcrumbs)) != NULL)
    adw_wrap_box_remove (ADW_WRAP_BOX (self->breadcrumbs), child);
  for (guint node = zoomed; node != TB_ID_NONE;
       node = tb_flame_figure_get_node (self->figure, node)->parent)
    prepend_breadcrumb (self, node, tb_flame_figure_get_node (self->figure, node)->name);
  /* Translators: the first of a row of names that lead back to all functions. */
  prepend_breadcrumb (self, TB_ID_NONE, _ ("All"));
  gtk_widget_set_visible (self->breadcrumbs, zoomed != TB_ID_NONE);
  gtk_widget_set_visible (self->map, zoomed != TB_ID_NONE);
  tb_flame_map_update (TB_FLAME_MAP (self->map));
}

static void
on_lens_view (TbFlamePane *self)
{
  gint64 from, to, start, end;

  tb_focus_get_view (self->lens, &from, &to);
  tb_focus_get_extent (self->lens, &start, &end);
  gtk_widget_set_visible (self->map, from != start || to != end);
  tb_flame_map_update (TB_FLAME_MAP (self->map));
}

static void
scroll_to_root (TbFlamePane *self)
{
  GtkAdjustment *adjustment
      = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  self->scrolling = TRUE;
  gtk_adjustment_set_value (adjustment, tb_flame_canvas_get_icicle (self->canvas) ? 0 : end);
  self->scrolling = FALSE;
}

/* The range of the scroll bar changed during an allocation. The scrolled widget gets the new
 * position only with the next one. */
static gboolean
on_settle (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TbFlamePane *self = TB_FLAME_PANE (widget);

  self->settle_callback = 0;
  if (self->canvas != NULL && gtk_widget_get_parent (GTK_WIDGET (self->canvas)) != NULL)
    gtk_widget_queue_allocate (gtk_widget_get_parent (GTK_WIDGET (self->canvas)));
  return G_SOURCE_REMOVE;
}

/* A flame stays at its root when its height changes, until the user scrolls away. */
static void
on_adjustment_changed (TbFlamePane *self)
{
  if (!self->at_root)
    return;
  scroll_to_root (self);
  if (self->settle_callback == 0)
    self->settle_callback = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_settle, NULL, NULL);
}

static void
on_scrolled (TbFlamePane *self, GtkAdjustment *adjustment)
{
  double value = gtk_adjustment_get_value (adjustment);
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  if (!self->scrolling)
    self->at_root = tb_flame_canvas_get_icicle (self->canvas) ? value < 1 : value > end - 1;
}

static void
on_selected (TbFlamePane *self)
{
  g_signal_emit (self, signals[SELECTED_CHANGED], 0);
}

static void
on_hovered (TbFlamePane *self)
{
  g_signal_emit (self, signals[HOVERED_CHANGED], 0);
}

static void
connect_canvas (TbFlamePane *self)
{
  GtkAdjustment *adjustment
      = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));

  g_signal_connect_object (self->canvas, "zoom-changed", G_CALLBACK (on_zoom_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "selected-changed", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "hovered-changed", G_CALLBACK (on_hovered), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (on_adjustment_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (on_scrolled), self,
                           G_CONNECT_SWAPPED);
}

static gpointer
make_index (gpointer data)
{
  IndexJob *self = data;

  self->index = tb_flame_index_new (self->figure, &self->stop);
  g_atomic_int_set (&self->done, TRUE);
  return NULL;
}

static IndexJob *
indexing_new (TbFlameFigure *figure)
{
  IndexJob *self = g_new0 (IndexJob, 1);

  self->figure = g_object_ref (figure);
  self->thread = g_thread_new ("flame-index", make_index, self);
  return self;
}

static void
indexing_free (IndexJob *self)
{
  g_atomic_int_set (&self->stop, TRUE);
  g_thread_join (self->thread);
  g_clear_pointer (&self->index, tb_flame_index_free);
  g_object_unref (self->figure);
  g_free (self);
}

static TbFlameMatch *
find_matches (TbFlamePane *self, const char *search)
{
  if (self->indexing != NULL && g_atomic_int_get (&self->indexing->done))
    return tb_flame_index_match (self->indexing->index, search);
  return tb_flame_match (self->figure, search);
}

void
tb_flame_pane_search (TbFlamePane *self, const char *search, TbFilter *filter)
{
  tb_flame_canvas_set_match (self->canvas, NULL);
  g_clear_pointer (&self->match, tb_flame_match_free);
  if (search != NULL)
    self->match = find_matches (self, search);
  else if (filter != NULL)
    self->match = tb_flame_match_filter (self->figure, filter);
  tb_flame_canvas_set_match (self->canvas, self->match);
}

const TbFlameMatch *
tb_flame_pane_get_match (TbFlamePane *self)
{
  return self->match;
}

TbFlameCanvas *
tb_flame_pane_get_canvas (TbFlamePane *self)
{
  return self->canvas;
}

TbFlameFigure *
tb_flame_pane_get_figure (TbFlamePane *self)
{
  return self->figure;
}

void
tb_flame_pane_set_icicle (TbFlamePane *self, gboolean icicle)
{
  tb_flame_canvas_set_icicle (self->canvas, icicle);
  scroll_to_root (self);
}

void
tb_flame_pane_copy_scroll (TbFlamePane *self, TbFlamePane *other)
{
  GtkAdjustment *from = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (other->scroller));
  GtkAdjustment *to = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));

  self->at_root = other->at_root;
  if (!self->at_root)
    tb_figure_view_restore_scroll (to, gtk_adjustment_get_value (from));
}

static gboolean
tb_flame_pane_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (TB_FLAME_PANE (widget)->canvas));
}

static void
tb_flame_pane_dispose (GObject *object)
{
  TbFlamePane *self = TB_FLAME_PANE (object);

  if (self->canvas != NULL)
    tb_flame_canvas_set_match (self->canvas, NULL);
  self->canvas = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (tb_flame_pane_parent_class)->dispose (object);
}

static void
tb_flame_pane_finalize (GObject *object)
{
  TbFlamePane *self = TB_FLAME_PANE (object);

  g_clear_pointer (&self->indexing, indexing_free);
  g_clear_pointer (&self->match, tb_flame_match_free);
  g_clear_object (&self->figure);
  g_clear_object (&self->lens);
  G_OBJECT_CLASS (tb_flame_pane_parent_class)->finalize (object);
}

static void
tb_flame_pane_class_init (TbFlamePaneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = tb_flame_pane_dispose;
  object_class->finalize = tb_flame_pane_finalize;
  widget_class->grab_focus = tb_flame_pane_grab_focus;
  signals[SELECTED_CHANGED] = g_signal_new ("selected-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                            NULL, NULL, G_TYPE_NONE, 0);
  signals[HOVERED_CHANGED] = g_signal_new ("hovered-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
tb_flame_pane_init (TbFlamePane *self)
{
  self->at_root = TRUE;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
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
}

static void
add_axis (TbFlamePane *self)
{
  GtkWidget *axis = tb_time_axis_new (self->lens);

  tb_time_axis_set_margins (TB_TIME_AXIS (axis), tb_flame_canvas_get_margin (),
                            tb_flame_canvas_get_margin ());
  gtk_box_append (GTK_BOX (self->box), axis);
  g_signal_connect_object (self->lens, "view-changed", G_CALLBACK (on_lens_view), self,
                           G_CONNECT_SWAPPED);
}

TbFlamePane *
tb_flame_pane_new (TbFlameFigure *figure, TbFocus *lens, gboolean icicle)
{
  TbFlamePane *self = g_object_new (TB_TYPE_FLAME_PANE, NULL);

  self->figure = g_object_ref (figure);
  g_set_object (&self->lens, lens);
  self->canvas = tb_flame_canvas_new (figure, lens);
  tb_flame_canvas_set_icicle (self->canvas, icicle);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->canvas));
  self->map = tb_flame_map_new (figure, self->canvas, lens);
  gtk_widget_set_visible (self->map, FALSE);
  gtk_box_insert_child_after (GTK_BOX (self->box), self->map, self->breadcrumbs);
  connect_canvas (self);
  if (lens != NULL)
    {
      add_axis (self);
      on_lens_view (self);
    }
  if (tb_flame_figure_get_n_nodes (figure) >= MIN_INDEXED_NODES)
    self->indexing = indexing_new (figure);
  return self;
}
