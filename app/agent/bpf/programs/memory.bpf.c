/* memory.bpf.c: BPF programs at functions that allocate and free memory, which keep each allocated
 * block with its call stack, and at context switches, which emit the block that contains the lock a
 * thread sleeps for
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An allocated block is stored until it is freed. It is emitted only when a thread sleeps on a word
 * inside it. BPF has no ordered map. But blocks do not overlap, so at most one block of at least
 * 2^order bytes begins in each granule of that size. A block of less than twice that size that
 * contains a word begins in the granule of the word or in one of the two before it.
 */

#include "tb-bpf-syscall.h"

#include "tb-bpf-entry.h"
#include "tb-bpf-memory.h"
#include "tb-bpf-sources.h"

/* As in the capture stream (TbCaptureMemoryKind) */
#define ALLOCATES 1
#define ALLOCATES_ARRAY 2
#define ALLOCATES_THERE 3
#define RESIZES 4
#define FREES 5
#define CALLS_ALLOCATOR 6

/* Maximum code and frame size of a function that only calls an allocator */
#define CALLER_CODE 512u
#define CALLER_FRAME 512u

#define STACK_WORDS (TB_BPF_MEMORY_FRAMES + 2)

typedef struct
{
  u64 start;
  u32 pid;
  u32 unused;
} BlockKey;

typedef struct
{
  u64 size;
  u64 time;
  u64 stack;
  u32 probe;
  u32 is_emitted;
} Block;

typedef struct
{
  u64 granule;
  u32 pid;
  u32 order;
} PlaceKey;

typedef struct
{
  u64 stack; /* address of the return address */
  u32 tid;
  u32 unused;
} CallKey;

typedef struct
{
  u64 size;
  u64 there; /* address at which the function stores the result, 0: it returns it */
  u64 stack;
} Call;

/* A wrapper of an allocator that was entered and may have returned since */
typedef struct
{
  u64 address;
  u64 place; /* address of the return address */
  u64 site;  /* the return address */
  u64 stack;
} Caller;

/* Words of a stack, from first on, followed by zeroes */
typedef struct
{
  u32 first;
  u32 n_words;
  u64 words[STACK_WORDS];
} Stack;

typedef struct
{
  u64 word;
  u32 pid;
  u32 unused;
} WordKey;

/* A word outside all blocks has start 0; its time is the number of blocks at that time. */
typedef struct
{
  u64 start;
  u64 time;
} Emitted;

typedef struct
{
  u64 n_blocks; /* allocated so far */
  u64 orders;   /* a bit for each order of which there was a block */
} BlockStatistics;

/* When the map is full, the oldest entries are evicted, which include those of ended processes. */
struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, TB_BPF_MAX_BLOCKS);
  __type (key, BlockKey);
  __type (value, Block);
} tb_blocks SEC (".maps");

/* By start address */
struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, TB_BPF_MAX_BLOCKS);
  __type (key, PlaceKey);
  __type (value, u64);
} tb_block_places SEC (".maps");

/* A function that is left by a jump never returns, so the oldest entries are evicted. */
struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, 16384);
  __type (key, CallKey);
  __type (value, Call);
} tb_memory_calls SEC (".maps");

/* By thread */
struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, 16384);
  __type (key, u32);
  __type (value, Caller);
} tb_memory_callers SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, 32768);
  __type (key, u64);
  __type (value, Stack);
} tb_memory_stacks SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, 32768);
  __type (key, WordKey);
  __type (value, Emitted);
} tb_emitted_words SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __uint (max_entries, 1);
  __type (key, u32);
  __type (value, BlockStatistics);
} tb_noted SEC (".maps");

TB_BPF_SHARED_SCRATCH (memory_scratch, Stack, 0);
TB_BPF_SCRATCH (emitted_scratch, TbBpfMark, TB_BPF_MAX_WORDS * 8);

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#if defined __TARGET_ARCH_x86
struct pt_regs___arguments
{
  unsigned long di;
  unsigned long si;
  unsigned long dx;
  unsigned long ax;
  unsigned long sp;
  unsigned long ip;
};
#elif defined __TARGET_ARCH_arm64
struct pt_regs___arguments
{
  u64 regs[31];
  u64 sp;
  u64 pc;
};
#endif

#pragma clang attribute pop

#if defined __TARGET_ARCH_x86
static __always_inline u64
get_argument (void *context, u32 which)
{
  const struct pt_regs___arguments *regs = context;

  return which == 0   ? BPF_CORE_READ (regs, di)
         : which == 1 ? BPF_CORE_READ (regs, si)
                      : BPF_CORE_READ (regs, dx);
}

static __always_inline u64
get_result (void *context)
{
  return BPF_CORE_READ ((const struct pt_regs___arguments *) context, ax);
}

