/* tb-temporary-files.h: temporary files of this run, removed at its end; default folder of new
 * recordings, and names for their files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GFile *tb_temporary_files_new_file (const char *name, GError **error);
void tb_temporary_files_remove (void);
GFile *tb_recordings_new_file (const char *name, GError **error);
gboolean tb_recordings_contains (GFile *file);

G_END_DECLS
