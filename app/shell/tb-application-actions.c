/* tb-application-actions.c: actions of the application (new window, recording, comparison,
 * preferences, help, about, quit), and keys of all actions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "shell/tb-application-private.h"
#include "shell/preferences/tb-preferences-dialog.h"
#include "shell/tb-help-uri.h"
#include "shell/window/tb-window.h"

static void
new_window_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (GTK_WINDOW (tb_application_make_window (data)));
}

static void
new_recording_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *window = tb_application_ensure_window (data);

  gtk_window_present (GTK_WINDOW (window));
  g_action_group_activate_action (G_ACTION_GROUP (window), "record", NULL);
}

/* (transfer full) */
static GPtrArray *
get_files (GVariantIter *uris)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);
  const char *uri;

  while (g_variant_iter_next (uris, "&s", &uri))
    g_ptr_array_add (files, g_file_new_for_uri (uri));
  return files;
}

static void
compare_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *window = tb_application_ensure_window (data);
  g_autoptr (GVariantIter) base_uris = NULL;
  g_autoptr (GVariantIter) other_uris = NULL;
  g_autoptr (GPtrArray) bases = NULL;
  g_autoptr (GPtrArray) others = NULL;

  g_variant_get (parameter, "(asas)", &base_uris, &other_uris);
  bases = get_files (base_uris);
  others = get_files (other_uris);
  if (bases->len > 0 && others->len > 0)
    tb_window_compare_several (window, bases, others, TRUE);
  tb_application_present (data, window);
}

static void
preferences_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbApplication *self = data;

  adw_dialog_present (tb_preferences_dialog_new (self->settings),
                      GTK_WIDGET (gtk_application_get_active_window (GTK_APPLICATION (self))));
}

static void
help_shown (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GtkWindow) window = data;
  g_autoptr (GError) error = NULL;
  AdwDialog *dialog;

  if (gtk_uri_launcher_launch_finish (GTK_URI_LAUNCHER (object), result, &error)
      || g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED))
    return;
  dialog = adw_alert_dialog_new (_ ("The Help Could Not Be Shown"), NULL);
  adw_alert_dialog_format_body (
      ADW_ALERT_DIALOG (dialog),
      /* Translators: an error of the system, with or without a full stop at its end */
      _ ("%s\n\nInstall a help viewer such as Yelp, or read the pages in the folder “help” of the "
         "source."),
      error->message);
  adw_alert_dialog_add_response (ADW_ALERT_DIALOG (dialog), "close", _ ("_Close"));
  adw_dialog_present (dialog, GTK_WIDGET (window));
}

static void
help_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *window = gtk_application_get_active_window (data);
  g_autofree char *uri = tb_help_uri_make (TAILBACK_DATA_DIR);
  g_autoptr (GtkUriLauncher) launcher = gtk_uri_launcher_new (uri);

  if (window != NULL)
    gtk_uri_launcher_launch (launcher, window, NULL, help_shown, g_object_ref (window));
}

static void
about_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  AdwDialog *dialog = adw_about_dialog_new ();

  adw_about_dialog_set_application_name (ADW_ABOUT_DIALOG (dialog), _ ("Tailback"));
  adw_about_dialog_set_application_icon (ADW_ABOUT_DIALOG (dialog), TAILBACK_APP_ID);
  adw_about_dialog_set_version (ADW_ABOUT_DIALOG (dialog), PACKAGE_VERSION);
  adw_about_dialog_set_developer_name (ADW_ABOUT_DIALOG (dialog), _ ("The Tailback contributors"));
  adw_about_dialog_set_comments (ADW_ABOUT_DIALOG (dialog),
                                 _ ("Find out what running software is waiting for, and why"));
  adw_about_dialog_set_license_type (ADW_ABOUT_DIALOG (dialog), GTK_LICENSE_GPL_3_0);
  /* Translators: your names, one per line */
  adw_about_dialog_set_translator_credits (ADW_ABOUT_DIALOG (dialog), _ ("translator-credits"));
  adw_dialog_present (dialog, GTK_WIDGET (gtk_application_get_active_window (data)));
}

static void
quit_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GList *windows = g_list_copy (gtk_application_get_windows (data));
  TbApplication *self = data;

  tb_application_store_documents (self, NULL);
  self->quitting = TRUE;
  /* Each window may ask for confirmation; the application ends with the last window. If a window
   * has a dialog, closing it would close only the dialog. */
  for (GList *link = windows; link != NULL; link = link->next)
    {
      AdwDialog *dialog;

      while (ADW_IS_APPLICATION_WINDOW (link->data)
             && (dialog = adw_application_window_get_visible_dialog (link->data)) != NULL)
        adw_dialog_force_close (dialog);
      gtk_window_close (link->data);
    }
  g_list_free (windows);
}

static const GActionEntry app_actions[] = {
  { "new-window", new_window_action },
  { "new-recording", new_recording_action },
  { "compare", compare_action, "(asas)" },
  { "preferences", preferences_action },
  { "help", help_action },
  { "about", about_action },
  { "quit", quit_action },
};

static const struct
{
  const char *action;
  const char *accels[3];
} app_accels[] = {
  { "app.new-window", { "<Control>n" } },
  { "app.preferences", { "<Control>comma" } },
  { "app.help", { "F1" } },
  { "app.quit", { "<Control>q" } },
  { "win.commands", { "<Control><Shift>p" } },
  { "win.show-help-overlay", { "<Control>question" } },
  { "win.record", { "<Control>r" } },
  { "win.open", { "<Control>o" } },
  { "win.save-copy", { "<Control><Shift>s" } },
  { "win.compare", { "<Control><Shift>c" } },
  { "win.print", { "<Control>p" } },
  { "win.export-figure::svg", { "<Control><Shift>x" } },
  { "win.export-report", { "<Control><Shift>h" } },
  { "win.show-as-table", { "<Control><Shift>l" } },
  { "win.close-tab", { "<Control>w" } },
  { "win.overview", { "<Control><Shift>o" } },
  { "win.toggle-sidebar", { "F9" } },
  { "win.show-details", { "<Shift>F9" } },
  { "win.search", { "<Control>f" } },
  { "win.go-back", { "<Alt>Left" } },
  { "win.go-forward", { "<Alt>Right" } },
  { "win.next-figure", { "<Alt>Page_Down" } },
  { "win.previous-figure", { "<Alt>Page_Up" } },
  { "win.zoom-in", { "<Control>plus", "<Control>equal" } },
  { "win.zoom-out", { "<Control>minus" } },
  { "win.zoom-all", { "<Control>0" } },
  { "win.zoom-selection", { "<Control>e" } },
  { "win.analyse-selection", { "<Control>Return" } },
  { "win.analyse-thread", { "<Control>t" } },
  { "win.analyse-process", { "<Control><Shift>t" } },
  { "win.analyse-all", { "<Control><Shift>Return" } },
  { "win.explain", { "<Control><Shift>e" } },
  { "win.options", { "<Control><Shift>comma" } },
  { "win.add-bookmark", { "<Control>d" } },
  { "win.clear-selection", { "Escape" } },
};

void
tb_application_add_actions (TbApplication *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), app_actions, G_N_ELEMENTS (app_actions),
                                   self);
  for (guint i = 0; i < G_N_ELEMENTS (app_accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), app_accels[i].action,
                                           app_accels[i].accels);
}
