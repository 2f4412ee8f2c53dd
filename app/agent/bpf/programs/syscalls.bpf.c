/* syscalls.bpf.c: BPF programs that emit system calls, as one record at the exit, or as entry and
 * exit if the thread leaves its CPU in between; optionally with call stacks, or of long calls only
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-syscall.h"

#include "tb-bpf-dump.h"
#include "tb-bpf-sources.h"

TB_BPF_SCRATCH (enter_scratch, TbBpfSysEnter, TB_BPF_STACK_ROOM);
TB_BPF_SCRATCH (call_scratch, TbBpfSysCall, TB_BPF_STACK_ROOM);

/* Most calls end without a context switch. They are noted per CPU and emitted as one record. If the
 * thread leaves the CPU during a call, the beginning of the call is emitted at that time or stored
 * in the thread's entry. */
typedef struct
{
  /* only if long calls alone are emitted: entry time of a call in which the thread left a CPU, 0:
   * none */
  u64 entered;
  u64 stack_time; /* time of the last emitted stack */
} Thread;

/* By thread id. If an entry is evicted because there are too many, the beginning of the thread's
 * call is unknown. */
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

/* Whether this call's stack is emitted: all of them, or one per thread and interval */
static __always_inline bool
wants_stack (const TbProgramContext *place, u32 tid)
{
  Thread *thread;

  if ((config.stacks & TB_BPF_SYSCALL_STACKS) == 0)
    return false;
  if (config.stack_interval == 0)
    return true;
  thread = get_thread (tid);
  if (thread != NULL && place->time - thread->stack_time < config.stack_interval)
    {
      __sync_fetch_and_add (&place->cpu->thinned_stacks, 1);
      return false;
    }
  if (thread != NULL)
    thread->stack_time = place->time;
  return true;
}

/* The stack of the running thread by frame pointers and, if requested, as a dump */
static __always_inline u32
get_stack (void *context, const TbProgramContext *place, TbBpfStack *stack, u64 *words)
{
  tb_dump_stack (place, bpf_get_current_task_btf ());
  return tb_get_stack (context, place, stack, words, false, true);
}

static __always_inline void
copy_args (u64 *to, const u64 *from)
{
  for (int i = 0; i < 6; i++)
    to[i] = from[i];
}

/* Whether the beginning must be emitted on its own: some calls do not return, others return with
 * another stack or with registers that no longer belong to the call. */
static __always_inline bool
needs_own_record (long number)
{
#ifdef TB_NR_VFORK
  if (number == TB_NR_VFORK)
    return true;
#endif
  return number == TB_NR_EXIT || number == TB_NR_EXIT_GROUP || number == TB_NR_EXECVE
         || number == TB_NR_EXECVEAT || number == TB_NR_RT_SIGRETURN;
}

/* System calls that the kernel inserts at probes */
static __always_inline bool
is_probe_syscall (u32 number)
{
#ifdef __TARGET_ARCH_x86
  return number == 335 || number == 336;
#else
  return false;
#endif
}

