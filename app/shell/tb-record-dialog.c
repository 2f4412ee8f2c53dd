/* tb-record-dialog.c: the recording assistant
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/tb-option-rows.h"
#include "shell/tb-process-list.h"
#include "shell/tb-record-dialog.h"
#include "shell/tb-scratch.h"
#include "shell/tb-survey.h"

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
  GFile *file; /* chosen by the user, else NULL */
  GCancellable *survey;

  AdwNavigationView *navigation;
  AdwBanner *problem_banner;
  AdwComboRow *scope_row;
  AdwEntryRow *command_row;
  AdwActionRow *limit_row;
  GtkWidget *limit_button;
  AdwActionRow *process_row;
  AdwActionRow *file_row;
  AdwPreferencesGroup *collector_group;
  AdwComboRow *collector_row;
  TbOptionRows *option_rows;
  AdwPreferencesGroup *problems_group;
  GtkListBox *problems_list;
  AdwPreferencesGroup *preflight_group;
  GtkListBox *preflight_list;
  GtkSearchEntry *process_search;
  GtkListView *process_view;
};

enum
{
  STARTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbRecordDialog, tb_record_dialog, ADW_TYPE_DIALOG)

static const char *const scope_names[] = { "system", "command", "process" };

static void
tb_record_dialog_dispose (GObject *object)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (object);

  g_cancellable_cancel (self->survey);
  g_clear_object (&self->survey);
  g_clear_pointer (&self->surveyed, g_ptr_array_unref);
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
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "record.start", problem == NULL && !self->start_wanted);
}

static void
record_command_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (widget);

  adw_combo_row_set_selected (self->scope_row, TB_SCOPE_COMMAND);
  gtk_widget_grab_focus (GTK_WIDGET (self->command_row));
}

/* What works here */

static GtkWidget *
make_preflight_row (const char *what, gboolean works, const char *reason)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon
      = gtk_image_new_from_icon_name (works ? "object-select-symbolic" : "dialog-warning-symbolic");
  const char *state = works ? _ ("works") : _ ("does not work");
  g_autofree char *name = g_strdup_printf ("%s: %s", what, state);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), what);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), reason != NULL ? reason : "");
  gtk_widget_add_css_class (icon, works ? "success" : "warning");
  gtk_widget_set_tooltip_text (icon, state);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return row;
}

static void
show_answer (TbRecordDialog *self)
{
  const TbSurveyed *answer = get_answer (self);

  gtk_list_box_remove_all (self->preflight_list);
  gtk_list_box_remove_all (self->problems_list);
  for (guint i = 0; answer != NULL && answer->lines != NULL && i < answer->lines->len; i++)
    {
      const TbPreflightLine *line = g_ptr_array_index (answer->lines, i);

      gtk_list_box_insert (line->works ? self->preflight_list : self->problems_list,
                           make_preflight_row (line->what, line->works, line->reason),
                           line->essential ? 0 : -1);
    }
  if (answer != NULL && answer->error != NULL)
    gtk_list_box_append (self->problems_list, make_preflight_row (_ ("Recording"), FALSE, answer->error));
  gtk_widget_set_visible (GTK_WIDGET (self->problems_group),
                          gtk_list_box_get_row_at_index (self->problems_list, 0) != NULL);
  /* Its placeholder tells that they are being asked. */
  gtk_widget_set_visible (GTK_WIDGET (self->preflight_group),
                          get_choice (self) != NULL
                              && (answer == NULL
                                  || gtk_list_box_get_row_at_index (self->preflight_list, 0) != NULL));
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
start_survey (TbRecordDialog *self)
{
  g_cancellable_cancel (self->survey);
  g_clear_object (&self->survey);
  g_clear_pointer (&self->surveyed, g_ptr_array_unref);
  show_answer (self);
  if (self->choices->len == 0)
    return;
  self->survey = g_cancellable_new ();
  tb_survey_async (self->choices, get_scope (self), self->survey, surveyed, g_object_ref (self));
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

  tb_option_rows_set_plugin (self->option_rows, choice != NULL ? G_OBJECT (choice->collector) : NULL,
                             (const char *const *) names);
}

static void
collector_changed (TbRecordDialog *self)
{
  if (!self->is_selecting && get_choice (self) != NULL)
    g_set_str (&self->wanted, get_choice (self)->id);
  show_options (self);
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

      gtk_string_list_append (names, choice->name);
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
  gtk_widget_set_visible (GTK_WIDGET (self->collector_group), self->choices->len > 1);
  adw_banner_set_title (self->problem_banner, problem != NULL ? problem : "");
  adw_banner_set_revealed (self->problem_banner, self->choices->len == 0);
  show_options (self);
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

/* Processes */

static void
process_activated (TbRecordDialog *self, guint position)
{
  GListModel *model = G_LIST_MODEL (gtk_list_view_get_model (self->process_view));
  g_autoptr (TbProcessItem) item = g_list_model_get_item (model, position);

  tb_record_dialog_set_process (self, tb_process_item_get_pid (item), tb_process_item_get_name (item));
  adw_navigation_view_pop (self->navigation);
}

static void
choose_process_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (widget);
  g_autoptr (GtkSelectionModel) selection = NULL;

  gtk_editable_set_text (GTK_EDITABLE (self->process_search), "");
  selection = tb_process_list_new_search (G_LIST_MODEL (tb_process_list_new ()), self->process_search);
  gtk_list_view_set_model (self->process_view, selection);
  adw_navigation_view_push_by_tag (self->navigation, "process");
  gtk_widget_grab_focus (GTK_WIDGET (self->process_search));
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
}

static void
tb_record_dialog_class_init (TbRecordDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (TB_TYPE_OPTION_ROWS);
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
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, collector_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, option_rows);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, problems_group);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, problems_list);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, preflight_group);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, preflight_list);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, process_search);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, process_view);
  gtk_widget_class_bind_template_callback (widget_class, adw_dialog_close);
  gtk_widget_class_install_action (widget_class, "record.start", NULL, start_action);
  gtk_widget_class_install_action (widget_class, "record.command", NULL, record_command_action);
  gtk_widget_class_install_action (widget_class, "record.choose-process", NULL, choose_process_action);
  gtk_widget_class_install_action (widget_class, "record.choose-file", NULL, choose_file_action);
}

static void
tb_record_dialog_init (TbRecordDialog *self)
{
  g_autoptr (GtkListItemFactory) factory = tb_process_list_new_factory ();

  self->choices = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_view_set_factory (self->process_view, factory);
  g_signal_connect_object (self->process_view, "activate", G_CALLBACK (process_activated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->command_row, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->option_rows, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
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
