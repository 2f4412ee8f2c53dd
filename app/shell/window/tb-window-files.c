/* tb-window-files.c: opening of files in a window by dialog, URI or drag and drop; dialog for a
 * copy of the recording; showing its file in the file manager
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/window/tb-unsaved.h"
#include "shell/window/tb-window-private.h"

static void
files_chosen (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbWindow) self = data;
  g_autoptr (GListModel) files
      = gtk_file_dialog_open_multiple_finish (GTK_FILE_DIALOG (object), result, NULL);

  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      tb_window_open (self, file, TRUE);
    }
}

static GListModel *
make_filters (void)
{
  GListStore *filters = g_list_store_new (GTK_TYPE_FILE_FILTER);
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) recordings = gtk_file_filter_new ();

  gtk_file_filter_set_name (all, _ ("All Files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_filter_set_name (recordings, _ ("Recordings"));
  gtk_file_filter_add_suffix (recordings, "tailback");
  gtk_file_filter_add_mime_type (recordings, "application/x-tailback");
  g_list_store_append (filters, all); /* importers recognize files by content, not by name */
  g_list_store_append (filters, recordings);
  return G_LIST_MODEL (filters);
}

static void
open_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  g_autoptr (GListModel) filters = make_filters ();

  gtk_file_dialog_set_title (dialog, C_ ("to open", "Open Recordings"));
  gtk_file_dialog_set_filters (dialog, filters);
  gtk_file_dialog_open_multiple (dialog, GTK_WINDOW (self), NULL, files_chosen,
                                 g_object_ref (self));
}

static void
open_uri_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  tb_window_open (data, file, TRUE);
}

static void
copy_saved (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbWindow) self = data;
  g_autoptr (GError) error = NULL;

  if (tb_document_save_copy_finish (TB_DOCUMENT (object), result, &error))
    {
      tb_unsaved_keep (self->settings, tb_document_get_file (TB_DOCUMENT (object)));
      tb_window_toast (self, _ ("Copy saved"));
    }
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    tb_window_show_error (self, _ ("The Copy Could Not Be Saved"), error->message);
}

typedef struct
{
  TbWindow *window;
  TbDocument *document;
} SaveCopy;

static void
copy_chosen (GObject *object, GAsyncResult *result, gpointer data)
{
  SaveCopy *save = data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (object), result, NULL);

  if (file != NULL && tb_document_get_state (save->document) == TB_DOCUMENT_READY)
    tb_document_save_copy_async (save->document, file, NULL, copy_saved,
                                 g_object_ref (save->window));
  g_object_unref (save->window);
  g_object_unref (save->document);
  g_free (save);
}

static void
save_copy_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  TbDocument *document = tb_window_get_document (self);
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  g_autofree char *name = NULL;
  g_autofree char *copy_name = NULL;
  SaveCopy *save;

  if (document == NULL)
    return;
  name = tb_document_dup_name (document);
  if (g_str_has_suffix (name, ".tailback"))
    name[strlen (name) - strlen (".tailback")] = '\0';
  copy_name = tb_document_is_imported (document) ? g_strdup_printf ("%s.tailback", name)
                                                 : g_strdup_printf (_ ("%s (copy).tailback"), name);
  save = g_new0 (SaveCopy, 1);
  save->window = g_object_ref (self);
  save->document = g_object_ref (document);
  gtk_file_dialog_set_title (dialog, _ ("Save a Copy"));
  gtk_file_dialog_set_initial_name (dialog, copy_name);
  gtk_file_dialog_save (dialog, GTK_WINDOW (self), NULL, copy_chosen, save);
}

static void
show_in_files_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  TbDocumentPage *page = tb_window_get_document_page (self);
  g_autoptr (GtkFileLauncher) launcher = NULL;

  if (page == NULL)
    return;
  launcher = gtk_file_launcher_new (tb_document_get_file (tb_document_page_get_document (page)));
  gtk_file_launcher_open_containing_folder (launcher, GTK_WINDOW (self), NULL, NULL, NULL);
}

static gboolean
dropped (TbWindow *self, const GValue *value)
{
  GSList *files;

  if (!G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    return FALSE;
  files = g_value_get_boxed (value);
  for (GSList *link = files; link != NULL; link = link->next)
    tb_window_open (self, link->data, TRUE);
  return files != NULL;
}

static GdkDragAction
drag_entered (TbWindow *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self->stack), "drop-target");
  return GDK_ACTION_COPY;
}

static void
drag_left (TbWindow *self)
{
  gtk_widget_remove_css_class (GTK_WIDGET (self->stack), "drop-target");
}

/* Opens files that are dropped anywhere on the window. */
void
tb_window_accept_drops (TbWindow *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect_object (drop, "drop", G_CALLBACK (dropped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drop, "enter", G_CALLBACK (drag_entered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drop, "leave", G_CALLBACK (drag_left), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->stack), GTK_EVENT_CONTROLLER (drop));
}

static const GActionEntry actions[] = {
  { "open", open_action },
  { "open-uri", open_uri_action, "s" },
  { "save-copy", save_copy_action },
  { "show-in-files", show_in_files_action },
};

void
tb_window_add_file_actions (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
