/* tb-record-dialog.c: the recording assistant
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/tb-command.h"
#include "report/tb-report.h"
#include "shell/tb-described-combo.h"
#include "shell/tb-option-rows.h"
#include "shell/recording/tb-function-page.h"
#include "shell/recording/tb-preflight-group.h"
#include "shell/recording/tb-process-list.h"
#include "shell/recording/tb-record-dialog.h"
#include "shell/recording/tb-record-purpose.h"
#include "shell/tb-scratch.h"
#include "shell/recording/tb-survey.h"

/* What options cost is asked when they have not changed for so long (ms). */
#define PATIENCE_MS 800

struct _TbRecordDialog
{
  AdwDialog parent;

  GSettings *settings;
  GPtrArray *choices;    /* of TbCollectorChoice, the one to be taken rather first */
  GPtrArray *surveyed;   /* of TbSurveyed: what they say of this scope, NULL while they are asked */
  char *wanted;          /* the collector that the user chose, "" the best that works */
  gboolean is_selecting; /* by itself, not by the user */
  gboolean start_wanted; /* as soon as they have answered */
  gint32 pid;
  GFile *file;          /* chosen by the user, else NULL */
  GCancellable *survey; /* of all */
  GCancellable *again;  /* of the chosen one, whose options changed */
  guint again_soon;
  char *estimate;           /* of what the function costs, NULL not known */
  GCancellable *estimating; /* the last one */
  GArray *purposes;         /* of guint: those that are offered */

  AdwNavigationView *navigation;
  AdwBanner *problem_banner;
  AdwComboRow *scope_row;
  AdwEntryRow *command_row;
  AdwActionRow *limit_row;
  GtkWidget *limit_button;
  AdwActionRow *process_row;
  AdwActionRow *file_row;
  AdwPreferencesGroup *collector_group;
  AdwComboRow *purpose_row;
  AdwComboRow *collector_row;
  AdwActionRow *function_row;
  TbFunctionPage *function_page;
  TbOptionRows *option_rows;
  TbPreflightGroup *preflight;
  GtkSearchEntry *process_search;
  GtkListView *process_view;
  GtkStack *process_stack;
};

enum
{
  STARTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbRecordDialog, tb_record_dialog, ADW_TYPE_DIALOG)

#define FUNCTION_OPTION "function"

static const char *const scope_names[] = { "system", "command", "process" };

static void
tb_record_dialog_dispose (GObject *object)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (object);

  g_cancellable_cancel (self->survey);
  g_clear_object (&self->survey);
  g_cancellable_cancel (self->again);
  g_clear_object (&self->again);
  g_clear_handle_id (&self->again_soon, g_source_remove);
  g_clear_pointer (&self->purposes, g_array_unref);
  g_clear_pointer (&self->surveyed, g_ptr_array_unref);
  g_cancellable_cancel (self->estimating);
  g_clear_object (&self->estimating);
  g_clear_pointer (&self->estimate, g_free);
  g_clear_pointer (&self->wanted, g_free);
  g_clear_object (&self->file);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->choices, g_ptr_array_unref);
  G_OBJECT_CLASS (tb_record_dialog_parent_class)->dispose (object);
}

static TbScope
get_scope (TbRecordDialog *self)
{
  return MIN (adw_combo_row_get_selected (self->scope_row), TB_SCOPE_PROCESS);
}

static const TbCollectorChoice *
get_choice (TbRecordDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->collector_row);

  return selected < self->choices->len ? g_ptr_array_index (self->choices, selected) : NULL;
}

/* What the chosen collector says of the chosen scope; NULL while it is asked. */
static const TbSurveyed *
get_answer (TbRecordDialog *self)
{
  const TbCollectorChoice *choice = get_choice (self);

  return choice != NULL ? tb_survey_find (self->surveyed, choice->id) : NULL;
}

static gboolean
is_impossible (TbRecordDialog *self)
{
  const TbSurveyed *answer = get_answer (self);

  return answer != NULL && !answer->works;
}

