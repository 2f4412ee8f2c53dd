/* tb-recorder-block.c: pairing of the insert, issue and complete events of block I/O requests into
 * one row each
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-block-private.h"
#include "session/schema/tb-schema-private.h"

/* The kernel issues a request again if the device had no room for it, and may insert it again
 * before. The request completes once. A further issue for the sector of a request in service is
 * therefore taken for another one of the same request, unless there is a further completion, too:
 * then there were two requests, both in service at a time. Devices with several queues have several
 * flushes in service at a time, which all have the same sector and no data. */

#define SECTOR_UNKNOWN G_MAXUINT64
#define MAX_OPEN_REQUESTS (1u << 20)

/* --- requests that are issued again --- */

static gboolean
may_be_again (TbBlockRequests *block, guint32 device, guint64 sector, guint64 bytes)
{
  return sector != SECTOR_UNKNOWN
         && (bytes > 0 || !g_hash_table_contains (block->parallel, GUINT_TO_POINTER (device)));
}

static gboolean
is_in_service (TbBlockRequests *block, guint32 key)
{
  return tb_block_requests_get_key (block, key)->first[TB_STAGE_IN_SERVICE] != TB_REQUEST_NONE;
}

/* The issues after the first one of a request that completes. */
static void
merge_issues (TbBlockRequests *block, TbBlockRequest *request)
{
  if (request->stage != TB_STAGE_IN_SERVICE || request->is_doubtful
      || !may_be_again (block, request->device, request->sector, request->bytes))
    return;
  for (guint32 i = request->links[TB_LOOKUP_SECTOR].next;
       i != TB_REQUEST_NONE && tb_block_requests_get (block, i)->is_again;
       i = tb_block_requests_get (block, i)->links[TB_LOOKUP_SECTOR].next)
    {
      TbBlockRequest *again = tb_block_requests_get (block, i);

      again->is_doubtful = TRUE;
      block->n_doubtful++;
      request->issue = again->issue;
      request->bytes = MAX (request->bytes, again->bytes);
    }
}

/* A new request of the sector begins: what was issued before it was the request that has
 * completed. */
static void
drop_doubtful (TbBlockRequests *block, const TbEvent *event, guint32 device)
{
  guint32 key, index;

  if (block->n_doubtful == 0 || !may_be_again (block, device, event->a, event->b))
    return;
  while ((key = tb_block_requests_find_key (block, TB_LOOKUP_SECTOR, device, event->a))
             != TB_REQUEST_NONE
         && (index = tb_block_requests_get_key (block, key)->first[TB_STAGE_IN_SERVICE])
                != TB_REQUEST_NONE
         && tb_block_requests_get (block, index)->is_doubtful)
    tb_block_requests_remove (block, index);
}

static void
note_beginning (TbRecorder *self, TbOrderKind kind, gint64 time, const TbBlockRequest *request)
{
  tb_recorder_add_order (self, kind, time,
                         tb_order_hash_request (request->thread, request->device, request->sector));
}

static guint32
open_request (TbRecorder *self,
              const TbEvent *event,
              guint32 thread,
              guint32 stack,
              TbBlockStage stage)
{
  TbBlockRequests *block = self->block;
  guint32 device = tb_recorder_check_device (self, event->device);
  guint32 index, keys[TB_N_LOOKUPS];
  TbBlockRequest *request;

  if (block->n_open >= MAX_OPEN_REQUESTS)
    return TB_REQUEST_NONE;
  index = tb_block_requests_take (block);
  keys[TB_LOOKUP_SECTOR] = tb_block_requests_add_key (block, TB_LOOKUP_SECTOR, device, event->a);
  keys[TB_LOOKUP_THREAD] = tb_block_requests_add_key (block, TB_LOOKUP_THREAD, device, thread);
  request = tb_block_requests_get (block, index);
  *request = (TbBlockRequest) {
    .insert = event->time,
    .issue = stage == TB_STAGE_IN_SERVICE ? event->time : TB_TIME_NONE,
    .sector = event->a,
    .bytes = event->b,
    .device = device,
    .thread = thread,
    .operation = tb_recorder_check_string (self, event->text),
    .file = tb_recorder_check_string (self, event->text2),
    .stack = stack,
    .stage = stage,
    .open = TRUE,
    .is_again = may_be_again (block, device, event->a, event->b)
                && is_in_service (block, keys[TB_LOOKUP_SECTOR]),
  };
  for (TbBlockLookup lookup = 0; lookup < TB_N_LOOKUPS; lookup++)
    {
      request->links[lookup].key = keys[lookup];
      tb_block_requests_link (block, index, lookup);
    }
  block->n_open++;
  note_beginning (self, TB_ORDER_BLOCK_INSERT, event->time, request);
  if (stage == TB_STAGE_IN_SERVICE)
    note_beginning (self, TB_ORDER_BLOCK_ISSUE, event->time, request);
  return index;
}

