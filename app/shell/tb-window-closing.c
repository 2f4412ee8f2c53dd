/* tb-window-closing.c: closing tabs and windows, and what was open when they were closed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/tb-recording-page.h"
#include "shell/tb-window-private.h"

/* Recordings that are restored at most: each is read when it is looked at, but a tab is a tab. */
#define N_RESTORED 20

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

  /* It may have ended by itself meanwhile. */
  if (page != NULL && !tb_window_is_going (self))
    adw_tab_view_close_page_finish (self->tab_view, page,
                                    g_str_equal (response, "stop") || !tb_window_is_recording_tab (page));
}

static AdwDialog *
make_stop_dialog (const char *body)
{
  AdwDialog *dialog = adw_alert_dialog_new (_ ("Stop Recording?"), body);

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Keep Recording"), "stop",
                                  _ ("_Stop"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "stop", ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  return dialog;
}

gboolean
tb_window_close_page (TbWindow *self, AdwTabPage *page)
{
  AdwDialog *dialog;

  if (!tb_window_is_recording_tab (page))
    {
      adw_tab_view_close_page_finish (self->tab_view, page, TRUE);
      return GDK_EVENT_STOP;
    }
  dialog = make_stop_dialog (_ ("What was recorded so far is kept, and is among the recent recordings."));
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
    return;
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
  g_settings_set_boolean (self->settings, "window-maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
}

/* Whether it goes; where a recording is being made, that is asked first. What is to be kept of it is kept. */
gboolean
tb_window_may_close (TbWindow *self)
{
  AdwDialog *dialog;

  if (tb_window_is_recording (self) && !self->close_confirmed)
    {
      dialog = make_stop_dialog (_ ("A recording is being made. What was recorded so far is kept."));
      g_signal_connect_object (dialog, "response", G_CALLBACK (close_window_answered), self,
                               G_CONNECT_SWAPPED);
      adw_dialog_present (dialog, GTK_WIDGET (self));
      return FALSE;
    }
  save_size (self);
  tb_window_save_session (self);
  return TRUE;
}

/* What was open when it was closed */

static void
add_to_session (GVariantBuilder *builder, TbDocument *document, gboolean in_front)
{
  GFile *base = tb_document_get_base_file (document);
  g_autofree char *uri = g_file_get_uri (tb_document_get_file (document));
  g_autofree char *base_uri = base != NULL ? g_file_get_uri (base) : g_strdup ("");

  g_variant_builder_add (builder, "(ssb)", uri, base_uri, in_front);
}

/**
 * tb_window_save_session:
 *
 * Remembers which recordings and comparisons are open.
 */
void
tb_window_save_session (TbWindow *self)
{
  GVariantBuilder builder;
  AdwTabPage *selected;

  g_return_if_fail (TB_IS_WINDOW (self));

  selected = adw_tab_view_get_selected_page (self->tab_view);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(ssb)"));
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      AdwTabPage *page = adw_tab_view_get_nth_page (self->tab_view, i);
      GtkWidget *child = adw_tab_page_get_child (page);

      if (TB_IS_DOCUMENT_PAGE (child))
        add_to_session (&builder, tb_document_page_get_document (TB_DOCUMENT_PAGE (child)), page == selected);
    }
  g_settings_set_value (self->settings, "open-documents", g_variant_builder_end (&builder));
}

/**
 * tb_window_restore_session:
 *
 * Opens the recordings and comparisons again that were open; each is read when it is looked at. Those that are gone are
 * left out.
 */
void
tb_window_restore_session (TbWindow *self)
{
  g_autoptr (GVariantIter) iter = NULL;
  const char *uri, *base_uri;
  gboolean in_front;
  guint n = 0;

  g_return_if_fail (TB_IS_WINDOW (self));

  g_settings_get (self->settings, "open-documents", "a(ssb)", &iter);
  while (n++ < N_RESTORED && g_variant_iter_next (iter, "(&s&sb)", &uri, &base_uri, &in_front))
    {
      g_autoptr (GFile) file = g_file_new_for_uri (uri);
      g_autoptr (GFile) base = base_uri[0] != '\0' ? g_file_new_for_uri (base_uri) : NULL;

      if (!g_file_query_exists (file, NULL) || (base != NULL && !g_file_query_exists (base, NULL)))
        continue;
      if (base != NULL)
        tb_window_compare (self, base, file, in_front);
      else
        tb_window_open (self, file, in_front);
    }
}

static const GActionEntry actions[] = {
  { "close-tab", close_tab_action },
};

void
tb_window_add_closing_actions (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
