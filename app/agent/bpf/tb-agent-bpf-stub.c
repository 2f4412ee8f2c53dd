/* tb-agent-bpf-stub.c: stub of the BPF backend for builds without a BPF compiler
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/bpf/tb-agent-bpf.h"

int
tb_agent_bpf_can_record (TbAgent *self, TbCaptureMessage *why)
{
  TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_BUILT_WITHOUT_BPF, 0);
  return 0;
}

/* The following functions are never called. */
void
tb_agent_bpf_answer_query (TbAgent *self, TbAgentCost *cost)
{
}

int
tb_agent_bpf_open (TbAgent *self, TbCaptureMessage *why)
{
  return -1;
}

int
tb_agent_bpf_enable (TbAgent *self)
{
  return -1;
}

void
tb_agent_bpf_disable (TbAgent *self)
{
}

int
tb_agent_bpf_drain (TbAgent *self)
{
  return 1;
}

void
tb_agent_bpf_report_losses (TbAgent *self)
{
}

void
tb_agent_bpf_set_target (TbAgent *self, int32_t pid, int is_target)
{
}

int
tb_agent_bpf_add_probe (TbAgent *self, const TbCaptureRecord *wanted, TbCaptureMessage *answer)
{
  TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_BUILT_WITHOUT_PROBES, 0);
  return -1;
}

int
tb_agent_bpf_add_mark (TbAgent *self, const TbCaptureRecord *wanted, TbCaptureMessage *answer)
{
  TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_BUILT_WITHOUT_MARKS, 0);
  return -1;
}

int
tb_agent_bpf_remove_probe (TbAgent *self, uint32_t id, TbCaptureMessage *answer)
{
  TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_BUILT_WITHOUT_PROBES, 0);
  return -1;
}

void
tb_agent_bpf_note_mapping (TbAgent *self, int32_t pid)
{
}

void
tb_agent_bpf_close (TbAgent *self)
{
}
