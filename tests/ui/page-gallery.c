/* page-gallery.c: pictures of every page and dialog in every condition, for visual inspection
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: page-gallery FOLDER [CONDITION…]
 *
 * With --check instead of FOLDER: no pictures, but the texts that are cut or, in the locale “qps”
 * (see pseudo-locale.py), not translated; the status is then 1. Only a thorough run has all
 * conditions.
 *
 * CONDITION: light, dark, mirrored, large, narrow (600 pixels), phone (360 pixels); with
 * ADW_DEBUG_HIGH_CONTRAST=1, contrast and contrast-dark. See the script “pictures”, which runs all
 * of them.
 */

#include "config.h"

#include <libintl.h>
#include <string.h>

#include "../test-mode.h"
#include "extend/plugins/tb-engine.h"
#include "record-fixture.h"
#include "report/graph/tb-graph-figure.h"
#include "session/schema/tb-schema.h"
#include "shell-texts.h"
#include "shell/document/tb-bookmark-dialog.h"
#include "ui-test.h"
#include "widgets/tb-widget-snapshot.h"

typedef struct
{
  const char *name;
  int width;
  int height;
  gboolean dark;
  gboolean mirrored;
  gboolean contrast;
  guint percent; /* of the default text size; 0: default */
} Condition;

static const Condition conditions[] = {
  { "light", 1440, 900 },
  { "dark", 1440, 900, .dark = TRUE },
  { "mirrored", 1440, 900, .mirrored = TRUE },
  { "large", 1440, 900, .percent = 150 },
  { "narrow", 600, 800 },
  { "phone", 360, 720 },
  { "contrast", 1440, 900, .contrast = TRUE },
  { "contrast-dark", 1440, 900, .dark = TRUE, .contrast = TRUE },
};

static const Condition *condition;
static gboolean checks_texts;
static guint n_faults;

/* Names in the recordings, and texts that GTK and libadwaita translate. */
static gboolean
is_foreign (const char *text)
{
  static const char *const foreign[]
      = { "Alt",     "Backspace", "Credits", "Ctrl",      "Delete",      "Details", "Down",
          "End",     "Escape",    "Home",    "Insert",    "Legal",       "Left",    "Page_Down",
          "Page_Up", "Return",    "Right",   "Shift",     "Space",       "Super",   "Tab",
          "Up",      "Enter",     "Page Up", "Page Down", "Preferences", NULL };

  return g_strv_contains (foreign, text) || strstr (text, "as long as") != NULL
         || strstr (text, "rather long name") != NULL;
}

/* The descriptions of plug-ins have translations of their own. */
static gboolean
is_of_plugin (const char *text)
{
  g_autoptr (GPtrArray) plugins = tb_engine_list (tb_engine_get_default ());

  for (guint i = 0; i < plugins->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (plugins, i);

      if (g_strcmp0 (info->name, text) == 0 || g_strcmp0 (info->description, text) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
report_texts (const char *page, const char *fault, GStrv texts)
{
  for (guint i = 0; texts[i] != NULL; i++)
    if (!is_foreign (texts[i]) && !is_of_plugin (texts[i]))
      {
        g_print ("%s-%s: %s: “%s”\n", page, condition->name, fault, texts[i]);
        n_faults++;
      }
}

static void
check_texts (GtkWidget *window, const char *page)
{
  g_auto (GStrv) cut = shell_texts_list_cut (window);

  report_texts (page, "cut", cut);
  if (g_strcmp0 (g_getenv ("LC_ALL"), "qps") == 0)
    {
      g_auto (GStrv) untranslated = shell_texts_list_untranslated (window);

      report_texts (page, "not translated", untranslated);
    }
}

static gboolean
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Takes a picture after results of threads are shown and styles have faded. */
static void
picture (TbWindow *window, const char *name)
{
  g_autofree char *file = g_strdup_printf ("%s-%s", name, condition->name);
  gboolean settled = FALSE;

  if (checks_texts)
    {
      ui_frames (GTK_WIDGET (window), 4);
      check_texts (GTK_WIDGET (window), name);
      return;
    }
  g_timeout_add (300, set_true, &settled);
  while (!settled)
    g_main_context_iteration (NULL, TRUE);
  shell_picture (window, file);
}

static void
picture_dialog (TbWindow *window, const char *name)
{
  AdwDialog *dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window));

  picture (window, name);
  if (dialog != NULL)
    adw_dialog_force_close (dialog);
}

/* Takes a picture of each figure, and of its table. */
static void
picture_figures (TbWindow *window, TbReport *report, const char *id)
{
  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    {
      TbFigure *figure = tb_report_get_figure (report, i);
      g_autofree char *name = g_strdup_printf ("%s-%s", id, tb_figure_get_id (figure));
      g_autofree char *table = g_strconcat (name, "-table", NULL);

      shell_activate (window, "show-figure", g_variant_new_string (tb_figure_get_id (figure)));
      picture (window, name);
      if (g_str_equal (G_OBJECT_TYPE_NAME (figure), "TbTableFigure") || condition->width < 500)
        continue;
      g_action_group_change_action_state (G_ACTION_GROUP (window), "show-as-table",
                                          g_variant_new_boolean (TRUE));
      picture (window, table);
      g_action_group_change_action_state (G_ACTION_GROUP (window), "show-as-table",
                                          g_variant_new_boolean (FALSE));
    }
}

static void
picture_analyses (TbWindow *window, TbDocument *document)
{
  GListModel *analyses = tb_document_get_analyses (document);

  for (guint i = 0; i < g_list_model_get_n_items (analyses); i++)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (analyses, i);
      const char *id = tb_analysis_item_get_id (item);

      shell_activate (window, "show-analysis", g_variant_new_string (id));
      shell_wait_settled (document);
      if (tb_analysis_item_get_report (item) != NULL)
        picture_figures (window, tb_analysis_item_get_report (item), id);
      else
        picture (window, id);
    }
}

