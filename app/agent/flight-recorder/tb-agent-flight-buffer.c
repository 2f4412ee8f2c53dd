/* tb-agent-flight-buffer.c: buffer of a flight recorder: the latest encoded records, limited in
 * time and bytes; watch for a call so long that it is a reason to save; saving of the records,
 * renumbered
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/flight-recorder/tb-agent-flight-state.h"
#include "agent/flight-recorder/tb-agent-flight-buffer.h"
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
  uint64_t begin_time;
  uint64_t last_time;
};

struct TbAgentFlightBuffer
{
  uint64_t duration_ns;
  size_t max_size;
  uint64_t trigger_ns;
  uint32_t trigger_call;

  Part *first;
  Part *last;
  size_t size; /* of all parts */
  TbAgentFlightState state;
  TbAgentMap calls;        /* key of an open call → time of its entry */
  TbCaptureMessage reason; /* why the buffer is saved without a request; no code: no reason */
};

static uint8_t *
get_data (Block *block)
{
  return (uint8_t *) block->data;
}

static void
add_block (TbAgentFlightBuffer *self, Part *part, Block **place)
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
shrink_last (TbAgentFlightBuffer *self, Part *part)
{
  Block *block = *part->last;
  size_t unused = block->size - block->length;

  block->size = block->length;
  *part->last = tb_agent_allocate (block, sizeof *block + block->size);
  part->size -= unused;
  self->size -= unused;
}

static void
begin_part (TbAgentFlightBuffer *self, uint64_t now)
{
  Part *part = tb_agent_allocate (NULL, sizeof *part);

  if (self->last != NULL)
    shrink_last (self, self->last);
  *part = (Part) { .begin_time = now };
  add_block (self, part, &part->first);
  if (self->last != NULL)
    self->last->next = part;
  else
    self->first = part;
  self->last = part;
}

TbAgentFlightBuffer *
tb_agent_flight_buffer_new (const TbCaptureStart *start)
{
  TbAgentFlightBuffer *self = tb_agent_allocate (NULL, sizeof *self);
  uint64_t bytes = start->flight_recorder_bytes != 0 ? start->flight_recorder_bytes : DEFAULT_BYTES;

  memset (self, 0, sizeof *self);
  self->duration_ns = start->flight_recorder_ns != 0 ? start->flight_recorder_ns : UINT64_MAX;
  self->max_size = bytes < MIN_BYTES ? MIN_BYTES : bytes;
  self->trigger_ns = start->trigger_ns;
  self->trigger_call = start->trigger_call;
  begin_part (self, 0);
  return self;
}

static void
free_part (TbAgentFlightBuffer *self, Part *part)
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
tb_agent_flight_buffer_free (TbAgentFlightBuffer *self)
{
  while (self->first != NULL)
    {
      Part *part = self->first;

      self->first = part->next;
      free_part (self, part);
    }
  tb_agent_flight_state_clear (&self->state);
  tb_agent_map_clear (&self->calls);
  free (self);
}

