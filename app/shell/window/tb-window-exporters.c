/* tb-window-exporters.c: export of the visible report of a window, or else of its recording, by
 * export plug-ins: their menu, dialog for the options, choice of the file, writing in a thread,
 * message with a button to cancel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "extend/plugins/tb-engine.h"
#include "report/tb-atomic-file.h"
#include "shell/tb-plugin-options-dialog.h"
#include "shell/tb-plugin-options.h"
#include "shell/window/tb-window-private.h"

/* The contents to export, as they were at the time of the request: a report, or else a trace. */
typedef struct
{
  TbWindow *window;
  TbExporter *exporter;
  TbTrace *trace;
  TbReport *report;
  char *name;      /* suggested name of the file */
  AdwToast *toast; /* shown during the export */
} Job;

/* Key of object data of the dialog for options. */
#define KEY_JOB "tb-export"

static void
job_free (gpointer data)
{
  Job *self = data;

  g_clear_object (&self->window);
  g_clear_object (&self->exporter);
  g_clear_object (&self->trace);
  g_clear_object (&self->report);
  g_clear_object (&self->toast);
  g_free (self->name);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Job, job_free)

static gboolean
write_contents (gpointer data, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  const Job *job = data;

  if (job->report != NULL)
    return tb_exporter_export_report (job->exporter, job->report, stream, cancellable, error);
  return tb_exporter_export_trace (job->exporter, job->trace, stream, NULL, NULL, cancellable,
                                   error);
}

static void
write_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (tb_atomic_file_write (source, write_contents, data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
show_failure (TbWindow *window, const GError *error)
{
  g_autofree char *text = NULL;

  if (error->domain == TB_SESSION_ERROR)
    /* Translators: an error of a recording that is damaged. */
    text = g_strdup_printf (_ ("%s. Nothing was written, because it would lack what cannot be "
                               "read. Copy the recording again from where it was made, or record "
                               "again."),
                            error->message);
  tb_window_show_error (window, _ ("Export Failed"), text != NULL ? text : error->message);
}

static void
written (GObject *object, GAsyncResult *result, gpointer data)
{
  const Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  adw_toast_dismiss (job->toast);
  if (g_task_propagate_boolean (G_TASK (result), &error))
    tb_window_show_saved (job->window, G_FILE (object));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    show_failure (job->window, error);
}

/* The export of a large recording takes a while: it is shown and can be cancelled. */
static AdwToast *
show_writing (TbWindow *window, GFile *file, GCancellable *cancellable)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *text = g_strdup_printf (_ ("Writing “%s”…"), name);
  AdwToast *toast = adw_toast_new (text);

  adw_toast_set_use_markup (toast, FALSE);
  adw_toast_set_timeout (toast, 0);
  adw_toast_set_button_label (toast, _ ("_Cancel"));
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (g_cancellable_cancel), cancellable,
                           G_CONNECT_SWAPPED);
  adw_toast_overlay_add_toast (window->toasts, g_object_ref (toast));
  return toast;
}

static void
file_chosen (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Job) job = data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (object), result, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = NULL;

  if (file == NULL)
    return;
  job->toast = show_writing (job->window, file, cancellable);
  task = g_task_new (file, cancellable, written, NULL);
  g_task_set_source_tag (task, file_chosen);
  g_task_set_task_data (task, g_steal_pointer (&job), job_free);
  g_task_run_in_thread (task, write_thread);
}

static TbReport *
get_report (TbWindow *self)
{
  TbDocumentPage *page = tb_window_get_document_page (self);
  TbAnalysisPage *analysis = page != NULL ? tb_document_page_get_analysis_page (page) : NULL;

  return analysis != NULL ? tb_analysis_item_get_report (tb_analysis_page_get_item (analysis))
                          : NULL;
}

/* Takes from the window what the exporter can write; returns FALSE if there is nothing. */
static gboolean
take_contents (Job *job)
{
  TbDocument *document = tb_window_get_document (job->window);
  TbReport *report = get_report (job->window);

  if (tb_exporter_can_export_report (job->exporter) && report != NULL)
    job->report = g_object_ref (report);
  else if (tb_exporter_can_export_trace (job->exporter) && tb_document_is_recording (document)
           && tb_document_get_trace (document) != NULL)
    job->trace = g_object_ref (tb_document_get_trace (document));
  return job->report != NULL || job->trace != NULL;
}

static void
choose_file (Job *job)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();

  gtk_file_dialog_set_title (dialog, _ ("Export"));
  gtk_file_dialog_set_initial_name (dialog, job->name);
  gtk_file_dialog_save (dialog, GTK_WINDOW (job->window), NULL, file_chosen, job);
}

