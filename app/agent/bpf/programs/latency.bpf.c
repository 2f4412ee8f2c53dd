/* latency.bpf.c: BPF programs of a latency measurement: one for each kind of probe, at calls of a
 * function (f0) and at call sites, and one for each kind of kernel event (system calls, switches,
 * interrupts, disk requests, samples); most of their work is in tb-bpf-latency-*.h
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The calls that a thread is in form a stack of frames. Only the stack pointer decides whether a
 * call has ended, so a call also ends on a return without a probe (longjmp, an exception, a jump to
 * another function). The counters are those of section 3 of the DARC paper. They are incremented
 * in the kernel, so that no data need to be transferred for each call.
 */

#define TB_BPF_WITHOUT_STACKS
#include "tb-bpf-latency-disturbances.h"

#include <linux/bpf_perf_event.h>

/* User probes: several at a time where the kernel supports that, else one by one */

#ifndef TB_BPF_OF_KERNEL_CALLS

/* The cookie of each probe is the height of the stack since the function was entered. A call made
 * at that very instruction begins with the function: another probe there might run first. */
static __always_inline int
enter_function (void *context)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  const TbBpfLatencyShared *shared = get_shared ();
  u64 sp = read_sp (context);

  if (shared == NULL || !is_examined (task))
    return 0;
  enter_f0 (task, sp + bpf_get_attach_cookie (context), 0);
  if (shared->entry_site != 0)
    reach_site (context, task, shared->entry_site - 1, sp);
  return 0;
}

SEC ("uprobe.multi")
int
on_entry (void *context)
{
  return enter_function (context);
}

SEC ("uprobe")
int
on_entry_single (void *context)
{
  return enter_function (context);
}

/* Behind the return of a function */
SEC ("uprobe.multi")
int
on_return (void *context)
{
  return leave_f0 (bpf_get_current_task_btf (), read_sp (context));
}

SEC ("uprobe")
int
on_return_single (void *context)
{
  return leave_f0 (bpf_get_current_task_btf (), read_sp (context));
}

/* At the last instruction of a function, which pops the return address, or behind which no further
 * time is spent */
SEC ("uprobe.multi")
int
on_last (void *context)
{
  return leave_f0 (bpf_get_current_task_btf (),
                   read_sp (context) + bpf_get_attach_cookie (context) + CALL_RETURN_ADDRESS);
}

SEC ("uprobe")
int
on_last_single (void *context)
{
  return leave_f0 (bpf_get_current_task_btf (),
                   read_sp (context) + bpf_get_attach_cookie (context) + CALL_RETURN_ADDRESS);
}

#endif

SEC ("uprobe.multi")
int
on_site (void *context)
{
  return reach_site (context, bpf_get_current_task_btf (), (u32) bpf_get_attach_cookie (context),
                     read_sp (context));
}

SEC ("uprobe")
int
on_site_single (void *context)
{
  return reach_site (context, bpf_get_current_task_btf (), (u32) bpf_get_attach_cookie (context),
                     read_sp (context));
}

/* Kernel functions. The stack pointer at their return may be off by one word, and a return may be
 * missed, so every frame below it has ended. */

static __always_inline int
enter_kernel (void *context)
{
  struct task_struct *task = bpf_get_current_task_btf ();

  return is_examined (task) ? enter_f0 (task, read_kernel_sp (context, task), 0) : 0;
}

SEC ("kprobe.multi")
int
on_kernel_entry (void *context)
{
  return enter_kernel (context);
}

SEC ("kprobe")
int
on_kernel_entry_single (void *context)
{
  return enter_kernel (context);
}

SEC ("kprobe")
int
on_kernel_site (void *context)
{
  struct task_struct *task = bpf_get_current_task_btf ();

  return reach_site (context, task, (u32) bpf_get_attach_cookie (context),
                     read_kernel_sp (context, task));
}

static __always_inline int
leave_kernel (void *context)
{
  struct task_struct *task = bpf_get_current_task_btf ();
  Thread *thread = bpf_task_storage_get (&tb_threads, task, NULL, 0);
  u64 sp = read_kernel_sp (context, task);
  u32 n;

  if (thread == NULL)
    return 0;
  n = thread->n_entries;
  for (u32 i = 0; i < TB_BPF_LATENCY_ENTRIES; i++)
    {
      if (n < 2 || thread->entries[bound (n - 2, ENTRY_MASK)].sp > sp)
        break;
      n--;
    }
  return n > 0
             ? leave_f0 (task, thread->entries[bound (n - 1, ENTRY_MASK)].sp + CALL_RETURN_ADDRESS)
             : 0;
}

SEC ("kretprobe.multi")
int
on_kernel_return (void *context)
{
  return leave_kernel (context);
}

SEC ("kretprobe")
int
on_kernel_return_single (void *context)
{
  return leave_kernel (context);
}

#ifdef TB_BPF_OF_KERNEL_CALLS

/* Trampolines, each for one function, whose name the agent inserts when it loads the programs */

static __always_inline int
enter_traced (void *context)
{
  struct task_struct *task = bpf_get_current_task_btf ();

  return is_examined (task) ? enter_f0 (task, read_traced_sp (context, task) - CALL_RETURN_ADDRESS,
                                        TRAMPOLINE_REACH)
                            : 0;
}

static __always_inline int
leave_traced (void *context)
{
  struct task_struct *task = bpf_get_current_task_btf ();

  return leave_f0 (task, read_traced_sp (context, task));
}

SEC ("fentry/" TB_BPF_LATENCY_TRACED)
int
on_traced_entry (void *context)
{
  return enter_traced (context);
}

