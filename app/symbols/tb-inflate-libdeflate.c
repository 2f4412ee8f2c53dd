/* tb-inflate-libdeflate.c: decompression of zlib's format into memory, by libdeflate
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <libdeflate.h>

#include "symbols/tb-inflate-private.h"

/* The best ratio of the format: what claims more is damaged. */
#define MAX_RATIO 1032u

guint8 *
tb_inflate (const guint8 *compressed, gsize compressed_size, gsize size)
{
  struct libdeflate_decompressor *decompressor;
  g_autofree guint8 *content = NULL;
  enum libdeflate_result result;

  if (size == 0 || size / MAX_RATIO > compressed_size)
    return NULL;
  content = g_try_malloc (size);
  decompressor = content != NULL ? libdeflate_alloc_decompressor () : NULL;
  if (decompressor == NULL)
    return NULL;
  result
      = libdeflate_zlib_decompress (decompressor, compressed, compressed_size, content, size, NULL);
  libdeflate_free_decompressor (decompressor);
  return result == LIBDEFLATE_SUCCESS ? g_steal_pointer (&content) : NULL;
}
