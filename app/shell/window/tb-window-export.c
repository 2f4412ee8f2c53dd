/* tb-window-export.c: export actions of a window: visible figure as a file (by tb-figure-export),
 * all reports as a web page (by tb-html), findings and visible figure printed (by tb-print), with
 * file dialogs and messages; figure shown as a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/html/tb-html.h"
#include "report/tb-atomic-file.h"
#include "shell/export/tb-figure-export.h"
#include "shell/export/tb-print.h"
#include "shell/window/tb-window-private.h"

/* The contents to export, as they were at the time of the request. */
typedef struct
{
  TbWindow *window;
  TbFigure *figure;
  gint64 from;
  gint64 to;
  TbExportFormat format;
  GPtrArray *reports;
  char *name; /* of the document */
  char *description;
  GFile *file;    /* for the figure */
  char *print_to; /* path of a PDF file; NULL: a printer */
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  g_clear_object (&self->window);
  g_clear_object (&self->figure);
  g_clear_object (&self->file);
  g_clear_pointer (&self->reports, g_ptr_array_unref);
  g_free (self->name);
  g_free (self->description);
  g_free (self->print_to);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Job, job_free)

static TbAnalysisPage *
get_analysis_page (TbWindow *self)
{
  TbDocumentPage *page
      = tb_window_get_document (self) != NULL ? tb_window_get_document_page (self) : NULL;

  return page != NULL ? tb_document_page_get_analysis_page (page) : NULL;
}

static TbFigure *
get_figure (TbWindow *self)
{
  TbAnalysisPage *page = get_analysis_page (self);

  return page != NULL ? tb_analysis_page_get_shown_figure (page) : NULL;
}

/* Returns the available reports, in the order of the sidebar. */
static GPtrArray *
list_reports (TbDocument *document)
{
  GPtrArray *reports = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *analyses = tb_document_get_analyses (document);

  for (guint i = 0; i < g_list_model_get_n_items (analyses); i++)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (analyses, i);

      if (tb_analysis_item_get_report (item) != NULL)
        g_ptr_array_add (reports, g_object_ref (tb_analysis_item_get_report (item)));
    }
  return reports;
}

static Job *
job_new (TbWindow *window)
{
  TbDocument *document = tb_window_get_document (window);
  Job *self = g_new0 (Job, 1);

  self->window = g_object_ref (window);
  g_set_object (&self->figure, get_figure (window));
  /* Of a figure over time, only the visible range is exported. */
  tb_focus_get_view (tb_document_get_focus (document), &self->from, &self->to);
  self->name = tb_document_dup_name (document);
  return self;
}

char *
tb_window_suggest_name (const char *document, const char *what, const char *suffix)
{
  g_autofree char *name = g_strdup (document);
  char *suggested;

  if (g_str_has_suffix (name, ".tailback"))
    name[strlen (name) - strlen (".tailback")] = '\0';
  suggested = what != NULL ? g_strdup_printf ("%s - %s.%s", name, what, suffix)
                           : g_strdup_printf ("%s.%s", name, suffix);
  return g_strdelimit (suggested, "/\n", '-');
}

void
tb_window_show_saved (TbWindow *self, GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *text = g_strdup_printf (_ ("“%s” saved"), name);
  AdwToast *toast = adw_toast_new (text);

  /* The message belongs to the last request, so it is shown before other messages. */
  adw_toast_set_use_markup (toast, FALSE);
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

/* Figure */

static void
figure_exported (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Job) job = data;
  g_autoptr (GError) error = NULL;

  if (tb_figure_export_finish (TB_FIGURE (object), result, &error))
    tb_window_show_saved (job->window, job->file);
  else
    tb_window_show_error (job->window, _ ("Export Failed"), error->message);
}

