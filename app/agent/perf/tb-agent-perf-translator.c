/* tb-agent-perf-translator.c: translation of perf records (tracepoints, clock samples, stack
 * dumps, threads, mappings, losses) into records of the capture stream
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "agent/perf/tb-agent-perf-file-locks.h"
#include "agent/perf/tb-agent-perf-private.h"
#include "agent/perf/tb-agent-perf-sockets.h"

#ifndef PERF_RECORD_MISC_SWITCH_OUT_PREEMPT
#  define PERF_RECORD_MISC_SWITCH_OUT_PREEMPT (1 << 14)
#endif
#ifndef PERF_RECORD_MISC_MMAP_BUILD_ID
#  define PERF_RECORD_MISC_MMAP_BUILD_ID (1 << 14)
#endif

/* common_flags of tracepoints */
#define IN_HARDIRQ 0x08
#define IN_SOFTIRQ 0x10

/* Fields at the end of records that are no samples */
typedef struct
{
  int32_t pid;
  int32_t tid;
  uint64_t time;
  uint64_t id;
} Trailer;

static int32_t
read_i32 (const uint8_t *at)
{
  int32_t value;

  memcpy (&value, at, sizeof value);
  return value;
}

static uint64_t
read_u64 (const uint8_t *at)
{
  uint64_t value;

  memcpy (&value, at, sizeof value);
  return value;
}

static uint64_t
read_field (const TbAgent *self,
            TbAgentEvent event,
            unsigned field,
            const uint8_t *raw,
            size_t size)
{
  return tb_agent_field_read (&self->perf.setup[event].fields[field], raw, size);
}

static int
has_field (const TbAgent *self, TbAgentEvent event, unsigned field)
{
  return self->perf.setup[event].fields[field].size != 0;
}

static TbAgentTaskView
view_task (const TbAgent *self, int32_t tid, int32_t pid)
{
  return (TbAgentTaskView) {
    tid, pid, self->target.is_filtered && tb_agent_tasks_is_target (self, tid, pid)
  };
}

static uint16_t
translate_state (const TbAgent *self, uint64_t state)
{
  if (state == 0)
    return 'R';
  if (self->perf.state_preempted != 0 && (state & self->perf.state_preempted) != 0)
    return '+';
  /* The lowest bit decides where several are set. */
  for (int bit = 0; bit < 64; bit++)
    if ((state >> bit & 1) != 0 && self->perf.state_letters[bit] != 0)
      return (unsigned char) self->perf.state_letters[bit];
  return '?';
}

static int
translate_block (TbAgent *self,
                 TbAgentEvent event,
                 TbCaptureRecord *record,
                 const uint8_t *raw,
                 size_t size)
{
  const char *operation;
  size_t length;

  record->type = event == TB_AGENT_BLOCK_INSERT  ? TB_CAPTURE_IO_INSERT
                 : event == TB_AGENT_BLOCK_ISSUE ? TB_CAPTURE_IO_ISSUE
                                                 : TB_CAPTURE_IO_COMPLETE;
  record->io.sector
      = has_field (self, event, 1) ? read_field (self, event, 1, raw, size) : UINT64_MAX;
  record->io.bytes = has_field (self, event, 3) && event != TB_AGENT_BLOCK_COMPLETE
                         ? read_field (self, event, 3, raw, size)
                         : 0;
  /* A completion, and requests of some kinds, have only a number of sectors. */
  if (record->io.bytes == 0)
    record->io.bytes = read_field (self, event, 2, raw, size) * 512;
  operation = tb_agent_field_read_text (&self->perf.setup[event].fields[4], raw, size, &length);
  /* A flush has no sector: the kernel records 0 at issue and -1 at completion. A completion without
   * bytes that is no flush was only merged or waited for; the request never reached the device. */
  if (event == TB_AGENT_BLOCK_COMPLETE && record->io.sector == UINT64_MAX)
    record->io.sector = 0;
  if (event == TB_AGENT_BLOCK_COMPLETE && record->io.bytes == 0 && length > 0
      && operation[0] != 'F')
    return 0;
  record->io.operation = tb_agent_output_intern_string (self->output, operation, length);
  record->io.device
      = tb_agent_devices_get_block (self, (uint32_t) read_field (self, event, 0, raw, size));
  return 1;
}

