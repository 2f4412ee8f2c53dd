/* test-trace-random.c: test of thousands of random traces against a plain reference, ns by ns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "trace-events.h"

#define LENGTH 400
#define GRACE 6
#define N_THREADS 7
#define N_CPUS 3
#define N_TRACES 6000

/* The events of the trace, separate from the columns that the builder reads. */
typedef enum
{
  FORK,
  EXIT,
  FALSE_MARK,
  SPIN_BEGIN,
  SPIN_END,
  WAKE,
  SWITCH,
} Kind;

typedef struct
{
  gint64 time;
  Kind kind;
  guint cpu;
  guint32 a; /* prev, waker, thread */
  guint32 b; /* next, wakee, releasing thread */
  char letter;
} Event;

typedef struct
{
  gint64 from;
  gint64 to;
  guint cpu;
} Loss;

typedef struct
{
  GArray *events;
  Loss losses[4];
  guint n_losses;
} RandomTrace;

/* --- the reference: each thread on its own, every nanosecond a cell --- */

typedef struct
{
  char state[LENGTH]; /* 0: not alive, otherwise the letters of the tests */
  /* by cell in which a wait ends: its waker, -1: unknown, -2: not applicable */
  gint32 waker[LENGTH];
} Cells;

static gboolean
lost_at (const RandomTrace *random_trace, gint64 at, int cpu)
{
  for (guint i = 0; i < random_trace->n_losses; i++)
    {
      const Loss *loss = &random_trace->losses[i];
      gint64 to = MAX (loss->to, loss->from + 1);

      if (at >= loss->from && at < to
          && (cpu < 0 || loss->cpu == TB_CPU_ALL || (int) loss->cpu == cpu))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_wait (char state)
{
  return strchr ("SDT", state) != NULL && state != 0;
}

typedef struct
{
  const RandomTrace *random_trace;
  Cells *cells;
  gint64 since;
  char state;
  int cpu;
  gint64 early; /* time of a wake-up while it ran, -1: none */
  gint32 early_waker;
  gint64 false_from; /* start of the last wait that ended, -1: none */
  char false_state;
  gboolean is_false;
  gboolean exiting; /* its exit was recorded, its last switch is to come */
  gboolean dead;
} Reference;

static void
paint (Reference *self, gint64 to, char state)
{
  for (gint64 t = self->since; t < to; t++)
    {
      self->cells->state[t] = state;
      self->cells->waker[t] = -2;
    }
}

/* Writes the state up to now, cell by cell, and determines whether a lost range cuts it. */
static void
pass_time (Reference *self, gint64 now)
{
  char shown = is_wait (self->state) && self->early >= 0 ? 'q' : self->state;

  for (gint64 t = self->since; t < now; t++)
    {
      self->cells->state[t] = shown;
      self->cells->waker[t] = -2;
      if (self->state != '?'
          && lost_at (self->random_trace, t, self->state == 'R' ? self->cpu : -1))
        {
          self->state = shown = '?';
          self->since = t;
          self->early = -1;
          self->false_from = -1;
          self->is_false = FALSE;
          self->cells->state[t] = '?';
        }
    }
}

static void
become (Reference *self, gint64 now, char state)
{
  self->since = MAX (now, self->since);
  self->state = state;
  self->early = -1;
}

static void
ref_leave (Reference *self, const Event *event, gint64 now)
{
  gint64 early;
  char next = strchr ("XZ", event->letter)   ? 'X'
              : strchr ("R+", event->letter) ? 'p'
              : strchr ("DK", event->letter) ? 'D'
              : strchr ("Tt", event->letter) ? 'T'
                                             : 'S';

  pass_time (self, now);
  if (self->state != 'R' || self->cpu != (int) event->cpu)
    {
      paint (self, now, '?');
      self->early = -1;
      self->false_from = -1;
      self->is_false = FALSE;
    }
  early = self->early >= 0 && now - self->early <= GRACE ? self->early : -1;
  if (next == 'X')
    {
      self->dead = TRUE;
      return;
    }
  if (is_wait (next) && self->is_false && early < 0)
    {
      gboolean whole = TRUE;

      for (gint64 t = self->false_from; t < now; t++)
        whole &= self->cells->state[t] != '?';
      if (whole)
        {
          gint64 from = self->false_from;

          become (self, now, self->false_state);
          self->since = from;
          self->false_from = -1;
          self->is_false = FALSE;
          return;
        }
    }
  if (is_wait (next))
    {
      self->is_false = FALSE;
      self->false_from = -1;
    }
  become (self, now, next);
  if (is_wait (next))
    self->early = early;
}

static void
ref_enter (Reference *self, const Event *event, gint64 now)
{
  pass_time (self, now);
  if (self->state == 'R')
    {
      paint (self, now, '?');
      self->false_from = -1;
      self->is_false = FALSE;
    }
  if (is_wait (self->state) && self->early < 0 && now > self->since)
    self->cells->waker[now - 1] = -1;
  become (self, now, 'R');
  self->cpu = event->cpu;
}

static void
ref_wake (Reference *self, const Event *event, gint64 now)
{
  pass_time (self, now);
  if (event->a == event->b)
    return;
  if (self->state == 'R')
    {
      self->early = now;
      return;
    }
  if (self->state == 'q' || self->state == 'p')
    return;
  if (now > self->since && is_wait (self->state))
    {
      /* A regular wake-up: an earlier one before the sleep was stray. */
      for (gint64 t = self->since; t < now; t++)
        self->cells->state[t] = self->state;
      self->false_from = self->since;
      self->false_state = self->state;
    }
  else
    self->false_from = -1;
  if (now > self->since)
    self->cells->waker[now - 1] = event->a == 0 ? -3 : (gint32) event->a;
  self->is_false = FALSE;
  become (self, now, 'q');
}

/* A switch-out of this thread on a CPU on which another thread was assumed to run: since when that
 * was assumed, and the first evidence of this thread there. */
typedef struct
{
  gint64 since;
  gint64 seen;
  gint64 to;
  guint cpu;
} InferredRun;

static GArray *
find_surprises (const RandomTrace *random_trace, guint32 thread)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (InferredRun));
  gint64 since[N_CPUS] = { 0 };
  guint32 running[N_CPUS];

  memset (running, 0xff, sizeof running);
  for (guint i = 0; i < random_trace->events->len; i++)
    {
      const Event *event = &g_array_index (random_trace->events, Event, i);

      if (event->kind != SWITCH || event->a == event->b)
        continue;
      if (event->a == thread && running[event->cpu] != TB_ID_NONE && running[event->cpu] != thread)
        {
          InferredRun inferred_run = { since[event->cpu], event->time, event->time, event->cpu };

          g_array_append_val (found, inferred_run);
        }
      running[event->cpu] = event->b;
      since[event->cpu] = event->time;
    }
  for (guint i = random_trace->events->len; i-- > 0;)
    {
      const Event *event = &g_array_index (random_trace->events, Event, i);
      gint64 at = event->kind == EXIT ? event->time - 1 : event->time;

      if ((event->kind != WAKE && event->kind != FORK && event->kind != EXIT) || event->a != thread)
        continue;
      for (guint k = 0; k < found->len; k++)
        {
          InferredRun *inferred_run = &g_array_index (found, InferredRun, k);

          if (inferred_run->to < at)
            continue;
          if (inferred_run->cpu == event->cpu && at > inferred_run->since)
            inferred_run->seen = MIN (inferred_run->seen, at);
          break;
        }
    }
  return found;
}