/* Follows a row of the latency peaks to its histogram. */
static void
picture_latencies (TbWindow *window, TbDocument *document)
{
  TbAnalysisItem *item = tb_document_find_analysis (document, "latency-peaks");
  TbReport *report = item != NULL ? tb_analysis_item_get_report (item) : NULL;
  JsonObject *summary
      = report != NULL ? json_node_get_object (tb_report_get_summary (report)) : NULL;
  JsonArray *operations = summary != NULL && json_object_has_member (summary, "operations")
                              ? json_object_get_array_member (summary, "operations")
                              : NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *operation = NULL;

  if (operations == NULL || json_array_get_length (operations) == 0)
    return;
  operation = g_strdup (
      json_object_get_string_member (json_array_get_object_element (operations, 0), "operation"));
  shell_activate (window, "show-analysis", g_variant_new_string ("latency-peaks"));
  if (!tb_analysis_item_set_option (item, "operation", operation, &error))
    g_error ("%s", error->message);
  gtk_widget_activate_action (shell_find (GTK_WIDGET (window), "TbAnalysisPage", NULL),
                              "analysis.run", NULL);
  shell_wait_settled (document);
  if (tb_analysis_item_get_report (item) != NULL)
    picture_figures (window, tb_analysis_item_get_report (item), "latency-peaks-chosen");
}

/* Shows two peaks, and the parts of the slow one. */
static void
picture_peaks (TbWindow *window)
{
  g_autoptr (GFile) file = shell_write_reads (TRUE);
  TbDocument *document = shell_open (window, file);
  TbAnalysisItem *item = tb_document_find_analysis (document, "latency-peaks");
  g_autoptr (GError) error = NULL;

  if (!tb_analysis_item_set_option (item, "operation", "syscall:read", &error))
    g_error ("%s", error->message);
  shell_activate (window, "show-analysis", g_variant_new_string ("latency-peaks"));
  shell_wait_settled (document);
  if (tb_analysis_item_get_report (item) != NULL)
    picture_figures (window, tb_analysis_item_get_report (item), "peaks");
  else
    picture (window, "peaks");
}

static void
press (GtkWidget *root, const char *label)
{
  GtkWidget *button = shell_find (root, "GtkButton", label);

  if (button != NULL && gtk_widget_is_sensitive (button))
    g_signal_emit_by_name (button, "clicked");
}

