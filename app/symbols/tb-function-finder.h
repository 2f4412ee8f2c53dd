/* tb-function-finder.h: file offset of a function, given by its name, in a program or library, for
 * a probe; errors that explain a missing, inlined or ambiguous function
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

TB_EXPORT gboolean
tb_function_find (int fd, const char *path, const char *name, guint64 *offset, GError **error);
TB_EXPORT char *tb_function_read_build_id (int fd);

G_END_DECLS
