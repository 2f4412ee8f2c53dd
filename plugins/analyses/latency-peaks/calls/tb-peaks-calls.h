/* tb-peaks-calls.h: operations of a recording (system calls, functions, requests, locks …): their
 * calls loaded as columns, filtered by threads, time, phase and path, counted in histograms; search
 * for an operation by name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-selection.h"
#include "latency-state/tb-peaks-bins.h"
#include "tb-peaks-phases.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* If two operations have the same name, the earlier kind is preferred. */
typedef enum
{
  TB_PEAKS_SYSCALL,
  TB_PEAKS_FUNCTION,
  TB_PEAKS_INFERRED, /* functions whose calls are inferred from stacks */
  TB_PEAKS_BLOCK,
  TB_PEAKS_NETWORK, /* messages with a known system call or wait */
  TB_PEAKS_LOCK,    /* sleeps for a lock */
  TB_PEAKS_HOLD,    /* lock holds, as far as other threads waited for the lock */
  TB_PEAKS_RUN_QUEUE,
  TB_PEAKS_INTERRUPT,
  TB_N_PEAKS_KINDS,
} TbPeaksKind;

#define TB_PEAKS_ALL_KINDS ((1u << TB_N_PEAKS_KINDS) - 1)

typedef struct
{
  TbPeaksKind kind;
  guint32 key;                 /* string, or the key of the table's kind */
  char *id;                    /* "syscall:read" */
  TbPeaksHistogram *histogram; /* NULL if no latencies are recorded */
  guint64 calls;               /* calls with known latency, or without recorded latency */
  guint64 without_latency;     /* those of the calls that have no recorded latency */
  /* began before the recording or had not ended at its end; in no number above */
  guint64 open;
  guint64 uncertain;    /* those of the calls that overlap lost events */
  guint64 unknown_path; /* calls whose call path is not known; in no other number */
  gint64 visible_from;  /* of inferred calls: most shorter ones are missing */
} TbPeaksOperation;

/* A table of operations as columns. */
typedef struct
{
  TbPeaksKind kind;
  gboolean is_loaded;
  gboolean is_counted;
  gsize n;
  const gint64 *enter;
  const gint64 *exit;  /* equals enter if only one time is recorded */
  const gint64 *issue; /* issue time of block requests */
  const guint32 *thread;
  const guint32 *key;    /* NULL if keys has them */
  const guint32 *origin; /* of derived tables: row of the source table, or of the interval */
  guint8 *keys;
  GBytes *columns[5];
  GArray *derived[5];   /* enter, exit, thread, key, origin */
  GPtrArray *names;     /* names of keys; NULL: keys are strings of the session */
  GArray *visible_from; /* gint64 by key; NULL: all calls are recorded */
  guint8 *call_path;    /* TbPeaksCallPathMatch by row; NULL: no call path is required */
} TbPeaksTable;

typedef struct
{
  TbTrace *trace;
  TbSelection *selection;
  gint64 from;
  gint64 to;
  TbPeaksBins bins;
  guint8 *has_thread; /* by thread id */
  guint n_threads;
  gboolean has_all;      /* calls without a known thread count, too */
  TbPeaksPhases *phases; /* only calls that begin in the phase count; NULL: all */
  GArray *lost;          /* TbPeaksSpan, ascending, without overlap */
  guint64 n_lost;        /* lost events in the range, each of which hides at most one call */
  TbPeaksTable tables[TB_N_PEAKS_KINDS];
  GPtrArray *operations;              /* TbPeaksOperation, by descending total time */
  struct _TbPeaksCallPath *call_path; /* required call path of calls; NULL: any */
  GHashTable *probed; /* names of probed functions, by the name that was requested */
} TbPeaksCalls;

typedef struct
{
  gint64 from;
  gint64 to;
} TbPeaksSpan;

/* Conditions that calls must meet; "": no condition. */
typedef struct
{
  const char *phase;     /* phase in which they begin */
  const char *call_path; /* call path that leads to them */
} TbPeaksFilter;

/* Counts calls that ended in the range of the selection, made by its threads. kinds: bits of the
 * kinds to count. Other kinds can be counted later; the columns of system calls and functions are
 * loaded in any case. */
TbPeaksCalls *tb_peaks_calls_new (TbTrace *trace,
                                  TbSelection *selection,
                                  guint resolution,
                                  guint kinds,
                                  GCancellable *cancellable,
                                  GError **error);
/* The same, restricted to calls that pass a filter. */
TbPeaksCalls *tb_peaks_calls_new_filtered (TbTrace *trace,
                                           TbSelection *selection,
                                           const TbPeaksFilter *filter,
                                           guint resolution,
                                           guint kinds,
                                           GCancellable *cancellable,
                                           GError **error);
gboolean
tb_peaks_calls_count (TbPeaksCalls *self, guint kinds, GCancellable *cancellable, GError **error);
void tb_peaks_calls_free (TbPeaksCalls *self);

/* The kinds that an operation with this name can have: "lock:queue" is a lock. */
guint tb_peaks_get_kinds (const char *name);
/* Finds an operation by id or by name alone; earlier kinds are preferred. Kinds that are not
 * counted yet are counted. */
const TbPeaksOperation *tb_peaks_calls_find (TbPeaksCalls *self,
                                             const char *name,
                                             GCancellable *cancellable,
                                             GError **error);
/* Makes an operation of the same name from some rows of an operation's table. (transfer none) */
const TbPeaksOperation *
tb_peaks_calls_add_part (TbPeaksCalls *self, const TbPeaksOperation *operation, const GArray *rows);
/* Adds an operation without any calls. */
const TbPeaksOperation *tb_peaks_calls_add_empty (TbPeaksCalls *self, const char *id);
/* The rows of the calls in the operation's table, ascending: guint32. */
GArray *tb_peaks_calls_list (const TbPeaksCalls *self, const TbPeaksOperation *operation);
gboolean tb_peaks_calls_is_lost (const TbPeaksCalls *self, gint64 from, gint64 to);
gboolean tb_peaks_calls_has_thread (const TbPeaksCalls *self, guint32 thread);
/* The peaks of an operation; bins in which most calls are missing have none. (element-type
 * TbPeakRange) */
GArray *tb_peaks_calls_find_peaks (const TbPeaksCalls *self, const TbPeaksOperation *operation);
/* The latency of a call, which must be known. */
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

/* For code that builds derived tables. */
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