static void
picture_what_if (TbWindow *window, TbDocument *document)
{
  TbAnalysisItem *item = tb_document_find_analysis (document, "wait-graph");
  TbGraphFigure *figure
      = TB_GRAPH_FIGURE (tb_report_find_figure (tb_analysis_item_get_report (item), "wait-graph"));
  GtkWidget *page, *pane;

  shell_activate (window, "show-analysis", g_variant_new_string ("wait-graph"));
  shell_activate (window, "show-figure", g_variant_new_string ("wait-graph"));
  tb_focus_select_item (tb_document_get_focus (document), "wait-graph",
                        tb_graph_figure_get_edge (figure, 0)->id, TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, NULL);
  picture (window, "edge");
  page = shell_find (GTK_WIDGET (window), "TbAnalysisPage", NULL);
  gtk_widget_activate_action (page, "analysis.try", NULL);
  pane = shell_find (GTK_WIDGET (window), "TbScenariosPane", NULL);
  g_assert_nonnull (pane);
  picture (window, "what-if");
  press (pane, gettext ("_Predict"));
  shell_wait_settled (document);
  picture (window, "what-if-predicted");
  gtk_widget_activate_action (page, "analysis.try", NULL);
}

static void
picture_palette (TbWindow *window)
{
  GtkWidget *search;

  shell_activate (window, "commands", NULL);
  picture (window, "palette");
  search = shell_find (shell_find (GTK_WIDGET (window), "TbCommandPalette", NULL), "GtkSearchEntry",
                       NULL);
  gtk_editable_set_text (GTK_EDITABLE (search), "no such thing");
  picture_dialog (window, "palette-nothing");
}

static void
picture_bookmarks (TbWindow *window, TbDocument *document)
{
  TbFocus *focus = tb_document_get_focus (document);

  shell_activate (window, "add-bookmark", NULL);
  tb_focus_select_range (focus, 20000000, 90000000);
  shell_activate (window, "add-bookmark", NULL);
  picture (window, "bookmarks");
  adw_dialog_present (tb_bookmark_dialog_new (document, 1, "Where the login waits"),
                      GTK_WIDGET (window));
  picture_dialog (window, "bookmark");
  tb_focus_select_range (focus, TB_TIME_NONE, TB_TIME_NONE);
}

static void
picture_warnings (TbWindow *window)
{
  gtk_widget_activate_action (GTK_WIDGET (tb_window_get_document_page (window)),
                              "document.show-warnings", NULL);
  picture_dialog (window, "warnings");
}

static void
picture_document (TbWindow *window)
{
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbFocus *focus = tb_document_get_focus (document);
  guint32 curl = shell_find_thread (document, "curl");

  tb_focus_select_item (focus, "timeline", NULL, curl, 15000000, 260800000, NULL);
  picture (window, "selected");
  shell_activate (window, "explain", NULL);
  shell_wait_settled (document);
  picture_analyses (window, document);
  picture_latencies (window, document);
  picture_what_if (window, document);
  picture_bookmarks (window, document);
  picture_palette (window);
  if (condition->width < 700)
    {
      g_action_group_change_action_state (G_ACTION_GROUP (window), "show-details",
                                          g_variant_new_boolean (TRUE));
      picture (window, "details");
      g_action_group_change_action_state (G_ACTION_GROUP (window), "show-details",
                                          g_variant_new_boolean (FALSE));
      shell_activate (window, "toggle-sidebar", NULL);
      picture (window, "sidebar");
      shell_activate (window, "toggle-sidebar", NULL);
    }
}

static GFile *
write_file (const char *name, const char *contents)
{
  GFile *file = shell_temporary (name);
  g_autoptr (GError) error = NULL;

  g_file_replace_contents (file, contents, strlen (contents), NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                           NULL, &error);
  g_assert_no_error (error);
  return file;
}

static void
picture_pages_of (TbWindow *window,
                  TbDocument *document,
                  const char *const *analyses,
                  const char *prefix)
{
  for (guint i = 0; analyses[i] != NULL; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%s", prefix, analyses[i]);

      if (tb_document_find_analysis (document, analyses[i]) == NULL)
        continue;
      shell_activate (window, "show-analysis", g_variant_new_string (analyses[i]));
      shell_wait_settled (document);
      picture (window, name);
    }
}

/* Shows the sample recording with very long names and markup, and with events that cannot occur. */
static void
picture_long_names (TbWindow *window)
{
  static const char *const analyses[]
      = { "threads", "control-paths", "wait-graph", "calling-contexts", NULL };
  g_autoptr (GFile) inbox = shell_inbox ();
  g_autofree char *contents = NULL;
  g_autoptr (GString) text = NULL;
  g_autoptr (GFile) file = NULL;
  TbDocument *document;

  g_file_load_contents (inbox, NULL, &contents, NULL, NULL, NULL);
  g_assert_nonnull (contents);
  text = g_string_new (contents);
  g_string_replace (text, "php-cgi",
                    "ThreadPoolForegroundWorker<b>with a & name</b> as long as no kernel allows it",
                    0);
  g_string_replace (text, "sha512_rounds",
                    "std::__detail::_Executor<__gnu_cxx::__normal_iterator<char "
                    "const*>>::_M_depth_first_search_of_all",
                    0);
  file = write_file (
      "a recording whose name is as long as file systems allow and then some more.csv", text->str);
  document = shell_open (window, file);
  tb_focus_select_item (tb_document_get_focus (document), "timeline", NULL, 1, 15000000, 260800000,
                        NULL);
  picture_pages_of (window, document, analyses, "long");
}

