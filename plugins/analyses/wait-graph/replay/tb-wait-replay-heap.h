/* tb-wait-replay-heap.h: priority queue of a replay's events, as a binary heap in an array
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  double key;
  guint64 order; /* of equal keys, the entry with the lower order comes first */
  guint32 what;
  guint32 tag; /* a value that belongs to the entry, as the heap's user needs it */
} TbReplayEntry;

/* heap: TbReplayEntry elements; the smallest is element 0. O(log n). */
void tb_replay_heap_push (GArray *heap, TbReplayEntry entry);
TbReplayEntry tb_replay_heap_pop (GArray *heap);

G_END_DECLS
