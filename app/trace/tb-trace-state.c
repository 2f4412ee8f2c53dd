/* tb-trace-state.c: state of every thread at the current time of the pass over the events: start of
 * its lifetime, whether its switches were recorded, intervals added when a state ends, cuts at lost
 * events (tb-trace-scheduling.c decides which state follows)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-state-private.h"

static void
include_event (TbTraceState *self, guint32 thread, gint64 time)
{
  if (time < 0 || thread >= self->input->n_threads)
    return;
  time = CLAMP (time, self->input->from, self->input->to);
  if (self->threads[thread].since == TB_TIME_NONE || time < self->threads[thread].since)
    self->threads[thread].since = time;
}

static void
count_switch (TbTraceState *self, guint32 thread)
{
  if (thread < self->input->n_threads)
    self->threads[thread].n_switches++;
}

/* Counts those switches that the pass over the events handles. */
static void
include_switches (TbTraceState *self)
{
  const TbSwitchColumns *switches = &self->input->switches;

  for (gsize i = 0; i < switches->n && !tb_trace_is_cancelled_at (i); i++)
    {
      include_event (self, switches->prev[i], switches->time[i]);
      include_event (self, switches->next[i], switches->time[i]);
      if (switches->time[i] < 0 || switches->prev[i] == switches->next[i])
        continue;
      count_switch (self, switches->prev[i]);
      count_switch (self, switches->next[i]);
    }
}

static gboolean
is_outside (const TbTraceInput *input, guint32 thread)
{
  return input->thread_traits != NULL && (input->thread_traits[thread] & TB_THREAD_OUTSIDE) != 0;
}

/* In a recording of a target, the switches of other threads are those from and to its threads. */
static void
find_switched_inside (TbTraceState *self)
{
  guint32 n = self->input->n_threads, first = 0;

  while (first < n && !is_outside (self->input, first))
    first++;
  if (first == n)
    return;
  self->is_switched = g_new (guint8, n);
  for (guint32 i = 0; i < n; i++)
    self->is_switched[i] = !is_outside (self->input, i);
}

static void
find_switched (TbTraceState *self)
{
  const TbSwitchColumns *switches = &self->input->switches;

  self->is_switched = g_new0 (guint8, MAX (self->input->n_threads, 1));
  for (gsize i = 0; i < switches->n && !tb_trace_is_cancelled_at (i); i++)
    {
      if (switches->prev[i] < self->input->n_threads)
        self->is_switched[switches->prev[i]] = TRUE;
      if (switches->next[i] < self->input->n_threads)
        self->is_switched[switches->next[i]] = TRUE;
    }
}

/* Sets the start of threads that were forked, or listed as existing at the start. */
static void
begin_recorded_threads (TbTraceState *self)
{
  const TbTraceInput *input = self->input;
  const TbProcessColumns *processes = &input->processes;

  for (gsize i = 0; i < processes->n; i++)
    if (processes->kind[i] == TB_PROCESS_EXISTING && processes->thread[i] < input->n_threads)
      {
        self->threads[processes->thread[i]].since = input->from;
        self->threads[processes->thread[i]].flags = TB_INTERVAL_OPEN_START;
      }
  for (gsize i = processes->n; i > 0; i--)
    if (processes->kind[i - 1] == TB_PROCESS_FORK && processes->thread[i - 1] < input->n_threads
        && processes->time[i - 1] >= 0)
      {
        guint32 thread = processes->thread[i - 1];
        TbThreadState *thread_state = &self->threads[thread];

        thread_state->since = CLAMP (processes->time[i - 1], input->from, input->to);
        thread_state->flags = 0;
        /* Without switches it is not known when it ran, so not when it waited for a CPU. */
        thread_state->state = input->switches.n > 0 && tb_trace_state_is_switched (self, thread)
                                  ? TB_STATE_RUNNABLE
                                  : TB_STATE_UNKNOWN;
      }
}

#define INCLUDE_EVENTS(columns, thread_column, time_column)                                        \
  for (gsize i = 0; i < self->input->columns.n && !tb_trace_is_cancelled_at (i); i++)              \
  include_event (self, self->input->columns.thread_column[i], self->input->columns.time_column[i])

/* The lifetime of a thread begins at its fork, else with the recording if the thread is listed as
 * existing then, else at its first event. */
void
tb_trace_state_init_threads (TbTraceState *self)
{
  const TbTraceInput *input = self->input;

  if (input->has_thread_switches || input->has_joined_switches)
    find_switched (self);
  else
    find_switched_inside (self);
  self->threads = g_new0 (TbThreadState, MAX (input->n_threads, 1));
  for (guint thread = 0; thread < input->n_threads; thread++)
    self->threads[thread] = (TbThreadState) { .since = TB_TIME_NONE,
                                              .early_wakeup = TB_ID_NONE,
                                              .runnable_by = TB_ID_NONE,
                                              .last_row = TB_ID_NONE,
                                              .sleep_row = TB_ID_NONE,
                                              .cpu = TB_CPU_ALL };

  include_switches (self);
  INCLUDE_EVENTS (wakeups, waker, time);
  INCLUDE_EVENTS (wakeups, wakee, time);
  INCLUDE_EVENTS (processes, thread, time);
  INCLUDE_EVENTS (processes, creator, time);
  INCLUDE_EVENTS (samples, thread, time);
  INCLUDE_EVENTS (syscalls, thread, enter);
  INCLUDE_EVENTS (syscalls, thread, exit);
  INCLUDE_EVENTS (blocks, thread, insert);
  INCLUDE_EVENTS (networks, thread, time);
  INCLUDE_EVENTS (marks, thread, time);
  begin_recorded_threads (self);
}

