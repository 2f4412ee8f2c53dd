/* tb-agent-places.h: address map of processes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/tb-agent-map.h"
#include "agent/tb-agent-modules.h"
#include "agent/tb-agent-output.h"

/* Zeroed memory is an empty map. */
typedef struct
{
  TbAgentMap indexes; /* pid → 1 + index into processes */
  struct TbAgentProcessMap *processes;
  size_t n_processes;
  size_t n_regions; /* of all processes */
} TbAgentPlaces;

/* A location as a SLEEP record contains it */
typedef struct
{
  uint64_t offset;
  uint32_t module;
  uint32_t object;
} TbAgentPlace;

/* Returns 0, with a zeroed place, if the address is unknown. */
int tb_agent_places_find (TbAgentPlaces *self,
                          TbAgentModules *modules,
                          TbAgentOutput *output,
                          int32_t pid,
                          uint64_t address,
                          TbAgentPlace *place);
/* To be called when a process's mappings have changed. */
void tb_agent_places_forget (TbAgentPlaces *self, int32_t pid);
void tb_agent_places_clear (TbAgentPlaces *self);

/* The same from the text of a maps file */
int tb_agent_places_find_in (const char *maps,
                             TbAgentModules *modules,
                             TbAgentOutput *output,
                             int32_t pid,
                             uint64_t address,
                             TbAgentPlace *place);