/* Whether the thread enters or leaves a CPU after an event. */
static gboolean
is_switched_after (const RandomTrace *random_trace, guint first, guint32 thread)
{
  for (guint i = first + 1; i < random_trace->events->len; i++)
    {
      const Event *event = &g_array_index (random_trace->events, Event, i);

      if (event->kind == SWITCH && event->a != event->b
          && (event->a == thread || event->b == thread))
        return TRUE;
    }
  return FALSE;
}

/* The thread runs by now, on a CPU that was assumed to run another thread since `since`. */
static void
ref_infer_run (Reference *self, const InferredRun *inferred_run, gint64 now)
{
  gint64 since = inferred_run->since;

  pass_time (self, now);
  if (self->state == 'R')
    return;
  if (is_wait (self->state) && self->early < 0 && since > self->since)
    self->cells->waker[since - 1] = -1;
  if (self->state != '?')
    self->since = MAX (self->since, since);
  paint (self, now, '?');
  self->false_from = -1;
  self->is_false = FALSE;
  become (self, now, 'R');
  self->cpu = inferred_run->cpu;
}

/* Without any, it is not known what a thread did before and after it was woken or forked. */
static gboolean
has_switches (const RandomTrace *random_trace)
{
  for (guint i = 0; i < random_trace->events->len; i++)
    if (g_array_index (random_trace->events, Event, i).kind == SWITCH)
      return TRUE;
  return FALSE;
}

