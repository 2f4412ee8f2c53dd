/* tb-wait-replay.c: simulation of recorded threads, requests and CPUs, with or without changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The simulation goes from event to event. Without a scheduler model, CPUs are shared as a fluid:
 * all runnable threads run at the same rate. They finish in the order of the service that each
 * still needs, so one heap suffices, with the service given to each thread as its key.
 */

#include "config.h"

#include "tb-wait-replay-workers.h"
#include "tb-wait-replay-devices.h"
#include "tb-wait-replay-heap.h"
#include "tb-wait-replay-polls.h"
#include "tb-wait-replay.h"

#include <math.h>
#include <string.h>

void
tb_replay_times_free (TbReplayTimes *self)
{
  g_free (self->marks);
  g_free (self->ends);
  g_free (self);
}

/* --- simulation --- */

#define IS_REQUEST G_MAXUINT32 /* turn of an entry that is a request */

/* ns: smaller differences are rounding errors. */
#define NO_TIME 0.5

/* Result of an actor's last wait, until the actor runs. */
typedef enum
{
  LAST_NONE,
  LAST_OPEN,   /* not known yet */
  LAST_WAITED, /* it took time */
  LAST_SPARED, /* it took no time */
} LastWait;

typedef struct
{
  const TbReplayProgram *program;
  const TbReplayChange *change;
  TbReplayTimes *times;
  const gsize *first;
  const guint8 *kinds;
  const gint64 *values;
  double now;
  double served; /* service given to each running actor since the start */
  double n_cpus;
  guint64 n_known;       /* entries so far, for their order */
  GArray *running;       /* TbReplayEntry: actors by the value of served at which their run ends */
  GArray *coming;        /* TbReplayEntry: actors and requests by time */
  gsize *at;             /* by actor: its next step */
  guint32 *turn;         /* by actor: entries of another turn are void */
  guint32 *waiter;       /* by wait: actor that waits, or waited, for its signal */
  guint32 *pending_wait; /* by actor: its wait that is yet to be signalled; TB_REPLAY_NONE: none */
  double *raised;        /* by wait: when it was signalled; -1: not yet */
  double *ready;         /* by stream: when its latest item was ready; -1: not begun */
  double *taken;         /* by stream: when its latest item was taken; -1: none */
  guint8 *has_shared;    /* by actor: it has run its share of the current wait */
  guint8 *last;          /* by actor: Last */
  double *credit_ns;     /* by actor: ns by which its runs until the next wait are still shorter */
  guint8 *is_for_work;   /* by actor: its last wait was for a thread's signal */
  guint8 *is_request_wait;  /* by wait: a request ends it; NULL: not needed */
  guint8 *was_idle;         /* by actor: it waited for its work until a thread brought it */
  double *since;            /* by actor: when its last wait began */
  guint32 *wait;            /* by actor: its last wait; TB_REPLAY_NONE: none yet */
  double *waited;           /* by actor: how long its last wait took */
  TbReplayPolls *polls;     /* waits for any of several events */
  guint8 *is_polling;       /* by actor: it waits in a poll */
  TbReplayWorkers *workers; /* NULL: runnable threads share the CPUs evenly */
  TbReplayDevices *devices;
  guint8 *state;    /* by actor: state of the CPU to which it was woken from its last wait */
  guint8 *is_woken; /* by actor: it is to run on the CPU that was chosen at its wake-up */
  /* by actor: ns by which its next runs are longer than recorded (negative: shorter), because its
   * wake-ups of others cost more or less */
  double *debit_ns;
  guint32 acting;     /* actor that executes its steps; TB_REPLAY_NONE: none */
  guint32 acting_cpu; /* CPU of that actor; TB_REPLAY_NONE: none */
  double n_wanted;    /* number of CPUs that the running actors would fill */
} Simulation;

static double
get_factor (const Simulation *self, gint64 wait)
{
  return self->change->factor != NULL ? self->change->factor[wait] : 1;
}

/* Several threads help only where there is work for several. An actor that had to wait for its work
 * has work for one thread, unless it divides that work. */