static TbColorStyle
get_style (TbExportFormat format)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  /* a PDF is meant for paper */
  gboolean dark = adw_style_manager_get_dark (manager) && format != TB_EXPORT_PDF;

  if (adw_style_manager_get_high_contrast (manager))
    return dark ? TB_COLORS_DARK_CONTRAST : TB_COLORS_LIGHT_CONTRAST;
  return dark ? TB_COLORS_DARK : TB_COLORS_LIGHT;
}

/* Takes ownership of the job. */
static void
export_figure (Job *job, GFile *file)
{
  g_set_object (&job->file, file);
  tb_figure_export_async (job->figure, job->from, job->to, job->format, get_style (job->format),
                          file, NULL, figure_exported, job);
}

static void
figure_file_chosen (GObject *object, GAsyncResult *result, gpointer data)
{
  Job *job = data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (object), result, NULL);

  if (file != NULL)
    export_figure (job, file);
  else
    job_free (job);
}

static void
export_figure_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  g_autofree char *name = NULL;
  TbExportFormat format;
  Job *job;

  if (get_figure (data) == NULL
      || !tb_export_format_find (g_variant_get_string (parameter, NULL), &format))
    return;
  job = job_new (data);
  job->format = format;
  name = tb_window_suggest_name (job->name, tb_figure_get_title (job->figure),
                                 tb_export_format_get_suffix (format));
  gtk_file_dialog_set_title (dialog, _ ("Export the Figure"));
  gtk_file_dialog_set_initial_name (dialog, name);
  gtk_file_dialog_save (dialog, GTK_WINDOW (job->window), NULL, figure_file_chosen, job);
}

/* Exports without a dialog to a URI; its suffix determines the format. */
static void
export_figure_to_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  g_autofree char *name = g_file_get_basename (file);
  TbExportFormat format;

  if (get_figure (data) != NULL && name != NULL && tb_export_format_find (name, &format))
    {
      Job *job = job_new (data);

      job->format = format;
      export_figure (job, file);
    }
}

/* Web page with all reports */

static void
write_page_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  g_autofree char *page = tb_html_page_new ((TbReport *const *) job->reports->pdata,
                                            job->reports->len, job->name, job->description);
  GError *error = NULL;

  if (tb_atomic_file_write_contents (G_FILE (source), page, strlen (page), cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
page_written (GObject *object, GAsyncResult *result, gpointer data)
{
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    tb_window_show_saved (job->window, G_FILE (object));
  else
    tb_window_show_error (job->window, _ ("Report Not Saved"), error->message);
}

static void
write_page (Job *job, GFile *file)
{
  g_autoptr (GTask) task = g_task_new (file, NULL, page_written, NULL);

  g_task_set_source_tag (task, write_page);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, write_page_thread);
}

static Job *
report_job_new (TbWindow *self)
{
  TbDocument *document = tb_window_get_document (self);
  Job *job;

  if (document == NULL)
    return NULL;
  job = job_new (self);
  job->reports = list_reports (document);
  job->description = tb_document_describe (document);
  if (job->reports->len > 0)
    return job;
  job_free (job);
  return NULL;
}

static void
page_file_chosen (GObject *object, GAsyncResult *result, gpointer data)
{
  Job *job = data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (object), result, NULL);

  if (file != NULL)
    write_page (job, file);
  else
    job_free (job);
}

static void
export_report_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Job *job = report_job_new (data);
  g_autoptr (GtkFileDialog) dialog = NULL;
  g_autofree char *name = NULL;

  if (job == NULL)
    return;
  dialog = gtk_file_dialog_new ();
  name = tb_window_suggest_name (job->name, NULL, "html");
  gtk_file_dialog_set_title (dialog, _ ("Save the Report as a Web Page"));
  gtk_file_dialog_set_initial_name (dialog, name);
  gtk_file_dialog_save (dialog, GTK_WINDOW (job->window), NULL, page_file_chosen, job);
}

static void
export_report_to_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  Job *job = report_job_new (data);

  if (job != NULL)
    write_page (job, file);
}

/* Printing */

