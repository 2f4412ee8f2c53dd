/* tb-wait-replay-scheduler.c: scheduler of a replay: run queues of the CPUs, placement, preemption
 * and migration of runnable workers, modelled on the recorded kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each CPU has a run queue, from which the thread with the earliest deadline runs first, as in the
 * kernel's EEVDF (Documentation/scheduler/sched-eevdf.rst; all threads have the same weight).
 * Kernels do not always use all CPUs while threads are runnable. Three decisions therefore follow
 * the recording, in the same situation: where a woken thread is placed, when an idle CPU takes a
 * thread that waits behind another, and which woken thread preempts which running one at once.
 * Where the recording does not show the last one, the earlier deadline decides. An outcome that had
 * a share of the recorded cases gets the same share in the replay. The cases are spread evenly,
 * never at random, so that replays with and without a change stay comparable.
 */

#include "config.h"

#include <math.h>

#include "tb-wait-replay-scheduler.h"
#include "tb-wait-replay-heap.h"

/* The slice after which a thread yields its CPU to a waiting one: EEVDF's default, which grows with
 * the number of CPUs. */
#define SLICE_NS 7e5
#define SLICE_CPUS_MAX 8

/* ns: an idle CPU takes a waiting thread after at most this time, as kernels balance queues at
 * ticks. */
#define MIGRATION_DELAY_MAX_NS 4e6

/* ns: smaller differences are rounding errors. */
#define NO_TIME 0.5

typedef struct
{
  double left; /* ns of CPU time that it still needs */
  /* virtual: ns that it ran, on the same scale as the workers with which it shares the CPU */
  double service;
  double deadline; /* service at which its slice ends */
  double lag;      /* service that it was behind its fair share when it left the CPU */
  guint32 cpu;     /* CPU that it has, waits for, or had last */
  guint32 thread;  /* thread from which its observed behavior comes */
  /* preemptions that are due according to the recorded share, less those that took place */
  double preemption_credit;
} Worker;

typedef struct
{
  GArray *waiting; /* TbReplayEntry: workers by deadline */
  double sum;      /* sum of the service of the waiting workers */
  double fair;     /* fair share of service when the last worker left */
  /* when the current worker got the CPU; -1: its run ended, and it may run again */
  double since;
  double unused;   /* when the last worker left it */
  guint32 current; /* TB_REPLAY_NONE: none */
  guint32 turn;
} Cpu;

struct _TbReplayScheduler
{
  guint32 n_cpus;
  Cpu *cpus;
  Worker *workers;
  /* TbReplayEntry: ends of turns by CPU; n_cpus: an idle CPU takes a waiting thread */
  GArray *coming;
  guint64 n_known;
  guint32 n_idle;
  guint32 n_waiting;
  guint32 turn;
  gboolean is_unused; /* CPUs are idle while threads wait */
  double share[TB_REPLAY_N_SITUATIONS][TB_REPLAY_N_PLACEMENTS];
  double due[TB_REPLAY_N_SITUATIONS][TB_REPLAY_N_PLACEMENTS];
  double unused_since;
  double migration_delay; /* mean time (ns) of is_unused before an idle CPU takes a thread */
  double left;            /* what remains of it until the next thread is taken */
  double slice;
  const TbReplayPreemption *preemption; /* NULL: nothing is known */
  TbReplayWakeupCosts wakings;
};

/* In a situation that was not recorded, the nearest idle CPU is used. */
static TbReplayPlacement
get_default (guint situation)
{
  if (situation & TB_REPLAY_PREVIOUS_IDLE)
    return TB_REPLAY_PLACEMENT_PREVIOUS;
  return situation & TB_REPLAY_OTHER_IDLE ? TB_REPLAY_PLACEMENT_IDLE : TB_REPLAY_PLACEMENT_PREVIOUS;
}

