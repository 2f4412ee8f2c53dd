/* tb-capture-decoder.c: validating decoder of the streams between tailback-agent and its client:
 * bytes into the header and records, or the error and its position
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/tb-capture-decoder.h"
#include "capture/tb-capture-layout-private.h"
#include "capture/tb-capture-message.h"

/* Several times the size of the longest record, so that one read() gets much and few bytes are
 * moved. */
#define BUFFER_SIZE (4u * 65536u + TB_CAPTURE_RECORD_SIZE + TB_CAPTURE_MAX_PAYLOAD)

struct TbCaptureDecoder
{
  TbCaptureDirection direction;
  TbCaptureHeader header;
  int headed;
  int fail;
  char error[200];
  size_t start; /* of the part that is not decoded yet; a multiple of 8 */
  size_t end;
  uint64_t offset; /* position of start in the stream */
  uint64_t n_skipped;

  uint32_t n_strings;
  uint32_t n_stacks;
  uint32_t first_stack; /* stack ids up to this one were reset */
  uint32_t n_modules;
  uint32_t n_devices;
  uint32_t n_sleeps;
  uint32_t n_interfaces;
  uint32_t last_interface; /* the kernel's interface index */
  uint64_t string_bytes;
  uint64_t stack_words;

  _Alignas (8) uint8_t buffer[BUFFER_SIZE];
};

static inline uint16_t
get_u16 (const uint8_t *at)
{
  uint16_t value;

  memcpy (&value, at, sizeof value);
  return le16toh (value);
}

static inline uint32_t
get_u32 (const uint8_t *at)
{
  uint32_t value;

  memcpy (&value, at, sizeof value);
  return le32toh (value);
}

static inline uint64_t
get_u64 (const uint8_t *at)
{
  uint64_t value;

  memcpy (&value, at, sizeof value);
  return le64toh (value);
}

TbCaptureDecoder *
tb_capture_decoder_new (TbCaptureDirection direction)
{
  TbCaptureDecoder *self = calloc (1, sizeof *self);

  if (self != NULL)
    self->direction = direction;
  return self;
}

void
tb_capture_decoder_free (TbCaptureDecoder *self)
{
  free (self);
}

void *
tb_capture_decoder_get_space (TbCaptureDecoder *self, size_t *size)
{
  if (self->start > 0)
    {
      memmove (self->buffer, self->buffer + self->start, self->end - self->start);
      self->end -= self->start;
      self->start = 0;
    }
  *size = BUFFER_SIZE - self->end;
  return self->buffer + self->end;
}

void
tb_capture_decoder_commit (TbCaptureDecoder *self, size_t size)
{
  size_t space = BUFFER_SIZE - self->end;

  self->end += size < space ? size : space;
}

const TbCaptureHeader *
tb_capture_decoder_get_header (const TbCaptureDecoder *self)
{
  return &self->header;
}

const char *
tb_capture_decoder_get_error (const TbCaptureDecoder *self)
{
  return self->error;
}

uint64_t
tb_capture_decoder_get_n_skipped (const TbCaptureDecoder *self)
{
  return self->n_skipped;
}

uint64_t
tb_capture_decoder_get_offset (const TbCaptureDecoder *self)
{
  return self->offset;
}

int
tb_capture_decoder_has_partial (const TbCaptureDecoder *self)
{
  return self->end > self->start;
}

static TbCaptureResult __attribute__ ((format (printf, 2, 3)))
fail (TbCaptureDecoder *self, const char *format, ...)
{
  va_list arguments;
  int length;

  length = snprintf (self->error, sizeof self->error,
                     "byte %llu: ", (unsigned long long) self->offset);
  va_start (arguments, format);
  vsnprintf (self->error + length, sizeof self->error - length, format, arguments);
  va_end (arguments);
  self->fail = 1;
  return TB_CAPTURE_DAMAGED;
}

static void
consume (TbCaptureDecoder *self, size_t size)
{
  self->start += size;
  self->offset += size;
}

static void
copy_text (char *to, size_t size, const uint8_t *from, size_t length)
{
  if (length >= size)
    length = size - 1;
  memcpy (to, from, length);
  to[length] = '\0';
  /* The text is shown in one line. */
  for (size_t i = 0; i < length; i++)
    if ((unsigned char) to[i] < 0x20 || to[i] == 0x7f)
      to[i] = '?';
}

