/* tb-recorder-events.c: conversion of events into rows of the tables: switches, sleeps, wake-ups,
 * samples, counters, locks of files and network events here, all other kinds by calls of the files
 * for them
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"

/* The thread that had the CPU. A thread whose exit was recorded may have left it at any time since.
 * That another one has the CPU now, as records of single threads show, is not the end of its
 * run. */
static guint32
take_current (TbRecorder *self, const TbEvent *event, TbCpuRecord *cpu_record)
{
  guint32 current = cpu_record->current;

  if (event->code == TB_PREV_STATE_UNKNOWN && current != TB_ID_NONE && current != TB_THREAD_IDLE
      && (tb_recorder_peek_thread (self, current)->flags & TB_THREAD_EXITED) != 0)
    cpu_record->current = TB_ID_NONE;
  return cpu_record->current;
}

static void
record_switch (TbRecorder *self, const TbEvent *event, guint16 cpu, TbCpuRecord *cpu_record)
{
  gint32 next_tid = event->a <= G_MAXINT32 ? (gint32) event->a : -1;
  gint32 next_pid = event->b <= G_MAXINT32 ? (gint32) event->b : -1;
  guint32 prev, next, stack;
  TbRows *rows;
  guint i;

  if (event->tid == next_tid)
    return; /* the event only marks how far the recording reaches */
  prev = tb_recorder_get_next_thread (self, event->host, event->tid, event->pid);
  if (prev == TB_ID_NONE && cpu_record != NULL)
    prev = take_current (self, event, cpu_record);
  stack = tb_recorder_get_stack (self, event, prev);
  if (cpu_record != NULL)
    {
      tb_recorder_switch_interrupts (self, cpu_record, cpu, event->host, event->time);
      if (cpu_record->current != prev && cpu_record->current != TB_ID_NONE)
        tb_recorder_count_mismatch (self, TB_MISMATCH_PREV);
      cpu_record->after_gap = FALSE;
    }
  tb_recorder_extend_life (self, prev, event->time);
  if (prev != TB_ID_NONE && (event->code == 'X' || event->code == 'Z' || event->code == 'x'))
    tb_recorder_mark_dead (self, prev, event->time);
  next = tb_recorder_get_next_thread (self, event->host, next_tid, next_pid);
  tb_recorder_extend_life (self, next, event->time);
  if (cpu_record != NULL)
    cpu_record->current = next;
  if (G_UNLIKELY (prev == TB_ID_NONE && next == TB_ID_NONE))
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  i = tb_recorder_add_row (self, TB_TABLE_SWITCH, &rows);
  tb_recorder_add_order (self, TB_ORDER_SWITCH, event->time, 0);
  TB_ROWS_COLUMN (rows, TB_SWITCH_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_SWITCH_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_SWITCH_PREV, guint32)[i] = prev;
  TB_ROWS_COLUMN (rows, TB_SWITCH_NEXT, guint32)[i] = next;
  TB_ROWS_COLUMN (rows, TB_SWITCH_PREV_STATE, guint8)[i] = event->code;
  TB_ROWS_COLUMN (rows, TB_SWITCH_STACK, guint32)[i] = stack;
}

static void
record_sleep (TbRecorder *self, const TbEvent *event)
{
  /* The thread that the switch directly after this event will find. */
  guint32 thread = tb_recorder_get_next_thread (self, event->host, event->tid, event->pid);
  gint64 timeout = (gint64) event->b;
  guint32 frame;
  guint32 variable = tb_recorder_check_string (self, event->text3);
  TbRows *rows;
  guint i;

  if (G_UNLIKELY (thread == TB_ID_NONE || thread == TB_THREAD_IDLE))
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  frame = tb_recorder_get_data_frame (self, event->module, event->c);
  if (event->module == TB_ID_NONE && variable != TB_STRING_NONE)
    frame = tb_recorder_intern_named_frame (self, tb_recorder_peek_string (self, variable), "",
                                            FALSE);
  i = tb_recorder_add_row (self, TB_TABLE_SLEEP, &rows);
  tb_recorder_add_order (self, TB_ORDER_SLEEP, event->time, 0);
  TB_ROWS_COLUMN (rows, TB_SLEEP_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_SLEEP_THREAD, guint32)[i] = thread;
  TB_ROWS_COLUMN (rows, TB_SLEEP_KIND, guint8)
  [i] = event->code < TB_N_SLEEPS ? event->code : TB_SLEEP_OTHER;
  TB_ROWS_COLUMN (rows, TB_SLEEP_CALL, guint32)[i] = tb_recorder_check_string (self, event->text);
  TB_ROWS_COLUMN (rows, TB_SLEEP_OBJECT, guint32)
  [i] = tb_recorder_check_string (self, event->text2);
  TB_ROWS_COLUMN (rows, TB_SLEEP_ADDRESS, guint64)[i] = event->a;
  TB_ROWS_COLUMN (rows, TB_SLEEP_TIMEOUT, gint64)
  [i] = timeout >= TB_TIMEOUT_NONE ? timeout : TB_TIMEOUT_UNKNOWN;
  TB_ROWS_COLUMN (rows, TB_SLEEP_OFFSET, guint64)[i] = event->c;
  TB_ROWS_COLUMN (rows, TB_SLEEP_FRAME, guint32)[i] = frame;
  TB_ROWS_COLUMN (rows, TB_SLEEP_OPERATION, guint32)[i] = event->device;
}

