/* tb-preferences-dialog.h: preferences dialog: appearance, keys, restoring of recordings, inlined
 * functions, debuginfod servers, folders with symbols, plug-ins switched on or off
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define TB_TYPE_PREFERENCES_DIALOG (tb_preferences_dialog_get_type ())
G_DECLARE_FINAL_TYPE (TbPreferencesDialog,
                      tb_preferences_dialog,
                      TB,
                      PREFERENCES_DIALOG,
                      AdwPreferencesDialog)

AdwDialog *tb_preferences_dialog_new (GSettings *settings);

G_END_DECLS
