/* tb-application.c: application: command-line options, screenshot mode, windows, open recordings
 * stored and restored, unsaved ones recovered, its actions, such as help and quit, keys of all
 * actions, settings applied to the process
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "extend/plugins/tb-engine.h"
#include "layers/tb-graph-engine.h"
#include "session/file/tb-temporary-folder.h"
#include "shell/tb-application.h"
#include "shell/export/tb-screenshot.h"
#include "shell/preferences/tb-preferences-dialog.h"
#include "shell/tb-deferred-release.h"
#include "shell/tb-temporary-files.h"
#include "shell/window/tb-unsaved.h"
#include "shell/window/tb-window.h"
#include "symbols/debuginfod/tb-debuginfod-http.h"
#include "symbols/tb-symbol-folders.h"
#include "widgets/tb-palette.h"

struct _TbApplication
{
  AdwApplication parent;

  GSettings *settings;
  TbScreenshotOptions screenshot;
  gboolean screenshot_begun;
  gboolean restored;
  /* the list of open recordings is stored and must not change while the windows close */
  gboolean quitting;
  guint store_source; /* idle source that stores the open recordings */
  int status;
};

G_DEFINE_FINAL_TYPE (TbApplication, tb_application, ADW_TYPE_APPLICATION)

static void
tb_application_dispose (GObject *object)
{
  g_clear_handle_id (&TB_APPLICATION (object)->store_source, g_source_remove);
  g_clear_object (&TB_APPLICATION (object)->settings);
  G_OBJECT_CLASS (tb_application_parent_class)->dispose (object);
}

static void
tb_application_finalize (GObject *object)
{
  TbApplication *self = TB_APPLICATION (object);

  g_free (self->screenshot.file);
  g_free (self->screenshot.page);
  g_free (self->screenshot.figure);
  G_OBJECT_CLASS (tb_application_parent_class)->finalize (object);
}

static gboolean
takes_screenshot (TbApplication *self)
{
  return self->screenshot.file != NULL;
}

/* Command-line options, which work without a display */

static const GOptionEntry options[] = {
  { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"), NULL },
  { "new-window", 'w', 0, G_OPTION_ARG_NONE, NULL, N_ ("Open a new window"), NULL },
  { "record", 'r', 0, G_OPTION_ARG_NONE, NULL, N_ ("Start with the recording assistant"), NULL },
  { "compare", 'c', 0, G_OPTION_ARG_NONE, NULL, N_ ("Compare recordings: --compare BASE OTHER…"),
    NULL },
  { "base", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL,
    N_ ("With --compare: another recording for the base side"), N_ ("FILE") },
  { "picture", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, NULL, NULL, NULL },
  { "size", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, NULL, NULL, NULL },
  { "dark", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  { "page", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, NULL, NULL, NULL },
  { "figure", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, NULL, NULL, NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, NULL },
  { NULL },
};

static int
usage_error (const char *message)
{
  g_printerr ("tailback: %s\n", message);
  return 2;
}

/* Returns the exit status, or −1 to continue. */
static int
read_screenshot_options (TbApplication *self, GVariantDict *dict)
{
  g_autoptr (GError) error = NULL;
  const char *size;

  if (!g_variant_dict_lookup (dict, "picture", "^ay", &self->screenshot.file))
    return -1;
  self->screenshot.width = 1440;
  self->screenshot.height = 900;
  self->screenshot.dark = g_variant_dict_contains (dict, "dark");
  g_variant_dict_lookup (dict, "page", "s", &self->screenshot.page);
  g_variant_dict_lookup (dict, "figure", "s", &self->screenshot.figure);
  if (g_variant_dict_lookup (dict, "size", "&s", &size)
      && !tb_screenshot_parse_size (size, &self->screenshot.width, &self->screenshot.height,
                                    &error))
    return usage_error (error->message);
  /* A screenshot is taken by this process, never by a running instance. */
  g_application_set_flags (G_APPLICATION (self), g_application_get_flags (G_APPLICATION (self))
                                                     | G_APPLICATION_NON_UNIQUE);
  return -1;
}

static void
add_uri (GVariantBuilder *builder, GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);

  g_variant_builder_add (builder, "s", uri);
}

/* The first file is the base, together with those of --base; the other files are the other side. */
static void
request_comparison (GApplication *application, GVariantDict *dict, GPtrArray *files)
{
  GVariantBuilder bases = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("as"));
  GVariantBuilder others = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("as"));
  g_autofree const char **more = NULL;

  add_uri (&bases, g_ptr_array_index (files, 0));
  g_variant_dict_lookup (dict, "base", "^a&ay", &more);
  for (guint i = 0; more != NULL && more[i] != NULL; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_commandline_arg (more[i]);

      add_uri (&bases, file);
    }
  for (guint i = 1; i < files->len; i++)
    add_uri (&others, g_ptr_array_index (files, i));
  g_action_group_activate_action (G_ACTION_GROUP (application), "compare",
                                  g_variant_new ("(asas)", &bases, &others));
}

