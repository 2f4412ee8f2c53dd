/* tb-perf-arena.c: memory for the call chains and texts of events until the recorder has advanced
 * past their time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-arena.h"

#define BLOCK_VALUES 65536u

struct _TbPerfArenaBlock
{
  TbPerfArenaBlock *next;
  gint64 latest;
  gsize n;
  guint64 values[BLOCK_VALUES];
};

static TbPerfArenaBlock *
new_block (TbPerfArena *self)
{
  TbPerfArenaBlock *block = self->spare;

  if (block != NULL)
    self->spare = block->next;
  else
    block = g_malloc (sizeof *block);
  block->next = NULL;
  block->n = 0;
  block->latest = G_MININT64;
  if (self->last != NULL)
    self->last->next = block;
  else
    self->first = block;
  self->last = block;
  return block;
}

guint64 *
tb_perf_arena_take (TbPerfArena *self, gsize n, gint64 time)
{
  TbPerfArenaBlock *block = self->last;
  guint64 *values;

  g_assert (n <= BLOCK_VALUES);
  if (block == NULL || BLOCK_VALUES - block->n < n)
    block = new_block (self);
  values = block->values + block->n;
  block->n += n;
  block->latest = MAX (block->latest, time);
  return values;
}

void
tb_perf_arena_advance (TbPerfArena *self, gint64 time)
{
  while (self->first != NULL && self->first->latest < time)
    {
      TbPerfArenaBlock *block = self->first;

      self->first = block->next;
      if (self->first == NULL)
        self->last = NULL;
      if (self->spare == NULL)
        {
          block->next = NULL;
          self->spare = block;
        }
      else
        g_free (block);
    }
}

void
tb_perf_arena_clear (TbPerfArena *self)
{
  tb_perf_arena_advance (self, G_MAXINT64);
  g_clear_pointer (&self->spare, g_free);
}
