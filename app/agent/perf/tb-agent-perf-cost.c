/* tb-agent-perf-cost.c: opening of perf events for context switches while tb-agent-cost.c measures
 * the time of a switch, first without and then with them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/perf/tb-agent-perf-private.h"

/* Room for the records of one calibration run */
#define RING_BYTES (512u << 10)

static int
has_recorded_switches (void *data)
{
  return tb_agent_perf_discard (data, TB_AGENT_SWITCH) >= TB_AGENT_CALIBRATION_LENGTH;
}

void
tb_agent_perf_measure_cost (TbAgent *self, TbAgentCost *cost)
{
  TbCaptureStart start = self->start;
  TbCaptureMessage why;

  self->start.sources = 1u << TB_CAPTURE_SOURCE_SCHEDULER;
  self->start.ring_bytes = RING_BYTES;
  if (tb_agent_cost_measure_plain (cost) && tb_agent_perf_open (self, &why) == 0
      && tb_agent_perf_enable (self) == 0)
    tb_agent_cost_measure_recorded (cost, has_recorded_switches, self);
  tb_agent_perf_close (self);
  self->start = start;
}
