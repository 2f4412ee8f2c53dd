/* probes.bpf.c: BPF programs of user probes, which emit calls of functions (entry and return, or
 * long calls only, as one record) and executions of single instructions, with call stacks
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-common.h"

#include "tb-bpf-sources.h"

#include "tb-bpf-entry.h"

TB_BPF_SHARED_SCRATCH (entry_scratch, TbBpfCall, (TB_BPF_MAX_WORDS + 1) * 8);
TB_BPF_SHARED_SCRATCH (return_scratch, TbBpfCall, (TB_BPF_MAX_WORDS + 1) * 8);

/* A call that has not returned, of a probe with a filter. A thread can be in several at a time. */
typedef struct
{
  u32 tid;
  u32 probe;
  u32 depth;
  u32 unused;
} OpenKey;

typedef struct
{
  u64 entered;
  u64 site;
  u64 address;
} Open;

struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, 65536);
  __type (key, OpenKey);
  __type (value, Open);
} tb_open SEC (".maps");

/* The nesting depth is stored under the key with depth 0. */
struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, 65536);
  __type (key, OpenKey);
  __type (value, u32);
} tb_depths SEC (".maps");

/* By probe id: the shortest duration that is emitted, 0: all */
struct
{
  __uint (type, BPF_MAP_TYPE_HASH);
  __uint (max_entries, TB_BPF_MAX_PROBES);
  __uint (map_flags, BPF_F_NO_PREALLOC);
  __type (key, u32);
  __type (value, u64);
} tb_filters SEC (".maps");

static __always_inline u64
read_address (void *context)
{
#if defined __TARGET_ARCH_x86
  return BPF_CORE_READ ((const struct pt_regs___user *) context, ip);
#elif defined __TARGET_ARCH_arm64
  return BPF_CORE_READ ((const struct pt_regs___user *) context, pc);
#else
  return 0;
#endif
}

/* The user stack at a function's return, for a call that is emitted as a whole: it begins with the
 * function, and the walk begins at the return address. */
static __always_inline u32
get_left_stack (void *context,
                const TbProgramContext *place,
                TbBpfStack *stack,
                u64 *words,
                const Open *open)
{
  long got = bpf_get_stack (context, words + 2, TB_BPF_MAX_FRAMES * 8, BPF_F_USER_STACK);

  if (got < 8)
    return tb_assign_stack_id (place, stack, words, 0);
  words[0] = TB_BPF_CONTEXT_USER;
  words[1] = open->address;
  words[2] = open->site;
  return tb_assign_stack_id (place, stack, words, 2 + ((u32) got / 8 & 127));
}

/* The user stack at a function's entry. No frame contains its caller yet. Kernels since 6.11 add it
 * where they recognize the beginning of a function. */
static __always_inline u32
get_entry_stack (void *context,
                 const TbProgramContext *place,
                 TbBpfStack *stack,
                 u64 *words,
                 u64 site)
{
  long got = bpf_get_stack (context, words + 1, TB_BPF_MAX_FRAMES * 8, BPF_F_USER_STACK);
  u64 address;

  if (got < 8)
    return tb_assign_stack_id (place, stack, words, 0);
  words[0] = TB_BPF_CONTEXT_USER;
  if (site == 0 || (got >= 16 && words[2] == site))
    return tb_assign_stack_id (place, stack, words, 1 + ((u32) got / 8 & 127));
  address = words[1];
  got = bpf_get_stack (context, words + 2, TB_BPF_MAX_FRAMES * 8, BPF_F_USER_STACK);
  if (got < 8)
    return tb_assign_stack_id (place, stack, words, 0);
  words[1] = address;
  words[2] = site;
  return tb_assign_stack_id (place, stack, words, 2 + ((u32) got / 8 & 127));
}

static __always_inline void
fill_call (TbBpfCall *record,
           const TbProgramContext *place,
           u32 type,
           const struct task_struct *task,
           u32 probe,
           u64 site)
{
  tb_fill (&record->header, place, type, TB_BPF_IS_TARGET, task->pid, task->tgid);
  record->entered = 0;
  record->site = site;
  record->probe = probe;
  record->unused = 0;
  record->stack = (TbBpfStack) { 0 };
}

static __always_inline int
emit_without_stack (const TbProgramContext *place,
                    u32 type,
                    const struct task_struct *task,
                    u32 probe,
                    u64 site,
                    u64 entered)
{
  TbBpfCall *record = tb_reserve (place, sizeof *record);

  if (record == NULL)
    return 0;
  fill_call (record, place, type, task, probe, site);
  record->entered = entered;
  tb_submit (record);
  return 0;
}

