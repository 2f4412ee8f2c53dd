/* tb-agent-backend.h: choice of the recording backend (BPF programs, perf events of the whole
 * system, perf events of own processes) and change to a worse one; its answer to QUERY, its report
 * of lost events, report of failed stack dumps, and its end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/core/tb-agent-private.h"

/* Chooses the best backend that works here and is permitted. The header lists the better ones with
 * the reason of refusal. */
void tb_agent_backend_choose (TbAgent *self);
/* Changes to a worse backend if one is requested; wanted 0: none */
int tb_agent_backend_change (TbAgent *self, unsigned wanted, TbCaptureMessage *why);
void tb_agent_backend_answer_query (TbAgent *self, const TbCaptureQuery *query);
/* Reports losses for which no ring contains a record, and stacks that could not be dumped. */
void tb_agent_backend_report_losses (TbAgent *self);
/* Frees the state of every backend. */
void tb_agent_backend_close (TbAgent *self);
