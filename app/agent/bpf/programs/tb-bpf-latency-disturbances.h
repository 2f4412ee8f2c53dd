/* tb-bpf-latency-disturbances.h: time that preemption, waits and interrupts take in a call of the
 * measured function (f0), added up by cause; beginnings and ends of interrupts, and their number by
 * source
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-latency-requests.h"

typedef struct
{
  Thread *thread;
  u64 length;
  u32 which;
} Disturbance;

static long
disturb_frame (u64 index, void *data)
{
  Disturbance *disturbance = data;
  Thread *thread = disturbance->thread;
  u32 of = thread->frames[bound (index, FRAME_MASK)].node;
  const TbBpfLatencyNode *node = bpf_map_lookup_elem (&tb_nodes, &of);
  Part *part;

  if (node == NULL || (node->flags & TB_BPF_LATENCY_IS_OPEN) == 0 || node->disturbances == 0)
    return 0;
  part = touch (thread, node->disturbances + disturbance->which);
  if (part == NULL)
    return 0;
  part->latency += disturbance->length;
  part->total += disturbance->length;
  part->entered++;
  return 0;
}

static __always_inline void
disturb (Thread *thread, u32 which, u64 length)
{
  Disturbance disturbance = { thread, length, which };

  if (thread->n_frames == 0)
    return;
  thread->disturbed += length;
  bpf_loop (thread->n_frames, disturb_frame, &disturbance, 0);
}

/* Waits of one kind in one call of a function form one contributor, as do other disturbances. They
 * are no calls of a loop, of which only the longest would count. */
static __always_inline void
add_wait (Thread *thread, Frame *frame, u32 wait, u64 length)
{
  Part *part = touch (thread, wait);
  u32 state = thread->state;
  u64 waited = length;

  if (part == NULL)
    return;
  if (state == TASK_INTERRUPTIBLE || state == TASK_UNINTERRUPTIBLE)
    {
      u32 which = state == TASK_INTERRUPTIBLE ? 0 : 1;

      waited += frame->waited[which];
      frame->waited[which] = waited;
    }
  if (waited > part->latency)
    part->latency = waited;
  part->total += length;
  part->entered++;
}

/* A thread resumes. The current process is still the one before it on the CPU, or none, so pid and
 * id are passed; id: the thread's. */
static __always_inline void
add_wait_of_frame (Thread *thread, u32 pid, u32 id, u64 length)
{
  u32 of, wait, n = thread->n_frames;
  const TbBpfLatencyNode *node;
  Frame *frame;

  if (n == 0)
    return;
  frame = &thread->frames[bound (n - 1, FRAME_MASK)];
  of = frame->node;
  node = bpf_map_lookup_elem (&tb_nodes, &of);
  if (node == NULL || (node->flags & TB_BPF_LATENCY_IS_OPEN) == 0)
    return;
  wait = find_callee (thread, pid, of, 0, TB_BPF_LATENCY_WAIT | thread->state);
  if (wait == 0)
    return;
  add_wait (thread, frame, wait, length);
  node = bpf_map_lookup_elem (&tb_nodes, &wait);
  if (node != NULL && (node->flags & TB_BPF_LATENCY_IS_OPEN) != 0)
    add_services (thread, frame, node, id, thread->off + length);
}

/* Interrupts */

static __always_inline int
begin_interrupt (void)
{
  u32 zero = 0, depth;
  Interrupts *interrupts = bpf_map_lookup_elem (&tb_interrupts, &zero);

  if (interrupts == NULL)
    return 0;
  depth = interrupts->depth;
  if (depth < IRQ_DEPTH)
    {
      interrupts->entered[bound (depth, IRQ_DEPTH - 1)] = bpf_ktime_get_ns ();
      interrupts->inner[bound (depth, IRQ_DEPTH - 1)] = 0;
    }
  interrupts->depth = depth + 1;
  return 0;
}

/* Index of a disturbance; 0 if there is no room for another. */
static __always_inline u32
find_source (TbBpfLatencyShared *shared, u64 key, const char *name)
{
  u32 n = shared->n_sources;

  for (u32 i = 0; i < TB_BPF_LATENCY_SOURCES; i++)
    if (i < n && shared->sources[i].key == key)
      return FIRST_SOURCE + i;
  n = __sync_fetch_and_add (&shared->n_sources, 1);
  if (n >= TB_BPF_LATENCY_SOURCES)
    {
      shared->n_sources = TB_BPF_LATENCY_SOURCES;
      return 0;
    }
  shared->sources[bound (n, 15)].since = bpf_ktime_get_ns ();
  if (name != NULL)
    bpf_probe_read_kernel_str (shared->sources[bound (n, 15)].name, sizeof shared->sources[0].name,
                               name);
  shared->sources[bound (n, 15)].key = key;
  return FIRST_SOURCE + n;
}

/* Counts every occurrence of a source, which shows how often one falls into a call by chance. */
static __always_inline void
count_source (TbBpfLatencyShared *shared, u64 key)
{
  u32 n = shared->n_sources;

  for (u32 i = 0; i < TB_BPF_LATENCY_SOURCES; i++)
    if (i < n && shared->sources[i].key == key)
      __sync_fetch_and_add (&shared->sources[i].count, 1);
}

static __always_inline int
end_interrupt (u64 key, const char *name)
{
  u32 zero = 0, depth, source;
  Interrupts *interrupts = bpf_map_lookup_elem (&tb_interrupts, &zero);
  TbBpfLatencyShared *shared = get_shared ();
  u64 whole, own;
  Thread *thread;

  if (interrupts == NULL || shared == NULL || interrupts->depth == 0)
    return 0;
  depth = --interrupts->depth;
  if (depth >= IRQ_DEPTH)
    return 0;
  whole = bpf_ktime_get_ns () - interrupts->entered[bound (depth, IRQ_DEPTH - 1)];
  own = interrupts->inner[bound (depth, IRQ_DEPTH - 1)];
  own = whole > own ? whole - own : 0;
  if (depth > 0)
    interrupts->inner[bound (depth - 1, IRQ_DEPTH - 1)] += whole;
  count_source (shared, key);
  thread = bpf_task_storage_get (&tb_threads, bpf_get_current_task_btf (), NULL, 0);
  if (thread == NULL || thread->n_frames == 0 || thread->off != 0)
    return 0;
  source = find_source (shared, key, name);
  if (source != 0)
    disturb (thread, source, own);
  return 0;
}
