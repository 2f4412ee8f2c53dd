/* tb-analysis-scenarios.c: scenarios pane (tb-scenarios-pane) below the figures of an analysis:
 * its place, opening, height; report actions of the selected item or of one that a finding names:
 * other detail, or a statement asserted or retracted, each with a new run; new recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-analysis-page-private.h"
#include "shell/document/tb-figure-menu.h"
#include "shell/scenarios/tb-scenarios-pane.h"

#define OUTCOMES_HEIGHT 64

/* When the pane is opened first, it gets room for its scenarios and the first outcome, but at most
 * half of the height. Later the user's position is kept. */
static void
set_initial_height (TbAnalysisPage *self)
{
  GtkWidget *paned = GTK_WIDGET (self->figure_paned);
  int height = gtk_widget_get_height (paned), wanted;

  if (self->pane_was_opened || self->space.is_narrow || height == 0
      || !gtk_toggle_button_get_active (self->scenarios_button))
    return;
  self->pane_was_opened = TRUE;
  gtk_widget_measure (gtk_paned_get_end_child (self->figure_paned), GTK_ORIENTATION_VERTICAL,
                      gtk_widget_get_width (paned), NULL, &wanted, NULL, NULL);
  gtk_paned_set_position (self->figure_paned, height - MIN (wanted + OUTCOMES_HEIGHT, height / 2));
}

/* A narrow page has no room for both: the scenarios pane replaces the figure until it is closed. */
void
tb_analysis_page_fit_scenarios (TbAnalysisPage *self)
{
  GtkWidget *pane = gtk_paned_get_end_child (self->figure_paned);
  gboolean is_shown = pane != NULL && gtk_toggle_button_get_active (self->scenarios_button);

  gtk_widget_set_visible (gtk_paned_get_start_child (self->figure_paned),
                          !(is_shown && self->space.is_narrow));
}

static void
scenarios_toggled (TbAnalysisPage *self)
{
  GtkWidget *pane = gtk_paned_get_end_child (self->figure_paned);
  gboolean is_shown = gtk_toggle_button_get_active (self->scenarios_button);

  gtk_widget_set_visible (pane, is_shown);
  tb_analysis_page_fit_scenarios (self);
  set_initial_height (self);
  if (is_shown)
    tb_scenarios_pane_focus (TB_SCENARIOS_PANE (pane));
}

/* If the pane is open already, it gets the keyboard focus. */
static void
open_scenarios_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbAnalysisPage *self = TB_ANALYSIS_PAGE (widget);

  if (gtk_toggle_button_get_active (self->scenarios_button))
    tb_scenarios_pane_focus (TB_SCENARIOS_PANE (gtk_paned_get_end_child (self->figure_paned)));
  else
    gtk_toggle_button_set_active (self->scenarios_button, TRUE);
}

/* Adds the scenarios pane below the figures of an analysis that supports scenarios. */
void
tb_analysis_page_add_scenarios (TbAnalysisPage *self)
{
  g_autoptr (TbScenarioList) scenarios = tb_scenario_list_new (self->document, self->item);
  GtkWidget *pane;

  gtk_widget_set_visible (GTK_WIDGET (self->scenarios_button), scenarios != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "analysis.try", scenarios != NULL);
  if (scenarios == NULL)
    return;
  pane = tb_scenarios_pane_new (self->document, scenarios);
  gtk_widget_set_visible (pane, FALSE);
  gtk_paned_set_end_child (self->figure_paned, pane);
  gtk_paned_set_shrink_end_child (self->figure_paned, FALSE);
  g_signal_connect_object (self->scenarios_button, "toggled", G_CALLBACK (scenarios_toggled), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->figure_paned, "notify::max-position",
                           G_CALLBACK (set_initial_height), self, G_CONNECT_SWAPPED);
}

/* Kinds of report actions of an item, other than scenarios. */
typedef enum
{
  ACTION_CHANGE, /* show in more or less detail, or otherwise */
  ACTION_ASSERT, /* assert or retract a statement about it */
  ACTION_RECORD,
} ActionKind;

static gboolean
is_of_kind (const TbReportAction *action, ActionKind actions)
{
  switch (action->kind)
    {
    case TB_REPORT_ACTION_TRY:
      return FALSE;
    case TB_REPORT_ACTION_ASSERT:
    case TB_REPORT_ACTION_RETRACT:
      return actions == ACTION_ASSERT;
    case TB_REPORT_ACTION_RECORD:
      return actions == ACTION_RECORD;
    default:
      return actions == ACTION_CHANGE;
    }
}

