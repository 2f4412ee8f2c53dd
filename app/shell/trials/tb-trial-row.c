/* tb-trial-row.c: row of one scenario and its predicted effect
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/trials/tb-outcome-bar.h"
#include "shell/trials/tb-trial-row.h"

struct _TbTrialRow
{
  AdwExpanderRow parent;

  TbTrials *trials;
  TbTrial *trial;
  TbTrialState state; /* the state shown last */

  GtkWidget *bar;
  GtkWidget *spinner;
  GtkWidget *cancel;
  GtkWidget *again;
  GtkWidget *remove;
  GtkLabel *detail;
  GtkLabel *command;
};

G_DEFINE_FINAL_TYPE (TbTrialRow, tb_trial_row, ADW_TYPE_EXPANDER_ROW)

static void
tb_trial_row_dispose (GObject *object)
{
  TbTrialRow *self = TB_TRIAL_ROW (object);

  g_clear_object (&self->trials);
  g_clear_object (&self->trial);
  G_OBJECT_CLASS (tb_trial_row_parent_class)->dispose (object);
}

static void
tb_trial_row_class_init (TbTrialRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tb_trial_row_dispose;
}

static void
cancel_clicked (TbTrialRow *self)
{
  tb_trials_cancel (self->trials, self->trial);
}

static void
again_clicked (TbTrialRow *self)
{
  tb_trials_run_again (self->trials, self->trial);
}

static void
remove_clicked (TbTrialRow *self)
{
  tb_trials_remove (self->trials, self->trial);
}

static GtkWidget *
add_button (TbTrialRow *self, const char *icon, const char *text, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, text);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  g_signal_connect_object (button, "clicked", clicked, self, G_CONNECT_SWAPPED);
  adw_expander_row_add_suffix (ADW_EXPANDER_ROW (self), button);
  return button;
}

static GtkLabel *
add_text (GtkWidget *box, const char *css_class)
{
  GtkWidget *label = gtk_label_new ("");

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static void
tb_trial_row_init (TbTrialRow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *row = gtk_list_box_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self), FALSE);
  adw_expander_row_set_title_lines (ADW_EXPANDER_ROW (self), 0);
  adw_expander_row_set_subtitle_lines (ADW_EXPANDER_ROW (self), 0);
  self->bar = tb_outcome_bar_new ();
  self->spinner = adw_spinner_new ();
  /* Each suffix is placed before the existing ones. */
  self->remove
      = add_button (self, "list-remove-symbolic", _ ("Do Not Try This"), G_CALLBACK (remove_clicked));
  self->again = add_button (self, "view-refresh-symbolic", _ ("Predict Again"), G_CALLBACK (again_clicked));
  self->cancel
      = add_button (self, "process-stop-symbolic", _ ("Cancel the Prediction"), G_CALLBACK (cancel_clicked));
  adw_expander_row_add_suffix (ADW_EXPANDER_ROW (self), self->spinner);
  adw_expander_row_add_suffix (ADW_EXPANDER_ROW (self), self->bar);

  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 10);
  gtk_widget_set_margin_bottom (box, 10);
  self->detail = add_text (box, "body");
  self->command = add_text (box, "monospace");
  gtk_widget_add_css_class (GTK_WIDGET (self->command), "dimmed");
  gtk_widget_add_css_class (GTK_WIDGET (self->command), "caption");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);
}

/* Announces a result that became available while the user was doing something else. */
static void
announce (TbTrialRow *self, const char *text)
{
  g_autofree char *said = g_strdup_printf ("%s: %s", tb_trial_get_label (self->trial), text);

  gtk_accessible_announce (GTK_ACCESSIBLE (self), said, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
show_command (TbTrialRow *self)
{
  g_autofree char *command = g_strdup_printf ("--option %s='%s'", tb_trials_get_option (self->trials),
                                              tb_trial_get_text (self->trial));

  gtk_label_set_text (self->command, command);
}

static void
update (TbTrialRow *self)
{
  TbTrialState state = tb_trial_get_state (self->trial);
  const TbOutcome *outcome = tb_trial_get_outcome (self->trial);
  g_autofree char *text = tb_trial_describe (self->trial);
  gboolean is_busy = state == TB_TRIAL_RUNNING || state == TB_TRIAL_WAITING;

  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), text);
  tb_outcome_bar_set_outcome (TB_OUTCOME_BAR (self->bar), state == TB_TRIAL_DONE ? outcome : NULL);
  gtk_label_set_text (self->detail, outcome != NULL ? outcome->detail : "");
  gtk_widget_set_visible (GTK_WIDGET (self->detail), outcome != NULL && *outcome->detail != '\0');
  show_command (self);
  gtk_widget_set_visible (self->spinner, state == TB_TRIAL_RUNNING);
  gtk_widget_set_visible (self->cancel, is_busy);
  gtk_widget_set_visible (self->again, state == TB_TRIAL_CANCELLED || state == TB_TRIAL_FAILED);
  if (state == TB_TRIAL_FAILED)
    gtk_widget_add_css_class (GTK_WIDGET (self), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "error");
  if (state != self->state && (state == TB_TRIAL_DONE || state == TB_TRIAL_FAILED))
    announce (self, text);
  self->state = state;
}

static void
progressed (TbTrialRow *self)
{
  g_autofree char *text = tb_trial_describe (self->trial);

  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), text);
}

GtkWidget *
tb_trial_row_new (TbTrials *trials, TbTrial *trial)
{
  TbTrialRow *self = g_object_new (TB_TYPE_TRIAL_ROW, NULL);

  self->trials = g_object_ref (trials);
  self->trial = g_object_ref (trial);
  self->state = tb_trial_get_state (trial);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), tb_trial_get_label (trial));
  gtk_widget_set_visible (self->remove, !tb_trial_is_together (trial));
  g_signal_connect_object (trial, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tb_trial_get_progress (trial), "notify", G_CALLBACK (progressed), self,
                           G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
