/* tb-table-decode.c: chunks of a column, read, decoded and checked into one array by up to two
 * threads
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/file/tb-table-decode-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "session/file/tb-session-error.h"

#define PARALLEL_CHUNKS 4 /* a second thread is used for at least this number of chunks */

static void
set_chunk_error (TbStore *store,
                 TbTableIndex *index,
                 guint column,
                 guint chunk,
                 const char *problem,
                 GError **error)
{
  const TbTableInfo *info = tb_table_kind_get_info (index->kind);

  g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED,
               _ ("“%s” is damaged in table “%s”, column “%s”, chunk %u: %s"),
               store->file->display_name, info->name, info->columns[column].name, chunk, problem);
}

static const char *
check_values (TbStore *store, TbTableIndex *index, guint column, guint chunk, gconstpointer values)
{
  TbColumnRole role = tb_table_kind_get_role (index->kind, column);
  guint n = tb_table_index_get_chunk_rows (index, chunk);
  const char *problem
      = tb_column_rules_check (role, values, n, (guint64) chunk * TB_CHUNK_ROWS, &store->limits);
  const TbTimeRange *expected;
  TbTimeRange found;

  if (problem != NULL || !tb_column_role_is_time (role))
    return problem;

  expected = tb_table_index_get_times (index, column, chunk);
  tb_times_get_range (values, n, &found.minimum, &found.maximum);
  if (found.minimum != expected->minimum || found.maximum != expected->maximum)
    return "its times differ from those in the index";
  /* operations that did not end come after all that did */
  if (role == TB_ROLE_SORTED_END && ((const gint64 *) values)[n - 1] == TB_TIME_NONE
      && chunk + 1 < tb_table_index_get_n_chunks (index)
      && tb_table_index_get_times (index, column, chunk + 1)->maximum != G_MININT64)
    return "the rows are not in order";
  return NULL;
}

static gboolean
decode_chunk (TbStore *store,
              TbTableIndex *index,
              guint column,
              guint chunk,
              TbChunkCodec *codec,
              guint8 *buffer,
              gpointer values,
              GError **error)
{
  g_autoptr (GError) local_error = NULL;
  gsize size;
  const char *problem;

  /* A column that was added after the file was written. */
  if (column >= index->n_columns)
    {
      memset (values, 0,
              tb_table_index_get_chunk_rows (index, chunk)
                  * tb_column_type_get_size (
                      tb_table_kind_get_info (index->kind)->columns[column].type));
      return TRUE;
    }
  size = tb_store_read_chunk (store, tb_session_file_get_chunk_key (index->kind, column, chunk),
                              buffer, &local_error);
  problem = local_error != NULL ? local_error->message : "empty";
  if (size > 0)
    {
      problem = tb_chunk_codec_decode (codec,
                                       tb_table_kind_get_info (index->kind)->columns[column].type,
                                       buffer, size, values,
                                       tb_table_index_get_chunk_rows (index, chunk));
      if (problem == NULL)
        problem = check_values (store, index, column, chunk, values);
    }
  if (problem != NULL)
    set_chunk_error (store, index, column, chunk, problem, error);
  return problem == NULL;
}

gboolean
tb_table_decode_chunk (TbStore *store,
                       TbTableIndex *index,
                       guint column,
                       guint chunk,
                       gpointer values,
                       GError **error)
{
  g_autofree guint8 *buffer = g_malloc (TB_CHUNK_MAX_ENCODED);
  TbChunkCodec *codec = tb_store_take_codec (store);
  gboolean ok = decode_chunk (store, index, column, chunk, codec, buffer, values, error);

  tb_store_return_codec (store, codec);
  return ok;
}

/* Work on one column. Each thread takes the next chunk when it has finished one. */
typedef struct
{
  gatomicrefcount refs;
  TbStore *store;
  TbTableIndex *index;
  guint column;
  guint8 *values;
  int next;                  /* the next chunk; atomic */
  GCancellable *cancellable; /* the cancellable of the requesting thread, or NULL */
  GMutex lock;
  GCond finished;
  guint n_working;
  GError *error;
} Work;

static void
unref_work (Work *work)
{
  if (!g_atomic_ref_count_dec (&work->refs))
    return;
  tb_store_unref (work->store);
  tb_table_index_unref (work->index);
  g_clear_object (&work->cancellable);
  g_clear_error (&work->error);
  g_mutex_clear (&work->lock);
  g_cond_clear (&work->finished);
  g_free (work);
}

