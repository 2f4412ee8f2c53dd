/* test-wait-graph-random.c: test of the wait graphs of random recordings, from events to weights,
 * against the paper's recursion
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One recording holds many small machines that share only the clock; each is a trace of its own.
 * Its result is compared with the waits that were intended when its events were generated.
 */

#include "config.h"

#include "../test-mode.h"
#include "graph/tb-wait-cascaded-weights.h"
#include "wait-graph-fixture.h"
#include "wait-graph-reference.h"

#define N_RECORDINGS test_rounds (40, 6)
#define N_MACHINES 256u
#define MOST_THREADS 5u
#define GRACE_NS 100000 /* a wake-up up to this long before a sleep prevents the sleep */

typedef enum
{
  RUNS,
  PREEMPTED,
  SLEEPS,
  WOKEN,
} State;

typedef struct
{
  gint64 start;
  gint64 end;
  guint32 waiter;
  guint32 waker; /* the machine's threads from 0; the next number is the timer */
} Meant;

typedef struct
{
  State state;
  gint64 since; /* start of its sleep */
  gint64 early; /* the last wake-up while it ran, -1: none since its switch-in */
} Thread;

typedef struct
{
  guint first; /* its threads are 11 + first, …, each on a CPU of its own: 1 + first, … */
  guint n_threads;
  Thread threads[MOST_THREADS];
  GArray *meant; /* intended waits, of type Meant */
} Machine;

static guint
get_tid (const Machine *self, guint thread)
{
  return 11 + self->first + thread;
}

static void
switch_out (Machine *self, Story *story, gint64 time, guint thread, const char *state)
{
  story_add_at (story, time, "%u,switch,%u,%s,0,,,,,,,,,,", 1 + self->first + thread,
                get_tid (self, thread), state);
}

static void
end_wait (Machine *self, gint64 time, guint thread, guint waker)
{
  Meant meant = { self->threads[thread].since, time, thread, waker };

  g_array_append_val (self->meant, meant);
  self->threads[thread].state = WOKEN;
}

/* A wake-up of a thread in any state. */
static void
wake_one (Machine *self, Story *story, gint64 time, guint thread, guint waker)
{
  Thread *wakee = &self->threads[thread];
  guint cpu = 1 + self->first + thread;

  if (waker == self->n_threads)
    story_add_at (story, time, "%u,softirq_entry,,,,,,1,,,,,,,", cpu);
  story_add_at (story, time, "%u,wakeup,,,,%u,%u,,,,,,,,",
                waker == self->n_threads ? cpu : 1 + self->first + waker,
                waker == self->n_threads ? 0 : get_tid (self, waker), get_tid (self, thread));
  if (waker == self->n_threads)
    story_add_at (story, time, "%u,softirq_exit,,,,,,1,,,,,,,", cpu);
  if (wakee->state == RUNS)
    wakee->early = time;
  else if (wakee->state == SLEEPS)
    end_wait (self, time, thread, waker);
}

static void
step (Machine *self, GRand *rand, Story *story, gint64 time)
{
  static const char *const sleeps[] = { "S", "I", "P", "D", "K", "T", "t" };
  guint at = (guint) g_rand_int_range (rand, 0, (gint32) self->n_threads);
  guint other = (guint) g_rand_int_range (rand, 0, (gint32) self->n_threads);
  Thread *thread = &self->threads[at];
  gboolean was_called;

  switch (thread->state)
    {
    case RUNS:
      if (other != at && g_rand_int_range (rand, 0, 3) > 0)
        wake_one (self, story, time, other, at);
      else if (g_rand_boolean (rand))
        {
          thread->state = SLEEPS;
          thread->since = time;
          switch_out (self, story, time, at,
                      sleeps[g_rand_int_range (rand, 0, G_N_ELEMENTS (sleeps))]);
        }
      else
        {
          thread->state = PREEMPTED;
          switch_out (self, story, time, at, "R+");
        }
      break;
    case SLEEPS:
      was_called
          = thread->early >= 0 && time > thread->since && thread->since - thread->early <= GRACE_NS;
      if (!was_called)
        {
          if (g_rand_int_range (rand, 0, 4) == 0)
            wake_one (self, story, time, at, self->n_threads);
          break;
        }
      /* Woken by nothing else, so the thread never waited. */
      G_GNUC_FALLTHROUGH;
    default:
      thread->state = RUNS;
      thread->early = -1;
      story_add_at (story, time, "%u,switch,0,R,%u,,,,,,,,,,", 1 + self->first + at,
                    get_tid (self, at));
      break;
    }
}

