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

struct _TbRecordDialog
{
  AdwDialog parent;

  GSettings *settings;
  GPtrArray *plugins;     /* of TbPluginInfo: all, kept for the collectors among them */
  GPtrArray *collectors;  /* of TbPluginInfo in plugins, that load */
  TbCollector *collector; /* whose options are shown; becomes the one that records */
  gint32 pid;
  GFile *file; /* chosen by the user, else NULL */
  GCancellable *preflight;

  AdwNavigationView *navigation;
  AdwBanner *problem_banner;
  AdwComboRow *scope_row;
  AdwEntryRow *command_row;
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

  g_cancellable_cancel (self->preflight);
  g_clear_object (&self->preflight);
  g_clear_object (&self->collector);
  g_clear_object (&self->file);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->collectors, g_ptr_array_unref);
  g_clear_pointer (&self->plugins, g_ptr_array_unref);
  G_OBJECT_CLASS (tb_record_dialog_parent_class)->dispose (object);
}

static TbScope
get_scope (TbRecordDialog *self)
{
  return MIN (adw_combo_row_get_selected (self->scope_row), TB_SCOPE_PROCESS);
}

/* A sentence on what is missing before it can start; NULL if nothing is. */
static char *
find_problem (TbRecordDialog *self, char ***argv)
{
  const char *command = gtk_editable_get_text (GTK_EDITABLE (self->command_row));
  g_autoptr (GError) error = NULL;

  *argv = NULL;
  if (self->collector == NULL)
    return g_strdup (_ ("No collector could be loaded. The preferences tell why."));
  if (!tb_option_rows_is_valid (self->option_rows))
    return g_strdup (_ ("An option has a value it cannot have: see the row marked red."));
  if (get_scope (self) == TB_SCOPE_PROCESS && self->pid == 0)
    return g_strdup (_ ("Choose the process to record."));
  if (get_scope (self) != TB_SCOPE_COMMAND)
    return NULL;
  if (!g_shell_parse_argv (command, NULL, argv, &error))
    return g_error_matches (error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING)
               ? g_strdup (_ ("Type the command to record."))
               : g_strdup_printf (_ ("The command cannot be read: %s"), error->message);
  return NULL;
}

static void
update (TbRecordDialog *self)
{
  g_auto (GStrv) argv = NULL;
  g_autofree char *problem = find_problem (self, &argv);
  TbScope scope = get_scope (self);

  gtk_widget_set_visible (GTK_WIDGET (self->command_row), scope == TB_SCOPE_COMMAND);
  gtk_widget_set_visible (GTK_WIDGET (self->process_row), scope == TB_SCOPE_PROCESS);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "record.start", problem == NULL);
}

/* Preflight */

typedef struct
{
  TbCollector *collector;
  TbScope scope;
} Preflight;

static void
preflight_free (gpointer data)
{
  Preflight *preflight = data;

  g_object_unref (preflight->collector);
  g_free (preflight);
}

static void
preflight_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Preflight *preflight = data;
  GError *error = NULL;
  GPtrArray *lines = tb_collector_preflight (preflight->collector, preflight->scope, cancellable, &error);

  if (lines != NULL)
    g_task_return_pointer (task, lines, (GDestroyNotify) g_ptr_array_unref);
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_ptr_array_new (), (GDestroyNotify) g_ptr_array_unref);
}

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
preflight_done (GObject *object, GAsyncResult *result, gpointer data)
{
  TbRecordDialog *self = TB_RECORD_DIALOG (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) lines = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || g_task_get_cancellable (G_TASK (result)) != self->preflight)
    return;
  for (guint i = 0; lines != NULL && i < lines->len; i++)
    {
      const TbPreflightLine *line = g_ptr_array_index (lines, i);

      gtk_list_box_append (line->works ? self->preflight_list : self->problems_list,
                           make_preflight_row (line->what, line->works, line->reason));
    }
  if (error != NULL)
    gtk_list_box_append (self->problems_list, make_preflight_row (_ ("Recording"), FALSE, error->message));
  gtk_widget_set_visible (GTK_WIDGET (self->problems_group),
                          gtk_list_box_get_row_at_index (self->problems_list, 0) != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->preflight_group),
                          gtk_list_box_get_row_at_index (self->preflight_list, 0) != NULL);
}

static void
start_preflight (TbRecordDialog *self)
{
  g_autoptr (GTask) task = NULL;
  Preflight *preflight;

  g_cancellable_cancel (self->preflight);
  g_clear_object (&self->preflight);
  gtk_list_box_remove_all (self->preflight_list);
  gtk_list_box_remove_all (self->problems_list);
  gtk_widget_set_visible (GTK_WIDGET (self->problems_group), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->preflight_group), self->collector != NULL);
  if (self->collector == NULL)
    return;
  self->preflight = g_cancellable_new ();
  preflight = g_new0 (Preflight, 1);
  preflight->collector = g_object_ref (self->collector);
  preflight->scope = get_scope (self);
  task = g_task_new (self, self->preflight, preflight_done, NULL);
  g_task_set_source_tag (task, start_preflight);
  g_task_set_task_data (task, preflight, preflight_free);
  g_task_run_in_thread (task, preflight_thread);
}

static void
scope_changed (TbRecordDialog *self)
{
  update (self);
  start_preflight (self);
}

/* Collectors */

static const TbPluginInfo *
get_collector_info (TbRecordDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->collector_row);

  return selected < self->collectors->len ? g_ptr_array_index (self->collectors, selected) : NULL;
}

