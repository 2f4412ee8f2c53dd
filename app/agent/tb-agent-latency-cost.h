/* tb-agent-latency-cost.h: measured cost of latency probes on this machine, and the part of it that
 * latencies contain
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/tb-bpf-record.h"
#include "agent/bpf/tb-bpf-sources.h"

#include "agent/bpf/tb-bpf-latency.h"
#include "agent/tb-agent-bpf-latency.h"
#include "agent/tb-agent-players.h"

/* Times in ns, 0: unknown */
typedef struct
{
  uint64_t call;    /* added to a call with an entry and a return probe */
  uint64_t floor;   /* measured latency of a call that does nothing */
  uint64_t site;    /* of one probe */
  uint64_t stepped; /* of one probe on an instruction that is single-stepped */
} TbAgentLatencyCost;

/* Where the calibration runs, before there are any other probes */
typedef struct
{
  TbAgentLatencyProbes *probes;
  const TbAgentLatencyMaps *maps;
  TbBpfLatencyShared *shared;
  uint32_t n_cpus;
} TbAgentLatencyTrial;

/* For user functions */
void tb_agent_latency_cost_try_function (const TbAgentLatencyTrial *trial, TbAgentLatencyCost *cost);
/* The kernel function of a system call that does nothing; probes of kernel functions are calibrated
 * on it. NULL: unknown on this architecture */
#if defined __x86_64__
#  define TB_AGENT_LATENCY_TRIED "__do_sys_getppid"
#elif defined __aarch64__
#  define TB_AGENT_LATENCY_TRIED "__arm64_sys_getppid"
#else
#  define TB_AGENT_LATENCY_TRIED NULL
#endif
/* For kernel functions, with the cheapest possible kind of probe that is permitted. Pending probes
 * are attached afterwards. */
void tb_agent_latency_cost_try_kernel (const TbAgentLatencyTrial *trial, TbAgentLatencyCost *cost);
/* For system calls; attach attaches to their tracepoints. */
void tb_agent_latency_cost_try_call (const TbAgentLatencyTrial *trial,
                                     int (*attach) (void *data),
                                     void *data,
                                     TbAgentLatencyCost *cost);