static int
translate_interrupt (TbAgent *self,
                     TbAgentEvent event,
                     TbCaptureRecord *record,
                     const uint8_t *raw,
                     size_t size)
{
  const char *name;
  size_t length;

  switch ((int) event)
    {
    case TB_AGENT_IRQ_ENTRY:
      record->type = TB_CAPTURE_IRQ_ENTRY;
      name = tb_agent_field_read_text (&self->perf.setup[event].fields[1], raw, size, &length);
      record->irq.name = tb_agent_output_intern_string (self->output, name, length);
      record->irq.device = tb_agent_devices_get_irq (self, name, length);
      break;
    case TB_AGENT_IRQ_EXIT:
      record->type = TB_CAPTURE_IRQ_EXIT;
      break;
    case TB_AGENT_TIMER_ENTRY:
      record->type = TB_CAPTURE_IRQ_ENTRY;
      record->irq.kind = TB_CAPTURE_IRQ_TIMER;
      record->irq.name = tb_agent_output_intern_string (self->output, "local timer", 11);
      break;
    default:
      record->type = TB_CAPTURE_IRQ_EXIT;
      record->irq.kind = TB_CAPTURE_IRQ_TIMER;
      break;
    }
  record->irq.irq = (uint32_t) read_field (self, event, 0, raw, size);
  return 1;
}

static int
translate_syscall (TbAgent *self,
                   TbAgentEvent event,
                   TbCaptureRecord *record,
                   const uint8_t *raw,
                   size_t size,
                   int32_t tid,
                   int32_t pid)
{
  if (self->target.is_filtered && !tb_agent_tasks_is_target (self, tid, pid))
    return 0;
  if (event == TB_AGENT_SYS_ENTER)
    {
      TbAgentField argument = self->perf.setup[event].fields[1];
      unsigned count = argument.size / 6 == 4 || argument.size / 6 == 8 ? 6 : 0;

      record->type = TB_CAPTURE_SYS_ENTER;
      record->sys_enter.number = (uint32_t) read_field (self, event, 0, raw, size);
      argument.size /= 6;
      for (unsigned i = 0; i < count; i++, argument.offset += argument.size)
        record->sys_enter.args[i] = tb_agent_field_read (&argument, raw, size);
    }
  else
    {
      record->type = TB_CAPTURE_SYS_EXIT;
      record->sys_exit.number = (uint32_t) read_field (self, event, 0, raw, size);
      record->sys_exit.result = read_field (self, event, 1, raw, size);
    }
  return 1;
}

static void
note_unannounced (TbAgent *self, const TbAgentTaskView *task)
{
  if (!self->target.is_filtered || task->is_target)
    tb_agent_tasks_note_unannounced (self, task->tid, task->pid);
}

static int
translate_switch (TbAgent *self,
                  TbAgentRing *ring,
                  TbAgentEvent event,
                  TbCaptureRecord *record,
                  const uint8_t *raw,
                  size_t size,
                  const TbAgentTaskView *task)
{
  TbAgentTaskView next;

  record->type = TB_CAPTURE_SWITCH;
  record->sched_switch.next = (int32_t) read_field (self, event, 2, raw, size);
  record->sched_switch.state = translate_state (self, read_field (self, event, 1, raw, size));
  next = view_task (self, record->sched_switch.next, -1);
  if (task->tid != ring->running || self->tasks.unannounced.n_used > 0)
    note_unannounced (self, task);
  ring->running = record->sched_switch.next;
  note_unannounced (self, &next);
  return tb_agent_filter_switch (self, &ring->shown, record, task, &next);
}

