/* tb-recorder-block.c: pairing of the insert, issue and complete events of block I/O requests into
 * one row each
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"
#include "session/schema/tb-schema-private.h"

/* A request is identified by device and sector or, if the source does not report the sector, as the
 * oldest request of its thread and device. Each request is therefore in two queues, one per kind of
 * identification, and every step finds it without a search. */

#define SECTOR_UNKNOWN G_MAXUINT64
#define MAX_OPEN_REQUESTS (1u << 20)
#define NONE G_MAXUINT32

typedef enum
{
  BY_SECTOR,
  BY_THREAD,
  N_LOOKUPS,
} Lookup;

typedef enum
{
  QUEUED,
  IN_SERVICE,
  N_STAGES,
} Stage;

typedef struct
{
  guint32 key; /* index of the Key */
  guint32 previous;
  guint32 next;
} Link;

typedef struct
{
  gint64 insert;
  gint64 issue;
  guint64 sector;
  guint64 bytes;
  guint32 device;
  guint32 thread;
  guint32 operation;
  guint32 file;
  guint32 stack;
  guint8 stage;
  gboolean open;
  Link links[N_LOOKUPS];
} Request;

typedef struct
{
  guint64 value; /* sector or thread */
  guint32 device;
  guint8 lookup;
  guint32 n;
  guint32 first[N_STAGES];
  guint32 last[N_STAGES];
} Key;

struct _TbBlockRequests
{
  GArray *requests;
  guint32 free_request; /* chained by links[0].next */
  guint32 n_open;
  GArray *keys;
  guint32 free_key; /* chained by n */
  TbSlots keys_by_hash;
};

void
tb_recorder_init_block (TbRecorder *self)
{
  self->block = g_new0 (TbBlockRequests, 1);
  self->block->requests = g_array_new (FALSE, TRUE, sizeof (Request));
  self->block->keys = g_array_new (FALSE, TRUE, sizeof (Key));
  self->block->free_request = NONE;
  self->block->free_key = NONE;
}

void
tb_recorder_free_block (TbRecorder *self)
{
  g_array_unref (self->block->requests);
  g_array_unref (self->block->keys);
  tb_slots_clear (&self->block->keys_by_hash);
  g_clear_pointer (&self->block, g_free);
}

static inline Request *
peek_request (TbBlockRequests *block, guint32 index)
{
  return &g_array_index (block->requests, Request, index);
}

static inline Key *
peek_key (TbBlockRequests *block, guint32 index)
{
  return &g_array_index (block->keys, Key, index);
}

static guint32
take_free (GArray *array, guint32 *free_list, guint32 next_free)
{
  guint32 index = *free_list;

  if (index != NONE)
    {
      *free_list = next_free;
      return index;
    }
  g_array_set_size (array, array->len + 1);
  return array->len - 1;
}

static guint32
hash_key (Lookup lookup, guint32 device, guint64 value)
{
  return tb_hash_pair (value, (guint64) device << 1 | lookup);
}

static guint32
find_key (TbBlockRequests *block, Lookup lookup, guint32 device, guint64 value)
{
  TbSlotCursor cursor = tb_slots_find (&block->keys_by_hash, hash_key (lookup, device, value));
  guint32 index;

  while (tb_slot_cursor_next (&cursor, &index))
    {
      const Key *key = peek_key (block, index);

      if (key->lookup == lookup && key->device == device && key->value == value)
        return index;
    }
  return NONE;
}

static guint32
get_key (TbBlockRequests *block, Lookup lookup, guint32 device, guint64 value)
{
  guint32 index = find_key (block, lookup, device, value);

  if (index != NONE)
    return index;
  index = take_free (block->keys, &block->free_key,
                     block->free_key != NONE ? peek_key (block, block->free_key)->n : NONE);
  *peek_key (block, index) = (Key) {
    .value = value,
    .device = device,
    .lookup = lookup,
    .first = { NONE, NONE },
    .last = { NONE, NONE },
  };
  tb_slots_insert (&block->keys_by_hash, hash_key (lookup, device, value), index);
  return index;
}

