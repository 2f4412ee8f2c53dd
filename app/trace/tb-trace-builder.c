/* tb-trace-builder.c: one pass over the events, from which the life of every thread comes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-causes-private.h"
#include "trace/tb-trace-rows-private.h"
#include "trace/tb-trace-uncertainty-private.h"

/* Events between two looks at the cancellable. */
#define STRIDE 65536
#define STATE_DEAD TB_N_STATES

/* What is known of a thread at the present moment of the pass. */
typedef struct
{
  gint64 since;      /* it has been in its state; TB_TIME_NONE: it has no life */
  gint64 early_time; /* a waking that came while it ran */
  guint32 early;     /* its row, TB_ID_NONE none */
  guint32 made_by;   /* the waking that made it runnable */
  guint32 last_row;  /* interval found last */
  guint32 sleep_row; /* last sleep that ended with a waking, for marks that declare it false */
  guint32 stack;
  guint16 cpu;
  guint8 state;
  guint8 flags;
  gboolean declared_false;
  gboolean stopped; /* by a signal: only another continues it */
} Life;

/* In the order in which events of one time stamp take effect. */
typedef enum
{
  STREAM_PROCESS,
  STREAM_INTERRUPT_ENTER,
  STREAM_ISSUE,
  STREAM_COMPLETE,
  STREAM_NETWORK,
  STREAM_MARK,
  STREAM_WITNESS,
  STREAM_WAKEUP,
  STREAM_INTERRUPT_EXIT,
  STREAM_SWITCH,
  N_STREAMS,
} StreamKind;

typedef struct
{
  const gint64 *time;
  guint32 *order; /* NULL: the rows as they stand */
  gsize i;
  gsize n;
} Stream;

/* A sample on a cpu before its first switch: who ran there. */
typedef struct
{
  guint32 thread;
  guint16 cpu;
} Witness;

typedef struct
{
  const TbTraceInput *input;
  guint n_cpus;
  Life *lives;
  TbRows rows;
  TbCauses causes;
  TbGaps gaps;
  TbTraceCounts counts;
  gboolean has_wakings; /* sched_waking, so that sched_wakeup is not needed */

  Stream streams[N_STREAMS];
  gint64 *issue_times;
  gint64 *witness_times;
  Witness *witnesses;
  guint n_witnesses;

  gint64 *spin_begin; /* by thread; NULL as long as nobody spins */
  GArray *spins;
} Builder;

/* --- intervals --- */

static inline gboolean
is_sleeping (const Life *life)
{
  return life->state >= TB_STATE_INTERRUPTIBLE && life->state <= TB_STATE_STOPPED;
}

/* Whether an event concerns a life: before a thread was forked and after it is gone there is none. */
static inline gboolean
is_alive (Builder *self, guint32 thread, gint64 time)
{
  return thread != TB_THREAD_IDLE && thread < self->input->n_threads
         && self->lives[thread].state != STATE_DEAD && self->lives[thread].since != TB_TIME_NONE
         && self->lives[thread].since <= time;
}

