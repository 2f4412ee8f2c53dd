/* tb-trace-private.h: structure of a trace, for the files that implement it: session, intervals,
 * counts, warnings, and what is made on first use (stacks, locks, tracks, kinds of waits)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-column-reader-private.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

typedef struct _TbContextTree TbContextTree;
typedef struct _TbEvidence TbEvidence;
typedef struct _TbLocks TbLocks;
typedef struct _TbStackColumns TbStackColumns;
typedef struct _TbTracks TbTracks;

struct _TbTrace
{
  GObject parent_instance;

  TbSession *session;
  TbColumnReader reader;
  gint64 from;
  gint64 to;
  gint64 wakeup_tolerance;
  GBytes *columns[TB_INTERVAL_N_COLUMNS];
  TbIntervals intervals;
  guint n_threads;
  gsize *first; /* first row of each thread, and one past the last row */
  TbTraceCounts counts;
  TbEvidence *evidence; /* freed with g_free() */
  GStrv warnings;
  GStrv remarks;
  guint8 *thread_traits;
  guint8 *roles; /* by thread: TbThreadRoles */
  guint32 command_process;

  GMutex mutex; /* protects the fields below, which are created on first use */
  /* see tb-trace-wait-kinds.c */
  guint8 *wait_kinds;       /* by stack */
  guint8 *frame_wait_kinds; /* by frame, in the program and in the kernel */
  guint wait_kinds_generation;
  GBytes *wakeup_stacks; /* by row of the wakeup table */
  guint n_cpus;          /* 0: not yet counted */
  TbContextTree *context_tree;
  /* These are also object data, by which they are freed: this file does not know their types. */
  const TbStackColumns *stacks;
  const TbTracks *tracks;
  const TbLocks *locks;
};

/* A trace without intervals, evidence and warnings. */
TbTrace *tb_trace_new_empty (TbSession *session, gint64 wakeup_tolerance);

G_END_DECLS
