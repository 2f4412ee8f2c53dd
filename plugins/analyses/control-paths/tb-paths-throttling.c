/* tb-paths-throttling.c: time in which a thread could have run on an idle CPU and did not, because
 * its CPU time is limited
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel leaves no CPU idle while a thread that it took from there could run. It does so only
 * with threads whose control group has used up its quota (cpu.max), until the next period begins.
 */

#include "config.h"

#include "tb-paths-throttling.h"
#include "trace/tb-track.h"

/* A CPU that is idle for less may be about to switch. */
#define MIN_IDLE G_GINT64_CONSTANT (1000000)

gsize
tb_paths_find_cpu_run (const gint64 *end, gsize n, gint64 time)
{
  gsize low = 0, high = n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (end[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

gint64
tb_paths_get_throttled (const TbPathsModel *model, guint32 row, gint64 from, gint64 to)
{
  const TbIntervals *rows = model->rows;
  const TbTrack *track;
  const gint64 *start, *end;
  gint64 idle = 0;

  if (model->trace == NULL || rows->state[row] != TB_STATE_RUNNABLE
      || !(rows->flags[row] & TB_INTERVAL_PREEMPTED) || rows->flags[row] & TB_INTERVAL_UNCERTAIN
      || rows->cpu[row] == TB_CPU_ALL || to - from < MIN_IDLE)
    return 0;
  track = tb_trace_get_cpu_track (model->trace, rows->cpu[row]);
  if (track->n == 0)
    return 0;
  start = g_bytes_get_data (track->start, NULL);
  end = g_bytes_get_data (track->end, NULL);
  for (gsize run = tb_paths_find_cpu_run (end, track->n, from); from < to; run++)
    {
      gint64 next = run < track->n ? MIN (start[run], to) : to;

      if (next - from >= MIN_IDLE)
        idle += next - from;
      from = run < track->n ? MAX (from, end[run]) : to;
    }
  return idle;
}
