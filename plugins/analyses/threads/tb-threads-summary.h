/* tb-threads-summary.h: summary of the selected threads in a range: time in each state, causes that
 * ended waits, parts by program, samples, names; also as JSON (tb-threads-json.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "extend/selection/tb-selection.h"
#include "trace/tb-trace-evidence.h"
#include "trace/tb-trace-poll-loops.h"
#include "trace/tb-trace-programs.h"

G_BEGIN_DECLS

/* A cause that ended waits of a thread. */
typedef struct
{
  TbCauseKind kind;
  guint32 cause;
  guint64 count;
  gint64 wait_ns;
  gint64 longest_ns;
} TbWaker;

/* A thread, or a part of its life in which it was one program. */
typedef struct
{
  guint32 thread;
  guint32 program;  /* of a part; TB_ID_NONE: its whole life in the range */
  guint row;        /* index in the rows of the summary */
  GPtrArray *parts; /* TbThreadSummary, in order of time; NULL: it was one program */
  gsize first_row;  /* of the intervals in the range */
  gsize n_rows;
  gint64 begin; /* of a part: when it became this program */
  gint64 first; /* its life, clipped to the range */
  gint64 last;
  gint64 ns[TB_N_STATES];
  gint64 missing_ns;       /* of that of unknown states: an event of the thread is missing */
  gint64 unknown_sleep_ns; /* of that of interruptible sleeps: the state is not known */
  guint64 switches;
  guint64 waits;
  gint64 disk_ns;
  gint64 open_ns;    /* of waits that were open at the end */
  GArray *wakers;    /* TbWaker, longest waiting first */
  gboolean is_known; /* any state; if not, ns, switches and waits are unknown too, not 0 */
  guint64 n_samples;
  gint64 sampled_ns;     /* if has_sample_times: for how long its samples stand */
  gint64 summed_wait_ns; /* if has_summed_waits */
} TbThreadSummary;

/* Summary of the selected threads in a range. */
typedef struct
{
  TbTrace *trace;
  gint64 from;
  gint64 to;
  GPtrArray *threads; /* TbThreadSummary, most running first */
  /* likewise, but a thread that was several programs has one row for each; not owned */
  GPtrArray *rows;
  TbPrograms *programs;
  TbPollLoops *loops;
  TbThreadSummary **by_id;
  guint n_ids;
  const TbEvidence *evidence;
  guint n_known;    /* threads */
  guint n_recorder; /* threads of the recorder, which are left out */
  gint64 recorder_ns;
  gboolean has_sample_times;
  gboolean has_summed_waits; /* waits were summed, and the range is the whole recording */
} TbThreadsSummary;

TbThreadsSummary *tb_threads_summary_new (TbTrace *trace,
                                          TbSelection *selection,
                                          gint64 from,
                                          gint64 to,
                                          GCancellable *cancellable,
                                          GError **error);
void tb_threads_summary_free (TbThreadsSummary *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbThreadsSummary, tb_threads_summary_free)

/* Whether waits are known to the time when the thread was ready to run again. If not, the sums of
 * waits are at most, and those of waiting for a CPU at least, that long. */
gboolean tb_threads_summary_has_wait_ends (const TbThreadsSummary *self);
gint64 tb_thread_summary_get_waiting (const TbThreadSummary *self);
gint64 tb_thread_summary_get_life (const TbThreadSummary *self);

/* The interval whose end shows what a wait was for: that of the last wait of its poll loop, or its
 * own. */
static inline gsize
tb_threads_summary_get_awaited_row (const TbThreadsSummary *self, gsize row)
{
  return tb_trace_get_intervals (self->trace)->cause_kind[row] == TB_CAUSE_TIMER
             ? tb_poll_loops_get_last (self->loops, row)
             : row;
}

JsonNode *tb_threads_summary_to_json (TbThreadsSummary *self);

/* The last names in the range. */
const char *tb_threads_summary_get_thread_name (TbThreadsSummary *self, guint32 thread);
const char *tb_threads_summary_get_process_name (TbThreadsSummary *self, guint32 process);
const char *tb_threads_get_waker_kind (TbTrace *trace, const TbWaker *waker);
char *tb_threads_get_waker_name (TbTrace *trace, const TbWaker *waker);
gboolean tb_threads_is_disk (TbTrace *trace, gsize interval);

/* Whether the run is cancelled. The caller discards an incomplete result. */
static inline gboolean
tb_threads_is_cancelled (void)
{
  return g_cancellable_is_cancelled (g_cancellable_get_current ());
}

/* Whether to continue with a row of many. Cancellation is checked only at some rows. */
static inline gboolean
tb_threads_should_continue (gsize row)
{
  return G_LIKELY (row % 65536 != 0) || !tb_threads_is_cancelled ();
}

G_END_DECLS
