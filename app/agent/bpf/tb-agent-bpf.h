/* tb-agent-bpf.h: recording with BPF programs: test whether it is possible, answer to QUERY, start
 * and end, probes and marks, draining of the rings, report of losses
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/core/tb-agent-private.h"

/* Returns 0 with the reason if BPF programs cannot record here. */
int tb_agent_bpf_can_record (TbAgent *self, TbCaptureMessage *why);
void tb_agent_bpf_answer_query (TbAgent *self, TbAgentCost *cost);
int tb_agent_bpf_open (TbAgent *self, TbCaptureMessage *why);
int tb_agent_bpf_enable (TbAgent *self);
void tb_agent_bpf_disable (TbAgent *self);
int tb_agent_bpf_drain (TbAgent *self);
void tb_agent_bpf_report_losses (TbAgent *self);
void tb_agent_bpf_close (TbAgent *self);
/* To be called when a process's mappings have changed. */
void tb_agent_bpf_note_mapping (TbAgent *self, int32_t pid);
/* -1 with the reason as the answer, else the answer is the cost of the probe. */
int tb_agent_bpf_add_probe (TbAgent *self, const TbCaptureRecord *wanted, TbCaptureMessage *answer);
int tb_agent_bpf_add_mark (TbAgent *self, const TbCaptureRecord *wanted, TbCaptureMessage *answer);
int tb_agent_bpf_remove_probe (TbAgent *self, uint32_t id, TbCaptureMessage *answer);
/* Adds a process to the target or removes it. */
void tb_agent_bpf_set_target (TbAgent *self, int32_t pid, int is_target);
