/* tb-agent-bpf-omitted.c: what the BPF programs only counted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>

#include "agent/tb-agent-bpf-private.h"

#define MAX_TEXT 1000

/* As the kernel numbers them */
static const char *const softirq_names[TB_BPF_N_SOFTIRQS] = {
  "high-priority tasklet", "timer",   "network send", "network receive",       "block request",
  "polled request",        "tasklet", "balancing",    "high-resolution timer", "RCU",
};

/* Each kind with how many there were and how long they took together; the number of all. */
static uint64_t
describe_softirqs (const TbBpfCpu *cpu, char *text, size_t size)
{
  uint64_t count = 0;
  size_t length = 0;

  for (uint32_t i = 0; i < TB_BPF_N_SOFTIRQS && length < size; i++)
    {
      const TbBpfOmitted *omitted = &cpu->softirqs_omitted[i];
      char number[24];

      if (omitted->count == 0)
        continue;
      count += omitted->count;
      snprintf (number, sizeof number, "number %u", i);
      length += (size_t) snprintf (text + length, size - length, "%s%llu %s (%.3f ms)",
                                   length > 0 ? ", " : "", (unsigned long long) omitted->count,
                                   softirq_names[i] != NULL ? softirq_names[i] : number,
                                   (double) omitted->time / 1e6);
    }
  return count;
}

void
tb_agent_bpf_tell_omitted (TbAgent *self)
{
  char text[MAX_TEXT] = "";

  for (uint32_t i = 0; i < self->header.n_cpus; i++)
    {
      const TbBpfCpu *cpu = &self->bpf->kernel_cpus[i];

      if (describe_softirqs (cpu, text, sizeof text) > 0)
        tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_OMITTED, TB_CAPTURE_SOURCE_INTERRUPTS,
                                    "cpu %u: soft interrupts shorter than %.0f µs that woke nobody: %s", i,
                                    (double) self->bpf->shared.config.short_softirq / 1e3, text);
      if (cpu->arrivals_omitted > 0)
        tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_OMITTED, TB_CAPTURE_SOURCE_NETWORK,
                                    "cpu %u: messages that arrived and woke nobody: %llu", i,
                                    (unsigned long long) cpu->arrivals_omitted);
    }
}
