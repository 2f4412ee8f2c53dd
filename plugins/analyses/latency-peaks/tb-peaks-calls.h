/* tb-peaks-calls.h: the operations of a recording and their calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-selection.h"
#include "tb-peaks-bins.h"
#include "tb-peaks-phase.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* Of two operations of one name the first is meant. */
typedef enum
{
  TB_PEAKS_SYSCALL,
  TB_PEAKS_FUNCTION,
  TB_PEAKS_INFERRED, /* functions, as far as stacks tell of their calls */
  TB_PEAKS_BLOCK,
  TB_PEAKS_NETWORK, /* of the messages whose calls or waits are known */
  TB_PEAKS_LOCK,    /* sleeps for one */
  TB_PEAKS_HOLD,    /* of a lock, as far as others waited for it meanwhile */
  TB_PEAKS_RUN_QUEUE,
  TB_PEAKS_INTERRUPT,
  TB_N_PEAKS_KINDS,
} TbPeaksKind;

#define TB_PEAKS_ALL_KINDS ((1u << TB_N_PEAKS_KINDS) - 1)

typedef struct
{
  TbPeaksKind kind;
  guint32 key;                 /* string, or what the table's kind counts by */
  char *id;                    /* "syscall:read" */
  TbPeaksHistogram *histogram; /* NULL where no lengths are recorded */
  guint64 calls;               /* with a known length, or whose length nobody recorded */
  guint64 unmeasured;          /* of the calls: nobody recorded how long they took */
  guint64 open;      /* began before the recording or were not over at its end: in no number above */
  guint64 uncertain; /* of the calls: touch lost events */
  guint64 pathless;  /* in no number: nobody knows whether they came through the call path */
  gint64 hidden;     /* of inferred calls: shorter ones are mostly seen by nobody */
} TbPeaksOperation;

/* A table of operations as columns. */
typedef struct
{
  TbPeaksKind kind;
  gboolean is_loaded;
  gboolean is_counted;
  gsize n;
  const gint64 *enter;
  const gint64 *exit;  /* equals enter where only one time is recorded */
  const gint64 *issue; /* of block requests */
  const guint32 *thread;
  const guint32 *key;    /* NULL where keys holds them */
  const guint32 *origin; /* of tables that are made: row of the table or interval they come from */
  guint8 *keys;
  GBytes *columns[5];
  GArray *made[5];  /* enter, exit, thread, key, origin */
  GPtrArray *names; /* of keys; NULL: they are strings of the session */
  GArray *hidden;   /* gint64 by key; NULL: everything was seen */
  guint8 *way;      /* TbPeaksWayAnswer by row; NULL: whichever way they came */
} TbPeaksTable;

typedef struct
{
  TbTrace *trace;
  TbSelection *selection;
  gint64 from;
  gint64 to;
  TbPeaksBins bins;
  guint8 *has_thread; /* by id */
  guint n_threads;
  gboolean has_all;      /* also what is of no thread */
  TbPeaksPhases *phases; /* only calls that begin in one count; NULL: all */
  GArray *lost;          /* TbPeaksSpan, ascending, apart */
  guint64 n_lost;        /* events in the range, for each of which at most one call is missing */
  TbPeaksTable tables[TB_N_PEAKS_KINDS];
  GPtrArray *operations;   /* TbPeaksOperation, most time first */
  struct _TbPeaksWay *way; /* that calls have to come; NULL any */
  GHashTable *probed;      /* of functions: as they are called, by the name they were asked for */
} TbPeaksCalls;

typedef struct
{
  gint64 from;
  gint64 to;
} TbPeaksSpan;

/* What calls have to be like to count; "" whichever they are. */
typedef struct
{
  const char *phase;     /* in which they begin */
  const char *call_path; /* through which they came */
} TbPeaksFilter;

/* Calls that ended in the range of the selection, by its threads, count. kinds: bits of those that are counted; others can
 * be counted later, and system calls and functions have their columns in any case. */
TbPeaksCalls *tb_peaks_calls_new (TbTrace *trace,
                                  TbSelection *selection,
                                  guint resolution,
                                  guint kinds,
                                  GCancellable *cancellable,
                                  GError **error);
/* Likewise of those that pass a filter. */
TbPeaksCalls *tb_peaks_calls_new_filtered (TbTrace *trace,
                                           TbSelection *selection,
                                           const TbPeaksFilter *filter,
                                           guint resolution,
                                           guint kinds,
                                           GCancellable *cancellable,
                                           GError **error);
gboolean tb_peaks_calls_count (TbPeaksCalls *self, guint kinds, GCancellable *cancellable, GError **error);
void tb_peaks_calls_free (TbPeaksCalls *self);

/* The kinds that an operation of that name can be of: "lock:queue" is a lock. */
guint tb_peaks_get_kinds (const char *name);
/* By id or by its name alone, those of an earlier kind first; kinds not counted yet are counted. */
const TbPeaksOperation *
tb_peaks_calls_find (TbPeaksCalls *self, const char *name, GCancellable *cancellable, GError **error);
/* Some rows of an operation's table as an operation of their own, of the same name. (transfer none) */
const TbPeaksOperation *
tb_peaks_calls_add_part (TbPeaksCalls *self, const TbPeaksOperation *operation, const GArray *rows);
/* One that was never called. */
const TbPeaksOperation *tb_peaks_calls_add_empty (TbPeaksCalls *self, const char *id);
/* Rows of the operation's table, of which the calls are, ascending: guint32. */
GArray *tb_peaks_calls_list (const TbPeaksCalls *self, const TbPeaksOperation *operation);
gboolean tb_peaks_calls_is_lost (const TbPeaksCalls *self, gint64 from, gint64 to);
gboolean tb_peaks_calls_has_thread (const TbPeaksCalls *self, guint32 thread);
/* The peaks of an operation: none among calls that nobody could see. (element-type TbPeakRange) */
GArray *tb_peaks_calls_find_peaks (const TbPeaksCalls *self, const TbPeaksOperation *operation);
/* Its latency; known. */
static inline gint64
tb_peaks_table_get_latency (const TbPeaksTable *self, guint32 row)
{
  return MAX (self->exit[row] - self->enter[row], 0);
}

static inline guint32
tb_peaks_table_get_key (const TbPeaksTable *self, gsize row)
{
  return self->key != NULL ? self->key[row] : self->keys[row];
}

/* For those who make tables. */
void tb_peaks_table_begin (TbPeaksTable *self, GPtrArray *names);
void tb_peaks_table_add (TbPeaksTable *self,
                         gint64 enter,
                         gint64 exit,
                         guint32 thread,
                         guint32 key,
                         guint32 origin);
void tb_peaks_table_finish (TbPeaksTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksCalls, tb_peaks_calls_free)

G_END_DECLS
