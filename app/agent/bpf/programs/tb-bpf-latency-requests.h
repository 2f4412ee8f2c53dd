/* tb-bpf-latency-requests.h: time of block I/O requests in the queue and at the device, as part of
 * the calls of the measured function (f0) that wait for them, or measured instead of f0
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Only requests made by calls of f0 are followed, on the thread that made them, until the device
 * has completed them on any CPU. A thread that issues the requests of a queue to the device also
 * issues those of other threads, so the thread that inserted a request is stored with it.
 */

#pragma once

#include "tb-bpf-latency-callees.h"

#define REQUESTS 4096

typedef struct
{
  u64 begin; /* of the call of f0 that made it */
  u64 made;
  u64 issued; /* to the device; 0: still in the queue */
  u64 done;   /* completion; 0: not yet */
  u32 thread; /* 0: no examined thread */
  u32 process;
} Request;

/* By address. For requests that are merged into others no end is recorded. */
struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, REQUESTS);
  __type (key, u64);
  __type (value, Request);
} tb_requests SEC (".maps");

/* By thread: its request that was completed last, which is what it waited for if it waited. */
struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, REQUESTS);
  __type (key, u32);
  __type (value, Request);
} tb_served SEC (".maps");

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct request___latency
{
  unsigned int cmd_flags;
  u64 start_time_ns;
};
#pragma clang attribute pop

/* Whether a request that is being made is measured itself or belongs to a measured call. */
static __always_inline bool
is_of_interest (const TbBpfLatencyShared *shared,
                struct task_struct *task,
                u64 address,
                Request *request)
{
  Thread *thread;

  if (shared->is_request)
    {
      request->begin = bpf_ktime_get_ns ();
      return (BPF_CORE_READ ((const struct request___latency *) address, cmd_flags) & 0xff)
                 == shared->request
             && is_examined (task);
    }
  thread = bpf_task_storage_get (&tb_threads, task, NULL, 0);
  if (thread == NULL || thread->n_frames == 0)
    return false;
  request->begin = thread->frames[0].begin;
  return true;
}

/* Whether a request was in the queue before insertions were recorded: then the thread that inserted
 * it is unknown. */
static __always_inline bool
is_earlier (const TbBpfLatencyShared *shared, u64 address)
{
  u64 made = BPF_CORE_READ ((const struct request___latency *) address, start_time_ns);

  return made != 0 && made < shared->requests_from;
}

/* Another thread may issue what is in the queue. */
static __always_inline int
note_request (u64 address, bool is_issued)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  Request *known = bpf_map_lookup_elem (&tb_requests, &address), request = { 0 };
  const TbBpfLatencyShared *shared = get_shared ();

  if (is_issued && known != NULL)
    {
      known->issued = bpf_ktime_get_ns ();
      return 0;
    }
  /* An earlier request at the same address has ended, whether that was recorded or not. */
  if (known != NULL)
    bpf_map_delete_elem (&tb_requests, &address);
  if (shared == NULL || (is_issued && is_earlier (shared, address)))
    return 0;
  if (is_of_interest (shared, task, address, &request))
    {
      request.thread = (u32) task->pid;
      request.process = (u32) task->tgid;
    }
  else if (is_issued)
    return 0;
  request.made = bpf_ktime_get_ns ();
  request.issued = is_issued ? request.made : 0;
  bpf_map_update_elem (&tb_requests, &address, &request, BPF_ANY);
  return 0;
}

static __always_inline void
raise_counter (u32 id, u64 begin, u64 length, bool is_largest)
{
  TbBpfLatencyCounter *counter = bpf_map_lookup_elem (&tb_counters, &id);

  if (counter == NULL || begin < counter->since)
    return;
  __sync_fetch_and_add (&counter->calls, 1);
  __sync_fetch_and_add (&counter->entered, 1);
  __sync_fetch_and_add (&counter->total, length);
  if (is_largest)
    __sync_fetch_and_add (&counter->maxcount, 1);
}

/* A request has no callees: it consists of its time in the queue and at the device only. The values
 * are kept in a map because verifiers do not track those; otherwise they would follow each bin of
 * the one through all bins of the other. */
