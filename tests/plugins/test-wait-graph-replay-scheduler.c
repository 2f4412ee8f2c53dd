/* test-wait-graph-replay-scheduler.c: test of CPU scheduling in the replay, with known results and
 * against a simpler implementation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include <gio/gio.h>

#include "../test-mode.h"
#include "replay/tb-wait-replay-scheduler.h"

#define MS 1e6

static const TbReplaySchedulerModel nothing_known = { 0 };
static const guint32 threads[] = { 0, 1, 2, 3, 4, 5 };

/* Continues until a worker is done; returns it. */
static guint32
run_until_done (TbReplayScheduler *cpus, double *now)
{
  guint32 worker = TB_REPLAY_NONE;

  while (worker == TB_REPLAY_NONE && !isinf (tb_replay_scheduler_get_next (cpus)))
    {
      double next = tb_replay_scheduler_get_next (cpus);

      g_assert_cmpfloat (next, >=, *now);
      *now = next;
      worker = tb_replay_scheduler_advance (cpus);
    }
  return worker;
}

static void
wake (TbReplayScheduler *cpus, guint32 worker, double length, guint32 waker, double now)
{
  guint8 state;

  tb_replay_scheduler_wake (cpus, worker, waker, now, &state);
  tb_replay_scheduler_begin (cpus, worker, length, now);
}

static void
leave_next (TbReplayScheduler *cpus, double *now)
{
  guint32 worker = run_until_done (cpus, now);

  g_assert_cmpuint (worker, !=, TB_REPLAY_NONE);
  tb_replay_scheduler_leave (cpus, worker, *now);
}

/* Two workers of the same length on one CPU take turns: neither is done before nearly all work
 * is. */
static void
test_turns (void)
{
  static const guint32 previous[] = { 0, 0 };
  g_autoptr (TbReplayScheduler) cpus
      = tb_replay_scheduler_new (1, 2, previous, threads, &nothing_known);
  double now = 0;

  for (guint32 i = 0; i < 2; i++)
    tb_replay_scheduler_return (cpus, i, 10 * MS, 0);
  leave_next (cpus, &now);
  g_assert_cmpfloat (now, >, 19 * MS);
  leave_next (cpus, &now);
  g_assert_cmpfloat_with_epsilon (now, 20 * MS, 1);
  g_assert_true (isinf (tb_replay_scheduler_get_next (cpus)));
}

/* A thread that slept gets the CPU from one that always runs, within a slice. */
static void
test_sleeper (void)
{
  static const guint32 previous[] = { 0, 0 };
  g_autoptr (TbReplayScheduler) cpus
      = tb_replay_scheduler_new (1, 2, previous, threads, &nothing_known);
  double now = 0, woken;

  tb_replay_scheduler_return (cpus, 1, 0.1 * MS, 0);
  leave_next (cpus, &now);
  tb_replay_scheduler_return (cpus, 0, 50 * MS, now);
  for (guint i = 0; i < 5; i++)
    {
      while (now < (i + 1) * 7 * MS)
        {
          now = tb_replay_scheduler_get_next (cpus);
          g_assert_cmpuint (tb_replay_scheduler_advance (cpus), ==, TB_REPLAY_NONE);
        }
      wake (cpus, 1, 0.1 * MS, TB_REPLAY_NONE, now);
      woken = now;
      g_assert_cmpuint (run_until_done (cpus, &now), ==, 1);
      g_assert_cmpfloat (now - woken, <=, 0.8 * MS + 1);
      tb_replay_scheduler_leave (cpus, 1, now);
    }
}

/* In a situation without recorded wake-ups an idle CPU is used; otherwise the recorded choices, in
 * their proportion. */
