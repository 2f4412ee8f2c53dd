/* tb-session-file.c: connection to the SQLite database of a session: schema, prepared statements,
 * transactions, writing of chunks and facts, user-visible error texts
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/file/tb-session-file-private.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

#include "session/file/tb-session-error.h"

/* Readers compare this text with that in the file, character by character. A change therefore
 * requires a higher TB_SESSION_FORMAT_VERSION. NULL means unknown. The columns of the event tables
 * are encoded in chunk_data (see tb-chunk-codec.c); the key of its rows is table << 40 | column <<
 * 32 | chunk. The views are for users of sqlite3; Tailback never reads them. */
const TbSchemaObject tb_session_schema[] = {
  { "table", "fact",
    "CREATE TABLE fact (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID" },
  { "table", "warning", "CREATE TABLE warning (id INTEGER PRIMARY KEY, text TEXT NOT NULL)" },
  { "table", "host",
    "CREATE TABLE host (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kernel TEXT NOT NULL, machine "
    "TEXT NOT "
    "NULL, "
    "cpus INTEGER NOT NULL, first_cpu INTEGER NOT NULL, clock_bound_ns INTEGER NOT NULL)" },
  { "table", "process",
    "CREATE TABLE process (id INTEGER PRIMARY KEY, host INTEGER NOT NULL REFERENCES host, pid "
    "INTEGER NOT "
    "NULL, "
    "parent INTEGER REFERENCES process, start_ns INTEGER, end_ns INTEGER, name TEXT NOT NULL, "
    "command TEXT "
    "NOT NULL)" },
  { "table", "thread",
    "CREATE TABLE thread (id INTEGER PRIMARY KEY, process INTEGER REFERENCES process, tid INTEGER "
    "NOT NULL, "
    "start_ns INTEGER, end_ns INTEGER, name TEXT NOT NULL)" },
  { "table", "thread_name",
    "CREATE TABLE thread_name (thread INTEGER NOT NULL REFERENCES thread, time_ns INTEGER NOT "
    "NULL, "
    "name TEXT NOT NULL, PRIMARY KEY (thread, time_ns)) WITHOUT ROWID" },
  { "table", "module",
    "CREATE TABLE module (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, path TEXT NOT NULL, build_id "
    "TEXT NOT "
    "NULL, "
    "process INTEGER REFERENCES process)" },
  { "table", "mapping",
    "CREATE TABLE mapping (id INTEGER PRIMARY KEY, process INTEGER NOT NULL REFERENCES process, "
    "time_ns "
    "INTEGER, "
    "start INTEGER NOT NULL, length INTEGER NOT NULL, offset INTEGER NOT NULL, module INTEGER "
    "REFERENCES "
    "module)" },
  { "table", "device",
    "CREATE TABLE device (id INTEGER PRIMARY KEY, host INTEGER NOT NULL REFERENCES host, name TEXT "
    "NOT NULL, "
    "kind TEXT NOT NULL, major_minor TEXT NOT NULL)" },
  { "table", "string", "CREATE TABLE string (id INTEGER PRIMARY KEY, text TEXT NOT NULL)" },
  { "table", "symbol",
    "CREATE TABLE symbol (id INTEGER PRIMARY KEY, function TEXT NOT NULL, file TEXT NOT NULL)" },
  { "table", "frame_name",
    "CREATE TABLE frame_name (frame INTEGER NOT NULL, depth INTEGER NOT NULL, "
    "symbol INTEGER NOT NULL REFERENCES symbol, line INTEGER NOT NULL, inlined INTEGER NOT NULL, "
    "PRIMARY KEY (frame, depth)) WITHOUT ROWID" },
  { "table", "bookmark",
    "CREATE TABLE bookmark (id INTEGER PRIMARY KEY, name TEXT NOT NULL, from_ns INTEGER NOT NULL, "
    "to_ns INTEGER NOT NULL, thread INTEGER REFERENCES thread)" },
  { "table", "report",
    "CREATE TABLE report (name TEXT NOT NULL PRIMARY KEY, analysis TEXT NOT NULL, json TEXT NOT "
    "NULL)" },
  { "table", "event_table",
    "CREATE TABLE event_table (id INTEGER PRIMARY KEY, name TEXT NOT NULL, version INTEGER NOT "
    "NULL)" },
  { "table", "event_column",
    "CREATE TABLE event_column (event_table INTEGER NOT NULL REFERENCES event_table, id INTEGER "
    "NOT NULL, "
    "name TEXT NOT NULL, type TEXT NOT NULL, description TEXT NOT NULL, PRIMARY KEY (event_table, "
    "id)) "
    "WITHOUT ROWID" },
  { "table", "chunk",
    "CREATE TABLE chunk (event_table INTEGER NOT NULL REFERENCES event_table, event_column INTEGER "
    "NOT NULL, "
    "chunk INTEGER NOT NULL, rows INTEGER NOT NULL, minimum INTEGER, maximum INTEGER, "
    "PRIMARY KEY (event_table, event_column, chunk)) WITHOUT ROWID" },
  { "table", "chunk_data", "CREATE TABLE chunk_data (id INTEGER PRIMARY KEY, data BLOB NOT NULL)" },
  { "view", "all_threads",
    "CREATE VIEW all_threads AS SELECT thread.id, host.name AS host, process.pid, process.name AS "
    "process, "
    "thread.tid, "
    "thread.name AS thread, thread.start_ns, thread.end_ns FROM thread LEFT JOIN process ON "
    "process.id = "
    "thread.process "
    "LEFT JOIN host ON host.id = process.host" },
  { "view", "all_frames",
    "CREATE VIEW all_frames AS SELECT frame, depth, function, file, line, inlined FROM frame_name "
    "JOIN symbol ON symbol.id = frame_name.symbol" },
  { "view", "all_columns",
    "CREATE VIEW all_columns AS SELECT event_table.name AS event_table, event_column.name AS "
    "event_column, "
    "event_column.type, sum (chunk.rows) AS rows, count (*) AS chunks, sum (length "
    "(chunk_data.data)) AS "
    "bytes, "
    "min (chunk.minimum) AS minimum, max (chunk.maximum) AS maximum FROM chunk "
    "JOIN event_table ON event_table.id = chunk.event_table "
    "JOIN event_column ON event_column.event_table = chunk.event_table AND event_column.id = "
    "chunk.event_column "
    "JOIN chunk_data ON chunk_data.id = (chunk.event_table << 40) | (chunk.event_column << 32) | "
    "chunk.chunk "
    "GROUP BY chunk.event_table, chunk.event_column" },
};
const guint tb_session_n_schema = G_N_ELEMENTS (tb_session_schema);