static int
translate_wakeup (TbAgent *self,
                  TbAgentEvent event,
                  TbCaptureRecord *record,
                  const uint8_t *raw,
                  size_t size,
                  const TbAgentTaskView *task)
{
  TbAgentTaskView wakee;

  record->type = TB_CAPTURE_WAKEUP;
  record->wakeup.wakee = (int32_t) read_field (self, event, 0, raw, size);
  if (event == TB_AGENT_WAKEUP_NEW)
    record->flags |= TB_CAPTURE_WAKEUP_NEW;
  wakee = view_task (self, record->wakeup.wakee, -1);
  return tb_agent_filter_concerns_target (self, record->time, task, &wakee);
}

static int
translate_exec (TbAgent *self,
                TbAgentEvent event,
                TbCaptureRecord *record,
                const uint8_t *raw,
                size_t size,
                const TbAgentTaskView *task)
{
  const char *text;
  size_t length;

  if (self->target.is_filtered && !tb_agent_tasks_is_target (self, task->tid, task->pid))
    return 0;
  record->type = TB_CAPTURE_EXEC;
  text = tb_agent_field_read_text (&self->perf.setup[event].fields[0], raw, size, &length);
  record->exec.program = tb_agent_output_intern_string (self->output, text, length);
  tb_agent_map_put (&self->tasks.new_programs, (uint64_t) task->pid, record->time);
  return 1;
}

/* Fills in the event's own members; returns 0 if the event is not to be sent. */
static int
translate_tracepoint (TbAgent *self,
                      TbAgentRing *ring,
                      TbAgentEvent event,
                      TbCaptureRecord *record,
                      const uint8_t *raw,
                      size_t size,
                      int32_t tid,
                      int32_t pid)
{
  TbAgentTaskView task = view_task (self, tid, pid);

  switch ((int) event)
    {
    case TB_AGENT_SWITCH:
    case TB_AGENT_SWITCH_DUMPED:
      return translate_switch (self, ring, event, record, raw, size, &task);

    case TB_AGENT_WAKING:
    case TB_AGENT_WAKEUP_NEW:
      return translate_wakeup (self, event, record, raw, size, &task);

    case TB_AGENT_EXEC:
      return translate_exec (self, event, record, raw, size, &task);

    case TB_AGENT_IRQ_ENTRY:
    case TB_AGENT_IRQ_EXIT:
    case TB_AGENT_TIMER_ENTRY:
    case TB_AGENT_TIMER_EXIT:
      return translate_interrupt (self, event, record, raw, size);

    case TB_AGENT_SOFTIRQ_ENTRY:
    case TB_AGENT_SOFTIRQ_EXIT:
      record->type
          = event == TB_AGENT_SOFTIRQ_ENTRY ? TB_CAPTURE_SOFTIRQ_ENTRY : TB_CAPTURE_SOFTIRQ_EXIT;
      record->softirq.vector = (uint32_t) read_field (self, event, 0, raw, size);
      return 1;

    case TB_AGENT_BLOCK_INSERT:
    case TB_AGENT_BLOCK_ISSUE:
    case TB_AGENT_BLOCK_COMPLETE:
      return translate_block (self, event, record, raw, size);

    case TB_AGENT_SOCK_SEND:
    case TB_AGENT_SOCK_DATA_READY:
    case TB_AGENT_SOCK_STATE:
    case TB_AGENT_TCP_PROBE:
      tb_agent_sockets_translate (self, ring, event, record, raw, size);
      return record->type != 0
             && (!self->target.is_filtered || self->system_allowed
                 || tb_agent_tasks_is_target (self, tid, pid));

    case TB_AGENT_FLOCK:
    case TB_AGENT_FCNTL_LOCK:
      return (!self->target.is_filtered || tb_agent_tasks_is_target (self, tid, pid))
             && tb_agent_file_locks_translate (self, event, record, raw, size, pid);

    default:
      return translate_syscall (self, event, record, raw, size, tid, pid);
    }
}

/* Sets the thread that ran, with its stack. */
static void
set_context (TbAgent *self,
             TbCaptureRecord *record,
             int32_t tid,
             int32_t pid,
             const uint64_t *chain,
             size_t n_chain)
{
  TbAgentTaskView task = view_task (self, tid, pid);
  uint32_t *stack = tb_agent_filter_set_task (self, record, &task);

  if (stack != NULL && n_chain > 0)
    *stack = tb_agent_output_intern_stack (self->output, chain, n_chain);
}

