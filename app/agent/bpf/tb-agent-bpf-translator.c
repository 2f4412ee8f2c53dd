/* tb-agent-bpf-translator.c: check of each record of a BPF program and its translation into records
 * of the capture stream: here switches, wake-ups, threads, interrupts, stack dumps and losses, the
 * others in tb-agent-bpf-sources.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "agent/bpf/tb-agent-bpf-private.h"

/* task_struct.__state and exit_state in kernels since 5.17 */
#define UNINTERRUPTIBLE 0x0002u
#define REPORTED 0x007fu
#define NO_LOAD 0x0400u
#define LOCK_WAIT 0x1000u
#define FROZEN 0x8000u

uint16_t
tb_agent_bpf_translate_state (uint32_t state, uint32_t exit_state, int preempted)
{
  static const char letters[] = "SDTtXZP";
  uint32_t reported = (state | exit_state) & REPORTED;

  if (preempted)
    return '+';
  if ((state & (UNINTERRUPTIBLE | NO_LOAD)) == (UNINTERRUPTIBLE | NO_LOAD))
    return 'I';
  if ((state & (LOCK_WAIT | FROZEN)) != 0)
    return 'D';
  /* The highest bit decides where several are set. */
  return reported == 0 ? 'R' : (unsigned char) letters[31 - __builtin_clz (reported)];
}

uint16_t
tb_agent_bpf_translate_flags (uint32_t flags)
{
  return (
      uint16_t) (((flags & (TB_BPF_IN_HARDIRQ | TB_BPF_IN_NMI)) != 0 ? TB_CAPTURE_IN_HARDIRQ : 0)
                 | ((flags & TB_BPF_IN_SOFTIRQ) != 0 ? TB_CAPTURE_IN_SOFTIRQ : 0));
}

/* Reads the words of the stack that follow a record; 0 if they are incomplete. */
int
tb_agent_bpf_read_stack (TbAgent *self, const TbBpfStack *stack, const uint8_t *words, size_t size)
{
  if (stack->n_words > TB_BPF_MAX_WORDS || stack->n_words > size / 8)
    return 0;
  if (stack->n_words > 0 && stack->id != 0)
    tb_agent_bpf_stacks_add (&self->bpf->stacks, stack->id, (const uint64_t *) (const void *) words,
                             stack->n_words);
  return 1;
}

void
tb_agent_bpf_put_with_stack (TbAgent *self,
                             const TbAgentBpfCpu *cpu,
                             TbCaptureRecord *out,
                             const TbAgentTaskView *task,
                             uint64_t stack_id)
{
  uint32_t *stack = tb_agent_filter_set_task (self, out, task);

  if (stack != NULL)
    *stack = tb_agent_bpf_stacks_intern (&self->bpf->stacks, self->output, stack_id);
  tb_agent_put_event (self, cpu->number, out);
}

int
tb_agent_bpf_was_lost_outside (const TbAgent *self, uint64_t from, uint64_t to)
{
  return to < self->start_time || from > self->end_time;
}

int
tb_agent_bpf_is_outside (const TbAgent *self, uint64_t time)
{
  return time < self->start_time || time > self->end_time;
}

static int
may_emit_sleep (const TbAgent *self, const TbCaptureRecord *out, const TbAgentTaskView *prev)
{
  return strchr ("SDI", out->sched_switch.state) != NULL
         && (out->flags & TB_AGENT_UNKNOWN_TASK) == 0 && prev->tid != 0
         && (!self->target.is_filtered || prev->is_target);
}

static void
translate_switch (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfSwitch *in, size_t size)
{
  const TbBpfHeader *header = &in->header;
  TbAgentTaskView prev = { header->tid, header->pid, (header->flags & TB_BPF_IS_TARGET) != 0 };
  TbAgentTaskView next
      = { in->next_tid, in->next_pid, (header->flags & TB_BPF_OTHER_IS_TARGET) != 0 };
  TbCaptureRecord out = { .time = header->time, .type = TB_CAPTURE_SWITCH };
  int has_sleep = (header->flags & TB_BPF_HAS_SLEEP) != 0;
  const TbBpfSleep *sleep = has_sleep ? (const TbBpfSleep *) (in + 1) : NULL;
  size_t fixed = sizeof *in + (has_sleep ? sizeof *sleep : 0);

  if (size < fixed
      || !tb_agent_bpf_read_stack (self, &in->stack, (const uint8_t *) in + fixed, size - fixed)
      || tb_agent_bpf_is_outside (self, header->time))
    return;
  if (!self->target.is_filtered || prev.is_target)
    tb_agent_tasks_note_unannounced (self, prev.tid, prev.pid);
  if (!self->target.is_filtered || next.is_target)
    tb_agent_tasks_note_unannounced (self, next.tid, next.pid);
  out.sched_switch.next = in->next_tid;
  out.sched_switch.state = tb_agent_bpf_translate_state (in->state, in->exit_state,
                                                         (header->flags & TB_BPF_PREEMPTED) != 0);
  if (!tb_agent_filter_switch (self, &cpu->shown, &out, &prev, &next))
    return;
  if (may_emit_sleep (self, &out, &prev) && (has_sleep || (header->flags & TB_BPF_IS_KERNEL) != 0))
    out.sched_switch.sleep = tb_agent_bpf_translate_sleep (self, header, sleep);
  tb_agent_bpf_put_with_stack (self, cpu, &out, &prev, in->stack.id);
}

