/* tb-wait-replay.c: event loop of a replay, a simulation of the recorded threads, requests and
 * CPUs, with or without a change: takes the earliest event and has its actor run on
 * (tb-wait-replay-actors); set-up, result
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A discrete-event simulation with next-event time advance. The state changes only at events: an
 * actor's run ends, an actor's wait or delay ends, a request is completed. The simulation goes to
 * the earliest event, executes the steps of the actor that it concerns (tb-wait-replay-actors.c),
 * and thereby schedules further events. Waits that another actor ends have no scheduled time; they
 * are woken by its signal (tb-wait-replay-signals.c).
 *
 * The recorded dependencies are those of the wPerf paper, but the paper has no replay. CPUs are
 * assigned as the scheduler model does (tb-wait-replay-scheduler.c) or, without one, shared evenly
 * (tb-wait-replay-processor-sharing.c).
 */

#include "config.h"

#include <math.h>

#include "tb-wait-replay-heap.h"
#include "tb-wait-replay-private.h"
#include "tb-wait-replay.h"

void
tb_replay_times_free (TbReplayTimes *self)
{
  g_free (self->marks);
  g_free (self->ends);
  g_free (self);
}

/* --- events --- */

/* The time of the next end of a run; INFINITY: there is none. */
static double
get_next_run_end (const TbReplaySimulation *self)
{
  return self->workers != NULL ? tb_replay_workers_get_next (self->workers)
                               : tb_replay_sharing_get_next (&self->sharing, self->now);
}

/* An actor's run has ended. The actor holds its CPU while its next steps are executed. */
static void
finish_run (TbReplaySimulation *self, guint32 actor)
{
  self->times->ends[actor] = self->now;
  if (self->workers == NULL)
    {
      tb_replay_simulation_run_actor (self, actor);
      return;
    }
  self->acting.cpu = tb_replay_workers_get_cpu (self->workers, actor);
  tb_replay_simulation_run_actor (self, actor);
  self->acting.cpu = TB_REPLAY_NONE;
  tb_replay_workers_release (self->workers, self->now);
}

static void
process_run_end (TbReplaySimulation *self, double time)
{
  guint32 actor;

  self->now = time;
  actor = self->workers != NULL ? tb_replay_workers_advance (self->workers, time)
                                : tb_replay_sharing_finish (&self->sharing);
  if (actor != TB_REPLAY_NONE)
    finish_run (self, actor);
}

/* An actor's wait or delay has ended. A wait that no signal ended wakes its actor now. */
static void
end_wait (TbReplaySimulation *self, guint32 actor)
{
  TbReplayActor *of = &self->actors[actor];

  of->turn++;
  of->awaited = TB_REPLAY_AWAITS_NOTHING;
  if (self->steps.kinds[of->next_step - 1] == TB_REPLAY_WAIT && !of->wakeup.is_placed)
    tb_replay_simulation_wake (self, actor);
  if (self->workers != NULL)
    self->acting.cpu = tb_replay_workers_get_cpu (self->workers, actor);
  tb_replay_simulation_run_actor (self, actor);
  self->acting.cpu = TB_REPLAY_NONE;
}

static void
process_timed_event (TbReplaySimulation *self)
{
  TbReplayEntry event = tb_replay_heap_pop (self->timed_events);

  tb_replay_sharing_advance (&self->sharing, event.key - self->now);
  self->now = event.key;
  if (event.tag == TB_REPLAY_COMPLETION)
    tb_replay_simulation_complete (self, event.what);
  else if (event.tag == self->actors[event.what].turn)
    end_wait (self, event.what);
}

/* Returns whether there was an event. */
static gboolean
process_event (TbReplaySimulation *self)
{
  double run_end = get_next_run_end (self);
  double timed = self->timed_events->len > 0
                     ? g_array_index (self->timed_events, TbReplayEntry, 0).key
                     : INFINITY;

  if (isinf (run_end) && isinf (timed))
    return FALSE;
  if (run_end < timed)
    process_run_end (self, run_end);
  else
    process_timed_event (self);
  return TRUE;
}

/* --- simulation --- */