static void
options_accepted (GObject *dialog)
{
  choose_file (g_object_steal_data (dialog, KEY_JOB));
}

/* A cancelled dialog frees the job. */
static void
choose_options (Job *job)
{
  g_autofree char *name = tb_plugin_options_dup_name (G_OBJECT (job->exporter), NULL);
  /* Translators: name of a format, such as “Graphviz” */
  g_autofree char *title = g_strdup_printf (_ ("Export as %s"), name);
  AdwDialog *dialog = tb_plugin_options_dialog_new (G_OBJECT (job->exporter), job->window->settings,
                                                    title, _ ("_Export…"));

  g_object_set_data_full (G_OBJECT (dialog), KEY_JOB, job, job_free);
  g_signal_connect (dialog, "accepted", G_CALLBACK (options_accepted), NULL);
  adw_dialog_present (dialog, GTK_WIDGET (job->window));
}

static char *
suggest_name (const Job *job)
{
  g_autofree char *document = tb_document_dup_name (tb_window_get_document (job->window));

  return tb_window_suggest_name (document,
                                 job->report != NULL ? tb_report_get_title (job->report) : NULL,
                                 tb_exporter_get_extension (job->exporter));
}

static void
export_with_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (Job) job = g_new0 (Job, 1);
  g_autoptr (GError) error = NULL;

  if (tb_window_get_document (data) == NULL)
    return;
  job->window = g_object_ref (data);
  job->exporter = tb_engine_create_exporter (tb_engine_get_default (),
                                             g_variant_get_string (parameter, NULL), &error);
  if (job->exporter == NULL || !take_contents (job))
    {
      tb_window_show_error (data, _ ("Export Failed"),
                            error != NULL
                                ? error->message
                                : _ ("Nothing to export: this format is for a recording or for the "
                                     "report of an analysis. Open one first."));
      return;
    }
  job->name = suggest_name (job);
  if (tb_plugin_options_exist (G_OBJECT (job->exporter)))
    choose_options (g_steal_pointer (&job));
  else
    choose_file (g_steal_pointer (&job));
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const TbPluginInfo *one = *(TbPluginInfo *const *) a, *two = *(TbPluginInfo *const *) b;
  int order = g_utf8_collate (one->name, two->name);

  return order != 0 ? order : strcmp (one->id, two->id);
}

/**
 * tb_window_list_exporters:
 *
 * Returns: (transfer full): alternating ids and titles of the export plug-ins, in the order of
 *   their names
 */
GPtrArray *
tb_window_list_exporters (void)
{
  g_autoptr (GPtrArray) plugins = tb_engine_list (tb_engine_get_default ());
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_sort (plugins, compare_names);
  for (guint i = 0; i < plugins->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (plugins, i);
      g_autoptr (TbExporter) exporter = NULL;

      if (!g_str_equal (info->kind, "exporter") || info->error != NULL || info->disabled)
        continue;
      exporter = tb_engine_create_exporter (tb_engine_get_default (), info->id, NULL);
      if (exporter == NULL)
        continue;
      g_ptr_array_add (list, g_strdup (info->id));
      /* Translators: a format that a plug-in writes, and the suffix of its files: Graphviz
       * (DOT)… */
      g_ptr_array_add (list, g_strdup_printf (_ ("%s (%s)…"), info->name,
                                              tb_exporter_get_extension (exporter)));
    }
  return list;
}

/* The menu is filled when there is something to export, because loading the plug-ins earlier would
 * delay the window. */
static void
fill_menu (TbWindow *self)
{
  g_autoptr (GPtrArray) exporters = tb_window_list_exporters ();

  for (guint i = 0; i < exporters->len; i += 2)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (g_ptr_array_index (exporters, i + 1), NULL);

      g_menu_item_set_action_and_target (item, "win.export-with", "s",
                                         g_ptr_array_index (exporters, i));
      g_menu_append_item (self->exporters_menu, item);
    }
}

void
tb_window_update_exporters (TbWindow *self)
{
  gboolean has_document = tb_window_get_document (self) != NULL;

  g_simple_action_set_enabled (G_SIMPLE_ACTION (
                                   g_action_map_lookup_action (G_ACTION_MAP (self), "export-with")),
                               has_document);
  if (has_document && !self->has_exporters)
    {
      self->has_exporters = TRUE;
      fill_menu (self);
    }
}

static const GActionEntry actions[] = {
  { "export-with", export_with_action, "s" },
};

void
tb_window_add_exporter_actions (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
