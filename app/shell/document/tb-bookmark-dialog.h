/* tb-bookmark-dialog.h: dialog to edit the name and the note of a bookmark
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/document/tb-document.h"

G_BEGIN_DECLS

AdwDialog *tb_bookmark_dialog_new (TbDocument *document, gint64 id, const char *name);

G_END_DECLS
