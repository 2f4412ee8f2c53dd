/* tb-bpf-latency-frames.h: open calls of a thread during a call of the measured function (f0) and
 * the time of each callee; evaluation of the call of f0 when it ends: its bin, the counters of its
 * callees, its samples; calls held until a thread is woken
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-latency-slow-calls.h"

static __always_inline Part *
touch (Thread *thread, u32 node)
{
  Part *part = &thread->parts[bound (node, NODE_MASK)];

  if (part->is_touched)
    return part;
  if (thread->n_touched >= MAX_TOUCHED)
    {
      thread->is_cut = 1;
      return NULL;
    }
  thread->touched[bound (thread->n_touched, MAX_TOUCHED - 1)] = (u16) (node & NODE_MASK);
  thread->n_touched++;
  part->is_touched = 1;
  return part;
}

static __always_inline void
add_latency (Thread *thread, u32 node, u64 latency)
{
  Part *part = touch (thread, node);

  if (part == NULL)
    return;
  if (latency > part->latency)
    part->latency = latency;
  part->total += latency;
  part->entered++;
}

/* The cost of probes is known to about a third. What is left of a time without it is not shorter
 * than a third of what is taken off: no time becomes 0 because its probes were cheaper than
 * measured. */
#define COST_UNCERTAINTY 3

static __always_inline u64
take_off_probes (u64 whole, u64 cost)
{
  u64 least = (cost < whole ? cost : whole) / COST_UNCERTAINTY;
  u64 left = whole > cost ? whole - cost : 0;

  return left > least ? left : least;
}

/* A call has ended. Disturbances of its thread and the cost of probes are not part of its time. */
static __always_inline void
close_frame (Thread *thread, const Frame *frame, u64 now)
{
  u64 whole = now - frame->begin;
  u64 disturbed = thread->disturbed - frame->disturbed;

  if (frame->node != 0)
    add_latency (thread, frame->node,
                 take_off_probes (whole > disturbed ? whole - disturbed : 0,
                                  thread->probed - frame->probed));
}

typedef struct
{
  Thread *thread;
  const TbBpfLatencyShared *shared;
  u64 sp;
  u64 now;
  u64 begin; /* of the call of f0 */
} Work;

static long
close_next (u64 index, void *data)
{
  Work *work = data;
  Thread *thread = work->thread;
  u32 n = thread->n_frames;
  Frame *frame;

  if (n == 0)
    return 1;
  frame = &thread->frames[bound (n - 1, FRAME_MASK)];
  if (frame->sp > work->sp)
    return 1;
  close_frame (thread, frame, work->now);
  thread->n_frames = n - 1;
  return 0;
}

static __always_inline void
close_frames (Thread *thread, u64 sp, u64 now)
{
  Work work = { thread, NULL, sp, now, 0 };
  u32 n = thread->n_frames;

  if (n > 0 && thread->frames[bound (n - 1, FRAME_MASK)].sp <= sp)
    bpf_loop (TB_BPF_LATENCY_FRAMES, close_next, &work, 0);
}

static __always_inline void
open_frame (Thread *thread, u32 node, u64 sp, u32 reach, u64 now)
{
  u32 n = thread->n_frames;
  Frame *frame = &thread->frames[bound (n, FRAME_MASK)];

  if (n >= TB_BPF_LATENCY_FRAMES)
    {
      thread->is_cut = 1;
      return;
    }
  frame->sp = sp;
  frame->begin = now;
  frame->disturbed = thread->disturbed;
  frame->probed = thread->probed;
  frame->waited[0] = frame->waited[1] = 0;
  frame->served[0] = frame->served[1] = 0;
  frame->node = node;
  frame->reach = reach;
  thread->n_frames = n + 1;
}

static long
sum_children (u64 index, void *data)
{
  Work *work = data;
  Thread *thread = work->thread;
  u32 child = thread->touched[bound (index, MAX_TOUCHED - 1)];
  TbBpfLatencyNode *node = bpf_map_lookup_elem (&tb_nodes, &child);
  const Part *part = &thread->parts[bound (child, NODE_MASK)];
  Part *parent;

  if (node == NULL || child == 0)
    return 0;
  parent = &thread->parts[bound (node->parent, NODE_MASK)];
  if (part->latency > parent->largest)
    parent->largest = part->latency;
  if ((node->flags & TB_BPF_LATENCY_IS_DISTURBANCE) == 0)
    parent->children += part->latency;
  return 0;
}

static __always_inline u64
get_self (const Part *part)
{
  return part->latency > part->children ? part->latency - part->children : 0;
}

static long
compare_self (u64 index, void *data)
{
  Work *work = data;
  u32 child = work->thread->touched[bound (index, MAX_TOUCHED - 1)];
  Part *part = &work->thread->parts[bound (child, NODE_MASK)];
  u64 self = get_self (part);

  if (self > part->largest)
    part->largest = self;
  return 0;
}

/* Whether the call of f0 began after all probes and a node for everything counted there were in
 * place. A call that was under way by then has parts that were not recorded. */
