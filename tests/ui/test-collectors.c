/* test-collectors.c: which collector is offered, and what is recorded where the whole system may not be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell-fixture.h"
#include "shell/tb-record-dialog.h"
#include "shell/tb-recording-page.h"

static void
behave (const char *grudging, const char *modest)
{
  g_setenv ("FIXTURE_grudging", grudging, TRUE);
  g_setenv ("FIXTURE_modest", modest, TRUE);
}

typedef struct
{
  GtkWidget *root;
  const char *text;
} Text;

static gboolean
has_text (gpointer data)
{
  const Text *text = data;

  return shell_find_text (text->root, text->text) != NULL;
}

/* Rows that become visible are seen in the next frame. */
static void
wait_text (gpointer root, const char *text)
{
  Text wanted = { root, text };

  shell_wait (has_text, &wanted, text);
}

static gboolean
is_asked (gpointer dialog)
{
  return shell_find_text (dialog, "Function probes") != NULL
         || shell_find_text (dialog, "Recording: ") != NULL
         || shell_find_text (dialog, "has none of it") != NULL;
}

static TbRecordDialog *
open_assistant (TbWindow *window)
{
  GtkWidget *dialog;

  shell_activate (window, "record", NULL);
  dialog = shell_find (GTK_WIDGET (window), "TbRecordDialog", NULL);
  g_assert_nonnull (dialog);
  shell_wait (is_asked, dialog, "what the collectors say");
  return TB_RECORD_DIALOG (dialog);
}

static const char *
get_collector (TbRecordDialog *dialog)
{
  AdwComboRow *row = ADW_COMBO_ROW (shell_find (GTK_WIDGET (dialog), "AdwComboRow", "C_ollector"));

  return gtk_string_object_get_string (adw_combo_row_get_selected_item (row));
}

static void
choose_collector (TbRecordDialog *dialog, const char *name)
{
  AdwComboRow *row = ADW_COMBO_ROW (shell_find (GTK_WIDGET (dialog), "AdwComboRow", "C_ollector"));
  GtkStringList *names = GTK_STRING_LIST (adw_combo_row_get_model (row));

  adw_combo_row_set_selected (row, gtk_string_list_find (names, name));
}

static gboolean
can_start (TbRecordDialog *dialog)
{
  return gtk_widget_is_sensitive (shell_find (GTK_WIDGET (dialog), "GtkButton", "_Record"));
}

static TbRecording *
get_recording (TbWindow *window)
{
  GtkWidget *page = shell_find (GTK_WIDGET (window), "TbRecordingPage", NULL);

  return page != NULL ? tb_recording_page_get_recording (TB_RECORDING_PAGE (page)) : NULL;
}

static gboolean
has_recording (gpointer window)
{
  return get_recording (window) != NULL;
}

static TbRecording *
start (TbWindow *window, TbRecordDialog *dialog)
{
  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.start", NULL);
  shell_wait (has_recording, window, "the recording");
  return g_object_ref (get_recording (window));
}

static gboolean
is_over (gpointer recording)
{
  return tb_recording_get_state (recording) >= TB_RECORDING_DONE;
}

/* The best of those that work, by itself; the user's choice where there is one. */
static void
test_choice (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  TbWindow *window = shell_new_window ();
  g_autofree char *saved = NULL;
  TbRecordDialog *dialog;

  behave ("", "");
  dialog = open_assistant (window);
  g_assert_cmpstr (get_collector (dialog), ==, "Grudging");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (dialog), "Loud by grudging"));
  shell_picture (window, "collectors");
  adw_dialog_force_close (ADW_DIALOG (dialog));

  behave ("broken", "");
  dialog = open_assistant (window);
  g_assert_cmpstr (get_collector (dialog), ==, "Modest");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (dialog), "Loud by modest"));
  choose_collector (dialog, "Grudging");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (dialog), "has none of it"));
  g_assert_false (can_start (dialog));
  shell_picture (window, "collector-broken");
  adw_dialog_force_close (ADW_DIALOG (dialog));

  /* For the whole system another may be the best than for a command. */
  behave ("known", "");
  dialog = open_assistant (window);
  g_assert_cmpstr (get_collector (dialog), ==, "Modest");
  tb_record_dialog_set_scope (dialog, TB_SCOPE_COMMAND);
  shell_wait (is_asked, dialog, "what the collectors say");
  g_assert_cmpstr (get_collector (dialog), ==, "Grudging");
  adw_dialog_force_close (ADW_DIALOG (dialog));
  saved = g_settings_get_string (settings, "collector");
  g_assert_cmpstr (saved, ==, "");
  shell_close_window (window);
}

