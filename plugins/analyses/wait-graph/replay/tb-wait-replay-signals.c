/* tb-wait-replay-signals.c: waits of a replay: when they begin and end, by a signal of another
 * actor, a device request, a poll, a prepared item or a limit; wake-up of the waiter
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "tb-wait-replay-heap.h"
#include "tb-wait-replay-private.h"

/* --- ends of waits --- */

static double
get_factor (const TbReplaySimulation *self, guint32 wait)
{
  return self->change->factor != NULL ? self->change->factor[wait] : 1;
}

/* When a wait ends whose signal was raised. */
static double
get_signalled_end (const TbReplaySimulation *self, guint32 wait)
{
  const TbReplayWait *of = tb_replay_simulation_get_wait (self, wait);
  double factor = get_factor (self, wait);

  return self->signals[wait].time + (double) of->lag
         + (factor > 1 ? (factor - 1) * (double) of->length : 0);
}

/* Whether the wait ends at some time even without its signal. */
static gboolean
has_limit (const TbReplaySimulation *self, guint32 wait)
{
  return get_factor (self, wait) < 1 || tb_replay_simulation_get_wait (self, wait)->is_loose;
}

/* When a wait ends at the latest that begins now. */
static double
get_limit (const TbReplaySimulation *self, guint32 wait)
{
  return self->now
         + get_factor (self, wait) * (double) tb_replay_simulation_get_wait (self, wait)->length;
}

static void
schedule_end (TbReplaySimulation *self, guint32 actor, double time)
{
  tb_replay_heap_push (self->timed_events, (TbReplayEntry) { .key = time,
                                                             .order = self->n_timed_events++,
                                                             .what = actor,
                                                             .tag = self->actors[actor].turn });
}

void
tb_replay_simulation_wake_at (TbReplaySimulation *self, guint32 actor, double time)
{
  self->actors[actor].turn++;
  schedule_end (self, actor, MAX (time, self->now));
}

void
tb_replay_simulation_wake (TbReplaySimulation *self, guint32 actor)
{
  TbReplayActor *woken = &self->actors[actor];
  double cost;

  if (self->workers == NULL)
    return;
  cost = tb_replay_workers_wake (self->workers, actor, self->acting.cpu, self->now,
                                 &woken->wakeup.cpu_state);
  if (self->acting.cpu == TB_REPLAY_NONE)
    woken->wakeup.cpu_state = tb_replay_latencies_set_waker_cpu (
        woken->wakeup.cpu_state, tb_replay_simulation_get_wait (self, woken->last.wait)->state);
  woken->wakeup.is_placed = TRUE;
  if (self->acting.actor != TB_REPLAY_NONE)
    self->actors[self->acting.actor].debit_ns += self->change->waking_share * cost;
}

/* --- beginning of waits --- */

/* Continues an actor at that of its polls that was signalled first. Returns whether there is
 * one. */
static gboolean
take_poll (TbReplaySimulation *self, guint32 actor)
{
  TbReplayActor *of = &self->actors[actor];
  guint32 wait = tb_replay_polls_take (self->polls, actor, &of->next_step);

  of->awaited = wait == TB_REPLAY_NONE ? TB_REPLAY_AWAITS_POLL : TB_REPLAY_AWAITS_NOTHING;
  if (wait != TB_REPLAY_NONE)
    of->last.wait = wait;
  return wait != TB_REPLAY_NONE;
}

static gboolean
begin_poll (TbReplaySimulation *self, guint32 actor)
{
  double end;

  if (!take_poll (self, actor))
    return TRUE;
  end = get_signalled_end (self, self->actors[actor].last.wait);
  if (end > self->now)
    tb_replay_simulation_wake_at (self, actor, end);
  return end > self->now;
}

static void
await_signal (TbReplaySimulation *self, guint32 actor, guint32 wait)
{
  self->signals[wait].waiter = actor;
  self->actors[actor].awaited = TB_REPLAY_AWAITS_SIGNAL;
  self->actors[actor].awaited_wait = wait;
}

/* Takes the next item of a stream. Returns when it is ready. */
static double
take_item (TbReplaySimulation *self, guint32 wait, TbReplayStream *stream)
{
  gboolean begins_batch = self->change->batches != NULL && self->change->batches[wait];
  double start = stream->ready < 0 ? self->now : stream->ready;

  if (begins_batch)
    start = MAX (start, stream->taken);
  stream->ready = start + (double) tb_replay_simulation_get_wait (self, wait)->length;
  stream->taken = MAX (stream->ready, self->now);
  return stream->ready;
}

/* When a wait ends that no signal of the program ends. */
static double
get_unsignalled_end (const TbReplaySimulation *self, guint32 actor, guint32 wait)
{
  double length = (double) tb_replay_simulation_get_wait (self, wait)->length;

  return self->now
         + get_factor (self, wait) * tb_replay_change_shorten (self->change, length, wait)
               / tb_replay_simulation_get_size (self, actor);
}

/* When a wait ends, as far as that is known at its beginning; INFINITY: not known. signal: set to
 * the wait whose signal may end it at another time; TB_REPLAY_NONE: none. */
