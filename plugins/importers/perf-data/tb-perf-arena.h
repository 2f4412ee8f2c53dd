/* tb-perf-arena.h: memory for the call chains and texts of events until the recorder has advanced
 * past their time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TbPerfArenaBlock TbPerfArenaBlock;

/* Memory blocks in the order in which they were filled. A block is reused once its time has
 * passed. */
typedef struct
{
  TbPerfArenaBlock *first;
  TbPerfArenaBlock *last;
  TbPerfArenaBlock *spare;
} TbPerfArena;

/* Returns memory for n values of an event at this time. n is at most 65535. */
guint64 *tb_perf_arena_take (TbPerfArena *self, gsize n, gint64 time);
/* Memory of events before this time is no longer needed. */
void tb_perf_arena_advance (TbPerfArena *self, gint64 time);
void tb_perf_arena_clear (TbPerfArena *self);

G_END_DECLS
