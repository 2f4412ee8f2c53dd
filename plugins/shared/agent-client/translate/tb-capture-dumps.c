/* tb-capture-dumps.c: dumped user stacks, held with their events until the mappings of the process
 * are known, and then unwound (by TbUnwinder); warnings and facts about those that could not be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "symbols/tb-unwinder.h"
#include "tb-capture-dumps.h"

#define MAX_CHAIN 1024
/* Beyond these limits the held dumps are unwound with the mappings known by then. */
#define MAX_WORDS (64u << 17)
#define MAX_HELD (1u << 18)

typedef struct
{
  gint64 time;
  TbEvent event; /* event of a dump, or MAPPING, FORK, EXIT */
  TbEvent sleep; /* precedes the event; kind TB_N_EVENT_KINDS: none */
  guint64 registers;
  gsize first;   /* index of the first word of the dump */
  gsize n_words; /* 0: no dump */
  guint32 skipped;
  const char *path;
  const char *build_id;
} Held;

/* A dump whose event has not come yet. An interrupting event or records of other CPUs may come
 * between the two. */
typedef struct
{
  gint64 time;
  guint16 cpu;
  gint32 tid;
  guint64 registers;
  gsize first;
  gsize n_words;
  guint32 skipped;
} Open;

#define MAX_OPEN_OF_CPU 2
#define MAX_OPEN 4096

struct _TbCaptureDumps
{
  TbRecorder *recorder;
  TbCaptureArena *arena;
  TbUnwinder *unwinder;
  GArray *held; /* Held, in order of arrival */
  GArray *words;
  GArray *open; /* Open, in order of arrival */
  guint64 n_failed[TB_CAPTURE_N_DUMP_REASONS];
  guint64 n_unmatched; /* dumps without an event */
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
  self->open = g_array_new (FALSE, FALSE, sizeof (Open));
  return self;
}

void
tb_capture_dumps_free (TbCaptureDumps *self)
{
  g_object_unref (self->unwinder);
  g_array_unref (self->held);
  g_array_unref (self->words);
  g_array_unref (self->open);
  g_free (self);
}

/* An event comes soon after its dump. If too many dumps of a CPU are waiting, the oldest has no
 * event. */
static void
drop_oldest (TbCaptureDumps *self, guint16 cpu)
{
  guint oldest = 0, n = 0;

  for (guint i = self->open->len; i > 0; i--)
    if (g_array_index (self->open, Open, i - 1).cpu == cpu)
      {
        oldest = i - 1;
        n++;
      }
  if (n < MAX_OPEN_OF_CPU && self->open->len < MAX_OPEN)
    return;
  g_array_remove_index (self->open, n < MAX_OPEN_OF_CPU ? 0 : oldest);
  self->n_unmatched++;
}

static void keep_later (TbCaptureDumps *self, guint n_done);

static void
make_words_room (TbCaptureDumps *self, gsize n_words)
{
  gsize n_open = 0;

  if (self->words->len + n_words <= MAX_WORDS)
    return;
  tb_capture_dumps_advance (self, G_MAXINT64);
  for (guint i = self->open->len; i > 0; i--)
    {
      n_open += g_array_index (self->open, Open, i - 1).n_words;
      if (n_open + n_words <= MAX_WORDS)
        continue;
      self->n_unmatched += i;
      g_array_remove_range (self->open, 0, i);
      break;
    }
  keep_later (self, 0);
}

void
tb_capture_dumps_take (TbCaptureDumps *self, const TbCaptureRecord *record)
{
  Open open = { (gint64) record->time, record->cpu, record->dump.tid, record->dump.registers };

  self->n_failed[MIN (record->flags, TB_CAPTURE_N_DUMP_REASONS - 1)] += record->dump.n_failed;
  if (record->dump.registers == 0)
    return;
  drop_oldest (self, record->cpu);
  open.n_words = record->tail_length / sizeof (guint64);
  open.skipped = record->dump.skipped;
  make_words_room (self, open.n_words);
  open.first = self->words->len;
  g_array_append_vals (self->words, record->tail, open.n_words);
  g_array_append_val (self->open, open);
}