static guint32
get_size (const Simulation *self, guint32 actor)
{
  gboolean divides = self->change->divides != NULL && self->change->divides[actor];

  return self->change->size != NULL && (divides || !self->was_idle[actor])
             ? self->change->size[actor]
             : 1;
}

/* Schedules the end of an actor's wait in a new turn, which voids its other scheduled ends. */
static void
wake_at (Simulation *self, guint32 actor, double time)
{
  tb_replay_heap_push (self->coming, (TbReplayEntry) { MAX (time, self->now), self->n_known++,
                                                       actor, ++self->turn[actor] });
}

static double
get_end (const Simulation *self, guint32 wait)
{
  const TbReplayWait *of = &g_array_index (self->program->waits, TbReplayWait, wait);
  double factor = get_factor (self, wait);

  return self->raised[wait] + (double) of->lag
         + (factor > 1 ? (factor - 1) * (double) of->length : 0);
}

/* Whether the wait ends at some time even without its signal. */
static gboolean
has_limit (const Simulation *self, guint32 wait)
{
  return get_factor (self, wait) < 1
         || g_array_index (self->program->waits, TbReplayWait, wait).is_loose;
}

/* Continues a polling actor at the poll that was signalled first. Returns whether there is one. */
static gboolean
take_poll (Simulation *self, guint32 actor)
{
  guint32 wait = tb_replay_polls_take (self->polls, actor, &self->at[actor]);

  self->is_polling[actor] = wait == TB_REPLAY_NONE;
  if (wait != TB_REPLAY_NONE)
    self->wait[actor] = wait;
  return wait != TB_REPLAY_NONE;
}

/* Wakes an actor. The acting one pays the cost. */
static void
wake (Simulation *self, guint32 actor)
{
  double cost;

  if (self->workers == NULL)
    return;
  cost = tb_replay_workers_wake (self->workers, actor, self->acting_cpu, self->now,
                                 &self->state[actor]);
  if (self->acting_cpu == TB_REPLAY_NONE)
    self->state[actor] = tb_replay_latencies_set_waker_cpu (
        self->state[actor],
        g_array_index (self->program->waits, TbReplayWait, self->wait[actor]).state);
  self->is_woken[actor] = TRUE;
  if (self->acting != TB_REPLAY_NONE)
    self->debit_ns[self->acting] += self->change->waking_share * cost;
}

static void
raise_polled (Simulation *self, guint32 wait)
{
  guint32 actor = tb_replay_polls_raise (self->polls, wait, self->now);

  if (!self->is_polling[actor] || !take_poll (self, actor))
    return;
  wake (self, actor);
  wake_at (self, actor, get_end (self, self->wait[actor]));
}

/* Whether the wait had already ended at its limit when its signal comes. The cost of the signal
 * then stays as recorded, because the waiter was woken nevertheless. */
static gboolean
is_late (const Simulation *self, guint32 wait)
{
  guint32 actor = self->waiter[wait];

  return self->raised[wait] < 0 && actor != TB_REPLAY_NONE && self->pending_wait[actor] != wait;
}

static void
raise_signal (Simulation *self, guint32 wait)
{
  guint32 actor = self->waiter[wait];

  if (self->raised[wait] >= 0)
    return;
  self->raised[wait] = self->now;
  if (tb_replay_polls_contains (self->polls, wait))
    {
      raise_polled (self, wait);
      return;
    }
  if (actor == TB_REPLAY_NONE || self->pending_wait[actor] != wait)
    return;
  wake (self, actor);
  if (self->values[self->at[actor] - 1] != wait)
    {
      wake_at (self, actor, self->now);
      return;
    }
  if (has_limit (self, wait))
    {
      /* The limit stays scheduled, in the same turn. */
      tb_replay_heap_push (self->coming, (TbReplayEntry) { get_end (self, wait), self->n_known++,
                                                           actor, self->turn[actor] });
      return;
    }
  wake_at (self, actor, get_end (self, wait));
}