/* Closes the present stretch of a thread at end, in the state given. */
static TbRow *
emit (Builder *self, guint32 thread, gint64 end, TbState state, guint8 flags)
{
  Life *life = &self->lives[thread];
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
enter_state (Builder *self, guint32 thread, gint64 time, TbState state, guint8 flags)
{
  Life *life = &self->lives[thread];

  life->since = MAX (time, life->since);
  life->state = state;
  life->flags = flags;
  life->early = TB_ID_NONE;
  life->made_by = TB_ID_NONE;
  life->stack = TB_STACK_NONE;
  life->stopped = FALSE;
}

static void
set_kernel_work (Builder *self, guint32 thread, TbRow *row)
{
  if (self->input->thread_traits != NULL && (self->input->thread_traits[thread] & TB_THREAD_KERNEL))
    {
      row->flags |= TB_INTERVAL_KERNEL_WORK;
      if (row->state == TB_STATE_INTERRUPTIBLE)
        row->kind = TB_WAIT_WORK;
    }
}

static TbRow *
emit_sleep (Builder *self, guint32 thread, gint64 end, guint8 flags)
{
  Life *life = &self->lives[thread];
  TbRow *row = emit (self, thread, end, life->state, flags);

  if (row != NULL)
    {
      row->stack = life->stack;
      set_kernel_work (self, thread, row);
    }
  return row;
}

static void
emit_runnable (Builder *self, guint32 thread, gint64 end, guint32 made_by, guint8 flags)
{
  Life *life = &self->lives[thread];
  TbRow *row = emit (self, thread, end, TB_STATE_RUNNABLE, flags);

  if (row != NULL)
    {
      row->stack = life->stack;
      row->wakeup = made_by;
    }
}

/* The present stretch, up to end, in the state that the thread is known to be in. */
static void
emit_present (Builder *self, guint32 thread, gint64 end, guint8 flags)
{
  Life *life = &self->lives[thread];

  if (is_sleeping (life) && life->early != TB_ID_NONE)
    emit_runnable (self, thread, end, life->early, flags);
  else if (is_sleeping (life))
    emit_sleep (self, thread, end, flags);
  else if (life->state == TB_STATE_RUNNABLE)
    emit_runnable (self, thread, end, life->made_by, flags);
  else
    emit (self, thread, end, life->state, flags);
}

/* Nothing is glued across lost events: where they fall into the present stretch, it ends there and what follows is not known. */
static void
settle (Builder *self, guint32 thread, gint64 time)
{
  Life *life = &self->lives[thread];
  gint64 at;

  if (G_LIKELY (self->gaps.n_any == 0) || life->since >= time)
    return;
  at = life->state == TB_STATE_RUNNING ? tb_gaps_find_on_cpu (&self->gaps, life->cpu, life->since, time)
                                       : tb_gaps_find_any (&self->gaps, life->since, time);
  if (at < 0)
    return;
  if (life->state != TB_STATE_UNKNOWN)
    {
      emit_present (self, thread, at, TB_INTERVAL_UNCERTAIN);
      enter_state (self, thread, at, TB_STATE_UNKNOWN, 0);
      life->cpu = TB_CPU_ALL;
      life->sleep_row = TB_ID_NONE;
      life->declared_false = FALSE;
    }
  life->flags |= TB_INTERVAL_UNCERTAIN;
}

static void
drop_early (Builder *self, Life *life)
{
  if (life->early == TB_ID_NONE)
    return;
  self->counts.stray_wakeups++;
  life->early = TB_ID_NONE;
}

static void
die (Builder *self, guint32 thread, gint64 time)
{
  Life *life = &self->lives[thread];

  settle (self, thread, time);
  emit_present (self, thread, time, 0);
  if (!is_sleeping (life))
    drop_early (self, life);
  enter_state (self, thread, time, TB_STATE_UNKNOWN, 0);
  life->state = STATE_DEAD;
}

/* --- false wake-ups --- */

/* The wait that ended with a false waking goes on: what lies between it and now is withdrawn. */
static gboolean
withdraw_false_wait (Builder *self, guint32 thread, gint64 *since, TbRow *sleep)
{
  Life *life = &self->lives[thread];
  TbRow *rows = self->rows.rows;

  for (guint32 i = life->last_row; i != TB_ID_NONE && i != life->sleep_row; i = rows[i].before)
    if (rows[i].state == TB_STATE_UNKNOWN || is_sleeping (&(Life) { .state = rows[i].state }))
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

/* --- switches --- */

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
begin_sleep (Builder *self, guint32 thread, gint64 time, guint8 letter, guint32 stack)
{
  Life *life = &self->lives[thread];
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
  /* Woken before it was off the cpu there is no second wait that the first could become one with. */
  if (declared_false && early == TB_ID_NONE && withdraw_false_wait (self, thread, &false_since, &sleep))
    {
      enter_state (self, thread, time, sleep.state, sleep.flags);
      life->since = false_since;
      life->stack = sleep.stack;
    }
  else
    {
      self->counts.unmatched_marks += declared_false;
      enter_state (self, thread, time, sleep_state (letter), 0);
      life->stack = stack;
      life->early = early;
    }
  life->stopped = letter == 'T';
  life->sleep_row = TB_ID_NONE;
}

static void
switch_out (Builder *self,
            guint32 thread,
            gint64 time,
            guint16 cpu,
            guint8 letter,
            guint32 stack,
            gboolean first_there)
{
  Life *life = &self->lives[thread];

  settle (self, thread, time);
  if (life->state == TB_STATE_RUNNING && life->cpu == cpu)
    emit (self, thread, time, TB_STATE_RUNNING, 0);
  else
    {
      /* It was not known to run here: since when it did is not known. */
      gboolean initial = life->state == TB_STATE_UNKNOWN && first_there;

      if (!initial)
        self->counts.unknown_switch_outs++;
      drop_early (self, life);
      life->cpu = TB_CPU_ALL;
      emit (self, thread, time, TB_STATE_UNKNOWN, initial ? 0 : TB_INTERVAL_UNCERTAIN);
      life->sleep_row = TB_ID_NONE;
      life->declared_false = FALSE;
    }

  switch (letter)
    {
    case 'X':
    case 'Z':
    case 'x':
      die (self, thread, time);
      return;
    case 'R':
    case '+':
      drop_early (self, life);
      enter_state (self, thread, time, TB_STATE_RUNNABLE, TB_INTERVAL_PREEMPTED);
      life->stack = stack;
      break;
    default:
      begin_sleep (self, thread, time, letter, stack);
      break;
    }
  life->cpu = cpu;
}

static void
switch_in (Builder *self, guint32 thread, gint64 time, guint16 cpu)
{
  Life *life = &self->lives[thread];
  TbRow *row;

  settle (self, thread, time);
  if (is_sleeping (life) && life->early == TB_ID_NONE)
    {
      row = emit_sleep (self, thread, time, TB_INTERVAL_UNCERTAIN);
      if (row != NULL)
        {
          row->cause_kind = TB_CAUSE_UNKNOWN;
          self->counts.sleeps_without_waking++;
        }
    }
  else if (life->state == TB_STATE_RUNNING)
    {
      /* Its leaving the cpu before was missed. */
      self->counts.unknown_switch_outs++;
      drop_early (self, life);
      life->cpu = TB_CPU_ALL;
      emit (self, thread, time, TB_STATE_UNKNOWN, TB_INTERVAL_UNCERTAIN);
      life->sleep_row = TB_ID_NONE;
      life->declared_false = FALSE;
    }
  else
    {
      /* Where it runs now is where it waited for a cpu. */
      if (life->state != TB_STATE_UNKNOWN)
        life->cpu = cpu;
      emit_present (self, thread, time, 0);
    }
  enter_state (self, thread, time, TB_STATE_RUNNING, 0);
  life->cpu = cpu;
}

/* Somebody else leaves the cpu on which this thread was thought to run. */
static void
lose_track (Builder *self, guint32 thread, gint64 time)
{
  Life *life = &self->lives[thread];

  settle (self, thread, time);
  drop_early (self, life);
  self->counts.unknown_switch_outs++;
  /* How long it ran before is not known either. */
  enter_state (self, thread, life->since, TB_STATE_UNKNOWN, TB_INTERVAL_UNCERTAIN);
  life->cpu = TB_CPU_ALL;
  life->sleep_row = TB_ID_NONE;
  life->declared_false = FALSE;
}

static void
handle_switch (Builder *self, guint32 i, gint64 time)
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
      if (is_alive (self, cpu->current, time) && self->lives[cpu->current].state == TB_STATE_RUNNING
          && self->lives[cpu->current].cpu == cpu_id)
        lose_track (self, cpu->current, time);
      cpu->idle_missed += cpu->current == TB_THREAD_IDLE;
    }
  cpu->to_idle += next == TB_THREAD_IDLE;
  cpu->from_idle += prev == TB_THREAD_IDLE;
  if (is_alive (self, prev, time))
    switch_out (self, prev, time, cpu_id, switches->prev_state[i], switches->stack[i], !cpu->seen_switch);
  if (is_alive (self, next, time))
    switch_in (self, next, time, cpu_id);
  cpu->current = next;
  cpu->seen_switch = TRUE;
}

