/* tb-recorder-slots.c: compact open-addressing hash table of ids; the keys are stored with the
 * indexed objects, and the caller compares them; hash functions
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-pages-private.h"
#include "session/recorder/tb-recorder-slots-private.h"

#include <string.h>

guint64 tb_hash_seeds[4];

void
tb_hash_init (void)
{
  static gsize done;

  if (g_once_init_enter (&done))
    {
      for (guint i = 0; i < G_N_ELEMENTS (tb_hash_seeds); i++)
        tb_hash_seeds[i] = ((guint64) g_random_int () << 32 | g_random_int ()) | 1;
      g_once_init_leave (&done, 1);
    }
}

#define FIRST_CAPACITY 64
/* Smaller tables grow by four: all that is in a table moves to a random place of the next one. */
#define FAST_GROWTH_MAX (1u << 17)

guint32
tb_slots_get_more (guint32 mask)
{
  return mask < FAST_GROWTH_MAX ? mask * 4 + 3 : mask * 2 + 1;
}

static gsize
get_size (const TbSlots *self)
{
  return sizeof (TbSlot) * ((gsize) self->mask + 1);
}

void
tb_slots_clear (TbSlots *self)
{
  if (self->slots != NULL)
    tb_pages_free (self->slots, get_size (self));
  self->slots = NULL;
  self->mask = 0;
  self->n = 0;
}

/* Removes all ids but keeps the memory. */
void
tb_slots_reset (TbSlots *self)
{
  if (self->slots != NULL)
    memset (self->slots, 0xff, get_size (self));
  self->n = 0;
}

static void
insert_unchecked (TbSlots *self, guint32 hash, guint32 id)
{
  guint32 position = hash & self->mask;

  while (self->slots[position].id != TB_SLOT_EMPTY)
    position = (position + 1) & self->mask;
  self->slots[position] = (TbSlot) { hash, id };
}

static void
grow (TbSlots *self)
{
  TbSlot *old = self->slots;
  gsize old_capacity = old != NULL ? (gsize) self->mask + 1 : 0;

  self->mask = old != NULL ? tb_slots_get_more (self->mask) : FIRST_CAPACITY - 1;
  self->slots = tb_pages_new (get_size (self));
  memset (self->slots, 0xff, get_size (self));
  for (gsize i = 0; i < old_capacity; i++)
    if (old[i].id != TB_SLOT_EMPTY)
      insert_unchecked (self, old[i].hash, old[i].id);
  if (old != NULL)
    tb_pages_free (old, sizeof (TbSlot) * old_capacity);
}

void
tb_slots_insert (TbSlots *self, guint32 hash, guint32 id)
{
  /* At most three quarters of the slots are used: linear probing stays short, and memory small. */
  if (self->slots == NULL || (guint64) self->n * 4 >= ((guint64) self->mask + 1) * 3)
    grow (self);
  insert_unchecked (self, hash, id);
  self->n++;
}

/* Removes an id without a tombstone: slots that were probed past the hole are moved into it. */
void
tb_slots_remove (TbSlots *self, guint32 hash, guint32 id)
{
  guint32 hole;

  if (self->slots == NULL)
    return;
  hole = hash & self->mask;
  while (self->slots[hole].id != id || self->slots[hole].hash != hash)
    {
      if (self->slots[hole].id == TB_SLOT_EMPTY)
        return;
      hole = (hole + 1) & self->mask;
    }
  for (guint32 i = (hole + 1) & self->mask; self->slots[i].id != TB_SLOT_EMPTY;
       i = (i + 1) & self->mask)
    {
      guint32 home = self->slots[i].hash & self->mask;

      if (((i - home) & self->mask) >= ((i - hole) & self->mask))
        {
          self->slots[hole] = self->slots[i];
          hole = i;
        }
    }
  self->slots[hole].id = TB_SLOT_EMPTY;
  self->n--;
}

guint64
tb_hash_bytes (const void *data, gsize length)
{
  const guint8 *bytes = data;
  guint64 hash = tb_hash_seeds[0] ^ length;
  guint64 a, b;

  for (; length >= 16; length -= 16, bytes += 16)
    {
      memcpy (&a, bytes, 8);
      memcpy (&b, bytes + 8, 8);
      hash = tb_hash_mix (a ^ hash, b ^ tb_hash_seeds[1]);
    }
  a = b = 0;
  memcpy (&a, bytes, MIN (length, 8));
  if (length > 8)
    memcpy (&b, bytes + 8, length - 8);
  return tb_hash_mix (a ^ hash ^ tb_hash_seeds[2], b ^ tb_hash_seeds[3]);
}
