/* tb-scenarios-pane.c: pane for the scenarios of an analysis: choice of a proposed change and its
 * number, or typed text with error message, added to tb-scenario-list; list of them with their
 * predicted effects (rows by tb-scenario-row)
 *
 * The choices are the report actions of the selected item and of the report as a whole. Any other
 * scenario can be typed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/scenarios/tb-scenario-row.h"
#include "shell/scenarios/tb-scenarios-pane.h"

struct _TbScenariosPane
{
  AdwBin parent;

  TbDocument *document;
  TbScenarioList *scenarios;
  TbReport *report;
  GPtrArray *actions; /* TbReportAction of the report: those in the drop-down list */

  GtkLabel *hint_label;
  GtkDropDown *choice;
  GtkSpinButton *number;
  GtkWidget *add_button;
  GtkEditable *entry;
  GtkLabel *error_label;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (TbScenariosPane, tb_scenarios_pane, ADW_TYPE_BIN)

static void
tb_scenarios_pane_dispose (GObject *object)
{
  TbScenariosPane *self = TB_SCENARIOS_PANE (object);

  g_clear_pointer (&self->actions, g_ptr_array_unref);
  g_clear_object (&self->report);
  g_clear_object (&self->scenarios);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (tb_scenarios_pane_parent_class)->dispose (object);
}

static const TbReportAction *
get_action (TbScenariosPane *self)
{
  guint selected = gtk_drop_down_get_selected (self->choice);

  return self->actions != NULL && selected < self->actions->len
             ? g_ptr_array_index (self->actions, selected)
             : NULL;
}

static void
action_chosen (TbScenariosPane *self)
{
  const TbReportAction *action = get_action (self);
  gboolean has_number = action != NULL && tb_report_action_has_number (action);

  gtk_widget_set_sensitive (self->add_button, action != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->number), has_number);
  if (!has_number)
    return;
  gtk_spin_button_set_range (self->number, action->least, action->most);
  gtk_spin_button_set_digits (self->number, action->digits);
  gtk_spin_button_set_increments (self->number, action->digits > 0 ? 0.1 : 1, 10);
  gtk_spin_button_set_value (self->number, action->standard);
}

static void
add_actions (TbScenariosPane *self, const char *figure, const char *item)
{
  g_autoptr (GPtrArray) actions = tb_report_list_actions (self->report, figure, item);

  for (guint i = 0; i < actions->len; i++)
    if (((const TbReportAction *) g_ptr_array_index (actions, i))->kind == TB_REPORT_ACTION_TRY)
      g_ptr_array_add (self->actions, g_ptr_array_index (actions, i));
}

/* The actions of the selected item come before those of the whole report. */
static void
list_actions (TbScenariosPane *self)
{
  TbFocus *focus = tb_document_get_focus (self->document);
  const char *figure = tb_focus_get_figure (focus), *item = tb_focus_get_item (focus);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  gboolean any;

  g_clear_pointer (&self->actions, g_ptr_array_unref);
  if (self->report == NULL)
    return;
  self->actions = g_ptr_array_new ();
  if (figure != NULL && item != NULL)
    add_actions (self, figure, item);
  any = self->actions->len > 0;
  add_actions (self, "", "");
  for (guint i = 0; i < self->actions->len; i++)
    {
      g_autofree char *name = tb_report_action_describe (g_ptr_array_index (self->actions, i));

      gtk_string_list_append (names, name);
    }
  gtk_drop_down_set_model (self->choice, G_LIST_MODEL (names));
  gtk_label_set_text (self->hint_label,
                      any ? _ ("Change to predict:")
                      : item != NULL
                          ? _ ("No change is proposed for the selected item; type one below.")
                          : _ ("Select an item in the figure to change it."));
  action_chosen (self);
}

static void
set_error (TbScenariosPane *self, const char *text)
{
  gtk_label_set_text (self->error_label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), text != NULL);
  if (text != NULL)
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
      gtk_accessible_update_state (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID,
                                   GTK_ACCESSIBLE_INVALID_TRUE, -1);
      gtk_accessible_update_relation (GTK_ACCESSIBLE (self->entry),
                                      GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE, self->error_label,
                                      NULL, -1);
    }
  else
    {
      gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
      gtk_accessible_reset_state (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID);
      gtk_accessible_reset_relation (GTK_ACCESSIBLE (self->entry),
                                     GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE);
    }
}

