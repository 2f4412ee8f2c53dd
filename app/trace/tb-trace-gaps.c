/* tb-trace-gaps.c: time ranges in which events were lost, merged by CPU; search for the first loss
 * in a range of time, on one CPU or any
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-gaps-private.h"

/* Merges gaps that touch. The gaps are sorted by start. */
static guint
join_gaps (TbGap *gaps, guint n)
{
  guint m = 0;

  for (guint i = 0; i < n; i++)
    {
      if (m > 0 && gaps[i].from <= gaps[m - 1].to)
        gaps[m - 1].to = MAX (gaps[m - 1].to, gaps[i].to);
      else
        gaps[m++] = gaps[i];
    }
  return m;
}

/* The first gap that ends after from and starts before to. */
static gint64
find_gap (const TbGap *gaps, guint n, gint64 from, gint64 to)
{
  guint low = 0, high = n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (gaps[middle].to > from)
        high = middle;
      else
        low = middle + 1;
    }
  if (low == n || gaps[low].from >= to)
    return -1;
  return MAX (gaps[low].from, from);
}

void
tb_gaps_init (TbGaps *gaps, const TbLostColumns *losses, guint n_cpus, gint64 from, gint64 to)
{
  g_autofree guint32 *order = NULL;
  g_autofree guint32 *cpus = g_new (guint32, MAX (losses->n, 1));
  g_autofree guint32 *by_cpu = NULL;
  TbGap *sorted;
  gsize n;

  *gaps = (TbGaps) { .n_cpus = n_cpus };
  order = tb_time_order (losses->from, losses->n, &n);
  sorted = g_new (TbGap, MAX (n, 1));
  gaps->unknown_cpu = g_new (TbGap, MAX (n, 1));
  gaps->cpu_gaps = g_new (TbGap, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    {
      guint32 row = order[i];
      TbGap gap = { CLAMP (losses->from[row], from, to), CLAMP (losses->to[row], from, to) };

      /* A loss at a single instant also needs a gap that is not empty. */
      gap.to = MAX (gap.to, gap.from + 1);
      sorted[i] = gap;
      cpus[i] = losses->cpu[row];
      if (losses->cpu[row] >= n_cpus)
        gaps->unknown_cpu[gaps->n_unknown_cpu++] = gap;
      if (gaps->n_events + losses->count[row] >= gaps->n_events)
        gaps->n_events += losses->count[row];
    }

  by_cpu = tb_group_order (cpus, n, n_cpus, &gaps->cpu_first);
  gaps->cpu_count = g_new0 (guint32, MAX (n_cpus, 1));
  for (guint cpu = 0; cpu < n_cpus; cpu++)
    {
      guint32 first = gaps->cpu_first[cpu];
      guint32 end = gaps->cpu_first[cpu + 1];

      for (guint32 i = first; i < end; i++)
        gaps->cpu_gaps[i] = sorted[by_cpu[i]];
      gaps->cpu_count[cpu] = join_gaps (gaps->cpu_gaps + first, end - first);
    }
  gaps->n_unknown_cpu = join_gaps (gaps->unknown_cpu, gaps->n_unknown_cpu);
  gaps->n_any = join_gaps (sorted, n);
  gaps->any = sorted;
}

void
tb_gaps_clear (TbGaps *gaps)
{
  g_clear_pointer (&gaps->any, g_free);
  g_clear_pointer (&gaps->unknown_cpu, g_free);
  g_clear_pointer (&gaps->cpu_first, g_free);
  g_clear_pointer (&gaps->cpu_count, g_free);
  g_clear_pointer (&gaps->cpu_gaps, g_free);
}

gint64
tb_gaps_get_length (const TbGaps *gaps)
{
  gint64 length = 0;

  for (guint i = 0; i < gaps->n_any; i++)
    length += gaps->any[i].to - gaps->any[i].from;
  return length;
}

gint64
tb_gaps_find_any (const TbGaps *gaps, gint64 from, gint64 to)
{
  if (gaps->n_any == 0)
    return -1;
  return find_gap (gaps->any, gaps->n_any, from, to);
}

gint64
tb_gaps_find_on_cpu (const TbGaps *gaps, guint16 cpu, gint64 from, gint64 to)
{
  gint64 here, unknown_cpu;

  if (gaps->n_any == 0)
    return -1;
  if (cpu >= gaps->n_cpus)
    return tb_gaps_find_any (gaps, from, to);
  here = find_gap (gaps->cpu_gaps + gaps->cpu_first[cpu], gaps->cpu_count[cpu], from, to);
  unknown_cpu = find_gap (gaps->unknown_cpu, gaps->n_unknown_cpu, from, to);
  if (here < 0 || unknown_cpu < 0)
    return MAX (here, unknown_cpu);
  return MIN (here, unknown_cpu);
}
