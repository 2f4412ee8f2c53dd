/* wait-replay-reference.c: simple reference implementation of the replay, and random programs to
 * replay
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "wait-replay-reference.h"

#define NOTHING G_MAXUINT32

typedef struct
{
  gsize at;
  double left; /* time left to run; -1: it does not run */
  double wake; /* time of its wake-up; INFINITY: unknown */
  guint64 wake_order;
  guint32 waits;    /* the wait for the signal of which it waits */
  double since;     /* start of its last wait; -1: it has run since */
  double since_end; /* end of that wait, -1: unknown */
  guint32 wait;     /* its last wait */
  double credit;    /* time by which its next runs are shortened */
  /* it waited for another thread, and has begun no other wait since */
  gboolean is_idle;
  gboolean polls; /* it waits for any of several signals */
} Actor;

typedef struct
{
  guint32 request;
  double end; /* INFINITY: still in the queue */
  guint64 order;
} Flight;

typedef struct
{
  const TbReplayProgram *program;
  const TbReplayChange *change;
  TbReplayTimes *times;
  Actor *actors;
  GArray *flights; /* in the order in which they were issued */
  double *raised;
  guint64 *raised_order; /* by wait */
  /* by step: a wait for any of several, which has ended */
  guint8 *is_polled;
  double *ready;
  double *fetched;
  double now;
  guint64 order;
} World;

static const TbReplayWait *
get_wait (const World *self, guint32 wait)
{
  return &g_array_index (self->program->waits, TbReplayWait, wait);
}

static double
get_factor (const World *self, guint32 wait)
{
  return self->change->factor != NULL ? self->change->factor[wait] : 1;
}

static gboolean
has_request (const World *self, guint32 wait)
{
  for (guint32 i = 0; i < self->program->requests->len; i++)
    if (g_array_index (self->program->requests, TbReplayRequest, i).wait == wait)
      return TRUE;
  return FALSE;
}

static double
get_size (const World *self, const Actor *actor)
{
  gsize index = (gsize) (actor - self->actors);

  if (self->change->size == NULL
      || (actor->is_idle && (self->change->divides == NULL || !self->change->divides[index])))
    return 1;
  return self->change->size[index];
}

static double
shorten (const World *self, double length, guint32 wait)
{
  return self->change->shorter != NULL && wait != TB_REPLAY_NONE
             ? MAX (length - self->change->shorter[wait], 0)
             : length;
}

static void
wake (World *self, Actor *actor, double time)
{
  if (time < actor->wake)
    {
      actor->wake = time;
      actor->wake_order = self->order++;
    }
}

static double
get_signalled_end (const World *self, guint32 wait)
{
  return self->raised[wait] + (double) get_wait (self, wait)->lag
         + MAX (get_factor (self, wait) - 1, 0) * (double) get_wait (self, wait)->length;
}

/* Whether a step is a wait for any of several signals, the order of which is free. */
static gboolean
is_poll (const World *self, gsize step)
{
  guint32 wait = (guint32) g_array_index (self->program->values, gint64, step);

  if (g_array_index (self->program->kinds, guint8, step) != TB_REPLAY_WAIT
      || !get_wait (self, wait)->is_signalled || get_wait (self, wait)->is_loose
      || get_wait (self, wait)->source == NOTHING || get_factor (self, wait) != 1
      || (self->change->stream != NULL && self->change->stream[wait] != TB_REPLAY_NONE))
    return FALSE;
  for (guint32 i = 0; i < self->program->waits->len; i++)
    if (get_wait (self, i)->leads_to == wait)
      return FALSE;
  return TRUE;
}

/* Whether a step issues the request that a wait is for. */
static gboolean
asks_for (const World *self, gsize step, guint32 wait)
{
  guint32 request = (guint32) g_array_index (self->program->values, gint64, step);

  return g_array_index (self->program->kinds, guint8, step) == TB_REPLAY_REQUEST
         && g_array_index (self->program->requests, TbReplayRequest, request).wait == wait;
}

/* Whether the steps after a poll wait for others: then it comes after all steps before it, and the
 * last one of all stays last. */
