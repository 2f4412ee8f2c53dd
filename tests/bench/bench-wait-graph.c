/* bench-wait-graph.c: benchmark of the wait graph, relative to sorting the bare times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bench-wait-graph [THOUSAND-ROUNDS]     a synthetic recording: messages between 64 threads
 *        bench-wait-graph crowd [THOUSAND-ROUNDS]  another: 200 threads that compete for two CPUs
 *        bench-wait-graph FILE                  a session
 */

#include <malloc.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tailback.h"
#include "graph/tb-wait-knots.h"
#include "replay/tb-wait-replay-recording.h"
#include "graph/tb-wait-result.h"
#include "graph/tb-wait-cascaded-weights.h"

#define N_THREADS 64
#define N_CONTENDERS 200
#define N_CANCELLATIONS 24
#define N_ROUNDS 9
#define MANY_THREADS 10000
#define MANY_EDGES 1000000

static double
read_clock (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static gsize
get_allocated (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

static void
add (TbRecorder *recorder, gint64 time, TbEventKind kind, guint16 cpu, gint32 tid, guint64 other)
{
  TbEvent event
      = { .time = time, .kind = kind, .cpu = cpu, .tid = tid, .pid = 1, .a = other, .b = 1 };

  event.code = 'S';
  tb_recorder_add (recorder, &event);
}

/* Chains of four threads: each wakes the one behind it and goes to sleep, the last one wakes the
 * first. */
static void
record (TbRecorder *recorder, guint64 n_rounds)
{
  gint64 time = 1000000000;

  for (gint32 i = 1; i <= N_THREADS; i++)
    {
      TbEvent event = { .kind = TB_EVENT_EXISTING, .time = time, .tid = i, .pid = 1 };
      g_autofree char *name = g_strdup_printf ("worker-%d", i);

      event.text = tb_recorder_intern_string (recorder, name, -1);
      tb_recorder_add (recorder, &event);
    }
  for (guint64 round = 0; round < n_rounds; round++)
    {
      guint16 cpu = (guint16) (round % (N_THREADS / 4));
      gint32 from = 1 + cpu * 4 + (gint32) (round / (N_THREADS / 4) % 4);
      gint32 to = 1 + cpu * 4 + (gint32) ((round / (N_THREADS / 4) + 1) % 4);

      add (recorder, time += 200, TB_EVENT_WAKEUP, cpu, from, (guint64) to);
      add (recorder, time += 100, TB_EVENT_SWITCH, cpu, from, (guint64) to);
    }
  tb_recorder_advance (recorder, time + 1, NULL);
}

/* Each thread runs in turn, is preempted by the next, and sometimes sleeps until its predecessor
 * runs again. */
static void
record_cpu_contention (TbRecorder *recorder, guint64 n_rounds)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  gint64 time = 1000000000;
  gboolean sleeps[N_CONTENDERS + 1] = { FALSE };
  gint32 running[2] = { 1, 2 };

  for (gint32 i = 1; i <= N_CONTENDERS; i++)
    {
      TbEvent event = { .kind = TB_EVENT_EXISTING, .time = time, .tid = i, .pid = 1 };
      g_autofree char *name = g_strdup_printf ("crowd-%d", i);

      event.text = tb_recorder_intern_string (recorder, name, -1);
      tb_recorder_add (recorder, &event);
    }
  for (guint64 round = 0; round < n_rounds; round++)
    {
      guint16 cpu = round % 2;
      gint32 from = running[cpu], to = from;
      gint32 called = 1 + (from + 1) % N_CONTENDERS;
      TbEvent event = { .kind = TB_EVENT_SWITCH, .cpu = cpu, .tid = from, .pid = 1, .b = 1 };

      if (sleeps[called] && called % 2 == from % 2)
        add (recorder, time += 100, TB_EVENT_WAKEUP, cpu, from, (guint64) called);
      sleeps[called] &= called % 2 != from % 2;
      do
        to = 1 + (to + 1) % N_CONTENDERS;
      while (sleeps[to] && to != from);
      event.time = time += 200;
      event.a = (guint64) to;
      sleeps[from] = g_rand_int_range (rand, 0, 8) == 0 && to != from;
      event.code = sleeps[from] ? 'S' : '+';
      tb_recorder_add (recorder, &event);
      running[cpu] = to;
    }
  tb_recorder_advance (recorder, time + 1, NULL);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  return *(const gint64 *) a < *(const gint64 *) b ? -1 : *(const gint64 *) a > *(const gint64 *) b;
}

/* The reference: sorting the times, which any solution has to do. */
static double
sort_times (TbSession *session)
{
  static const TbTableKind kinds[] = { TB_TABLE_SWITCH, TB_TABLE_WAKEUP };
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  double start;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      TbTable *table = tb_session_get_table (session, kinds[i]);
      g_autoptr (GBytes) column = tb_table_get_column (table, 0, NULL);

      g_array_append_vals (times, g_bytes_get_data (column, NULL),
                           (guint) tb_table_get_n_rows (table));
    }
  /* Sorted by thread, as the waits are. */
  for (guint i = times->len; i > 1; i--)
    {
      guint j = (guint) g_rand_int_range (rand, 0, (gint32) i);
      gint64 swapped = g_array_index (times, gint64, i - 1);

      g_array_index (times, gint64, i - 1) = g_array_index (times, gint64, j);
      g_array_index (times, gint64, j) = swapped;
    }
  start = read_clock (CLOCK_PROCESS_CPUTIME_ID);
  qsort (times->data, times->len, sizeof (gint64), compare_times);
  return read_clock (CLOCK_PROCESS_CPUTIME_ID) - start;
}