/* Closes the current interval of a thread at end, in the given state. */
TbRow *
tb_trace_state_emit (TbTraceState *self, guint32 thread, gint64 end, TbState state, guint8 flags)
{
  TbThreadState *thread_state = &self->threads[thread];
  TbRow *row;

  if (end <= thread_state->since)
    return NULL;
  row = tb_rows_add (&self->rows, thread);
  *row = (TbRow) { .start = thread_state->since,
                   .end = end,
                   .previous = thread_state->last_row,
                   .wakeup = TB_ID_NONE,
                   .cpu = thread_state->cpu,
                   .state = state,
                   .flags = thread_state->flags | flags };
  thread_state->last_row = self->rows.n - 1;
  thread_state->since = end;
  return row;
}

static void
set_kernel_work (TbTraceState *self, guint32 thread, TbRow *row)
{
  if (self->input->thread_traits != NULL && (self->input->thread_traits[thread] & TB_THREAD_KERNEL))
    {
      row->flags |= TB_INTERVAL_KERNEL_WORK;
      if (row->state == TB_STATE_INTERRUPTIBLE)
        row->kind = TB_WAIT_WORK;
    }
}

TbRow *
tb_trace_state_emit_sleep (TbTraceState *self, guint32 thread, gint64 end, guint8 flags)
{
  TbThreadState *thread_state = &self->threads[thread];
  TbRow *row = tb_trace_state_emit (self, thread, end, thread_state->state, flags);

  if (row != NULL)
    {
      row->stack = thread_state->stack;
      set_kernel_work (self, thread, row);
    }
  return row;
}

static void
emit_runnable (TbTraceState *self, guint32 thread, gint64 end, guint32 runnable_by, guint8 flags)
{
  TbThreadState *thread_state = &self->threads[thread];
  TbRow *row = tb_trace_state_emit (self, thread, end, TB_STATE_RUNNABLE, flags);

  if (row != NULL)
    {
      row->stack = thread_state->stack;
      row->wakeup = runnable_by;
      row->flags &= ~TB_INTERVAL_UNKNOWN_SLEEP;
    }
}

/* Closes the current interval at end, in the state that the thread is known to be in. */
void
tb_trace_state_emit_current (TbTraceState *self, guint32 thread, gint64 end, guint8 flags)
{
  TbThreadState *thread_state = &self->threads[thread];

  if (tb_thread_state_is_sleeping (thread_state) && thread_state->early_wakeup != TB_ID_NONE)
    emit_runnable (self, thread, end, thread_state->early_wakeup, flags);
  else if (tb_thread_state_is_sleeping (thread_state))
    tb_trace_state_emit_sleep (self, thread, end, flags);
  else if (thread_state->state == TB_STATE_RUNNABLE)
    emit_runnable (self, thread, end, thread_state->runnable_by, flags);
  else
    tb_trace_state_emit (self, thread, end, thread_state->state, flags);
}

/* No interval extends across lost events: if events were lost during the current interval, it ends
 * there, and the state after it is unknown. */
void
tb_trace_state_cut_at_gaps (TbTraceState *self, guint32 thread, gint64 time)
{
  TbThreadState *thread_state = &self->threads[thread];
  gint64 at;

  at = thread_state->state == TB_STATE_RUNNING
           ? tb_gaps_find_on_cpu (&self->gaps, thread_state->cpu, thread_state->since, time)
           : tb_gaps_find_any (&self->gaps, thread_state->since, time);
  if (at < 0)
    return;
  if (thread_state->state != TB_STATE_UNKNOWN)
    {
      tb_trace_state_emit_current (self, thread, at, TB_INTERVAL_UNCERTAIN);
      tb_trace_state_enter (self, thread, at, TB_STATE_UNKNOWN, 0);
      thread_state->cpu = TB_CPU_ALL;
      thread_state->sleep_row = TB_ID_NONE;
      thread_state->declared_false = FALSE;
    }
  thread_state->flags |= TB_INTERVAL_UNCERTAIN;
}

void
tb_trace_state_drop_early_wakeup (TbTraceState *self, TbThreadState *thread_state)
{
  if (thread_state->early_wakeup == TB_ID_NONE)
    return;
  self->counts.stray_wakeups++;
  thread_state->early_wakeup = TB_ID_NONE;
}

void
tb_trace_state_end_thread (TbTraceState *self, guint32 thread, gint64 time)
{
  TbThreadState *thread_state = &self->threads[thread];

  tb_trace_state_cut_at_losses (self, thread, time);
  tb_trace_state_emit_current (self, thread, time, 0);
  if (!tb_thread_state_is_sleeping (thread_state))
    tb_trace_state_drop_early_wakeup (self, thread_state);
  tb_trace_state_enter (self, thread, time, TB_STATE_UNKNOWN, 0);
  thread_state->state = TB_STATE_DEAD;
}

/* The kernel records the exit of a thread before it notifies the parent. The thread runs on, and
 * may even wait, until it leaves its CPU for the last time. If that was not recorded, it ends at
 * its exit. */
void
tb_trace_state_exit_thread (TbTraceState *self, guint32 thread, gint64 time)
{
  TbThreadState *thread_state = &self->threads[thread];

  tb_trace_state_cut_at_losses (self, thread, time);
  if (thread_state->n_switches > 0
      && (thread_state->state == TB_STATE_RUNNING || thread_state->state == TB_STATE_UNKNOWN))
    thread_state->is_exiting = true;
  else
    tb_trace_state_end_thread (self, thread, time);
}
