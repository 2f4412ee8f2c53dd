/* tb-function-starts.c: start of the function at an address for which an ELF file has no symbol,
 * from its unwind table
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Without symbols, each address of a function would count as a separate function. Linkers write an
 * index of the unwind entries by function start (Linux Standard Base, "Exception Frames",
 * .eh_frame_hdr). Only its usual encoding, 32-bit offsets, is supported here. An entry contains the
 * length of its function. An entry that contradicts the index is ignored.
 */

#include "config.h"

#include <gelf.h>
#include <string.h>

#include "symbols/tb-function-starts-private.h"

/* DWARF exception header encodings: 32-bit, signed or not, relative to the place itself or to the
 * header */
#define ENCODED_RELATIVE 0x1b
#define ENCODED_COUNT 0x03
#define ENCODED_TABLE 0x3b
#define HEADER_SIZE 12
#define PAIR_SIZE 8
#define ENTRY_SIZE 16

static gint32
read_signed (const guint8 *at)
{
  guint32 value;

  memcpy (&value, at, sizeof value);
  return (gint32) GUINT32_FROM_LE (value);
}

/* Returns the bytes of the file at an address, NULL if there are not enough of them. */
static const guint8 *
get_bytes (const TbFunctionStarts *self, guint64 address, gsize length)
{
  size_t n = 0;

  if (elf_getphdrnum (self->elf, &n) != 0)
    return NULL;
  for (size_t i = 0; i < n; i++)
    {
      GElf_Phdr header;
      guint64 distance;

      if (gelf_getphdr (self->elf, i, &header) == NULL || header.p_type != PT_LOAD
          || address < header.p_vaddr)
        continue;
      distance = address - header.p_vaddr;
      if (distance < header.p_filesz && length <= header.p_filesz - distance
          && header.p_offset <= self->size && distance <= self->size - header.p_offset
          && length <= self->size - header.p_offset - distance)
        return self->image + header.p_offset + distance;
    }
  return NULL;
}

static void
read_header (TbFunctionStarts *self, const GElf_Phdr *header)
{
  static const guint8 expected[] = { 1, ENCODED_RELATIVE, ENCODED_COUNT, ENCODED_TABLE };
  const guint8 *start;

  if (header->p_filesz < HEADER_SIZE || header->p_offset > self->size
      || header->p_filesz > self->size - header->p_offset)
    return;
  start = self->image + header->p_offset;
  if (memcmp (start, expected, sizeof expected) != 0)
    return;
  self->n = (guint32) read_signed (start + 8);
  self->n = MIN (self->n, (header->p_filesz - HEADER_SIZE) / PAIR_SIZE);
  self->base = header->p_vaddr;
  self->table = start + HEADER_SIZE;
}

void
tb_function_starts_init (TbFunctionStarts *self, Elf *elf)
{
  const char *ident;
  size_t n = 0, length = 0;

  *self = (TbFunctionStarts) { .elf = elf };
  ident = elf != NULL ? elf_getident (elf, &length) : NULL;
  if (ident == NULL || length < EI_NIDENT || ident[EI_DATA] != ELFDATA2LSB)
    return;
  self->image = (const guint8 *) elf_rawfile (elf, &self->size);
  if (self->image == NULL || elf_getphdrnum (elf, &n) != 0)
    return;
  for (size_t i = 0; i < n && self->table == NULL; i++)
    {
      GElf_Phdr header;

      if (gelf_getphdr (elf, i, &header) != NULL && header.p_type == PT_GNU_EH_FRAME)
        read_header (self, &header);
    }
}

/* Whether the unwind entry belongs to the function and covers the address. */
static gboolean
covers_address (const TbFunctionStarts *self, guint64 entry, guint64 start, guint64 address)
{
  const guint8 *bytes = get_bytes (self, entry, ENTRY_SIZE);

  /* Fields: length, distance to the common entry, start and length of the function. */
  return bytes != NULL && read_signed (bytes) >= ENTRY_SIZE - 4 && read_signed (bytes + 4) != 0
         && entry + 8 + (guint64) (gint64) read_signed (bytes + 8) == start
         && address - start < (guint32) read_signed (bytes + 12);
}

gboolean
tb_function_starts_find (const TbFunctionStarts *self, guint64 address, guint64 *start)
{
  guint32 low = 0, high = self->n;

  if (self->table == NULL)
    return FALSE;
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      guint64 begin
          = self->base + (guint64) (gint64) read_signed (self->table + (gsize) middle * PAIR_SIZE);

      if (begin <= address)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return FALSE;
  *start
      = self->base + (guint64) (gint64) read_signed (self->table + (gsize) (low - 1) * PAIR_SIZE);
  return covers_address (
      self,
      self->base + (guint64) (gint64) read_signed (self->table + (gsize) (low - 1) * PAIR_SIZE + 4),
      *start, address);
}
