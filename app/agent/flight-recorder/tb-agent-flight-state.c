/* tb-agent-flight-state.c: definitions, threads and mappings from the records that a flight
 * recorder has dropped, sent before the kept records when it is saved
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>
#include <string.h>

#include "agent/flight-recorder/tb-agent-flight-state.h"
#include "capture/tb-capture-rewrite.h"

#define SLEEP_BYTES 64u
#define MIN_DEFINITIONS (64u << 10)

static uint64_t
get (const TbAgentMap *map, int32_t key)
{
  const uint64_t *value = key > 0 ? tb_agent_map_get (map, (uint64_t) key) : NULL;

  return value != NULL ? *value : 0;
}

static void
set (TbAgentMap *map, int32_t key, uint64_t value)
{
  if (key <= 0)
    return;
  if (value != 0)
    tb_agent_map_put (map, (uint64_t) key, value);
  else
    tb_agent_map_remove (map, (uint64_t) key);
}

static void
keep_definition (TbAgentFlightState *self, const void *data, size_t size)
{
  if (self->n_definitions + size > self->definitions_size)
    {
      self->definitions_size
          = self->definitions_size == 0 ? MIN_DEFINITIONS : self->definitions_size * 2;
      if (self->definitions_size < self->n_definitions + size)
        self->definitions_size = self->n_definitions + size;
      self->definitions = tb_agent_allocate (self->definitions, self->definitions_size);
    }
  memcpy (self->definitions + self->n_definitions, data, size);
  self->n_definitions += size;
}

static void
keep_sleep (TbAgentFlightState *self, uint32_t id, const void *data, size_t size)
{
  if (size > SLEEP_BYTES)
    return;
  if (self->sleeps == NULL)
    self->sleeps = tb_agent_allocate (NULL, (size_t) TB_CAPTURE_SLEEP_WINDOW * SLEEP_BYTES);
  memcpy (self->sleeps + (size_t) (id % TB_CAPTURE_SLEEP_WINDOW) * SLEEP_BYTES, data, size);
  self->last_sleep = id;
  if (self->first_sleep == 0)
    self->first_sleep = id;
  if (id - self->first_sleep >= TB_CAPTURE_SLEEP_WINDOW)
    self->first_sleep = id - TB_CAPTURE_SLEEP_WINDOW + 1;
}

/* Processes and their mappings */

static void
drop_space (TbAgentFlightState *self, int32_t pid)
{
  uint32_t index = (uint32_t) get (&self->spaces, pid);

  set (&self->spaces, pid, 0);
  while (index != 0)
    {
      TbAgentDroppedMapping *mapping = &self->mappings[index - 1];
      uint32_t next = mapping->next;

      mapping->next = self->free_mapping;
      self->free_mapping = index;
      index = next;
    }
}

static void
add_mapping (TbAgentFlightState *self, int32_t pid, const TbAgentDroppedMapping *from)
{
  uint32_t index = self->free_mapping;

  if (index != 0)
    self->free_mapping = self->mappings[index - 1].next;
  else
    {
      if ((self->n_mappings & (self->n_mappings + 1)) == 0)
        self->mappings = tb_agent_allocate (self->mappings, ((size_t) self->n_mappings + 1) * 2
                                                                * sizeof *self->mappings);
      index = ++self->n_mappings;
    }
  self->mappings[index - 1] = *from;
  self->mappings[index - 1].next = (uint32_t) get (&self->spaces, pid);
  set (&self->spaces, pid, index);
}

/* A mapping removes those that it covers. If it only splits one, the old entry stays: the newer
 * mapping is emitted later and takes precedence. */
static void
replace_mappings (TbAgentFlightState *self, const TbCaptureMapping *from)
{
  TbAgentDroppedMapping mapping = { from->start, from->size, from->offset, from->module, 0 };
  uint32_t *link, head = (uint32_t) get (&self->spaces, from->pid);

  if (from->pid <= 0)
    return;
  for (link = &head; *link != 0;)
    {
      TbAgentDroppedMapping *old = &self->mappings[*link - 1];
      uint32_t index = *link;

      if (old->start < mapping.start || old->start + old->size > mapping.start + mapping.size)
        {
          link = &old->next;
          continue;
        }
      *link = old->next;
      old->next = self->free_mapping;
      self->free_mapping = index;
    }
  set (&self->spaces, from->pid, head);
  add_mapping (self, from->pid, &mapping);
}

