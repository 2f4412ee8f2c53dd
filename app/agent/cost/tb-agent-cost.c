/* tb-agent-cost.c: costs of recording on this machine, collected for the client: CPU time of a
 * switch with and without recording and of a probed call (tb-agent-calibration.c), of a wake-up
 * (tb-agent-wakeup-cost.c), and the rate of switches, measured here
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "agent/cost/tb-agent-cost.h"
#include "agent/cost/tb-agent-wakeup-cost.h"

/* Minimum time over which the rate of context switches is measured */
#define RATE_NS 50000000u
/* Maximum time for each of the three measurements */
#define MEASURING_MS 25u

/* Context switches of all CPUs since boot; 0: unknown */
static uint64_t
count_switches (void)
{
  FILE *file = fopen ("/proc/stat", "re");
  unsigned long long number = 0;
  char line[512];

  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    if (strncmp (line, "ctxt ", 5) == 0 && sscanf (line + 5, "%llu", &number) == 1)
      break;
  if (file != NULL)
    fclose (file);
  return number;
}

void
tb_agent_cost_begin (TbAgentCost *self)
{
  memset (self, 0, sizeof *self);
  tb_agent_wakeup_cost_measure (&self->found);
  self->begin_time = tb_agent_now ();
  self->switches = count_switches ();
  tb_agent_calibration_start (&self->calibration);
}

static void
find_rate (TbAgentCost *self)
{
  uint64_t elapsed = tb_agent_now () - self->begin_time, switches;

  if (elapsed < RATE_NS)
    {
      struct timespec rest = { .tv_nsec = (long) (RATE_NS - elapsed) };

      nanosleep (&rest, NULL);
    }
  elapsed = tb_agent_now () - self->begin_time;
  switches = count_switches ();
  if (switches >= self->switches && self->switches > 0)
    self->found.switches = (switches - self->switches) * 1000000000u / elapsed;
}

int
tb_agent_cost_measure_plain (TbAgentCost *self)
{
  find_rate (self);
  self->found.plain
      = tb_agent_calibration_measure (&self->calibration, TB_AGENT_CALIBRATION_SWITCHES,
                                      MEASURING_MS, NULL, NULL);
  return self->found.plain > 0;
}

void
tb_agent_cost_measure_recorded (TbAgentCost *self, int (*is_good) (void *data), void *data)
{
  is_good (data);
  self->found.recorded
      = tb_agent_calibration_measure (&self->calibration, TB_AGENT_CALIBRATION_SWITCHES,
                                      MEASURING_MS, is_good, data);
}

void
tb_agent_cost_measure_probed (TbAgentCost *self, int (*is_good) (void *data), void *data)
{
  is_good (data);
  self->found.probed = tb_agent_calibration_measure (&self->calibration, TB_AGENT_CALIBRATION_CALLS,
                                                     MEASURING_MS, is_good, data);
}

void
tb_agent_cost_end (TbAgentCost *self, TbAgentOutput *output)
{
  TbCaptureRecord record
      = { .type = TB_CAPTURE_COST, .cpu = TB_CAPTURE_CPU_NONE, .cost = self->found };

  tb_agent_calibration_end (&self->calibration);
  if (self->found.recorded == 0 && self->found.probed == 0)
    return;
  record.time = tb_agent_now ();
  tb_agent_output_put (output, &record);
}