/* --- wakings --- */

static void
handle_wakeup (Builder *self, guint32 i, gint64 time)
{
  const TbWakeupColumns *wakeups = &self->input->wakeups;
  guint32 wakee = wakeups->wakee[i];
  Life *life;
  TbCauseKind kind;
  guint32 cause;
  TbRow *row;

  if (self->has_wakings && (wakeups->flags[i] & TB_WAKEUP_LATE))
    return;
  if (wakee == TB_THREAD_IDLE)
    return;
  if (!is_alive (self, wakee, time))
    {
      self->counts.stray_wakeups++;
      return;
    }
  if (wakeups->waker[i] == wakee && !tb_causes_in_interrupt (&self->causes, i))
    {
      self->counts.self_wakeups++;
      return;
    }

  settle (self, wakee, time);
  life = &self->lives[wakee];
  switch (life->state)
    {
    case TB_STATE_RUNNING:
      drop_early (self, life);
      life->early = i;
      life->early_time = time;
      return;
    case TB_STATE_RUNNABLE:
      if (life->made_by == TB_ID_NONE && (wakeups->flags[i] & TB_WAKEUP_NEW))
        life->made_by = i;
      else
        self->counts.stray_wakeups++;
      return;
    default:
      break;
    }

  kind = tb_causes_find (&self->causes, i, life->stopped, &cause);
  if (kind == TB_CAUSE_THREAD && cause == wakee)
    {
      self->counts.self_wakeups++;
      return;
    }
  drop_early (self, life);
  row = is_sleeping (life) ? emit_sleep (self, wakee, time, 0)
                           : emit (self, wakee, time, TB_STATE_UNKNOWN, 0);
  if (row != NULL)
    {
      row->cause_kind = kind;
      row->cause = cause;
      row->wakeup = i;
    }
  life->sleep_row = row != NULL && row->state != TB_STATE_UNKNOWN ? self->rows.n - 1 : TB_ID_NONE;
  life->declared_false = FALSE;
  enter_state (self, wakee, time, TB_STATE_RUNNABLE, 0);
  life->made_by = i;
  life->cpu = TB_CPU_ALL;
}

