/* tb-trace.h: what happened: states, wake-ups, devices, interrupts of a session
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/tb-session.h"

G_BEGIN_DECLS

/**
 * TbState:
 * @TB_STATE_UNKNOWN: not known
 * @TB_STATE_RUNNING: it runs on a cpu
 * @TB_STATE_RUNNABLE: it waits for a cpu: woken, forked or preempted
 * @TB_STATE_INTERRUPTIBLE: it sleeps; a signal could end that
 * @TB_STATE_UNINTERRUPTIBLE: it sleeps; only what it waits for ends that
 * @TB_STATE_STOPPED: a signal or a tracer stopped it
 *
 * What a thread does. Running + runnable + interruptible + uninterruptible + stopped + unknown = its life.
 */
typedef enum
{
  TB_STATE_UNKNOWN,
  TB_STATE_RUNNING,
  TB_STATE_RUNNABLE,
  TB_STATE_INTERRUPTIBLE,
  TB_STATE_UNINTERRUPTIBLE,
  TB_STATE_STOPPED,
  TB_N_STATES,
} TbState;

/**
 * TbIntervalFlags:
 * @TB_INTERVAL_UNCERTAIN: it touches lost events, or its end has no known cause though it should have one
 * @TB_INTERVAL_PREEMPTED: runnable because it was preempted, not woken
 * @TB_INTERVAL_OPEN_START: it began before the recording
 * @TB_INTERVAL_OPEN_END: it was not over when the recording ended
 * @TB_INTERVAL_KERNEL_WORK: a sleep of a thread of the kernel
 * @TB_INTERVAL_TIMED_OUT: a timer ended it when the time was over that the thread wanted to wait at most; a deliberate
 *   sleep never has it
 *
 * What else is to be known of an interval.
 */
typedef enum
{
  TB_INTERVAL_UNCERTAIN = 1 << 0,
  TB_INTERVAL_PREEMPTED = 1 << 1,
  TB_INTERVAL_OPEN_START = 1 << 2,
  TB_INTERVAL_OPEN_END = 1 << 3,
  TB_INTERVAL_KERNEL_WORK = 1 << 4,
  TB_INTERVAL_TIMED_OUT = 1 << 5,
} TbIntervalFlags;

/**
 * TbWaitKind:
 * @TB_WAIT_UNKNOWN: not known (yet: names of functions may tell it)
 * @TB_WAIT_LOCK: a lock, semaphore or condition
 * @TB_WAIT_PIPE: data in, or room in, a pipe
 * @TB_WAIT_SOCKET: a message, a connection, or room to send
 * @TB_WAIT_POLL: whichever of several files is ready first
 * @TB_WAIT_SLEEP: time, deliberately
 * @TB_WAIT_BLOCK_IO: a disk
 * @TB_WAIT_PAGE_FAULT: memory that has to be brought in first
 * @TB_WAIT_CHILD: the end of a child process
 * @TB_WAIT_SIGNAL: a signal
 * @TB_WAIT_WORK: a thread of the kernel without work
 * @TB_WAIT_OTHER: something else
 * @TB_WAIT_BUSY: it ran, but only to wait: between marks of spinning
 *
 * What a thread sleeps in: as the kernel knew it when the thread left its cpu, where that was recorded; else from its system
 * call or requests; else from its stack.
 */
typedef enum
{
  TB_WAIT_UNKNOWN,
  TB_WAIT_LOCK,
  TB_WAIT_PIPE,
  TB_WAIT_SOCKET,
  TB_WAIT_POLL,
  TB_WAIT_SLEEP,
  TB_WAIT_BLOCK_IO,
  TB_WAIT_PAGE_FAULT,
  TB_WAIT_CHILD,
  TB_WAIT_SIGNAL,
  TB_WAIT_WORK,
  TB_WAIT_OTHER,
  TB_WAIT_BUSY,
  TB_N_WAITS,
} TbWaitKind;

/**
 * TbCauseKind:
 * @TB_CAUSE_NONE: nothing did: it is open at the end, was cut by lost events, or went over into what follows by itself
 * @TB_CAUSE_THREAD: a thread; the cause is its id
 * @TB_CAUSE_DEVICE: a device; the cause is its id, %TB_ID_NONE some block device
 * @TB_CAUSE_TIMER: a timer
 * @TB_CAUSE_INTERRUPT: an interrupt; the cause is the string of its name, %TB_STRING_NONE unknown
 * @TB_CAUSE_NETWORK: a message; the cause is the string of its peer, %TB_STRING_NONE unknown
 * @TB_CAUSE_SIGNAL: a signal; the cause is the thread that sent it
 * @TB_CAUSE_UNKNOWN: it ended, by what is not known
 *
 * What ended an interval.
 */