/* Content of a sample record, in the order of the kernel */
typedef struct
{
  TbAgentEvent event;
  int32_t tid;
  int32_t pid;
  uint64_t time;
  uint64_t weight;
  uint64_t n_chain;
  const uint64_t *chain;
  const uint8_t *raw;
  size_t raw_size;
  const uint8_t *registers; /* NULL: no dump */
  const uint8_t *stack;
  size_t stack_size;
  TbAgentDumpEnd dump;
} Sample;

/* A kernel thread has no user registers. */
static void
read_dump (Sample *sample, const uint8_t *at, const uint8_t *end)
{
  const size_t registers_size = (size_t) __builtin_popcountll (TB_AGENT_DUMPED_REGISTERS) * 8;
  uint64_t room, got;

  if (end - at < 16 || read_u64 (at) == PERF_SAMPLE_REGS_ABI_NONE)
    return;
  sample->dump = TB_AGENT_DUMP_FOREIGN;
  if (read_u64 (at) != PERF_SAMPLE_REGS_ABI_64 || (size_t) (end - at) < 24 + registers_size)
    return;
  room = read_u64 (at + 8 + registers_size);
  if (room == 0 || room > (uint64_t) (end - at) - registers_size - 24)
    return;
  got = read_u64 (at + 16 + registers_size + room) & ~(uint64_t) 7;
  if (got == 0)
    sample->dump = TB_AGENT_DUMP_EMPTY;
  if (got == 0 || got > room || got > TB_CAPTURE_MAX_DUMP)
    return;
  sample->registers = at + 8;
  sample->stack = at + 16 + registers_size;
  sample->stack_size = got;
  sample->dump = TB_AGENT_DUMP_DONE;
}

/* Returns 0 if the record is cut off or of an unknown event. */
static int
read_sample (const TbAgent *self, const uint8_t *record, size_t size, Sample *sample)
{
  const uint8_t *at = record + sizeof (struct perf_event_header), *end = record + size;
  const TbAgentEventSetup *setup;
  const uint64_t *event;

  if (end - at < 24
      || (event = tb_agent_map_get (&self->perf.event_ids, read_u64 (at) + 1)) == NULL)
    return 0;
  sample->event = *event;
  setup = &self->perf.setup[*event];
  sample->pid = read_i32 (at + 8);
  sample->tid = read_i32 (at + 12);
  sample->time = read_u64 (at + 16);
  at += 24;
  sample->weight = setup->weight;
  if (sample->event == TB_AGENT_CLOCK && setup->weight == 0)
    {
      if (end - at < 8)
        return 0;
      sample->weight = read_u64 (at);
      at += 8;
    }
  if (setup->has_chain)
    {
      if (end - at < 8 || (sample->n_chain = read_u64 (at)) > (uint64_t) (end - at - 8) / 8)
        return 0;
      sample->chain = (const uint64_t *) (const void *) (at + 8);
      at += 8 + sample->n_chain * 8;
    }
  if (sample->event != TB_AGENT_CLOCK)
    {
      if (end - at < 4 || (uint32_t) read_i32 (at) > (uint64_t) (end - at - 4))
        return 0;
      sample->raw_size = (uint32_t) read_i32 (at);
      sample->raw = at + 4;
      at += 4 + sample->raw_size;
    }
  if (setup->has_dump)
    read_dump (sample, at, end);
  return 1;
}

/* Sends the dump before the record that it belongs to. A thread that has exited has no stack any
 * more. */