/* --- the rest --- */

static void
handle_process (Builder *self, guint32 i, gint64 time)
{
  const TbProcessColumns *processes = &self->input->processes;
  guint32 thread = processes->thread[i];

  if (!is_alive (self, thread, time))
    return;
  switch (processes->kind[i])
    {
    case TB_PROCESS_EXIT:
      die (self, thread, time);
      break;
    case TB_PROCESS_EXEC:
      /* One program's run ends, another's begins. */
      settle (self, thread, time);
      if (self->lives[thread].state == TB_STATE_RUNNING)
        emit (self, thread, time, TB_STATE_RUNNING, 0);
      break;
    default:
      break;
    }
}

static void
end_spin (Builder *self, guint32 thread, guint32 other, gint64 time)
{
  TbSpin spin = { thread, other, -1, time };
  gint64 lost;

  if (self->spin_begin != NULL && thread < self->input->n_threads)
    {
      spin.from = self->spin_begin[thread];
      self->spin_begin[thread] = -1;
    }
  lost = spin.from >= 0 ? tb_gaps_find_any (&self->gaps, spin.from, time) : -1;
  if (spin.from < 0 || lost >= 0)
    {
      self->counts.unmatched_marks++;
      return;
    }
  if (spin.other >= self->input->n_threads || spin.other == TB_THREAD_IDLE || spin.other == thread)
    spin.other = TB_ID_NONE;
  if (time > spin.from)
    g_array_append_val (self->spins, spin);
}

