/* tb-peaks-drill.h: what the calls of a peak consist of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-calls.h"
#include "tb-peaks-find.h"
#include "tb-peaks-tree.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 root;       /* of the tree, TB_ID_NONE: no call was looked into */
  guint64 calls;      /* in the peak */
  gint64 total_ns;    /* of them */
  guint64 drilled;    /* of the calls: looked into */
  guint64 nested;     /* of the calls: within another that was looked into, or across its end: left to it */
  guint64 threadless; /* of the calls: by nobody who is known */
  guint64 uncertain;  /* of the calls: touch lost events */
  gint64 unseen_ns;   /* of those looked into: nobody recorded what the thread did */
  gint64 unplaced_ns; /* waited, on a stack that does not lead to the operation, or none */
  gint64 running_ns;
  gint64 sampled_ns; /* of the running: samples tell in which function */
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
  GStringChunk *names;    /* that nodes of functions have as keys */
  char *function;         /* the operation's, without its module; NULL: it is none that was probed */
  GArray *peaks;          /* TbPeakDrill, one a range */
  GHashTable *gaps;       /* of interrupts, see tb_peaks_measure_gaps(); NULL: none are known */
  GHashTable *lines;      /* see tb_peaks_find_lines(); NULL: not sought */
  GHashTable *call_sites; /* node + 1 → where its function is called, NULL: nobody knows */
} TbPeaksDrill;

/* rows: all calls of the operation; peaks: the ranges of bins, apart. */
TbPeaksDrill *tb_peaks_drill_new (const TbPeaksCalls *calls,
                                  const TbPeaksOperation *operation,
                                  const GArray *rows,
                                  const GArray *peaks,
                                  guint max_depth,
                                  GCancellable *cancellable,
                                  GError **error);
/* All calls were looked into, and counters of earlier ones added: finds root causes and where they are called from. */
gboolean tb_peaks_drill_finish (TbPeaksDrill *self, double percentage, GError **error);
/* In whatever function a thread holds a lock: all of a stack is below. */
#define TB_PEAKS_ANY_FUNCTION ""
/* The function whose calls are looked into, as stacks have it; NULL: it is a system call or no function. */
const char *tb_peaks_drill_get_function (const TbPeaksDrill *self);
/* The source of interrupts that a node is about. */
TbInterruptKind tb_peaks_get_interrupt (const TbPeaksNode *node, guint32 *vector, guint32 *name);
void tb_peaks_drill_free (TbPeaksDrill *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksDrill, tb_peaks_drill_free)

G_END_DECLS
