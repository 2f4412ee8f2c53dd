/* tb-peaks-result.h: result of latency-peaks for one operation: its peaks, their root causes and
 * properties, and texts, figures, findings and JSON made from it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "stats/tb-peaks-attributes.h"
#include "tb-peaks-drill.h"
#include "stats/tb-peaks-period.h"
#include "latency-state/tb-peaks-saved-site.h"

G_BEGIN_DECLS

#define TB_PEAKS_FIGURE_HISTOGRAM "histogram"
#define TB_PEAKS_FIGURE_OVER_TIME "time-lapse"
#define TB_PEAKS_FIGURE_TREE "tree"
#define TB_PEAKS_FIGURE_COUNTERS "counters"
#define TB_PEAKS_FIGURE_PEAKS "peaks"
#define TB_PEAKS_FIGURE_OPERATIONS "operations"
#define TB_PEAKS_FIGURE_CALLS "calls"
#define TB_PEAKS_FIGURE_TIMELINE "calls-timeline"
#define TB_PEAKS_FIGURE_PARTS "parts"
#define TB_PEAKS_FIGURE_INTERRUPTS "interrupts"
#define TB_PEAKS_FIGURE_LAYERS "layers"
#define TB_PEAKS_FIGURE_CORRELATION "time-lapse-beside"
#define TB_PEAKS_SLICES 60

typedef struct
{
  guint peak;   /* 1…n, 0: none is chosen */
  int from_bin; /* −1: none is drawn */
  int to_bin;
  guint decision_calls;
  double root_cause_threshold;
  guint max_depth;
  /* ns: only the call that ran at this time, compared with the fastest peak; 0: all calls */
  gint64 call;
  const char *correlated; /* another operation to correlate with, "" if none */
  const char *state;      /* JSON of an earlier drill-down, "" if none */
} TbPeaksOptions;

typedef struct
{
  guint32 node;
  gint64 ns;
  double share; /* share of the time of the examined calls */
} TbPeakCause;

/* A root cause has at least this share of the time of its peak. */
#define TB_PEAKS_LEAST_SHARE 0.333

typedef struct
{
  TbPeakPeriod period;    /* of the peak's calls */
  double strength_of_all; /* strength of the period in all calls of the operation */
} TbPeakPeriodicity;

typedef struct
{
  TbPeaksCalls *calls;
  const TbPeaksOperation *operation;
  TbPeaksOptions options;
  GArray *ranges; /* TbPeakRange: the detected ranges, or the drawn one */
  gboolean is_drawn;
  TbPeaksDrill *drill;
  guint first; /* range of bins shown [first, last] */
  guint last;
  gboolean has_bins;
  guint64 *slices; /* TB_PEAKS_SLICES rows of last − first + 1 counts */
  /* for each peak: GArray of TbPeakCause, by descending time: those with TB_PEAKS_LEAST_SHARE, and
   * interrupts that cause more than their own time */
  GPtrArray *causes;
  /* guint32: rows of the operation's calls; NULL: from a live search */
  GArray *rows;
  /* for each peak: GArray of TbPeakAttribute; NULL if not computed */
  GPtrArray *attributes;
  GArray *periodicities;                  /* TbPeakPeriodicity, one for each peak */
  GPtrArray *layers;                      /* TbPeaksLayer; NULL: from a live search */
  struct _TbPeaksCorrelation *correlated; /* another operation, NULL if none */
  struct _TbPeaksState *resumed;          /* earlier drill-down that was continued, NULL if none */
  TbPeaksSavedMatches matches;            /* matches between the earlier drill-down and this one */
  /* operation whose calls were served, within a peak of it; NULL: all calls are examined */
  const TbPeaksOperation *clients;
  TbPeakRange clients_range;
  guint n_all;          /* number of calls, regardless of the calls they served */
  gboolean is_compared; /* with the calls of a saved search: the three that follow */
  double distance;      /* distance in bins from the earlier calls to the current ones */
  double limit;
  gboolean is_same;
  JsonNode *state;   /* JSON of a live search; NULL: from a recording */
  guint live_peak;   /* peak that was examined in the live search; G_MAXUINT: none */
  guint32 live_stop; /* node at which a live search stopped early; TB_ID_NONE: none */
  char *live_status;
} TbPeaksResult;