/* Sends the request to the primary instance, which may be this one. */
static void
send_request (GApplication *application, GVariantDict *dict, const char *const *paths)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    g_ptr_array_add (files, g_file_new_for_commandline_arg (paths[i]));
  if (g_variant_dict_contains (dict, "record"))
    g_action_group_activate_action (G_ACTION_GROUP (application), "new-recording", NULL);
  else if (g_variant_dict_contains (dict, "new-window"))
    g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  if (g_variant_dict_contains (dict, "compare"))
    request_comparison (application, dict, files);
  else if (files->len > 0)
    g_application_open (application, (GFile **) files->pdata, files->len, "");
}

static int
tb_application_handle_local_options (GApplication *application, GVariantDict *dict)
{
  TbApplication *self = TB_APPLICATION (application);
  g_autofree const char **paths = NULL;
  g_autoptr (GError) error = NULL;
  guint n_paths;
  int status;

  if (g_variant_dict_contains (dict, "version"))
    {
      g_print ("tailback %s\n", PACKAGE_VERSION);
      return EXIT_SUCCESS;
    }
  g_variant_dict_lookup (dict, G_OPTION_REMAINING, "^a&ay", &paths);
  n_paths = paths != NULL ? g_strv_length ((char **) paths) : 0;
  if (g_variant_dict_contains (dict, "compare") && n_paths < 2)
    return usage_error (_ ("--compare needs at least two recordings: BASE and OTHER"));
  if (g_variant_dict_contains (dict, "base") && !g_variant_dict_contains (dict, "compare"))
    return usage_error (_ ("--base needs --compare"));
  status = read_screenshot_options (self, dict);
  if (status >= 0)
    return status;
  if (n_paths == 0 && !g_variant_dict_contains (dict, "record")
      && !g_variant_dict_contains (dict, "new-window"))
    return -1;
  if (!g_application_register (application, NULL, &error))
    {
      g_printerr ("tailback: %s\n", error->message);
      return EXIT_FAILURE;
    }
  send_request (application, dict, paths);
  return g_application_get_is_remote (application) ? EXIT_SUCCESS : -1;
}

/* Windows */

static TbWindow *
make_window (TbApplication *self)
{
  TbWindow *window = TB_WINDOW (tb_window_new (GTK_APPLICATION (self), self->settings));

  if (takes_screenshot (self))
    {
      g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
      gtk_window_unmaximize (GTK_WINDOW (window));
      gtk_window_set_default_size (GTK_WINDOW (window), self->screenshot.width,
                                   self->screenshot.height);
    }
  return window;
}

/* Open recordings */