static gboolean
has_function (const TbCollectorChoice *choice)
{
  return TB_IS_LIVE_COLLECTOR (choice->collector)
         && g_object_class_find_property (G_OBJECT_GET_CLASS (choice->collector), FUNCTION_OPTION) != NULL;
}

/* Whether a command is told, which for the whole system is not needed. (out) argv: nullable */
static char *
read_command (TbRecordDialog *self, char ***argv)
{
  const char *command = gtk_editable_get_text (GTK_EDITABLE (self->command_row));
  g_autoptr (GError) error = NULL;

  if (g_shell_parse_argv (command, NULL, argv, &error))
    return NULL;
  if (!g_error_matches (error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
    return g_strdup_printf (_ ("The command cannot be read: %s"), error->message);
  return get_scope (self) == TB_SCOPE_COMMAND ? g_strdup (_ ("Type the command to record.")) : NULL;
}

/* A sentence on what is missing before it can start; NULL if nothing is. */
static char *
find_problem (TbRecordDialog *self, char ***argv)
{
  g_autofree char *problem = NULL;

  *argv = NULL;
  if (get_choice (self) == NULL)
    return g_strdup (_ ("No collector could be loaded. The preferences tell why."));
  if (has_function (get_choice (self)))
    {
      g_autofree char *function = NULL;

      g_object_get (get_choice (self)->collector, FUNCTION_OPTION, &function, NULL);
      if (function == NULL || *function == '\0')
        return g_strdup (_ ("Choose the function to look into."));
    }
  if (!tb_option_rows_is_valid (self->option_rows))
    return g_strdup (_ ("An option has a value it cannot have: see the row marked red."));
  if (get_scope (self) == TB_SCOPE_PROCESS)
    return self->pid == 0 ? g_strdup (_ ("Choose the process to record.")) : NULL;
  problem = read_command (self, argv);
  /* With a command, that is recorded where the system cannot be. */
  if (problem == NULL && get_scope (self) == TB_SCOPE_SYSTEM && *argv == NULL && is_impossible (self))
    return g_strdup (_ ("The whole system cannot be recorded here: record a command."));
  return g_steal_pointer (&problem);
}

/* That less than the whole system is recorded, and what to do about it. */
static void
show_limit (TbRecordDialog *self)
{
  gboolean limited = get_scope (self) == TB_SCOPE_SYSTEM && is_impossible (self);
  gboolean has_command = gtk_editable_get_text (GTK_EDITABLE (self->command_row))[0] != '\0';

  gtk_widget_set_visible (GTK_WIDGET (self->limit_row), limited);
  gtk_widget_set_visible (self->limit_button, !has_command);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->limit_row),
                                 has_command ? _ ("Only the command will be recorded")
                                             : _ ("The whole system cannot be recorded here"));
  adw_action_row_set_subtitle (self->limit_row,
                               has_command ? _ ("Chains of causes end where they leave it. Below is why.")
                                           : _ ("Below is why. A command can be recorded all the same."));
}

static void show_function (TbRecordDialog *self);

static void
update (TbRecordDialog *self)
{
  g_auto (GStrv) argv = NULL;
  g_autofree char *problem = find_problem (self, &argv);
  TbScope scope = get_scope (self);

  gtk_widget_set_visible (GTK_WIDGET (self->command_row), scope != TB_SCOPE_PROCESS);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->command_row),
                                 scope == TB_SCOPE_SYSTEM ? _ ("Co_mmand to Run Meanwhile (Optional)")
                                                          : _ ("Co_mmand"));
  gtk_widget_set_visible (GTK_WIDGET (self->process_row), scope == TB_SCOPE_PROCESS);
  show_limit (self);
  show_function (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "record.start", problem == NULL && !self->start_wanted);
}

/* What was wrong is being mended. */
static void
command_changed (TbRecordDialog *self)
{
  gtk_widget_remove_css_class (GTK_WIDGET (self->command_row), "error");
  if (self->choices->len > 0)
    adw_banner_set_revealed (self->problem_banner, FALSE);
  update (self);
}

