/* tb-wait-replay-heap.h: what comes next in a replay
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  double key;
  guint64 order; /* of equal keys what was known first comes first */
  guint32 what;
  guint32 turn;
} TbReplayEntry;

/* heap: TbReplayEntry, the first of them at 0. O(log n). */
void tb_replay_heap_push (GArray *heap, TbReplayEntry entry);
TbReplayEntry tb_replay_heap_pop (GArray *heap);

G_END_DECLS
