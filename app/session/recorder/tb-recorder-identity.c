/* tb-recorder-identity.c: threads and processes of a recording: which of them a TID or PID means at
 * a time, since kernels use numbers again; forks, exits, names, execs, processes listed as
 * existing; session CPUs of events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"

#include <string.h>

/* The kernel reuses TIDs and PIDs; ids of threads and processes are never reused. A TID refers to
 * the latest thread that had it, until that thread has left its CPU for good or another thread is
 * forked with the same TID. */

#define MAX_THREADS (1u << 24)
#define DUPLICATE_NS 1000000
#define EXEC_NS 1000000000 /* the kernel takes less than this to load a program */
#define COMM_LENGTH 15     /* the kernel stores no more characters of a thread's name */

static inline guint32
hash_number (guint host, gint32 number)
{
  return tb_hash_pair (host, (guint32) number);
}

void
tb_recorder_touch_thread (TbRecorder *self, guint32 id)
{
  TbThreadRecord *thread = tb_recorder_peek_thread (self, id);

  if (thread->flags & TB_THREAD_DIRTY)
    return;
  thread->flags |= TB_THREAD_DIRTY;
  g_array_append_val (self->threads.dirty, id);
}

void
tb_recorder_touch_process (TbRecorder *self, guint32 id)
{
  TbProcessRecord *process = tb_recorder_peek_process (self, id);

  if (process->flags & TB_PROCESS_DIRTY)
    return;
  process->flags |= TB_PROCESS_DIRTY;
  g_array_append_val (self->processes.dirty, id);
}

static guint32
add_thread (TbRecorder *self, guint host, gint32 tid)
{
  guint32 id = self->threads.records->len;
  TbThreadRecord thread = {
    .start = TB_TIME_NONE,
    .end = TB_TIME_NONE,
    .process = TB_ID_NONE,
    .tid = tid,
    .creator = TB_ID_NONE,
    .calls = TB_ID_NONE,
    .syscall = TB_ID_NONE,
    .host = host,
  };

  if (id >= MAX_THREADS && self->error == NULL)
    self->error = g_error_new (G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                               "The recording has more than %u threads: later events are not saved",
                               MAX_THREADS);
  g_array_append_val (self->threads.records, thread);
  tb_recorder_touch_thread (self, id);
  return id;
}

void
tb_recorder_init_identity (TbRecorder *self)
{
  self->threads.records = g_array_new (FALSE, FALSE, sizeof (TbThreadRecord));
  self->processes.records = g_array_new (FALSE, FALSE, sizeof (TbProcessRecord));
  self->threads.dirty = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->processes.dirty = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->cpus = g_new0 (TbCpuRecord *, TB_CPU_ALL);
  add_thread (self, 0, 0); /* idle task of every CPU */
}

void
tb_recorder_clear_identity (TbRecorder *self)
{
  for (guint i = 0; i < self->processes.records->len; i++)
    g_clear_pointer (&tb_recorder_peek_process (self, i)->space, tb_space_unref);
  g_clear_pointer (&self->threads.records, g_array_unref);
  g_clear_pointer (&self->processes.records, g_array_unref);
  g_clear_pointer (&self->threads.dirty, g_array_unref);
  g_clear_pointer (&self->processes.dirty, g_array_unref);
  tb_slots_clear (&self->threads.by_tid);
  tb_slots_clear (&self->processes.by_pid);
  for (guint i = 0; i < TB_CPU_ALL; i++)
    g_free (self->cpus[i]);
  g_clear_pointer (&self->cpus, g_free);
  for (guint i = 0; i < self->n_hosts; i++)
    {
      g_free (self->hosts[i].name);
      g_free (self->hosts[i].kernel);
      g_free (self->hosts[i].machine);
    }
}

/* Session CPU of the event. The session CPUs of a host are contiguous. Returns TB_CPU_ALL if the
 * host has no such CPU. */
