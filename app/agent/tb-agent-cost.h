/* tb-agent-cost.h: what recording costs on this machine, tried out
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/tb-agent-output.h"
#include "agent/tb-agent-players.h"

typedef struct
{
  TbAgentPlayers players;
  uint64_t began;
  uint64_t switches; /* of the machine, when it began */
  TbCaptureCost found;
} TbAgentCost;

/* Before anything is opened: processes are forked. */
void tb_agent_cost_begin (TbAgentCost *self);
/* Before programs or events are attached; 0 if nothing can be measured. */
int tb_agent_cost_measure_plain (TbAgentCost *self);
/* is_good: whether what was played since its last call was recorded. */
void tb_agent_cost_measure_recorded (TbAgentCost *self, int (*is_good) (void *data), void *data);
void tb_agent_cost_measure_probed (TbAgentCost *self, int (*is_good) (void *data), void *data);
/* Sends what was found, if anything. */
void tb_agent_cost_end (TbAgentCost *self, TbAgentOutput *output);
