/* tb-peaks-tables.h: operations and their tables of calls, as columns, of each kind that is
 * recorded or derived; all loaded tables with the selection; tests for lost events and selected
 * threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/selection/tb-selection.h"
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
  /* by bin: probed calls within the calls, which lengthen them by an unknown time; NULL: none */
  guint64 *probed_calls;
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
  /* of probed functions: cost of the probes of the calls in each call; NULL: other operations */
  gint64 *probes_ns;
  guint32 *n_probed;  /* of probed functions: the probed calls in each call, direct or not */
  gboolean has_inner; /* some calls are in others, whose probes prolong these */
  gint64 probe_ns;    /* cost of the probes of a call, 0: not known */
  guint8 *call_path;  /* TbPeaksCallPathMatch by row; NULL: no call path is required */
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

gboolean tb_peaks_calls_is_lost (const TbPeaksCalls *self, gint64 from, gint64 to);
gboolean tb_peaks_calls_has_thread (const TbPeaksCalls *self, guint32 thread);

/* The cost of probes is known to about a third (see COST_UNCERTAINTY of the agent). */
#define TB_PEAKS_COST_UNCERTAINTY 3

/* A time without the cost of probes in it. What is left is not shorter than a third of what is
 * taken off: no time becomes 0 because its probes were cheaper than measured. */
static inline gint64
tb_peaks_take_off_probes (gint64 whole, gint64 cost)
{
  return MAX (whole - cost, MIN (whole, cost) / TB_PEAKS_COST_UNCERTAINTY);
}

/* The latency of a call, which must be known, without the cost of the probes in it. */
static inline gint64
tb_peaks_table_get_latency (const TbPeaksTable *self, guint32 row)
{
  gint64 whole = MAX (self->exit[row] - self->enter[row], 0);

  return self->probes_ns != NULL ? whole - self->probes_ns[row] : whole;
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

G_END_DECLS