guint16
tb_recorder_get_cpu (TbRecorder *self, const TbEvent *event)
{
  TbHostRecord *host = &self->hosts[event->host];
  guint cpu = host->first_cpu + event->cpu;

  if (event->cpu == TB_CPU_ALL || cpu >= TB_CPU_ALL)
    return TB_CPU_ALL;
  if (event->cpu >= host->seen_cpus)
    {
      if (event->host + 1u < self->n_hosts && cpu >= self->hosts[event->host + 1].first_cpu)
        {
          tb_recorder_count_mismatch (self, TB_MISMATCH_HOST);
          return TB_CPU_ALL;
        }
      host->seen_cpus = event->cpu + 1u;
    }
  return cpu;
}

/* Returns NULL for TB_CPU_ALL. */
TbCpuRecord *
tb_recorder_get_cpu_record (TbRecorder *self, guint16 cpu)
{
  if (cpu == TB_CPU_ALL)
    return NULL;
  if (G_UNLIKELY (self->cpus[cpu] == NULL))
    {
      self->cpus[cpu] = g_new0 (TbCpuRecord, 1);
      self->cpus[cpu]->current = TB_ID_NONE;
    }
  return self->cpus[cpu];
}

guint32
tb_recorder_find_process (TbRecorder *self, guint host, gint32 pid)
{
  TbSlotCursor cursor = tb_slots_find (&self->processes.by_pid, hash_number (host, pid));
  guint32 id;

  while (tb_slot_cursor_next (&cursor, &id))
    if (tb_recorder_peek_process (self, id)->pid == pid
        && tb_recorder_peek_process (self, id)->host == host)
      return id;
  return TB_ID_NONE;
}

guint32
tb_recorder_add_process (TbRecorder *self, guint host, gint32 pid, guint32 parent, gint64 start)
{
  guint32 old = tb_recorder_find_process (self, host, pid);
  guint32 id = self->processes.records->len;
  TbProcessRecord process = {
    .start = start,
    .end = TB_TIME_NONE,
    .host = host,
    .pid = pid,
    .parent = parent,
    .jit_module = TB_ID_NONE,
    .name_time = G_MININT64 / 2,
    .exec_time = G_MININT64 / 2,
  };

  if (old != TB_ID_NONE)
    {
      tb_slots_remove (&self->processes.by_pid, hash_number (host, pid), old);
      g_clear_pointer (&tb_recorder_peek_process (self, old)->space, tb_space_unref);
    }
  if (parent != TB_ID_NONE && tb_recorder_peek_process (self, parent)->space != NULL)
    process.space = tb_space_ref (tb_recorder_peek_process (self, parent)->space);
  g_array_append_val (self->processes.records, process);
  tb_slots_insert (&self->processes.by_pid, hash_number (host, pid), id);
  tb_recorder_touch_process (self, id);
  return id;
}

static gboolean
is_alive (const TbThreadRecord *thread)
{
  return thread->end == TB_TIME_NONE;
}

static void
leave_process (TbRecorder *self, guint32 id, gint64 time)
{
  TbProcessRecord *process = tb_recorder_peek_process (self, id);

  if (process->n_alive > 0 && --process->n_alive == 0)
    {
      process->end = time;
      tb_recorder_touch_process (self, id);
    }
}

static void
join_process (TbRecorder *self, guint32 thread_id, guint32 process_id)
{
  TbThreadRecord *thread = tb_recorder_peek_thread (self, thread_id);
  TbProcessRecord *process = tb_recorder_peek_process (self, process_id);

  if (thread->process == process_id)
    return;
  if (is_alive (thread))
    {
      if (thread->process != TB_ID_NONE)
        leave_process (self, thread->process, TB_TIME_NONE);
      process->n_alive++;
      if (process->end != TB_TIME_NONE)
        {
          process->end = TB_TIME_NONE;
          tb_recorder_touch_process (self, process_id);
        }
    }
  thread->process = process_id;
  tb_recorder_touch_thread (self, thread_id);
}

