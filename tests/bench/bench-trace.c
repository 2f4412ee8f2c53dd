/* bench-trace.c: how fast the lives of threads are found, kept and read back, beside sorting the bare times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bench-trace [MILLION-EVENTS]
 */

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/tb-recorder.h"
#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-builder-private.h"

#define N_CPUS 4
#define N_THREADS 200

static double
now (void)
{
  return (double) g_get_monotonic_time () / 1e6;
}

static guint64
random_number (void)
{
  static guint64 state = 88172645463325252u;

  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/* A machine with few cpus and many threads that wake each other: of five events two are switches, two interrupts, one a
 * waking. */
static void
record (TbRecorder *recorder, guint64 n_events)
{
  gint32 on_cpu[N_CPUS] = { 0 };
  gboolean ready[N_THREADS + 1] = { FALSE };
  gint64 time = 1000000000;

  for (guint64 i = 0; i < n_events;)
    {
      TbEvent event = { .cpu = random_number () % N_CPUS };
      gint32 thread = 1 + random_number () % N_THREADS;

      time += 100 + random_number () % 1500;
      event.time = time;
      if (on_cpu[event.cpu] == 0 && ready[thread])
        {
          event.kind = TB_EVENT_SWITCH;
          event.code = 'R';
          event.a = event.b = thread;
          ready[thread] = FALSE;
          on_cpu[event.cpu] = thread;
          i++;
        }
      else if (on_cpu[event.cpu] != 0 && random_number () % 3 == 0)
        {
          event.kind = TB_EVENT_SWITCH;
          event.tid = event.pid = on_cpu[event.cpu];
          event.code = "SSSD+"[random_number () % 5];
          ready[event.tid] = event.code == '+';
          on_cpu[event.cpu] = 0;
          i++;
        }
      else
        {
          gboolean runs = ready[thread];

          for (guint cpu = 0; cpu < N_CPUS; cpu++)
            runs |= on_cpu[cpu] == thread;
          if (runs)
            continue;
          event.kind = TB_EVENT_WAKEUP;
          event.tid = event.pid = on_cpu[event.cpu];
          event.a = thread;
          if (event.tid == 0)
            {
              TbEvent handler = { .time = time - 50, .cpu = event.cpu, .kind = TB_EVENT_IRQ_ENTRY, .a = 30 };

              handler.text = tb_recorder_intern_string (recorder, "bench", -1);
              tb_recorder_add (recorder, &handler);
              tb_recorder_add (recorder, &event);
              handler.time = time + 50;
              handler.kind = TB_EVENT_IRQ_EXIT;
              tb_recorder_add (recorder, &handler);
              i += 3;
              ready[thread] = TRUE;
              continue;
            }
          ready[thread] = TRUE;
          i++;
        }
      tb_recorder_add (recorder, &event);
      if (i % 4096 == 0)
        tb_recorder_advance (recorder, time - 100, NULL);
    }
}

static guint64
count_events (TbSession *session)
{
  return tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_SWITCH))
         + tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_WAKEUP))
         + 2 * tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_INTERRUPT));
}

/* Reads every column that the builder needs, and sorts the times of switches back from a shuffle: what nobody can be
 * spared. */
static double
time_bare_sort (TbSession *session)
{
  TbTable *table = tb_session_get_table (session, TB_TABLE_SWITCH);
  gsize n = tb_table_get_n_rows (table), m;
  g_autoptr (GBytes) bytes = tb_table_get_column (table, TB_SWITCH_TIME, NULL);
  g_autofree gint64 *times = g_memdup2 (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autofree guint32 *order = NULL;
  double start;

  for (gsize i = n; i > 1; i--)
    {
      gsize k = random_number () % i;
      gint64 swap = times[i - 1];

      times[i - 1] = times[k];
      times[k] = swap;
    }
  start = now ();
  order = tb_time_order (times, n, &m);
  return (now () - start) / n;
}

int
main (int argc, char *argv[])
{
  guint64 n_events = (argc > 1 ? strtod (argv[1], NULL) : 2) * 1e6;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "bench-trace.tailback", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  double start, built, alone, reopened, bare;
  gsize n_intervals;

  {
    g_autoptr (TbRecorder) recorder = tb_recorder_new (file, TRUE, &error);

    g_assert_no_error (error);
    tb_recorder_add_host (recorder, "bench", "", "", N_CPUS, 0);
    record (recorder, n_events);
    if (!tb_recorder_finish (recorder, &error))
      g_error ("%s", error->message);
  }
  {
    g_autoptr (TbSession) session = tb_session_open (file, NULL, &error);
    g_autoptr (TbTrace) trace = NULL;
    g_autoptr (TbTrace) again = NULL;

    g_assert_no_error (error);
    n_events = count_events (session);
    bare = time_bare_sort (session);
    start = now ();
    trace = tb_trace_new (session, NULL, NULL, NULL, &error);
    built = now () - start;
    g_assert_no_error (error);
    n_intervals = tb_trace_get_intervals (trace)->n;
    /* The columns are decoded by now and nothing is stored: the finding alone. */
    start = now ();
    again = tb_trace_new_with_grace (session, TB_WAKING_GRACE + 1, NULL, NULL, NULL, &error);
    alone = now () - start;
  }
  {
    g_autoptr (TbSession) session = tb_session_open (file, NULL, &error);
    g_autoptr (TbTrace) trace = NULL;

    start = now ();
    trace = tb_trace_new (session, NULL, NULL, NULL, &error);
    reopened = now () - start;
  }
  g_print ("%" G_GUINT64_FORMAT " events, %" G_GSIZE_FORMAT " intervals\n", n_events, n_intervals);
  g_print ("finding alone   %7.1f ms  %5.2f M events/s  %.1f times a bare sort of so many times\n",
           alone * 1e3, n_events / alone / 1e6, alone / (bare * n_events));
  g_print ("reading, finding, keeping %7.1f ms\n", built * 1e3);
  g_print ("reopening       %7.1f ms  %.1f times faster than finding\n", reopened * 1e3, built / reopened);
  g_unlink (path);
  return 0;
}
