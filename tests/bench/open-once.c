/* open-once.c: time of opening a session, to its first picture and to its trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * At the first opening the trace is derived from the events and stored, and the picture comes after
 * it. At later openings the picture comes before the trace.
 */

#include "config.h"

#include <stdio.h>

#include "shell/window/tb-preview-timeline.h"

/* Running time in the middle half of all tracks, as a view computes it; 0 without an overview. */
static gint64
read_overview (TbTimelineFigure *figure)
{
  TbTimelineCoverage coverage;
  gint64 from, to, running = 0;

  tb_timeline_figure_get_range (figure, &from, &to);
  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (figure); i++)
    {
      tb_timeline_figure_get_coverage (figure, i, from + (to - from) / 4, to - (to - from) / 4,
                                       &coverage);
      running += coverage.ns[TB_PAINT_RUNNING];
    }
  return running;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = argc == 2 ? g_file_new_for_commandline_arg (argv[1]) : NULL;
  gint64 start = g_get_monotonic_time (), picture, done, running = 0;
  g_autoptr (TbSession) session = file ? tb_session_open (file, NULL, &error) : NULL;
  g_autoptr (TbTimelineFigure) figure = session ? tb_preview_timeline_new (session) : NULL;
  g_autoptr (TbTrace) trace = NULL;

  if (figure != NULL)
    running = read_overview (figure);
  picture = g_get_monotonic_time ();
  trace = session ? tb_trace_new (session, NULL, NULL, NULL, &error) : NULL;
  done = g_get_monotonic_time ();
  if (trace == NULL)
    {
      fprintf (stderr, "open-once: %s\n", error ? error->message : "usage: open-once SESSION");
      return 1;
    }
  if (figure == NULL)
    {
      figure = tb_preview_timeline_new (session);
      running = figure != NULL ? read_overview (figure) : 0;
      picture = g_get_monotonic_time ();
    }
  if (running == 0)
    {
      fprintf (stderr, "open-once: there is nothing to see\n");
      return 1;
    }
  printf ("picture %.6f tracks %u trace %.6f intervals %zu\n", (picture - start) / 1e6,
          tb_timeline_figure_get_n_tracks (figure), (done - start) / 1e6,
          tb_trace_get_intervals (trace)->n);
  return 0;
}