static void
test_cpu_choice (void)
{
  static const guint32 previous[] = { 0, 0 };
  TbReplaySchedulerModel model = { 0 };
  guint situation = TB_REPLAY_OTHER_IDLE | TB_REPLAY_WAKER_SAME | TB_REPLAY_WAKER_ALONE;

  for (guint i = 0; i < 3; i++)
    {
      guint n_stay = 0;

      model.n_woken[situation][TB_REPLAY_PLACEMENT_PREVIOUS] = i > 0 ? 3 : 0;
      model.n_woken[situation][TB_REPLAY_PLACEMENT_IDLE] = i == 1 ? 1 : 0;
      for (guint j = 0; j < 2; j++)
        {
          g_autoptr (TbReplayScheduler) cpus
              = tb_replay_scheduler_new (2, 2, previous, threads, &model);
          double now = 0;

          tb_replay_scheduler_return (cpus, 0, 1000 * MS, 0);
          for (guint k = 0; k < 8; k++)
            {
              wake (cpus, 1, 0.01 * MS, 0, now);
              n_stay += tb_replay_scheduler_get_cpu (cpus, 1) == 0;
              g_assert_cmpuint (run_until_done (cpus, &now), ==, 1);
              tb_replay_scheduler_leave (cpus, 1, now);
              if (tb_replay_scheduler_get_cpu (cpus, 1) == 1)
                break; /* from now on the situation is another one */
            }
        }
      g_assert_cmpuint (n_stay, ==, i == 0 ? 0 : i == 1 ? 4 : 16);
    }
}

/* A woken thread preempts the running one as often as recorded: for this pair, else for all
 * threads. With too few recorded cases the deadlines decide, here in favor of a thread that has
 * slept. */
static void
test_preemption (void)
{
  static const guint32 previous[] = { 0, 0 };
  static const guint n_seen[][2] = { { 8, 0 }, { 0, 8 }, { 2, 6 }, { 3, 0 } };
  static const guint n_at_once[] = { 8, 0, 2, 7 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (n_at_once); i++)
    {
      g_autoptr (TbReplayPreemption) preemption = tb_replay_preemption_new ();
      TbReplaySchedulerModel model = { .preemption = preemption };
      g_autoptr (TbReplayScheduler) cpus
          = tb_replay_scheduler_new (1, 2, previous, threads, &model);
      double now = 0;
      guint n = 0;

      for (guint is_not = 0; is_not < 2; is_not++)
        for (guint j = 0; j < n_seen[i / 2][is_not]; j++)
          tb_replay_preemption_count (preemption, 1, i % 2 == 0 ? 0 : 7, is_not == 0);
      tb_replay_scheduler_return (cpus, 0, 1000 * MS, 0);
      for (guint k = 0; k < 8; k++)
        {
          double woken = now;

          wake (cpus, 1, 0.01 * MS, TB_REPLAY_NONE, now);
          g_assert_cmpuint (run_until_done (cpus, &now), ==, 1);
          n += now - woken < 0.02 * MS;
          tb_replay_scheduler_leave (cpus, 1, now);
        }
      g_assert_cmpuint (n, ==, n_at_once[i / 2]);
    }
}

/* Threads wait while a CPU is idle: it takes one of them after the recorded delay, at most a
 * tick. */
static void
test_fetch (void)
{
  static const guint32 previous[] = { 0, 0 };
  static const guint64 n_migrated[] = { 0, 15, 0 };
  static const double unused[] = { 0, 12 * MS, 400 * MS }, ends[] = { 14 * MS, 11 * MS, 14 * MS };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      TbReplaySchedulerModel model = { .n_migrated = n_migrated[i], .unused = unused[i] };
      g_autoptr (TbReplayScheduler) cpus
          = tb_replay_scheduler_new (2, 2, previous, threads, &model);
      double now = 0;

      for (guint32 j = 0; j < 2; j++)
        tb_replay_scheduler_return (cpus, j, 10 * MS, 0);
      g_assert_cmpuint (tb_replay_scheduler_get_n_idle (cpus), ==, 1);
      for (guint32 j = 0; j < 2; j++)
        leave_next (cpus, &now);
      /* Until then both had half of one CPU. */
      g_assert_cmpfloat_with_epsilon (now, 10 * MS + (ends[i] - 10 * MS) / 2, 1.5 * MS);
      g_assert_cmpfloat (now, >, 10 * MS);
    }
}