/* weighing: CPU time in s that the graph's own sweep of the same waits took. */
static void
measure_replay (TbTrace *trace, guint64 n_records, double weighing)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReplayRecording) recording = NULL;
  g_autoptr (TbReplayTimes) times = NULL;
  double start = read_clock (CLOCK_PROCESS_CPUTIME_ID), making, playing;
  gint64 from, to;

  tb_trace_get_range (trace, &from, &to);
  recording = tb_replay_recording_new (trace, from, to, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  making = read_clock (CLOCK_PROCESS_CPUTIME_ID) - start;
  start = read_clock (CLOCK_PROCESS_CPUTIME_ID);
  times = tb_replay_run (recording->program, NULL, NULL, &error);
  g_assert_no_error (error);
  playing = read_clock (CLOCK_PROCESS_CPUTIME_ID) - start;
  printf ("replay: %u steps, %.3f s of cpu to make them, %.3f to play them: %.1f million records a "
          "second "
          "played, "
          "%.2f of what weighing the waits does\n",
          recording->program->kinds->len, making, playing, (double) n_records / playing / 1e6,
          weighing / playing);
}

/* Measures how soon a cancelled replay ends: the longest of several, cancelled at different
 * times. */
static gpointer
cancel_later (gpointer data)
{
  g_usleep (2000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
measure_cancelling (TbTrace *trace)
{
  g_autoptr (TbReplayRecording) recording = NULL;
  gint64 from, to;
  double longest = 0;
  guint n_cancelled = 0;

  tb_trace_get_range (trace, &from, &to);
  recording = tb_replay_recording_new (trace, from, to, NULL, NULL, NULL, NULL);
  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      GThread *thread = g_thread_new ("cancel", cancel_later, cancellable);
      double start = read_clock (CLOCK_MONOTONIC);
      g_autoptr (TbReplayTimes) times = tb_replay_run (recording->program, NULL, cancellable, NULL);

      n_cancelled += times == NULL;
      longest = MAX (longest, read_clock (CLOCK_MONOTONIC) - start);
      g_thread_join (thread);
    }
  printf ("replay: %u of 10 cancelled after 2 ms, the last was over after %.1f ms\n", n_cancelled,
          longest * 1e3);
}

/* Measures the speed-up of weighting by more cores: on one core and on all available cores, in
 * turn. */
static void
measure_cores (TbWaitModel *model)
{
  cpu_set_t sets[2];
  double best[2] = { HUGE_VAL, HUGE_VAL };
  int cpu = 0;

  if (sched_getaffinity (0, sizeof sets[1], &sets[1]) < 0 || CPU_COUNT (&sets[1]) < 2)
    return;
  while (!CPU_ISSET (cpu, &sets[1]))
    cpu++;
  CPU_ZERO (&sets[0]);
  CPU_SET (cpu, &sets[0]);
  for (guint i = 0; i < 2 * N_ROUNDS; i++)
    {
      double wall;

      sched_setaffinity (0, sizeof sets[i % 2], &sets[i % 2]);
      wall = read_clock (CLOCK_MONOTONIC);
      tb_wait_set_cascaded_weights (model, NULL, NULL);
      wall = read_clock (CLOCK_MONOTONIC) - wall;
      best[i % 2] = MIN (best[i % 2], wall);
    }
  sched_setaffinity (0, sizeof sets[1], &sets[1]);
  printf ("weighing on one core: %.4f s on the clock, on %d %.4f: %.2f times as fast, best of %d "
          "in turn\n",
          best[0], CPU_COUNT (&sets[1]), best[1], best[0] / best[1], N_ROUNDS);
}

static void
measure (TbTrace *trace)
{
  TbSession *session = tb_trace_get_session (trace);
  guint64 n_records = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_SWITCH))
                      + tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_WAKEUP));
  g_autoptr (TbWaitModel) model = NULL;
  g_autoptr (TbWaitGraph) graph = NULL;
  g_autoptr (TbWaitKnots) knots = NULL;
  TbWaitKnotOptions options = { .threshold = 0 };
  gsize before, after;
  double cpu, wall, model_cpu, sweep_cpu, sorting = sort_times (session);
  gint64 from, to;

  tb_trace_get_range (trace, &from, &to);
  before = get_allocated ();
  cpu = read_clock (CLOCK_PROCESS_CPUTIME_ID);
  wall = read_clock (CLOCK_MONOTONIC);
  model = tb_wait_model_new (trace, from, to, NULL, NULL, NULL);
  model_cpu = read_clock (CLOCK_PROCESS_CPUTIME_ID) - cpu;
  tb_wait_set_cascaded_weights (model, NULL, NULL);
  sweep_cpu = read_clock (CLOCK_PROCESS_CPUTIME_ID) - cpu - model_cpu;
  graph = tb_wait_graph_new (model, NULL, NULL, NULL);
  for (guint i = 0; i < graph->vertices->len; i++)
    tb_wait_graph_get_vertex (graph, i)->id = g_strdup_printf ("%u", i);
  tb_wait_graph_exclude_edges (graph, 0, 0);
  knots = tb_wait_knots_new (graph, &options);
  cpu = read_clock (CLOCK_PROCESS_CPUTIME_ID) - cpu;
  wall = read_clock (CLOCK_MONOTONIC) - wall;
  after = get_allocated ();
  printf ("%" G_GUINT64_FORMAT
          " switches and wakings, %zu waits: %.3f s of cpu (%.3f to find waits, %.3f to weigh "
          "them), %.3f s on the clock\n",
          n_records, model->waits.n, cpu, model_cpu, sweep_cpu, wall);
  printf ("%.1f million records a second of cpu; %.2f times sorting their bare times; %.1f bytes a "
          "wait\n",
          (double) n_records / cpu / 1e6, cpu / sorting,
          (double) (after - before) / (double) MAX (model->waits.n, 1));
  measure_cores (model);
  measure_replay (trace, n_records, sweep_cpu);
  measure_cancelling (trace);
}

