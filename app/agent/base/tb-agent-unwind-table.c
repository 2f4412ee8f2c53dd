/* tb-agent-unwind-table.c: unwind table of an ELF file for the BPF programs, made from its call
 * frame information: the sorted list of functions in .eh_frame_hdr, their entries in .eh_frame
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files are those of any user and may be changed at any time, so they are read, not mapped, and
 * every length is checked.
 */

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/tb-agent-map.h"
#include "agent/base/tb-agent-unwind-rules.h"
#include "agent/base/tb-agent-unwind-table.h"
#include "agent/bpf/programs/tb-bpf-unwind-table.h"

#define MAX_SEGMENTS 64
#define MAX_BYTES (64u << 20) /* of a segment with call frame information */
#define HEADER_SIZE 12u
#define ENTRY_SIZE 8u

/* Encodings of addresses (DW_EH_PE_*) */
#define ENCODING_ABSOLUTE 0x00
#define ENCODING_RELATIVE 0x1b /* to the place of the address, 32 bits, as is the next */
#define ENCODING_LIST 0x3b     /* to the start of the list */
#define ENCODING_COUNT 0x03

typedef struct
{
  uint64_t address; /* in memory, as the file has it */
  uint64_t offset;
  uint64_t size; /* in the file */
} Segment;

typedef struct
{
  Segment code[MAX_SEGMENTS];
  size_t n_code;
  Segment loaded[MAX_SEGMENTS];
  size_t n_loaded;
  Segment list; /* .eh_frame_hdr */
} Segments;

typedef struct
{
  const Segments *segments;
  Segment segment; /* that contains the entries */
  uint8_t *bytes;
  uint64_t common_at; /* the entry that was read last */
  int has_common;
  TbAgentUnwindCommon common;
  TbAgentUnwindTable *table;
  size_t max_rows;
  int is_full;
  uint64_t end;      /* offset in the file of the end of the last function */
  int64_t to_offset; /* offset in the file minus address, of the function */
} Reader;

static int
read_at (int file, uint64_t offset, void *to, size_t size)
{
  return offset <= INT64_MAX && pread (file, to, size, (off_t) offset) == (ssize_t) size ? 0 : -1;
}