typedef enum
{
  TB_CAUSE_NONE,
  TB_CAUSE_THREAD,
  TB_CAUSE_DEVICE,
  TB_CAUSE_TIMER,
  TB_CAUSE_INTERRUPT,
  TB_CAUSE_NETWORK,
  TB_CAUSE_SIGNAL,
  TB_CAUSE_UNKNOWN,
  TB_N_CAUSES,
} TbCauseKind;

TB_EXPORT const char *tb_state_get_name (TbState state);
TB_EXPORT const char *tb_wait_kind_get_name (TbWaitKind kind);
TB_EXPORT const char *tb_cause_kind_get_name (TbCauseKind kind);

/**
 * TbIntervals:
 * @n: how many there are
 * @start: when each begins, ns
 * @end: when it ends
 * @thread: whose it is
 * @state: [enum@Tailback.State]
 * @flags: [flags@Tailback.IntervalFlags]
 * @cpu: running: where; runnable: the cpu that it waited for; sleeping: where it left; %TB_CPU_ALL unknown
 * @kind: [enum@Tailback.WaitKind] of a sleep, as far as events tell: see [method@Tailback.Trace.get_wait_kind]
 * @object: string: what a sleep was for: file, host:port; %TB_STRING_NONE unknown; see
 *   [method@Tailback.Trace.get_object] for locks
 * @stack: of a sleep or a preemption: where it left the cpu
 * @cause_kind: [enum@Tailback.CauseKind]
 * @cause: which, according to the kind
 * @wakeup: row of the wakeup table that ended it; of a runnable interval, that made it runnable; %TB_ID_NONE none
 * @sleep: row of the sleep table that tells what a sleep was in; %TB_ID_NONE none
 *
 * The interval table as arrays, sorted by thread and start.
 */
typedef struct
{
  gsize n;
  const gint64 *start;
  const gint64 *end;
  const guint32 *thread;
  const guint8 *state;
  const guint8 *flags;
  const guint16 *cpu;
  const guint8 *kind;
  const guint32 *object;
  const guint32 *stack;
  const guint8 *cause_kind;
  const guint32 *cause;
  const guint32 *wakeup;
  const guint32 *sleep;
} TbIntervals;

/**
 * TbTraceCounts:
 * @lost_events: events that the recording lost
 * @lost_ns: length of the union of the stretches in which it lost them
 * @sleeps_without_waking: sleeps that ended although no waking is recorded
 * @stray_wakeups: wakings of threads that ran, were runnable, or were gone; without effect
 * @self_wakeups: wakings whose waker is the wakee; dropped
 * @unknown_switch_outs: a thread left a cpu on which it was not known to run
 * @merged_false_wakeups: waits that were declared false and became one with the next
 * @unbalanced_interrupts: interrupt handlers whose entry or exit is missing
 * @unmatched_marks: spin and false-wakeup marks that nothing answers
 * @late_wakeups: wakings of which only sched_wakeup is recorded, which may run on another cpu than the waker
 * @cpus_without_idle: cpus with switches to the idle task and none from it
 *
 * What the session contradicted or left open; every analysis carries what concerns it into its report.
 */
typedef struct
{
  guint64 lost_events;
  gint64 lost_ns;
  guint64 sleeps_without_waking;
  guint64 stray_wakeups;
  guint64 self_wakeups;
  guint64 unknown_switch_outs;
  guint64 merged_false_wakeups;
  guint64 unbalanced_interrupts;
  guint64 unmatched_marks;
  guint64 late_wakeups;
  guint32 cpus_without_idle;
} TbTraceCounts;

#define TB_TYPE_TRACE (tb_trace_get_type ())
TB_EXPORT G_DECLARE_FINAL_TYPE (TbTrace, tb_trace, TB, TRACE, GObject)

    /**
 * TbProgressFunc:
 * @share: of the work that is done, 0…1
 * @what: what is done now, for people
 * @data: (closure): as it was given with the function
 *
 * Told how far long work is, in the thread that does it.
 */
    typedef void (*TbProgressFunc) (double share, const char *what, gpointer data);