/* Several similar threads spread over idle CPUs. */
static void
test_spread (void)
{
  static const guint32 previous[] = { 0, 0, 0 };
  g_autoptr (TbReplayScheduler) cpus
      = tb_replay_scheduler_new (3, 3, previous, threads, &nothing_known);
  double now = 0;

  for (guint32 i = 0; i < 3; i++)
    tb_replay_scheduler_spread (cpus, i, 10 * MS, 0);
  g_assert_cmpuint (tb_replay_scheduler_get_n_idle (cpus), ==, 0);
  for (guint32 i = 0; i < 3; i++)
    {
      leave_next (cpus, &now);
      g_assert_cmpfloat_with_epsilon (now, 10 * MS, 1);
    }
}

/* --- comparison with a simpler implementation --- */

#define N_WORKERS 6
#define N_CPUS 3
#define N_EVENTS 400

typedef enum
{
  ASLEEP,
  WAITS,
  RUNS,
  DONE,
} State;

/* All state in plain arrays, searched each time. */
typedef struct
{
  guint n_cpus;
  State state[N_WORKERS];
  guint cpu[N_WORKERS];
  guint64 order[N_WORKERS]; /* order of the waiting ones */
  guint64 known;
  double left[N_WORKERS], service[N_WORKERS], deadline[N_WORKERS], lag[N_WORKERS];
  double since[N_CPUS], until[N_CPUS], fair[N_CPUS];
  guint64 until_order[N_CPUS];
  double slice, patience, patience_left, unused_since;
  guint64 fetch_order;
  gboolean is_unused;
  const TbReplaySchedulerModel *model;
  double due[TB_REPLAY_N_SITUATIONS][TB_REPLAY_N_PLACEMENTS];
  const guint (*n_preempted)[N_WORKERS][2]; /* by woken and running: had the CPU at once, did not */
  double at_once[N_WORKERS];
} SimpleCpus;

static guint
find_runner (const SimpleCpus *self, guint cpu)
{
  for (guint i = 0; i < N_WORKERS; i++)
    if (self->cpu[i] == cpu && (self->state[i] == RUNS || self->state[i] == DONE))
      return i;
  return N_WORKERS;
}

static double
get_mean (const SimpleCpus *self, guint cpu)
{
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < N_WORKERS; i++)
    if (self->cpu[i] == cpu && self->state[i] != ASLEEP)
      {
        sum += self->service[i];
        n++;
      }
  return n > 0 ? sum / n : self->fair[cpu];
}

static guint
count (const SimpleCpus *self, guint cpu, State state)
{
  guint n = 0;

  for (guint i = 0; i < N_WORKERS; i++)
    n += self->cpu[i] == cpu && self->state[i] == state;
  return n;
}

static guint
find_due (const SimpleCpus *self, guint cpu)
{
  guint best = N_WORKERS;

  for (guint i = 0; i < N_WORKERS; i++)
    if (self->cpu[i] == cpu && self->state[i] == WAITS
        && (best == N_WORKERS || self->deadline[i] < self->deadline[best]
            || (self->deadline[i] == self->deadline[best] && self->order[i] < self->order[best])))
      best = i;
  return best;
}

static void
simple_run (SimpleCpus *self, guint worker, double now)
{
  guint cpu = self->cpu[worker];
  double turn = self->slice;

  self->state[worker] = RUNS;
  if (count (self, cpu, WAITS) > 0)
    turn = MAX (self->deadline[worker] - self->service[worker], 0);
  self->since[cpu] = now;
  self->until[cpu] = now + MIN (self->left[worker], MAX (turn, 0.5));
  self->until_order[cpu] = self->known++;
}

static void
simple_wait (SimpleCpus *self, guint worker)
{
  self->state[worker] = WAITS;
  self->order[worker] = self->known++;
}

static void
simple_serve (SimpleCpus *self, guint cpu, double now)
{
  guint worker = find_runner (self, cpu);

  if (worker == N_WORKERS || self->state[worker] == DONE)
    return;
  self->left[worker] -= now - self->since[cpu];
  self->service[worker] += now - self->since[cpu];
  self->since[cpu] = now;
}

