/* tb-window-closing.c: closing of tabs and windows: confirmation if a recording is in progress,
 * question whether to keep or discard unsaved ones, window size stored
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/tb-application.h"
#include "shell/recording/tb-recording-page.h"
#include "shell/window/tb-unsaved.h"
#include "shell/window/tb-window-private.h"

/* The page of a closed tab is destroyed step by step; it is no longer visible in between. */
static void
finish_closing (TbWindow *self, AdwTabPage *page)
{
  g_autoptr (GtkWidget) child = g_object_ref (adw_tab_page_get_child (page));

  adw_tab_view_close_page_finish (self->tab_view, page, TRUE);
  if (TB_IS_DOCUMENT_PAGE (child))
    tb_document_page_close (TB_DOCUMENT_PAGE (child));
}

/* Returns the document pages of the window. The window's dispose() closes them after the window
 * itself. */
GPtrArray *
tb_window_list_pages (TbWindow *self)
{
  GPtrArray *pages = g_ptr_array_new_with_free_func (g_object_unref);

  for (int i = 0; !tb_window_is_disposed (self) && i < adw_tab_view_get_n_pages (self->tab_view);
       i++)
    {
      GtkWidget *child = adw_tab_page_get_child (adw_tab_view_get_nth_page (self->tab_view, i));

      if (TB_IS_DOCUMENT_PAGE (child))
        g_ptr_array_add (pages, g_object_ref (child));
    }
  return pages;
}

static void
close_tab_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);

  if (page != NULL)
    adw_tab_view_close_page (self->tab_view, page);
}

static void
close_recording_answered (TbWindow *self, const char *response, AdwAlertDialog *dialog)
{
  g_autoptr (AdwTabPage) page = g_object_steal_data (G_OBJECT (dialog), "tb-tab");

  /* The recording may have ended by itself in between. */
  if (page != NULL && !tb_window_is_disposed (self))
    adw_tab_view_close_page_finish (self->tab_view, page,
                                    g_str_equal (response, "stop")
                                        || !tb_window_is_recording_tab (page));
}

static AdwDialog *
make_stop_dialog (const char *body)
{
  AdwDialog *dialog = adw_alert_dialog_new (_ ("Stop Recording?"), body);

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Continue Recording"),
                                  "stop", _ ("_Stop"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "stop",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  return dialog;
}

/* Unsaved recordings */

/* (transfer none): NULL if the tab can be closed without a question. */
static GFile *
get_unsaved (TbWindow *self, AdwTabPage *page)
{
  GtkWidget *child = adw_tab_page_get_child (page);
  TbDocument *document = TB_IS_DOCUMENT_PAGE (child)
                             ? tb_document_page_get_document (TB_DOCUMENT_PAGE (child))
                             : NULL;
  GFile *file = document != NULL && !tb_document_is_comparison (document)
                    ? tb_document_get_file (document)
                    : NULL;

  return file != NULL && tb_unsaved_contains (self->settings, file)
                 && g_file_query_exists (file, NULL)
             ? file
             : NULL;
}

static GPtrArray *
list_unsaved (TbWindow *self)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);

  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      GFile *file = get_unsaved (self, adw_tab_view_get_nth_page (self->tab_view, i));

      if (file != NULL)
        g_ptr_array_add (files, g_object_ref (file));
    }
  return files;
}

static AdwDialog *
make_unsaved_dialog (GPtrArray *files)
{
  g_autofree char *name = g_file_get_basename (files->pdata[0]);
  g_autofree char *body
      = files->len == 1
            ? g_strdup_printf (_ ("“%s” has not been saved. If you keep it, it is listed among the "
                                  "recent recordings; if you discard it, it is deleted."),
                               name)
            : g_strdup_printf (
                  ngettext ("%u recording has not been saved. If you keep it, it is listed among "
                            "the recent recordings; if you discard it, it is deleted.",
                            "%u recordings have not been saved. If you keep them, they are listed "
                            "among the recent recordings; if you discard them, they are deleted.",
                            files->len),
                  files->len);
  AdwDialog *dialog = adw_alert_dialog_new (files->len == 1 ? _ ("Keep the Recording?")
                                                            : _ ("Keep the Recordings?"),
                                            body);

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "discard",
                                  _ ("_Discard"), "keep", _ ("_Keep"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "discard",
                                            ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "keep",
                                            ADW_RESPONSE_SUGGESTED);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "keep");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  return dialog;
}

static void
keep_or_discard (TbWindow *self, GPtrArray *files, gboolean keep)
{
  for (guint i = 0; i < files->len; i++)
    {
      g_autoptr (GError) error = NULL;

      if (keep)
        tb_unsaved_keep (self->settings, files->pdata[i]);
      else if (!tb_unsaved_discard (self->settings, files->pdata[i], &error))
        tb_window_toast (self, error->message);
    }
}

