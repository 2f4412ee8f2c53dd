/* tb-session-file-private.h: connection to the SQLite database of a session: schema, prepared
 * statements, transactions, writing of chunks and facts, user-visible error texts
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

#include "session/schema/tb-schema.h"

G_BEGIN_DECLS

#define TB_SESSION_APPLICATION_ID 0x54424b53 /* "TBKS" */
#define TB_SESSION_FORMAT_VERSION 1
#define TB_SESSION_PAGE_SIZE 8192

/* Facts that the session itself reads; times are in decimal ns. Facts of other names are stored
 * unchanged. */
#define TB_FACT_RANGE_FROM "range-from-ns" /* recorded range, if wider than that of the events */
#define TB_FACT_RANGE_TO "range-to-ns"
#define TB_FACT_INTERFACES "interfaces"     /* network interfaces, see tb-session-interfaces.c */
#define TB_FACT_MODULE_FILES "module-files" /* see tb-session-module-files.c */
#define TB_FACT_CUT_SHORT "cut-short"       /* why the recording is incomplete */
#define TB_FACT_IN_PROGRESS "in-progress"   /* set by the writer until the recording ends cleanly */

/* The statements that write. Each is prepared once per connection. */
typedef enum
{
  TB_STATEMENT_BEGIN,
  TB_STATEMENT_COMMIT,
  TB_STATEMENT_ROLLBACK,
  TB_STATEMENT_PUT_FACT,
  TB_STATEMENT_REMOVE_FACT,
  TB_STATEMENT_PUT_WARNING,
  TB_STATEMENT_PUT_HOST,
  TB_STATEMENT_PUT_PROCESS,
  TB_STATEMENT_PUT_THREAD,
  TB_STATEMENT_PUT_THREAD_NAME,
  TB_STATEMENT_PUT_MODULE,
  TB_STATEMENT_PUT_MAPPING,
  TB_STATEMENT_PUT_DEVICE,
  TB_STATEMENT_PUT_STRING,
  TB_STATEMENT_PUT_TABLE,
  TB_STATEMENT_PUT_COLUMN,
  TB_STATEMENT_PUT_CHUNK,
  TB_STATEMENT_PUT_CHUNK_DATA,
  TB_STATEMENT_REMOVE_CHUNKS,
  TB_STATEMENT_REMOVE_CHUNK_DATA,
  TB_STATEMENT_PUT_SYMBOL,
  TB_STATEMENT_GET_ADDED_SYMBOLS,
  TB_STATEMENT_PUT_FRAME_NAME,
  TB_STATEMENT_REMOVE_FRAME_NAMES,
  TB_STATEMENT_PUT_BOOKMARK,
  TB_STATEMENT_REMOVE_BOOKMARK,
  TB_STATEMENT_PUT_REPORT,
  TB_STATEMENT_GET_CHUNK_DATA,
  TB_STATEMENT_GET_REPORT,
  TB_N_STATEMENTS,
} TbStatement;

/**
 * TbSessionFile:
 * @display_name: name of the file in messages
 *
 * A connection with its prepared statements. One thread at a time may use it.
 */
typedef struct
{
  sqlite3 *db;
  sqlite3_stmt *statements[TB_N_STATEMENTS];
  char *display_name;
} TbSessionFile;

/* A row of the chunk index. If the chunk has no times, minimum > maximum. */
typedef struct
{
  TbTableKind kind;
  guint column;
  guint32 chunk;
  guint32 n_rows;
  gint64 minimum;
  gint64 maximum;
} TbChunkEntry;

typedef struct
{
  const char *type;
  const char *name;
  const char *sql;
} TbSchemaObject;

/* The expected schema of the database. */
extern const TbSchemaObject tb_session_schema[];
extern const guint tb_session_n_schema;

/* flags and name are those of sqlite3_open_v2(). */
TbSessionFile *
tb_session_file_open (const char *name, int flags, const char *display_name, GError **error);
/* Closes the connection. self may be NULL. */
void tb_session_file_free (TbSessionFile *self);
gboolean tb_session_file_create_schema (TbSessionFile *self, GError **error);
gboolean tb_session_file_execute (TbSessionFile *self, const char *sql, GError **error);

/* Returns the statement, reset and ready to bind, or NULL if it cannot be prepared. */
sqlite3_stmt *tb_session_file_prepare (TbSessionFile *self, TbStatement statement, GError **error);
/* Runs a statement that returns no rows. */
gboolean tb_session_file_run (TbSessionFile *self, sqlite3_stmt *statement, GError **error);
gboolean tb_session_file_begin (TbSessionFile *self, GError **error);
gboolean tb_session_file_commit (TbSessionFile *self, GError **error);
void tb_session_file_rollback (TbSessionFile *self);

gboolean tb_session_file_put_chunk (TbSessionFile *self,
                                    const TbChunkEntry *entry,
                                    gconstpointer data,
                                    gsize size,
                                    GError **error);
gboolean tb_session_file_remove_chunks (TbSessionFile *self, TbTableKind kind, GError **error);
gboolean tb_session_file_put_table_info (TbSessionFile *self, TbTableKind kind, GError **error);
/* A value of NULL removes the fact. */
gboolean
tb_session_file_put_fact (TbSessionFile *self, const char *name, const char *value, GError **error);
gint64 tb_session_file_get_chunk_key (TbTableKind kind, guint column, guint32 chunk);

/* Sets a one-line error from the last error of the connection. */
void tb_session_file_set_error (TbSessionFile *self, GError **error);
/* Sets a one-line error from errno. */
void tb_session_set_errno_error (GError **error, const char *display_name, int error_number);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbSessionFile, tb_session_file_free)

G_END_DECLS
