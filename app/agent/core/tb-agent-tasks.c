/* tb-agent-tasks.c: processes and threads in /proc: check whether the target may be recorded, its
 * processes and their threads, threads that exist at the start and command lines, sent as records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/tb-agent-cgroup.h"
#include "agent/core/tb-agent-private.h"

#define MAX_COMMAND 4096
/* Threads that start during the listing of the target's threads are found in the next pass. */
#define MAX_PASSES 8
#define MAX_TID (1 << 22) /* the kernel's PID_MAX_LIMIT */

typedef struct
{
  int32_t tid;
  int32_t pid;
  int32_t parent;
  uint32_t name;
} Task;

typedef void (*TaskFunc) (TbAgent *self, int32_t tid, int32_t pid, void *data);

static int32_t
parse_number (const char *name)
{
  char *end;
  long number;

  if (!isdigit ((unsigned char) name[0]))
    return -1;
  number = strtol (name, &end, 10);
  return *end == '\0' && number > 0 && number <= INT32_MAX ? (int32_t) number : -1;
}

static void
for_each_thread_of (TbAgent *self, int32_t pid, TaskFunc visit, void *data)
{
  char path[64];
  struct dirent *entry;
  DIR *folder;

  snprintf (path, sizeof path, "/proc/%d/task", pid);
  folder = opendir (path);
  if (folder == NULL)
    return;
  while ((entry = readdir (folder)) != NULL)
    {
      int32_t tid = parse_number (entry->d_name);

      if (tid > 0)
        visit (self, tid, pid, data);
    }
  closedir (folder);
}

static void
for_each_process (TbAgent *self, TaskFunc visit, void *data)
{
  struct dirent *entry;
  DIR *folder = opendir ("/proc");

  if (folder == NULL)
    return;
  while ((entry = readdir (folder)) != NULL)
    {
      int32_t pid = parse_number (entry->d_name);

      if (pid > 0)
        visit (self, pid, pid, data);
    }
  closedir (folder);
}

static int
read_stat (TbAgent *self, int32_t tid, int32_t pid, Task *task)
{
  char path[64], text[1024], *open, *close;
  size_t length;
  FILE *file;

  snprintf (path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
  file = fopen (path, "re");
  if (file == NULL)
    return 0;
  length = fread (text, 1, sizeof text - 1, file);
  fclose (file);
  text[length] = '\0';
  /* The name may contain any character, also parentheses. */
  open = strchr (text, '(');
  close = strrchr (text, ')');
  if (open == NULL || close == NULL || close < open || strlen (close) < 5)
    return 0;
  *task = (Task) { .tid = tid, .pid = pid, .parent = (int32_t) strtol (close + 4, NULL, 10) };
  task->name = tb_agent_output_intern_string (self->output, open + 1, close - open - 1);
  return 1;
}

static int64_t
read_owner (int32_t pid)
{
  char path[64], line[256];
  long long real, effective, saved;
  int64_t owner = -1;
  FILE *file;

  snprintf (path, sizeof path, "/proc/%d/status", pid);
  file = fopen (path, "re");
  if (file == NULL)
    return -1;
  while (fgets (line, sizeof line, file) != NULL)
    if (sscanf (line, "Uid: %lld %lld %lld", &real, &effective, &saved) == 3)
      {
        owner = real == effective && real == saved ? real : -1;
        break;
      }
  fclose (file);
  return owner;
}

int
tb_agent_tasks_is_target (const TbAgent *self, int32_t tid, int32_t pid)
{
  const uint64_t *process;

  if (pid <= 0)
    {
      process = tid > 0 ? tb_agent_map_get (&self->target.processes, (uint64_t) tid) : NULL;
      if (process == NULL)
        return 0;
      pid = (int32_t) *process;
    }
  return tb_agent_map_get (&self->target.pids, (uint64_t) pid) != NULL;
}

/* The target cannot be recorded; explains why the backend that could record it is not used. */
static void
explain_by_refusal (TbAgent *self, TbCaptureStatusCode code, TbCaptureMessage *why)
{
  const TbCaptureMessage *refusal = tb_agent_refusals_get_last (self);

  TB_CAPTURE_SET_MESSAGE (why, code, refusal != NULL ? (int) refusal->error : 0);
  tb_capture_message_add_cause (why, refusal);
}

static int
check_cgroup (TbAgent *self, TbCaptureMessage *why)
{
  if (!self->system_allowed)
    TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_CGROUP_NOT_AUTHORIZED, 0);
  else if (self->header.backend != TB_CAPTURE_BACKEND_BPF)
    explain_by_refusal (self, TB_CAPTURE_CODE_CGROUP_NEEDS_BPF, why);
  else if ((self->target.cgroup_level
            = tb_agent_cgroup_find (NULL, self->start.cgroup, self->target.cgroup,
                                    sizeof self->target.cgroup))
           < 0)
    TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NO_SUCH_CGROUP, 0,
                            TB_CAPTURE_NUMBER (self->start.cgroup));
  else
    return 0;
  return -1;
}

