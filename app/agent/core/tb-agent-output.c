/* tb-agent-output.c: writer of the capture stream: records, each string and stack once, STATUS
 * records, kernel symbols; a thread of its own writes what is queued; a flight recorder keeps
 * events in its buffer instead
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/tb-agent-map.h"
#include "agent/base/tb-agent-symbols.h"
#include "agent/core/tb-agent-output.h"
#include "agent/flight-recorder/tb-agent-flight-buffer.h"
#include "capture/tb-capture-encoder.h"
#include "capture/tb-capture-rewrite.h"

#define CHUNK_SIZE (256u << 10)
/* Every chunk keeps room for a record that follows a definition, so one record always fits. */
#define CHUNK_FULL (CHUNK_SIZE - TB_CAPTURE_MAX_RECORD)
#define STACK_WORDS (2u << 20)
#define STACK_SLOTS (1u << 18)
#define STRING_BYTES (64u << 20)
#define MAX_KERNEL_ADDRESSES (1u << 17)
#define PIPE_SIZE (1 << 20)

typedef struct Chunk Chunk;

struct Chunk
{
  Chunk *next;
  size_t length;
  _Alignas (8) uint8_t data[CHUNK_SIZE];
};

typedef struct
{
  uint32_t id;
  uint32_t first; /* index of its first word in the arena */
  uint32_t length;
  uint32_t hash;
} Stack;

typedef struct
{
  uint32_t id;
  uint32_t length;
  char *text;
} String;

struct TbAgentOutput
{
  int fd;
  Chunk *current;
  uint64_t bytes;
  size_t queue_limit;
  uint64_t skew;
  TbAgentFlightBuffer *flight_buffer; /* flight-recorder buffer until it is written out */

  pthread_t writer;
  int has_writer;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  Chunk *first, *last, *spare;
  size_t queued;
  int closing;
  int broken;

  String *strings;
  size_t n_string_slots;
  uint32_t n_strings;
  size_t string_bytes;

  Stack *stacks;
  uint64_t *words;
  size_t n_words;
  size_t n_stacks; /* since the last reset */
  uint32_t last_stack;
  uint64_t stack_epoch;
  TbAgentMap kernel_addresses; /* kernel addresses that occurred in stacks → 1 */
};

uint64_t
tb_agent_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static int
write_all (int fd, const uint8_t *data, size_t length)
{
  while (length > 0)
    {
      ssize_t written = write (fd, data, length);

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return -1;
      data += written;
      length -= written;
    }
  return 0;
}

static void *
run_writer (void *data)
{
  TbAgentOutput *self = data;

  pthread_mutex_lock (&self->lock);
  for (;;)
    {
      Chunk *chunk = self->first;
      int failed;

      if (chunk == NULL)
        {
          if (self->closing)
            break;
          pthread_cond_wait (&self->changed, &self->lock);
          continue;
        }
      self->first = chunk->next;
      if (self->first == NULL)
        self->last = NULL;
      failed = self->broken;
      pthread_mutex_unlock (&self->lock);
      if (!failed)
        failed = write_all (self->fd, chunk->data, chunk->length) != 0;
      pthread_mutex_lock (&self->lock);
      self->broken |= failed;
      self->queued -= chunk->length;
      if (self->spare == NULL)
        {
          self->spare = chunk;
          continue;
        }
      free (chunk);
    }
  pthread_mutex_unlock (&self->lock);
  return NULL;
}

static Chunk *
new_chunk (TbAgentOutput *self)
{
  Chunk *chunk;

  pthread_mutex_lock (&self->lock);
  chunk = self->spare;
  self->spare = NULL;
  pthread_mutex_unlock (&self->lock);
  if (chunk == NULL)
    chunk = tb_agent_allocate (NULL, sizeof *chunk);
  chunk->next = NULL;
  chunk->length = 0;
  return chunk;
}

TbAgentOutput *
tb_agent_output_new (int fd, size_t queue_limit, uint64_t skew)
{
  TbAgentOutput *self = tb_agent_allocate (NULL, sizeof *self);

  memset (self, 0, sizeof *self);
  self->fd = fd;
  self->queue_limit = queue_limit;
  self->skew = skew;
  (void) fcntl (fd, F_SETPIPE_SZ, PIPE_SIZE);
  self->stacks = tb_agent_reserve (STACK_SLOTS * sizeof *self->stacks);
  self->words = tb_agent_reserve (STACK_WORDS * sizeof *self->words);
  pthread_mutex_init (&self->lock, NULL);
  pthread_cond_init (&self->changed, NULL);
  self->current = new_chunk (self);
  return self;
}

