/* tb-perf-arena.h: memory for what events point to, until the recorder has passed their time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TbPerfArenaBlock TbPerfArenaBlock;

/* Blocks in the order they were filled; those whose times have passed are used again. */
typedef struct
{
  TbPerfArenaBlock *first;
  TbPerfArenaBlock *last;
  TbPerfArenaBlock *spare;
} TbPerfArena;

/* Room for n values that event at this time points to. n is at most 65535. */
guint64 *tb_perf_arena_take (TbPerfArena *self, gsize n, gint64 time);
/* Nothing before this time is needed any more. */
void tb_perf_arena_pass (TbPerfArena *self, gint64 time);
void tb_perf_arena_clear (TbPerfArena *self);

G_END_DECLS
