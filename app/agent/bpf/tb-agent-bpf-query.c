/* tb-agent-bpf-query.c: answer to QUERY: the event sources that BPF programs can record on this
 * machine, and their cost: tb-agent-cost.c measures it while a probe and the programs for switches
 * are attached here
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "agent/bpf/tb-agent-bpf-private.h"
#include "agent/cost/tb-agent-cost.h"

/* Room for the records of one calibration run */
#define RING_BYTES (512u << 10)

/* Drains the rings and counts the records of one type. */
typedef struct
{
  uint32_t type; /* TbBpfType */
  uint64_t n;
} Count;

static void
count_record (const uint8_t *record, size_t size, void *data)
{
  const TbBpfHeader *header = (const void *) record;
  Count *count = data;

  count->n += size >= sizeof *header && header->type == count->type;
}

static uint64_t
count_records (TbAgent *self, uint32_t type)
{
  Count count = { .type = type };

  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    tb_agent_bpf_ring_drain (&self->bpf->cpus[cpu].ring, count_record, &count);
  return count.n;
}

static int
has_recorded_switches (void *data)
{
  return count_records (data, TB_BPF_SWITCH) >= TB_AGENT_CALIBRATION_LENGTH;
}

static int
has_recorded_returns (void *data)
{
  return count_records (data, TB_BPF_RETURN) >= TB_AGENT_CALIBRATION_LENGTH;
}

static void
measure_probe (TbAgent *self, const TbAgentBpfObject *object, TbAgentCost *cost)
{
  TbAgentProbePrograms programs
      = { object->programs[0], object->programs[1], object->programs[2], *object->filters };
  TbCaptureProbeAdd wanted = { .kind = TB_CAPTURE_PROBE_RETURN, .pid = cost->calibration.pid };
  struct stat status;
  TbCaptureMessage answer;

  wanted.offset = tb_agent_probes_find_own ((const void *) tb_agent_calibration_call);
  if (wanted.offset == 0 || stat ("/proc/self/exe", &status) != 0)
    return;
  wanted.device = status.st_dev;
  wanted.inode = status.st_ino;
  if (tb_agent_probes_add (&self->bpf->probes, &programs, &wanted, wanted.pid, NULL, 0, &answer)
      == 0)
    tb_agent_cost_measure_probed (cost, has_recorded_returns, self);
  tb_agent_probes_clear (&self->bpf->probes);
}

static void
measure_cost (TbAgent *self, TbAgentCost *cost)
{
  TbAgentBpfObject *scheduler = &self->bpf->objects[0];
  const TbAgentBpfObject *probes = tb_agent_bpf_find_object (self->bpf, &tb_agent_bpf_probes);
  TbCaptureMessage why;

  if (scheduler->kind != &tb_agent_bpf_scheduler || !tb_agent_cost_measure_plain (cost))
    return;
  if (probes != NULL)
    measure_probe (self, probes, cost);
  if (tb_agent_bpf_object_attach (scheduler, &why) == 0)
    tb_agent_cost_measure_recorded (cost, has_recorded_switches, self);
}

void
tb_agent_bpf_answer_query (TbAgent *self, TbAgentCost *cost)
{
  TbCaptureMessage why = { 0 };

  self->start.sources = (1u << TB_CAPTURE_N_SOURCES) - 1;
  if (tb_agent_bpf_prepare (self, RING_BYTES, &why) == 0)
    {
      self->bpf->shared.config.stacks = self->start.stacks;
      tb_agent_bpf_load_objects (self);
      for (size_t i = 0; i < self->bpf->n_objects; i++)
        if (self->bpf->objects[i].kind->alternative_to == NULL)
          tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WORKS,
                                      self->bpf->objects[i].kind->source, NULL);
      tb_agent_bpf_report_functions (self);
      measure_cost (self, cost);
    }
  else
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING,
                                TB_CAPTURE_SOURCE_SCHEDULER, &why);
  tb_agent_bpf_close (self);
}