static void
record_command_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (widget);

  adw_combo_row_set_selected (self->scope_row, TB_SCOPE_COMMAND);
  gtk_widget_grab_focus (GTK_WIDGET (self->command_row));
}

/* What works here */

static void
show_answer (TbRecordDialog *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->preflight), get_choice (self) != NULL);
  tb_preflight_group_show (self->preflight, get_answer (self));
}

static void
select_choice (TbRecordDialog *self, guint index)
{
  self->is_selecting = TRUE;
  adw_combo_row_set_selected (self->collector_row, index);
  self->is_selecting = FALSE;
}

/* The best of those that work; the user's own choice stays. */
static void
select_best (TbRecordDialog *self)
{
  for (guint i = 0; self->wanted[0] == '\0' && i < self->choices->len; i++)
    {
      const TbCollectorChoice *choice = g_ptr_array_index (self->choices, i);
      const TbSurveyed *answer = tb_survey_find (self->surveyed, choice->id);

      if (answer == NULL || !answer->works)
        continue;
      select_choice (self, i);
      return;
    }
}

static void
surveyed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbRecordDialog) self = data;
  GPtrArray *answers = tb_survey_finish (result, NULL);

  if (answers == NULL || g_task_get_cancellable (G_TASK (result)) != self->survey)
    {
      g_clear_pointer (&answers, g_ptr_array_unref);
      return;
    }
  self->surveyed = answers;
  select_best (self);
  show_answer (self);
  if (self->start_wanted)
    {
      self->start_wanted = FALSE;
      update (self);
      gtk_widget_activate_action (GTK_WIDGET (self), "record.start", NULL);
    }
  else
    update (self);
}

static void
stop_asking_again (TbRecordDialog *self)
{
  g_clear_handle_id (&self->again_soon, g_source_remove);
  g_cancellable_cancel (self->again);
  g_clear_object (&self->again);
}

static void
start_survey (TbRecordDialog *self)
{
  g_cancellable_cancel (self->survey);
  g_clear_object (&self->survey);
  stop_asking_again (self);
  g_clear_pointer (&self->surveyed, g_ptr_array_unref);
  show_answer (self);
  if (self->choices->len == 0)
    return;
  self->survey = g_cancellable_new ();
  tb_survey_async (self->choices, get_scope (self), self->survey, surveyed, g_object_ref (self));
}

static void
surveyed_again (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbRecordDialog) self = data;
  g_autoptr (GPtrArray) answers = tb_survey_finish (result, NULL);

  if (answers == NULL || answers->len == 0 || self->surveyed == NULL
      || g_task_get_cancellable (G_TASK (result)) != self->again)
    return;
  tb_survey_replace (self->surveyed, answers);
  show_answer (self);
  update (self);
}

/* With other options other things may be missing, and the cost is another; what was said before stays until then. */
static gboolean
ask_again (gpointer data)
{
  TbRecordDialog *self = data;
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();

  self->again_soon = 0;
  stop_asking_again (self);
  if (get_choice (self) == NULL || self->surveyed == NULL)
    return G_SOURCE_REMOVE;
  g_ptr_array_add (chosen, (gpointer) get_choice (self));
  self->again = g_cancellable_new ();
  tb_survey_async (chosen, get_scope (self), self->again, surveyed_again, g_object_ref (self));
  return G_SOURCE_REMOVE;
}

static void
ask_again_soon (TbRecordDialog *self)
{
  stop_asking_again (self);
  self->again_soon = g_timeout_add (PATIENCE_MS, ask_again, self);
}

static void
survey_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  start_survey (TB_RECORD_DIALOG (widget));
}

static void
scope_changed (TbRecordDialog *self)
{
  start_survey (self);
  update (self);
}

/* Collectors */

static void
show_options (TbRecordDialog *self)
{
  const TbCollectorChoice *choice = get_choice (self);
  g_auto (GStrv) names = choice != NULL ? tb_collector_get_options (choice->collector) : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->option_rows),
                          tb_option_rows_set_plugin (self->option_rows,
                                                     choice != NULL ? G_OBJECT (choice->collector) : NULL,
                                                     (const char *const *) names)
                              > 0);
}

