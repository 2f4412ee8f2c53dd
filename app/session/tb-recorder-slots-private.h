/* tb-recorder-slots-private.h: compact open-addressing index of ids, and the hashes that go with it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TB_SLOT_EMPTY G_MAXUINT32

/* The keys live with the things themselves; a slot knows the thing's id and its hash, so that growing and removing never
 * touch the things. */
typedef struct
{
  guint32 hash;
  guint32 id;
} TbSlot;

typedef struct
{
  TbSlot *slots;
  guint32 mask; /* of the capacity, a power of two; 0: nothing allocated yet */
  guint32 n;
} TbSlots;

void tb_slots_clear (TbSlots *self);
void tb_slots_reset (TbSlots *self);
void tb_slots_insert (TbSlots *self, guint32 hash, guint32 id);
void tb_slots_remove (TbSlots *self, guint32 hash, guint32 id);

/* for (TbSlotCursor c = …_first (); …_next (&id); ) over the ids that may have the hash. */
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

/* Drawn once a process, so that no input can be made to collide. */
extern guint64 tb_hash_seeds[4];
void tb_hash_init (void);

static inline guint32
tb_hash_pair (guint64 a, guint64 b)
{
  return (guint32) (tb_hash_mix (a ^ tb_hash_seeds[0], b ^ tb_hash_seeds[1]) >> 16);
}

guint64 tb_hash_bytes (const void *data, gsize length);

G_END_DECLS
