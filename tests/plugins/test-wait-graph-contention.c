/* test-wait-graph-contention.c: test of CPU contention against a check of every pair of intervals
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One recording holds many small machines that share only the clock. At times their events
 * contradict one another, so that more than one thread seems to run on a CPU.
 */

#include "config.h"

#include <dlfcn.h>
#include <malloc.h>

#include "model/tb-wait-cpu-contention.h"
#include "graph/tb-wait-graph.h"
#include "wait-graph-fixture.h"

#define N_RECORDINGS 10u
#define N_MACHINES 256u
#define N_CPUS 2u
#define N_THREADS 5u

static gboolean
flip (GRand *rand, guint one_of)
{
  return g_rand_int_range (rand, 0, (gint32) one_of) == 0;
}

/* Thread 0 is the idle task. Other TIDs are derived from the machine. */
static guint
get_tid (guint machine, guint thread)
{
  return thread == 0 ? 0 : 10 + machine * N_THREADS + thread;
}

static void
run_machine (GRand *rand, guint machine, Story *story)
{
  guint running[N_CPUS] = { 0 };
  guint n_steps = (guint) g_rand_int_range (rand, 0, 90);
  gint64 time = 1;

  for (guint i = 1; i <= N_THREADS; i++)
    story_add_at (story, 0, "0,name,,,,10,,,%u,,,app/t%u,,,", get_tid (machine, i), i);
  for (guint i = 0; i < n_steps; i++)
    {
      guint cpu = (guint) g_rand_int_range (rand, 0, N_CPUS);
      guint next = (guint) g_rand_int_range (rand, 0, N_THREADS + 1);

      time += g_rand_int_range (rand, 0, 900);
      if (flip (rand, 3))
        {
          if (next > 0)
            story_add_at (story, time, "%u,wakeup,,,,%u,%u,,,,,,,,", machine * N_CPUS + cpu,
                          get_tid (machine, running[cpu]), get_tid (machine, next));
          continue;
        }
      /* With a small probability a thread runs on both CPUs at once, or the switch names the wrong
       * previous thread. */
      if (!flip (rand, 8) && next == running[1 - cpu])
        next = 0;
      story_add_at (story, time, "%u,switch,%u,%s,%u,,,,,,,,,,", machine * N_CPUS + cpu,
                    get_tid (machine, flip (rand, 20)
                                          ? (guint) g_rand_int_range (rand, 0, N_THREADS + 1)
                                          : running[cpu]),
                    flip (rand, 2) ? "R+" : "S", get_tid (machine, next));
      running[cpu] = next;
    }
}

static TbTrace *
record (GRand *rand)
{
  Story *story = story_new (NULL);

  for (guint i = 0; i < N_MACHINES; i++)
    run_machine (rand, i, story);
  return story_open (story);
}

/* Rows of the trace by the CPU on which a thread ran or was runnable. */
static GPtrArray *
list_rows (const TbIntervals *rows)
{
  GPtrArray *by_cpu = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint32 i = 0; i < N_MACHINES * N_CPUS; i++)
    g_ptr_array_add (by_cpu, g_array_new (FALSE, FALSE, sizeof (guint32)));
  for (guint32 i = 0; i < rows->n; i++)
    if (rows->cpu[i] < by_cpu->len)
      g_array_append_val (g_ptr_array_index (by_cpu, rows->cpu[i]), i);
  return by_cpu;
}

/* By thread: how long it ran on the CPU while the given thread was runnable there. */
static void
add_naively (const TbWaitGraph *graph, const GPtrArray *by_cpu, guint32 thread, gint64 *ns)
{
  const TbIntervals *rows = tb_trace_get_intervals (graph->model->trace);
  gint64 from = graph->model->from, to = graph->model->to;
  gsize first, n;

  tb_trace_get_thread_intervals (graph->model->trace, thread, &first, &n);
  for (gsize i = first; i < first + n; i++)
    {
      const GArray *there
          = rows->cpu[i] < by_cpu->len ? g_ptr_array_index (by_cpu, rows->cpu[i]) : NULL;

      for (guint j = 0; there != NULL && rows->state[i] == TB_STATE_RUNNABLE && j < there->len; j++)
        {
          guint32 run = g_array_index (there, guint32, j);
          gint64 start = MAX (MAX (rows->start[i], rows->start[run]), from);
          gint64 end = MIN (MIN (rows->end[i], rows->end[run]), to);

          if (rows->state[run] == TB_STATE_RUNNING && end > start)
            ns[rows->thread[run]] += end - start;
        }
    }
}