static const char *const statement_texts[TB_N_STATEMENTS] = {
  [TB_STATEMENT_BEGIN] = "BEGIN IMMEDIATE",
  [TB_STATEMENT_COMMIT] = "COMMIT",
  [TB_STATEMENT_ROLLBACK] = "ROLLBACK",
  [TB_STATEMENT_PUT_FACT] = "INSERT OR REPLACE INTO fact VALUES (?, ?)",
  [TB_STATEMENT_REMOVE_FACT] = "DELETE FROM fact WHERE name = ?",
  [TB_STATEMENT_PUT_WARNING] = "INSERT INTO warning (text) VALUES (?)",
  [TB_STATEMENT_PUT_HOST] = "INSERT OR REPLACE INTO host VALUES (?, ?, ?, ?, ?, ?, ?)",
  [TB_STATEMENT_PUT_PROCESS] = "INSERT OR REPLACE INTO process VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  [TB_STATEMENT_PUT_THREAD] = "INSERT OR REPLACE INTO thread VALUES (?, ?, ?, ?, ?, ?)",
  [TB_STATEMENT_PUT_THREAD_NAME] = "INSERT OR REPLACE INTO thread_name VALUES (?, ?, ?)",
  [TB_STATEMENT_PUT_MODULE] = "INSERT OR REPLACE INTO module VALUES (?, ?, ?, ?, ?)",
  [TB_STATEMENT_PUT_MAPPING] = "INSERT INTO mapping (process, time_ns, start, length, offset, "
                               "module) VALUES (?, ?, ?, ?, ?, ?)",
  [TB_STATEMENT_PUT_DEVICE] = "INSERT OR REPLACE INTO device VALUES (?, ?, ?, ?, ?)",
  [TB_STATEMENT_PUT_STRING] = "INSERT OR REPLACE INTO string VALUES (?, ?)",
  [TB_STATEMENT_PUT_TABLE] = "INSERT OR REPLACE INTO event_table VALUES (?, ?, ?)",
  [TB_STATEMENT_PUT_COLUMN] = "INSERT OR REPLACE INTO event_column VALUES (?, ?, ?, ?, ?)",
  [TB_STATEMENT_PUT_CHUNK] = "INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?, ?, ?)",
  [TB_STATEMENT_PUT_CHUNK_DATA] = "INSERT OR REPLACE INTO chunk_data VALUES (?, ?)",
  [TB_STATEMENT_REMOVE_CHUNKS] = "DELETE FROM chunk WHERE event_table = ?",
  [TB_STATEMENT_REMOVE_CHUNK_DATA]
  = "DELETE FROM chunk_data WHERE id BETWEEN ?1 << 40 AND (?1 + 1 << 40) - 1",
  [TB_STATEMENT_PUT_SYMBOL] = "INSERT INTO symbol VALUES (?, ?, ?)",
  [TB_STATEMENT_GET_ADDED_SYMBOLS]
  = "SELECT id, function, file FROM symbol WHERE id >= ? ORDER BY id",
  [TB_STATEMENT_PUT_FRAME_NAME] = "INSERT OR REPLACE INTO frame_name VALUES (?, ?, ?, ?, ?)",
  [TB_STATEMENT_REMOVE_FRAME_NAMES] = "DELETE FROM frame_name WHERE frame = ?",
  [TB_STATEMENT_PUT_BOOKMARK] = "INSERT INTO bookmark VALUES (?, ?, ?, ?, ?)",
  [TB_STATEMENT_REMOVE_BOOKMARK] = "DELETE FROM bookmark WHERE id = ?",
  [TB_STATEMENT_PUT_REPORT] = "INSERT OR REPLACE INTO report VALUES (?, ?, ?)",
  [TB_STATEMENT_GET_CHUNK_DATA] = "SELECT data FROM chunk_data WHERE id = ? AND length (data) <= ?",
  [TB_STATEMENT_GET_REPORT] = "SELECT json FROM report WHERE name = ?",
};

