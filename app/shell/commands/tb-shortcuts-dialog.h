/* tb-shortcuts-dialog.h: dialog that lists the keyboard shortcuts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

AdwDialog *tb_shortcuts_dialog_new (void);

G_END_DECLS