static void
link_request (TbBlockRequests *block, guint32 index, Lookup lookup)
{
  Request *request = peek_request (block, index);
  Key *key = peek_key (block, request->links[lookup].key);

  request->links[lookup].previous = key->last[request->stage];
  request->links[lookup].next = NONE;
  if (key->last[request->stage] != NONE)
    peek_request (block, key->last[request->stage])->links[lookup].next = index;
  else
    key->first[request->stage] = index;
  key->last[request->stage] = index;
  key->n++;
}

static void
unlink_request (TbBlockRequests *block, guint32 index, Lookup lookup)
{
  Request *request = peek_request (block, index);
  Link link = request->links[lookup];
  Key *key = peek_key (block, link.key);

  if (link.previous != NONE)
    peek_request (block, link.previous)->links[lookup].next = link.next;
  else
    key->first[request->stage] = link.next;
  if (link.next != NONE)
    peek_request (block, link.next)->links[lookup].previous = link.previous;
  else
    key->last[request->stage] = link.previous;
  key->n--;
}

static void
drop_key_if_empty (TbBlockRequests *block, guint32 index)
{
  Key *key = peek_key (block, index);

  if (key->n > 0)
    return;
  tb_slots_remove (&block->keys_by_hash, hash_key (key->lookup, key->device, key->value), index);
  key->n = block->free_key;
  key->lookup = N_LOOKUPS;
  block->free_key = index;
}

static void
note_beginning (TbRecorder *self, TbOrderKind kind, gint64 time, const Request *request)
{
  tb_recorder_add_order (self, kind, time,
                         tb_order_hash_request (request->thread, request->device, request->sector));
}

static guint32
open_request (TbRecorder *self, const TbEvent *event, guint32 thread, guint32 stack, Stage stage)
{
  TbBlockRequests *block = self->block;
  guint32 device = tb_recorder_check_device (self, event->device);
  guint32 index, keys[N_LOOKUPS];
  Request *request;

  if (block->n_open >= MAX_OPEN_REQUESTS)
    return NONE;
  index = take_free (block->requests, &block->free_request,
                     block->free_request != NONE
                         ? peek_request (block, block->free_request)->links[0].next
                         : NONE);
  keys[BY_SECTOR] = get_key (block, BY_SECTOR, device, event->a);
  keys[BY_THREAD] = get_key (block, BY_THREAD, device, thread);
  request = peek_request (block, index);
  *request = (Request) {
    .insert = event->time,
    .issue = stage == IN_SERVICE ? event->time : TB_TIME_NONE,
    .sector = event->a,
    .bytes = event->b,
    .device = device,
    .thread = thread,
    .operation = tb_recorder_check_string (self, event->text),
    .file = tb_recorder_check_string (self, event->text2),
    .stack = stack,
    .stage = stage,
    .open = TRUE,
  };
  for (Lookup lookup = 0; lookup < N_LOOKUPS; lookup++)
    {
      request->links[lookup].key = keys[lookup];
      link_request (block, index, lookup);
    }
  block->n_open++;
  note_beginning (self, TB_ORDER_BLOCK_INSERT, event->time, request);
  if (stage == IN_SERVICE)
    note_beginning (self, TB_ORDER_BLOCK_ISSUE, event->time, request);
  return index;
}

static void
issue_request (TbRecorder *self, guint32 index, gint64 time)
{
  Request *request = peek_request (self->block, index);

  for (Lookup lookup = 0; lookup < N_LOOKUPS; lookup++)
    unlink_request (self->block, index, lookup);
  request->stage = IN_SERVICE;
  request->issue = time;
  note_beginning (self, TB_ORDER_BLOCK_ISSUE, time, request);
  for (Lookup lookup = 0; lookup < N_LOOKUPS; lookup++)
    link_request (self->block, index, lookup);
}

/* Returns the oldest request in the given stage that matches the event. */
static guint32
find_request (TbRecorder *self, const TbEvent *event, guint32 thread, Stage stage)
{
  guint32 device = event->device < self->devices.records->len ? event->device : TB_ID_NONE;
  Lookup lookup = event->a == SECTOR_UNKNOWN ? BY_THREAD : BY_SECTOR;
  guint32 key = find_key (self->block, lookup, device, lookup == BY_SECTOR ? event->a : thread);

  return key != NONE ? peek_key (self->block, key)->first[stage] : NONE;
}

