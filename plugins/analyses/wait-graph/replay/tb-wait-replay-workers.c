/* tb-wait-replay-workers.c: workers that run an actor of a replay on CPUs of its scheduler: one
 * worker, or several that divide the actor's work where CPUs are idle
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-replay-workers.h"

/* ns: no other worker is started for less work. */
#define LEAST_NS 1e4

struct _TbReplayWorkers
{
  TbReplayScheduler *cpus;
  GArray *actor_of_worker; /* guint32 by worker */
  guint32 *first;          /* by actor: its first worker, and one past the last */
  guint8 *is_at_work;      /* by worker: it has work */
  guint32 *n_at_work;      /* by actor: number of its workers that have work */
  guint32 *size;           /* by actor: how many workers it may use now */
  GArray *wide;            /* guint32: actors at work that may use more than one worker */
  /* worker that keeps its CPU between two runs of its actor; TB_REPLAY_NONE: none */
  guint32 holder;
};

TbReplayWorkers *
tb_replay_workers_new (const TbReplayProgram *program, const TbReplayChange *change)
{
  guint32 n_cpus = change->n_cpus > 0 ? change->n_cpus : program->n_cpus;
  g_autoptr (GArray) previous = NULL;
  g_autoptr (GArray) threads = NULL;
  TbReplayWorkers *self;

  if (program->scheduler_model == NULL)
    return NULL;
  self = g_new0 (TbReplayWorkers, 1);
  previous = g_array_new (FALSE, FALSE, sizeof (guint32));
  threads = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->actor_of_worker = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->first = g_new0 (guint32, program->n_actors + 1);
  for (guint32 i = 0; i < program->n_actors; i++)
    {
      /* No more than that can run at once. */
      guint32 size = change->size != NULL ? MIN (change->size[i], n_cpus) : 1;

      self->first[i] = self->actor_of_worker->len;
      for (guint32 j = 0; j < size; j++)
        {
          guint32 cpu = program->previous[i] + j;

          g_array_append_val (self->actor_of_worker, i);
          g_array_append_val (previous, cpu);
          g_array_append_val (threads, program->threads[i]);
        }
    }
  self->first[program->n_actors] = self->actor_of_worker->len;
  self->is_at_work = g_new0 (guint8, self->actor_of_worker->len + 1);
  self->n_at_work = g_new0 (guint32, program->n_actors + 1);
  self->size = g_new0 (guint32, program->n_actors + 1);
  self->wide = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->holder = TB_REPLAY_NONE;
  self->cpus = tb_replay_scheduler_new (n_cpus, self->actor_of_worker->len,
                                        (const guint32 *) (gpointer) previous->data,
                                        (const guint32 *) (gpointer) threads->data,
                                        program->scheduler_model);
  return self;
}

void
tb_replay_workers_free (TbReplayWorkers *self)
{
  tb_replay_scheduler_free (self->cpus);
  g_array_unref (self->actor_of_worker);
  g_array_unref (self->wide);
  g_free (self->first);
  g_free (self->is_at_work);
  g_free (self->n_at_work);
  g_free (self->size);
  g_free (self);
}

static void
set_at_work (TbReplayWorkers *self, guint32 worker, gboolean is_at_work)
{
  guint32 actor = g_array_index (self->actor_of_worker, guint32, worker);

  self->is_at_work[worker] = is_at_work;
  self->n_at_work[actor] += is_at_work ? 1 : -1u;
}

/* A worker of the actor that has no work; TB_REPLAY_NONE: none. */
static guint32
find_free (const TbReplayWorkers *self, guint32 actor)
{
  for (guint32 i = self->first[actor]; i < self->first[actor + 1]; i++)
    if (!self->is_at_work[i] && i != self->holder)
      return i;
  return TB_REPLAY_NONE;
}

/* The worker of the actor that has the most work left. */
static guint32
find_busiest (const TbReplayWorkers *self, guint32 actor, double now, double *left)
{
  guint32 busiest = TB_REPLAY_NONE;

  *left = 0;
  for (guint32 i = self->first[actor]; i < self->first[actor + 1]; i++)
    if (self->is_at_work[i] && tb_replay_scheduler_get_left (self->cpus, i, now) > *left)
      {
        busiest = i;
        *left = tb_replay_scheduler_get_left (self->cpus, i, now);
      }
  return busiest;
}

