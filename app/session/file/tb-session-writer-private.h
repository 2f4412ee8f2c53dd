/* tb-session-writer-private.h: writer of a session file during a recording: takes rows and facts,
 * encodes and commits them in a thread of its own
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "session/file/tb-chunk-codec-private.h"
#include "session/schema/tb-entities.h"
#include "session/file/tb-session-file-private.h"

G_BEGIN_DECLS

/**
 * TbSessionWriter:
 *
 * The file of a new session. Rows and facts are held in memory until they are committed; a separate
 * thread encodes them and writes them with SQLite. One thread at a time may call the functions,
 * except tb_session_writer_get_bytes().
 *
 * Nothing is on disk before the first commit: rows appended until then are held in memory (encoded
 * once a chunk is full), so commit soon. The first commit creates a complete file atomically.
 *
 * Threads, strings, stacks and so on must be committed no later than the rows that refer to their
 * ids. Ids of each kind start at 0 and have no gap at a commit. A reader rejects chunks with ids
 * that do not exist, tables that are not sorted as documented in tb-schema.h, and times below 0
 * other than #TB_TIME_NONE. #TB_ID_NONE is accepted in all columns of threads, devices and modules
 * except SWITCH_PREV, SWITCH_NEXT, WAKEUP_WAKEE and PROCESS_THREAD; columns of stacks and strings
 * use 0 instead.
 */
typedef struct _TbSessionWriter TbSessionWriter;

/* Fails with %TB_SESSION_ERROR_EXISTS if the file exists and may not be overwritten, or with
 * another error if it cannot be created. */
TbSessionWriter *tb_session_writer_new (GFile *file, gboolean overwrite, GError **error);
/* For a session that is of no use after a crash: it is hardly compressed, and the disk is not
 * waited for. To be called before anything is appended. */
void tb_session_writer_set_temporary (TbSessionWriter *self);

/* Copies n_rows values from each of columns[0 … n_columns of kind). After a failure of the file,
 * every later call fails at once. */
gboolean tb_session_writer_append (TbSessionWriter *self,
                                   TbTableKind kind,
                                   gconstpointer const *columns,
                                   gsize n_rows,
                                   GError **error);
/* Number of rows appended to the table so far, which is the id of the next frame or stack. */
guint64 tb_session_writer_get_n_rows (TbSessionWriter *self, TbTableKind kind);

/* Facts are copied and written at the next commit. Adding the same id (thread and time, name, …)
 * again replaces the earlier one. */
void tb_session_writer_put_host (TbSessionWriter *self, const TbHost *host);
void tb_session_writer_put_process (TbSessionWriter *self, const TbProcess *process);
void tb_session_writer_put_thread (TbSessionWriter *self, const TbThread *thread);
void tb_session_writer_put_thread_name (TbSessionWriter *self, const TbThreadName *name);
void tb_session_writer_put_module (TbSessionWriter *self, const TbModule *module);
void tb_session_writer_put_device (TbSessionWriter *self, const TbDevice *device);
void tb_session_writer_put_string (TbSessionWriter *self, guint32 id, const char *text);
void tb_session_writer_put_mapping (TbSessionWriter *self,
                                    guint32 process,
                                    gint64 time,
                                    guint64 start,
                                    guint64 length,
                                    guint64 offset,
                                    guint32 module);
/* A value of NULL removes the fact. */
void tb_session_writer_put_fact (TbSessionWriter *self, const char *key, const char *value);
void tb_session_writer_put_warning (TbSessionWriter *self, const char *text);

/* Writes everything since the last commit in one transaction, including the last, partial chunk of
 * each table, so that a crash loses only later rows. Chunks that became full earlier are already
 * written. */
gboolean tb_session_writer_commit (TbSessionWriter *self, GError **error);
/* Makes the last commit and leaves one file without a write-ahead log. Afterwards the writer can
 * only be freed. */
gboolean tb_session_writer_close (TbSessionWriter *self, GError **error);
/* Cancels the recording, and removes the file if this writer created it. */
void tb_session_writer_abandon (TbSessionWriter *self);
/* If the writer was not closed, the committed part stays and is read as cut short. */
void tb_session_writer_free (TbSessionWriter *self);

/* Encoded bytes passed to the file so far. May be called from any thread. */
guint64 tb_session_writer_get_bytes (TbSessionWriter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbSessionWriter, tb_session_writer_free)

G_END_DECLS
