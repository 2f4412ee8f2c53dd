/* bench-control-paths.c: benchmark of control paths, relative to sorting the bare times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bench-control-paths [THOUSAND-ROUNDS]   synthetic: chains of calls through six processes
 *        bench-control-paths FILE PROCESS        a session: also the accuracy of inferred functions
 */

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tailback.h"
#include "tb-paths-categories.h"
#include "tb-paths-findings.h"
#include "tb-paths-flames.h"
#include "tb-paths-run-inference.h"
#include "tb-paths-thread-of-interest.h"
#include "tb-paths-summary.h"
#include "tb-paths-tables.h"
#include "tb-paths-timeline.h"

#define N_PROCESSES 6

/* CPU time, which excludes other programs on the machine. */
static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static gsize
get_allocated (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

/* Process 1 calls process 2, which calls process 3, and so on; each answers its caller. */
static void
record (TbRecorder *recorder, guint64 n_rounds)
{
  gint64 time = 1000000000;

  for (gint32 i = 1; i <= N_PROCESSES; i++)
    {
      TbEvent event = { .kind = TB_EVENT_EXISTING, .time = time, .tid = i, .pid = i };
      g_autofree char *name = g_strdup_printf ("server-%d", i);

      event.text = tb_recorder_intern_string (recorder, name, -1);
      tb_recorder_add (recorder, &event);
    }
  for (guint64 round = 0; round < n_rounds; round++)
    for (guint step = 0; step < 2 * (N_PROCESSES - 1); step++)
      {
        gint32 from = step < N_PROCESSES - 1 ? 1 + step : 2 * N_PROCESSES - 1 - step;
        gint32 to = step < N_PROCESSES - 1 ? from + 1 : from - 1;
        TbEvent wake = { .kind = TB_EVENT_WAKEUP, .tid = from, .pid = from, .a = to };
        TbEvent switch_out
            = { .kind = TB_EVENT_SWITCH, .tid = from, .pid = from, .a = to, .b = to, .code = 'S' };

        wake.time = time += 7000;
        switch_out.time = time += 3000;
        tb_recorder_add (recorder, &wake);
        tb_recorder_add (recorder, &switch_out);
      }
  tb_recorder_advance (recorder, time + 1, NULL);
}

/* Trains on every second sampled run, hides the samples of the other runs, and compares the
 * functions inferred for them. */
static void
measure_inference (TbPaths *paths)
{
  TbPathsEvents *events = paths->events;
  const TbPathsModel *model = paths->model;
  guint64 right = 0, none = 0, wrong = 0, broken = 0;

  tb_paths_run_inference_learn (events, model, TRUE);
  for (gsize row = 1; row < model->rows->n; row += 2)
    for (guint32 i = 0; i < events->sample_n[row]; i++)
      {
        guint32 place = events->sample_first[row] + i;
        guint32 node = events->sample_node[place];
        guint32 inferred = tb_paths_run_inference_infer (events, model, row);

        while (node != 0 && events->node_depth[node] > events->node_depth[inferred])
          node = events->node_parent[node];
        if (inferred == 0)
          none++;
        else if (events->sample_broken[place])
          broken++;
        else if (node == inferred)
          right++;
        else
          wrong++;
      }
  printf ("inferred functions, by hiding samples: %" G_GUINT64_FORMAT " right, %" G_GUINT64_FORMAT
          " wrong (%.1f %% right), %" G_GUINT64_FORMAT " without an answer, %" G_GUINT64_FORMAT
          " whose sampled stack is broken\n",
          right, wrong, right + wrong > 0 ? 100.0 * (double) right / (double) (right + wrong) : 0,
          none, broken);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  return *(const gint64 *) a < *(const gint64 *) b ? -1 : *(const gint64 *) a > *(const gint64 *) b;
}

static double
sort_times (const TbIntervals *rows)
{
  g_autofree gint64 *times = g_memdup2 (rows->start, rows->n * sizeof *rows->start);
  double start = now ();

  qsort (times, rows->n, sizeof *times, compare_times);
  return now () - start;
}

/* Draws the figures that the analysis adds to the findings. */
static void
draw (TbPathsSummary *summary)
{
  TbPaths *paths = summary->paths;
  g_autoptr (TbReport) drawn = tb_report_new ("control-paths", "", paths->from, paths->to);
  g_autoptr (GError) error = NULL;
  double start = now ();

  tb_paths_add_tables (drawn, summary);
  tb_paths_add_flames (drawn, paths, FALSE, 0, NULL, &error);
  tb_paths_add_timeline (drawn, paths, 0, NULL, &error);
  tb_paths_add_findings (drawn, summary);
  g_assert_no_error (error);
  printf ("figures and findings: %.2f s\n", now () - start);
}

static double
explain (TbTrace *trace, const char *name, gboolean measure, gsize *n_boxes, gsize *allocated)
{
  const TbPathsThresholds thresholds = { .grace = TB_PATHS_GRACE,
                                         .poll_run = TB_PATHS_POLL_RUN,
                                         .sample_late = TB_PATHS_SAMPLE_LATE };
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbPathsModel) model = NULL;
  g_autoptr (TbPathsEvents) events = NULL;
  g_autoptr (TbPaths) paths = NULL;
  g_autoptr (TbPathsSummary) summary = NULL;
  guint32 process, thread;
  gint64 from, to;
  gsize before = get_allocated ();
  double start = now (), seconds;

  if (!tb_paths_find_process (trace, selection, name, &process, &error)
      || !tb_paths_find_thread (trace, process, NULL, &thread, &error))
    g_error ("%s", error->message);
  tb_trace_get_range (trace, &from, &to);
  model = tb_paths_model_new (trace, &thresholds, NULL, &error);
  g_assert_no_error (error);
  events = tb_paths_events_new (trace, model, NULL, &error);
  g_assert_no_error (error);
  tb_paths_run_inference_learn (events, model, FALSE);
  paths = tb_paths_new (trace, model, events, process, thread, from, to, NULL, &error);
  if (paths == NULL)
    g_error ("%s", error->message);
  summary = tb_paths_summary_new (paths, NULL, &error);
  g_assert_no_error (error);
  seconds = now () - start;
  *n_boxes = paths->walk->boxes.n;
  draw (summary);
  *allocated = get_allocated () - before;
  if (measure)
    measure_inference (paths);
  return seconds;
}