static TbReplayActor *
new_actors (const TbReplayProgram *program)
{
  TbReplayActor *actors = g_new (TbReplayActor, (gsize) program->n_actors + 1);

  for (guint32 i = 0; i < program->n_actors; i++)
    actors[i] = (TbReplayActor) { .next_step = g_array_index (program->first, gsize, i),
                                  .last = { .wait = TB_REPLAY_NONE, .since = -1, .length = -1 },
                                  .wakeup = { .cpu_state = TB_REPLAY_STATE_UNKNOWN } };
  return actors;
}

static TbReplaySignal *
new_signals (const TbReplayProgram *program)
{
  TbReplaySignal *signals = g_new (TbReplaySignal, (gsize) program->waits->len + 1);

  for (guint i = 0; i < program->waits->len; i++)
    signals[i] = (TbReplaySignal) { .time = -1, .waiter = TB_REPLAY_NONE };
  for (guint i = 0; i < program->requests->len; i++)
    {
      guint32 wait = g_array_index (program->requests, TbReplayRequest, i).wait;

      if (wait != TB_REPLAY_NONE)
        signals[wait].is_completion = TRUE;
    }
  return signals;
}

static TbReplayStream *
new_streams (guint32 n)
{
  TbReplayStream *streams = g_new (TbReplayStream, (gsize) n + 1);

  for (guint32 i = 0; i < n; i++)
    streams[i] = (TbReplayStream) { .ready = -1, .taken = -1 };
  return streams;
}

static TbReplayTimes *
new_times (const TbReplayProgram *program)
{
  TbReplayTimes *times = g_new0 (TbReplayTimes, 1);

  times->marks = g_new (double, (gsize) program->n_marks + 1);
  for (guint32 i = 0; i < program->n_marks; i++)
    times->marks[i] = -1;
  times->ends = g_new0 (double, (gsize) program->n_actors + 1);
  return times;
}

static void
simulation_init (TbReplaySimulation *self,
                 const TbReplayProgram *program,
                 const TbReplayChange *change)
{
  *self = (TbReplaySimulation) {
    .program = program,
    .change = change,
    .times = new_times (program),
    .steps = { .first = (const gsize *) (gpointer) program->first->data,
               .kinds = (const guint8 *) program->kinds->data,
               .values = (const gint64 *) (gpointer) program->values->data },
    .timed_events = g_array_new (FALSE, FALSE, sizeof (TbReplayEntry)),
    .actors = new_actors (program),
    .signals = new_signals (program),
    .streams = new_streams (change->n_streams),
    .polls = tb_replay_polls_new (program, change),
    .devices = tb_replay_devices_new (program, change),
    .workers = tb_replay_workers_new (program, change),
    .acting = { .actor = TB_REPLAY_NONE, .cpu = TB_REPLAY_NONE },
  };
  tb_replay_sharing_init (&self->sharing, change->n_cpus > 0 ? change->n_cpus : program->n_cpus);
}

/* Returns the results. */
static TbReplayTimes *
simulation_clear (TbReplaySimulation *self)
{
  for (guint32 i = 0; i < self->program->n_actors; i++)
    self->times->n_stuck += self->actors[i].next_step < self->steps.first[i + 1];
  g_array_unref (self->timed_events);
  g_free (self->actors);
  g_free (self->signals);
  g_free (self->streams);
  tb_replay_polls_free (self->polls);
  tb_replay_devices_free (self->devices);
  g_clear_pointer (&self->workers, tb_replay_workers_free);
  tb_replay_sharing_clear (&self->sharing);
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
  TbReplaySimulation simulation;

  if (is_cancelled)
    return NULL;
  simulation_init (&simulation, program, change != NULL ? change : &none);
  for (guint32 i = 0; i < program->n_actors; i++)
    tb_replay_simulation_run_actor (&simulation, i);
  for (guint64 i = 1; !is_cancelled && process_event (&simulation); i++)
    is_cancelled
        = i % EVENTS_UNTIL_CHECK == 0 && g_cancellable_set_error_if_cancelled (cancellable, error);
  if (!is_cancelled)
    return simulation_clear (&simulation);
  tb_replay_times_free (simulation_clear (&simulation));
  return NULL;
}