static gboolean
keeps_place (const World *self, gsize poll, gsize end)
{
  for (gsize step = poll + 1; step < end; step++)
    {
      guint32 wait = (guint32) g_array_index (self->program->values, gint64, step);
      gboolean asks = FALSE;

      if (is_poll (self, step))
        return FALSE;
      if (g_array_index (self->program->kinds, guint8, step) != TB_REPLAY_WAIT)
        continue;
      for (gsize i = poll + 1; i < step; i++)
        asks |= asks_for (self, i, wait);
      if (get_wait (self, wait)->leads_to != NOTHING
          || (get_wait (self, wait)->is_signalled && !asks))
        return TRUE;
    }
  return TRUE;
}

/* The step of the first-signalled wait among the first waits for each source. */
static gsize
find_poll (const World *self, guint32 index)
{
  gsize first = g_array_index (self->program->first, gsize, index);
  gsize end = g_array_index (self->program->first, gsize, index + 1), best = G_MAXSIZE;

  for (gsize step = first; step < end; step++)
    {
      guint32 wait = (guint32) g_array_index (self->program->values, gint64, step);
      gboolean is_first = TRUE, stays;

      if (self->is_polled[step] || !is_poll (self, step) || self->raised[wait] < 0)
        continue;
      stays = keeps_place (self, step, end);
      for (gsize i = first; i < step; i++)
        if (!self->is_polled[i] && is_poll (self, i)
            && (stays
                || get_wait (self, (guint32) g_array_index (self->program->values, gint64, i))
                           ->source
                       == get_wait (self, wait)->source))
          is_first = FALSE;
      if (is_first
          && (best == G_MAXSIZE
              || self->raised_order[wait]
                     < self->raised_order[g_array_index (self->program->values, gint64, best)]))
        best = step;
    }
  return best;
}

/* Returns whether the actor must wait. */
static gboolean
poll (World *self, guint32 index)
{
  Actor *actor = &self->actors[index];
  gsize step = find_poll (self, index);
  double end;

  actor->polls = step == G_MAXSIZE;
  if (actor->polls)
    return TRUE;
  self->is_polled[step] = TRUE;
  actor->wait = (guint32) g_array_index (self->program->values, gint64, step);
  actor->at = step + 1;
  end = get_signalled_end (self, actor->wait);
  if (end > self->now)
    wake (self, actor, end);
  return end > self->now;
}

static void
signal_wait (World *self, guint32 wait)
{
  if (self->raised[wait] >= 0)
    return;
  self->raised[wait] = self->now;
  self->raised_order[wait] = self->order++;
  for (guint32 i = 0; i < self->program->n_actors; i++)
    if (self->actors[i].polls && !poll (self, i))
      wake (self, &self->actors[i], self->now);
  for (guint32 i = 0; i < self->program->n_actors; i++)
    if (self->actors[i].waits == wait)
      wake (self, &self->actors[i],
            g_array_index (self->program->values, gint64, self->actors[i].at - 1) != wait
                ? self->now
                : MAX (get_signalled_end (self, wait), self->now));
}

static void
start_flights (World *self, guint32 device)
{
  guint n_busy = 0, places = g_array_index (self->program->devices, guint32, device);

  for (guint i = 0; i < self->flights->len; i++)
    {
      Flight *flight = &g_array_index (self->flights, Flight, i);
      const TbReplayRequest *request
          = &g_array_index (self->program->requests, TbReplayRequest, flight->request);
      double speed = self->change->speed != NULL ? self->change->speed[request->device] : 1;

      if (request->device != device)
        continue;
      if (isinf (flight->end) && n_busy < places)
        {
          flight->end
              = self->now + shorten (self, (double) request->service, request->wait) / speed;
          flight->order = self->order++;
        }
      n_busy += !isinf (flight->end);
    }
}

