/* tb-window-compare.c: comparisons of two recordings in the tabs of a window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/window/tb-compare-dialog.h"
#include "shell/window/tb-window-private.h"

/**
 * tb_window_compare:
 * @base: a recording
 * @other: another
 * @in_front: whether to look at it
 *
 * Opens a comparison of both in a tab; if it is open already, that tab comes to the front.
 *
 * Returns: (transfer none): its page
 */
TbDocumentPage *
tb_window_compare (TbWindow *self, GFile *base, GFile *other, gboolean in_front)
{
  g_autoptr (TbDocument) document = NULL;
  TbDocumentPage *page;

  g_return_val_if_fail (TB_IS_WINDOW (self), NULL);

  page = tb_window_find_document (self, base, other, in_front);
  if (page != NULL)
    return page;
  document = tb_document_new_comparison (base, other);
  return tb_window_add_document (self, document, adw_tab_view_get_selected_page (self->tab_view), in_front);
}

static void
chosen (TbWindow *self, GFile *base, GFile *other)
{
  tb_window_compare (self, base, other, TRUE);
}

static void
compare_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  TbDocument *document = tb_window_get_document (self);
  AdwDialog *dialog;

  if (document == NULL)
    return;
  dialog = tb_compare_dialog_new (tb_document_get_file (document));
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      GtkWidget *child = adw_tab_page_get_child (adw_tab_view_get_nth_page (self->tab_view, i));
      TbDocument *open
          = TB_IS_DOCUMENT_PAGE (child) ? tb_document_page_get_document (TB_DOCUMENT_PAGE (child)) : NULL;

      if (open != NULL && open != document && tb_document_is_recording (open))
        tb_compare_dialog_add_open (TB_COMPARE_DIALOG (dialog), tb_document_get_file (open));
    }
  g_signal_connect_object (dialog, "compare", G_CALLBACK (chosen), self, G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

/* The base becomes the other and the other the base, in a tab of its own. */
static void
swap_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbDocument *document = tb_window_get_document (data);

  if (document != NULL && tb_document_is_comparison (document))
    tb_window_compare (data, tb_document_get_file (document), tb_document_get_base_file (document), TRUE);
}

static const GActionEntry actions[] = {
  { "compare", compare_action },
  { "swap-comparison", swap_action },
};

void
tb_window_add_compare_actions (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
