/* tb-trace-scheduling.c: effects of thread switches, wake-ups and inferred runs on the states of
 * threads, in the pass over the events: they end intervals, with causes, and begin new ones
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-state-private.h"

/* The wait that ended with a false wake-up continues: the intervals since its start are
 * withdrawn. */
static gboolean
withdraw_false_wait (TbTraceState *self, guint32 thread, gint64 *since, TbRow *sleep)
{
  TbThreadState *thread_state = &self->threads[thread];
  TbRow *rows = self->rows.rows;

  for (guint32 i = thread_state->last_row; i != TB_ID_NONE && i != thread_state->sleep_row;
       i = rows[i].previous)
    if (rows[i].state == TB_STATE_UNKNOWN
        || tb_thread_state_is_sleeping (&(TbThreadState) { .state = rows[i].state }))
      return FALSE;
  *sleep = rows[thread_state->sleep_row];
  *since = sleep->start;
  for (guint32 i = thread_state->last_row; i != TB_ID_NONE; i = rows[i].previous)
    {
      self->rows.threads[i] = TB_ID_NONE;
      if (i == thread_state->sleep_row)
        break;
    }
  thread_state->last_row = sleep->previous;
  self->counts.merged_false_wakeups++;
  return TRUE;
}

static TbState
sleep_state (guint8 letter)
{
  switch (letter)
    {
    case 'D':
    case 'K':
      return TB_STATE_UNINTERRUPTIBLE;
    case 'T':
    case 't':
      return TB_STATE_STOPPED;
    default:
      return TB_STATE_INTERRUPTIBLE;
    }
}

static void
begin_sleep (TbTraceState *self, guint32 thread, gint64 time, guint8 letter, guint32 stack)
{
  TbThreadState *thread_state = &self->threads[thread];
  guint32 early_wakeup = thread_state->early_wakeup;
  gboolean declared_false = thread_state->declared_false;
  gint64 false_since;
  TbRow sleep;

  thread_state->declared_false = FALSE;
  if (early_wakeup != TB_ID_NONE
      && time - thread_state->early_wakeup_time > self->input->wakeup_tolerance)
    {
      self->counts.stray_wakeups++;
      early_wakeup = TB_ID_NONE;
    }
  /* If the thread was woken before it left the CPU, there is no second wait to merge the first one
   * with. */
  if (declared_false && early_wakeup == TB_ID_NONE
      && withdraw_false_wait (self, thread, &false_since, &sleep))
    {
      tb_trace_state_enter (self, thread, time, sleep.state, sleep.flags);
      thread_state->since = false_since;
      thread_state->stack = sleep.stack;
    }
  else
    {
      self->counts.unmatched_marks += declared_false;
      tb_trace_state_enter (self, thread, time, sleep_state (letter),
                            letter == TB_PREV_STATE_ASLEEP ? TB_INTERVAL_UNKNOWN_SLEEP : 0);
      thread_state->stack = stack;
      thread_state->early_wakeup = early_wakeup;
    }
  thread_state->stopped = letter == 'T';
  thread_state->sleep_row = TB_ID_NONE;
}

/* Ends an interval in which it is not known what the thread did, although it should be. */
static void
emit_unknown (TbTraceState *self, guint32 thread, gint64 time, guint8 flags)
{
  TbThreadState *thread_state = &self->threads[thread];

  tb_trace_state_drop_early_wakeup (self, thread_state);
  thread_state->cpu = TB_CPU_ALL;
  thread_state->flags &= ~(TB_INTERVAL_PREEMPTED | TB_INTERVAL_UNKNOWN_SLEEP);
  tb_trace_state_emit (self, thread, time, TB_STATE_UNKNOWN, flags);
  thread_state->sleep_row = TB_ID_NONE;
  thread_state->declared_false = FALSE;
}

