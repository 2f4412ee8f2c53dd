/* test-recording.c: the recording assistant, a recording, and its document
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <unistd.h>

#include "record-fixture.h"

/* Checks whether this machine permits it, according to the assistant. */
static gboolean
may_record_system (TbRecordDialog *dialog)
{
  return shell_find_text (GTK_WIDGET (dialog), "The whole system cannot be recorded here") == NULL;
}

static void
test_assistant (void)
{
  TbWindow *window = shell_new_window ();
  TbRecordDialog *dialog = record_open_assistant (window);

  record_wait_preflight (dialog);
  /* Without a command only the whole system can be recorded. */
  g_assert_cmpint (record_can_start (dialog), ==, may_record_system (dialog));
  shell_picture (window, "assistant");
  tb_record_dialog_set_scope (dialog, TB_SCOPE_COMMAND);
  g_assert_false (record_can_start (dialog));
  tb_record_dialog_set_command (dialog, "echo 'unfinished");
  g_assert_false (record_can_start (dialog));
  tb_record_dialog_set_command (dialog, "echo finished");
  g_assert_true (record_can_start (dialog));
  tb_record_dialog_set_scope (dialog, TB_SCOPE_PROCESS);
  g_assert_false (record_can_start (dialog));
  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.choose-process", NULL);
  shell_picture (window, "processes");
  tb_record_dialog_set_process (dialog, 1, "init");
  adw_dialog_force_close (ADW_DIALOG (dialog));
  shell_close_window (window);
}

static gboolean
has_processes (gpointer dialog)
{
  GtkWidget *view = shell_find (dialog, "GtkListView", NULL);

  return view != NULL
         && g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (view))))
                > 0;
}

static gboolean
is_chosen (gpointer dialog)
{
  g_autofree char *own = g_strdup_printf ("%d", getppid ());

  return record_can_start (dialog) && shell_find_text (dialog, own) != NULL;
}

/* A process is chosen from a list of all processes, by name, PID or command. */
static void
test_choose_process (void)
{
  TbWindow *window = shell_new_window ();
  TbRecordDialog *dialog = record_open_assistant (window);
  g_autofree char *parent = g_strdup_printf ("%d", getppid ());
  GtkWidget *search;

  record_wait_preflight (dialog);
  tb_record_dialog_set_scope (dialog, TB_SCOPE_PROCESS);
  g_assert_false (record_can_start (dialog));
  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.choose-process", NULL);
  shell_wait (has_processes, dialog, "the processes");
  search = shell_find (GTK_WIDGET (dialog), "GtkSearchEntry", NULL);
  gtk_editable_set_text (GTK_EDITABLE (search), "no process is called so");
  g_assert_false (has_processes (dialog));
  gtk_editable_set_text (GTK_EDITABLE (search), parent);
  g_assert_true (has_processes (dialog));
  shell_picture (window, "process-searched");
  g_signal_emit_by_name (search, "activate");
  shell_wait (is_chosen, dialog, "the chosen process");
  adw_dialog_force_close (ADW_DIALOG (dialog));
  shell_close_window (window);
}

/* Returns NULL if this machine does not permit it, which was reported before. */
static TbRecording *
record (TbWindow *window, TbScope scope, const char *command, GFile *file)
{
  TbRecordDialog *dialog = record_open_assistant (window);

  tb_record_dialog_set_scope (dialog, scope);
  tb_record_dialog_set_command (dialog, command != NULL ? command : "");
  if (file != NULL)
    tb_record_dialog_set_file (dialog, file);
  record_wait_preflight (dialog);
  if (scope == TB_SCOPE_SYSTEM && !may_record_system (dialog))
    {
      g_test_skip ("the whole system may not be recorded");
      adw_dialog_force_close (ADW_DIALOG (dialog));
      return NULL;
    }
  return record_start (window, dialog);
}

/* If this machine does not permit it, that is reported, and the test ends. */
static gboolean
is_refused (TbWindow *window, TbRecording *recording)
{
  const GError *error = tb_recording_get_error (recording);

  if (tb_recording_get_state (recording) != TB_RECORDING_FAILED
      || !g_error_matches (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE))
    return FALSE;
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Could Not Record"));
  g_test_skip (error->message);
  return TRUE;
}

