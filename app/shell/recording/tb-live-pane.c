/* tb-live-pane.c: pane with the live report of a collector during the recording: its figures,
 * findings and warnings; button that emits a signal with the selected item, for the collector to
 * investigate
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/recording/tb-live-pane.h"
#include "widgets/tb-figure-view.h"

/**
 * TbLivePane:
 *
 * Each new report replaces the figures, each by the one in the same place. The selected item of a
 * figure is chosen by the button, by Enter in the figure, or by a double click.
 */
struct _TbLivePane
{
  AdwBin parent;

  TbFocus *focus;
  TbReport *report;
  GtkLabel *headline;
  GtkLabel *notes;
  GtkLabel *problem;
  GtkWidget *choose_button;
  GtkWidget *figures;
};

enum
{
  CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbLivePane, tb_live_pane, ADW_TYPE_BIN)

static void
tb_live_pane_dispose (GObject *object)
{
  TbLivePane *self = TB_LIVE_PANE (object);

  g_clear_object (&self->focus);
  g_clear_object (&self->report);
  G_OBJECT_CLASS (tb_live_pane_parent_class)->dispose (object);
}

static void
choose_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbLivePane *self = TB_LIVE_PANE (widget);
  const char *figure = tb_focus_get_figure (self->focus), *item = tb_focus_get_item (self->focus);

  if (figure != NULL && item != NULL)
    g_signal_emit (self, signals[CHOSEN], 0, figure, item);
}

static gboolean
on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, TbLivePane *self)
{
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter) || tb_focus_get_item (self->focus) == NULL)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_activate_action (GTK_WIDGET (self), "live.choose", NULL);
  return GDK_EVENT_STOP;
}

static void
on_pressed (GtkGestureClick *click, int n, double x, double y, TbLivePane *self)
{
  if (n == 2)
    gtk_widget_activate_action (GTK_WIDGET (self), "live.choose", NULL);
}

static void
selection_changed (TbLivePane *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "live.choose",
                                 tb_focus_get_item (self->focus) != NULL);
  tb_live_pane_set_problem (self, NULL);
}

static void
tb_live_pane_class_init (TbLivePaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_live_pane_dispose;
  /* Emitted when the user chooses an item of a figure for a closer look. */
  signals[CHOSEN] = g_signal_new ("chosen", TB_TYPE_LIVE_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
  gtk_widget_class_install_action (widget_class, "live.choose", NULL, choose_action);
}

static GtkLabel *
add_label (GtkWidget *box, const char *class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, class);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static void
tb_live_pane_init (TbLivePane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->focus = tb_focus_new (0, 1);
  self->headline = add_label (box, "heading");
  self->notes = add_label (box, "dimmed");
  self->figures = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  self->choose_button = gtk_button_new_with_mnemonic (_ ("_Find Out Why"));
  self->problem = add_label (box, "error");
  gtk_widget_set_tooltip_text (self->choose_button,
                               _ ("Find the cause of the calls in the selected peak or bins"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->choose_button), "live.choose");
  gtk_widget_add_css_class (self->choose_button, "pill");
  gtk_widget_set_halign (self->choose_button, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), self->figures);
  gtk_box_insert_child_after (GTK_BOX (box), self->choose_button, GTK_WIDGET (self->notes));
  adw_bin_set_child (ADW_BIN (self), box);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (self->figures, keys);
  gtk_widget_add_controller (self->figures, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (self->focus, "notify::item", G_CALLBACK (selection_changed), self,
                           G_CONNECT_SWAPPED);
  selection_changed (self);
}

GtkWidget *
tb_live_pane_new (void)
{
  return g_object_new (TB_TYPE_LIVE_PANE, NULL);
}

void
tb_live_pane_set_problem (TbLivePane *self, const char *problem)
{
  g_return_if_fail (TB_IS_LIVE_PANE (self));

  gtk_label_set_text (self->problem, problem != NULL ? problem : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), problem != NULL);
  if (problem != NULL)
    gtk_accessible_announce (GTK_ACCESSIBLE (self), problem,
                             GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
}

/* Shows the findings (such as the cost) and the warnings. */
static void
show_notes (TbLivePane *self, TbReport *report)
{
  const char *const *warnings = tb_report_get_warnings (report);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "",
                            tb_finding_get_text (tb_report_get_finding (report, i)));
  for (guint i = 0; warnings[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", warnings[i]);
  gtk_label_set_text (self->notes, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->notes), text->len > 0);
}

/* The button is shown only with the single figure that has items to choose. */
static void
show_choose_button (TbLivePane *self, TbReport *report)
{
  gtk_widget_set_visible (self->choose_button, tb_report_get_n_figures (report) == 1);
}

/* Returns whether the keyboard focus is in a widget. */
static gboolean
has_keyboard (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focused = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focused != NULL && (focused == widget || gtk_widget_is_ancestor (focused, widget));
}

/* old_view: the view in the same place, or NULL. */
static void
show_figure (TbLivePane *self, TbFigure *figure, GtkWidget *old_view)
{
  gboolean had_keyboard = old_view != NULL && has_keyboard (old_view);
  gboolean is_same_figure
      = old_view != NULL && TB_IS_FIGURE_VIEW (old_view)
        && g_str_equal (tb_figure_get_id (tb_figure_view_get_figure (TB_FIGURE_VIEW (old_view))),
                        tb_figure_get_id (figure));
  GtkWidget *view
      = tb_figure_view_new_after (figure, self->focus, is_same_figure ? old_view : NULL);

  gtk_widget_set_size_request (view, -1, 240);
  gtk_box_insert_child_after (GTK_BOX (self->figures), view, old_view);
  if (old_view != NULL)
    gtk_box_remove (GTK_BOX (self->figures), old_view);
  if (had_keyboard)
    gtk_widget_child_focus (view, GTK_DIR_TAB_FORWARD);
}

void
tb_live_pane_show (TbLivePane *self, TbReport *report)
{
  GtkWidget *child = gtk_widget_get_first_child (self->figures);
  gboolean has_changed;

  g_return_if_fail (TB_IS_LIVE_PANE (self) && TB_IS_REPORT (report));

  has_changed
      = g_strcmp0 (gtk_label_get_text (self->headline), tb_report_get_headline (report)) != 0;
  gtk_label_set_text (self->headline, tb_report_get_headline (report));
  show_notes (self, report);
  show_choose_button (self, report);
  /* The report has not changed. */
  if (!has_changed && self->report != NULL
      && tb_report_get_n_figures (self->report) == tb_report_get_n_figures (report))
    return;
  g_set_object (&self->report, report);
  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    {
      GtkWidget *next = child != NULL ? gtk_widget_get_next_sibling (child) : NULL;

      if (child == NULL)
        gtk_box_append (GTK_BOX (self->figures), gtk_label_new (NULL));
      show_figure (self, tb_report_get_figure (report, i),
                   child != NULL ? child : gtk_widget_get_last_child (self->figures));
      child = next;
    }
}