static void
handle_mark (Builder *self, guint32 i, gint64 time)
{
  const TbMarkColumns *marks = &self->input->marks;
  guint32 thread = marks->thread[i];

  if (!is_alive (self, thread, time))
    return;
  switch (marks->kind[i])
    {
    case TB_MARK_SPIN_BEGIN:
      if (self->spin_begin == NULL)
        {
          self->spin_begin = g_new (gint64, self->input->n_threads);
          memset (self->spin_begin, 0xff, sizeof (gint64) * self->input->n_threads);
        }
      if (self->spin_begin[thread] < 0)
        self->spin_begin[thread] = time;
      else
        self->counts.unmatched_marks++;
      break;
    case TB_MARK_SPIN_END:
      end_spin (self, thread, marks->other[i], time);
      break;
    case TB_MARK_FALSE_WAKEUP:
      settle (self, thread, time);
      if (self->lives[thread].sleep_row != TB_ID_NONE && self->lives[thread].state == TB_STATE_RUNNING)
        self->lives[thread].declared_false = TRUE;
      else
        self->counts.unmatched_marks++;
      break;
    default:
      break;
    }
}

static void
handle_witness (Builder *self, const Witness *witness, gint64 time)
{
  if (!is_alive (self, witness->thread, time) || self->lives[witness->thread].state != TB_STATE_UNKNOWN
      || self->causes.cpus[witness->cpu].seen_switch)
    return;
  settle (self, witness->thread, time);
  emit (self, witness->thread, time, TB_STATE_UNKNOWN, 0);
  enter_state (self, witness->thread, time, TB_STATE_RUNNING, 0);
  self->lives[witness->thread].cpu = witness->cpu;
  self->causes.cpus[witness->cpu].current = witness->thread;
}

/* --- preparation --- */

static guint
count_cpus (const TbTraceInput *input)
{
  guint16 greatest = 0;

  for (gsize i = 0; i < input->switches.n; i++)
    greatest = MAX (greatest, input->switches.cpu[i]);
  for (gsize i = 0; i < input->samples.n; i++)
    if (input->samples.cpu[i] != TB_CPU_ALL)
      greatest = MAX (greatest, input->samples.cpu[i]);
  for (gsize i = 0; i < input->wakeups.n; i++)
    if (input->wakeups.cpu[i] != TB_CPU_ALL)
      greatest = MAX (greatest, input->wakeups.cpu[i]);
  for (gsize i = 0; i < input->interrupts.n; i++)
    if (input->interrupts.cpu[i] != TB_CPU_ALL)
      greatest = MAX (greatest, input->interrupts.cpu[i]);
  for (gsize i = 0; i < input->losses.n; i++)
    if (input->losses.cpu[i] != TB_CPU_ALL)
      greatest = MAX (greatest, input->losses.cpu[i]);
  return (guint) greatest + 1;
}

static void
note_event (Builder *self, guint32 thread, gint64 time)
{
  if (time < 0 || thread >= self->input->n_threads)
    return;
  time = CLAMP (time, self->input->from, self->input->to);
  if (self->lives[thread].since == TB_TIME_NONE || time < self->lives[thread].since)
    self->lives[thread].since = time;
}

#define NOTE_EVENTS(columns, thread_column, time_column)                                                     \
  for (gsize i = 0; i < self->input->columns.n; i++)                                                         \
  note_event (self, self->input->columns.thread_column[i], self->input->columns.time_column[i])

