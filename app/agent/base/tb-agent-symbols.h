/* tb-agent-symbols.h: kernel function at an address, from a sorted copy of /proc/kallsyms
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct
{
  uint64_t address;
  size_t name; /* offset in the text */
} TbAgentSymbol;

typedef struct
{
  char *text;
  TbAgentSymbol *symbols; /* sorted */
  size_t n_symbols;
} TbAgentSymbols;

/* Reads /proc/kallsyms; -1 if it may not be read or hides the addresses. */
int tb_agent_symbols_load (TbAgentSymbols *self);
void tb_agent_symbols_clear (TbAgentSymbols *self);

/* The function that contains the address, as far as is known without sizes; NULL below the first */
const TbAgentSymbol *tb_agent_symbols_find (const TbAgentSymbols *self, uint64_t address);