/* Returns 0 if the field is valid. */
static int
read_refusal (TbCaptureHeader *header, const uint8_t *data, size_t length)
{
  TbCaptureRefusal *refusal;
  uint16_t n_arguments;

  if (length < 12 || get_u32 (data + 4) > UINT16_MAX || get_u32 (data + 8) > TB_CAPTURE_MAX_ERROR
      || tb_capture_arguments_check (data + 12, length - 12, &n_arguments) != 0)
    return -1;
  if (header->n_refusals == TB_CAPTURE_MAX_REFUSALS)
    return 0;
  refusal = &header->refusals[header->n_refusals++];
  refusal->backend = get_u32 (data);
  refusal->message = (TbCaptureMessage) { .code = (uint16_t) get_u32 (data + 4),
                                          .n_arguments = n_arguments,
                                          .error = get_u32 (data + 8),
                                          .length = (uint32_t) length - 12 };
  memcpy (refusal->message.arguments, data + 12, length - 12);
  return 0;
}

/* Returns 0 if the field is valid. */
static int
read_field (TbCaptureDecoder *self, unsigned key, const uint8_t *data, size_t length)
{
  TbCaptureHeader *header = &self->header;

  switch (key)
    {
    case TB_CAPTURE_KEY_HOST:
      copy_text (header->host, sizeof header->host, data, length);
      break;
    case TB_CAPTURE_KEY_KERNEL:
      copy_text (header->kernel, sizeof header->kernel, data, length);
      break;
    case TB_CAPTURE_KEY_MACHINE:
      copy_text (header->machine, sizeof header->machine, data, length);
      break;
    case TB_CAPTURE_KEY_BOOT_ID:
      copy_text (header->boot_id, sizeof header->boot_id, data, length);
      break;
    case TB_CAPTURE_KEY_AGENT:
      copy_text (header->agent, sizeof header->agent, data, length);
      break;
    case TB_CAPTURE_KEY_N_CPUS:
      if (length >= 4)
        header->n_cpus = get_u32 (data);
      break;
    case TB_CAPTURE_KEY_CLOCKS:
      if (length >= 24)
        {
          header->monotonic = get_u64 (data);
          header->realtime = get_u64 (data + 8);
          header->boottime = get_u64 (data + 16);
        }
      break;
    case TB_CAPTURE_KEY_BACKEND:
      if (length >= 4)
        header->backend = get_u32 (data);
      break;
    case TB_CAPTURE_KEY_REFUSED:
      return read_refusal (header, data, length);
    default:
      self->n_skipped++;
      break;
    }
  return 0;
}

static TbCaptureResult
read_header (TbCaptureDecoder *self)
{
  const char *magic
      = self->direction == TB_CAPTURE_FROM_AGENT ? TB_CAPTURE_MAGIC : TB_CAPTURE_CONTROL_MAGIC;
  const uint8_t *data = self->buffer + self->start;
  size_t available = self->end - self->start, length, at;

  if (memcmp (data, magic, available < 8 ? available : 8) != 0)
    return fail (self, "not a Tailback %s stream",
                 self->direction == TB_CAPTURE_FROM_AGENT ? "capture" : "control");
  if (available < TB_CAPTURE_HEADER_SIZE)
    return TB_CAPTURE_MORE;
  if (get_u32 (data + 8) != TB_CAPTURE_VERSION)
    return fail (self, "stream version %u, only %u is known", get_u32 (data + 8),
                 TB_CAPTURE_VERSION);
  length = get_u32 (data + 12);
  if (length > TB_CAPTURE_MAX_HEADER || length % 8 != 0)
    return fail (self, "header: bad length %zu", length);
  if (available < TB_CAPTURE_HEADER_SIZE + length)
    return TB_CAPTURE_MORE;

  data += TB_CAPTURE_HEADER_SIZE;
  for (at = 0; at < length;)
    {
      size_t field_length = get_u16 (data + at + 2), padded = (field_length + 7) & ~(size_t) 7;

      if (padded > length - at - TB_CAPTURE_FIELD_SIZE)
        return fail (self, "header: field %u is longer than the header", get_u16 (data + at));
      if (read_field (self, get_u16 (data + at), data + at + TB_CAPTURE_FIELD_SIZE, field_length)
          != 0)
        return fail (self, "header: field %u has bad contents", get_u16 (data + at));
      at += TB_CAPTURE_FIELD_SIZE + padded;
    }
  if (self->direction == TB_CAPTURE_FROM_AGENT
      && (self->header.n_cpus == 0 || self->header.n_cpus > TB_CAPTURE_MAX_CPUS))
    return fail (self, "header: %u CPUs", self->header.n_cpus);
  consume (self, TB_CAPTURE_HEADER_SIZE + length);
  self->headed = 1;
  return TB_CAPTURE_HEADED;
}

/* Returns NULL, or the kind of an id that a member refers to but that was not defined. Members that
 * an older writer did not write stay 0. */
