/* tb-agent-translate.c: from records of perf rings to those of the capture stream
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "agent/tb-agent-private.h"

#ifndef PERF_RECORD_MISC_SWITCH_OUT_PREEMPT
#  define PERF_RECORD_MISC_SWITCH_OUT_PREEMPT (1 << 14)
#endif
#ifndef PERF_RECORD_MISC_MMAP_BUILD_ID
#  define PERF_RECORD_MISC_MMAP_BUILD_ID (1 << 14)
#endif

/* common_flags of tracepoints */
#define IN_HARDIRQ 0x08
#define IN_SOFTIRQ 0x10

/* What stands at the end of records that are no samples. */
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
read_field (const TbAgent *self, TbAgentEvent event, unsigned field, const uint8_t *raw, size_t size)
{
  return tb_agent_field_read (&self->setup[event].fields[field], raw, size);
}

static int
has_field (const TbAgent *self, TbAgentEvent event, unsigned field)
{
  return self->setup[event].fields[field].size != 0;
}

static TbAgentTaskView
view_task (const TbAgent *self, int32_t tid, int32_t pid)
{
  return (TbAgentTaskView) { tid, pid, self->filtered && tb_agent_tasks_is_target (self, tid, pid) };
}

static uint16_t
translate_state (const TbAgent *self, uint64_t state)
{
  if (state == 0)
    return 'R';
  if (self->state_preempted != 0 && (state & self->state_preempted) != 0)
    return '+';
  /* The lowest bit decides where several are set. */
  for (int bit = 0; bit < 64; bit++)
    if ((state >> bit & 1) != 0 && self->state_letters[bit] != 0)
      return (unsigned char) self->state_letters[bit];
  return '?';
}

static int
translate_block (TbAgent *self, TbAgentEvent event, TbCaptureRecord *record, const uint8_t *raw, size_t size)
{
  const char *operation;
  size_t length;

  record->type = event == TB_AGENT_BLOCK_INSERT  ? TB_CAPTURE_IO_INSERT
                 : event == TB_AGENT_BLOCK_ISSUE ? TB_CAPTURE_IO_ISSUE
                                                 : TB_CAPTURE_IO_COMPLETE;
  record->io.sector = has_field (self, event, 1) ? read_field (self, event, 1, raw, size) : UINT64_MAX;
  record->io.bytes = has_field (self, event, 3) && event != TB_AGENT_BLOCK_COMPLETE
                         ? read_field (self, event, 3, raw, size)
                         : 0;
  /* A completion, and requests of some kinds, tell sectors only. */
  if (record->io.bytes == 0)
    record->io.bytes = read_field (self, event, 2, raw, size) * 512;
  operation = tb_agent_field_read_text (&self->setup[event].fields[4], raw, size, &length);
  /* A flush has no sector: the kernel says 0 when it is issued and -1 when it completes. What completes without bytes and
   * is no flush itself only waited for one and was never given to the device. */
  if (event == TB_AGENT_BLOCK_COMPLETE && record->io.sector == UINT64_MAX)
    record->io.sector = 0;
  if (event == TB_AGENT_BLOCK_COMPLETE && record->io.bytes == 0 && length > 0 && operation[0] != 'F')
    return 0;
  record->io.operation = tb_agent_output_intern_string (self->output, operation, length);
  record->io.device = tb_agent_devices_get_block (self, (uint32_t) read_field (self, event, 0, raw, size));
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
      name = tb_agent_field_read_text (&self->setup[event].fields[1], raw, size, &length);
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
  if (self->filtered && !tb_agent_tasks_is_target (self, tid, pid))
    return 0;
  if (event == TB_AGENT_SYS_ENTER)
    {
      TbAgentField argument = self->setup[event].fields[1];
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
  if (!self->filtered || task->is_target)
    tb_agent_tasks_note_unannounced (self, task->tid, task->pid);
}

/* Fills in what is not in every event; 0 if it is not to be sent. */
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
  TbAgentTaskView task = view_task (self, tid, pid), other;
  const char *text;
  size_t length;

  switch ((int) event)
    {
    case TB_AGENT_SWITCH:
      record->type = TB_CAPTURE_SWITCH;
      record->sched_switch.next = (int32_t) read_field (self, event, 2, raw, size);
      record->sched_switch.state = translate_state (self, read_field (self, event, 1, raw, size));
      other = view_task (self, record->sched_switch.next, -1);
      if (tid != ring->running || self->unannounced.n_used > 0)
        note_unannounced (self, &task);
      ring->running = record->sched_switch.next;
      note_unannounced (self, &other);
      return tb_agent_filter_switch (self, &ring->shown, record, &task, &other);

    case TB_AGENT_WAKING:
    case TB_AGENT_WAKEUP_NEW:
      record->type = TB_CAPTURE_WAKEUP;
      record->wakeup.wakee = (int32_t) read_field (self, event, 0, raw, size);
      if (event == TB_AGENT_WAKEUP_NEW)
        record->flags |= TB_CAPTURE_WAKEUP_NEW;
      other = view_task (self, record->wakeup.wakee, -1);
      return tb_agent_filter_concerns_target (self, record->time, &task, &other);

    case TB_AGENT_EXEC:
      if (self->filtered && !tb_agent_tasks_is_target (self, tid, pid))
        return 0;
      record->type = TB_CAPTURE_EXEC;
      text = tb_agent_field_read_text (&self->setup[event].fields[0], raw, size, &length);
      record->exec.program = tb_agent_output_intern_string (self->output, text, length);
      tb_agent_map_put (&self->new_programs, (uint64_t) pid, record->time);
      return 1;

    case TB_AGENT_IRQ_ENTRY:
    case TB_AGENT_IRQ_EXIT:
    case TB_AGENT_TIMER_ENTRY:
    case TB_AGENT_TIMER_EXIT:
      return translate_interrupt (self, event, record, raw, size);

    case TB_AGENT_SOFTIRQ_ENTRY:
    case TB_AGENT_SOFTIRQ_EXIT:
      record->type = event == TB_AGENT_SOFTIRQ_ENTRY ? TB_CAPTURE_SOFTIRQ_ENTRY : TB_CAPTURE_SOFTIRQ_EXIT;
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
             && (!self->filtered || self->system_allowed || tb_agent_tasks_is_target (self, tid, pid));

    default:
      return translate_syscall (self, event, record, raw, size, tid, pid);
    }
}