static void
start_writer (TbAgentOutput *self)
{
  if (pthread_create (&self->writer, NULL, run_writer, self) != 0)
    {
      fputs ("tailback-agent: cannot start a thread\n", stderr);
      _Exit (1);
    }
  self->has_writer = 1;
}

static void
queue_current (TbAgentOutput *self)
{
  Chunk *chunk = self->current;

  if (chunk->length == 0)
    return;
  self->current = new_chunk (self);
  pthread_mutex_lock (&self->lock);
  if (self->last != NULL)
    self->last->next = chunk;
  else
    self->first = chunk;
  self->last = chunk;
  self->queued += chunk->length;
  pthread_cond_signal (&self->changed);
  pthread_mutex_unlock (&self->lock);
}

void
tb_agent_output_flush (TbAgentOutput *self)
{
  if (!self->has_writer && self->current->length > 0)
    start_writer (self);
  queue_current (self);
}

/* The writer thread writes everything that is still queued. */
void
tb_agent_output_close (TbAgentOutput *self)
{
  queue_current (self);
  pthread_mutex_lock (&self->lock);
  self->closing = 1;
  pthread_cond_signal (&self->changed);
  pthread_mutex_unlock (&self->lock);
  if (self->has_writer)
    pthread_join (self->writer, NULL);
  else
    run_writer (self);

  for (size_t i = 0; i < self->n_string_slots; i++)
    free (self->strings[i].text);
  free (self->strings);
  tb_agent_release (self->stacks, STACK_SLOTS * sizeof *self->stacks);
  tb_agent_release (self->words, STACK_WORDS * sizeof *self->words);
  tb_agent_map_clear (&self->kernel_addresses);
  if (self->flight_buffer != NULL)
    tb_agent_flight_buffer_free (self->flight_buffer);
  free (self->current);
  free (self->spare);
  free (self);
}

int
tb_agent_output_is_full (TbAgentOutput *self)
{
  int full;

  pthread_mutex_lock (&self->lock);
  full = self->queued >= self->queue_limit;
  pthread_mutex_unlock (&self->lock);
  return full;
}

int
tb_agent_output_is_broken (TbAgentOutput *self)
{
  int broken;

  pthread_mutex_lock (&self->lock);
  broken = self->broken;
  pthread_mutex_unlock (&self->lock);
  return broken;
}

uint64_t
tb_agent_output_get_bytes (const TbAgentOutput *self)
{
  return self->bytes;
}

static void
put_now (TbAgentOutput *self, const TbCaptureRecord *record)
{
  size_t length;

  if (self->current->length > CHUNK_FULL)
    tb_agent_output_flush (self);
  length = tb_capture_encode (record, self->current->data + self->current->length,
                              CHUNK_SIZE - self->current->length);
  self->current->length += length;
  self->bytes += length;
}

/* Whether the record describes the recording itself. A flight recorder sends such records at
 * once. */
static int
is_about_recording (unsigned type)
{
  return type >= TB_CAPTURE_STATUS && type <= TB_CAPTURE_DISCARDED;
}

void
tb_agent_output_put (TbAgentOutput *self, const TbCaptureRecord *record)
{
  TbCaptureRecord skewed;

  if (self->skew != 0)
    {
      skewed = *record;
      skewed.time += self->skew;
      if (record->type == TB_CAPTURE_LOST)
        skewed.lost.from += self->skew;
      else if (record->type == TB_CAPTURE_SYS_ENTER && record->sys_enter.entered != 0)
        skewed.sys_enter.entered += self->skew;
      else if (record->type == TB_CAPTURE_SYS_CALL)
        skewed.sys_call.entered += self->skew;
      else if (record->type == TB_CAPTURE_RETURN && record->call.entered != 0)
        skewed.call.entered += self->skew;
      record = &skewed;
    }
  if (self->flight_buffer != NULL && !is_about_recording (record->type))
    {
      uint8_t *space = tb_agent_flight_buffer_get_space (self->flight_buffer);

      tb_agent_flight_buffer_commit (self->flight_buffer, record,
                                     tb_capture_encode (record, space, TB_CAPTURE_MAX_RECORD));
      return;
    }
  put_now (self, record);
}

void
tb_agent_output_put_header (TbAgentOutput *self, const TbCaptureHeader *header)
{
  size_t length = tb_capture_encode_header (header, self->current->data + self->current->length,
                                            CHUNK_SIZE - self->current->length);

  self->current->length += length;
  self->bytes += length;
  tb_agent_output_flush (self);
}

