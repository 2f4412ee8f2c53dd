/* tb-bytes.c: address of bytes, for language bindings that can read memory without a copy
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "base/tb-bytes.h"

/**
 * tb_bytes_get_address:
 * @bytes: bytes, such as a column of a trace
 * @size: (out): their number
 *
 * For language bindings: in Python, g_bytes_get_data() makes a copy.
 *
 * Returns: the address of the first byte, which is valid as long as @bytes is referenced; 0 if
 *   there are none
 */
guint64
tb_bytes_get_address (GBytes *bytes, gsize *size)
{
  g_return_val_if_fail (bytes != NULL && size != NULL, 0);

  return (guint64) GPOINTER_TO_SIZE (g_bytes_get_data (bytes, size));
}
