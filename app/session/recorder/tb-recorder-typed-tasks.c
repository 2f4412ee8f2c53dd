/* tb-recorder-typed-tasks.c: functions that add one event each to a recorder: of the life of
 * threads and processes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"
#include "session/recorder/tb-recorder-typed.h"

/**
 * tb_recorder_add_fork:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: thread that started it; −1: unknown
 * @pid: its process; −1: unknown
 * @new_tid: the new thread
 * @new_pid: its process
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds the start of a thread or process.
 */
void
tb_recorder_add_fork (TbRecorder *self,
                      gint64 time,
                      guint16 cpu,
                      gint32 tid,
                      gint32 pid,
                      gint32 new_tid,
                      gint32 new_pid,
                      guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_FORK,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .a = (guint64) MAX (new_tid, 0),
    .b = (guint64) MAX (new_pid, 0),
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_exit:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds the end of a thread.
 */
void
tb_recorder_add_exit (TbRecorder *self,
                      gint64 time,
                      guint16 cpu,
                      gint32 tid,
                      gint32 pid,
                      guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_EXIT,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_name:
 * @self: a recorder
 * @time: time of the event, ns
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @name: its name from this time on
 *
 * Adds the name of a thread.
 */
void
tb_recorder_add_name (TbRecorder *self, gint64 time, gint32 tid, gint32 pid, const char *name)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_NAME,
    .tid = tid,
    .pid = pid,
    .text = tb_recorder_intern_text (self, name),
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_process_name:
 * @self: a recorder
 * @time: time of the event, ns
 * @pid: the process
 * @name: its name
 *
 * Adds the name of a process that differs from the names of its threads.
 */
void
tb_recorder_add_process_name (TbRecorder *self, gint64 time, gint32 pid, const char *name)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_PROCESS_NAME,
    .tid = -1,
    .pid = pid,
    .text = tb_recorder_intern_text (self, name),
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_existing:
 * @self: a recorder
 * @time: time of the event, ns
 * @tid: the thread
 * @pid: its process; −1: unknown
 * @parent_pid: parent of its process; 0: unknown
 * @name: (nullable): its name; %NULL: unknown
 *
 * Adds a thread that was alive when the recording began.
 */
void
tb_recorder_add_existing (TbRecorder *self,
                          gint64 time,
                          gint32 tid,
                          gint32 pid,
                          gint32 parent_pid,
                          const char *name)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_EXISTING,
    .tid = tid,
    .pid = pid,
    .a = (guint64) MAX (parent_pid, 0),
    .text = tb_recorder_intern_text (self, name),
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_command:
 * @self: a recorder
 * @time: time of the event, ns
 * @pid: the process
 * @command: its command line
 *
 * Adds the command line of a process.
 */
void
tb_recorder_add_command (TbRecorder *self, gint64 time, gint32 pid, const char *command)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_COMMAND,
    .tid = -1,
    .pid = pid,
    .text = tb_recorder_intern_text (self, command),
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_exec:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @program: the new program
 * @old_tid: ID of the thread before; 0: the same, or unknown
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds the start of another program in a process.
 */
void
tb_recorder_add_exec (TbRecorder *self,
                      gint64 time,
                      guint16 cpu,
                      gint32 tid,
                      gint32 pid,
                      const char *program,
                      gint32 old_tid,
                      guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_EXEC,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .text = tb_recorder_intern_text (self, program),
    .a = (guint64) MAX (old_tid, 0),
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_mapping:
 * @self: a recorder
 * @time: time of the event, ns
 * @pid: the process
 * @start: first address
 * @length: number of bytes
 * @offset: offset of the first address in the file
 * @module: the file, of [method@Recorder.intern_module]
 *
 * Adds a file that is mapped into a process.
 */
void
tb_recorder_add_mapping (TbRecorder *self,
                         gint64 time,
                         gint32 pid,
                         guint64 start,
                         guint64 length,
                         guint64 offset,
                         guint32 module)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_MAPPING,
    .tid = -1,
    .pid = pid,
    .a = start,
    .b = length,
    .c = offset,
    .module = module,
  };
  tb_recorder_add_typed (self, &event);
}
