/* tb-record-target.c: target of the recording assistant: parsing of the command, choice of a
 * process (from tb-process-list), choice of a function to probe (tb-function-page), set as an
 * option of the collector, with its estimated cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/plugins/tb-command.h"
#include "shell/recording/tb-process-list.h"
#include "shell/recording/tb-record-dialog-private.h"

char *
tb_record_dialog_read_command (TbRecordDialog *self, char ***argv)
{
  const char *command = gtk_editable_get_text (GTK_EDITABLE (self->command_row));
  g_autoptr (GError) error = NULL;

  if (g_shell_parse_argv (command, NULL, argv, &error))
    return NULL;
  if (!g_error_matches (error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
    return g_strdup_printf (_ ("Cannot parse the command: %s"), error->message);
  return tb_record_dialog_get_scope (self) == TB_SCOPE_COMMAND
             ? g_strdup (_ ("Type the command to record."))
             : NULL;
}

/* Processes */

void
tb_record_dialog_process_activated (TbRecordDialog *self, guint position)
{
  GListModel *model = G_LIST_MODEL (gtk_list_view_get_model (self->process_view));
  g_autoptr (TbProcessItem) item = g_list_model_get_item (model, position);

  tb_record_dialog_set_process (self, tb_process_item_get_pid (item),
                                tb_process_item_get_name (item));
  adw_navigation_view_pop (self->navigation);
}

/* Enter chooses the first match. */
void
tb_record_dialog_process_search_activated (TbRecordDialog *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (self->process_view))) > 0)
    tb_record_dialog_process_activated (self, 0);
}

static void
show_found (TbRecordDialog *self)
{
  GListModel *model = G_LIST_MODEL (gtk_list_view_get_model (self->process_view));

  gtk_stack_set_visible_child_name (self->process_stack,
                                    model != NULL && g_list_model_get_n_items (model) > 0 ? "list"
                                                                                          : "none");
}

void
tb_record_dialog_choose_process (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (widget);
  g_autoptr (GtkSelectionModel) selection = NULL;
  g_autofree char *reason = NULL;
  GListStore *processes = tb_process_list_new (&reason);

  gtk_editable_set_text (GTK_EDITABLE (self->process_search), "");
  selection = tb_process_list_new_search (G_LIST_MODEL (processes), self->process_search);
  adw_status_page_set_description (self->process_none, reason);
  gtk_list_view_set_model (self->process_view, selection);
  g_signal_connect_object (selection, "items-changed", G_CALLBACK (show_found), self,
                           G_CONNECT_SWAPPED);
  show_found (self);
  adw_navigation_view_push_by_tag (self->navigation, "process");
  gtk_widget_grab_focus (GTK_WIDGET (self->process_search));
}

/* Function */

/* Returns the function of a collector that probes one; NULL for other collectors. */
static char *
get_function (TbRecordDialog *self)
{
  const TbCollectorChoice *choice = tb_record_dialog_get_choice (self);
  char *function = NULL;

  if (choice != NULL && tb_record_dialog_choice_has_function (choice))
    g_object_get (choice->collector, FUNCTION_OPTION, &function, NULL);
  return function;
}

/* Returns the target chosen so far. program holds the path of its program, argv the parsed
 * command. */
static TbTarget
get_target (TbRecordDialog *self, char ***argv, char **program)
{
  TbTarget target = { .scope = tb_record_dialog_get_scope (self), .pid = self->pid };
  g_autofree char *problem
      = target.scope != TB_SCOPE_PROCESS ? tb_record_dialog_read_command (self, argv) : NULL;

  if (problem == NULL && *argv != NULL)
    *program = tb_command_find_program ((*argv)[0], NULL);
  target.program = *program;
  return target;
}

void
tb_record_dialog_show_function (TbRecordDialog *self)
{
  g_autofree char *function = get_function (self);
  g_autofree char *text = NULL;

  if (function != NULL && *function != '\0')
    text = self->estimate != NULL ? g_strdup_printf ("%s\n%s", function, self->estimate)
                                  : g_strdup (function);
  gtk_widget_set_visible (GTK_WIDGET (self->function_row), function != NULL);
  adw_action_row_set_subtitle (self->function_row, text != NULL ? text : _ ("No function chosen"));
}

static void
estimated (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbRecordDialog) self = data;
  g_autofree char *estimate = tb_function_page_estimate_finish (result);

  if (g_task_get_cancellable (G_TASK (result)) != self->estimating)
    return;
  g_set_str (&self->estimate, estimate);
  tb_record_dialog_show_function (self);
}

/* Estimates the cost in a thread, because programs have to be read. */
static void
estimate (TbRecordDialog *self)
{
  g_auto (GStrv) argv = NULL;
  g_autofree char *program = NULL;
  TbTarget target = get_target (self, &argv, &program);
  g_autoptr (TbCollector) copy = tb_collector_choice_copy (tb_record_dialog_get_choice (self));

  g_clear_pointer (&self->estimate, g_free);
  g_cancellable_cancel (self->estimating);
  g_clear_object (&self->estimating);
  self->estimating = g_cancellable_new ();
  tb_function_page_estimate_async (TB_LIVE_COLLECTOR (copy), &target, self->estimating, estimated,
                                   g_object_ref (self));
}

void
tb_record_dialog_function_chosen (TbRecordDialog *self, const char *function)
{
  tb_record_dialog_set_function (self, function);
  adw_navigation_view_pop_to_tag (self->navigation, "options");
}

/* Lists the functions of the target chosen so far, or of the system if none is chosen. */
void
tb_record_dialog_choose_function (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (widget);
  g_auto (GStrv) argv = NULL;
  g_autofree char *program = NULL;
  TbTarget target = get_target (self, &argv, &program);
  g_autoptr (TbCollector) copy = tb_collector_choice_copy (tb_record_dialog_get_choice (self));

  adw_navigation_view_push_by_tag (self->navigation, "function");
  tb_function_page_list (self->function_page, TB_LIVE_COLLECTOR (copy), FUNCTION_OPTION, &target);
}

/**
 * tb_record_dialog_set_function:
 * @function: function to probe with the chosen collector
 *
 * Sets the function of a collector that probes one; a peak is then chosen while it runs. A
 * collector that records the calls of any functions records those of this one.
 */
void
tb_record_dialog_set_function (TbRecordDialog *self, const char *function)
{
  const TbCollectorChoice *choice;

  g_return_if_fail (TB_IS_RECORD_DIALOG (self));

  choice = tb_record_dialog_get_choice (self);
  if (choice == NULL)
    return;
  if (tb_record_dialog_choice_has_function (choice))
    {
      g_object_set (choice->collector, FUNCTION_OPTION, function, "interactive", TRUE, NULL);
      estimate (self);
    }
  else if (g_object_class_find_property (G_OBJECT_GET_CLASS (choice->collector), PROBES_OPTION)
           != NULL)
    g_object_set (choice->collector, PROBES_OPTION, (const char *const[]) { function, NULL }, NULL);
  else
    return;
  tb_record_dialog_show_options (self);
  tb_record_dialog_list_purposes (self);
  tb_record_dialog_update (self);
}
