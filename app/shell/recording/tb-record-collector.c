/* tb-record-collector.c: collector in the recording assistant: list and choice, by default the
 * first that works; choice of a purpose (tb-record-purpose); rows of its options; preflight
 * (tb-preflight-survey), repeated when options or purpose change
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/recording/tb-record-dialog-private.h"
#include "shell/tb-banner.h"
#include "shell/tb-described-combo.h"

/* The cost is requested when the options have not changed for this time (ms). */
#define RECHECK_DELAY_MS 800

/* Preflight */

static void
show_preflight (TbRecordDialog *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->preflight), tb_record_dialog_get_choice (self) != NULL);
  tb_preflight_group_show (self->preflight, tb_record_dialog_get_preflight (self));
}

static void
select_choice (TbRecordDialog *self, guint index)
{
  self->is_selecting = TRUE;
  adw_combo_row_set_selected (self->collector_row, index);
  self->is_selecting = FALSE;
}

/* Selects the first collector that works, unless the user has chosen one. */
static void
select_best (TbRecordDialog *self)
{
  for (guint i = 0; self->chosen_collector[0] == '\0' && i < self->choices->len; i++)
    {
      const TbCollectorChoice *choice = g_ptr_array_index (self->choices, i);
      const TbPreflightResult *preflight_result
          = tb_preflight_survey_find_result (self->survey_results, choice->id);

      if (preflight_result == NULL || !preflight_result->works)
        continue;
      select_choice (self, i);
      return;
    }
}

static void
survey_results (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbRecordDialog) self = data;
  GPtrArray *new_results = tb_preflight_survey_run_finish (result, NULL);

  if (new_results == NULL || g_task_get_cancellable (G_TASK (result)) != self->survey)
    {
      g_clear_pointer (&new_results, g_ptr_array_unref);
      return;
    }
  self->survey_results = new_results;
  select_best (self);
  show_preflight (self);
  if (self->start_pending)
    {
      self->start_pending = FALSE;
      tb_record_dialog_update (self);
      gtk_widget_activate_action (GTK_WIDGET (self), "record.start", NULL);
    }
  else
    tb_record_dialog_update (self);
}

void
tb_record_dialog_cancel_recheck (TbRecordDialog *self)
{
  g_clear_handle_id (&self->recheck_source, g_source_remove);
  g_cancellable_cancel (self->recheck_cancellable);
  g_clear_object (&self->recheck_cancellable);
}

void
tb_record_dialog_start_survey (TbRecordDialog *self)
{
  g_cancellable_cancel (self->survey);
  g_clear_object (&self->survey);
  tb_record_dialog_cancel_recheck (self);
  g_clear_pointer (&self->survey_results, g_ptr_array_unref);
  show_preflight (self);
  if (self->choices->len == 0)
    return;
  self->survey = g_cancellable_new ();
  tb_preflight_survey_run_async (self->choices, tb_record_dialog_get_scope (self), self->survey,
                                 survey_results, g_object_ref (self));
}

static void
recheck_done (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbRecordDialog) self = data;
  g_autoptr (GPtrArray) new_results = tb_preflight_survey_run_finish (result, NULL);

  if (new_results == NULL || new_results->len == 0 || self->survey_results == NULL
      || g_task_get_cancellable (G_TASK (result)) != self->recheck_cancellable)
    return;
  tb_preflight_survey_replace_results (self->survey_results, new_results);
  show_preflight (self);
  tb_record_dialog_update (self);
}

/* Repeats the preflight for changed options, since other things may be missing and the cost may
 * differ. The previous result is shown until then. */
static gboolean
recheck (gpointer data)
{
  TbRecordDialog *self = data;
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();

  self->recheck_source = 0;
  tb_record_dialog_cancel_recheck (self);
  if (tb_record_dialog_get_choice (self) == NULL || self->survey_results == NULL)
    return G_SOURCE_REMOVE;
  g_ptr_array_add (chosen, (gpointer) tb_record_dialog_get_choice (self));
  self->recheck_cancellable = g_cancellable_new ();
  tb_preflight_survey_run_async (chosen, tb_record_dialog_get_scope (self),
                                 self->recheck_cancellable, recheck_done, g_object_ref (self));
  return G_SOURCE_REMOVE;
}

static void
schedule_recheck (TbRecordDialog *self)
{
  tb_record_dialog_cancel_recheck (self);
  self->recheck_source = g_timeout_add (RECHECK_DELAY_MS, recheck, self);
}

void
tb_record_dialog_survey (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tb_record_dialog_start_survey (TB_RECORD_DIALOG (widget));
}

/* Collectors */

void
tb_record_dialog_show_options (TbRecordDialog *self)
{
  const TbCollectorChoice *choice = tb_record_dialog_get_choice (self);
  g_auto (GStrv) names = choice != NULL ? tb_collector_get_options (choice->collector) : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->option_rows),
                          tb_option_rows_set_plugin (self->option_rows,
                                                     choice != NULL ? G_OBJECT (choice->collector)
                                                                    : NULL,
                                                     (const char *const *) names)
                              > 0);
}

