/* tb-agent-latency-cost.h: what looking into latencies costs on this machine, and how much of it is seen in them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/tb-bpf-record.h"
#include "agent/bpf/tb-bpf-sources.h"

#include "agent/bpf/tb-bpf-latency.h"
#include "agent/tb-agent-bpf-latency.h"
#include "agent/tb-agent-players.h"

/* ns, 0 not known */
typedef struct
{
  uint64_t call;    /* that a call takes longer whose entry and return are seen */
  uint64_t floor;   /* the latency that is seen of a call that takes none */
  uint64_t site;    /* that a probe takes */
  uint64_t stepped; /* one of an instruction that has to be single-stepped */
} TbAgentLatencyCost;

/* Where it is tried out, before anything else has probes. */
typedef struct
{
  TbAgentLatencyProbes *probes;
  const TbAgentLatencyMaps *maps;
  TbBpfLatencyShared *shared;
  uint32_t n_cpus;
} TbAgentLatencyTrial;

/* Of functions of programs. */
void tb_agent_latency_cost_try_function (const TbAgentLatencyTrial *trial, TbAgentLatencyCost *cost);
/* What a system call goes on in that takes no time: functions of the kernel are tried out on it. NULL: not known here */
#if defined __x86_64__
#  define TB_AGENT_LATENCY_TRIED "__do_sys_getppid"
#elif defined __aarch64__
#  define TB_AGENT_LATENCY_TRIED "__arm64_sys_getppid"
#else
#  define TB_AGENT_LATENCY_TRIED NULL
#endif
/* Of functions of the kernel, by the first way from the least of the probes that is possible. What waits to be attached does so
 * afterwards. */
void tb_agent_latency_cost_try_kernel (const TbAgentLatencyTrial *trial, TbAgentLatencyCost *cost);
/* Of system calls; attach and detach do so to the events that tell of them. */
void tb_agent_latency_cost_try_call (const TbAgentLatencyTrial *trial,
                                     int (*attach) (void *data),
                                     void *data,
                                     TbAgentLatencyCost *cost);
