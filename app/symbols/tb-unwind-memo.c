/* tb-unwind-memo.c: cache of the unwound user stacks of a process: an earlier result is found again
 * for a dump with equal registers and with equal words in all places of the stack that unwinding
 * read
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "symbols/tb-unwind-memo-private.h"

#define N_SLOTS 256u

typedef struct
{
  guint64 offset;
  guint64 value;
} Read;

typedef struct
{
  guint64 mask; /* 0: empty */
  guint64 *registers;
  gsize stack_size;
  gsize skipped;
  Read *reads;
  guint n_reads;
  guint64 *addresses;
  guint n_addresses;
  gboolean complete;
  gboolean unverified; /* with a file that is unverified */
} Walk;

struct _TbUnwindMemo
{
  Walk *walks;   /* N_SLOTS entries by hash of the registers; NULL before the first */
  GArray *reads; /* words read by the current unwinding */
};

TbUnwindMemo *
tb_unwind_memo_new (void)
{
  return g_new0 (TbUnwindMemo, 1);
}

static void
walk_clear (Walk *walk)
{
  g_free (walk->registers);
  g_free (walk->reads);
  g_free (walk->addresses);
  memset (walk, 0, sizeof *walk);
}

void
tb_unwind_memo_clear (TbUnwindMemo *self)
{
  for (guint i = 0; self->walks != NULL && i < N_SLOTS; i++)
    walk_clear (&self->walks[i]);
  g_clear_pointer (&self->walks, g_free);
}

void
tb_unwind_memo_free (TbUnwindMemo *self)
{
  tb_unwind_memo_clear (self);
  g_clear_pointer (&self->reads, g_array_unref);
  g_free (self);
}

static Walk *
get_slot (TbUnwindMemo *self, const TbStackDump *dump)
{
  guint n = __builtin_popcountll (dump->registers_mask);
  guint64 hash = dump->stack_size;

  for (guint i = 0; i < n; i++)
    {
      hash = (hash ^ dump->registers[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      hash ^= hash >> 29;
    }
  return &self->walks[hash % N_SLOTS];
}

static gboolean
has_same_registers (const Walk *walk, const TbStackDump *dump)
{
  return walk->mask == dump->registers_mask && walk->stack_size == dump->stack_size
         && walk->skipped == dump->skipped
         && memcmp (walk->registers, dump->registers,
                    __builtin_popcountll (walk->mask) * sizeof (guint64))
                == 0;
}

guint
tb_unwind_memo_find (TbUnwindMemo *self,
                     const TbStackDump *dump,
                     guint64 *addresses,
                     guint max_addresses,
                     gboolean *complete,
                     gboolean *unverified)
{
  const Walk *walk = self->walks != NULL ? get_slot (self, dump) : NULL;

  if (walk == NULL || walk->mask == 0 || !has_same_registers (walk, dump)
      || walk->n_addresses > max_addresses)
    return 0;
  /* The offsets are in range: the cached stack was as long as this one. */
  for (guint i = 0; i < walk->n_reads; i++)
    if (memcmp (dump->stack + walk->reads[i].offset, &walk->reads[i].value, sizeof (guint64)) != 0)
      return 0;
  memcpy (addresses, walk->addresses, walk->n_addresses * sizeof *addresses);
  *complete = walk->complete;
  *unverified = walk->unverified;
  return walk->n_addresses;
}

void
tb_unwind_memo_begin (TbUnwindMemo *self)
{
  if (self->reads == NULL)
    self->reads = g_array_new (FALSE, FALSE, sizeof (Read));
  g_array_set_size (self->reads, 0);
}

void
tb_unwind_memo_add_read (TbUnwindMemo *self, guint64 offset, guint64 value)
{
  Read read = { offset, value };

  g_array_append_val (self->reads, read);
}

void
tb_unwind_memo_store (TbUnwindMemo *self,
                      const TbStackDump *dump,
                      const guint64 *addresses,
                      guint n_addresses,
                      gboolean complete,
                      gboolean unverified)
{
  Walk *walk;

  if (n_addresses == 0 || dump->registers_mask == 0)
    return;
  if (self->walks == NULL)
    self->walks = g_new0 (Walk, N_SLOTS);
  walk = get_slot (self, dump);
  walk_clear (walk);
  walk->mask = dump->registers_mask;
  walk->registers
      = g_memdup2 (dump->registers, __builtin_popcountll (walk->mask) * sizeof (guint64));
  walk->stack_size = dump->stack_size;
  walk->skipped = dump->skipped;
  walk->n_reads = self->reads->len;
  walk->reads = g_memdup2 (self->reads->data, self->reads->len * sizeof (Read));
  walk->n_addresses = n_addresses;
  walk->addresses = g_memdup2 (addresses, n_addresses * sizeof *addresses);
  walk->complete = complete;
  walk->unverified = unverified;
}