static void
reference (const RandomTrace *random_trace, guint32 thread, Cells *cells)
{
  Reference self = { .random_trace = random_trace,
                     .cells = cells,
                     .since = -1,
                     .state = '?',
                     .early = -1,
                     .false_from = -1,
                     .cpu = -1 };
  guint32 running[N_CPUS];
  g_autoptr (GArray) inferred_runs = find_surprises (random_trace, thread);
  gint64 spin = -1, birth;

  memset (cells, 0, sizeof *cells);
  for (guint cpu = 0; cpu < N_CPUS; cpu++)
    running[cpu] = TB_ID_NONE;
  for (guint i = 0; i < LENGTH; i++)
    cells->waker[i] = -2;

  /* start of its life */
  for (guint i = 0; i < random_trace->events->len && self.since < 0; i++)
    {
      const Event *event = &g_array_index (random_trace->events, Event, i);

      if (event->a == thread
          || ((event->kind == SWITCH || event->kind == WAKE || event->kind == FORK)
              && event->b == thread))
        self.since = event->time;
    }
  for (guint i = 0; i < random_trace->events->len; i++)
    {
      const Event *event = &g_array_index (random_trace->events, Event, i);

      if (event->kind == FORK && event->b == thread)
        {
          self.since = event->time;
          self.state = has_switches (random_trace) ? 'q' : '?';
          break;
        }
    }
  if (self.since < 0)
    return;
  birth = self.since;

  for (guint i = 0; i < random_trace->events->len && !self.dead; i++)
    {
      const Event *event = &g_array_index (random_trace->events, Event, i);
      gint64 now = MAX (event->time, self.since);

      for (guint k = 0; k < inferred_runs->len;)
        {
          const InferredRun *inferred_run = &g_array_index (inferred_runs, InferredRun, k);
          gboolean comes_first = event->kind == WAKE || event->kind == SWITCH;

          if (inferred_run->seen > event->time
              || (inferred_run->seen == event->time && !comes_first))
            {
              k++;
              continue;
            }
          if (inferred_run->seen >= birth && inferred_run->seen >= self.since)
            ref_infer_run (&self, inferred_run, inferred_run->seen);
          now = MAX (now, self.since);
          g_array_remove_index (inferred_runs, k);
          k = 0;
        }
      if (event->time < birth)
        {
          if (event->kind == SWITCH && event->a != event->b)
            running[event->cpu] = event->b;
          continue;
        }
      switch (event->kind)
        {
        case SWITCH:
          if (event->a == event->b)
            break;
          if (running[event->cpu] == thread && event->a != thread && self.state == 'R'
              && self.cpu == (int) event->cpu)
            {
              pass_time (&self, now);
              if (self.state == 'R')
                {
                  paint (&self, now, '?');
                  self.state = '?';
                  self.early = -1;
                  self.false_from = -1;
                  self.is_false = FALSE;
                }
              else
                self.state = '?';
            }
          if (event->a == thread)
            ref_leave (&self, event, now);
          if (event->b == thread && !self.dead)
            ref_enter (&self, event, now);
          running[event->cpu] = event->b;
          break;
        case WAKE:
          if (event->b == thread && has_switches (random_trace))
            ref_wake (&self, event, now);
          break;
        case EXIT:
          if (event->a == thread)
            {
              pass_time (&self, now);
              self.exiting = strchr ("R?", self.state) != NULL
                             && is_switched_after (random_trace, i, thread);
              self.dead = !self.exiting;
            }
          break;
        case FALSE_MARK:
          if (event->a == thread)
            {
              pass_time (&self, now);
              if (self.false_from >= 0 && self.state == 'R')
                self.is_false = TRUE;
            }
          break;
        case FORK:
        case SPIN_BEGIN:
        case SPIN_END:
        default:
          break;
        }
    }
  if (!self.dead)
    pass_time (&self, LENGTH);
  for (gint64 t = self.since; !self.dead && self.exiting && self.state == '?' && t < LENGTH; t++)
    cells->state[t] = 0;

  /* busy waiting replaces what it overlaps, unless a lost range is within */
  for (guint i = 0; i < random_trace->events->len; i++)
    {
      const Event *event = &g_array_index (random_trace->events, Event, i);

      /* a mark of a thread that has ended is ignored */
      if (event->a != thread || (event->kind != SPIN_BEGIN && event->kind != SPIN_END)
          || event->time < birth)
        continue;
      if (event->time < LENGTH && event->time > 0 && cells->state[event->time] == 0
          && cells->state[event->time - 1] == 0)
        continue;
      if (event->kind == SPIN_BEGIN && spin < 0)
        spin = event->time;
      else if (event->kind == SPIN_END && spin >= 0)
        {
          gboolean cut = FALSE;

          for (gint64 t = spin; t < event->time; t++)
            cut |= lost_at (random_trace, t, -1);
          for (gint64 t = spin; t < event->time && !cut; t++)
            if (cells->state[t] != 0)
              {
                if (t == spin && t > 0)
                  cells->waker[t - 1] = -2;
                cells->state[t] = 'S';
                cells->waker[t] = -2;
              }
          if (!cut && event->time > spin && cells->state[event->time - 1] != 0)
            cells->waker[event->time - 1]
                = event->b == TB_ID_NONE || event->b == thread ? -1 : (gint32) event->b;
          spin = -1;
        }
    }
}