void
tb_agent_output_put_answer (TbAgentOutput *self,
                            unsigned kind,
                            unsigned source,
                            uint32_t id,
                            const TbCaptureMessage *message)
{
  TbCaptureRecord record
      = { .time = tb_agent_now (), .type = TB_CAPTURE_STATUS, .cpu = TB_CAPTURE_CPU_NONE };

  record.status.kind = (uint16_t) kind;
  record.status.source = (uint16_t) source;
  record.status.id = id;
  if (message != NULL)
    tb_capture_message_write (message, &record);
  tb_agent_output_put (self, &record);
}

void
tb_agent_output_put_status (TbAgentOutput *self,
                            unsigned kind,
                            unsigned source,
                            const TbCaptureMessage *message)
{
  tb_agent_output_put_answer (self, kind, source, 0, message);
}

void
tb_agent_output_put_armed (TbAgentOutput *self, uint64_t time)
{
  TbCaptureRecord record = { .time = time, .type = TB_CAPTURE_STATUS, .cpu = TB_CAPTURE_CPU_NONE };

  record.status.kind = TB_CAPTURE_STATUS_ARMED;
  record.status.source = TB_CAPTURE_SOURCE_NONE;
  tb_agent_output_put (self, &record);
}

static uint64_t
hash_bytes (const char *text, size_t length)
{
  uint64_t hash = 0xcbf29ce484222325u;

  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char) text[i]) * 0x100000001b3u;
  return tb_agent_hash (hash);
}

static size_t
find_string (const TbAgentOutput *self, const char *text, size_t length)
{
  size_t slot = hash_bytes (text, length) & (self->n_string_slots - 1);

  while (self->strings[slot].id != 0
         && (self->strings[slot].length != length
             || memcmp (self->strings[slot].text, text, length) != 0))
    slot = (slot + 1) & (self->n_string_slots - 1);
  return slot;
}

static void
grow_strings (TbAgentOutput *self)
{
  String *old = self->strings;
  size_t n_old = self->n_string_slots;

  self->n_string_slots = n_old == 0 ? 1024 : n_old * 2;
  self->strings = tb_agent_allocate (NULL, self->n_string_slots * sizeof *self->strings);
  memset (self->strings, 0, self->n_string_slots * sizeof *self->strings);
  for (size_t i = 0; i < n_old; i++)
    if (old[i].id != 0)
      self->strings[find_string (self, old[i].text, old[i].length)] = old[i];
  free (old);
}

uint32_t
tb_agent_output_intern_string (TbAgentOutput *self, const char *text, size_t length)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_STRING, .cpu = TB_CAPTURE_CPU_NONE };
  size_t slot;

  if (length == 0)
    return 0;
  if (length > 4096)
    length = 4096;
  if ((self->n_strings + 1) * 2 > self->n_string_slots)
    grow_strings (self);
  slot = find_string (self, text, length);
  if (self->strings[slot].id != 0)
    return self->strings[slot].id;
  if (self->string_bytes + length + 1 > STRING_BYTES)
    return 0;

  self->strings[slot]
      = (String) { ++self->n_strings, (uint32_t) length, tb_agent_allocate (NULL, length) };
  memcpy (self->strings[slot].text, text, length);
  self->string_bytes += length + 1;
  record.string.id = self->strings[slot].id;
  record.tail = (const uint8_t *) text;
  record.tail_length = (uint32_t) length;
  tb_agent_output_put (self, &record);
  return record.string.id;
}

static void
reset_stacks (TbAgentOutput *self)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_RESET, .cpu = TB_CAPTURE_CPU_NONE };

  memset (self->stacks, 0, STACK_SLOTS * sizeof *self->stacks);
  self->n_words = 0;
  self->n_stacks = 0;
  self->stack_epoch++;
  tb_agent_output_put (self, &record);
}

uint64_t
tb_agent_output_get_stack_epoch (const TbAgentOutput *self)
{
  return self->stack_epoch;
}

/* Kernel addresses are in the upper half; the highest ones are context markers. */
static void
note_kernel_addresses (TbAgentOutput *self, const uint64_t *chain, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (chain[i] >> 63 != 0 && chain[i] < (uint64_t) -4095
        && self->kernel_addresses.n_used < MAX_KERNEL_ADDRESSES)
      tb_agent_map_put (&self->kernel_addresses, chain[i], 1);
}