static __always_inline u64
get_stack_pointer (void *context)
{
  return BPF_CORE_READ ((const struct pt_regs___arguments *) context, sp);
}

static __always_inline u64
get_address (void *context)
{
  return BPF_CORE_READ ((const struct pt_regs___arguments *) context, ip);
}

#  define RETURN_ADDRESS_SIZE 8
#elif defined __TARGET_ARCH_arm64
static __always_inline u64
get_argument (void *context, u32 which)
{
  const struct pt_regs___arguments *regs = context;

  return which == 0   ? BPF_CORE_READ (regs, regs[0])
         : which == 1 ? BPF_CORE_READ (regs, regs[1])
                      : BPF_CORE_READ (regs, regs[2]);
}

static __always_inline u64
get_result (void *context)
{
  return BPF_CORE_READ ((const struct pt_regs___arguments *) context, regs[0]);
}

static __always_inline u64
get_stack_pointer (void *context)
{
  return BPF_CORE_READ ((const struct pt_regs___arguments *) context, sp);
}

static __always_inline u64
get_address (void *context)
{
  return BPF_CORE_READ ((const struct pt_regs___arguments *) context, pc);
}

#  define RETURN_ADDRESS_SIZE 0
#else
#  define get_argument(context, which) 0
#  define get_result(context) 0
#  define get_stack_pointer(context) 0
#  define get_address(context) 0
#  define RETURN_ADDRESS_SIZE 0
#endif

/* Stacks */

/* The stack of a function that was just entered: the function, its caller and so on. No frame
 * contains that caller yet. Kernels since 6.11 add it where they recognize the beginning of a
 * function. */
static __always_inline bool
read_stack (void *context, u64 site, Stack *stack)
{
  long got = bpf_get_stack (context, stack->words + 2, TB_BPF_MEMORY_FRAMES * 8, BPF_F_USER_STACK);

  if (got < 8)
    return false;
  stack->words[0] = 0;
  stack->first = got >= 16 && stack->words[3] == site;
  if (stack->first)
    stack->words[1] = TB_BPF_CONTEXT_USER;
  else
    {
      stack->words[0] = TB_BPF_CONTEXT_USER;
      stack->words[1] = stack->words[2];
      stack->words[2] = site;
    }
  stack->n_words = (u32) got / 8 + 2 - stack->first;
  return true;
}

static __always_inline u64
hash_stack (const Stack *stack)
{
  u64 id = stack->n_words;

  for (u32 i = 0; i < STACK_WORDS; i++)
    {
      id = (id ^ stack->words[i]) * 0x9e3779b97f4a7c15u;
      id ^= id >> 29;
    }
  return id | 1;
}

/* Stores the stack and returns its id; 0: none */
static __always_inline u64
store_stack (void *context, u64 site)
{
  struct memory_scratch_buffer *scratch = tb_scratch (&memory_scratch);
  u64 id = 0;

  if ((config.stacks & TB_BPF_USER_STACKS) == 0 || !tb_acquire_scratch (scratch))
    return 0;
  if (read_stack (context, site, &scratch->record))
    {
      id = hash_stack (&scratch->record);
      if (bpf_map_lookup_elem (&tb_memory_stacks, &id) == NULL)
        bpf_map_update_elem (&tb_memory_stacks, &id, &scratch->record, BPF_ANY);
    }
  tb_release_scratch (scratch);
  return id;
}

/* Blocks */

static __always_inline u32
get_order (u64 size)
{
  u32 order = 0;

  for (u32 step = 32; step > 0; step /= 2)
    if (size >> step != 0)
      {
        size >>= step;
        order += step;
      }
  return order;
}

static __always_inline PlaceKey
get_place (u64 start, u32 pid, u64 size)
{
  u32 order = get_order (size);

  return (PlaceKey) { start >> (order & 63), pid, order };
}

static __always_inline void
count_block (s64 change)
{
  TbProgramContext place;

  if (tb_read_program_context (&place))
    __sync_fetch_and_add (&place.cpu->kept_blocks, change);
}

static __always_inline void
drop_block (const BlockKey *key, u64 size)
{
  PlaceKey place = get_place (key->start, key->pid, size);

  bpf_map_delete_elem (&tb_block_places, &place);
  if (bpf_map_delete_elem (&tb_blocks, key) == 0)
    count_block (-1);
}

static __always_inline BlockStatistics *
get_block_statistics (void)
{
  u32 zero = 0;

  return bpf_map_lookup_elem (&tb_noted, &zero);
}

