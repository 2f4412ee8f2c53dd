/* tb-agent-latency-stub.c: stub of latency measurements for builds without a BPF compiler
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/latency/tb-agent-latency.h"

int
tb_agent_latency_handle (TbAgent *self, const TbCaptureRecord *record, TbCaptureMessage *answer)
{
  TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_BUILT_WITHOUT_LATENCIES, 0);
  return -1;
}

uint64_t
tb_agent_latency_get_next_time (const TbAgent *self)
{
  return UINT64_MAX;
}

void
tb_agent_latency_emit (TbAgent *self)
{
}

void
tb_agent_latency_stop (TbAgent *self)
{
}

void
tb_agent_latency_free (TbAgent *self)
{
}
