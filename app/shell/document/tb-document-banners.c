/* tb-document-banners.c: notices on the page of a document: first warning about the recording and
 * number of the others; banner, or button on a narrow page, if it is an import that is kept only
 * while open, or if its file is not writable
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-document-page-private.h"
#include "shell/document/tb-warnings-dialog.h"
#include "shell/tb-banner.h"

void
tb_document_page_show_warnings (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_auto (GStrv) warnings = tb_document_dup_warnings (TB_DOCUMENT_PAGE (widget)->document);

  adw_dialog_present (tb_warnings_dialog_new ((const char *const *) warnings), widget);
}

/* Shows that the recording is not saved: in a banner above the page, or next to the warnings if the
 * page is narrow. */
static void
show_unsaved (TbDocumentPage *self)
{
  gboolean is_imported = tb_document_is_imported (self->document);
  gboolean is_unsaved
      = tb_document_is_recording (self->document)
        && (is_imported || !tb_session_is_writable (tb_document_get_session (self->document)));

  tb_banner_set_text (
      self->copy_banner,
      !is_unsaved || self->narrow ? NULL
      : is_imported ? _ ("Imported from a file of another tool and kept only while it is open")
                    : _ ("This file cannot be written: names and bookmarks are not saved"));
  adw_button_content_set_label (self->copy_content,
                                is_imported ? _ ("Not saved") : _ ("Not writable"));
  gtk_widget_set_visible (self->copy_button, is_unsaved && self->narrow);
}

void
tb_document_page_show_banners (TbDocumentPage *self)
{
  g_auto (GStrv) warnings = tb_document_dup_warnings (self->document);
  guint n_warnings = g_strv_length (warnings);

  show_unsaved (self);
  if (n_warnings > 0)
    {
      g_autofree char *more = n_warnings > 1
                                  ? g_strdup_printf (ngettext ("%s (and %u more)",
                                                               "%s (and %u more)", n_warnings - 1),
                                                     warnings[0], n_warnings - 1)
                                  : g_strdup (warnings[0]);

      gtk_label_set_text (self->warning_label, more);
    }
  gtk_widget_set_visible (self->warning_button, n_warnings > 0);
  gtk_widget_set_visible (self->notices_box,
                          n_warnings > 0 || gtk_widget_get_visible (self->copy_button));
}
