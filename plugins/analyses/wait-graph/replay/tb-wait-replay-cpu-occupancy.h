/* tb-wait-replay-cpu-occupancy.h: index of given intervals in which threads had CPUs: how long a
 * CPU was occupied in a time range, and which interval of a CPU was the last by a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* An interval in which a thread had a CPU, in ns. */
typedef struct
{
  guint16 cpu;
  gint64 start;
  gint64 end;
  gint64 before; /* length of all earlier intervals, of all CPUs */
  gsize row;     /* interval of the thread in the trace */
} TbReplayCpuOccupancy;

/* Sorts the intervals and sums them up. occupancy: TbReplayCpuOccupancy elements in any order; no
 * two of one CPU overlap. */
void tb_replay_cpu_occupancy_index (GArray *occupancy);
/* How much of a range the CPU was occupied. To be called after tb_replay_cpu_occupancy_index().
 * O(log n). */
gint64
tb_replay_cpu_occupancy_get_time (const GArray *occupancy, guint16 cpu, gint64 start, gint64 end);
/* The interval of a CPU at a time, else the last one before; NULL: none yet. To be called after
 * tb_replay_cpu_occupancy_index(). O(log n). */
const TbReplayCpuOccupancy *
tb_replay_cpu_occupancy_find_last (const GArray *occupancy, guint16 cpu, gint64 time);

G_END_DECLS
