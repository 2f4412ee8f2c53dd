/* record-fixture.c: user actions in the recording assistant and its recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "record-fixture.h"

#include "shell/recording/tb-recording-page.h"

static gboolean
is_preflight_done (gpointer dialog)
{
  GtkWidget *group = shell_find (dialog, "TbPreflightGroup", NULL);

  return group != NULL && shell_find (group, "AdwSpinner", NULL) == NULL;
}

TbRecordDialog *
record_open_assistant (TbWindow *window)
{
  GtkWidget *dialog;

  shell_activate (window, "record", NULL);
  dialog = shell_find (GTK_WIDGET (window), "TbRecordDialog", NULL);
  g_assert_nonnull (dialog);
  return TB_RECORD_DIALOG (dialog);
}

void
record_wait_preflight (TbRecordDialog *dialog)
{
  shell_wait (is_preflight_done, dialog, "the preflight of the collectors");
}

gboolean
record_can_start (TbRecordDialog *dialog)
{
  return gtk_widget_is_sensitive (shell_find (GTK_WIDGET (dialog), "GtkButton", "_Record"));
}

TbRecording *
record_get (TbWindow *window)
{
  GtkWidget *page = shell_find (GTK_WIDGET (window), "TbRecordingPage", NULL);

  return page != NULL ? tb_recording_page_get_recording (TB_RECORDING_PAGE (page)) : NULL;
}

static gboolean
has_recording (gpointer window)
{
  return record_get (window) != NULL;
}

TbRecording *
record_start (TbWindow *window, TbRecordDialog *dialog)
{
  gtk_widget_activate_action (GTK_WIDGET (dialog), "record.start", NULL);
  shell_wait (has_recording, window, "the recording");
  return g_object_ref (record_get (window));
}

static gboolean
is_over (gpointer recording)
{
  return tb_recording_get_state (recording) >= TB_RECORDING_DONE;
}

static gboolean
is_running (gpointer recording)
{
  return tb_recording_get_state (recording) >= TB_RECORDING_RUNNING;
}

static gboolean
has_events (gpointer recording)
{
  return is_over (recording) || tb_recording_get_statistics (recording)->events > 0;
}

void
record_wait_running (TbRecording *recording)
{
  shell_wait (is_running, recording, "the recording to run");
}

void
record_wait_events (TbRecording *recording)
{
  shell_wait (has_events, recording, "events");
}

void
record_wait_over (TbRecording *recording)
{
  shell_wait (is_over, recording, "the end of the recording");
}

TbDocument *
record_get_document (TbWindow *window)
{
  TbDocumentPage *page = tb_window_get_document_page (window);
  TbDocument *document;

  g_assert_nonnull (page);
  document = tb_document_page_get_document (page);
  shell_wait_settled (document);
  return document;
}
