/* tb-chunk-codec-private.h: encoder and decoder of the chunks of a column: differences to the
 * neighbour or to the smallest value, in byte planes, compressed by zstd
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/schema/tb-schema.h"

G_BEGIN_DECLS

/* Largest number of rows in a chunk, and the largest size of an encoded chunk in bytes. */
#define TB_CHUNK_ROWS 65536u
#define TB_CHUNK_MAX_ENCODED (TB_CHUNK_ROWS * 8u + 8192u)

/* One encoder or decoder with its scratch memory. Only one thread may use it at a time. */
typedef struct _TbChunkCodec TbChunkCodec;

TbChunkCodec *tb_chunk_codec_new (void);
void tb_chunk_codec_free (TbChunkCodec *self);
/* Encodes fast instead of small from now on. */
void tb_chunk_codec_set_fast (TbChunkCodec *self);

/* Encodes n_rows (1 … TB_CHUNK_ROWS) values of the type. The returned bytes are owned by the codec
 * and valid until its next use. */
gconstpointer tb_chunk_codec_encode (TbChunkCodec *self,
                                     TbColumnType type,
                                     gconstpointer values,
                                     guint n_rows,
                                     gsize *size);
/* Decodes exactly n_rows values. Returns NULL on success, otherwise a static string that describes
 * what is wrong with the bytes. */
const char *tb_chunk_codec_decode (TbChunkCodec *self,
                                   TbColumnType type,
                                   gconstpointer data,
                                   gsize size,
                                   gpointer values,
                                   guint n_rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbChunkCodec, tb_chunk_codec_free)

G_END_DECLS