static void
take_scheduler_model (TbReplayScheduler *self, const TbReplaySchedulerModel *scheduler_model)
{
  for (guint i = 0; i < TB_REPLAY_N_SITUATIONS; i++)
    {
      guint64 n = 0;

      for (guint j = 0; j < TB_REPLAY_N_PLACEMENTS; j++)
        n += scheduler_model->n_woken[i][j];
      for (guint j = 0; j < TB_REPLAY_N_PLACEMENTS; j++)
        self->share[i][j]
            = n > 0 ? (double) scheduler_model->n_woken[i][j] / (double) n : j == get_default (i);
    }
  self->migration_delay = (scheduler_model->unused + MIGRATION_DELAY_MAX_NS)
                          / (double) (scheduler_model->n_migrated + 1);
  self->left = self->migration_delay;
  self->preemption = scheduler_model->preemption;
  self->wakings = scheduler_model->wakings;
}

TbReplayScheduler *
tb_replay_scheduler_new (guint32 n_cpus,
                         guint32 n_workers,
                         const guint32 *previous,
                         const guint32 *threads,
                         const TbReplaySchedulerModel *scheduler_model)
{
  TbReplayScheduler *self = g_new0 (TbReplayScheduler, 1);

  self->n_cpus = self->n_idle = MAX (n_cpus, 1);
  self->slice = SLICE_NS * g_bit_storage (MIN (self->n_cpus, SLICE_CPUS_MAX));
  self->cpus = g_new0 (Cpu, self->n_cpus);
  for (guint32 i = 0; i < self->n_cpus; i++)
    {
      self->cpus[i].current = TB_REPLAY_NONE;
      self->cpus[i].waiting = g_array_new (FALSE, FALSE, sizeof (TbReplayEntry));
    }
  self->workers = g_new0 (Worker, n_workers + 1);
  for (guint32 i = 0; i < n_workers; i++)
    {
      self->workers[i].cpu = previous[i] % self->n_cpus;
      self->workers[i].thread = threads[i];
    }
  self->coming = g_array_new (FALSE, FALSE, sizeof (TbReplayEntry));
  take_scheduler_model (self, scheduler_model);
  return self;
}

void
tb_replay_scheduler_free (TbReplayScheduler *self)
{
  for (guint32 i = 0; i < self->n_cpus; i++)
    g_array_unref (self->cpus[i].waiting);
  g_array_unref (self->coming);
  g_free (self->cpus);
  g_free (self->workers);
  g_free (self);
}

guint32
tb_replay_scheduler_get_cpu (const TbReplayScheduler *self, guint32 worker)
{
  return self->workers[worker].cpu;
}

/* Updates the service of the worker that has a CPU. */
static void
serve (TbReplayScheduler *self, guint32 at, double now)
{
  Cpu *cpu = &self->cpus[at];
  double had = now - cpu->since;

  if (cpu->current == TB_REPLAY_NONE || cpu->since < 0)
    return;
  self->workers[cpu->current].left -= had;
  self->workers[cpu->current].service += had;
  cpu->since = now;
}

/* The mean service of all workers on a CPU. */
static double
get_fair (const TbReplayScheduler *self, guint32 at)
{
  const Cpu *cpu = &self->cpus[at];
  guint n = cpu->waiting->len + (cpu->current != TB_REPLAY_NONE);

  if (n == 0)
    return cpu->fair;
  return (cpu->sum + (cpu->current != TB_REPLAY_NONE ? self->workers[cpu->current].service : 0))
         / n;
}

/* Sets the service of a worker that comes to a CPU so that its lag behind the others stays the same
 * once it is one of them. */
static void
place (TbReplayScheduler *self, guint32 at, guint32 worker)
{
  const Cpu *cpu = &self->cpus[at];
  guint n = cpu->waiting->len + (cpu->current != TB_REPLAY_NONE);
  Worker *of = &self->workers[worker];
  double lag = CLAMP (of->lag, -self->slice, self->slice);

  of->service = get_fair (self, at) - (n > 0 ? lag * (n + 1) / n : 0);
  of->deadline = of->service + self->slice;
  of->cpu = at;
}