static void
simple_update (SimpleCpus *self, double now)
{
  guint n_idle = 0, n_waiting = 0;

  for (guint i = 0; i < self->n_cpus; i++)
    {
      n_idle += find_runner (self, i) == N_WORKERS;
      n_waiting += count (self, i, WAITS);
    }
  if ((n_idle > 0 && n_waiting > 0) == self->is_unused)
    return;
  self->is_unused = !self->is_unused;
  if (self->is_unused)
    {
      self->unused_since = now;
      self->fetch_order = self->known++;
    }
  else
    self->patience_left = MAX (self->patience_left - (now - self->unused_since), 0);
}

static void
simple_place (SimpleCpus *self, guint cpu, guint worker)
{
  double lag = CLAMP (self->lag[worker], -self->slice, self->slice), mean;
  guint n;

  self->state[worker] = ASLEEP;
  n = count (self, cpu, WAITS) + (find_runner (self, cpu) < N_WORKERS);
  mean = get_mean (self, cpu);
  self->cpu[worker] = cpu;
  self->service[worker] = mean - (n > 0 ? lag * (n + 1) / n : 0);
  self->deadline[worker] = self->service[worker] + self->slice;
}

static gboolean
simple_preempts (SimpleCpus *self, guint worker, guint other, gboolean is_woken)
{
  guint n[2] = { self->n_preempted[worker][other][0], self->n_preempted[worker][other][1] };

  if (self->state[other] == DONE)
    return FALSE;
  if (n[0] + n[1] < 8)
    {
      n[0] = n[1] = 0;
      for (guint i = 0; i < N_WORKERS; i++)
        {
          n[0] += self->n_preempted[worker][i][0];
          n[1] += self->n_preempted[worker][i][1];
        }
    }
  if (!is_woken || n[0] + n[1] < 8)
    return self->deadline[worker] < self->deadline[other];
  self->at_once[worker] += (double) n[0] / (n[0] + n[1]);
  if (self->at_once[worker] < 0.5)
    return FALSE;
  self->at_once[worker] -= 1;
  return TRUE;
}

static void
simple_get (SimpleCpus *self, guint cpu, guint worker, double length, gboolean is_woken, double now)
{
  guint other;

  self->left[worker] = length;
  simple_serve (self, cpu, now);
  other = find_runner (self, cpu);
  simple_place (self, cpu, worker);
  if (other == N_WORKERS)
    simple_run (self, worker, now);
  else if (!simple_preempts (self, worker, other, is_woken))
    {
      simple_wait (self, worker);
      if (self->state[other] == RUNS && count (self, cpu, WAITS) == 1)
        simple_run (self, other, now);
    }
  else
    {
      simple_wait (self, other);
      simple_run (self, worker, now);
    }
  simple_update (self, now);
}

static guint
find_other (const SimpleCpus *self, guint from, guint but, gboolean is_idle)
{
  for (guint i = 1; i < self->n_cpus; i++)
    if ((from + i) % self->n_cpus != but
        && (find_runner (self, (from + i) % self->n_cpus) == N_WORKERS) == is_idle)
      return (from + i) % self->n_cpus;
  return G_MAXUINT;
}

static guint
count_queued (const SimpleCpus *self, guint cpu)
{
  guint n = 0;

  for (guint i = 0; i < N_WORKERS; i++)
    n += self->cpu[i] == cpu && self->state[i] == WAITS;
  return n;
}

