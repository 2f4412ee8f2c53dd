/* tb-trace-moment.c: state of every thread at the current time of the pass over the events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-moment-private.h"
#include "trace/tb-trace-private.h"

static void
note_event (TbMoment *self, guint32 thread, gint64 time)
{
  if (time < 0 || thread >= self->input->n_threads)
    return;
  time = CLAMP (time, self->input->from, self->input->to);
  if (self->lives[thread].since == TB_TIME_NONE || time < self->lives[thread].since)
    self->lives[thread].since = time;
}

/* Sets the start of threads that were forked, or listed as existing at the start. */
static void
begin_as_told (TbMoment *self)
{
  const TbTraceInput *input = self->input;
  const TbProcessColumns *processes = &input->processes;

  for (gsize i = 0; i < processes->n; i++)
    if (processes->kind[i] == TB_PROCESS_EXISTING && processes->thread[i] < input->n_threads)
      {
        self->lives[processes->thread[i]].since = input->from;
        self->lives[processes->thread[i]].flags = TB_INTERVAL_OPEN_START;
      }
  for (gsize i = processes->n; i > 0; i--)
    if (processes->kind[i - 1] == TB_PROCESS_FORK && processes->thread[i - 1] < input->n_threads
        && processes->time[i - 1] >= 0)
      {
        TbLife *life = &self->lives[processes->thread[i - 1]];

        life->since = CLAMP (processes->time[i - 1], input->from, input->to);
        life->flags = 0;
        life->state = TB_STATE_RUNNABLE;
      }
}

#define NOTE_EVENTS(columns, thread_column, time_column)                                                     \
  for (gsize i = 0; i < self->input->columns.n && !tb_trace_is_given_up_at (i); i++)                         \
  note_event (self, self->input->columns.thread_column[i], self->input->columns.time_column[i])

/* The lifetime of a thread begins at its fork, else with the recording if the thread is listed as
 * existing then, else at its first event. */
void
tb_moment_init_lives (TbMoment *self)
{
  const TbTraceInput *input = self->input;

  self->lives = g_new0 (TbLife, MAX (input->n_threads, 1));
  for (guint thread = 0; thread < input->n_threads; thread++)
    self->lives[thread] = (TbLife) { .since = TB_TIME_NONE,
                                     .early = TB_ID_NONE,
                                     .made_by = TB_ID_NONE,
                                     .last_row = TB_ID_NONE,
                                     .sleep_row = TB_ID_NONE,
                                     .cpu = TB_CPU_ALL };

  NOTE_EVENTS (switches, prev, time);
  NOTE_EVENTS (switches, next, time);
  NOTE_EVENTS (wakeups, waker, time);
  NOTE_EVENTS (wakeups, wakee, time);
  NOTE_EVENTS (processes, thread, time);
  NOTE_EVENTS (processes, creator, time);
  NOTE_EVENTS (samples, thread, time);
  NOTE_EVENTS (syscalls, thread, enter);
  NOTE_EVENTS (syscalls, thread, exit);
  NOTE_EVENTS (blocks, thread, insert);
  NOTE_EVENTS (networks, thread, time);
  NOTE_EVENTS (marks, thread, time);
  begin_as_told (self);
}

/* Closes the current interval of a thread at end, in the given state. */
TbRow *
tb_moment_emit (TbMoment *self, guint32 thread, gint64 end, TbState state, guint8 flags)
{
  TbLife *life = &self->lives[thread];
  TbRow *row;

  if (end <= life->since)
    return NULL;
  row = tb_rows_add (&self->rows, thread);
  *row = (TbRow) { .start = life->since,
                   .end = end,
                   .before = life->last_row,
                   .wakeup = TB_ID_NONE,
                   .cpu = life->cpu,
                   .state = state,
                   .flags = life->flags | flags };
  life->last_row = self->rows.n - 1;
  life->since = end;
  return row;
}

static void
set_kernel_work (TbMoment *self, guint32 thread, TbRow *row)
{
  if (self->input->thread_traits != NULL && (self->input->thread_traits[thread] & TB_THREAD_KERNEL))
    {
      row->flags |= TB_INTERVAL_KERNEL_WORK;
      if (row->state == TB_STATE_INTERRUPTIBLE)
        row->kind = TB_WAIT_WORK;
    }
}

TbRow *
tb_moment_emit_sleep (TbMoment *self, guint32 thread, gint64 end, guint8 flags)
{
  TbLife *life = &self->lives[thread];
  TbRow *row = tb_moment_emit (self, thread, end, life->state, flags);

  if (row != NULL)
    {
      row->stack = life->stack;
      set_kernel_work (self, thread, row);
    }
  return row;
}

static void
emit_runnable (TbMoment *self, guint32 thread, gint64 end, guint32 made_by, guint8 flags)
{
  TbLife *life = &self->lives[thread];
  TbRow *row = tb_moment_emit (self, thread, end, TB_STATE_RUNNABLE, flags);

  if (row != NULL)
    {
      row->stack = life->stack;
      row->wakeup = made_by;
    }
}

/* Closes the current interval at end, in the state that the thread is known to be in. */
void
tb_moment_emit_present (TbMoment *self, guint32 thread, gint64 end, guint8 flags)
{
  TbLife *life = &self->lives[thread];

  if (tb_life_is_sleeping (life) && life->early != TB_ID_NONE)
    emit_runnable (self, thread, end, life->early, flags);
  else if (tb_life_is_sleeping (life))
    tb_moment_emit_sleep (self, thread, end, flags);
  else if (life->state == TB_STATE_RUNNABLE)
    emit_runnable (self, thread, end, life->made_by, flags);
  else
    tb_moment_emit (self, thread, end, life->state, flags);
}

/* No interval extends across lost events: if events were lost during the current interval, it ends
 * there, and the state after it is unknown. */
void
tb_moment_settle_gaps (TbMoment *self, guint32 thread, gint64 time)
{
  TbLife *life = &self->lives[thread];
  gint64 at;

  at = life->state == TB_STATE_RUNNING ? tb_gaps_find_on_cpu (&self->gaps, life->cpu, life->since, time)
                                       : tb_gaps_find_any (&self->gaps, life->since, time);
  if (at < 0)
    return;
  if (life->state != TB_STATE_UNKNOWN)
    {
      tb_moment_emit_present (self, thread, at, TB_INTERVAL_UNCERTAIN);
      tb_moment_enter_state (self, thread, at, TB_STATE_UNKNOWN, 0);
      life->cpu = TB_CPU_ALL;
      life->sleep_row = TB_ID_NONE;
      life->declared_false = FALSE;
    }
  life->flags |= TB_INTERVAL_UNCERTAIN;
}

void
tb_moment_drop_early (TbMoment *self, TbLife *life)
{
  if (life->early == TB_ID_NONE)
    return;
  self->counts.stray_wakeups++;
  life->early = TB_ID_NONE;
}

void
tb_moment_die (TbMoment *self, guint32 thread, gint64 time)
{
  TbLife *life = &self->lives[thread];

  tb_moment_settle (self, thread, time);
  tb_moment_emit_present (self, thread, time, 0);
  if (!tb_life_is_sleeping (life))
    tb_moment_drop_early (self, life);
  tb_moment_enter_state (self, thread, time, TB_STATE_UNKNOWN, 0);
  life->state = TB_STATE_DEAD;
}