static void
collector_changed (TbRecordDialog *self)
{
  const TbPluginInfo *info = get_collector_info (self);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  g_clear_object (&self->collector);
  if (info != NULL)
    self->collector = tb_engine_create_collector (tb_engine_get_default (), info->id, &error);
  if (self->collector != NULL)
    names = tb_collector_get_options (self->collector);
  tb_option_rows_set_plugin (self->option_rows, self->collector != NULL ? G_OBJECT (self->collector) : NULL,
                             (const char *const *) names);
  adw_banner_set_title (self->problem_banner, error != NULL ? error->message : "");
  adw_banner_set_revealed (self->problem_banner, error != NULL);
  update (self);
  start_preflight (self);
}

static void
list_collectors (TbRecordDialog *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autofree char *preferred = g_settings_get_string (self->settings, "collector");
  g_autofree char *failure = NULL;
  guint selected = 0;

  self->plugins = tb_engine_list (tb_engine_get_default ());
  self->collectors = g_ptr_array_new ();
  for (guint i = 0; i < self->plugins->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (self->plugins, i);

      if (g_strcmp0 (info->kind, "collector") != 0)
        continue;
      if (info->error != NULL)
        {
          g_free (failure);
          failure = g_strdup_printf (_ ("The collector “%s” could not be loaded: %s"), info->id, info->error);
          continue;
        }
      if (g_strcmp0 (info->id, preferred) == 0)
        selected = self->collectors->len;
      g_ptr_array_add (self->collectors, (gpointer) info);
      gtk_string_list_append (names, info->name != NULL ? info->name : info->id);
    }
  adw_combo_row_set_model (self->collector_row, G_LIST_MODEL (names));
  adw_combo_row_set_selected (self->collector_row, selected);
  gtk_widget_set_visible (GTK_WIDGET (self->collector_group), self->collectors->len > 1);
  collector_changed (self);
  if (self->collector == NULL && !adw_banner_get_revealed (self->problem_banner))
    {
      adw_banner_set_title (self->problem_banner,
                            failure != NULL ? failure
                                            : _ ("There is no collector here, so nothing can be recorded. "
                                                 "Reinstall Tailback’s plug-ins."));
      adw_banner_set_revealed (self->problem_banner, TRUE);
    }
}

/* Processes */

static void
setup_process (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *grid = gtk_grid_new (), *name = gtk_label_new (NULL), *pid = gtk_label_new (NULL),
            *command = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_label_set_xalign (GTK_LABEL (command), 0);
  gtk_label_set_ellipsize (GTK_LABEL (command), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (pid, "dimmed");
  gtk_widget_add_css_class (pid, "numeric");
  gtk_widget_add_css_class (command, "dimmed");
  gtk_widget_add_css_class (command, "caption");
  gtk_grid_attach (GTK_GRID (grid), name, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), pid, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), command, 0, 1, 2, 1);
  gtk_widget_set_margin_top (grid, 6);
  gtk_widget_set_margin_bottom (grid, 6);
  gtk_list_item_set_child (list_item, grid);
}

static void
bind_process (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  TbProcessItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *grid = gtk_list_item_get_child (list_item);
  g_autofree char *pid = g_strdup_printf ("%d", tb_process_item_get_pid (item));

  gtk_label_set_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (grid), 0, 0)),
                      tb_process_item_get_name (item));
  gtk_label_set_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (grid), 1, 0)), pid);
  gtk_label_set_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (grid), 0, 1)),
                      tb_process_item_get_command (item));
  gtk_list_item_set_accessible_label (list_item, tb_process_item_get_name (item));
}

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
  GtkStringFilter *filter
      = gtk_string_filter_new (gtk_property_expression_new (TB_TYPE_PROCESS_ITEM, NULL, "text"));
  GtkFilterListModel *filtered
      = gtk_filter_list_model_new (G_LIST_MODEL (tb_process_list_new ()), GTK_FILTER (filter));
  g_autoptr (GtkSelectionModel) selection
      = GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (filtered)));

  gtk_editable_set_text (GTK_EDITABLE (self->process_search), "");
  g_object_bind_property (self->process_search, "text", filter, "search", G_BINDING_SYNC_CREATE);
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
  if (get_scope (self) == TB_SCOPE_SYSTEM)
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

  recording = tb_recording_new (self->collector, get_collector_info (self)->id, file);
  if (get_scope (self) == TB_SCOPE_COMMAND)
    tb_recording_set_command (recording, (const char *const *) argv);
  else if (get_scope (self) == TB_SCOPE_PROCESS)
    tb_recording_set_process (recording, self->pid);

  g_settings_set_string (self->settings, "collector", get_collector_info (self)->id);
  g_settings_set_string (self->settings, "scope", scope_names[get_scope (self)]);
  if (argv != NULL)
    g_settings_set_string (self->settings, "command",
                           gtk_editable_get_text (GTK_EDITABLE (self->command_row)));
  g_signal_emit (self, signals[STARTED], 0, recording);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
tb_record_dialog_class_init (TbRecordDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (TB_TYPE_OPTION_ROWS);
  G_OBJECT_CLASS (klass)->dispose = tb_record_dialog_dispose;
  /* A recording is to be started. */
  signals[STARTED] = g_signal_new ("record", TB_TYPE_RECORD_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, TB_TYPE_RECORDING);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/tailback/Tailback/tb-record-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, navigation);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, problem_banner);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, scope_row);
  gtk_widget_class_bind_template_child (widget_class, TbRecordDialog, command_row);
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
  gtk_widget_class_install_action (widget_class, "record.choose-process", NULL, choose_process_action);
  gtk_widget_class_install_action (widget_class, "record.choose-file", NULL, choose_file_action);
}

static void
tb_record_dialog_init (TbRecordDialog *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_process), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_process), NULL);
  gtk_list_view_set_factory (self->process_view, factory);
  g_object_unref (factory);
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
