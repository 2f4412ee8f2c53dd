/* tb-latency-drill.h: live drill-down from a peak of the latencies of one function, system call or
 * device request to its root causes: state, start, input of the agent's records, result as JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-finding.h"
#include "session/recorder/tb-recorder.h"
#include "tb-latency-tree.h"
#include "latency-state/tb-peaks-refinement.h"
#include "latency-state/tb-peaks-saved-site.h"

G_BEGIN_DECLS

typedef struct
{
  guint resolution;
  guint warmup_calls;
  guint start_peak; /* 1…n, 0: the slowest */
  int from_bin;     /* drawn by hand, −1: not */
  int to_bin;
  guint decision_calls;
  double root_cause_threshold;
  guint max_depth;
  guint max_probes;
  gboolean blocks_first;
  int thread;                      /* only calls of this thread count, 0: all */
  gboolean interactive;            /* the user chooses the peak in the histogram */
  gboolean returns_by_instruction; /* nothing is changed on the program's stack */
  gboolean returns_by_stack;       /* at any cost */
} TbLatencyOptions;

/* A mark in a program that begins or ends a phase */
typedef struct
{
  const TbLatencyImage *image;
  guint64 offset;
  guint64 value;
  guint32 operand;
  guint16 flags;
} TbLatencyPhaseMark;

/* A function on the path of served clients */
typedef struct
{
  const TbLatencyImage *image;
  guint64 offset;
} TbLatencyClient;

/* The histogram at a time */
typedef struct
{
  gint64 time;
  guint64 *counts; /* by bin */
} TbLatencySlice;

/* One of the longest calls of the peak */
typedef struct
{
  TbCaptureLatencySlow call; /* latency 0: unused */
  guint n;
  struct
  {
    guint32 node;
    guint64 ns;
  } parts[TB_CAPTURE_LATENCY_MAX_PARTS];
} TbLatencySlowCall;

/* Sends a record to the agent. */
typedef gboolean (*TbLatencySend) (const TbCaptureRecord *record, gpointer data, GError **error);

typedef struct
{
  TbLatencyOptions options;
  char *operation;     /* "function:f0@module" */
  guint32 call;        /* system call that is f0, or TB_CAPTURE_NO_CALL */
  gboolean is_request; /* f0 is a request to a device */
  guint32 request;     /* the kernel's number of the request's operation */
  gint32 pid;          /* 0: several */
  /* a kernel function as f0 */
  struct
  {
    char *name;            /* NULL: f0 is none */
    TbLatencyImage *image; /* an element of images, or NULL */
    gboolean has_thunks;   /* the thunks have been requested */
    char *probe_kind; /* kind of probe for f0, as the agent reports; NULL: no kernel function */
    /* why no cheaper kind is used; NULL: there is none, or the reason is unknown */
    char *probe_reason;
  } kernel;
  TbLatencySend send;
  gpointer send_data;

  GMutex lock;
  GCond changed;
  TbPeaksBins bins;
  TbPeaksHistogram *histogram;
  GArray *slices;
  /* TbPeakRange: the peaks at the time of the choice, or the current ones; NULL: none yet */
  GArray *ranges;
  guint peak; /* chosen peak, 1…n; 0: none yet, or a range drawn by hand */
  TbPeakRange range;
  gboolean is_ready; /* all initial requests are answered */
  gboolean is_peak_chosen;
  /* monotonic ns */
  struct
  {
    gint64 begun;
    gint64 chosen;
    gint64 decided;
    gint64 narrowed; /* start of the narrowing of root causes to their blocks; 0: not started */
  } times;
  gboolean is_over;
  TbLatencyTree *tree;
  GPtrArray *functions; /* TbLatencyFunction, by id */
  GPtrArray *images;
  guint32 n_sites;
  struct
  {
    GQueue pending_groups;     /* groups to be attached: guint32 + 1 */
    guint n_most;              /* maximum number at a time */
    guint n_single_stepped;    /* of these probes */
    TbCaptureLatencyCost cost; /* of the probes; 0: unknown */
    char *refusal;             /* reason of the first refusal */
  } probes;
  TbCaptureLatencyState state;
  double peak_share; /* share of all calls at the time of the choice */
  /* the histogram at that time, which further probes have not changed yet; NULL: none so far */
  guint64 *counts_at_choice;
  /* the earlier search that is continued */
  struct
  {
    JsonObject *state; /* NULL: none */
    guint64 *counts;
    GHashTable *candidates; /* JsonObject: saved nodes that may correspond to current ones */
    TbPeaksSavedMatches matches;
    double distance; /* of the histograms, in bins; −1: not compared */
  } saved;
  struct
  {
    char *name;    /* phase in which calls count; NULL: always */
    GArray *marks; /* TbLatencyPhaseMark */
  } phase;
  TbLatencySlowCall slow[TB_CAPTURE_LATENCY_MAX_SLOW];
  /* clients whose calls are served by the counted ones */
  struct
  {
    GArray *path; /* TbLatencyClient, outermost first */
    TbCaptureLatencyClients request;
    /* operation whose calls are served by the counted ones; NULL: all count */
    char *operation;
    char *path_text; /* "f0 → send → syscall:read" */
    guint from_bin;  /* bins of the clients' peak in the earlier search */
    guint to_bin;
    guint resolution;
  } clients;
  guint first_shown_bin; /* first bin of the displayed histogram */
  GPtrArray *warnings;
  struct
  {
    guint32 kind;
    guint32 number;
    char *name;
    guint32 string; /* the same as a string id of the session */
    guint64 gap;    /* mean ns between two occurrences on a CPU, 0: unknown */
  } sources[TB_CAPTURE_LATENCY_DISTURBANCES];
} TbLatencyDrill;

