/* tb-perf-input.h: bytes of the file that is imported, mapped into memory; a file that cannot be
 * mapped is copied first
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * TbPerfInput:
 * @bytes: %NULL if the file is empty
 * @written: time of the last change of the file, in ns of the wall clock; 0 if unknown
 * @is_mapped: whether the bytes are a mapping, not memory of the caller
 */
typedef struct
{
  const guint8 *bytes;
  gsize size;
  gint64 written;
  gboolean is_mapped;
} TbPerfInput;

/* Maps the file, after copying it if it cannot be mapped. */
gboolean
tb_perf_input_open (TbPerfInput *self, GFile *file, GCancellable *cancellable, GError **error);
void tb_perf_input_clear (TbPerfInput *self);

G_END_DECLS
