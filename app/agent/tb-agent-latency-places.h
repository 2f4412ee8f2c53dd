/* tb-agent-latency-places.h: samples of addresses inside the root-cause function
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
} TbAgentLatencyPlaces;

/* Starts sampling; without a usable clock no samples are taken. */
void tb_agent_latency_places_start (TbAgentLatencyPlaces *self, uint32_t n_cpus, int program);
void tb_agent_latency_places_stop (TbAgentLatencyPlaces *self);
/* Sends the samples taken since the last call. */
void tb_agent_latency_places_tell (const TbAgentLatencyPlaces *self, TbAgent *agent, int map);