guint32
tb_recorder_find_thread (TbRecorder *self, guint host, gint32 tid)
{
  TbSlotCursor cursor;
  guint32 id;

  if (tid == 0)
    return TB_THREAD_IDLE;
  cursor = tb_slots_find (&self->threads.by_tid, hash_number (host, tid));
  while (tb_slot_cursor_next (&cursor, &id))
    if (tb_recorder_peek_thread (self, id)->tid == tid
        && tb_recorder_peek_thread (self, id)->host == host)
      return id;
  return TB_ID_NONE;
}

static void
remove_tid (TbRecorder *self, guint32 id)
{
  const TbThreadRecord *thread = tb_recorder_peek_thread (self, id);

  tb_slots_remove (&self->threads.by_tid, hash_number (thread->host, thread->tid), id);
}

static guint32
add_numbered_thread (TbRecorder *self, guint host, gint32 tid)
{
  guint32 id = add_thread (self, host, tid);

  tb_slots_insert (&self->threads.by_tid, hash_number (host, tid), id);
  return id;
}

/* Returns the current process with the PID, which is created if it is new; TB_ID_NONE if the PID is
 * unknown. Its main thread may have been recorded before its process was known. */
guint32
tb_recorder_get_process (TbRecorder *self, guint host, gint32 pid)
{
  guint32 id, main_thread, creator;
  TbThreadRecord *thread;

  if (pid <= 0)
    return TB_ID_NONE;
  id = tb_recorder_find_process (self, host, pid);
  if (id != TB_ID_NONE)
    return id;
  main_thread = tb_recorder_find_thread (self, host, pid);
  if (main_thread == TB_ID_NONE
      || tb_recorder_peek_thread (self, main_thread)->process != TB_ID_NONE
      || !is_alive (tb_recorder_peek_thread (self, main_thread)))
    return tb_recorder_add_process (self, host, pid, TB_ID_NONE, TB_TIME_NONE);
  thread = tb_recorder_peek_thread (self, main_thread);
  creator = thread->creator;
  id = tb_recorder_add_process (self, host, pid,
                                creator != TB_ID_NONE
                                    ? tb_recorder_peek_thread (self, creator)->process
                                    : TB_ID_NONE,
                                thread->start);
  join_process (self, main_thread, id);
  tb_recorder_peek_process (self, id)->name = tb_recorder_peek_thread (self, main_thread)->name;
  return id;
}

/* Returns the current thread with the TID, which is created if it is new; TB_ID_NONE if the TID is
 * unknown. */
guint32
tb_recorder_get_thread (TbRecorder *self, guint host, gint32 tid, gint32 pid)
{
  guint32 id, process;

  if (tid < 0)
    return TB_ID_NONE;
  id = tb_recorder_find_thread (self, host, tid);
  if (id == TB_THREAD_IDLE)
    return id;
  if (id == TB_ID_NONE)
    {
      id = add_numbered_thread (self, host, tid);
      process = tb_recorder_find_process (self, host, tid);
      if (pid <= 0 && process != TB_ID_NONE
          && tb_recorder_peek_process (self, process)->end == TB_TIME_NONE)
        join_process (self, id, process);
    }
  if (pid <= 0)
    return id;
  process = tb_recorder_peek_thread (self, id)->process;
  if (process == TB_ID_NONE || G_UNLIKELY (tb_recorder_peek_process (self, process)->pid != pid))
    join_process (self, id, tb_recorder_get_process (self, host, pid));
  return id;
}

/* Returns the thread that is switched in. If the latest thread with this TID has left its CPU for
 * good, the TID belongs to a new thread, and its fork was not recorded. */
guint32
tb_recorder_get_next_thread (TbRecorder *self, guint host, gint32 tid, gint32 pid)
{
  guint32 id = tb_recorder_get_thread (self, host, tid, pid);

  if (id == TB_ID_NONE || id == TB_THREAD_IDLE)
    return id;
  if (G_UNLIKELY (tb_recorder_peek_thread (self, id)->flags & TB_THREAD_DEAD))
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_DEAD);
      remove_tid (self, id);
      id = tb_recorder_get_thread (self, host, tid, pid);
    }
  tb_recorder_peek_thread (self, id)->flags |= TB_THREAD_RAN;
  return id;
}

