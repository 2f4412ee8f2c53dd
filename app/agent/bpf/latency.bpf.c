/* latency.bpf.c: how long the calls of one function take, and which of its callees make some of them slow
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a thread is in stands in a stack of frames; whether one is over is told by the stack pointer alone, so that returns
 * that nobody sees (by longjmp, an exception, a jump to another function) end it all the same. The counters are those of the
 * paper's section 3; they are raised here, so that nothing has to be handed over for each call.
 */

#include "tb-bpf-operand.h"

#include "tb-bpf-latency.h"

#define NODE_MASK (TB_BPF_LATENCY_NODES - 1)
#define FRAME_MASK (TB_BPF_LATENCY_FRAMES - 1)
#define ENTRY_MASK (TB_BPF_LATENCY_ENTRIES - 1)
#define MAX_TOUCHED 256u
#define IRQ_DEPTH 4u
#define SOURCE(kind, number) (((u64) (kind) << 32 | (u32) (number)) + 1)
#define PREEMPTED 0
#define RUN_QUEUE 1
#define FIRST_SOURCE 2
#define CALL_RETURN_ADDRESS 8

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

#pragma clang attribute pop

/* A call of f0 that is not over. */
typedef struct
{
  u64 sp;
  u64 begin;
} Entry;

typedef struct
{
  u64 sp; /* it is over as soon as the stack pointer is not below this */
  u64 begin;
  u64 disturbed;
  u32 node;
  u32 unused;
} Frame;

/* What a node has of the call of f0 at hand. */
typedef struct
{
  u64 latency; /* of the longest call; of disturbances: of all */
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
  u32 state;     /* in which it left the cpu */
  u64 off;       /* when, 0: it runs, or left in no frame */
  u64 woken;     /* 0 not */
  u64 disturbed; /* ns, in the call of f0 at hand */
  u32 is_preempted;
  u32 unused;
  Entry entries[TB_BPF_LATENCY_ENTRIES];
  Frame frames[TB_BPF_LATENCY_FRAMES];
  u16 touched[MAX_TOUCHED];
  Part parts[TB_BPF_LATENCY_NODES];
} Thread;

/* Hard and soft interrupts of a cpu that are not over. */
typedef struct
{
  u64 entered[IRQ_DEPTH];
  u64 inner[IRQ_DEPTH]; /* ns in others that came in between */
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

/* Nodes of callees that are known only once they are called; 0: it has none. */
struct
{
  __uint (type, BPF_MAP_TYPE_HASH);
  __uint (max_entries, TB_BPF_LATENCY_CALLEES);
  __type (key, TbBpfLatencyCallee);
  __type (value, u32);
} tb_callees SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __uint (map_flags, BPF_F_MMAPABLE);
  __uint (max_entries, 1);
  __type (key, u32);
  __type (value, TbBpfLatencyNews);
} tb_news SEC (".maps");

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

static __always_inline u64
read_sp (void *context)
{
#if defined __TARGET_ARCH_x86 || defined __TARGET_ARCH_arm64
  return BPF_CORE_READ ((const struct pt_regs___user *) context, sp);
#else
  return 0;
#endif
}

/* Where the compiler knows that an index is in its bounds it would leave out what shows that to the kernel. */
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
      if (bin + 1 >= TB_BPF_LATENCY_BINS || shared->edges[bin + 1] > latency)
        break;
      bin++;
    }
  return bin;
}

static __always_inline void
count_call (const TbBpfLatencyShared *shared, u64 latency)
{
  u32 zero = 0, bin = find_bin (shared, latency);
  TbBpfLatencyBins *bins = bpf_map_lookup_elem (&tb_bins, &zero);

  if (bins == NULL || bin >= TB_BPF_LATENCY_BINS)
    return;
  __sync_fetch_and_add (&bins->counts[bin], 1);
  __sync_fetch_and_add (&bins->totals[bin], latency);
}

/* The call at hand */