uint8_t *
tb_agent_flight_buffer_get_space (TbAgentFlightBuffer *self)
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
enter_call (TbAgentFlightBuffer *self, uint64_t time, int32_t tid, uint32_t probe)
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
leave_call (TbAgentFlightBuffer *self, int32_t tid, uint32_t probe)
{
  uint64_t counter = make_key (tid, probe, 0), *depth = tb_agent_map_get (&self->calls, counter),
           key, since;
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
is_watched_call (const TbAgentFlightBuffer *self, uint32_t number)
{
  return self->trigger_call == number || self->trigger_call == TB_CAPTURE_ANY_CALL;
}

static void
check_call (TbAgentFlightBuffer *self, const TbCaptureRecord *record)
{
  int calls = self->trigger_call == TB_CAPTURE_NO_CALL;
  TbCaptureStatusCode code = TB_CAPTURE_CODE_TRIGGER_SYSCALL;
  uint64_t since = 0;
  uint32_t number = 0;
  int32_t tid = 0;

  switch (record->type)
    {
    case TB_CAPTURE_SYS_ENTER:
      if (is_watched_call (self, record->sys_enter.number) && !calls)
        {
          leave_call (self, record->sys_enter.tid, TB_CAPTURE_NO_CALL);
          since = record->sys_enter.entered != 0 ? record->sys_enter.entered : record->time;
          enter_call (self, since, record->sys_enter.tid, TB_CAPTURE_NO_CALL);
        }
      return;
    case TB_CAPTURE_SYS_EXIT:
      tid = record->sys_exit.tid;
      number = record->sys_exit.number;
      if (is_watched_call (self, number) && !calls)
        since = leave_call (self, tid, TB_CAPTURE_NO_CALL);
      break;
    case TB_CAPTURE_SYS_CALL:
      tid = record->sys_call.tid;
      number = record->sys_call.number;
      if (is_watched_call (self, number) && !calls)
        since = record->sys_call.entered;
      break;
    case TB_CAPTURE_CALL:
      if (calls)
        enter_call (self, record->time, record->call.tid, record->call.probe);
      return;
    case TB_CAPTURE_RETURN:
      tid = record->call.tid;
      number = record->call.probe;
      code = TB_CAPTURE_CODE_TRIGGER_FUNCTION;
      if (calls && record->call.entered == 0)
        since = leave_call (self, tid, number);
      else if (calls)
        since = record->call.entered;
      break;
    default:
      return;
    }
  if (since == 0 || record->time < since || record->time - since < self->trigger_ns)
    return;
  TB_CAPTURE_SET_MESSAGE (&self->reason, code, 0, TB_CAPTURE_SIGNED_NUMBER (tid),
                          TB_CAPTURE_NUMBER (number), TB_CAPTURE_NUMBER (record->time - since));
}

void
tb_agent_flight_buffer_commit (TbAgentFlightBuffer *self,
                               const TbCaptureRecord *record,
                               size_t length)
{
  (*self->last->last)->length += length;
  if (record->time > self->last->last_time)
    self->last->last_time = record->time;
  if (self->trigger_ns != 0 && self->reason.code == TB_CAPTURE_CODE_NONE)
    check_call (self, record);
}

static void
drop_part (TbAgentFlightBuffer *self)
{
  Part *part = self->first;

  self->first = part->next;
  for (Block *block = part->first; block != NULL; block = block->next)
    for (size_t at = 0; at < block->length;
         at += tb_capture_rewrite_get_size (get_data (block) + at))
      tb_agent_flight_state_add (&self->state, get_data (block) + at);
  free_part (self, part);
}

int
tb_agent_flight_buffer_rotate (TbAgentFlightBuffer *self, uint64_t now)
{
  Part *part = self->last;
  int turned = 0;

  if (part->begin_time == 0)
    part->begin_time = now;
  if (part->size - (*part->last)->size + (*part->last)->length
          > self->max_size / N_PARTS - BLOCK_SIZE / 4
      || (self->duration_ns != UINT64_MAX && now - part->begin_time > self->duration_ns / N_PARTS))
    {
      begin_part (self, now);
      turned = 1;
    }
  while (self->first != self->last
         && (self->size > self->max_size
             || (now > self->duration_ns && self->first->last_time < now - self->duration_ns)))
    drop_part (self);
  return turned;
}

const TbCaptureMessage *
tb_agent_flight_buffer_get_save_reason (const TbAgentFlightBuffer *self)
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
trim (TbAgentFlightBuffer *self, uint64_t from)
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
              tb_agent_flight_state_add (&self->state, get_data (block) + at);
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
      else if (((record.type >= TB_CAPTURE_SWITCH && record.type <= TB_CAPTURE_MARK)
                || record.type == TB_CAPTURE_FILE_LOCK)
               && record.cpu != TB_CAPTURE_CPU_NONE)
        ++*n_events;
    }
}

void
tb_agent_flight_buffer_save (TbAgentFlightBuffer *self,
                             uint64_t start,
                             void (*put) (void *data, const TbCaptureRecord *record),
                             void (*put_encoded) (void *data, const void *bytes, size_t length),
                             void *data,
                             uint64_t *n_events,
                             uint64_t *n_lost)
{
  TbCaptureRecord kept
      = { .time = start, .type = TB_CAPTURE_DISCARDED, .cpu = TB_CAPTURE_CPU_NONE };
  uint32_t stacks = self->state.last_stack, sleeps;

  *n_events = *n_lost = 0;
  if (self->state.last_time >= kept.time)
    kept.time = self->state.last_time + 1;
  trim (self, kept.time);
  put (data, &kept);
  sleeps = tb_agent_flight_state_emit (&self->state, kept.time, put, put_encoded, data);
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