TbLatencyDrill *
tb_latency_drill_new (const TbLatencyOptions *options, TbLatencySend send, gpointer data);
void tb_latency_drill_free (TbLatencyDrill *self);
/* f0: a function of a file; image NULL: a system call */
void tb_latency_drill_set_function (TbLatencyDrill *self,
                                    TbLatencyImage *image,
                                    const TbLatencySymbol *symbol);
void tb_latency_drill_set_call (TbLatencyDrill *self, guint32 number, const char *name);
void tb_latency_drill_set_request (TbLatencyDrill *self, guint32 number, const char *name);
void tb_latency_drill_set_kernel_function (TbLatencyDrill *self, const char *name);
/* Only calls that begin in a phase of that name count; files: those of the program, one of which
 * must contain the marks of the phase. */
gboolean tb_latency_drill_set_phase (TbLatencyDrill *self,
                                     const char *phase,
                                     GPtrArray *files,
                                     GError **error);
/* Resumes an earlier search from its JSON file, if the latencies have the same distribution. If the
 * file is of another function whose calls wait, only calls that serve those count. */
gboolean tb_latency_drill_resume (TbLatencyDrill *self, const char *path, GError **error);
/* (transfer full) (nullable): a message on how the calls of the earlier search were matched */
char *tb_latency_drill_describe_resumed (TbLatencyDrill *self);
/* Latencies in ns up to which calls consist only of the effect of their probes */
guint64 tb_latency_drill_get_reach (const TbLatencyDrill *self);
/* Describes the expected cost in one sentence, before anything is probed. */
char *tb_latency_drill_estimate (TbLatencyDrill *self);
/* (transfer full): the same for a report */
TbFinding *tb_latency_drill_make_estimate (TbLatencyDrill *self);
/* Probes f0 and returns when that is done. */
gboolean tb_latency_drill_begin (TbLatencyDrill *self, GCancellable *cancellable, GError **error);
/* TRUE: the search is over */
gboolean tb_latency_drill_take (TbLatencyDrill *self, const TbCaptureRecord *record);
/* The complete state as JSON, which another search can resume */
char *tb_latency_drill_describe (TbLatencyDrill *self, gint64 from, gint64 to);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLatencyDrill, tb_latency_drill_free)

G_END_DECLS
