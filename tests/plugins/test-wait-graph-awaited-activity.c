/* test-wait-graph-awaited-activity.c: test of the activity of awaited threads against a check of
 * every instant
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One recording holds many small machines that share only the clock. Some threads of each are one
 * vertex. Sleeps are ended by another thread, by a timer, or for an unknown reason.
 */

#include "config.h"

#include "../test-mode.h"
#include "graph/tb-wait-graph.h"
#include "model/tb-wait-awaited-activity.h"
#include "wait-graph-fixture.h"

#define N_RECORDINGS test_rounds (12, 3)
#define N_MACHINES 256u
#define MOST_THREADS 6u

typedef enum
{
  RUNS,
  RUNNABLE,
  SLEEPS,
} State;

static gboolean
flip (GRand *rand, guint one_of)
{
  return g_rand_int_range (rand, 0, (gint32) one_of) == 0;
}

/* Each thread has a CPU of its own. */
static guint
get_tid (guint machine, guint thread)
{
  return 11 + machine * MOST_THREADS + thread;
}

static void
wake_by_timer (Story *story, gint64 time, guint tid)
{
  story_add_at (story, time, "%u,softirq_entry,,,,,,1,,,,,,,", tid);
  story_add_at (story, time, "%u,wakeup,,,,0,%u,,,,,,,,", tid, tid);
  story_add_at (story, time, "%u,softirq_exit,,,,,,1,,,,,,,", tid);
}

static void
step (GRand *rand, Story *story, gint64 time, guint machine, State *states, guint n_threads)
{
  guint at = (guint) g_rand_int_range (rand, 0, (gint32) n_threads);
  guint other = (guint) g_rand_int_range (rand, 0, (gint32) n_threads);
  guint tid = get_tid (machine, at), other_tid = get_tid (machine, other);

  if (states[at] == RUNS && states[other] == SLEEPS && !flip (rand, 4))
    {
      story_add_at (story, time, "%u,wakeup,,,,%u,%u,,,,,,,,", tid, tid, other_tid);
      states[other] = RUNNABLE;
    }
  else if (states[at] == RUNS)
    {
      states[at] = flip (rand, 4) ? RUNNABLE : SLEEPS;
      story_add_at (story, time, "%u,switch,%u,%s,0,,,,,,,,,,", tid, tid,
                    states[at] == RUNNABLE ? "R+" : "S");
    }
  else if (states[at] == SLEEPS && flip (rand, 3))
    {
      wake_by_timer (story, time, tid);
      states[at] = RUNNABLE;
    }
  else if (states[at] == RUNNABLE || flip (rand, 8))
    {
      states[at] = RUNS;
      story_add_at (story, time, "%u,switch,0,R,%u,,,,,,,,,,", tid, tid);
    }
}

static TbTrace *
record (GRand *rand)
{
  Story *story = story_new (NULL);

  for (guint machine = 0; machine < N_MACHINES; machine++)
    {
      State states[MOST_THREADS] = { RUNS };
      guint n_threads = (guint) g_rand_int_range (rand, 2, MOST_THREADS + 1);
      guint n_steps = (guint) g_rand_int_range (rand, 0, 140);
      gint64 time = 1;

      for (guint i = 0; i < n_threads; i++)
        {
          guint tid = get_tid (machine, i);

          story_add_at (story, 0, "0,name,,,,10,,,%u,,,app/t%u,,,", tid, tid);
          story_add_at (story, 1, "%u,switch,0,R,%u,,,,,,,,,,", tid, tid);
        }
      for (guint i = 0; i < n_steps; i++)
        step (rand, story, time += g_rand_int_range (rand, 1, 150000), machine, states, n_threads);
    }
  return story_open (story);
}