static void
end_thread (TbRecorder *self, guint32 id, gint64 time)
{
  TbThreadRecord *thread = tb_recorder_peek_thread (self, id);

  if (!is_alive (thread))
    return;
  thread->end = time;
  tb_recorder_touch_thread (self, id);
  if (thread->process != TB_ID_NONE)
    leave_process (self, thread->process, time);
  tb_recorder_close_thread (self, id, time, FALSE);
}

/* The thread is in a switch. The kernel records the exit of a thread before it notifies the parent;
 * the thread runs on until it leaves its CPU for the last time. */
void
tb_recorder_extend_life (TbRecorder *self, guint32 id, gint64 time)
{
  TbThreadRecord *thread;
  TbProcessRecord *process;

  if (id == TB_ID_NONE)
    return;
  thread = tb_recorder_peek_thread (self, id);
  if (G_LIKELY ((thread->flags & (TB_THREAD_EXITED | TB_THREAD_DEAD)) != TB_THREAD_EXITED)
      || thread->end >= time)
    return;
  thread->end = time;
  tb_recorder_touch_thread (self, id);
  if (thread->process == TB_ID_NONE)
    return;
  process = tb_recorder_peek_process (self, thread->process);
  if (process->end != TB_TIME_NONE && process->end < time)
    {
      process->end = time;
      tb_recorder_touch_process (self, thread->process);
    }
}

/* Marks that the thread has left its CPU for good: its TID no longer refers to it. */
void
tb_recorder_mark_dead (TbRecorder *self, guint32 id, gint64 time)
{
  if (id == TB_THREAD_IDLE)
    return;
  end_thread (self, id, time);
  tb_recorder_peek_thread (self, id)->flags |= TB_THREAD_DEAD;
}

static void
put_thread_name (TbRecorder *self, guint32 id, gint64 time, guint32 name)
{
  TbThreadName row = { id, time, tb_recorder_peek_string (self, name) };

  tb_session_writer_put_thread_name (self->writer, &row);
}

static void
set_thread_name (TbRecorder *self, guint32 id, gint64 time, guint32 name)
{
  TbThreadRecord *thread = tb_recorder_peek_thread (self, id);
  TbProcessRecord *process;

  if (id == TB_THREAD_IDLE || thread->name == name)
    return;
  thread->name = name;
  tb_recorder_touch_thread (self, id);
  put_thread_name (self, id, time, name);
  if (thread->process == TB_ID_NONE)
    return;
  process = tb_recorder_peek_process (self, thread->process);
  if (process->pid == thread->tid && (process->flags & TB_PROCESS_NAMED) == 0)
    {
      process->name = name;
      tb_recorder_touch_process (self, thread->process);
    }
}

static void
add_process_row (TbRecorder *self,
                 const TbEvent *event,
                 guint16 cpu,
                 TbProcessEvent kind,
                 guint32 thread,
                 guint32 creator,
                 guint32 text,
                 guint32 stack)
{
  TbRows *rows;
  guint i = tb_recorder_add_row (self, TB_TABLE_PROCESS, &rows);

  tb_recorder_add_order (self, TB_ORDER_PROCESS, event->time, 0);
  TB_ROWS_COLUMN (rows, TB_PROCESS_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_PROCESS_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_PROCESS_KIND, guint8)[i] = kind;
  TB_ROWS_COLUMN (rows, TB_PROCESS_THREAD, guint32)[i] = thread;
  TB_ROWS_COLUMN (rows, TB_PROCESS_CREATOR, guint32)[i] = creator;
  TB_ROWS_COLUMN (rows, TB_PROCESS_TEXT, guint32)[i] = text;
  TB_ROWS_COLUMN (rows, TB_PROCESS_STACK, guint32)[i] = stack;
}

static gint32
parse_id (guint64 value)
{
  return value <= G_MAXINT32 ? (gint32) value : -1;
}

/* Ends the thread that had a TID when the TID is reused. If that thread is still alive, its exit
 * was not recorded. */
