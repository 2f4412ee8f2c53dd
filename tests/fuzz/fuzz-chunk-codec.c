/* fuzz-chunk-codec.c: fuzz target for chunk contents with a valid checksum
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Input: u8 type · u16 little-endian rows - 1 · content of the frame. For a type of 128 or more:
 * the frame itself. */

#include <string.h>
#include <zstd.h>

#include "fuzz-target.h"
#include "session/file/tb-chunk-codec-private.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (TbChunkCodec) codec = tb_chunk_codec_new ();
  g_autofree guint8 *values = NULL, *again = NULL;
  g_autofree guint8 *frame = NULL;
  gsize frame_size, value_size;
  TbColumnType type;
  guint n_rows;

  if (size < 3 || size > TB_CHUNK_MAX_ENCODED)
    return 0;
  type = (TbColumnType) (data[0] % 6);
  n_rows = 1u + ((guint) data[1] | (guint) data[2] << 8);
  value_size = tb_column_type_get_size (type);
  values = g_malloc (n_rows * value_size);
  frame = g_malloc (ZSTD_compressBound (size));
  if (data[0] < 128)
    frame_size = ZSTD_compress (frame, ZSTD_compressBound (size), data + 3, size - 3, 1);
  else
    {
      frame_size = size - 3;
      memcpy (frame, data + 3, frame_size);
    }
  if (tb_chunk_codec_decode (codec, type, frame, frame_size, values, n_rows) == NULL)
    {
      /* Decoded values can be encoded, and decode to the same values. */
      gconstpointer encoded = tb_chunk_codec_encode (codec, type, values, n_rows, &frame_size);
      g_autofree guint8 *copy = g_memdup2 (encoded, frame_size);

      again = g_malloc (n_rows * value_size);
      g_assert_null (tb_chunk_codec_decode (codec, type, copy, frame_size, again, n_rows));
      g_assert_cmpmem (again, n_rows * value_size, values, n_rows * value_size);
    }
  return 0;
}