static int
read_segments (int file, Segments *segments)
{
  Elf64_Ehdr header;

  if (read_at (file, 0, &header, sizeof header) != 0
      || memcmp (header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64
      || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != EM_X86_64
      || header.e_phentsize != sizeof (Elf64_Phdr) || header.e_phoff > INT64_MAX / 2)
    return -1;
  for (unsigned i = 0; i < header.e_phnum && i < MAX_SEGMENTS; i++)
    {
      Elf64_Phdr program;
      Segment segment;

      if (read_at (file, header.e_phoff + i * sizeof program, &program, sizeof program) != 0)
        return -1;
      if (program.p_vaddr > INT64_MAX / 2 || program.p_offset > INT64_MAX / 2
          || program.p_filesz > INT64_MAX / 2)
        continue;
      segment = (Segment) { program.p_vaddr, program.p_offset, program.p_filesz };
      if (program.p_type == PT_GNU_EH_FRAME)
        segments->list = segment;
      if (program.p_type != PT_LOAD)
        continue;
      segments->loaded[segments->n_loaded++] = segment;
      if ((program.p_flags & PF_X) != 0)
        segments->code[segments->n_code++] = segment;
    }
  return segments->list.size > 0 ? 0 : -1;
}

static const Segment *
find_segment (const Segment *segments, size_t n, uint64_t address)
{
  for (size_t i = 0; i < n; i++)
    if (address >= segments[i].address && address - segments[i].address < segments[i].size)
      return &segments[i];
  return NULL;
}

static uint8_t *
read_bytes (int file, const Segment *segment)
{
  uint8_t *bytes = segment->size <= MAX_BYTES ? malloc (segment->size) : NULL;

  if (bytes != NULL && read_at (file, segment->offset, bytes, segment->size) == 0)
    return bytes;
  free (bytes);
  return NULL;
}

static void
add_row (Reader *self, uint64_t offset, uint32_t rule)
{
  TbAgentUnwindTable *table = self->table;
  uint64_t row = offset << 32 | rule;

  if (table->n > 0 && (uint32_t) table->rows[table->n - 1] == rule)
    return;
  if (table->n > 0 && table->rows[table->n - 1] >> 32 == offset)
    {
      table->rows[table->n - 1] = row;
      return;
    }
  if (table->n == self->max_rows)
    {
      self->is_full = 1;
      return;
    }
  if (table->n == table->capacity)
    {
      table->capacity = table->capacity == 0 ? 4096 : table->capacity * 2;
      table->rows = tb_agent_allocate (table->rows, table->capacity * sizeof *table->rows);
    }
  table->rows[table->n++] = row;
}

static void
take_part (uint64_t address, uint32_t rule, void *data)
{
  Reader *self = data;

  add_row (self, address + (uint64_t) self->to_offset, rule);
}

/* Opens the entry at a place of the segment: its bytes behind the length. */
static TbAgentBytes
open_entry (const Reader *self, uint64_t at)
{
  TbAgentBytes bytes = { self->bytes, self->bytes + self->segment.size, 0 };
  uint64_t length;

  tb_agent_bytes_take_part (&bytes, at);
  length = tb_agent_bytes_take (&bytes, 4);
  /* No compiler writes entries with 64-bit lengths. */
  if (length == 0 || length >= 0xfffffff0)
    bytes.failed = 1;
  return bytes.failed ? bytes : tb_agent_bytes_take_part (&bytes, length);
}

/* The letters show what else the entry has: 'z' how long that is, 'R' the encoding of addresses,
 * 'P' a function, 'L' an encoding, 'S' nothing. */
static int
read_augmentation (TbAgentUnwindCommon *common, const char *letters, TbAgentBytes *bytes)
{
  TbAgentBytes data;

  common->encoding = ENCODING_ABSOLUTE;
  common->has_augmentation = letters[0] == 'z';
  if (letters[0] == '\0')
    return 0;
  if (!common->has_augmentation)
    return -1;
  data = tb_agent_bytes_take_part (bytes, tb_agent_bytes_take_leb (bytes));
  for (letters++; *letters != '\0'; letters++)
    switch (*letters)
      {
      case 'R':
        common->encoding = (uint8_t) tb_agent_bytes_take (&data, 1);
        break;
      case 'L':
        tb_agent_bytes_take (&data, 1);
        break;
      case 'P':
        tb_agent_bytes_take_part (&data, (tb_agent_bytes_take (&data, 1) & 7) % 4 == 0 ? 8 : 4);
        break;
      case 'S':
        common->is_signal = 1;
        break;
      default:
        return -1;
      }
  return bytes->failed || data.failed ? -1 : 0;
}

static int
read_common (Reader *self, uint64_t at)
{
  TbAgentUnwindCommon common = { 0 };
  TbAgentBytes bytes;
  const char *letters;
  uint64_t version;

  if (self->has_common && self->common_at == at)
    return 0;
  self->has_common = 0;
  bytes = open_entry (self, at);
  if (tb_agent_bytes_take (&bytes, 4) != 0)
    return -1;
  version = tb_agent_bytes_take (&bytes, 1);
  letters = (const char *) bytes.at;
  while (tb_agent_bytes_take (&bytes, 1) != 0)
    ;
  if (bytes.failed || (version != 1 && version != 3))
    return -1;
  common.code_factor = tb_agent_bytes_take_leb (&bytes);
  common.data_factor = tb_agent_bytes_take_signed_leb (&bytes);
  if (version == 1)
    tb_agent_bytes_take (&bytes, 1);
  else
    tb_agent_bytes_take_leb (&bytes);
  if (read_augmentation (&common, letters, &bytes) != 0 || bytes.failed)
    return -1;
  common.instructions = bytes;
  self->common = common;
  self->common_at = at;
  self->has_common = 1;
  return 0;
}

/* Reads first address and length of a function. */
static int
read_extent (const Reader *self, TbAgentBytes *bytes, uint64_t *begin, uint64_t *length)
{
  uint64_t place = self->segment.address + (uint64_t) (bytes->at - self->bytes);

  switch (self->common.encoding)
    {
    case ENCODING_RELATIVE:
      *begin = place + (uint64_t) (int64_t) (int32_t) tb_agent_bytes_take (bytes, 4);
      *length = tb_agent_bytes_take (bytes, 4);
      break;
    case ENCODING_ABSOLUTE:
      *begin = tb_agent_bytes_take (bytes, 8);
      *length = tb_agent_bytes_take (bytes, 8);
      break;
    default:
      return -1;
    }
  if (self->common.has_augmentation)
    tb_agent_bytes_take_part (bytes, tb_agent_bytes_take_leb (bytes));
  return bytes->failed || *length == 0 || *length > UINT32_MAX ? -1 : 0;
}

/* Adds the rows of the function of an entry. Functions that are not behind the last one are left
 * out, so that the rows are always in order. */
static void
read_function (Reader *self, uint64_t at)
{
  TbAgentBytes bytes = open_entry (self, at);
  uint64_t here = (uint64_t) (bytes.at - self->bytes), begin, length, offset;
  uint64_t back = tb_agent_bytes_take (&bytes, 4);
  const Segment *code;

  if (bytes.failed || back == 0 || back > here || read_common (self, here - back) != 0
      || read_extent (self, &bytes, &begin, &length) != 0)
    return;
  code = find_segment (self->segments->code, self->segments->n_code, begin);
  if (code == NULL || length > code->size - (begin - code->address))
    return;
  offset = begin - code->address + code->offset;
  if (offset < self->end || offset + length > UINT32_MAX)
    return;
  if (offset > self->end)
    add_row (self, self->end, TB_BPF_UNWIND_UNKNOWN);
  self->to_offset = (int64_t) (offset - begin);
  tb_agent_unwind_interpret (&self->common, bytes, begin, begin + length, take_part, self);
  self->end = offset + length;
}

/* Reads the functions of the list, whose encodings are those that all linkers use. */
static int
read_list (Reader *self, TbAgentBytes list)
{
  static const uint8_t kind[] = { 1, ENCODING_RELATIVE, ENCODING_COUNT, ENCODING_LIST };
  uint64_t n;

  if (list.end - list.at < HEADER_SIZE || memcmp (list.at, kind, sizeof kind) != 0)
    return -1;
  list.at += 8;
  n = tb_agent_bytes_take (&list, 4);
  for (uint64_t i = 0; i < n && list.end - list.at >= ENTRY_SIZE && !self->is_full; i++)
    {
      uint64_t at, address = self->segments->list.address;

      tb_agent_bytes_take (&list, 4);
      address += (uint64_t) (int64_t) (int32_t) tb_agent_bytes_take (&list, 4);
      at = address - self->segment.address;
      if (at < self->segment.size)
        read_function (self, at);
    }
  add_row (self, self->end, TB_BPF_UNWIND_UNKNOWN);
  return self->table->n > 1 && !self->is_full ? 0 : -1;
}

int
tb_agent_unwind_table_read (TbAgentUnwindTable *self, int file, size_t max_rows)
{
  Segments segments = { 0 };
  Reader reader = { .segments = &segments, .table = self, .max_rows = max_rows };
  const Segment *found;
  uint64_t within;
  int result = -1;

  memset (self, 0, sizeof *self);
  if (read_segments (file, &segments) != 0)
    return -1;
  /* The entries are in the segment of their list. */
  found = find_segment (segments.loaded, segments.n_loaded, segments.list.address);
  if (found == NULL || segments.list.size / ENTRY_SIZE > max_rows)
    return -1;
  reader.segment = *found;
  within = segments.list.address - found->address;
  reader.bytes = read_bytes (file, found);
  if (reader.bytes != NULL && segments.list.size <= found->size - within)
    result = read_list (&reader, (TbAgentBytes) { reader.bytes + within,
                                                  reader.bytes + within + segments.list.size, 0 });
  free (reader.bytes);
  return result;
}

void
tb_agent_unwind_table_clear (TbAgentUnwindTable *self)
{
  free (self->rows);
  memset (self, 0, sizeof *self);
}
