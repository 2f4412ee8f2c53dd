/* tb-agent-latency-slow-calls.h: longest calls of the measured function in the examined range of
 * latencies (peak), read from the memory that BPF programs fill, and sent to the client
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/programs/tb-bpf-record.h"
#include "agent/bpf/programs/tb-bpf-sources.h"

#include "agent/bpf/programs/tb-bpf-latency.h"
#include "capture/tb-capture-format.h"

typedef struct TbAgent TbAgent;

typedef struct
{
  TbBpfLatencySlowCalls *calls; /* memory-mapped */
  uint64_t n_sent;
  /* latencies in ns of the calls sent and not replaced since */
  uint64_t kept[TB_CAPTURE_LATENCY_MAX_SLOW];
} TbAgentLatencySlowCalls;

/* Sends the calls since the last one that are longer than the kept ones. */
void tb_agent_latency_slow_calls_emit (TbAgentLatencySlowCalls *self,
                                       TbAgent *agent,
                                       TbBpfLatencyShared *shared);
