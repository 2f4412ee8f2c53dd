/* tb-agent-latency-slow.h: the longest calls of the peak, one by one
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
  TbBpfLatencySlow *calls; /* mapped */
  uint64_t n_told;
  uint64_t kept[TB_CAPTURE_LATENCY_MAX_SLOW]; /* ns of those that were told and are not replaced */
} TbAgentLatencySlow;

/* What came since the last time and is longer than what is kept. */
void tb_agent_latency_slow_tell (TbAgentLatencySlow *self, TbAgent *agent, TbBpfLatencyShared *shared);
