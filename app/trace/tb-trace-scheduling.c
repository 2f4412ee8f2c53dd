/* tb-trace-scheduling.c: effects of switches and wake-ups on thread states
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-moment-private.h"

/* The wait that ended with a false wake-up continues: the intervals since its start are
 * withdrawn. */
static gboolean
withdraw_false_wait (TbMoment *self, guint32 thread, gint64 *since, TbRow *sleep)
{
  TbLife *life = &self->lives[thread];
  TbRow *rows = self->rows.rows;

  for (guint32 i = life->last_row; i != TB_ID_NONE && i != life->sleep_row; i = rows[i].before)
    if (rows[i].state == TB_STATE_UNKNOWN || tb_life_is_sleeping (&(TbLife) { .state = rows[i].state }))
      return FALSE;
  *sleep = rows[life->sleep_row];
  *since = sleep->start;
  for (guint32 i = life->last_row; i != TB_ID_NONE; i = rows[i].before)
    {
      self->rows.threads[i] = TB_ID_NONE;
      if (i == life->sleep_row)
        break;
    }
  life->last_row = sleep->before;
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
begin_sleep (TbMoment *self, guint32 thread, gint64 time, guint8 letter, guint32 stack)
{
  TbLife *life = &self->lives[thread];
  guint32 early = life->early;
  gboolean declared_false = life->declared_false;
  gint64 false_since;
  TbRow sleep;

  life->declared_false = FALSE;
  if (early != TB_ID_NONE && time - life->early_time > self->input->waking_grace)
    {
      self->counts.stray_wakeups++;
      early = TB_ID_NONE;
    }
  /* If the thread was woken before it left the CPU, there is no second wait to merge the first one
   * with. */
  if (declared_false && early == TB_ID_NONE && withdraw_false_wait (self, thread, &false_since, &sleep))
    {
      tb_moment_enter_state (self, thread, time, sleep.state, sleep.flags);
      life->since = false_since;
      life->stack = sleep.stack;
    }
  else
    {
      self->counts.unmatched_marks += declared_false;
      tb_moment_enter_state (self, thread, time, sleep_state (letter), 0);
      life->stack = stack;
      life->early = early;
    }
  life->stopped = letter == 'T';
  life->sleep_row = TB_ID_NONE;
}

static void
switch_out (TbMoment *self,
            guint32 thread,
            gint64 time,
            guint16 cpu,
            guint8 letter,
            guint32 stack,
            gboolean first_there)
{
  TbLife *life = &self->lives[thread];

  tb_moment_settle (self, thread, time);
  if (life->state == TB_STATE_RUNNING && life->cpu == cpu)
    tb_moment_emit (self, thread, time, TB_STATE_RUNNING, 0);
  else
    {
      /* The thread was not known to run here, so the start of its run is unknown. */
      gboolean initial = life->state == TB_STATE_UNKNOWN && first_there;

      if (!initial)
        self->counts.unknown_switch_outs++;
      tb_moment_drop_early (self, life);
      life->cpu = TB_CPU_ALL;
      tb_moment_emit (self, thread, time, TB_STATE_UNKNOWN, initial ? 0 : TB_INTERVAL_UNCERTAIN);
      life->sleep_row = TB_ID_NONE;
      life->declared_false = FALSE;
    }

  switch (letter)
    {
    case 'X':
    case 'Z':
    case 'x':
      tb_moment_die (self, thread, time);
      return;
    case 'R':
    case '+':
      tb_moment_drop_early (self, life);
      tb_moment_enter_state (self, thread, time, TB_STATE_RUNNABLE, TB_INTERVAL_PREEMPTED);
      life->stack = stack;
      break;
    default:
      begin_sleep (self, thread, time, letter, stack);
      break;
    }
  life->cpu = cpu;
}

static void
switch_in (TbMoment *self, guint32 thread, gint64 time, guint16 cpu)
{
  TbLife *life = &self->lives[thread];
  TbRow *row;

  tb_moment_settle (self, thread, time);
  if (tb_life_is_sleeping (life) && life->early == TB_ID_NONE)
    {
      row = tb_moment_emit_sleep (self, thread, time, TB_INTERVAL_UNCERTAIN);
      if (row != NULL)
        {
          row->cause_kind = TB_CAUSE_UNKNOWN;
          self->counts.sleeps_without_waking++;
        }
    }
  else if (life->state == TB_STATE_RUNNING)
    {
      /* The switch that took it off its CPU was not recorded. */
      self->counts.unknown_switch_outs++;
      tb_moment_drop_early (self, life);
      life->cpu = TB_CPU_ALL;
      tb_moment_emit (self, thread, time, TB_STATE_UNKNOWN, TB_INTERVAL_UNCERTAIN);
      life->sleep_row = TB_ID_NONE;
      life->declared_false = FALSE;
    }
  else
    {
      /* The CPU it runs on now is the CPU it waited for. */
      if (life->state != TB_STATE_UNKNOWN)
        life->cpu = cpu;
      tb_moment_emit_present (self, thread, time, 0);
    }
  tb_moment_enter_state (self, thread, time, TB_STATE_RUNNING, 0);
  life->cpu = cpu;
}

/* Another thread leaves the CPU on which this thread was assumed to run. */
static void
lose_track (TbMoment *self, guint32 thread, gint64 time)
{
  TbLife *life = &self->lives[thread];

  tb_moment_settle (self, thread, time);
  tb_moment_drop_early (self, life);
  self->counts.unknown_switch_outs++;
  /* The length of its run before that is unknown, too. */
  tb_moment_enter_state (self, thread, life->since, TB_STATE_UNKNOWN, TB_INTERVAL_UNCERTAIN);
  life->cpu = TB_CPU_ALL;
  life->sleep_row = TB_ID_NONE;
  life->declared_false = FALSE;
}

void
tb_moment_turn_up (TbMoment *self, guint32 thread, guint16 cpu, gint64 since, gint64 time)
{
  TbLife *life = &self->lives[thread];
  TbRow *row;

  tb_moment_settle (self, thread, time);
  if (life->state == TB_STATE_RUNNING)
    return;
  /* While another thread was known to run there, the thread was in its last known state. */
  if (tb_life_is_sleeping (life) && life->early == TB_ID_NONE)
    {
      row = tb_moment_emit_sleep (self, thread, since, TB_INTERVAL_UNCERTAIN);
      if (row != NULL)
        {
          row->cause_kind = TB_CAUSE_UNKNOWN;
          self->counts.sleeps_without_waking++;
        }
    }
  else if (life->state != TB_STATE_UNKNOWN)
    tb_moment_emit_present (self, thread, since, 0);
  self->counts.unknown_switch_outs++;
  tb_moment_drop_early (self, life);
  life->cpu = TB_CPU_ALL;
  life->flags &= ~TB_INTERVAL_PREEMPTED;
  tb_moment_emit (self, thread, time, TB_STATE_UNKNOWN, TB_INTERVAL_UNCERTAIN);
  life->sleep_row = TB_ID_NONE;
  life->declared_false = FALSE;
  tb_moment_enter_state (self, thread, time, TB_STATE_RUNNING, 0);
  life->cpu = cpu;
}

void
tb_moment_switch (TbMoment *self, guint32 i, gint64 time)
{
  const TbSwitchColumns *switches = &self->input->switches;
  guint32 prev = switches->prev[i], next = switches->next[i];
  guint16 cpu_id = switches->cpu[i];
  TbCpu *cpu = &self->causes.cpus[cpu_id];

  if (prev == next)
    return;
  tb_causes_switch (&self->causes, cpu_id, time);
  if (cpu->current != prev && cpu->current != TB_ID_NONE)
    {
      if (tb_moment_is_alive (self, cpu->current, time) && self->lives[cpu->current].state == TB_STATE_RUNNING
          && self->lives[cpu->current].cpu == cpu_id)
        lose_track (self, cpu->current, time);
      cpu->idle_missed += cpu->current == TB_THREAD_IDLE;
    }
  cpu->to_idle += next == TB_THREAD_IDLE;
  cpu->from_idle += prev == TB_THREAD_IDLE;
  if (tb_moment_is_alive (self, prev, time))
    switch_out (self, prev, time, cpu_id, switches->prev_state[i], switches->stack[i], !cpu->seen_switch);
  if (tb_moment_is_alive (self, next, time))
    switch_in (self, next, time, cpu_id);
  cpu->current = next;
  cpu->seen_switch = TRUE;
}

/* A wake-up of a thread that is not asleep: it may be about to sleep, or newly created. */
static void
wake_awake (TbMoment *self, TbLife *life, guint32 i, gint64 time)
{
  if (life->state == TB_STATE_RUNNING)
    {
      tb_moment_drop_early (self, life);
      life->early = i;
      life->early_time = time;
    }
  else if (life->made_by == TB_ID_NONE && (self->input->wakeups.flags[i] & TB_WAKEUP_NEW))
    life->made_by = i;
  else
    self->counts.stray_wakeups++;
}

void
tb_moment_wake (TbMoment *self, guint32 i, gint64 time)
{
  const TbWakeupColumns *wakeups = &self->input->wakeups;
  guint32 wakee = wakeups->wakee[i];
  TbLife *life;
  TbCauseKind kind;
  guint32 cause;
  TbRow *row;

  if (self->has_wakings && (wakeups->flags[i] & TB_WAKEUP_LATE))
    return;
  if (wakee == TB_THREAD_IDLE)
    return;
  if (!tb_moment_is_alive (self, wakee, time))
    {
      self->counts.stray_wakeups++;
      return;
    }
  if (wakeups->waker[i] == wakee && !tb_causes_in_interrupt (&self->causes, i))
    {
      self->counts.self_wakeups++;
      return;
    }

  tb_moment_settle (self, wakee, time);
  life = &self->lives[wakee];
  if (life->state == TB_STATE_RUNNING || life->state == TB_STATE_RUNNABLE)
    {
      wake_awake (self, life, i, time);
      return;
    }
  kind = tb_causes_find (&self->causes, i, life->stopped, &cause);
  if (kind == TB_CAUSE_THREAD && cause == wakee)
    {
      self->counts.self_wakeups++;
      return;
    }
  tb_moment_drop_early (self, life);
  row = tb_life_is_sleeping (life) ? tb_moment_emit_sleep (self, wakee, time, 0)
                                   : tb_moment_emit (self, wakee, time, TB_STATE_UNKNOWN, 0);
  if (row != NULL)
    {
      row->cause_kind = kind;
      row->cause = cause;
      row->wakeup = i;
    }
  life->sleep_row = row != NULL && row->state != TB_STATE_UNKNOWN ? self->rows.n - 1 : TB_ID_NONE;
  life->declared_false = FALSE;
  tb_moment_enter_state (self, wakee, time, TB_STATE_RUNNABLE, 0);
  life->made_by = i;
  life->cpu = TB_CPU_ALL;
}