static void
retire_tid (TbRecorder *self, guint host, gint32 tid, gint64 time)
{
  guint32 old = tb_recorder_find_thread (self, host, tid);

  if (old == TB_ID_NONE)
    return;
  if (is_alive (tb_recorder_peek_thread (self, old)))
    tb_recorder_count_mismatch (self, TB_MISMATCH_FORK);
  tb_recorder_mark_dead (self, old, time);
  remove_tid (self, old);
}

/* A source may report a fork twice, as a record of the kernel and as a tracepoint. */
static gboolean
is_duplicate_fork (TbRecorder *self, const TbEvent *event, gint32 tid, guint32 creator)
{
  guint32 id = tb_recorder_find_thread (self, event->host, tid);
  const TbThreadRecord *thread;

  if (id == TB_ID_NONE || id == TB_THREAD_IDLE)
    return FALSE;
  thread = tb_recorder_peek_thread (self, id);
  return is_alive (thread)
         && (thread->flags & (TB_THREAD_FORKED | TB_THREAD_RAN)) == TB_THREAD_FORKED
         && thread->creator == creator && event->time - thread->start < DUPLICATE_NS;
}

void
tb_recorder_fork (TbRecorder *self, const TbEvent *event, guint16 cpu, guint32 stack)
{
  gint32 tid = parse_id (event->a);
  gint32 pid = parse_id (event->b);
  guint32 creator = tb_recorder_get_thread (self, event->host, event->tid, event->pid);
  guint32 parent
      = creator != TB_ID_NONE ? tb_recorder_peek_thread (self, creator)->process : TB_ID_NONE;
  TbThreadRecord *thread;
  guint32 id;

  if (tid <= 0)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  if (is_duplicate_fork (self, event, tid, creator))
    {
      tb_recorder_get_thread (self, event->host, tid, pid);
      return;
    }
  retire_tid (self, event->host, tid, event->time);
  id = add_numbered_thread (self, event->host, tid);
  thread = tb_recorder_peek_thread (self, id);
  thread->start = event->time;
  thread->flags |= TB_THREAD_FORKED;
  thread->creator = creator;
  if (pid == tid)
    join_process (self, id, tb_recorder_add_process (self, event->host, pid, parent, event->time));
  else if (pid > 0)
    join_process (self, id, tb_recorder_get_process (self, event->host, pid));
  if (creator != TB_ID_NONE && creator != TB_THREAD_IDLE)
    set_thread_name (self, id, event->time, tb_recorder_peek_thread (self, creator)->name);
  add_process_row (self, event, cpu, TB_PROCESS_FORK, id, creator, TB_STRING_NONE, stack);
}

void
tb_recorder_exit (TbRecorder *self, const TbEvent *event, guint16 cpu, guint32 stack)
{
  guint32 id
      = event->tid > 0 ? tb_recorder_find_thread (self, event->host, event->tid) : TB_ID_NONE;

  if (id == TB_ID_NONE)
    tb_recorder_count_mismatch (self, TB_MISMATCH_EXIT);
  else if (tb_recorder_peek_thread (self, id)->flags & TB_THREAD_EXITED)
    {
      if (event->time - tb_recorder_peek_thread (self, id)->end >= DUPLICATE_NS)
        tb_recorder_count_mismatch (self, TB_MISMATCH_EXIT);
      return;
    }
  if (event->tid <= 0)
    return;
  id = tb_recorder_get_thread (self, event->host, event->tid, event->pid);
  end_thread (self, id, event->time);
  tb_recorder_peek_thread (self, id)->flags |= TB_THREAD_EXITED;
  add_process_row (self, event, cpu, TB_PROCESS_EXIT, id, TB_ID_NONE, TB_STRING_NONE, stack);
}

