/* tb-contexts-heads.c: least time of functions before they enter the kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-contexts-heads.h"

#define NONE G_MAXUINT32
#define N_SLOTS (2 * TB_CONTEXTS_HEADS_FUNCTIONS)

typedef struct
{
  guint32 function;
  guint32 n;          /* gaps since least was last set */
  gint64 shortest[2]; /* the two shortest of those gaps */
  gint64 least;       /* G_MAXINT64: unknown */
} Head;

struct _TbContextsHeads
{
  guint32 *slots; /* index of a head; open addressing */
  GArray *heads;  /* Head */
  gint64 floor;   /* smallest least of all heads */
};

TbContextsHeads *
tb_contexts_heads_new (void)
{
  TbContextsHeads *self = g_new0 (TbContextsHeads, 1);

  self->slots = g_new (guint32, N_SLOTS);
  memset (self->slots, 0xff, N_SLOTS * sizeof *self->slots);
  self->heads = g_array_new (FALSE, FALSE, sizeof (Head));
  self->floor = G_MAXINT64;
  return self;
}

void
tb_contexts_heads_free (TbContextsHeads *self)
{
  g_free (self->slots);
  g_array_unref (self->heads);
  g_free (self);
}

/* The slot of a function, or the free slot for it. */
static guint32
find_slot (const TbContextsHeads *self, guint32 function)
{
  guint32 slot = (guint32) ((guint64) function * 0x9e3779b97f4a7c15u >> 32) % N_SLOTS;

  while (self->slots[slot] != NONE
         && g_array_index (self->heads, Head, self->slots[slot]).function != function)
    slot = (slot + 1) % N_SLOTS;
  return slot;
}

void
tb_contexts_heads_reset (TbContextsHeads *self)
{
  /* The last head added is removed first, so that no head is hidden behind a free slot. */
  for (guint i = self->heads->len; i > 0; i--)
    self->slots[find_slot (self, g_array_index (self->heads, Head, i - 1).function)] = NONE;
  g_array_set_size (self->heads, 0);
  self->floor = G_MAXINT64;
}

/* The floor is searched among all heads only where the smallest one has grown. */
static void
set_least (TbContextsHeads *self, Head *head, gint64 least)
{
  gboolean was_least = head->least == self->floor;

  head->least = least;
  if (least <= self->floor)
    self->floor = least;
  else if (was_least)
    {
      self->floor = G_MAXINT64;
      for (guint i = 0; i < self->heads->len; i++)
        self->floor = MIN (self->floor, g_array_index (self->heads, Head, i).least);
    }
}

void
tb_contexts_heads_add (TbContextsHeads *self, guint32 function, gint64 ns)
{
  guint32 slot = find_slot (self, function);
  Head *head;

  if (self->slots[slot] == NONE)
    {
      Head fresh = { .function = function, .least = G_MAXINT64 };

      if (self->heads->len == TB_CONTEXTS_HEADS_FUNCTIONS)
        return;
      self->slots[slot] = self->heads->len;
      g_array_append_val (self->heads, fresh);
    }
  head = &g_array_index (self->heads, Head, self->slots[slot]);
  if (head->n == 0)
    head->shortest[0] = head->shortest[1] = G_MAXINT64;
  if (ns < head->shortest[0])
    {
      head->shortest[1] = head->shortest[0];
      head->shortest[0] = ns;
    }
  else
    head->shortest[1] = MIN (head->shortest[1], ns);
  if (++head->n < TB_CONTEXTS_HEADS_GAPS)
    return;
  head->n = 0;
  set_least (self, head, head->shortest[1]);
}

void
tb_contexts_heads_get (const TbContextsHeads *self, guint32 function, gint64 *behind, gint64 *before)
{
  guint32 number = self->slots[find_slot (self, function)];
  const Head *head = number != NONE ? &g_array_index (self->heads, Head, number) : NULL;

  *behind = *before = 0;
  if (self->floor == G_MAXINT64)
    return;
  *behind = self->floor / 2;
  *before = self->floor - *behind;
  if (head != NULL && head->least != G_MAXINT64)
    *before += head->least - self->floor;
}
