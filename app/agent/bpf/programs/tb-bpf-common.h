/* tb-bpf-common.h: maps and functions common to all BPF programs of the agent: records in the ring
 * of the CPU, count of lost ones, interrupt context, test for the target, call stacks and their
 * ids
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A light skeleton creates all its maps itself. So every object has its own maps of maps, into
 * which the agent puts the shared maps when the object is loaded.
 */

#pragma once

#include "tb-bpf-kernel.h"

#include "tb-bpf-unwind-table.h"

/* The flags of TbCaptureStackFlags that BPF programs use, with the same values */
#define TB_BPF_USER_STACKS (1u << 0)
#define TB_BPF_KERNEL_STACKS (1u << 1)
#define TB_BPF_WAKING_KERNEL_STACKS (1u << 2)
#define TB_BPF_SYSCALL_STACKS (1u << 3)
#define TB_BPF_REPAIRED_STACKS (1u << 5)

#define TB_IN_INTERRUPT (TB_BPF_IN_HARDIRQ | TB_BPF_IN_SOFTIRQ | TB_BPF_IN_NMI)

const volatile TbBpfConfig config = { 0 };

/* By CPU number. One ring per CPU, so that programs on different CPUs do not wait for each
 * other. */
struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
  __uint (max_entries, 1);
  __uint (key_size, sizeof (u32));
  __array (
      values,
      struct {
        __uint (type, BPF_MAP_TYPE_RINGBUF);
        __uint (max_entries, 4096);
      });
} tb_rings SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
  __uint (max_entries, 1);
  __uint (key_size, sizeof (u32));
  __array (
      values,
      struct {
        __uint (type, BPF_MAP_TYPE_ARRAY);
        __uint (map_flags, BPF_F_MMAPABLE | BPF_F_INNER_MAP);
        __uint (max_entries, 1);
        __uint (key_size, sizeof (u32));
        __uint (value_size, sizeof (TbBpfCpu));
      });
} tb_cpus SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
  __uint (max_entries, 1);
  __uint (key_size, sizeof (u32));
  __array (
      values,
      struct {
        __uint (type, BPF_MAP_TYPE_HASH);
        __uint (max_entries, 1);
        __uint (key_size, sizeof (u32));
        __uint (value_size, sizeof (u32));
      });
} tb_targets SEC (".maps");

/* Unwind tables of mapped files; empty unless stacks are repaired */
struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
  __uint (max_entries, 1);
  __uint (key_size, sizeof (u32));
  __array (
      values,
      struct {
        __uint (type, BPF_MAP_TYPE_ARRAY);
        __uint (map_flags, BPF_F_MMAPABLE | BPF_F_INNER_MAP);
        __uint (max_entries, 1);
        __uint (key_size, sizeof (u32));
        __uint (value_size, sizeof (u64));
      });
} tb_tables SEC (".maps");

/* By socket of a connection: the number of its received bytes that were emitted. Empty unless
 * messages are recorded. */
struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
  __uint (max_entries, 1);
  __uint (key_size, sizeof (u32));
  __array (
      values,
      struct {
        __uint (type, BPF_MAP_TYPE_LRU_HASH);
        __uint (max_entries, 1);
        __uint (key_size, sizeof (u64));
        __uint (value_size, sizeof (u64));
      });
} tb_received SEC (".maps");

/* A buffer for a record that has no fixed size in the ring or exceeds the program's stack. A
 * program never runs twice at a time on one CPU (the kernel counts the skipped runs), but different
 * programs can, so each has its own buffer. */
#define TB_BPF_SCRATCH(name, Record, size)                                                         \
  struct name##_buffer                                                                             \
  {                                                                                                \
    Record record;                                                                                 \
    u64 rest[((size) + 7) / 8];                                                                    \
  };                                                                                               \
  struct                                                                                           \
  {                                                                                                \
    __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);                                                      \
    __uint (max_entries, 1);                                                                       \
    __uint (key_size, sizeof (u32));                                                               \
    __uint (value_size, sizeof (Record) + ((size) + 7) / 8 * 8);                                   \
  } name SEC (".maps")

