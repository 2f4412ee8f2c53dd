/* tb-session-writer-private.h: writes the file of a session while it is recorded
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "session/tb-chunk-codec-private.h"
#include "session/tb-entities.h"
#include "session/tb-session-file-private.h"

G_BEGIN_DECLS

/**
 * TbSessionWriter:
 *
 * The file of a new session. It holds rows and facts until they are committed; encoding and SQLite are the business of a
 * thread of its own. All functions but tb_session_writer_get_bytes() are for one thread at a time.
 *
 * Nothing is on disk before the first commit: what was appended until then is held in memory (encoded, once a chunk is
 * full), so commit soon. The first commit puts a whole file in place in one step.
 *
 * What is referred to must be committed no later than what refers to it: rows with ids of threads, strings, stacks, …
 * together with these at the latest. Ids of each kind start at 0 and leave no gap at a commit. A reader refuses chunks with
 * ids that are not there (#TB_ID_NONE is accepted in all columns of threads, devices and modules but SWITCH_PREV,
 * SWITCH_NEXT, WAKEUP_WAKEE and PROCESS_THREAD; never in those of stacks and strings, which have 0 for that), tables that
 * are not sorted as tb-schema.h says, and times below 0 other than #TB_TIME_NONE.
 */
typedef struct _TbSessionWriter TbSessionWriter;

/* Fails with %TB_SESSION_ERROR_EXISTS where the file exists and may not be overwritten, and where it cannot be made. */
TbSessionWriter *tb_session_writer_new (GFile *file, gboolean overwrite, GError **error);

/* Copies n_rows values from each of columns[0 … n_columns of kind). Fails at once after any failure of the file. */
gboolean tb_session_writer_append (TbSessionWriter *self,
                                   TbTableKind kind,
                                   gconstpointer const *columns,
                                   gsize n_rows,
                                   GError **error);
/* Rows appended to the table so far: the id of the next frame or stack. */
guint64 tb_session_writer_get_n_rows (TbSessionWriter *self, TbTableKind kind);

/* Facts: copied, written at the next commit; putting the same id (thread and time, name, …) again replaces it. */
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
/* value NULL removes the fact. */
void tb_session_writer_put_fact (TbSessionWriter *self, const char *key, const char *value);
void tb_session_writer_put_warning (TbSessionWriter *self, const char *text);

/* Writes what came since the last commit in one transaction, the last, partial chunk of each table included, so that a
 * crash loses at most what comes after. Chunks that were full before are written already. */
gboolean tb_session_writer_commit (TbSessionWriter *self, GError **error);
/* The last commit; leaves one file without a write-ahead log. The writer can only be freed afterwards. */
gboolean tb_session_writer_close (TbSessionWriter *self, GError **error);
/* Gives the recording up and removes the file if this writer put it there. */
void tb_session_writer_abandon (TbSessionWriter *self);
/* Without a close before, what was committed stays and reads as cut short. */
void tb_session_writer_free (TbSessionWriter *self);

/* Encoded bytes handed to the file so far; from any thread. */
guint64 tb_session_writer_get_bytes (TbSessionWriter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbSessionWriter, tb_session_writer_free)

G_END_DECLS
