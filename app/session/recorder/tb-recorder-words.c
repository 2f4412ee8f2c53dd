/* tb-recorder-words.c: copies of arguments and call chains of events that wait to be recorded,
 * freed when the recorder has passed their times; an event with such copies
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "session/recorder/tb-recorder-private.h"
#include "session/recorder/tb-recorder-typed.h"

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

/* Missing arguments are 0, except those that a whole system call cannot be recorded without. */
static const guint64 *
copy_args (TbRecorder *self, const TbEvent *event, const guint64 *args, guint n_args)
{
  gboolean whole = event->kind == TB_EVENT_WHOLE_SYSCALL;
  guint64 *copy;

  if (n_args == 0 || (whole && n_args < TB_WHOLE_SYSCALL_WORDS))
    return NULL;
  copy = tb_recorder_keep_words (self, event->time, TB_WHOLE_SYSCALL_WORDS);
  memcpy (copy, args, sizeof *copy * MIN (n_args, TB_WHOLE_SYSCALL_WORDS));
  return copy;
}

/**
 * tb_recorder_add_copy:
 * @self: a recorder
 * @event: an event; its own call chain and arguments are not used
 * @chain: (array length=n_chain) (nullable): its call chain in the format of the kernel, innermost
 *   first; %NULL: it has a stack, or none
 * @n_chain: length of @chain, at most 4096
 * @args: (array length=n_args) (nullable): its arguments; of a whole system call six, the time of
 *   the entry and the result
 * @n_args: length of @args, at most %TB_WHOLE_SYSCALL_WORDS
 *
 * Adds an event of any kind as [method@Recorder.add] does, with copies of its arrays, for languages
 * that cannot set the arrays of [struct@Event].
 */
void
tb_recorder_add_copy (TbRecorder *self,
                      const TbEvent *event,
                      const guint64 *chain,
                      guint n_chain,
                      const guint64 *args,
                      guint n_args)
{
  TbEvent copy;

  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail (event != NULL);
  g_return_if_fail (n_chain <= TB_RECORDER_CHAIN_MAX && n_args <= TB_WHOLE_SYSCALL_WORDS);

  copy = *event;
  copy.chain = NULL;
  copy.n_chain = 0;
  copy.args = copy_args (self, event, args, n_args);
  if (n_chain > 0)
    {
      guint64 *kept = tb_recorder_keep_words (self, event->time, n_chain);

      memcpy (kept, chain, sizeof *kept * n_chain);
      copy.chain = kept;
      copy.n_chain = (guint16) n_chain;
    }
  tb_recorder_add (self, &copy);
}
