/* tb-store.c: SQLite connection, decoders and cache of decoded columns that the tables of a session
 * share
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/file/tb-store-private.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "session/file/tb-session-error.h"

#define BUDGET_MAX (G_GUINT64_CONSTANT (1) << 30)
#define BUDGET_SHARE 4 /* of the machine's memory */
#define MAX_IDLE_CODECS 4

static guint64
get_physical_memory (void)
{
  long pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);

  return pages > 0 && page > 0 ? (guint64) pages * (guint64) page : G_GUINT64_CONSTANT (1) << 32;
}

TbStore *
tb_store_new (TbSessionFile *file, guint64 file_size)
{
  TbStore *self = g_new0 (TbStore, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->write_lock);
  g_mutex_init (&self->lock);
  g_mutex_init (&self->cache_lock);
  g_queue_init (&self->cache);
  self->file = file;
  self->file_size = file_size;
  self->budget = MIN (BUDGET_MAX, get_physical_memory () / BUDGET_SHARE);
  self->codecs = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_chunk_codec_free);
  return self;
}

TbStore *
tb_store_ref (TbStore *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tb_store_unref (TbStore *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_assert (self->cache.length == 0);
  tb_session_file_free (self->file);
  g_ptr_array_unref (self->codecs);
  g_clear_error (&self->failure);
  g_mutex_clear (&self->write_lock);
  g_mutex_clear (&self->lock);
  g_mutex_clear (&self->cache_lock);
  g_free (self);
}

TbChunkCodec *
tb_store_take_codec (TbStore *self)
{
  TbChunkCodec *codec = NULL;

  g_mutex_lock (&self->cache_lock);
  if (self->codecs->len > 0)
    codec = g_ptr_array_steal_index_fast (self->codecs, self->codecs->len - 1);
  g_mutex_unlock (&self->cache_lock);
  return codec != NULL ? codec : tb_chunk_codec_new ();
}

void
tb_store_return_codec (TbStore *self, TbChunkCodec *codec)
{
  g_mutex_lock (&self->cache_lock);
  if (self->codecs->len < MAX_IDLE_CODECS)
    {
      g_ptr_array_add (self->codecs, codec);
      codec = NULL;
    }
  g_mutex_unlock (&self->cache_lock);
  tb_chunk_codec_free (codec);
}

static gsize
read_chunk_locked (TbStore *self, gint64 key, guint8 *buffer, GError **error)
{
  sqlite3_stmt *statement
      = tb_session_file_prepare (self->file, TB_STATEMENT_GET_CHUNK_DATA, error);
  gconstpointer data;
  gsize size = 0;
  int code;

  if (statement == NULL)
    return 0;
  sqlite3_bind_int64 (statement, 1, key);
  sqlite3_bind_int64 (statement, 2, TB_CHUNK_MAX_ENCODED);
  code = sqlite3_step (statement);
  if (code == SQLITE_ROW && (data = sqlite3_column_blob (statement, 0)) != NULL)
    {
      size = (gsize) sqlite3_column_bytes (statement, 0);
      g_assert (size <= TB_CHUNK_MAX_ENCODED);
      memcpy (buffer, data, size);
    }
  else if (code == SQLITE_ROW || code == SQLITE_DONE)
    g_set_error_literal (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED,
                         _ ("its data is missing"));
  else
    tb_session_file_set_error (self->file, error);
  sqlite3_reset (statement);
  return size;
}

gsize
tb_store_read_chunk (TbStore *self, gint64 key, guint8 *buffer, GError **error)
{
  gsize size;

  g_mutex_lock (&self->lock);
  size = read_chunk_locked (self, key, buffer, error);
  g_mutex_unlock (&self->lock);
  return size;
}

void
tb_store_note_failure (TbStore *self, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_mutex_lock (&self->cache_lock);
  self->n_failures++;
  g_clear_error (&self->failure);
  self->failure = g_error_copy (error);
  g_mutex_unlock (&self->cache_lock);
}

guint
tb_store_get_failures (TbStore *self, GError **error)
{
  guint n;

  g_mutex_lock (&self->cache_lock);
  n = self->n_failures;
  if (n > 0 && error != NULL)
    *error = g_error_copy (self->failure);
  g_mutex_unlock (&self->cache_lock);
  return n;
}

TbCachedColumn *
tb_cached_column_new (TbStore *self, gsize size, GError **error)
{
  TbCachedColumn *column;
  gpointer memory = MAP_FAILED;

  /* Mapped, not allocated: the memory is returned to the system as soon as the column is
   * evicted. */
  if (size <= get_physical_memory () / 4 * 3)
    memory = mmap (NULL, MAX (size, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    {
      g_autofree char *needed = g_format_size (size);

      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO,
                   _ ("“%s”: not enough memory for a column of %s; choose a shorter range"),
                   self->file->display_name, needed);
      return NULL;
    }
  /* Avoids page faults, a third of the time: all of it is filled at once. Linux before 5.14 cannot
   * do that. */
  madvise (memory, size, MADV_HUGEPAGE);
  madvise (memory, size, MADV_POPULATE_WRITE);
  column = g_new0 (TbCachedColumn, 1);
  g_atomic_ref_count_init (&column->refs);
  column->memory = memory;
  column->size = size;
  column->link.data = column;
  return column;
}

void
tb_cached_column_unref (TbCachedColumn *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  munmap (self->memory, MAX (self->size, 1));
  g_free (self);
}

static void
unlink_column (TbStore *self, TbCachedColumn *column)
{
  g_assert (column->linked);
  g_queue_unlink (&self->cache, &column->link);
  column->linked = FALSE;
  self->cached -= column->size;
  *column->slot = NULL;
  column->slot = NULL;
  tb_cached_column_unref (column);
}

static void
trim (TbStore *self)
{
  GList *l = self->cache.tail;

  while (l != NULL && self->cached > self->budget)
    {
      TbCachedColumn *column = l->data;

      l = l->prev;
      if (g_atomic_ref_count_compare (&column->refs, 1))
        unlink_column (self, column);
    }
}

void
tb_store_set_budget (TbStore *self, guint64 bytes)
{
  g_mutex_lock (&self->cache_lock);
  self->budget = bytes;
  trim (self);
  g_mutex_unlock (&self->cache_lock);
}

typedef struct
{
  TbStore *store;
  TbCachedColumn *column;
} Use;

static void
end_use (gpointer data)
{
  Use *use = data;

  tb_cached_column_unref (use->column);
  g_mutex_lock (&use->store->cache_lock);
  trim (use->store);
  g_mutex_unlock (&use->store->cache_lock);
  tb_store_unref (use->store);
  g_free (use);
}

static GBytes *
begin_use (TbStore *self, TbCachedColumn *column)
{
  Use *use = g_new (Use, 1);

  use->store = tb_store_ref (self);
  use->column = column;
  g_atomic_ref_count_inc (&column->refs);
  return g_bytes_new_with_free_func (column->memory, column->size, end_use, use);
}

GBytes *
tb_store_cache (TbStore *self, TbCachedColumn *column, gpointer *slot)
{
  GBytes *bytes;

  g_mutex_lock (&self->cache_lock);
  g_assert (*slot == NULL);
  *slot = column;
  column->slot = slot;
  column->linked = TRUE;
  g_queue_push_head_link (&self->cache, &column->link);
  self->cached += column->size;
  bytes = begin_use (self, column);
  trim (self);
  g_mutex_unlock (&self->cache_lock);
  return bytes;
}

GBytes *
tb_store_use_cached (TbStore *self, gpointer *slot)
{
  GBytes *bytes = NULL;

  g_mutex_lock (&self->cache_lock);
  if (*slot != NULL)
    {
      TbCachedColumn *column = *slot;

      g_queue_unlink (&self->cache, &column->link);
      g_queue_push_head_link (&self->cache, &column->link);
      bytes = begin_use (self, column);
      trim (self);
    }
  g_mutex_unlock (&self->cache_lock);
  return bytes;
}

void
tb_store_clear_slot (TbStore *self, gpointer *slot)
{
  g_mutex_lock (&self->cache_lock);
  if (*slot != NULL)
    unlink_column (self, *slot);
  g_mutex_unlock (&self->cache_lock);
}