/* Returns whether the actor waits. */
static gboolean
start_wait (World *self, Actor *actor, guint32 wait)
{
  double length = (double) get_wait (self, wait)->length, factor = get_factor (self, wait),
         end = INFINITY;
  gboolean for_signal = FALSE;
  guint32 leads_to = NOTHING;

  if (self->change->stream != NULL && self->change->stream[wait] != TB_REPLAY_NONE)
    {
      guint32 stream = self->change->stream[wait];
      gboolean is_held = self->change->batches != NULL && self->change->batches[wait];

      if (self->ready[stream] < 0)
        self->ready[stream] = self->now;
      end = MAX (self->ready[stream], is_held ? self->fetched[stream] : 0) + length;
      self->ready[stream] = end;
      self->fetched[stream] = MAX (end, self->now);
    }
  else if (!get_wait (self, wait)->is_signalled)
    {
      end = self->now + factor * shorten (self, length, wait) / get_size (self, actor);
      leads_to = get_wait (self, wait)->leads_to;
    }
  else
    {
      if (self->raised[wait] >= 0)
        end = get_signalled_end (self, wait);
      else
        for_signal = TRUE;
      if (factor < 1 || get_wait (self, wait)->is_loose)
        end = MIN (end, self->now + factor * length);
    }
  if (end <= self->now)
    return FALSE;
  if (!isinf (end))
    wake (self, actor, end);
  actor->waits = for_signal ? wait : leads_to;
  return TRUE;
}

/* Skips a timed wait that a signal has ended as well. */
static gboolean
skip_ended_wait (World *self, Actor *actor, gsize step)
{
  const TbReplayWait *wait;

  if (g_array_index (self->program->kinds, guint8, step) != TB_REPLAY_WAIT)
    return FALSE;
  wait = get_wait (self, (guint32) g_array_index (self->program->values, gint64, step));
  if (wait->leads_to == NOTHING || self->raised[wait->leads_to] < 0)
    return FALSE;
  for (; actor->at < get_wait (self, wait->leads_to)->step; actor->at++)
    if (g_array_index (self->program->kinds, guint8, actor->at) == TB_REPLAY_SIGNAL)
      signal_wait (self, (guint32) g_array_index (self->program->values, gint64, actor->at));
  return TRUE;
}

/* Records whether its last wait was for another thread and took time. */
static void
update_idleness (World *self, Actor *actor)
{
  if (actor->since >= 0)
    actor->is_idle = get_wait (self, actor->wait)->is_signalled && !has_request (self, actor->wait)
                     && actor->since_end - actor->since > 0.5;
}

/* The length of its last wait in proportion to the recorded length, at most 1. */
static double
get_shrinking (const World *self, const Actor *actor)
{
  double length = (double) get_wait (self, actor->wait)->length;

  return self->change->shrinks ? MIN ((actor->since_end - actor->since) / MAX (length, 1), 1) : 1;
}

