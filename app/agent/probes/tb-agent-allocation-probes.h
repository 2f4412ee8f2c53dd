/* tb-agent-allocation-probes.h: probes of functions that allocate and free memory: the client
 * requests each by a message; those of one file are collected and attached together with the last
 * of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "agent/probes/tb-agent-attach-helper.h"
#include "capture/tb-capture-message.h"

#define TB_AGENT_MAX_ALLOCATION_FUNCTIONS 64

/* Function entries of one file with the cookies of their programs, and the functions that return
 * memory */
typedef struct
{
  uint64_t entries[TB_AGENT_MAX_ALLOCATION_FUNCTIONS];
  uint64_t entry_cookies[TB_AGENT_MAX_ALLOCATION_FUNCTIONS];
  size_t n_entries;
  uint64_t returns[TB_AGENT_MAX_ALLOCATION_FUNCTIONS];
  uint64_t return_cookies[TB_AGENT_MAX_ALLOCATION_FUNCTIONS];
  size_t n_returns;
  uint64_t device;
  uint64_t inode;
} TbAgentAllocationGroup;

/* Zeroed memory is an empty set. */
typedef struct
{
  TbAgentLinks links;
  TbAgentAllocationGroup group; /* attached with its last member */
} TbAgentAllocationProbes;

typedef struct
{
  int on_called;
  int on_returned;
} TbAgentAllocationPrograms;

/* Adds a function, given by a mark for memory, in every process that maps its file. The answer is
 * the reason with -1, else the cost of the probe. */
int tb_agent_allocation_probes_add (TbAgentAllocationProbes *self,
                                    const TbAgentAllocationPrograms *programs,
                                    const TbCaptureMarkAdd *wanted,
                                    const uint8_t *build_id,
                                    size_t build_id_length,
                                    TbCaptureMessage *answer);
void tb_agent_allocation_probes_clear (TbAgentAllocationProbes *self);