static void
add_block_row (TbRecorder *self, const Request *request, gint64 complete, guint16 cpu)
{
  TbRows *rows;
  guint i = tb_recorder_add_row (self, TB_TABLE_BLOCK, &rows);

  tb_recorder_add_order (self, TB_ORDER_BLOCK_COMPLETE, complete, 0);
  TB_ROWS_COLUMN (rows, TB_BLOCK_INSERT, gint64)[i] = request->insert;
  TB_ROWS_COLUMN (rows, TB_BLOCK_ISSUE, gint64)[i] = request->issue;
  TB_ROWS_COLUMN (rows, TB_BLOCK_COMPLETE, gint64)[i] = complete;
  TB_ROWS_COLUMN (rows, TB_BLOCK_DEVICE, guint32)[i] = request->device;
  TB_ROWS_COLUMN (rows, TB_BLOCK_SECTOR, guint64)[i] = request->sector;
  TB_ROWS_COLUMN (rows, TB_BLOCK_BYTES, guint64)[i] = request->bytes;
  TB_ROWS_COLUMN (rows, TB_BLOCK_OPERATION, guint32)[i] = request->operation;
  TB_ROWS_COLUMN (rows, TB_BLOCK_THREAD, guint32)[i] = request->thread;
  TB_ROWS_COLUMN (rows, TB_BLOCK_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_BLOCK_FILE, guint32)[i] = request->file;
  TB_ROWS_COLUMN (rows, TB_BLOCK_STACK, guint32)[i] = request->stack;
}

static void
close_request (TbRecorder *self, guint32 index, gint64 complete, guint16 cpu)
{
  TbBlockRequests *block = self->block;
  Request *request = peek_request (block, index);

  add_block_row (self, request, complete, cpu);
  for (Lookup lookup = 0; lookup < N_LOOKUPS; lookup++)
    {
      unlink_request (block, index, lookup);
      drop_key_if_empty (block, request->links[lookup].key);
    }
  request->open = FALSE;
  request->links[0].next = block->free_request;
  block->free_request = index;
  block->n_open--;
}

static void
complete_request (TbRecorder *self,
                  const TbEvent *event,
                  guint32 thread,
                  guint16 cpu,
                  guint32 stack)
{
  guint32 index = find_request (self, event, thread, IN_SERVICE);
  Request *request;

  if (index == NONE && (index = find_request (self, event, thread, QUEUED)) != NONE)
    peek_request (self->block, index)->issue = peek_request (self->block, index)->insert;
  if (index == NONE)
    {
      Request unqueued = {
        .insert = TB_TIME_NONE,
        .issue = TB_TIME_NONE,
        .sector = event->a,
        .bytes = event->b,
        .device = tb_recorder_check_device (self, event->device),
        .thread = event->a == SECTOR_UNKNOWN ? thread : TB_ID_NONE,
        .operation = tb_recorder_check_string (self, event->text),
        .file = tb_recorder_check_string (self, event->text2),
        .stack = stack,
      };

      tb_recorder_count_mismatch (self, TB_MISMATCH_BLOCK_COMPLETE);
      add_block_row (self, &unqueued, event->time, cpu);
      return;
    }
  request = peek_request (self->block, index);
  if (request->bytes == 0)
    request->bytes = event->b;
  close_request (self, index, event->time, cpu);
}

/* thread is that of the event: the issuer, but at a completion the thread that happened to run. */
void
tb_recorder_record_block (TbRecorder *self,
                          const TbEvent *event,
                          guint32 thread,
                          guint16 cpu,
                          guint32 stack)
{
  guint32 index;

  switch (event->kind)
    {
    case TB_EVENT_IO_COMPLETE:
      complete_request (self, event, thread, cpu, stack);
      return;
    case TB_EVENT_IO_ISSUE:
      index = find_request (self, event, thread, QUEUED);
      if (index != NONE)
        {
          issue_request (self, index, event->time);
          return;
        }
      index = open_request (self, event, thread, stack, IN_SERVICE);
      break;
    default:
      index = open_request (self, event, thread, stack, QUEUED);
      break;
    }
  if (index == NONE)
    tb_recorder_count_mismatch (self, TB_MISMATCH_BLOCK_OPEN);
}

void
tb_recorder_finish_block (TbRecorder *self)
{
  for (guint32 i = 0; i < self->block->requests->len; i++)
    if (peek_request (self->block, i)->open)
      add_block_row (self, peek_request (self->block, i), TB_TIME_NONE, TB_CPU_ALL);
}
