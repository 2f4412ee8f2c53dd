/* tb-scratch.h: files that live no longer than this run of the application
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GFile *tb_scratch_new_file (const char *name, GError **error);
void tb_scratch_remove (void);
GFile *tb_recordings_new_file (const char *name, GError **error);
gboolean tb_recordings_is_own (GFile *file);

G_END_DECLS
