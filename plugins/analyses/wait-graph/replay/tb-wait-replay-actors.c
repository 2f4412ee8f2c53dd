/* tb-wait-replay-actors.c: execution of an actor (a recorded thread in a replay, a simulation): its
 * runs, delays, waits, signals and requests one after another, with the effects of a change on
 * them, until one takes time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An actor executes its steps until one of them takes time: a run, a delay or a wait. It continues
 * behind that step when the time has passed.
 */

#include "config.h"

#include "tb-wait-replay-private.h"

static double
get_share (const TbReplaySimulation *self, gsize step)
{
  return self->change->run != NULL ? self->change->run[step] : 1;
}

/* Several threads help only where there is work for several. An actor that had to wait for its work
 * has work for one thread, unless it divides that work. */
guint32
tb_replay_simulation_get_size (const TbReplaySimulation *self, guint32 actor)
{
  gboolean divides = self->change->divides != NULL && self->change->divides[actor];

  return self->change->size != NULL && (divides || self->actors[actor].work != TB_REPLAY_WORK_IDLE)
             ? self->change->size[actor]
             : 1;
}

/* --- result of the last wait --- */

/* The result of the last wait, once it is over. */
static TbReplayOutcome
settle_wait (const TbReplaySimulation *self, TbReplayActor *actor)
{
  if (actor->last.outcome != TB_REPLAY_OUTCOME_PENDING)
    return actor->last.outcome;
  actor->last.length = self->now - actor->last.since;
  actor->last.outcome = actor->last.length > TB_REPLAY_ROUNDING_NS ? TB_REPLAY_OUTCOME_WAITED
                                                                   : TB_REPLAY_OUTCOME_SPARED;
  if (actor->work != TB_REPLAY_WORK_OWN)
    actor->work = actor->last.outcome == TB_REPLAY_OUTCOME_WAITED ? TB_REPLAY_WORK_IDLE
                                                                  : TB_REPLAY_WORK_RECEIVED;
  return actor->last.outcome;
}

/* Whether another thread prepares what the wait is for. That thread then has the switch and the
 * wake-up instead, so that a spared wait saves nothing. Input from outside is buffered by the
 * kernel without waking a thread. */
static gboolean
is_prepared (const TbReplaySimulation *self, guint32 wait)
{
  return self->change->stream != NULL && self->change->stream[wait] != TB_REPLAY_NONE
         && tb_replay_simulation_get_wait (self, wait)->is_signalled;
}

/* Whether a wait only marks a message that came while the actor was busy. No thread slept for it in
 * the recording, so a spared wait saves nothing. */
static gboolean
is_message (const TbReplaySimulation *self, guint32 wait)
{
  return tb_replay_simulation_get_wait (self, wait)->length == 0;
}

/* Whether the actor's run is partly saved, because it reads several parts at once. */
static gboolean
takes_at_once (const TbReplaySimulation *self, const TbReplayActor *actor)
{
  return self->change->takes != NULL && actor->last.wait != TB_REPLAY_NONE
         && self->change->takes[actor->last.wait] && actor->last.length <= TB_REPLAY_ROUNDING_NS;
}

/* --- runs --- */

/* The length of a run, less what the actor saved before, plus what it still has to pay. */
static double
take_run_length (const TbReplaySimulation *self, TbReplayActor *actor, gsize step)
{
  double length = (double) self->steps.values[step] * get_share (self, step);
  double taken;

  if (settle_wait (self, actor) == TB_REPLAY_OUTCOME_SPARED && !is_prepared (self, actor->last.wait)
      && !is_message (self, actor->last.wait))
    actor->credit_ns = self->change->saved;
  actor->last.outcome = TB_REPLAY_OUTCOME_NONE;
  if (takes_at_once (self, actor))
    length *= 1 - self->change->at_once;
  taken = MIN (actor->credit_ns, length);
  actor->credit_ns -= taken;
  length = length - taken + actor->debit_ns;
  actor->debit_ns = MIN (length, 0);
  return MAX (length, 0);
}