/* A run that is cancelled after a time, and its progress message at that time. */
typedef struct
{
  GCancellable *cancellable;
  double after;
  double stopped;
  char *last_message;
  char *message_at_cancel;
  GMutex mutex;
} Cancellation;

static void
note_progress (double share, const char *what, gpointer data)
{
  Cancellation *stop = data;

  g_mutex_lock (&stop->mutex);
  g_free (stop->last_message);
  stop->last_message = g_strdup (what);
  g_mutex_unlock (&stop->mutex);
}

static gpointer
stop_later (gpointer data)
{
  Cancellation *stop = data;

  g_usleep ((gulong) (stop->after * 1e6));
  g_mutex_lock (&stop->mutex);
  stop->message_at_cancel = g_strdup (stop->last_message);
  g_mutex_unlock (&stop->mutex);
  stop->stopped = read_clock (CLOCK_PROCESS_CPUTIME_ID);
  g_cancellable_cancel (stop->cancellable);
  return NULL;
}

/* Measures how long a cancelled run continues, for cancellation at many times. */
static void
measure_cancelled_runs (TbTrace *trace, double wall)
{
  double longest = 0;
  g_autofree char *message_at_cancel = NULL;
  guint n_stopped = 0;

  for (guint i = 0; i < N_CANCELLATIONS; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      Cancellation stop
          = { .cancellable = cancellable, .after = wall * (i + 0.5) / N_CANCELLATIONS };
      g_autoptr (TbAnalysis) analysis
          = tb_engine_create_analysis (tb_engine_get_default (), "wait-graph", NULL);
      g_autoptr (TbSelection) selection = tb_selection_new (trace);
      GThread *thread = g_thread_new ("stop", stop_later, &stop);
      g_autoptr (TbReport) report
          = tb_analysis_run (analysis, trace, selection, note_progress, &stop, cancellable, NULL);
      double end = read_clock (CLOCK_PROCESS_CPUTIME_ID);

      g_thread_join (thread);
      if (report == NULL)
        {
          n_stopped++;
          if (end - stop.stopped > longest)
            {
              longest = end - stop.stopped;
              g_free (message_at_cancel);
              message_at_cancel = g_steal_pointer (&stop.message_at_cancel);
            }
        }
      g_free (stop.message_at_cancel);
      g_free (stop.last_message);
    }
  printf ("the whole plug-in: %u of %u given up, the last was over after %.1f ms of cpu (%s)\n",
          n_stopped, (guint) N_CANCELLATIONS, longest * 1e3,
          message_at_cancel != NULL ? message_at_cancel : "-");
}

/* Measures everything that a user waits for: the plug-in's run with its findings and figures, and
 * its report as JSON. */
