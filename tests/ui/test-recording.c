/* test-recording.c: the recording assistant, a recording, and what becomes of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell-fixture.h"
#include "shell/tb-record-dialog.h"
#include "shell/tb-recording-page.h"

static gboolean
has_preflight (gpointer dialog)
{
  return shell_find (dialog, "GtkImage", NULL) != NULL && shell_find (dialog, "AdwSpinner", NULL) == NULL;
}

static TbRecordDialog *
open_assistant (TbWindow *window)
{
  GtkWidget *dialog;

  shell_activate (window, "record", NULL);
  dialog = shell_find (GTK_WIDGET (window), "TbRecordDialog", NULL);
  g_assert_nonnull (dialog);
  return TB_RECORD_DIALOG (dialog);
}

static gboolean
can_start (TbRecordDialog *dialog)
{
  GtkWidget *button = shell_find (GTK_WIDGET (dialog), "GtkButton", "_Record");

  return gtk_widget_is_sensitive (button);
}

/* Whether this machine lets us, as the assistant says. */
static gboolean
may_record_system (TbRecordDialog *dialog)
{
  return shell_find_text (GTK_WIDGET (dialog), "The whole system cannot be recorded here") == NULL;
}

static void
test_assistant (void)
{
  TbWindow *window = shell_new_window ();
  TbRecordDialog *dialog = open_assistant (window);

  shell_wait (has_preflight, dialog, "the preflight");
  /* Without a command the whole system is all there is to record. */
  g_assert_cmpint (can_start (dialog), ==, may_record_system (dialog));
  shell_picture (window, "assistant");
  tb_record_dialog_set_scope (dialog, TB_SCOPE_COMMAND);
  g_assert_false (can_start (dialog));
  tb_record_dialog_set_command (dialog, "echo 'unfinished");
  g_assert_false (can_start (dialog));
  tb_record_dialog_set_command (dialog, "echo finished");
  g_assert_true (can_start (dialog));
  tb_record_dialog_set_scope (dialog, TB_SCOPE_PROCESS);
  g_assert_false (can_start (dialog));
  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.choose-process", NULL);
  shell_picture (window, "processes");
  tb_record_dialog_set_process (dialog, 1, "init");
  adw_dialog_force_close (ADW_DIALOG (dialog));
  shell_close_window (window);
}

/* The tab of the recording, while there is one. */
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

static gboolean
is_over (gpointer recording)
{
  return tb_recording_get_state (recording) >= TB_RECORDING_DONE;
}

static gboolean
is_running (gpointer recording)
{
  return tb_recording_get_state (recording) >= TB_RECORDING_RUNNING
         && (tb_recording_get_statistics (recording)->events > 0 || is_over (recording));
}

/* NULL where this machine does not allow it: that was said before. */
static TbRecording *
record (TbWindow *window, TbScope scope, const char *command, GFile *file)
{
  TbRecordDialog *dialog = open_assistant (window);

  tb_record_dialog_set_scope (dialog, scope);
  tb_record_dialog_set_command (dialog, command != NULL ? command : "");
  if (file != NULL)
    tb_record_dialog_set_file (dialog, file);
  shell_wait (has_preflight, dialog, "the preflight");
  if (scope == TB_SCOPE_SYSTEM && !may_record_system (dialog))
    {
      g_test_skip ("the whole system may not be recorded");
      adw_dialog_force_close (ADW_DIALOG (dialog));
      return NULL;
    }
  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.start", NULL);
  shell_wait (has_recording, window, "the recording");
  return g_object_ref (get_recording (window));
}

/* Where this machine does not allow it, that is said, and the test has seen what it could. */
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
  g_autoptr (TbRecording) recording = record (window, TB_SCOPE_COMMAND, "sh -c 'sleep 0.3; exit 3'", file);

  shell_wait (is_over, recording, "the recording");
  if (!is_refused (window, recording))
    {
      TbDocumentPage *page = tb_window_get_document_page (window);
      TbDocument *document;

      g_assert_no_error (tb_recording_get_error (recording));
      g_assert_nonnull (page);
      document = tb_document_page_get_document (page);
      shell_wait_settled (document);
      g_assert_cmpint (tb_document_get_state (document), ==, TB_DOCUMENT_READY);
      g_assert_true (g_file_equal (tb_document_get_file (document), file));
      g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "command"), ==,
                       "sh -c 'sleep 0.3; exit 3'");
      g_assert_cmpstr (tb_session_get_fact (tb_document_get_session (document), "command-status"), ==,
                       "exited with status 3");
      shell_picture (window, "recorded");
    }
  shell_close_window (window);
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
  shell_wait (is_running, recording, "events");
  if (!is_refused (window, recording))
    {
      g_assert_true (tb_window_is_recording (window));
      g_assert_cmpuint (tb_recording_get_statistics (recording)->events, >, 0);
      g_assert_cmpfloat (tb_recording_get_rate (recording), >, 0);
      shell_picture (window, "recording");
      shell_activate (window, "stop-recording", NULL);
      shell_wait (is_over, recording, "the end of the recording");
      g_assert_no_error (tb_recording_get_error (recording));
      g_assert_nonnull (tb_window_get_document_page (window));
      g_assert_true (g_file_query_exists (tb_recording_get_file (recording), NULL));
      shell_wait_settled (tb_document_page_get_document (tb_window_get_document_page (window)));
    }
  shell_close_window (window);
}

static gboolean
has_stop_button (gpointer question)
{
  return shell_find (question, "GtkButton", "_Stop") != NULL;
}

/* Closing the tab asks, and keeps what was recorded. */
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
  shell_wait (is_running, recording, "events");
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
      shell_wait (is_over, recording, "the end of the recording");
      g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_DONE);
      g_assert_true (g_file_query_exists (tb_recording_get_file (recording), NULL));
    }
  shell_close_window (window);
}

static void
check_failure (const char *command, GFile *file)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (TbRecording) recording = record (window, TB_SCOPE_COMMAND, command, file);
  const GError *error;

  shell_wait (is_over, recording, "the failure");
  g_assert_cmpint (tb_recording_get_state (recording), ==, TB_RECORDING_FAILED);
  error = tb_recording_get_error (recording);
  g_test_message ("%s", error->message);
  g_assert_null (strchr (error->message, '\n'));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Could Not Record"));
  g_assert_false (g_file_query_exists (tb_recording_get_file (recording), NULL));
  shell_picture (window, "not-recorded");
  shell_activate (window, "close-tab", NULL);
  shell_close_window (window);
}

static void
test_failures (void)
{
  g_autoptr (GFile) file = shell_temporary ("never.tailback");
  g_autoptr (GFile) unwritable = g_file_new_for_path ("/proc/never/never.tailback");

  check_failure ("/no/such/program", file);
  check_failure ("true", unwritable);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/recording/assistant", test_assistant);
  g_test_add_func ("/recording/command", test_command);
  g_test_add_func ("/recording/stop", test_stop);
  g_test_add_func ("/recording/close", test_close);
  g_test_add_func ("/recording/failures", test_failures);
  return g_test_run ();
}