static void
picture_empty (TbWindow *window)
{
  static const char *const analyses[]
      = { "threads",          "control-paths", "wait-graph", "latency-peaks",
          "calling-contexts", "locks",         NULL };
  g_autoptr (GFile) file
      = write_file ("empty.csv",
                    "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text\n"
                    "1000,0,name,,,,,,,1160,,,curl\n"
                    "1000,0,switch,0,R,1160,,,,,,,\n"
                    "2000,0,switch,1160,S,0,,,,,,,\n"
                    "3000,0,switch,1161,S,0,,,,,,,\n");
  TbDocument *document = shell_open (window, file);

  picture_pages_of (window, document, analyses, "empty");
  picture_warnings (window);
}

/* Writes a program that syncs itself and through two alternating kernel workers, shown as one
 * vertex and separately. */
static GFile *
write_workers (void)
{
  g_autoptr (GString) text = g_string_new (
      "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack,sector\n"
      "0,0,name,,,,10,,,10,,,app,,\n0,0,name,,,,10,,,11,,,app/writer with a rather long name,,\n"
      "0,0,name,,,,51,,,51,,,kworker/u8:0-events_unbound,,\n"
      "0,0,name,,,,52,,,52,,,kworker/u8:6-events_unbound,,\n"
      "0,0,switch,0,R,11,,,,,,,,,\n");

  for (guint i = 0; i < 40; i++)
    {
      guint t = 1000000 + i * 2000000, worker = 51 + i % 2, cpu = 1 + i % 2;

      g_string_append_printf (
          text,
          "%u,0,io_issue,,,,,,,11,vda,4096,,,%u\n%u,0,switch,11,D,0,,,,,,,,main;save;sync,\n"
          "%u,0,irq_entry,,,,,,,,vda,,,,\n%u,0,io_complete,,,,,,,11,vda,4096,,,%u\n"
          "%u,0,wakeup,,,,0,11,,,,,,,\n%u,0,irq_exit,,,,,,,,vda,,,,\n%u,0,switch,0,R,11,,,,,,,,,\n",
          t, 2 * i + 1, t, t + 300000, t + 300000, 2 * i + 1, t + 300000, t + 300000, t + 300000);
      g_string_append_printf (
          text,
          "%u,0,wakeup,,,,11,%u,,,,,,main;save,\n%u,0,switch,11,D,0,,,,,,,,main;save;flush,\n"
          "%u,%u,switch,0,R,%u,,,,,,,,,\n%u,%u,io_issue,,,,,,,%u,vda,4096,,,%u\n"
          "%u,%u,switch,%u,D,0,,,,,,,,worker_thread;submit,\n",
          t + 500000, worker, t + 510000, t + 520000, cpu, worker, t + 530000, cpu, worker,
          2 * i + 2, t + 530000, cpu, worker);
      g_string_append_printf (
          text,
          "%u,%u,irq_entry,,,,,,,,vda,,,,\n%u,%u,io_complete,,,,,,,%u,vda,4096,,,%u\n"
          "%u,%u,wakeup,,,,0,%u,,,,,,,\n%u,%u,irq_exit,,,,,,,,vda,,,,\n%u,%u,switch,0,R,%u,,,,,,,,,"
          "\n"
          "%u,%u,wakeup,,,,%u,11,,,,,,worker_thread;wake,\n%u,0,switch,0,R,11,,,,,,,,,\n"
          "%u,%u,switch,%u,S,0,,,,,,,,worker_thread;schedule,\n",
          t + 1100000, cpu, t + 1100000, cpu, worker, 2 * i + 2, t + 1100000, cpu, worker,
          t + 1100000, cpu, t + 1110000, cpu, worker, t + 1150000, cpu, worker, t + 1150000,
          t + 1160000, cpu, worker);
    }
  return write_file ("workers.csv", text->str);
}

