/* tb-agent-bpf-private.h: what recording with BPF programs consists of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/tb-agent-bpf-object.h"
#include "agent/tb-agent-bpf-ring.h"
#include "agent/tb-agent-bpf-stacks.h"
#include "agent/tb-agent-private.h"

#define TB_AGENT_BPF_MAX_OBJECTS 24

/* What is kept of each cpu. */
typedef struct
{
  TbAgentBpfRing ring;
  uint16_t number;
  int32_t shown;      /* filtered: the thread that was said to run, -1 none */
  uint64_t last_time; /* of what was read last */
} TbAgentBpfCpu;

struct TbAgentBpf
{
  TbAgentBpfObject objects[TB_AGENT_BPF_MAX_OBJECTS];
  size_t n_objects;
  TbAgentBpfCpu *cpus; /* n_cpus of the header */
  int *ring_fds;
  TbAgentBpfShared shared;
  TbBpfCpu *kernel_cpus; /* mapped */
  size_t kernel_cpus_size;
  TbAgentBpfStacks stacks;
  uint64_t salt;
  int complete; /* no record that is still written was met in this round */
};

/* tb-agent-bpf-translate.c: one record of a cpu's ring */
void tb_agent_bpf_translate (TbAgent *self, TbAgentBpfCpu *cpu, const uint8_t *record, size_t size);
/* The kernel's letter of what a thread that left its cpu is in. */
uint16_t tb_agent_bpf_translate_state (uint32_t state, uint32_t exit_state, int preempted);