static void
run (TbReplayScheduler *self, guint32 at, guint32 worker, double now)
{
  Cpu *cpu = &self->cpus[at];
  Worker *of = &self->workers[worker];
  double turn = cpu->waiting->len > 0 ? MAX (of->deadline - of->service, 0) : self->slice;

  self->n_idle -= cpu->current == TB_REPLAY_NONE;
  cpu->current = worker;
  cpu->since = now;
  tb_replay_heap_push (self->coming, (TbReplayEntry) { now + MIN (of->left, MAX (turn, NO_TIME)),
                                                       self->n_known++, at, ++cpu->turn });
}

/* Updates whether CPUs are idle while threads wait. */
static void
update_unused (TbReplayScheduler *self, double now)
{
  gboolean is_unused = self->n_idle > 0 && self->n_waiting > 0;

  if (is_unused == self->is_unused)
    return;
  self->is_unused = is_unused;
  self->turn++;
  if (is_unused)
    {
      self->unused_since = now;
      tb_replay_heap_push (self->coming,
                           (TbReplayEntry) { now + MIN (self->left, MIGRATION_DELAY_MAX_NS),
                                             self->n_known++, self->n_cpus, self->turn });
    }
  else
    self->left = MAX (self->left - (now - self->unused_since), 0);
}

static void
queue (TbReplayScheduler *self, guint32 at, guint32 worker)
{
  tb_replay_heap_push (self->cpus[at].waiting, (TbReplayEntry) { self->workers[worker].deadline,
                                                                 self->n_known++, worker, 0 });
  self->cpus[at].sum += self->workers[worker].service;
  self->n_waiting++;
}

/* Returns TB_REPLAY_NONE where none waits. */
static guint32
unqueue (TbReplayScheduler *self, guint32 at)
{
  guint32 worker;

  if (self->cpus[at].waiting->len == 0)
    return TB_REPLAY_NONE;
  worker = tb_replay_heap_pop (self->cpus[at].waiting).what;
  self->cpus[at].sum -= self->workers[worker].service;
  self->n_waiting--;
  return worker;
}

static gboolean
is_idle (const TbReplayScheduler *self, guint32 cpu)
{
  return self->cpus[cpu].current == TB_REPLAY_NONE;
}

/* The nearest CPU that is idle (wanted) or busy, except from and but; TB_REPLAY_NONE: none. */
static guint32
find_cpu (const TbReplayScheduler *self, gboolean wanted, guint32 from, guint32 but)
{
  for (guint32 i = 1; i < self->n_cpus; i++)
    {
      guint32 cpu = (from + i) % self->n_cpus;

      if (cpu != but && is_idle (self, cpu) == wanted)
        return cpu;
    }
  return TB_REPLAY_NONE;
}

/* The next outcome such that each occurs in its share of the cases. */
static guint
choose_by_share (const double *share, double *due, guint n)
{
  guint best = 0;

  for (guint i = 0; i < n; i++)
    {
      due[i] += share[i];
      if (due[i] > due[best])
        best = i;
    }
  due[best] -= 1;
  return best;
}

static guint32
choose_cpu (TbReplayScheduler *self, guint32 previous, guint32 waker)
{
  guint32 idle = self->n_idle > 0 ? find_cpu (self, TRUE, previous, waker) : TB_REPLAY_NONE, busy;
  guint situation
      = (is_idle (self, previous) ? TB_REPLAY_PREVIOUS_IDLE : 0)
        | (idle != TB_REPLAY_NONE ? TB_REPLAY_OTHER_IDLE : 0)
        | (waker == TB_REPLAY_NONE ? 0
           : waker == previous     ? TB_REPLAY_WAKER_SAME
                                   : TB_REPLAY_WAKER_OTHER)
        | (waker != TB_REPLAY_NONE && self->cpus[waker].waiting->len == 0 ? TB_REPLAY_WAKER_ALONE
                                                                          : 0);

  switch ((TbReplayPlacement) choose_by_share (self->share[situation], self->due[situation],
                                               TB_REPLAY_N_PLACEMENTS))
    {
    case TB_REPLAY_PLACEMENT_WAKER:
      return waker != TB_REPLAY_NONE ? waker : previous;
    case TB_REPLAY_PLACEMENT_IDLE:
      return idle != TB_REPLAY_NONE ? idle : previous;
    case TB_REPLAY_PLACEMENT_BUSY:
      busy = find_cpu (self, FALSE, previous, waker);
      return busy != TB_REPLAY_NONE ? busy : previous;
    default:
      return previous;
    }
}

