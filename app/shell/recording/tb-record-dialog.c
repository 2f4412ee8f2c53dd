/* tb-record-dialog.c: recording assistant: dialog with rows for scope, command, process or function
 * (tb-record-target), collector and options (tb-record-collector) and file (tb-record-start) of a
 * new recording; reason why it cannot start, or only the command is recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/recording/tb-process-list.h"
#include "shell/recording/tb-record-dialog-private.h"
#include "shell/tb-banner.h"
#include "shell/tb-described-combo.h"

enum
{
  STARTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbRecordDialog, tb_record_dialog, ADW_TYPE_DIALOG)

const char *const tb_record_scope_names[TB_RECORD_N_SCOPES] = { "system", "command", "process" };

static void
tb_record_dialog_dispose (GObject *object)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (object);

  g_cancellable_cancel (self->survey);
  g_clear_object (&self->survey);
  g_cancellable_cancel (self->recheck_cancellable);
  g_clear_object (&self->recheck_cancellable);
  g_clear_handle_id (&self->recheck_source, g_source_remove);
  g_clear_pointer (&self->purposes, g_array_unref);
  g_clear_pointer (&self->survey_results, g_ptr_array_unref);
  g_cancellable_cancel (self->estimating);
  g_clear_object (&self->estimating);
  g_clear_pointer (&self->estimate, g_free);
  g_clear_pointer (&self->chosen_collector, g_free);
  g_clear_object (&self->file);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->choices, g_ptr_array_unref);
  G_OBJECT_CLASS (tb_record_dialog_parent_class)->dispose (object);
}

TbScope
tb_record_dialog_get_scope (TbRecordDialog *self)
{
  return MIN (adw_combo_row_get_selected (self->scope_row), TB_SCOPE_PROCESS);
}

const TbCollectorChoice *
tb_record_dialog_get_choice (TbRecordDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->collector_row);

  return selected < self->choices->len ? g_ptr_array_index (self->choices, selected) : NULL;
}

const TbPreflightResult *
tb_record_dialog_get_preflight (TbRecordDialog *self)
{
  const TbCollectorChoice *choice = tb_record_dialog_get_choice (self);

  return choice != NULL ? tb_preflight_survey_find_result (self->survey_results, choice->id) : NULL;
}

static gboolean
is_impossible (TbRecordDialog *self)
{
  const TbPreflightResult *preflight_result = tb_record_dialog_get_preflight (self);

  return preflight_result != NULL && !preflight_result->works;
}

gboolean
tb_record_dialog_choice_has_function (const TbCollectorChoice *choice)
{
  return TB_IS_LIVE_COLLECTOR (choice->collector)
         && g_object_class_find_property (G_OBJECT_GET_CLASS (choice->collector), FUNCTION_OPTION)
                != NULL;
}

char *
tb_record_dialog_find_problem (TbRecordDialog *self, char ***argv)
{
  g_autofree char *problem = NULL;

  *argv = NULL;
  if (tb_record_dialog_get_choice (self) == NULL)
    return g_strdup (_ ("No collector could be loaded. The preferences show the reason."));
  if (tb_record_dialog_choice_has_function (tb_record_dialog_get_choice (self)))
    {
      g_autofree char *function = NULL;

      g_object_get (tb_record_dialog_get_choice (self)->collector, FUNCTION_OPTION, &function,
                    NULL);
      if (function == NULL || *function == '\0')
        return g_strdup (_ ("Choose the function to analyze."));
    }
  if (!tb_option_rows_is_valid (self->option_rows))
    return g_strdup (_ ("An option has an invalid value: see the row marked red."));
  if (tb_record_dialog_get_scope (self) == TB_SCOPE_PROCESS)
    return self->pid == 0 ? g_strdup (_ ("Choose the process to record.")) : NULL;
  problem = tb_record_dialog_read_command (self, argv);
  /* With a command, the command alone is recorded if the system cannot be. */
  if (problem == NULL && tb_record_dialog_get_scope (self) == TB_SCOPE_SYSTEM && *argv == NULL
      && is_impossible (self))
    return g_strdup (_ ("The whole system cannot be recorded here: record a command."));
  return g_steal_pointer (&problem);
}

