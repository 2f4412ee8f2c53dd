/* tb-agent-latency-slow.h: longest calls of the peak
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/tb-bpf-record.h"
#include "agent/bpf/tb-bpf-sources.h"

#include "agent/bpf/tb-bpf-latency.h"
#include "capture/tb-capture-format.h"

typedef struct TbAgent TbAgent;

typedef struct
{
  TbBpfLatencySlow *calls; /* memory-mapped */
  uint64_t n_told;
  /* latencies in ns of the calls sent and not replaced since */
  uint64_t kept[TB_CAPTURE_LATENCY_MAX_SLOW];
} TbAgentLatencySlow;

/* Sends the calls since the last one that are longer than the kept ones. */
void tb_agent_latency_slow_tell (TbAgentLatencySlow *self, TbAgent *agent, TbBpfLatencyShared *shared);
