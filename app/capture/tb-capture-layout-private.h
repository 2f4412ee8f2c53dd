/* tb-capture-layout-private.h: table of the members of each record of the streams between
 * tailback-agent and its client, with their sizes and places, for encoder and decoder
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"

typedef enum
{
  TB_CAPTURE_MEMBER_END,
  TB_CAPTURE_MEMBER_U16,
  TB_CAPTURE_MEMBER_U32,
  TB_CAPTURE_MEMBER_U64,
  TB_CAPTURE_MEMBER_TID,       /* i32, -1 if unknown */
  TB_CAPTURE_MEMBER_STRING_ID, /* u32, defined earlier or 0 */
  TB_CAPTURE_MEMBER_STACK_ID,
  TB_CAPTURE_MEMBER_MODULE_ID,
  TB_CAPTURE_MEMBER_MODULE_OR_NONE,
  TB_CAPTURE_MEMBER_DEVICE_ID,
  TB_CAPTURE_MEMBER_SLEEP_ID,
} TbCaptureMemberKind;

typedef struct
{
  uint8_t kind;
  uint8_t offset; /* in TbCaptureRecord */
} TbCaptureMember;

typedef enum
{
  TB_CAPTURE_TAIL_NONE,
  TB_CAPTURE_TAIL_BYTES,
  TB_CAPTURE_TAIL_WORDS,
} TbCaptureTailKind;

#define TB_CAPTURE_MAX_MEMBERS 20
#define TB_CAPTURE_NEEDS_NOTHING UINT16_MAX /* the first version of the payload was empty */

typedef struct
{
  const char *name; /* NULL: there is no such type */
  uint16_t size;    /* size of the fixed members as written, without the padding before the tail */
  uint8_t tail;
  uint8_t control; /* belongs to the control stream */
  uint32_t max_tail;
  TbCaptureMember members[TB_CAPTURE_MAX_MEMBERS];
  /* size in the first version, for a type without tail that has grown; 0: all of size */
  uint16_t needed;
} TbCaptureLayout;

/* Returns NULL for an unknown type. */
const TbCaptureLayout *tb_capture_layout_get (unsigned type);

/* Minimum length of a payload. */
static inline uint32_t
tb_capture_layout_get_needed (const TbCaptureLayout *layout)
{
  if (layout->needed == TB_CAPTURE_NEEDS_NOTHING)
    return 0;
  return layout->needed != 0 ? layout->needed : layout->size;
}

/* Size as written; there is no padding between members. */
static inline uint32_t
tb_capture_member_get_size (const TbCaptureMember *member)
{
  return member->kind == TB_CAPTURE_MEMBER_U64 ? 8 : member->kind == TB_CAPTURE_MEMBER_U16 ? 2 : 4;
}

/* Offset of the tail: after the fixed members, aligned to 8. */
static inline uint32_t
tb_capture_layout_get_tail_offset (const TbCaptureLayout *layout)
{
  return layout->tail == TB_CAPTURE_TAIL_NONE ? layout->size : (layout->size + 7u) & ~7u;
}
