/* tb-agent-perf.h: recording with perf events: test whether the system can be recorded, answer to
 * QUERY, start and end, reading of the rings, report of losses, sampling clock of a CPU
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/core/tb-agent-private.h"

int tb_agent_perf_can_record_system (TbAgent *self, TbCaptureMessage *why);
void tb_agent_perf_answer_query (TbAgent *self, TbAgentCost *cost);
int tb_agent_perf_open (TbAgent *self, TbCaptureMessage *why);
int tb_agent_perf_enable (TbAgent *self);
void tb_agent_perf_disable (TbAgent *self);
/* Opens the sampling clock of a CPU, disabled; -1 with errno. by_clock: 1 if it does not count
 * hardware cycles. */
int tb_agent_perf_open_clock (TbAgent *self, int cpu, int *by_clock);
void tb_agent_perf_close (TbAgent *self);
/* Reads the rings. */
void tb_agent_perf_drain (TbAgent *self);
void tb_agent_perf_report_losses (TbAgent *self);