static void
await_completion (Simulation *self, guint32 request, double length)
{
  tb_replay_heap_push (self->coming, (TbReplayEntry) { self->now + length, self->n_known++, request,
                                                       IS_REQUEST });
}

static void
submit_request (Simulation *self, guint32 request)
{
  double length = tb_replay_devices_submit (self->devices, request);

  if (length >= 0)
    await_completion (self, request, length);
}

static void
complete_request (Simulation *self, guint32 request)
{
  guint32 wait = g_array_index (self->program->requests, TbReplayRequest, request).wait, next;
  double length;

  next = tb_replay_devices_complete (self->devices, request, &length);
  if (next != TB_REPLAY_NONE)
    await_completion (self, next, length);
  if (wait != TB_REPLAY_NONE)
    raise_signal (self, wait);
}

/* Leaves out a request. A wait for it ends at once. */
static void
skip_request (Simulation *self, guint32 request)
{
  guint32 wait = g_array_index (self->program->requests, TbReplayRequest, request).wait;

  if (wait != TB_REPLAY_NONE)
    raise_signal (self, wait);
}

static void
await_signal (Simulation *self, guint32 actor, guint32 wait)
{
  self->waiter[wait] = actor;
  self->pending_wait[actor] = wait;
}

/* Begins a wait. Returns whether the actor has to wait. */
static gboolean
begin_wait (Simulation *self, guint32 actor, guint32 wait)
{
  const TbReplayWait *of = &g_array_index (self->program->waits, TbReplayWait, wait);
  guint32 stream = self->change->stream != NULL ? self->change->stream[wait] : TB_REPLAY_NONE;
  double factor = get_factor (self, wait), end;

  if (stream != TB_REPLAY_NONE)
    {
      double start = self->ready[stream] < 0 ? self->now : self->ready[stream];

      if (self->change->batches != NULL && self->change->batches[wait])
        start = MAX (start, self->taken[stream]);
      end = self->ready[stream] = start + (double) of->length;
      self->taken[stream] = MAX (end, self->now);
    }
  else if (!of->is_signalled)
    {
      end = self->now
            + factor * tb_replay_change_shorten (self->change, (double) of->length, wait)
                  / get_size (self, actor);
      if (of->leads_to != TB_REPLAY_NONE && end > self->now)
        await_signal (self, actor, of->leads_to);
    }
  else if (self->raised[wait] >= 0)
    end = has_limit (self, wait)
              ? MIN (get_end (self, wait), self->now + factor * (double) of->length)
              : get_end (self, wait);
  else if (has_limit (self, wait))
    {
      end = self->now + factor * (double) of->length;
      if (end > self->now)
        await_signal (self, actor, wait);
    }
  else
    {
      await_signal (self, actor, wait);
      return TRUE;
    }
  if (end <= self->now)
    return FALSE;
  wake_at (self, actor, end);
  return TRUE;
}

static void
start_run (Simulation *self, guint32 actor, double length)
{
  guint32 size = get_size (self, actor);

  if (self->workers == NULL)
    {
      self->n_wanted += size;
      tb_replay_heap_push (self->running, (TbReplayEntry) { self->served + length / size,
                                                            self->n_known++, actor, 0 });
    }
  else if (self->is_woken[actor])
    tb_replay_workers_begin (self->workers, actor, length, size, self->now);
  else
    tb_replay_workers_run (self->workers, actor, length, size, self->now);
  self->is_woken[actor] = FALSE;
}

/* Runs the actor's own share of the work for which it waits, before the wait. Returns whether there
 * is one. */
static gboolean
begin_share (Simulation *self, guint32 actor, gint64 wait)
{
  double share = self->change->share != NULL ? self->change->share[wait] : 0;

  if (share <= 0 || self->has_shared[actor])
    {
      self->has_shared[actor] = FALSE;
      return FALSE;
    }
  self->has_shared[actor] = TRUE;
  self->at[actor]--;
  start_run (self, actor, share);
  return TRUE;
}

/* Whether a thread ends the wait, not a device, so that what follows may be work that the thread
 * brought. */