static const char *const type_names[] = { "u8", "u16", "u32", "u64", "i64", "f64" };

static TbSessionError
classify (int code)
{
  switch (code & 0xff)
    {
    case SQLITE_CORRUPT:
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
    case SQLITE_CONSTRAINT:
    case SQLITE_ERROR:
      return TB_SESSION_ERROR_DAMAGED;
    case SQLITE_NOTADB:
      return TB_SESSION_ERROR_FOREIGN;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return TB_SESSION_ERROR_READ_ONLY;
    default:
      return TB_SESSION_ERROR_IO;
    }
}

void
tb_session_file_set_error (TbSessionFile *self, GError **error)
{
  int code = sqlite3_extended_errcode (self->db);
  int system_error = sqlite3_system_errno (self->db);
  /* it may contain text from the file */
  g_autofree char *message = g_utf8_make_valid (sqlite3_errmsg (self->db), -1);

  g_strdelimit (message, "\r\n", ' ');

  switch (code & 0xff)
    {
    case SQLITE_FULL:
      tb_session_set_errno_error (error, self->display_name, ENOSPC);
      break;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
      if (system_error != 0)
        {
          tb_session_set_errno_error (error, self->display_name, system_error);
          break;
        }
      G_GNUC_FALLTHROUGH;
    default:
      g_set_error (error, TB_SESSION_ERROR, classify (code), "“%s”: %s", self->display_name,
                   message);
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO,
                   _ ("“%s” is in use by another program, perhaps still being recorded; try again "
                      "when it is done"),
                   self->display_name);
      break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      g_set_error (error, TB_SESSION_ERROR, classify (code),
                   _ ("“%s” is damaged and cannot be read: %s"), self->display_name, message);
      break;
    case SQLITE_INTERRUPT:
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                           _ ("The operation was canceled"));
      break;
    }
}

