/* tb-agent-latency-samples.c: clocks that run the BPF program for samples inside the function found
 * as root cause; the sampled code addresses, sent to the client with their counts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The function's time is sampled by a clock. Probes in its basic blocks would be single-stepped at
 * each iteration of a loop.
 */

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/bpf/tb-agent-bpf-private.h"
#include "agent/latency/tb-agent-latency-samples.h"

#define PERIOD 100000u /* ns */
#define BATCH_SIZE 256u

static int
start_clock (int cpu, int program)
{
  struct perf_event_attr attr;
  int fd;

  memset (&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_CPU_CLOCK;
  attr.sample_period = PERIOD;
  attr.exclude_idle = 1;
  attr.disabled = 1;
  fd = (int) syscall (SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0)
    return -1;
  if (ioctl (fd, PERF_EVENT_IOC_SET_BPF, program) == 0 && ioctl (fd, PERF_EVENT_IOC_ENABLE, 0) == 0)
    return fd;
  close (fd);
  return -1;
}

void
tb_agent_latency_samples_start (TbAgentLatencySamples *self, uint32_t n_cpus, int program)
{
  if (self->clocks != NULL)
    return;
  self->n = n_cpus;
  self->clocks = tb_agent_allocate (NULL, n_cpus * sizeof *self->clocks);
  for (uint32_t cpu = 0; cpu < n_cpus; cpu++)
    self->clocks[cpu] = start_clock ((int) cpu, program);
}

void
tb_agent_latency_samples_stop (TbAgentLatencySamples *self)
{
  for (uint32_t cpu = 0; self->clocks != NULL && cpu < self->n; cpu++)
    if (self->clocks[cpu] >= 0)
      close (self->clocks[cpu]);
  free (self->clocks);
  self->clocks = NULL;
}

void
tb_agent_latency_samples_emit (const TbAgentLatencySamples *self, TbAgent *agent, int map)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_ADDRESS, .cpu = TB_CAPTURE_CPU_NONE };
  TbBpfLatencyPlace place;

  record.time = tb_agent_now ();
  for (uint32_t i = 0;
       self->clocks != NULL && i < BATCH_SIZE && tb_agent_bpf_map_get_first (map, &place) == 0; i++)
    {
      uint64_t count;

      if (tb_agent_bpf_map_take (map, &place, &count) != 0)
        break;
      record.latency_address
          = (TbCaptureLatencyAddress) { place.address, count, place.node, (int32_t) place.process };
      tb_agent_output_put (agent->output, &record);
    }
}
