/* tb-csv-export-private.h: what the files of the exporter share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/tb-session.h"

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

/* tb-csv-export-events.c: the rows of all tables as events, in order of time and, at one time, in an order that means the
 * same when it is read back. */
typedef enum
{
  TB_CSV_EXISTING,
  TB_CSV_PROCESS,
  TB_CSV_SWITCH,
  TB_CSV_WAKEUP,
  TB_CSV_SAMPLE,
  TB_CSV_NETWORK,
  TB_CSV_MARK,
  TB_CSV_SLEEP,
  TB_CSV_LOST,
  TB_CSV_IRQ_ENTER,
  TB_CSV_IRQ_EXIT,
  TB_CSV_SYS_ENTER,
  TB_CSV_SYS_EXIT,
  TB_CSV_CALL_ENTER,
  TB_CSV_CALL_EXIT,
  TB_CSV_IO_INSERT,
  TB_CSV_IO_ISSUE,
  TB_CSV_IO_COMPLETE,
  TB_CSV_N_SOURCES,
} TbCsvSource;

typedef struct
{
  gint64 time;
  guint32 row;
  guint8 source;
  gboolean wrap; /* a waking from an interrupt that is not in the recording */
} TbCsvEvent;

#define TB_CSV_MAX_DEPTH 16

/* What the lines so far leave on a cpu: the thread that runs, and the open interrupts' TbInterruptKind, innermost last. */
typedef struct
{
  guint32 current;
  guint8 depth;
  guint8 kinds[TB_CSV_MAX_DEPTH];
} TbCsvCpu;

typedef struct
{
  GBytes *columns[TB_N_TABLES][16];
  gsize n_rows[TB_N_TABLES];
  struct
  {
    const gint64 *times;
    guint32 *rows; /* NULL: all in order */
    gsize n;
    gsize next;
  } sources[TB_CSV_N_SOURCES];
  gint64 from;
  gint64 to;
  gsize n_events;
  TbCsvCpu *cpus;
  GArray *group;                           /* TbCsvEvent: all of one time, source by source, each by row */
  guint group_start[TB_CSV_N_SOURCES + 1]; /* where each source begins in it */
  GArray *ordered;                         /* the same as they are to be written */
} TbCsvEvents;

gboolean tb_csv_events_init (TbCsvEvents *self, TbSession *session, GError **error);
void tb_csv_events_clear (TbCsvEvents *self);
/* The events of the next time, in order; NULL at the end. */
const TbCsvEvent *tb_csv_events_next (TbCsvEvents *self, guint *n_events);

/* tb-csv-export-order.c */
void tb_csv_events_order (TbCsvEvents *self);

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
/* A line that says nothing but that the recording reaches to the time. */
void tb_csv_lines_add_time (TbCsvLines *self, gint64 time);
void tb_csv_lines_add_devices (TbCsvLines *self, gint64 time);
void tb_csv_lines_add (TbCsvLines *self, const TbCsvEvent *event);

G_END_DECLS
