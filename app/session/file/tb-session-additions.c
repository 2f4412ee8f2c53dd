/* tb-session-additions.c: additions to a session after the recording: facts, bookmarks, reports and
 * derived tables, written to the file or kept in memory; list of bookmarks, list and contents of
 * reports; all additions saved in a copy
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "session/file/tb-session-private.h"

typedef struct
{
  char *name;
  char *analysis;
  GBytes *json;
} Report;

void
tb_session_free_report (gpointer data)
{
  Report *report = data;

  g_free (report->name);
  g_free (report->analysis);
  g_bytes_unref (report->json);
  g_free (report);
}

/* Marks the session as read-only. Additions that could not be saved stay in memory. */
static void
set_read_only (TbSession *self, GError *cause, GError **error)
{
  g_atomic_int_set (&self->writable, FALSE);
  g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_READ_ONLY,
               _ ("%s. Additions are kept in memory only: save a copy of the session elsewhere"),
               cause->message);
  g_error_free (cause);
}

gboolean
tb_session_write (TbSession *self, TbSessionWrite write, gpointer data, GError **error)
{
  TbStore *store = self->store;
  GError *cause = NULL;

  g_mutex_lock (&store->write_lock);
  g_mutex_lock (&store->lock);
  if (!tb_session_file_begin (store->file, &cause) || !write (store->file, data, &cause)
      || !tb_session_file_commit (store->file, &cause))
    tb_session_file_rollback (store->file);
  g_mutex_unlock (&store->lock);
  g_mutex_unlock (&store->write_lock);
  if (cause != NULL)
    set_read_only (self, cause, error);
  return cause == NULL;
}

/* ---- facts ---- */

typedef struct
{
  const char *name;
  const char *value;
} Fact;

static gboolean
write_fact (TbSessionFile *file, gpointer data, GError **error)
{
  const Fact *fact = data;

  return tb_session_file_put_fact (file, fact->name, fact->value, error);
}

/**
 * tb_session_set_fact:
 * @self: a session
 * @key: name of the fact
 * @value: (nullable): the value, %NULL to remove the fact
 * @error: return location for an error
 *
 * Adds a fact to the session or changes it. Names that begin with the name of a folder of the
 * source or of a plug-in and "-" are reserved for it.
 *
 * Returns: whether nothing failed; if saving fails (%TB_SESSION_ERROR_READ_ONLY) the fact is kept
 * in memory
 */
