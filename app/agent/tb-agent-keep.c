/* tb-agent-keep.c: flight-recorder buffer: the last records in bounded memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/tb-agent-history.h"
#include "agent/tb-agent-keep.h"
#include "capture/tb-capture-encoder.h"
#include "capture/tb-capture-rewrite.h"

#define BLOCK_SIZE (512u << 10)
#define BLOCK_FULL (BLOCK_SIZE - TB_CAPTURE_MAX_RECORD)
#define DEFAULT_BYTES (128u << 20)
#define MIN_BYTES (8u << 20)
/* The buffer is dropped in parts; one part is about this fraction of the whole. */
#define N_PARTS 8u
#define MAX_OPEN_CALLS (1u << 18)

typedef struct Block Block;
typedef struct Part Part;

struct Block
{
  Block *next;
  size_t length;
  size_t size;
  uint64_t data[]; /* bytes */
};

/* No record of a part refers to a stack of another part. */
struct Part
{
  Part *next;
  Block *first;
  Block **last; /* link to the last block */
  size_t size;  /* of all blocks */
  uint64_t begun;
  uint64_t last_time;
};

struct TbAgentKeep
{
  uint64_t keep_ns;
  size_t max_size;
  uint64_t save_longer;
  uint32_t save_call;

  Part *first;
  Part *last;
  size_t size; /* of all parts */
  TbAgentHistory history;
  TbAgentMap calls;        /* key of an open call → time of its entry */
  TbCaptureMessage reason; /* why the buffer is saved without a request; no code: no reason */
};

static uint8_t *
get_data (Block *block)
{
  return (uint8_t *) block->data;
}

static void
add_block (TbAgentKeep *self, Part *part, Block **place)
{
  Block *block = tb_agent_allocate (NULL, sizeof *block + BLOCK_SIZE);

  *block = (Block) { .size = BLOCK_SIZE };
  *place = block;
  part->last = place;
  part->size += block->size;
  self->size += block->size;
}

/* The last block is complete and can be shrunk to its content. */
static void
shrink_last (TbAgentKeep *self, Part *part)
{
  Block *block = *part->last;
  size_t unused = block->size - block->length;

  block->size = block->length;
  *part->last = tb_agent_allocate (block, sizeof *block + block->size);
  part->size -= unused;
  self->size -= unused;
}

static void
begin_part (TbAgentKeep *self, uint64_t now)
{
  Part *part = tb_agent_allocate (NULL, sizeof *part);

  if (self->last != NULL)
    shrink_last (self, self->last);
  *part = (Part) { .begun = now };
  add_block (self, part, &part->first);
  if (self->last != NULL)
    self->last->next = part;
  else
    self->first = part;
  self->last = part;
}

TbAgentKeep *
tb_agent_keep_new (const TbCaptureStart *start)
{
  TbAgentKeep *self = tb_agent_allocate (NULL, sizeof *self);
  uint64_t bytes = start->keep_bytes != 0 ? start->keep_bytes : DEFAULT_BYTES;

  memset (self, 0, sizeof *self);
  self->keep_ns = start->keep_ns != 0 ? start->keep_ns : UINT64_MAX;
  self->max_size = bytes < MIN_BYTES ? MIN_BYTES : bytes;
  self->save_longer = start->save_longer;
  self->save_call = start->save_call;
  begin_part (self, 0);
  return self;
}

static void
free_part (TbAgentKeep *self, Part *part)
{
  while (part->first != NULL)
    {
      Block *block = part->first;

      part->first = block->next;
      free (block);
    }
  self->size -= part->size;
  free (part);
}

void
tb_agent_keep_free (TbAgentKeep *self)
{
  while (self->first != NULL)
    {
      Part *part = self->first;

      self->first = part->next;
      free_part (self, part);
    }
  tb_agent_history_clear (&self->history);
  tb_agent_map_clear (&self->calls);
  free (self);
}

uint8_t *
tb_agent_keep_get_space (TbAgentKeep *self)
{
  Part *part = self->last;

  if ((*part->last)->length > BLOCK_FULL)
    {
      shrink_last (self, part);
      add_block (self, part, &(*part->last)->next);
    }
  return get_data (*part->last) + (*part->last)->length;
}

/* Calls that exceed the trigger's duration */

/* The key is never 0, which the map does not permit. A collision of two calls is very rare and only
 * makes the reported reason wrong. */
