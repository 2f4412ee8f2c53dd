/* syscalls.bpf.c: system calls, on request with stacks, on request only long ones
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-syscall.h"

#include "tb-bpf-sources.h"

TB_BPF_SCRATCH (enter_scratch, TbBpfSysEnter, TB_BPF_STACK_ROOM);
TB_BPF_SCRATCH (call_scratch, TbBpfSysCall, TB_BPF_STACK_ROOM);

typedef struct
{
  u64 entered;
  u64 told_stack; /* when */
} Thread;

/* By number of the thread. Those that are forgotten because there are too many have calls that begin at an unknown time. */
struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, 65536);
  __type (key, u32);
  __type (value, Thread);
} tb_threads SEC (".maps");

static __always_inline Thread *
get_thread (u32 tid)
{
  Thread *thread = bpf_map_lookup_elem (&tb_threads, &tid), new = { 0 };

  if (thread != NULL)
    return thread;
  bpf_map_update_elem (&tb_threads, &tid, &new, BPF_NOEXIST);
  return bpf_map_lookup_elem (&tb_threads, &tid);
}

/* Whether this call's stack is told: all, or one of a thread in a time. */
static __always_inline bool
wants_stack (const TbPlace *place, u32 tid)
{
  Thread *thread;

  if ((config.stacks & TB_BPF_SYSCALL_STACKS) == 0)
    return false;
  if (config.thin_interval == 0)
    return true;
  thread = get_thread (tid);
  if (thread != NULL && place->time - thread->told_stack < config.thin_interval)
    {
      __sync_fetch_and_add (&place->cpu->thinned_stacks, 1);
      return false;
    }
  if (thread != NULL)
    thread->told_stack = place->time;
  return true;
}

static __always_inline void
fill_args (u64 *to, const TbCall *call)
{
  for (int i = 0; i < 6; i++)
    to[i] = call->args[i];
}

SEC ("tp_btf/sys_enter")
int
BPF_PROG (on_enter, void *regs, long number)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  struct enter_scratch_buffer *scratch;
  TbCall call = { 0 };
  Thread *thread;
  TbPlace place;
  u32 n = 0;

  if (!tb_is_target (task) || tb_is_own (task) || !tb_place (&place))
    return 0;
  if (config.thin_longer != 0)
    {
      /* These do not come back. */
      if (number == TB_NR_EXIT || number == TB_NR_EXIT_GROUP)
        return 0;
      thread = get_thread (task->pid);
      if (thread != NULL)
        thread->entered = place.time;
      return 0;
    }
  scratch = tb_scratch (&enter_scratch);
  if (scratch == NULL)
    return 0;
  tb_read_call (regs, &call);
  tb_fill (&scratch->record.header, &place, TB_BPF_SYS_ENTER, TB_BPF_IS_TARGET, task->pid, task->tgid);
  fill_args (scratch->record.args, &call);
  scratch->record.number = (u32) number;
  scratch->record.stack = (TbBpfStack) { 0 };
  if (wants_stack (&place, task->pid))
    n = tb_get_stack (ctx, &place, &scratch->record.stack, scratch->rest, false, true);
  if (tb_output (&place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_keep_stack (&place, &scratch->record.stack);
  return 0;
}

/* The call is told as a whole if it took long enough; its stack is still that of its beginning. */
static __always_inline int
tell_call (void *context, struct task_struct *task, void *regs, u32 number, u64 result)
{
  struct call_scratch_buffer *scratch;
  u32 tid = task->pid, n = 0;
  TbCall call = { 0 };
  Thread *thread;
  TbPlace place;

  thread = bpf_map_lookup_elem (&tb_threads, &tid);
  if (thread == NULL || thread->entered == 0 || !tb_place (&place))
    return 0;
  if (place.time - thread->entered < config.thin_longer)
    {
      thread->entered = 0;
      __sync_fetch_and_add (&place.cpu->thinned_calls, 1);
      return 0;
    }
  scratch = tb_scratch (&call_scratch);
  if (scratch == NULL)
    return 0;
  tb_read_call (regs, &call);
  tb_fill (&scratch->record.header, &place, TB_BPF_SYS_CALL, TB_BPF_IS_TARGET, task->pid, task->tgid);
  scratch->record.entered = thread->entered;
  thread->entered = 0;
  fill_args (scratch->record.args, &call);
  scratch->record.result = result;
  scratch->record.number = number;
  scratch->record.unused = 0;
  scratch->record.stack = (TbBpfStack) { 0 };
  if (wants_stack (&place, tid))
    n = tb_get_stack (context, &place, &scratch->record.stack, scratch->rest, false, true);
  if (tb_output (&place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_keep_stack (&place, &scratch->record.stack);
  return 0;
}

SEC ("tp_btf/sys_exit")
int
BPF_PROG (on_exit, void *regs, long result)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  TbBpfSysExit *record;
  TbCall call = { 0 };
  TbPlace place;

  if (!tb_is_target (task) || tb_is_own (task))
    return 0;
  /* Which call a thread of another kind came from is not known. */
  if (!tb_read_call (regs, &call))
    call.number = ~0u;
  if (config.thin_longer != 0)
    return tell_call (ctx, task, regs, call.number, (u64) result);
  if (!tb_place (&place))
    return 0;
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  tb_fill (&record->header, &place, TB_BPF_SYS_EXIT, TB_BPF_IS_TARGET, task->pid, task->tgid);
  record->result = (u64) result;
  record->number = call.number;
  record->unused = 0;
  tb_submit (record);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
