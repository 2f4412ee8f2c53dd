/* tb-peaks-result.h: the peaks of one operation and what makes their calls slow
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-peaks-attributes.h"
#include "tb-peaks-drill.h"
#include "tb-peaks-period.h"
#include "tb-peaks-saved-place.h"

G_BEGIN_DECLS

#define TB_PEAKS_FIGURE_HISTOGRAM "histogram"
#define TB_PEAKS_FIGURE_TIME_LAPSE "time-lapse"
#define TB_PEAKS_FIGURE_TREE "tree"
#define TB_PEAKS_FIGURE_COUNTERS "counters"
#define TB_PEAKS_FIGURE_PEAKS "peaks"
#define TB_PEAKS_FIGURE_OPERATIONS "operations"
#define TB_PEAKS_FIGURE_CALLS "calls"
#define TB_PEAKS_FIGURE_TIMELINE "calls-timeline"
#define TB_PEAKS_FIGURE_PARTS "parts"
#define TB_PEAKS_FIGURE_INTERRUPTS "interrupts"
#define TB_PEAKS_FIGURE_LAYERS "layers"
#define TB_PEAKS_FIGURE_TIME_LAPSE_BESIDE "time-lapse-beside"
#define TB_PEAKS_SLICES 60

typedef struct
{
  guint peak;   /* 1…n, 0: none chosen */
  int from_bin; /* −1: none drawn */
  int to_bin;
  guint decision_ops;
  double maxcount_percentage;
  guint max_depth;
  gint64 call;        /* ns: the one call that ran then, beside the fastest peak; 0: all */
  const char *beside; /* another operation, "" none */
  const char *state;  /* JSON of an earlier drill-down, "" none */
} TbPeaksOptions;

typedef struct
{
  guint32 node;
  gint64 ns;
  double share; /* of the time of the calls looked into */
} TbPeakCause;

typedef struct
{
  TbPeakPeriod period; /* of the peak's calls */
  double others;       /* how strongly all calls of the operation show it */
} TbPeakRhythm;

typedef struct
{
  TbPeaksCalls *calls;
  const TbPeaksOperation *operation;
  TbPeaksOptions options;
  GArray *ranges; /* TbPeakRange: found, or the one drawn */
  gboolean is_drawn;
  TbPeaksDrill *drill;
  guint first; /* bins shown [first, last] */
  guint last;
  gboolean has_bins;
  guint64 *slices;       /* TB_PEAKS_SLICES rows of last − first + 1 counts */
  GPtrArray *causes;     /* of each peak: GArray of TbPeakCause, most time first */
  GArray *rows;          /* guint32: of the operation's calls; NULL: found out while it ran */
  GPtrArray *attributes; /* of each peak: GArray of TbPeakAttribute; NULL where it was not looked for */
  GArray *rhythms;       /* TbPeakRhythm, one a peak */
  GPtrArray *layers;     /* TbPeaksLayer; NULL: found out while it ran */
  struct _TbPeaksBeside *beside; /* another operation, NULL none */
  struct _TbPeaksState *resumed; /* what was gone on from, NULL nothing */
  TbPeaksSavedMatches matches;   /* of it */
  const TbPeaksOperation
      *clients; /* whose calls were served, in a peak of it; NULL: all calls are looked into */
  TbPeakRange clients_range;
  guint n_all; /* calls, whomever they served */
  gboolean has_distance;
  double distance; /* in bins from then to now */
  double limit;
  gboolean is_same;
  JsonNode *state; /* of a drill-down while it ran; NULL: from a recording */
  guint live_peak; /* that was looked into then */
  char *live_status;
} TbPeaksResult;

/* Takes the calls over. */
TbPeaksResult *tb_peaks_result_new (TbPeaksCalls *calls,
                                    const TbPeaksOperation *operation,
                                    const TbPeaksOptions *options,
                                    GCancellable *cancellable,
                                    GError **error);
void tb_peaks_result_free (TbPeaksResult *self);
/* Of all nodes; drill and ranges are there. */
void tb_peaks_result_gather_causes (TbPeaksResult *self);

/* What was found out while the function ran, as the collector "latency" wrote it down; state: its JSON. */
TbPeaksResult *tb_peaks_live_new (TbTrace *trace, const char *state, GError **error);
/* The key of the node of an interrupt that the collector numbers so; string: of its name. */
guint64 tb_peaks_live_make_interrupt (gint64 number, guint32 string);
/* What a thread waits for, from who calls it ("syscall:futex") and the state that it waits in: more was not looked at. */
TbWaitKind tb_peaks_live_guess_wait (const char *caller, gint64 state);

/* Whether a peak is one of those that are asked about. */
gboolean tb_peaks_result_is_asked (const TbPeaksResult *self, guint peak);
/* "peak-2": what it is called in figures. */
char *tb_peaks_result_get_item (guint peak);
/* "Peak 2 (1.05 ms–4.19 ms)" */
char *tb_peaks_result_name_peak (const TbPeaksResult *self, guint peak);
/* "syscall:read → vfs_read: waits (block-io)" */
char *tb_peaks_result_describe_place (const TbPeaksResult *self, guint32 node);
/* What was slow, call by call: a table, and on the timeline. */
void tb_peaks_add_calls (TbReport *report, const TbPeaksResult *result);
/* "found", "in-progress", "depth-reached" */
const char *tb_peaks_result_get_status (const TbPeaksResult *self, guint peak);
/* Of a cause: "function", "wait", "preemption", "interrupt", "asynchronous". */
const char *tb_peaks_result_get_cause_kind (const TbPeaksResult *self, guint32 node);
/* In words, NULL of a function. */
char *tb_peaks_result_describe_node (const TbPeaksResult *self, guint32 node);
/* "writer (12)", "writer (12) on db1", "vda": of a node of what ended a wait. */
char *tb_peaks_result_describe_server (const TbPeaksResult *self, guint32 node);
/* "[waits: block-io]", "ext4_sync_file" */
char *tb_peaks_result_get_label (const TbPeaksResult *self, guint32 node);
/* Index of the peak whose tree a node is in. */
guint tb_peaks_result_find_peak_of (const TbPeaksResult *self, guint32 node);
/* "write_page (wal.c:120)" where its caller calls it elsewhere, too; else the label */
char *tb_peaks_result_name_call (const TbPeaksResult *self, guint32 node);
/* From the operation down to the innermost function: labels, or what tells calls apart. */
char **tb_peaks_result_get_path (const TbPeaksResult *self, guint32 node);
char **tb_peaks_result_get_calls (const TbPeaksResult *self, guint32 node);
/* "1.05 ms–4.19 ms" */
char *tb_peaks_result_describe_range (const TbPeaksResult *self, guint peak);

JsonNode *tb_peaks_result_to_json (const TbPeaksResult *self);
JsonNode *tb_peaks_operations_to_json (const TbPeaksCalls *calls);
void tb_peaks_add_operations (TbReport *report, const TbPeaksCalls *calls);
void tb_peaks_add_figures (TbReport *report, const TbPeaksResult *result);
void tb_peaks_add_findings (TbReport *report, const TbPeaksResult *result);
char *tb_peaks_make_headline (const TbPeaksResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksResult, tb_peaks_result_free)

G_END_DECLS