/* Moves half of the work of the busiest worker to a free one. Returns whether it did. */
static gboolean
share (TbReplayWorkers *self, guint32 actor, double now)
{
  guint32 other
      = self->n_at_work[actor] < self->size[actor] ? find_free (self, actor) : TB_REPLAY_NONE;
  guint32 busiest;
  double left;

  if (other == TB_REPLAY_NONE)
    return FALSE;
  busiest = find_busiest (self, actor, now, &left);
  if (left < 2 * LEAST_NS)
    return FALSE;
  tb_replay_scheduler_set_left (self->cpus, busiest, left / 2, now);
  set_at_work (self, other, TRUE);
  tb_replay_scheduler_spread (self->cpus, other, left / 2, now);
  return TRUE;
}

/* Shares work as long as a CPU is idle. */
static void
share_all (TbReplayWorkers *self, double now)
{
  for (guint i = 0; i < self->wide->len; i++)
    while (tb_replay_scheduler_get_n_idle (self->cpus) > 0
           && share (self, g_array_index (self->wide, guint32, i), now))
      ;
}

/* Returns the worker that runs. */
static guint32
begin_run (TbReplayWorkers *self, guint32 actor, guint32 size)
{
  guint32 worker = self->holder != TB_REPLAY_NONE ? self->holder : self->first[actor];

  self->holder = TB_REPLAY_NONE;
  self->size[actor] = MIN (size, self->first[actor + 1] - self->first[actor]);
  if (self->size[actor] > 1)
    g_array_append_val (self->wide, actor);
  set_at_work (self, worker, TRUE);
  return worker;
}

void
tb_replay_workers_run (TbReplayWorkers *self,
                       guint32 actor,
                       double length,
                       guint32 size,
                       double now)
{
  gboolean holds = self->holder != TB_REPLAY_NONE;
  guint32 worker = begin_run (self, actor, size);

  if (holds)
    tb_replay_scheduler_keep (self->cpus, worker, length, now);
  else
    tb_replay_scheduler_return (self->cpus, worker, length, now);
  share_all (self, now);
}

double
tb_replay_workers_wake (TbReplayWorkers *self,
                        guint32 actor,
                        guint32 waker,
                        double now,
                        guint8 *state)
{
  return tb_replay_scheduler_wake (self->cpus, self->first[actor], waker, now, state);
}

void
tb_replay_workers_begin (TbReplayWorkers *self,
                         guint32 actor,
                         double length,
                         guint32 size,
                         double now)
{
  tb_replay_scheduler_begin (self->cpus, begin_run (self, actor, size), length, now);
  share_all (self, now);
}

double
tb_replay_workers_get_next (const TbReplayWorkers *self)
{
  return tb_replay_scheduler_get_next (self->cpus);
}

static void
end_run (TbReplayWorkers *self, guint32 actor)
{
  for (guint i = 0; self->size[actor] > 1 && i < self->wide->len; i++)
    if (g_array_index (self->wide, guint32, i) == actor)
      {
        g_array_remove_index_fast (self->wide, i);
        return;
      }
}

guint32
tb_replay_workers_advance (TbReplayWorkers *self, double now)
{
  guint32 worker = tb_replay_scheduler_advance (self->cpus), actor;

  if (worker == TB_REPLAY_NONE)
    return worker;
  actor = g_array_index (self->actor_of_worker, guint32, worker);
  set_at_work (self, worker, FALSE);
  if (self->n_at_work[actor] > 0)
    {
      tb_replay_scheduler_leave (self->cpus, worker, now);
      share_all (self, now);
      return TB_REPLAY_NONE;
    }
  end_run (self, actor);
  self->holder = worker;
  return actor;
}

void
tb_replay_workers_release (TbReplayWorkers *self, double now)
{
  guint32 worker = self->holder;

  if (worker == TB_REPLAY_NONE)
    return;
  self->holder = TB_REPLAY_NONE;
  tb_replay_scheduler_leave (self->cpus, worker, now);
  share_all (self, now);
}

guint32
tb_replay_workers_get_cpu (const TbReplayWorkers *self, guint32 actor)
{
  return tb_replay_scheduler_get_cpu (self->cpus, self->holder != TB_REPLAY_NONE
                                                      ? self->holder
                                                      : self->first[actor]);
}
