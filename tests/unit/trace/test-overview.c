/* test-overview.c: test of the overview intervals against a sum over every nanosecond, and of
 * storing them in a session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#include "session/recorder/tb-recorder.h"
#include "trace/tb-overview-private.h"

#define N_TRACES 400
#define N_THREADS 5

typedef struct
{
  GArray *start, *end, *thread, *cause;
  GByteArray *state, *kind, *cause_kind;
} ThreadStates;

static void
states_free (ThreadStates *self)
{
  g_array_unref (self->start);
  g_array_unref (self->end);
  g_array_unref (self->thread);
  g_array_unref (self->cause);
  g_byte_array_unref (self->state);
  g_byte_array_unref (self->kind);
  g_byte_array_unref (self->cause_kind);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ThreadStates, states_free)

static void
live (ThreadStates *self,
      guint32 thread,
      gint64 start,
      gint64 end,
      guint8 state,
      guint8 kind,
      guint8 cause_kind,
      guint32 cause)
{
  g_array_append_val (self->start, start);
  g_array_append_val (self->end, end);
  g_array_append_val (self->thread, thread);
  g_array_append_val (self->cause, cause);
  g_byte_array_append (self->state, &state, 1);
  g_byte_array_append (self->kind, &kind, 1);
  g_byte_array_append (self->cause_kind, &cause_kind, 1);
}

static ThreadStates *
states_new (void)
{
  ThreadStates *self = g_new0 (ThreadStates, 1);

  self->start = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->end = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->thread = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->cause = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->state = g_byte_array_new ();
  self->kind = g_byte_array_new ();
  self->cause_kind = g_byte_array_new ();
  return self;
}

static ThreadStates *
states_random (gint64 from, gint64 to)
{
  ThreadStates *self = states_new ();

  for (guint32 thread = 1; thread < N_THREADS; thread++)
    {
      gint64 at = from + g_test_rand_int_range (0, (to - from) / 2 + 1);
      gint64 last = g_test_rand_bit () ? to : at + (to - at) / 2;
      gint64 longest = g_test_rand_bit () ? 40 : (to - from) / 3 + 2;

      if (g_test_rand_int_range (0, 6) == 0)
        continue;
      while (at < last)
        {
          gint64 length = g_test_rand_int_range (1, longest);
          gint64 end = MIN (at + length, last);

          live (self, thread, at, end, g_test_rand_int_range (0, TB_N_STATES),
                g_test_rand_int_range (0, TB_N_WAITS), g_test_rand_int_range (0, TB_N_CAUSES),
                g_test_rand_int_range (0, 3));
          at = end;
        }
    }
  return self;
}

static TbIntervals
life_sum (const ThreadStates *self)
{
  return (TbIntervals) {
    .n = self->state->len,
    .start = (gpointer) self->start->data,
    .end = (gpointer) self->end->data,
    .thread = (gpointer) self->thread->data,
    .cause = (gpointer) self->cause->data,
    .state = self->state->data,
    .kind = self->kind->data,
    .cause_kind = self->cause_kind->data,
  };
}

/* --- the reference --- */

static gint64
overlap (gint64 start, gint64 end, gint64 from, gint64 to)
{
  return MAX (MIN (end, to) - MAX (start, from), 0);
}

static gboolean
is_dull (const TbIntervals *intervals, guint32 thread)
{
  gsize n = 0, active = 0;

  for (gsize i = 0; i < intervals->n; i++)
    if (intervals->thread[i] == thread)
      {
        n++;
        active
            += intervals->state[i] == TB_STATE_RUNNING || intervals->state[i] == TB_STATE_RUNNABLE;
      }
  return n <= 1 && active == 0;
}

static void
check_stretch (const TbIntervals *intervals,
               const TbDevice *devices,
               GBytes **columns,
               gsize n_rows,
               guint32 thread,
               gint64 from,
               gint64 to)
{
  const gint64 *start = g_bytes_get_data (columns[TB_OVERVIEW_START], NULL);
  const gint64 *end = g_bytes_get_data (columns[TB_OVERVIEW_END], NULL);
  const guint32 *of = g_bytes_get_data (columns[TB_OVERVIEW_THREAD], NULL);
  const guint8 *state = g_bytes_get_data (columns[TB_OVERVIEW_STATE], NULL);
  gint64 expected[TB_OVERVIEW_N_STATES] = { 0 }, found[TB_OVERVIEW_N_STATES] = { 0 };

  if (!is_dull (intervals, thread))
    for (gsize i = 0; i < intervals->n; i++)
      if (intervals->thread[i] == thread)
        expected[tb_overview_classify (intervals, i, devices, 2)]
            += overlap (intervals->start[i], intervals->end[i], from, to);
  for (gsize i = 0; i < n_rows; i++)
    if (of[i] == thread)
      found[state[i]] += overlap (start[i], end[i], from, to);
  for (guint i = 0; i < TB_OVERVIEW_N_STATES; i++)
    g_assert_cmpint (found[i], ==, expected[i]);
}

