/* tb-scenario-row.c: row of one scenario: progress of its prediction, predicted effect, buttons to
 * cancel, repeat or remove it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/scenarios/tb-outcome-bar.h"
#include "shell/scenarios/tb-scenario-row.h"

struct _TbScenarioRow
{
  AdwExpanderRow parent;

  TbScenarioList *scenarios;
  TbScenario *scenario;
  TbScenarioState state; /* the state shown last */

  GtkWidget *bar;
  GtkWidget *spinner;
  GtkWidget *cancel;
  GtkWidget *again;
  GtkWidget *remove;
  GtkLabel *detail;
  GtkLabel *command;
};

G_DEFINE_FINAL_TYPE (TbScenarioRow, tb_scenario_row, ADW_TYPE_EXPANDER_ROW)

static void
tb_scenario_row_dispose (GObject *object)
{
  TbScenarioRow *self = TB_SCENARIO_ROW (object);

  g_clear_object (&self->scenarios);
  g_clear_object (&self->scenario);
  G_OBJECT_CLASS (tb_scenario_row_parent_class)->dispose (object);
}

static void
tb_scenario_row_class_init (TbScenarioRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tb_scenario_row_dispose;
}

static void
cancel_clicked (TbScenarioRow *self)
{
  tb_scenario_list_cancel (self->scenarios, self->scenario);
}

static void
again_clicked (TbScenarioRow *self)
{
  tb_scenario_list_run_again (self->scenarios, self->scenario);
}

static void
remove_clicked (TbScenarioRow *self)
{
  tb_scenario_list_remove (self->scenarios, self->scenario);
}

static GtkWidget *
add_button (TbScenarioRow *self, const char *icon, const char *text, GCallback clicked)
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
tb_scenario_row_init (TbScenarioRow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *row = gtk_list_box_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self), FALSE);
  adw_expander_row_set_title_lines (ADW_EXPANDER_ROW (self), 0);
  adw_expander_row_set_subtitle_lines (ADW_EXPANDER_ROW (self), 0);
  self->bar = tb_outcome_bar_new ();
  self->spinner = adw_spinner_new ();
  /* Each suffix is placed before the existing ones. */
  self->remove = add_button (self, "list-remove-symbolic", _ ("Remove this scenario"),
                             G_CALLBACK (remove_clicked));
  self->again
      = add_button (self, "view-refresh-symbolic", _ ("Predict again"), G_CALLBACK (again_clicked));
  self->cancel = add_button (self, "process-stop-symbolic", _ ("Cancel the prediction"),
                             G_CALLBACK (cancel_clicked));
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
announce (TbScenarioRow *self, const char *text)
{
  g_autofree char *message
      = g_strdup_printf ("%s: %s", tb_scenario_get_label (self->scenario), text);

  gtk_accessible_announce (GTK_ACCESSIBLE (self), message,
                           GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
show_command (TbScenarioRow *self)
{
  g_autofree char *command
      = g_strdup_printf ("--option %s='%s'", tb_scenario_list_get_option (self->scenarios),
                         tb_scenario_get_text (self->scenario));

  gtk_label_set_text (self->command, command);
}

static void
update (TbScenarioRow *self)
{
  TbScenarioState state = tb_scenario_get_state (self->scenario);
  const TbScenarioOutcome *outcome = tb_scenario_get_outcome (self->scenario);
  g_autofree char *text = tb_scenario_describe (self->scenario);
  gboolean is_busy = state == TB_SCENARIO_RUNNING || state == TB_SCENARIO_WAITING;

  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), text);
  tb_outcome_bar_set_outcome (TB_OUTCOME_BAR (self->bar),
                              state == TB_SCENARIO_DONE ? outcome : NULL);
  gtk_label_set_text (self->detail, outcome != NULL ? outcome->detail : "");
  gtk_widget_set_visible (GTK_WIDGET (self->detail), outcome != NULL && *outcome->detail != '\0');
  show_command (self);
  gtk_widget_set_visible (self->spinner, state == TB_SCENARIO_RUNNING);
  gtk_widget_set_visible (self->cancel, is_busy);
  gtk_widget_set_visible (self->again,
                          state == TB_SCENARIO_CANCELLED || state == TB_SCENARIO_FAILED);
  if (state == TB_SCENARIO_FAILED)
    gtk_widget_add_css_class (GTK_WIDGET (self), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "error");
  if (state != self->state && (state == TB_SCENARIO_DONE || state == TB_SCENARIO_FAILED))
    announce (self, text);
  self->state = state;
}

static void
progressed (TbScenarioRow *self)
{
  g_autofree char *text = tb_scenario_describe (self->scenario);

  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), text);
}

GtkWidget *
tb_scenario_row_new (TbScenarioList *scenarios, TbScenario *scenario)
{
  TbScenarioRow *self = g_object_new (TB_TYPE_SCENARIO_ROW, NULL);

  self->scenarios = g_object_ref (scenarios);
  self->scenario = g_object_ref (scenario);
  self->state = tb_scenario_get_state (scenario);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), tb_scenario_get_label (scenario));
  gtk_widget_set_visible (self->remove, !tb_scenario_is_combined (scenario));
  g_signal_connect_object (scenario, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tb_scenario_get_progress (scenario), "notify", G_CALLBACK (progressed),
                           self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
