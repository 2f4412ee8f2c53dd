/* tb-capture-arena.c: memory that keeps call chains and arguments of events translated from the
 * capture stream until the recorder has recorded these events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-capture-arena.h"

#define BLOCK_WORDS 32768

typedef struct
{
  gint64 last; /* latest time at which it is needed */
  gsize n;
  guint64 words[BLOCK_WORDS];
} Block;

struct _TbCaptureArena
{
  GQueue blocks; /* the last one is being filled */
  Block *spare;
};

TbCaptureArena *
tb_capture_arena_new (void)
{
  return g_new0 (TbCaptureArena, 1);
}

void
tb_capture_arena_free (TbCaptureArena *self)
{
  g_queue_clear_full (&self->blocks, g_free);
  g_free (self->spare);
  g_free (self);
}

const guint64 *
tb_capture_arena_copy (TbCaptureArena *self, const guint64 *words, gsize n, gint64 time)
{
  Block *block = g_queue_peek_tail (&self->blocks);
  guint64 *copy;

  g_assert (n <= BLOCK_WORDS);
  if (block == NULL || BLOCK_WORDS - block->n < n)
    {
      block = self->spare != NULL ? g_steal_pointer (&self->spare) : g_new (Block, 1);
      block->n = 0;
      block->last = 0;
      g_queue_push_tail (&self->blocks, block);
    }
  copy = block->words + block->n;
  memcpy (copy, words, n * sizeof *words);
  block->n += n;
  block->last = MAX (block->last, time);
  return copy;
}

void
tb_capture_arena_retire (TbCaptureArena *self, gint64 time)
{
  for (GList *link = self->blocks.head; link != NULL; link = link->next)
    {
      Block *block = link->data;

      /* Later copies may have to stay, so they must not share a block with those that are
       * released. */
      block->n = BLOCK_WORDS;
      if (block->last == G_MAXINT64)
        block->last = time;
    }
}

void
tb_capture_arena_release (TbCaptureArena *self, gint64 time)
{
  for (GList *link = self->blocks.head, *next; link != NULL; link = next)
    {
      Block *block = link->data;

      next = link->next;
      if (block->last >= time)
        continue;
      g_queue_delete_link (&self->blocks, link);
      if (self->spare == NULL)
        self->spare = block;
      else
        g_free (block);
    }
}
