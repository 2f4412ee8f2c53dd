/* test-wait-graph-replay-cpus.c: test of CPU scheduling in the replay, with known results and
 * against a simpler implementation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include <gio/gio.h>

#include "../test-mode.h"
#include "what-if/tb-wait-replay-cpus.h"

#define MS 1e6

static const TbReplayHabits nothing_known = { 0 };
static const guint32 threads[] = { 0, 1, 2, 3, 4, 5 };

/* Continues until a worker is done; returns it. */
static guint32
play (TbReplayCpus *cpus, double *now)
{
  guint32 body = TB_REPLAY_NONE;

  while (body == TB_REPLAY_NONE && !isinf (tb_replay_cpus_get_next (cpus)))
    {
      double next = tb_replay_cpus_get_next (cpus);

      g_assert_cmpfloat (next, >=, *now);
      *now = next;
      body = tb_replay_cpus_go_on (cpus);
    }
  return body;
}

static void
wake (TbReplayCpus *cpus, guint32 body, double length, guint32 waker, double now)
{
  guint8 state;

  tb_replay_cpus_wake (cpus, body, waker, now, &state);
  tb_replay_cpus_begin (cpus, body, length, now);
}

static void
leave_next (TbReplayCpus *cpus, double *now)
{
  guint32 body = play (cpus, now);

  g_assert_cmpuint (body, !=, TB_REPLAY_NONE);
  tb_replay_cpus_leave (cpus, body, *now);
}

/* Two workers of the same length on one CPU take turns: neither is done before nearly all work
 * is. */
static void
test_turns (void)
{
  static const guint32 previous[] = { 0, 0 };
  g_autoptr (TbReplayCpus) cpus = tb_replay_cpus_new (1, 2, previous, threads, &nothing_known);
  double now = 0;

  for (guint32 i = 0; i < 2; i++)
    tb_replay_cpus_return (cpus, i, 10 * MS, 0);
  leave_next (cpus, &now);
  g_assert_cmpfloat (now, >, 19 * MS);
  leave_next (cpus, &now);
  g_assert_cmpfloat_with_epsilon (now, 20 * MS, 1);
  g_assert_true (isinf (tb_replay_cpus_get_next (cpus)));
}

/* A thread that slept gets the CPU from one that always runs, within a slice. */
static void
test_sleeper (void)
{
  static const guint32 previous[] = { 0, 0 };
  g_autoptr (TbReplayCpus) cpus = tb_replay_cpus_new (1, 2, previous, threads, &nothing_known);
  double now = 0, woken;

  tb_replay_cpus_return (cpus, 1, 0.1 * MS, 0);
  leave_next (cpus, &now);
  tb_replay_cpus_return (cpus, 0, 50 * MS, now);
  for (guint i = 0; i < 5; i++)
    {
      while (now < (i + 1) * 7 * MS)
        {
          now = tb_replay_cpus_get_next (cpus);
          g_assert_cmpuint (tb_replay_cpus_go_on (cpus), ==, TB_REPLAY_NONE);
        }
      wake (cpus, 1, 0.1 * MS, TB_REPLAY_NONE, now);
      woken = now;
      g_assert_cmpuint (play (cpus, &now), ==, 1);
      g_assert_cmpfloat (now - woken, <=, 0.8 * MS + 1);
      tb_replay_cpus_leave (cpus, 1, now);
    }
}

/* In a situation without recorded wake-ups an idle CPU is used; otherwise the recorded choices, in
 * their proportion. */
