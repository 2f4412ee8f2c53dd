/* tb-csv-export-private.h: internals of the exporter to the plain-text event format, shared by its
 * files: thread numbers, stack texts, columns, lines
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/sequence/tb-sequence.h"

G_BEGIN_DECLS

/* tb-csv-export-threads.c: numbers and names of threads in the file. The file has one host, and
 * only one thread per number at a time. */
typedef struct
{
  TbSession *session;
  const TbThread *threads;
  guint n_threads;
  const TbProcess *processes;
  guint n_processes;
  gint32 *tids;  /* by thread */
  gint32 *pids;  /* by process */
  guint8 *named; /* by process: whether its name differs from that of its main thread */
  gboolean
      forks_have_process; /* whether the recording has the processes of threads at their forks */
  /* by thread: whether some line has its process, already or later in the file */
  guint8 *process_written;
} TbCsvThreads;

void tb_csv_threads_init (TbCsvThreads *self, TbSession *session);
void tb_csv_threads_clear (TbCsvThreads *self);
gint32 tb_csv_threads_get_tid (const TbCsvThreads *self, guint32 thread);
gint32 tb_csv_threads_get_pid (const TbCsvThreads *self, guint32 thread);
/* Writes the text of a name line: `process/thread`, `thread`, or `/thread` if the name contains a
 * slash. */
void
tb_csv_threads_describe (const TbCsvThreads *self, guint32 thread, const char *name, GString *text);

/* tb-csv-export-stacks.c */
typedef struct _TbCsvStacks TbCsvStacks;

TbCsvStacks *tb_csv_stacks_new (TbSession *session, GError **error);
void tb_csv_stacks_free (TbCsvStacks *self);
const char *tb_csv_stacks_get_text (TbCsvStacks *self, guint32 stack);
/* Writes the name of a variable: "queue_lock", "libfoo.so+0x4040", or "" if there is none. place is
 * its offset in the module. */
void tb_csv_stacks_name_data (TbCsvStacks *self, guint32 frame, guint64 place, GString *text);

/* tb-csv-export-columns.c: columns of all event tables */
typedef struct
{
  GBytes *columns[TB_N_TABLES][16];
  gsize n_rows[TB_N_TABLES];
} TbCsvEvents;

gboolean tb_csv_events_init (TbCsvEvents *self, TbSession *session, GError **error);
void tb_csv_events_clear (TbCsvEvents *self);

#define TB_CSV_VALUE(events, kind, column, type, row)                                              \
  (((const type *) g_bytes_get_data ((events)->columns[TB_TABLE_##kind][TB_##kind##_##column],     \
                                     NULL))[row])

/* tb-csv-export-lines.c */
typedef struct
{
  TbSession *session;
  TbCsvEvents *events;
  TbCsvThreads *threads;
  TbCsvStacks *stacks;
  const TbDevice *devices;
  guint n_devices;
  /* By row of the wakeup table: whether a thread was the waker, whatever the context was. */
  guint8 *woken_by_thread;
  GString *text; /* text that is not written yet */
  GString *name;
} TbCsvLines;

void tb_csv_lines_add_header (TbCsvLines *self);
void tb_csv_lines_add_warnings (TbCsvLines *self);
void tb_csv_lines_add_facts (TbCsvLines *self);
/* Adds a line that only marks how far the recording reaches. */
void tb_csv_lines_add_time (TbCsvLines *self, gint64 time);
void tb_csv_lines_add_devices (TbCsvLines *self, gint64 time);
/* Add a row of the tables of counters and of locks of files, which are not part of the sequence of
 * events. */
void tb_csv_lines_add_counter (TbCsvLines *self, guint32 row);
void tb_csv_lines_add_file_lock (TbCsvLines *self, guint32 row);
void tb_csv_lines_add (TbCsvLines *self, const TbSequenceEvent *event);

G_END_DECLS