static __always_inline void *
tb_scratch (void *map)
{
  u32 zero = 0;

  return bpf_map_lookup_elem (map, &zero);
}

/* A buffer for programs at user probes. In a preemptible kernel a thread may lose the CPU in the
 * middle of a program, and another thread may run the program there. If the buffer is in use, the
 * program goes without. */
#define TB_BPF_SHARED_SCRATCH(name, Record, size)                                                  \
  struct name##_buffer                                                                             \
  {                                                                                                \
    Record record;                                                                                 \
    u64 rest[((size) + 7) / 8];                                                                    \
    u64 taken;                                                                                     \
  };                                                                                               \
  struct                                                                                           \
  {                                                                                                \
    __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);                                                      \
    __uint (max_entries, 1);                                                                       \
    __uint (key_size, sizeof (u32));                                                               \
    __uint (value_size, sizeof (Record) + ((size) + 7) / 8 * 8 + 8);                               \
  } name SEC (".maps")

#define tb_acquire_scratch(scratch)                                                                \
  ((scratch) != NULL && __sync_lock_test_and_set (&(scratch)->taken, 1) == 0)
#define tb_release_scratch(scratch) __sync_lock_test_and_set (&(scratch)->taken, 0)

/* The CPU on which a program runs, with its shared state */
typedef struct
{
  TbBpfCpu *cpu;
  u64 time;
  u32 number;
} TbProgramContext;

static __always_inline bool
tb_read_program_context (TbProgramContext *self)
{
  u32 zero = 0;
  void *cpus;

  self->number = bpf_get_smp_processor_id ();
  cpus = bpf_map_lookup_elem (&tb_cpus, &zero);
  if (cpus == NULL)
    return false;
  self->cpu = bpf_map_lookup_elem (cpus, &self->number);
  self->time = bpf_ktime_get_ns ();
  return self->cpu != NULL;
}

static __always_inline void
tb_fill (TbBpfHeader *header, const TbProgramContext *place, u32 type, u32 flags, s32 tid, s32 pid)
{
  header->time = place->time;
  header->type = type;
  header->cpu = place->number;
  header->flags = flags;
  header->tid = tid;
  header->pid = pid;
}

/* Counts a lost record. The next record that finds room reports the count, or the agent at the end.
 * An interrupt in between can leave too early a time but none too late, because losses after the
 * end do not count. */
static __always_inline void
tb_count_lost (const TbProgramContext *place)
{
  TbBpfCpu *cpu = place->cpu;

  __sync_fetch_and_add (&cpu->lost, 1);
  if (cpu->lost_from == 0)
    cpu->lost_from = place->time;
}

static __always_inline void
tb_emit_lost (const TbProgramContext *place, void *ring)
{
  TbBpfCpu *cpu = place->cpu;
  TbBpfLost *record;

  /* Losses that were counted but not dated yet are reported with the next record. */
  if (cpu->lost == 0 || cpu->lost_from == 0)
    return;
  record = bpf_ringbuf_reserve (ring, sizeof *record, 0);
  if (record == NULL)
    return;
  record->from = __sync_lock_test_and_set (&cpu->lost_from, 0);
  record->count = __sync_lock_test_and_set (&cpu->lost, 0);
  tb_fill (&record->header, place, TB_BPF_LOST, 0, 0, 0);
  bpf_ringbuf_submit (record, BPF_RB_NO_WAKEUP);
}

/* Reserves a record of fixed size for tb_submit(); NULL if there is no room, which is counted. */
static __always_inline void *
tb_reserve (const TbProgramContext *place, u64 size)
{
  void *ring = bpf_map_lookup_elem (&tb_rings, &place->number), *record = NULL;

  if (ring != NULL)
    {
      tb_emit_lost (place, ring);
      record = bpf_ringbuf_reserve (ring, size, 0);
    }
  if (record == NULL)
    tb_count_lost (place);
  return record;
}