static gboolean
is_running (gpointer recording)
{
  return tb_recording_get_state (recording) >= TB_RECORDING_RUNNING;
}

/* A choice is kept; options are the recording's. */
static void
test_own_choice (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  TbWindow *window = shell_new_window ();
  g_autoptr (TbRecording) recording = NULL;
  g_autofree char *saved = NULL;
  g_autofree char *best = NULL;
  TbRecordDialog *dialog;
  TbDocument *document;

  behave ("", "");
  dialog = open_assistant (window);
  choose_collector (dialog, "Modest");
  adw_switch_row_set_active (ADW_SWITCH_ROW (
                                 shell_find (GTK_WIDGET (dialog), "AdwSwitchRow", "Loud by modest")),
                             TRUE);
  recording = start (window, dialog);
  shell_wait (is_running, recording, "events");
  shell_activate (window, "stop-recording", NULL);
  shell_wait (is_over, recording, "the end");
  document = tb_document_page_get_document (tb_window_get_document_page (window));
  shell_wait_settled (document);
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "collector"), ==, "modest");
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "loud"), ==, "yes");
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "scope"), ==, "system");
  saved = g_settings_get_string (settings, "collector");
  g_assert_cmpstr (saved, ==, "modest");

  dialog = open_assistant (window);
  g_assert_cmpstr (get_collector (dialog), ==, "Modest");
  choose_collector (dialog, "Grudging");
  g_object_unref (recording);
  recording = start (window, dialog);
  shell_wait (is_running, recording, "events");
  shell_activate (window, "stop-recording", NULL);
  shell_wait (is_over, recording, "the end");
  best = g_settings_get_string (settings, "collector");
  g_assert_cmpstr (best, ==, ""); /* it is the one that is chosen anyway */
  shell_close_window (window);
}

/* Known before: it is said in place, with the way out. */
static void
test_known (void)
{
  TbWindow *window = shell_new_window ();
  TbRecordDialog *dialog;

  behave ("known", "known");
  dialog = open_assistant (window);
  tb_record_dialog_set_command (dialog, "");
  wait_text (dialog, "The whole system cannot be recorded here");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (dialog), "perf_event_paranoid is 2"));
  g_assert_false (can_start (dialog));
  shell_picture (window, "system-impossible");
  tb_record_dialog_set_command (dialog, "true");
  wait_text (dialog, "Only the command will be recorded");
  g_assert_true (can_start (dialog));
  shell_picture (window, "command-instead");
  tb_record_dialog_set_command (dialog, "");
  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.command", NULL);
  g_assert_null (shell_find_text (GTK_WIDGET (dialog), "The whole system cannot be recorded here"));
  adw_dialog_force_close (ADW_DIALOG (dialog));
  shell_close_window (window);
}

/* Told only when it is tried: the command is recorded, and that is said, also in the recording. */
static void
test_refused_with_command (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (TbRecording) recording = NULL;
  TbRecordDialog *dialog;
  TbDocument *document;
  GtkWidget *page;

  behave ("refused", "refused");
  dialog = open_assistant (window);
  tb_record_dialog_set_command (dialog, "sh -c 'sleep 0.5; exit 4'");
  recording = start (window, dialog);
  shell_wait (is_running, recording, "events");
  page = shell_find (GTK_WIDGET (window), "TbRecordingPage", NULL);
  g_assert_nonnull (shell_find_text (page, "Only the command is recorded, not the whole system"));
  shell_picture (window, "only-the-command");
  shell_wait (is_over, recording, "the end");
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_DONE);
  document = tb_document_page_get_document (tb_window_get_document_page (window));
  shell_wait_settled (document);
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "scope"), ==, "command");
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "command-status"), ==,
                   "exited with status 4");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Only the command is recorded"));
  shell_close_window (window);
}