void
tb_session_set_errno_error (GError **error, const char *display_name, int error_number)
{
  switch (error_number)
    {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO,
                   _ ("“%s” cannot grow: %s; data saved before is kept. Free some space or choose "
                      "another place"),
                   display_name, g_strerror (error_number));
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO,
                   _ ("No access to “%s”: %s; change its permissions or choose another place"),
                   display_name, g_strerror (error_number));
      break;
    default:
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO, "“%s”: %s", display_name,
                   g_strerror (error_number));
    }
}

TbSessionFile *
tb_session_file_open (const char *name, int flags, const char *display_name, GError **error)
{
  g_autoptr (TbSessionFile) self = g_new0 (TbSessionFile, 1);
  static gsize initialized;

  if (g_once_init_enter (&initialized))
    {
      sqlite3_initialize ();
      g_once_init_leave (&initialized, 1);
    }

  self->display_name = g_strdup (display_name);
  if (sqlite3_open_v2 (name, &self->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL)
      != SQLITE_OK)
    {
      tb_session_file_set_error (self, error);
      return NULL;
    }
  sqlite3_busy_timeout (self->db, 2000);
  return g_steal_pointer (&self);
}

void
tb_session_file_free (TbSessionFile *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < TB_N_STATEMENTS; i++)
    sqlite3_finalize (self->statements[i]);
  sqlite3_close (self->db);
  g_free (self->display_name);
  g_free (self);
}

