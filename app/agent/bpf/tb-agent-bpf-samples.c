/* tb-agent-bpf-samples.c: perf event of each CPU (hardware counter, else clock), started and
 * stopped, which runs the BPF program for samples; STATUS record if there is none or only a clock
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "agent/bpf/tb-agent-bpf-private.h"
#include "agent/perf/tb-agent-perf.h"

static int
start_clock (TbAgent *self, uint16_t cpu, int program, int *by_clock)
{
  int fd = tb_agent_perf_open_clock (self, cpu, by_clock);

  if (fd < 0)
    return -1;
  if (ioctl (fd, PERF_EVENT_IOC_SET_BPF, program) == 0 && ioctl (fd, PERF_EVENT_IOC_ENABLE, 0) == 0)
    return fd;
  close (fd);
  return -1;
}

void
tb_agent_bpf_samples_start (TbAgent *self, const TbAgentBpfObject *object)
{
  TbAgentBpf *bpf = self->bpf;
  int n_started = 0, by_clock = 0, error = 0;

  bpf->sampling = tb_agent_allocate (NULL, self->header.n_cpus * sizeof *bpf->sampling);
  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    {
      bpf->sampling[cpu] = -1;
      if (bpf->ring_fds[cpu] < 0)
        continue;
      bpf->sampling[cpu] = start_clock (self, (uint16_t) cpu, object->programs[0], &by_clock);
      if (bpf->sampling[cpu] >= 0)
        n_started++;
      else
        error = errno;
    }
  if (n_started == 0)
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING, TB_CAPTURE_SOURCE_SAMPLES,
                                TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NO_SAMPLE_CLOCK, error));
  else if (by_clock)
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WORKS, TB_CAPTURE_SOURCE_SAMPLES,
                                TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_SAMPLES_BY_CLOCK, 0));
}

void
tb_agent_bpf_samples_stop (TbAgent *self)
{
  TbAgentBpf *bpf = self->bpf;

  for (uint32_t cpu = 0; bpf->sampling != NULL && cpu < self->header.n_cpus; cpu++)
    if (bpf->sampling[cpu] >= 0)
      close (bpf->sampling[cpu]);
  free (bpf->sampling);
  bpf->sampling = NULL;
}
