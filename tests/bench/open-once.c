/* open-once.c: opens a session and its trace up to the first rows, and says how long that took
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first time the trace is found in the events and kept; from then on it is read.
 */

#include "config.h"

#include <stdio.h>

#include "trace/tb-trace.h"

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = argc == 2 ? g_file_new_for_commandline_arg (argv[1]) : NULL;
  gint64 start = g_get_monotonic_time ();
  g_autoptr (TbSession) session = file ? tb_session_open (file, NULL, &error) : NULL;
  g_autoptr (TbTrace) trace = session ? tb_trace_new (session, NULL, NULL, NULL, &error) : NULL;
  const TbIntervals *intervals;

  if (trace == NULL)
    {
      fprintf (stderr, "open-once: %s\n", error ? error->message : "usage: open-once SESSION");
      return 1;
    }
  intervals = tb_trace_get_intervals (trace);
  printf ("seconds %.6f intervals %zu\n", (g_get_monotonic_time () - start) / 1e6, intervals->n);
  return 0;
}