static gboolean
is_for_work (const Simulation *self, guint32 wait)
{
  return g_array_index (self->program->waits, TbReplayWait, wait).is_signalled
         && (self->is_request_wait == NULL || !self->is_request_wait[wait]);
}

/* The result of the last wait, once it is over. */
static LastWait
settle_wait (Simulation *self, guint32 actor)
{
  if (self->last[actor] != LAST_OPEN)
    return self->last[actor];
  self->waited[actor] = self->now - self->since[actor];
  self->last[actor] = self->waited[actor] > NO_TIME ? LAST_WAITED : LAST_SPARED;
  self->was_idle[actor] = self->is_for_work[actor] && self->last[actor] == LAST_WAITED;
  return self->last[actor];
}

/* Whether another thread prepares what the wait is for. That thread then has the switch and the
 * wake-up instead, so that a spared wait saves nothing. Input from outside is buffered by the
 * kernel without waking a thread. */
static gboolean
is_prepared (const Simulation *self, guint32 wait)
{
  return self->change->stream != NULL && self->change->stream[wait] != TB_REPLAY_NONE
         && g_array_index (self->program->waits, TbReplayWait, wait).is_signalled;
}

/* Whether a wait only marks a message that came while the actor was busy. No thread slept for it in
 * the recording, so a spared wait saves nothing. */
static gboolean
is_message (const Simulation *self, guint32 wait)
{
  return g_array_index (self->program->waits, TbReplayWait, wait).length == 0;
}

static double
get_share (const Simulation *self, gsize step)
{
  return self->change->run != NULL ? self->change->run[step] : 1;
}

/* Whether the actor's run is partly saved, because it reads several parts at once. */
static gboolean
takes_at_once (const Simulation *self, guint32 actor)
{
  return self->change->takes != NULL && self->wait[actor] != TB_REPLAY_NONE
         && self->change->takes[self->wait[actor]] && self->waited[actor] <= NO_TIME;
}

static double
get_length (Simulation *self, guint32 actor, gsize step)
{
  double length = (double) self->values[step] * get_share (self, step);
  double taken;

  if (settle_wait (self, actor) == LAST_SPARED && !is_prepared (self, self->wait[actor])
      && !is_message (self, self->wait[actor]))
    self->credit_ns[actor] = self->change->saved;
  self->last[actor] = LAST_NONE;
  if (takes_at_once (self, actor))
    length *= 1 - self->change->at_once;
  taken = MIN (self->credit_ns[actor], length);
  self->credit_ns[actor] -= taken;
  length = length - taken + self->debit_ns[actor];
  self->debit_ns[actor] = MIN (length, 0);
  return MAX (length, 0);
}

/* The share of the recorded wake-up delay that passes after the last wait. */
static double
get_wake_share (Simulation *self, guint32 actor)
{
  double length;

  if (settle_wait (self, actor) != LAST_WAITED)
    return 0;
  length = (double) g_array_index (self->program->waits, TbReplayWait, self->wait[actor]).length;
  return self->change->shrinks && self->waited[actor] < length ? self->waited[actor] / length : 1;
}

/* How much longer than recorded a woken actor's scheduling latency is, because its CPU is in
 * another state. */
static double
get_more_latency (const Simulation *self, guint32 actor)
{
  const TbReplaySchedulerModel *scheduler_model = self->program->scheduler_model;

  if (scheduler_model == NULL || self->wait[actor] == TB_REPLAY_NONE)
    return 0;
  return tb_replay_latencies_get_difference (
      &scheduler_model->latencies, self->state[actor],
      g_array_index (self->program->waits, TbReplayWait, self->wait[actor]).state);
}

/* Begins a delay. Returns whether it takes time. */
static gboolean
begin_delay (Simulation *self, guint32 actor, gsize step)
{
  double length
      = (double) self->values[step] * (self->change->run != NULL ? self->change->run[step] : 1);

  if (self->kinds[step] == TB_REPLAY_WAKE)
    length = get_wake_share (self, actor) * MAX (length + get_more_latency (self, actor), 0);
  else
    settle_wait (self, actor);
  if (length <= 0 || self->change->no_delays)
    return FALSE;
  wake_at (self, actor, self->now + length / get_size (self, actor));
  return TRUE;
}