static __always_inline Part *
touch (Thread *thread, u32 node)
{
  Part *part = &thread->parts[bound (node, NODE_MASK)];

  if (part->is_touched)
    return part;
  if (thread->n_touched >= MAX_TOUCHED)
    return NULL;
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

/* It is over; what took the cpu from its thread is not its own. */
static __always_inline void
close_frame (Thread *thread, const Frame *frame, u64 now)
{
  u64 whole = now - frame->begin, disturbed = thread->disturbed - frame->disturbed;

  if (frame->node != 0)
    add_latency (thread, frame->node, whole > disturbed ? whole - disturbed : 0);
}

typedef struct
{
  Thread *thread;
  const TbBpfLatencyShared *shared;
  u64 sp;
  u64 now;
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
  Work work = { thread, NULL, sp, now };
  u32 n = thread->n_frames;

  if (n > 0 && thread->frames[bound (n - 1, FRAME_MASK)].sp <= sp)
    bpf_loop (TB_BPF_LATENCY_FRAMES, close_next, &work, 0);
}

static __always_inline void
open_frame (Thread *thread, u32 node, u64 sp, u64 now)
{
  u32 n = thread->n_frames;
  Frame *frame = &thread->frames[bound (n, FRAME_MASK)];

  if (n >= TB_BPF_LATENCY_FRAMES)
    return;
  frame->sp = sp;
  frame->begin = now;
  frame->disturbed = thread->disturbed;
  frame->node = node;
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

/* Those in the bin of the largest contributor of their caller have their counters raised. */
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

  if (node == NULL || counter == NULL)
    return 0;
  __sync_fetch_and_add (&counter->calls, 1);
  __sync_fetch_and_add (&counter->entered, part->entered);
  __sync_fetch_and_add (&counter->total, part->total);
  if ((node->flags & TB_BPF_LATENCY_IS_OPEN) != 0)
    {
      __sync_fetch_and_add (&counter->self_total, self);
      if (find_bin (work->shared, self) == find_bin (work->shared, part->largest))
        __sync_fetch_and_add (&counter->self_maxcount, 1);
    }
  if (child != 0
      && find_bin (work->shared, part->latency)
             == find_bin (work->shared, thread->parts[bound (node->parent, NODE_MASK)].largest))
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
  Work work = { thread, NULL, 0, 0 };

  if (thread->n_touched > 0)
    bpf_loop (thread->n_touched, forget_part, &work, 0);
  thread->n_touched = thread->n_frames = 0;
  thread->disturbed = 0;
}

/* The outermost call of f0 is over. */
static __always_inline void
decide (Thread *thread, TbBpfLatencyShared *shared, u64 latency, u64 now)
{
  u32 bin = find_bin (shared, latency);
  Work work = { thread, shared, ~0ull, now };

  if (thread->n_frames > 0 && bin >= shared->from_bin && bin <= shared->to_bin)
    {
      close_frames (thread, ~0ull, now);
      add_latency (thread, 0, latency > thread->disturbed ? latency - thread->disturbed : 0);
      bpf_loop (thread->n_touched, sum_children, &work, 0);
      bpf_loop (thread->n_touched, compare_self, &work, 0);
      bpf_loop (thread->n_touched, raise_counters, &work, 0);
      __sync_fetch_and_add (&shared->calls, 1);
    }
  forget_call (thread);
}

/* Calls of f0 */

static __always_inline int
enter (struct task_struct *task, u64 sp)
{
  Thread *thread = bpf_task_storage_get (&tb_threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
  TbBpfLatencyShared *shared = get_shared ();
  u32 n;
  u64 now;

  if (thread == NULL || shared == NULL)
    {
      if (shared != NULL)
        __sync_fetch_and_add (&shared->crowded, 1);
      return 0;
    }
  n = thread->n_entries;
  /* Calls that were left without returning: their place on the stack is used anew. */
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
      n++;
    }
  else
    __sync_fetch_and_add (&shared->crowded, 1);
  thread->n_entries = n;
  if (n == 1 && shared->from_bin <= shared->to_bin)
    open_frame (thread, 0, sp + CALL_RETURN_ADDRESS, now);
  return 0;
}

/* sp: when the function has returned. */
static __always_inline int
leave (struct task_struct *task, u64 sp)
{
  u64 now = bpf_ktime_get_ns (), begin = 0;
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
        begin = entry->begin;
      else
        __sync_fetch_and_add (&shared->abandoned, 1);
    }
  thread->n_entries = n;
  if (begin == 0)
    return 0;
  count_call (shared, now - begin);
  if (n == 0)
    decide (thread, shared, now - begin, now);
  return 0;
}

/* Callees */

/* The node of a callee that is known only now; where it has none, that is told once. */
static __always_inline u32
find_callee (u32 parent, u32 site, u64 target)
{
  TbBpfLatencyCallee key = { parent, site, target };
  u32 *node = bpf_map_lookup_elem (&tb_callees, &key), zero = 0, none = 0;
  TbBpfLatencyNews *news;
  u64 n;

  if (node != NULL)
    return *node;
  news = bpf_map_lookup_elem (&tb_news, &zero);
  if (news == NULL || bpf_map_update_elem (&tb_callees, &key, &none, BPF_NOEXIST) != 0)
    return 0;
  n = __sync_fetch_and_add (&news->n, 1);
  if (n < TB_BPF_LATENCY_NEWS)
    {
      TbBpfLatencyNew *new = &news->callees[bound (n, TB_BPF_LATENCY_NEWS - 1)];

      new->callee = key;
      new->pid = (u32) (bpf_get_current_pid_tgid () >> 32);
    }
  return 0;
}