/* Who ran, and with which stack. */
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

static void
translate_clock (TbAgent *self,
                 TbAgentRing *ring,
                 uint64_t time,
                 int32_t tid,
                 int32_t pid,
                 uint64_t weight,
                 const uint64_t *chain,
                 size_t n_chain)
{
  TbCaptureRecord record = { .time = time, .type = TB_CAPTURE_SAMPLE };

  if (pid == self->own_pid || tid == 0 || (self->filtered && !tb_agent_tasks_is_target (self, tid, pid)))
    return;
  record.sample.weight = weight;
  set_context (self, &record, tid, pid, chain, n_chain);
  tb_agent_put_event (self, ring->cpu, &record);
}

static void
translate_sample (TbAgent *self, TbAgentRing *ring, const uint8_t *record, size_t size)
{
  const uint8_t *at = record + sizeof (struct perf_event_header), *end = record + size;
  TbCaptureRecord out = { 0 };
  const uint64_t *event_value, *chain = NULL;
  uint64_t n_chain = 0, weight = 0;
  const TbAgentEventSetup *setup;
  TbAgentEvent event;
  int32_t tid, pid;

  if (end - at < 24 || (event_value = tb_agent_map_get (&self->event_ids, read_u64 (at) + 1)) == NULL)
    return;
  event = *event_value;
  setup = &self->setup[event];
  pid = read_i32 (at + 8);
  tid = read_i32 (at + 12);
  out.time = read_u64 (at + 16);
  at += 24;
  ring->last_time = out.time;
  if (out.time < self->start_time || out.time > self->end_time)
    return;
  if (event == TB_AGENT_CLOCK)
    {
      weight = setup->weight;
      if (weight == 0)
        {
          if (end - at < 8)
            return;
          weight = read_u64 (at);
          at += 8;
        }
    }
  if (setup->has_chain)
    {
      if (end - at < 8 || (n_chain = read_u64 (at)) > (uint64_t) (end - at - 8) / 8)
        return;
      chain = (const uint64_t *) (const void *) (at + 8);
      at += 8 + n_chain * 8;
    }
  if (event == TB_AGENT_CLOCK)
    {
      translate_clock (self, ring, out.time, tid, pid, weight, chain, n_chain);
      return;
    }

  if (end - at < 4 || (uint32_t) read_i32 (at) > (uint64_t) (end - at - 4))
    return;
  size = (uint32_t) read_i32 (at);
  at += 4;
  /* In the last moments of a thread perf has no number for it any more, the tracepoint has. */
  if (tid < 0)
    tid = (int32_t) tb_agent_field_read (&setup->common_pid, at, size);
  weight = tb_agent_field_read (&setup->common_flags, at, size);
  out.flags = (uint16_t) (((weight & IN_HARDIRQ) != 0 ? TB_CAPTURE_IN_HARDIRQ : 0)
                          | ((weight & IN_SOFTIRQ) != 0 ? TB_CAPTURE_IN_SOFTIRQ : 0));
  if (!translate_tracepoint (self, ring, event, &out, at, size, tid, pid))
    return;
  set_context (self, &out, tid, pid, chain, n_chain);
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
  if (self->filtered && !tb_agent_tasks_is_target (self, out.name.tid, out.name.pid))
    return;
  out.name.name = tb_agent_output_intern_string (self->output, name, length);
  tb_agent_put_event (self, ring->cpu, &out);
  if ((misc & PERF_RECORD_MISC_COMM_EXEC) == 0 || self->setup[TB_AGENT_EXEC].wanted)
    return;
  /* Nothing but its name is known of the new program. */
  tb_agent_map_put (&self->new_programs, (uint64_t) out.name.pid, time);
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

  if (size < 72 || (self->filtered && !tb_agent_tasks_is_target (self, read_i32 (record + 12), pid)))
    return;
  tb_agent_bpf_note_mapping (self, pid);
  if ((misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0)
    {
      build_id_length = record[40];
      build_id = record + 44;
    }
  tb_agent_modules_put_mapping (&self->modules, time, pid, read_u64 (record + 16), read_u64 (record + 24),
                                read_u64 (record + 32), path, strnlen (path, size - 72), build_id,
                                build_id_length);
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
  if (self->listing)
    tb_agent_map_put (&self->forked, (uint64_t) out.fork.new_tid, 1);
  if (self->filtered && !tb_agent_tasks_is_target (self, out.fork.new_tid, out.fork.new_pid))
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
  if (self->listing && tb_agent_map_get (&self->forked, (uint64_t) out.exit.tid) == NULL)
    tb_agent_map_put (&self->exited, (uint64_t) out.exit.tid, (uint64_t) out.exit.pid);
  if (self->filtered && !tb_agent_tasks_is_target (self, out.exit.tid, out.exit.pid))
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
  out.lost.from = ring->last_time > self->start_time ? ring->last_time : self->start_time;
  if (out.time < out.lost.from)
    out.time = out.lost.from;
  tb_agent_output_put (self->output, &out);
}

/* Own processes without privilege: the kernel says when a thread starts and stops, nothing more. */
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
  /* With mappings perf tells of forks and exits too; beside BPF programs these were told already. */
  if (self->header.facility == TB_CAPTURE_FACILITY_BPF
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
    self->n_throttled++;
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
  tb_agent_map_put (&self->processes, (uint64_t) tid, (uint64_t) pid);
  if (pid == parent)
    return;
  /* Numbers are used again: a process that somebody else started under an old number is nobody's. */
  if (parent > 0 && tb_agent_map_get (&self->targets, (uint64_t) parent) != NULL)
    tb_agent_map_put (&self->targets, (uint64_t) pid, 1);
  else
    tb_agent_map_remove (&self->targets, (uint64_t) pid);
}

void
tb_agent_translate_announcement (TbAgent *self, const uint8_t *record, size_t size)
{
  struct perf_event_header header;

  memcpy (&header, record, sizeof header);
  if (header.type == PERF_RECORD_FORK && size >= 32 && read_u64 (record + 24) >= self->start_time)
    tb_agent_tasks_set_announced (self, read_i32 (record + 16));
}