/* --- random recordings --- */

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const Event *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  /* in the builder's order: process events first, switches last */
  {
    static const int rank[] = { [FORK] = 0,     [EXIT] = 0, [FALSE_MARK] = 1, [SPIN_BEGIN] = 1,
                                [SPIN_END] = 1, [WAKE] = 2, [SWITCH] = 3 };

    return rank[left->kind] - rank[right->kind];
  }
}

static void
put (RandomTrace *random_trace,
     gint64 time,
     Kind kind,
     guint cpu,
     guint32 a,
     guint32 b,
     char letter)
{
  Event event = { time, kind, cpu, a, b, letter };

  g_array_append_val (random_trace->events, event);
}

/* Random events, including contradictions. */
static void
add_random_events (RandomTrace *random_trace, GRand *rand)
{
  guint n = g_rand_int_range (rand, 1, 60);

  for (guint i = 0; i < n; i++)
    {
      gint64 time = g_rand_int_range (rand, 0, LENGTH);
      guint cpu = g_rand_int_range (rand, 0, N_CPUS);
      guint32 a = g_rand_int_range (rand, 0, N_THREADS), b = g_rand_int_range (rand, 0, N_THREADS);
      char letter = "SSSDDTRR++X"[g_rand_int_range (rand, 0, 11)];
      guint what = g_rand_int_range (rand, 0, 40);

      if (what < 20)
        put (random_trace, time, SWITCH, cpu, a, b, letter);
      else if (what < 34)
        put (random_trace, time, WAKE, cpu, a, b, 0);
      else if (a == 0)
        continue;
      else if (what == 34)
        put (random_trace, time, EXIT, cpu, a, TB_ID_NONE, 0);
      else if (what == 35)
        put (random_trace, time, FORK, cpu, TB_ID_NONE, a, 0);
      else
        put (random_trace, time,
             what == 36   ? SPIN_BEGIN
             : what == 37 ? SPIN_END
                          : FALSE_MARK,
             cpu, a, what == 37 && b != 0 ? b : TB_ID_NONE, 0);
    }
}