/* All or some threads of a machine are merged into one vertex. */
static TbWaitGraph *
make_graph (GRand *rand, TbWaitModel *model)
{
  g_autofree guint32 *group = g_new (guint32, model->nodes->len + 1);
  g_autofree guint8 *merged = g_new (guint8, model->nodes->len + 1);
  guint n_threads, one_of = (guint) g_rand_int_range (rand, 2, 6);
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads);

  for (guint32 i = 0; i < model->nodes->len; i++)
    {
      group[i] = i < model->n_threads && threads[i].tid > 10 && !flip (rand, one_of)
                     ? 1000000 + ((guint32) threads[i].tid - 11) / MOST_THREADS
                     : TB_ID_NONE;
      merged[i] = TB_WAIT_MERGED_SIMILAR;
    }
  return tb_wait_graph_new (model, group, merged, NULL);
}

/* --- reference: every instant --- */

typedef struct
{
  const TbWaitGraph *graph;
  const TbIntervals *rows;
  GPtrArray *waits; /* by thread: GArray of gsize */
} World;

static void
world_init (World *self, const TbWaitGraph *graph)
{
  self->graph = graph;
  self->rows = tb_trace_get_intervals (graph->model->trace);
  self->waits = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint32 i = 0; i < graph->model->n_threads; i++)
    g_ptr_array_add (self->waits, g_array_new (FALSE, FALSE, sizeof (gsize)));
  for (gsize i = 0; i < graph->model->waits.n; i++)
    g_array_append_val (g_ptr_array_index (self->waits, graph->model->waits.waiter[i]), i);
}

/* The thread for which a thread waits at that time; TB_ID_NONE: none. */
static guint32
find_waker (const World *self, guint32 thread, gint64 time)
{
  const TbWaits *waits = &self->graph->model->waits;
  const GArray *of = g_ptr_array_index (self->waits, thread);

  for (guint i = 0; i < of->len; i++)
    {
      gsize wait = g_array_index (of, gsize, i);

      if (waits->start[wait] <= time && time < waits->end[wait])
        return waits->waker[wait];
    }
  return TB_ID_NONE;
}

static TbState
find_state (const World *self, guint32 thread, gint64 time)
{
  gsize first, n;

  tb_trace_get_thread_intervals (self->graph->model->trace, thread, &first, &n);
  for (gsize row = first; row < first + n; row++)
    if (self->rows->start[row] <= time && time < self->rows->end[row])
      return self->rows->state[row];
  return TB_STATE_UNKNOWN;
}

/* Adds the activity during one interval in which some thread waits for a thread. */
static void
add_instant (const World *self,
             guint32 thread,
             gint64 time,
             gint64 ns,
             TbWaitAwaitedActivity *expected,
             gint64 *waits)
{
  guint32 vertex = self->graph->vertex_of_node[thread], waker;
  TbState state;

  while ((waker = find_waker (self, thread, time)) != TB_ID_NONE)
    {
      if (self->graph->vertex_of_node[waker] != vertex)
        {
          waits[self->graph->vertex_of_node[waker]] += ns;
          return;
        }
      thread = waker;
    }
  state = find_state (self, thread, time);
  expected->running += state == TB_STATE_RUNNING ? ns : 0;
  expected->runnable += state == TB_STATE_RUNNABLE ? ns : 0;
  expected->rest += state != TB_STATE_RUNNING && state != TB_STATE_RUNNABLE ? ns : 0;
}

/* Times at which an interval or a wait in a vertex begins or ends. */
static GArray *
list_times (const World *self, guint32 vertex)
{
  const GArray *nodes = tb_wait_graph_get_vertex (self->graph, vertex)->nodes;
  GArray *times = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < nodes->len; i++)
    {
      gsize first, n;

      tb_trace_get_thread_intervals (self->graph->model->trace, g_array_index (nodes, guint32, i),
                                     &first, &n);
      g_array_append_vals (times, self->rows->start + first, (guint) n);
      g_array_append_vals (times, self->rows->end + first, (guint) n);
    }
  return times;
}

static gint64
find_next (const GArray *times, gint64 after, gint64 most)
{
  for (guint i = 0; i < times->len; i++)
    if (g_array_index (times, gint64, i) > after)
      most = MIN (most, g_array_index (times, gint64, i));
  return most;
}

