/* test-collectors.c: choice of collectors, and recording without permission for the whole system
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "record-fixture.h"

static void
set_behaviour (const char *grudging, const char *modest)
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

/* Rows that become visible are drawn in the next frame. */
static void
wait_text (gpointer root, const char *text)
{
  Text wanted = { root, text };

  shell_wait (has_text, &wanted, text);
}

static TbRecordDialog *
open_assistant (TbWindow *window)
{
  TbRecordDialog *dialog = record_open_assistant (window);

  record_wait_preflight (dialog);
  return dialog;
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

/* The best working collector is the default; the user's choice takes precedence. */
static void
test_choice (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  TbWindow *window = shell_new_window ();
  g_autofree char *saved = NULL;
  TbRecordDialog *dialog;

  set_behaviour ("", "");
  dialog = open_assistant (window);
  g_assert_cmpstr (get_collector (dialog), ==, "Grudging");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (dialog), "Loud by grudging"));
  /* Next to what is missing and how to get it, the cost is shown. */
  g_assert_nonnull (shell_find (GTK_WIDGET (dialog), "AdwActionRow", "Function probes"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (dialog), "no drilling. Use another."));
  g_assert_nonnull (shell_find (GTK_WIDGET (dialog), "AdwActionRow", "Cost"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (dialog), "A switch costs about 1 µs here."));
  shell_picture (window, "collectors");
  adw_dialog_force_close (ADW_DIALOG (dialog));

  set_behaviour ("broken", "");
  dialog = open_assistant (window);
  g_assert_cmpstr (get_collector (dialog), ==, "Modest");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (dialog), "Loud by modest"));
  choose_collector (dialog, "Grudging");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (dialog), "has none of it"));
  g_assert_false (record_can_start (dialog));
  shell_picture (window, "collector-broken");
  adw_dialog_force_close (ADW_DIALOG (dialog));

  /* The best collector for the whole system may differ from that for a command. */
  set_behaviour ("known", "");
  dialog = open_assistant (window);
  g_assert_cmpstr (get_collector (dialog), ==, "Modest");
  tb_record_dialog_set_scope (dialog, TB_SCOPE_COMMAND);
  record_wait_preflight (dialog);
  g_assert_cmpstr (get_collector (dialog), ==, "Grudging");
  adw_dialog_force_close (ADW_DIALOG (dialog));
  saved = g_settings_get_string (settings, "collector");
  g_assert_cmpstr (saved, ==, "");
  shell_close_window (window);
}

/* A choice is stored; options belong to the recording. */
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

  set_behaviour ("", "");
  dialog = open_assistant (window);
  choose_collector (dialog, "Modest");
  adw_switch_row_set_active (ADW_SWITCH_ROW (shell_find (GTK_WIDGET (dialog), "AdwSwitchRow",
                                                         "Loud by modest")),
                             TRUE);
  recording = record_start (window, dialog);
  record_wait_running (recording);
  shell_activate (window, "stop-recording", NULL);
  record_wait_over (recording);
  document = record_get_document (window);
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "collector"), ==,
                   "modest");
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "loud"), ==, "yes");
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "scope"), ==, "system");
  saved = g_settings_get_string (settings, "collector");
  g_assert_cmpstr (saved, ==, "modest");

  dialog = open_assistant (window);
  g_assert_cmpstr (get_collector (dialog), ==, "Modest");
  choose_collector (dialog, "Grudging");
  g_object_unref (recording);
  recording = record_start (window, dialog);
  record_wait_running (recording);
  shell_activate (window, "stop-recording", NULL);
  record_wait_over (recording);
  best = g_settings_get_string (settings, "collector");
  g_assert_cmpstr (best, ==, ""); /* the chosen one is the default */
  shell_close_window (window);
}

/* A limit found by the preflight is shown in the assistant, with the alternative. */
static void
test_preflight_limit (void)
{
  TbWindow *window = shell_new_window ();
  TbRecordDialog *dialog;

  set_behaviour ("known", "known");
  dialog = open_assistant (window);
  tb_record_dialog_set_command (dialog, "");
  wait_text (dialog, "The whole system cannot be recorded here");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (dialog), "perf_event_paranoid is 2"));
  g_assert_false (record_can_start (dialog));
  shell_picture (window, "system-impossible");
  tb_record_dialog_set_command (dialog, "true");
  wait_text (dialog, "Only the command will be recorded");
  g_assert_true (record_can_start (dialog));
  shell_picture (window, "command-instead");
  tb_record_dialog_set_command (dialog, "");
  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.command", NULL);
  g_assert_null (shell_find_text (GTK_WIDGET (dialog), "The whole system cannot be recorded here"));
  adw_dialog_force_close (ADW_DIALOG (dialog));
  shell_close_window (window);
}

/* If only an attempt shows the limit, the command is recorded instead. The page and the recording
 * both report it. */
static void
test_refused_with_command (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (TbRecording) recording = NULL;
  TbRecordDialog *dialog;
  TbDocument *document;
  GtkWidget *page;

  set_behaviour ("refused", "refused");
  dialog = open_assistant (window);
  tb_record_dialog_set_command (dialog, "sh -c 'sleep 0.5; exit 4'");
  recording = record_start (window, dialog);
  record_wait_running (recording);
  page = shell_find (GTK_WIDGET (window), "TbRecordingPage", NULL);
  g_assert_nonnull (shell_find_text (page, "Only the command is recorded, not the whole system"));
  shell_picture (window, "only-the-command");
  record_wait_over (recording);
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_DONE);
  document = record_get_document (window);
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "scope"), ==,
                   "command");
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "command-status"), ==,
                   "exited with status 4");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Only the command is recorded"));
  shell_close_window (window);
}

