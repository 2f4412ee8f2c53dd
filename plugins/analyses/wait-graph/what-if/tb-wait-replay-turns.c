/* tb-wait-replay-turns.c: CPU occupancy: which thread had which CPU when
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "what-if/tb-wait-replay-turns.h"

static int
compare_turns (gconstpointer a, gconstpointer b)
{
  const TbReplayTurn *left = a, *right = b;

  if (left->cpu != right->cpu)
    return left->cpu < right->cpu ? -1 : 1;
  return left->start < right->start ? -1 : left->start > right->start;
}

void
tb_replay_turns_settle (GArray *turns)
{
  gint64 before = 0;

  g_array_sort (turns, compare_turns);
  for (guint i = 0; i < turns->len; i++)
    {
      TbReplayTurn *one = &g_array_index (turns, TbReplayTurn, i);

      one->before = before;
      before += one->end - one->start;
    }
}

/* The last interval that began by a time, on that CPU or one before it; NULL: none. */
static const TbReplayTurn *
find_last (const GArray *turns, guint16 cpu, gint64 time)
{
  TbReplayTurn wanted = { .cpu = cpu, .start = time };
  guint low = 0, high = turns->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_turns (&g_array_index (turns, TbReplayTurn, middle), &wanted) <= 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? &g_array_index (turns, TbReplayTurn, low - 1) : NULL;
}

/* The length of all intervals of the CPUs before, and of this one up to a time. */
static gint64
get_before (const GArray *turns, guint16 cpu, gint64 time)
{
  const TbReplayTurn *last = find_last (turns, cpu, time);

  if (last == NULL)
    return 0;
  if (last->cpu != cpu || time > last->end)
    return last->before + last->end - last->start;
  return last->before + time - last->start;
}

gint64
tb_replay_turns_get_time (const GArray *turns, guint16 cpu, gint64 start, gint64 end)
{
  return get_before (turns, cpu, end) - get_before (turns, cpu, start);
}

const TbReplayTurn *
tb_replay_turns_find_last (const GArray *turns, guint16 cpu, gint64 time)
{
  const TbReplayTurn *last = find_last (turns, cpu, time);

  return last != NULL && last->cpu == cpu ? last : NULL;
}