static void
begin_run (TbReplaySimulation *self, guint32 actor, double length)
{
  TbReplayActor *of = &self->actors[actor];
  guint32 size = tb_replay_simulation_get_size (self, actor);

  if (self->workers == NULL)
    tb_replay_sharing_run (&self->sharing, actor, length, size);
  else if (of->wakeup.is_placed)
    tb_replay_workers_begin (self->workers, actor, length, size, self->now);
  else
    tb_replay_workers_run (self->workers, actor, length, size, self->now);
  of->wakeup.is_placed = FALSE;
}

static gboolean
execute_run (TbReplaySimulation *self, guint32 actor, gsize step)
{
  double length = take_run_length (self, &self->actors[actor], step);

  if (length <= 0)
    return FALSE;
  begin_run (self, actor, length);
  return TRUE;
}

/* --- delays --- */

/* The share of the recorded wake-up delay that passes after the last wait. */
static double
get_wakeup_share (const TbReplaySimulation *self, TbReplayActor *actor)
{
  double length;

  if (settle_wait (self, actor) != TB_REPLAY_OUTCOME_WAITED)
    return 0;
  length = (double) tb_replay_simulation_get_wait (self, actor->last.wait)->length;
  return self->change->shrinks && actor->last.length < length ? actor->last.length / length : 1;
}

/* How much longer than recorded a woken actor's scheduling latency is, because its CPU is in
 * another state. */
static double
get_more_latency (const TbReplaySimulation *self, const TbReplayActor *actor)
{
  const TbReplaySchedulerModel *scheduler_model = self->program->scheduler_model;

  if (scheduler_model == NULL || actor->last.wait == TB_REPLAY_NONE)
    return 0;
  return tb_replay_latencies_get_difference (
      &scheduler_model->latencies, actor->wakeup.cpu_state,
      tb_replay_simulation_get_wait (self, actor->last.wait)->state);
}

static gboolean
execute_delay (TbReplaySimulation *self, guint32 actor, gsize step)
{
  TbReplayActor *of = &self->actors[actor];
  double length = (double) self->steps.values[step] * get_share (self, step);

  if (self->steps.kinds[step] == TB_REPLAY_WAKE)
    length = get_wakeup_share (self, of) * MAX (length + get_more_latency (self, of), 0);
  else
    settle_wait (self, of);
  if (length <= 0 || self->change->no_delays)
    return FALSE;
  tb_replay_simulation_wake_at (self, actor,
                                self->now + length / tb_replay_simulation_get_size (self, actor));
  return TRUE;
}

/* --- waits --- */

/* Skips repeated waits for time if the final wait is already signalled. The actions in between are
 * not done, and waits for them end at once. Returns whether steps were skipped. */
static gboolean
skip_timeouts (TbReplaySimulation *self, guint32 actor, guint32 wait)
{
  gsize *step = &self->actors[actor].next_step;
  guint32 to = tb_replay_simulation_get_wait (self, wait)->leads_to;
  gsize end;

  if (to == TB_REPLAY_NONE || self->signals[to].time < 0)
    return FALSE;
  end = tb_replay_simulation_get_wait (self, to)->step;
  for (; *step < end; (*step)++)
    if (self->steps.kinds[*step] == TB_REPLAY_SIGNAL)
      tb_replay_simulation_raise (self, (guint32) self->steps.values[*step]);
    else if (self->steps.kinds[*step] == TB_REPLAY_REQUEST)
      tb_replay_simulation_skip_request (self, (guint32) self->steps.values[*step]);
  return TRUE;
}

/* Runs the actor's own share of the work for which it waits, before the wait. Returns whether there
 * is one. */
static gboolean
begin_share (TbReplaySimulation *self, guint32 actor, guint32 wait)
{
  TbReplayActor *of = &self->actors[actor];
  double share = self->change->share != NULL ? self->change->share[wait] : 0;

  if (share <= 0 || of->has_shared)
    {
      of->has_shared = FALSE;
      return FALSE;
    }
  of->has_shared = TRUE;
  of->next_step--;
  begin_run (self, actor, share);
  return TRUE;
}