static void
put_dump (TbAgent *self, TbAgentRing *ring, const Sample *sample, const TbCaptureRecord *record)
{
  const size_t registers_size = (size_t) __builtin_popcountll (TB_AGENT_DUMPED_REGISTERS) * 8;
  TbCaptureRecord out = { .time = sample->time, .type = TB_CAPTURE_DUMP, .cpu = ring->cpu };
  TbAgentTaskView task = view_task (self, sample->tid, sample->pid);
  int has_ended
      = record->type == TB_CAPTURE_SWITCH && strchr ("XZ", record->sched_switch.state) != NULL;

  /* Memory of threads outside the target is not sent. */
  if (task.tid <= 0 || !tb_agent_filter_allows_stack (self, &task)
      || (self->target.is_filtered && !task.is_target))
    return;
  if (!has_ended)
    tb_agent_stack_dumps_count (&self->dumps, task.tid, sample->time, sample->dump);
  if (sample->registers == NULL)
    return;
  if (self->perf.dump == NULL)
    self->perf.dump = tb_agent_allocate (NULL, TB_CAPTURE_MAX_DUMP + registers_size);
  memcpy (self->perf.dump, sample->registers, registers_size);
  memcpy ((uint8_t *) self->perf.dump + registers_size, sample->stack, sample->stack_size);
  out.dump.registers = TB_AGENT_DUMPED_REGISTERS;
  out.dump.tid = task.tid;
  out.dump.pid = task.pid;
  out.tail = (const uint8_t *) self->perf.dump;
  out.tail_length = (uint32_t) (registers_size + sample->stack_size);
  tb_agent_output_put (self->output, &out);
}

static void
translate_clock (TbAgent *self, TbAgentRing *ring, const Sample *sample)
{
  TbCaptureRecord record = { .time = sample->time, .type = TB_CAPTURE_SAMPLE };

  if (sample->pid == self->own_pid || sample->tid == 0
      || (self->target.is_filtered && !tb_agent_tasks_is_target (self, sample->tid, sample->pid)))
    return;
  record.sample.weight = sample->weight;
  put_dump (self, ring, sample, &record);
  set_context (self, &record, sample->tid, sample->pid, sample->chain, sample->n_chain);
  tb_agent_put_event (self, ring->cpu, &record);
}

static void
translate_sample (TbAgent *self, TbAgentRing *ring, const uint8_t *record, size_t size)
{
  Sample sample = { 0 };
  TbCaptureRecord out = { 0 };
  const TbAgentEventSetup *setup;
  uint64_t flags;

  if (!read_sample (self, record, size, &sample))
    return;
  setup = &self->perf.setup[sample.event];
  ring->last_time = out.time = sample.time;
  if (out.time < self->start_time || out.time > self->end_time)
    return;
  if (sample.event == TB_AGENT_CLOCK)
    {
      translate_clock (self, ring, &sample);
      return;
    }
  /* At the end of a thread's exit perf has no id for it any more, but the tracepoint has. */
  if (sample.tid < 0)
    sample.tid = (int32_t) tb_agent_field_read (&setup->common_pid, sample.raw, sample.raw_size);
  flags = tb_agent_field_read (&setup->common_flags, sample.raw, sample.raw_size);
  out.flags = (uint16_t) (((flags & IN_HARDIRQ) != 0 ? TB_CAPTURE_IN_HARDIRQ : 0)
                          | ((flags & IN_SOFTIRQ) != 0 ? TB_CAPTURE_IN_SOFTIRQ : 0));
  if (!translate_tracepoint (self, ring, sample.event, &out, sample.raw, sample.raw_size,
                             sample.tid, sample.pid))
    return;
  put_dump (self, ring, &sample, &out);
  set_context (self, &out, sample.tid, sample.pid, sample.chain, sample.n_chain);
  tb_agent_put_event (self, ring->cpu, &out);
}