static void
store_open_documents (TbApplication *self, TbWindow *excluded)
{
  GtkApplication *application = GTK_APPLICATION (self);
  GVariantBuilder builder;
  guint n_windows = 0;

  if (self->quitting || takes_screenshot (self))
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa(ssb)"));
  for (GList *link = g_list_last (gtk_application_get_windows (application)); link != NULL;
       link = link->prev)
    {
      g_autoptr (GVariant) documents = NULL;

      if (!TB_IS_WINDOW (link->data) || link->data == excluded)
        continue;
      n_windows++;
      documents = g_variant_ref_sink (tb_window_list_documents (link->data));
      if (g_variant_n_children (documents) > 0)
        g_variant_builder_add_value (&builder, documents);
    }
  if (n_windows > 0)
    g_settings_set_value (self->settings, "open-windows", g_variant_builder_end (&builder));
  else
    g_variant_builder_clear (&builder);
}

static gboolean
store_when_idle (gpointer data)
{
  TbApplication *self = data;

  self->store_source = 0;
  store_open_documents (self, NULL);
  return G_SOURCE_REMOVE;
}

/**
 * tb_application_store_windows_soon:
 *
 * Stores the list of open recordings, so that they are opened again even after a crash.
 */
void
tb_application_store_windows_soon (TbApplication *self)
{
  g_return_if_fail (TB_IS_APPLICATION (self));

  if (self->store_source == 0)
    self->store_source = g_idle_add (store_when_idle, self);
}

/**
 * tb_application_handle_window_close:
 * @window: a window that is closing
 *
 * Stores the list of open recordings without those of @window. If it is the last window, its
 * recordings are kept and opened again at the next start.
 */
void
tb_application_handle_window_close (TbApplication *self, TbWindow *window)
{
  guint n_windows = 0;

  g_return_if_fail (TB_IS_APPLICATION (self));

  g_clear_handle_id (&self->store_source, g_source_remove);
  for (GList *link = gtk_application_get_windows (GTK_APPLICATION (self)); link != NULL;
       link = link->next)
    n_windows += TB_IS_WINDOW (link->data);
  store_open_documents (self, n_windows > 1 ? window : NULL);
}

/**
 * tb_application_cancel_quit:
 *
 * Called when the user cancels quitting.
 */
void
tb_application_cancel_quit (TbApplication *self)
{
  g_return_if_fail (TB_IS_APPLICATION (self));

  self->quitting = FALSE;
  tb_application_store_windows_soon (self);
}

static gboolean
is_open (TbApplication *self, GFile *file)
{
  for (GList *link = gtk_application_get_windows (GTK_APPLICATION (self)); link != NULL;
       link = link->next)
    if (TB_IS_WINDOW (link->data) && tb_window_has_document (link->data, file))
      return TRUE;
  return FALSE;
}

/* Opens recordings that were in progress when the application or the machine crashed. */
static void
recover (TbApplication *self, TbWindow *window)
{
  g_autoptr (GPtrArray) files = tb_unsaved_list (self->settings);

  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *name = g_file_get_basename (files->pdata[i]);
      g_autofree char *text = g_strdup_printf (_ ("Recovered “%s”"), name);

      if (is_open (self, files->pdata[i]))
        continue;
      tb_window_open (window, files->pdata[i], TRUE);
      tb_window_toast (window, text);
    }
}

/**
 * tb_application_restore:
 * @window: window that opens the recordings of the first stored window
 *
 * Opens the recordings that were open when the application ended, in as many windows as there were,
 * and recordings that the user has neither kept nor discarded.
 */
void
tb_application_restore (TbApplication *self, TbWindow *window)
{
  g_autoptr (GVariant) windows = g_settings_get_value (self->settings, "open-windows");
  gsize n = g_variant_n_children (windows);

  g_return_if_fail (TB_IS_APPLICATION (self));

  for (gsize i = 0; i < n && g_settings_get_boolean (self->settings, "restore-session"); i++)
    {
      g_autoptr (GVariant) documents = g_variant_get_child_value (windows, i);
      TbWindow *into = i == 0 ? window : make_window (self);

      tb_window_open_documents (into, documents);
      if (i > 0)
        gtk_window_present (GTK_WINDOW (into));
    }
  recover (self, window);
}

