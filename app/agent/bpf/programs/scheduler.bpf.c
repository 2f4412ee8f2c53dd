/* scheduler.bpf.c: BPF programs that emit, with call stacks, context switches with what the thread
 * waits for, and wake-ups with the message that caused them; fork, exec, names and end of threads;
 * children of the target join it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "tb-bpf-dump.h"
#include "tb-bpf-sleep.h"

TB_BPF_SCRATCH (switch_scratch, TbBpfSleepSwitch, TB_BPF_STACK_ROOM);
TB_BPF_SCRATCH (waking_scratch, TbBpfWakeup, TB_BPF_STACK_ROOM);

static __always_inline u32
get_flags (struct task_struct *task, struct task_struct *other)
{
  return (tb_is_target (task) ? TB_BPF_IS_TARGET : 0)
         | (tb_is_target (other) ? TB_BPF_OTHER_IS_TARGET : 0);
}

static __always_inline void
fill_switch (TbBpfSwitch *record,
             const TbProgramContext *place,
             u32 flags,
             struct task_struct *prev,
             struct task_struct *next,
             u32 state)
{
  tb_fill (&record->header, place, TB_BPF_SWITCH, flags, prev->pid, prev->tgid);
  record->next_tid = next->pid;
  record->next_pid = next->tgid;
  record->state = state;
  record->exit_state = prev->exit_state;
  record->stack.id = 0;
  record->stack.n_words = 0;
  record->stack.unused = 0;
}

/* The switch to the thread after a target's thread is recorded, and so is the switch away from
 * it. */
static __always_inline bool
is_wanted (const TbProgramContext *place,
           u32 flags,
           const struct task_struct *prev,
           const struct task_struct *next)
{
  bool concerned = (flags & (TB_BPF_IS_TARGET | TB_BPF_OTHER_IS_TARGET)) != 0;
  bool shown;

  if (config.filter == TB_BPF_FILTER_NONE)
    return true;
  shown = place->cpu->shown == prev->pid + 1;
  place->cpu->shown = concerned ? next->pid + 1 : 0;
  return concerned || shown;
}

static __always_inline void
send_short_switch (const TbProgramContext *place,
                   u32 flags,
                   struct task_struct *prev,
                   struct task_struct *next,
                   u32 state)
{
  TbBpfSwitch *record = tb_reserve (place, sizeof *record);

  if (record == NULL)
    return;
  fill_switch (record, place, flags, prev, next, state);
  tb_submit (record);
}

