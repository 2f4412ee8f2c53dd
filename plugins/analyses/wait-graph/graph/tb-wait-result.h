/* tb-wait-result.h: result of the analysis wait-graph: calls other files for all steps, from the
 * trace and options to the bottlenecks (twice where proposals are applied), and keeps what each
 * yields; tests of it (target, causes, load)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "model/tb-wait-unmerged.h"
#include "model/tb-wait-applied-proposals.h"
#include "model/tb-wait-devices.h"
#include "model/tb-wait-cpu-contention.h"
#include "tb-wait-knots.h"
#include "model/tb-wait-locks.h"
#include "model/tb-wait-awaited-activity.h"
#include "findings/tb-wait-proposals.h"
#include "model/tb-wait-stacks.h"
#include "model/tb-wait-work.h"

G_BEGIN_DECLS

typedef enum
{
  TB_WAIT_SHORT_LIVED_OFF,
  TB_WAIT_SHORT_LIVED_ON,
  TB_WAIT_SHORT_LIVED_WPERF, /* all waiting is charged to the creator */
} TbWaitShortLived;

typedef struct
{
  TbSelection *target;   /* NULL: none is named */
  gboolean only_command; /* without a target, the recorded command is the target */
  double threshold;      /* shares of the recorded time */
  double light_edge;
  guint excluded; /* bits 1 << TbWaitExclusion */
  gboolean merge_similar;
  TbWaitShortLived merge_short_lived;
  TbWaitIdleMeasure device_idle;
  double device_capacity;
  const char *const *workers;    /* threads, processes or vertices by name or id; NULL: none */
  const char *const *background; /* likewise */
  const char *work;              /* see tb_wait_work_new() */
  /* merged vertices that are not to be merged: see TbWaitUnmerged; NULL: none */
  const char *const *unmerged;
  const char *const *new_work; /* functions or edges: see tb_wait_find_new_work(); NULL: none */
  const char *const *apply;    /* proposals: see tb_wait_apply(); NULL: none */
} TbWaitOptions;

#define TB_WAIT_EXCLUSION_ALL                                                                      \
  (1u << TB_WAIT_EXCLUSION_TIMER | 1u << TB_WAIT_EXCLUSION_INTERRUPT                               \
   | 1u << TB_WAIT_EXCLUSION_IDLE | 1u << TB_WAIT_EXCLUSION_UNKNOWN                                \
   | 1u << TB_WAIT_EXCLUSION_LIGHT | 1u << TB_WAIT_EXCLUSION_ENDED)

typedef struct
{
  TbTrace *trace; /* owned */
  gint64 from;
  gint64 to;
  gint64 recorded; /* ns, at least 1 */
  TbWaitModel *model;
  TbWaitDevices *devices;
  TbWaitGraph *graph;
  TbWaitKnots *knots;
  GHashTable *awaited_activity; /* arc → TbWaitAwaitedActivity */
  TbWaitStacks *stacks;
  TbWaitLocks *locks;
  TbWaitCpuContention *cpu_contention;
  TbWaitWork *work;              /* NULL: no unit */
  GArray *proposals;             /* TbWaitProposal */
  TbWaitApplied *applied;        /* NULL: none was requested */
  GPtrArray *unmatched_new_work; /* elements of that option that match nothing */
  gboolean has_target;           /* named, or the recorded command */
  gboolean is_command;           /* the target is the recorded command */
  /* from the beginning of the target's first thread to the end of its last one */
  gint64 first;
  gint64 last;
  gint64 light;            /* ns: edges of less weight are light */
  TbWaitUnmerged unmerged; /* its texts belong to the options */
  gint64 threshold;        /* ns */
  gboolean keeps_ended;    /* see TbWaitKnotOptions */
  guint8 *workers;         /* by vertex: the user declared it to be a worker; NULL: none */
  guint8 *background;      /* by vertex: the user declared it to be background; NULL: none */
  /* by vertex: it has a thread of the target; NULL: all have */
  guint8 *targeted;
  /* by vertex: the arc by which others are delayed most by it; TB_ID_NONE: none */
  guint32 *heaviest_incoming;
  guint8 *is_awaited;             /* by vertex: the target waits for it */
  struct _TbWaitVerdict *verdict; /* made when tb_wait_verdict_get() needs it; else NULL */
} TbWaitResult;

/* Sets the documented defaults. */
void tb_wait_options_init (TbWaitOptions *self);

/* Vertices that are busy for less than this share of the target's life limit nothing. */
#define TB_WAIT_LEAST_BUSY 0.2

/* Share of the time from which runnable time is reported. */
#define TB_WAIT_OFTEN_RUNNABLE 0.05
/* Whether a vertex is runnable for that share of the time; for similar threads, their mean. */
gboolean tb_wait_result_is_often_runnable (const TbWaitResult *self, guint32 vertex);

TbWaitResult *tb_wait_result_new (TbTrace *trace,
                                  gint64 from,
                                  gint64 to,
                                  const TbWaitOptions *options,
                                  TbProgressFunc progress,
                                  gpointer data,
                                  GCancellable *cancellable,
                                  GError **error);
void tb_wait_result_free (TbWaitResult *self);

/* Searches for knots again. roles: TbWaitRole by vertex. */
void tb_wait_result_apply_roles (TbWaitResult *self, const guint8 *roles);

/* The activity of the threads that the first edge of a bottleneck waits for, computed on first use.
 * NULL: the edge waits for no thread, or the bottleneck is in the background. */
const TbWaitAwaitedActivity *
tb_wait_result_get_awaited_activity (const TbWaitResult *self, const TbWaitBottleneck *bottleneck);

/* The share of the lives of the target's threads in which their states are unknown, of those that
 * ran; 0 where that is next to nothing beside the time that they ran. */
double tb_wait_result_get_unknown_share (const TbWaitResult *self);

/* Whether what ended the waits was recorded. Without wake-ups it was if nothing waited. */
gboolean tb_wait_result_has_causes (const TbWaitResult *self);

/* Whether it was recorded how long threads were runnable. Without wake-ups, a wait includes the
 * time until the thread had a CPU: it was if nothing waited. */
gboolean tb_wait_result_has_cpu_waits (const TbWaitResult *self);

/* Whether the states of any of the threads of a vertex are known; FALSE for other vertices. */
gboolean tb_wait_result_has_states (const TbWaitResult *self, guint32 vertex);

/* Sums up the sleeps of the target's threads that ended without a recorded end: their number, their
 * length, and its share of all time in which these threads sleep. */
guint64 tb_wait_result_count_lost (const TbWaitResult *self, gint64 *ns, double *share);

/* The number of waits of the target's threads that would close a circle. */
guint64 tb_wait_result_count_cut (const TbWaitResult *self);

/* Whether an edge has to do with the target: it leads from or to it, or delays it. */
gboolean tb_wait_result_is_arc_in_scope (const TbWaitResult *self, const TbWaitArc *arc);

/* Whether any of the vertices belongs to the target. */
gboolean tb_wait_result_is_targeted (const TbWaitResult *self, const GArray *vertices);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitResult, tb_wait_result_free)

G_END_DECLS
