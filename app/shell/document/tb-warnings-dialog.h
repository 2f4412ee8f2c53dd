/* tb-warnings-dialog.h: dialog that lists the warnings of a recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

AdwDialog *tb_warnings_dialog_new (const char *const *warnings);

G_END_DECLS