static void
test_command (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_temporary ("command.tailback");
  g_autoptr (TbRecording) recording
      = record (window, TB_SCOPE_COMMAND, "sh -c 'sleep 0.3; exit 3'", file);

  record_wait_over (recording);
  if (!is_refused (window, recording))
    {
      TbDocument *document = record_get_document (window);

      g_assert_no_error (tb_recording_get_error (recording));
      g_assert_cmpint (tb_document_get_state (document), ==, TB_DOCUMENT_READY);
      g_assert_true (g_file_equal (tb_document_get_file (document), file));
      g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "command"), ==,
                       "sh -c 'sleep 0.3; exit 3'");
      g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "command-status"),
                       ==, "exited with status 3");
      shell_picture (window, "recorded");
    }
  shell_close_window (window);
}

/* The duration, the number and rate of events, the number of lost events, and the written size. */
static void
assert_statistics (TbWindow *window)
{
  static const char *const titles[] = { "Events per second", "Events", "Lost", "Written" };
  GtkWidget *page = shell_find (GTK_WIDGET (window), "TbRecordingPage", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      GtkWidget *row = shell_find (page, "AdwActionRow", titles[i]);

      g_assert_nonnull (row);
      g_assert_true (g_ascii_isdigit (adw_action_row_get_subtitle (ADW_ACTION_ROW (row))[0]));
    }
  g_assert_nonnull (shell_find_text (page, "0:0"));
  g_assert_nonnull (shell_find (page, "GtkButton", "_Stop"));
  g_assert_nonnull (shell_find (page, "GtkButton", "_Discard…"));
}

static void
test_stop (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (TbRecording) recording = record (window, TB_SCOPE_SYSTEM, NULL, NULL);

  if (recording == NULL)
    {
      shell_close_window (window);
      return;
    }
  record_wait_events (recording);
  if (!is_refused (window, recording))
    {
      g_assert_true (tb_window_is_recording (window));
      g_assert_cmpuint (tb_recording_get_statistics (recording)->events, >, 0);
      g_assert_cmpfloat (tb_recording_get_rate (recording), >, 0);
      assert_statistics (window);
      shell_picture (window, "recording");
      shell_activate (window, "stop-recording", NULL);
      record_wait_over (recording);
      g_assert_no_error (tb_recording_get_error (recording));
      record_get_document (window);
      g_assert_true (g_file_query_exists (tb_recording_get_file (recording), NULL));
    }
  shell_close_window (window);
}

static gboolean
has_stop_button (gpointer question)
{
  return shell_find (question, "GtkButton", "_Stop") != NULL;
}

/* Closing the tab asks, and keeps the recording. */
static void
test_close (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (TbRecording) recording = record (window, TB_SCOPE_SYSTEM, NULL, NULL);

  if (recording == NULL)
    {
      shell_close_window (window);
      return;
    }
  record_wait_events (recording);
  if (!is_refused (window, recording))
    {
      AdwDialog *question;

      shell_activate (window, "close-tab", NULL);
      question = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window));
      g_assert_true (ADW_IS_ALERT_DIALOG (question));
      shell_picture (window, "stop-question");
      g_assert_true (tb_window_is_recording (window));
      shell_wait (has_stop_button, question, "the question");
      g_signal_emit_by_name (shell_find (GTK_WIDGET (question), "GtkButton", "_Stop"), "clicked");
      record_wait_over (recording);
      g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_DONE);
      g_assert_true (g_file_query_exists (tb_recording_get_file (recording), NULL));
    }
  shell_close_window (window);
}

static AdwComboRow *
find_combo (TbRecordDialog *dialog, const char *title)
{
  GtkWidget *row = shell_find (GTK_WIDGET (dialog), "AdwComboRow", title);

  g_assert_nonnull (row);
  return ADW_COMBO_ROW (row);
}

static void
choose (AdwComboRow *row, const char *name)
{
  guint position = gtk_string_list_find (GTK_STRING_LIST (adw_combo_row_get_model (row)), name);

  g_assert_cmpuint (position, !=, GTK_INVALID_LIST_POSITION);
  adw_combo_row_set_selected (row, position);
}

static const char *
get_chosen (AdwComboRow *row)
{
  return gtk_string_object_get_string (adw_combo_row_get_selected_item (row));
}

static void
expand (TbRecordDialog *dialog, const char *group)
{
  GtkWidget *heading = shell_find (GTK_WIDGET (dialog), "AdwExpanderRow", group);

  g_assert_nonnull (heading);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (heading), TRUE);
}

/* A user who does not know the options chooses a purpose; a user who does sees its options and can
 * change them. */