/* Others may have been merged into the request since it was inserted. */
static void
issue_request (TbRecorder *self, guint32 index, const TbEvent *event)
{
  TbBlockRequest *request = tb_block_requests_get (self->block, index);

  for (TbBlockLookup lookup = 0; lookup < TB_N_LOOKUPS; lookup++)
    tb_block_requests_unlink (self->block, index, lookup);
  request->is_again
      = request->is_again && is_in_service (self->block, request->links[TB_LOOKUP_SECTOR].key);
  request->stage = TB_STAGE_IN_SERVICE;
  request->issue = event->time;
  if (event->b > 0)
    request->bytes = event->b;
  note_beginning (self, TB_ORDER_BLOCK_ISSUE, event->time, request);
  for (TbBlockLookup lookup = 0; lookup < TB_N_LOOKUPS; lookup++)
    tb_block_requests_link (self->block, index, lookup);
}

/* Returns the oldest request in the given stage that matches the event. */
static guint32
find_request (TbRecorder *self, const TbEvent *event, guint32 thread, TbBlockStage stage)
{
  guint32 device = event->device < self->devices.records->len ? event->device : TB_ID_NONE;
  TbBlockLookup lookup = event->a == SECTOR_UNKNOWN ? TB_LOOKUP_THREAD : TB_LOOKUP_SECTOR;
  guint32 key = tb_block_requests_find_key (self->block, lookup, device,
                                            lookup == TB_LOOKUP_SECTOR ? event->a : thread);

  return key != TB_REQUEST_NONE ? tb_block_requests_get_key (self->block, key)->first[stage]
                                : TB_REQUEST_NONE;
}

static void
add_block_row (TbRecorder *self, const TbBlockRequest *request, gint64 complete, guint16 cpu)
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
  TbBlockRequest *request = tb_block_requests_get (block, index);

  if (request->links[TB_LOOKUP_SECTOR].previous == TB_REQUEST_NONE)
    merge_issues (block, request);
  if (request->is_doubtful && request->bytes == 0)
    g_hash_table_add (block->parallel, GUINT_TO_POINTER (request->device));
  add_block_row (self, request, complete, cpu);
  tb_block_requests_remove (block, index);
}

static void
complete_request (TbRecorder *self,
                  const TbEvent *event,
                  guint32 thread,
                  guint16 cpu,
                  guint32 stack)
{
  guint32 index = find_request (self, event, thread, TB_STAGE_IN_SERVICE);
  TbBlockRequest *request;

  if (index == TB_REQUEST_NONE
      && (index = find_request (self, event, thread, TB_STAGE_QUEUED)) != TB_REQUEST_NONE)
    tb_block_requests_get (self->block, index)->issue
        = tb_block_requests_get (self->block, index)->insert;
  if (index == TB_REQUEST_NONE)
    {
      TbBlockRequest unqueued = {
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
  request = tb_block_requests_get (self->block, index);
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

  if (event->kind != TB_EVENT_IO_COMPLETE)
    drop_doubtful (self->block, event, tb_recorder_check_device (self, event->device));
  switch (event->kind)
    {
    case TB_EVENT_IO_COMPLETE:
      complete_request (self, event, thread, cpu, stack);
      return;
    case TB_EVENT_IO_ISSUE:
      index = find_request (self, event, thread, TB_STAGE_QUEUED);
      if (index != TB_REQUEST_NONE)
        {
          issue_request (self, index, event);
          return;
        }
      index = open_request (self, event, thread, stack, TB_STAGE_IN_SERVICE);
      break;
    default:
      index = open_request (self, event, thread, stack, TB_STAGE_QUEUED);
      break;
    }
  if (index == TB_REQUEST_NONE)
    tb_recorder_count_mismatch (self, TB_MISMATCH_BLOCK_OPEN);
}

void
tb_recorder_finish_block (TbRecorder *self)
{
  TbBlockRequests *block = self->block;

  for (guint32 i = 0; i < block->requests->len; i++)
    {
      TbBlockRequest *request = tb_block_requests_get (block, i);

      if (request->open && !request->is_again)
        merge_issues (block, request);
    }
  for (guint32 i = 0; i < block->requests->len; i++)
    if (tb_block_requests_get (block, i)->open && !tb_block_requests_get (block, i)->is_doubtful)
      add_block_row (self, tb_block_requests_get (block, i), TB_TIME_NONE, TB_CPU_ALL);
}