static void
report (TbTrace *trace, const char *first, const char *second)
{
  const TbIntervals *rows = tb_trace_get_intervals (trace);
  gsize n_links
      = tb_table_get_n_rows (tb_session_get_table (tb_trace_get_session (trace), TB_TABLE_WAKEUP));
  gsize n_runs = 0, n_boxes, allocated;
  double seconds, again, sorting = sort_times (rows);

  for (gsize i = 0; i < rows->n; i++)
    n_runs += rows->state[i] == TB_STATE_RUNNING;
  seconds = explain (trace, first, second == NULL, &n_boxes, &allocated);
  printf ("%zu runs and %zu links of the recording, %zu boxes: %.2f s, %.2f million runs and links "
          "a second, "
          "%.1f times sorting the times of the rows\n",
          n_runs, n_links, n_boxes, seconds, (double) (n_runs + n_links) / seconds / 1e6,
          seconds / sorting);
  printf ("memory: %.0f bytes a run of the recording\n", (double) allocated / (double) n_runs);
  if (second == NULL)
    return;
  again = explain (trace, second, FALSE, &n_boxes, &allocated);
  printf ("of another process: %.2f s, %zu boxes\n", again, n_boxes);
}

int
main (int argc, char **argv)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "bench-control-paths.tailback", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (argc > 2 ? argv[1] : path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = NULL;
  g_autoptr (TbTrace) trace = NULL;

  if (argc <= 2)
    {
      g_autoptr (TbRecorder) recorder = tb_recorder_new (file, TRUE, &error);

      g_assert_no_error (error);
      record (recorder, (argc > 1 ? g_ascii_strtoull (argv[1], NULL, 10) : 50) * 1000);
      tb_recorder_finish (recorder, &error);
      g_assert_no_error (error);
    }
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  if (argc > 2)
    report (trace, argv[2], NULL);
  else
    {
      report (trace, "server-1", "server-3");
      g_file_delete (file, NULL, NULL);
    }
  return 0;
}