int
tb_agent_tasks_belongs_to_caller (const TbAgent *self, int32_t pid)
{
  return self->system_allowed || read_owner (pid) == self->user;
}

int
tb_agent_tasks_check_target (TbAgent *self, TbCaptureMessage *why)
{
  char path[64];

  self->target.is_filtered
      = (self->start.scope != TB_CAPTURE_SCOPE_SYSTEM || self->start.cgroup != 0)
        && self->header.backend != TB_CAPTURE_BACKEND_OWN;
  if (self->start.cgroup != 0)
    return check_cgroup (self, why);
  if (self->start.scope == TB_CAPTURE_SCOPE_SYSTEM)
    {
      if (!self->system_allowed)
        TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_SYSTEM_NOT_AUTHORIZED, 0);
      else if (self->header.backend == TB_CAPTURE_BACKEND_OWN)
        explain_by_refusal (self, TB_CAPTURE_CODE_SYSTEM_NOT_POSSIBLE, why);
      else
        return 0;
      return -1;
    }
  snprintf (path, sizeof path, "/proc/%d/task", self->start.pid);
  if (self->start.pid <= 0 || access (path, R_OK | X_OK) != 0)
    {
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_NO_SUCH_PROCESS, 0,
                              TB_CAPTURE_SIGNED_NUMBER (self->start.pid));
      return -1;
    }
  if (!tb_agent_tasks_belongs_to_caller (self, self->start.pid))
    {
      TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_FOREIGN_PROCESS, 0,
                              TB_CAPTURE_SIGNED_NUMBER (self->start.pid));
      return -1;
    }
  return 0;
}

typedef struct
{
  int32_t *pids; /* child, parent, child, parent, … */
  size_t n;
  int changed;
} Family;

static void
note_parent (TbAgent *self, int32_t tid, int32_t pid, void *data)
{
  Family *family = data;
  Task task;

  if (!read_stat (self, tid, pid, &task))
    return;
  if ((family->n & (family->n + 1)) == 0)
    family->pids = tb_agent_allocate (family->pids, (family->n + 1) * 4 * sizeof *family->pids);
  family->pids[family->n * 2] = task.pid;
  family->pids[family->n * 2 + 1] = task.parent;
  family->n++;
}

static void
add_target (TbAgent *self, int32_t pid)
{
  tb_agent_map_put (&self->target.pids, (uint64_t) pid, 1);
  if (self->backend->target_changed != NULL)
    self->backend->target_changed (self, pid, 1);
}

static void
remove_target (TbAgent *self, int32_t pid)
{
  tb_agent_map_remove (&self->target.pids, (uint64_t) pid);
  if (self->backend->target_changed != NULL)
    self->backend->target_changed (self, pid, 0);
}

static void
add_member (int32_t pid, void *data)
{
  add_target (data, pid);
}

/* Finds the target and all its current descendants. */
static void
find_targets (TbAgent *self)
{
  Family family = { 0 };

  if (self->start.cgroup != 0)
    {
      tb_agent_cgroup_for_each_process (self->target.cgroup, add_member, self);
      return;
    }
  add_target (self, self->start.pid);
  for_each_process (self, note_parent, &family);
  do
    {
      family.changed = 0;
      for (size_t i = 0; i < family.n; i++)
        if (family.pids[i * 2 + 1] > 0
            && tb_agent_map_get (&self->target.pids, (uint64_t) family.pids[i * 2 + 1]) != NULL
            && tb_agent_map_get (&self->target.pids, (uint64_t) family.pids[i * 2]) == NULL)
          {
            add_target (self, family.pids[i * 2]);
            family.changed = 1;
          }
    }
  while (family.changed);
  free (family.pids);
}

typedef struct
{
  void (*visit) (TbAgent *self, int32_t tid, void *data);
  void *data;
  TbAgentMap seen;
  int found;
} TargetThreads;

static void
visit_new_thread (TbAgent *self, int32_t tid, int32_t pid, void *data)
{
  TargetThreads *threads = data;

  if (tb_agent_map_get (&threads->seen, (uint64_t) tid) != NULL)
    return;
  tb_agent_map_put (&threads->seen, (uint64_t) tid, 1);
  threads->found = 1;
  threads->visit (self, tid, threads->data);
}