/* What the options are good for */

/* Those that the collector can serve, and the one that its options go with now. */
static void
list_purposes (TbRecordDialog *self)
{
  const TbCollectorChoice *choice = get_choice (self);
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
      tb_described_combo_append (names, _ ("Own Options"), _ ("The options below, as you chose them"));
    }
  self->is_selecting = TRUE;
  adw_combo_row_set_model (self->purpose_row, G_LIST_MODEL (names));
  adw_combo_row_set_selected (self->purpose_row, selected);
  self->is_selecting = FALSE;
}

static void
purpose_changed (TbRecordDialog *self)
{
  const TbCollectorChoice *choice = get_choice (self);
  guint selected = adw_combo_row_get_selected (self->purpose_row);

  if (self->is_selecting || choice == NULL || selected >= self->purposes->len)
    return;
  /* Rows follow their options. */
  self->is_selecting = TRUE;
  tb_record_purpose_apply (g_array_index (self->purposes, guint, selected), choice);
  self->is_selecting = FALSE;
  show_options (self);
  ask_again_soon (self);
  update (self);
}

static void
options_changed (TbRecordDialog *self)
{
  if (self->is_selecting)
    return;
  list_purposes (self);
  ask_again_soon (self);
  update (self);
}

static void
collector_changed (TbRecordDialog *self)
{
  if (!self->is_selecting && get_choice (self) != NULL)
    g_set_str (&self->wanted, get_choice (self)->id);
  show_options (self);
  list_purposes (self);
  show_answer (self);
  update (self);
}

static void
list_collectors (TbRecordDialog *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autofree char *problem = NULL;
  gboolean has_wanted = FALSE;

  self->wanted = g_settings_get_string (self->settings, "collector");
  g_ptr_array_unref (self->choices);
  self->choices = tb_collector_choice_list (&problem);
  for (guint i = 0; i < self->choices->len; i++)
    {
      const TbCollectorChoice *choice = g_ptr_array_index (self->choices, i);

      tb_described_combo_append (names, choice->name, choice->description);
    }
  adw_combo_row_set_model (self->collector_row, G_LIST_MODEL (names));
  for (guint i = 0; i < self->choices->len; i++)
    if (g_strcmp0 (((TbCollectorChoice *) g_ptr_array_index (self->choices, i))->id, self->wanted) == 0)
      {
        select_choice (self, i);
        has_wanted = TRUE;
      }
  if (!has_wanted)
    g_set_str (&self->wanted, "");
  gtk_widget_set_visible (GTK_WIDGET (self->collector_row), self->choices->len > 1);
  adw_banner_set_title (self->problem_banner, problem != NULL ? problem : "");
  adw_banner_set_revealed (self->problem_banner, self->choices->len == 0);
  show_options (self);
  list_purposes (self);
  gtk_widget_set_visible (GTK_WIDGET (self->collector_group),
                          gtk_widget_get_visible (GTK_WIDGET (self->collector_row))
                              || gtk_widget_get_visible (GTK_WIDGET (self->purpose_row)));
}

/* What is remembered is only a choice that differs from the one that would be made by itself. */
static void
save_collector (TbRecordDialog *self)
{
  for (guint i = 0; self->wanted[0] != '\0' && i < self->choices->len; i++)
    {
      const TbCollectorChoice *choice = g_ptr_array_index (self->choices, i);
      const TbSurveyed *answer = tb_survey_find (self->surveyed, choice->id);

      if (answer == NULL || !answer->works)
        continue;
      if (g_str_equal (choice->id, self->wanted))
        g_set_str (&self->wanted, "");
      break;
    }
  g_settings_set_string (self->settings, "collector", self->wanted);
}