gboolean
tb_session_set_fact (TbSession *self, const char *key, const char *value, GError **error)
{
  const char *stored_key, *stored_value;

  g_return_val_if_fail (TB_IS_SESSION (self), FALSE);
  g_return_val_if_fail (key != NULL && g_utf8_validate (key, -1, NULL), FALSE);
  g_return_val_if_fail (value == NULL || g_utf8_validate (value, -1, NULL), FALSE);

  g_mutex_lock (&self->lock);
  stored_key = g_string_chunk_insert_const (self->text, key);
  stored_value = value != NULL ? g_string_chunk_insert (self->text, value) : NULL;
  if (value != NULL)
    g_hash_table_insert (self->facts, (gpointer) stored_key, (gpointer) stored_value);
  else
    g_hash_table_remove (self->facts, key);
  g_hash_table_add (self->unsaved_facts, (gpointer) stored_key);
  g_mutex_unlock (&self->lock);

  if (!tb_session_is_writable (self))
    return TRUE;
  if (!tb_session_write (self, write_fact, &(Fact) { key, value }, error))
    return FALSE;
  g_mutex_lock (&self->lock);
  g_hash_table_remove (self->unsaved_facts, key);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

/* ---- derived tables ---- */

static gboolean
write_column (TbStore *store,
              TbSessionFile *file,
              TbTableKind kind,
              guint column,
              GBytes *values,
              guint64 n_rows,
              TbTableIndex *index,
              TbChunkCodec *codec,
              GCancellable *cancellable,
              GError **error)
{
  TbColumnType type = tb_table_kind_get_info (kind)->columns[column].type;
  const guint8 *data = g_bytes_get_data (values, NULL);
  gsize value_size = tb_column_type_get_size (type);

  for (guint64 row = 0; row < n_rows; row += TB_CHUNK_ROWS)
    {
      TbChunkEntry entry = { kind,
                             column,
                             (guint32) (row / TB_CHUNK_ROWS),
                             (guint32) MIN (n_rows - row, TB_CHUNK_ROWS),
                             G_MAXINT64,
                             G_MININT64 };
      gconstpointer encoded;
      gboolean ok;
      gsize size;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (tb_column_role_is_time (tb_table_kind_get_role (kind, column)))
        tb_times_get_range ((const gint64 *) data + row, entry.n_rows, &entry.minimum,
                            &entry.maximum);
      encoded = tb_chunk_codec_encode (codec, type, data + row * value_size, entry.n_rows, &size);
      if (!tb_table_index_add (index, &entry))
        {
          g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_DAMAGED,
                       _ ("“%s”: the times of table “%s” are out of range"), file->display_name,
                       tb_table_kind_get_info (kind)->name);
          return FALSE;
        }

      /* readers use the connection between the chunks */
      g_mutex_lock (&store->lock);
      ok = tb_session_file_put_chunk (file, &entry, encoded, size, error);
      g_mutex_unlock (&store->lock);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

gboolean
tb_session_write_columns (TbStore *store,
                          TbSessionFile *file,
                          TbTableKind kind,
                          GBytes **columns,
                          guint64 n_rows,
                          TbTableIndex *index,
                          GCancellable *cancellable,
                          GError **error)
{
  TbChunkCodec *codec = tb_store_take_codec (store);
  gboolean ok;

  g_mutex_lock (&store->lock);
  ok = tb_session_file_remove_chunks (file, kind, error)
       && tb_session_file_put_table_info (file, kind, error);
  g_mutex_unlock (&store->lock);
  for (guint i = 0; ok && i < tb_table_kind_get_info (kind)->n_columns; i++)
    ok = write_column (store, file, kind, i, columns[i], n_rows, index, codec, cancellable, error);
  tb_store_return_codec (store, codec);
  return ok;
}

static gboolean
run_locked (TbStore *store, gboolean (*run) (TbSessionFile *, GError **), GError **error)
{
  gboolean ok;

  g_mutex_lock (&store->lock);
  ok = run (store->file, error);
  g_mutex_unlock (&store->lock);
  return ok;
}

/**
 * tb_session_put_table:
 * @self: a session
 * @kind: a derived table
 * @columns: (array): the @n_rows values of each column
 * @n_rows: number of rows
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Replaces a derived table. Readers get the new content at once. The table is encoded and saved
 * before this returns, so do not call it in the main thread. If the file is read-only, the table is
 * kept in memory; this is also the case if writing fails, with the error
 * %TB_SESSION_ERROR_READ_ONLY. If cancelled, the table is kept in memory and the file stays
 * unchanged.
 *
 * Returns: whether nothing failed
 */
gboolean
tb_session_put_table (TbSession *self,
                      TbTableKind kind,
                      GBytes **columns,
                      guint64 n_rows,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (TbTableIndex) index = NULL;
  const TbTableInfo *info;
  TbStore *store;
  GError *cause = NULL;

  g_return_val_if_fail (TB_IS_SESSION (self), FALSE);
  g_return_val_if_fail ((guint) kind < TB_N_TABLES && columns != NULL && n_rows < TB_MAX_ROWS,
                        FALSE);
  info = tb_table_kind_get_info (kind);
  g_return_val_if_fail (info->derived, FALSE);
  for (guint i = 0; i < info->n_columns; i++)
    g_return_val_if_fail (columns[i] != NULL
                              && g_bytes_get_size (columns[i])
                                     == n_rows * tb_column_type_get_size (info->columns[i].type),
                          FALSE);

  /* From here on the old chunks are not read any more. */
  tb_table_set_memory (self->tables[kind], columns, n_rows);
  if (!tb_session_is_writable (self))
    return TRUE;

  store = self->store;
  index = tb_table_index_new (kind);
  g_mutex_lock (&store->write_lock);
  if (!run_locked (store, tb_session_file_begin, &cause)
      || !tb_session_write_columns (store, store->file, kind, columns, n_rows, index, cancellable,
                                    &cause)
      || !run_locked (store, tb_session_file_commit, &cause))
    {
      g_mutex_lock (&store->lock);
      tb_session_file_rollback (store->file);
      g_mutex_unlock (&store->lock);
    }
  else if (tb_table_index_finish (index))
    tb_table_set_index (self->tables[kind], index);
  g_mutex_unlock (&store->write_lock);

  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, cause);
  else if (cause != NULL)
    set_read_only (self, cause, error);
  return cause == NULL;
}

/* ---- bookmarks ---- */

static gboolean
write_bookmark (TbSessionFile *file, gpointer data, GError **error)
{
  const TbBookmark *bookmark = data;
  sqlite3_stmt *statement = tb_session_file_prepare (file, TB_STATEMENT_PUT_BOOKMARK, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, bookmark->id);
  sqlite3_bind_text (statement, 2, bookmark->name, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 3, bookmark->from);
  sqlite3_bind_int64 (statement, 4, bookmark->to);
  if (bookmark->thread == TB_ID_NONE)
    sqlite3_bind_null (statement, 5);
  else
    sqlite3_bind_int64 (statement, 5, bookmark->thread);
  return tb_session_file_run (file, statement, error);
}

static gboolean
write_bookmark_removal (TbSessionFile *file, gpointer data, GError **error)
{
  sqlite3_stmt *statement = tb_session_file_prepare (file, TB_STATEMENT_REMOVE_BOOKMARK, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, *(const gint64 *) data);
  return tb_session_file_run (file, statement, error);
}

/**
 * tb_session_get_bookmarks:
 * @self: a session
 * @n_bookmarks: (out): number of bookmarks
 *
 * Gets the bookmarks in the order in which they were added. The array does not change and is valid
 * until the session is freed.
 *
 * Returns: (array length=n_bookmarks) (transfer none): the bookmarks
 */
const TbBookmark *
tb_session_get_bookmarks (TbSession *self, guint *n_bookmarks)
{
  const TbBookmark *bookmarks;

  g_return_val_if_fail (TB_IS_SESSION (self), NULL);
  g_return_val_if_fail (n_bookmarks != NULL, NULL);

  g_mutex_lock (&self->lock);
  *n_bookmarks = self->bookmarks->len;
  bookmarks = (const TbBookmark *) (void *) self->bookmarks->data;
  g_mutex_unlock (&self->lock);
  return bookmarks;
}

/* The lock must be held. Readers keep the old array. */
static void
replace_bookmarks (TbSession *self, GArray *bookmarks)
{
  g_ptr_array_add (self->retired, self->bookmarks);
  self->bookmarks = bookmarks;
}

/**
 * tb_session_add_bookmark:
 * @self: a session
 * @name: its name
 * @from: start of a time range, ns
 * @to: its end
 * @thread: the thread that it concerns, %TB_ID_NONE for all
 * @error: return location for an error
 *
 * Adds a bookmark to the session.
 *
 * Returns: the bookmark's id, or -1 if it could not be saved (%TB_SESSION_ERROR_READ_ONLY; it is
 * kept in memory)
 */
gint64
tb_session_add_bookmark (TbSession *self,
                         const char *name,
                         gint64 from,
                         gint64 to,
                         guint32 thread,
                         GError **error)
{
  TbBookmark bookmark = { .from = from, .to = to, .thread = thread };
  GArray *bookmarks;

  g_return_val_if_fail (TB_IS_SESSION (self), -1);
  g_return_val_if_fail (name != NULL && g_utf8_validate (name, -1, NULL), -1);
  g_return_val_if_fail (from >= -TB_TIME_LIMIT && to <= TB_TIME_LIMIT && from <= to, -1);
  g_return_val_if_fail (thread == TB_ID_NONE || thread < self->threads->len, -1);

  g_mutex_lock (&self->lock);
  bookmark.name = g_string_chunk_insert (self->text, name);
  bookmark.id = 1;
  if (self->bookmarks->len > 0)
    bookmark.id = g_array_index (self->bookmarks, TbBookmark, self->bookmarks->len - 1).id + 1;
  bookmarks = g_array_copy (self->bookmarks);
  g_array_append_val (bookmarks, bookmark);
  replace_bookmarks (self, bookmarks);
  g_mutex_unlock (&self->lock);

  if (tb_session_is_writable (self) && !tb_session_write (self, write_bookmark, &bookmark, error))
    return -1;
  return bookmark.id;
}

static gboolean
rewrite_bookmark (TbSessionFile *file, gpointer data, GError **error)
{
  TbBookmark *bookmark = data;

  return write_bookmark_removal (file, &bookmark->id, error)
         && write_bookmark (file, bookmark, error);
}

/**
 * tb_session_rename_bookmark:
 * @self: a session
 * @id: id of a bookmark
 * @name: the new name: a line, optionally followed by lines with a note
 * @error: return location for an error
 *
 * Renames a bookmark. If it does not exist, that is no error.
 *
 * Returns: whether it is saved, or kept in memory because the session is read-only
 */
gboolean
tb_session_rename_bookmark (TbSession *self, gint64 id, const char *name, GError **error)
{
  TbBookmark renamed = { .id = 0 };
  GArray *bookmarks;

  g_return_val_if_fail (TB_IS_SESSION (self), FALSE);
  g_return_val_if_fail (name != NULL && g_utf8_validate (name, -1, NULL), FALSE);

  g_mutex_lock (&self->lock);
  bookmarks = g_array_copy (self->bookmarks);
  for (guint i = 0; i < bookmarks->len; i++)
    if (g_array_index (bookmarks, TbBookmark, i).id == id)
      {
        g_array_index (bookmarks, TbBookmark, i).name = g_string_chunk_insert (self->text, name);
        renamed = g_array_index (bookmarks, TbBookmark, i);
      }
  replace_bookmarks (self, bookmarks);
  g_mutex_unlock (&self->lock);
  return renamed.id == 0 || !tb_session_is_writable (self)
         || tb_session_write (self, rewrite_bookmark, &renamed, error);
}

/**
 * tb_session_remove_bookmark:
 * @self: a session
 * @id: id of a bookmark
 * @error: return location for an error
 *
 * Removes a bookmark. If it does not exist, that is no error.
 *
 * Returns: whether nothing failed
 */
gboolean
tb_session_remove_bookmark (TbSession *self, gint64 id, GError **error)
{
  GArray *bookmarks;

  g_return_val_if_fail (TB_IS_SESSION (self), FALSE);

  g_mutex_lock (&self->lock);
  bookmarks = g_array_copy (self->bookmarks);
  for (guint i = 0; i < bookmarks->len; i++)
    if (g_array_index (bookmarks, TbBookmark, i).id == id)
      {
        g_array_remove_index (bookmarks, i);
        break;
      }
  replace_bookmarks (self, bookmarks);
  g_mutex_unlock (&self->lock);
  return !tb_session_is_writable (self)
         || tb_session_write (self, write_bookmark_removal, &id, error);
}

/* ---- reports ---- */

static gboolean
write_report (TbSessionFile *file, gpointer data, GError **error)
{
  const Report *report = data;
  sqlite3_stmt *statement = tb_session_file_prepare (file, TB_STATEMENT_PUT_REPORT, error);
  gconstpointer json;
  gsize size;
  gboolean ok;

  if (statement == NULL)
    return FALSE;
  json = g_bytes_get_data (report->json, &size);
  sqlite3_bind_text (statement, 1, report->name, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 2, report->analysis, -1, SQLITE_STATIC);
  sqlite3_bind_text64 (statement, 3, json, size, SQLITE_STATIC, SQLITE_UTF8);
  ok = tb_session_file_run (file, statement, error);
  sqlite3_clear_bindings (statement);
  return ok;
}

/**
 * tb_session_save_report:
 * @self: a session
 * @name: its name; a report of that name is replaced
 * @analysis: id of the analysis that produced it
 * @json: its JSON
 * @error: return location for an error
 *
 * Saves a report in the session, so that it opens without its plug-in.
 *
 * Returns: whether nothing failed; if saving fails (%TB_SESSION_ERROR_READ_ONLY) it is kept in
 * memory
 */
gboolean
tb_session_save_report (TbSession *self,
                        const char *name,
                        const char *analysis,
                        GBytes *json,
                        GError **error)
{
  Report *report;
  gboolean writable;

  g_return_val_if_fail (TB_IS_SESSION (self), FALSE);
  g_return_val_if_fail (name != NULL && g_utf8_validate (name, -1, NULL), FALSE);
  g_return_val_if_fail (analysis != NULL && g_utf8_validate (analysis, -1, NULL), FALSE);
  g_return_val_if_fail (json != NULL, FALSE);

  report = g_new (Report, 1);
  *report = (Report) { g_strdup (name), g_strdup (analysis), g_bytes_ref (json) };
  writable = tb_session_is_writable (self);
  if (writable && tb_session_write (self, write_report, report, error))
    {
      tb_session_free_report (report);
      return TRUE;
    }

  g_mutex_lock (&self->lock);
  g_hash_table_replace (self->reports, report->name, report);
  g_mutex_unlock (&self->lock);
  return !writable;
}

static gboolean
collect_saved_names (TbSession *self, GPtrArray *names)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (self->store->file->db, "SELECT name FROM report ORDER BY name", -1,
                          &statement, NULL)
      != SQLITE_OK)
    return FALSE;
  while (sqlite3_step (statement) == SQLITE_ROW && names->len < 10000)
    {
      const char *name = (const char *) sqlite3_column_text (statement, 0);

      if (name != NULL && g_utf8_validate (name, -1, NULL))
        g_ptr_array_add (names, g_strdup (name));
    }
  sqlite3_finalize (statement);
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/**
 * tb_session_list_reports:
 * @self: a session
 *
 * Lists the saved reports by name.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names, sorted
 */