static void
translate_name (TbAgent *self,
                TbAgentRing *ring,
                const uint8_t *record,
                size_t size,
                uint16_t misc,
                uint64_t time)
{
  TbCaptureRecord out = { .time = time, .type = TB_CAPTURE_NAME };
  const char *name = (const char *) record + 16;
  size_t length = strnlen (name, size - 16);

  out.name.pid = read_i32 (record + 8);
  out.name.tid = read_i32 (record + 12);
  if (self->target.is_filtered && !tb_agent_tasks_is_target (self, out.name.tid, out.name.pid))
    return;
  out.name.name = tb_agent_output_intern_string (self->output, name, length);
  tb_agent_put_event (self, ring->cpu, &out);
  if ((misc & PERF_RECORD_MISC_COMM_EXEC) == 0 || self->perf.setup[TB_AGENT_EXEC].wanted)
    return;
  /* This record contains only the name of the new program. */
  tb_agent_map_put (&self->tasks.new_programs, (uint64_t) out.name.pid, time);
  out.type = TB_CAPTURE_EXEC;
  out.exec = (TbCaptureExec) { out.name.tid, out.name.pid, out.name.name };
  tb_agent_put_event (self, ring->cpu, &out);
}

static void
translate_mapping (TbAgent *self, const uint8_t *record, size_t size, uint16_t misc, uint64_t time)
{
  int32_t pid = read_i32 (record + 8);
  const uint8_t *build_id = NULL;
  size_t build_id_length = 0;
  const char *path = (const char *) record + 72;

  if (size < 72
      || (self->target.is_filtered
          && !tb_agent_tasks_is_target (self, read_i32 (record + 12), pid)))
    return;
  if (self->backend->mapping_changed != NULL)
    self->backend->mapping_changed (self, pid);
  if ((misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0)
    {
      build_id_length = record[40];
      build_id = record + 44;
    }
  tb_agent_modules_put_mapping (&self->modules, time, pid, read_u64 (record + 16),
                                read_u64 (record + 24), read_u64 (record + 32), path,
                                strnlen (path, size - 72), build_id, build_id_length);
}

static void
translate_fork (TbAgent *self, TbAgentRing *ring, const uint8_t *record)
{
  TbCaptureRecord out = { .type = TB_CAPTURE_FORK };

  out.fork.new_pid = read_i32 (record + 8);
  out.fork.pid = read_i32 (record + 12);
  out.fork.new_tid = read_i32 (record + 16);
  out.fork.tid = read_i32 (record + 20);
  out.time = read_u64 (record + 24);
  if (out.time < self->start_time || out.time > self->end_time)
    return;
  tb_agent_tasks_set_announced (self, out.fork.new_tid);
  if (self->tasks.listing)
    tb_agent_map_put (&self->tasks.forked, (uint64_t) out.fork.new_tid, 1);
  if (self->target.is_filtered
      && !tb_agent_tasks_is_target (self, out.fork.new_tid, out.fork.new_pid))
    return;
  tb_agent_put_event (self, ring->cpu, &out);
}

static void
translate_exit (TbAgent *self, TbAgentRing *ring, const uint8_t *record)
{
  TbCaptureRecord out = { .type = TB_CAPTURE_EXIT };

  out.exit.pid = read_i32 (record + 8);
  out.exit.tid = read_i32 (record + 16);
  out.time = read_u64 (record + 24);
  if (out.time < self->start_time || out.time > self->end_time)
    return;
  if (self->tasks.listing
      && tb_agent_map_get (&self->tasks.forked, (uint64_t) out.exit.tid) == NULL)
    tb_agent_map_put (&self->tasks.exited, (uint64_t) out.exit.tid, (uint64_t) out.exit.pid);
  if (self->target.is_filtered && !tb_agent_tasks_is_target (self, out.exit.tid, out.exit.pid))
    return;
  tb_agent_put_event (self, ring->cpu, &out);
}

static void
translate_lost (TbAgent *self, TbAgentRing *ring, uint64_t count, uint64_t time)
{
  TbCaptureRecord out = { .time = time, .type = TB_CAPTURE_LOST, .cpu = ring->cpu };

  ring->lost += count;
  self->n_lost += count;
  out.lost.count = count;
  if (out.time > self->end_time)
    out.time = self->end_time;
  out.lost.from = ring->last_time > self->start_time ? ring->last_time : self->start_time;
  if (out.time < out.lost.from)
    out.time = out.lost.from;
  tb_agent_output_put (self->output, &out);
}

/* Unprivileged recording of own processes: the kernel records only when a thread starts and stops
 * running. */
static void
translate_own_switch (TbAgent *self, TbAgentRing *ring, uint16_t misc, const Trailer *trailer)
{
  TbCaptureRecord out = { .time = trailer->time, .type = TB_CAPTURE_SWITCH };

  if ((misc & PERF_RECORD_MISC_SWITCH_OUT) != 0)
    {
      out.sched_switch.tid = trailer->tid;
      out.sched_switch.pid = trailer->pid;
      out.sched_switch.next = -1;
      out.sched_switch.state = (misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0 ? '+' : '?';
    }
  else
    {
      out.sched_switch.tid = out.sched_switch.pid = -1;
      out.sched_switch.next = trailer->tid;
      out.sched_switch.state = 'R';
    }
  tb_agent_put_event (self, ring->cpu, &out);
}

void
tb_agent_translate (TbAgent *self, TbAgentRing *ring, const uint8_t *record, size_t size)
{
  struct perf_event_header header;
  Trailer trailer = { 0 };

  memcpy (&header, record, sizeof header);
  if (header.type == PERF_RECORD_SAMPLE)
    {
      translate_sample (self, ring, record, size);
      return;
    }
  if (size < sizeof header + sizeof trailer)
    return;
  memcpy (&trailer, record + size - sizeof trailer, sizeof trailer);
  size -= sizeof trailer;
  if (header.type == PERF_RECORD_LOST && size >= 24)
    {
      translate_lost (self, ring, read_u64 (record + 16), trailer.time);
      ring->last_time = trailer.time;
      return;
    }
  ring->last_time = trailer.time;
  /* perf sends forks and exits together with mappings; BPF programs have already recorded those. */
  if (self->header.backend == TB_CAPTURE_BACKEND_BPF
      && (header.type == PERF_RECORD_FORK || header.type == PERF_RECORD_EXIT))
    return;
  if (header.type == PERF_RECORD_FORK && size >= 32)
    translate_fork (self, ring, record);
  else if (header.type == PERF_RECORD_EXIT && size >= 32)
    translate_exit (self, ring, record);
  if (trailer.time < self->start_time || trailer.time > self->end_time)
    return;
  if (header.type == PERF_RECORD_COMM && size > 16)
    translate_name (self, ring, record, size, header.misc, trailer.time);
  else if (header.type == PERF_RECORD_MMAP2)
    translate_mapping (self, record, size, header.misc, trailer.time);
  else if (header.type == PERF_RECORD_SWITCH)
    translate_own_switch (self, ring, header.misc, &trailer);
  else if (header.type == PERF_RECORD_THROTTLE)
    self->perf.n_throttled++;
}

void
tb_agent_translate_membership (TbAgent *self, const uint8_t *record, size_t size)
{
  struct perf_event_header header;
  int32_t pid, parent, tid;

  memcpy (&header, record, sizeof header);
  if (header.type != PERF_RECORD_FORK || size < 32)
    return;
  pid = read_i32 (record + 8);
  parent = read_i32 (record + 12);
  tid = read_i32 (record + 16);
  if (tid <= 0 || pid <= 0)
    return;
  tb_agent_map_put (&self->target.processes, (uint64_t) tid, (uint64_t) pid);
  if (pid == parent)
    return;
  /* Ids are reused: a process that a foreign process started under an old id does not belong to the
   * target. */
  if (parent > 0 && tb_agent_map_get (&self->target.pids, (uint64_t) parent) != NULL)
    tb_agent_map_put (&self->target.pids, (uint64_t) pid, 1);
  else
    tb_agent_map_remove (&self->target.pids, (uint64_t) pid);
}

void
tb_agent_translate_announcement (TbAgent *self, const uint8_t *record, size_t size)
{
  struct perf_event_header header;

  memcpy (&header, record, sizeof header);
  if (header.type == PERF_RECORD_FORK && size >= 32 && read_u64 (record + 24) >= self->start_time)
    tb_agent_tasks_set_announced (self, read_i32 (record + 16));
}