static void
list_scopes (TbRecordDialog *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  tb_described_combo_append (names, _ ("Whole System"),
                             _ ("Everything that runs: chains of causes are complete"));
  tb_described_combo_append (names, _ ("Command"), _ ("A program that is started now, and what it starts"));
  tb_described_combo_append (names, _ ("Process"),
                             _ ("A program that runs already, and what it starts from now on"));
  adw_combo_row_set_model (self->scope_row, G_LIST_MODEL (names));
}

/* Processes */

static void
process_activated (TbRecordDialog *self, guint position)
{
  GListModel *model = G_LIST_MODEL (gtk_list_view_get_model (self->process_view));
  g_autoptr (TbProcessItem) item = g_list_model_get_item (model, position);

  tb_record_dialog_set_process (self, tb_process_item_get_pid (item), tb_process_item_get_name (item));
  adw_navigation_view_pop (self->navigation);
}

/* Enter takes the first that is found. */
static void
process_search_activated (TbRecordDialog *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (self->process_view))) > 0)
    process_activated (self, 0);
}

static void
show_found (TbRecordDialog *self)
{
  GListModel *model = G_LIST_MODEL (gtk_list_view_get_model (self->process_view));

  gtk_stack_set_visible_child_name (self->process_stack,
                                    model != NULL && g_list_model_get_n_items (model) > 0 ? "list" : "none");
}

static void
choose_process_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (widget);
  g_autoptr (GtkSelectionModel) selection = NULL;

  gtk_editable_set_text (GTK_EDITABLE (self->process_search), "");
  selection = tb_process_list_new_search (G_LIST_MODEL (tb_process_list_new ()), self->process_search);
  gtk_list_view_set_model (self->process_view, selection);
  g_signal_connect_object (selection, "items-changed", G_CALLBACK (show_found), self, G_CONNECT_SWAPPED);
  show_found (self);
  adw_navigation_view_push_by_tag (self->navigation, "process");
  gtk_widget_grab_focus (GTK_WIDGET (self->process_search));
}

/* The function */

/* Of a collector that looks into one; NULL of others. */
static char *
get_function (TbRecordDialog *self)
{
  const TbCollectorChoice *choice = get_choice (self);
  char *function = NULL;

  if (choice != NULL && has_function (choice))
    g_object_get (choice->collector, FUNCTION_OPTION, &function, NULL);
  return function;
}

/* Of what is chosen so far; program is the target's, argv what it is found by. */
static TbTarget
find_target (TbRecordDialog *self, char ***argv, char **program)
{
  TbTarget target = { .scope = get_scope (self), .pid = self->pid };
  g_autofree char *problem = target.scope != TB_SCOPE_PROCESS ? read_command (self, argv) : NULL;

  if (problem == NULL && *argv != NULL)
    *program = tb_command_find_program ((*argv)[0], NULL);
  target.program = *program;
  return target;
}

static void
show_function (TbRecordDialog *self)
{
  g_autofree char *function = get_function (self);
  g_autofree char *text = NULL;

  if (function != NULL && *function != '\0')
    text
        = self->estimate != NULL ? g_strdup_printf ("%s\n%s", function, self->estimate) : g_strdup (function);
  gtk_widget_set_visible (GTK_WIDGET (self->function_row), function != NULL);
  adw_action_row_set_subtitle (self->function_row, text != NULL ? text : _ ("None chosen"));
}

static void
estimated (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbRecordDialog) self = data;
  g_autofree char *estimate = tb_function_page_estimate_finish (result);

  if (g_task_get_cancellable (G_TASK (result)) != self->estimating)
    return;
  g_set_str (&self->estimate, estimate);
  show_function (self);
}

/* What it will cost; programs are read for it. */
static void
estimate (TbRecordDialog *self)
{
  g_auto (GStrv) argv = NULL;
  g_autofree char *program = NULL;
  TbTarget target = find_target (self, &argv, &program);
  g_autoptr (TbCollector) copy = tb_collector_choice_copy (get_choice (self));

  g_clear_pointer (&self->estimate, g_free);
  g_cancellable_cancel (self->estimating);
  g_clear_object (&self->estimating);
  self->estimating = g_cancellable_new ();
  tb_function_page_estimate_async (TB_LIVE_COLLECTOR (copy), &target, self->estimating, estimated,
                                   g_object_ref (self));
}