/* Whether a thread ends the wait, not a device, so that what follows may be work that the thread
 * brought. */
static gboolean
is_for_work (const TbReplaySimulation *self, guint32 wait)
{
  return tb_replay_simulation_get_wait (self, wait)->is_signalled
         && !self->signals[wait].is_completion;
}

static void
set_last_wait (TbReplaySimulation *self, TbReplayActor *actor, guint32 wait)
{
  actor->last.wait = wait;
  actor->last.outcome = TB_REPLAY_OUTCOME_PENDING;
  actor->last.since = self->now;
  actor->wakeup.cpu_state = TB_REPLAY_STATE_UNKNOWN;
  actor->credit_ns = 0;
  actor->debit_ns = MAX (actor->debit_ns, 0);
  if (!is_for_work (self, wait))
    actor->work = TB_REPLAY_WORK_OWN;
  else if (actor->work == TB_REPLAY_WORK_OWN)
    actor->work = TB_REPLAY_WORK_RECEIVED;
}

static gboolean
execute_wait (TbReplaySimulation *self, guint32 actor, guint32 wait)
{
  if (skip_timeouts (self, actor, wait))
    return FALSE;
  if (begin_share (self, actor, wait))
    return TRUE;
  set_last_wait (self, &self->actors[actor], wait);
  if (!tb_replay_simulation_begin_wait (self, actor, wait))
    return FALSE;
  self->actors[actor].wakeup.is_placed = FALSE;
  return TRUE;
}

/* --- steps without a duration --- */

/* A signal that comes after the limit of its wait costs what was recorded, because the waiter was
 * woken nevertheless. */
static void
execute_signal (TbReplaySimulation *self, guint32 actor, gsize step)
{
  guint32 wait = (guint32) self->steps.values[step];

  if (!tb_replay_simulation_is_late (self, wait))
    self->actors[actor].debit_ns -= self->change->waking_share * get_share (self, step)
                                    * (double) tb_replay_simulation_get_wait (self, wait)->waking;
  tb_replay_simulation_raise (self, wait);
}

static void
execute_request (TbReplaySimulation *self, gsize step)
{
  guint32 request = (guint32) self->steps.values[step];

  if (get_share (self, step) <= 0)
    tb_replay_simulation_skip_request (self, request);
  else
    tb_replay_simulation_submit (self, request);
}

/* Executes a step. Returns whether it takes time. */
static gboolean
execute_step (TbReplaySimulation *self, guint32 actor, gsize step)
{
  switch ((TbReplayKind) self->steps.kinds[step])
    {
    case TB_REPLAY_RUN:
      return execute_run (self, actor, step);
    case TB_REPLAY_DELAY:
    case TB_REPLAY_WAKE:
      return execute_delay (self, actor, step);
    case TB_REPLAY_WAIT:
      return execute_wait (self, actor, (guint32) self->steps.values[step]);
    case TB_REPLAY_SIGNAL:
      execute_signal (self, actor, step);
      break;
    case TB_REPLAY_REQUEST:
      execute_request (self, step);
      break;
    case TB_REPLAY_MARK:
      self->times->marks[self->steps.values[step]] = self->now;
      break;
    }
  return FALSE;
}

void
tb_replay_simulation_run_actor (TbReplaySimulation *self, guint32 actor)
{
  gsize first = self->steps.first[actor], end = self->steps.first[actor + 1];
  gsize *next = &self->actors[actor].next_step;

  self->acting.actor = actor;
  if (*next > first && self->steps.kinds[*next - 1] == TB_REPLAY_WAIT)
    skip_timeouts (self, actor, (guint32) self->steps.values[*next - 1]);
  while (*next < end && !execute_step (self, actor, (*next)++))
    ;
  self->acting.actor = TB_REPLAY_NONE;
}