static void
visit_target_process (TbAgent *self, int32_t tid, int32_t pid, void *data)
{
  if (tb_agent_map_get (&self->target.pids, (uint64_t) pid) != NULL)
    for_each_thread_of (self, pid, visit_new_thread, data);
}

void
tb_agent_tasks_for_each_target_thread (TbAgent *self,
                                       void (*visit) (TbAgent *self, int32_t tid, void *data),
                                       void *data)
{
  TargetThreads threads = { visit, data, { 0 }, 1 };

  for (int pass = 0; pass < MAX_PASSES && threads.found; pass++)
    {
      threads.found = 0;
      find_targets (self);
      for_each_process (self, visit_target_process, &threads);
    }
  tb_agent_map_clear (&threads.seen);
}

static void
note_thread (TbAgent *self, int32_t tid, int32_t pid, void *data)
{
  tb_agent_map_put (data, (uint64_t) tid, (uint64_t) pid);
}

static void
note_process (TbAgent *self, int32_t tid, int32_t pid, void *data)
{
  for_each_thread_of (self, pid, note_thread, data);
}

/* To be called before the events are enabled. Notes the current threads, so that those which end
 * before they are listed are known. */
void
tb_agent_tasks_note_existing (TbAgent *self)
{
  self->tasks.announced = tb_agent_allocate (self->tasks.announced, MAX_TID / 8);
  memset (self->tasks.announced, 0, MAX_TID / 8);
  /* BPF programs record the process of every thread. */
  if (self->header.backend != TB_CAPTURE_BACKEND_BPF)
    for_each_process (self, note_process, &self->target.processes);
  if (self->target.is_filtered)
    find_targets (self);
}

static void
put_command (TbAgent *self, uint64_t time, int32_t pid)
{
  TbCaptureRecord record = { .time = time, .type = TB_CAPTURE_COMMAND, .cpu = TB_CAPTURE_CPU_NONE };
  char path[64], text[MAX_COMMAND];
  size_t length;
  FILE *file;

  snprintf (path, sizeof path, "/proc/%d/cmdline", pid);
  file = fopen (path, "re");
  if (file == NULL)
    return;
  length = fread (text, 1, sizeof text, file);
  fclose (file);
  while (length > 0 && text[length - 1] == '\0')
    length--;
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\0')
      text[i] = ' ';
  if (length == 0)
    return;
  record.command.pid = pid;
  record.command.text = tb_agent_output_intern_string (self->output, text, length);
  tb_agent_output_put (self->output, &record);
}

void
tb_agent_tasks_put_commands (TbAgent *self)
{
  for (size_t i = 0; i < self->tasks.new_programs.n_slots; i++)
    {
      int32_t pid = (int32_t) self->tasks.new_programs.entries[i].key;

      if (pid <= 0)
        continue;
      put_command (self, self->tasks.new_programs.entries[i].value, pid);
      /* A program that runs as another user no longer belongs to the caller. */
      if (!self->system_allowed && read_owner (pid) != self->user)
        remove_target (self, pid);
    }
  tb_agent_map_clear (&self->tasks.new_programs);
}

typedef struct
{
  Task *tasks;
  size_t n;
  uint64_t last_drain;
} Listing;

/* Drains the rings during a long listing, so that no events are lost. */
static void
drain_if_due (TbAgent *self, Listing *listing)
{
  uint64_t now = tb_agent_now ();

  if (now - listing->last_drain < 10000000u)
    return;
  listing->last_drain = now;
  self->backend->drain (self);
}

static void
list_thread (TbAgent *self, int32_t tid, int32_t pid, void *data)
{
  Listing *listing = data;
  Task task;

  if (!read_stat (self, tid, pid, &task))
    return;
  if ((listing->n & (listing->n + 1)) == 0)
    listing->tasks
        = tb_agent_allocate (listing->tasks, (listing->n + 1) * 2 * sizeof *listing->tasks);
  listing->tasks[listing->n++] = task;
  drain_if_due (self, listing);
}

static void
list_process (TbAgent *self, int32_t tid, int32_t pid, void *data)
{
  if (self->target.is_filtered || self->header.backend == TB_CAPTURE_BACKEND_OWN)
    if (tb_agent_map_get (&self->target.pids, (uint64_t) pid) == NULL)
      return;
  for_each_thread_of (self, pid, list_thread, data);
}

void
tb_agent_tasks_set_announced (TbAgent *self, int32_t tid)
{
  if (tid > 0 && tid < MAX_TID)
    self->tasks.announced[tid / 8] |= (uint8_t) (1u << (tid % 8));
}