/* Whether a worker that comes to a CPU gets it at once. */
static gboolean
preempts (TbReplayScheduler *self, guint32 at, guint32 worker, gboolean is_woken)
{
  const Cpu *cpu = &self->cpus[at];
  Worker *of = &self->workers[worker];
  const Worker *other = &self->workers[cpu->current];
  double share = -1;

  if (cpu->since < 0)
    return FALSE;
  if (is_woken && self->preemption != NULL)
    share = tb_replay_preemption_get_share (self->preemption, of->thread, other->thread);
  if (share < 0)
    return of->deadline < other->deadline;
  of->preemption_credit += share;
  if (of->preemption_credit < 0.5)
    return FALSE;
  of->preemption_credit -= 1;
  return TRUE;
}

static void
get_cpu (TbReplayScheduler *self,
         guint32 at,
         guint32 worker,
         double length,
         gboolean is_woken,
         double now)
{
  Cpu *cpu = &self->cpus[at];
  guint32 other = cpu->current;

  self->workers[worker].left = length;
  serve (self, at, now);
  place (self, at, worker);
  if (other == TB_REPLAY_NONE)
    run (self, at, worker, now);
  else if (!preempts (self, at, worker, is_woken))
    {
      queue (self, at, worker);
      if (cpu->since >= 0 && cpu->waiting->len == 1)
        run (self, at, other, now); /* its slice matters from now on */
    }
  else
    {
      cpu->current = TB_REPLAY_NONE;
      self->n_idle++;
      queue (self, at, other);
      run (self, at, worker, now);
    }
  update_unused (self, now);
}

double
tb_replay_scheduler_wake (TbReplayScheduler *self,
                          guint32 worker,
                          guint32 waker,
                          double now,
                          guint8 *state)
{
  Worker *of = &self->workers[worker];
  guint32 from = waker != TB_REPLAY_NONE ? waker % self->n_cpus : TB_REPLAY_NONE;
  double idle;

  of->cpu = choose_cpu (self, of->cpu, from);
  idle = is_idle (self, of->cpu) ? now - self->cpus[of->cpu].unused : -1;
  *state = tb_replay_latencies_get_state (from == TB_REPLAY_NONE ? TB_REPLAY_WAKER_CPU_UNKNOWN
                                          : from == of->cpu      ? TB_REPLAY_WAKER_CPU_SAME
                                                                 : TB_REPLAY_WAKER_CPU_OTHER,
                                          idle);
  if (idle >= 0)
    return tb_replay_wakeup_cost_get (&self->wakings.waking, idle);
  return from == TB_REPLAY_NONE || of->cpu == from ? 0 : self->wakings.busy;
}

void
tb_replay_scheduler_begin (TbReplayScheduler *self, guint32 worker, double length, double now)
{
  get_cpu (self, self->workers[worker].cpu, worker, length, TRUE, now);
}

void
tb_replay_scheduler_return (TbReplayScheduler *self, guint32 worker, double length, double now)
{
  get_cpu (self, self->workers[worker].cpu, worker, length, FALSE, now);
}