static guint
simple_choose (SimpleCpus *self, guint worker, guint waker)
{
  guint previous = self->cpu[worker], idle = find_other (self, previous, waker, TRUE),
        situation = 0, best = 0;
  guint64 n = 0;
  guint busy;

  situation |= find_runner (self, previous) == N_WORKERS ? TB_REPLAY_PREVIOUS_IDLE : 0;
  situation |= idle != G_MAXUINT ? TB_REPLAY_OTHER_IDLE : 0;
  situation |= waker == G_MAXUINT  ? 0
               : waker == previous ? TB_REPLAY_WAKER_SAME
                                   : TB_REPLAY_WAKER_OTHER;
  if (waker != G_MAXUINT && count_queued (self, waker) == 0)
    situation |= TB_REPLAY_WAKER_ALONE;
  for (guint i = 0; i < TB_REPLAY_N_PLACEMENTS; i++)
    n += self->model->n_woken[situation][i];
  if (n == 0)
    return situation & TB_REPLAY_PREVIOUS_IDLE || idle == G_MAXUINT ? previous : idle;
  for (guint i = 0; i < TB_REPLAY_N_PLACEMENTS; i++)
    {
      self->due[situation][i] += (double) self->model->n_woken[situation][i] / (double) n;
      if (self->due[situation][i] > self->due[situation][best])
        best = i;
    }
  self->due[situation][best] -= 1;
  busy = find_other (self, previous, waker, FALSE);
  if (best == TB_REPLAY_PLACEMENT_WAKER && waker != G_MAXUINT)
    return waker;
  if (best == TB_REPLAY_PLACEMENT_IDLE && idle != G_MAXUINT)
    return idle;
  return best == TB_REPLAY_PLACEMENT_BUSY && busy != G_MAXUINT ? busy : previous;
}

static void
simple_leave (SimpleCpus *self, guint worker, double now)
{
  guint cpu = self->cpu[worker], next;

  self->fair[cpu] = get_mean (self, cpu);
  self->lag[worker] = self->fair[cpu] - self->service[worker];
  self->state[worker] = ASLEEP;
  next = find_due (self, cpu);
  if (next < N_WORKERS)
    simple_run (self, next, now);
  simple_update (self, now);
}

/* Time of the next event, and its CPU; n_cpus: an idle CPU takes a waiting worker. */
static double
simple_get_next (const SimpleCpus *self, guint *what)
{
  double next = INFINITY;
  guint64 order = 0;

  for (guint i = 0; i < self->n_cpus; i++)
    {
      guint worker = find_runner (self, i);

      if (worker < N_WORKERS && self->state[worker] == RUNS
          && (self->until[i] < next || (self->until[i] == next && self->until_order[i] < order)))
        {
          next = self->until[i];
          order = self->until_order[i];
          *what = i;
        }
    }
  if (self->is_unused)
    {
      double at = self->unused_since + MIN (self->patience_left, 4 * MS);

      if (at < next || (at == next && self->fetch_order < order))
        {
          next = at;
          *what = self->n_cpus;
        }
    }
  return next;
}

static void
simple_fetch (SimpleCpus *self, double now)
{
  guint idle = 0, longest = 0, worker;

  while (find_runner (self, idle) < N_WORKERS)
    idle++;
  for (guint i = 0; i < self->n_cpus; i++)
    if (count (self, i, WAITS) > count (self, longest, WAITS))
      longest = i;
  simple_serve (self, longest, now);
  worker = find_due (self, longest);
  simple_place (self, idle, worker);
  simple_run (self, worker, now);
  self->is_unused = FALSE;
  self->patience_left = self->patience;
}

/* Returns the worker that is done, N_WORKERS: none. */
static guint
simple_advance (SimpleCpus *self, double now, guint what)
{
  guint worker, next;

  if (what == self->n_cpus)
    {
      simple_fetch (self, now);
      simple_update (self, now);
      return N_WORKERS;
    }
  worker = find_runner (self, what);
  simple_serve (self, what, now);
  if (self->left[worker] < 0.5)
    {
      self->state[worker] = DONE;
      return worker;
    }
  if (self->deadline[worker] - self->service[worker] < 0.5)
    self->deadline[worker] = self->service[worker] + self->slice;
  next = find_due (self, what);
  if (next < N_WORKERS && self->deadline[next] < self->deadline[worker])
    {
      simple_wait (self, worker);
      simple_run (self, next, now);
    }
  else
    simple_run (self, worker, now);
  simple_update (self, now);
  return N_WORKERS;
}