static __always_inline int
reach_site (void *context, u32 id)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  Thread *thread = bpf_task_storage_get (&tb_threads, task, NULL, 0);
  TbBpfLatencySite *site = bpf_map_lookup_elem (&tb_sites, &id);
  u64 now = bpf_ktime_get_ns (), sp = read_sp (context);
  TbBpfLatencyNode *node;
  const Frame *top;
  u32 child, callee;

  if (thread == NULL || thread->n_frames == 0 || site == NULL)
    return 0;
  close_frames (thread, sp, now);
  if (thread->n_frames == 0 || (site->flags & TB_BPF_LATENCY_BEGINS) == 0)
    return 0;
  top = &thread->frames[bound (thread->n_frames - 1, FRAME_MASK)];
  child = top->node;
  node = bpf_map_lookup_elem (&tb_nodes, &child);
  if (node == NULL || (node->flags & TB_BPF_LATENCY_IS_OPEN) == 0 || node->function != site->function)
    return 0;
  /* Another call of the same function, from outside the path. */
  if ((site->flags & TB_BPF_LATENCY_HAS_HEIGHT) != 0 && sp + site->height + CALL_RETURN_ADDRESS != top->sp)
    return 0;
  child = node->first_child + site->index;
  if ((site->flags & TB_BPF_LATENCY_INDIRECT) != 0)
    {
      callee = find_callee (top->node, site->index + 1, tb_read_operand (context, &site->target));
      if (callee != 0)
        child = callee;
    }
  open_frame (thread, child, (site->flags & TB_BPF_LATENCY_TAIL) != 0 ? top->sp : sp, now);
  return 0;
}

/* Programs at probes; several at a time where the kernel can, else one by one. */

static __always_inline int
enter_function (void *context)
{
  struct task_struct *task = bpf_get_current_task_btf ();

  return tb_is_target (task) ? enter (task, read_sp (context)) : 0;
}

SEC ("uprobe.multi")
int
on_entry (void *context)
{
  return enter_function (context);
}

SEC ("uprobe")
int
on_entry_alone (void *context)
{
  return enter_function (context);
}

/* Where a function has returned. */
SEC ("uprobe.multi")
int
on_return (void *context)
{
  return leave (bpf_get_current_task_btf (), read_sp (context));
}

SEC ("uprobe")
int
on_return_alone (void *context)
{
  return leave (bpf_get_current_task_btf (), read_sp (context));
}

/* At its last instruction, which takes the return address from the stack. */
SEC ("uprobe.multi")
int
on_last (void *context)
{
  return leave (bpf_get_current_task_btf (), read_sp (context) + CALL_RETURN_ADDRESS);
}

SEC ("uprobe")
int
on_last_alone (void *context)
{
  return leave (bpf_get_current_task_btf (), read_sp (context) + CALL_RETURN_ADDRESS);
}

SEC ("uprobe.multi")
int
on_site (void *context)
{
  return reach_site (context, (u32) bpf_get_attach_cookie (context));
}

SEC ("uprobe")
int
on_site_alone (void *context)
{
  return reach_site (context, (u32) bpf_get_attach_cookie (context));
}

/* System calls: as f0, and as callees of functions that are looked into. */

/* Where probes of programs are system calls themselves: no program calls these. */
static __always_inline bool
is_of_probes (long number)
{
#if defined __TARGET_ARCH_x86
  return number == 335 || number == 336;
#else
  return false;
#endif
}

SEC ("tp_btf/sys_enter")
int
BPF_PROG (on_call, void *regs, long number)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  TbBpfLatencyShared *shared = get_shared ();
  TbBpfLatencyNode *node;
  Thread *thread;
  const Frame *top;
  u32 child;
  u64 sp;

  if (shared == NULL || is_of_probes (number))
    return 0;
  if (shared->call != TB_BPF_LATENCY_NO_CALL)
    {
      if (shared->call == (u32) number && tb_is_target (task))
        enter (task, 0);
      return 0;
    }
  thread = bpf_task_storage_get (&tb_threads, task, NULL, 0);
  if (thread == NULL || thread->n_frames == 0)
    return 0;
  sp = read_sp (regs);
  close_frames (thread, sp, bpf_ktime_get_ns ());
  if (thread->n_frames == 0)
    return 0;
  top = &thread->frames[bound (thread->n_frames - 1, FRAME_MASK)];
  child = top->node;
  node = bpf_map_lookup_elem (&tb_nodes, &child);
  if (node == NULL || (node->flags & TB_BPF_LATENCY_IS_OPEN) == 0)
    return 0;
  child = find_callee (child, 0, TB_BPF_LATENCY_CALL | (u32) number);
  if (child != 0)
    open_frame (thread, child, sp, bpf_ktime_get_ns ());
  return 0;
}

