/* tb-agent-filter.c: filter of a recording that has a target: which events and switches are sent
 * because they belong to it, and with which thread and stack; names of the other threads in these
 * events; sending of an event, also of recordings without a target
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <string.h>

#include "agent/core/tb-agent-private.h"

/* Notes events at which a thread gets a stack or loses it. */
static void
note_stack (TbAgent *self, const TbCaptureRecord *record)
{
  if (record->type == TB_CAPTURE_FORK)
    tb_agent_stack_dumps_note_fork (&self->dumps, record->fork.new_tid);
  else if (record->type == TB_CAPTURE_EXEC)
    tb_agent_stack_dumps_note_exec (&self->dumps, record->exec.tid, record->time);
  else if (record->type == TB_CAPTURE_EXIT)
    tb_agent_stack_dumps_note_exit (&self->dumps, record->exit.tid, record->time);
}

void
tb_agent_put_event (TbAgent *self, uint16_t cpu, TbCaptureRecord *record)
{
  record->cpu = cpu;
  self->n_events++;
  if (self->start.dump_bytes != 0)
    note_stack (self, record);
  tb_agent_output_put (self->output, record);
}

/* Sends the name of a thread outside the target. No other record carries it. */
static void
send_outsider_name (TbAgent *self, uint64_t time, int32_t tid, int32_t pid)
{
  TbCaptureRecord record = { .time = time, .type = TB_CAPTURE_NAME, .cpu = TB_CAPTURE_CPU_NONE };
  char path[64], name[64];
  size_t length;
  FILE *file;

  if (tid <= 0 || tb_agent_map_get (&self->target.outsiders, (uint64_t) tid) != NULL)
    return;
  tb_agent_map_put (&self->target.outsiders, (uint64_t) tid, 1);
  snprintf (path, sizeof path, "/proc/%d/comm", tid);
  file = fopen (path, "re");
  if (file == NULL)
    return;
  length = fread (name, 1, sizeof name, file);
  fclose (file);
  if (length > 0 && name[length - 1] == '\n')
    length--;
  record.name.tid = tid;
  record.name.pid = pid;
  record.name.name = tb_agent_output_intern_string (self->output, name, length);
  tb_agent_output_put (self->output, &record);
}

int
tb_agent_filter_concerns_target (TbAgent *self,
                                 uint64_t time,
                                 const TbAgentTaskView *task,
                                 const TbAgentTaskView *other)
{
  if (!self->target.is_filtered)
    return 1;
  if (!task->is_target && !other->is_target)
    return 0;
  if (!task->is_target)
    send_outsider_name (self, time, task->tid, task->pid);
  if (!other->is_target)
    send_outsider_name (self, time, other->tid, other->pid);
  return 1;
}

/* A filtered recording leaves out switches between other threads, but each CPU must stay
 * consistent. A thread that runs after a target's thread is named and later leaves the CPU to an
 * unknown thread. A switch to a target's thread comes from the thread sent last, or from an unknown
 * one. */
int
tb_agent_filter_switch (TbAgent *self,
                        int32_t *shown,
                        TbCaptureRecord *record,
                        const TbAgentTaskView *prev,
                        const TbAgentTaskView *next)
{
  int was_shown = *shown == prev->tid;

  if (!self->target.is_filtered)
    return 1;
  if (!prev->is_target && !next->is_target)
    {
      *shown = -1;
      record->sched_switch.next = -1;
      return was_shown;
    }
  *shown = next->tid;
  if (!prev->is_target && was_shown)
    send_outsider_name (self, record->time, prev->tid, prev->pid);
  if (!next->is_target)
    send_outsider_name (self, record->time, next->tid, next->pid);
  if (!prev->is_target && !was_shown)
    record->flags |= TB_AGENT_UNKNOWN_TASK;
  return 1;
}

int
tb_agent_filter_allows_stack (const TbAgent *self, const TbAgentTaskView *task)
{
  if (task->tid == 0 || task->pid == self->own_pid)
    return 0;
  return !self->target.is_filtered || self->system_allowed || task->is_target;
}

/* tid and pid are adjacent in every record. */
static int32_t *
find_task (TbCaptureRecord *record, uint32_t **stack)
{
  switch (record->type)
    {
    case TB_CAPTURE_SWITCH:
      *stack = &record->sched_switch.stack;
      return &record->sched_switch.tid;
    case TB_CAPTURE_WAKEUP:
      *stack = &record->wakeup.stack;
      return &record->wakeup.tid;
    case TB_CAPTURE_EXEC:
      return &record->exec.tid;
    case TB_CAPTURE_IO_INSERT:
    case TB_CAPTURE_IO_ISSUE:
    case TB_CAPTURE_IO_COMPLETE:
      *stack = &record->io.stack;
      return &record->io.tid;
    case TB_CAPTURE_NETWORK:
      *stack = &record->network.stack;
      return &record->network.tid;
    case TB_CAPTURE_SYS_ENTER:
      *stack = &record->sys_enter.stack;
      return &record->sys_enter.tid;
    case TB_CAPTURE_SYS_EXIT:
      return &record->sys_exit.tid;
    case TB_CAPTURE_SYS_CALL:
      *stack = &record->sys_call.stack;
      return &record->sys_call.tid;
    case TB_CAPTURE_CALL:
    case TB_CAPTURE_RETURN:
      *stack = &record->call.stack;
      return &record->call.tid;
    case TB_CAPTURE_MARK:
      *stack = &record->mark.stack;
      return &record->mark.tid;
    case TB_CAPTURE_FILE_LOCK:
      return &record->file_lock.tid;
    case TB_CAPTURE_SAMPLE:
      *stack = &record->sample.stack;
      return &record->sample.tid;
    default:
      return NULL;
    }
}

uint32_t *
tb_agent_filter_set_task (const TbAgent *self, TbCaptureRecord *record, const TbAgentTaskView *task)
{
  uint32_t *stack = NULL;
  int32_t *place = find_task (record, &stack);

  if (place == NULL)
    return NULL;
  if ((record->flags & TB_AGENT_UNKNOWN_TASK) != 0
      || (self->target.is_filtered && !self->system_allowed && record->type >= TB_CAPTURE_IO_INSERT
          && record->type <= TB_CAPTURE_IO_COMPLETE && !task->is_target))
    {
      record->flags &= (uint16_t) ~TB_AGENT_UNKNOWN_TASK;
      place[0] = place[1] = -1;
      return NULL;
    }
  place[0] = task->tid;
  place[1] = task->pid;
  /* The stack of the interrupted thread is not the stack of the interrupt handler. */
  if ((record->flags & (TB_CAPTURE_IN_HARDIRQ | TB_CAPTURE_IN_SOFTIRQ)) != 0
      || !tb_agent_filter_allows_stack (self, task))
    return NULL;
  return stack;
}