static __always_inline void
emit_enter (void *context, const TbProgramContext *place, const TbBpfOpenCall *call)
{
  struct enter_scratch_buffer *scratch = tb_scratch (&enter_scratch);
  u32 n = 0;

  if (scratch == NULL)
    return;
  tb_fill (&scratch->record.header, place, TB_BPF_SYS_ENTER, TB_BPF_IS_TARGET, call->tid,
           call->pid);
  scratch->record.entered = call->entered;
  copy_args (scratch->record.args, call->args);
  scratch->record.number = call->number;
  scratch->record.unused = 0;
  scratch->record.stack = (TbBpfStack) { 0 };
  if (wants_stack (place, call->tid))
    n = get_stack (context, place, &scratch->record.stack, scratch->rest);
  if (tb_output (place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_mark_stack_sent (place, &scratch->record.stack);
}

SEC ("tp_btf/sys_enter")
int
BPF_PROG (on_enter, void *regs, long number)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  TbBpfOpenCall *open;
  TbCall call = { 0 };
  TbProgramContext place;
  bool apart;

  if (!tb_is_target (task) || tb_is_own (task) || !tb_read_program_context (&place))
    return 0;
  open = &place.cpu->open_call;
  open->entered = 0;
  open->number = (u32) number;
  open->tid = task->pid;
  if (is_probe_syscall ((u32) number))
    return 0;
  if (config.min_syscall_ns != 0 && (number == TB_NR_EXIT || number == TB_NR_EXIT_GROUP))
    return 0;
  apart = !tb_read_call (regs, &call) || needs_own_record (number);
  open->pid = task->tgid;
  copy_args (open->args, call.args);
  open->entered = place.time;
  if (apart && config.min_syscall_ns == 0)
    {
      emit_enter (ctx, &place, open);
      open->entered = 0;
    }
  return 0;
}

/* Emits a complete call. The registers and the stack are those of the call's beginning. */
static __always_inline void
emit_call (void *context,
           const TbProgramContext *place,
           const TbBpfOpenCall *call,
           u64 entered,
           u64 result)
{
  struct call_scratch_buffer *scratch;
  u32 n = 0;

  if (place->time - entered < config.min_syscall_ns)
    {
      __sync_fetch_and_add (&place->cpu->thinned_calls, 1);
      return;
    }
  scratch = tb_scratch (&call_scratch);
  if (scratch == NULL)
    return;
  tb_fill (&scratch->record.header, place, TB_BPF_SYS_CALL, TB_BPF_IS_TARGET, call->tid, call->pid);
  scratch->record.entered = entered;
  copy_args (scratch->record.args, call->args);
  scratch->record.result = result;
  scratch->record.number = call->number;
  scratch->record.unused = 0;
  scratch->record.stack = (TbBpfStack) { 0 };
  if (wants_stack (place, call->tid))
    n = get_stack (context, place, &scratch->record.stack, scratch->rest);
  if (tb_output (place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_mark_stack_sent (place, &scratch->record.stack);
}

/* Emits the end of a call whose beginning was emitted, if it was recorded. */
static __always_inline void
emit_exit (const TbProgramContext *place, struct task_struct *task, u32 number, u64 result)
{
  TbBpfSysExit *record = tb_reserve (place, sizeof *record);

  if (record == NULL)
    return;
  tb_fill (&record->header, place, TB_BPF_SYS_EXIT, TB_BPF_IS_TARGET, task->pid, task->tgid);
  record->result = result;
  record->number = number;
  record->unused = 0;
  tb_submit (record);
}

/* Emits a call during which the thread left its CPU, if only long calls are wanted. */
static __always_inline void
emit_resumed_call (void *context,
                   const TbProgramContext *place,
                   struct task_struct *task,
                   TbCall *call,
                   u64 result)
{
  u32 tid = task->pid;
  Thread *thread = bpf_map_lookup_elem (&tb_threads, &tid);
  TbBpfOpenCall *open = &place->cpu->open_call;
  u64 entered;

  if (thread == NULL || thread->entered == 0)
    return;
  entered = thread->entered;
  thread->entered = 0;
  open->tid = tid;
  open->pid = task->tgid;
  open->number = call->number;
  copy_args (open->args, call->args);
  emit_call (context, place, open, entered, result);
}

SEC ("tp_btf/sys_exit")
int
BPF_PROG (on_exit, void *regs, long result)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  TbBpfOpenCall *open;
  TbCall call = { 0 };
  TbProgramContext place;
  u64 entered;

  if (!tb_is_target (task) || tb_is_own (task) || !tb_read_program_context (&place))
    return 0;
  open = &place.cpu->open_call;
  entered = open->entered;
  open->entered = 0;
  if (entered != 0 && open->tid == task->pid)
    {
      emit_call (ctx, &place, open, entered, (u64) result);
      return 0;
    }
  if (open->tid == task->pid && is_probe_syscall (open->number))
    {
      open->number = 0;
      return 0;
    }
  /* The call number of a thread of another ABI is unknown. */
  if (!tb_read_call (regs, &call))
    call.number = ~0u;
  if (config.min_syscall_ns != 0)
    emit_resumed_call (ctx, &place, task, &call, (u64) result);
  else
    emit_exit (&place, task, call.number, (u64) result);
  return 0;
}

SEC ("tp_btf/sched_switch")
int
BPF_PROG (on_switch, bool preempt, struct task_struct *prev)
{
  u32 zero = 0, number = bpf_get_smp_processor_id (), tid = prev->pid;
  void *cpus = bpf_map_lookup_elem (&tb_cpus, &zero);
  TbBpfCpu *cpu = cpus != NULL ? bpf_map_lookup_elem (cpus, &number) : NULL;
  TbBpfOpenCall *open;
  Thread *thread;
  TbProgramContext place;

  if (cpu == NULL)
    return 0;
  /* Its id will be reused by another thread. */
  if (config.min_syscall_ns != 0 && prev->exit_state != 0)
    bpf_map_delete_elem (&tb_threads, &tid);
  open = &cpu->open_call;
  if (open->entered == 0)
    {
      open->number = 0;
      return 0;
    }
  if (open->tid != prev->pid || (config.min_syscall_ns != 0 && prev->exit_state != 0))
    ;
  else if (config.min_syscall_ns == 0)
    {
      if (tb_read_program_context (&place))
        emit_enter (ctx, &place, open);
    }
  else
    {
      thread = get_thread (tid);
      if (thread != NULL)
        thread->entered = open->entered;
    }
  open->entered = 0;
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