/* Reverses the list, so that the newest mapping comes last instead of first, or first again. */
static void
reverse_space (TbAgentFlightState *self, int32_t pid)
{
  uint32_t index = (uint32_t) get (&self->spaces, pid), reversed = 0;

  while (index != 0)
    {
      TbAgentDroppedMapping *mapping = &self->mappings[index - 1];
      uint32_t next = mapping->next;

      mapping->next = reversed;
      reversed = index;
      index = next;
    }
  set (&self->spaces, pid, reversed);
}

static void
inherit_space (TbAgentFlightState *self, int32_t parent, int32_t child)
{
  drop_space (self, child);
  for (uint32_t index = (uint32_t) get (&self->spaces, parent); index != 0;)
    {
      TbAgentDroppedMapping mapping = self->mappings[index - 1];

      index = mapping.next;
      add_mapping (self, child, &mapping);
    }
  reverse_space (self, child);
}

static void
end_task (TbAgentFlightState *self, int32_t tid)
{
  uint32_t index = (uint32_t) get (&self->by_tid, tid);
  TbAgentDroppedTask *task, *last;
  uint64_t n;

  if (index == 0)
    return;
  task = &self->tasks[index - 1];
  n = get (&self->threads, task->pid);
  if (!task->name_only && n <= 1)
    {
      drop_space (self, task->pid);
      set (&self->commands, task->pid, 0);
    }
  if (!task->name_only)
    set (&self->threads, task->pid, n > 0 ? n - 1 : 0);
  set (&self->by_tid, tid, 0);
  last = &self->tasks[--self->n_tasks];
  if (last == task)
    return;
  *task = *last;
  set (&self->by_tid, task->tid, index);
}

static void
begin_task (TbAgentFlightState *self, const TbAgentDroppedTask *task)
{
  if (task->tid <= 0)
    return;
  end_task (self, task->tid);
  if ((self->n_tasks & (self->n_tasks + 1)) == 0)
    self->tasks
        = tb_agent_allocate (self->tasks, ((size_t) self->n_tasks + 1) * 2 * sizeof *self->tasks);
  self->tasks[self->n_tasks++] = *task;
  set (&self->by_tid, task->tid, self->n_tasks);
  if (!task->name_only)
    set (&self->threads, task->pid, get (&self->threads, task->pid) + 1);
}

static void
fork_task (TbAgentFlightState *self, const TbCaptureFork *fork)
{
  uint32_t index = (uint32_t) get (&self->by_tid, fork->tid);
  TbAgentDroppedTask task = { .tid = fork->new_tid, .pid = fork->new_pid, .parent = fork->pid };

  if (index != 0)
    {
      task.name = self->tasks[index - 1].name;
      if (fork->pid == fork->new_pid)
        task.parent = self->tasks[index - 1].parent;
    }
  begin_task (self, &task);
  if (fork->pid == fork->new_pid)
    return;
  inherit_space (self, fork->pid, fork->new_pid);
  set (&self->commands, fork->new_pid, get (&self->commands, fork->pid));
}

static void
name_task (TbAgentFlightState *self, const TbCaptureName *name)
{
  uint32_t index = (uint32_t) get (&self->by_tid, name->tid);
  TbAgentDroppedTask task
      = { .tid = name->tid, .pid = name->pid, .name = name->name, .name_only = 1 };

  if (index != 0)
    self->tasks[index - 1].name = name->name;
  else
    begin_task (self, &task);
}

