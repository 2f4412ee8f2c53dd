/* tb-capture-dumps.c: dumped user stacks, unwound when it is known what was mapped
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "symbols/tb-unwinder.h"
#include "tb-capture-dumps.h"

#define MAX_CHAIN 1024
/* Beyond it what is held is unwound with what is known. */
#define MAX_WORDS (64u << 17)
#define MAX_HELD (1u << 18)

typedef struct
{
  gint64 time;
  TbEvent event; /* of a dump, or MAPPING, FORK, EXIT */
  TbEvent sleep; /* before it; of kind TB_N_EVENT_KINDS: none */
  guint64 registers;
  gsize first;   /* word of the dump */
  gsize n_words; /* 0: no dump */
  const char *path;
  const char *build_id;
} Held;

struct _TbCaptureDumps
{
  TbRecorder *recorder;
  TbCaptureArena *arena;
  TbUnwinder *unwinder;
  GArray *held; /* Held, as they came */
  GArray *words;
  guint64 n_undone;

  /* The dump that was taken last; its words are the last ones. */
  gboolean is_open;
  gint64 time;
  guint16 cpu;
  gint32 tid;
  guint64 registers;
  gsize first;
};

TbCaptureDumps *
tb_capture_dumps_new (TbRecorder *recorder, TbCaptureArena *arena, const char *machine)
{
  gboolean is_x86 = strcmp (machine, "x86_64") == 0;
  TbCaptureDumps *self;

  if (!is_x86 && strcmp (machine, "aarch64") != 0)
    return NULL;
  self = g_new0 (TbCaptureDumps, 1);
  self->recorder = recorder;
  self->arena = arena;
  self->unwinder = tb_unwinder_new (is_x86 ? TB_MACHINE_X86_64 : TB_MACHINE_AARCH64);
  self->held = g_array_new (FALSE, FALSE, sizeof (Held));
  self->words = g_array_new (FALSE, FALSE, sizeof (guint64));
  return self;
}

void
tb_capture_dumps_free (TbCaptureDumps *self)
{
  g_object_unref (self->unwinder);
  g_array_unref (self->held);
  g_array_unref (self->words);
  g_free (self);
}

/* A dump whose event did not come belongs to nothing. */
static void
drop_open (TbCaptureDumps *self)
{
  if (!self->is_open)
    return;
  self->is_open = FALSE;
  self->n_undone++;
  g_array_set_size (self->words, self->first);
}

void
tb_capture_dumps_take (TbCaptureDumps *self, const TbCaptureRecord *record)
{
  drop_open (self);
  self->n_undone += record->dump.undone;
  if (record->dump.registers == 0)
    return;
  if (self->words->len + record->tail_length / sizeof (guint64) > MAX_WORDS)
    tb_capture_dumps_advance (self, G_MAXINT64);
  self->is_open = TRUE;
  self->time = (gint64) record->time;
  self->cpu = record->cpu;
  self->tid = record->dump.tid;
  self->registers = record->dump.registers;
  self->first = self->words->len;
  g_array_append_vals (self->words, record->tail, record->tail_length / sizeof (guint64));
}

static void
make_room (TbCaptureDumps *self)
{
  if (self->held->len >= MAX_HELD)
    tb_capture_dumps_advance (self, G_MAXINT64);
}

gboolean
tb_capture_dumps_hold (TbCaptureDumps *self, const TbEvent *event, const TbEvent *sleep)
{
  Held held = { .time = event->time, .event = *event, .sleep.kind = TB_N_EVENT_KINDS };

  if (!self->is_open || event->time != self->time || event->cpu != self->cpu || event->tid != self->tid)
    return FALSE;
  make_room (self);
  self->is_open = FALSE;
  if (sleep != NULL)
    held.sleep = *sleep;
  held.registers = self->registers;
  held.first = self->first;
  held.n_words = self->words->len - self->first;
  g_array_append_val (self->held, held);
  return TRUE;
}

void
tb_capture_dumps_note_mapping (TbCaptureDumps *self,
                               const TbEvent *event,
                               const char *path,
                               const char *build_id)
{
  Held held = { .time = event->time, .event = *event, .path = path, .build_id = build_id };

  make_room (self);
  g_array_append_val (self->held, held);
}

void
tb_capture_dumps_note_process (TbCaptureDumps *self, const TbEvent *event)
{
  Held held = { .time = event->time, .event = *event };

  make_room (self);
  g_array_append_val (self->held, held);
}

static void
unwind (TbCaptureDumps *self, Held *held)
{
  const guint64 *words = &g_array_index (self->words, guint64, held->first);
  guint n_registers = __builtin_popcountll (held->registers), n;
  TbStackDump dump = { held->registers, words, (const guint8 *) (words + n_registers),
                       (held->n_words - n_registers) * sizeof *words };
  guint64 joined[MAX_CHAIN];
  TbEvent *event = &held->event;

  n = tb_unwinder_unwind_chain (self->unwinder, event->pid, &dump, event->chain, event->n_chain, joined,
                                MAX_CHAIN);
  if (n == 0)
    return;
  event->chain = tb_capture_arena_copy (self->arena, joined, n, event->time);
  event->n_chain = n;
}

static void
apply (TbCaptureDumps *self, Held *held)
{
  const TbEvent *event = &held->event;

  switch (event->kind)
    {
    case TB_EVENT_MAPPING:
      tb_unwinder_add_mapping (self->unwinder, event->pid, event->a, event->b, event->c, held->path,
                               held->build_id);
      break;
    case TB_EVENT_FORK:
      if (event->b != (guint64) event->pid)
        tb_unwinder_fork_process (self->unwinder, event->pid, (gint32) event->b);
      break;
    case TB_EVENT_EXIT:
      if (event->tid == event->pid)
        tb_unwinder_clear_process (self->unwinder, event->pid);
      break;
    default:
      unwind (self, held);
      if (held->sleep.kind != TB_N_EVENT_KINDS)
        tb_recorder_add (self->recorder, &held->sleep);
      tb_recorder_add (self->recorder, event);
      break;
    }
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const Held *one = a, *two = b;

  return one->time < two->time ? -1 : one->time > two->time;
}

/* Those that are still held, and the last dump, move to the beginning. */
static void
keep_later (TbCaptureDumps *self, guint n_done)
{
  GArray *words = g_array_new (FALSE, FALSE, sizeof (guint64));
  gsize first;

  g_array_remove_range (self->held, 0, n_done);
  for (guint i = 0; i < self->held->len; i++)
    {
      Held *held = &g_array_index (self->held, Held, i);

      first = words->len;
      if (held->n_words > 0)
        g_array_append_vals (words, &g_array_index (self->words, guint64, held->first), held->n_words);
      held->first = first;
    }
  first = words->len;
  if (self->is_open)
    g_array_append_vals (words, &g_array_index (self->words, guint64, self->first),
                         self->words->len - self->first);
  self->first = first;
  g_array_unref (self->words);
  self->words = words;
}

void
tb_capture_dumps_advance (TbCaptureDumps *self, gint64 time)
{
  guint n = 0;

  if (self->held->len == 0)
    return;
  g_array_sort (self->held, compare_times);
  while (n < self->held->len && g_array_index (self->held, Held, n).time <= time)
    apply (self, &g_array_index (self->held, Held, n++));
  if (n > 0)
    keep_later (self, n);
}

void
tb_capture_dumps_tell (TbCaptureDumps *self)
{
  drop_open (self);
  tb_capture_dumps_advance (self, G_MAXINT64);
  tb_unwinder_tell (self->unwinder, self->recorder, self->n_undone);
}