/* Purposes */

/* Lists the purposes that the collector supports, and selects the one that matches its options. */
void
tb_record_dialog_list_purposes (TbRecordDialog *self)
{
  const TbCollectorChoice *choice = tb_record_dialog_get_choice (self);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint purpose = choice != NULL ? tb_record_purpose_find (choice) : 0, selected = 0;

  g_array_set_size (self->purposes, 0);
  for (guint i = 0; choice != NULL && i < tb_record_purpose_get_n (); i++)
    {
      if (!tb_record_purpose_suits (i, choice))
        continue;
      if (i == purpose)
        selected = self->purposes->len;
      g_array_append_val (self->purposes, i);
      tb_described_combo_append (names, tb_record_purpose_get_name (i),
                                 tb_record_purpose_get_description (i));
    }
  gtk_widget_set_visible (GTK_WIDGET (self->purpose_row), self->purposes->len > 1);
  if (purpose == tb_record_purpose_get_n ())
    {
      selected = self->purposes->len;
      tb_described_combo_append (names, _ ("Custom Options"),
                                 _ ("The options below as you set them"));
    }
  self->is_selecting = TRUE;
  adw_combo_row_set_model (self->purpose_row, G_LIST_MODEL (names));
  adw_combo_row_set_selected (self->purpose_row, selected);
  self->is_selecting = FALSE;
}

void
tb_record_dialog_purpose_changed (TbRecordDialog *self)
{
  const TbCollectorChoice *choice = tb_record_dialog_get_choice (self);
  guint selected = adw_combo_row_get_selected (self->purpose_row);

  if (self->is_selecting || choice == NULL || selected >= self->purposes->len)
    return;
  /* The rows follow the changed options and must not be taken for changes by the user. */
  self->is_selecting = TRUE;
  tb_record_purpose_apply (g_array_index (self->purposes, guint, selected), choice);
  self->is_selecting = FALSE;
  tb_record_dialog_show_options (self);
  schedule_recheck (self);
  tb_record_dialog_update (self);
}

void
tb_record_dialog_options_changed (TbRecordDialog *self)
{
  if (self->is_selecting)
    return;
  tb_record_dialog_list_purposes (self);
  schedule_recheck (self);
  tb_record_dialog_update (self);
}

void
tb_record_dialog_collector_changed (TbRecordDialog *self)
{
  if (!self->is_selecting && tb_record_dialog_get_choice (self) != NULL)
    g_set_str (&self->chosen_collector, tb_record_dialog_get_choice (self)->id);
  tb_record_dialog_show_options (self);
  tb_record_dialog_list_purposes (self);
  show_preflight (self);
  tb_record_dialog_update (self);
}

void
tb_record_dialog_list_collectors (TbRecordDialog *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autofree char *problem = NULL;
  gboolean has_wanted = FALSE;

  self->chosen_collector = g_settings_get_string (self->settings, "collector");
  g_ptr_array_unref (self->choices);
  self->choices = tb_collector_choice_list (&problem);
  for (guint i = 0; i < self->choices->len; i++)
    {
      const TbCollectorChoice *choice = g_ptr_array_index (self->choices, i);

      tb_described_combo_append (names, choice->name, choice->description);
    }
  adw_combo_row_set_model (self->collector_row, G_LIST_MODEL (names));
  for (guint i = 0; i < self->choices->len; i++)
    if (g_strcmp0 (((TbCollectorChoice *) g_ptr_array_index (self->choices, i))->id,
                   self->chosen_collector)
        == 0)
      {
        select_choice (self, i);
        has_wanted = TRUE;
      }
  if (!has_wanted)
    g_set_str (&self->chosen_collector, "");
  gtk_widget_set_visible (GTK_WIDGET (self->collector_row), self->choices->len > 1);
  tb_banner_set_text (self->problem_banner, self->choices->len == 0 ? problem : NULL);
  tb_record_dialog_show_options (self);
  tb_record_dialog_list_purposes (self);
  gtk_widget_set_visible (GTK_WIDGET (self->collector_group),
                          gtk_widget_get_visible (GTK_WIDGET (self->collector_row))
                              || gtk_widget_get_visible (GTK_WIDGET (self->purpose_row)));
}

/* The choice is stored only if it differs from the automatic one. */
void
tb_record_dialog_save_collector (TbRecordDialog *self)
{
  for (guint i = 0; self->chosen_collector[0] != '\0' && i < self->choices->len; i++)
    {
      const TbCollectorChoice *choice = g_ptr_array_index (self->choices, i);
      const TbPreflightResult *preflight_result
          = tb_preflight_survey_find_result (self->survey_results, choice->id);

      if (preflight_result == NULL || !preflight_result->works)
        continue;
      if (g_str_equal (choice->id, self->chosen_collector))
        g_set_str (&self->chosen_collector, "");
      break;
    }
  g_settings_set_string (self->settings, "collector", self->chosen_collector);
}
