/* tb-import-options.c: dialog for the options of the importer of a document, while the document
 * waits; without options the tab is closed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-document-page-private.h"
#include "shell/tb-plugin-options-dialog.h"

/* Key of object data of the dialog: the importer until its options are accepted. */
#define KEY_IMPORTER "tb-importer"

static void
accepted (TbDocumentPage *self, GObject *dialog)
{
  g_autoptr (TbImporter) importer = g_object_steal_data (dialog, KEY_IMPORTER);

  tb_document_import (self->document, importer);
}

static void
closed (TbDocumentPage *self, GObject *dialog)
{
  GtkWidget *view = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_TAB_VIEW);
  gboolean is_cancelled = g_object_get_data (dialog, KEY_IMPORTER) != NULL
                          && tb_document_get_state (self->document) == TB_DOCUMENT_LOADING;

  self->options_dialog = NULL;
  if (is_cancelled && view != NULL)
    adw_tab_view_close_page (ADW_TAB_VIEW (view),
                             adw_tab_view_get_page (ADW_TAB_VIEW (view), GTK_WIDGET (self)));
}

static void
importer_found (TbDocumentPage *self, TbImporter *importer)
{
  g_autoptr (GSettings) settings = g_settings_new (TAILBACK_SETTINGS_ID);
  g_autofree char *title = g_strdup_printf (_ ("Open “%s”"), self->title);
  AdwDialog *dialog
      = tb_plugin_options_dialog_new (G_OBJECT (importer), settings, title, _ ("_Open"));

  g_object_set_data_full (G_OBJECT (dialog), KEY_IMPORTER, g_object_ref (importer), g_object_unref);
  g_signal_connect_object (dialog, "accepted", G_CALLBACK (accepted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (dialog, "closed", G_CALLBACK (closed), self, G_CONNECT_SWAPPED);
  self->options_dialog = dialog;
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

/* Shows the dialog when the document needs it. */
void
tb_document_page_watch_importer (TbDocumentPage *self)
{
  g_signal_connect_object (self->document, "importer-found", G_CALLBACK (importer_found), self,
                           G_CONNECT_SWAPPED);
}

/* The dialog is of no use when the document is no longer being loaded. */
void
tb_document_page_drop_options (TbDocumentPage *self)
{
  if (self->options_dialog != NULL)
    adw_dialog_force_close (self->options_dialog);
}