static gboolean
begin_work (Work *work)
{
  gboolean worth;

  g_mutex_lock (&work->lock);
  worth = work->error == NULL
          && (guint) g_atomic_int_get (&work->next) < tb_table_index_get_n_chunks (work->index);
  if (worth)
    work->n_working++;
  g_mutex_unlock (&work->lock);
  return worth;
}

static void
end_work (Work *work, GError *error)
{
  g_mutex_lock (&work->lock);
  if (error != NULL)
    {
      g_atomic_int_set (&work->next, (int) tb_table_index_get_n_chunks (work->index));
      if (work->error == NULL)
        work->error = g_steal_pointer (&error);
    }
  work->n_working--;
  g_cond_broadcast (&work->finished);
  g_mutex_unlock (&work->lock);
  g_clear_error (&error);
}

static void
do_work (Work *work)
{
  gsize chunk_size = TB_CHUNK_ROWS
                     * tb_column_type_get_size (
                         tb_table_kind_get_info (work->index->kind)->columns[work->column].type);
  guint n_chunks = tb_table_index_get_n_chunks (work->index);
  g_autofree guint8 *buffer = NULL;
  TbChunkCodec *codec;
  GError *error = NULL;

  if (!begin_work (work))
    return;
  buffer = g_malloc (TB_CHUNK_MAX_ENCODED);
  codec = tb_store_take_codec (work->store);
  while (error == NULL)
    {
      guint chunk = (guint) g_atomic_int_add (&work->next, 1);

      if (chunk >= n_chunks || g_cancellable_set_error_if_cancelled (work->cancellable, &error))
        break;
      decode_chunk (work->store, work->index, work->column, chunk, codec, buffer,
                    work->values + chunk * chunk_size, &error);
    }
  tb_store_return_codec (work->store, codec);
  end_work (work, error);
}

static void
run_helper (gpointer data, gpointer user_data)
{
  do_work (data);
  unref_work (data);
}

static void
start_helper (Work *work)
{
  static GThreadPool *helpers;
  static gsize initialized;

  if (g_once_init_enter (&initialized))
    {
      helpers = g_thread_pool_new (run_helper, NULL, 1, FALSE, NULL);
      g_once_init_leave (&initialized, 1);
    }
  g_atomic_ref_count_inc (&work->refs);
  if (!g_thread_pool_push (helpers, work, NULL))
    g_warning ("Could not start a thread; continuing with one");
}

/* Checks the order across the boundaries of chunks, which the rules of a chunk do not cover. */
static gboolean
check_chunk_order (TbStore *store,
                   TbTableIndex *index,
                   guint column,
                   gconstpointer values,
                   GError **error)
{
  const guint32 *ids = values;

  if (tb_table_kind_get_role (index->kind, column) != TB_ROLE_SORTED_THREAD)
    return TRUE;
  for (guint chunk = 1; chunk < tb_table_index_get_n_chunks (index); chunk++)
    {
      gsize row = (gsize) chunk * TB_CHUNK_ROWS;

      if (ids[row] < ids[row - 1])
        {
          set_chunk_error (store, index, column, chunk, "the rows are not in order", error);
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
tb_table_decode_column (TbStore *store,
                        TbTableIndex *index,
                        guint column,
                        gpointer values,
                        GError **error)
{
  Work *work = g_new0 (Work, 1);
  gboolean ok;

  g_atomic_ref_count_init (&work->refs);
  work->store = tb_store_ref (store);
  work->index = tb_table_index_ref (index);
  work->column = column;
  work->values = values;
  g_set_object (&work->cancellable, g_cancellable_get_current ());
  g_mutex_init (&work->lock);
  g_cond_init (&work->finished);

  if (tb_table_index_get_n_chunks (index) >= PARALLEL_CHUNKS && g_get_num_processors () > 1)
    start_helper (work);
  do_work (work);

  g_mutex_lock (&work->lock);
  while (work->n_working > 0)
    g_cond_wait (&work->finished, &work->lock);
  ok = work->error == NULL;
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&work->error));
  g_mutex_unlock (&work->lock);
  unref_work (work);
  return ok && check_chunk_order (store, index, column, values, error);
}
