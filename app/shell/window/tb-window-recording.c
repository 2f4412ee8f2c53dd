/* tb-window-recording.c: recordings in progress in the tabs of a window: actions that open the
 * recording assistant or stop a recording; tab of the recording, replaced by that of its session
 * when it is complete, with a message why it ended or is incomplete
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/recording/tb-record-dialog.h"
#include "shell/recording/tb-recording-page.h"
#include "shell/tb-temporary-files.h"
#include "shell/window/tb-start-page.h"
#include "shell/window/tb-unsaved.h"
#include "shell/window/tb-window-private.h"

/* An error of the session file already describes what was saved. An error of the event source only
 * gives the reason why the events ended. */
static char *
describe_incomplete (const GError *error)
{
  return error->domain == TB_SESSION_ERROR
             ? g_strdup (error->message)
             : g_strdup_printf (
                   /* Translators: an error, with or without a full stop at its end */
                   _ ("%s\n\nData recorded before that is kept. Record again to get the rest."),
                   error->message);
}

/* Replaces the tab of a completed recording by that of its session. */
static void
recording_changed (TbWindow *first, GParamSpec *pspec, TbRecording *recording)
{
  AdwTabPage *page = g_object_get_data (G_OBJECT (recording), "tb-tab");
  /* the tab may have been dragged to another window */
  TbWindow *self = page != NULL ? tb_window_find_by_tab (page) : first;
  const GError *error = tb_recording_get_error (recording);
  g_autoptr (TbDocument) document = NULL;
  gboolean in_front;

  if (self == NULL || tb_window_is_disposed (self))
    {
      self = first;
      page = NULL;
    }
  if (tb_recording_get_state (recording) == TB_RECORDING_FAILED && page != NULL)
    adw_tab_page_set_needs_attention (page, TRUE);
  if (tb_recording_get_state (recording) == TB_RECORDING_DISCARDED && page != NULL)
    {
      adw_tab_view_close_page (self->tab_view, page);
      tb_window_toast (self, _ ("Nothing of the recording was kept"));
    }
  if (tb_recording_get_state (recording) != TB_RECORDING_DONE)
    return;
  if (page != NULL)
    {
      in_front = adw_tab_view_get_selected_page (self->tab_view) == page;
      document = tb_document_new (tb_recording_get_file (recording));
      tb_window_add_document (self, document, page, in_front);
      adw_tab_view_close_page (self->tab_view, page);
    }
  else
    tb_recent_add (tb_recording_get_file (recording));

  if (error != NULL)
    {
      g_autofree char *text = describe_incomplete (error);

      tb_window_show_error (self, _ ("The Recording Is Incomplete"), text);
    }
  else if (tb_recording_get_note (recording) != NULL)
    {
      g_autofree char *name = tb_recording_dup_name (recording);
      g_autofree char *text = g_strdup_printf ("%s: %s", name, tb_recording_get_note (recording));

      tb_window_toast (self, text);
    }
}

static void
forget_tab (gpointer recording, GObject *page)
{
  g_object_set_data (recording, "tb-tab", NULL);
  g_object_unref (recording);
}

static void
record_again (TbWindow *self, TbRecording *again, TbRecordingPage *page)
{
  AdwTabPage *tab = adw_tab_view_get_page (self->tab_view, GTK_WIDGET (page));

  tb_window_record (self, again);
  adw_tab_view_close_page (self->tab_view, tab);
}

/**
 * tb_window_record:
 * @recording: a recording that is not started
 *
 * Starts the recording in a new tab, which is replaced by that of the session when the recording
 * ends.
 */
void
tb_window_record (TbWindow *self, TbRecording *recording)
{
  AdwTabPage *page;
  GtkWidget *child;

  g_return_if_fail (TB_IS_WINDOW (self));

  child = tb_recording_page_new (recording);
  g_signal_connect_object (child, "again", G_CALLBACK (record_again), self, G_CONNECT_SWAPPED);
  page = tb_window_add_tab (self, child, adw_tab_view_get_selected_page (self->tab_view));
  g_object_set_data (G_OBJECT (recording), "tb-tab", page);
  g_object_weak_ref (G_OBJECT (page), forget_tab, g_object_ref (recording));
  adw_tab_view_set_selected_page (self->tab_view, page);
  tb_window_update (self);
  g_signal_connect_object (recording, "notify::state", G_CALLBACK (recording_changed), self,
                           G_CONNECT_SWAPPED);
  if (tb_recordings_contains (tb_recording_get_file (recording)))
    tb_unsaved_add (self->settings, tb_recording_get_file (recording));
  tb_recording_start (recording);
}

gboolean
tb_window_is_recording_tab (AdwTabPage *page)
{
  GtkWidget *child = adw_tab_page_get_child (page);

  return TB_IS_RECORDING_PAGE (child)
         && tb_recording_is_active (tb_recording_page_get_recording (TB_RECORDING_PAGE (child)));
}

gboolean
tb_window_is_recording (TbWindow *self)
{
  g_return_val_if_fail (TB_IS_WINDOW (self), FALSE);

  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      if (tb_window_is_recording_tab (adw_tab_view_get_nth_page (self->tab_view, i)))
        return TRUE;
    }
  return FALSE;
}

/* Also used for recording only a command, if the system may not be recorded. */
static void
record_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  AdwDialog *dialog = tb_record_dialog_new (self->settings);

  if (g_str_equal (g_action_get_name (G_ACTION (action)), "record-command"))
    tb_record_dialog_set_scope (TB_RECORD_DIALOG (dialog), TB_SCOPE_COMMAND);

  g_signal_connect_object (dialog, "record", G_CALLBACK (tb_window_record), self,
                           G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

/* Returns the command of the current document, if it was recorded with one. */
static const char *
get_command (TbWindow *self)
{
  TbDocument *document = tb_window_get_document (self);
  TbSession *session = document != NULL ? tb_document_get_session (document) : NULL;

  return session != NULL ? tb_session_get_fact (session, "command") : NULL;
}

/* "(ss)": the collector that probes a function, and the function. */
static void
record_function_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  const char *collector, *function, *command = get_command (self);
  TbRecordDialog *dialog = TB_RECORD_DIALOG (tb_record_dialog_new (self->settings));

  g_variant_get (parameter, "(&s&s)", &collector, &function);
  if (command != NULL)
    {
      tb_record_dialog_set_scope (dialog, TB_SCOPE_COMMAND);
      tb_record_dialog_set_command (dialog, command);
    }
  if (tb_record_dialog_set_collector (dialog, collector))
    tb_record_dialog_set_function (dialog, function);
  g_signal_connect_object (dialog, "record", G_CALLBACK (tb_window_record), self,
                           G_CONNECT_SWAPPED);
  adw_dialog_present (ADW_DIALOG (dialog), GTK_WIDGET (self));
}

static void
stop_recording_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWidget *page = tb_window_get_page (data);

  if (TB_IS_RECORDING_PAGE (page))
    tb_recording_stop (tb_recording_page_get_recording (TB_RECORDING_PAGE (page)));
}

static const GActionEntry actions[] = {
  { "record", record_action },
  { "record-command", record_action },
  { "record-function", record_function_action, "(ss)" },
  { "stop-recording", stop_recording_action },
};

void
tb_window_add_recording_actions (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