static void
check_shape (GBytes **columns, gsize n_rows)
{
  const gint64 *start = g_bytes_get_data (columns[TB_OVERVIEW_START], NULL);
  const gint64 *end = g_bytes_get_data (columns[TB_OVERVIEW_END], NULL);
  const guint32 *of = g_bytes_get_data (columns[TB_OVERVIEW_THREAD], NULL);
  const guint8 *state = g_bytes_get_data (columns[TB_OVERVIEW_STATE], NULL);

  for (gsize i = 0; i < n_rows; i++)
    {
      g_assert_cmpint (start[i], <, end[i]);
      if (i == 0 || of[i] != of[i - 1])
        {
          g_assert_true (i == 0 || of[i] > of[i - 1]);
          continue;
        }
      g_assert_cmpint (start[i], ==, end[i - 1]);
      g_assert_cmpuint (state[i], !=, state[i - 1]);
    }
}

static void
test_random (void)
{
  const TbDevice devices[] = { { .kind = "block" }, { .kind = "network" } };

  for (guint i = 0; i < N_TRACES; i++)
    {
      gint64 from = g_test_rand_int_range (0, 1000), to = from + g_test_rand_int_range (1, 30000);
      g_autoptr (ThreadStates) states = states_random (from, to);
      TbIntervals intervals = life_sum (states);
      GBytes *columns[TB_OVERVIEW_N_COLUMNS];
      gsize n = tb_overview_build (&intervals, from, to, devices, 2, columns);
      gint64 step;
      guint n_active = 0;

      for (guint32 thread = 1; thread < N_THREADS; thread++)
        n_active += !is_dull (&intervals, thread);
      step = tb_overview_get_step (from, to, n_active);
      g_assert_cmpint (step * 1024, >=, to - from);
      g_assert_cmpuint (n, <=, intervals.n);
      check_shape (columns, n);
      for (guint32 thread = 1; thread < N_THREADS; thread++)
        {
          check_stretch (&intervals, devices, columns, n, thread, from, to);
          for (guint k = 0; k < 8; k++)
            {
              gint64 left = from + g_test_rand_int_range (0, 1024) * step;
              gint64 right = left + g_test_rand_int_range (1, 5) * step;

              check_stretch (&intervals, devices, columns, n, thread, left, right);
            }
        }
      for (guint k = 0; k < TB_OVERVIEW_N_COLUMNS; k++)
        g_bytes_unref (columns[k]);
    }
}

static void
test_step (void)
{
  g_assert_cmpint (tb_overview_get_step (0, 1024000, 1), ==, 1000);
  g_assert_cmpint (tb_overview_get_step (0, 1024000, 256), ==, 1000);
  g_assert_cmpint (tb_overview_get_step (0, 1024000, 512), ==, 2000);
  g_assert_cmpint (tb_overview_get_step (0, 64000, 1000000), ==, 1000);
  g_assert_cmpint (tb_overview_get_step (5, 5, 0), ==, 1);
}

