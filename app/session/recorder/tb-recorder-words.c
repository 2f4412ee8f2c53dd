/* tb-recorder-words.c: copies of arguments and call chains of events that wait to be recorded,
 * freed when the recorder has passed their times
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"

#define BLOCK_WORDS 8192u

typedef struct
{
  gint64 latest; /* of the events whose words are here */
  guint n;
  guint64 words[BLOCK_WORDS];
} TbWordBlock;

/* Returns n words, which are 0, for an event at a time. n is at most BLOCK_WORDS. */
guint64 *
tb_recorder_keep_words (TbRecorder *self, gint64 time, guint n)
{
  GQueue *blocks = &self->typed.blocks;
  TbWordBlock *block = g_queue_peek_tail (blocks);
  guint64 *words;

  if (block == NULL || block->n + n > BLOCK_WORDS)
    {
      block = g_new0 (TbWordBlock, 1);
      block->latest = time;
      g_queue_push_tail (blocks, block);
    }
  words = &block->words[block->n];
  block->n += n;
  block->latest = MAX (block->latest, time);
  return words;
}

/* Frees the words of events before a time. Those of later ones keep the blocks after them, too. */
void
tb_recorder_free_words (TbRecorder *self, gint64 time)
{
  TbWordBlock *block;

  while ((block = g_queue_peek_head (&self->typed.blocks)) != NULL && block->latest < time)
    g_free (g_queue_pop_head (&self->typed.blocks));
}
