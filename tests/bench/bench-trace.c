/* bench-trace.c: benchmark of thread states, relative to sorting the bare times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bench-trace [MILLION-EVENTS]
 */

#include <time.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "synthetic-recording.h"
#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-builder-private.h"

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static guint64
count_events (TbSession *session)
{
  return tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_SWITCH))
         + tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_WAKEUP))
         + 2 * tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_INTERRUPT));
}

/* Reads every column that the builder needs, and sorts the shuffled times of the switches: the
 * unavoidable work. */
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
      gsize k = synthetic_random () % i;
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

  synthetic_recording_write (file, n_events);
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
    /* The columns are decoded by now and nothing is stored, so this is the time of deriving the
     * states alone. */
    start = now ();
    again
        = tb_trace_new_with_tolerance (session, TB_WAKEUP_TOLERANCE + 1, NULL, NULL, NULL, &error);
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
  g_print ("reopening       %7.1f ms  %.1f times faster than finding\n", reopened * 1e3,
           built / reopened);
  g_unlink (path);
  return 0;
}