/* Events that a kernel could emit; some of them may be missing. */
static void
add_consistent_events (RandomTrace *random_trace, GRand *rand, gboolean drop)
{
  guint32 on_cpu[N_CPUS] = { 0 };
  char state[N_THREADS];

  memset (state, 'S', sizeof state);
  for (gint64 time = 0; time < LENGTH; time += g_rand_int_range (rand, 0, 6))
    {
      guint cpu = g_rand_int_range (rand, 0, N_CPUS);
      guint32 thread = g_rand_int_range (rand, 1, N_THREADS);
      gboolean keep = !drop || g_rand_int_range (rand, 0, 12) > 0;

      if (state[thread] == 'X')
        continue;
      if (state[thread] == 'S' && g_rand_boolean (rand))
        {
          state[thread] = 'q';
          if (keep)
            put (random_trace, time, WAKE, cpu, on_cpu[cpu], thread, 0);
        }
      else if (on_cpu[cpu] != 0 && g_rand_boolean (rand))
        {
          guint32 old = on_cpu[cpu];
          char letter = "SSSD+TX"[g_rand_int_range (rand, 0, 7)];

          if (letter == 'X' && g_rand_int_range (rand, 0, 3) > 0)
            letter = 'S';
          if (g_rand_int_range (rand, 0, 8) == 0)
            put (random_trace, time, FALSE_MARK, cpu, old, TB_ID_NONE, 0);
          state[old] = letter == '+' ? 'q' : letter == 'X' ? 'X' : 'S';
          on_cpu[cpu] = 0;
          if (keep)
            put (random_trace, time, SWITCH, cpu, old, 0, letter);
        }
      else if (on_cpu[cpu] == 0 && state[thread] == 'q')
        {
          on_cpu[cpu] = thread;
          state[thread] = 'R';
          if (keep)
            put (random_trace, time, SWITCH, cpu, 0, thread, 'R');
        }
    }
}