static void
test_classes (void)
{
  const TbDevice devices[] = { { .kind = "block" }, { .kind = "network" } };
  g_autoptr (ThreadStates) states = states_new ();
  static const struct
  {
    TbState state;
    TbWaitKind kind;
    TbCauseKind cause_kind;
    guint32 cause;
    TbOverviewState expected;
  } cases[] = {
    { TB_STATE_UNKNOWN, 0, 0, 0, TB_OVERVIEW_UNKNOWN },
    { TB_STATE_RUNNING, 0, TB_CAUSE_DEVICE, 0, TB_OVERVIEW_RUNNING },
    { TB_STATE_RUNNABLE, TB_WAIT_BLOCK_IO, 0, 0, TB_OVERVIEW_RUNNABLE },
    { TB_STATE_STOPPED, 0, TB_CAUSE_NETWORK, 0, TB_OVERVIEW_STOPPED },
    { TB_STATE_INTERRUPTIBLE, TB_WAIT_PIPE, TB_CAUSE_THREAD, 0, TB_OVERVIEW_INTERRUPTIBLE },
    { TB_STATE_UNINTERRUPTIBLE, TB_WAIT_OTHER, TB_CAUSE_THREAD, 0, TB_OVERVIEW_UNINTERRUPTIBLE },
    { TB_STATE_UNINTERRUPTIBLE, TB_WAIT_BLOCK_IO, TB_CAUSE_THREAD, 0, TB_OVERVIEW_DISK },
    { TB_STATE_INTERRUPTIBLE, TB_WAIT_OTHER, TB_CAUSE_DEVICE, 0, TB_OVERVIEW_DISK },
    { TB_STATE_INTERRUPTIBLE, TB_WAIT_OTHER, TB_CAUSE_DEVICE, TB_ID_NONE, TB_OVERVIEW_DISK },
    { TB_STATE_INTERRUPTIBLE, TB_WAIT_BLOCK_IO, TB_CAUSE_DEVICE, 1, TB_OVERVIEW_NETWORK },
    { TB_STATE_INTERRUPTIBLE, TB_WAIT_SOCKET, TB_CAUSE_NETWORK, 0, TB_OVERVIEW_NETWORK },
  };
  TbIntervals intervals;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    live (states, 1, i, i + 1, cases[i].state, cases[i].kind, cases[i].cause_kind, cases[i].cause);
  intervals = life_sum (states);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (tb_overview_classify (&intervals, i, devices, 2), ==, cases[i].expected);
}

/* --- in a session --- */

static GFile *
make_session (const char *folder)
{
  GFile *file = g_file_new_build_filename (folder, "test.tailback", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, TRUE, &error);
  gint32 on_cpu = 0;

  g_assert_no_error (error);
  for (gint64 time = 1000; time < 60000; time += g_test_rand_int_range (1, 60))
    {
      TbEvent event = { .time = time, .kind = TB_EVENT_SWITCH, .tid = on_cpu, .pid = on_cpu };

      event.code = "SDR"[g_test_rand_int_range (0, 3)];
      on_cpu = g_test_rand_int_range (0, 5) == 0 ? 0 : g_test_rand_int_range (100, 104);
      if (on_cpu == event.tid)
        continue;
      event.a = event.b = on_cpu;
      tb_recorder_add (recorder, &event);
    }
  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  return file;
}

static TbSession *
open_session (GFile *file)
{
  g_autoptr (GError) error = NULL;
  TbSession *session = tb_session_open (file, NULL, &error);

  g_assert_no_error (error);
  return session;
}

/* A loaded overview equals one computed from the intervals. */
static void
check_loaded (TbTrace *trace, TbSession *session)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  g_autoptr (TbOverview) overview = tb_overview_load (session);
  guint n_devices;
  const TbDevice *devices = tb_session_get_devices (session, &n_devices);
  gint64 from, to;

  g_assert_nonnull (overview);
  tb_session_get_range (session, &from, &to);
  g_assert_cmpint (overview->from, ==, from);
  g_assert_cmpint (overview->to, ==, to);
  g_assert_cmpuint (overview->n_threads, ==, 4);
  for (guint i = 0; i < overview->n_threads; i++)
    {
      const TbOverviewThread *thread = &overview->threads[i];
      gint64 ns[TB_OVERVIEW_N_STATES] = { 0 };
      gsize first, n;

      tb_trace_get_thread_intervals (trace, thread->thread, &first, &n);
      for (gsize row = first; row < first + n; row++)
        ns[tb_overview_classify (intervals, row, devices, n_devices)]
            += intervals->end[row] - intervals->start[row];
      g_assert_cmpmem (ns, sizeof ns, thread->ns, sizeof thread->ns);
      g_assert_false (thread->is_kernel);
    }
}