/* Where the CPU of a run or of its end was not recorded, it is that of the other. */
static gboolean
is_running_on (const TbThreadState *thread_state, guint16 cpu)
{
  return thread_state->state == TB_STATE_RUNNING
         && (thread_state->cpu == cpu || thread_state->cpu == TB_CPU_ALL || cpu == TB_CPU_ALL);
}

/* Whether a thread that leaves its CPU has ended. Records of switches have no state that shows it:
 * then a thread whose exit was recorded has ended at its last switch. */
static gboolean
is_last_switch (const TbThreadState *thread_state, guint8 letter)
{
  switch (letter)
    {
    case 'X':
    case 'Z':
    case 'x':
      return TRUE;
    case TB_PREV_STATE_ASLEEP:
    case TB_PREV_STATE_UNKNOWN:
      return thread_state->is_exiting && thread_state->n_switches == 0;
    default:
      return FALSE;
    }
}

static void
switch_out (TbTraceState *self,
            guint32 thread,
            gint64 time,
            guint16 cpu,
            guint8 letter,
            guint32 stack,
            gboolean first_there)
{
  TbThreadState *thread_state = &self->threads[thread];
  gboolean is_known = tb_trace_state_is_switched (self, thread);

  if (is_running_on (thread_state, cpu) && thread_state->cpu == TB_CPU_ALL)
    thread_state->cpu = cpu;
  tb_trace_state_cut_at_losses (self, thread, time);
  if (is_running_on (thread_state, cpu))
    tb_trace_state_emit (self, thread, time, TB_STATE_RUNNING, 0);
  else
    {
      /* The thread was not known to run here, so the start of its run is unknown. */
      gboolean initial = !is_known || (thread_state->state == TB_STATE_UNKNOWN && first_there);

      if (!initial)
        self->counts.unknown_switch_outs++;
      emit_unknown (self, thread, time, initial ? 0 : TB_INTERVAL_UNCERTAIN);
    }

  if (is_last_switch (thread_state, letter))
    {
      tb_trace_state_end_thread (self, thread, time);
      return;
    }
  switch (is_known ? letter : TB_PREV_STATE_UNKNOWN)
    {
    case TB_PREV_STATE_UNKNOWN:
      tb_trace_state_drop_early_wakeup (self, thread_state);
      tb_trace_state_enter (self, thread, time, TB_STATE_UNKNOWN,
                            is_known ? TB_INTERVAL_UNCERTAIN : 0);
      thread_state->cpu = TB_CPU_ALL;
      return;
    case 'R':
    case TB_PREV_STATE_PREEMPTED:
      tb_trace_state_drop_early_wakeup (self, thread_state);
      tb_trace_state_enter (self, thread, time, TB_STATE_RUNNABLE, TB_INTERVAL_PREEMPTED);
      thread_state->stack = stack;
      break;
    default:
      begin_sleep (self, thread, time, letter, stack);
      break;
    }
  thread_state->cpu = cpu;
}

static void
switch_in (TbTraceState *self, guint32 thread, gint64 time, guint16 cpu)
{
  TbThreadState *thread_state = &self->threads[thread];
  TbRow *row;

  tb_trace_state_cut_at_losses (self, thread, time);
  if (tb_thread_state_is_sleeping (thread_state) && thread_state->early_wakeup == TB_ID_NONE)
    {
      row = tb_trace_state_emit_sleep (self, thread, time, TB_INTERVAL_UNCERTAIN);
      if (row != NULL)
        {
          row->cause_kind = TB_CAUSE_UNKNOWN;
          /* Other threads wake it, of which nothing was recorded. */
          self->counts.sleeps_without_wakeup += !self->input->has_thread_switches;
        }
    }
  else if (thread_state->state == TB_STATE_RUNNING)
    {
      /* The switch that took it off its CPU was not recorded. */
      self->counts.unknown_switch_outs += tb_trace_state_is_switched (self, thread);
      emit_unknown (self, thread, time, TB_INTERVAL_UNCERTAIN);
    }
  else
    {
      /* The CPU it runs on now is the CPU it waited for. */
      if (thread_state->state != TB_STATE_UNKNOWN)
        thread_state->cpu = cpu;
      tb_trace_state_emit_current (self, thread, time, 0);
    }
  tb_trace_state_enter (self, thread, time, TB_STATE_RUNNING, 0);
  thread_state->cpu = cpu;
}