static void
picture_expanded (TbWindow *window)
{
  g_autoptr (GFile) file = write_workers ();
  TbDocument *document = shell_open (window, file);
  TbAnalysisItem *item = tb_document_find_analysis (document, "wait-graph");
  g_autoptr (GError) error = NULL;
  TbGraphFigure *figure;

  if (!tb_analysis_item_set_option (item, "target", "app", &error))
    g_error ("%s", error->message);
  shell_activate (window, "show-analysis", g_variant_new_string ("wait-graph"));
  shell_wait_settled (document);
  picture (window, "by-way");
  shell_activate (window, "show-figure", g_variant_new_string ("edges"));
  picture (window, "by-way-edges");
  shell_activate (window, "show-figure", g_variant_new_string ("wait-graph"));
  figure
      = TB_GRAPH_FIGURE (tb_report_find_figure (tb_analysis_item_get_report (item), "wait-graph"));
  for (guint i = 0; i < tb_graph_figure_get_n_vertices (figure); i++)
    {
      const char *id = tb_graph_figure_get_vertex (figure, i)->id;

      if (g_str_has_prefix (id, "pool:")
          && !tb_analysis_item_set_option (item, "unmerge", id, &error))
        g_error ("%s", error->message);
    }
  gtk_widget_activate_action (shell_find (GTK_WIDGET (window), "TbAnalysisPage", NULL),
                              "analysis.run", NULL);
  shell_wait_settled (document);
  picture (window, "by-way-expanded");
}

static void
picture_comparison (TbWindow *window)
{
  static const char *const analyses[]
      = { "threads", "control-paths", "wait-graph", "calling-contexts", NULL };
  g_autoptr (GFile) base = shell_inbox ();
  g_autofree char *contents = NULL;
  g_autoptr (GString) text = NULL;
  g_autoptr (GFile) other = NULL;
  TbDocument *document;

  g_file_load_contents (base, NULL, &contents, NULL, NULL, NULL);
  text = g_string_new (contents);
  g_string_replace (text, "sha512_rounds", "sha256_rounds", 0);
  other = write_file ("after.csv", text->str);
  shell_activate (window, "compare", NULL);
  picture_dialog (window, "compare");
  document = tb_document_page_get_document (tb_window_compare (window, base, other, TRUE));
  shell_wait_settled (document);
  picture_pages_of (window, document, analyses, "comparison");
}

static void
picture_tabs (TbWindow *window)
{
  adw_tab_overview_set_open (ADW_TAB_OVERVIEW (
                                 shell_find (GTK_WIDGET (window), "AdwTabOverview", NULL)),
                             TRUE);
  picture (window, "overview");
  adw_tab_overview_set_open (ADW_TAB_OVERVIEW (
                                 shell_find (GTK_WIDGET (window), "AdwTabOverview", NULL)),
                             FALSE);
  while (tb_window_get_document_page (window) != NULL)
    shell_activate (window, "close-tab", NULL);
  picture (window, "start-recent");
}

static void
picture_shortcuts (TbWindow *window)
{
  shell_activate (window, "show-help-overlay", NULL);
  picture_dialog (window, "shortcuts");
}

static void
picture_dialogs (TbWindow *window)
{
  static const char *const actions[] = { "preferences", "about" };
  TbRecordDialog *assistant = record_open_assistant (window);

  record_wait_preflight (assistant);
  picture (window, "assistant");
  gtk_widget_activate_action (GTK_WIDGET (assistant), "record.choose-process", NULL);
  picture_dialog (window, "assistant-processes");
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (g_action_group_has_action (G_ACTION_GROUP (shell_get_application ()), actions[i]))
      {
        g_action_group_activate_action (G_ACTION_GROUP (shell_get_application ()), actions[i],
                                        NULL);
        picture_dialog (window, actions[i]);
      }
  /* This is a separate window, which the function for pictures of dialogs does not find. */
  if (shell_is_enabled (window, "show-help-overlay"))
    picture_shortcuts (window);
  if (shell_is_enabled (window, "options"))
    {
      shell_activate (window, "options", NULL);
      picture_dialog (window, "options");
    }
}

/* Shows the sample recording as one of the command curl, to which the analyses are limited at
 * first, and then that of the whole system. */