static void
run_machine (Machine *self, GRand *rand, Story *story)
{
  guint n_steps = (guint) g_rand_int_range (rand, 0, 120);
  gint64 time = 1;

  self->n_threads = (guint) g_rand_int_range (rand, 1, MOST_THREADS + 1);
  self->meant = g_array_new (FALSE, FALSE, sizeof (Meant));
  for (guint i = 0; i < self->n_threads; i++)
    {
      self->threads[i] = (Thread) { .state = RUNS, .early = -1 };
      story_add_at (story, 0, "0,name,,,,10,,,%u,,,app/t%u,,,", get_tid (self, i),
                    get_tid (self, i));
      story_add_at (story, 1, "%u,switch,0,R,%u,,,,,,,,,,", 1 + self->first + i, get_tid (self, i));
    }
  for (guint i = 0; i < n_steps; i++)
    {
      time += g_rand_int_range (rand, 1, 60000);
      step (self, rand, story, time);
    }
}

static TbTrace *
record (Machine *machines, GRand *rand)
{
  Story *story = story_new (NULL);
  guint first = 0;

  for (guint i = 0; i < N_MACHINES; i++)
    {
      machines[i].first = first;
      run_machine (&machines[i], rand, story);
      first += machines[i].n_threads;
    }
  return story_open (story);
}

static int
compare_meant (gconstpointer a, gconstpointer b)
{
  const Meant *left = a, *right = b;

  if (left->waiter != right->waiter)
    return left->waiter < right->waiter ? -1 : 1;
  return left->start < right->start ? -1 : left->start > right->start;
}

static TbWaitModel *
model_meant (const Machine *machine, gint64 to)
{
  TbWaitModel *model = tb_wait_model_new_empty (machine->n_threads + 1, 0, to);

  g_array_sort (machine->meant, compare_meant);
  tb_wait_model_reserve (model, machine->meant->len);
  for (guint i = 0; i < machine->meant->len; i++)
    {
      const Meant *meant = &g_array_index (machine->meant, Meant, i);

      tb_wait_model_add (model, meant->start, meant->end, meant->waiter, meant->waker, TB_ID_NONE);
    }
  tb_wait_model_index_edges (model);
  return model;
}

static guint32
find_node (const TbWaitModel *model,
           const guint32 *node_of_tid,
           const Machine *machine,
           guint32 thread)
{
  if (thread < machine->n_threads)
    return node_of_tid[get_tid (machine, thread)];
  for (guint32 i = model->n_threads; i < model->nodes->len; i++)
    if (tb_wait_model_get_node (model, i)->kind == TB_WAIT_NODE_TIMER)
      return i;
  g_assert_not_reached ();
}

/* Returns the number of edges. plain: own sum for each edge to the timer, which all machines
 * share. */
static guint
compare_machine (const TbWaitModel *model,
                 GHashTable *edges,
                 const guint32 *node_of_tid,
                 const Machine *machine)
{
  g_autoptr (TbWaitModel) meant = model_meant (machine, model->to);
  guint64 n_cut;
  g_autofree gint64 *weights = wait_graph_cascade (meant, &n_cut);

  g_assert_cmpuint (n_cut, ==, 0);
  for (guint32 i = 0; i < meant->edges->len; i++)
    {
      const TbWaitEdge *edge = tb_wait_model_get_edge (meant, i);
      gint64 key = (gint64) find_node (model, node_of_tid, machine, edge->from) << 32
                   | find_node (model, node_of_tid, machine, edge->to);
      const TbWaitEdge *found = g_hash_table_lookup (edges, &key);

      g_assert_nonnull (found);
      g_assert_cmpuint (found->waits, ==, edge->waits);
      g_assert_cmpint (found->plain, ==, edge->plain);
      g_assert_cmpint (found->longest, ==, edge->longest);
      g_assert_cmpint (found->weight, ==, weights[i]);
    }
  return meant->edges->len;
}

static GHashTable *
index_edges (const TbWaitModel *model)
{
  GHashTable *edges = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint32 i = 0; i < model->edges->len; i++)
    {
      TbWaitEdge *edge = tb_wait_model_get_edge (model, i);
      gint64 key = (gint64) edge->from << 32 | edge->to;

      g_assert_cmpint (edge->weight, >=, edge->plain);
      g_assert_cmpint (edge->weight > 0, ==, edge->plain > 0);
      g_hash_table_insert (edges, g_memdup2 (&key, sizeof key), edge);
    }
  return edges;
}

/* Times add up to the lifetime, to the nanosecond. */
static void
check_lives (const TbWaitModel *model)
{
  for (guint32 i = 1; i < model->n_threads; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (model, i);

      g_assert_cmpint (node->running + node->runnable + node->waiting + node->unknown, ==,
                       node->last - node->first);
    }
}

/* --- parts of a recording --- */

/* A key that does not depend on node numbers. There is only one timer, and no other node that is
 * not a thread. */
static gint64
make_key (const TbWaitModel *model, const TbWaitEdge *edge)
{
  const TbWaitNode *from = tb_wait_model_get_node (model, edge->from);
  const TbWaitNode *to = tb_wait_model_get_node (model, edge->to);

  g_assert_cmpint (from->kind, ==, TB_WAIT_NODE_THREAD);
  g_assert_true (to->kind == TB_WAIT_NODE_THREAD || to->kind == TB_WAIT_NODE_TIMER);
  return (gint64) from->id << 32 | (to->kind == TB_WAIT_NODE_THREAD ? to->id : TB_ID_NONE);
}

