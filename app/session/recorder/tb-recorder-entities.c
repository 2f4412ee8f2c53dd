/* tb-recorder-entities.c: hosts, changed processes and changed threads of a recording, passed to
 * the session writer; at the end every thread has a process, and its process a name if the thread
 * has one
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"

static void
put_process (TbRecorder *self, guint32 id)
{
  TbProcessRecord *record = tb_recorder_peek_process (self, id);
  TbProcess process;

  record->flags &= ~TB_PROCESS_DIRTY;
  if (record->parent == TB_ID_NONE && record->parent_pid > 0)
    {
      guint32 parent = tb_recorder_find_process (self, record->host, record->parent_pid);

      if (parent != id)
        record->parent = parent;
    }
  process = (TbProcess) {
    .id = id,
    .host = record->host,
    .pid = record->pid,
    .parent = record->parent,
    .start = record->start,
    .end = record->end,
    .name = tb_recorder_peek_string (self, record->name),
    .command = tb_recorder_peek_string (self, record->command),
  };
  tb_session_writer_put_process (self->writer, &process);
}

static void
put_thread (TbRecorder *self, guint32 id)
{
  TbThreadRecord *record = tb_recorder_peek_thread (self, id);
  TbThread thread = {
    .id = id,
    .process = record->process,
    .tid = record->tid,
    .start = record->start,
    .end = record->end,
    .name = tb_recorder_peek_string (self, record->name),
  };

  record->flags &= ~TB_THREAD_DIRTY;
  tb_session_writer_put_thread (self->writer, &thread);
}

static void
put_hosts (TbRecorder *self)
{
  for (guint i = 0; i < self->n_hosts; i++)
    {
      const TbHostRecord *record = &self->hosts[i];
      TbHost host = {
        .id = i,
        .name = record->name,
        .kernel = record->kernel,
        .machine = record->machine,
        .n_cpus = MAX (record->n_cpus, record->seen_cpus),
        .first_cpu = record->first_cpu,
        .clock_bound_ns = record->clock_bound_ns,
      };

      tb_session_writer_put_host (self->writer, &host);
    }
}

/* A thread of unknown process becomes a process of its own, with the creator's process as
 * parent. */
static void
ensure_process (TbRecorder *self, guint32 id)
{
  guint32 creator = tb_recorder_peek_thread (self, id)->creator;
  guint32 process;
  TbThreadRecord *thread;

  if (tb_recorder_peek_thread (self, id)->process != TB_ID_NONE || id == TB_THREAD_IDLE)
    return;
  thread = tb_recorder_peek_thread (self, id);
  process = tb_recorder_add_process (self, thread->host, thread->tid,
                                     creator != TB_ID_NONE
                                         ? tb_recorder_peek_thread (self, creator)->process
                                         : TB_ID_NONE,
                                     thread->start);
  tb_recorder_peek_process (self, process)->end = thread->end;
  thread->process = process;
  tb_recorder_touch_thread (self, id);
}

/* A process without a name gets the name of its main thread, or else of any of its threads. */
static void
ensure_process_name (TbRecorder *self, guint32 id)
{
  const TbThreadRecord *thread = tb_recorder_peek_thread (self, id);
  TbProcessRecord *process;

  if (thread->process == TB_ID_NONE || thread->name == TB_STRING_NONE)
    return;
  process = tb_recorder_peek_process (self, thread->process);
  if ((process->flags & TB_PROCESS_NAMED) == 0
      && (process->name == TB_STRING_NONE || thread->tid == process->pid))
    {
      process->name = thread->name;
      tb_recorder_touch_process (self, thread->process);
    }
}

/* Writes the changed entities. With finish, every thread has a process afterwards and every process
 * of a named thread has a name. */
void
tb_recorder_put_identity (TbRecorder *self, gboolean finish)
{
  if (finish)
    {
      for (guint32 i = 0; i < self->threads.records->len; i++)
        ensure_process (self, i);
      for (guint32 i = 0; i < self->threads.records->len; i++)
        ensure_process_name (self, i);
    }
  put_hosts (self);
  for (guint i = 0; i < self->processes.dirty->len; i++)
    put_process (self, g_array_index (self->processes.dirty, guint32, i));
  for (guint i = 0; i < self->threads.dirty->len; i++)
    put_thread (self, g_array_index (self->threads.dirty, guint32, i));
  g_array_set_size (self->processes.dirty, 0);
  g_array_set_size (self->threads.dirty, 0);
}
