/* tb-contexts-accuracy.h: accuracy of inferred calls, compared with the recorded calls of probed
 * functions: how many calls and contexts stacks show, and errors of the inferred times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-contexts-summary.h"

G_BEGIN_DECLS

/* Numbers of calls or contexts, and of those that were seen, which means that a stack shows them.
 * Slowest: the 1 % that took longest, at least one. */
typedef struct
{
  guint64 all;
  guint64 observed;
  guint64 slowest;
  guint64 slowest_observed;
} TbContextsCoverage;

/* Exact coverage of a thread, or of all threads (thread 0), as in IntroPerf's section 5.3. */
typedef struct
{
  guint32 thread;
  guint64 syscalls;
  TbContextsCoverage contexts; /* the slowest by the mean of their calls */
  TbContextsCoverage calls;    /* seen: an event shows the call */
} TbContextsThreadAccuracy;

/* What true and estimated times are compared for. */
typedef enum
{
  TB_CONTEXTS_LEVEL_CALLS,        /* each seen call, against the inferred calls that contain it */
  TB_CONTEXTS_LEVEL_INSTANCES,    /* each inferred call, against the calls that it was seen in */
  TB_CONTEXTS_LEVEL_SINGLE_CALLS, /* inferred calls that were seen in a single call */
  TB_CONTEXTS_LEVEL_CONTEXTS,     /* all calls of each seen context */
  TB_CONTEXTS_LEVEL_FUNCTIONS,
  TB_CONTEXTS_N_LEVELS,
} TbContextsLevel;

/* Median errors of an estimate. NaN where there is no error. */
typedef struct
{
  double ns;
  double relative; /* divided by the true time */
} TbContextsError;

/* Error of an inferred call, in ns: how much later it begins than the first of the calls that it
 * was seen in, how much later it ends than the last, and how much longer it is than all of them. */
typedef struct
{
  guint32 function;
  guint32 node; /* one of the function's nodes */
  gint64 truth;
  gint64 begin[TB_CONTEXTS_N_ESTIMATES];
  gint64 end[TB_CONTEXTS_N_ESTIMATES];
  gint64 length[TB_CONTEXTS_N_ESTIMATES];
} TbContextsOffset;

/* Medians of a function's inferred calls. The error is the absolute error of the length. It is
 * smaller than the errors of both ends where these compensate for each other. */
typedef struct
{
  guint32 function;
  guint32 node;
  guint n;
  double truth;
  double begin[TB_CONTEXTS_N_ESTIMATES];
  double end[TB_CONTEXTS_N_ESTIMATES];
  double error[TB_CONTEXTS_N_ESTIMATES];
} TbContextsFunctionAccuracy;

struct _TbContextsAccuracy
{
  guint64 n_calls;      /* calls that returned in the range */
  guint64 n_open;       /* calls that did not return in the range */
  guint64 n_incomplete; /* calls with a stack that does not reach the start of the thread */
  guint n_functions;
  guint64 n_merged; /* inferred calls that were seen in several calls */
  double gap_ns;    /* median of the time within these in which none of the calls was open; NaN */
  guint64 n_unmatched; /* inferred calls that were seen in no call */
  guint64 n_split;     /* calls that were inferred as several */
  TbContextsThreadAccuracy all;
  GArray *threads;   /* TbContextsThreadAccuracy, most calls first */
  GArray *functions; /* TbContextsFunctionAccuracy, most inferred calls first */
  guint64 n[TB_CONTEXTS_N_LEVELS];
  TbContextsError errors[TB_CONTEXTS_N_LEVELS][TB_CONTEXTS_N_ESTIMATES];
};

/* NULL without an error: no probed call returned. Stacks of the probes themselves are not used. */
TbContextsAccuracy *
tb_contexts_accuracy_new (TbContextsSummary *summary, GCancellable *cancellable, GError **error);
void tb_contexts_accuracy_free (TbContextsAccuracy *self);
/* offsets: TbContextsOffset; the function sorts them. (transfer full) */
GArray *tb_contexts_accuracy_list_functions (GArray *offsets);
const char *tb_contexts_level_get_name (TbContextsLevel level);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsAccuracy, tb_contexts_accuracy_free)

G_END_DECLS
