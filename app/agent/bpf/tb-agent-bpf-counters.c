/* tb-agent-bpf-counters.c: STATUS records about events that BPF programs only counted: short
 * softirqs, messages that woke no thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/bpf/tb-agent-bpf-private.h"

/* Adds each softirq kind with its count and total time to the message. Returns the total count. */
static uint64_t
add_softirqs (TbCaptureMessage *message, const TbBpfCpu *cpu)
{
  uint64_t count = 0;

  for (uint32_t i = 0; i < TB_BPF_N_SOFTIRQS; i++)
    {
      const TbBpfCounter *omitted = &cpu->softirq_counters[i];

      if (omitted->count == 0)
        continue;
      count += omitted->count;
      tb_capture_message_add (message, TB_CAPTURE_NUMBER (i));
      tb_capture_message_add (message, TB_CAPTURE_NUMBER (omitted->count));
      tb_capture_message_add (message, TB_CAPTURE_NUMBER (omitted->time));
    }
  return count;
}

void
tb_agent_bpf_report_counters (TbAgent *self)
{
  TbCaptureMessage message;

  for (uint32_t i = 0; i < self->header.n_cpus; i++)
    {
      const TbBpfCpu *cpu = &self->bpf->kernel_cpus[i];

      TB_CAPTURE_SET_MESSAGE (&message, TB_CAPTURE_CODE_SOFTIRQS_COUNTED, 0, TB_CAPTURE_NUMBER (i),
                              TB_CAPTURE_NUMBER (self->bpf->shared.config.short_softirq));
      if (add_softirqs (&message, cpu) > 0)
        tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_COUNTED,
                                    TB_CAPTURE_SOURCE_INTERRUPTS, &message);
      TB_CAPTURE_SET_MESSAGE (&message, TB_CAPTURE_CODE_ARRIVALS_COUNTED, 0, TB_CAPTURE_NUMBER (i),
                              TB_CAPTURE_NUMBER (cpu->n_lone_arrivals));
      if (cpu->n_lone_arrivals > 0)
        tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_COUNTED,
                                    TB_CAPTURE_SOURCE_NETWORK, &message);
    }
}
