/* tb-capture-encoder.c: encoder of the streams between tailback-agent and its client: headers and
 * records into bytes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <endian.h>
#include <string.h>

#include "capture/tb-capture-encoder.h"
#include "capture/tb-capture-layout-private.h"

static inline uint8_t *
put_u16 (uint8_t *at, uint16_t value)
{
  value = htole16 (value);
  memcpy (at, &value, sizeof value);
  return at + sizeof value;
}

static inline uint8_t *
put_u32 (uint8_t *at, uint32_t value)
{
  value = htole32 (value);
  memcpy (at, &value, sizeof value);
  return at + sizeof value;
}

static inline uint8_t *
put_u64 (uint8_t *at, uint64_t value)
{
  value = htole64 (value);
  memcpy (at, &value, sizeof value);
  return at + sizeof value;
}

static uint8_t *
put_members (uint8_t *at, const TbCaptureLayout *layout, const TbCaptureRecord *record)
{
  for (const TbCaptureMember *member = layout->members; member->kind != TB_CAPTURE_MEMBER_END;
       member++)
    {
      const uint8_t *from = (const uint8_t *) record + member->offset;

      if (member->kind == TB_CAPTURE_MEMBER_U64)
        at = put_u64 (at, *(const uint64_t *) from);
      else if (member->kind == TB_CAPTURE_MEMBER_U16)
        at = put_u16 (at, *(const uint16_t *) from);
      else
        at = put_u32 (at, *(const uint32_t *) from);
    }
  return at;
}

size_t
tb_capture_encode (const TbCaptureRecord *record, void *buffer, size_t capacity)
{
  const TbCaptureLayout *layout = tb_capture_layout_get (record->type);
  uint32_t length, padded;
  uint8_t *start = buffer, *at;

  if (layout == NULL || record->tail_length > layout->max_tail
      || (layout->tail == TB_CAPTURE_TAIL_WORDS && record->tail_length % 8 != 0))
    return 0;
  length = tb_capture_layout_get_tail_offset (layout) + record->tail_length;
  padded = (length + 7u) & ~7u;
  if (TB_CAPTURE_RECORD_SIZE + padded > capacity)
    return 0;

  at = put_u64 (start, record->time);
  at = put_u16 (at, record->type);
  at = put_u16 (at, (uint16_t) length);
  at = put_u16 (at, record->cpu);
  at = put_u16 (at, record->flags);
  at = put_members (at, layout, record);
  while ((at - start) % 8 != 0)
    *at++ = 0;
  if (layout->tail == TB_CAPTURE_TAIL_WORDS)
    {
      const uint64_t *words = (const uint64_t *) (const void *) record->tail;

      for (uint32_t i = 0; i < record->tail_length / 8; i++)
        at = put_u64 (at, words[i]);
    }
  else if (record->tail_length > 0)
    {
      memcpy (at, record->tail, record->tail_length);
      at += record->tail_length;
    }
  while ((at - start) % 8 != 0)
    *at++ = 0;
  return at - start;
}

typedef struct
{
  uint8_t *data;
  size_t length;
  size_t capacity;
  int overflow;
} Header;

static void
begin_header (Header *header, const char *magic, void *buffer, size_t capacity)
{
  *header
      = (Header) { buffer, TB_CAPTURE_HEADER_SIZE, capacity, capacity < TB_CAPTURE_HEADER_SIZE };
  if (!header->overflow)
    {
      memcpy (header->data, magic, 8);
      put_u32 (put_u32 (header->data + 8, TB_CAPTURE_VERSION), 0);
    }
}

static size_t
end_header (Header *header)
{
  if (header->overflow)
    return 0;
  put_u32 (header->data + 12, (uint32_t) (header->length - TB_CAPTURE_HEADER_SIZE));
  return header->length;
}

static void
add_field (Header *header,
           uint16_t key,
           const void *first,
           size_t first_length,
           const void *second,
           size_t second_length)
{
  size_t length = first_length + second_length, padded = (length + 7) & ~(size_t) 7;
  uint8_t *at;

  if (header->overflow || TB_CAPTURE_FIELD_SIZE + padded > header->capacity - header->length)
    {
      header->overflow = 1;
      return;
    }
  at = put_u32 (put_u16 (put_u16 (header->data + header->length, key), (uint16_t) length), 0);
  memset (at, 0, padded);
  memcpy (at, first, first_length);
  if (second_length > 0)
    memcpy (at + first_length, second, second_length);
  header->length += TB_CAPTURE_FIELD_SIZE + padded;
}

static void
add_text (Header *header, uint16_t key, const char *text)
{
  add_field (header, key, text, strlen (text), NULL, 0);
}

static void
add_refusal (Header *header, const TbCaptureRefusal *refusal)
{
  uint8_t numbers[12];

  put_u32 (put_u32 (put_u32 (numbers, refusal->backend), refusal->message.code),
           refusal->message.error);
  add_field (header, TB_CAPTURE_KEY_REFUSED, numbers, sizeof numbers, refusal->message.arguments,
             refusal->message.length);
}

size_t
tb_capture_encode_header (const TbCaptureHeader *header, void *buffer, size_t capacity)
{
  Header out;
  uint8_t number[24];

  begin_header (&out, TB_CAPTURE_MAGIC, buffer, capacity);
  add_text (&out, TB_CAPTURE_KEY_HOST, header->host);
  add_text (&out, TB_CAPTURE_KEY_KERNEL, header->kernel);
  add_text (&out, TB_CAPTURE_KEY_MACHINE, header->machine);
  add_text (&out, TB_CAPTURE_KEY_BOOT_ID, header->boot_id);
  add_text (&out, TB_CAPTURE_KEY_AGENT, header->agent);
  put_u32 (number, header->n_cpus);
  add_field (&out, TB_CAPTURE_KEY_N_CPUS, number, 4, NULL, 0);
  put_u64 (put_u64 (put_u64 (number, header->monotonic), header->realtime), header->boottime);
  add_field (&out, TB_CAPTURE_KEY_CLOCKS, number, 24, NULL, 0);
  put_u32 (number, header->backend);
  add_field (&out, TB_CAPTURE_KEY_BACKEND, number, 4, NULL, 0);
  for (uint32_t i = 0; i < header->n_refusals && i < TB_CAPTURE_MAX_REFUSALS; i++)
    add_refusal (&out, &header->refusals[i]);
  return end_header (&out);
}

size_t
tb_capture_encode_control_header (void *buffer, size_t capacity)
{
  Header out;

  begin_header (&out, TB_CAPTURE_CONTROL_MAGIC, buffer, capacity);
  return end_header (&out);
}
