/* tb-agent-symbols.h: the kernel's own names of its functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct
{
  uint64_t address;
  size_t name; /* in the text */
} TbAgentSymbol;

typedef struct
{
  char *text;
  TbAgentSymbol *symbols; /* sorted */
  size_t n_symbols;
} TbAgentSymbols;

/* From /proc/kallsyms; -1 where it may not be read or hides the addresses. */
int tb_agent_symbols_load (TbAgentSymbols *self);
void tb_agent_symbols_clear (TbAgentSymbols *self);

/* The function that covers the address, as far as can be told without sizes; NULL below the first. */
const TbAgentSymbol *tb_agent_symbols_find (const TbAgentSymbols *self, uint64_t address);