static void
unsaved_tab_answered (TbWindow *self, const char *response, AdwAlertDialog *dialog)
{
  g_autoptr (AdwTabPage) page = g_object_steal_data (G_OBJECT (dialog), "tb-tab");
  GFile *file = page != NULL && !tb_window_is_disposed (self) ? get_unsaved (self, page) : NULL;
  gboolean closes = !g_str_equal (response, "cancel");
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  if (page == NULL || tb_window_is_disposed (self))
    return;
  if (file != NULL)
    g_ptr_array_add (files, g_object_ref (file));
  if (!closes)
    {
      adw_tab_view_close_page_finish (self->tab_view, page, FALSE);
      return;
    }
  finish_closing (self, page);
  keep_or_discard (self, files, g_str_equal (response, "keep"));
}

static void
confirm_tab (TbWindow *self, AdwTabPage *page)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  AdwDialog *dialog;

  g_ptr_array_add (files, g_object_ref (get_unsaved (self, page)));
  dialog = make_unsaved_dialog (files);
  g_object_set_data_full (G_OBJECT (dialog), "tb-tab", g_object_ref (page), g_object_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (unsaved_tab_answered), self,
                           G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

/* Cancels quitting the application, if it was about to quit. */
static void
cancel_quit (TbWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application != NULL)
    tb_application_cancel_quit (TB_APPLICATION (application));
}

static void
unsaved_window_answered (TbWindow *self, const char *response)
{
  g_autoptr (GPtrArray) files = NULL;

  if (g_str_equal (response, "cancel") || tb_window_is_disposed (self))
    {
      cancel_quit (self);
      return;
    }
  files = list_unsaved (self);
  keep_or_discard (self, files, g_str_equal (response, "keep"));
  self->unsaved_confirmed = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

gboolean
tb_window_close_page (TbWindow *self, AdwTabPage *page)
{
  AdwDialog *dialog;

  if (!tb_window_is_recording_tab (page) && get_unsaved (self, page) != NULL)
    {
      confirm_tab (self, page);
      return GDK_EVENT_STOP;
    }
  if (!tb_window_is_recording_tab (page))
    {
      finish_closing (self, page);
      return GDK_EVENT_STOP;
    }
  dialog = make_stop_dialog (
      _ ("The data recorded so far is kept and listed among the recent recordings."));
  g_object_set_data_full (G_OBJECT (dialog), "tb-tab", g_object_ref (page), g_object_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (close_recording_answered), self,
                           G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, GTK_WIDGET (self));
  return GDK_EVENT_STOP;
}

static void
close_window_answered (TbWindow *self, const char *response)
{
  if (!g_str_equal (response, "stop"))
    {
      cancel_quit (self);
      return;
    }
  self->close_confirmed = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

static void
save_size (TbWindow *self)
{
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  if (!gtk_window_is_maximized (GTK_WINDOW (self)))
    g_settings_set (self->settings, "window-size", "(ii)", width, height);
  g_settings_set_boolean (self->settings, "window-maximized",
                          gtk_window_is_maximized (GTK_WINDOW (self)));
}

/* Returns whether the window can close. If a recording is in progress or unsaved, the user is asked
 * first. What was recorded so far is kept. */
gboolean
tb_window_may_close (TbWindow *self)
{
  g_autoptr (GPtrArray) unsaved = NULL;
  AdwDialog *dialog;

  if (tb_window_is_recording (self) && !self->close_confirmed)
    {
      dialog
          = make_stop_dialog (_ ("A recording is in progress. The data recorded so far is kept."));
      g_signal_connect_object (dialog, "response", G_CALLBACK (close_window_answered), self,
                               G_CONNECT_SWAPPED);
      adw_dialog_present (dialog, GTK_WIDGET (self));
      return FALSE;
    }
  unsaved = list_unsaved (self);
  if (unsaved->len > 0 && !self->unsaved_confirmed)
    {
      dialog = make_unsaved_dialog (unsaved);
      g_signal_connect_object (dialog, "response", G_CALLBACK (unsaved_window_answered), self,
                               G_CONNECT_SWAPPED);
      adw_dialog_present (dialog, GTK_WIDGET (self));
      return FALSE;
    }
  save_size (self);
  if (gtk_window_get_application (GTK_WINDOW (self)) != NULL)
    tb_application_handle_window_close (TB_APPLICATION (
                                            gtk_window_get_application (GTK_WINDOW (self))),
                                        self);
  return TRUE;
}

static const GActionEntry actions[] = {
  { "close-tab", close_tab_action },
};

void
tb_window_add_closing_actions (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