/* The best collector may record nothing at all: another records the command. */
static void
test_refused_by_best (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (TbRecording) recording = NULL;
  TbRecordDialog *dialog;
  TbDocument *document;

  behave ("nothing", "refused");
  dialog = open_assistant (window);
  tb_record_dialog_set_command (dialog, "true");
  recording = start (window, dialog);
  shell_wait (is_over, recording, "the end");
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_DONE);
  document = tb_document_page_get_document (tb_window_get_document_page (window));
  shell_wait_settled (document);
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "collector"), ==, "modest");
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "scope"), ==, "command");
  shell_close_window (window);
}

/* Without a command there is nothing to fall back on: what can be done is said. */
static void
test_refused (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (TbRecording) recording = NULL;
  TbRecordDialog *dialog;

  behave ("refused", "refused");
  dialog = open_assistant (window);
  tb_record_dialog_set_scope (dialog, TB_SCOPE_SYSTEM);
  tb_record_dialog_set_command (dialog, "");
  shell_wait (is_asked, dialog, "what the collectors say");
  recording = start (window, dialog);
  shell_wait (is_over, recording, "the refusal");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Could Not Record"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Ask the administrator"));
  g_assert_false (g_file_query_exists (tb_recording_get_file (recording), NULL));
  shell_picture (window, "refused");
  g_signal_emit_by_name (shell_find (GTK_WIDGET (window), "GtkButton", "Record a _Command…"), "clicked");
  dialog = TB_RECORD_DIALOG (shell_find (GTK_WIDGET (window), "TbRecordDialog", NULL));
  shell_wait (is_asked, dialog, "what the collectors say");
  g_assert_null (shell_find (GTK_WIDGET (dialog), "AdwEntryRow", "Co_mmand to Run Meanwhile (Optional)"));
  g_assert_nonnull (shell_find (GTK_WIDGET (dialog), "AdwEntryRow", "Co_mmand"));
  adw_dialog_force_close (ADW_DIALOG (dialog));
  shell_close_window (window);
}

/* Whoever is quick starts when it is known what works, or not at all. */
static void
test_quick (void)
{
  TbWindow *window = shell_new_window ();
  TbRecordDialog *dialog;
  g_autoptr (TbRecording) recording = NULL;

  behave ("broken", "");
  shell_activate (window, "record", NULL);
  dialog = TB_RECORD_DIALOG (shell_find (GTK_WIDGET (window), "TbRecordDialog", NULL));
  tb_record_dialog_set_command (dialog, "true");
  recording = start (window, dialog);
  shell_wait (is_over, recording, "the end");
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_DONE);

  shell_activate (window, "record", NULL);
  dialog = TB_RECORD_DIALOG (shell_find (GTK_WIDGET (window), "TbRecordDialog", NULL));
  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.start", NULL);
  adw_dialog_force_close (ADW_DIALOG (dialog));
  for (guint i = 0; i < 50; i++)
    {
      g_usleep (2000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_assert_null (get_recording (window));
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/collectors/choice", test_choice);
  g_test_add_func ("/collectors/own-choice", test_own_choice);
  g_test_add_func ("/collectors/known", test_known);
  g_test_add_func ("/collectors/refused-with-command", test_refused_with_command);
  g_test_add_func ("/collectors/refused-by-best", test_refused_by_best);
  g_test_add_func ("/collectors/refused", test_refused);
  g_test_add_func ("/collectors/quick", test_quick);
  return g_test_run ();
}