static void
record_file_lock (TbRecorder *self, const TbEvent *event)
{
  guint32 thread = tb_recorder_get_thread (self, event->host, event->tid, event->pid);
  guint mode = TB_FILE_LOCK_FLAGS_MODE (event->flags);
  guint result = TB_FILE_LOCK_FLAGS_RESULT (event->flags);
  TbRows *rows;
  guint i;

  if (G_UNLIKELY (thread == TB_ID_NONE || thread == TB_THREAD_IDLE))
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  i = tb_recorder_add_row (self, TB_TABLE_FILE_LOCK, &rows);
  TB_ROWS_COLUMN (rows, TB_FILE_LOCK_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_FILE_LOCK_THREAD, guint32)[i] = thread;
  TB_ROWS_COLUMN (rows, TB_FILE_LOCK_CALL, guint8)
  [i] = MIN (event->code, TB_N_FILE_LOCK_CALLS - 1);
  TB_ROWS_COLUMN (rows, TB_FILE_LOCK_MODE, guint8)[i] = MIN (mode, TB_FILE_LOCK_OTHER);
  TB_ROWS_COLUMN (rows, TB_FILE_LOCK_RESULT, guint8)[i] = MIN (result, TB_FILE_LOCK_FAILED);
  TB_ROWS_COLUMN (rows, TB_FILE_LOCK_FILE, guint32)
  [i] = tb_recorder_check_string (self, event->text2);
  TB_ROWS_COLUMN (rows, TB_FILE_LOCK_OWNER, guint64)[i] = event->a;
  TB_ROWS_COLUMN (rows, TB_FILE_LOCK_FROM, guint64)[i] = event->b;
  TB_ROWS_COLUMN (rows, TB_FILE_LOCK_TO, guint64)[i] = event->c;
}

/* The tables lose the order of simultaneous events, so the interrupt context is stored with the
 * wake-up. */
static guint8
get_context_flags (const TbCpuRecord *cpu_record)
{
  if (cpu_record == NULL || cpu_record->depth == 0)
    return 0;
  return cpu_record->open[cpu_record->depth - 1].kind == TB_INTERRUPT_SOFT ? TB_WAKEUP_SOFTIRQ
                                                                           : TB_WAKEUP_HARDIRQ;
}

static void
record_wakeup (TbRecorder *self, const TbEvent *event, guint16 cpu, TbCpuRecord *cpu_record)
{
  gint32 wakee_tid = event->a <= G_MAXINT32 ? (gint32) event->a : -1;
  guint32 waker = tb_recorder_get_thread (self, event->host, event->tid, event->pid);
  guint32 wakee, stack;
  guint8 flags = event->flags;
  TbRows *rows;
  guint i;

  if (flags & TB_WAKEUP_NEW)
    wakee = tb_recorder_get_next_thread (self, event->host, wakee_tid, -1);
  else
    wakee = tb_recorder_get_thread (self, event->host, wakee_tid, -1);
  if (waker == TB_ID_NONE && cpu_record != NULL && (flags & TB_WAKEUP_LATE) == 0)
    waker = cpu_record->current;
  if ((flags & (TB_WAKEUP_LATE | TB_WAKEUP_HARDIRQ | TB_WAKEUP_SOFTIRQ)) == 0)
    flags |= get_context_flags (cpu_record);
  if (G_UNLIKELY (wakee == TB_ID_NONE))
    {
      tb_recorder_count_mismatch (self, TB_MISMATCH_THREAD);
      return;
    }
  stack = tb_recorder_get_stack (self, event, waker);
  i = tb_recorder_add_row (self, TB_TABLE_WAKEUP, &rows);
  tb_recorder_add_order (self, TB_ORDER_WAKEUP, event->time, 0);
  TB_ROWS_COLUMN (rows, TB_WAKEUP_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_WAKEUP_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_WAKEUP_WAKER, guint32)[i] = waker;
  TB_ROWS_COLUMN (rows, TB_WAKEUP_WAKEE, guint32)[i] = wakee;
  TB_ROWS_COLUMN (rows, TB_WAKEUP_FLAGS, guint8)[i] = flags;
  TB_ROWS_COLUMN (rows, TB_WAKEUP_STACK, guint32)[i] = stack;
}

