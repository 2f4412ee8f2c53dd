/* tb-contexts-summary.h: summary of a recording: number, total and own time of the calls of each
 * context, inferred from stacks or from samples, and time of each thread that stacks cover; ranking
 * of paths, JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "call-inference/tb-contexts-input.h"
#include "tb-contexts-counters.h"

G_BEGIN_DECLS

/* All calls of a function in one context. Each call adds to it, so it must fit into one cache
 * line. */
typedef struct
{
  guint64 count; /* calls, or samples with those of callees */
  gint64 total[TB_CONTEXTS_N_ESTIMATES];
  gint64 longest[TB_CONTEXTS_N_ESTIMATES];
  double own_squares; /* squares of calls by the chosen estimate, or of samples, ns² */
} TbContextsTotals;

#define TB_CONTEXTS_CACHE_LINE 64
G_STATIC_ASSERT (sizeof (TbContextsTotals) == TB_CONTEXTS_CACHE_LINE);

/* The longest call, by the chosen estimate. It is written rarely, and so kept apart from the totals
 * that each call adds to. */
typedef struct
{
  gint64 from;
  gint64 to;
  guint32 thread;
} TbContextsLongest;

/* Totals by estimate without the callees. Never negative. */
typedef struct
{
  gint64 own[TB_CONTEXTS_N_ESTIMATES];
} TbContextsOwn;

typedef struct
{
  guint32 thread;
  gint64 covered; /* time in which some function is known, by the chosen estimate */
  gint64 life;    /* life of the thread within the range */
  guint64 samples;
} TbContextsThread;

/* What the time that a sample stands for follows from. */
typedef enum
{
  TB_CONTEXTS_SAMPLE_WEIGHT,    /* the weights of samples are times */
  TB_CONTEXTS_SAMPLE_FREQUENCY, /* all samples together take their number of periods */
  TB_CONTEXTS_SAMPLE_DISTANCE,  /* the median distance of a thread's neighbouring samples */
  TB_CONTEXTS_SAMPLE_UNKNOWN,   /* 1 ns each: only shares have a meaning */
  TB_CONTEXTS_SAMPLE_COUNT,     /* the weights are numbers of events: there are no times */
} TbContextsSampleTime;

typedef struct
{
  TbContextsEvents events;
  TbContextsEstimate estimate;
  /* least time between the used samples and switches of a thread, ns; 0: all are used */
  gint64 interval;
  gboolean by_mean; /* the cost of a function in a path is the mean of its calls, as in the paper */
  guint top;        /* 0: all */
  gboolean keep_all;   /* of the functions, for a comparison */
  gboolean by_samples; /* samples are counted even where calls could be inferred */
  const char *counter; /* (nullable): whose samples are counted; not copied */
} TbContextsOptions;

/* From the outermost function to one that calls no other. */
typedef struct
{
  guint32 node; /* its innermost function */
  guint32 hot;  /* its most costly function */
  double cost;  /* ns */
  double share; /* of all own time, without the part that a path before it has claimed */
} TbContextsPath;

/* defined in tb-contexts-accuracy.h */
typedef struct _TbContextsAccuracy TbContextsAccuracy;

/* A function, a module, or a layer ("user", "kernel"), added up over all contexts. */
typedef struct
{
  const char *function; /* NULL: a module or a layer */
  const char *module;
  gboolean kernel;
  guint64 count; /* calls; samples without those of callees */
  gint64 own;
  gint64 total;
} TbContextsRollup;

