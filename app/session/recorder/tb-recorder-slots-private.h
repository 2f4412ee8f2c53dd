/* tb-recorder-slots-private.h: compact open-addressing hash table of ids; the keys are stored with
 * the indexed objects, and the caller compares them; hash functions
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TB_SLOT_EMPTY G_MAXUINT32

/* The keys are stored with the indexed objects. A slot has the object's id and its hash, so that
 * growing and removing do not access the objects. */
typedef struct
{
  guint32 hash;
  guint32 id;
} TbSlot;

typedef struct
{
  TbSlot *slots;
  guint32 mask; /* capacity − 1, the capacity being a power of two; 0: nothing allocated yet */
  guint32 n;
} TbSlots;

/* The next mask of a table that is full. */
guint32 tb_slots_get_more (guint32 mask);
void tb_slots_clear (TbSlots *self);
void tb_slots_reset (TbSlots *self);
void tb_slots_insert (TbSlots *self, guint32 hash, guint32 id);
void tb_slots_remove (TbSlots *self, guint32 hash, guint32 id);

/* Iterates over the ids that may have the hash: for (TbSlotCursor c = tb_slots_find (slots, hash);
 * tb_slot_cursor_next (&c, &id);). */
typedef struct
{
  const TbSlots *slots;
  guint32 hash;
  guint32 position;
} TbSlotCursor;

static inline TbSlotCursor
tb_slots_find (const TbSlots *self, guint32 hash)
{
  return (TbSlotCursor) { self, hash, hash & self->mask };
}

static inline gboolean
tb_slot_cursor_next (TbSlotCursor *cursor, guint32 *id)
{
  const TbSlots *self = cursor->slots;

  if (self->slots == NULL)
    return FALSE;
  for (;;)
    {
      const TbSlot *slot = &self->slots[cursor->position];

      if (slot->id == TB_SLOT_EMPTY)
        return FALSE;
      cursor->position = (cursor->position + 1) & self->mask;
      if (slot->hash == cursor->hash)
        {
          *id = slot->id;
          return TRUE;
        }
    }
}

static inline guint64
tb_hash_mix (guint64 a, guint64 b)
{
  __uint128_t product = (__uint128_t) a * b;

  return (guint64) product ^ (guint64) (product >> 64);
}

/* Random seeds, drawn once per process, so that no input can be constructed that makes the hashes
 * collide. */
extern guint64 tb_hash_seeds[4];
void tb_hash_init (void);

static inline guint32
tb_hash_pair (guint64 a, guint64 b)
{
  return (guint32) (tb_hash_mix (a ^ tb_hash_seeds[0], b ^ tb_hash_seeds[1]) >> 16);
}

guint64 tb_hash_bytes (const void *data, gsize length);

G_END_DECLS
