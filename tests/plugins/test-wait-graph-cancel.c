/* test-wait-graph-cancel.c: test that opening a recording and analyzing its wait graph or threads
 * is cancelled promptly
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of the cancellable are counted by functions of the same names as GIO's, which take
 * precedence. One of the checks cancels it. The number of checks in each part of the work must be
 * large enough that every pass over the rows has its own.
 */

#include "config.h"

#include <dlfcn.h>

#include "../test-mode.h"
#include "wait-graph-fixture.h"

#define N_THREADS 8
/* Rows that may be processed between two checks. */
#define STRIDE 65536
/* The test compares a recording with one twice as long. Each additional round adds three rows. */
#define N_ROUNDS STRIDE
#define MORE_ROWS 3
#define MORE_WAITS 1
#define N_CANCELLED 24
/* A quick test tries one in this many of them. */
#define ONE_OF 6
/* Checks allowed after cancellation: those in other threads, and those while functions return. */
#define CHECKS_AFTER 64
#define N_PARTS 16

static GCancellable *watched;
static gint n_checks;
static _Thread_local gint n_own_checks; /* of this thread */
static gint cancel_at;                  /* number of the check that cancels, 0: none */
static const char *const *what_if;      /* changes for the wait graph */

static void
check (void)
{
  n_own_checks++;
  if (g_atomic_int_add (&n_checks, 1) + 1 == g_atomic_int_get (&cancel_at))
    g_cancellable_cancel (watched);
}

static gboolean
is_cancelled (GCancellable *cancellable)
{
  static gboolean (*original) (GCancellable *);

  if (g_once_init_enter_pointer (&original))
    g_once_init_leave_pointer (&original, dlsym (RTLD_NEXT, "g_cancellable_is_cancelled"));
  return original (cancellable);
}

gboolean
g_cancellable_is_cancelled (GCancellable *cancellable)
{
  check ();
  return is_cancelled (cancellable);
}

gboolean
g_cancellable_set_error_if_cancelled (GCancellable *cancellable, GError **error)
{
  check ();
  if (!is_cancelled (cancellable))
    return FALSE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
  return TRUE;
}

/* A thread that always wants the first CPU: the analysis looks up what ran there. */
static void
add_runnable (TbRecorder *recorder)
{
  TbEvent off
      = { .time = 900, .kind = TB_EVENT_SWITCH, .tid = N_THREADS + 1, .pid = 1, .code = '+' };

  tb_recorder_add (recorder, &off);
}

/* Each thread in turn sleeps until the next one wakes it. */
static TbSession *
record (gint32 n_rounds)
{
  TbRecorder *recorder = recording_new ("cancel");
  gint64 time = 1000;

  tb_recorder_add_host (recorder, "", NULL, NULL, N_THREADS, 0);
  add_runnable (recorder);
  for (gint32 i = 0; i < N_THREADS + n_rounds; i++)
    {
      gint32 tid = 1 + i % N_THREADS, waker = 1 + (i + 1) % N_THREADS;
      TbEvent out = { .time = time,
                      .kind = TB_EVENT_SWITCH,
                      .cpu = (guint16) (tid - 1),
                      .tid = tid,
                      .pid = tid,
                      .code = 'S' };
      TbEvent wake = { .time = time + 100,
                       .kind = TB_EVENT_WAKEUP,
                       .cpu = (guint16) (waker - 1),
                       .tid = waker,
                       .pid = waker,
                       .a = (guint64) tid };
      TbEvent in = { .time = time + 150,
                     .kind = TB_EVENT_SWITCH,
                     .cpu = (guint16) (tid - 1),
                     .code = 'R',
                     .a = (guint64) tid,
                     .b = (guint64) tid };

      /* In the first round each thread only starts to run. */
      if (i >= N_THREADS)
        {
          tb_recorder_add (recorder, &out);
          tb_recorder_add (recorder, &wake);
        }
      tb_recorder_add (recorder, &in);
      time += 200;
    }
  return recording_open_session (recorder);
}

/* Number of checks before each part of the work. Threads that work beside are at another part. */
typedef struct
{
  double shares[N_PARTS];
  gint checks[N_PARTS];
  guint n;
} Parts;