static void
function_chosen (TbRecordDialog *self, const char *function)
{
  tb_record_dialog_set_function (self, function);
  adw_navigation_view_pop_to_tag (self->navigation, "options");
}

/* Those of what is chosen so far; where that is nothing, of the system. */
static void
choose_function_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (widget);
  g_auto (GStrv) argv = NULL;
  g_autofree char *program = NULL;
  TbTarget target = find_target (self, &argv, &program);
  g_autoptr (TbCollector) copy = tb_collector_choice_copy (get_choice (self));

  adw_navigation_view_push_by_tag (self->navigation, "function");
  tb_function_page_list (self->function_page, TB_LIVE_COLLECTOR (copy), FUNCTION_OPTION, &target);
}

/* The file */

static void
file_chosen (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbRecordDialog) self = data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (object), result, NULL);

  if (file != NULL)
    tb_record_dialog_set_file (self, file);
}

static void
choose_file_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (widget);
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();

  gtk_file_dialog_set_title (dialog, _ ("Save the Recording To"));
  gtk_file_dialog_set_initial_name (dialog, "recording.tailback");
  gtk_file_dialog_save (dialog, GTK_WINDOW (gtk_widget_get_root (widget)), NULL, file_chosen,
                        g_object_ref (self));
}

/* Starting */

static GFile *
make_file (TbRecordDialog *self, char **argv, GError **error)
{
  g_autofree char *base = NULL;

  if (self->file != NULL)
    {
      /* The file dialog has asked about overwriting; the recorder never does without being told. */
      g_file_delete (self->file, NULL, NULL);
      return g_object_ref (self->file);
    }
  if (get_scope (self) == TB_SCOPE_SYSTEM && argv == NULL)
    return tb_recordings_new_file (_ ("system"), error);
  base = argv != NULL ? g_path_get_basename (argv[0])
                      : g_strdup (adw_action_row_get_subtitle (self->process_row));
  return tb_recordings_new_file (base, error);
}

/* What can be said only now: of the program, the process and the folder. (transfer full) (nullable) */
static char *
find_hindrance (TbRecordDialog *self, char **argv)
{
  g_autofree char *program = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  if (argv != NULL && (program = tb_command_find_program (argv[0], &error)) == NULL)
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->command_row), "error");
      gtk_widget_grab_focus (GTK_WIDGET (self->command_row));
      return g_strdup (error->message);
    }
  if (get_scope (self) != TB_SCOPE_PROCESS)
    return NULL;
  path = g_strdup_printf ("/proc/%d", self->pid);
  return g_file_test (path, G_FILE_TEST_EXISTS)
             ? NULL
             : g_strdup_printf (_ ("Process %d has ended. Choose another one."), self->pid);
}

static void
start_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (widget);
  g_auto (GStrv) argv = NULL;
  g_autofree char *problem = find_problem (self, &argv);
  g_autoptr (TbRecording) recording = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;

  if (problem == NULL && self->surveyed == NULL)
    {
      /* The collector that works here is not known yet. */
      self->start_wanted = TRUE;
      update (self);
      return;
    }
  if (problem == NULL)
    problem = find_hindrance (self, argv);
  if (problem == NULL)
    {
      file = make_file (self, argv, &error);
      if (file == NULL)
        problem = g_strdup (error->message);
    }
  if (problem != NULL)
    {
      adw_banner_set_title (self->problem_banner, problem);
      adw_banner_set_revealed (self->problem_banner, TRUE);
      return;
    }

  recording = tb_recording_new (get_choice (self)->collector, get_choice (self)->id, file);
  if (get_scope (self) == TB_SCOPE_COMMAND)
    tb_recording_set_command (recording, (const char *const *) argv);
  else if (get_scope (self) == TB_SCOPE_PROCESS)
    tb_recording_set_process (recording, self->pid);
  else if (argv != NULL)
    tb_recording_set_system_command (recording, (const char *const *) argv);

  save_collector (self);
  g_settings_set_string (self->settings, "scope", scope_names[get_scope (self)]);
  if (get_scope (self) != TB_SCOPE_PROCESS)
    g_settings_set_string (self->settings, "command",
                           gtk_editable_get_text (GTK_EDITABLE (self->command_row)));
  g_signal_emit (self, signals[STARTED], 0, recording);
  adw_dialog_close (ADW_DIALOG (self));
}