static __always_inline bool
is_recorded_whole (const Work *work, u32 node)
{
  const TbBpfLatencyCounter *counter = bpf_map_lookup_elem (&tb_counters, &node);

  return counter != NULL && work->begin >= counter->since;
}

/* Increments the counters of contributors in the same bin as the largest contributor of their
 * caller. */
static long
raise_counters (u64 index, void *data)
{
  Work *work = data;
  Thread *thread = work->thread;
  u32 child = thread->touched[bound (index, MAX_TOUCHED - 1)];
  const TbBpfLatencyNode *node = bpf_map_lookup_elem (&tb_nodes, &child);
  TbBpfLatencyCounter *counter = bpf_map_lookup_elem (&tb_counters, &child);
  const Part *part = &thread->parts[bound (child, NODE_MASK)];
  u64 self = get_self (part);

  if (node == NULL || counter == NULL || work->begin < counter->since
      || !is_recorded_whole (work, node->parent))
    return 0;
  __sync_fetch_and_add (&counter->calls, 1);
  __sync_fetch_and_add (&counter->entered, part->entered);
  __sync_fetch_and_add (&counter->total, part->total);
  if ((node->flags & TB_BPF_LATENCY_IS_OPEN) != 0)
    {
      __sync_fetch_and_add (&counter->self_total, self);
      if (are_in_same_bin (work->shared, self, part->largest))
        __sync_fetch_and_add (&counter->self_maxcount, 1);
    }
  if (child != 0
      && are_in_same_bin (work->shared, part->latency,
                          thread->parts[bound (node->parent, NODE_MASK)].largest))
    __sync_fetch_and_add (&counter->maxcount, 1);
  return 0;
}

static long
forget_part (u64 index, void *data)
{
  Work *work = data;
  u32 node = work->thread->touched[bound (index, MAX_TOUCHED - 1)];

  work->thread->parts[bound (node, NODE_MASK)] = (Part) { 0 };
  return 0;
}

static __always_inline void
forget_call (Thread *thread)
{
  Work work = { thread, NULL, 0, 0, 0 };

  if (thread->n_touched > 0)
    bpf_loop (thread->n_touched, forget_part, &work, 0);
  thread->n_touched = thread->n_frames = 0;
  thread->disturbed = thread->probed = 0;
  thread->n_places = 0;
  thread->is_cut = 0;
  thread->is_held = 0;
}

/* Stores the sampled locations of the current call if it belongs to the peak. */
static __always_inline void
store_places (const Thread *thread)
{
  for (u32 i = 0; i < PLACES; i++)
    {
      TbBpfLatencyPlace place
          = { thread->places[i].address, (u32) thread->places[i].node, get_process () };
      u64 *count, one = 1;

      if (i >= thread->n_places)
        break;
      count = bpf_map_lookup_elem (&tb_places, &place);
      if (count != NULL)
        __sync_fetch_and_add (count, 1);
      else
        bpf_map_update_elem (&tb_places, &place, &one, BPF_NOEXIST);
    }
}

/* Evaluates a call of f0 whose frames are closed. */
static __always_inline void
evaluate_call (Thread *thread, TbBpfLatencyShared *shared, u64 latency, u64 begin)
{
  u32 bin = find_bin (shared, latency);
  Work work = { thread, shared, ~0ull, 0, begin };

  if (bin >= shared->from_bin && bin <= shared->to_bin && thread->is_cut)
    __sync_fetch_and_add (&shared->cut, 1);
  else if (bin >= shared->from_bin && bin <= shared->to_bin)
    {
      add_latency (thread, 0, latency > thread->disturbed ? latency - thread->disturbed : 0);
      bpf_loop (thread->n_touched, sum_children, &work, 0);
      bpf_loop (thread->n_touched, compare_self, &work, 0);
      bpf_loop (thread->n_touched, raise_counters, &work, 0);
      __sync_fetch_and_add (&shared->calls, 1);
      store_slow_call (thread, shared, begin, latency);
      store_places (thread);
    }
  forget_call (thread);
}

/* The outermost call of f0 has ended. */
static __always_inline void
decide (Thread *thread, TbBpfLatencyShared *shared, u64 latency, u64 begin, u64 now)
{
  if (thread->n_frames == 0)
    {
      forget_call (thread);
      return;
    }
  close_frames (thread, ~0ull, now);
  evaluate_call (thread, shared, latency, begin);
}

/* Holds a call that may have served a client that is woken later. */
static __always_inline void
hold_call (Thread *thread, TbBpfLatencyShared *shared, u64 latency, u64 begin, u64 now)
{
  u32 n = thread->n_held;

  if (n >= HELD)
    __sync_fetch_and_add (&shared->full, 1);
  else
    {
      thread->held[bound (n, HELD - 1)].end = now;
      thread->held[bound (n, HELD - 1)].latency = latency;
      thread->n_held = n + 1;
    }
  if (thread->n_entries > 0)
    return;
  if (n >= HELD || thread->n_frames == 0)
    {
      forget_call (thread);
      return;
    }
  close_frames (thread, ~0ull, now);
  thread->is_held = 1;
  thread->held_begin = begin;
  thread->held_end = now;
  thread->held_latency = latency;
}
