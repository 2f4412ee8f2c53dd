/* tb-scratch.h: temporary files of this run, and default files of new recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GFile *tb_scratch_new_file (const char *name, GError **error);
void tb_scratch_remove (void);
GFile *tb_recordings_new_file (const char *name, GError **error);
gboolean tb_recordings_contains (GFile *file);

G_END_DECLS