static void
proceed (World *self, guint32 index)
{
  Actor *actor = &self->actors[index];
  gsize end = g_array_index (self->program->first, gsize, index + 1);
  Flight flight = { .end = INFINITY };

  actor->waits = NOTHING;
  actor->wake = INFINITY;
  if (actor->at > g_array_index (self->program->first, gsize, index))
    skip_ended_wait (self, actor, actor->at - 1);
  while (actor->at < end)
    {
      gboolean is_called;
      TbReplayKind kind = g_array_index (self->program->kinds, guint8, actor->at);
      gint64 value = g_array_index (self->program->values, gint64, actor->at++);

      double share = self->change->run != NULL ? self->change->run[actor->at - 1] : 1;

      if (actor->since_end < 0)
        actor->since_end = self->now;
      is_called = skip_ended_wait (self, actor, actor->at - 1);
      if (is_called)
        continue;
      if (kind == TB_REPLAY_RUN)
        {
          gboolean is_prepared = actor->since >= 0 && self->change->stream != NULL
                                 && self->change->stream[actor->wait] != TB_REPLAY_NONE
                                 && get_wait (self, actor->wait)->is_signalled;
          gboolean is_spared = actor->since >= 0 && actor->since_end - actor->since <= 0.5
                               && !is_prepared && get_wait (self, actor->wait)->length > 0;

          update_idleness (self, actor);
          actor->credit = is_spared ? self->change->saved : actor->credit;
          actor->left = MAX (share * (double) value - actor->credit, 0);
          actor->credit = MAX (actor->credit - share * (double) value, 0);
          actor->since = -1;
          if (actor->left > 0)
            return;
          actor->left = -1;
          continue;
        }
      if ((kind == TB_REPLAY_DELAY
           || (kind == TB_REPLAY_WAKE && actor->since >= 0
               && actor->since_end - actor->since > 0.5))
          && value > 0 && share > 0 && !self->change->no_delays)
        {
          if (kind == TB_REPLAY_WAKE)
            share *= get_shrinking (self, actor);
          update_idleness (self, actor);
          wake (self, actor, self->now + share * (double) value / get_size (self, actor));
          return;
        }
      if (kind == TB_REPLAY_WAIT)
        {
          actor->since = self->now;
          actor->since_end = -1;
          actor->credit = 0;
          actor->wait = (guint32) value;
          actor->is_idle = actor->is_idle && get_wait (self, actor->wait)->is_signalled
                           && !has_request (self, actor->wait);
          if (is_poll (self, actor->at - 1))
            {
              if (poll (self, index))
                return;
              continue;
            }
          if (start_wait (self, actor, (guint32) value))
            return;
        }
      if (kind == TB_REPLAY_SIGNAL)
        signal_wait (self, (guint32) value);
      if (kind == TB_REPLAY_MARK)
        self->times->marks[value] = self->now;
      if (kind == TB_REPLAY_REQUEST && share <= 0)
        {
          guint32 wait = g_array_index (self->program->requests, TbReplayRequest, value).wait;

          if (wait != TB_REPLAY_NONE)
            signal_wait (self, wait);
        }
      else if (kind == TB_REPLAY_REQUEST)
        {
          flight.request = (guint32) value;
          g_array_append_val (self->flights, flight);
          start_flights (self,
                         g_array_index (self->program->requests, TbReplayRequest, value).device);
        }
    }
}

static double
get_rate (const World *self)
{
  double n = 0, n_cpus = self->change->n_cpus > 0 ? self->change->n_cpus : self->program->n_cpus;

  for (guint32 i = 0; i < self->program->n_actors; i++)
    n += self->actors[i].left >= 0 ? get_size (self, &self->actors[i]) : 0;
  return n > n_cpus ? n_cpus / n : 1;
}

static void
pass (World *self, double time)
{
  double rate = get_rate (self);

  for (guint32 i = 0; i < self->program->n_actors; i++)
    if (self->actors[i].left >= 0)
      self->actors[i].left = MAX (
          self->actors[i].left - (time - self->now) * rate * get_size (self, &self->actors[i]), 0);
  self->now = time;
}

static void
complete_request (World *self, guint index)
{
  TbReplayRequest request = g_array_index (self->program->requests, TbReplayRequest,
                                           g_array_index (self->flights, Flight, index).request);

  g_array_remove_index (self->flights, index);
  start_flights (self, request.device);
  if (request.wait != TB_REPLAY_NONE)
    signal_wait (self, request.wait);
}

/* An event without a CPU comes before one that a CPU finishes. */
static gboolean
process_next_event (World *self)
{
  guint32 actor = NOTHING, runner = NOTHING;
  guint flight = NOTHING;
  double next = INFINITY, done = INFINITY, rate = get_rate (self);
  guint64 order = G_MAXUINT64;

  for (guint32 i = 0; i < self->program->n_actors; i++)
    {
      const Actor *of = &self->actors[i];

      if (of->wake < next || (of->wake == next && of->wake_order < order))
        {
          next = of->wake;
          order = of->wake_order;
          actor = i;
        }
      if (of->left >= 0
          && (runner == NOTHING
              || of->left / get_size (self, of)
                     < self->actors[runner].left / get_size (self, &self->actors[runner])))
        runner = i;
    }
  for (guint i = 0; i < self->flights->len; i++)
    {
      const Flight *of = &g_array_index (self->flights, Flight, i);

      if (of->end < next || (of->end == next && !isinf (next) && of->order < order))
        {
          next = of->end;
          order = of->order;
          flight = i;
        }
    }
  if (runner != NOTHING)
    done = self->now + self->actors[runner].left / rate / get_size (self, &self->actors[runner]);
  if (isinf (done) && isinf (next))
    return FALSE;
  pass (self, MIN (done, next));
  if (done < next)
    {
      self->actors[runner].left = -1;
      self->times->ends[runner] = self->now;
      proceed (self, runner);
    }
  else if (flight != NOTHING)
    complete_request (self, flight);
  else
    proceed (self, actor);
  return TRUE;
}