SEC ("tp_btf/sched_switch")
int
BPF_PROG (on_switch,
          bool preempt,
          struct task_struct *prev,
          struct task_struct *next,
          unsigned int state)
{
  u32 flags = get_flags (prev, next) | (preempt ? TB_BPF_PREEMPTED : 0), n;
  bool is_kernel = (prev->flags & PF_KTHREAD) != 0, sleeps, user, kernel;
  struct switch_scratch_buffer *scratch;
  TbProgramContext place;

  if (!tb_read_program_context (&place))
    return 0;
  if (!is_wanted (&place, flags, prev, next))
    return 0;
  if (is_kernel)
    flags |= TB_BPF_IS_KERNEL;
  user = (config.stacks & TB_BPF_USER_STACKS) != 0 && !is_kernel;
  kernel = (config.stacks & TB_BPF_KERNEL_STACKS) != 0 && prev->pid != 0;
  sleeps = config.sleeps != 0 && !preempt && state != 0 && prev->exit_state == 0 && !is_kernel;
  if ((!user && !kernel && !sleeps) || (flags & TB_BPF_IS_TARGET) == 0 || tb_is_own (prev))
    {
      send_short_switch (&place, flags, prev, next, state);
      return 0;
    }
  if (user)
    tb_dump_stack (&place, prev);
  scratch = tb_scratch (&switch_scratch);
  if (scratch == NULL)
    return 0;
  if (sleeps)
    tb_read_sleep (&scratch->record.sleep, &place);
  else
    __builtin_memset (&scratch->record.sleep, 0, sizeof (TbBpfSleep));
  fill_switch (&scratch->record.base, &place, flags | TB_BPF_HAS_SLEEP, prev, next, state);
  n = tb_get_stack (ctx, &place, &scratch->record.base.stack, scratch->rest, kernel, user);
  if (tb_output (&place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_mark_stack_sent (&place, &scratch->record.base.stack);
  return 0;
}

static __always_inline void
fill_wakeup (TbBpfWakeup *record,
             const TbProgramContext *place,
             u32 flags,
             struct task_struct *waker,
             struct task_struct *wakee)
{
  tb_fill (&record->header, place, TB_BPF_WAKEUP, flags, waker->pid, waker->tgid);
  record->wakee_tid = wakee->pid;
  record->wakee_pid = wakee->tgid;
  record->stack.id = 0;
  record->stack.n_words = 0;
  record->stack.unused = 0;
}

SEC ("tp_btf/sched_waking")
int
BPF_PROG (on_waking, struct task_struct *wakee)
{
  struct task_struct *waker = bpf_get_current_task_btf ();
  u32 flags = get_flags (waker, wakee), n;
  struct waking_scratch_buffer *scratch;
  TbBpfWakeup *record;
  TbProgramContext place;
  bool user, kernel;

  if ((flags & (TB_BPF_IS_TARGET | TB_BPF_OTHER_IS_TARGET)) == 0
      || !tb_read_program_context (&place))
    return 0;
  flags |= tb_get_context (&place);
  place.cpu->n_effects++;
  tb_emit_arrival (&place, flags & TB_IN_INTERRUPT, wakee);
  user = (config.stacks & TB_BPF_USER_STACKS) != 0 && (waker->flags & PF_KTHREAD) == 0;
  kernel = (config.stacks & TB_BPF_WAKING_KERNEL_STACKS) != 0 && waker->pid != 0;
  /* The stack of the interrupted thread is not the stack of the interrupt handler. */
  if ((!user && !kernel) || (flags & TB_BPF_IS_TARGET) == 0 || (flags & TB_IN_INTERRUPT) != 0
      || tb_is_own (waker))
    {
      record = tb_reserve (&place, sizeof *record);
      if (record == NULL)
        return 0;
      fill_wakeup (record, &place, flags, waker, wakee);
      tb_submit (record);
      return 0;
    }
  scratch = tb_scratch (&waking_scratch);
  if (scratch == NULL)
    return 0;
  fill_wakeup (&scratch->record, &place, flags, waker, wakee);
  n = tb_get_stack (ctx, &place, &scratch->record.stack, scratch->rest, kernel, user);
  if (tb_output (&place, scratch, sizeof scratch->record + (n & (TB_BPF_MAX_WORDS - 1)) * 8))
    tb_mark_stack_sent (&place, &scratch->record.stack);
  return 0;
}

SEC ("tp_btf/sched_wakeup_new")
int
BPF_PROG (on_wakeup_new, struct task_struct *wakee)
{
  struct task_struct *waker = bpf_get_current_task_btf ();
  u32 flags = get_flags (waker, wakee);
  TbBpfWakeup *record;
  TbProgramContext place;

  if ((flags & (TB_BPF_IS_TARGET | TB_BPF_OTHER_IS_TARGET)) == 0
      || !tb_read_program_context (&place))
    return 0;
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  fill_wakeup (record, &place, flags | TB_BPF_FIRST_WAKEUP, waker, wakee);
  tb_submit (record);
  return 0;
}

/* Ids are reused: a process that a foreign process started under an old id does not belong to the
 * target. */
static __always_inline void
inherit_target (struct task_struct *parent, struct task_struct *child)
{
  u32 zero = 0, pid = child->tgid, one = 1;
  void *targets;

  if (config.filter != TB_BPF_FILTER_TREE || parent->tgid == child->tgid)
    return;
  targets = bpf_map_lookup_elem (&tb_targets, &zero);
  if (targets == NULL)
    return;
  if (tb_is_target_process (parent->tgid))
    bpf_map_update_elem (targets, &pid, &one, BPF_ANY);
  else
    bpf_map_delete_elem (targets, &pid);
}

SEC ("tp_btf/sched_process_fork")
int
BPF_PROG (on_fork, struct task_struct *parent, struct task_struct *child)
{
  TbBpfFork *record;
  TbProgramContext place;

  inherit_target (parent, child);
  if (!tb_is_target (child) || !tb_read_program_context (&place))
    return 0;
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  tb_fill (&record->header, &place, TB_BPF_FORK, TB_BPF_IS_TARGET, parent->pid, parent->tgid);
  record->new_tid = child->pid;
  record->new_pid = child->tgid;
  tb_submit (record);
  return 0;
}

SEC ("tp_btf/sched_process_exit")
int
BPF_PROG (on_exit, struct task_struct *task)
{
  TbBpfExit *record;
  TbProgramContext place;

  if (!tb_is_target (task) || !tb_read_program_context (&place))
    return 0;
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  tb_fill (&record->header, &place, TB_BPF_EXIT, TB_BPF_IS_TARGET, task->pid, task->tgid);
  tb_submit (record);
  return 0;
}

SEC ("tp_btf/task_rename")
int
BPF_PROG (on_rename, struct task_struct *task, const char *name)
{
  TbBpfName *record;
  TbProgramContext place;

  if (!tb_is_target (task) || !tb_read_program_context (&place))
    return 0;
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  tb_fill (&record->header, &place, TB_BPF_NAME, TB_BPF_IS_TARGET, task->pid, task->tgid);
  __builtin_memset (record->name, 0, sizeof record->name);
  bpf_probe_read_kernel_str (record->name, sizeof record->name, name);
  tb_submit (record);
  return 0;
}

SEC ("tp_btf/sched_process_exec")
int
BPF_PROG (on_exec, struct task_struct *task, int old_tid, struct linux_binprm *program)
{
  TbBpfExec *record;
  TbProgramContext place;

  if (!tb_is_target (task) || !tb_read_program_context (&place))
    return 0;
  record = tb_reserve (&place, sizeof *record);
  if (record == NULL)
    return 0;
  tb_fill (&record->header, &place, TB_BPF_EXEC, TB_BPF_IS_TARGET, task->pid, task->tgid);
  __builtin_memset (record->path, 0, 8);
  bpf_probe_read_kernel_str (record->path, sizeof record->path, program->filename);
  tb_submit (record);
  return 0;
}

const char tb_license[] SEC ("license") = "GPL";