static const char *
read_members (TbCaptureDecoder *self,
              const TbCaptureLayout *layout,
              const uint8_t *at,
              const uint8_t *end,
              TbCaptureRecord *record)
{
  const char *bad = NULL;

  for (const TbCaptureMember *member = layout->members; member->kind != TB_CAPTURE_MEMBER_END;
       member++)
    {
      uint8_t *to = (uint8_t *) record + member->offset;
      uint32_t value;

      if (end - at < (ptrdiff_t) tb_capture_member_get_size (member))
        break;
      if (member->kind == TB_CAPTURE_MEMBER_U64)
        {
          *(uint64_t *) to = get_u64 (at);
          at += 8;
          continue;
        }
      if (member->kind == TB_CAPTURE_MEMBER_U16)
        {
          *(uint16_t *) to = get_u16 (at);
          at += 2;
          continue;
        }
      value = get_u32 (at);
      at += 4;
      *(uint32_t *) to = value;
      if (member->kind == TB_CAPTURE_MEMBER_TID && (int32_t) value < -1)
        bad = "thread";
      else if (member->kind == TB_CAPTURE_MEMBER_STRING_ID && value > self->n_strings)
        bad = "string";
      else if (member->kind == TB_CAPTURE_MEMBER_STACK_ID && value != 0
               && (value <= self->first_stack || value > self->n_stacks))
        bad = "stack";
      else if ((member->kind == TB_CAPTURE_MEMBER_MODULE_ID
                && (value == 0 || value > self->n_modules))
               || (member->kind == TB_CAPTURE_MEMBER_MODULE_OR_NONE && value > self->n_modules))
        bad = "module";
      else if (member->kind == TB_CAPTURE_MEMBER_SLEEP_ID && value != 0
               && (value > self->n_sleeps || self->n_sleeps - value >= TB_CAPTURE_SLEEP_WINDOW))
        bad = "sleep";
      else if (member->kind == TB_CAPTURE_MEMBER_DEVICE_ID && value > self->n_devices)
        bad = "device";
    }
  return bad;
}

static int
define (uint32_t *count, uint32_t id)
{
  if (id != *count + 1 || id > TB_CAPTURE_MAX_IDS)
    return 0;
  *count = id;
  return 1;
}

static const char *
check_interface (TbCaptureDecoder *self, const TbCaptureRecord *record)
{
  const TbCaptureInterface *interface = &record->interface;

  if (interface->index <= self->last_interface || interface->index > INT32_MAX)
    return "number out of order";
  if (++self->n_interfaces > TB_CAPTURE_MAX_INTERFACES)
    return "too many";
  if (interface->name == 0)
    return "name missing";
  if (interface->speed > TB_CAPTURE_MAX_SPEED)
    return "speed out of range";
  if (record->tail_length % TB_CAPTURE_ADDRESS_SIZE != 0)
    return "incomplete address";
  self->last_interface = interface->index;
  return NULL;
}

static const char *
check_status (const TbCaptureRecord *record)
{
  uint16_t n_arguments;

  if (record->status.error > TB_CAPTURE_MAX_ERROR)
    return "errno out of range";
  return tb_capture_arguments_check (record->tail, record->tail_length, &n_arguments) == 0
             ? NULL
             : "bad arguments";
}

/* Counts the definitions. Returns NULL, or what is wrong with the record. */
static const char *
check_record (TbCaptureDecoder *self, TbCaptureRecord *record)
{
  switch (record->type)
    {
    case TB_CAPTURE_STRING:
      self->string_bytes += record->tail_length + 1;
      if (self->string_bytes > TB_CAPTURE_MAX_STRING_BYTES)
        return "too many strings";
      return define (&self->n_strings, record->string.id) ? NULL : "ID out of order";

    case TB_CAPTURE_STACK:
      self->stack_words += record->tail_length / 8;
      if (self->stack_words > TB_CAPTURE_MAX_STACK_WORDS)
        return "too many stacks without a reset";
      if (self->n_stacks - self->first_stack >= TB_CAPTURE_MAX_IDS
          || record->stack.id != self->n_stacks + 1)
        return "ID out of order";
      self->n_stacks = record->stack.id;
      return NULL;

    case TB_CAPTURE_RESET:
      self->first_stack = self->n_stacks;
      self->stack_words = 0;
      return NULL;

    case TB_CAPTURE_MODULE:
      return define (&self->n_modules, record->module.id) ? NULL : "ID out of order";

    case TB_CAPTURE_DEVICE:
      return define (&self->n_devices, record->device.id) ? NULL : "ID out of order";

    case TB_CAPTURE_SLEEP:
      if (record->sleep.kind >= TB_CAPTURE_N_SLEEPS)
        record->sleep.kind = TB_CAPTURE_SLEEP_OTHER; /* a newer agent has more kinds */
      if (self->n_sleeps == UINT32_MAX || record->sleep.id != self->n_sleeps + 1)
        return "ID out of order";
      self->n_sleeps = record->sleep.id;
      return NULL;

    case TB_CAPTURE_INTERFACE:
      return check_interface (self, record);

    case TB_CAPTURE_STATUS:
      return check_status (record);

    case TB_CAPTURE_MAPPING:
      return record->mapping.size <= UINT64_MAX - record->mapping.start ? NULL : "wraps around";

    case TB_CAPTURE_CALL:
    case TB_CAPTURE_RETURN:
      return record->call.entered <= record->time ? NULL : "ends before it begins";

    case TB_CAPTURE_SYS_ENTER:
      return record->sys_enter.entered <= record->time ? NULL : "begins after its record";

    case TB_CAPTURE_SYS_CALL:
      return record->sys_call.entered <= record->time ? NULL : "ends before it begins";

    case TB_CAPTURE_DUMP:
      return record->tail_length / 8 >= (uint32_t) __builtin_popcountll (record->dump.registers)
                     && (record->dump.registers != 0 || record->tail_length == 0)
                 ? NULL
                 : "registers missing";

    case TB_CAPTURE_LOST:
      return record->lost.from <= record->time ? NULL : "ends before it begins";

    default:
      return NULL;
    }
}