typedef struct
{
  guint n_cpus;
  TbReplaySchedulerModel model;
  guint n_preempted[N_WORKERS][N_WORKERS][2];
  guint32 previous[N_WORKERS];
  double length[N_EVENTS];
  double rest[N_EVENTS];
  guint32 how[N_EVENTS];
  guint32 waker[N_EVENTS];
} Script;

/* What happens to the next worker that is done: it keeps its CPU, or comes back later. */
typedef struct
{
  double now;
  double back[N_WORKERS];
  guint n_done;
  double times[N_EVENTS];
  guint32 workers[N_EVENTS];
} Log;

static void
make_script (Script *self, GRand *rand)
{
  *self = (Script) { .n_cpus = (guint) g_rand_int_range (rand, 1, N_CPUS + 1) };
  self->model.n_migrated = g_rand_boolean (rand) ? (guint64) g_rand_int_range (rand, 0, 30) : 0;
  self->model.unused = g_rand_double_range (rand, 0, 20 * MS);
  for (guint i = 0; i < TB_REPLAY_N_SITUATIONS; i++)
    for (guint j = 0; j < TB_REPLAY_N_PLACEMENTS; j++)
      self->model.n_woken[i][j]
          = g_rand_boolean (rand) ? (guint64) g_rand_int_range (rand, 0, 5) : 0;
  for (guint i = 0; i < N_WORKERS; i++)
    for (guint j = 0; j < 2 * N_WORKERS; j++)
      self->n_preempted[i][j / 2][j % 2]
          = g_rand_boolean (rand) ? (guint) g_rand_int_range (rand, 0, 9) : 0;
  for (guint i = 0; i < N_WORKERS; i++)
    self->previous[i] = g_rand_int (rand);
  for (guint i = 0; i < N_EVENTS; i++)
    {
      self->length[i] = g_rand_double_range (rand, 1, g_rand_boolean (rand) ? 0.2 * MS : 5 * MS);
      self->rest[i] = g_rand_double_range (rand, 0.001, g_rand_boolean (rand) ? 0.2 * MS : 5 * MS);
      self->how[i] = (guint32) g_rand_int_range (rand, 0, 5);
      self->waker[i] = g_rand_boolean (rand)
                           ? (guint32) g_rand_int_range (rand, 0, (gint32) self->n_cpus)
                           : TB_REPLAY_NONE;
    }
}

/* naive NULL: idle CPUs of `cpus`. */
static void
begin (const Script *script,
       const Log *log,
       TbReplayScheduler *cpus,
       SimpleCpus *simple,
       guint worker)
{
  guint at = log->n_done;
  guint32 waker = script->waker[at];
  guint idle;

  if (simple == NULL)
    {
      if (script->how[at] == 0)
        tb_replay_scheduler_return (cpus, worker, script->length[at], log->now);
      else if (script->how[at] == 1)
        tb_replay_scheduler_spread (cpus, worker, script->length[at], log->now);
      else
        wake (cpus, worker, script->length[at], waker, log->now);
      return;
    }
  if (script->how[at] == 0)
    simple_get (simple, simple->cpu[worker], worker, script->length[at], FALSE, log->now);
  else if (script->how[at] == 1)
    {
      idle = find_runner (simple, simple->cpu[worker]) == N_WORKERS
                 ? simple->cpu[worker]
                 : find_other (simple, simple->cpu[worker], G_MAXUINT, TRUE);
      simple_get (simple, idle != G_MAXUINT ? idle : simple->cpu[worker], worker,
                  script->length[at], FALSE, log->now);
    }
  else
    simple_get (simple, simple_choose (simple, worker, waker == TB_REPLAY_NONE ? G_MAXUINT : waker),
                worker, script->length[at], TRUE, log->now);
}