SEC ("fexit/" TB_BPF_LATENCY_TRACED)
int
on_traced_return (void *context)
{
  return leave_traced (context);
}

/* The cost is calibrated on another function. */
SEC ("fentry/" TB_BPF_LATENCY_CALIBRATED)
int
on_calibration_entry (void *context)
{
  return enter_traced (context);
}

SEC ("fexit/" TB_BPF_LATENCY_CALIBRATED)
int
on_calibration_return (void *context)
{
  return leave_traced (context);
}

#endif

/* System calls: as f0, and as callees of examined functions */

/* Where user probes are system calls themselves, ignores those; no program calls them. */
static __always_inline bool
is_probe_syscall (long number)
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

  if (shared == NULL || is_probe_syscall (number))
    return 0;
  note_client_call (shared, task, number);
  if (shared->call != TB_BPF_LATENCY_NO_CALL)
    {
      if (shared->call == (u32) number && is_examined (task))
        enter_f0 (task, CALL_SP, 0);
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
  child = find_callee (thread, get_process (), child, 0, TB_BPF_LATENCY_CALL | (u32) number);
  if (child != 0)
    open_frame (thread, child, sp, 0, bpf_ktime_get_ns ());
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
    return thread->n_entries > 0 ? leave_f0 (task, CALL_SP + CALL_RETURN_ADDRESS) : 0;
  if (thread->n_frames > 0)
    close_frames (thread, read_sp (regs), bpf_ktime_get_ns ());
  return 0;
}

/* Preemption and waits */

SEC ("tp_btf/sched_switch")
int
BPF_PROG (on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
  u64 now = bpf_ktime_get_ns (), woken;
  Thread *thread = bpf_task_storage_get (&tb_threads, prev, NULL, 0);
  const TbBpfLatencyShared *shared = get_shared ();
  u32 state = BPF_CORE_READ ((const struct task_struct___state *) prev, __state);

  if (shared != NULL && shared->has_clients && !preempt && (state & 0xff) != 0)
    note_client_sleep (shared, prev, state, now);
  if (thread != NULL && thread->n_frames > 0)
    {
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
      add_wait_of_frame (thread, (u32) next->tgid, (u32) next->pid, woken - thread->off);
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
  TbBpfLatencyShared *shared = get_shared ();

  if (thread != NULL && thread->off != 0 && thread->woken == 0)
    thread->woken = bpf_ktime_get_ns ();
  if (shared != NULL && shared->has_clients)
    note_waking (shared, task);
  return 0;
}

static __always_inline u64
read_sampled_ip (const struct bpf_perf_event_data *context)
{
#if defined __TARGET_ARCH_x86
  return context->regs.rip;
#elif defined __TARGET_ARCH_arm64
  return context->regs.pc;
#else
  return 0;
#endif
}

/* Of many samples in one call, each is kept with the same probability. */
SEC ("perf_event")
int
on_sample (struct bpf_perf_event_data *context)
{
  Thread *thread = bpf_task_storage_get (&tb_threads, bpf_get_current_task_btf (), NULL, 0);
  const TbBpfLatencyNode *node;
  u32 of, at;

  if (thread == NULL || thread->n_frames == 0)
    return 0;
  of = thread->frames[bound (thread->n_frames - 1, FRAME_MASK)].node;
  node = bpf_map_lookup_elem (&tb_nodes, &of);
  if (node == NULL || (node->flags & TB_BPF_LATENCY_IS_NARROWED) == 0)
    return 0;
  at = thread->n_places++;
  if (at >= PLACES)
    at = bpf_get_prandom_u32 () % (at + 1);
  if (at >= PLACES)
    return 0;
  thread->places[bound (at, PLACES - 1)].node = of;
  thread->places[bound (at, PLACES - 1)].address = read_sampled_ip (context);
  return 0;
}

/* A thread that exits or executes another program leaves its phase. */
SEC ("raw_tp/sched_process_exit")
int
on_thread_end (void *context)
{
  return leave_phase (bpf_get_current_task_btf ());
}

/* Requests to devices. Some kernels lack their tracepoints, so they are attached by name. */
SEC ("raw_tp/block_rq_insert")
int
on_request (struct bpf_raw_tracepoint_args *context)
{
  return note_request (context->args[0], false);
}

SEC ("raw_tp/block_rq_issue")
int
on_request_issued (struct bpf_raw_tracepoint_args *context)
{
  return note_request (context->args[0], true);
}

SEC ("raw_tp/block_rq_complete")
int
on_request_end (struct bpf_raw_tracepoint_args *context)
{
  return end_request (context->args[0]);
}

/* Interrupts. One program, attached by name, handles the beginnings of all kinds, because a light
 * skeleton loads at most 32 functions of an object. */

SEC ("raw_tp/irq_handler_entry")
int
on_interrupt (void *context)
{
  return begin_interrupt ();
}

SEC ("tp_btf/irq_handler_exit")
int
BPF_PROG (on_irq_end, int irq, struct irqaction *action, int result)
{
  return end_interrupt (SOURCE (1, irq), action->name);
}

SEC ("tp_btf/softirq_exit")
int
BPF_PROG (on_softirq_end, unsigned int vector)
{
  return end_interrupt (SOURCE (2, vector), NULL);
}

/* Local timer and inter-processor interrupts, by vector number. Only some machines have them, so
 * they are attached by name. */
SEC ("raw_tp/reschedule_exit")
int
on_vector_end (struct bpf_raw_tracepoint_args *context)
{
  u32 vector = (u32) context->args[0];

  return end_interrupt (SOURCE (3, vector == TIMER_VECTOR ? 0 : vector), NULL);
}

const char tb_license[] SEC ("license") = "GPL";