/* Skips repeated waits for time if the final wait is already signalled. The actions in between are
 * not done, and waits for them end at once. Returns whether steps were skipped. */
static gboolean
skip_timeouts (Simulation *self, guint32 actor, guint32 wait)
{
  guint32 to = g_array_index (self->program->waits, TbReplayWait, wait).leads_to;
  gsize step;

  if (to == TB_REPLAY_NONE || self->raised[to] < 0)
    return FALSE;
  step = g_array_index (self->program->waits, TbReplayWait, to).step;
  for (; self->at[actor] < step; self->at[actor]++)
    if (self->kinds[self->at[actor]] == TB_REPLAY_SIGNAL)
      raise_signal (self, (guint32) self->values[self->at[actor]]);
    else if (self->kinds[self->at[actor]] == TB_REPLAY_REQUEST)
      skip_request (self, (guint32) self->values[self->at[actor]]);
  return TRUE;
}

/* Begins a poll. Returns whether the actor has to wait. */
static gboolean
begin_poll (Simulation *self, guint32 actor)
{
  double end;

  if (!take_poll (self, actor))
    return TRUE;
  end = get_end (self, self->wait[actor]);
  if (end > self->now)
    wake_at (self, actor, end);
  return end > self->now;
}

/* Executes steps of an actor until one of them takes time. */
static void
take_steps (Simulation *self, guint32 actor)
{
  gsize at = self->at[actor];

  if (at > self->first[actor] && self->kinds[at - 1] == TB_REPLAY_WAIT)
    skip_timeouts (self, actor, (guint32) self->values[at - 1]);
  while (self->at[actor] < self->first[actor + 1])
    {
      gsize step = self->at[actor]++;
      gint64 value = self->values[step];
      double length;

      switch ((TbReplayKind) self->kinds[step])
        {
        case TB_REPLAY_RUN:
          length = get_length (self, actor, step);
          if (length <= 0)
            break;
          start_run (self, actor, length);
          return;
        case TB_REPLAY_DELAY:
        case TB_REPLAY_WAKE:
          if (begin_delay (self, actor, step))
            return;
          break;
        case TB_REPLAY_WAIT:
          if (skip_timeouts (self, actor, (guint32) value))
            break;
          if (begin_share (self, actor, value))
            return;
          self->last[actor] = LAST_OPEN;
          self->credit_ns[actor] = 0;
          self->debit_ns[actor] = MAX (self->debit_ns[actor], 0);
          self->since[actor] = self->now;
          self->wait[actor] = (guint32) value;
          self->state[actor] = TB_REPLAY_STATE_UNKNOWN;
          self->is_for_work[actor] = is_for_work (self, (guint32) value);
          self->was_idle[actor] = self->was_idle[actor] && self->is_for_work[actor];
          if (tb_replay_polls_contains (self->polls, (guint32) value)
                  ? begin_poll (self, actor)
                  : begin_wait (self, actor, (guint32) value))
            {
              self->is_woken[actor] = FALSE;
              return;
            }
          break;
        case TB_REPLAY_SIGNAL:
          if (!is_late (self, (guint32) value))
            self->debit_ns[actor]
                -= self->change->waking_share * get_share (self, step)
                   * (double) g_array_index (self->program->waits, TbReplayWait, value).waking;
          raise_signal (self, (guint32) value);
          break;
        case TB_REPLAY_REQUEST:
          if (self->change->run != NULL && self->change->run[step] <= 0)
            skip_request (self, (guint32) value);
          else
            submit_request (self, (guint32) value);
          break;
        case TB_REPLAY_MARK:
          self->times->marks[value] = self->now;
          break;
        }
    }
}

static void
run_actor (Simulation *self, guint32 actor)
{
  self->acting = actor;
  take_steps (self, actor);
  self->acting = TB_REPLAY_NONE;
}