/* The best collector may record nothing at all: another one records the command. */
static void
test_refused_by_best (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (TbRecording) recording = NULL;
  TbRecordDialog *dialog;
  TbDocument *document;

  set_behaviour ("nothing", "refused");
  dialog = open_assistant (window);
  tb_record_dialog_set_command (dialog, "true");
  recording = record_start (window, dialog);
  record_wait_over (recording);
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_DONE);
  document = record_get_document (window);
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "collector"), ==,
                   "modest");
  g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "scope"), ==,
                   "command");
  shell_close_window (window);
}

/* Without a command there is no fallback: the message says what can be done. */
static void
test_refused (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (TbRecording) recording = NULL;
  TbRecordDialog *dialog;

  set_behaviour ("refused", "refused");
  dialog = open_assistant (window);
  tb_record_dialog_set_scope (dialog, TB_SCOPE_SYSTEM);
  tb_record_dialog_set_command (dialog, "");
  record_wait_preflight (dialog);
  recording = record_start (window, dialog);
  record_wait_over (recording);
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Could Not Record"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Ask the administrator"));
  g_assert_false (g_file_query_exists (tb_recording_get_file (recording), NULL));
  shell_picture (window, "refused");
  g_signal_emit_by_name (shell_find (GTK_WIDGET (window), "GtkButton", "Record a _Command…"),
                         "clicked");
  dialog = TB_RECORD_DIALOG (shell_find (GTK_WIDGET (window), "TbRecordDialog", NULL));
  record_wait_preflight (dialog);
  g_assert_null (shell_find (GTK_WIDGET (dialog), "AdwEntryRow", "Co_mmand to run (optional)"));
  g_assert_nonnull (shell_find (GTK_WIDGET (dialog), "AdwEntryRow", "Co_mmand"));
  adw_dialog_force_close (ADW_DIALOG (dialog));
  shell_close_window (window);
}

/* A recording requested before the preflight is done starts after it, or not at all. */
static void
test_early_start (void)
{
  TbWindow *window = shell_new_window ();
  TbRecordDialog *dialog;
  g_autoptr (TbRecording) recording = NULL;

  set_behaviour ("broken", "");
  dialog = record_open_assistant (window);
  tb_record_dialog_set_command (dialog, "true");
  recording = record_start (window, dialog);
  record_wait_over (recording);
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_DONE);

  dialog = record_open_assistant (window);
  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.start", NULL);
  adw_dialog_force_close (ADW_DIALOG (dialog));
  for (guint i = 0; i < 50; i++)
    {
      g_usleep (2000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_assert_null (record_get (window));
  shell_close_window (window);
}

static gboolean
has_discard_button (gpointer question)
{
  return shell_find (question, "GtkButton", "_Discard") != NULL;
}

/* Discarding asks first; then neither the file nor the tab is kept. */
static void
test_discard (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (TbRecording) recording = NULL;
  TbRecordDialog *dialog;
  GtkWidget *question;

  set_behaviour ("", "");
  dialog = open_assistant (window);
  tb_record_dialog_set_command (dialog, "");
  recording = record_start (window, dialog);
  record_wait_running (recording);
  gtk_widget_activate_action (shell_find (GTK_WIDGET (window), "TbRecordingPage", NULL),
                              "recording.discard", NULL);
  question
      = GTK_WIDGET (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
  shell_wait (has_discard_button, question, "the question");
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_RUNNING);
  shell_picture (window, "discard-question");
  g_signal_emit_by_name (shell_find (question, "GtkButton", "_Discard"), "clicked");
  record_wait_over (recording);
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_DISCARDED);
  g_assert_false (g_file_query_exists (tb_recording_get_file (recording), NULL));
  g_assert_null (record_get (window));
  g_assert_null (tb_window_get_document_page (window));
  shell_close_window (window);
}

/* A collector may take long to start, as while it waits for a password: cancelling the start takes
 * effect at once. */
static void
test_cancel_start (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (TbRecording) recording = NULL;

  set_behaviour ("slow", "slow");
  recording = record_start (window, open_assistant (window));
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_STARTING);
  shell_picture (window, "starting");
  gtk_widget_activate_action (shell_find (GTK_WIDGET (window), "TbRecordingPage", NULL),
                              "recording.discard", NULL);
  record_wait_over (recording);
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_DISCARDED);
  g_assert_false (g_file_query_exists (tb_recording_get_file (recording), NULL));
  g_assert_null (record_get (window));
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/collectors/choice", test_choice);
  g_test_add_func ("/collectors/own-choice", test_own_choice);
  g_test_add_func ("/collectors/known", test_preflight_limit);
  g_test_add_func ("/collectors/refused-with-command", test_refused_with_command);
  g_test_add_func ("/collectors/refused-by-best", test_refused_by_best);
  g_test_add_func ("/collectors/refused", test_refused);
  g_test_add_func ("/collectors/quick", test_early_start);
  g_test_add_func ("/collectors/discard", test_discard);
  g_test_add_func ("/collectors/cancel-start", test_cancel_start);
  return g_test_run ();
}