/* Another thread leaves the CPU on which this thread was assumed to run. */
static void
mark_unknown (TbTraceState *self, guint32 thread, gint64 time)
{
  TbThreadState *thread_state = &self->threads[thread];

  tb_trace_state_cut_at_losses (self, thread, time);
  tb_trace_state_drop_early_wakeup (self, thread_state);
  self->counts.unknown_switch_outs += tb_trace_state_is_switched (self, thread);
  /* The length of its run before that is unknown, too. */
  tb_trace_state_enter (self, thread, thread_state->since, TB_STATE_UNKNOWN, TB_INTERVAL_UNCERTAIN);
  thread_state->cpu = TB_CPU_ALL;
  thread_state->sleep_row = TB_ID_NONE;
  thread_state->declared_false = FALSE;
}

void
tb_trace_state_handle_inferred_run (TbTraceState *self,
                                    guint32 thread,
                                    guint16 cpu,
                                    gint64 since,
                                    gint64 time)
{
  TbThreadState *thread_state = &self->threads[thread];
  TbRow *row;

  tb_trace_state_cut_at_losses (self, thread, time);
  if (thread_state->state == TB_STATE_RUNNING || !tb_trace_state_is_switched (self, thread))
    return;
  /* While another thread was known to run there, the thread was in its last known state. */
  if (tb_thread_state_is_sleeping (thread_state) && thread_state->early_wakeup == TB_ID_NONE)
    {
      row = tb_trace_state_emit_sleep (self, thread, since, TB_INTERVAL_UNCERTAIN);
      if (row != NULL)
        {
          row->cause_kind = TB_CAUSE_UNKNOWN;
          self->counts.sleeps_without_wakeup++;
        }
    }
  else if (thread_state->state != TB_STATE_UNKNOWN)
    tb_trace_state_emit_current (self, thread, since, 0);
  self->counts.unknown_switch_outs++;
  emit_unknown (self, thread, time, TB_INTERVAL_UNCERTAIN);
  tb_trace_state_enter (self, thread, time, TB_STATE_RUNNING, 0);
  thread_state->cpu = cpu;
}

/* Sets the thread that runs on a CPU, and ends the run of the thread that was assumed to. */
static void
switch_cpu (TbTraceState *self, guint16 cpu_id, guint32 prev, guint32 next, gint64 time)
{
  TbCpu *cpu = &self->causes.cpus[cpu_id];

  tb_causes_switch (&self->causes, cpu_id, time);
  if (cpu->current != prev && cpu->current != TB_ID_NONE)
    {
      if (tb_trace_state_is_alive (self, cpu->current, time)
          && self->threads[cpu->current].state == TB_STATE_RUNNING
          && self->threads[cpu->current].cpu == cpu_id)
        mark_unknown (self, cpu->current, time);
      cpu->idle_missed += cpu->current == TB_THREAD_IDLE;
    }
  cpu->to_idle += next == TB_THREAD_IDLE;
  cpu->from_idle += prev == TB_THREAD_IDLE;
  cpu->current = next;
  cpu->seen_switch = TRUE;
}

static void
pass_switch (TbTraceState *self, guint32 thread)
{
  if (thread < self->input->n_threads && self->threads[thread].n_switches > 0)
    self->threads[thread].n_switches--;
}

