/* tb-agent-kernel-code.c: addresses and machine code of kernel functions, found by name or address
 * and read from the memory of the kernel; number of functions of a name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The code is read from /proc/kcore, because the kernel patches its code at boot and the file on
 * disk differs.
 */

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/tb-agent-map.h"
#include "agent/probes/tb-agent-kernel-code.h"

/* A symbol without a successor within this distance is not treated as a function. */
#define MAX_SIZE (1u << 20)

static int
load (TbAgentKernelCode *self)
{
  if (self->is_loaded)
    return self->core >= 0 ? 0 : -1;
  self->is_loaded = 1;
  self->core = -1;
  if (tb_agent_symbols_load (&self->symbols) != 0)
    return -1;
  self->core = open ("/proc/kcore", O_RDONLY | O_CLOEXEC);
  return self->core >= 0 ? 0 : -1;
}

static int
read_at (int file, void *to, size_t size, uint64_t offset)
{
  size_t length = 0;

  while (length < size)
    {
      ssize_t got = pread (file, (uint8_t *) to + length, size - length, (off_t) (offset + length));

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        return -1;
      length += (size_t) got;
    }
  return 0;
}

static int
read_memory (int core, uint64_t address, uint8_t *to, size_t size)
{
  Elf64_Ehdr header;

  if (read_at (core, &header, sizeof header, 0) != 0
      || memcmp (header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof (Elf64_Phdr))
    return -1;
  for (unsigned i = 0; i < header.e_phnum; i++)
    {
      Elf64_Phdr segment;

      if (read_at (core, &segment, sizeof segment, header.e_phoff + i * sizeof segment) != 0)
        return -1;
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr
          && address - segment.p_vaddr < segment.p_memsz
          && size <= segment.p_memsz - (address - segment.p_vaddr))
        return read_at (core, to, size, segment.p_offset + (address - segment.p_vaddr));
    }
  return -1;
}

static const TbAgentSymbol *
find_named (const TbAgentSymbols *self, const char *name)
{
  for (size_t i = 0; i < self->n_symbols; i++)
    if (strcmp (self->text + self->symbols[i].name, name) == 0)
      return &self->symbols[i];
  return NULL;
}

/* Kernel symbols have no size: a function ends where the next one begins. */
static uint64_t
find_end (const TbAgentSymbols *self, const TbAgentSymbol *symbol)
{
  const TbAgentSymbol *end = self->symbols + self->n_symbols;

  for (const TbAgentSymbol *next = symbol + 1; next < end; next++)
    if (next->address > symbol->address)
      return next->address;
  return symbol->address;
}

int
tb_agent_kernel_code_read (TbAgentKernelCode *self,
                           const char *name,
                           uint64_t address,
                           size_t max_length,
                           TbAgentKernelFunction *function)
{
  const TbAgentSymbol *symbol;

  if (load (self) != 0)
    return -1;
  symbol = name != NULL ? find_named (&self->symbols, name)
                        : tb_agent_symbols_find (&self->symbols, address);
  if (symbol == NULL)
    return -1;
  *function = (TbAgentKernelFunction) { .address = symbol->address,
                                        .size = find_end (&self->symbols, symbol) - symbol->address,
                                        .name = self->symbols.text + symbol->name };
  if (function->size == 0 || function->size > MAX_SIZE
      || (name == NULL && address - symbol->address >= function->size))
    return -1;
  function->length = function->size < max_length ? function->size : max_length;
  function->code = tb_agent_allocate (NULL, function->length);
  if (read_memory (self->core, function->address, function->code, function->length) == 0)
    return 0;
  free (function->code);
  return -1;
}

size_t
tb_agent_kernel_code_count (TbAgentKernelCode *self, const char *name)
{
  size_t n = 0;

  /* Loading may fail to open the code, which is not needed here. */
  (void) load (self);
  for (size_t i = 0; i < self->symbols.n_symbols; i++)
    n += strcmp (self->symbols.text + self->symbols.symbols[i].name, name) == 0;
  return n;
}

void
tb_agent_kernel_code_clear (TbAgentKernelCode *self)
{
  if (self->is_loaded && self->core >= 0)
    close (self->core);
  if (self->is_loaded)
    tb_agent_symbols_clear (&self->symbols);
  memset (self, 0, sizeof *self);
}
