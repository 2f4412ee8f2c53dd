/* tb-bpf-latency-state.h: per-thread state and maps of a latency measurement, stack pointers of
 * user and kernel calls, and the bins in which latencies are counted
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-operand.h"

#include "tb-bpf-latency.h"

#define NODE_MASK (TB_BPF_LATENCY_NODES - 1)
#define FRAME_MASK (TB_BPF_LATENCY_FRAMES - 1)
#define ENTRY_MASK (TB_BPF_LATENCY_ENTRIES - 1)
#define MAX_TOUCHED 256u
#define PLACES 8u /* per call of f0 */
#define IRQ_DEPTH 4u
#define SOURCE(kind, number) (((u64) (kind) << 32 | (u32) (number)) + 1)
#define TIMER_VECTOR 0xecu /* arch/x86/include/asm/irq_vectors.h of the kernel */
#define HELD 8u            /* ended calls of f0 that are held until a thread is woken */
#define PREEMPTED 0
#define RUN_QUEUE 1
#define FIRST_SOURCE 2
#define CALL_RETURN_ADDRESS 8
/* Size of what a kernel trampoline has on the stack between the arguments that it passes to
 * programs and the function's own part: at least 48 bytes, at most 120 (arch/x86/net/bpf_jit_comp.c
 * of the kernel). Nested calls are further away. */
#define TRAMPOLINE_REACH 127u
#define TASK_INTERRUPTIBLE 1u /* include/linux/sched.h */
#define TASK_UNINTERRUPTIBLE 2u
/* Maximum size of a thread's kernel stack. No user program has addresses as low as these. */
#define KERNEL_STACK 0x8000u
/* stands for a system call: above its kernel functions, below the program */
#define CALL_SP 0xfff0u

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#if defined __TARGET_ARCH_x86
struct pt_regs___user
{
  unsigned long sp;
  unsigned long ip;
};
#elif defined __TARGET_ARCH_arm64
struct pt_regs___user
{
  u64 regs[31];
  u64 sp;
  u64 pc;
};
#endif

struct task_struct___state
{
  unsigned int __state;
};

struct task_struct___stack
{
  void *stack;
};

#pragma clang attribute pop

/* Which kind of thread was woken in a call of f0 */
#define SERVED_NONE 0u
#define SERVED_OTHER 1u
#define SERVED_PATH 2u

/* A call of f0 that has not returned */
typedef struct
{
  u64 sp;
  u64 begin;
  u64 probed;
  u64 served;
} Entry;

typedef struct
{
  u64 sp; /* the call has ended as soon as the stack pointer is not below this */
  u64 begin;
  u64 disturbed;
  u64 probed;
  u64 waited[2]; /* interruptible, other */
  u64 served[2]; /* part of waited: in the queue of a device, at the device */
  u32 node;
  u32 reach; /* distance below sp at which the stack may be when the function is entered */
} Frame;

/* Share of a node in the current call of f0 */
typedef struct
{
  /* of the longest call; of disturbances: the sum; of waits: the sum in one call of their caller */
  u64 latency;
  u64 total;
  u64 children;
  u64 largest;
  u32 entered;
  u32 is_touched;
} Part;

typedef struct
{
  u32 n_frames;
  u32 n_entries;
  u32 n_touched;
  u32 state;     /* task state in which the thread left the CPU */
  u64 off;       /* when it left, 0: it runs, or left outside of all frames */
  u64 woken;     /* time of the wake-up, 0: none */
  u64 disturbed; /* ns in the current call of f0 */
  u64 probed;    /* the same for probes */
  u32 is_preempted;
  u32 is_cut;   /* there was no room for a part of the current call */
  u32 n_places; /* in the current call so far, also those that were not kept */
  u32 n_held;
  u64 is_held; /* parts belong to the last call that has ended */
  u64 held_begin;
  u64 held_end;
  u64 held_latency;
  struct
  {
    u64 end;
    u64 latency;
  } held[HELD];
  struct
  {
    u64 address;
    u64 node;
  } places[PLACES];
  Entry entries[TB_BPF_LATENCY_ENTRIES];
  Frame frames[TB_BPF_LATENCY_FRAMES];
  u16 touched[MAX_TOUCHED];
  Part parts[TB_BPF_LATENCY_NODES];
} Thread;

/* Hard interrupts and softirqs of a CPU that have not ended */
typedef struct
{
  u64 entered[IRQ_DEPTH];
  u64 inner[IRQ_DEPTH]; /* ns in nested interrupts */
  u32 depth;
  u32 unused;
} Interrupts;

struct
{
  __uint (type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint (map_flags, BPF_F_NO_PREALLOC);
  __type (key, int);
  __type (value, Thread);
} tb_threads SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __uint (map_flags, BPF_F_MMAPABLE);
  __uint (max_entries, 1);
  __type (key, u32);
  __type (value, TbBpfLatencyShared);
} tb_latency SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint (max_entries, 1);
  __type (key, u32);
  __type (value, TbBpfLatencyBins);
} tb_bins SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __uint (max_entries, TB_BPF_LATENCY_NODES);
  __type (key, u32);
  __type (value, TbBpfLatencyNode);
} tb_nodes SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __uint (map_flags, BPF_F_MMAPABLE);
  __uint (max_entries, TB_BPF_LATENCY_NODES);
  __type (key, u32);
  __type (value, TbBpfLatencyCounter);
} tb_counters SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __uint (max_entries, TB_BPF_LATENCY_SITES);
  __type (key, u32);
  __type (value, TbBpfLatencySite);
} tb_sites SEC (".maps");

