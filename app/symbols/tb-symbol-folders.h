/* tb-symbol-folders.h: list of the folders in which other files search for symbols: those in
 * $TAILBACK_SYMBOL_PATH and those that the program sets; check of a folder that the user typed,
 * with an error message
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

TB_EXPORT void tb_symbol_folders_set (const char *const *folders);
TB_EXPORT char **tb_symbol_folders_list (void);
TB_EXPORT gboolean tb_symbol_folders_check (const char *folder, GError **error);

G_END_DECLS
