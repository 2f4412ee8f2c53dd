/* tb-agent-latency-places.h: where in a function that makes calls slow its time goes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stdint.h>

typedef struct TbAgent TbAgent;

typedef struct
{
  int *clocks; /* of each cpu, NULL: no samples are taken */
  uint32_t n;
} TbAgentLatencyPlaces;

/* Samples are taken from now on; where there is no clock for them, none. */
void tb_agent_latency_places_start (TbAgentLatencyPlaces *self, uint32_t n_cpus, int program);
void tb_agent_latency_places_stop (TbAgentLatencyPlaces *self);
/* What came since the last time. */
void tb_agent_latency_places_tell (const TbAgentLatencyPlaces *self, TbAgent *agent, int map);
