/* tb-whole-file.h: files that are written as a whole or not at all
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "tb-export.h"

G_BEGIN_DECLS

/**
 * TbWholeFileFunc:
 * @data: what it writes
 * @stream: where to; left open
 * @cancellable: (nullable): ends the work early
 * @error: return location
 *
 * Writes a file.
 *
 * Returns: whether all of it is written
 */
typedef gboolean (*TbWholeFileFunc) (gpointer data,
                                     GOutputStream *stream,
                                     GCancellable *cancellable,
                                     GError **error);

TB_EXPORT gboolean tb_whole_file_write (GFile *file,
                                        TbWholeFileFunc write,
                                        gpointer data,
                                        GCancellable *cancellable,
                                        GError **error);
TB_EXPORT gboolean tb_whole_file_write_contents (GFile *file,
                                                 const char *contents,
                                                 gsize length,
                                                 GCancellable *cancellable,
                                                 GError **error);

G_END_DECLS