static TbTrace *
make_trace (TbSession *session)
{
  g_autoptr (GError) error = NULL;
  TbTrace *trace = tb_trace_new (session, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return trace;
}

typedef struct
{
  gint64 start;
  gint64 end;
  guint32 thread;
  guint8 state;
} Row;

/* Writes an invalid overview table to the file, and opens it. */
static void
check_refused (GFile *file, const Row *rows, gsize n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = open_session (file);
  g_autoptr (TbTrace) trace = NULL;
  g_autofree gint64 *start = g_new (gint64, n), *end = g_new (gint64, n);
  g_autofree guint32 *thread = g_new (guint32, n);
  g_autofree guint8 *state = g_new (guint8, n);
  GBytes *columns[TB_OVERVIEW_N_COLUMNS];

  for (gsize i = 0; i < n; i++)
    {
      start[i] = rows[i].start;
      end[i] = rows[i].end;
      thread[i] = rows[i].thread;
      state[i] = rows[i].state;
    }
  columns[TB_OVERVIEW_START] = g_bytes_new (start, n * sizeof *start);
  columns[TB_OVERVIEW_END] = g_bytes_new (end, n * sizeof *end);
  columns[TB_OVERVIEW_THREAD] = g_bytes_new (thread, n * sizeof *thread);
  columns[TB_OVERVIEW_STATE] = g_bytes_new (state, n);
  tb_session_put_table (session, TB_TABLE_OVERVIEW, columns, n, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < TB_OVERVIEW_N_COLUMNS; i++)
    g_bytes_unref (columns[i]);

  g_clear_object (&session);
  session = open_session (file);
  g_assert_null (tb_overview_load (session));
  /* The trace opens in any case, and computes the overview again. */
  trace = make_trace (session);
  check_loaded (trace, session);
}

/* A file of another version of Tailback, with other rules for the overview. */
static void
check_version (GFile *file)
{
  g_autoptr (TbSession) session = NULL;
  g_autoptr (TbTrace) trace = NULL;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (g_file_peek_path (file), &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "UPDATE event_table SET version = 99 WHERE name = 'overview'",
                                 NULL, NULL, NULL),
                   ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_changes (db), ==, 1);
  sqlite3_close (db);
  session = open_session (file);
  g_assert_null (tb_overview_load (session));
  trace = make_trace (session);
  check_loaded (trace, session);
  g_clear_object (&trace);
  g_clear_object (&session);
  session = open_session (file);
  g_assert_nonnull ((trace = make_trace (session)));
  check_loaded (trace, session);
}

static void
test_session (void)
{
  g_autofree char *folder = g_dir_make_tmp ("tailback-overview-XXXXXX", NULL);
  g_autoptr (GFile) file = make_session (folder);
  gint64 from, to;

  {
    g_autoptr (TbSession) session = open_session (file);
    g_autoptr (TbTrace) trace = NULL;

    tb_session_get_range (session, &from, &to);
    g_assert_null (tb_overview_load (session));
    trace = make_trace (session);
    check_loaded (trace, session);
  }
  {
    g_autoptr (TbSession) session = open_session (file);
    g_autoptr (TbOverview) before = tb_overview_load (session);
    g_autoptr (TbTrace) trace = make_trace (session);

    g_assert_nonnull (before);
    check_loaded (trace, session);
  }
  check_refused (file, (Row[]) { { from, from, 1, 0 } }, 1);
  check_refused (file, (Row[]) { { from - 1, from + 5, 1, 0 } }, 1);
  check_refused (file, (Row[]) { { from, to + 1, 1, 0 } }, 1);
  check_refused (file, (Row[]) { { TB_TIME_NONE, from + 1, 1, 0 } }, 1);
  check_refused (file, (Row[]) { { from + 5, TB_TIME_NONE, 1, 0 } }, 1);
  check_refused (file, (Row[]) { { from, from + 5, 77, 0 } }, 1);
  check_refused (file, (Row[]) { { from, from + 5, TB_ID_NONE, 0 } }, 1);
  check_refused (file, (Row[]) { { from, from + 5, 1, TB_OVERVIEW_N_STATES } }, 1);
  check_refused (file, (Row[]) { { from, from + 5, 1, 0 }, { from + 4, from + 6, 1, 1 } }, 2);
  check_refused (file, (Row[]) { { from, from + 5, 1, 0 }, { from + 6, from + 8, 1, 1 } }, 2);
  check_refused (file, (Row[]) { { from, from + 5, 2, 0 }, { from, from + 5, 1, 1 } }, 2);

  check_version (file);

  g_file_delete (file, NULL, NULL);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/overview/random", test_random);
  g_test_add_func ("/trace/overview/step", test_step);
  g_test_add_func ("/trace/overview/classes", test_classes);
  g_test_add_func ("/trace/overview/session", test_session);
  return g_test_run ();
}
