/* tb-bpf-latency-phase.h: phases of a program, begun and ended by its marks: calls of the measured
 * function (f0) count only in a chosen phase; test whether the calls of a thread are measured at
 * all
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-latency-state.h"

#define PROCESSES 4096

/* By process: the number of its threads in the phase */
struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, PROCESSES);
  __type (key, u32);
  __type (value, u32);
} tb_phases SEC (".maps");

/* The threads in the phase, by the address of their task_struct. A thread's id can change when it
 * executes another program. */
struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, PROCESSES);
  __type (key, u64);
  __type (value, u32);
} tb_phased SEC (".maps");

static __always_inline bool
is_in_phase (const TbBpfLatencyShared *shared, u32 process)
{
  const u32 *n;

  if (!shared->only_phases)
    return true;
  n = bpf_map_lookup_elem (&tb_phases, &process);
  return n != NULL && *n > 0;
}

/* FNV-1a */
static __always_inline u32
hash_text (u64 address)
{
  u8 text[TB_BPF_LATENCY_PHASE] = { 0 };
  u32 hash = 0x811c9dc5u;

  if (bpf_probe_read_user_str (text, sizeof text, (const void *) address) <= 0)
    return 0;
  for (u32 i = 0; i < sizeof text; i++)
    {
      if (text[i] == 0)
        break;
      hash = (hash ^ text[i]) * 0x01000193u;
    }
  return hash;
}

static __always_inline int
leave_phase (const struct task_struct *task)
{
  u32 process = (u32) task->tgid, *n;
  u64 thread = (u64) task;

  if (bpf_map_delete_elem (&tb_phased, &thread) != 0)
    return 0;
  n = bpf_map_lookup_elem (&tb_phases, &process);
  if (n != NULL)
    __sync_fetch_and_add (n, -1);
  return 0;
}

/* Handles a mark of a phase. An end may be missed, because the probes of marks are attached one
 * after the other. A thread that begins again is counted only once. */
static __always_inline int
reach_phase (const TbBpfLatencySite *site, void *context, const struct task_struct *task)
{
  u32 process = (u32) task->tgid, one = 1, *n;
  u64 thread = (u64) task;

  if (hash_text (tb_read_operand (context, &site->target)) != site->height)
    return 0;
  if ((site->flags & TB_BPF_LATENCY_PHASE_BEGINS) != 0)
    {
      if (bpf_map_update_elem (&tb_phased, &thread, &one, BPF_NOEXIST) != 0
          || bpf_map_update_elem (&tb_phases, &process, &one, BPF_NOEXIST) == 0)
        return 0;
      n = bpf_map_lookup_elem (&tb_phases, &process);
      if (n != NULL)
        __sync_fetch_and_add (n, 1);
      return 0;
    }
  return leave_phase (task);
}

/* Whether the thread is recorded, or is the one on which the cost is calibrated */
static __always_inline bool
is_examined (struct task_struct *task)
{
  TbBpfLatencyShared *shared = get_shared ();

  if (shared == NULL)
    return false;
  if (shared->calibration_pid != 0)
    return shared->calibration_pid == (u32) task->tgid;
  if (shared->thread != 0 && shared->thread != (u32) task->pid)
    return false;
  return tb_is_target (task) && is_in_phase (shared, (u32) task->tgid);
}