static void
measure_plugin_run (TbTrace *trace, double sorting)
{
  TbSession *session = tb_trace_get_session (trace);
  guint64 n_records = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_SWITCH))
                      + tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_WAKEUP));
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "wait-graph", &error);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  double cpu, run_cpu, wall, run_wall;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  cpu = read_clock (CLOCK_PROCESS_CPUTIME_ID);
  wall = read_clock (CLOCK_MONOTONIC);
  report = tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  run_cpu = read_clock (CLOCK_PROCESS_CPUTIME_ID) - cpu;
  run_wall = read_clock (CLOCK_MONOTONIC) - wall;
  node = tb_report_to_json (report);
  text = json_to_string (node, FALSE);
  cpu = read_clock (CLOCK_PROCESS_CPUTIME_ID) - cpu;
  wall = read_clock (CLOCK_MONOTONIC) - wall;
  printf ("the whole plug-in: %.3f s of cpu, %.3f s on the clock; with %zu bytes of JSON %.3f s of "
          "cpu, %.3f "
          "s on "
          "the clock\n",
          run_cpu, run_wall, strlen (text), cpu, wall);
  printf ("%.1f million records a second of cpu for the run, %.1f with its JSON; %.2f times "
          "sorting their bare "
          "times\n",
          (double) n_records / run_cpu / 1e6, (double) n_records / cpu / 1e6, cpu / sorting);
  measure_cancelled_runs (trace, run_wall);
}

/* Builds a graph of a million edges between ten thousand threads from the waits: a single knot,
 * refined to the end. */
static void
measure_knots (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (TbWaitModel) model
      = tb_wait_model_new_empty (MANY_THREADS, 0, G_GINT64_CONSTANT (100000000000));
  g_autoptr (TbWaitGraph) graph = NULL;
  g_autoptr (TbWaitKnots) knots = NULL;
  TbWaitKnotOptions options = { .threshold = G_MAXINT64 };
  double start;

  tb_wait_model_reserve (model, MANY_EDGES);
  for (guint32 thread = 0; thread < MANY_THREADS; thread++)
    for (guint32 i = 0; i < MANY_EDGES / MANY_THREADS; i++)
      {
        gint64 from = i * G_GINT64_CONSTANT (1000000) + g_rand_int_range (rand, 0, 400000);
        guint32 waker = i == 0 ? (thread + 1) % MANY_THREADS
                               : (guint32) g_rand_int_range (rand, 0, MANY_THREADS);

        tb_wait_model_add (model, from, from + g_rand_int_range (rand, 1, 500000), thread, waker,
                           TB_ID_NONE);
      }
  start = read_clock (CLOCK_MONOTONIC);
  tb_wait_model_index_edges (model);
  graph = tb_wait_graph_new (model, NULL, NULL, NULL);
  for (guint i = 0; i < graph->vertices->len; i++)
    tb_wait_graph_get_vertex (graph, i)->id = g_strdup_printf ("%u", i);
  for (guint i = 0; i < graph->arcs->len; i++)
    tb_wait_graph_get_arc (graph, i)->limits = tb_wait_graph_get_arc (graph, i)->weight
        = tb_wait_graph_get_arc (graph, i)->plain;
  tb_wait_graph_exclude_edges (graph, 0, 0);
  knots = tb_wait_knots_new (graph, &options);
  printf ("%u threads and %u edges to %u bottlenecks of %u components: %.2f s\n",
          graph->vertices->len, graph->arcs->len, knots->bottlenecks->len, knots->components->len,
          read_clock (CLOCK_MONOTONIC) - start);
}

int
main (int argc, char **argv)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "bench-wait-graph.tailback", NULL);
  gboolean crowd = argc > 1 && g_str_equal (argv[1], "crowd");
  gboolean made = crowd || argc < 2 || g_ascii_isdigit (*argv[1]);
  g_autoptr (GFile) file = g_file_new_for_path (made ? path : argv[1]);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = NULL;
  g_autoptr (TbTrace) trace = NULL;

  if (made)
    {
      g_autoptr (TbRecorder) recorder = tb_recorder_new (file, TRUE, &error);

      g_assert_no_error (error);
      if (crowd)
        record_cpu_contention (recorder,
                               (argc > 2 ? g_ascii_strtoull (argv[2], NULL, 10) : 500) * 1000);
      else
        record (recorder, (argc > 1 ? g_ascii_strtoull (argv[1], NULL, 10) : 500) * 1000);
      tb_recorder_finish (recorder, &error);
      g_assert_no_error (error);
    }
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  measure (trace);
  measure_plugin_run (trace, sort_times (session));
  if (made)
    {
      g_file_delete (file, NULL, NULL);
      measure_knots ();
    }
  return 0;
}