/* Nodes of callees that become known only when they are called; 0: no node */
struct
{
  __uint (type, BPF_MAP_TYPE_HASH);
  __uint (max_entries, TB_BPF_LATENCY_CALLEES);
  __type (key, TbBpfLatencyCallee);
  __type (value, u32);
} tb_callees SEC (".maps");

/* Number of calls whose samples contain a location. The agent removes the entries as it sends
 * them. */
struct
{
  __uint (type, BPF_MAP_TYPE_HASH);
  __uint (max_entries, 4096);
  __type (key, TbBpfLatencyPlace);
  __type (value, u64);
} tb_places SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __uint (map_flags, BPF_F_MMAPABLE);
  __uint (max_entries, 1);
  __type (key, u32);
  __type (value, TbBpfLatencyNewCallees);
} tb_new_callees SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint (max_entries, 1);
  __type (key, u32);
  __type (value, Interrupts);
} tb_interrupts SEC (".maps");

static __always_inline TbBpfLatencyShared *
get_shared (void)
{
  u32 zero = 0;

  return bpf_map_lookup_elem (&tb_latency, &zero);
}

static __always_inline u32
get_process (void)
{
  return (u32) (bpf_get_current_pid_tgid () >> 32);
}

static __always_inline u64
read_sp (void *context)
{
#if defined __TARGET_ARCH_x86 || defined __TARGET_ARCH_arm64
  return BPF_CORE_READ ((const struct pt_regs___user *) context, sp);
#else
  return 0;
#endif
}

/* A thread's kernel frames are treated as if they were below its user frames on one stack, and
 * interrupts below those. */
static __always_inline u64
find_in_kernel (u64 sp, struct task_struct *task)
{
  u64 height = sp - (u64) BPF_CORE_READ ((const struct task_struct___stack *) task, stack);

  return height < KERNEL_STACK ? KERNEL_STACK + height : sp & (KERNEL_STACK - 1);
}

static __always_inline u64
read_kernel_sp (void *context, struct task_struct *task)
{
  return find_in_kernel (read_sp (context), task);
}

/* A trampoline program gets no registers. But its arguments are on the stack: below the caller's
 * part, above the function's own part, and at the same place at the return. */
static __always_inline u64
read_traced_sp (void *context, struct task_struct *task)
{
  u64 sp = 0;

  bpf_probe_read_kernel (&sp, sizeof sp, &context);
  return find_in_kernel (sp, task);
}

/* If the compiler knows that an index is within its bounds, it leaves out the mask that proves this
 * to the verifier. */
static __always_inline u32
bound (u32 index, u32 mask)
{
  asm volatile ("" : "+r"(index));
  return index & mask;
}

/* Bins */

static __always_inline u32
count_bits (u64 value)
{
  u32 bits = 0;

  if (value >> 32)
    {
      bits += 32;
      value >>= 32;
    }
  if (value >> 16)
    {
      bits += 16;
      value >>= 16;
    }
  if (value >> 8)
    {
      bits += 8;
      value >>= 8;
    }
  if (value >> 4)
    {
      bits += 4;
      value >>= 4;
    }
  if (value >> 2)
    {
      bits += 2;
      value >>= 2;
    }
  return bits + (value >> 1 ? 1 : 0);
}

static __always_inline u32
find_bin (const TbBpfLatencyShared *shared, u64 latency)
{
  u32 resolution = shared->resolution, bin;

  if (latency <= 1)
    return 0;
  if (latency >> 63)
    return TB_BPF_LATENCY_BINS - 1;
  bin = count_bits (latency) * resolution;
  if (resolution == 1)
    return bin;
  for (u32 i = 0; i < TB_BPF_LATENCY_MAX_RESOLUTION; i++)
    {
      if (bin + 1 >= TB_BPF_LATENCY_BINS
          || shared->edges[bound (bin + 1, TB_BPF_LATENCY_ROOM - 1)] > latency)
        break;
      bin++;
    }
  return bin;
}

/* Whether two latencies count as equal for root causes, that is, are in the same bin. */
static __always_inline int
are_in_same_bin (const TbBpfLatencyShared *shared, u64 one, u64 other)
{
  u32 merged_bins = shared->merged_bins > 0 ? shared->merged_bins : 1;

  return find_bin (shared, one) / merged_bins == find_bin (shared, other) / merged_bins;
}

static __always_inline void
count_entry (void)
{
  u32 zero = 0;
  TbBpfLatencyBins *bins = bpf_map_lookup_elem (&tb_bins, &zero);

  if (bins != NULL)
    __sync_fetch_and_add (&bins->entered, 1);
}

static __always_inline void
count_call (const TbBpfLatencyShared *shared, u64 latency)
{
  u32 zero = 0, bin = find_bin (shared, latency);
  TbBpfLatencyBins *bins = bpf_map_lookup_elem (&tb_bins, &zero);

  if (bins == NULL)
    return;
  __sync_fetch_and_add (&bins->counts[bound (bin, TB_BPF_LATENCY_ROOM - 1)], 1);
  __sync_fetch_and_add (&bins->totals[bound (bin, TB_BPF_LATENCY_ROOM - 1)], latency);
}

/* With clients, a call counts as begun only when it is found to count. */
static __always_inline void
count_served (const TbBpfLatencyShared *shared, u64 latency)
{
  count_entry ();
  count_call (shared, latency);
}