/* Shows that less than the whole system is recorded, and what the user can do. */
static void
show_limit (TbRecordDialog *self)
{
  gboolean limited = tb_record_dialog_get_scope (self) == TB_SCOPE_SYSTEM && is_impossible (self);
  gboolean has_command = gtk_editable_get_text (GTK_EDITABLE (self->command_row))[0] != '\0';

  gtk_widget_set_visible (GTK_WIDGET (self->limit_row), limited);
  gtk_widget_set_visible (self->limit_button, !has_command);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->limit_row),
                                 has_command ? _ ("Only the command will be recorded")
                                             : _ ("The whole system cannot be recorded here"));
  adw_action_row_set_subtitle (
      self->limit_row,
      has_command ? _ ("Chains of causes end at threads of other programs. The reason is below.")
                  : _ ("The reason is below. A command can still be recorded."));
}

void
tb_record_dialog_update (TbRecordDialog *self)
{
  g_auto (GStrv) argv = NULL;
  g_autofree char *problem = tb_record_dialog_find_problem (self, &argv);
  TbScope scope = tb_record_dialog_get_scope (self);

  gtk_widget_set_visible (GTK_WIDGET (self->command_row), scope != TB_SCOPE_PROCESS);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->command_row),
                                 scope == TB_SCOPE_SYSTEM ? _ ("Co_mmand to run (optional)")
                                                          : _ ("Co_mmand"));
  gtk_widget_set_visible (GTK_WIDGET (self->process_row), scope == TB_SCOPE_PROCESS);
  show_limit (self);
  tb_record_dialog_show_function (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "record.start",
                                 problem == NULL && !self->start_pending);
}

/* The user is correcting the command. */
static void
command_changed (TbRecordDialog *self)
{
  gtk_widget_remove_css_class (GTK_WIDGET (self->command_row), "error");
  if (self->choices->len > 0)
    tb_banner_set_text (self->problem_banner, NULL);
  tb_record_dialog_update (self);
}

static void
record_command_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (widget);

  adw_combo_row_set_selected (self->scope_row, TB_SCOPE_COMMAND);
  gtk_widget_grab_focus (GTK_WIDGET (self->command_row));
}

static void
scope_changed (TbRecordDialog *self)
{
  tb_record_dialog_start_survey (self);
  tb_record_dialog_update (self);
}

static void
list_scopes (TbRecordDialog *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  tb_described_combo_append (names, _ ("Whole System"),
                             _ ("Everything that runs: chains of causes are complete"));
  tb_described_combo_append (names, _ ("Command"),
                             _ ("A program that is started now, and what it starts"));
  tb_described_combo_append (names, _ ("Process"),
                             _ ("A program that runs already, and what it starts from now on"));
  adw_combo_row_set_model (self->scope_row, G_LIST_MODEL (names));
}

/* Pending preflights are no longer needed. */
static void
tb_record_dialog_closed (AdwDialog *dialog)
{
  g_cancellable_cancel (TB_RECORD_DIALOG (dialog)->survey);
  tb_record_dialog_cancel_recheck (TB_RECORD_DIALOG (dialog));
}

static void
tb_record_dialog_class_init (TbRecordDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (TB_TYPE_FUNCTION_PAGE);
  g_type_ensure (TB_TYPE_OPTION_ROWS);
  g_type_ensure (TB_TYPE_PREFLIGHT_GROUP);
  G_OBJECT_CLASS (klass)->dispose = tb_record_dialog_dispose;
  ADW_DIALOG_CLASS (klass)->closed = tb_record_dialog_closed;
  /* Emitted with the recording to start. */
  signals[STARTED] = g_signal_new ("record", TB_TYPE_RECORD_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, TB_TYPE_RECORDING);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-record-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, navigation);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, problem_banner);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, scope_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, command_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, limit_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, limit_button);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, process_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, file_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, collector_group);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, purpose_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, collector_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, function_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, function_page);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, option_rows);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, preflight);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, process_search);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, process_view);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, process_stack);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, process_none);
  gtk_widget_class_bind_template_callback (widget_class, adw_dialog_close);
  gtk_widget_class_install_action (widget_class, "record.start", NULL, tb_record_dialog_start);
  gtk_widget_class_install_action (widget_class, "record.command", NULL, record_command_action);
  gtk_widget_class_install_action (widget_class, "record.choose-process", NULL,
                                   tb_record_dialog_choose_process);
  gtk_widget_class_install_action (widget_class, "record.choose-function", NULL,
                                   tb_record_dialog_choose_function);
  gtk_widget_class_install_action (widget_class, "record.survey", NULL, tb_record_dialog_survey);
  gtk_widget_class_install_action (widget_class, "record.choose-file", NULL,
                                   tb_record_dialog_choose_file);
}