/* Returns the active window, or a new one. The first window gets the recordings that were open
 * last. */
static TbWindow *
ensure_window (TbApplication *self)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));
  TbWindow *window;

  if (TB_IS_WINDOW (active))
    return TB_WINDOW (active);
  window = make_window (self);
  if (!self->restored && !takes_screenshot (self))
    tb_application_restore (self, window);
  self->restored = TRUE;
  return window;
}

static void
screenshot_taken (GObject *object, GAsyncResult *result, gpointer data)
{
  TbApplication *self = data;
  TbDocumentPage *page = tb_window_get_document_page (TB_WINDOW (object));
  TbDocument *document = page != NULL ? tb_document_page_get_document (page) : NULL;
  g_autoptr (GError) error = NULL;

  if (!tb_screenshot_take_finish (TB_WINDOW (object), result, &error))
    {
      g_printerr ("tailback: %s\n", error->message);
      self->status = EXIT_FAILURE;
    }
  if (document != NULL && tb_document_get_error (document) != NULL)
    {
      g_printerr ("tailback: %s\n", tb_document_get_error (document)->message);
      self->status = EXIT_FAILURE;
    }
  g_application_quit (G_APPLICATION (self));
}

static void
present (TbApplication *self, TbWindow *window)
{
  gtk_window_present (GTK_WINDOW (window));
  if (takes_screenshot (self) && !self->screenshot_begun)
    tb_screenshot_take_async (window, &self->screenshot, screenshot_taken, self);
  self->screenshot_begun = TRUE;
}

static void
tb_application_activate (GApplication *application)
{
  TbApplication *self = TB_APPLICATION (application);

  present (self, ensure_window (self));
}

static void
tb_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  TbApplication *self = TB_APPLICATION (application);
  TbWindow *window = ensure_window (self);

  for (int i = 0; i < n_files; i++)
    tb_window_open (window, files[i], TRUE);
  present (self, window);
}

/* Actions */

static void
new_window_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (GTK_WINDOW (make_window (data)));
}

static void
new_recording_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *window = ensure_window (data);

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
  TbWindow *window = ensure_window (data);
  g_autoptr (GVariantIter) base_uris = NULL;
  g_autoptr (GVariantIter) other_uris = NULL;
  g_autoptr (GPtrArray) bases = NULL;
  g_autoptr (GPtrArray) others = NULL;

  g_variant_get (parameter, "(asas)", &base_uris, &other_uris);
  bases = get_files (base_uris);
  others = get_files (other_uris);
  if (bases->len > 0 && others->len > 0)
    tb_window_compare_several (window, bases, others, TRUE);
  present (data, window);
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
  g_autoptr (GtkUriLauncher) launcher = gtk_uri_launcher_new ("help:tailback");

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

  store_open_documents (self, NULL);
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

static void
follow_style (TbApplication *self)
{
  static const AdwColorScheme schemes[]
      = { ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT, ADW_COLOR_SCHEME_FORCE_DARK };
  AdwColorScheme scheme = schemes[g_settings_get_enum (self->settings, "style")];

  if (takes_screenshot (self))
    scheme = self->screenshot.dark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
}

static void
follow_palette (TbApplication *self)
{
  tb_palette_choose ((TbColorPalette) g_settings_get_enum (self->settings, "palette"));
}

/* Documents request debug files, too, where that is allowed now. */
static void
follow_debuginfod (TbApplication *self)
{
  for (GList *link = gtk_application_get_windows (GTK_APPLICATION (self)); link != NULL;
       link = link->next)
    if (TB_IS_WINDOW (link->data))
      tb_window_symbolize_again (link->data);
}

static void
follow_symbol_folders (TbApplication *self)
{
  g_auto (GStrv) folders = g_settings_get_strv (self->settings, "symbol-folders");

  tb_symbol_folders_set ((const char *const *) folders);
  follow_debuginfod (self);
}