static void
test_purposes (void)
{
  TbWindow *window = shell_new_window ();
  TbRecordDialog *dialog = record_open_assistant (window);
  AdwComboRow *purpose;
  GtkWidget *calls;

  record_wait_preflight (dialog);
  choose (find_combo (dialog, "C_ollector"), "Kernel programs");
  purpose = find_combo (dialog, "P_urpose");
  g_assert_cmpstr (get_chosen (purpose), ==, "Waits");
  choose (purpose, "System Calls");
  g_assert_nonnull (
      strstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (purpose)), "every system call"));
  expand (dialog, "System calls");
  calls = shell_find (GTK_WIDGET (dialog), "AdwSwitchRow", "System calls");
  g_assert_true (adw_switch_row_get_active (ADW_SWITCH_ROW (calls)));
  shell_picture (window, "assistant-system-calls");
  adw_switch_row_set_active (ADW_SWITCH_ROW (calls), FALSE);
  g_assert_cmpstr (get_chosen (purpose), ==, "Custom Options");
  choose (purpose, "Waits");
  g_assert_cmpuint (g_list_model_get_n_items (adw_combo_row_get_model (purpose)), >=, 4);

  /* Unsupported options of a collector are not offered. */
  choose (find_combo (dialog, "C_ollector"), "Kernel events");
  g_assert_cmpuint (gtk_string_list_find (GTK_STRING_LIST (adw_combo_row_get_model (purpose)),
                                          "Rare Stalls"),
                    ==, GTK_INVALID_LIST_POSITION);
  adw_dialog_force_close (ADW_DIALOG (dialog));
  shell_close_window (window);
}

/* An error known beforehand is shown in the assistant, which stays open; it disappears when
 * corrected. */
static void
test_no_such_command (void)
{
  TbWindow *window = shell_new_window ();
  TbRecordDialog *dialog = record_open_assistant (window);
  GtkWidget *banner;

  tb_record_dialog_set_scope (dialog, TB_SCOPE_COMMAND);
  tb_record_dialog_set_command (dialog, "/no/such/program");
  record_wait_preflight (dialog);
  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.start", NULL);
  banner = shell_find (GTK_WIDGET (dialog), "AdwBanner", NULL);
  g_assert_nonnull (strstr (adw_banner_get_title (ADW_BANNER (banner)), "/no/such/program"));
  g_assert_true (adw_banner_get_revealed (ADW_BANNER (banner)));
  g_assert_null (record_get (window));
  shell_picture (window, "no-such-command");
  tb_record_dialog_set_command (dialog, "true");
  g_assert_false (adw_banner_get_revealed (ADW_BANNER (banner)));

  tb_record_dialog_set_scope (dialog, TB_SCOPE_PROCESS);
  tb_record_dialog_set_process (dialog, G_MAXINT32, "never");
  record_wait_preflight (dialog);
  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.start", NULL);
  g_assert_nonnull (strstr (adw_banner_get_title (ADW_BANNER (banner)), "has ended"));
  g_assert_null (record_get (window));
  adw_dialog_force_close (ADW_DIALOG (dialog));
  shell_close_window (window);
}

/* An error that only an attempt shows is in the tab, where the attempt can be repeated. */
static void
test_failure (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) unwritable = g_file_new_for_path ("/proc/never/never.tailback");
  g_autoptr (TbRecording) recording = record (window, TB_SCOPE_COMMAND, "true", unwritable);
  g_autoptr (TbRecording) again = NULL;
  const GError *error;

  record_wait_over (recording);
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_FAILED);
  error = tb_recording_get_error (recording);
  g_test_message ("%s", error->message);
  g_assert_null (strchr (error->message, '\n'));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Could Not Record"));
  g_assert_false (g_file_query_exists (tb_recording_get_file (recording), NULL));
  shell_picture (window, "not-recorded");
  gtk_widget_activate_action (shell_find (GTK_WIDGET (window), "TbRecordingPage", NULL),
                              "recording.again", NULL);
  again = g_object_ref (record_get (window));
  g_assert_true (again != recording);
  record_wait_over (again);
  g_assert_cmpint (tb_recording_get_state (again), ==, TB_RECORDING_FAILED);
  shell_activate (window, "close-tab", NULL);
  g_assert_null (record_get (window));
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/recording/assistant", test_assistant);
  g_test_add_func ("/recording/choose-process", test_choose_process);
  g_test_add_func ("/recording/purposes", test_purposes);
  g_test_add_func ("/recording/command", test_command);
  g_test_add_func ("/recording/stop", test_stop);
  g_test_add_func ("/recording/close", test_close);
  g_test_add_func ("/recording/no-such-command", test_no_such_command);
  g_test_add_func ("/recording/failure", test_failure);
  return g_test_run ();
}
