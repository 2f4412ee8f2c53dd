/* tb-agent-perf-sockets.h: translation of the socket tracepoints of perf into messages and
 * connections of the capture stream; texts of addresses and protocols, also for BPF records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/core/tb-agent-private.h"

void tb_agent_sockets_translate (TbAgent *self,
                                 TbAgentRing *ring,
                                 TbAgentEvent event,
                                 TbCaptureRecord *record,
                                 const uint8_t *raw,
                                 size_t size);
/* "host:port" or "[host]:port"; address NULL: 0 */
uint32_t
tb_agent_sockets_intern_address (TbAgent *self, int family, const uint8_t *address, unsigned port);
uint32_t tb_agent_sockets_intern_protocol (TbAgent *self, uint64_t family, uint64_t protocol);