static __always_inline void
tb_submit (void *record)
{
  bpf_ringbuf_submit (record, BPF_RB_NO_WAKEUP);
}

/* Copies a record into the ring; false if there was no room, which is counted. */
static __always_inline bool
tb_output (const TbProgramContext *place, void *record, u64 size)
{
  void *ring = bpf_map_lookup_elem (&tb_rings, &place->number);

  if (ring != NULL)
    {
      tb_emit_lost (place, ring);
      if (bpf_ringbuf_output (ring, record, size, BPF_RB_NO_WAKEUP) == 0)
        return true;
    }
  tb_count_lost (place);
  return false;
}

/* No BPF helper returns the context that a program runs in, but the kernel's preemption counter
 * contains it. It is a per-CPU variable, at an offset from the run queue that the agent reads from
 * the kernel's BTF. */
static __always_inline u64
tb_find_preempt_count (const TbProgramContext *place, struct task_struct *current)
{
  struct rq *queue;

  if (place->cpu->preempt_count != 0)
    return place->cpu->preempt_count;
  if (!bpf_core_field_exists (struct cfs_rq, rq)
      || !bpf_core_field_exists (struct sched_entity, cfs_rq))
    return 0;
  queue = BPF_CORE_READ (current, se.cfs_rq, rq);
  if (queue == NULL || BPF_CORE_READ (queue, cpu) != (int) place->number)
    return 0;
  place->cpu->preempt_count = (u64) queue + config.preempt_count;
  return place->cpu->preempt_count;
}

/* The kind of interrupt that the program runs in, as TbBpfFlags. Exact, except on kernels that hide
 * the counter; there it is as good as the recorded interrupts. */
static __always_inline u32
tb_get_context (const TbProgramContext *place)
{
  struct task_struct *current = bpf_get_current_task_btf ();
  u32 count = 0;
  u64 address;

  if (config.has_preempt_count)
    {
      address = tb_find_preempt_count (place, current);
      if (address != 0 && bpf_probe_read_kernel (&count, sizeof count, (void *) address) == 0)
        goto known;
    }
  else if (bpf_core_field_exists (current->thread_info.preempt_count))
    {
      count = (u32) current->thread_info.preempt_count;
      goto known;
    }
  return (place->cpu->hardirqs > 0 ? TB_BPF_IN_HARDIRQ : 0)
         | (place->cpu->softirqs > 0 ? TB_BPF_IN_SOFTIRQ : 0);
known:
  return ((count & TB_HARDIRQ_MASK) != 0 ? TB_BPF_IN_HARDIRQ : 0)
         | ((count & TB_SOFTIRQ_OFFSET) != 0 ? TB_BPF_IN_SOFTIRQ : 0)
         | ((count & TB_NMI_MASK) != 0 ? TB_BPF_IN_NMI : 0);
}

static __always_inline bool
tb_is_below_cgroup (struct task_struct *task)
{
  struct cgroup *cgroup = BPF_CORE_READ (task, cgroups, dfl_cgrp);
  struct cgroup *ancestor = NULL;
  u32 level = config.cgroup_level;

  if (cgroup == NULL || BPF_CORE_READ (cgroup, level) < (int) level)
    return false;
  bpf_probe_read_kernel (&ancestor, sizeof ancestor,
                         (void *) cgroup + bpf_core_field_offset (struct cgroup, ancestors)
                             + level * 8);
  return BPF_CORE_READ (ancestor, kn, id) == config.cgroup;
}

static __always_inline bool
tb_is_target_process (u32 pid)
{
  u32 zero = 0;
  void *targets = bpf_map_lookup_elem (&tb_targets, &zero);

  return targets != NULL && bpf_map_lookup_elem (targets, &pid) != NULL;
}

