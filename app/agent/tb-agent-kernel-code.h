/* tb-agent-kernel-code.h: the kernel's functions: where they are, and their code as it runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "agent/tb-agent-symbols.h"

typedef struct
{
  uint64_t address;
  uint64_t size;
  const char *name;
  uint8_t *code; /* owned */
  size_t length; /* of it that could be read */
} TbAgentKernelFunction;

/* Zeroed memory has not been looked at. */
typedef struct
{
  TbAgentSymbols symbols;
  int core; /* file, -1 none */
  int is_loaded;
} TbAgentKernelCode;

/* By its name, or with NULL by an address in it; -1 if there is none, or it may not be read. */
int tb_agent_kernel_code_read (TbAgentKernelCode *self,
                               const char *name,
                               uint64_t address,
                               size_t max_length,
                               TbAgentKernelFunction *function);
/* How many functions the kernel and its modules have of that name, as far as it says. */
size_t tb_agent_kernel_code_count (TbAgentKernelCode *self, const char *name);
void tb_agent_kernel_code_clear (TbAgentKernelCode *self);