gboolean
tb_session_file_execute (TbSessionFile *self, const char *sql, GError **error)
{
  if (sqlite3_exec (self->db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  tb_session_file_set_error (self, error);
  return FALSE;
}

sqlite3_stmt *
tb_session_file_prepare (TbSessionFile *self, TbStatement statement, GError **error)
{
  sqlite3_stmt **slot = &self->statements[statement];

  if (*slot != NULL)
    sqlite3_reset (*slot);
  else if (sqlite3_prepare_v3 (self->db, statement_texts[statement], -1, SQLITE_PREPARE_PERSISTENT,
                               slot, NULL)
           != SQLITE_OK)
    tb_session_file_set_error (self, error);
  return *slot;
}

gboolean
tb_session_file_run (TbSessionFile *self, sqlite3_stmt *statement, GError **error)
{
  int code = sqlite3_step (statement);

  if (code != SQLITE_DONE && code != SQLITE_ROW)
    tb_session_file_set_error (self, error);
  sqlite3_reset (statement);
  return code == SQLITE_DONE || code == SQLITE_ROW;
}

static gboolean
run_simple (TbSessionFile *self, TbStatement which, GError **error)
{
  sqlite3_stmt *statement = tb_session_file_prepare (self, which, error);

  return statement != NULL && tb_session_file_run (self, statement, error);
}

gboolean
tb_session_file_begin (TbSessionFile *self, GError **error)
{
  return run_simple (self, TB_STATEMENT_BEGIN, error);
}

gboolean
tb_session_file_commit (TbSessionFile *self, GError **error)
{
  return run_simple (self, TB_STATEMENT_COMMIT, error);
}

void
tb_session_file_rollback (TbSessionFile *self)
{
  /* SQLite rolls back by itself after some errors */
  if (!sqlite3_get_autocommit (self->db))
    run_simple (self, TB_STATEMENT_ROLLBACK, NULL);
}

gint64
tb_session_file_get_chunk_key (TbTableKind kind, guint column, guint32 chunk)
{
  return (gint64) kind << 40 | (gint64) column << 32 | chunk;
}

gboolean
tb_session_file_put_chunk (TbSessionFile *self,
                           const TbChunkEntry *entry,
                           gconstpointer data,
                           gsize size,
                           GError **error)
{
  sqlite3_stmt *index = tb_session_file_prepare (self, TB_STATEMENT_PUT_CHUNK, error);
  sqlite3_stmt *blob = tb_session_file_prepare (self, TB_STATEMENT_PUT_CHUNK_DATA, error);

  if (index == NULL || blob == NULL)
    return FALSE;

  sqlite3_bind_int (index, 1, entry->kind);
  sqlite3_bind_int (index, 2, (int) entry->column);
  sqlite3_bind_int64 (index, 3, entry->chunk);
  sqlite3_bind_int64 (index, 4, entry->n_rows);
  if (entry->minimum <= entry->maximum)
    {
      sqlite3_bind_int64 (index, 5, entry->minimum);
      sqlite3_bind_int64 (index, 6, entry->maximum);
    }
  else
    {
      sqlite3_bind_null (index, 5);
      sqlite3_bind_null (index, 6);
    }
  sqlite3_bind_int64 (blob, 1,
                      tb_session_file_get_chunk_key (entry->kind, entry->column, entry->chunk));
  sqlite3_bind_blob64 (blob, 2, data, size, SQLITE_STATIC);
  return tb_session_file_run (self, blob, error) && tb_session_file_run (self, index, error);
}

gboolean
tb_session_file_remove_chunks (TbSessionFile *self, TbTableKind kind, GError **error)
{
  static const TbStatement which[] = { TB_STATEMENT_REMOVE_CHUNKS, TB_STATEMENT_REMOVE_CHUNK_DATA };

  for (guint i = 0; i < G_N_ELEMENTS (which); i++)
    {
      sqlite3_stmt *statement = tb_session_file_prepare (self, which[i], error);

      if (statement == NULL)
        return FALSE;
      sqlite3_bind_int (statement, 1, kind);
      if (!tb_session_file_run (self, statement, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
tb_session_file_put_table_info (TbSessionFile *self, TbTableKind kind, GError **error)
{
  const TbTableInfo *info = tb_table_kind_get_info (kind);
  sqlite3_stmt *statement = tb_session_file_prepare (self, TB_STATEMENT_PUT_TABLE, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int (statement, 1, kind);
  sqlite3_bind_text (statement, 2, info->name, -1, SQLITE_STATIC);
  sqlite3_bind_int (statement, 3, (int) info->version);
  if (!tb_session_file_run (self, statement, error))
    return FALSE;

  for (guint i = 0; i < info->n_columns; i++)
    {
      statement = tb_session_file_prepare (self, TB_STATEMENT_PUT_COLUMN, error);
      if (statement == NULL)
        return FALSE;
      sqlite3_bind_int (statement, 1, kind);
      sqlite3_bind_int (statement, 2, (int) i);
      sqlite3_bind_text (statement, 3, info->columns[i].name, -1, SQLITE_STATIC);
      sqlite3_bind_text (statement, 4, type_names[info->columns[i].type], -1, SQLITE_STATIC);
      sqlite3_bind_text (statement, 5, info->columns[i].description, -1, SQLITE_STATIC);
      if (!tb_session_file_run (self, statement, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
tb_session_file_put_fact (TbSessionFile *self, const char *name, const char *value, GError **error)
{
  sqlite3_stmt *statement
      = tb_session_file_prepare (self,
                                 value != NULL ? TB_STATEMENT_PUT_FACT : TB_STATEMENT_REMOVE_FACT,
                                 error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_text (statement, 1, name, -1, SQLITE_TRANSIENT);
  if (value != NULL)
    sqlite3_bind_text (statement, 2, value, -1, SQLITE_TRANSIENT);
  return tb_session_file_run (self, statement, error);
}

gboolean
tb_session_file_create_schema (TbSessionFile *self, GError **error)
{
  g_autofree char *pragmas = g_strdup_printf (
      "PRAGMA page_size = %d; PRAGMA application_id = %d; PRAGMA user_version = %d",
      TB_SESSION_PAGE_SIZE, TB_SESSION_APPLICATION_ID, TB_SESSION_FORMAT_VERSION);

  if (!tb_session_file_execute (self, pragmas, error) || !tb_session_file_begin (self, error))
    return FALSE;
  for (guint i = 0; i < tb_session_n_schema; i++)
    if (!tb_session_file_execute (self, tb_session_schema[i].sql, error))
      return FALSE;
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    if (!tb_session_file_put_table_info (self, kind, error))
      return FALSE;
  return tb_session_file_commit (self, error);
}
