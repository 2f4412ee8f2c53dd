/* tb-option-rows.h: preferences rows for the options of a plug-in: one for each option by its type
 * (switch, number, choice, flags, list, text), under headings of groups, with check of typed values
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define TB_TYPE_OPTION_ROWS (tb_option_rows_get_type ())
G_DECLARE_FINAL_TYPE (TbOptionRows, tb_option_rows, TB, OPTION_ROWS, AdwPreferencesGroup)

GtkWidget *tb_option_rows_new (void);
void tb_option_rows_set_can_choose (TbOptionRows *self, gboolean can_choose);
guint tb_option_rows_set_plugin (TbOptionRows *self, GObject *plugin, const char *const *names);
gboolean tb_option_rows_is_valid (TbOptionRows *self);

G_END_DECLS
