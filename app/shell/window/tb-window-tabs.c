/* tb-window-tabs.c: tabs of a window: what follows when tabs and documents are added, removed,
 * selected or change; new window for a tab dragged out; list of open documents for the settings,
 * and opening of such a list again
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/tb-application.h"
#include "shell/window/tb-window-private.h"

static TbDocument *
get_document (GtkWidget *child)
{
  return TB_IS_DOCUMENT_PAGE (child) ? tb_document_page_get_document (TB_DOCUMENT_PAGE (child))
                                     : NULL;
}

static void
schedule_store (TbWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application != NULL)
    tb_application_store_windows_soon (TB_APPLICATION (application));
}

static void
document_state_changed (TbWindow *self, GParamSpec *pspec, TbDocument *document)
{
  if (tb_document_get_state (document) == TB_DOCUMENT_READY)
    {
      tb_recent_add (tb_document_get_file (document));
      if (tb_document_is_comparison (document))
        tb_recent_add (tb_document_get_base_file (document));
    }
  tb_window_update_actions (self);
}

/* Also called for a tab dragged from another window. */
static void
page_attached (TbWindow *self, AdwTabPage *page)
{
  GtkWidget *child = adw_tab_page_get_child (page);
  TbDocument *document = get_document (child);

  g_signal_connect_object (child, "notify::title", G_CALLBACK (tb_window_update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (child, "notify::subtitle", G_CALLBACK (tb_window_update), self,
                           G_CONNECT_SWAPPED);
  if (document == NULL)
    return;
  g_signal_connect_object (document, "notify::state", G_CALLBACK (document_state_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "limit-changed", G_CALLBACK (tb_window_update_actions), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "message", G_CALLBACK (tb_window_toast), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (tb_document_get_focus (document), "selection-changed",
                           G_CALLBACK (tb_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tb_document_get_focus (document), "history-changed",
                           G_CALLBACK (tb_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (child, "analysis-changed", G_CALLBACK (tb_window_update_actions), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (child, "notify::show-details", G_CALLBACK (tb_window_update_actions),
                           self, G_CONNECT_SWAPPED);
  schedule_store (self);
}

static void
page_detached (TbWindow *self, AdwTabPage *page)
{
  GtkWidget *child = adw_tab_page_get_child (page);
  TbDocument *document = get_document (child);

  g_signal_handlers_disconnect_by_data (child, self);
  if (document == NULL)
    return;
  g_signal_handlers_disconnect_by_data (document, self);
  g_signal_handlers_disconnect_by_data (tb_document_get_focus (document), self);
  schedule_store (self);
}

static void
page_selected (TbWindow *self)
{
  tb_window_update (self);
  schedule_store (self);
}

/* Called when a tab is dropped outside of all windows. */
static AdwTabView *
create_window (TbWindow *self)
{
  GtkWindow *window
      = tb_window_new (gtk_window_get_application (GTK_WINDOW (self)), self->settings);

  gtk_window_present (window);
  return TB_WINDOW (window)->tab_view;
}

static void
move_tab_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);

  if (page != NULL)
    adw_tab_view_transfer_page (self->tab_view, page, create_window (self), 0);
}

/**
 * tb_window_find_by_tab:
 * @page: a tab
 *
 * Returns: (nullable): the window that has the tab now
 */
TbWindow *
tb_window_find_by_tab (AdwTabPage *page)
{
  GtkRoot *root = gtk_widget_get_root (adw_tab_page_get_child (page));

  return TB_IS_WINDOW (root) ? TB_WINDOW (root) : NULL;
}

/* Open documents */

static void
add_documents (GVariantBuilder *builder, TbWindow *self)
{
  AdwTabPage *selected = adw_tab_view_get_selected_page (self->tab_view);

  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      AdwTabPage *page = adw_tab_view_get_nth_page (self->tab_view, i);
      TbDocument *document = get_document (adw_tab_page_get_child (page));
      gboolean is_comparison = document != NULL && tb_document_is_comparison (document);
      g_autofree char *uri = is_comparison      ? tb_window_join_side (document, FALSE)
                             : document != NULL ? g_file_get_uri (tb_document_get_file (document))
                                                : NULL;
      g_autofree char *base_uri
          = is_comparison ? tb_window_join_side (document, TRUE) : g_strdup ("");

      if (document != NULL)
        g_variant_builder_add (builder, "(ssb)", uri, base_uri, page == selected);
    }
}

/**
 * tb_window_list_documents:
 *
 * Returns: (transfer floating): the open recordings and comparisons, in the format of the settings:
 *   "a(ssb)", with several recordings of one side in one string, one per line
 */
GVariant *
tb_window_list_documents (TbWindow *self)
{
  GVariantBuilder builder;

  g_return_val_if_fail (TB_IS_WINDOW (self), NULL);

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(ssb)"));
  if (!tb_window_is_disposed (self))
    add_documents (&builder, self);
  return g_variant_builder_end (&builder);
}

static gboolean
all_exist (GPtrArray *files)
{
  for (guint i = 0; i < files->len; i++)
    if (!g_file_query_exists (g_ptr_array_index (files, i), NULL))
      return FALSE;
  return TRUE;
}

/* Opens the file with the options of the last import, as it was opened before. */
static void
open_quietly (TbWindow *self, GFile *file, gboolean in_front)
{
  TbDocumentPage *page = tb_window_open (self, file, in_front);

  tb_document_set_interactive (tb_document_page_get_document (page), FALSE);
}

/**
 * tb_window_open_documents:
 * @documents: value returned by tb_window_list_documents()
 *
 * Opens the documents again; each is loaded when it is first shown. Missing files are skipped.
 */
void
tb_window_open_documents (TbWindow *self, GVariant *documents)
{
  GVariantIter iter;
  const char *uri, *base_uri;
  gboolean in_front;

  g_return_if_fail (TB_IS_WINDOW (self));

  g_variant_iter_init (&iter, documents);
  while (g_variant_iter_next (&iter, "(&s&sb)", &uri, &base_uri, &in_front))
    {
      g_autoptr (GPtrArray) files = tb_window_split_side (uri);
      g_autoptr (GPtrArray) bases = tb_window_split_side (base_uri);

      if (files->len == 0 || !all_exist (files) || !all_exist (bases))
        continue;
      if (bases->len > 0)
        tb_window_compare_several (self, bases, files, in_front);
      else
        open_quietly (self, g_ptr_array_index (files, 0), in_front);
    }
}

/**
 * tb_window_has_document:
 * @file: a recording
 *
 * Returns: whether it is open in this window
 */
gboolean
tb_window_has_document (TbWindow *self, GFile *file)
{
  g_return_val_if_fail (TB_IS_WINDOW (self), FALSE);
  return !tb_window_is_disposed (self) && tb_window_find_document (self, NULL, file, FALSE) != NULL;
}

/**
 * tb_window_symbolize_again:
 *
 * Called when there are other files with symbols.
 */
void
tb_window_symbolize_again (TbWindow *self)
{
  g_return_if_fail (TB_IS_WINDOW (self));

  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      GtkWidget *child = adw_tab_page_get_child (adw_tab_view_get_nth_page (self->tab_view, i));

      if (TB_IS_DOCUMENT_PAGE (child))
        tb_document_symbolize_again (tb_document_page_get_document (TB_DOCUMENT_PAGE (child)));
    }
}

static const GActionEntry actions[] = {
  { "move-tab", move_tab_action },
};

void
tb_window_add_tab_actions (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}

void
tb_window_watch_tabs (TbWindow *self)
{
  g_signal_connect_object (self->tab_view, "page-attached", G_CALLBACK (page_attached), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tab_view, "page-detached", G_CALLBACK (page_detached), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tab_view, "create-window", G_CALLBACK (create_window), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tab_view, "notify::selected-page", G_CALLBACK (page_selected),
                           self, G_CONNECT_SWAPPED);
}
