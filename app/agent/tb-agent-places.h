/* tb-agent-places.h: what lies at an address of a process
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/tb-agent-map.h"
#include "agent/tb-agent-modules.h"
#include "agent/tb-agent-output.h"

/* Zeroed memory knows nothing yet. */
typedef struct
{
  TbAgentMap indexes; /* pid → 1 + index into processes */
  struct TbAgentProcessMap *processes;
  size_t n_processes;
  size_t n_regions; /* of all */
} TbAgentPlaces;

/* As a SLEEP record tells it. */
typedef struct
{
  uint64_t offset;
  uint32_t module;
  uint32_t object;
} TbAgentPlace;

/* 0, and all zero, if nothing is known to be there. */
int tb_agent_places_find (TbAgentPlaces *self,
                          TbAgentModules *modules,
                          TbAgentOutput *output,
                          int32_t pid,
                          uint64_t address,
                          TbAgentPlace *place);
/* What a process has mapped is another. */
void tb_agent_places_forget (TbAgentPlaces *self, int32_t pid);
void tb_agent_places_clear (TbAgentPlaces *self);

/* The same from the text of a maps file. */
int tb_agent_places_find_in (const char *maps,
                             TbAgentModules *modules,
                             TbAgentOutput *output,
                             int32_t pid,
                             uint64_t address,
                             TbAgentPlace *place);
