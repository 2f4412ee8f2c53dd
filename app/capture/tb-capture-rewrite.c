/* tb-capture-rewrite.c: encoded records in the buffer of a flight recorder: reading without checks,
 * and renumbering of their stack and sleep ids in place
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <assert.h>
#include <endian.h>
#include <string.h>

#include "capture/tb-capture-layout-private.h"
#include "capture/tb-capture-rewrite.h"

static uint16_t
get_u16 (const uint8_t *at)
{
  uint16_t value;

  memcpy (&value, at, sizeof value);
  return le16toh (value);
}

static uint32_t
get_u32 (const uint8_t *at)
{
  uint32_t value;

  memcpy (&value, at, sizeof value);
  return le32toh (value);
}

static uint64_t
get_u64 (const uint8_t *at)
{
  uint64_t value;

  memcpy (&value, at, sizeof value);
  return le64toh (value);
}

size_t
tb_capture_rewrite_get_size (const void *data)
{
  return TB_CAPTURE_RECORD_SIZE
         + (((size_t) get_u16 ((const uint8_t *) data + 10) + 7) & ~(size_t) 7);
}

void
tb_capture_rewrite_read (const void *data, TbCaptureRecord *record)
{
  const uint8_t *start = data, *at = start + TB_CAPTURE_RECORD_SIZE;
  const TbCaptureLayout *layout = tb_capture_layout_get (get_u16 (start + 8));

  assert (layout != NULL);
  memset (record, 0, sizeof *record);
  record->time = get_u64 (start);
  record->type = get_u16 (start + 8);
  record->cpu = get_u16 (start + 12);
  record->flags = get_u16 (start + 14);
  for (const TbCaptureMember *member = layout->members; member->kind != TB_CAPTURE_MEMBER_END;
       member++)
    {
      uint8_t *to = (uint8_t *) record + member->offset;

      if (member->kind == TB_CAPTURE_MEMBER_U64)
        *(uint64_t *) (void *) to = get_u64 (at);
      else if (member->kind == TB_CAPTURE_MEMBER_U16)
        *(uint16_t *) (void *) to = get_u16 (at);
      else
        *(uint32_t *) (void *) to = get_u32 (at);
      at += tb_capture_member_get_size (member);
    }
  if (layout->tail != TB_CAPTURE_TAIL_NONE)
    {
      uint32_t offset = tb_capture_layout_get_tail_offset (layout);

      record->tail = start + TB_CAPTURE_RECORD_SIZE + offset;
      record->tail_length = get_u16 (start + 10) - offset;
    }
}

static void
subtract (uint8_t *at, uint32_t amount)
{
  uint32_t value = get_u32 (at);

  value = htole32 (value > amount ? value - amount : 0);
  memcpy (at, &value, sizeof value);
}

void
tb_capture_rewrite_renumber (void *data, uint32_t stacks, uint32_t sleeps)
{
  uint8_t *at = (uint8_t *) data + TB_CAPTURE_RECORD_SIZE;
  unsigned type = get_u16 ((const uint8_t *) data + 8);
  const TbCaptureLayout *layout = tb_capture_layout_get (type);

  assert (layout != NULL);
  for (const TbCaptureMember *member = layout->members; member->kind != TB_CAPTURE_MEMBER_END;
       member++)
    {
      if (member->kind == TB_CAPTURE_MEMBER_STACK_ID
          || (type == TB_CAPTURE_STACK && member->offset == offsetof (TbCaptureRecord, stack.id)))
        subtract (at, stacks);
      else if (member->kind == TB_CAPTURE_MEMBER_SLEEP_ID
               || (type == TB_CAPTURE_SLEEP
                   && member->offset == offsetof (TbCaptureRecord, sleep.id)))
        subtract (at, sleeps);
      at += tb_capture_member_get_size (member);
    }
}
