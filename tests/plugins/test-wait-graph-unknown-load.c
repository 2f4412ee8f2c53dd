/* test-wait-graph-unknown-load.c: test of how long threads may have been busy while their states
 * are unknown, on random machines with lost events, against what they really did and against a
 * naive search
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "model/tb-wait-model.h"
#include "wait-graph-fixture.h"

#define N_MACHINES test_rounds (300, 60)
#define N_CPUS 3u
#define N_THREADS 6u
#define LENGTH_US 20000

typedef enum
{
  ASLEEP,
  RUNNABLE,
  RUNNING,
} State;

/* A switch of a CPU or a wake-up of a thread. 0: the idle task. */
typedef struct
{
  gint64 us;
  guint cpu;
  guint prev;
  guint next;
  guint woken; /* 0: a switch */
  char state;
  gboolean is_lost;
} Event;

typedef struct
{
  GArray *events; /* Event */
  State states[N_THREADS + 1];
  guint current[N_CPUS];
  /* by µs and thread: whether it ran or was runnable */
  guint8 *busy[N_THREADS + 1];
  gboolean has_lost;
} Machine;

static void
machine_clear (Machine *self)
{
  g_array_unref (self->events);
  for (guint i = 1; i <= N_THREADS; i++)
    g_free (self->busy[i]);
}

static guint
find_thread (const Machine *self, GRand *rand, State state)
{
  guint first = (guint) g_rand_int_range (rand, 0, N_THREADS);

  for (guint i = 0; i < N_THREADS; i++)
    if (self->states[1 + (first + i) % N_THREADS] == state)
      return 1 + (first + i) % N_THREADS;
  return 0;
}

static void
switch_cpu (Machine *self, gint64 us, guint cpu, guint next, char state)
{
  Event event = { .us = us, .cpu = cpu, .prev = self->current[cpu], .next = next, .state = state };

  if (event.prev == next)
    return;
  if (event.prev != 0)
    self->states[event.prev] = state == 'R' ? RUNNABLE : ASLEEP;
  if (next != 0)
    self->states[next] = RUNNING;
  self->current[cpu] = next;
  g_array_append_val (self->events, event);
}

static void
step (Machine *self, GRand *rand, gint64 us)
{
  guint cpu = (guint) g_rand_int_range (rand, 0, N_CPUS);
  guint runnable = find_thread (self, rand, RUNNABLE), asleep = find_thread (self, rand, ASLEEP);

  switch (g_rand_int_range (rand, 0, 5))
    {
    case 0:
      switch_cpu (self, us, cpu, runnable, 'R');
      break;
    case 1:
    case 2:
      switch_cpu (self, us, cpu, g_rand_boolean (rand) ? runnable : 0, 'S');
      break;
    default:
      if (asleep != 0)
        {
          Event event = { .us = us, .cpu = cpu, .prev = self->current[cpu], .woken = asleep };

          self->states[asleep] = RUNNABLE;
          g_array_append_val (self->events, event);
        }
    }
}

static void
run_machine (Machine *self, GRand *rand)
{
  gint64 at = 0;

  *self = (Machine) { .events = g_array_new (FALSE, FALSE, sizeof (Event)) };
  for (guint i = 1; i <= N_THREADS; i++)
    {
      self->busy[i] = g_new0 (guint8, LENGTH_US);
      self->states[i] = (State) g_rand_int_range (rand, ASLEEP, RUNNING);
    }
  for (guint cpu = 0; cpu < N_CPUS; cpu++)
    {
      self->current[cpu] = find_thread (self, rand, RUNNABLE);
      if (self->current[cpu] != 0)
        self->states[self->current[cpu]] = RUNNING;
    }
  for (gint64 us = 0; us < LENGTH_US; us++)
    {
      if (us == at)
        {
          step (self, rand, us);
          at += g_rand_int_range (rand, 1, 600);
        }
      for (guint i = 1; i <= N_THREADS; i++)
        self->busy[i][us] = self->states[i] != ASLEEP;
    }
}

/* --- the recording --- */

static void
add_event (Story *story, const Event *event)
{
  if (event->woken != 0)
    story_wake (story, event->us, (int) event->cpu,
                event->prev != 0 ? 10 + (gint32) event->prev : 0, 10 + (gint32) event->woken);
  else
    story_switch (story, event->us, (int) event->cpu,
                  event->prev != 0 ? 10 + (gint32) event->prev : 0,
                  event->prev == 0 ? "R" : (char[]) { event->state, '\0' },
                  event->next != 0 ? 10 + (gint32) event->next : 0);
}

/* Events of one CPU are lost for some time, or none. */
static TbTrace *
record (Machine *self, GRand *rand)
{
  Story *story = story_new ("a b c d e f");
  gint64 from = g_rand_int_range (rand, 1000, LENGTH_US),
         to = from + g_rand_int_range (rand, 1, 5000);
  guint cpu = (guint) g_rand_int_range (rand, 0, N_CPUS);
  gboolean any = FALSE;

  if (g_rand_boolean (rand))
    to = from;
  for (guint i = 0; i < self->events->len; i++)
    {
      Event *event = &g_array_index (self->events, Event, i);

      event->is_lost = event->cpu == cpu && event->us >= from && event->us < to;
      any |= event->is_lost;
      if (!event->is_lost)
        add_event (story, event);
    }
  self->has_lost = any;
  if (any)
    story_add (story, MIN (to, LENGTH_US), "%u,lost,,,,,,,,,7,,,,", cpu);
  story_add (story, LENGTH_US, "0,mark,,,,,,,11,,,end,,,");
  return story_open (story);
}

