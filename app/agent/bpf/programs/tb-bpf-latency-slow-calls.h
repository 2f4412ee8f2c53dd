/* tb-bpf-latency-slow-calls.h: buffer of single calls of the measured function in the examined
 * range of latencies (peak), with the time of their callees, from which the agent takes the longest
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-latency-state.h"

struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __uint (map_flags, BPF_F_MMAPABLE);
  __uint (max_entries, 1);
  __type (key, u32);
  __type (value, TbBpfLatencySlowCalls);
} tb_slow SEC (".maps");

/* NULL: the agent already has longer calls. The agent reads the call once done is set. */
static __always_inline TbBpfLatencySlowCall *
begin_slow_call (const TbBpfLatencyShared *shared, u64 begin, u64 latency, u64 *number)
{
  u32 zero = 0;
  TbBpfLatencySlowCalls *slow = bpf_map_lookup_elem (&tb_slow, &zero);
  TbBpfLatencySlowCall *call;

  if (slow == NULL || latency <= shared->slow_floor)
    return NULL;
  *number = __sync_fetch_and_add (&slow->n, 1);
  call = &slow->calls[bound ((u32) *number, TB_BPF_LATENCY_SLOW_CALLS - 1)];
  call->done = 0;
  asm volatile ("" ::: "memory");
  call->begin = begin;
  call->latency = latency;
  call->n = 0;
  return call;
}

static __always_inline void
end_slow_call (TbBpfLatencySlowCall *call, u64 number)
{
  asm volatile ("" ::: "memory");
  call->done = number + 1;
}

/* Stores the call with its first parts. If there were more parts than there is room for, the later
 * ones are missing. */
static __always_inline void
store_slow_call (const Thread *thread, const TbBpfLatencyShared *shared, u64 begin, u64 latency)
{
  u64 id = bpf_get_current_pid_tgid (), number = 0;
  TbBpfLatencySlowCall *call = begin_slow_call (shared, begin, latency, &number);
  u32 n = thread->n_touched;

  if (call == NULL)
    return;
  call->thread = (u32) id;
  call->process = (u32) (id >> 32);
  for (u32 i = 0; i < TB_BPF_LATENCY_SLOW_PARTS; i++)
    {
      u32 node;

      if (i >= n)
        break;
      node = thread->touched[bound (i, MAX_TOUCHED - 1)];
      call->parts[i].node = node;
      call->parts[i].length = thread->parts[bound (node, NODE_MASK)].latency;
      call->n = i + 1;
    }
  end_slow_call (call, number);
}
