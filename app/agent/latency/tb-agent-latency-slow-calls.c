/* tb-agent-latency-slow-calls.c: longest calls of the measured function in the examined range of
 * latencies (peak), read from the memory that BPF programs fill, and sent to the client
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "agent/bpf/tb-agent-bpf-private.h"
#include "agent/latency/tb-agent-latency-slow-calls.h"

_Static_assert (TB_CAPTURE_LATENCY_MAX_PARTS == TB_BPF_LATENCY_SLOW_PARTS, "parts");

/* The index of the shortest call that is kept; an unused entry counts as shorter. */
static uint32_t
find_shortest (const TbAgentLatencySlowCalls *self)
{
  uint32_t shortest = 0;

  for (uint32_t i = 1; i < TB_CAPTURE_LATENCY_MAX_SLOW; i++)
    if (self->kept[i] < self->kept[shortest])
      shortest = i;
  return shortest;
}

static void
emit_call (TbAgent *agent, const TbBpfLatencySlowCall *call, uint32_t place, uint64_t now)
{
  uint64_t words[2 * TB_BPF_LATENCY_SLOW_PARTS];
  uint32_t n = call->n < TB_BPF_LATENCY_SLOW_PARTS ? call->n : TB_BPF_LATENCY_SLOW_PARTS;
  TbCaptureRecord record
      = { .time = now, .type = TB_CAPTURE_LATENCY_SLOW, .cpu = TB_CAPTURE_CPU_NONE };

  for (uint32_t i = 0; i < n; i++)
    {
      words[2 * i] = call->parts[i].node;
      words[2 * i + 1] = call->parts[i].length;
    }
  record.latency_slow = (TbCaptureLatencySlow) { call->begin, call->latency, place,
                                                 (int32_t) call->thread, (int32_t) call->process };
  record.tail = (const uint8_t *) words;
  record.tail_length = n * 16;
  tb_agent_output_put (agent->output, &record);
}

/* A call that is overwritten while it is read is left out, as are calls overwritten before. */
static int
read_call (const TbBpfLatencySlowCalls *from, uint64_t number, TbBpfLatencySlowCall *call)
{
  const TbBpfLatencySlowCall *at = &from->calls[number % TB_BPF_LATENCY_SLOW_CALLS];

  if (__atomic_load_n (&at->done, __ATOMIC_ACQUIRE) != number + 1)
    return 0;
  *call = *at;
  __atomic_thread_fence (__ATOMIC_ACQUIRE);
  return __atomic_load_n (&at->done, __ATOMIC_ACQUIRE) == number + 1;
}

void
tb_agent_latency_slow_calls_emit (TbAgentLatencySlowCalls *self,
                                  TbAgent *agent,
                                  TbBpfLatencyShared *shared)
{
  uint64_t n = __atomic_load_n (&self->calls->n, __ATOMIC_ACQUIRE), now = tb_agent_now ();
  TbBpfLatencySlowCall call;

  if (n - self->n_sent > TB_BPF_LATENCY_SLOW_CALLS)
    self->n_sent = n - TB_BPF_LATENCY_SLOW_CALLS;
  for (; self->n_sent < n; self->n_sent++)
    {
      uint32_t place = find_shortest (self);

      if (!read_call (self->calls, self->n_sent, &call) || call.latency <= self->kept[place])
        continue;
      self->kept[place] = call.latency;
      emit_call (agent, &call, place, now);
    }
  shared->slow_floor = self->kept[find_shortest (self)];
}