/* --- the naive search --- */

typedef struct
{
  gint64 from; /* ns */
  gint64 to;
} Range;

/* The reported losses, and where another thread leaves a CPU than came to it. */
static GArray *
list_gaps (const Machine *self, TbTrace *trace)
{
  GArray *gaps = g_array_new (FALSE, FALSE, sizeof (Range));
  TbTable *table = tb_session_get_table (tb_trace_get_session (trace), TB_TABLE_LOST);
  gint64 first = G_MAXINT64, from, to;

  for (gsize i = 0; i < tb_table_get_n_rows (table); i++)
    {
      g_autoptr (GBytes) begins = tb_trace_read_column (trace, TB_TABLE_LOST, TB_LOST_FROM);
      g_autoptr (GBytes) ends = tb_trace_read_column (trace, TB_TABLE_LOST, TB_LOST_TO);
      Range range = { ((const gint64 *) g_bytes_get_data (begins, NULL))[i],
                      ((const gint64 *) g_bytes_get_data (ends, NULL))[i] };

      g_array_append_val (gaps, range);
    }
  for (guint cpu = 0; cpu < N_CPUS; cpu++)
    {
      const Event *last = NULL;

      for (guint i = 0; i < self->events->len; i++)
        {
          const Event *event = &g_array_index (self->events, Event, i);

          if (event->cpu != cpu || event->woken != 0 || event->is_lost)
            continue;
          first = MIN (first, event->us * 1000);
          if (last != NULL && last->next != event->prev)
            {
              Range range = { last->us * 1000, event->us * 1000 };

              g_array_append_val (gaps, range);
            }
          last = event;
        }
    }
  tb_trace_get_range (trace, &from, &to);
  if (first > from)
    {
      Range range = { from, first };

      g_array_append_val (gaps, range);
    }
  return gaps;
}

/* Whether a thread provably sleeps at a time at which its state is unknown: its next event is a
 * wake-up, the one after that brings it to a CPU, and no event is missing until the wake-up. */
static gboolean
is_asleep (const Machine *self, const GArray *gaps, guint thread, gint64 ns)
{
  const Event *next[2] = { NULL, NULL };
  guint n = 0;

  for (guint i = 0; i < self->events->len && n < 2; i++)
    {
      const Event *event = &g_array_index (self->events, Event, i);
      gboolean is_wakeup = event->woken == thread;

      if (event->is_lost || event->us * 1000 <= ns || (n == 1 && is_wakeup)
          || (!is_wakeup
              && (event->woken != 0 || (event->prev != thread && event->next != thread))))
        continue;
      next[n++] = event;
    }
  if (next[0] == NULL || next[0]->woken != thread || (next[1] != NULL && next[1]->prev == thread))
    return FALSE;
  for (guint i = 0; i < gaps->len; i++)
    if (g_array_index (gaps, Range, i).to > ns
        && g_array_index (gaps, Range, i).from < next[0]->us * 1000)
      return FALSE;
  return TRUE;
}

static gint64
search (const Machine *self, TbTrace *trace, const GArray *gaps, guint32 id, guint thread)
{
  const TbIntervals *rows = tb_trace_get_intervals (trace);
  gint64 possible = 0;
  gsize first, n;

  tb_trace_get_thread_intervals (trace, id, &first, &n);
  for (gsize i = first; i < first + n; i++)
    for (gint64 ns = rows->start[i]; rows->state[i] == TB_STATE_UNKNOWN && ns < rows->end[i];
         ns += 1000)
      possible += is_asleep (self, gaps, thread, ns) ? 0 : MIN (1000, rows->end[i] - ns);
  return possible;
}

/* --- test --- */

static gint64
measure_busy (const Machine *self, guint thread, gint64 from, gint64 to)
{
  gint64 ns = 0;

  for (gint64 us = from / 1000; us < MIN (to / 1000, LENGTH_US); us++)
    ns += self->busy[thread][us] ? 1000 : 0;
  return ns;
}

/* counts: threads for which more is possible than found, and for which it is the same. */
static void
check_machine (Machine *self, TbTrace *trace, guint counts[2])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbWaitModel) model = NULL;
  g_autoptr (GArray) gaps = list_gaps (self, trace);
  gint64 from, to;
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);

  tb_trace_get_range (trace, &from, &to);
  model = tb_wait_model_new (trace, from, to, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint32 i = 1; i < n_threads; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (model, i);
      gint64 found;
      guint thread = threads[i].tid > 10 ? (guint) threads[i].tid - 10 : 0;

      if (thread == 0 || thread > N_THREADS || node->first == TB_TIME_NONE)
        continue;
      g_assert_cmpint (node->possible, <=, node->unknown);
      g_assert_cmpint (node->running + node->runnable + node->possible, >=,
                       measure_busy (self, thread, node->first, node->last));
      /* Where a loss hides what follows the wake-up, more counts as possible. */
      found = search (self, trace, gaps, i, thread);
      g_assert_cmpint (node->possible, >=, found);
      if (!self->has_lost)
        g_assert_cmpint (node->possible, ==, found);
      counts[node->possible == found]++;
    }
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int_range (0, G_MAXINT32));
  guint counts[2] = { 0 };

  for (guint i = 0; i < N_MACHINES; i++)
    {
      Machine machine;
      g_autoptr (TbTrace) trace = NULL;

      run_machine (&machine, rand);
      trace = record (&machine, rand);
      check_machine (&machine, trace, counts);
      machine_clear (&machine);
    }
  g_assert_cmpuint (counts[FALSE] * 20, <, counts[TRUE]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/unknown-load/random", test_random);
  return recording_run_tests ();
}
