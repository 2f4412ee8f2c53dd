/* tb-agent-latency.h: latency measurement of one function (f0) and its callees: handling of the
 * client's requests, sending of the results and the time when that is next due, end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/tb-capture-message.h"

typedef struct TbAgent TbAgent;
typedef struct TbAgentLatency TbAgentLatency;

/* Handles a record of the control stream. -1 with the reason as the answer, which has a code only
 * if there is something to report. */
int
tb_agent_latency_handle (TbAgent *self, const TbCaptureRecord *record, TbCaptureMessage *answer);
/* Time of the next tb_agent_latency_emit(), by tb_agent_now(); UINT64_MAX: no measurement */
uint64_t tb_agent_latency_get_next_time (const TbAgent *self);
/* Sends what has changed since the last call. */
void tb_agent_latency_emit (TbAgent *self);
/* Detaches all probes. */
void tb_agent_latency_stop (TbAgent *self);
/* To be called after the last numbers were sent. Frees the state. */
void tb_agent_latency_free (TbAgent *self);