int
tb_agent_tasks_is_announced (const TbAgent *self, int32_t tid)
{
  return tid <= 0 || tid >= MAX_TID || (self->tasks.announced[tid / 8] >> (tid % 8) & 1) != 0;
}

static void
put_task (TbAgent *self, const Task *task)
{
  TbCaptureRecord record
      = { .time = self->flushed, .type = TB_CAPTURE_TASK, .cpu = TB_CAPTURE_CPU_NONE };

  tb_agent_tasks_set_announced (self, task->tid);
  record.task = (TbCaptureTask) { task->tid, task->pid, task->parent, task->name };
  tb_agent_output_put (self->output, &record);
}

/* To be called after the events are enabled. A thread existed at the start if it is listed and no
 * fork of it was recorded, or if only its exit was recorded. */
void
tb_agent_tasks_put_existing (TbAgent *self)
{
  Listing listing = { .last_drain = tb_agent_now () };
  TbAgentMap listed = { 0 }, exited;

  self->tasks.listing = 1;
  for_each_process (self, list_process, &listing);
  self->backend->drain (self);
  /* An exit may have been read before the fork of the same thread, whose ring was read only up to
   * an earlier time. */
  exited = self->tasks.exited;
  memset (&self->tasks.exited, 0, sizeof self->tasks.exited);
  self->backend->drain (self);
  self->tasks.listing = 0;

  for (size_t i = 0; i < listing.n; i++)
    {
      const Task *task = &listing.tasks[i];

      tb_agent_map_put (&listed, (uint64_t) task->tid, 1);
      tb_agent_map_put (&self->target.processes, (uint64_t) task->tid, (uint64_t) task->pid);
      if (tb_agent_map_get (&self->tasks.forked, (uint64_t) task->tid) == NULL)
        put_task (self, task);
    }
  for (size_t i = 0; i < exited.n_slots; i++)
    {
      Task task
          = { .tid = (int32_t) exited.entries[i].key, .pid = (int32_t) exited.entries[i].value };

      if (task.tid > 0 && tb_agent_map_get (&listed, (uint64_t) task.tid) == NULL
          && tb_agent_map_get (&self->tasks.forked, (uint64_t) task.tid) == NULL
          && (!self->target.is_filtered || tb_agent_tasks_is_target (self, task.tid, task.pid)))
        put_task (self, &task);
    }
  /* A process that was forked after the start has its program and mappings from its parent or its
   * exec. At the start its PID belonged to no process or to another one. */
  for (size_t i = 0; i < listing.n; i++)
    if (listing.tasks[i].tid == listing.tasks[i].pid
        && tb_agent_map_get (&self->tasks.forked, (uint64_t) listing.tasks[i].tid) == NULL)
      {
        put_command (self, self->start_time, listing.tasks[i].pid);
        tb_agent_modules_put_process (&self->modules, self->start_time, listing.tasks[i].pid);
        drain_if_due (self, &listing);
      }
  tb_agent_map_clear (&listed);
  tb_agent_map_clear (&exited);
  tb_agent_map_clear (&self->tasks.forked);
  tb_agent_map_clear (&self->tasks.exited);
  free (listing.tasks);
}

/* A thread that exited just before the start may still run once, or several times if it is
 * preempted, but is no longer listed anywhere. */
void
tb_agent_tasks_note_unannounced (TbAgent *self, int32_t tid, int32_t pid)
{
  if (tid <= 0 || tb_agent_tasks_is_announced (self, tid))
    return;
  if (pid > 0 || tb_agent_map_get (&self->tasks.unannounced, (uint64_t) tid) == NULL)
    tb_agent_map_put (&self->tasks.unannounced, (uint64_t) tid, pid > 0 ? (uint64_t) pid : 0);
}

void
tb_agent_tasks_put_unannounced (TbAgent *self, TbAgentMap *unannounced, int has_lost)
{
  int keeps = 0;

  for (size_t i = 0; i < unannounced->n_slots; i++)
    {
      Task task = { .tid = (int32_t) unannounced->entries[i].key,
                    .pid = (int32_t) unannounced->entries[i].value };
      const uint64_t *process = tb_agent_map_get (&self->target.processes, (uint64_t) task.tid);

      if (tb_agent_tasks_is_announced (self, task.tid))
        continue;
      if (task.pid == 0)
        task.pid = process != NULL ? (int32_t) *process : 0;
      /* The record of its leaving the CPU contains the process. */
      if (task.pid == 0 && self->running)
        {
          keeps = 1;
          continue;
        }
      if (!has_lost)
        put_task (self, &task);
      tb_agent_tasks_set_announced (self, task.tid);
    }
  if (!keeps)
    tb_agent_map_clear (unannounced);
}
