/* tb-session-check.c: reads of columns that failed; search of a session file for damage, in its
 * database and in every chunk of its columns, on request or when a session that was cut short is
 * opened
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/file/tb-session-private.h"

static int
check_cancelled (void *data)
{
  return g_cancellable_is_cancelled (data);
}

static gboolean
check_integrity (TbSession *self, GError **error)
{
  TbSessionFile *file = self->store->file;
  sqlite3_stmt *statement = NULL;
  gboolean ok = FALSE;
  int code;

  if (sqlite3_prepare_v2 (file->db, "PRAGMA integrity_check (1)", -1, &statement, NULL)
      != SQLITE_OK)
    {
      tb_session_file_set_error (file, error);
      return FALSE;
    }
  code = sqlite3_step (statement);
  if (code == SQLITE_ROW)
    {
      const char *result = (const char *) sqlite3_column_text (statement, 0);

      ok = g_strcmp0 (result, "ok") == 0;
      if (!ok)
        {
          g_autofree char *what = g_utf8_make_valid (result != NULL ? result : "?", -1);

          g_strdelimit (what, "\n", ' ');
          tb_session_set_damaged_error (self, what, error);
        }
    }
  else
    tb_session_file_set_error (file, error);
  sqlite3_finalize (statement);
  return ok;
}

/**
 * tb_session_get_failed_reads:
 * @self: a session
 * @error: return location for the error of the newest of them
 *
 * Counts the reads of columns that failed so far, for instance because a chunk is damaged. Work
 * during which the number grows has read less than it asked for. From any thread.
 *
 * Returns: their number; if it is 0, there is no error
 */
guint
tb_session_get_failed_reads (TbSession *self, GError **error)
{
  g_return_val_if_fail (TB_IS_SESSION (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return tb_store_get_failures (self->store, error);
}

/**
 * tb_session_check:
 * @self: a session
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Checks everything in the file: the integrity of the database, then every chunk of every column
 * with its checksum and the rules of its column, then the function names. Keeps nothing but the
 * names in memory. Takes seconds for large files; do not call it in the main thread.
 *
 * Returns: whether the file is intact; else the error %TB_SESSION_ERROR_DAMAGED has the place of
 * the damage
 */
gboolean
tb_session_check (TbSession *self, GCancellable *cancellable, GError **error)
{
  TbStore *store;
  gboolean ok;

  g_return_val_if_fail (TB_IS_SESSION (self), FALSE);

  store = self->store;
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  g_mutex_lock (&store->lock);
  if (cancellable != NULL)
    sqlite3_progress_handler (store->file->db, 10000, check_cancelled, cancellable);
  ok = check_integrity (self, error);
  sqlite3_progress_handler (store->file->db, 0, NULL, NULL);
  g_mutex_unlock (&store->lock);

  for (guint kind = 0; ok && kind < TB_N_TABLES; kind++)
    ok = tb_table_check (self->tables[kind], cancellable, error);
  return ok && (self->names == NULL || tb_frame_names_check (self->names, error));
}
