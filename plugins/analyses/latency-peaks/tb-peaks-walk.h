/* tb-peaks-walk.h: through calls, one thread after another, from one thing that happened in them to the next
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-drill.h"
#include "tb-peaks-servers.h"
#include "tb-peaks-sites.h"
#include "tb-peaks-spans.h"
#include "trace/tb-context-tree.h"

G_BEGIN_DECLS

#define TB_PEAKS_MAX_DEPTH 256

/* A call that has not returned. */
typedef struct
{
  guint32 node;
  const char *name; /* NULL: a system call */
  gint64 enter;
  gint64 exit;
  gint64 disturbed;   /* preempted, interrupted, waiting for a cpu in it or below */
  gint64 ran;         /* in it itself, as far as no interrupt took it */
  gint64 unseen;      /* of that: nobody recorded what the thread did */
  guint first_open;   /* functions on stacks only, in the list of the walk */
  guint first_sample; /* likewise */
} TbPeaksFrame;

/* A function of a stack. */
typedef struct
{
  guint32 context;
  guint64 site; /* where it is called */
} TbPeaksStep;

typedef struct
{
  TbPeaksDrill *drill;
  TbTrace *trace;
  TbContextTree *contexts;
  const TbIntervals *intervals;
  TbPeaksInterrupts interrupts;
  guint max_depth;
  const char **syscall_names; /* of strings, once asked for */
  const char **function_names;

  GArray *callees; /* TbPeaksCallee, of the thread at hand */
  guint next_callee;
  gsize row; /* of the intervals */
  gsize end_row;
  gsize next_interrupt;
  gsize end_interrupt;

  TbPeakDrill *peak;
  gint64 begin; /* of the call at hand */
  gint64 now;
  TbPeaksFrame frames[TB_PEAKS_MAX_DEPTH + 1];
  guint n_frames;
  GArray *open;    /* guint32: functions on stacks that have part in the open calls */
  GArray *samples; /* guint32: stacks seen while the open calls ran themselves */
  TbPeaksSamples recorded;
  gsize next_sample;
  gsize end_sample;
  TbPeaksSites sites;
  const guint64 *addresses;       /* that calls of probed functions returned to */
  const guint32 *function_stacks; /* of them */
  const guint32 *syscall_stacks;
  GBytes *call_columns[3];
  gpointer found_sites; /* of system calls, last found */
  TbPeaksServers servers;
  GArray *chain; /* TbPeaksStep: scratch */
} TbPeaksWalk;

void tb_peaks_walk_init (TbPeaksWalk *self, TbPeaksDrill *drill, guint max_depth);
/* Samples, who served whom, and where probed functions were called from, of threads; wanted: by thread. */
gboolean tb_peaks_walk_load (TbPeaksWalk *self, const guint8 *wanted, GError **error);
void tb_peaks_walk_clear (TbPeaksWalk *self);
/* Empties the list of callees, which is to be filled then. */
void tb_peaks_walk_begin_thread (TbPeaksWalk *self, guint32 thread);
/* Calls of the thread that do not overlap, ascending. */
void tb_peaks_walk_call (TbPeaksWalk *self,
                         TbPeakDrill *peak,
                         guint32 root,
                         guint32 row,
                         gint64 enter,
                         gint64 exit);

G_END_DECLS