/* What is being asked does not matter any more. */
static void
tb_record_dialog_closed (AdwDialog *dialog)
{
  g_cancellable_cancel (TB_RECORD_DIALOG (dialog)->survey);
  stop_asking_again (TB_RECORD_DIALOG (dialog));
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
  /* A recording is to be started. */
  signals[STARTED] = g_signal_new ("record", TB_TYPE_RECORD_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, TB_TYPE_RECORDING);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/tailback/Tailback/tb-record-dialog.ui");
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
  gtk_widget_class_bind_template_callback (widget_class, adw_dialog_close);
  gtk_widget_class_install_action (widget_class, "record.start", NULL, start_action);
  gtk_widget_class_install_action (widget_class, "record.command", NULL, record_command_action);
  gtk_widget_class_install_action (widget_class, "record.choose-process", NULL, choose_process_action);
  gtk_widget_class_install_action (widget_class, "record.choose-function", NULL, choose_function_action);
  gtk_widget_class_install_action (widget_class, "record.survey", NULL, survey_action);
  gtk_widget_class_install_action (widget_class, "record.choose-file", NULL, choose_file_action);
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
  g_signal_connect_object (self->process_view, "activate", G_CALLBACK (process_activated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->process_search, "activate", G_CALLBACK (process_search_activated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->command_row, "changed", G_CALLBACK (command_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->option_rows, "changed", G_CALLBACK (options_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->function_page, "chosen", G_CALLBACK (function_chosen), self,
                           G_CONNECT_SWAPPED);
}

/**
 * tb_record_dialog_new:
 * @settings: of the application: what was chosen last
 *
 * Returns: the assistant; its signal `record` gives the #TbRecording to start
 */
AdwDialog *
tb_record_dialog_new (GSettings *settings)
{
  TbRecordDialog *self = g_object_new (TB_TYPE_RECORD_DIALOG, NULL);
  g_autofree char *scope = g_settings_get_string (settings, "scope");
  g_autofree char *command = g_settings_get_string (settings, "command");

  self->settings = g_object_ref (settings);
  gtk_editable_set_text (GTK_EDITABLE (self->command_row), command);
  for (guint i = 0; i < G_N_ELEMENTS (scope_names); i++)
    if (g_strcmp0 (scope_names[i], scope) == 0)
      adw_combo_row_set_selected (self->scope_row, i);
  adw_action_row_set_subtitle (self->file_row, _ ("Among your recordings, named by what and when"));
  list_collectors (self);
  g_signal_connect_object (self->scope_row, "notify::selected", G_CALLBACK (scope_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->collector_row, "notify::selected", G_CALLBACK (collector_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->purpose_row, "notify::selected", G_CALLBACK (purpose_changed), self,
                           G_CONNECT_SWAPPED);
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
  update (self);
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
 * @id: of the collector to record with, as if the user had chosen it
 *
 * Returns: whether it is there
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

/**
 * tb_record_dialog_set_function:
 * @function: what the chosen collector looks into
 *
 * Sets the function of a collector that looks into one; the peak is then chosen while it runs.
 */
void
tb_record_dialog_set_function (TbRecordDialog *self, const char *function)
{
  const TbCollectorChoice *choice;

  g_return_if_fail (TB_IS_RECORD_DIALOG (self));

  choice = get_choice (self);
  if (choice == NULL || !has_function (choice))
    return;
  g_object_set (choice->collector, FUNCTION_OPTION, function, "ask", TRUE, NULL);
  estimate (self);
  show_options (self);
  list_purposes (self);
  update (self);
}