static void
settle (const Script *script, Log *log, TbReplayScheduler *cpus, SimpleCpus *simple, guint worker)
{
  guint at = log->n_done;

  log->times[at] = log->now;
  log->workers[at] = worker;
  log->n_done++;
  if (script->how[at] == 4 && simple == NULL)
    tb_replay_scheduler_keep (cpus, worker, script->length[at], log->now);
  else if (script->how[at] == 4)
    {
      simple->left[worker] = script->length[at];
      simple_run (simple, worker, log->now);
    }
  else
    {
      if (simple == NULL)
        tb_replay_scheduler_leave (cpus, worker, log->now);
      else
        simple_leave (simple, worker, log->now);
      log->back[worker] = log->now + script->rest[at];
    }
}

static void
continue_script (const Script *script, Log *log, TbReplayScheduler *cpus, SimpleCpus *simple)
{
  *log = (Log) { 0 };
  for (guint i = 0; i < N_WORKERS; i++)
    log->back[i] = i;
  while (log->n_done < N_EVENTS)
    {
      guint first = 0, what = 0, worker;
      double next
          = simple == NULL ? tb_replay_scheduler_get_next (cpus) : simple_get_next (simple, &what);

      for (guint i = 1; i < N_WORKERS; i++)
        if (log->back[i] < log->back[first])
          first = i;
      log->now = MIN (next, log->back[first]);
      if (log->back[first] <= next)
        {
          log->back[first] = INFINITY;
          begin (script, log, cpus, simple, first);
          continue;
        }
      worker = simple == NULL ? tb_replay_scheduler_advance (cpus)
                              : simple_advance (simple, log->now, what);
      if (worker < N_WORKERS)
        settle (script, log, cpus, simple, worker);
    }
}

static TbReplayPreemption *
make_preemption (const Script *script)
{
  TbReplayPreemption *preemption = tb_replay_preemption_new ();

  for (guint32 i = 0; i < N_WORKERS; i++)
    for (guint32 j = 0; j < N_WORKERS; j++)
      for (guint k = 0; k < 2; k++)
        for (guint n = 0; n < script->n_preempted[i][j][k]; n++)
          tb_replay_preemption_count (preemption, i, j, k == 0);
  return preemption;
}

static void
test_reference (void)
{
  for (guint i = 0; i < test_rounds (2000, 300); i++)
    {
      guint32 seed = g_test_rand_int () & G_MAXINT32;
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (TbReplayPreemption) preemption = NULL;
      g_autoptr (TbReplayScheduler) cpus = NULL;
      SimpleCpus simple = { 0 };
      Script script;
      Log log, other;

      make_script (&script, rand);
      script.model.preemption = preemption = make_preemption (&script);
      simple.n_preempted = script.n_preempted;
      cpus = tb_replay_scheduler_new (script.n_cpus, N_WORKERS, script.previous, threads,
                                      &script.model);
      simple.n_cpus = script.n_cpus;
      simple.model = &script.model;
      simple.slice = script.n_cpus == 1 ? 0.7 * MS : 1.4 * MS;
      simple.patience = simple.patience_left
          = (script.model.unused + 4 * MS) / (double) (script.model.n_migrated + 1);
      for (guint j = 0; j < N_WORKERS; j++)
        simple.cpu[j] = script.previous[j] % script.n_cpus;
      continue_script (&script, &log, cpus, NULL);
      continue_script (&script, &other, NULL, &simple);
      for (guint j = 0; j < N_EVENTS; j++)
        if (log.workers[j] != other.workers[j] || fabs (log.times[j] - other.times[j]) > 1)
          g_error ("seed %u: event %u: %u at %f, beside %u at %f", seed, j, log.workers[j],
                   log.times[j], other.workers[j], other.times[j]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/replay-cpus/turns", test_turns);
  g_test_add_func ("/wait-graph/replay-cpus/sleeper", test_sleeper);
  g_test_add_func ("/wait-graph/replay-cpus/places", test_cpu_choice);
  g_test_add_func ("/wait-graph/replay-cpus/preemption", test_preemption);
  g_test_add_func ("/wait-graph/replay-cpus/fetch", test_fetch);
  g_test_add_func ("/wait-graph/replay-cpus/spread", test_spread);
  g_test_add_func ("/wait-graph/replay-cpus/reference", test_reference);
  return g_test_run ();
}
