/* test-journey.c: from a recording to its explanation and back, and a new recording, in one window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "record-fixture.h"
#include "ui-test.h"
#include "widgets/table/tb-table-view.h"

#define MS G_GINT64_CONSTANT (1000000)

static gboolean
has_chain (gpointer window)
{
  return shell_find (window, "GtkLabel", "Chain of Causes") != NULL;
}

static gboolean
file_exists (gpointer file)
{
  g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE,
                                                  G_FILE_QUERY_INFO_NONE, NULL, NULL);

  return info != NULL && g_file_info_get_size (info) > 0;
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

/* A selection in the timeline is shown in the details and, in another figure, in the row of its
 * thread. */
static void
select_and_read (TbWindow *window, TbDocument *document)
{
  guint32 curl = shell_find_thread (document, "curl");
  GtkWidget *details = shell_find (GTK_WIDGET (window), "TbDetailsPane", NULL);
  GtkWidget *canvas = shell_find (GTK_WIDGET (window), "TbTimelineCanvas", NULL);
  g_autofree char *table = NULL;

  g_assert_nonnull (canvas);
  tb_focus_select_item (tb_document_get_focus (document), "timeline", NULL, curl, 15 * MS,
                        260800000, NULL);
  shell_wait (has_chain, details, "the chain of causes");
  g_assert_nonnull (shell_find_text (details, "curl waits 24"));
  shell_activate (window, "show-figure", g_variant_new_string ("states"));
  ui_frames (GTK_WIDGET (window), 2);
  table
      = tb_table_view_copy (TB_TABLE_VIEW (shell_find (GTK_WIDGET (window), "TbTableView", NULL)));
  g_assert_nonnull (strstr (table, "curl"));
  g_test_message ("%s", table);
  g_assert_cmpuint (count_lines (table), <=, 2);
}

/* From a wait to what ended it, until there is no further cause; and back. */
static void
follow_causes (TbWindow *window, TbDocument *document)
{
  TbFocus *focus = tb_document_get_focus (document);
  guint32 first = tb_focus_get_thread (focus);
  guint n = 0;

  shell_activate (window, "show-figure", g_variant_new_string ("timeline"));
  while (shell_is_enabled (window, "go-to-cause") && n < 8)
    {
      gint64 from, to, next_from, next_to;
      guint32 thread = tb_focus_get_thread (focus);

      g_assert_true (tb_focus_get_time (focus, &from, &to));
      shell_activate (window, "go-to-cause", NULL);
      if (tb_focus_get_thread (focus) == thread && tb_focus_get_time (focus, &next_from, &next_to)
          && next_from == from && next_to == to)
        break;
      n++;
    }
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpuint (tb_focus_get_thread (focus), !=, first);
  shell_picture (window, "journey-cause");
  while (n-- > 0)
    shell_activate (window, "go-back", NULL);
  g_assert_cmpuint (tb_focus_get_thread (focus), ==, first);
}

static void
search (TbWindow *window)
{
  GtkWidget *entry, *view;

  shell_activate (window, "search", NULL);
  entry = shell_find (GTK_WIDGET (window), "GtkSearchEntry", NULL);
  g_assert_nonnull (entry);
  g_assert_true (gtk_widget_has_focus (entry)
                 || gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (window)), entry));
  view = shell_find (GTK_WIDGET (window), "TbTimelineView", NULL);
  tb_figure_view_set_search (view, "dovecot");
  g_assert_cmpstr (tb_figure_view_get_search (view), ==, "dovecot");
  shell_picture (window, "journey-search");
  tb_figure_view_set_search (view, "");
}

static void
export_all (TbWindow *window)
{
  static const char *const names[] = { "figure.svg", "figure.png", "figure.pdf", "figure.csv" };
  g_autoptr (GFile) page = shell_temporary ("report.html");
  g_autofree char *page_uri = g_file_get_uri (page);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = shell_temporary (names[i]);
      g_autofree char *uri = g_file_get_uri (file);

      shell_activate (window, "export-figure-to", g_variant_new_string (uri));
      shell_wait (file_exists, file, names[i]);
    }
  shell_activate (window, "export-report-to", g_variant_new_string (page_uri));
  shell_wait (file_exists, page, "the report");
}

static void
test_explanation (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);

  select_and_read (window, document);
  follow_causes (window, document);
  search (window);
  export_all (window);
  shell_activate (window, "explain", NULL);
  shell_wait_settled (document);
  g_assert_nonnull (strstr (tb_report_get_headline (
                                tb_analysis_item_get_report (tb_document_get_explainer (document))),
                            "curl"));
  shell_close_window (window);
}

/* Records with a collector chosen by its name; the recording opens by itself. */
static void
test_recording (gconstpointer data)
{
  const char *const *collector = data; /* id, name */
  TbWindow *window = shell_new_window ();
  TbRecordDialog *dialog = record_open_assistant (window);
  AdwComboRow *row;
  guint position;
  g_autoptr (TbRecording) recording = NULL;
  const GError *error;

  tb_record_dialog_set_scope (dialog, TB_SCOPE_COMMAND);
  tb_record_dialog_set_command (dialog, "sh -c 'sleep 0.2; sleep 0.2'");
  record_wait_preflight (dialog);
  row = ADW_COMBO_ROW (shell_find (GTK_WIDGET (dialog), "AdwComboRow", "C_ollector"));
  position = gtk_string_list_find (GTK_STRING_LIST (adw_combo_row_get_model (row)), collector[1]);
  g_assert_cmpuint (position, !=, GTK_INVALID_LIST_POSITION);
  adw_combo_row_set_selected (row, position);
  g_assert_true (record_can_start (dialog));
  recording = record_start (window, dialog);
  record_wait_over (recording);
  error = tb_recording_get_error (recording);
  if (g_error_matches (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE))
    g_test_skip (error->message);
  else
    {
      TbDocument *document;

      g_assert_no_error (error);
      document = record_get_document (window);
      g_assert_cmpint (tb_document_get_state (document), ==, TB_DOCUMENT_READY);
      g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "collector"), ==,
                       collector[0]);
      tb_focus_select_thread (tb_document_get_focus (document),
                              shell_find_thread (document, "sleep"));
      g_assert_nonnull (
          shell_find_text (shell_find (GTK_WIDGET (window), "TbDetailsPane", NULL), "sleep"));
      shell_picture (window, collector[0]);
    }
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  static const char *const ebpf[] = { "ebpf", "Kernel programs" };
  static const char *const perf[] = { "perf", "Kernel events" };

  shell_init (&argc, &argv);
  g_test_add_func ("/journey/explanation", test_explanation);
  g_test_add_data_func ("/journey/record-ebpf", ebpf, test_recording);
  g_test_add_data_func ("/journey/record-perf", perf, test_recording);
  return g_test_run ();
}