static __always_inline void
note_block (const struct task_struct *task, u64 start, const Call *call, u32 probe)
{
  BlockKey key = { start, task->tgid, 0 };
  Block block = { call->size, bpf_ktime_get_ns (), call->stack, probe, 0 }, *old;
  PlaceKey where = get_place (start, task->tgid, call->size);
  BlockStatistics *noted = get_block_statistics ();

  old = bpf_map_lookup_elem (&tb_blocks, &key);
  if (old != NULL)
    {
      u64 size = old->size;

      drop_block (&key, size);
    }
  if (call->size < TB_BPF_LEAST_BLOCK || where.order > TB_BPF_MAX_BLOCK_ORDER)
    return;
  count_block (1);
  bpf_map_update_elem (&tb_blocks, &key, &block, BPF_ANY);
  bpf_map_update_elem (&tb_block_places, &where, &start, BPF_ANY);
  if (noted == NULL)
    return;
  if ((noted->orders >> where.order & 1) == 0)
    __sync_fetch_and_or (&noted->orders, (u64) 1 << where.order);
  __sync_fetch_and_add (&noted->n_blocks, 1);
}

static __always_inline void
fill_mark (TbBpfMark *record,
           const TbProgramContext *place,
           const struct task_struct *task,
           u32 probe)
{
  tb_fill (&record->header, place, TB_BPF_MARK, TB_BPF_IS_TARGET, task->pid, task->tgid);
  record->args[0] = record->args[1] = record->args[2] = 0;
  record->probe = probe;
  record->text = TB_BPF_MARK_NO_TEXT;
  record->stack = (TbBpfStack) { 0 };
}

/* Removes a block. If the block was emitted, its end is emitted too. */
static __always_inline void
free_block (const struct task_struct *task, u64 start, u32 probe)
{
  BlockKey key = { start, task->tgid, 0 };
  Block *block = start != 0 ? bpf_map_lookup_elem (&tb_blocks, &key) : NULL;
  TbBpfMark *record;
  TbProgramContext place;
  u32 is_emitted;
  u64 size;

  if (block == NULL)
    return;
  is_emitted = block->is_emitted;
  size = block->size;
  drop_block (&key, size);
  if (!is_emitted || !tb_read_program_context (&place))
    return;
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return;
  fill_mark (record, &place, task, probe);
  record->args[0] = start;
  tb_submit (record);
}

/* Functions */

/* An allocator may be called by a wrapper that has no frame of its own. The wrapper's entry was
 * recorded, so its stack is used. */
static __always_inline u64
get_call_stack (void *context, u32 tid, u64 place, u64 site)
{
  Caller *caller = bpf_map_lookup_elem (&tb_memory_callers, &tid);
  u64 above = 0;

  if (caller != NULL && site - caller->address < CALLER_CODE && caller->place - place < CALLER_FRAME
      && bpf_probe_read_user (&above, sizeof above, (const void *) caller->place) == 0
      && above == caller->site)
    return caller->stack;
  return store_stack (context, site);
}

static __always_inline void
enter_allocator (void *context, const struct task_struct *task, u32 kind, u32 which)
{
  u64 stack_pointer = get_stack_pointer (context), site = tb_read_site (context);
  CallKey key = { stack_pointer, task->pid, 0 };
  u64 size = get_argument (context, which);
  Call call = { kind == ALLOCATES_ARRAY ? size * get_argument (context, which - 1) : size,
                kind == ALLOCATES_THERE ? get_argument (context, 0) : 0,
                get_call_stack (context, task->pid, stack_pointer, site) };

  bpf_map_update_elem (&tb_memory_calls, &key, &call, BPF_ANY);
}

static __always_inline void
enter_caller (void *context, const struct task_struct *task)
{
  u64 place = get_stack_pointer (context), site = tb_read_site (context);
  Caller caller
      = { get_address (context), place, site, get_call_stack (context, task->pid, place, site) };
  u32 tid = task->pid;

  bpf_map_update_elem (&tb_memory_callers, &tid, &caller, BPF_ANY);
}

SEC ("uprobe.multi")
int
on_memory_called (void *context)
{
  struct task_struct *task = (struct task_struct *) bpf_get_current_task_btf ();
  u64 cookie = bpf_get_attach_cookie (context);
  u32 kind = cookie >> 32 & 0xff;

  if (!tb_is_target (task) || tb_is_own (task))
    return 0;
  if (kind == FREES || kind == RESIZES)
    free_block (task, get_argument (context, 0), (u32) cookie);
  if (kind == CALLS_ALLOCATOR)
    enter_caller (context, task);
  else if (kind != FREES)
    enter_allocator (context, task, kind, cookie >> 40 & 3);
  return 0;
}