static void
record_sample (TbRecorder *self, const TbEvent *event, guint16 cpu, guint32 thread, guint32 stack)
{
  TbRows *rows;
  guint i = tb_recorder_add_row (self, TB_TABLE_SAMPLE, &rows);

  tb_recorder_add_order (self, TB_ORDER_SAMPLE, event->time, 0);
  TB_ROWS_COLUMN (rows, TB_SAMPLE_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_SAMPLE_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_SAMPLE_THREAD, guint32)[i] = thread;
  TB_ROWS_COLUMN (rows, TB_SAMPLE_WEIGHT, guint64)[i] = event->a;
  TB_ROWS_COLUMN (rows, TB_SAMPLE_STACK, guint32)[i] = stack;
}

static void
record_counter (TbRecorder *self, const TbEvent *event, guint16 cpu, guint32 thread, guint32 stack)
{
  TbRows *rows;
  guint i = tb_recorder_add_row (self, TB_TABLE_COUNTER, &rows);

  TB_ROWS_COLUMN (rows, TB_COUNTER_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_COUNTER_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_COUNTER_KIND, guint8)
  [i] = event->code < TB_N_COUNTER_KINDS ? event->code : TB_COUNTER_EVENTS;
  TB_ROWS_COLUMN (rows, TB_COUNTER_THREAD, guint32)[i] = thread;
  TB_ROWS_COLUMN (rows, TB_COUNTER_NAME, guint32)[i] = tb_recorder_check_string (self, event->text);
  TB_ROWS_COLUMN (rows, TB_COUNTER_WEIGHT, guint64)[i] = event->a;
  TB_ROWS_COLUMN (rows, TB_COUNTER_STACK, guint32)[i] = stack;
}

static void
record_network (TbRecorder *self,
                const TbEvent *event,
                guint16 cpu,
                const TbCpuRecord *cpu_record,
                guint32 thread,
                guint32 stack)
{
  TbRows *rows;
  guint i = tb_recorder_add_row (self, TB_TABLE_NETWORK, &rows);

  /* The interrupted thread has nothing to do with the message. */
  if (cpu_record != NULL && cpu_record->depth > 0 && thread == cpu_record->current)
    thread = TB_ID_NONE;
  tb_recorder_add_order (self, TB_ORDER_NETWORK, event->time, 0);
  TB_ROWS_COLUMN (rows, TB_NETWORK_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_NETWORK_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_NETWORK_KIND, guint8)
  [i] = event->kind - TB_EVENT_NET_SEND + TB_NETWORK_SEND;
  TB_ROWS_COLUMN (rows, TB_NETWORK_THREAD, guint32)[i] = thread;
  TB_ROWS_COLUMN (rows, TB_NETWORK_SOCKET, guint64)[i] = event->a;
  TB_ROWS_COLUMN (rows, TB_NETWORK_PROTOCOL, guint32)
  [i] = tb_recorder_check_string (self, event->text);
  TB_ROWS_COLUMN (rows, TB_NETWORK_LOCAL, guint32)
  [i] = tb_recorder_check_string (self, event->text3);
  TB_ROWS_COLUMN (rows, TB_NETWORK_REMOTE, guint32)
  [i] = tb_recorder_check_string (self, event->text2);
  TB_ROWS_COLUMN (rows, TB_NETWORK_BYTES, guint64)[i] = event->b;
  TB_ROWS_COLUMN (rows, TB_NETWORK_STACK, guint32)[i] = stack;
}

/* The thread that the event belongs to: the one in the event, or else the one that runs on its
 * CPU. */
static inline guint32
get_context_thread (TbRecorder *self, const TbEvent *event, const TbCpuRecord *cpu_record)
{
  guint32 thread = tb_recorder_get_thread (self, event->host, event->tid, event->pid);

  if (thread == TB_ID_NONE && cpu_record != NULL)
    thread = cpu_record->current;
  return thread;
}

