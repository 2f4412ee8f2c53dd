/* tb-events-csv-stacks.c: conversion of cells with a call stack as text (functions and modules)
 * into stack ids of the recorder, with a cache
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-events-csv-stacks.h"

#include <string.h>

/* Few different stacks occur in lines. A full cache is cleared. */
#define MAX_TEXT ((gsize) 32 << 20)
#define N_SLOTS (1u << 16)

typedef struct
{
  guint64 hash;
  gsize offset; /* of its text in texts */
  guint32 length;
  guint32 stack;
} Slot;

struct _TbEventsCsvStacks
{
  TbRecorder *recorder;
  Slot *slots;
  GString *texts;
  guint64 seed;
  GArray *frames; /* guint32 */
  GArray *flags;  /* guint8 */
  GString *function;
  GString *module;
};

TbEventsCsvStacks *
tb_events_csv_stacks_new (TbRecorder *recorder)
{
  TbEventsCsvStacks *self = g_new0 (TbEventsCsvStacks, 1);

  self->recorder = recorder;
  self->slots = g_new0 (Slot, N_SLOTS);
  self->texts = g_string_new (NULL);
  self->seed = (guint64) g_random_int () << 32 | g_random_int () | 1;
  self->frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->flags = g_array_new (FALSE, FALSE, sizeof (guint8));
  self->function = g_string_new (NULL);
  self->module = g_string_new (NULL);
  return self;
}

void
tb_events_csv_stacks_free (TbEventsCsvStacks *self)
{
  g_free (self->slots);
  g_string_free (self->texts, TRUE);
  g_array_unref (self->frames);
  g_array_unref (self->flags);
  g_string_free (self->function, TRUE);
  g_string_free (self->module, TRUE);
  g_free (self);
}

/* Parses `function` or `function@module`. Symbol versions contain an @ too, so the last one is the
 * separator. */
static gboolean
add_frame (TbEventsCsvStacks *self, const char *text, gsize length)
{
  const char *at = memrchr (text, '@', length);
  gsize function_length = at != NULL ? (gsize) (at - text) : length;
  gboolean kernel;
  guint32 frame;
  guint8 flags;

  if (function_length == 0)
    return FALSE;
  g_string_truncate (self->function, 0);
  g_string_append_len (self->function, text, function_length);
  g_string_truncate (self->module, 0);
  if (at != NULL)
    g_string_append_len (self->module, at + 1, length - function_length - 1);
  kernel = strcmp (self->module->str, "[kernel]") == 0;
  frame = tb_recorder_intern_named_frame (self->recorder, self->function->str, self->module->str,
                                          kernel);
  flags = kernel ? TB_STACK_KERNEL : 0;
  g_array_append_val (self->frames, frame);
  g_array_append_val (self->flags, flags);
  return TRUE;
}

/* Skips the mark in place of the outermost functions of a stack that could not be unwound to its
 * start, or was cut at the longest length recorded. Returns its flag. */
static guint8
skip_mark (const char **text, const char *end)
{
  static const struct
  {
    const char *text;
    guint8 flag;
  } marks[] = { { "[broken];", TB_STACK_BROKEN }, { "[cut];", TB_STACK_CUT } };

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    {
      gsize length = strlen (marks[i].text);

      if ((gsize) (end - *text) > length && memcmp (*text, marks[i].text, length) == 0)
        {
          *text += length;
          return marks[i].flag;
        }
    }
  return 0;
}

static gboolean
read_stack (TbEventsCsvStacks *self, const TbCsvCell *cell, guint32 *stack)
{
  const char *text = cell->text;
  const char *end = text + cell->length;
  guint8 mark = skip_mark (&text, end);

  g_array_set_size (self->frames, 0);
  g_array_set_size (self->flags, 0);
  for (;;)
    {
      const char *separator = memchr (text, ';', end - text);
      const char *frame_end = separator != NULL ? separator : end;

      if (!add_frame (self, text, frame_end - text))
        return FALSE;
      if (separator == NULL)
        break;
      text = separator + 1;
    }
  g_array_index (self->flags, guint8, 0) |= mark;
  *stack = tb_recorder_intern_stack (self->recorder, (const guint32 *) self->frames->data,
                                     (const guint8 *) self->flags->data, self->frames->len);
  return TRUE;
}

static guint64
hash_text (const TbEventsCsvStacks *self, const char *text, gsize length)
{
  guint64 hash = self->seed ^ length;

  for (; length >= 8; length -= 8, text += 8)
    {
      guint64 word;

      memcpy (&word, text, 8);
      hash = (hash ^ word) * 0x9fb21c651e98df25u;
      hash ^= hash >> 32;
    }
  for (; length > 0; length--, text++)
    hash = (hash ^ (guint8) *text) * 0x100000001b3u;
  hash *= 0x9fb21c651e98df25u;
  return hash ^ hash >> 29;
}

gboolean
tb_events_csv_stacks_intern (TbEventsCsvStacks *self, const TbCsvCell *cell, guint32 *stack)
{
  guint64 hash = hash_text (self, cell->text, cell->length);
  Slot *slot = &self->slots[hash & (N_SLOTS - 1)];

  /* One slot per hash: a newer stack replaces the older one, so memory and time are bounded for any
   * input. */
  if (slot->length == cell->length && slot->hash == hash && cell->length > 0
      && memcmp (self->texts->str + slot->offset, cell->text, cell->length) == 0)
    {
      *stack = slot->stack;
      return TRUE;
    }
  if (!read_stack (self, cell, stack))
    return FALSE;
  if (self->texts->len + cell->length > MAX_TEXT)
    {
      g_string_truncate (self->texts, 0);
      memset (self->slots, 0, sizeof (Slot) * N_SLOTS);
    }
  *slot = (Slot) { hash, self->texts->len, cell->length, *stack };
  g_string_append_len (self->texts, cell->text, cell->length);
  return TRUE;
}