static guint
compare_vertex (const TbWaitGraph *graph,
                const GPtrArray *by_cpu,
                TbWaitCpuContention *contention,
                guint32 vertex)
{
  const GArray *nodes = tb_wait_graph_get_vertex (graph, vertex)->nodes;
  g_autoptr (GArray) found = tb_wait_cpu_contention_find (contention, vertex);
  g_autoptr (GArray) again = tb_wait_cpu_contention_find (contention, vertex);
  g_autofree gint64 *ns = g_new0 (gint64, graph->model->n_threads + 1);
  gint64 before = G_MAXINT64;
  guint n = 0;

  for (guint i = 0; i < nodes->len; i++)
    add_naively (graph, by_cpu, g_array_index (nodes, guint32, i), ns);
  for (guint32 i = 0; i < graph->model->n_threads; i++)
    n += ns[i] > 0;
  g_assert_cmpuint (found->len, ==, n);
  g_assert_cmpuint (again->len, ==, n);
  for (guint i = 0; i < found->len; i++)
    {
      const TbWaitCpuHolder *contender = &g_array_index (found, TbWaitCpuHolder, i);

      g_assert_cmpint (contender->ns, ==, ns[contender->thread]);
      g_assert_cmpint (contender->ns, <=, before);
      before = contender->ns;
    }
  return n;
}

/* Threads of a machine are merged into one vertex, or stay separate. */
static TbWaitGraph *
make_graph (GRand *rand, TbWaitModel *model)
{
  g_autofree guint32 *group = g_new (guint32, model->nodes->len + 1);
  g_autofree guint8 *merged = g_new (guint8, model->nodes->len + 1);
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads);

  for (guint32 i = 0; i < model->nodes->len; i++)
    {
      group[i] = i < model->n_threads && threads[i].tid > 10 && flip (rand, 2)
                     ? 1000000 + ((guint32) threads[i].tid - 11) / N_THREADS
                     : TB_ID_NONE;
      merged[i] = TB_WAIT_MERGED_SIMILAR;
    }
  return tb_wait_graph_new (model, group, merged, NULL);
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  guint n_found = 0, n_vertices = 0;

  for (guint i = 0; i < N_RECORDINGS; i++)
    {
      g_autoptr (TbTrace) trace = record (rand);
      g_autoptr (GPtrArray) by_cpu = list_rows (tb_trace_get_intervals (trace));
      g_autoptr (GError) error = NULL;
      g_autoptr (TbWaitModel) model = NULL;
      g_autoptr (TbWaitGraph) graph = NULL;
      TbWaitCpuContention *contention;
      gint64 from, to;

      tb_trace_get_range (trace, &from, &to);
      if (flip (rand, 2))
        {
          from += g_rand_int_range (rand, 0, 9000);
          to -= g_rand_int_range (rand, 0, 9000);
        }
      model = tb_wait_model_new (trace, from, to, NULL, NULL, &error);
      g_assert_no_error (error);
      graph = make_graph (rand, model);
      contention = tb_wait_cpu_contention_new (graph, NULL);
      for (guint32 vertex = 0; vertex < graph->vertices->len; vertex++)
        n_found += compare_vertex (graph, by_cpu, contention, vertex);
      n_vertices += graph->vertices->len;
      tb_wait_cpu_contention_free (contention);
    }
  g_assert_cmpuint (n_vertices, >, N_RECORDINGS * N_MACHINES);
  g_assert_cmpuint (n_found, >, n_vertices);
}

/* The number of the check that cancels. This function takes precedence over GIO's. */
static GCancellable *watched;
static gint checks_left;

gboolean
g_cancellable_is_cancelled (GCancellable *cancellable)
{
  static gboolean (*original) (GCancellable *);

  if (g_once_init_enter_pointer (&original))
    g_once_init_leave_pointer (&original, dlsym (RTLD_NEXT, "g_cancellable_is_cancelled"));
  if (cancellable != NULL && cancellable == watched && --checks_left == 0)
    g_cancellable_cancel (cancellable);
  return original (cancellable);
}

/* Cancellation at any point, also in the middle of sorting runs: the rest of the array is then
 * uninitialized memory. */
static void
test_cancelled (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  g_autoptr (TbTrace) trace = record (rand);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbWaitModel) model = NULL;
  g_autoptr (TbWaitGraph) graph = NULL;
  gboolean done = FALSE;
  gint64 from, to;
  gint at;

  tb_trace_get_range (trace, &from, &to);
  model = tb_wait_model_new (trace, from, to, NULL, NULL, &error);
  g_assert_no_error (error);
  graph = make_graph (rand, model);
  mallopt (M_PERTURB, 0x5a);
  for (at = 1; !done; at++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      TbWaitCpuContention *contention = tb_wait_cpu_contention_new (graph, cancellable);
      g_autoptr (GArray) found = NULL;

      checks_left = at;
      watched = cancellable;
      found = tb_wait_cpu_contention_find (contention, 0);
      watched = NULL;
      done = checks_left > 0;
      g_assert_nonnull (found);
      tb_wait_cpu_contention_free (contention);
    }
  mallopt (M_PERTURB, 0);
  /* At least before, during and after sorting. */
  g_assert_cmpint (at, >, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/contention", test_random);
  g_test_add_func ("/wait-graph/contention/cancelled", test_cancelled);
  return recording_run_tests ();
}
