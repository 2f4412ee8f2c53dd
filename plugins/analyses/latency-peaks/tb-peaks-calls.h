/* tb-peaks-calls.h: the operations of a recording and their calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-selection.h"
#include "tb-peaks-bins.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

typedef enum
{
  TB_PEAKS_SYSCALL,
  TB_PEAKS_FUNCTION,
  TB_PEAKS_BLOCK,
  TB_PEAKS_NETWORK, /* has times, but no lengths */
  TB_N_PEAKS_KINDS,
} TbPeaksKind;

typedef struct
{
  TbPeaksKind kind;
  guint32 key;                 /* string, of block and network requests what they do */
  char *id;                    /* "syscall:read" */
  TbPeaksHistogram *histogram; /* NULL where no lengths are recorded */
  guint64 calls;               /* with a known length, or whose length nobody recorded */
  guint64 open;      /* began before the recording or were not over at its end: in no number above */
  guint64 uncertain; /* of the calls: touch lost events */
} TbPeaksOperation;

/* A table of operations as columns. */
typedef struct
{
  TbPeaksKind kind;
  gsize n;
  const gint64 *enter;
  const gint64 *exit;  /* equals enter where only one time is recorded */
  const gint64 *issue; /* of block requests */
  const guint32 *thread;
  const guint32 *key; /* string, NULL where keys holds them */
  guint8 *keys;
  GBytes *columns[5];
} TbPeaksTable;

typedef struct
{
  TbTrace *trace;
  gint64 from;
  gint64 to;
  TbPeaksBins bins;
  guint8 *has_thread; /* by id */
  guint n_threads;
  gboolean has_all; /* also what is of no thread */
  GArray *lost;     /* TbPeaksSpan, ascending, apart */
  TbPeaksTable tables[TB_N_PEAKS_KINDS];
  GPtrArray *operations; /* TbPeaksOperation, most time first */
} TbPeaksCalls;

typedef struct
{
  gint64 from;
  gint64 to;
} TbPeaksSpan;

/* Calls that ended in the range of the selection, by its threads, count. */
TbPeaksCalls *tb_peaks_calls_new (TbTrace *trace,
                                  TbSelection *selection,
                                  guint resolution,
                                  GCancellable *cancellable,
                                  GError **error);
void tb_peaks_calls_free (TbPeaksCalls *self);

/* By id or by its name alone, a system call before a function. */
const TbPeaksOperation *tb_peaks_calls_find (TbPeaksCalls *self, const char *name, GError **error);
/* Rows of the operation's table, of which the calls are, ascending: guint32. */
GArray *tb_peaks_calls_list (const TbPeaksCalls *self, const TbPeaksOperation *operation);
gboolean tb_peaks_calls_is_lost (const TbPeaksCalls *self, gint64 from, gint64 to);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksCalls, tb_peaks_calls_free)

G_END_DECLS