TbReplayTimes *
wait_replay_reference (const TbReplayProgram *program, const TbReplayChange *change)
{
  static const TbReplayChange none = { 0 };
  World world = { .program = program, .change = change != NULL ? change : &none };

  world.times = g_new0 (TbReplayTimes, 1);
  world.times->ends = g_new0 (double, program->n_actors + 1);
  world.times->marks = g_new (double, program->n_marks + 1);
  world.actors = g_new0 (Actor, program->n_actors + 1);
  world.flights = g_array_new (FALSE, FALSE, sizeof (Flight));
  world.raised = g_new (double, program->waits->len + 1);
  world.raised_order = g_new0 (guint64, program->waits->len + 1);
  world.is_polled = g_new0 (guint8, program->kinds->len + 1);
  world.ready = g_new (double, world.change->n_streams + 1);
  world.fetched = g_new0 (double, world.change->n_streams + 1);
  for (guint32 i = 0; i < program->n_marks; i++)
    world.times->marks[i] = -1;
  for (guint32 i = 0; i < program->waits->len; i++)
    world.raised[i] = -1;
  for (guint32 i = 0; i < world.change->n_streams; i++)
    world.ready[i] = -1;
  for (guint32 i = 0; i < program->n_actors; i++)
    world.actors[i] = (Actor) {
      g_array_index (program->first, gsize, i), -1, INFINITY, 0, NOTHING, -1, -1, 0, 0, FALSE, FALSE
    };
  for (guint32 i = 0; i < program->n_actors; i++)
    proceed (&world, i);
  while (process_next_event (&world))
    ;
  for (guint32 i = 0; i < program->n_actors; i++)
    world.times->n_stuck += world.actors[i].at < g_array_index (program->first, gsize, i + 1);
  g_free (world.actors);
  g_free (world.raised);
  g_free (world.raised_order);
  g_free (world.is_polled);
  g_free (world.ready);
  g_free (world.fetched);
  g_array_unref (world.flights);
  return world.times;
}

/* --- random programs --- */

typedef struct
{
  guint8 kind;
  guint32 actor;
  gint64 value;
} RandomStep;

static void
add_step (GArray *steps, guint32 actor, TbReplayKind kind, gint64 value)
{
  RandomStep one = { kind, actor, value };

  g_array_append_val (steps, one);
}

static void
add_request_steps (GRand *rand,
                   TbReplayProgram *program,
                   GArray *steps,
                   guint32 actor,
                   guint32 other,
                   guint n_devices)
{
  gint64 service = g_rand_int_range (rand, 1, 1000000);
  guint32 device = (guint32) g_rand_int_range (rand, 0, (gint32) n_devices);
  guint32 wait = g_rand_int_range (rand, 0, 4) == 0
                     ? TB_REPLAY_NONE
                     : tb_replay_program_add_wait (program, service, 0, TRUE);

  add_step (steps, other, TB_REPLAY_REQUEST,
            tb_replay_program_add_request (program, device, service, wait));
  if (wait != TB_REPLAY_NONE)
    add_step (steps, actor, TB_REPLAY_WAIT, wait);
}