static TbCaptureResult
read_record (TbCaptureDecoder *self, const uint8_t *data, uint32_t length, TbCaptureRecord *record)
{
  const TbCaptureLayout *layout = tb_capture_layout_get (get_u16 (data + 8));
  const uint8_t *payload = data + TB_CAPTURE_RECORD_SIZE;
  uint32_t tail_offset = tb_capture_layout_get_tail_offset (layout), needed = tail_offset;
  const char *bad;

  memset (record, 0, sizeof *record);
  record->time = get_u64 (data);
  record->type = get_u16 (data + 8);
  record->cpu = get_u16 (data + 12);
  record->flags = get_u16 (data + 14);
  if (record->time > INT64_MAX)
    return fail (self, "%s: time out of range", layout->name);
  if (record->cpu != TB_CAPTURE_CPU_NONE && self->direction == TB_CAPTURE_FROM_AGENT
      && record->cpu >= self->header.n_cpus)
    return fail (self, "%s: CPU %u of %u", layout->name, record->cpu, self->header.n_cpus);
  if (layout->tail == TB_CAPTURE_TAIL_NONE)
    needed = tb_capture_layout_get_needed (layout);
  if (length < needed)
    return fail (self, "%s: %u bytes where at least %u are needed", layout->name, length, needed);
  bad = read_members (self, layout, payload, payload + length, record);
  if (bad != NULL)
    return fail (self, "%s: refers to a %s that was not sent", layout->name, bad);
  if (layout->tail != TB_CAPTURE_TAIL_NONE)
    {
      record->tail = payload + tail_offset;
      record->tail_length = length - tail_offset;
      if (record->tail_length > layout->max_tail)
        return fail (self, "%s: too long", layout->name);
      if (layout->tail == TB_CAPTURE_TAIL_WORDS)
        {
          uint64_t *words = (uint64_t *) (void *) (self->buffer + (record->tail - self->buffer));

          if (record->tail_length % 8 != 0)
            return fail (self, "%s: incomplete address", layout->name);
          for (uint32_t i = 0; i < record->tail_length / 8; i++)
            words[i] = le64toh (words[i]);
        }
    }
  bad = check_record (self, record);
  if (bad != NULL)
    return fail (self, "%s: %s", layout->name, bad);
  return TB_CAPTURE_RECORD;
}

TbCaptureResult
tb_capture_decoder_next (TbCaptureDecoder *self, TbCaptureRecord *record)
{
  if (self->fail)
    return TB_CAPTURE_DAMAGED;
  if (!self->headed)
    return read_header (self);

  for (;;)
    {
      const uint8_t *data = self->buffer + self->start;
      size_t available = self->end - self->start, size;
      const TbCaptureLayout *layout;
      uint32_t length;
      TbCaptureResult result;

      if (available < TB_CAPTURE_RECORD_SIZE)
        return TB_CAPTURE_MORE;
      length = get_u16 (data + 10);
      size = TB_CAPTURE_RECORD_SIZE + (((size_t) length + 7) & ~(size_t) 7);
      if (length > TB_CAPTURE_MAX_PAYLOAD)
        return fail (self, "record of %u bytes", length);
      if (available < size)
        return TB_CAPTURE_MORE;
      layout = tb_capture_layout_get (get_u16 (data + 8));
      if (layout == NULL || layout->control != (self->direction == TB_CAPTURE_FROM_CLIENT))
        {
          self->n_skipped++;
          consume (self, size);
          continue;
        }
      result = read_record (self, data, length, record);
      if (result == TB_CAPTURE_RECORD)
        consume (self, size);
      return result;
    }
}
