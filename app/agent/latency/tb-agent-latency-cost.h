/* tb-agent-latency-cost.h: measured cost of latency probes on this machine, for user functions,
 * kernel functions and system calls, and the part of it that latencies contain
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/programs/tb-bpf-record.h"
#include "agent/bpf/programs/tb-bpf-sources.h"

#include "agent/bpf/programs/tb-bpf-latency.h"
#include "agent/cost/tb-agent-calibration.h"
#include "agent/latency/tb-agent-latency-probes.h"

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
} TbAgentLatencyCalibration;

/* For user functions */
void tb_agent_latency_cost_measure_function (const TbAgentLatencyCalibration *trial,
                                             TbAgentLatencyCost *cost);
/* The kernel function of a system call that does nothing; probes of kernel functions are calibrated
 * on it. NULL: unknown on this architecture */
#if defined __x86_64__
#  define TB_AGENT_LATENCY_CALIBRATED "__do_sys_getppid"
#elif defined __aarch64__
#  define TB_AGENT_LATENCY_CALIBRATED "__arm64_sys_getppid"
#else
#  define TB_AGENT_LATENCY_CALIBRATED NULL
#endif
/* For kernel functions, with the cheapest possible kind of probe that is permitted. Pending probes
 * are attached afterwards. */
void tb_agent_latency_cost_measure_kernel (const TbAgentLatencyCalibration *trial,
                                           TbAgentLatencyCost *cost);
/* For system calls; attach attaches to their tracepoints. */
void tb_agent_latency_cost_measure_call (const TbAgentLatencyCalibration *trial,
                                         int (*attach) (void *data),
                                         void *data,
                                         TbAgentLatencyCost *cost);