static void
add_random_step (GRand *rand, TbReplayProgram *program, GArray *steps, const WaitReplayShape *shape)
{
  guint32 actor = (guint32) g_rand_int_range (rand, 0, (gint32) shape->n_actors);
  guint32 other = (guint32) g_rand_int_range (rand, 0, (gint32) shape->n_actors);
  gint64 length = g_rand_int_range (rand, 1, 1000000);
  int what = g_rand_int_range (rand, 0, shape->only_runs ? 6 : 10);

  if (what < 3)
    add_step (steps, actor, TB_REPLAY_RUN, length);
  else if (what < 4)
    add_step (steps, actor, TB_REPLAY_MARK, program->n_marks++);
  else if (what < 6 && actor != other)
    {
      guint32 wait = tb_replay_program_add_wait (
          program, !shape->only_runs && g_rand_int_range (rand, 0, 4) == 0 ? 0 : length,
          shape->only_runs ? 0 : g_rand_int_range (rand, 0, 1000), TRUE);

      g_array_index (program->waits, TbReplayWait, wait).is_loose
          = !shape->only_runs && !shape->no_wakes && g_rand_int_range (rand, 0, 4) == 0;
      if (!shape->only_runs && g_rand_boolean (rand) && !shape->no_wakes)
        g_array_index (program->waits, TbReplayWait, wait).source = other;
      add_step (steps, other, TB_REPLAY_SIGNAL, wait);
      for (int i = shape->only_runs || shape->no_wakes ? 0 : g_rand_int_range (rand, 0, 4); i > 0;
           i--)
        {
          guint32 limited
              = tb_replay_program_add_wait (program, g_rand_int_range (rand, 1, 1000000), 0, FALSE);

          g_array_index (program->waits, TbReplayWait, limited).leads_to = wait;
          add_step (steps, actor, TB_REPLAY_WAIT, limited);
          add_step (steps, actor, TB_REPLAY_RUN, g_rand_int_range (rand, 1, 1000));
          if (g_rand_boolean (rand))
            {
              guint32 waiter = (guint32) g_rand_int_range (rand, 0, (gint32) shape->n_actors);
              guint32 given = tb_replay_program_add_wait (program, 1000, 0, TRUE);

              add_step (steps, actor, TB_REPLAY_SIGNAL, given);
              if (waiter != actor && waiter != other)
                add_step (steps, waiter, TB_REPLAY_WAIT, given);
            }
        }
      add_step (steps, actor, TB_REPLAY_WAIT, wait);
      if (!shape->only_runs && !shape->no_wakes && g_rand_boolean (rand))
        add_step (steps, actor, TB_REPLAY_WAKE, g_rand_int_range (rand, 0, 1000000));
    }
  else if (what == 6)
    add_step (steps, actor, TB_REPLAY_DELAY, length);
  else if (what == 7)
    add_step (steps, actor, TB_REPLAY_WAIT, tb_replay_program_add_wait (program, length, 0, FALSE));
  else if (what > 7 && shape->n_devices > 0)
    add_request_steps (rand, program, steps, actor, other, shape->n_devices);
}

TbReplayProgram *
wait_replay_random (GRand *rand, const WaitReplayShape *shape, guint32 n_cpus, const guint *order)
{
  TbReplayProgram *program = tb_replay_program_new (n_cpus);
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (RandomStep));

  for (guint i = 0; i < shape->n_devices; i++)
    g_array_append_vals (program->devices, &(guint32) { (guint32) g_rand_int_range (rand, 1, 4) },
                         1);
  for (guint i = 0; i < shape->n_steps; i++)
    add_random_step (rand, program, steps, shape);
  for (guint32 place = 0; place < shape->n_actors; place++)
    {
      guint32 actor = place;

      for (guint32 i = 0; order != NULL && i < shape->n_actors; i++)
        actor = order[i] == place ? i : actor;
      tb_replay_program_add_actor (program);
      if (shape->is_unique_in_time)
        tb_replay_program_add_step (program, TB_REPLAY_DELAY, 1 + actor);
      for (guint i = 0; i < steps->len; i++)
        if (g_array_index (steps, RandomStep, i).actor == actor)
          {
            const RandomStep *one = &g_array_index (steps, RandomStep, i);

            if (one->kind == TB_REPLAY_WAIT)
              g_array_index (program->waits, TbReplayWait, one->value).step = program->kinds->len;
            if (one->kind == TB_REPLAY_WAIT && shape->is_unique_in_time)
              g_array_index (program->waits, TbReplayWait, one->value).lag += 1000 * one->value;
            tb_replay_program_add_step (program, g_array_index (steps, RandomStep, i).kind,
                                        g_array_index (steps, RandomStep, i).value);
          }
    }
  return program;
}