static void
translate_wakeup (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfWakeup *in, size_t size)
{
  const TbBpfHeader *header = &in->header;
  TbAgentTaskView waker = { header->tid, header->pid, (header->flags & TB_BPF_IS_TARGET) != 0 };
  TbAgentTaskView wakee
      = { in->wakee_tid, in->wakee_pid, (header->flags & TB_BPF_OTHER_IS_TARGET) != 0 };
  TbCaptureRecord out = { .time = header->time, .type = TB_CAPTURE_WAKEUP };

  if (size < sizeof *in
      || !tb_agent_bpf_read_stack (self, &in->stack, (const uint8_t *) (in + 1), size - sizeof *in)
      || tb_agent_bpf_is_outside (self, header->time))
    return;
  out.flags = tb_agent_bpf_translate_flags (header->flags)
              | ((header->flags & TB_BPF_FIRST_WAKEUP) != 0 ? TB_CAPTURE_WAKEUP_NEW : 0);
  out.wakeup.wakee = in->wakee_tid;
  if (tb_agent_filter_concerns_target (self, header->time, &waker, &wakee))
    tb_agent_bpf_put_with_stack (self, cpu, &out, &waker, in->stack.id);
}

static void
translate_fork (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfFork *in, size_t size)
{
  TbCaptureRecord out = { .time = in->header.time, .type = TB_CAPTURE_FORK };

  if (size < sizeof *in)
    return;
  /* The programs track the target's processes themselves. The agent needs them for processes that
   * begin and for listing files. */
  tb_agent_map_put (&self->target.processes, (uint64_t) in->new_tid, (uint64_t) in->new_pid);
  if (self->target.is_filtered && in->new_pid > 0)
    tb_agent_map_put (&self->target.pids, (uint64_t) in->new_pid, 1);
  if (tb_agent_bpf_is_outside (self, in->header.time))
    return;
  tb_agent_tasks_set_announced (self, in->new_tid);
  if (self->tasks.listing)
    tb_agent_map_put (&self->tasks.forked, (uint64_t) in->new_tid, 1);
  out.fork = (TbCaptureFork) { in->header.tid, in->header.pid, in->new_tid, in->new_pid };
  tb_agent_put_event (self, cpu->number, &out);
}

static void
translate_exit (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfHeader *in)
{
  TbCaptureRecord out = { .time = in->time, .type = TB_CAPTURE_EXIT };

  if (tb_agent_bpf_is_outside (self, in->time))
    return;
  if (self->tasks.listing && tb_agent_map_get (&self->tasks.forked, (uint64_t) in->tid) == NULL)
    tb_agent_map_put (&self->tasks.exited, (uint64_t) in->tid, (uint64_t) in->pid);
  out.exit = (TbCaptureExit) { in->tid, in->pid };
  tb_agent_put_event (self, cpu->number, &out);
}

static void
translate_name (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfName *in, size_t size)
{
  TbCaptureRecord out = { .time = in->header.time, .type = TB_CAPTURE_NAME };

  if (size < sizeof *in || tb_agent_bpf_is_outside (self, in->header.time))
    return;
  out.name.tid = in->header.tid;
  out.name.pid = in->header.pid;
  out.name.name
      = tb_agent_output_intern_string (self->output, in->name, strnlen (in->name, sizeof in->name));
  tb_agent_put_event (self, cpu->number, &out);
}