static __always_inline int
emit_entry (void *context, const struct task_struct *task, u32 probe, u64 site)
{
  struct entry_scratch_buffer *scratch = tb_scratch (&entry_scratch);
  TbProgramContext place;
  u32 n;

  if (!tb_read_program_context (&place))
    return 0;
  if ((config.stacks & TB_BPF_USER_STACKS) == 0 || !tb_acquire_scratch (scratch))
    return emit_without_stack (&place, TB_BPF_CALL, task, probe, site, 0);
  fill_call (&scratch->record, &place, TB_BPF_CALL, task, probe, site);
  n = get_entry_stack (context, &place, &scratch->record.stack, scratch->rest, site);
  if (tb_output (&place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_mark_stack_sent (&place, &scratch->record.stack);
  tb_release_scratch (scratch);
  return 0;
}

static __always_inline void
open_call (const struct task_struct *task, u32 probe, u64 site, u64 address)
{
  OpenKey key = { task->pid, probe, 0, 0 };
  Open open = { bpf_ktime_get_ns (), site, address };
  u32 *depth = bpf_map_lookup_elem (&tb_depths, &key), deeper = depth != NULL ? *depth + 1 : 1;

  bpf_map_update_elem (&tb_depths, &key, &deeper, BPF_ANY);
  key.depth = deeper;
  bpf_map_update_elem (&tb_open, &key, &open, BPF_ANY);
}

static __always_inline bool
close_call (const struct task_struct *task, u32 probe, Open *open)
{
  OpenKey key = { task->pid, probe, 0, 0 };
  u32 *depth = bpf_map_lookup_elem (&tb_depths, &key), shallower;
  Open *found;

  if (depth == NULL || *depth == 0)
    return false;
  shallower = *depth - 1;
  key.depth = *depth;
  found = bpf_map_lookup_elem (&tb_open, &key);
  if (found != NULL)
    {
      *open = *found;
      bpf_map_delete_elem (&tb_open, &key);
    }
  key.depth = 0;
  if (shallower == 0)
    bpf_map_delete_elem (&tb_depths, &key);
  else
    bpf_map_update_elem (&tb_depths, &key, &shallower, BPF_ANY);
  return found != NULL;
}

SEC ("uprobe")
int
on_entry (void *context)
{
  struct task_struct *task = (struct task_struct *) bpf_get_current_task_btf ();
  u32 probe = (u32) bpf_get_attach_cookie (context);
  u64 *filter = bpf_map_lookup_elem (&tb_filters, &probe), site = tb_read_site (context);

  if (!tb_is_target (task))
    return 0;
  if (filter == NULL || *filter == 0)
    return emit_entry (context, task, probe, site);
  open_call (task, probe, site, read_address (context));
  return 0;
}

SEC ("uprobe")
int
on_instruction (void *context)
{
  struct task_struct *task = (struct task_struct *) bpf_get_current_task_btf ();

  if (!tb_is_target (task))
    return 0;
  return emit_entry (context, task, (u32) bpf_get_attach_cookie (context), 0);
}

/* Emits a call that took long enough as one record. At its return the caller's stack is the same as
 * at the entry. */
static __always_inline int
emit_long_call (void *context, const struct task_struct *task, u32 probe, u64 filter)
{
  struct return_scratch_buffer *scratch = tb_scratch (&return_scratch);
  Open open = { 0 };
  TbProgramContext place;
  u32 n;

  if (!close_call (task, probe, &open) || !tb_read_program_context (&place))
    return 0;
  if (place.time - open.entered < filter)
    {
      __sync_fetch_and_add (&place.cpu->thinned_probes, 1);
      return 0;
    }
  if ((config.stacks & TB_BPF_USER_STACKS) == 0 || !tb_acquire_scratch (scratch))
    return emit_without_stack (&place, TB_BPF_RETURN, task, probe, open.site, open.entered);
  fill_call (&scratch->record, &place, TB_BPF_RETURN, task, probe, open.site);
  scratch->record.entered = open.entered;
  n = get_left_stack (context, &place, &scratch->record.stack, scratch->rest, &open);
  if (tb_output (&place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_mark_stack_sent (&place, &scratch->record.stack);
  tb_release_scratch (scratch);
  return 0;
}

SEC ("uretprobe")
int
on_return (void *context)
{
  struct task_struct *task = (struct task_struct *) bpf_get_current_task_btf ();
  u32 probe = (u32) bpf_get_attach_cookie (context);
  u64 *filter = bpf_map_lookup_elem (&tb_filters, &probe);
  TbProgramContext place;

  if (!tb_is_target (task))
    return 0;
  if (filter != NULL && *filter != 0)
    return emit_long_call (context, task, probe, *filter);
  if (!tb_read_program_context (&place))
    return 0;
  return emit_without_stack (&place, TB_BPF_RETURN, task, probe, 0, 0);
}

const char tb_license[] SEC ("license") = "GPL";