/* Returns NULL if there is none. */
static const TbReportAction *
find_action (TbAnalysisPage *self, const char *figure, const char *item, ActionKind wanted)
{
  g_autoptr (GPtrArray) actions = NULL;

  if (self->report == NULL || figure == NULL || item == NULL
      || tb_document_is_comparison (self->document))
    return NULL;
  actions = tb_report_list_actions (self->report, figure, item);
  for (guint i = 0; i < actions->len; i++)
    {
      const TbReportAction *action = g_ptr_array_index (actions, i);

      if (is_of_kind (action, wanted))
        return action;
    }
  return NULL;
}

static const TbReportAction *
find_selected_action (TbAnalysisPage *self, ActionKind wanted)
{
  TbFocus *focus = tb_document_get_focus (self->document);

  return find_action (self, tb_focus_get_figure (focus), tb_focus_get_item (focus), wanted);
}

/**
 * tb_analysis_page_get_assertion_label:
 *
 * Returns: (nullable): display label of the statement that analysis.assert asserts or retracts for
 *   the selected item
 */
const char *
tb_analysis_page_get_assertion_label (TbAnalysisPage *self)
{
  const TbReportAction *action;

  g_return_val_if_fail (TB_IS_ANALYSIS_PAGE (self), NULL);

  action = find_selected_action (self, ACTION_ASSERT);
  return action != NULL ? action->label : NULL;
}

/**
 * tb_analysis_page_get_recording_label:
 *
 * Returns: (nullable): display label of the new recording that analysis.record makes for the
 *   selected item
 */
const char *
tb_analysis_page_get_recording_label (TbAnalysisPage *self)
{
  const TbReportAction *action;

  g_return_val_if_fail (TB_IS_ANALYSIS_PAGE (self), NULL);

  action = find_selected_action (self, ACTION_RECORD);
  return action != NULL ? action->label : NULL;
}

static void
apply_change (TbAnalysisPage *self, const TbReportAction *action, const char *item)
{
  TbReportAction of_item;

  if (action == NULL)
    return;
  of_item = *action;
  if (g_str_equal (action->text, TB_REPORT_ACTION_ANY))
    of_item.text = item;
  tb_analysis_item_apply_action (self->item, &of_item);
  tb_analysis_page_run (self);
}

static void
apply_selected_change (TbAnalysisPage *self, ActionKind wanted)
{
  /* The selected item may change during the run. */
  g_autofree char *item = g_strdup (tb_focus_get_item (tb_document_get_focus (self->document)));

  apply_change (self, find_selected_action (self, wanted), item);
}

void
tb_analysis_page_expand (TbAnalysisPage *self)
{
  apply_selected_change (self, ACTION_CHANGE);
}

/* Applies a report action of an item that a finding names: "(ss)", figure and item. */
static void
change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbAnalysisPage *self = TB_ANALYSIS_PAGE (widget);
  const char *figure, *item;

  g_variant_get (parameter, "(&s&s)", &figure, &item);
  apply_change (self, find_action (self, figure, item, ACTION_CHANGE), item);
}

static void
expand_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tb_analysis_page_expand (TB_ANALYSIS_PAGE (widget));
}

static void
assert_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbAnalysisPage *self = TB_ANALYSIS_PAGE (widget);

  apply_selected_change (self, ACTION_ASSERT);
}

/* The window provides the recording assistant. */
static void
record_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const TbReportAction *action = find_selected_action (TB_ANALYSIS_PAGE (widget), ACTION_RECORD);

  if (action != NULL)
    gtk_widget_activate_action (widget, "win.record-function", "(ss)", action->option,
                                action->text);
}

void
tb_analysis_page_selection_changed (TbAnalysisPage *self)
{
  const char *assertion = tb_analysis_page_get_assertion_label (self);
  const char *recording = tb_analysis_page_get_recording_label (self);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "analysis.expand",
                                 find_selected_action (self, ACTION_CHANGE) != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "analysis.assert", assertion != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "analysis.record", recording != NULL);
  if (self->figures_bin != NULL)
    tb_figure_menu_set_actions (self->figures_bin, assertion, recording);
}

void
tb_analysis_page_class_add_scenarios (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "analysis.try", NULL, open_scenarios_action);
  gtk_widget_class_install_action (widget_class, "analysis.expand", NULL, expand_action);
  gtk_widget_class_install_action (widget_class, "analysis.assert", NULL, assert_action);
  gtk_widget_class_install_action (widget_class, "analysis.record", NULL, record_action);
  gtk_widget_class_install_action (widget_class, "analysis.change", "(ss)", change_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_i, GDK_CONTROL_MASK, "analysis.try",
                                       NULL);
}
