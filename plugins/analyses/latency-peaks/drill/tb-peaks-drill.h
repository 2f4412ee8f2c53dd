/* tb-peaks-drill.h: drill-down into the calls of peaks (made by tb-peaks-examination.c): counters
 * for each peak, tree of what took their time, root causes with call sites
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "calls/tb-peaks-calls.h"
#include "latency-state/tb-peaks-detection.h"
#include "tb-peaks-tree.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 root;    /* root of the tree, TB_ID_NONE: no call was examined */
  guint64 calls;   /* calls in the peak */
  gint64 total_ns; /* total time of these calls */
  guint64 drilled; /* calls that were examined */
  /* calls within another examined call, or across its end: counted as part of that one */
  guint64 nested;
  guint64 threadless; /* calls without a known thread */
  guint64 uncertain;  /* calls that overlap lost events */
  gint64 unseen_ns;   /* time of examined calls in which the thread's state was not recorded */
  gint64 unplaced_ns; /* waits whose stack does not lead to the operation, or that have no stack */
  /* calls that decided nothing: they mostly ran, and no sample shows what */
  guint64 unsampled;
  gint64 probes_ns; /* cost of recorded probes in these calls, in no other time */
  gint64 running_ns;
  gint64 sampled_ns; /* running time that samples attribute to functions */
  gint64 waiting_ns;
  gint64 preempted_ns;
  gint64 run_queue_ns;
  gint64 interrupt_ns;
  guint64 longest; /* row of the longest call */
} TbPeakDrill;

typedef struct
{
  const TbPeaksCalls *calls;
  const TbPeaksOperation *operation;
  TbPeaksTree *tree;
  GStringChunk *names; /* keys of function nodes */
  /* name of the operation's function without its module; NULL: it is not a probed function */
  char *function;
  GArray *peaks; /* TbPeakDrill, one for each range */
  /* mean time between interrupts, see tb_peaks_measure_interrupt_gaps(); NULL: not known */
  GHashTable *gaps;
  GHashTable *lines;      /* see tb_peaks_find_lines(); NULL: not computed */
  GHashTable *call_sites; /* node + 1 → call site of its function, NULL if not known */
} TbPeaksDrill;

/* rows: all calls of the operation; peaks: the ranges of bins, without overlap. */
TbPeaksDrill *tb_peaks_drill_new (const TbPeaksCalls *calls,
                                  const TbPeaksOperation *operation,
                                  const GArray *rows,
                                  const GArray *peaks,
                                  guint max_depth,
                                  GCancellable *cancellable,
                                  GError **error);
/* To be called when all calls are examined and the counters of earlier ones are added: finds root
 * causes and their call sites. */
gboolean tb_peaks_drill_finish (TbPeaksDrill *self, double percentage, GError **error);
/* A thread holds a lock in any function: the whole stack is below the operation. */
#define TB_PEAKS_ANY_FUNCTION ""
/* The function of the examined calls, as named in stacks; NULL: a system call or not a function. */
const char *tb_peaks_drill_get_function (const TbPeaksDrill *self);
/* The interrupt source of a node. */
TbInterruptKind tb_peaks_get_interrupt (const TbPeaksNode *node, guint32 *vector, guint32 *name);
void tb_peaks_drill_free (TbPeaksDrill *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksDrill, tb_peaks_drill_free)

G_END_DECLS