static void
note_part (double share, const char *what, gpointer data)
{
  Parts *parts = data;

  if (parts->n < N_PARTS && (parts->n == 0 || share > parts->shares[parts->n - 1]))
    {
      parts->shares[parts->n] = share;
      parts->checks[parts->n++] = n_own_checks;
    }
}

/* Number of checks between two parts, each given by the share of progress at its start. */
static gint
count_checks (const Parts *parts, double from, double to)
{
  gint first = -1, last = -1;

  for (guint i = 0; i < parts->n; i++)
    {
      first = ABS (parts->shares[i] - from) < 1e-9 ? parts->checks[i] : first;
      last = ABS (parts->shares[i] - to) < 1e-9 ? parts->checks[i] : last;
    }
  g_assert_cmpint (first, >=, 0);
  g_assert_cmpint (last, >=, first);
  return last - first;
}

/* The file is written anew each time, because a computed trace is stored in it. */
static TbTrace *
open_trace (gint32 n_rounds, Parts *parts, GError **error)
{
  g_autoptr (TbSession) session = record (n_rounds);

  g_atomic_int_set (&n_checks, 0);
  return tb_trace_new (session, parts != NULL ? note_part : NULL, parts, watched, error);
}

static TbReport *
analyze (TbTrace *trace, const char *id, Parts *parts, GError **error)
{
  g_autoptr (TbAnalysis) analysis = report_create_analysis (id, NULL);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);

  if (what_if != NULL)
    g_object_set (analysis, "what-if", what_if, NULL);
  g_atomic_int_set (&n_checks, 0);
  return tb_analysis_run (analysis, trace, selection, parts != NULL ? note_part : NULL, parts,
                          watched, error);
}

static void
begin (gint at)
{
  g_clear_object (&watched);
  watched = g_cancellable_new ();
  g_atomic_int_set (&cancel_at, at);
}

/* The work was cancelled and ended promptly. */
static void
assert_cancelled (gconstpointer made, GError *error, gint at)
{
  g_assert_null (made);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_atomic_int_get (&n_checks), <=, at + CHECKS_AFTER);
}

/* Additional checks for twice as much work. Checks that do not depend on the amount of work cancel
 * out. */
static gint
count_more_checks (const Parts *once, const Parts *twice, double from, double to)
{
  return count_checks (twice, from, to) - count_checks (once, from, to);
}

static void
test_open (void)
{
  Parts once = { .n = 0 }, twice = { .n = 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbTrace) longer = NULL;
  gint all;

  begin (0);
  trace = open_trace (N_ROUNDS, &once, &error);
  g_assert_no_error (error);
  all = g_atomic_int_get (&n_checks);
  longer = open_trace (2 * N_ROUNDS, &twice, &error);
  g_assert_no_error (error);
  /* Rows are counted and sorted into columns by thread; then the object of each sleep, and the
   * first row of each thread. */
  g_assert_cmpint (count_more_checks (&once, &twice, 0.8, 0.9), >=, 4 * MORE_ROWS);
  for (gint i = (gint) test_first (ONE_OF); i < N_CANCELLED / 3; i += (gint) test_step (ONE_OF))
    {
      gint at = 1 + i * (all - 1) / (N_CANCELLED / 3);
      g_autoptr (GError) cancel_error = NULL;
      g_autoptr (TbTrace) none = NULL;

      begin (at);
      none = open_trace (N_ROUNDS, NULL, &cancel_error);
      assert_cancelled (none, cancel_error, at);
    }
}

/* Analyzes a recording of that length twice. Returns the trace, and the number of checks in the
 * first and the second run. */
static TbTrace *
analyze_rounds (gint32 n_rounds, const char *id, Parts *parts, gint *first, gint *again)
{
  g_autoptr (GError) error = NULL;
  TbTrace *trace = open_trace (n_rounds, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (TbReport) report = analyze (trace, id, i == 0 ? parts : NULL, &error);

      g_assert_no_error (error);
      *(i == 0 ? first : again) = g_atomic_int_get (&n_checks);
    }
  return trace;
}

