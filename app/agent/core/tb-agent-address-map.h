/* tb-agent-address-map.h: address map of processes, read from /proc/PID/maps: the module and offset
 * at an address, such as that of a lock
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/base/tb-agent-map.h"
#include "agent/core/tb-agent-modules.h"
#include "agent/core/tb-agent-output.h"

/* Zeroed memory is an empty map. */
typedef struct
{
  TbAgentMap indexes; /* pid → 1 + index into processes */
  struct TbAgentProcessMap *processes;
  size_t n_processes;
  size_t n_regions; /* of all processes */
} TbAgentAddressMap;

/* A location as a SLEEP record contains it */
typedef struct
{
  uint64_t offset;
  uint32_t module;
  uint32_t object;
} TbAgentLocation;

/* Returns 0, with a zeroed place, if the address is unknown. */
int tb_agent_address_map_find (TbAgentAddressMap *self,
                               TbAgentModules *modules,
                               TbAgentOutput *output,
                               int32_t pid,
                               uint64_t address,
                               TbAgentLocation *place);
/* To be called when a process's mappings have changed. */
void tb_agent_address_map_forget (TbAgentAddressMap *self, int32_t pid);
void tb_agent_address_map_clear (TbAgentAddressMap *self);

/* The same from the text of a maps file */
int tb_agent_address_map_find_in_text (const char *maps,
                                       TbAgentModules *modules,
                                       TbAgentOutput *output,
                                       int32_t pid,
                                       uint64_t address,
                                       TbAgentLocation *place);