static void
picture_scopes (TbWindow *window)
{
  static const char *const analyses[]
      = { "threads",          "control-paths", "wait-graph", "latency-peaks",
          "calling-contexts", "locks",         NULL };
  g_autoptr (GFile) inbox = shell_inbox ();
  g_autofree char *contents = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GFile) file = NULL;
  TbDocument *document;

  g_file_load_contents (inbox, NULL, &contents, NULL, NULL, NULL);
  text = g_strconcat ("# fact: target-pid=1160\n", contents, NULL);
  file = write_file ("command.csv", text);
  document = shell_open (window, file);
  picture_pages_of (window, document, analyses, "command");
  g_assert_true (shell_is_enabled (window, "analyse-all"));
  shell_activate (window, "analyse-all", NULL);
  picture_pages_of (window, document, analyses, "whole-system");
  g_assert_true (shell_is_enabled (window, "analyse-command"));
}

/* The importer with options is a fixture, too. */
static void
picture_import_options (TbWindow *window)
{
  g_autoptr (TbImporter) importer
      = tb_engine_create_importer (tb_engine_get_default (), "listed", NULL);
  g_autoptr (GFile) file = NULL;
  g_autofree char *uri = NULL;

  if (importer == NULL)
    return;
  file = write_file ("events with a name as long as no dialog is wide, and then some more.log",
                     "# listed\n");
  uri = g_file_get_uri (file);
  shell_activate (window, "open-uri", g_variant_new_string (uri));
  shell_wait_text (GTK_WIDGET (window), "Listed Options");
  picture_dialog (window, "import-options");
}

/* The exporter with options is a fixture, which the script “pictures” adds. */
static void
picture_export_options (TbWindow *window)
{
  g_autoptr (TbExporter) exporter
      = tb_engine_create_exporter (tb_engine_get_default (), "listed", NULL);

  if (exporter == NULL)
    return;
  shell_activate (window, "export-with", g_variant_new_string ("listed"));
  picture_dialog (window, "export-options");
}

/* Shows a recording, if this machine allows it. */
static void
picture_recording (TbWindow *window)
{
  TbRecordDialog *assistant = record_open_assistant (window);
  g_autoptr (TbRecording) recording = NULL;

  tb_record_dialog_set_scope (assistant, TB_SCOPE_COMMAND);
  tb_record_dialog_set_command (assistant, "sleep 60");
  record_wait_preflight (assistant);
  recording = record_start (window, assistant);
  record_wait_events (recording);
  picture (window, "recording");
  if (tb_recording_is_active (recording))
    tb_recording_discard (recording);
  record_wait_over (recording);
}

static void
set_condition (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());

  g_settings_set_string (settings, "style", condition->dark ? "dark" : "light");
  g_settings_set (settings, "window-size", "(ii)", condition->width, condition->height);
  gtk_widget_set_default_direction (condition->mirrored ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi",
                96 * 1024 * (condition->percent > 0 ? (int) condition->percent : 100) / 100, NULL);
}

static void
draw (void)
{
  TbWindow *window;

  set_condition ();
  window = shell_new_window ();
  picture (window, "start");
  picture_document (window);
  picture_dialogs (window);
  picture_export_options (window);
  picture_import_options (window);
  picture_scopes (window);
  picture_long_names (window);
  picture_peaks (window);
  picture_empty (window);
  picture_expanded (window);
  picture_comparison (window);
  picture_tabs (window);
  /* Last, because the message about its end covers the following pages. */
  picture_recording (window);
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  const char *const *wanted = (const char *const *) argv + MIN (argc, 2);
  char *test_argv[] = { argv[0], NULL };
  char **rest = test_argv;
  int n = 1;

  if (argc < 2)
    {
      g_printerr ("usage: %s FOLDER|--check [CONDITION…]\n", argv[0]);
      return 2;
    }
  checks_texts = g_str_equal (argv[1], "--check");
  if (!checks_texts)
    {
      g_mkdir_with_parents (argv[1], 0777);
      g_setenv ("TAILBACK_PICTURES", argv[1], TRUE);
    }
  shell_init (&n, &rest);
  /* GTK warnings must not prevent a picture. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    {
      condition = &conditions[i];
      if (condition->contrast != (g_strcmp0 (g_getenv ("ADW_DEBUG_HIGH_CONTRAST"), "1") == 0))
        continue;
      if (wanted[0] == NULL ? !checks_texts || i == 0 || test_is_thorough ()
                            : g_strv_contains (wanted, condition->name))
        draw ();
    }
  return n_faults > 0;
}
