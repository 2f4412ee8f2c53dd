/* tb-contexts-call-overheads.c: least time of functions around the system calls they make, learned
 * from the shortest of the gaps between system calls that tb-contexts-inference.c adds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-contexts-call-overheads.h"

#define NONE G_MAXUINT32
#define N_SLOTS (2 * TB_CONTEXTS_CALL_OVERHEADS_FUNCTIONS)

typedef struct
{
  guint32 function;
  guint32 n;          /* gaps since least was last set */
  gint64 shortest[2]; /* the two shortest of those gaps */
  gint64 least;       /* G_MAXINT64: unknown */
} Overhead;

struct _TbContextsCallOverheads
{
  guint32 *slots;    /* index of an overhead; open addressing */
  GArray *overheads; /* Overhead */
  gint64 floor;      /* smallest least of all overheads */
};

TbContextsCallOverheads *
tb_contexts_call_overheads_new (void)
{
  TbContextsCallOverheads *self = g_new0 (TbContextsCallOverheads, 1);

  self->slots = g_new (guint32, N_SLOTS);
  memset (self->slots, 0xff, N_SLOTS * sizeof *self->slots);
  self->overheads = g_array_new (FALSE, FALSE, sizeof (Overhead));
  self->floor = G_MAXINT64;
  return self;
}

void
tb_contexts_call_overheads_free (TbContextsCallOverheads *self)
{
  g_free (self->slots);
  g_array_unref (self->overheads);
  g_free (self);
}

/* The slot of a function, or the free slot for it. */
static guint32
find_slot (const TbContextsCallOverheads *self, guint32 function)
{
  guint32 slot = (guint32) ((guint64) function * 0x9e3779b97f4a7c15u >> 32) % N_SLOTS;

  while (self->slots[slot] != NONE
         && g_array_index (self->overheads, Overhead, self->slots[slot]).function != function)
    slot = (slot + 1) % N_SLOTS;
  return slot;
}

void
tb_contexts_call_overheads_reset (TbContextsCallOverheads *self)
{
  /* The last overhead added is removed first, so that none is hidden behind a free slot. */
  for (guint i = self->overheads->len; i > 0; i--)
    self->slots[find_slot (self, g_array_index (self->overheads, Overhead, i - 1).function)] = NONE;
  g_array_set_size (self->overheads, 0);
  self->floor = G_MAXINT64;
}

/* The floor is searched among all overheads only where the smallest one has grown. */
static void
set_least (TbContextsCallOverheads *self, Overhead *overhead, gint64 least)
{
  gboolean was_least = overhead->least == self->floor;

  overhead->least = least;
  if (least <= self->floor)
    self->floor = least;
  else if (was_least)
    {
      self->floor = G_MAXINT64;
      for (guint i = 0; i < self->overheads->len; i++)
        self->floor = MIN (self->floor, g_array_index (self->overheads, Overhead, i).least);
    }
}

void
tb_contexts_call_overheads_add (TbContextsCallOverheads *self, guint32 function, gint64 ns)
{
  guint32 slot = find_slot (self, function);
  Overhead *overhead;

  if (self->slots[slot] == NONE)
    {
      Overhead fresh = { .function = function, .least = G_MAXINT64 };

      if (self->overheads->len == TB_CONTEXTS_CALL_OVERHEADS_FUNCTIONS)
        return;
      self->slots[slot] = self->overheads->len;
      g_array_append_val (self->overheads, fresh);
    }
  overhead = &g_array_index (self->overheads, Overhead, self->slots[slot]);
  if (overhead->n == 0)
    overhead->shortest[0] = overhead->shortest[1] = G_MAXINT64;
  if (ns < overhead->shortest[0])
    {
      overhead->shortest[1] = overhead->shortest[0];
      overhead->shortest[0] = ns;
    }
  else
    overhead->shortest[1] = MIN (overhead->shortest[1], ns);
  if (++overhead->n < TB_CONTEXTS_CALL_OVERHEADS_GAPS)
    return;
  overhead->n = 0;
  set_least (self, overhead, overhead->shortest[1]);
}

void
tb_contexts_call_overheads_get (const TbContextsCallOverheads *self,
                                guint32 function,
                                gint64 *after,
                                gint64 *before)
{
  guint32 number = self->slots[find_slot (self, function)];
  const Overhead *overhead
      = number != NONE ? &g_array_index (self->overheads, Overhead, number) : NULL;

  *after = *before = 0;
  if (self->floor == G_MAXINT64)
    return;
  *after = self->floor / 2;
  *before = self->floor - *after;
  if (overhead != NULL && overhead->least != G_MAXINT64)
    *before += overhead->least - self->floor;
}