char **
tb_session_list_reports (TbSession *self)
{
  g_autoptr (GPtrArray) names = NULL;
  GHashTableIter iter;
  gpointer key;

  g_return_val_if_fail (TB_IS_SESSION (self), NULL);

  names = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  g_mutex_lock (&self->store->lock);
  collect_saved_names (self, names);
  g_mutex_unlock (&self->store->lock);

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->reports);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!g_ptr_array_find_with_equal_func (names, key, g_str_equal, NULL))
      g_ptr_array_add (names, g_strdup (key));
  g_mutex_unlock (&self->lock);
  g_ptr_array_sort (names, compare_names);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

static GBytes *
load_saved_report (TbSession *self, const char *name, GError **error)
{
  TbSessionFile *file = self->store->file;
  sqlite3_stmt *statement = tb_session_file_prepare (file, TB_STATEMENT_GET_REPORT, error);
  GBytes *json = NULL;
  int code;

  if (statement == NULL)
    return NULL;
  sqlite3_bind_text (statement, 1, name, -1, SQLITE_STATIC);
  code = sqlite3_step (statement);
  if (code == SQLITE_ROW)
    {
      const void *text = sqlite3_column_text (statement, 0);

      json = g_bytes_new (text, text != NULL ? (gsize) sqlite3_column_bytes (statement, 0) : 0);
    }
  else if (code == SQLITE_DONE)
    g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO, _ ("“%s” has no report “%s”"),
                 self->display_name, name);
  else
    tb_session_file_set_error (file, error);
  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
  return json;
}