void
tb_recorder_name (TbRecorder *self, const TbEvent *event, guint16 cpu, guint32 stack)
{
  guint32 text = tb_recorder_check_string (self, event->text);
  guint32 id = tb_recorder_get_thread (self, event->host, event->tid, event->pid);

  if (id == TB_ID_NONE || id == TB_THREAD_IDLE)
    {
      if (id == TB_ID_NONE)
        tb_recorder_count_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  set_thread_name (self, id, event->time, text);
  if (tb_recorder_peek_thread (self, id)->process != TB_ID_NONE)
    {
      TbProcessRecord *process
          = tb_recorder_peek_process (self, tb_recorder_peek_thread (self, id)->process);

      process->name_time = event->time;
      process->name_order = self->mapping_order;
    }
  add_process_row (self, event, cpu, TB_PROCESS_NAME, id, TB_ID_NONE, text, stack);
}

void
tb_recorder_name_process (TbRecorder *self, const TbEvent *event)
{
  guint32 id = tb_recorder_get_process (self, event->host, event->pid);
  TbProcessRecord *process;

  if (id == TB_ID_NONE)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  process = tb_recorder_peek_process (self, id);
  process->name = tb_recorder_check_string (self, event->text);
  process->flags |= TB_PROCESS_NAMED;
  tb_recorder_touch_process (self, id);
}

void
tb_recorder_record_existing (TbRecorder *self, const TbEvent *event, guint16 cpu)
{
  guint32 text = tb_recorder_check_string (self, event->text);
  gint32 pid = event->pid > 0 ? event->pid : event->tid;
  guint32 id, process;
  TbThreadRecord *thread;

  if (event->tid <= 0)
    {
      if (event->tid < 0)
        tb_recorder_count_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  id = tb_recorder_get_thread (self, event->host, event->tid, pid);
  thread = tb_recorder_peek_thread (self, id);
  process = thread->process;
  if (tb_recorder_peek_process (self, process)->parent == TB_ID_NONE && event->a <= G_MAXINT32)
    {
      tb_recorder_peek_process (self, process)->parent_pid = (gint32) event->a;
      tb_recorder_touch_process (self, process);
    }
  /* A process that is listed during the recording may have been forked or have ended in the
   * recording; those events are more accurate. */
  if (thread->flags & (TB_THREAD_FORKED | TB_THREAD_LISTED) || !is_alive (thread))
    {
      if (thread->name == TB_STRING_NONE)
        set_thread_name (self, id, event->time, text);
      return;
    }
  thread->flags |= TB_THREAD_LISTED;
  if (text != TB_STRING_NONE && thread->name == TB_STRING_NONE)
    set_thread_name (self, id, event->time, text);
  add_process_row (self, event, cpu, TB_PROCESS_EXISTING, id, TB_ID_NONE, text, TB_STACK_NONE);
}

void
tb_recorder_set_command (TbRecorder *self, const TbEvent *event)
{
  guint32 id = tb_recorder_get_process (self, event->host, event->pid);

  if (id == TB_ID_NONE)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  tb_recorder_peek_process (self, id)->command = tb_recorder_check_string (self, event->text);
  tb_recorder_touch_process (self, id);
}

/* A thread whose exit was recorded executes nothing: the TID belongs to another thread, of which
 * the fork or the takeover was not recorded. */
static void
release_exited_tid (TbRecorder *self, const TbEvent *event)
{
  guint32 id = tb_recorder_find_thread (self, event->host, event->tid);
  guint32 process;

  if (id == TB_ID_NONE || (tb_recorder_peek_thread (self, id)->flags & TB_THREAD_EXITED) == 0)
    return;
  retire_tid (self, event->host, event->tid, event->time);
  process = tb_recorder_find_process (self, event->host, event->pid);
  if (process != TB_ID_NONE && tb_recorder_peek_process (self, process)->n_alive == 0)
    tb_recorder_add_process (self, event->host, event->pid, TB_ID_NONE, TB_TIME_NONE);
}

/* Returns the thread of an exec. If a thread other than the leader calls exec, the leader has ended
 * by then, and the calling thread takes over the TID of the leader. */
static guint32
take_over_leader (TbRecorder *self, const TbEvent *event, guint16 cpu)
{
  TbCpuRecord *cpu_record = tb_recorder_get_cpu_record (self, cpu);
  guint32 leader = tb_recorder_find_thread (self, event->host, event->tid);
  guint32 id = TB_ID_NONE;

  if (event->a > 0 && event->a <= G_MAXINT32 && (gint32) event->a != event->tid)
    id = tb_recorder_find_thread (self, event->host, (gint32) event->a);
  else if (event->a == 0 && cpu_record != NULL && cpu_record->current != TB_ID_NONE)
    id = cpu_record->current;
  if (id == TB_ID_NONE || id == TB_THREAD_IDLE || id == leader || leader == TB_ID_NONE
      || !is_alive (tb_recorder_peek_thread (self, id))
      || tb_recorder_peek_thread (self, id)->process == TB_ID_NONE
      || tb_recorder_peek_thread (self, id)->process
             != tb_recorder_peek_thread (self, leader)->process)
    {
      release_exited_tid (self, event);
      return tb_recorder_get_thread (self, event->host, event->tid, event->pid);
    }

  tb_recorder_mark_dead (self, leader, event->time);
  remove_tid (self, leader);
  remove_tid (self, id);
  tb_recorder_peek_thread (self, id)->tid = event->tid;
  tb_slots_insert (&self->threads.by_tid, hash_number (event->host, event->tid), id);
  tb_recorder_touch_thread (self, id);
  return id;
}

/* Names the thread after the program from its exec on, unless the thread has that name already. */
static void
name_after_program (TbRecorder *self, guint32 id, gint64 time, guint32 text)
{
  const char *program = tb_recorder_peek_string (self, text);
  const char *slash = strrchr (program, '/');
  const char *name = tb_recorder_peek_string (self, tb_recorder_peek_thread (self, id)->name);

  program = slash != NULL ? slash + 1 : program;
  if (*program == '\0' || strcmp (name, program) == 0
      || (strlen (name) == COMM_LENGTH && strncmp (name, program, COMM_LENGTH) == 0))
    return;
  set_thread_name (self, id, time, tb_recorder_intern_string (self, program, -1));
}

/* A source may report an exec twice: first as the new name of the thread, then with the program's
 * path once it is loaded. */
static gboolean
is_duplicate_exec (TbRecorder *self,
                   const TbProcessRecord *process,
                   const TbEvent *event,
                   guint32 text)
{
  const char *old = tb_recorder_peek_string (self, process->exec_text);
  const char *path = tb_recorder_peek_string (self, text);
  const char *slash = strrchr (path, '/');

  return event->time - process->exec_time < EXEC_NS && *old != '\0' && slash != NULL
         && strchr (old, '/') == NULL && strncmp (old, slash + 1, COMM_LENGTH) == 0;
}

/* The kernel first names the thread, then maps the program and reports the exec last. Mappings
 * since that name therefore belong to the new program. */
static void
begin_program (TbRecorder *self, TbProcessRecord *process, const TbEvent *event, guint32 text)
{
  gboolean named = event->time - process->name_time < EXEC_NS;

  tb_recorder_clear_space (self, process, named ? process->name_order : G_MAXUINT32);
  process->name_time = G_MININT64 / 2;
  process->exec_time = event->time;
  process->exec_text = text;
}

void
tb_recorder_exec (TbRecorder *self, const TbEvent *event, guint16 cpu, guint32 stack)
{
  guint32 text = tb_recorder_check_string (self, event->text);
  guint32 id, process;

  if (event->tid <= 0)
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  id = take_over_leader (self, event, cpu);
  process = tb_recorder_peek_thread (self, id)->process;
  if (process != TB_ID_NONE)
    {
      if (is_duplicate_exec (self, tb_recorder_peek_process (self, process), event, text))
        return;
      begin_program (self, tb_recorder_peek_process (self, process), event, text);
    }
  tb_recorder_close_thread (self, id, event->time, TRUE);
  name_after_program (self, id, event->time, text);
  add_process_row (self, event, cpu, TB_PROCESS_EXEC, id, TB_ID_NONE, text, stack);
}