/**
 * TB_WAKING_GRACE:
 *
 * A waking that comes at most so long before a thread has left the cpu (ns) belongs to that leaving, unless another follows.
 */
#define TB_WAKING_GRACE G_GINT64_CONSTANT (100000)

TB_EXPORT TbTrace *tb_trace_new (TbSession *session,
                                 TbProgressFunc progress,
                                 gpointer data,
                                 GCancellable *cancellable,
                                 GError **error);
TB_EXPORT TbTrace *tb_trace_new_with_grace (TbSession *session,
                                            gint64 waking_grace,
                                            TbProgressFunc progress,
                                            gpointer data,
                                            GCancellable *cancellable,
                                            GError **error);
TB_EXPORT TbSession *tb_trace_get_session (TbTrace *self);
TB_EXPORT gint64 tb_trace_get_waking_grace (TbTrace *self);
TB_EXPORT void tb_trace_get_range (TbTrace *self, gint64 *from, gint64 *to);
TB_EXPORT const TbTraceCounts *tb_trace_get_counts (TbTrace *self);
TB_EXPORT const char *const *tb_trace_get_warnings (TbTrace *self);
TB_EXPORT GBytes *tb_trace_read_column (TbTrace *self, TbTableKind table, guint column);
TB_EXPORT GBytes *
tb_trace_read_rows (TbTrace *self, TbTableKind table, guint column, guint64 first, guint64 n);
TB_EXPORT gboolean tb_trace_check (TbTrace *self, GError **error);

TB_EXPORT const TbIntervals *tb_trace_get_intervals (TbTrace *self);
TB_EXPORT GBytes *tb_trace_get_interval_column (TbTrace *self, TbIntervalColumn column);
TB_EXPORT void tb_trace_get_thread_intervals (TbTrace *self, guint32 thread, gsize *first, gsize *n);
TB_EXPORT gssize tb_trace_find_interval (TbTrace *self, guint32 thread, gint64 time);

TB_EXPORT gboolean tb_trace_is_kernel_thread (TbTrace *self, guint32 thread);
TB_EXPORT const char *tb_trace_get_thread_name_at (TbTrace *self, guint32 thread, gint64 time);
TB_EXPORT TbWaitKind tb_trace_get_wait_kind (TbTrace *self, gsize interval);

/**
 * TbLock:
 * @process: whose it is; %TB_ID_NONE where several processes share it
 * @address: in the process that waited for it first
 * @place: frame of the variable of a module that it is, %TB_ID_NONE none
 * @object: string: the mapping it lies in: a file, "[heap]"; %TB_STRING_NONE unknown
 * @offset: place in that mapping, or distance from where the first page of the module is mapped
 *
 * A lock that threads slept for. Two processes' own locks at the same address are two, one in a file that both have mapped
 * is one.
 */
typedef struct
{
  guint32 process;
  guint32 place;
  guint32 object;
  guint64 address;
  guint64 offset;
} TbLock;

TB_EXPORT const TbLock *tb_trace_get_locks (TbTrace *self, guint *n_locks);
TB_EXPORT guint32 tb_trace_get_lock (TbTrace *self, gsize interval);
TB_EXPORT char *tb_trace_describe_lock (TbTrace *self, guint32 lock);
TB_EXPORT guint32 tb_trace_get_object (TbTrace *self, gsize interval);
TB_EXPORT char *tb_trace_describe_object (TbTrace *self, guint32 object);

/**
 * TbFunctionMatchFunc:
 * @function: a function, or where it lies while its name is not known
 * @module: the file name of its module, "[kernel]", or ""
 * @data: (closure): as it was given with the function
 *
 * Returns: whether the function is sought
 */
typedef gboolean (*TbFunctionMatchFunc) (const char *function, const char *module, gpointer data);

TB_EXPORT guint8 *
tb_trace_match_stacks (TbTrace *self, TbFunctionMatchFunc match, gpointer data, guint32 *n_stacks);
TB_EXPORT char **tb_trace_get_stack_functions (TbTrace *self, guint32 stack);
TB_EXPORT char *tb_trace_get_stack_label (TbTrace *self, guint32 stack);
TB_EXPORT char *tb_trace_describe_interval (TbTrace *self, gsize interval);
TB_EXPORT char *tb_trace_describe_cause (TbTrace *self, TbCauseKind kind, guint32 cause);
TB_EXPORT char *tb_trace_describe_thread (TbTrace *self, guint32 thread);

G_END_DECLS