/* Takes ownership of the calls. */
TbPeaksResult *tb_peaks_result_new (TbPeaksCalls *calls,
                                    const TbPeaksOperation *operation,
                                    const TbPeaksOptions *options,
                                    GCancellable *cancellable,
                                    GError **error);
void tb_peaks_result_free (TbPeaksResult *self);
/* Collects the causes from all nodes; drill and ranges must be set. */
void tb_peaks_result_gather_causes (TbPeaksResult *self);

/* (element-type TbPeakCause) (transfer full): the parts with most time of a peak, in which no part
 * has TB_PEAKS_LEAST_SHARE */
GArray *tb_peaks_result_list_shares (const TbPeaksResult *self, guint peak);

/* The result of a live search, as the collector "latency" stored it; state: its JSON. */
TbPeaksResult *tb_peaks_live_new (TbTrace *trace, const char *state, GError **error);
/* The node key of an interrupt from the number that the collector gives it; string: its name. */
guint64 tb_peaks_live_make_interrupt (gint64 number, guint32 string);
/* The kind of wait, from the caller ("syscall:futex") and the thread state alone: nothing else was
 * recorded. */
TbWaitKind tb_peaks_live_guess_wait (const char *caller, gint64 state);

/* (transfer none): the examined calls of a peak */
const TbPeakDrill *tb_peaks_result_get_drill (const TbPeaksResult *self, guint peak);
/* The most informative attribute; NULL if there is none. */
const TbPeakAttribute *tb_peaks_result_get_attribute (const TbPeaksResult *self, guint peak);
/* Whether the peak's calls are periodic, and not merely because all calls are. */
gboolean tb_peaks_result_is_periodic (const TbPeaksResult *self, guint peak);
/* Whether a peak is among the requested ones. A live search examines one peak only. */
gboolean tb_peaks_result_is_requested (const TbPeaksResult *self, guint peak);
/* The item id of a peak in figures: "peak-2". */
char *tb_peaks_result_get_item (guint peak);
/* "Peak 2 (1.05 ms–4.19 ms)" */
char *tb_peaks_result_name_peak (const TbPeaksResult *self, guint peak);
/* Whether a range is that of the one call that was chosen. */
gboolean tb_peaks_result_is_single_call (const TbPeaksResult *self, guint peak);
/* "syscall:read → vfs_read: waits (block-io)" */
char *tb_peaks_result_describe_place (const TbPeaksResult *self, guint32 node);
/* Adds a table of the slow calls and a timeline of them. */
void tb_peaks_add_calls (TbReport *report, const TbPeaksResult *result);
/* "found", "in-progress", "depth-reached"; "not-examined": another peak was, in a live search */
const char *tb_peaks_result_get_status (const TbPeaksResult *self, guint peak);
/* The kind of a cause: "function", "wait", "preemption", "interrupt", "asynchronous". */
const char *tb_peaks_result_get_cause_kind (const TbPeaksResult *self, guint32 node);
/* The node as text, NULL for a function. */
char *tb_peaks_result_describe_node (const TbPeaksResult *self, guint32 node);
/* The thread or device that ended a wait, for its node: "writer (12)", "writer (12) on db1",
 * "vda". */
char *tb_peaks_result_describe_server (const TbPeaksResult *self, guint32 node);
/* "[waits: block-io]", "ext4_sync_file" */
char *tb_peaks_result_get_label (const TbPeaksResult *self, guint32 node);
/* Index of the peak that has the node in its tree. */
guint tb_peaks_result_find_peak_of (const TbPeaksResult *self, guint32 node);
/* "write_page (wal.c:120)" if its caller has several call sites of the function; else the label */
char *tb_peaks_result_name_call (const TbPeaksResult *self, guint32 node);
/* The path from the operation down to the innermost function: labels, or names with call sites. */
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
