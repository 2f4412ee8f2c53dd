/* tb-warnings-dialog.c: dialog that lists the warnings of a recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-warnings-dialog.h"

/**
 * tb_warnings_dialog_new:
 * @warnings: (array zero-terminated=1): warnings, one sentence each
 *
 * Returns: a dialog that lists them
 */
AdwDialog *
tb_warnings_dialog_new (const char *const *warnings)
{
  AdwDialog *dialog = adw_dialog_new ();
  GtkWidget *toolbar = adw_toolbar_view_new (), *page = adw_preferences_page_new (),
            *group = adw_preferences_group_new ();

  for (guint i = 0; warnings[i] != NULL; i++)
    {
      GtkWidget *row = adw_action_row_new ();

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), warnings[i]);
      adw_preferences_row_set_title_selectable (ADW_PREFERENCES_ROW (row), TRUE);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
    }
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (toolbar), adw_header_bar_new ());
  adw_toolbar_view_set_content (ADW_TOOLBAR_VIEW (toolbar), page);
  adw_dialog_set_title (dialog, _ ("What Is Uncertain"));
  adw_dialog_set_content_width (dialog, 520);
  adw_dialog_set_child (dialog, toolbar);
  return dialog;
}
