/* tb-agent-memory.h: probes in the functions that allocate memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "agent/tb-agent-shelter.h"
#include "capture/tb-capture-message.h"

#define TB_AGENT_MAX_MEMORY_FUNCTIONS 64

/* Where the functions of one file are entered, with the cookies of their programs, and those that return memory. */
typedef struct
{
  uint64_t entries[TB_AGENT_MAX_MEMORY_FUNCTIONS];
  uint64_t entry_cookies[TB_AGENT_MAX_MEMORY_FUNCTIONS];
  size_t n_entries;
  uint64_t returns[TB_AGENT_MAX_MEMORY_FUNCTIONS];
  uint64_t return_cookies[TB_AGENT_MAX_MEMORY_FUNCTIONS];
  size_t n_returns;
  uint64_t device;
  uint64_t inode;
} TbAgentMemoryGroup;

/* Zeroed memory has none. */
typedef struct
{
  TbAgentLinks links;
  TbAgentMemoryGroup group; /* that goes in with its last one */
} TbAgentMemory;

typedef struct
{
  int on_called;
  int on_returned;
} TbAgentMemoryPrograms;

/* A function, of a mark that is one of memory, in every process that maps its file. The answer is the reason with
 * -1, else what the probe costs. */
int tb_agent_memory_add (TbAgentMemory *self,
                         const TbAgentMemoryPrograms *programs,
                         const TbCaptureMarkAdd *wanted,
                         const uint8_t *build_id,
                         size_t build_id_length,
                         TbCaptureMessage *answer);
void tb_agent_memory_clear (TbAgentMemory *self);