/* Adds or subtracts the weights and waits of edges. */
static void
sum_edges (const TbWaitModel *model, gint sign, GHashTable *sums)
{
  for (guint32 i = 0; i < model->edges->len; i++)
    {
      const TbWaitEdge *edge = tb_wait_model_get_edge (model, i);
      gint64 key = make_key (model, edge);
      gint64 *sum = g_hash_table_lookup (sums, &key);

      if (sum == NULL)
        {
          sum = g_new0 (gint64, 2);
          g_hash_table_insert (sums, g_memdup2 (&key, sizeof key), sum);
        }
      sum[0] += sign * edge->weight;
      sum[1] += sign * edge->plain;
    }
}

static TbWaitModel *
model_part (TbTrace *trace, gint64 from, gint64 to)
{
  g_autoptr (GError) error = NULL;
  TbWaitModel *part = tb_wait_model_new (trace, from, to, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (tb_wait_set_cascaded_weights (part, NULL, NULL));
  g_assert_cmpuint (part->cycles_cut, ==, 0);
  check_lives (part);
  return part;
}

/* Any time, or one at which a wait begins or ends. */
static gint64
draw_instant (GRand *rand, const TbWaitModel *model)
{
  guint32 i;

  if (model->waits.n == 0 || g_rand_boolean (rand))
    return model->from + (gint64) (g_rand_double (rand) * (double) (model->to - model->from));
  i = (guint32) g_rand_int_range (rand, 0, (gint32) model->waits.n);
  return g_rand_boolean (rand) ? model->waits.start[i] : model->waits.end[i];
}

/* Split at any time, the parts add up to the whole. */
static void
compare_parts (TbTrace *trace, const TbWaitModel *model, GRand *rand)
{
  gint64 at = draw_instant (rand, model);
  g_autoptr (TbWaitModel) before = model_part (trace, model->from, at);
  g_autoptr (TbWaitModel) after = model_part (trace, at, model->to);
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer value;

  sum_edges (model, -1, sums);
  sum_edges (before, 1, sums);
  sum_edges (after, 1, sums);
  g_hash_table_iter_init (&iter, sums);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      g_assert_cmpint (((gint64 *) value)[0], ==, 0);
      g_assert_cmpint (((gint64 *) value)[1], ==, 0);
    }
  g_assert_cmpint (before->unmatched_ns + after->unmatched_ns, ==, model->unmatched_ns);
  for (guint32 i = 1; i < model->n_threads; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (model, i);
      const TbWaitNode *first = tb_wait_model_get_node (before, i);
      const TbWaitNode *second = tb_wait_model_get_node (after, i);

      g_assert_cmpint (first->running + second->running, ==, node->running);
      g_assert_cmpint (first->runnable + second->runnable, ==, node->runnable);
      g_assert_cmpint (first->waiting + second->waiting, ==, node->waiting);
      g_assert_cmpint (first->unknown + second->unknown, ==, node->unknown);
      g_assert_cmpint (first->last - first->first + second->last - second->first, ==,
                       node->last - node->first);
    }
}

static void
compare_recording (GRand *rand)
{
  g_autofree Machine *machines = g_new0 (Machine, N_MACHINES);
  g_autoptr (TbTrace) trace = record (machines, rand);
  TbSession *session = tb_trace_get_session (trace);
  g_autofree guint32 *node_of_tid = g_new0 (guint32, 11 + N_MACHINES * MOST_THREADS);
  g_autoptr (TbWaitModel) model = NULL;
  g_autoptr (GHashTable) edges = NULL;
  g_autoptr (GError) error = NULL;
  guint n_edges = 0, n_threads;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  gint64 from, to;

  for (guint32 i = 1; i < n_threads; i++)
    if (threads[i].tid >= 11)
      node_of_tid[threads[i].tid] = i;
  tb_session_get_range (session, &from, &to);
  model = tb_wait_model_new (trace, from, to, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (tb_wait_set_cascaded_weights (model, NULL, NULL));
  g_assert_cmpuint (model->cycles_cut, ==, 0);
  check_lives (model);
  edges = index_edges (model);
  for (guint i = 0; i < N_MACHINES; i++)
    {
      n_edges += compare_machine (model, edges, node_of_tid, &machines[i]);
      g_array_unref (machines[i].meant);
    }
  g_assert_cmpuint (n_edges, ==, model->edges->len);
  g_assert_cmpuint (n_edges, >, N_MACHINES);
  compare_parts (trace, model, rand);
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint i = 0; i < N_RECORDINGS; i++)
    compare_recording (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/random", test_random);
  return recording_run_tests ();
}