static double
get_rate (const Simulation *self)
{
  return self->n_wanted > self->n_cpus ? self->n_cpus / self->n_wanted : 1;
}

static double
find_next_done (const Simulation *self)
{
  if (self->running->len == 0)
    return INFINITY;
  return self->now
         + MAX (g_array_index (self->running, TbReplayEntry, 0).key - self->served, 0)
               / get_rate (self);
}

/* An actor's run has ended. The actor holds its CPU while its next steps are executed. */
static void
finish (Simulation *self, guint32 actor)
{
  self->times->ends[actor] = self->now;
  self->acting_cpu = tb_replay_workers_get_cpu (self->workers, actor);
  run_actor (self, actor);
  self->acting_cpu = TB_REPLAY_NONE;
  tb_replay_workers_release (self->workers, self->now);
}

static void
process_run_end (Simulation *self, double done)
{
  TbReplayEntry entry;
  guint32 actor;

  self->now = done;
  if (self->workers != NULL)
    {
      actor = tb_replay_workers_advance (self->workers, done);
      if (actor != TB_REPLAY_NONE)
        finish (self, actor);
      return;
    }
  entry = tb_replay_heap_pop (self->running);
  self->served = entry.key;
  self->times->ends[entry.what] = self->now;
  self->n_wanted -= get_size (self, entry.what);
  run_actor (self, entry.what);
}

static void
process_timed_event (Simulation *self, double next)
{
  TbReplayEntry entry = tb_replay_heap_pop (self->coming);

  self->served += (next - self->now) * get_rate (self);
  self->now = next;
  if (entry.turn == IS_REQUEST)
    complete_request (self, entry.what);
  else if (entry.turn == self->turn[entry.what])
    {
      guint32 actor = entry.what;

      self->turn[actor]++;
      self->pending_wait[actor] = TB_REPLAY_NONE;
      if (self->kinds[self->at[actor] - 1] == TB_REPLAY_WAIT && !self->is_woken[actor])
        wake (self, actor);
      if (self->workers != NULL)
        self->acting_cpu = tb_replay_workers_get_cpu (self->workers, actor);
      run_actor (self, actor);
      self->acting_cpu = TB_REPLAY_NONE;
    }
}

static gboolean
process_event (Simulation *self)
{
  double done
      = self->workers != NULL ? tb_replay_workers_get_next (self->workers) : find_next_done (self);
  double next
      = self->coming->len > 0 ? g_array_index (self->coming, TbReplayEntry, 0).key : INFINITY;

  if (isinf (done) && isinf (next))
    return FALSE;
  if (done < next)
    process_run_end (self, done);
  else
    process_timed_event (self, next);
  return TRUE;
}

static double *
new_times (gsize n)
{
  double *times = g_new (double, n + 1);

  for (gsize i = 0; i <= n; i++)
    times[i] = -1;
  return times;
}

static guint32 *
new_nones (gsize n)
{
  guint32 *nones = g_new (guint32, n + 1);

  for (gsize i = 0; i <= n; i++)
    nones[i] = TB_REPLAY_NONE;
  return nones;
}

static guint8 *
find_request_waits (const TbReplayProgram *program)
{
  guint8 *is_request_wait = g_new0 (guint8, program->waits->len + 1);

  for (guint i = 0; i < program->requests->len; i++)
    {
      guint32 wait = g_array_index (program->requests, TbReplayRequest, i).wait;

      if (wait != TB_REPLAY_NONE)
        is_request_wait[wait] = TRUE;
    }
  return is_request_wait;
}

