/* tb-agent-latency.h: the latencies of one function, and which of its callees make some of its calls slow
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/tb-capture-message.h"

typedef struct TbAgent TbAgent;
typedef struct TbAgentLatency TbAgentLatency;

/* A record of the control stream. -1 with the reason as the answer, which may have no code else. */
int tb_agent_latency_obey (TbAgent *self, const TbCaptureRecord *record, TbCaptureMessage *answer);
/* When it is to be told next, by tb_agent_now(); UINT64_MAX: there is nothing. */
uint64_t tb_agent_latency_get_due (const TbAgent *self);
/* Tells what has changed since the last time. */
void tb_agent_latency_tell (TbAgent *self);
/* Takes all probes out. */
void tb_agent_latency_stop (TbAgent *self);
/* The last numbers are told; then nothing is left of it. */
void tb_agent_latency_free (TbAgent *self);