/* A life begins at the fork, else with the recording if the thread is listed as existing then, else at its first event. */
static void
init_lives (Builder *self)
{
  const TbTraceInput *input = self->input;
  const TbProcessColumns *processes = &input->processes;

  self->lives = g_new0 (Life, MAX (input->n_threads, 1));
  for (guint thread = 0; thread < input->n_threads; thread++)
    self->lives[thread] = (Life) { .since = TB_TIME_NONE,
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
        Life *life = &self->lives[processes->thread[i - 1]];

        life->since = CLAMP (processes->time[i - 1], input->from, input->to);
        life->flags = 0;
        life->state = TB_STATE_RUNNABLE;
      }
}

static void
find_witnesses (Builder *self)
{
  const TbSwitchColumns *switches = &self->input->switches;
  const TbSampleColumns *samples = &self->input->samples;
  g_autofree gint64 *first_switch = g_new (gint64, self->n_cpus);
  g_autofree gboolean *witnessed = g_new0 (gboolean, self->n_cpus);
  guint unseen = self->n_cpus;

  self->witnesses = g_new (Witness, self->n_cpus);
  self->witness_times = g_new (gint64, self->n_cpus);
  for (guint cpu = 0; cpu < self->n_cpus; cpu++)
    first_switch[cpu] = G_MAXINT64;
  for (gsize i = 0; i < switches->n && unseen > 0; i++)
    if (first_switch[switches->cpu[i]] == G_MAXINT64)
      {
        first_switch[switches->cpu[i]] = switches->time[i];
        unseen--;
      }
  for (gsize i = 0; i < samples->n && self->n_witnesses < self->n_cpus; i++)
    {
      guint16 cpu = samples->cpu[i];

      if (cpu >= self->n_cpus || witnessed[cpu])
        continue;
      witnessed[cpu] = TRUE;
      if (samples->thread[i] == TB_THREAD_IDLE || samples->time[i] >= first_switch[cpu])
        continue;
      self->witness_times[self->n_witnesses] = samples->time[i];
      self->witnesses[self->n_witnesses++] = (Witness) { samples->thread[i], cpu };
    }
}

static void
init_stream (Builder *self, StreamKind kind, const gint64 *times, gsize n)
{
  Stream *stream = &self->streams[kind];

  stream->time = times;
  stream->n = n;
  if (n > 0 && (times[0] < 0 || !tb_times_are_ascending (times, n)))
    stream->order = tb_time_order (times, n, &stream->n);
}

static void
init_streams (Builder *self)
{
  const TbTraceInput *input = self->input;

  self->issue_times = g_new (gint64, MAX (input->blocks.n, 1));
  for (gsize i = 0; i < input->blocks.n; i++)
    self->issue_times[i] = input->blocks.issue[i] >= 0 ? input->blocks.issue[i] : input->blocks.insert[i];
  find_witnesses (self);

  init_stream (self, STREAM_PROCESS, input->processes.time, input->processes.n);
  init_stream (self, STREAM_INTERRUPT_ENTER, input->interrupts.enter, input->interrupts.n);
  init_stream (self, STREAM_ISSUE, self->issue_times, input->blocks.n);
  init_stream (self, STREAM_COMPLETE, input->blocks.complete, input->blocks.n);
  init_stream (self, STREAM_NETWORK, input->networks.time, input->networks.n);
  init_stream (self, STREAM_MARK, input->marks.time, input->marks.n);
  init_stream (self, STREAM_WITNESS, self->witness_times, self->n_witnesses);
  init_stream (self, STREAM_WAKEUP, input->wakeups.time, input->wakeups.n);
  init_stream (self, STREAM_INTERRUPT_EXIT, input->interrupts.exit, input->interrupts.n);
  init_stream (self, STREAM_SWITCH, input->switches.time, input->switches.n);
}