static void
tb_record_dialog_init (TbRecordDialog *self)
{
  g_autoptr (GtkListItemFactory) factory = tb_process_list_new_factory ();

  self->choices = g_ptr_array_new ();
  self->purposes = g_array_new (FALSE, FALSE, sizeof (guint));
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_view_set_factory (self->process_view, factory);
  tb_described_combo_prepare (self->scope_row);
  tb_described_combo_prepare (self->purpose_row);
  tb_described_combo_prepare (self->collector_row);
  list_scopes (self);
  g_signal_connect_object (self->process_view, "activate",
                           G_CALLBACK (tb_record_dialog_process_activated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->process_search, "activate",
                           G_CALLBACK (tb_record_dialog_process_search_activated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->command_row, "changed", G_CALLBACK (command_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->option_rows, "changed",
                           G_CALLBACK (tb_record_dialog_options_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->function_page, "chosen",
                           G_CALLBACK (tb_record_dialog_function_chosen), self, G_CONNECT_SWAPPED);
}

/**
 * tb_record_dialog_new:
 * @settings: settings of the application, with the last choices
 *
 * Returns: the assistant; its signal `record` passes the #TbRecording to start
 */
AdwDialog *
tb_record_dialog_new (GSettings *settings)
{
  TbRecordDialog *self = g_object_new (TB_TYPE_RECORD_DIALOG, NULL);
  g_autofree char *scope = g_settings_get_string (settings, "scope");
  g_autofree char *command = g_settings_get_string (settings, "command");

  self->settings = g_object_ref (settings);
  gtk_editable_set_text (GTK_EDITABLE (self->command_row), command);
  for (guint i = 0; i < TB_RECORD_N_SCOPES; i++)
    if (g_strcmp0 (tb_record_scope_names[i], scope) == 0)
      adw_combo_row_set_selected (self->scope_row, i);
  adw_action_row_set_subtitle (self->file_row,
                               _ ("Among your recordings, named by target and time"));
  tb_record_dialog_list_collectors (self);
  g_signal_connect_object (self->scope_row, "notify::selected", G_CALLBACK (scope_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->collector_row, "notify::selected",
                           G_CALLBACK (tb_record_dialog_collector_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->purpose_row, "notify::selected",
                           G_CALLBACK (tb_record_dialog_purpose_changed), self, G_CONNECT_SWAPPED);
  scope_changed (self);
  return ADW_DIALOG (self);
}

void
tb_record_dialog_set_scope (TbRecordDialog *self, TbScope scope)
{
  g_return_if_fail (TB_IS_RECORD_DIALOG (self));
  adw_combo_row_set_selected (self->scope_row, scope);
}

void
tb_record_dialog_set_command (TbRecordDialog *self, const char *command)
{
  g_return_if_fail (TB_IS_RECORD_DIALOG (self));
  gtk_editable_set_text (GTK_EDITABLE (self->command_row), command);
}

void
tb_record_dialog_set_process (TbRecordDialog *self, gint32 pid, const char *name)
{
  g_autofree char *text = NULL;
  g_autofree char *escaped = NULL;

  g_return_if_fail (TB_IS_RECORD_DIALOG (self));

  self->pid = pid;
  text = g_strdup_printf ("%s (%d)", name, pid);
  escaped = g_markup_escape_text (text, -1);
  adw_action_row_set_subtitle (self->process_row, escaped);
  tb_record_dialog_update (self);
}

void
tb_record_dialog_set_file (TbRecordDialog *self, GFile *file)
{
  g_autofree char *name = NULL;
  g_autofree char *escaped = NULL;

  g_return_if_fail (TB_IS_RECORD_DIALOG (self));

  g_set_object (&self->file, file);
  name = g_file_get_parse_name (file);
  escaped = g_markup_escape_text (name, -1);
  adw_action_row_set_subtitle (self->file_row, escaped);
}

/**
 * tb_record_dialog_set_collector:
 * @id: id of a collector, selected as if the user had chosen it
 *
 * Returns: whether there is such a collector
 */
gboolean
tb_record_dialog_set_collector (TbRecordDialog *self, const char *id)
{
  g_return_val_if_fail (TB_IS_RECORD_DIALOG (self), FALSE);

  for (guint i = 0; i < self->choices->len; i++)
    if (g_str_equal (((TbCollectorChoice *) g_ptr_array_index (self->choices, i))->id, id))
      {
        adw_combo_row_set_selected (self->collector_row, i);
        return TRUE;
      }
  return FALSE;
}
