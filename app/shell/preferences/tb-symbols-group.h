/* tb-symbols-group.h: preferences group for the list of folders with symbol files: adding by path
 * or file chooser, check, removal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define TB_TYPE_SYMBOLS_GROUP (tb_symbols_group_get_type ())
G_DECLARE_FINAL_TYPE (TbSymbolsGroup, tb_symbols_group, TB, SYMBOLS_GROUP, AdwPreferencesGroup)

void tb_symbols_group_set_settings (TbSymbolsGroup *self, GSettings *settings);

G_END_DECLS
