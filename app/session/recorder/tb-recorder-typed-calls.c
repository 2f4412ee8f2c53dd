/* tb-recorder-typed-calls.c: functions that add one event each to a recorder: of system calls,
 * function calls, annotations and locks of files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "session/recorder/tb-recorder-private.h"
#include "session/recorder/tb-recorder-typed.h"

#define ARGUMENTS 6u

static const guint64 *
keep_arguments (TbRecorder *self, gint64 time, const guint64 *args, guint n_args)
{
  guint64 *kept = args != NULL ? tb_recorder_keep_words (self, time, ARGUMENTS) : NULL;

  if (kept != NULL)
    memcpy (kept, args, sizeof *args * MIN (n_args, ARGUMENTS));
  return kept;
}

static const guint64 *
keep_whole_call (TbRecorder *self,
                 gint64 time,
                 gint64 entered,
                 const guint64 *args,
                 guint n_args,
                 gint64 result)
{
  guint64 *kept = tb_recorder_keep_words (self, time, TB_WHOLE_SYSCALL_WORDS);

  if (args != NULL)
    memcpy (kept, args, sizeof *args * MIN (n_args, ARGUMENTS));
  kept[TB_WHOLE_SYSCALL_ENTER] = (guint64) entered;
  kept[TB_WHOLE_SYSCALL_RESULT] = (guint64) result;
  return kept;
}

/**
 * tb_recorder_add_syscall_enter:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @name: name of the call
 * @args: (array length=n_args) (nullable): its arguments
 * @n_args: their number, at most 6
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds the beginning of a system call.
 */
void
tb_recorder_add_syscall_enter (TbRecorder *self,
                               gint64 time,
                               guint16 cpu,
                               gint32 tid,
                               gint32 pid,
                               const char *name,
                               const guint64 *args,
                               guint n_args,
                               guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_SYS_ENTER,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .text = tb_recorder_intern_text (self, name),
    .args = keep_arguments (self, time, args, n_args),
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_syscall_exit:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @name: (nullable): name of the call; %NULL: the one that is open
 * @result: its result
 *
 * Adds the end of a system call.
 */
void
tb_recorder_add_syscall_exit (TbRecorder *self,
                              gint64 time,
                              guint16 cpu,
                              gint32 tid,
                              gint32 pid,
                              const char *name,
                              gint64 result)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_SYS_EXIT,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .text = tb_recorder_intern_text (self, name),
    .a = (guint64) result,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_whole_syscall:
 * @self: a recorder
 * @time: time of the event, ns
 * @entered: time of its beginning
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @name: name of the call
 * @args: (array length=n_args) (nullable): its arguments
 * @n_args: their number, at most 6
 * @result: its result
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds a system call at its end.
 */
void
tb_recorder_add_whole_syscall (TbRecorder *self,
                               gint64 time,
                               gint64 entered,
                               guint16 cpu,
                               gint32 tid,
                               gint32 pid,
                               const char *name,
                               const guint64 *args,
                               guint n_args,
                               gint64 result,
                               guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_WHOLE_SYSCALL,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .text = tb_recorder_intern_text (self, name),
    .args = keep_whole_call (self, time, entered, args, n_args, result),
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_call:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @function: the function
 * @return_address: address to which it returns; 0: unknown
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds the beginning of the call of a probed function.
 */
void
tb_recorder_add_call (TbRecorder *self,
                      gint64 time,
                      guint16 cpu,
                      gint32 tid,
                      gint32 pid,
                      const char *function,
                      guint64 return_address,
                      guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_CALL,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .text = tb_recorder_intern_text (self, function),
    .a = return_address,
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_return:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @function: the function
 *
 * Adds the return of a probed function.
 */
void
tb_recorder_add_return (TbRecorder *self,
                        gint64 time,
                        guint16 cpu,
                        gint32 tid,
                        gint32 pid,
                        const char *function)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_RETURN,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .text = tb_recorder_intern_text (self, function),
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_spin_begin:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @lock: name of what it waits for
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds the beginning of a spin.
 */
void
tb_recorder_add_spin_begin (TbRecorder *self,
                            gint64 time,
                            guint16 cpu,
                            gint32 tid,
                            gint32 pid,
                            const char *lock,
                            guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_SPIN_BEGIN,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .text2 = tb_recorder_intern_text (self, lock),
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_spin_end:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @lock: name of what it waited for
 * @releaser_tid: thread that released it; −1: the thread that released the lock, if known
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds the end of a spin.
 */
void
tb_recorder_add_spin_end (TbRecorder *self,
                          gint64 time,
                          guint16 cpu,
                          gint32 tid,
                          gint32 pid,
                          const char *lock,
                          gint32 releaser_tid,
                          guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_SPIN_END,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .text2 = tb_recorder_intern_text (self, lock),
    .a = releaser_tid >= 0 ? (guint64) releaser_tid : G_MAXUINT64,
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_false_wakeup:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds a wake-up after which the thread found nothing to do.
 */
void
tb_recorder_add_false_wakeup (TbRecorder *self,
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
    .kind = TB_EVENT_FALSE_WAKEUP,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_mark:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @name: name of the mark
 * @value: (nullable): its value
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds a mark of the program.
 */
void
tb_recorder_add_mark (TbRecorder *self,
                      gint64 time,
                      guint16 cpu,
                      gint32 tid,
                      gint32 pid,
                      const char *name,
                      const char *value,
                      guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_MARK,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .text = tb_recorder_intern_text (self, name),
    .text2 = tb_recorder_intern_text (self, value),
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_file_lock:
 * @self: a recorder
 * @time: time of the event, ns
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @call: system call
 * @mode: what was requested
 * @result: its result
 * @file: path of the file
 * @owner: any number that identifies the owner
 * @from: the first locked byte
 * @to: the last locked byte
 *
 * Adds a request for the lock of a file.
 */
void
tb_recorder_add_file_lock (TbRecorder *self,
                           gint64 time,
                           gint32 tid,
                           gint32 pid,
                           TbFileLockCall call,
                           TbFileLockMode mode,
                           TbFileLockResult result,
                           const char *file,
                           guint64 owner,
                           guint64 from,
                           guint64 to)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_FILE_LOCK,
    .tid = tid,
    .pid = pid,
    .code = (guint8) call,
    .flags = TB_FILE_LOCK_FLAGS (mode, result),
    .text2 = tb_recorder_intern_text (self, file),
    .a = owner,
    .b = from,
    .c = to,
  };
  tb_recorder_add_typed (self, &event);
}
