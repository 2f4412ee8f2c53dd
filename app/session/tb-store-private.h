/* tb-store-private.h: what the tables of an open session share: the connection, the decoders, the cache
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/tb-chunk-codec-private.h"
#include "session/tb-column-rules-private.h"
#include "session/tb-session-file-private.h"

G_BEGIN_DECLS

/**
 * TbStore:
 * @write_lock: held for a whole transaction; taken before @lock
 * @lock: held while the connection is used
 * @limits: set while the session loads, constant afterwards
 */
typedef struct
{
  gatomicrefcount refs;
  GMutex write_lock;
  GMutex lock;
  TbSessionFile *file;
  TbIdLimits limits;
  guint64 file_size;

  GMutex cache_lock;
  GQueue cache; /* TbCachedColumn, most recently used first */
  guint64 cached;
  guint64 budget;
  GPtrArray *codecs; /* idle */
} TbStore;

/* A decoded column. The cache has one reference, each GBytes that was handed out another. */
typedef struct
{
  gatomicrefcount refs;
  gpointer memory;
  gsize size;
  GList link; /* in the cache while linked */
  gboolean linked;
  gpointer *slot; /* where the table remembers it; cleared at eviction, under the cache's lock */
} TbCachedColumn;

TbStore *tb_store_new (TbSessionFile *file, guint64 file_size);
TbStore *tb_store_ref (TbStore *self);
void tb_store_unref (TbStore *self);

void tb_store_set_budget (TbStore *self, guint64 bytes);

TbChunkCodec *tb_store_take_codec (TbStore *self);
void tb_store_return_codec (TbStore *self, TbChunkCodec *codec);

/* The encoded bytes of a chunk, copied to buffer (TB_CHUNK_MAX_ENCODED); 0 on failure. */
gsize tb_store_read_chunk (TbStore *self, gint64 key, guint8 *buffer, GError **error);

/* Memory for a decoded column; fails where the machine has not that much. */
TbCachedColumn *tb_cached_column_new (TbStore *self, gsize size, GError **error);
void tb_cached_column_unref (TbCachedColumn *self);
/* Gives it to the cache, which remembers it in *slot and evicts others that nobody uses if the budget is exceeded.
 * Returns it for the caller to use. */
GBytes *tb_store_cache (TbStore *self, TbCachedColumn *column, gpointer *slot);
/* What *slot remembers, for the caller to use; NULL if nothing. */
GBytes *tb_store_use_cached (TbStore *self, gpointer *slot);
/* Forgets *slot: called before its memory goes away. */
void tb_store_forget (TbStore *self, gpointer *slot);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbStore, tb_store_unref)

G_END_DECLS
