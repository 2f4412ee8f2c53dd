/* tb-csv-export-private.h: what the files of the exporter share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/tb-sequence.h"

G_BEGIN_DECLS

/* tb-csv-export-threads.c: what threads are called in the file. It knows one host and one thread of a number at a time. */
typedef struct
{
  TbSession *session;
  const TbThread *threads;
  guint n_threads;
  const TbProcess *processes;
  guint n_processes;
  gint32 *tids;        /* of each thread */
  gint32 *pids;        /* of each process */
  guint8 *named;       /* of each process: whether it has a name apart from its main thread's */
  gboolean forks_tell; /* whether the recording knew the process of a thread that was forked */
  guint8 *told;        /* of each thread: whether a line told what it belongs to, or will */
} TbCsvThreads;

void tb_csv_threads_init (TbCsvThreads *self, TbSession *session);
void tb_csv_threads_clear (TbCsvThreads *self);
gint32 tb_csv_threads_get_tid (const TbCsvThreads *self, guint32 thread);
gint32 tb_csv_threads_get_pid (const TbCsvThreads *self, guint32 thread);
/* The text of a name line: `process/thread`, `thread`, or `/thread` where the name has a slash itself. */
void tb_csv_threads_describe (const TbCsvThreads *self, guint32 thread, const char *name, GString *text);

/* tb-csv-export-stacks.c */
typedef struct _TbCsvStacks TbCsvStacks;

TbCsvStacks *tb_csv_stacks_new (TbSession *session, GError **error);
void tb_csv_stacks_free (TbCsvStacks *self);
const char *tb_csv_stacks_get_text (TbCsvStacks *self, guint32 stack);
/* What a frame that is no code is called: "queue_lock", "libfoo.so+0x4040"; "" none. place: where it lies in its module. */
void tb_csv_stacks_name_data (TbCsvStacks *self, guint32 frame, guint64 place, GString *text);

/* tb-csv-export-events.c: the columns of all tables of events */
typedef struct
{
  GBytes *columns[TB_N_TABLES][16];
  gsize n_rows[TB_N_TABLES];
} TbCsvEvents;

gboolean tb_csv_events_init (TbCsvEvents *self, TbSession *session, GError **error);
void tb_csv_events_clear (TbCsvEvents *self);

#define TB_CSV_VALUE(events, kind, column, type, row)                                                        \
  (((const type *) g_bytes_get_data ((events)->columns[TB_TABLE_##kind][TB_##kind##_##column], NULL))[row])

/* tb-csv-export-lines.c */
typedef struct
{
  TbSession *session;
  TbCsvEvents *events;
  TbCsvThreads *threads;
  TbCsvStacks *stacks;
  const TbDevice *devices;
  guint n_devices;
  GString *text; /* what is not written yet */
  GString *name;
} TbCsvLines;

void tb_csv_lines_add_header (TbCsvLines *self);
void tb_csv_lines_add_warnings (TbCsvLines *self);
/* A line that says nothing but that the recording reaches to the time. */
void tb_csv_lines_add_time (TbCsvLines *self, gint64 time);
void tb_csv_lines_add_devices (TbCsvLines *self, gint64 time);
void tb_csv_lines_add (TbCsvLines *self, const TbSequenceEvent *event);

G_END_DECLS
