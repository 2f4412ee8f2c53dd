/* tb-agent-btf.c: offsets of per-CPU variables and structure members of the running kernel, found
 * by name in its type information (BTF), which the caller has read into memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The format: Documentation/bpf/btf.rst of the kernel.
 */

#include <linux/btf.h>
#include <string.h>

#include "agent/base/tb-agent-btf.h"
#include "agent/base/tb-agent-map.h"

#define CPU_SECTION ".data..percpu"

typedef struct
{
  const uint8_t *types; /* each type is 4-byte aligned */
  size_t types_size;
  const char *names;
  size_t names_size;
} Btf;

static int
open_btf (Btf *self, const uint8_t *btf, size_t size)
{
  struct btf_header header;

  if (size < sizeof header)
    return 0;
  memcpy (&header, btf, sizeof header);
  if (header.magic != BTF_MAGIC || header.hdr_len < sizeof header || header.hdr_len > size)
    return 0;
  size -= header.hdr_len;
  if (header.type_off > size || header.type_len > size - header.type_off || header.str_off > size
      || header.str_len > size - header.str_off || header.type_off % 4 != 0 || header.str_len == 0)
    return 0;
  self->types = btf + header.hdr_len + header.type_off;
  self->types_size = header.type_len;
  self->names = (const char *) btf + header.hdr_len + header.str_off;
  self->names_size = header.str_len;
  return self->names[self->names_size - 1] == '\0';
}

static const char *
get_name (const Btf *self, uint32_t offset)
{
  return offset < self->names_size ? self->names + offset : "";
}

/* Size of the data behind a type's common part; SIZE_MAX for an unknown kind. */
static size_t
get_tail_size (const struct btf_type *type)
{
  size_t n = BTF_INFO_VLEN (type->info);

  switch (BTF_INFO_KIND (type->info))
    {
    case BTF_KIND_INT:
    case BTF_KIND_VAR:
    case BTF_KIND_DECL_TAG:
      return 4;
    case BTF_KIND_ARRAY:
      return sizeof (struct btf_array);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
    case BTF_KIND_DATASEC:
    case BTF_KIND_ENUM64:
      return n * 12;
    case BTF_KIND_ENUM:
    case BTF_KIND_FUNC_PROTO:
      return n * 8;
    case BTF_KIND_PTR:
    case BTF_KIND_FWD:
    case BTF_KIND_TYPEDEF:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_CONST:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_FUNC:
    case BTF_KIND_FLOAT:
    case BTF_KIND_TYPE_TAG:
      return 0;
    default:
      return SIZE_MAX;
    }
}

/* Reads the next type; NULL at the end or on invalid data. */
static const uint8_t *
next_type (const Btf *self, size_t *at, struct btf_type *type)
{
  const uint8_t *tail;
  size_t size;

  if (self->types_size - *at < sizeof *type)
    return NULL;
  memcpy (type, self->types + *at, sizeof *type);
  size = get_tail_size (type);
  if (size > self->types_size - *at - sizeof *type)
    return NULL;
  tail = self->types + *at + sizeof *type;
  *at += sizeof *type + size;
  return tail;
}

int
tb_agent_btf_find_cpu_variables (const uint8_t *btf,
                                 size_t size,
                                 const char *const *names,
                                 uint32_t *offsets,
                                 size_t n)
{
  TbAgentMap variables = { 0 };
  const uint8_t *tail;
  struct btf_type type;
  uint64_t found = 0;
  uint32_t id = 0;
  size_t at = 0;
  Btf self;

  if (!open_btf (&self, btf, size))
    return 0;
  while ((tail = next_type (&self, &at, &type)) != NULL)
    {
      id++;
      if (BTF_INFO_KIND (type.info) == BTF_KIND_VAR)
        for (size_t i = 0; i < n; i++)
          if (strcmp (get_name (&self, type.name_off), names[i]) == 0)
            tb_agent_map_put (&variables, id, i);
      if (BTF_INFO_KIND (type.info) != BTF_KIND_DATASEC
          || strcmp (get_name (&self, type.name_off), CPU_SECTION) != 0)
        continue;
      for (size_t i = 0; i < BTF_INFO_VLEN (type.info); i++)
        {
          struct btf_var_secinfo place;
          const uint64_t *which;

          memcpy (&place, tail + i * sizeof place, sizeof place);
          which = tb_agent_map_get (&variables, place.type);
          if (which == NULL)
            continue;
          offsets[*which] = place.offset;
          found |= UINT64_C (1) << *which;
        }
    }
  tb_agent_map_clear (&variables);
  return found == (UINT64_C (1) << n) - 1;
}

int
tb_agent_btf_find_member (const uint8_t *btf,
                          size_t size,
                          const char *structure,
                          const char *member,
                          uint32_t *offset)
{
  const uint8_t *tail;
  struct btf_type type;
  size_t at = 0;
  Btf self;

  if (!open_btf (&self, btf, size))
    return 0;
  while ((tail = next_type (&self, &at, &type)) != NULL)
    {
      if (BTF_INFO_KIND (type.info) != BTF_KIND_STRUCT
          || strcmp (get_name (&self, type.name_off), structure) != 0)
        continue;
      for (size_t i = 0; i < BTF_INFO_VLEN (type.info); i++)
        {
          struct btf_member place;

          memcpy (&place, tail + i * sizeof place, sizeof place);
          if (strcmp (get_name (&self, place.name_off), member) == 0)
            {
              *offset = BTF_INFO_KFLAG (type.info) ? BTF_MEMBER_BIT_OFFSET (place.offset) / 8
                                                   : place.offset / 8;
              return 1;
            }
        }
    }
  return 0;
}