static double
find_end (TbReplaySimulation *self, guint32 actor, guint32 wait, guint32 *signal)
{
  const TbReplayWait *of = tb_replay_simulation_get_wait (self, wait);
  guint32 stream = self->change->stream != NULL ? self->change->stream[wait] : TB_REPLAY_NONE;

  *signal = TB_REPLAY_NONE;
  if (stream != TB_REPLAY_NONE)
    return take_item (self, wait, &self->streams[stream]);
  if (!of->is_signalled)
    {
      *signal = of->leads_to;
      return get_unsignalled_end (self, actor, wait);
    }
  if (self->signals[wait].time >= 0)
    return has_limit (self, wait) ? MIN (get_signalled_end (self, wait), get_limit (self, wait))
                                  : get_signalled_end (self, wait);
  *signal = wait;
  return has_limit (self, wait) ? get_limit (self, wait) : INFINITY;
}

gboolean
tb_replay_simulation_begin_wait (TbReplaySimulation *self, guint32 actor, guint32 wait)
{
  guint32 signal;
  double end;

  if (tb_replay_polls_contains (self->polls, wait))
    return begin_poll (self, actor);
  end = find_end (self, actor, wait, &signal);
  if (end <= self->now)
    return FALSE;
  if (signal != TB_REPLAY_NONE)
    await_signal (self, actor, signal);
  if (!isinf (end))
    tb_replay_simulation_wake_at (self, actor, end);
  return TRUE;
}

/* --- signals --- */

static gboolean
is_awaited (const TbReplaySimulation *self, guint32 wait)
{
  guint32 waiter = self->signals[wait].waiter;

  return waiter != TB_REPLAY_NONE && self->actors[waiter].awaited == TB_REPLAY_AWAITS_SIGNAL
         && self->actors[waiter].awaited_wait == wait;
}

gboolean
tb_replay_simulation_is_late (const TbReplaySimulation *self, guint32 wait)
{
  const TbReplaySignal *signal = &self->signals[wait];

  return signal->time < 0 && signal->waiter != TB_REPLAY_NONE && !is_awaited (self, wait);
}

static void
raise_poll (TbReplaySimulation *self, guint32 wait)
{
  guint32 actor = tb_replay_polls_raise (self->polls, wait, self->now);

  if (self->actors[actor].awaited != TB_REPLAY_AWAITS_POLL || !take_poll (self, actor))
    return;
  tb_replay_simulation_wake (self, actor);
  tb_replay_simulation_wake_at (self, actor,
                                get_signalled_end (self, self->actors[actor].last.wait));
}

/* Ends the wait that its waiter is in. */
static void
wake_waiter (TbReplaySimulation *self, guint32 wait)
{
  guint32 actor = self->signals[wait].waiter;
  gint64 current = self->steps.values[self->actors[actor].next_step - 1];

  tb_replay_simulation_wake (self, actor);
  if (current != wait)
    /* The actor is in a wait for time that leads to this one. */
    tb_replay_simulation_wake_at (self, actor, self->now);
  else if (has_limit (self, wait))
    /* The limit stays scheduled, in the same turn. */
    schedule_end (self, actor, get_signalled_end (self, wait));
  else
    tb_replay_simulation_wake_at (self, actor, get_signalled_end (self, wait));
}

void
tb_replay_simulation_raise (TbReplaySimulation *self, guint32 wait)
{
  if (self->signals[wait].time >= 0)
    return;
  self->signals[wait].time = self->now;
  if (tb_replay_polls_contains (self->polls, wait))
    raise_poll (self, wait);
  else if (is_awaited (self, wait))
    wake_waiter (self, wait);
}

/* --- requests --- */

static void
schedule_completion (TbReplaySimulation *self, guint32 request, double length)
{
  tb_replay_heap_push (self->timed_events, (TbReplayEntry) { .key = self->now + length,
                                                             .order = self->n_timed_events++,
                                                             .what = request,
                                                             .tag = TB_REPLAY_COMPLETION });
}

static guint32
get_request_wait (const TbReplaySimulation *self, guint32 request)
{
  return g_array_index (self->program->requests, TbReplayRequest, request).wait;
}

void
tb_replay_simulation_submit (TbReplaySimulation *self, guint32 request)
{
  double length = tb_replay_devices_submit (self->devices, request);

  if (length >= 0)
    schedule_completion (self, request, length);
}

void
tb_replay_simulation_skip_request (TbReplaySimulation *self, guint32 request)
{
  guint32 wait = get_request_wait (self, request);

  if (wait != TB_REPLAY_NONE)
    tb_replay_simulation_raise (self, wait);
}

void
tb_replay_simulation_complete (TbReplaySimulation *self, guint32 request)
{
  guint32 wait = get_request_wait (self, request), next;
  double length;

  next = tb_replay_devices_complete (self->devices, request, &length);
  if (next != TB_REPLAY_NONE)
    schedule_completion (self, next, length);
  if (wait != TB_REPLAY_NONE)
    tb_replay_simulation_raise (self, wait);
}