void
tb_replay_scheduler_spread (TbReplayScheduler *self, guint32 worker, double length, double now)
{
  guint32 at = self->workers[worker].cpu;
  guint32 idle = is_idle (self, at) ? at : find_cpu (self, TRUE, at, TB_REPLAY_NONE);

  get_cpu (self, idle != TB_REPLAY_NONE ? idle : at, worker, length, FALSE, now);
}

void
tb_replay_scheduler_keep (TbReplayScheduler *self, guint32 worker, double length, double now)
{
  self->workers[worker].left = length;
  run (self, self->workers[worker].cpu, worker, now);
}

void
tb_replay_scheduler_leave (TbReplayScheduler *self, guint32 worker, double now)
{
  guint32 at = self->workers[worker].cpu, next;
  Cpu *cpu = &self->cpus[at];

  cpu->fair = get_fair (self, at);
  self->workers[worker].lag = cpu->fair - self->workers[worker].service;
  cpu->current = TB_REPLAY_NONE;
  cpu->unused = now;
  self->n_idle++;
  next = unqueue (self, at);
  if (next != TB_REPLAY_NONE)
    run (self, at, next, now);
  update_unused (self, now);
}

double
tb_replay_scheduler_get_left (const TbReplayScheduler *self, guint32 worker, double now)
{
  const Cpu *cpu = &self->cpus[self->workers[worker].cpu];

  return self->workers[worker].left - (cpu->current == worker ? now - cpu->since : 0);
}

void
tb_replay_scheduler_set_left (TbReplayScheduler *self, guint32 worker, double left, double now)
{
  guint32 at = self->workers[worker].cpu;

  serve (self, at, now);
  self->workers[worker].left = left;
  if (self->cpus[at].current == worker)
    run (self, at, worker, now);
}

guint32
tb_replay_scheduler_get_n_idle (const TbReplayScheduler *self)
{
  return self->n_idle;
}

double
tb_replay_scheduler_get_next (const TbReplayScheduler *self)
{
  return self->coming->len > 0 ? g_array_index (self->coming, TbReplayEntry, 0).key : INFINITY;
}

/* Moves the worker with the earliest deadline from the longest queue to an idle CPU. */
static void
migrate (TbReplayScheduler *self, double now)
{
  guint32 idle = TB_REPLAY_NONE, longest = 0, worker;

  for (guint32 i = 0; i < self->n_cpus; i++)
    {
      if (is_idle (self, i) && idle == TB_REPLAY_NONE)
        idle = i;
      if (self->cpus[i].waiting->len > self->cpus[longest].waiting->len)
        longest = i;
    }
  serve (self, longest, now);
  worker = unqueue (self, longest);
  place (self, idle, worker);
  run (self, idle, worker, now);
  self->is_unused = FALSE;
  self->left = self->migration_delay;
}

static guint32
end_turn (TbReplayScheduler *self, guint32 at, double now)
{
  Cpu *cpu = &self->cpus[at];
  guint32 worker = cpu->current;
  Worker *of = &self->workers[worker];

  serve (self, at, now);
  if (of->left < NO_TIME)
    {
      cpu->since = -1;
      return worker;
    }
  if (of->deadline - of->service < NO_TIME)
    of->deadline = of->service + self->slice;
  if (cpu->waiting->len > 0 && g_array_index (cpu->waiting, TbReplayEntry, 0).key < of->deadline)
    {
      guint32 next = unqueue (self, at);

      queue (self, at, worker);
      run (self, at, next, now);
    }
  else
    run (self, at, worker, now);
  return TB_REPLAY_NONE;
}

guint32
tb_replay_scheduler_advance (TbReplayScheduler *self)
{
  TbReplayEntry entry = tb_replay_heap_pop (self->coming);
  guint32 worker = TB_REPLAY_NONE;

  if (entry.what < self->n_cpus && entry.tag == self->cpus[entry.what].turn)
    worker = end_turn (self, entry.what, entry.key);
  else if (entry.what == self->n_cpus && entry.tag == self->turn)
    migrate (self, entry.key);
  update_unused (self, entry.key);
  return worker;
}