static gboolean
is_dump_of (const Open *open, const TbEvent *event)
{
  return event->time == open->time && event->cpu == open->cpu && event->tid == open->tid;
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

  const Open *open = NULL;
  guint i;

  for (i = self->open->len; i > 0 && open == NULL; i--)
    if (is_dump_of (&g_array_index (self->open, Open, i - 1), event))
      open = &g_array_index (self->open, Open, i - 1);
  if (open == NULL)
    return FALSE;
  make_room (self);
  if (sleep != NULL)
    held.sleep = *sleep;
  held.registers = open->registers;
  held.first = open->first;
  held.n_words = open->n_words;
  held.skipped = open->skipped;
  g_array_remove_index (self->open, i);
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
                       (held->n_words - n_registers) * sizeof *words, held->skipped };
  guint64 joined[MAX_CHAIN];
  TbEvent *event = &held->event;

  n = tb_unwinder_unwind_chain (self->unwinder, event->pid, &dump, event->chain, event->n_chain,
                                joined, MAX_CHAIN);
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
                               held->build_id, NULL);
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

/* Moves the words of dumps that are still held, or are waiting for their events, to the
 * beginning. */
static void
keep_later (TbCaptureDumps *self, guint n_done)
{
  GArray *words = g_array_new (FALSE, FALSE, sizeof (guint64));

  g_array_remove_range (self->held, 0, n_done);
  for (guint i = 0; i < self->held->len; i++)
    {
      Held *held = &g_array_index (self->held, Held, i);
      gsize first = words->len;

      if (held->n_words > 0)
        g_array_append_vals (words, &g_array_index (self->words, guint64, held->first),
                             held->n_words);
      held->first = first;
    }
  for (guint i = 0; i < self->open->len; i++)
    {
      Open *open = &g_array_index (self->open, Open, i);
      gsize first = words->len;

      g_array_append_vals (words, &g_array_index (self->words, guint64, open->first),
                           open->n_words);
      open->first = first;
    }
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

/* Each reason has a warning of its own, because the remedies differ. */
static void
warn_of_undone (TbCaptureDumps *self)
{
  guint64 n;

  if ((n = self->n_failed[TB_CAPTURE_DUMP_NO_ROOM]) > 0)
    tb_recorder_add_warning (
        self->recorder,
        ngettext ("%" PRIu64 " user stack was not dumped because the buffer was half full: it was "
                  "walked by frame pointers. Record with a larger buffer or smaller dumps.",
                  "%" PRIu64 " user stacks were not dumped because the buffer was half full: they "
                  "were walked by frame pointers. Record with a larger buffer or smaller dumps.",
                  n),
        n);
  if ((n = self->n_failed[TB_CAPTURE_DUMP_UNREADABLE]) > 0)
    tb_recorder_add_warning (
        self->recorder,
        ngettext ("%" PRIu64 " user stack was not dumped because its memory could not be read, for "
                  "example because it was swapped out: it was walked by frame pointers.",
                  "%" PRIu64 " user stacks were not dumped because their memory could not be read, "
                  "for example because it was swapped out: they were walked by frame pointers.",
                  n),
        n);
  if ((n = self->n_failed[TB_CAPTURE_DUMP_FOREIGN]) > 0)
    tb_recorder_add_warning (
        self->recorder,
        ngettext ("%" PRIu64 " user stack was not dumped because its program is not a 64-bit "
                  "program: it was walked by frame pointers.",
                  "%" PRIu64 " user stacks were not dumped because their programs are not 64-bit "
                  "programs: they were walked by frame pointers.",
                  n),
        n);
  if ((n = self->n_unmatched) > 0)
    tb_recorder_add_warning (
        self->recorder,
        ngettext ("%" PRIu64 " dump of a user stack belongs to no recorded stack.",
                  "%" PRIu64 " dumps of user stacks belong to no recorded stacks.", n),
        n);
}

static void
set_fact (TbCaptureDumps *self, const char *key, guint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, number);

  tb_recorder_set_fact (self->recorder, key, text);
}

void
tb_capture_dumps_report (TbCaptureDumps *self)
{
  guint64 n_failed = 0;

  self->n_unmatched += self->open->len;
  g_array_set_size (self->open, 0);
  tb_capture_dumps_advance (self, G_MAXINT64);
  for (guint i = 0; i < TB_CAPTURE_N_DUMP_REASONS; i++)
    n_failed += self->n_failed[i];
  tb_unwinder_report (self->unwinder, self->recorder, n_failed + self->n_unmatched);
  set_fact (self, "stack-dumps-crowded", self->n_failed[TB_CAPTURE_DUMP_NO_ROOM]);
  set_fact (self, "stack-dumps-unreadable", self->n_failed[TB_CAPTURE_DUMP_UNREADABLE]);
  set_fact (self, "stack-dumps-foreign", self->n_failed[TB_CAPTURE_DUMP_FOREIGN]);
  set_fact (self, "stack-dumps-unmatched", self->n_unmatched);
  warn_of_undone (self);
}