static void
sum_plainly (const World *self, const TbWaitArc *arc, TbWaitAwaitedActivity *expected, gint64 *ns)
{
  const TbWaits *waits = &self->graph->model->waits;
  g_autoptr (GArray) times = list_times (self, arc->to);

  for (gsize i = arc->first; i < arc->first + arc->n; i++)
    {
      gsize wait = self->graph->order[i];

      expected->all += waits->end[wait] - waits->start[wait];
      for (gint64 at = waits->start[wait], next; at < waits->end[wait]; at = next)
        {
          next = find_next (times, at, waits->end[wait]);
          add_instant (self, waits->waker[wait], at, next - at, expected, ns);
        }
    }
}

/* Returns the number of other vertices that are waited for. */
static guint
compare_arc (const World *self, guint32 index)
{
  const TbWaitArc *arc = tb_wait_graph_get_arc (self->graph, index);
  g_autoptr (TbWaitAwaitedActivity) found = tb_wait_awaited_activity_new (self->graph, index);
  g_autofree gint64 *ns = g_new0 (gint64, self->graph->vertices->len + 1);
  TbWaitAwaitedActivity expected = { .all = 0 };
  gint64 before = G_MAXINT64;
  guint n = 0;

  if (tb_wait_graph_get_vertex (self->graph, arc->to)->kind != TB_WAIT_NODE_THREAD)
    {
      g_assert_null (found);
      return 0;
    }
  g_assert_nonnull (found);
  sum_plainly (self, arc, &expected, ns);
  g_assert_cmpint (found->all, ==, expected.all);
  g_assert_cmpint (found->running, ==, expected.running);
  g_assert_cmpint (found->runnable, ==, expected.runnable);
  g_assert_cmpint (found->rest, ==, expected.rest);
  for (guint32 i = 0; i < self->graph->vertices->len; i++)
    n += ns[i] > 0;
  g_assert_cmpuint (found->waits->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      const TbWaitAwaitedWait *wait = &g_array_index (found->waits, TbWaitAwaitedWait, i);

      g_assert_cmpuint (wait->vertex, !=, arc->to);
      g_assert_cmpint (wait->ns, ==, ns[wait->vertex]);
      g_assert_cmpint (wait->ns, <=, before);
      before = wait->ns;
    }
  return n;
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  guint n_arcs = 0, n_waits = 0, n_loops = 0;

  for (guint i = 0; i < N_RECORDINGS; i++)
    {
      g_autoptr (TbTrace) trace = record (rand);
      g_autoptr (GError) error = NULL;
      g_autoptr (TbWaitModel) model = NULL;
      g_autoptr (TbWaitGraph) graph = NULL;
      World world;
      gint64 from, to;

      tb_trace_get_range (trace, &from, &to);
      if (flip (rand, 2))
        {
          from += g_rand_int_range (rand, 0, 900000);
          to -= g_rand_int_range (rand, 0, 900000);
        }
      model = tb_wait_model_new (trace, from, to, NULL, NULL, &error);
      g_assert_no_error (error);
      graph = make_graph (rand, model);
      world_init (&world, graph);
      for (guint32 arc = 0; arc < graph->arcs->len; arc++)
        {
          n_waits += compare_arc (&world, arc);
          n_loops
              += tb_wait_graph_get_arc (graph, arc)->from == tb_wait_graph_get_arc (graph, arc)->to;
        }
      n_arcs += graph->arcs->len;
      g_ptr_array_unref (world.waits);
    }
  g_assert_cmpuint (n_arcs, >, N_RECORDINGS * N_MACHINES);
  g_assert_cmpuint (n_waits, >, N_RECORDINGS * N_MACHINES / 4);
  g_assert_cmpuint (n_loops, >, N_RECORDINGS * N_MACHINES / 4);
}

/* --- reported --- */