SEC ("uprobe.multi")
int
on_memory_returned (void *context)
{
  struct task_struct *task = (struct task_struct *) bpf_get_current_task_btf ();
  CallKey key = { get_stack_pointer (context) - RETURN_ADDRESS_SIZE, task->pid, 0 };
  Call *found = bpf_map_lookup_elem (&tb_memory_calls, &key), call;
  u64 start = get_result (context);

  if (found == NULL)
    return 0;
  call = *found;
  bpf_map_delete_elem (&tb_memory_calls, &key);
  if (call.there != 0)
    {
      if (start != 0 || bpf_probe_read_user (&start, sizeof start, (const void *) call.there) != 0)
        return 0;
    }
  if (start != 0)
    note_block (task, start, &call, (u32) bpf_get_attach_cookie (context));
  return 0;
}

/* Waits */

/* The block allocated last among those that contain the word; 0: none. The function is global, so
 * that the verifier checks it only once. */
__noinline u64
tb_find_block (u64 word, u32 pid, u64 orders)
{
  BlockKey key = { 0, pid, 0 };
  u64 found = 0, time = 0;

  for (u32 order = 2; order <= TB_BPF_MAX_BLOCK_ORDER; order++)
    for (u32 i = 0; i < 3 && (orders >> order & 1) != 0; i++)
      {
        PlaceKey where = { (word >> order) - i, pid, order };
        u64 *start = bpf_map_lookup_elem (&tb_block_places, &where);
        Block *block;

        if (start == NULL || *start > word)
          continue;
        key.start = *start;
        block = bpf_map_lookup_elem (&tb_blocks, &key);
        if (block == NULL || word - key.start >= block->size || block->time < time)
          continue;
        found = key.start;
        time = block->time;
      }
  return found;
}

static __always_inline u32
copy_stack (const Stack *stack, u64 *words)
{
  if (stack->first)
    __builtin_memcpy (words, stack->words + 1, (STACK_WORDS - 1) * 8);
  else
    __builtin_memcpy (words, stack->words, STACK_WORDS * 8);
  return stack->n_words < STACK_WORDS ? stack->n_words : STACK_WORDS;
}

static __always_inline bool
emit_block (const struct task_struct *task, u64 word, u64 start, const Block *block)
{
  struct emitted_scratch_buffer *scratch = tb_scratch (&emitted_scratch);
  u64 id = block->stack;
  Stack *stack = bpf_map_lookup_elem (&tb_memory_stacks, &id);
  TbProgramContext place;
  u32 n = 0;

  if (scratch == NULL || !tb_read_program_context (&place))
    return false;
  fill_mark (&scratch->record, &place, task, block->probe);
  scratch->record.args[0] = word;
  scratch->record.args[1] = start;
  scratch->record.args[2] = place.time - block->time;
  if (stack != NULL)
    n = tb_assign_stack_id (&place, &scratch->record.stack, scratch->rest,
                            copy_stack (stack, scratch->rest));
  if (!tb_output (&place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    return false;
  tb_mark_stack_sent (&place, &scratch->record.stack);
  return true;
}

static __always_inline void
note_wait (const struct task_struct *task, u64 word)
{
  WordKey key = { word, task->tgid, 0 };
  BlockKey block_key = { 0, task->tgid, 0 };
  Emitted *emitted = bpf_map_lookup_elem (&tb_emitted_words, &key), now;
  BlockStatistics *noted = get_block_statistics ();
  Block *block;

  if (noted == NULL)
    return;
  now = (Emitted) { 0, noted->n_blocks };
  if (emitted != NULL && emitted->start == 0 && emitted->time == now.time)
    return;
  if (emitted != NULL && emitted->start != 0)
    {
      block_key.start = emitted->start;
      block = bpf_map_lookup_elem (&tb_blocks, &block_key);
      if (block != NULL && block->time == emitted->time)
        return;
    }
  block_key.start = tb_find_block (word, task->tgid, noted->orders);
  block = block_key.start != 0 ? bpf_map_lookup_elem (&tb_blocks, &block_key) : NULL;
  if (block != NULL)
    {
      if (!emit_block (task, word, block_key.start, block))
        return;
      block->is_emitted = 1;
      now = (Emitted) { block_key.start, block->time };
    }
  bpf_map_update_elem (&tb_emitted_words, &key, &now, BPF_ANY);
}

SEC ("tp_btf/sched_switch")
int
BPF_PROG (on_memory_waited,
          bool preempt,
          struct task_struct *prev,
          struct task_struct *next,
          unsigned int state)
{
  TbCall call;

  if (preempt || state == 0 || prev->exit_state != 0 || !tb_is_target (prev) || tb_is_own (prev)
      || !tb_get_call (&call) || (call.number != TB_NR_FUTEX && call.number != TB_NR_FUTEX_WAIT))
    return 0;
  note_wait (prev, call.args[0]);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
