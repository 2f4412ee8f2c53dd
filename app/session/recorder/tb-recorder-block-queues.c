/* tb-recorder-block-queues.c: store of the block I/O requests that are not completed yet: each is
 * in a queue of its device and sector and in one of its thread, found through a hash table; adding,
 * search, removal, reuse of freed entries
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-block-private.h"

void
tb_recorder_init_block (TbRecorder *self)
{
  self->block = g_new0 (TbBlockRequests, 1);
  self->block->requests = g_array_new (FALSE, TRUE, sizeof (TbBlockRequest));
  self->block->keys = g_array_new (FALSE, TRUE, sizeof (TbBlockKey));
  self->block->free_request = TB_REQUEST_NONE;
  self->block->free_key = TB_REQUEST_NONE;
  self->block->parallel = g_hash_table_new (NULL, NULL);
}

void
tb_recorder_free_block (TbRecorder *self)
{
  g_array_unref (self->block->requests);
  g_array_unref (self->block->keys);
  tb_slots_clear (&self->block->keys_by_hash);
  g_hash_table_unref (self->block->parallel);
  g_clear_pointer (&self->block, g_free);
}

static guint32
take_free (GArray *array, guint32 *free_list, guint32 next_free)
{
  guint32 index = *free_list;

  if (index != TB_REQUEST_NONE)
    {
      *free_list = next_free;
      return index;
    }
  g_array_set_size (array, array->len + 1);
  return array->len - 1;
}

guint32
tb_block_requests_take (TbBlockRequests *block)
{
  return take_free (block->requests, &block->free_request,
                    block->free_request != TB_REQUEST_NONE
                        ? tb_block_requests_get (block, block->free_request)->links[0].next
                        : TB_REQUEST_NONE);
}

static guint32
hash_key (TbBlockLookup lookup, guint32 device, guint64 value)
{
  return tb_hash_pair (value, (guint64) device << 1 | lookup);
}

guint32
tb_block_requests_find_key (TbBlockRequests *block,
                            TbBlockLookup lookup,
                            guint32 device,
                            guint64 value)
{
  TbSlotCursor cursor = tb_slots_find (&block->keys_by_hash, hash_key (lookup, device, value));
  guint32 index;

  while (tb_slot_cursor_next (&cursor, &index))
    {
      const TbBlockKey *key = tb_block_requests_get_key (block, index);

      if (key->lookup == lookup && key->device == device && key->value == value)
        return index;
    }
  return TB_REQUEST_NONE;
}

guint32
tb_block_requests_add_key (TbBlockRequests *block,
                           TbBlockLookup lookup,
                           guint32 device,
                           guint64 value)
{
  guint32 index = tb_block_requests_find_key (block, lookup, device, value);

  if (index != TB_REQUEST_NONE)
    return index;
  index = take_free (block->keys, &block->free_key,
                     block->free_key != TB_REQUEST_NONE
                         ? tb_block_requests_get_key (block, block->free_key)->n
                         : TB_REQUEST_NONE);
  *tb_block_requests_get_key (block, index) = (TbBlockKey) {
    .value = value,
    .device = device,
    .lookup = lookup,
    .first = { TB_REQUEST_NONE, TB_REQUEST_NONE },
    .last = { TB_REQUEST_NONE, TB_REQUEST_NONE },
  };
  tb_slots_insert (&block->keys_by_hash, hash_key (lookup, device, value), index);
  return index;
}

void
tb_block_requests_link (TbBlockRequests *block, guint32 index, TbBlockLookup lookup)
{
  TbBlockRequest *request = tb_block_requests_get (block, index);
  TbBlockKey *key = tb_block_requests_get_key (block, request->links[lookup].key);

  request->links[lookup].previous = key->last[request->stage];
  request->links[lookup].next = TB_REQUEST_NONE;
  if (key->last[request->stage] != TB_REQUEST_NONE)
    tb_block_requests_get (block, key->last[request->stage])->links[lookup].next = index;
  else
    key->first[request->stage] = index;
  key->last[request->stage] = index;
  key->n++;
}

void
tb_block_requests_unlink (TbBlockRequests *block, guint32 index, TbBlockLookup lookup)
{
  TbBlockRequest *request = tb_block_requests_get (block, index);
  TbBlockLink link = request->links[lookup];
  TbBlockKey *key = tb_block_requests_get_key (block, link.key);

  if (link.previous != TB_REQUEST_NONE)
    tb_block_requests_get (block, link.previous)->links[lookup].next = link.next;
  else
    key->first[request->stage] = link.next;
  if (link.next != TB_REQUEST_NONE)
    tb_block_requests_get (block, link.next)->links[lookup].previous = link.previous;
  else
    key->last[request->stage] = link.previous;
  key->n--;
}

static void
drop_key_if_empty (TbBlockRequests *block, guint32 index)
{
  TbBlockKey *key = tb_block_requests_get_key (block, index);

  if (key->n > 0)
    return;
  tb_slots_remove (&block->keys_by_hash, hash_key (key->lookup, key->device, key->value), index);
  key->n = block->free_key;
  key->lookup = TB_N_LOOKUPS;
  block->free_key = index;
}

void
tb_block_requests_remove (TbBlockRequests *block, guint32 index)
{
  TbBlockRequest *request = tb_block_requests_get (block, index);

  for (TbBlockLookup lookup = 0; lookup < TB_N_LOOKUPS; lookup++)
    {
      tb_block_requests_unlink (block, index, lookup);
      drop_key_if_empty (block, request->links[lookup].key);
    }
  block->n_doubtful -= request->is_doubtful;
  request->open = FALSE;
  request->links[0].next = block->free_request;
  block->free_request = index;
  block->n_open--;
}