static uint64_t
make_key (int32_t tid, uint32_t probe, uint64_t depth)
{
  return tb_agent_hash (tb_agent_hash ((uint64_t) (uint32_t) tid << 32 | probe) + depth) | 1;
}

static void
enter (TbAgentKeep *self, uint64_t time, int32_t tid, uint32_t probe)
{
  uint64_t counter = make_key (tid, probe, 0), *depth = tb_agent_map_get (&self->calls, counter);
  uint64_t deeper = depth != NULL ? *depth + 1 : 1;

  /* Threads that end inside a call leave their entries behind. */
  if (self->calls.n_used >= MAX_OPEN_CALLS)
    {
      tb_agent_map_clear (&self->calls);
      deeper = 1;
    }
  tb_agent_map_put (&self->calls, counter, deeper);
  tb_agent_map_put (&self->calls, make_key (tid, probe, deeper), time);
}

/* Returns the time of entry, 0 if unknown. */
static uint64_t
leave (TbAgentKeep *self, int32_t tid, uint32_t probe)
{
  uint64_t counter = make_key (tid, probe, 0), *depth = tb_agent_map_get (&self->calls, counter), key, since;
  const uint64_t *time;

  if (depth == NULL)
    return 0;
  key = make_key (tid, probe, *depth);
  time = tb_agent_map_get (&self->calls, key);
  since = time != NULL ? *time : 0;
  if (*depth > 1)
    --*depth;
  else
    tb_agent_map_remove (&self->calls, counter);
  tb_agent_map_remove (&self->calls, key);
  return since;
}

static int
is_watched_call (const TbAgentKeep *self, uint32_t number)
{
  return self->save_call == number || self->save_call == TB_CAPTURE_ANY_CALL;
}

static void
watch (TbAgentKeep *self, const TbCaptureRecord *record)
{
  int calls = self->save_call == TB_CAPTURE_NO_CALL;
  TbCaptureStatusCode code = TB_CAPTURE_CODE_SAVE_LONG_SYSCALL;
  uint64_t since = 0;
  uint32_t number = 0;
  int32_t tid = 0;

  switch (record->type)
    {
    case TB_CAPTURE_SYS_ENTER:
      if (is_watched_call (self, record->sys_enter.number) && !calls)
        {
          leave (self, record->sys_enter.tid, TB_CAPTURE_NO_CALL);
          since = record->sys_enter.entered != 0 ? record->sys_enter.entered : record->time;
          enter (self, since, record->sys_enter.tid, TB_CAPTURE_NO_CALL);
        }
      return;
    case TB_CAPTURE_SYS_EXIT:
      tid = record->sys_exit.tid;
      number = record->sys_exit.number;
      if (is_watched_call (self, number) && !calls)
        since = leave (self, tid, TB_CAPTURE_NO_CALL);
      break;
    case TB_CAPTURE_SYS_CALL:
      tid = record->sys_call.tid;
      number = record->sys_call.number;
      if (is_watched_call (self, number) && !calls)
        since = record->sys_call.entered;
      break;
    case TB_CAPTURE_CALL:
      if (calls)
        enter (self, record->time, record->call.tid, record->call.probe);
      return;
    case TB_CAPTURE_RETURN:
      tid = record->call.tid;
      number = record->call.probe;
      code = TB_CAPTURE_CODE_SAVE_LONG_FUNCTION;
      if (calls && record->call.entered == 0)
        since = leave (self, tid, number);
      else if (calls)
        since = record->call.entered;
      break;
    default:
      return;
    }
  if (since == 0 || record->time < since || record->time - since < self->save_longer)
    return;
  TB_CAPTURE_SET_MESSAGE (&self->reason, code, 0, TB_CAPTURE_SIGNED_NUMBER (tid), TB_CAPTURE_NUMBER (number),
                          TB_CAPTURE_NUMBER (record->time - since));
}

void
tb_agent_keep_commit (TbAgentKeep *self, const TbCaptureRecord *record, size_t length)
{
  (*self->last->last)->length += length;
  if (record->time > self->last->last_time)
    self->last->last_time = record->time;
  if (self->save_longer != 0 && self->reason.code == TB_CAPTURE_CODE_NONE)
    watch (self, record);
}