/* Cancels the analysis at many points. */
static void
cancel_everywhere (TbTrace *trace, const char *id, gint all)
{
  for (gint i = (gint) test_first (ONE_OF); i < N_CANCELLED; i += (gint) test_step (ONE_OF))
    {
      gint at = 1 + i * (all - 1) / N_CANCELLED;
      g_autoptr (GError) cancel_error = NULL;
      g_autoptr (TbReport) none = NULL;

      begin (at);
      none = analyze (trace, id, NULL, &cancel_error);
      assert_cancelled (none, cancel_error, at);
    }
}

static void
test_analyze (void)
{
  Parts once = { .n = 0 }, twice = { .n = 0 };
  gint first, first_longer, again, again_longer;
  g_autoptr (TbTrace) longer = NULL;
  g_autoptr (TbTrace) trace = NULL;

  begin (0);
  longer = analyze_rounds (2 * N_ROUNDS, "wait-graph", &twice, &first_longer, &again_longer);
  trace = analyze_rounds (N_ROUNDS, "wait-graph", &once, &first, &again);
  /* Starts and ends of waits, 16384 at a time. */
  g_assert_cmpint (count_more_checks (&once, &twice, 0.3, 0.6), >=, 2 * N_ROUNDS / 16384);
  /* Proposals of false wake-ups. */
  g_assert_cmpint (count_more_checks (&once, &twice, 0.7, 0.8), >=, MORE_ROWS);
  /* Stacks of both sides, reported and drawn; occurrences; CPUs; runs counted, sorted, by CPU, and
   * summed up. */
  g_assert_cmpint (first_longer - twice.checks[twice.n - 1], >=,
                   first - once.checks[once.n - 1] + 5 * MORE_WAITS + MORE_ROWS + MORE_ROWS
                       + 2 * N_ROUNDS / 8192 + 2 * MORE_WAITS);
  cancel_everywhere (trace, "wait-graph", again);
}

/* Several replays follow one another. Each of them may be cancelled. */
static void
test_what_if (void)
{
  static const char *const changes[] = { "cpus=1", NULL };
  gint first, again, without;
  g_autoptr (TbTrace) trace = NULL;

  begin (0);
  trace = analyze_rounds ((gint32) test_rounds (N_ROUNDS, N_ROUNDS / 2), "wait-graph", NULL, &first,
                          &without);
  what_if = changes;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TbReport) report = analyze (trace, "wait-graph", NULL, &error);

      g_assert_no_error (error);
    }
  again = g_atomic_int_get (&n_checks);
  g_assert_cmpint (again, >, without);
  cancel_everywhere (trace, "wait-graph", again);
  what_if = NULL;
}

static void
test_threads (void)
{
  Parts once = { .n = 0 }, twice = { .n = 0 };
  gint first, first_longer, again, again_longer;
  g_autoptr (TbTrace) longer = NULL;
  g_autoptr (TbTrace) trace = NULL;

  begin (0);
  longer = analyze_rounds (2 * N_ROUNDS, "threads", &twice, &first_longer, &again_longer);
  trace = analyze_rounds (N_ROUNDS, "threads", &once, &first, &again);
  g_assert_cmpint (count_more_checks (&once, &twice, 0.1, 0.3), >=, MORE_ROWS);
  /* Rows of the threads and their wake-ups; runs counted, listed, CPUs counted, sorted, by CPU;
   * arrows. */
  g_assert_cmpint (count_more_checks (&once, &twice, 0.3, 0.6), >=, 5 * MORE_ROWS + 4 * MORE_WAITS);
  g_assert_cmpint (count_more_checks (&once, &twice, 0.6, 0.9), >=, MORE_ROWS);
  cancel_everywhere (trace, "threads", again);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/cancel/open", test_open);
  g_test_add_func ("/wait-graph/cancel/analyze", test_analyze);
  g_test_add_func ("/wait-graph/cancel/what-if", test_what_if);
  g_test_add_func ("/wait-graph/cancel/threads", test_threads);
  status = recording_run_tests ();
  g_clear_object (&watched);
  return status;
}