void
tb_agent_flight_state_add (TbAgentFlightState *self, const void *data)
{
  size_t size = tb_capture_rewrite_get_size (data);
  TbAgentDroppedTask task = { 0 };
  TbCaptureRecord record;

  tb_capture_rewrite_read (data, &record);
  if (record.time > self->last_time)
    self->last_time = record.time;
  switch (record.type)
    {
    case TB_CAPTURE_STRING:
    case TB_CAPTURE_MODULE:
    case TB_CAPTURE_DEVICE:
    case TB_CAPTURE_SYMBOL:
    case TB_CAPTURE_INTERFACE:
      keep_definition (self, data, size);
      break;
    case TB_CAPTURE_SLEEP:
      keep_sleep (self, record.sleep.id, data, size);
      break;
    case TB_CAPTURE_STACK:
      self->last_stack = record.stack.id;
      break;
    case TB_CAPTURE_TASK:
      task.tid = record.task.tid;
      task.pid = record.task.pid;
      task.parent = record.task.parent;
      task.name = record.task.name;
      begin_task (self, &task);
      break;
    case TB_CAPTURE_COMMAND:
      set (&self->commands, record.command.pid, record.command.text);
      break;
    case TB_CAPTURE_MAPPING:
      replace_mappings (self, &record.mapping);
      break;
    case TB_CAPTURE_FORK:
      fork_task (self, &record.fork);
      break;
    case TB_CAPTURE_EXIT:
      end_task (self, record.exit.tid);
      break;
    case TB_CAPTURE_NAME:
      name_task (self, &record.name);
      break;
    case TB_CAPTURE_EXEC:
      drop_space (self, record.exec.pid);
      set (&self->commands, record.exec.pid, 0);
      break;
    default:
      break;
    }
}

static void
emit_mappings (TbAgentFlightState *self,
               int32_t pid,
               uint64_t time,
               void (*put) (void *data, const TbCaptureRecord *record),
               void *data)
{
  TbCaptureRecord record = { .time = time, .type = TB_CAPTURE_MAPPING, .cpu = TB_CAPTURE_CPU_NONE };

  reverse_space (self, pid);
  for (uint32_t index = (uint32_t) get (&self->spaces, pid); index != 0;
       index = self->mappings[index - 1].next)
    {
      const TbAgentDroppedMapping *mapping = &self->mappings[index - 1];

      record.mapping = (TbCaptureMapping) { mapping->start, mapping->size, mapping->offset, pid,
                                            mapping->module };
      put (data, &record);
    }
  drop_space (self, pid);
}

static void
emit_task (TbAgentFlightState *self,
           const TbAgentDroppedTask *task,
           uint64_t time,
           void (*put) (void *data, const TbCaptureRecord *record),
           void *data)
{
  TbCaptureRecord record = { .time = time, .cpu = TB_CAPTURE_CPU_NONE };

  if (task->name_only)
    {
      record.type = TB_CAPTURE_NAME;
      record.name = (TbCaptureName) { task->tid, task->pid, task->name };
      put (data, &record);
      return;
    }
  record.type = TB_CAPTURE_TASK;
  record.task = (TbCaptureTask) { task->tid, task->pid, task->parent, task->name };
  put (data, &record);
  if (get (&self->commands, task->pid) != 0)
    {
      record.type = TB_CAPTURE_COMMAND;
      record.command
          = (TbCaptureCommand) { task->pid, (uint32_t) get (&self->commands, task->pid) };
      put (data, &record);
      set (&self->commands, task->pid, 0);
    }
  emit_mappings (self, task->pid, time, put, data);
}

uint32_t
tb_agent_flight_state_emit (TbAgentFlightState *self,
                            uint64_t time,
                            void (*put) (void *data, const TbCaptureRecord *record),
                            void (*put_encoded) (void *data, const void *bytes, size_t length),
                            void *data)
{
  uint32_t shift = self->first_sleep > 0 ? self->first_sleep - 1 : 0;

  put_encoded (data, self->definitions, self->n_definitions);
  for (uint32_t id = self->first_sleep; id != 0 && id <= self->last_sleep; id++)
    {
      uint8_t *sleep = self->sleeps + (size_t) (id % TB_CAPTURE_SLEEP_WINDOW) * SLEEP_BYTES;

      tb_capture_rewrite_renumber (sleep, 0, shift);
      put_encoded (data, sleep, tb_capture_rewrite_get_size (sleep));
    }
  for (uint32_t i = 0; i < self->n_tasks; i++)
    emit_task (self, &self->tasks[i], time, put, data);
  return shift;
}

void
tb_agent_flight_state_clear (TbAgentFlightState *self)
{
  free (self->definitions);
  free (self->sleeps);
  free (self->tasks);
  free (self->mappings);
  tb_agent_map_clear (&self->by_tid);
  tb_agent_map_clear (&self->threads);
  tb_agent_map_clear (&self->commands);
  tb_agent_map_clear (&self->spaces);
  *self = (TbAgentFlightState) { 0 };
}