/**
 * tb_session_load_report:
 * @self: a session
 * @name: name of a saved report
 * @error: return location for an error
 *
 * Gets a saved report.
 *
 * Returns: (transfer full): its JSON
 */
GBytes *
tb_session_load_report (TbSession *self, const char *name, GError **error)
{
  const Report *report;
  GBytes *json = NULL;

  g_return_val_if_fail (TB_IS_SESSION (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  g_mutex_lock (&self->lock);
  report = g_hash_table_lookup (self->reports, name);
  if (report != NULL)
    json = g_bytes_ref (report->json);
  g_mutex_unlock (&self->lock);
  if (json != NULL)
    return json;

  g_mutex_lock (&self->store->lock);
  json = load_saved_report (self, name, error);
  g_mutex_unlock (&self->store->lock);
  return json;
}

/* ---- all additions, into a copy ---- */

static gboolean
save_facts (TbSession *self, TbSessionFile *file, GError **error)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->unsaved_facts);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!tb_session_file_put_fact (file, key, g_hash_table_lookup (self->facts, key), error))
      return FALSE;
  return TRUE;
}

static gboolean
save_bookmarks (TbSession *self, TbSessionFile *file, GError **error)
{
  if (!tb_session_file_execute (file, "DELETE FROM bookmark", error))
    return FALSE;
  for (guint i = 0; i < self->bookmarks->len; i++)
    if (!write_bookmark (file, &g_array_index (self->bookmarks, TbBookmark, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
save_reports (TbSession *self, TbSessionFile *file, GError **error)
{
  GHashTableIter iter;
  gpointer report;

  g_hash_table_iter_init (&iter, self->reports);
  while (g_hash_table_iter_next (&iter, NULL, &report))
    if (!write_report (file, report, error))
      return FALSE;
  return TRUE;
}

static gboolean
save_tables (TbSession *self, TbSessionFile *file, GCancellable *cancellable, GError **error)
{
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    {
      GBytes **columns = tb_table_get_memory (self->tables[kind]);
      g_autoptr (TbTableIndex) index = NULL;

      if (columns == NULL)
        continue;
      index = tb_table_index_new (kind);
      if (!tb_session_write_columns (self->store, file, kind, columns,
                                     tb_table_get_n_rows (self->tables[kind]), index, cancellable,
                                     error))
        return FALSE;
    }
  return TRUE;
}

gboolean
tb_session_save_additions (TbSession *self,
                           TbSessionFile *file,
                           GCancellable *cancellable,
                           GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = save_facts (self, file, error) && save_bookmarks (self, file, error)
       && save_reports (self, file, error);
  g_mutex_unlock (&self->lock);
  return ok && tb_frame_names_save (self->names, file, error)
         && save_tables (self, file, cancellable, error);
}