typedef struct
{
  TbTrace *trace;
  TbContextTree *context_tree;
  TbContextsOptions options;
  gint64 from;
  gint64 to;

  TbContextsTree tree;
  guint32 *parents;
  guint32 *depths;
  guint8 *kernel;
  guint32 *function_of; /* by node */
  TbContextsTotals *nodes;
  TbContextsLongest *longest; /* by node */
  TbContextsOwn *owns;        /* by node */
  guint32 *events; /* by node: how often it was the innermost function of an event's stack */

  /* Samples are counted, and times are CPU time by samples. There are no calls, and nothing is
   * known of the time between samples. */
  gboolean by_samples;
  guint64 n_samples; /* all those of the chosen threads and range, also without a stack */
  TbContextsSampleTime sample_time;
  gboolean has_unused_options; /* those which need calls were set */

  GArray *counters;          /* TbContextsCounter, all of the recording */
  TbContextsCounter counter; /* the one whose samples are counted; name NULL: none */
  guint64 n_cut;             /* stacks that were cut at a limit */
  guint64 n_left_out_sums;   /* sums of waits of the whole recording, where the range is less */

  TbContextsCounts counts;
  guint64 n_instances;
  guint64 n_contexts; /* distinct stacks */
  guint64 n_once;     /* distinct stacks that were seen once */
  guint n_functions;
  gint64 all;      /* own time of all nodes, by the chosen estimate */
  GArray *threads; /* TbContextsThread, longest covered first */
  GArray *paths;   /* TbContextsPath, those shown */
  guint64 n_paths;
  GArray *by_layer;             /* TbContextsRollup, most own time first */
  GArray *modules;              /* TbContextsRollup, most own time first */
  GArray *functions;            /* likewise, the top ones, or all of them */
  gint64 layers[2];             /* own time in user space, in the kernel */
  TbContextsAccuracy *accuracy; /* (nullable): exists where calls were probed */
} TbContextsSummary;

TbContextsSummary *tb_contexts_summary_new (TbTrace *trace,
                                            TbSelection *selection,
                                            TbSelection *process,
                                            const TbContextsOptions *options,
                                            GCancellable *cancellable,
                                            GError **error);
void tb_contexts_summary_free (TbContextsSummary *self);

/* Own times by estimate. */
static inline const gint64 *
tb_contexts_summary_get_own (const TbContextsSummary *self, const TbContextsTotals *totals)
{
  return self->owns[totals - self->nodes].own;
}

/* Whether costs are numbers of events, not times. */
static inline gboolean
tb_contexts_summary_is_count (const TbContextsSummary *self)
{
  return self->by_samples && self->counter.kind == TB_CONTEXTS_COUNTER_EVENTS;
}

/* Whether a node stands for the unknown callers of stacks that were cut. */
gboolean tb_contexts_summary_is_cut (const TbContextsSummary *self, guint32 node);

/* The unit of costs in figures: “ns”, or the counter of which they are numbers. */
static inline const char *
tb_contexts_summary_get_unit (const TbContextsSummary *self)
{
  return tb_contexts_summary_is_count (self) ? self->counter.name : "ns";
}

/* (transfer full): a cost for display: a time, or a number of events */
char *tb_contexts_summary_format_cost (const TbContextsSummary *self, gint64 cost);

/* tb-contexts-ranking.c: paths and roll-ups */
void tb_contexts_summary_rank (TbContextsSummary *self);
void tb_contexts_summary_roll_up (TbContextsSummary *self);
/* A node's part of the cost of a path, ns. */
double tb_contexts_summary_get_cost (const TbContextsSummary *self, guint32 node);
/* (transfer full): nodes of a path, outermost first */
guint32 *tb_contexts_summary_get_path (const TbContextsSummary *self, guint32 node, guint *n_nodes);

gint64 tb_contexts_summary_get_life (const TbContextsSummary *self, guint32 thread);
/* Share of the threads' time in which a function is known. NaN where there is no time, or samples
 * are counted. */
double tb_contexts_summary_get_wall_share (const TbContextsSummary *self);
/* Probability that an event shows a known context (Good–Turing). NaN under 100 events. */
double tb_contexts_summary_get_context_share (const TbContextsSummary *self);

/* tb-contexts-json.c */
JsonNode *tb_contexts_summary_to_json (TbContextsSummary *self);
const char *tb_contexts_estimate_get_name (TbContextsEstimate estimate);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsSummary, tb_contexts_summary_free)

G_END_DECLS
