/* tb-store-private.h: SQLite connection, decoders and cache of decoded columns that the tables of a
 * session share
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-chunk-codec-private.h"
#include "session/schema/tb-column-rules-private.h"
#include "session/file/tb-session-file-private.h"

G_BEGIN_DECLS

/**
 * TbStore:
 * @write_lock: held for a whole transaction; locked before @lock
 * @lock: held while the connection is used
 * @limits: numbers of entities; set while the session loads, constant afterwards
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
  GQueue cache; /* TbCachedColumn, the most recently used first */
  guint64 cached;
  guint64 budget;
  GPtrArray *codecs; /* the codecs that are not in use */

  guint n_failures; /* of reads of columns; protected by cache_lock, as is the newest of them */
  GError *failure;
} TbStore;

/* A decoded column. The cache holds one reference, each returned GBytes another. */
typedef struct
{
  gatomicrefcount refs;
  gpointer memory;
  gsize size;
  GList link; /* link in the cache, while the column is cached */
  gboolean linked;
  /* the table's pointer to this; cleared at eviction, protected by the cache's lock */
  gpointer *slot;
} TbCachedColumn;

TbStore *tb_store_new (TbSessionFile *file, guint64 file_size);
TbStore *tb_store_ref (TbStore *self);
void tb_store_unref (TbStore *self);

void tb_store_set_budget (TbStore *self, guint64 bytes);

TbChunkCodec *tb_store_take_codec (TbStore *self);
void tb_store_return_codec (TbStore *self, TbChunkCodec *codec);

/* Copies the encoded bytes of a chunk to buffer (TB_CHUNK_MAX_ENCODED); returns 0 on failure. */
gsize tb_store_read_chunk (TbStore *self, gint64 key, guint8 *buffer, GError **error);

/* Counts a read of a column that failed, unless it was cancelled. */
void tb_store_note_failure (TbStore *self, const GError *error);
/* Returns the number of such reads; the error of the newest is copied. */
guint tb_store_get_failures (TbStore *self, GError **error);

/* Allocates memory for a decoded column; fails if the machine has too little. */
TbCachedColumn *tb_cached_column_new (TbStore *self, gsize size, GError **error);
void tb_cached_column_unref (TbCachedColumn *self);
/* Adds the column to the cache, which stores it in *slot and evicts unused columns if the budget is
 * exceeded. Returns the column for the caller's use. */
GBytes *tb_store_cache (TbStore *self, TbCachedColumn *column, gpointer *slot);
/* Returns the column in *slot for the caller's use, or NULL if there is none. */
GBytes *tb_store_use_cached (TbStore *self, gpointer *slot);
/* Clears *slot. Must be called before the memory of the slot is freed. */
void tb_store_clear_slot (TbStore *self, gpointer *slot);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbStore, tb_store_unref)

G_END_DECLS
