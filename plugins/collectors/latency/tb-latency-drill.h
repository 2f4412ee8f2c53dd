/* tb-latency-drill.h: from the latencies of one function to what makes a peak of them slow, while it runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-finding.h"
#include "session/tb-recorder.h"
#include "tb-latency-tree.h"
#include "tb-peaks-find.h"
#include "tb-peaks-saved-place.h"

G_BEGIN_DECLS

typedef struct
{
  guint resolution;
  guint start_ops;
  guint start_peak; /* 1…n, 0: the slowest */
  int from_bin;     /* drawn by hand, −1 not */
  int to_bin;
  guint decision_ops;
  double maxcount_percentage;
  guint max_depth;
  guint max_probes;
  gboolean blocks_first;
  int thread;                      /* whose calls count alone, 0: those of all */
  gboolean asks;                   /* the peak is chosen by somebody who looks at the histogram */
  gboolean returns_by_instruction; /* nothing is put on the stack of the program */
  gboolean returns_by_stack;       /* whatever that costs */
} TbLatencyOptions;

/* Where a program says that a phase begins or ends. */
typedef struct
{
  const TbLatencyImage *image;
  guint64 offset;
  guint64 value;
  guint32 operand;
  guint16 flags;
} TbLatencyPhaseMark;

/* A function on the path of those that are served. */
typedef struct
{
  const TbLatencyImage *image;
  guint64 offset;
} TbLatencyClient;

/* What there was at a time. */
typedef struct
{
  gint64 time;
  guint64 *counts; /* of all bins */
} TbLatencySlice;

/* One of the longest calls of the peak. */
typedef struct
{
  TbCaptureLatencySlow call; /* latency 0: there is none */
  guint n;
  struct
  {
    guint32 node;
    guint64 ns;
  } parts[TB_CAPTURE_LATENCY_MAX_PARTS];
} TbLatencySlowCall;

/* Sends to the agent. */
typedef gboolean (*TbLatencySend) (const TbCaptureRecord *record, gpointer data, GError **error);

typedef struct
{
  TbLatencyOptions options;
  char *operation;              /* "function:f0@module" */
  guint32 call;                 /* f0 is this system call, or TB_CAPTURE_NO_CALL */
  gboolean is_of_requests;      /* f0 is a request to a device: */
  guint32 request;              /* the kernel's number of what it asks for */
  gint32 pid;                   /* 0: several */
  char *kernel;                 /* f0 is this function of the kernel; NULL no */
  TbLatencyImage *kernel_image; /* what is known of it; of images, NULL nothing */
  gboolean has_thunks;          /* has been asked for */
  char *kernel_way;             /* by which f0 is seen, as the agent says; NULL: it is none of the kernel */
  char *kernel_way_cause;       /* why by no cheaper way; NULL: there is none, or it is not known */
  TbLatencySend send;
  gpointer send_data;

  GMutex lock;
  GCond changed;
  TbPeaksBins bins;
  TbPeaksHistogram *histogram;
  GArray *slices;
  GArray *ranges; /* TbPeakRange: the peaks when one was chosen, then those there are; NULL before */
  guint peak;     /* that was chosen, 1…n; 0: none yet, or a range drawn by hand */
  TbPeakRange range;
  gboolean is_ready; /* all that was asked for at the beginning has come */
  gboolean is_chosen;
  gint64 chosen_time; /* monotonic ns, as the next */
  gint64 decided_time;
  gint64 narrowed_time; /* since when root causes are narrowed to their blocks; 0 not yet */
  gboolean is_over;
  TbLatencyTree *tree;
  GPtrArray *functions; /* TbLatencyFunction, by id */
  GPtrArray *images;
  guint32 n_sites;
  GQueue asked;           /* of groups that are to be attached: guint32 + 1 */
  guint n_probes;         /* at most at a time */
  guint n_single_stepped; /* of them */
  TbCaptureLatencyState state;
  TbCaptureLatencyCost cost; /* of its probes; 0 where it is not known */
  double peak_share;         /* of calls, when the peak was chosen */
  char *refusal;             /* the first */
  JsonObject *saved;         /* to go on from; NULL: from the beginning */
  guint64 *saved_counts;
  GHashTable *saved_candidates; /* JsonObject: its nodes that may be some of now */
  TbPeaksSavedMatches matches;
  char *phase;         /* in which calls count; NULL: always */
  GArray *phase_marks; /* TbLatencyPhaseMark */
  gint64 begin_time;   /* monotonic ns */
  TbLatencySlowCall slow[TB_CAPTURE_LATENCY_MAX_SLOW];
  GArray *clients; /* TbLatencyClient, from the outermost on */
  TbCaptureLatencyClients clients_asked;
  char *clients_operation; /* whose calls are served by those that count; NULL: all count */
  char *clients_path;      /* "f0 → send → syscall:read" */
  guint clients_from;      /* bins of their peak, as they were then */
  guint clients_to;
  guint clients_resolution;
  guint shown_first; /* bin, of who looks */
  double distance;   /* bins, from then to now; −1: not compared */
  GPtrArray *warnings;
  struct
  {
    guint32 kind;
    guint32 number;
    char *name;
    guint32 string; /* the same, of the session */
    guint64 gap;    /* ns between two on a cpu in the mean, 0 not known */
  } sources[TB_CAPTURE_LATENCY_DISTURBANCES];
} TbLatencyDrill;

TbLatencyDrill *tb_latency_drill_new (const TbLatencyOptions *options, TbLatencySend send, gpointer data);
void tb_latency_drill_free (TbLatencyDrill *self);
/* f0: a function of a file, or with image NULL a system call. */
void
tb_latency_drill_set_function (TbLatencyDrill *self, TbLatencyImage *image, const TbLatencySymbol *symbol);
void tb_latency_drill_set_call (TbLatencyDrill *self, guint32 number, const char *name);
void tb_latency_drill_set_request (TbLatencyDrill *self, guint32 number, const char *name);
void tb_latency_drill_set_kernel_function (TbLatencyDrill *self, const char *name);
/* Only calls count that begin in a phase of that name; files: the program's, one of which says when that is. */
gboolean
tb_latency_drill_set_phase (TbLatencyDrill *self, const char *phase, GPtrArray *files, GError **error);
/* Goes on from the JSON of an earlier one, which a file has, if calls are distributed as they were. Where that is of another
 * function whose calls wait, only calls count that serve them. */
gboolean tb_latency_drill_resume (TbLatencyDrill *self, const char *path, GError **error);
/* (transfer full) (nullable): what is to be said of how the calls of then were found again. */
char *tb_latency_drill_describe_resumed (TbLatencyDrill *self);
/* Latencies up to this come from calls that take no longer than what their probes do to them, ns. */
guint64 tb_latency_drill_get_reach (const TbLatencyDrill *self);
/* What it will cost, in a sentence: before anything is probed. */
char *tb_latency_drill_estimate (TbLatencyDrill *self);
/* Likewise, for a report. (transfer full) */
TbFinding *tb_latency_drill_make_estimate (TbLatencyDrill *self);
/* Probes f0; returns when that is done. */
gboolean tb_latency_drill_begin (TbLatencyDrill *self, GCancellable *cancellable, GError **error);
/* TRUE: it is over. */
gboolean tb_latency_drill_take (TbLatencyDrill *self, const TbCaptureRecord *record);
/* All that is known, as a text of JSON, from which another can go on. */
char *tb_latency_drill_describe (TbLatencyDrill *self, gint64 from, gint64 to);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLatencyDrill, tb_latency_drill_free)

G_END_DECLS
