/* tb-wait-replay-cpu-occupancy.c: index of given intervals in which threads had CPUs: how long a
 * CPU was occupied in a time range, and which interval of a CPU was the last by a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-replay-cpu-occupancy.h"

static int
compare_occupancy (gconstpointer a, gconstpointer b)
{
  const TbReplayCpuOccupancy *left = a, *right = b;

  if (left->cpu != right->cpu)
    return left->cpu < right->cpu ? -1 : 1;
  return left->start < right->start ? -1 : left->start > right->start;
}

void
tb_replay_cpu_occupancy_index (GArray *occupancy)
{
  gint64 before = 0;

  g_array_sort (occupancy, compare_occupancy);
  for (guint i = 0; i < occupancy->len; i++)
    {
      TbReplayCpuOccupancy *one = &g_array_index (occupancy, TbReplayCpuOccupancy, i);

      one->before = before;
      before += one->end - one->start;
    }
}

/* The last interval that began by a time, on that CPU or one before it; NULL: none. */
static const TbReplayCpuOccupancy *
find_last (const GArray *occupancy, guint16 cpu, gint64 time)
{
  TbReplayCpuOccupancy wanted = { .cpu = cpu, .start = time };
  guint low = 0, high = occupancy->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_occupancy (&g_array_index (occupancy, TbReplayCpuOccupancy, middle), &wanted)
          <= 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? &g_array_index (occupancy, TbReplayCpuOccupancy, low - 1) : NULL;
}

/* The length of all intervals of the CPUs before, and of this one up to a time. */
static gint64
get_before (const GArray *occupancy, guint16 cpu, gint64 time)
{
  const TbReplayCpuOccupancy *last = find_last (occupancy, cpu, time);

  if (last == NULL)
    return 0;
  if (last->cpu != cpu || time > last->end)
    return last->before + last->end - last->start;
  return last->before + time - last->start;
}

gint64
tb_replay_cpu_occupancy_get_time (const GArray *occupancy, guint16 cpu, gint64 start, gint64 end)
{
  return get_before (occupancy, cpu, end) - get_before (occupancy, cpu, start);
}

const TbReplayCpuOccupancy *
tb_replay_cpu_occupancy_find_last (const GArray *occupancy, guint16 cpu, gint64 time)
{
  const TbReplayCpuOccupancy *last = find_last (occupancy, cpu, time);

  return last != NULL && last->cpu == cpu ? last : NULL;
}
