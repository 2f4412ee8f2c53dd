/* tb-trace-state-private.h: state of every thread at the current time of the pass over the events,
 * with the functions that change it and add finished intervals
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <stdbool.h>

#include "trace/tb-trace-causes-private.h"
#include "trace/tb-trace-rows-private.h"
#include "trace/tb-trace-gaps-private.h"

G_BEGIN_DECLS

#define TB_STATE_DEAD TB_N_STATES

/* Current state of a thread. */
typedef struct
{
  gint64 since;             /* start of the current state; TB_TIME_NONE: the thread never existed */
  gint64 early_wakeup_time; /* time of a wake-up that came while the thread still ran */
  guint32 early_wakeup;     /* row of that wake-up, TB_ID_NONE if none */
  guint32 runnable_by;      /* wake-up that made it runnable */
  guint32 last_row;         /* most recent interval */
  /* last sleep that ended with a wake-up, for marks that declare the wake-up false */
  guint32 sleep_row;
  guint32 stack;
  guint32 n_switches; /* that are still to come */
  guint16 cpu;
  guint8 state;
  guint8 flags;
  bool is_exiting; /* its exit was recorded; it ends at its last switch */
  bool declared_false;
  bool stopped; /* stopped by a signal: only another signal continues it */
} TbThreadState;

typedef struct
{
  const TbTraceInput *input;
  TbThreadState *threads;
  TbRows rows; /* finished intervals */
  TbCauses causes;
  TbGaps gaps;
  TbTraceCounts counts;
  gboolean has_waking_events; /* sched_waking was recorded, so sched_wakeup is not needed */
  /* by thread: whether it has switches; NULL: switches were recorded of all threads */
  guint8 *is_switched;
} TbTraceState;

void tb_trace_state_init_threads (TbTraceState *self);

/* These close the current interval at end, and return NULL if it is empty. */
TbRow *
tb_trace_state_emit (TbTraceState *self, guint32 thread, gint64 end, TbState state, guint8 flags);
TbRow *tb_trace_state_emit_sleep (TbTraceState *self, guint32 thread, gint64 end, guint8 flags);
void tb_trace_state_emit_current (TbTraceState *self, guint32 thread, gint64 end, guint8 flags);
void tb_trace_state_cut_at_gaps (TbTraceState *self, guint32 thread, gint64 time);
/* Discards a wake-up that came while the thread ran, as it had no effect. */
void tb_trace_state_drop_early_wakeup (TbTraceState *self, TbThreadState *thread_state);
void tb_trace_state_end_thread (TbTraceState *self, guint32 thread, gint64 time);
/* The exit of a thread was recorded, which may come before its end. */
void tb_trace_state_exit_thread (TbTraceState *self, guint32 thread, gint64 time);

/* tb-trace-scheduling.c: processing of a row of the switch or wakeup table. */
void tb_trace_state_handle_switch (TbTraceState *self, guint32 row, gint64 time);
void tb_trace_state_handle_wakeup (TbTraceState *self, guint32 row, gint64 time);
/* Handles a thread that is found to run on a CPU although no switch to it was recorded. It was
 * switched in after since. */
void tb_trace_state_handle_inferred_run (TbTraceState *self,
                                         guint32 thread,
                                         guint16 cpu,
                                         gint64 since,
                                         gint64 time);

static inline gboolean
tb_thread_state_is_sleeping (const TbThreadState *thread_state)
{
  return thread_state->state >= TB_STATE_INTERRUPTIBLE && thread_state->state <= TB_STATE_STOPPED;
}

/* Whether all switches of a thread were recorded. Nothing is known of the states of others but that
 * they had a CPU. */
static inline gboolean
tb_trace_state_is_switched (const TbTraceState *self, guint32 thread)
{
  return self->is_switched == NULL
         || (thread < self->input->n_threads && self->is_switched[thread]);
}

/* Whether the thread exists at the time of an event: before its fork and after its exit it does
 * not. */
static inline gboolean
tb_trace_state_is_alive (TbTraceState *self, guint32 thread, gint64 time)
{
  return thread != TB_THREAD_IDLE && thread < self->input->n_threads
         && self->threads[thread].state != TB_STATE_DEAD
         && self->threads[thread].since != TB_TIME_NONE && self->threads[thread].since <= time;
}

static inline void
tb_trace_state_enter (TbTraceState *self, guint32 thread, gint64 time, TbState state, guint8 flags)
{
  TbThreadState *thread_state = &self->threads[thread];

  thread_state->since = MAX (time, thread_state->since);
  thread_state->state = state;
  thread_state->flags = flags;
  thread_state->early_wakeup = TB_ID_NONE;
  thread_state->runnable_by = TB_ID_NONE;
  thread_state->stack = TB_STACK_NONE;
  thread_state->stopped = FALSE;
}

/* To be called before any other change to a thread: no interval extends across lost events. */
static inline void
tb_trace_state_cut_at_losses (TbTraceState *self, guint32 thread, gint64 time)
{
  if (G_UNLIKELY (self->gaps.n_any > 0) && self->threads[thread].since < time)
    tb_trace_state_cut_at_gaps (self, thread, time);
}

G_END_DECLS
