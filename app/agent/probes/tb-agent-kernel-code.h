/* tb-agent-kernel-code.h: addresses and machine code of kernel functions, found by name or address
 * and read from the memory of the kernel; number of functions of a name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "agent/base/tb-agent-symbols.h"

typedef struct
{
  uint64_t address;
  uint64_t size;
  const char *name;
  uint8_t *code; /* owned */
  size_t length; /* number of bytes that could be read */
} TbAgentKernelFunction;

/* Zeroed memory is a valid state in which nothing is loaded. */
typedef struct
{
  TbAgentSymbols symbols;
  int core; /* descriptor of /proc/kcore, -1: none */
  int is_loaded;
} TbAgentKernelCode;

/* Finds the function by name, or by an address inside it if name is NULL. -1 if there is none or it
 * may not be read. */
int tb_agent_kernel_code_read (TbAgentKernelCode *self,
                               const char *name,
                               uint64_t address,
                               size_t max_length,
                               TbAgentKernelFunction *function);
/* The number of functions with that name in the kernel and its modules, as far as kallsyms lists
 * them. */
size_t tb_agent_kernel_code_count (TbAgentKernelCode *self, const char *name);
void tb_agent_kernel_code_clear (TbAgentKernelCode *self);
