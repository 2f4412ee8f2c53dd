/* tb-bpf-latency-callees.h: calls of the measured function (f0) and of its callees, handled at
 * their probes: frames opened and closed (tb-bpf-latency-frames.h), latencies of f0 counted without
 * the cost of probes, unknown callees noted for the agent
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-latency-clients.h"
#include "tb-bpf-latency-phase.h"

/* Calls of f0 */

static __always_inline int
enter_f0 (struct task_struct *task, u64 sp, u32 reach)
{
  Thread *thread = bpf_task_storage_get (&tb_threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
  TbBpfLatencyShared *shared = get_shared ();
  u32 n;
  u64 now;

  if (thread == NULL || shared == NULL)
    {
      count_entry ();
      if (shared != NULL)
        __sync_fetch_and_add (&shared->full, 1);
      return 0;
    }
  if (!shared->has_clients)
    count_entry ();
  n = thread->n_entries;
  /* Calls that were left without returning; their part of the stack is in use again. */
  for (u32 i = 0; i < TB_BPF_LATENCY_ENTRIES; i++)
    {
      if (n == 0 || thread->entries[bound (n - 1, ENTRY_MASK)].sp > sp)
        break;
      n--;
      __sync_fetch_and_add (&shared->abandoned, 1);
    }
  if (n == 0)
    forget_call (thread);
  now = bpf_ktime_get_ns ();
  if (n < TB_BPF_LATENCY_ENTRIES)
    {
      thread->entries[bound (n, ENTRY_MASK)].sp = sp;
      thread->entries[bound (n, ENTRY_MASK)].begin = now;
      thread->entries[bound (n, ENTRY_MASK)].probed = thread->probed;
      thread->entries[bound (n, ENTRY_MASK)].served = SERVED_NONE;
      n++;
    }
  else
    __sync_fetch_and_add (&shared->full, 1);
  thread->n_entries = n;
  if (n == 1 && shared->from_bin <= shared->to_bin)
    open_frame (thread, 0, sp + CALL_RETURN_ADDRESS, reach, now);
  return 0;
}

/* The call has woken no thread yet, or only threads that do not count. */
static __always_inline void
hold_or_drop_call (Thread *thread,
                   TbBpfLatencyShared *shared,
                   u64 latency,
                   u64 begin,
                   u64 now,
                   u64 served)
{
  if (served == SERVED_NONE)
    {
      hold_call (thread, shared, latency, begin, now);
      return;
    }
  __sync_fetch_and_add (&shared->n_other_clients, 1);
  if (thread->n_entries == 0)
    forget_call (thread);
}

/* sp: the stack pointer after the return of the function */
static __always_inline int
leave_f0 (struct task_struct *task, u64 sp)
{
  u64 now = bpf_ktime_get_ns (), begin = 0, latency, others = 0, served = SERVED_NONE;
  Thread *thread = bpf_task_storage_get (&tb_threads, task, NULL, 0);
  TbBpfLatencyShared *shared = get_shared ();
  u32 n;

  if (thread == NULL || shared == NULL)
    return 0;
  n = thread->n_entries;
  for (u32 i = 0; i < TB_BPF_LATENCY_ENTRIES; i++)
    {
      const Entry *entry = &thread->entries[bound (n - 1, ENTRY_MASK)];

      if (n == 0 || entry->sp >= sp)
        break;
      n--;
      if (entry->sp + CALL_RETURN_ADDRESS == sp)
        {
          begin = entry->begin;
          served = entry->served;
          others = thread->probed - entry->probed + shared->floor;
        }
      else
        __sync_fetch_and_add (&shared->abandoned, 1);
    }
  thread->n_entries = n;
  if (begin == 0)
    return 0;
  /* The known cost of the call's own probes, and of probes during the call, is subtracted. */
  latency = take_off_probes (now - begin, others);
  if (shared->has_clients && served != SERVED_PATH)
    hold_or_drop_call (thread, shared, latency, begin, now, served);
  else
    {
      if (shared->has_clients)
        count_entry ();
      count_call (shared, latency);
      if (n == 0)
        decide (thread, shared, latency, begin, now);
    }
  if (n > 0)
    {
      /* A callee that ends where this call ends has no probe of its own there. */
      if (thread->n_frames > 0)
        close_frames (thread, sp - CALL_RETURN_ADDRESS, now);
      thread->probed += shared->nested;
    }
  return 0;
}

/* Callees */

/* The node of a callee that becomes known only now, in that process. If it has none, that is
 * reported once. */
static __always_inline u32
find_callee (Thread *thread, u32 pid, u32 parent, u32 site, u64 target)
{
  TbBpfLatencyCallee key = { parent, site, target };
  u32 *node = bpf_map_lookup_elem (&tb_callees, &key), zero = 0, none = 0;
  TbBpfLatencyNewCallees *new_callees;
  u64 n;

  if (node != NULL)
    return *node;
  new_callees = bpf_map_lookup_elem (&tb_new_callees, &zero);
  if (new_callees == NULL)
    return 0;
  if (new_callees->n >= TB_BPF_LATENCY_NEW_CALLEES
      || bpf_map_update_elem (&tb_callees, &key, &none, BPF_NOEXIST) != 0)
    {
      thread->is_cut = 1;
      return 0;
    }
  n = __sync_fetch_and_add (&new_callees->n, 1);
  if (n < TB_BPF_LATENCY_NEW_CALLEES)
    {
      TbBpfLatencyNewCallee *new = &new_callees->callees[bound (n, TB_BPF_LATENCY_NEW_CALLEES - 1)];

      new->callee = key;
      new->pid = pid;
      asm volatile ("" ::: "memory");
      new->is_written = 1;
    }
  return 0;
}

static __always_inline void
begin_callee (Thread *thread, TbBpfLatencySite *site, void *context, u64 sp, u64 now)
{
  const Frame *top = &thread->frames[bound (thread->n_frames - 1, FRAME_MASK)];
  u32 child = top->node, callee;
  const TbBpfLatencyNode *node = bpf_map_lookup_elem (&tb_nodes, &child);

  if (node == NULL || (node->flags & TB_BPF_LATENCY_IS_OPEN) == 0
      || node->function != site->function)
    return;
  /* Excludes another call of the same function from outside the path. The stack height at the
   * beginning of a system call is unknown. */
  if ((site->flags & TB_BPF_LATENCY_HAS_HEIGHT) != 0
      && top->sp - (sp + site->height + CALL_RETURN_ADDRESS) > top->reach
      && ((site->flags & TB_BPF_LATENCY_IN_KERNEL) == 0 || top->sp < CALL_SP))
    return;
  child = node->first_child + site->index;
  if ((site->flags & TB_BPF_LATENCY_INDIRECT) != 0)
    {
      callee = find_callee (thread, get_process (), top->node, site->index + 1,
                            (site->flags & TB_BPF_LATENCY_IN_KERNEL) != 0
                                ? tb_read_kernel_operand (context, &site->target)
                                : tb_read_operand (context, &site->target));
      if (callee != 0)
        child = callee;
    }
  if ((site->flags & TB_BPF_LATENCY_TAIL) != 0)
    open_frame (thread, child, top->sp, top->reach, now);
  else
    open_frame (thread, child, sp, 0, now);
}

/* A probe's cost is charged to a call of f0 regardless of the path on which the probe is
 * reached. */
static __always_inline int
reach_site (void *context, struct task_struct *task, u32 id, u64 sp)
{
  Thread *thread = bpf_task_storage_get (&tb_threads, task, NULL, 0);
  TbBpfLatencySite *site = bpf_map_lookup_elem (&tb_sites, &id);
  u64 now = bpf_ktime_get_ns ();

  if (site != NULL
      && (site->flags & (TB_BPF_LATENCY_PHASE_BEGINS | TB_BPF_LATENCY_PHASE_ENDS)) != 0)
    return reach_phase (site, context, task);
  if (site != NULL && (site->flags & TB_BPF_LATENCY_OF_CLIENTS) != 0)
    return reach_path (site, task, sp);
  if (thread == NULL || thread->n_entries == 0 || site == NULL)
    return 0;
  if (thread->n_frames > 0)
    close_frames (thread, sp, now);
  if (thread->n_frames > 0 && (site->flags & TB_BPF_LATENCY_BEGINS) != 0)
    begin_callee (thread, site, context, sp, now);
  thread->probed += site->cost;
  return 0;
}