static void
test_places (void)
{
  static const guint32 previous[] = { 0, 0 };
  TbReplayHabits habits = { 0 };
  guint situation = TB_REPLAY_OTHER_IDLE | TB_REPLAY_WAKER_SAME | TB_REPLAY_WAKER_ALONE;

  for (guint i = 0; i < 3; i++)
    {
      guint n_stay = 0;

      habits.n_woken[situation][TB_REPLAY_PLACE_PREVIOUS] = i > 0 ? 3 : 0;
      habits.n_woken[situation][TB_REPLAY_PLACE_IDLE] = i == 1 ? 1 : 0;
      for (guint j = 0; j < 2; j++)
        {
          g_autoptr (TbReplayCpus) cpus = tb_replay_cpus_new (2, 2, previous, threads, &habits);
          double now = 0;

          tb_replay_cpus_return (cpus, 0, 1000 * MS, 0);
          for (guint k = 0; k < 8; k++)
            {
              wake (cpus, 1, 0.01 * MS, 0, now);
              n_stay += tb_replay_cpus_get_cpu (cpus, 1) == 0;
              g_assert_cmpuint (play (cpus, &now), ==, 1);
              tb_replay_cpus_leave (cpus, 1, now);
              if (tb_replay_cpus_get_cpu (cpus, 1) == 1)
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
      TbReplayHabits habits = { .preemption = preemption };
      g_autoptr (TbReplayCpus) cpus = tb_replay_cpus_new (1, 2, previous, threads, &habits);
      double now = 0;
      guint n = 0;

      for (guint is_not = 0; is_not < 2; is_not++)
        for (guint j = 0; j < n_seen[i / 2][is_not]; j++)
          tb_replay_preemption_count (preemption, 1, i % 2 == 0 ? 0 : 7, is_not == 0);
      tb_replay_cpus_return (cpus, 0, 1000 * MS, 0);
      for (guint k = 0; k < 8; k++)
        {
          double woken = now;

          wake (cpus, 1, 0.01 * MS, TB_REPLAY_NONE, now);
          g_assert_cmpuint (play (cpus, &now), ==, 1);
          n += now - woken < 0.02 * MS;
          tb_replay_cpus_leave (cpus, 1, now);
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
  static const guint64 n_fetched[] = { 0, 15, 0 };
  static const double unused[] = { 0, 12 * MS, 400 * MS }, ends[] = { 14 * MS, 11 * MS, 14 * MS };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      TbReplayHabits habits = { .n_fetched = n_fetched[i], .unused = unused[i] };
      g_autoptr (TbReplayCpus) cpus = tb_replay_cpus_new (2, 2, previous, threads, &habits);
      double now = 0;

      for (guint32 j = 0; j < 2; j++)
        tb_replay_cpus_return (cpus, j, 10 * MS, 0);
      g_assert_cmpuint (tb_replay_cpus_get_n_idle (cpus), ==, 1);
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
  g_autoptr (TbReplayCpus) cpus = tb_replay_cpus_new (3, 3, previous, threads, &nothing_known);
  double now = 0;

  for (guint32 i = 0; i < 3; i++)
    tb_replay_cpus_spread (cpus, i, 10 * MS, 0);
  g_assert_cmpuint (tb_replay_cpus_get_n_idle (cpus), ==, 0);
  for (guint32 i = 0; i < 3; i++)
    {
      leave_next (cpus, &now);
      g_assert_cmpfloat_with_epsilon (now, 10 * MS, 1);
    }
}

/* --- comparison with a simpler implementation --- */

#define N_BODIES 6
#define N_CPUS 3
#define N_EVENTS 400

typedef enum
{
  AWAY,
  WAITS,
  RUNS,
  DONE,
} State;

/* All state in plain arrays, searched each time. */
typedef struct
{
  guint n_cpus;
  State state[N_BODIES];
  guint cpu[N_BODIES];
  guint64 order[N_BODIES]; /* order of the waiting ones */
  guint64 known;
  double left[N_BODIES], service[N_BODIES], deadline[N_BODIES], lag[N_BODIES];
  double since[N_CPUS], until[N_CPUS], fair[N_CPUS];
  guint64 until_order[N_CPUS];
  double slice, patience, patience_left, unused_since;
  guint64 fetch_order;
  gboolean is_unused;
  const TbReplayHabits *habits;
  double due[TB_REPLAY_N_SITUATIONS][TB_REPLAY_N_PLACES];
  const guint (
      *seen)[N_BODIES][2]; /* by woken and running: had the CPU at once, did not */
  double at_once[N_BODIES];
} Naive;

static guint
find_runner (const Naive *self, guint cpu)
{
  for (guint i = 0; i < N_BODIES; i++)
    if (self->cpu[i] == cpu && (self->state[i] == RUNS || self->state[i] == DONE))
      return i;
  return N_BODIES;
}

static double
get_mean (const Naive *self, guint cpu)
{
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < N_BODIES; i++)
    if (self->cpu[i] == cpu && self->state[i] != AWAY)
      {
        sum += self->service[i];
        n++;
      }
  return n > 0 ? sum / n : self->fair[cpu];
}

static guint
count (const Naive *self, guint cpu, State state)
{
  guint n = 0;

  for (guint i = 0; i < N_BODIES; i++)
    n += self->cpu[i] == cpu && self->state[i] == state;
  return n;
}

static guint
find_due (const Naive *self, guint cpu)
{
  guint best = N_BODIES;

  for (guint i = 0; i < N_BODIES; i++)
    if (self->cpu[i] == cpu && self->state[i] == WAITS
        && (best == N_BODIES || self->deadline[i] < self->deadline[best]
            || (self->deadline[i] == self->deadline[best] && self->order[i] < self->order[best])))
      best = i;
  return best;
}

static void
naive_run (Naive *self, guint body, double now)
{
  guint cpu = self->cpu[body];
  double turn = self->slice;

  self->state[body] = RUNS;
  if (count (self, cpu, WAITS) > 0)
    turn = MAX (self->deadline[body] - self->service[body], 0);
  self->since[cpu] = now;
  self->until[cpu] = now + MIN (self->left[body], MAX (turn, 0.5));
  self->until_order[cpu] = self->known++;
}

static void
naive_wait (Naive *self, guint body)
{
  self->state[body] = WAITS;
  self->order[body] = self->known++;
}

static void
naive_serve (Naive *self, guint cpu, double now)
{
  guint body = find_runner (self, cpu);

  if (body == N_BODIES || self->state[body] == DONE)
    return;
  self->left[body] -= now - self->since[cpu];
  self->service[body] += now - self->since[cpu];
  self->since[cpu] = now;
}

static void
naive_look (Naive *self, double now)
{
  guint n_idle = 0, n_waiting = 0;

  for (guint i = 0; i < self->n_cpus; i++)
    {
      n_idle += find_runner (self, i) == N_BODIES;
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
naive_place (Naive *self, guint cpu, guint body)
{
  double lag = CLAMP (self->lag[body], -self->slice, self->slice), mean;
  guint n;

  self->state[body] = AWAY;
  n = count (self, cpu, WAITS) + (find_runner (self, cpu) < N_BODIES);
  mean = get_mean (self, cpu);
  self->cpu[body] = cpu;
  self->service[body] = mean - (n > 0 ? lag * (n + 1) / n : 0);
  self->deadline[body] = self->service[body] + self->slice;
}

static gboolean
naive_preempts (Naive *self, guint body, guint other, gboolean is_woken)
{
  guint n[2] = { self->seen[body][other][0], self->seen[body][other][1] };

  if (self->state[other] == DONE)
    return FALSE;
  if (n[0] + n[1] < 8)
    {
      n[0] = n[1] = 0;
      for (guint i = 0; i < N_BODIES; i++)
        {
          n[0] += self->seen[body][i][0];
          n[1] += self->seen[body][i][1];
        }
    }
  if (!is_woken || n[0] + n[1] < 8)
    return self->deadline[body] < self->deadline[other];
  self->at_once[body] += (double) n[0] / (n[0] + n[1]);
  if (self->at_once[body] < 0.5)
    return FALSE;
  self->at_once[body] -= 1;
  return TRUE;
}

static void
naive_get (Naive *self, guint cpu, guint body, double length, gboolean is_woken, double now)
{
  guint other;

  self->left[body] = length;
  naive_serve (self, cpu, now);
  other = find_runner (self, cpu);
  naive_place (self, cpu, body);
  if (other == N_BODIES)
    naive_run (self, body, now);
  else if (!naive_preempts (self, body, other, is_woken))
    {
      naive_wait (self, body);
      if (self->state[other] == RUNS && count (self, cpu, WAITS) == 1)
        naive_run (self, other, now);
    }
  else
    {
      naive_wait (self, other);
      naive_run (self, body, now);
    }
  naive_look (self, now);
}

static guint
find_other (const Naive *self, guint from, guint but, gboolean is_idle)
{
  for (guint i = 1; i < self->n_cpus; i++)
    if ((from + i) % self->n_cpus != but
        && (find_runner (self, (from + i) % self->n_cpus) == N_BODIES) == is_idle)
      return (from + i) % self->n_cpus;
  return G_MAXUINT;
}

static guint
count_queued (const Naive *self, guint cpu)
{
  guint n = 0;

  for (guint i = 0; i < N_BODIES; i++)
    n += self->cpu[i] == cpu && self->state[i] == WAITS;
  return n;
}

static guint
naive_choose (Naive *self, guint body, guint waker)
{
  guint previous = self->cpu[body], idle = find_other (self, previous, waker, TRUE), situation = 0, best = 0;
  guint64 n = 0;
  guint busy;

  situation |= find_runner (self, previous) == N_BODIES ? TB_REPLAY_PREVIOUS_IDLE : 0;
  situation |= idle != G_MAXUINT ? TB_REPLAY_OTHER_IDLE : 0;
  situation |= waker == G_MAXUINT ? 0 : waker == previous ? TB_REPLAY_WAKER_SAME : TB_REPLAY_WAKER_OTHER;
  if (waker != G_MAXUINT && count_queued (self, waker) == 0)
    situation |= TB_REPLAY_WAKER_ALONE;
  for (guint i = 0; i < TB_REPLAY_N_PLACES; i++)
    n += self->habits->n_woken[situation][i];
  if (n == 0)
    return situation & TB_REPLAY_PREVIOUS_IDLE || idle == G_MAXUINT ? previous : idle;
  for (guint i = 0; i < TB_REPLAY_N_PLACES; i++)
    {
      self->due[situation][i] += (double) self->habits->n_woken[situation][i] / (double) n;
      if (self->due[situation][i] > self->due[situation][best])
        best = i;
    }
  self->due[situation][best] -= 1;
  busy = find_other (self, previous, waker, FALSE);
  if (best == TB_REPLAY_PLACE_WAKER && waker != G_MAXUINT)
    return waker;
  if (best == TB_REPLAY_PLACE_IDLE && idle != G_MAXUINT)
    return idle;
  return best == TB_REPLAY_PLACE_BUSY && busy != G_MAXUINT ? busy : previous;
}

static void
naive_leave (Naive *self, guint body, double now)
{
  guint cpu = self->cpu[body], next;

  self->fair[cpu] = get_mean (self, cpu);
  self->lag[body] = self->fair[cpu] - self->service[body];
  self->state[body] = AWAY;
  next = find_due (self, cpu);
  if (next < N_BODIES)
    naive_run (self, next, now);
  naive_look (self, now);
}

/* Time of the next event, and its CPU; n_cpus: an idle CPU takes a waiting worker. */
static double
naive_get_next (const Naive *self, guint *what)
{
  double next = INFINITY;
  guint64 order = 0;

  for (guint i = 0; i < self->n_cpus; i++)
    {
      guint body = find_runner (self, i);

      if (body < N_BODIES && self->state[body] == RUNS
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
naive_fetch (Naive *self, double now)
{
  guint idle = 0, longest = 0, body;

  while (find_runner (self, idle) < N_BODIES)
    idle++;
  for (guint i = 0; i < self->n_cpus; i++)
    if (count (self, i, WAITS) > count (self, longest, WAITS))
      longest = i;
  naive_serve (self, longest, now);
  body = find_due (self, longest);
  naive_place (self, idle, body);
  naive_run (self, body, now);
  self->is_unused = FALSE;
  self->patience_left = self->patience;
}

/* Returns the worker that is done, N_BODIES: none. */
static guint
naive_go_on (Naive *self, double now, guint what)
{
  guint body, next;

  if (what == self->n_cpus)
    {
      naive_fetch (self, now);
      naive_look (self, now);
      return N_BODIES;
    }
  body = find_runner (self, what);
  naive_serve (self, what, now);
  if (self->left[body] < 0.5)
    {
      self->state[body] = DONE;
      return body;
    }
  if (self->deadline[body] - self->service[body] < 0.5)
    self->deadline[body] = self->service[body] + self->slice;
  next = find_due (self, what);
  if (next < N_BODIES && self->deadline[next] < self->deadline[body])
    {
      naive_wait (self, body);
      naive_run (self, next, now);
    }
  else
    naive_run (self, body, now);
  naive_look (self, now);
  return N_BODIES;
}

typedef struct
{
  guint n_cpus;
  TbReplayHabits habits;
  guint seen[N_BODIES][N_BODIES][2];
  guint32 previous[N_BODIES];
  double length[N_EVENTS];
  double rest[N_EVENTS];
  guint32 how[N_EVENTS];
  guint32 waker[N_EVENTS];
} Story;

/* What happens to the next worker that is done: it keeps its CPU, or comes back later. */
typedef struct
{
  double now;
  double back[N_BODIES];
  guint n_told;
  double times[N_EVENTS];
  guint32 bodies[N_EVENTS];
} Log;

static void
make_story (Story *self, GRand *rand)
{
  *self = (Story) { .n_cpus = (guint) g_rand_int_range (rand, 1, N_CPUS + 1) };
  self->habits.n_fetched = g_rand_boolean (rand) ? (guint64) g_rand_int_range (rand, 0, 30) : 0;
  self->habits.unused = g_rand_double_range (rand, 0, 20 * MS);
  for (guint i = 0; i < TB_REPLAY_N_SITUATIONS; i++)
    for (guint j = 0; j < TB_REPLAY_N_PLACES; j++)
      self->habits.n_woken[i][j] = g_rand_boolean (rand) ? (guint64) g_rand_int_range (rand, 0, 5) : 0;
  for (guint i = 0; i < N_BODIES; i++)
    for (guint j = 0; j < 2 * N_BODIES; j++)
      self->seen[i][j / 2][j % 2] = g_rand_boolean (rand) ? (guint) g_rand_int_range (rand, 0, 9) : 0;
  for (guint i = 0; i < N_BODIES; i++)
    self->previous[i] = g_rand_int (rand);
  for (guint i = 0; i < N_EVENTS; i++)
    {
      self->length[i] = g_rand_double_range (rand, 1, g_rand_boolean (rand) ? 0.2 * MS : 5 * MS);
      self->rest[i] = g_rand_double_range (rand, 0.001, g_rand_boolean (rand) ? 0.2 * MS : 5 * MS);
      self->how[i] = (guint32) g_rand_int_range (rand, 0, 5);
      self->waker[i] = g_rand_boolean (rand) ? (guint32) g_rand_int_range (rand, 0, (gint32) self->n_cpus)
                                             : TB_REPLAY_NONE;
    }
}

/* naive NULL: idle CPUs of `cpus`. */
static void
begin (const Story *story, const Log *log, TbReplayCpus *cpus, Naive *naive, guint body)
{
  guint at = log->n_told;
  guint32 waker = story->waker[at];
  guint idle;

  if (naive == NULL)
    {
      if (story->how[at] == 0)
        tb_replay_cpus_return (cpus, body, story->length[at], log->now);
      else if (story->how[at] == 1)
        tb_replay_cpus_spread (cpus, body, story->length[at], log->now);
      else
        wake (cpus, body, story->length[at], waker, log->now);
      return;
    }
  if (story->how[at] == 0)
    naive_get (naive, naive->cpu[body], body, story->length[at], FALSE, log->now);
  else if (story->how[at] == 1)
    {
      idle = find_runner (naive, naive->cpu[body]) == N_BODIES
                 ? naive->cpu[body]
                 : find_other (naive, naive->cpu[body], G_MAXUINT, TRUE);
      naive_get (naive, idle != G_MAXUINT ? idle : naive->cpu[body], body, story->length[at], FALSE,
                 log->now);
    }
  else
    naive_get (naive, naive_choose (naive, body, waker == TB_REPLAY_NONE ? G_MAXUINT : waker), body,
               story->length[at], TRUE, log->now);
}

static void
settle (const Story *story, Log *log, TbReplayCpus *cpus, Naive *naive, guint body)
{
  guint at = log->n_told;

  log->times[at] = log->now;
  log->bodies[at] = body;
  log->n_told++;
  if (story->how[at] == 4 && naive == NULL)
    tb_replay_cpus_keep (cpus, body, story->length[at], log->now);
  else if (story->how[at] == 4)
    {
      naive->left[body] = story->length[at];
      naive_run (naive, body, log->now);
    }
  else
    {
      if (naive == NULL)
        tb_replay_cpus_leave (cpus, body, log->now);
      else
        naive_leave (naive, body, log->now);
      log->back[body] = log->now + story->rest[at];
    }
}

static void
tell (const Story *story, Log *log, TbReplayCpus *cpus, Naive *naive)
{
  *log = (Log) { 0 };
  for (guint i = 0; i < N_BODIES; i++)
    log->back[i] = i;
  while (log->n_told < N_EVENTS)
    {
      guint first = 0, what = 0, body;
      double next = naive == NULL ? tb_replay_cpus_get_next (cpus) : naive_get_next (naive, &what);

      for (guint i = 1; i < N_BODIES; i++)
        if (log->back[i] < log->back[first])
          first = i;
      log->now = MIN (next, log->back[first]);
      if (log->back[first] <= next)
        {
          log->back[first] = INFINITY;
          begin (story, log, cpus, naive, first);
          continue;
        }
      body = naive == NULL ? tb_replay_cpus_go_on (cpus) : naive_go_on (naive, log->now, what);
      if (body < N_BODIES)
        settle (story, log, cpus, naive, body);
    }
}

static TbReplayPreemption *
make_preemption (const Story *story)
{
  TbReplayPreemption *preemption = tb_replay_preemption_new ();

  for (guint32 i = 0; i < N_BODIES; i++)
    for (guint32 j = 0; j < N_BODIES; j++)
      for (guint k = 0; k < 2; k++)
        for (guint n = 0; n < story->seen[i][j][k]; n++)
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
      g_autoptr (TbReplayCpus) cpus = NULL;
      Naive naive = { 0 };
      Story story;
      Log log, other;

      make_story (&story, rand);
      story.habits.preemption = preemption = make_preemption (&story);
      naive.seen = story.seen;
      cpus = tb_replay_cpus_new (story.n_cpus, N_BODIES, story.previous, threads, &story.habits);
      naive.n_cpus = story.n_cpus;
      naive.habits = &story.habits;
      naive.slice = story.n_cpus == 1 ? 0.7 * MS : 1.4 * MS;
      naive.patience = naive.patience_left
          = (story.habits.unused + 4 * MS) / (double) (story.habits.n_fetched + 1);
      for (guint j = 0; j < N_BODIES; j++)
        naive.cpu[j] = story.previous[j] % story.n_cpus;
      tell (&story, &log, cpus, NULL);
      tell (&story, &other, NULL, &naive);
      for (guint j = 0; j < N_EVENTS; j++)
        if (log.bodies[j] != other.bodies[j] || fabs (log.times[j] - other.times[j]) > 1)
          g_error ("seed %u: event %u: %u at %f, beside %u at %f", seed, j, log.bodies[j], log.times[j],
                   other.bodies[j], other.times[j]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/replay-cpus/turns", test_turns);
  g_test_add_func ("/wait-graph/replay-cpus/sleeper", test_sleeper);
  g_test_add_func ("/wait-graph/replay-cpus/places", test_places);
  g_test_add_func ("/wait-graph/replay-cpus/preemption", test_preemption);
  g_test_add_func ("/wait-graph/replay-cpus/fetch", test_fetch);
  g_test_add_func ("/wait-graph/replay-cpus/spread", test_spread);
  g_test_add_func ("/wait-graph/replay-cpus/reference", test_reference);
  return g_test_run ();
}