uint32_t
tb_agent_output_intern_stack (TbAgentOutput *self, const uint64_t *chain, size_t length)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_STACK, .cpu = TB_CAPTURE_CPU_NONE };
  uint64_t hash = length;
  size_t slot;
  Stack *stack;

  if (length == 0)
    return 0;
  if (length > TB_CAPTURE_MAX_CHAIN)
    length = TB_CAPTURE_MAX_CHAIN;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ chain[i]) * 0x9e3779b97f4a7c15u ^ (hash >> 29);
  hash = tb_agent_hash (hash);
  if (self->n_words + length > STACK_WORDS || self->n_stacks * 2 >= STACK_SLOTS)
    reset_stacks (self);

  for (slot = hash & (STACK_SLOTS - 1); self->stacks[slot].id != 0;
       slot = (slot + 1) & (STACK_SLOTS - 1))
    {
      stack = &self->stacks[slot];
      if (stack->hash == (uint32_t) (hash >> 32) && stack->length == length
          && memcmp (self->words + stack->first, chain, length * sizeof *chain) == 0)
        return stack->id;
    }
  note_kernel_addresses (self, chain, length);
  stack = &self->stacks[slot];
  *stack = (Stack) { ++self->last_stack, (uint32_t) self->n_words, (uint32_t) length,
                     (uint32_t) (hash >> 32) };
  memcpy (self->words + self->n_words, chain, length * sizeof *chain);
  self->n_words += length;
  self->n_stacks++;

  record.stack.id = stack->id;
  record.tail = (const uint8_t *) chain;
  record.tail_length = (uint32_t) (length * sizeof *chain);
  tb_agent_output_put (self, &record);
  return stack->id;
}

void
tb_agent_output_start_flight_recorder (TbAgentOutput *self, const TbCaptureStart *start)
{
  self->flight_buffer = tb_agent_flight_buffer_new (start);
}

int
tb_agent_output_is_flight_recorder (const TbAgentOutput *self)
{
  return self->flight_buffer != NULL;
}

const TbCaptureMessage *
tb_agent_output_rotate (TbAgentOutput *self)
{
  if (self->flight_buffer == NULL)
    return NULL;
  if (tb_agent_flight_buffer_rotate (self->flight_buffer, tb_agent_now () + self->skew))
    reset_stacks (self);
  return tb_agent_flight_buffer_get_save_reason (self->flight_buffer);
}

static void
put_buffered (void *data, const TbCaptureRecord *record)
{
  put_now (data, record);
}

static void
put_buffered_bytes (void *data, const void *bytes, size_t length)
{
  TbAgentOutput *self = data;
  const uint8_t *at = bytes, *end = at + length;

  while (at < end)
    {
      size_t size = tb_capture_rewrite_get_size (at);

      if (self->current->length > CHUNK_FULL)
        tb_agent_output_flush (self);
      memcpy (self->current->data + self->current->length, at, size);
      self->current->length += size;
      self->bytes += size;
      at += size;
    }
}

void
tb_agent_output_save_flight_recorder (TbAgentOutput *self,
                                      uint64_t start,
                                      uint64_t *n_events,
                                      uint64_t *n_lost)
{
  TbAgentFlightBuffer *flight_buffer = self->flight_buffer;

  if (flight_buffer == NULL)
    return;
  self->flight_buffer = NULL;
  tb_agent_flight_buffer_save (flight_buffer, start + self->skew, put_buffered, put_buffered_bytes,
                               self, n_events, n_lost);
  tb_agent_flight_buffer_free (flight_buffer);
}

typedef struct
{
  TbAgentOutput *output;
  TbAgentSymbols symbols;
  TbAgentMap sent;
} Naming;

static void
put_kernel_symbol (Naming *self, uint64_t address)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_SYMBOL, .cpu = TB_CAPTURE_CPU_NONE };
  const TbAgentSymbol *symbol = tb_agent_symbols_find (&self->symbols, address);
  const char *name;

  if (symbol == NULL || tb_agent_map_get (&self->sent, symbol->address) != NULL)
    return;
  tb_agent_map_put (&self->sent, symbol->address, 1);
  name = self->symbols.text + symbol->name;
  record.symbol.address = symbol->address;
  record.symbol.name = tb_agent_output_intern_string (self->output, name, strlen (name));
  tb_agent_output_put (self->output, &record);
}

void
tb_agent_output_put_kernel_symbols (TbAgentOutput *self)
{
  Naming naming = { .output = self };

  if (self->kernel_addresses.n_used == 0 || tb_agent_symbols_load (&naming.symbols) != 0)
    return;
  for (size_t i = 0; i < self->kernel_addresses.n_slots; i++)
    {
      uint64_t address = self->kernel_addresses.entries[i].key;

      if (address == 0)
        continue;
      put_kernel_symbol (&naming, address);
      /* A call at the very end of a function has a return address in the next function. */
      put_kernel_symbol (&naming, address - 1);
    }
  tb_agent_map_clear (&naming.sent);
  tb_agent_symbols_clear (&naming.symbols);
}