static void
builder_clear (Builder *self)
{
  for (guint i = 0; i < N_STREAMS; i++)
    g_free (self->streams[i].order);
  g_free (self->lives);
  tb_rows_clear (&self->rows);
  g_free (self->issue_times);
  g_free (self->witness_times);
  g_free (self->witnesses);
  g_free (self->spin_begin);
  g_clear_pointer (&self->spins, g_array_unref);
  tb_causes_clear (&self->causes);
  tb_gaps_clear (&self->gaps);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

/* --- the pass --- */

static void
handle_event (Builder *self, StreamKind kind, guint32 row, gint64 time)
{
  switch (kind)
    {
    case STREAM_PROCESS:
      handle_process (self, row, time);
      break;
    case STREAM_INTERRUPT_ENTER:
      tb_causes_enter_interrupt (&self->causes, row);
      break;
    case STREAM_ISSUE:
      tb_causes_issue (&self->causes, row);
      break;
    case STREAM_COMPLETE:
      tb_causes_complete (&self->causes, row);
      break;
    case STREAM_NETWORK:
      tb_causes_network (&self->causes, row);
      break;
    case STREAM_MARK:
      handle_mark (self, row, time);
      break;
    case STREAM_WITNESS:
      handle_witness (self, &self->witnesses[row], time);
      break;
    case STREAM_WAKEUP:
      handle_wakeup (self, row, time);
      break;
    case STREAM_INTERRUPT_EXIT:
      tb_causes_exit_interrupt (&self->causes, row);
      break;
    case STREAM_SWITCH:
      handle_switch (self, row, time);
      break;
    case N_STREAMS:
    default:
      g_assert_not_reached ();
    }
}

static inline gint64
stream_head (const Stream *stream)
{
  if (stream->i == stream->n)
    return G_MAXINT64;
  return stream->time[stream->order != NULL ? stream->order[stream->i] : stream->i];
}

static gboolean
run_pass (Builder *self, TbProgressFunc progress, gpointer data, GCancellable *cancellable, GError **error)
{
  gint64 heads[N_STREAMS];
  gsize total = 0, done = 0;

  for (guint i = 0; i < N_STREAMS; i++)
    {
      heads[i] = stream_head (&self->streams[i]);
      total += self->streams[i].n;
    }
  for (;; done++)
    {
      StreamKind least = 0;
      Stream *stream;
      guint32 row;

      for (guint i = 1; i < N_STREAMS; i++)
        if (heads[i] < heads[least])
          least = i;
      stream = &self->streams[least];
      if (stream->i == stream->n)
        break;
      row = stream->order != NULL ? stream->order[stream->i] : stream->i;
      handle_event (self, least, row, CLAMP (heads[least], self->input->from, self->input->to));
      stream->i++;
      heads[least] = stream_head (stream);

      if (done % STRIDE == 0)
        {
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return FALSE;
          if (progress != NULL && total > 0)
            progress (0.8 * done / total, _ ("Finding what every thread did"), data);
        }
    }
  return TRUE;
}

static void
finish_lives (Builder *self)
{
  gint64 end = self->input->to;

  for (guint32 thread = 1; thread < self->input->n_threads; thread++)
    {
      if (!is_alive (self, thread, end))
        continue;
      settle (self, thread, end);
      if (self->lives[thread].state == TB_STATE_RUNNING)
        drop_early (self, &self->lives[thread]);
      emit_present (self, thread, end, TB_INTERVAL_OPEN_END);
      if (self->spin_begin != NULL && self->spin_begin[thread] >= 0)
        self->counts.unmatched_marks++;
    }
}

static int
compare_spins (gconstpointer a, gconstpointer b)
{
  const TbSpin *left = a, *right = b;

  if (left->thread != right->thread)
    return left->thread < right->thread ? -1 : 1;
  return left->from < right->from ? -1 : left->from > right->from;
}

static void
finish_counts (Builder *self)
{
  for (guint i = 0; i < self->n_cpus; i++)
    {
      const TbCpu *cpu = &self->causes.cpus[i];

      if (cpu->to_idle > 0 && cpu->from_idle == 0 && cpu->idle_missed > 0)
        self->counts.cpus_without_idle++;
    }
  self->counts.late_wakeups = self->has_wakings ? 0 : self->input->wakeups.n;
  self->counts.unbalanced_interrupts = self->causes.unbalanced;
  self->counts.lost_events = self->gaps.n_events;
  self->counts.lost_ns = tb_gaps_get_length (&self->gaps);
}

static void
take_columns (TbIntervalColumns *columns, TbTraceOutput *output)
{
#define TAKE(COLUMN, field)                                                                                  \
  output->columns[COLUMN]                                                                                    \
      = g_bytes_new_take (g_steal_pointer (&columns->field), columns->n * sizeof (*columns->field))
  output->n = columns->n;
  TAKE (TB_INTERVAL_START, start);
  TAKE (TB_INTERVAL_END, end);
  TAKE (TB_INTERVAL_THREAD, thread);
  TAKE (TB_INTERVAL_STATE, state);
  TAKE (TB_INTERVAL_FLAGS, flags);
  TAKE (TB_INTERVAL_CPU, cpu);
  TAKE (TB_INTERVAL_KIND, kind);
  TAKE (TB_INTERVAL_OBJECT, object);
  TAKE (TB_INTERVAL_STACK, stack);
  TAKE (TB_INTERVAL_CAUSE_KIND, cause_kind);
  TAKE (TB_INTERVAL_CAUSE, cause);
  TAKE (TB_INTERVAL_WAKEUP, wakeup);
  TAKE (TB_INTERVAL_SLEEP, sleep);
#undef TAKE
}

static gboolean
check_sizes (const TbTraceInput *input, GError **error)
{
  gsize most = MAX (MAX (input->switches.n, input->wakeups.n), MAX (input->syscalls.n, input->blocks.n));

  most = MAX (MAX (most, input->interrupts.n), MAX (input->processes.n, input->networks.n));
  /* Rows are numbered with 32 bits, and a switch makes up to four intervals. */
  if (MAX (most, input->marks.n) < G_MAXUINT32 / 8)
    return TRUE;
  g_set_error (
      error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
      _ ("The recording has more than %u million events of one kind: it cannot be explained as a whole. "
         "Record a shorter time."),
      G_MAXUINT32 / 8 / 1000000);
  return FALSE;
}

/* Finds the life of every thread in events. A pure function of its input; linear in the number of events. */
gboolean
tb_trace_build (const TbTraceInput *input,
                TbTraceOutput *output,
                TbProgressFunc progress,
                gpointer data,
                GCancellable *cancellable,
                GError **error)
{
  g_auto (Builder) self = { .input = input };
  g_auto (TbIntervalColumns) columns = { 0 };

  g_return_val_if_fail (0 <= input->from && input->from <= input->to, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_sizes (input, error))
    return FALSE;
  self.n_cpus = count_cpus (input);
  self.spins = g_array_new (FALSE, FALSE, sizeof (TbSpin));
  for (gsize i = 0; i < input->wakeups.n && !self.has_wakings; i++)
    self.has_wakings = (input->wakeups.flags[i] & TB_WAKEUP_LATE) == 0;
  init_lives (&self);
  tb_causes_init (&self.causes, input, self.n_cpus);
  tb_gaps_init (&self.gaps, &input->losses, self.n_cpus, input->from, input->to);
  init_streams (&self);

  if (!run_pass (&self, progress, data, cancellable, error))
    return FALSE;
  finish_lives (&self);
  finish_counts (&self);
  if (self.spins->len > 0)
    g_array_sort (self.spins, compare_spins);
  if (progress != NULL)
    progress (0.8, _ ("Arranging by thread"), data);
  tb_rows_arrange (&self.rows, input->n_threads, (const TbSpin *) self.spins->data, self.spins->len,
                   &columns);
  tb_rows_clear (&self.rows);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  tb_trace_find_waits (input, &columns);

  output->counts = self.counts;
  take_columns (&columns, output);
  return TRUE;
}

void
tb_trace_output_clear (TbTraceOutput *output)
{
  for (guint i = 0; i < TB_INTERVAL_N_COLUMNS; i++)
    g_clear_pointer (&output->columns[i], g_bytes_unref);
  output->n = 0;
}
