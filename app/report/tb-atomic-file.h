/* tb-atomic-file.h: writing of a file, from memory or by a function of the caller, that appears
 * under its name only when it is complete: until then it has no name or a temporary one
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

/**
 * TbAtomicFileFunc:
 * @data: user data
 * @stream: stream to write to; must be left open
 * @cancellable: (nullable): a #GCancellable
 * @error: return location for an error
 *
 * Writes the contents of a file.
 *
 * Returns: whether all contents were written
 */
typedef gboolean (*TbAtomicFileFunc) (gpointer data,
                                      GOutputStream *stream,
                                      GCancellable *cancellable,
                                      GError **error);

TB_EXPORT gboolean tb_atomic_file_write (GFile *file,
                                         TbAtomicFileFunc write,
                                         gpointer data,
                                         GCancellable *cancellable,
                                         GError **error);
TB_EXPORT gboolean tb_atomic_file_write_contents (GFile *file,
                                                  const char *contents,
                                                  gsize length,
                                                  GCancellable *cancellable,
                                                  GError **error);

G_END_DECLS