static void
draw_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GPtrArray *drawings = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_drawing_unref);

  for (guint i = 0; i < job->reports->len; i++)
    g_ptr_array_add (drawings, tb_drawing_new_for_findings (g_ptr_array_index (job->reports, i)));
  g_ptr_array_add (drawings, tb_drawing_new (job->figure, TB_DRAWING_TITLED, job->from, job->to));
  g_task_return_pointer (task, drawings, (GDestroyNotify) g_ptr_array_unref);
}

static void
drawn (GObject *object, GAsyncResult *result, gpointer data)
{
  TbWindow *window = TB_WINDOW (object);
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GPtrArray) drawings = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GtkPrintOperation) operation
      = tb_print_operation_new (job->name, (TbDrawing *const *) drawings->pdata, drawings->len);
  g_autoptr (GError) error = NULL;
  GtkPrintOperationAction action = GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG;

  if (job->print_to != NULL)
    {
      gtk_print_operation_set_export_filename (operation, job->print_to);
      action = GTK_PRINT_OPERATION_ACTION_EXPORT;
    }
  if (gtk_print_operation_run (operation, action, GTK_WINDOW (window), &error)
      == GTK_PRINT_OPERATION_RESULT_ERROR)
    tb_window_show_error (window, _ ("Printing Failed"), error->message);
  else if (job->print_to != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (job->print_to);

      tb_window_show_saved (window, file);
    }
}

static void
print (TbWindow *self, const char *path)
{
  TbReport *report;
  Job *job;
  g_autoptr (GTask) task = NULL;

  if (get_figure (self) == NULL)
    return;
  job = job_new (self);
  report = tb_analysis_item_get_report (tb_analysis_page_get_item (get_analysis_page (self)));
  job->reports = g_ptr_array_new_with_free_func (g_object_unref);
  if (report != NULL)
    g_ptr_array_add (job->reports, g_object_ref (report));
  job->print_to = g_strdup (path);
  task = g_task_new (self, NULL, drawn, NULL);
  g_task_set_source_tag (task, print);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, draw_thread);
}

static void
print_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  print (data, NULL);
}

static void
print_to_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  print (data, g_variant_get_string (parameter, NULL));
}

/* Figure as a table */

static void
show_as_table_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  TbAnalysisPage *page = get_analysis_page (data);

  if (page != NULL)
    tb_analysis_page_set_as_table (page, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

void
tb_window_update_export_actions (TbWindow *self)
{
  static const char *const names[]
      = { "export-figure", "export-figure-to", "print", "print-to", "show-as-table" };
  TbFigure *figure = get_figure (self);
  TbAnalysisPage *page = get_analysis_page (self);
  TbDocument *document = tb_window_get_document (self);
  GAction *as_table = g_action_map_lookup_action (G_ACTION_MAP (self), "show-as-table");
  gboolean has_report
      = page != NULL && tb_analysis_item_get_report (tb_analysis_page_get_item (page)) != NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (
                                     g_action_map_lookup_action (G_ACTION_MAP (self), names[i])),
                                 figure != NULL);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self),
                                                                            "export-report")),
                               document != NULL && has_report);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self),
                                                                            "export-report-to")),
                               document != NULL && has_report);
  if (figure != NULL && g_str_equal (tb_figure_get_kind (figure), "table"))
    g_simple_action_set_enabled (G_SIMPLE_ACTION (as_table), FALSE);
  g_simple_action_set_state (G_SIMPLE_ACTION (as_table),
                             g_variant_new_boolean (figure != NULL
                                                    && tb_analysis_page_get_as_table (page)));
}

static const GActionEntry actions[] = {
  { "export-figure", export_figure_action, "s" },
  { "export-figure-to", export_figure_to_action, "s" },
  { "export-report", export_report_action },
  { "export-report-to", export_report_to_action, "s" },
  { "print", print_action },
  { "print-to", print_to_action, "s" },
  { "show-as-table", NULL, NULL, "false", show_as_table_changed },
};

void
tb_window_add_export_actions (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