static void
translate_exec (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfExec *in, size_t size)
{
  TbCaptureRecord out = { .time = in->header.time, .type = TB_CAPTURE_EXEC };

  if (size < sizeof *in || tb_agent_bpf_is_outside (self, in->header.time))
    return;
  out.exec.tid = in->header.tid;
  out.exec.pid = in->header.pid;
  out.exec.program
      = tb_agent_output_intern_string (self->output, in->path, strnlen (in->path, sizeof in->path));
  tb_agent_map_put (&self->tasks.new_programs, (uint64_t) in->header.pid, in->header.time);
  tb_agent_address_map_forget (&self->bpf->places, in->header.pid);
  tb_agent_put_event (self, cpu->number, &out);
}

/* The time of entry is known unless it was before the programs were attached. */
static uint64_t
get_entered (const TbAgent *self, const TbBpfInterrupt *in)
{
  if (in->entered > in->header.time)
    return in->header.time;
  return in->entered == 0 || in->entered > self->start_time ? in->entered : self->start_time;
}

static void
translate_interrupt (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfInterrupt *in, size_t size)
{
  const TbBpfIrq *irq = (const TbBpfIrq *) in;
  TbCaptureRecord out = { .time = in->header.time };
  size_t length;

  if (size < sizeof *in || tb_agent_bpf_is_outside (self, in->header.time))
    return;
  if (in->header.type == TB_BPF_SOFTIRQ)
    {
      out.type = TB_CAPTURE_SOFTIRQ_EXIT;
      out.softirq.vector = in->number;
      out.softirq.entered = get_entered (self, in);
    }
  else
    {
      out.type = TB_CAPTURE_IRQ_EXIT;
      out.irq.irq = in->number;
      out.irq.kind = in->header.type == TB_BPF_TIMER ? TB_CAPTURE_IRQ_TIMER : TB_CAPTURE_IRQ_HARD;
      out.irq.entered = get_entered (self, in);
      if (in->header.type == TB_BPF_TIMER)
        out.irq.name = tb_agent_output_intern_string (self->output, "local timer", 11);
      else if (size >= sizeof *irq)
        {
          length = strnlen (irq->name, sizeof irq->name);
          out.irq.name = tb_agent_output_intern_string (self->output, irq->name, length);
          out.irq.device = tb_agent_devices_get_irq (self, irq->name, length);
        }
    }
  tb_agent_put_event (self, cpu->number, &out);
}

static void
translate_dump (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfDump *in, size_t size)
{
  TbAgentTaskView task
      = { in->header.tid, in->header.pid, (in->header.flags & TB_BPF_IS_TARGET) != 0 };
  TbCaptureRecord out = { .time = in->header.time, .type = TB_CAPTURE_DUMP, .cpu = cpu->number };

  if (in->size > size - sizeof *in || in->size > TB_CAPTURE_MAX_DUMP
      || in->skipped > TB_BPF_MAX_HOLE)
    {
      self->bpf->n_invalid++;
      return;
    }
  if (tb_agent_bpf_is_outside (self, out.time) || !tb_agent_filter_allows_stack (self, &task))
    return;
  tb_agent_stack_dumps_count (&self->dumps, task.tid, out.time,
                              in->size >= 8 ? TB_AGENT_DUMP_DONE : TB_AGENT_DUMP_EMPTY);
  if (in->size < 8)
    return;
  out.dump.registers = TB_BPF_DUMP_MASK;
  out.dump.tid = task.tid;
  out.dump.pid = task.pid;
  out.dump.skipped = in->skipped;
  out.tail = (const uint8_t *) in->registers;
  out.tail_length = (uint32_t) sizeof in->registers + (in->size & ~7u);
  tb_agent_output_put (self->output, &out);
}

static void
translate_lost (TbAgent *self, TbAgentBpfCpu *cpu, const TbBpfLost *in, size_t size)
{
  TbCaptureRecord out = { .time = in->header.time, .type = TB_CAPTURE_LOST, .cpu = cpu->number };

  if (size < sizeof *in || in->count == 0
      || tb_agent_bpf_was_lost_outside (self, in->from, in->header.time))
    return;
  self->n_lost += in->count;
  out.lost.count = in->count;
  /* A loss that goes on while the programs are detached is reported after the end of the
   * recording. */
  if (out.time > self->end_time)
    out.time = self->end_time;
  out.lost.from = in->from < out.time ? in->from : out.time;
  if (out.lost.from < self->start_time)
    out.lost.from = self->start_time;
  if (out.time < out.lost.from)
    out.time = out.lost.from;
  tb_agent_output_put (self->output, &out);
}