static void
compare_with_reference (const RandomTrace *random_trace, guint seed)
{
  g_autoptr (Events) events = events_new (0, LENGTH, N_THREADS);
  g_auto (TbTraceOutput) output = { 0 };
  const gint64 *start, *end;
  const guint32 *threads, *causes;
  const guint8 *states, *flags, *cause_kinds;

  for (guint i = 0; i < random_trace->events->len; i++)
    {
      const Event *event = &g_array_index (random_trace->events, Event, i);

      switch (event->kind)
        {
        case FORK:
          events_process (events, event->time, event->cpu, TB_PROCESS_FORK, event->b, event->a);
          break;
        case EXIT:
          events_process (events, event->time, event->cpu, TB_PROCESS_EXIT, event->a, TB_ID_NONE);
          break;
        case FALSE_MARK:
          events_mark (events, event->time, TB_MARK_FALSE_WAKEUP, event->a, TB_ID_NONE);
          break;
        case SPIN_BEGIN:
          events_mark (events, event->time, TB_MARK_SPIN_BEGIN, event->a, TB_ID_NONE);
          break;
        case SPIN_END:
          events_mark (events, event->time, TB_MARK_SPIN_END, event->a, event->b);
          break;
        case WAKE:
          events_wakeup (events, event->time, event->cpu, event->a, event->b, 0);
          break;
        case SWITCH:
        default:
          events_switch (events, event->time, event->cpu, event->a, event->letter, event->b);
          break;
        }
    }
  for (guint i = 0; i < random_trace->n_losses; i++)
    events_lost (events, random_trace->losses[i].from, random_trace->losses[i].to,
                 random_trace->losses[i].cpu, 1);
  g_assert_true (
      tb_trace_build (events_get_input (events, GRACE), &output, NULL, NULL, NULL, NULL));

  start = g_bytes_get_data (output.columns[TB_INTERVAL_START], NULL);
  end = g_bytes_get_data (output.columns[TB_INTERVAL_END], NULL);
  threads = g_bytes_get_data (output.columns[TB_INTERVAL_THREAD], NULL);
  states = g_bytes_get_data (output.columns[TB_INTERVAL_STATE], NULL);
  flags = g_bytes_get_data (output.columns[TB_INTERVAL_FLAGS], NULL);
  cause_kinds = g_bytes_get_data (output.columns[TB_INTERVAL_CAUSE_KIND], NULL);
  causes = g_bytes_get_data (output.columns[TB_INTERVAL_CAUSE], NULL);
  for (guint32 thread = 1; thread < N_THREADS; thread++)
    {
      Cells expected;
      Cells found;
      gint64 before = -1;

      reference (random_trace, thread, &expected);
      memset (&found, 0, sizeof found);
      for (guint t = 0; t < LENGTH; t++)
        found.waker[t] = -2;
      for (gsize i = 0; i < output.n; i++)
        {
          if (threads[i] != thread)
            continue;
          g_assert_cmpint (start[i], <, end[i]);
          /* without gap or overlap: the states add up to the life, to the nanosecond */
          g_assert_true (before < 0 || start[i] == before);
          before = end[i];
          for (gint64 t = start[i]; t < end[i]; t++)
            found.state[t] = states[i] == TB_STATE_RUNNABLE && (flags[i] & TB_INTERVAL_PREEMPTED)
                                 ? 'p'
                                 : "?RqSDT"[states[i]];
          if (cause_kinds[i] == TB_CAUSE_UNKNOWN)
            found.waker[end[i] - 1] = -1;
          else if (cause_kinds[i] == TB_CAUSE_INTERRUPT)
            found.waker[end[i] - 1] = -3;
          else if (cause_kinds[i] == TB_CAUSE_THREAD || cause_kinds[i] == TB_CAUSE_SIGNAL)
            found.waker[end[i] - 1] = causes[i];
        }
      for (guint t = 0; t < LENGTH; t++)
        if (expected.state[t] != found.state[t] || expected.waker[t] != found.waker[t])
          {
            g_autofree char *life = describe_thread (&output, thread);

            for (guint i = 0; i < random_trace->events->len; i++)
              {
                const Event *event = &g_array_index (random_trace->events, Event, i);

                if (event->a == thread || event->b == thread || event->kind == SWITCH)
                  g_test_message ("%d: kind %d cpu %u %d → %d %c", (int) event->time, event->kind,
                                  event->cpu, (int) event->a, (int) event->b,
                                  event->letter ? event->letter : '-');
              }
            for (guint i = 0; i < random_trace->n_losses; i++)
              g_test_message ("lost %d-%d cpu %u", (int) random_trace->losses[i].from,
                              (int) random_trace->losses[i].to, random_trace->losses[i].cpu);
            g_error ("seed %u thread %u at %u: expected %c %d, found %c %d in %s", seed, thread, t,
                     expected.state[t] ? expected.state[t] : '.', expected.waker[t],
                     found.state[t] ? found.state[t] : '.', found.waker[t], life);
          }
    }
}

static void
run (guint seed, guint how)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  RandomTrace random_trace = { .events = g_array_new (FALSE, FALSE, sizeof (Event)) };

  if (how % 3 == 0)
    add_random_events (&random_trace, rand);
  else
    add_consistent_events (&random_trace, rand, how % 3 == 2);
  if (g_rand_int_range (rand, 0, 3) == 0)
    for (random_trace.n_losses = g_rand_int_range (rand, 1, 5);
         random_trace.n_losses > 0 && how < 1000000; how += 1000000)
      for (guint i = 0; i < random_trace.n_losses; i++)
        {
          gint64 from = g_rand_int_range (rand, 0, LENGTH);
          gint64 to = from + g_rand_int_range (rand, 0, 40);

          random_trace.losses[i]
              = (Loss) { from, MIN (LENGTH, to),
                         g_rand_boolean (rand) ? TB_CPU_ALL
                                               : (guint) g_rand_int_range (rand, 0, N_CPUS) };
        }
  /* g_array_sort() is stable */
  g_array_sort (random_trace.events, compare_events);
  compare_with_reference (&random_trace, seed);
  g_array_unref (random_trace.events);
}

static void
test_random (void)
{
  for (guint i = 0; i < N_TRACES; i++)
    run (i, i);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/trace/random/reference", test_random);

  return g_test_run ();
}
