/* tb-contexts-truth.h: what was inferred beside calls whose entry and return were probed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-contexts-summary.h"

G_BEGIN_DECLS

/* Of how many something is known. Slowest: the 1 % that took longest, at least one. */
typedef struct
{
  guint64 all;
  guint64 seen;
  guint64 slowest;
  guint64 slowest_seen;
} TbContextsCoverage;

/* Of a thread, or all (0): exact, as in IntroPerf's section 5.3. */
typedef struct
{
  guint32 thread;
  guint64 syscalls;
  TbContextsCoverage contexts; /* slow by the mean of their calls */
  TbContextsCoverage calls;    /* seen: an event shows them */
} TbContextsThreadTruth;

/* Of what a truth and its estimates are told. */
typedef enum
{
  TB_CONTEXTS_OF_CALLS,     /* each that was seen, beside what was inferred where it is in */
  TB_CONTEXTS_OF_INSTANCES, /* each that was inferred, beside the calls that it was seen in */
  TB_CONTEXTS_OF_SINGLES,   /* those that were seen in one */
  TB_CONTEXTS_OF_CONTEXTS,  /* all calls in each that was seen */
  TB_CONTEXTS_OF_FUNCTIONS,
  TB_CONTEXTS_N_LEVELS,
} TbContextsLevel;

/* Medians of how far an estimate is off, NaN where there is none. */
typedef struct
{
  double ns;
  double relative; /* to the truth */
} TbContextsError;

/* How far an inferred call is off: later than the first of the calls that it was seen in begins, later than the last one ends,
 * and longer than they are; ns. */
typedef struct
{
  guint32 function;
  guint32 node; /* one of its */
  gint64 truth;
  gint64 begin[TB_CONTEXTS_N_ESTIMATES];
  gint64 end[TB_CONTEXTS_N_ESTIMATES];
  gint64 length[TB_CONTEXTS_N_ESTIMATES];
} TbContextsOffset;

/* Medians of a function's inferred calls. The error is the absolute one of lengths: less than those of both ends where one makes
 * up for the other. */
typedef struct
{
  guint32 function;
  guint32 node;
  guint n;
  double truth;
  double begin[TB_CONTEXTS_N_ESTIMATES];
  double end[TB_CONTEXTS_N_ESTIMATES];
  double error[TB_CONTEXTS_N_ESTIMATES];
} TbContextsFunctionTruth;

struct _TbContextsTruth
{
  guint64 n_calls;   /* that returned in the range */
  guint64 n_open;    /* and that did not */
  guint64 n_nowhere; /* whose own stack did not reach the start of its thread */
  guint n_functions;
  guint64 n_merged;    /* inferred as one, seen in several calls */
  double between;      /* median of how long these were in none of them; NaN */
  guint64 n_unmatched; /* inferred, seen in none */
  guint64 n_split;     /* calls seen as several */
  TbContextsThreadTruth all;
  GArray *threads;   /* TbContextsThreadTruth, most calls first */
  GArray *functions; /* TbContextsFunctionTruth, most inferred calls first */
  guint64 n[TB_CONTEXTS_N_LEVELS];
  TbContextsError errors[TB_CONTEXTS_N_LEVELS][TB_CONTEXTS_N_ESTIMATES];
};

/* NULL without an error: no probed call returned. What the probes themselves show of stacks is not used. */
TbContextsTruth *
tb_contexts_truth_new (TbContextsSummary *summary, GCancellable *cancellable, GError **error);
void tb_contexts_truth_free (TbContextsTruth *self);
/* offsets: TbContextsOffset, which are sorted. (transfer full) */
GArray *tb_contexts_truth_list_functions (GArray *offsets);
const char *tb_contexts_level_get_name (TbContextsLevel level);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsTruth, tb_contexts_truth_free)

G_END_DECLS
