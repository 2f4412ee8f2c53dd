/* tb-agent-latency-samples.h: clocks that run the BPF program for samples inside the function found
 * as root cause; the sampled code addresses, sent to the client with their counts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stdint.h>

typedef struct TbAgent TbAgent;

typedef struct
{
  int *clocks; /* perf clocks by CPU, NULL: no samples are taken */
  uint32_t n;
} TbAgentLatencySamples;

/* Starts sampling; without a usable clock no samples are taken. */
void tb_agent_latency_samples_start (TbAgentLatencySamples *self, uint32_t n_cpus, int program);
void tb_agent_latency_samples_stop (TbAgentLatencySamples *self);
/* Sends the samples taken since the last call. */
void tb_agent_latency_samples_emit (const TbAgentLatencySamples *self, TbAgent *agent, int map);
