/* tb-application.c: application: windows, open recordings stored and restored, unsaved ones
 * recovered, screenshot mode
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "layers/tb-graph-engine.h"
#include "session/file/tb-temporary-folder.h"
#include "shell/tb-application-private.h"
#include "shell/export/tb-screenshot.h"
#include "shell/tb-deferred-release.h"
#include "shell/tb-menu-names.h"
#include "shell/tb-temporary-files.h"
#include "shell/window/tb-unsaved.h"
#include "shell/window/tb-window.h"
#include "symbols/debuginfod/tb-debuginfod-http.h"

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

gboolean
tb_application_takes_screenshot (TbApplication *self)
{
  return self->screenshot.file != NULL;
}

/* Windows */

TbWindow *
tb_application_make_window (TbApplication *self)
{
  TbWindow *window = TB_WINDOW (tb_window_new (GTK_APPLICATION (self), self->settings));

  if (tb_application_takes_screenshot (self))
    {
      g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
      gtk_window_unmaximize (GTK_WINDOW (window));
      gtk_window_set_default_size (GTK_WINDOW (window), self->screenshot.width,
                                   self->screenshot.height);
    }
  return window;
}

/* Open recordings */

void
tb_application_store_documents (TbApplication *self, TbWindow *excluded)
{
  GtkApplication *application = GTK_APPLICATION (self);
  GVariantBuilder builder;
  guint n_windows = 0;

  if (self->quitting || tb_application_takes_screenshot (self))
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
  tb_application_store_documents (self, NULL);
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
  tb_application_store_documents (self, n_windows > 1 ? window : NULL);
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
      TbWindow *into = i == 0 ? window : tb_application_make_window (self);

      tb_window_open_documents (into, documents);
      if (i > 0)
        gtk_window_present (GTK_WINDOW (into));
    }
  recover (self, window);
}

/* Returns the active window, or a new one. The first window gets the recordings that were open
 * last. */
TbWindow *
tb_application_ensure_window (TbApplication *self)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));
  TbWindow *window;

  if (TB_IS_WINDOW (active))
    return TB_WINDOW (active);
  window = tb_application_make_window (self);
  if (!self->restored && !tb_application_takes_screenshot (self))
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

void
tb_application_present (TbApplication *self, TbWindow *window)
{
  gtk_window_present (GTK_WINDOW (window));
  if (tb_application_takes_screenshot (self) && !self->screenshot_begun)
    tb_screenshot_take_async (window, &self->screenshot, screenshot_taken, self);
  self->screenshot_begun = TRUE;
}

static void
tb_application_activate (GApplication *application)
{
  TbApplication *self = TB_APPLICATION (application);

  tb_application_present (self, tb_application_ensure_window (self));
}

static void
tb_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  TbApplication *self = TB_APPLICATION (application);
  TbWindow *window = tb_application_ensure_window (self);

  for (int i = 0; i < n_files; i++)
    {
      TbDocumentPage *page = tb_window_open (window, files[i], TRUE);

      tb_document_set_interactive (tb_document_page_get_document (page),
                                   !tb_application_takes_screenshot (self));
    }
  tb_application_present (self, window);
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

  tb_menu_names_set_up ();
  tb_graph_engine_install ();
  tb_debuginfod_http_install ();
  self->settings = g_settings_new (TAILBACK_SETTINGS_ID);
  tb_application_follow_settings (self);
  tb_application_add_actions (self);
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
  tb_application_add_options (self);
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
