/* tb-wait-replay-heap.c: priority queue of a replay's events, as a binary heap in an array
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-replay-heap.h"

static inline gboolean
is_before (const TbReplayEntry *a, const TbReplayEntry *b)
{
  return a->key < b->key || (a->key == b->key && a->order < b->order);
}

void
tb_replay_heap_push (GArray *heap, TbReplayEntry entry)
{
  guint i = heap->len;
  TbReplayEntry *entries;

  g_array_append_val (heap, entry);
  entries = (TbReplayEntry *) (gpointer) heap->data;
  while (i > 0 && is_before (&entry, &entries[(i - 1) / 2]))
    {
      entries[i] = entries[(i - 1) / 2];
      i = (i - 1) / 2;
    }
  entries[i] = entry;
}

TbReplayEntry
tb_replay_heap_pop (GArray *heap)
{
  TbReplayEntry *entries = (TbReplayEntry *) (gpointer) heap->data;
  TbReplayEntry top = entries[0], last = entries[heap->len - 1];
  guint n = heap->len - 1, i = 0;

  g_array_set_size (heap, n);
  for (guint child = 1; child < n; child = 2 * i + 1)
    {
      child += child + 1 < n && is_before (&entries[child + 1], &entries[child]);
      if (!is_before (&entries[child], &last))
        break;
      entries[i] = entries[child];
      i = child;
    }
  if (n > 0)
    entries[i] = last;
  return top;
}
