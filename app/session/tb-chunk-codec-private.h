/* tb-chunk-codec-private.h: the values of a chunk of a column as bytes and back
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/tb-schema.h"

G_BEGIN_DECLS

/* Largest number of rows in a chunk, and what an encoded chunk can measure at most. */
#define TB_CHUNK_ROWS 65536u
#define TB_CHUNK_MAX_ENCODED (TB_CHUNK_ROWS * 8u + 8192u)

/* One encoder or decoder with its scratch memory: for one thread at a time. */
typedef struct _TbChunkCodec TbChunkCodec;

TbChunkCodec *tb_chunk_codec_new (void);
void tb_chunk_codec_free (TbChunkCodec *self);

/* Encodes n_rows (1 … TB_CHUNK_ROWS) values of the type. The bytes belong to the codec until its next use. */
gconstpointer tb_chunk_codec_encode (TbChunkCodec *self,
                                     TbColumnType type,
                                     gconstpointer values,
                                     guint n_rows,
                                     gsize *size);
/* Decodes exactly n_rows values. Returns NULL, or what is wrong with the bytes: a string that lives for ever. */
const char *tb_chunk_codec_decode (TbChunkCodec *self,
                                   TbColumnType type,
                                   gconstpointer data,
                                   gsize size,
                                   gpointer values,
                                   guint n_rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbChunkCodec, tb_chunk_codec_free)

G_END_DECLS
