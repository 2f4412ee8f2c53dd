/* tb-peaks-walk.h: walk through each thread's calls in order of time, which attributes running,
 * waiting and interrupt time to nodes of the drill-down tree by calls, stacks and samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "drill/tb-peaks-drill.h"
#include "drill/tb-peaks-awaited-activity.h"
#include "drill/tb-peaks-sites.h"
#include "tb-peaks-spans.h"
#include "trace/tb-context-tree.h"

G_BEGIN_DECLS

#define TB_PEAKS_MAX_DEPTH 256

/* An open call. */
typedef struct
{
  guint32 node;
  const char *name; /* NULL for a system call */
  gint64 enter;
  gint64 exit;
  gint64 disturbed;   /* preempted, interrupted or waiting for a CPU, in the call or below */
  gint64 ran;         /* running time in the call itself, without interrupts */
  gint64 probed;      /* cost of the probes of its callees */
  gint64 removed;     /* what of such cost was taken off it and the calls below */
  gint64 unseen;      /* part of ran in which the thread's state was not recorded */
  guint first_open;   /* its first entry in the walk's list of functions known only from stacks */
  guint first_sample; /* its first entry in the walk's list of samples */
} TbPeaksFrame;

/* A function of a stack. */
typedef struct
{
  guint32 context;
  guint64 site; /* call site */
} TbPeaksStep;

typedef struct
{
  TbPeaksDrill *drill;
  TbTrace *trace;
  TbContextTree *contexts;
  const TbIntervals *intervals;
  TbPeaksInterrupts interrupts;
  guint max_depth;
  const char **syscall_names; /* by string, filled on first use */
  const char **function_names;

  GArray *callees; /* TbPeaksCallee, of the current thread */
  guint next_callee;
  gsize row; /* current row of the intervals */
  gsize end_row;
  gsize next_interrupt;
  gsize end_interrupt;

  TbPeakDrill *peak;
  gint64 begin; /* start of the current call */
  gint64 now;
  TbPeaksFrame frames[TB_PEAKS_MAX_DEPTH + 1];
  guint n_frames;
  GArray *open;    /* guint32: functions known only from stacks that occur in the open calls */
  GArray *samples; /* guint32: stacks of samples taken while the open calls ran themselves */
  TbPeaksSamples recorded;
  gboolean has_samples; /* of the wanted threads */
  gsize next_sample;
  gsize end_sample;
  TbPeaksSites sites;
  const guint64 *addresses;       /* return addresses of calls of probed functions */
  const guint32 *function_stacks; /* stacks of these calls */
  const guint32 *syscall_stacks;
  GBytes *call_columns[3];
  gpointer found_sites; /* cache of call sites */
  TbPeaksAwaitedActivity servers;
  GArray *chain; /* TbPeaksStep: scratch */
} TbPeaksWalk;

void tb_peaks_walk_init (TbPeaksWalk *self, TbPeaksDrill *drill, guint max_depth);
/* Loads interrupts, samples, servers and call sites for the wanted threads; wanted: by thread. */
gboolean tb_peaks_walk_load (TbPeaksWalk *self, const guint8 *wanted, GError **error);
void tb_peaks_walk_clear (TbPeaksWalk *self);
/* Empties the list of callees, which the caller then fills. */
void tb_peaks_walk_begin_thread (TbPeaksWalk *self, guint32 thread);
/* Processes a call. Calls of a thread must be ascending and must not overlap. */
void tb_peaks_walk_call (TbPeaksWalk *self,
                         TbPeakDrill *peak,
                         guint32 root,
                         guint32 row,
                         gint64 enter,
                         gint64 exit);

G_END_DECLS