static void
follow_plugins (TbApplication *self)
{
  g_auto (GStrv) names = g_settings_get_strv (self->settings, "disabled-plugins");

  tb_engine_set_disabled (tb_engine_get_default (), (const char *const *) names);
}

/* Applies the settings that concern the whole process, now and when they change. */
static void
follow_settings (TbApplication *self)
{
  static const struct
  {
    const char *signal;
    void (*follow) (TbApplication *self);
  } followed[] = {
    { "changed::style", follow_style },
    { "changed::palette", follow_palette },
    { "changed::symbol-folders", follow_symbol_folders },
    { "changed::debuginfod", follow_debuginfod },
    { "changed::debuginfod-servers", follow_debuginfod },
    { "changed::disabled-plugins", follow_plugins },
  };

  for (guint i = 0; i < G_N_ELEMENTS (followed); i++)
    {
      g_signal_connect_object (self->settings, followed[i].signal, G_CALLBACK (followed[i].follow),
                               self, G_CONNECT_SWAPPED);
      followed[i].follow (self);
    }
}

static void
tb_application_startup (GApplication *application)
{
  TbApplication *self = TB_APPLICATION (application);

  if (!gtk_init_check ())
    {
      g_printerr (_ ("tailback: cannot open a window: no display. Start it in a desktop session, "
                     "or use tailback-cli.\n"));
      exit (EXIT_FAILURE);
    }
  G_APPLICATION_CLASS (tb_application_parent_class)->startup (application);
  g_set_prgname (TAILBACK_APP_ID);
  g_set_application_name (_ ("Tailback"));
  gtk_window_set_default_icon_name (TAILBACK_APP_ID);

  tb_graph_engine_install ();
  tb_debuginfod_http_install ();
  self->settings = g_settings_new (TAILBACK_APP_ID);
  follow_settings (self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), app_actions, G_N_ELEMENTS (app_actions),
                                   self);
  for (guint i = 0; i < G_N_ELEMENTS (app_accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), app_accels[i].action,
                                           app_accels[i].accels);
  tb_temporary_folder_sweep ();
}

static void
tb_application_shutdown (GApplication *application)
{
  tb_release_finish ();
  tb_temporary_files_remove ();
  G_APPLICATION_CLASS (tb_application_parent_class)->shutdown (application);
}

static void
tb_application_class_init (TbApplicationClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  object_class->dispose = tb_application_dispose;
  object_class->finalize = tb_application_finalize;
  application_class->handle_local_options = tb_application_handle_local_options;
  application_class->startup = tb_application_startup;
  application_class->activate = tb_application_activate;
  application_class->open = tb_application_open;
  application_class->shutdown = tb_application_shutdown;
}

static void
tb_application_init (TbApplication *self)
{
  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _ ("[FILE…]"));
  g_application_set_option_context_summary (
      G_APPLICATION (self),
      _ ("Find out what running software is waiting for, and why. Record the system, or open "
         "recordings and files of other tools."));
}

/**
 * tb_application_new:
 *
 * Returns: (transfer full): the application; only the primary instance of a desktop session has
 *   windows
 */
TbApplication *
tb_application_new (void)
{
  return g_object_new (TB_TYPE_APPLICATION, "application-id", TAILBACK_APP_ID, "flags",
                       G_APPLICATION_HANDLES_OPEN, "resource-base-path", "/org/tailback/Tailback",
                       NULL);
}

GSettings *
tb_application_get_settings (TbApplication *self)
{
  g_return_val_if_fail (TB_IS_APPLICATION (self), NULL);
  return self->settings;
}

/**
 * tb_application_get_status:
 *
 * Returns: exit status of the process, unless g_application_run() returned another one
 */
int
tb_application_get_status (TbApplication *self)
{
  g_return_val_if_fail (TB_IS_APPLICATION (self), EXIT_FAILURE);
  return self->status;
}
