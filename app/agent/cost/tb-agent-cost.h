/* tb-agent-cost.h: costs of recording on this machine, collected for the client: CPU time of a
 * switch with and without recording and of a probed call (tb-agent-calibration.c), of a wake-up
 * (tb-agent-wakeup-cost.c), and the rate of switches, measured here
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/core/tb-agent-output.h"
#include "agent/cost/tb-agent-calibration.h"

typedef struct TbAgentCost TbAgentCost;
struct TbAgentCost
{
  TbAgentCalibration calibration;
  uint64_t begin_time;
  uint64_t switches; /* of the whole machine at the beginning */
  TbCaptureCost found;
};

/* Forks processes, so it is called before anything is opened. */
void tb_agent_cost_begin (TbAgentCost *self);
/* To be called before programs or events are attached. Returns 0 if nothing can be measured. */
int tb_agent_cost_measure_plain (TbAgentCost *self);
/* is_good: whether all events of the run since its last call were recorded */
void tb_agent_cost_measure_recorded (TbAgentCost *self, int (*is_good) (void *data), void *data);
void tb_agent_cost_measure_probed (TbAgentCost *self, int (*is_good) (void *data), void *data);
/* Sends the result, if there is one. */
void tb_agent_cost_end (TbAgentCost *self, TbAgentOutput *output);