SEC ("tp_btf/sys_exit")
int
BPF_PROG (on_call_end, void *regs, long result)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  TbBpfLatencyShared *shared = get_shared ();
  Thread *thread;

  if (shared == NULL)
    return 0;
  thread = bpf_task_storage_get (&tb_threads, task, NULL, 0);
  if (thread == NULL)
    return 0;
  if (shared->call != TB_BPF_LATENCY_NO_CALL)
    return thread->n_entries > 0 ? leave (task, CALL_RETURN_ADDRESS) : 0;
  if (thread->n_frames > 0)
    close_frames (thread, read_sp (regs), bpf_ktime_get_ns ());
  return 0;
}

/* What takes the cpu from a thread */

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

static __always_inline void
wait_in (Thread *thread, u64 length)
{
  u32 of, wait, n = thread->n_frames;
  const TbBpfLatencyNode *node;

  if (n == 0)
    return;
  of = thread->frames[bound (n - 1, FRAME_MASK)].node;
  node = bpf_map_lookup_elem (&tb_nodes, &of);
  if (node == NULL || (node->flags & TB_BPF_LATENCY_IS_OPEN) == 0)
    return;
  wait = find_callee (of, 0, TB_BPF_LATENCY_WAIT | thread->state);
  if (wait != 0)
    add_latency (thread, wait, length);
}

SEC ("tp_btf/sched_switch")
int
BPF_PROG (on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
  u64 now = bpf_ktime_get_ns (), woken;
  Thread *thread = bpf_task_storage_get (&tb_threads, prev, NULL, 0);

  if (thread != NULL && thread->n_frames > 0)
    {
      u32 state = BPF_CORE_READ ((const struct task_struct___state *) prev, __state);

      thread->off = now;
      thread->woken = 0;
      thread->state = state & 0xff;
      thread->is_preempted = preempt || (state & 0xff) == 0;
    }
  thread = bpf_task_storage_get (&tb_threads, next, NULL, 0);
  if (thread == NULL || thread->off == 0)
    return 0;
  woken = thread->woken > thread->off && thread->woken < now ? thread->woken : now;
  if (thread->is_preempted)
    disturb (thread, PREEMPTED, now - thread->off);
  else
    {
      wait_in (thread, woken - thread->off);
      if (now > woken)
        disturb (thread, RUN_QUEUE, now - woken);
    }
  thread->off = 0;
  return 0;
}

SEC ("tp_btf/sched_waking")
int
BPF_PROG (on_waking, struct task_struct *task)
{
  Thread *thread = bpf_task_storage_get (&tb_threads, task, NULL, 0);

  if (thread != NULL && thread->off != 0 && thread->woken == 0)
    thread->woken = bpf_ktime_get_ns ();
  return 0;
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

/* Which of the disturbances; 0 if there is no room for another. */
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
  if (name != NULL)
    bpf_probe_read_kernel_str (shared->sources[bound (n, 15)].name, sizeof shared->sources[0].name, name);
  shared->sources[bound (n, 15)].key = key;
  return FIRST_SOURCE + n;
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
  thread = bpf_task_storage_get (&tb_threads, bpf_get_current_task_btf (), NULL, 0);
  if (thread == NULL || thread->n_frames == 0 || thread->off != 0)
    return 0;
  source = find_source (shared, key, name);
  if (source != 0)
    disturb (thread, source, own);
  return 0;
}

SEC ("tp_btf/irq_handler_entry")
int
BPF_PROG (on_irq, int irq, struct irqaction *action)
{
  return begin_interrupt ();
}

SEC ("tp_btf/irq_handler_exit")
int
BPF_PROG (on_irq_end, int irq, struct irqaction *action, int result)
{
  return end_interrupt (SOURCE (1, irq), action->name);
}

SEC ("tp_btf/softirq_entry")
int
BPF_PROG (on_softirq, unsigned int vector)
{
  return begin_interrupt ();
}

SEC ("tp_btf/softirq_exit")
int
BPF_PROG (on_softirq_end, unsigned int vector)
{
  return end_interrupt (SOURCE (2, vector), NULL);
}

/* Only some machines have it: attached by name. */
SEC ("raw_tp/local_timer_entry")
int
on_timer (void *context)
{
  return begin_interrupt ();
}

SEC ("raw_tp/local_timer_exit")
int
on_timer_end (void *context)
{
  return end_interrupt (SOURCE (3, 0), NULL);
}

const char tb_license[] SEC ("license") = "GPL";