static void
let_go (TbAgentKeep *self)
{
  Part *part = self->first;

  self->first = part->next;
  for (Block *block = part->first; block != NULL; block = block->next)
    for (size_t at = 0; at < block->length; at += tb_capture_rewrite_get_size (get_data (block) + at))
      tb_agent_history_fold (&self->history, get_data (block) + at);
  free_part (self, part);
}

int
tb_agent_keep_turn (TbAgentKeep *self, uint64_t now)
{
  Part *part = self->last;
  int turned = 0;

  if (part->begun == 0)
    part->begun = now;
  if (part->size - (*part->last)->size + (*part->last)->length > self->max_size / N_PARTS - BLOCK_SIZE / 4
      || (self->keep_ns != UINT64_MAX && now - part->begun > self->keep_ns / N_PARTS))
    {
      begin_part (self, now);
      turned = 1;
    }
  while (self->first != self->last
         && (self->size > self->max_size
             || (now > self->keep_ns && self->first->last_time < now - self->keep_ns)))
    let_go (self);
  return turned;
}

const TbCaptureMessage *
tb_agent_keep_get_reason (const TbAgentKeep *self)
{
  return self->reason.code != TB_CAPTURE_CODE_NONE ? &self->reason : NULL;
}

static int
is_definition (unsigned type)
{
  return type <= TB_CAPTURE_DEVICE || (type >= TB_CAPTURE_RESET && type <= TB_CAPTURE_INTERFACE);
}

/* Events are kept only from the time since which all CPUs are complete; older ones are dropped.
 * Definitions stay in place, because later records may refer to them. */
static void
trim (TbAgentKeep *self, uint64_t from)
{
  for (Part *part = self->first; part != NULL; part = part->next)
    for (Block *block = part->first; block != NULL; block = block->next)
      {
        size_t at = 0, to = 0;

        while (at < block->length)
          {
            size_t size = tb_capture_rewrite_get_size (get_data (block) + at);
            TbCaptureRecord record;

            tb_capture_rewrite_read (get_data (block) + at, &record);
            if (!is_definition (record.type) && record.time < from)
              tb_agent_history_fold (&self->history, get_data (block) + at);
            else
              {
                memmove (get_data (block) + to, get_data (block) + at, size);
                if (record.type == TB_CAPTURE_LOST && record.lost.from < from)
                  {
                    record.lost.from = from;
                    tb_capture_encode (&record, get_data (block) + to, size);
                  }
                to += size;
              }
            at += size;
          }
        block->length = to;
      }
}

/* Renumbers the stacks and sleeps in the records of a block. */
static void
renumber (Block *block, uint32_t stacks, uint32_t sleeps, uint64_t *n_events, uint64_t *n_lost)
{
  for (size_t at = 0; at < block->length; at += tb_capture_rewrite_get_size (get_data (block) + at))
    {
      TbCaptureRecord record;

      tb_capture_rewrite_renumber (get_data (block) + at, stacks, sleeps);
      tb_capture_rewrite_read (get_data (block) + at, &record);
      if (record.type == TB_CAPTURE_LOST)
        *n_lost += record.lost.count;
      else if (record.type >= TB_CAPTURE_SWITCH && record.type <= TB_CAPTURE_MARK
               && record.cpu != TB_CAPTURE_CPU_NONE)
        ++*n_events;
    }
}

void
tb_agent_keep_hand_over (TbAgentKeep *self,
                         uint64_t start,
                         void (*put) (void *data, const TbCaptureRecord *record),
                         void (*put_encoded) (void *data, const void *bytes, size_t length),
                         void *data,
                         uint64_t *n_events,
                         uint64_t *n_lost)
{
  TbCaptureRecord kept = { .time = start, .type = TB_CAPTURE_KEPT, .cpu = TB_CAPTURE_CPU_NONE };
  uint32_t stacks = self->history.last_stack, sleeps;

  *n_events = *n_lost = 0;
  if (self->history.last_time >= kept.time)
    kept.time = self->history.last_time + 1;
  trim (self, kept.time);
  put (data, &kept);
  sleeps = tb_agent_history_tell (&self->history, kept.time, put, put_encoded, data);
  while (self->first != NULL)
    {
      Part *part = self->first;

      for (Block *block = part->first; block != NULL; block = block->next)
        {
          renumber (block, stacks, sleeps, n_events, n_lost);
          put_encoded (data, block->data, block->length);
        }
      self->first = part->next;
      free_part (self, part);
    }
  self->last = NULL;
}