static void
simulation_init (Simulation *self, const TbReplayProgram *program, const TbReplayChange *change)
{
  *self = (Simulation) { .program = program, .change = change, .times = g_new0 (TbReplayTimes, 1) };
  self->first = (const gsize *) (gpointer) program->first->data;
  self->kinds = (const guint8 *) program->kinds->data;
  self->values = (const gint64 *) (gpointer) program->values->data;
  self->n_cpus = change->n_cpus > 0 ? change->n_cpus : program->n_cpus;
  self->running = g_array_new (FALSE, FALSE, sizeof (TbReplayEntry));
  self->coming = g_array_new (FALSE, FALSE, sizeof (TbReplayEntry));
  self->at = g_memdup2 (self->first, sizeof (gsize) * (program->n_actors + 1));
  self->turn = g_new0 (guint32, program->n_actors + 1);
  self->waiter = new_nones (program->waits->len);
  self->pending_wait = new_nones (program->n_actors);
  self->has_shared = g_new0 (guint8, program->n_actors + 1);
  self->last = g_new0 (guint8, program->n_actors + 1);
  if (change->size != NULL)
    self->is_request_wait = find_request_waits (program);
  self->credit_ns = g_new0 (double, program->n_actors + 1);
  self->is_for_work = g_new0 (guint8, program->n_actors + 1);
  self->was_idle = g_new0 (guint8, program->n_actors + 1);
  self->since = new_times (program->n_actors);
  self->wait = new_nones (program->n_actors);
  self->waited = new_times (program->n_actors);
  self->polls = tb_replay_polls_new (program, change);
  self->is_polling = g_new0 (guint8, program->n_actors + 1);
  self->raised = new_times (program->waits->len);
  self->ready = new_times (change->n_streams);
  self->taken = new_times (change->n_streams);
  self->workers = tb_replay_workers_new (program, change);
  self->devices = tb_replay_devices_new (program, change);
  self->is_woken = g_new0 (guint8, program->n_actors + 1);
  self->debit_ns = g_new0 (double, program->n_actors + 1);
  self->state = g_new (guint8, program->n_actors + 1);
  memset (self->state, TB_REPLAY_STATE_UNKNOWN, program->n_actors + 1);
  self->acting = self->acting_cpu = TB_REPLAY_NONE;
  self->times->marks = new_times (program->n_marks);
  self->times->ends = g_new0 (double, program->n_actors + 1);
}

static TbReplayTimes *
simulation_clear (Simulation *self)
{
  for (guint32 i = 0; i < self->program->n_actors; i++)
    self->times->n_stuck += self->at[i] < self->first[i + 1];
  g_array_unref (self->running);
  g_array_unref (self->coming);
  g_free (self->at);
  g_free (self->turn);
  g_free (self->waiter);
  g_free (self->pending_wait);
  g_free (self->has_shared);
  g_free (self->last);
  g_free (self->is_request_wait);
  g_free (self->credit_ns);
  g_free (self->is_for_work);
  g_free (self->was_idle);
  g_free (self->since);
  g_free (self->wait);
  g_free (self->waited);
  g_clear_pointer (&self->polls, tb_replay_polls_free);
  g_free (self->is_polling);
  g_free (self->raised);
  g_free (self->ready);
  g_free (self->taken);
  g_clear_pointer (&self->workers, tb_replay_workers_free);
  tb_replay_devices_free (self->devices);
  g_free (self->is_woken);
  g_free (self->debit_ns);
  g_free (self->state);
  return g_steal_pointer (&self->times);
}

/* Events between two checks for cancellation; processing them takes far less time than cancellation
 * may. */
#define EVENTS_UNTIL_CHECK 65536

TbReplayTimes *
tb_replay_run (const TbReplayProgram *program,
               const TbReplayChange *change,
               GCancellable *cancellable,
               GError **error)
{
  static const TbReplayChange none = { 0 };
  gboolean is_cancelled = g_cancellable_set_error_if_cancelled (cancellable, error);
  Simulation simulation;

  if (is_cancelled)
    return NULL;
  simulation_init (&simulation, program, change != NULL ? change : &none);
  for (guint32 i = 0; i < program->n_actors; i++)
    run_actor (&simulation, i);
  for (guint64 i = 1; !is_cancelled && process_event (&simulation); i++)
    is_cancelled
        = i % EVENTS_UNTIL_CHECK == 0 && g_cancellable_set_error_if_cancelled (cancellable, error);
  if (!is_cancelled)
    return simulation_clear (&simulation);
  tb_replay_times_free (simulation_clear (&simulation));
  return NULL;
}
