/* tb-unsaved.h: list, stored in the settings, of new recordings that the user has neither kept nor
 * discarded; deletion of the files of a discarded one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void tb_unsaved_add (GSettings *settings, GFile *file);
gboolean tb_unsaved_contains (GSettings *settings, GFile *file);
void tb_unsaved_keep (GSettings *settings, GFile *file);
gboolean tb_unsaved_discard (GSettings *settings, GFile *file, GError **error);
GPtrArray *tb_unsaved_list (GSettings *settings);

G_END_DECLS