static void
add_clicked (TbScenariosPane *self)
{
  const TbReportAction *action = get_action (self);

  if (action == NULL)
    return;
  gtk_spin_button_update (self->number);
  tb_scenario_list_add_action (self->scenarios, action, gtk_spin_button_get_value (self->number));
}

/* A text is not checked while it is typed, only when it is submitted. */
static void
text_changed (TbScenariosPane *self)
{
  set_error (self, NULL);
}

static void
text_activated (TbScenariosPane *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (self->entry)));
  g_autoptr (GError) error = NULL;

  if (*text == '\0')
    return;
  if (tb_scenario_list_add_text (self->scenarios, text, &error))
    gtk_editable_set_text (self->entry, "");
  else
    {
      set_error (self, error->message);
      gtk_accessible_announce (GTK_ACCESSIBLE (self), error->message,
                               GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
    }
}

static void
tb_scenarios_pane_class_init (TbScenariosPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_scenarios_pane_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-scenarios-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, TbScenariosPane, hint_label);
  gtk_widget_class_bind_template_child (widget_class, TbScenariosPane, choice);
  gtk_widget_class_bind_template_child (widget_class, TbScenariosPane, number);
  gtk_widget_class_bind_template_child (widget_class, TbScenariosPane, add_button);
  gtk_widget_class_bind_template_child (widget_class, TbScenariosPane, entry);
  gtk_widget_class_bind_template_child (widget_class, TbScenariosPane, error_label);
  gtk_widget_class_bind_template_child (widget_class, TbScenariosPane, list);
  gtk_widget_class_bind_template_callback (widget_class, action_chosen);
  gtk_widget_class_bind_template_callback (widget_class, add_clicked);
  gtk_widget_class_bind_template_callback (widget_class, text_changed);
  gtk_widget_class_bind_template_callback (widget_class, text_activated);
}

static void
tb_scenarios_pane_init (TbScenariosPane *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static GtkWidget *
make_row (gpointer scenario, gpointer scenarios)
{
  return tb_scenario_row_new (scenarios, scenario);
}

static void
scenarios_changed (TbScenariosPane *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->list),
                          g_list_model_get_n_items (tb_scenario_list_get_model (self->scenarios))
                              > 0);
}

/**
 * tb_scenarios_pane_new:
 * @document: document with the selected item
 * @scenarios: the scenarios
 *
 * Returns: a pane
 */
GtkWidget *
tb_scenarios_pane_new (TbDocument *document, TbScenarioList *scenarios)
{
  TbScenariosPane *self = g_object_new (TB_TYPE_SCENARIOS_PANE, NULL);

  self->document = g_object_ref (document);
  self->scenarios = g_object_ref (scenarios);
  gtk_list_box_bind_model (self->list, tb_scenario_list_get_model (scenarios), make_row,
                           g_object_ref (scenarios), g_object_unref);
  g_signal_connect_object (tb_scenario_list_get_model (scenarios), "items-changed",
                           G_CALLBACK (scenarios_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tb_document_get_focus (document), "selection-changed",
                           G_CALLBACK (list_actions), self, G_CONNECT_SWAPPED);
  scenarios_changed (self);
  return GTK_WIDGET (self);
}

void
tb_scenarios_pane_set_report (TbScenariosPane *self, TbReport *report)
{
  g_return_if_fail (TB_IS_SCENARIOS_PANE (self));

  if (g_set_object (&self->report, report))
    list_actions (self);
}

void
tb_scenarios_pane_focus (TbScenariosPane *self)
{
  g_return_if_fail (TB_IS_SCENARIOS_PANE (self));

  gtk_widget_grab_focus (self->actions != NULL && self->actions->len > 0
                             ? GTK_WIDGET (self->choice)
                             : GTK_WIDGET (self->entry));
}