/* Events of the life cycle of threads and processes. */
static void
record_lifecycle (TbRecorder *self, const TbEvent *event, guint16 cpu)
{
  guint32 stack = TB_STACK_NONE;

  if (event->n_chain > 0 || event->stack != TB_STACK_NONE)
    stack = tb_recorder_get_stack (self, event,
                                   tb_recorder_get_thread (self, event->host, event->tid,
                                                           event->pid));
  switch (event->kind)
    {
    case TB_EVENT_FORK:
      tb_recorder_fork (self, event, cpu, stack);
      break;
    case TB_EVENT_EXIT:
      tb_recorder_exit (self, event, cpu, stack);
      break;
    case TB_EVENT_NAME:
      tb_recorder_name (self, event, cpu, stack);
      break;
    case TB_EVENT_PROCESS_NAME:
      tb_recorder_name_process (self, event);
      break;
    case TB_EVENT_EXISTING:
      tb_recorder_record_existing (self, event, cpu);
      break;
    case TB_EVENT_COMMAND:
      tb_recorder_set_command (self, event);
      break;
    case TB_EVENT_EXEC:
      tb_recorder_exec (self, event, cpu, stack);
      break;
    default:
      tb_recorder_map (self, event);
      break;
    }
}

/* Events of the activity of threads. */
static void
record_activity (TbRecorder *self, const TbEvent *event, guint16 cpu, const TbCpuRecord *cpu_record)
{
  guint32 thread = get_context_thread (self, event, cpu_record);
  guint32 stack = tb_recorder_get_stack (self, event, thread);

  switch (event->kind)
    {
    case TB_EVENT_SAMPLE:
      record_sample (self, event, cpu, thread, stack);
      break;
    case TB_EVENT_COUNTER:
      record_counter (self, event, cpu, thread, stack);
      break;
    case TB_EVENT_IO_INSERT:
    case TB_EVENT_IO_ISSUE:
    case TB_EVENT_IO_COMPLETE:
      tb_recorder_record_block (self, event, thread, cpu, stack);
      break;
    case TB_EVENT_NET_SEND:
    case TB_EVENT_NET_RECEIVE:
    case TB_EVENT_NET_CONNECT:
    case TB_EVENT_NET_ACCEPT:
      record_network (self, event, cpu, cpu_record, thread, stack);
      break;
    case TB_EVENT_SYS_ENTER:
      tb_recorder_enter_syscall (self, event, thread, stack);
      break;
    case TB_EVENT_SYS_EXIT:
      tb_recorder_exit_syscall (self, event, thread);
      break;
    case TB_EVENT_WHOLE_SYSCALL:
      tb_recorder_record_whole_syscall (self, event, thread, stack);
      break;
    case TB_EVENT_CALL:
      tb_recorder_enter_call (self, event, thread, stack);
      break;
    case TB_EVENT_RETURN:
      tb_recorder_return_call (self, event, thread, stack);
      break;
    default:
      tb_recorder_record_mark (self, event, cpu, thread, stack);
      break;
    }
}

/* Adds the rows of an event. Events must come in order of time. */
void
tb_recorder_record (TbRecorder *self, const TbEvent *event)
{
  guint16 cpu = tb_recorder_get_cpu (self, event);
  TbCpuRecord *cpu_record = tb_recorder_get_cpu_record (self, cpu);

  switch (event->kind)
    {
    case TB_EVENT_SWITCH:
      record_switch (self, event, cpu, cpu_record);
      break;
    case TB_EVENT_WAKEUP:
      record_wakeup (self, event, cpu, cpu_record);
      break;
    case TB_EVENT_IRQ_ENTRY:
    case TB_EVENT_SOFTIRQ_ENTRY:
      tb_recorder_enter_interrupt (self, event, cpu, event->kind == TB_EVENT_SOFTIRQ_ENTRY);
      break;
    case TB_EVENT_IRQ_EXIT:
    case TB_EVENT_SOFTIRQ_EXIT:
      tb_recorder_exit_interrupt (self, event, cpu, event->kind == TB_EVENT_SOFTIRQ_EXIT);
      break;
    case TB_EVENT_LOST:
      tb_recorder_record_lost (self, event, cpu);
      break;
    case TB_EVENT_SLEEP:
      record_sleep (self, event);
      break;
    case TB_EVENT_FILE_LOCK:
      record_file_lock (self, event);
      break;
    case TB_EVENT_FORK:
    case TB_EVENT_EXIT:
    case TB_EVENT_NAME:
    case TB_EVENT_PROCESS_NAME:
    case TB_EVENT_EXISTING:
    case TB_EVENT_COMMAND:
    case TB_EVENT_EXEC:
    case TB_EVENT_MAPPING:
      record_lifecycle (self, event, cpu);
      break;
    default:
      record_activity (self, event, cpu, cpu_record);
      break;
    }
}
