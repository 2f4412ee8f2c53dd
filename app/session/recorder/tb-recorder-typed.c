/* tb-recorder-typed.c: functions that add one event each to a recorder: of scheduling, of samples,
 * and of lost events; host and call chain of all such events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "session/recorder/tb-recorder-private.h"
#include "session/recorder/tb-recorder-typed.h"

guint32
tb_recorder_intern_text (TbRecorder *self, const char *text)
{
  return text != NULL ? tb_recorder_intern_string (self, text, -1) : TB_STRING_NONE;
}

static guint8
get_letter (const char *state)
{
  return state != NULL && *state != '\0' ? (guint8) *state : TB_PREV_STATE_UNKNOWN;
}

/* Adds the event with the chosen host and, once, the chosen chain. */
void
tb_recorder_add_typed (TbRecorder *self, TbEvent *event)
{
  GArray *chain = self->typed.chain;

  event->host = self->typed.host;
  if (chain != NULL && chain->len > 0)
    {
      guint64 *kept = tb_recorder_keep_words (self, event->time, chain->len);

      memcpy (kept, chain->data, sizeof *kept * chain->len);
      event->chain = kept;
      event->n_chain = (guint16) chain->len;
      g_array_set_size (chain, 0);
    }
  tb_recorder_add (self, event);
}

/**
 * tb_recorder_choose_host:
 * @self: a recorder
 * @host: a host, of [method@Recorder.add_host]
 *
 * Chooses the host of the events that the functions for single kinds of events add from now on; at
 * first it is the first host.
 */
void
tb_recorder_choose_host (TbRecorder *self, guint32 host)
{
  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail (host < MAX (self->n_hosts, 1));

  self->typed.host = (guint8) host;
}

/**
 * tb_recorder_choose_chain:
 * @self: a recorder
 * @addresses: (array length=n_addresses): a call chain in the format of the kernel, innermost first
 * @n_addresses: its length, at most 4096
 *
 * Gives the next event that a function for one kind of events adds a call chain of addresses,
 * instead of its stack.
 */
void
tb_recorder_choose_chain (TbRecorder *self, const guint64 *addresses, guint n_addresses)
{
  g_return_if_fail (TB_IS_RECORDER (self));
  g_return_if_fail (n_addresses <= TB_RECORDER_CHAIN_MAX);

  if (self->typed.chain == NULL)
    self->typed.chain = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_set_size (self->typed.chain, 0);
  g_array_append_vals (self->typed.chain, addresses, n_addresses);
}

/**
 * tb_recorder_add_switch:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @prev_tid: thread that left the CPU; 0: the idle task; −1: unknown
 * @prev_pid: its process; −1: unknown
 * @prev_state: (nullable): the state in which it left, a letter of the kernel ("S", "D", "R"…) or
 *   one of the `TB_PREV_STATE_…`; %NULL: unknown
 * @next_tid: thread that got the CPU; 0: the idle task; −1: unknown
 * @next_pid: its process; 0: unknown
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds a context switch.
 */
void
tb_recorder_add_switch (TbRecorder *self,
                        gint64 time,
                        guint16 cpu,
                        gint32 prev_tid,
                        gint32 prev_pid,
                        const char *prev_state,
                        gint32 next_tid,
                        gint32 next_pid,
                        guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_SWITCH,
    .cpu = cpu,
    .tid = prev_tid,
    .pid = prev_pid,
    .code = get_letter (prev_state),
    .a = next_tid >= 0 ? (guint64) next_tid : G_MAXUINT64,
    .b = (guint64) MAX (next_pid, 0),
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_wakeup:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @waker_tid: thread that woke the other one; −1: the one on the CPU
 * @waker_pid: its process; −1: unknown
 * @wakee_tid: thread that was woken
 * @flags: in what it happened
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds a wake-up.
 */
void
tb_recorder_add_wakeup (TbRecorder *self,
                        gint64 time,
                        guint16 cpu,
                        gint32 waker_tid,
                        gint32 waker_pid,
                        gint32 wakee_tid,
                        TbWakeupFlags flags,
                        guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_WAKEUP,
    .cpu = cpu,
    .tid = waker_tid,
    .pid = waker_pid,
    .a = wakee_tid >= 0 ? (guint64) wakee_tid : G_MAXUINT64,
    .flags = (guint8) flags,
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_sample:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @weight: what it stands for: ns for clocks, else a count
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds a sample of a running thread.
 */
void
tb_recorder_add_sample (TbRecorder *self,
                        gint64 time,
                        guint16 cpu,
                        gint32 tid,
                        gint32 pid,
                        guint64 weight,
                        guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_SAMPLE,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .a = weight,
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_counter:
 * @self: a recorder
 * @time: time of the event, ns
 * @cpu: CPU of the host
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @kind: what the weight is
 * @counter: name of the counter
 * @weight: events or ns, according to @kind
 * @stack: its call stack, of [method@Recorder.intern_stack]; 0: unknown
 *
 * Adds a sample of another counter than the sampling clock, or a summed wait.
 */
void
tb_recorder_add_counter (TbRecorder *self,
                         gint64 time,
                         guint16 cpu,
                         gint32 tid,
                         gint32 pid,
                         TbCounterKind kind,
                         const char *counter,
                         guint64 weight,
                         guint32 stack)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_COUNTER,
    .cpu = cpu,
    .tid = tid,
    .pid = pid,
    .code = (guint8) kind,
    .text = tb_recorder_intern_text (self, counter),
    .a = weight,
    .stack = stack,
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_lost:
 * @self: a recorder
 * @from: time from which on events were lost
 * @to: time up to which
 * @cpu: CPU of the host, or `TB_CPU_ALL`
 * @count: number of lost events
 *
 * Adds events that were lost.
 */
void
tb_recorder_add_lost (TbRecorder *self, gint64 from, gint64 to, guint16 cpu, guint64 count)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = to,
    .kind = TB_EVENT_LOST,
    .cpu = cpu,
    .tid = -1,
    .pid = -1,
    .a = count,
    .b = (guint64) MAX (from, 0),
  };
  tb_recorder_add_typed (self, &event);
}

/**
 * tb_recorder_add_sleep:
 * @self: a recorder
 * @time: time of the event, ns
 * @tid: the thread that ran; −1: unknown
 * @pid: its process; −1: unknown
 * @kind: kind of the sleep
 * @call: (nullable): the system call
 * @object: (nullable): path, HOST:PORT, lock…
 * @address: address of a lock or a fault, else the first argument of the call
 * @timeout: ns as the thread requested it, `TB_TIMEOUT_NONE` or `TB_TIMEOUT_UNKNOWN`
 *
 * Adds what a thread waits for. It must come directly before the switch in which the thread
 * leaves its CPU.
 */
void
tb_recorder_add_sleep (TbRecorder *self,
                       gint64 time,
                       gint32 tid,
                       gint32 pid,
                       TbSleepKind kind,
                       const char *call,
                       const char *object,
                       guint64 address,
                       gint64 timeout)
{
  TbEvent event;

  g_return_if_fail (TB_IS_RECORDER (self));

  event = (TbEvent) {
    .time = time,
    .kind = TB_EVENT_SLEEP,
    .tid = tid,
    .pid = pid,
    .code = (guint8) kind,
    .text = tb_recorder_intern_text (self, call),
    .text2 = tb_recorder_intern_text (self, object),
    .a = address,
    .b = (guint64) timeout,
    .module = TB_ID_NONE,
  };
  tb_recorder_add_typed (self, &event);
}