static void
assert_activity (JsonObject *summary,
                 gint64 all,
                 gint64 running,
                 gint64 runnable,
                 const char *awaited,
                 gint64 ns)
{
  JsonObject *expected
      = json_object_get_object_member (summary_get_element (summary, "bottlenecks", 0),
                                       "meanwhile");

  g_assert_cmpint (json_object_get_int_member (expected, "ns"), ==, all);
  g_assert_cmpint (json_object_get_int_member (expected, "running_ns"), ==, running);
  g_assert_cmpint (json_object_get_int_member (expected, "runnable_ns"), ==, runnable);
  g_assert_cmpuint (summary_count (expected, "waits"), ==, 1);
  g_assert_cmpstr (json_object_get_string_member (summary_get_element (expected, "waits", 0), "id"),
                   ==,
                   json_object_get_string_member (wait_graph_find_vertex (summary, awaited), "id"));
  g_assert_cmpint (json_object_get_int_member (summary_get_element (expected, "waits", 0), "ns"),
                   ==, ns);
}

/* In each round (2 ms), in µs: the first worker waits for the second from 100 to 1700, the second
 * for the third from 200 to 1500, and the third for the disk from 300 to 500, then for a CPU until
 * 600. They are one vertex with a self-loop: all three wait for the activity of the third. */
static TbTrace *
open_chain (void)
{
  Story *story = story_new ("worker worker worker other");

  for (int tid = 11; tid <= 14; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  for (int t = 0; t < 10000; t += 2000)
    {
      story_switch_with_stack (story, t + 100, 0, 11, "S", 0, "main;take;block");
      story_switch_with_stack (story, t + 200, 1, 12, "S", 0, "main;take;block");
      story_add (story, t + 300, "2,io_issue,,,,,,,13,vda,4096,,,1,");
      story_switch_with_stack (story, t + 300, 2, 13, "S", 0, "main;take;block");
      story_add (story, t + 500, "3,irq_entry,,,,,,,,vda,,,,,");
      story_add (story, t + 500, "3,io_complete,,,,,,,13,vda,4096,,,1,");
      story_wake (story, t + 500, 3, 0, 13);
      story_add (story, t + 500, "3,irq_exit,,,,,,,,vda,,,,,");
      story_switch (story, t + 600, 2, 0, "R", 13);
      story_wake (story, t + 1500, 2, 13, 12);
      story_switch (story, t + 1500, 1, 0, "R", 12);
      story_wake (story, t + 1700, 1, 12, 11);
      story_switch (story, t + 1700, 0, 0, "R", 11);
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open (story);
}

static void
test_activity (void)
{
  g_autoptr (TbTrace) trace = open_chain ();
  g_autoptr (TbReport) merged
      = wait_graph_analyze (trace, "workers", "app", "threshold", "0", NULL);
  JsonObject *summary = wait_graph_get_summary (merged);
  TbFinding *finding;
  JsonArray *first;

  g_assert_nonnull (wait_graph_find_vertex (summary, "worker ×3"));
  first = json_array_get_array_element (
      json_object_get_array_member (summary_get_element (summary, "bottlenecks", 0), "edges"), 0);
  g_assert_cmpstr (json_array_get_string_element (first, 0), ==,
                   json_array_get_string_element (first, 1));
  /* During the wait of the first, the second runs 100 µs, the third 100 + 900, the second again
   * 200; during the wait of the second, the third. */
  assert_activity (summary, 5 * 2900000, 5 * (100 + 100 + 900 + 200 + 100 + 900) * 1000,
                   5 * 2 * 100000, "vda", 5 * 2 * 200000);
  finding = findings_get (merged, "bottleneck-knot");
  finding_assert_number (finding, "awaited_waiting_share", 2.0 / 14.5);
  finding_assert_string (finding, "awaited_waits_for", "vda");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/meanwhile/activity", test_activity);
  g_test_add_func ("/wait-graph/meanwhile/random", test_random);
  return recording_run_tests ();
}