/* Whether a thread belongs to the target */
static __always_inline bool
tb_is_target (struct task_struct *task)
{
  if (config.filter == TB_BPF_FILTER_NONE)
    return true;
  return config.filter == TB_BPF_FILTER_TREE ? tb_is_target_process (task->tgid)
                                             : tb_is_below_cgroup (task);
}

static __always_inline bool
tb_is_own (const struct task_struct *task)
{
  return task->tgid == config.own_pid;
}

/* A light skeleton loads at most 32 functions of an object, and the functions of the stack walk
 * count even if they are not called. */
#ifndef TB_BPF_WITHOUT_STACKS

#  include "tb-bpf-walk.h"

typedef struct TbBpfWords /* named, as is TbBpfFrames */
{
  u64 words[TB_BPF_MAX_WORDS];
} TbBpfWords;

/* Global for the same reason as tb_walk_user() */
__noinline u64
tb_hash_words (const TbBpfWords *words, u32 n, u64 id)
{
  if (words == NULL)
    return 0;
  for (u32 i = 0; i < TB_BPF_MAX_WORDS; i++)
    {
      if (i >= n)
        break;
      id = (id ^ words->words[i]) * 0x9e3779b97f4a7c15u;
      id ^= id >> 29;
    }
  return id;
}

/* Gives a stack its id. Returns the number of words that have to be sent: none if the CPU has sent
 * the same stack before. */
static __always_inline u32
tb_assign_stack_id (const TbProgramContext *place, TbBpfStack *stack, const u64 *words, u32 n)
{
  u64 id, *slot;

  stack->id = 0;
  stack->n_words = 0;
  stack->unused = 0;
  if (n == 0)
    return 0;
  id = tb_hash_words ((const TbBpfWords *) words, n, place->cpu->salt);
  id |= 1;
  stack->id = id;
  slot = &place->cpu->stacks[id >> 32 & (TB_BPF_STACK_SLOTS - 1)];
  if (*slot == id)
    return 0;
  stack->n_words = n;
  return n;
}

static __always_inline long
tb_get_user_frames (void *context, const TbProgramContext *place, u64 *words, u64 *chunk)
{
  long n = tb_walk_user ((TbBpfFrames *) words, (TbBpfChunk *) chunk, place->cpu);

  if (n >= 0)
    return n;
  n = bpf_get_stack (context, words, TB_BPF_MAX_FRAMES * 8, BPF_F_USER_STACK);
  return n > 0 ? n / 8 : 0;
}

/* Reads the stack of the running thread into words, which have TB_BPF_STACK_ROOM; kernel frames
 * come first. Returns the number of words that have to be sent: none if the CPU has sent the same
 * stack before. */
static __always_inline u32
tb_get_stack (void *context,
              const TbProgramContext *place,
              TbBpfStack *stack,
              u64 *words,
              bool kernel,
              bool user)
{
  u32 n = 0;
  long got;

  if (kernel)
    {
      got = bpf_get_stack (context, words + 1, TB_BPF_MAX_FRAMES * 8, 0);
      if (got > 0)
        {
          words[0] = TB_BPF_CONTEXT_KERNEL;
          n = 1 + ((u32) got / 8 & 127);
        }
    }
  if (user)
    {
      got = tb_get_user_frames (context, place, words + n + 1, words + TB_BPF_MAX_WORDS);
      if (got > 0)
        {
          words[n] = TB_BPF_CONTEXT_USER;
          n += 1 + ((u32) got & 127);
        }
    }
  return tb_assign_stack_id (place, stack, words, n);
}

/* Marks a stack as sent, after the record with its words is in the ring. */
static __always_inline void
tb_mark_stack_sent (const TbProgramContext *place, const TbBpfStack *stack)
{
  if (stack->n_words > 0)
    place->cpu->stacks[stack->id >> 32 & (TB_BPF_STACK_SLOTS - 1)] = stack->id;
}

#endif