void
tb_trace_state_handle_switch (TbTraceState *self, guint32 i, gint64 time)
{
  const TbSwitchColumns *switches = &self->input->switches;
  guint32 prev = switches->prev[i], next = switches->next[i];
  guint16 cpu_id = switches->cpu[i];
  const TbCpu *cpu = tb_causes_get_cpu (&self->causes, cpu_id);
  gboolean first_there = cpu == NULL || !cpu->seen_switch;

  if (prev == next)
    return;
  pass_switch (self, prev);
  pass_switch (self, next);
  if (cpu != NULL)
    switch_cpu (self, cpu_id, prev, next, time);
  if (tb_trace_state_is_alive (self, prev, time))
    {
      if (self->input->has_thread_switches)
        first_there = self->threads[prev].last_row == TB_ID_NONE;
      switch_out (self, prev, time, cpu_id, switches->prev_state[i], switches->stack[i],
                  first_there);
    }
  if (tb_trace_state_is_alive (self, next, time))
    switch_in (self, next, time, cpu_id);
}

/* A wake-up of a thread that is not asleep: it may be about to sleep, or newly created. */
static void
handle_wakeup_of_awake (TbTraceState *self, TbThreadState *thread_state, guint32 i, gint64 time)
{
  if (thread_state->state == TB_STATE_RUNNING)
    {
      tb_trace_state_drop_early_wakeup (self, thread_state);
      thread_state->early_wakeup = i;
      thread_state->early_wakeup_time = time;
    }
  else if (thread_state->runnable_by == TB_ID_NONE
           && (self->input->wakeups.flags[i] & TB_WAKEUP_NEW))
    thread_state->runnable_by = i;
  else
    self->counts.stray_wakeups++;
}

void
tb_trace_state_handle_wakeup (TbTraceState *self, guint32 i, gint64 time)
{
  const TbWakeupColumns *wakeups = &self->input->wakeups;
  guint32 wakee = wakeups->wakee[i];
  TbThreadState *thread_state;
  TbCauseKind kind;
  guint32 cause;
  TbRow *row;

  if (self->has_waking_events && (wakeups->flags[i] & TB_WAKEUP_LATE))
    return;
  /* Without switches it is not known what the wakee did until then and does from then on. */
  if (wakee == TB_THREAD_IDLE || self->input->switches.n == 0
      || !tb_trace_state_is_switched (self, wakee))
    return;
  if (!tb_trace_state_is_alive (self, wakee, time))
    {
      self->counts.stray_wakeups++;
      return;
    }
  if (wakeups->waker[i] == wakee && !tb_causes_in_interrupt (&self->causes, i))
    {
      self->counts.self_wakeups++;
      return;
    }

  tb_trace_state_cut_at_losses (self, wakee, time);
  thread_state = &self->threads[wakee];
  if (thread_state->state == TB_STATE_RUNNING || thread_state->state == TB_STATE_RUNNABLE)
    {
      handle_wakeup_of_awake (self, thread_state, i, time);
      return;
    }
  kind = tb_causes_find (&self->causes, i, thread_state->stopped, &cause);
  if (kind == TB_CAUSE_THREAD && cause == wakee)
    {
      self->counts.self_wakeups++;
      return;
    }
  tb_trace_state_drop_early_wakeup (self, thread_state);
  row = tb_thread_state_is_sleeping (thread_state)
            ? tb_trace_state_emit_sleep (self, wakee, time, 0)
            : tb_trace_state_emit (self, wakee, time, TB_STATE_UNKNOWN, 0);
  if (row != NULL)
    {
      row->cause_kind = kind;
      row->cause = cause;
      row->wakeup = i;
    }
  thread_state->sleep_row
      = row != NULL && row->state != TB_STATE_UNKNOWN ? self->rows.n - 1 : TB_ID_NONE;
  thread_state->declared_false = FALSE;
  tb_trace_state_enter (self, wakee, time, TB_STATE_RUNNABLE, 0);
  thread_state->runnable_by = i;
  thread_state->cpu = TB_CPU_ALL;
}