static __always_inline void
decide_request (TbBpfLatencyShared *shared, const Request *request)
{
  u32 zero = 0, merged_bins = shared->merged_bins > 0 ? shared->merged_bins : 1;
  TbBpfLatencyBins *bins = bpf_map_lookup_elem (&tb_bins, &zero);
  const TbBpfLatencyNode *node = bpf_map_lookup_elem (&tb_nodes, &zero);
  u64 issued = request->issued != 0 ? request->issued : request->made, most, number = 0;
  TbBpfLatencySlowCall *call;

  if (bins == NULL || node == NULL)
    return;
  bins->parts[0] = issued - request->made;
  bins->parts[1] = request->done - issued;
  bins->parts[2] = request->done - request->made;
  for (u32 i = 0; i < 3; i++)
    bins->part_bins[i] = find_bin (shared, bins->parts[i]);
  bins->entered++;
  bins->counts[bins->part_bins[2] & (TB_BPF_LATENCY_ROOM - 1)]++;
  bins->totals[bins->part_bins[2] & (TB_BPF_LATENCY_ROOM - 1)] += bins->parts[2];
  if (bins->part_bins[2] < shared->from_bin || bins->part_bins[2] > shared->to_bin
      || (node->flags & TB_BPF_LATENCY_IS_OPEN) == 0)
    return;
  most = bins->part_bins[bins->parts[0] > bins->parts[1] ? 0 : 1] / merged_bins;
  raise_counter (0, request->begin, bins->parts[2], false);
  for (u32 i = 0; i < 2; i++)
    if (bins->parts[i] > 0)
      raise_counter (node->first_child + i, request->begin, bins->parts[i],
                     bins->part_bins[i] / merged_bins == most);
  __sync_fetch_and_add (&shared->calls, 1);
  call = begin_slow_call (shared, request->made, bins->parts[2], &number);
  if (call == NULL)
    return;
  call->thread = request->thread;
  call->process = request->process;
  call->n = 2;
  for (u32 i = 0; i < 2; i++)
    {
      call->parts[i].node = node->first_child + i;
      call->parts[i].length = bins->parts[i];
    }
  end_slow_call (call, number);
}

static __always_inline int
end_request (u64 address)
{
  Request *known = bpf_map_lookup_elem (&tb_requests, &address), request;
  TbBpfLatencyShared *shared = get_shared ();

  if (known == NULL || shared == NULL)
    return 0;
  request = *known;
  request.done = bpf_ktime_get_ns ();
  bpf_map_delete_elem (&tb_requests, &address);
  if (request.thread == 0)
    return 0;
  if (shared->is_request)
    {
      decide_request (shared, &request);
      return 0;
    }
  bpf_map_update_elem (&tb_served, &request.thread, &request, BPF_ANY);
  return 0;
}

/* In one call of a function all service times form one contributor, as do the waits that contain
 * them. */
static __always_inline void
add_service (Thread *thread, u32 node, u64 *served, u64 length)
{
  Part *part = touch (thread, node);

  if (part == NULL)
    return;
  *served += length;
  if (*served > part->latency)
    part->latency = *served;
  part->total += length;
  part->entered++;
}

/* An open wait consists of the time in which the request was in the queue, the time at the device,
 * and the rest. The request that was completed last may be one that was not waited for and
 * completed after the wake-up. */
static __always_inline void
add_services (Thread *thread, Frame *frame, const TbBpfLatencyNode *wait, u32 id, u64 woken)
{
  const Request *request = bpf_map_lookup_elem (&tb_served, &id);
  u64 made, issued, done;

  if (request == NULL || request->begin != thread->frames[0].begin || request->made < frame->begin
      || request->done < thread->off)
    return;
  made = request->made > thread->off ? request->made : thread->off;
  done = request->done < woken ? request->done : woken;
  issued = request->issued < done ? request->issued : done;
  if (issued > made)
    add_service (thread, wait->first_child, &frame->served[0], issued - made);
  else
    issued = made;
  if (done > issued)
    add_service (thread, wait->first_child + 1, &frame->served[1], done - issued);
}