/* Minimum size of each record type. Records of other types are ignored. */
static const uint16_t least_sizes[TB_BPF_N_TYPES] = {
  [TB_BPF_LOST] = sizeof (TbBpfLost),          [TB_BPF_SWITCH] = sizeof (TbBpfSwitch),
  [TB_BPF_WAKEUP] = sizeof (TbBpfWakeup),      [TB_BPF_FORK] = sizeof (TbBpfFork),
  [TB_BPF_EXIT] = sizeof (TbBpfExit),          [TB_BPF_NAME] = sizeof (TbBpfName),
  [TB_BPF_EXEC] = sizeof (TbBpfExec),          [TB_BPF_IRQ] = sizeof (TbBpfInterrupt),
  [TB_BPF_TIMER] = sizeof (TbBpfInterrupt),    [TB_BPF_SOFTIRQ] = sizeof (TbBpfInterrupt),
  [TB_BPF_IO_INSERT] = sizeof (TbBpfIo),       [TB_BPF_IO_ISSUE] = sizeof (TbBpfIo),
  [TB_BPF_IO_COMPLETE] = sizeof (TbBpfIo),     [TB_BPF_FILE] = sizeof (TbBpfFile),
  [TB_BPF_NETWORK] = sizeof (TbBpfNetwork),    [TB_BPF_UNIX_NAMES] = sizeof (TbBpfUnixNames),
  [TB_BPF_SYS_ENTER] = sizeof (TbBpfSysEnter), [TB_BPF_SYS_EXIT] = sizeof (TbBpfSysExit),
  [TB_BPF_SYS_CALL] = sizeof (TbBpfSysCall),   [TB_BPF_SAMPLE] = sizeof (TbBpfSample),
  [TB_BPF_CALL] = sizeof (TbBpfCall),          [TB_BPF_RETURN] = sizeof (TbBpfCall),
  [TB_BPF_MARK] = sizeof (TbBpfMark),          [TB_BPF_DUMP] = sizeof (TbBpfDump),
  [TB_BPF_FILE_LOCK] = sizeof (TbBpfFileLock), [TB_BPF_UNKNOWN_FILE] = sizeof (TbBpfUnknownFile),
};

/* Where a record has a second thread, its id follows the header. */
static int
is_valid (const TbBpfHeader *header, size_t size)
{
  const int32_t *other = (const int32_t *) (header + 1);

  if (header->type >= TB_BPF_N_TYPES || size < least_sizes[header->type] || header->tid < 0
      || header->pid < 0)
    return 0;
  if (header->type != TB_BPF_SWITCH && header->type != TB_BPF_WAKEUP && header->type != TB_BPF_FORK)
    return 1;
  return other[0] >= 0 && other[1] >= 0
         && (header->type != TB_BPF_FORK || (other[0] > 0 && other[1] > 0));
}

void
tb_agent_bpf_translate (TbAgent *self, TbAgentBpfCpu *cpu, const uint8_t *record, size_t size)
{
  const TbBpfHeader *header = (const TbBpfHeader *) (const void *) record;

  if (size < sizeof *header || !is_valid (header, size))
    {
      self->bpf->n_invalid++;
      return;
    }
  if (header->type != TB_BPF_UNKNOWN_FILE)
    cpu->last_time = header->time;
  switch (header->type)
    {
    case TB_BPF_LOST:
      translate_lost (self, cpu, (const TbBpfLost *) header, size);
      break;
    case TB_BPF_SWITCH:
      translate_switch (self, cpu, (const TbBpfSwitch *) header, size);
      break;
    case TB_BPF_WAKEUP:
      translate_wakeup (self, cpu, (const TbBpfWakeup *) header, size);
      break;
    case TB_BPF_FORK:
      translate_fork (self, cpu, (const TbBpfFork *) header, size);
      break;
    case TB_BPF_EXIT:
      translate_exit (self, cpu, header);
      break;
    case TB_BPF_NAME:
      translate_name (self, cpu, (const TbBpfName *) header, size);
      break;
    case TB_BPF_EXEC:
      translate_exec (self, cpu, (const TbBpfExec *) header, size);
      break;
    case TB_BPF_IRQ:
    case TB_BPF_TIMER:
    case TB_BPF_SOFTIRQ:
      translate_interrupt (self, cpu, (const TbBpfInterrupt *) header, size);
      break;
    case TB_BPF_UNKNOWN_FILE:
      tb_agent_bpf_tables_note_unknown (self, (const TbBpfUnknownFile *) header);
      break;
    case TB_BPF_DUMP:
      translate_dump (self, cpu, (const TbBpfDump *) header, size);
      break;
    default:
      tb_agent_bpf_translate_source (self, cpu, header, size);
      break;
    }
}
