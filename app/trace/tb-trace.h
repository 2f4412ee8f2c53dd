/* tb-trace.h: trace of a session: state intervals of its threads with kinds and causes of waits,
 * locks and stacks; texts about them; counts of contradictions; reading of columns
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session.h"

G_BEGIN_DECLS

/**
 * TbState:
 * @TB_STATE_UNKNOWN: not known
 * @TB_STATE_RUNNING: running on a CPU
 * @TB_STATE_RUNNABLE: waiting for a CPU: woken, forked or preempted
 * @TB_STATE_INTERRUPTIBLE: sleeping; a signal can end the sleep
 * @TB_STATE_UNINTERRUPTIBLE: sleeping; only the awaited event can end the sleep
 * @TB_STATE_STOPPED: stopped by a signal or a tracer
 *
 * State of a thread. Running + runnable + interruptible + uninterruptible + stopped + unknown = its
 * lifetime.
 */
typedef enum
{
  TB_STATE_UNKNOWN,
  TB_STATE_RUNNING,
  TB_STATE_RUNNABLE,
  TB_STATE_INTERRUPTIBLE,
  TB_STATE_UNINTERRUPTIBLE,
  TB_STATE_STOPPED,
} TbState;

/**
 * TB_N_STATES:
 *
 * Number of the values of [enum@State].
 */
#define TB_N_STATES (TB_STATE_STOPPED + 1)

/**
 * TbIntervalFlags:
 * @TB_INTERVAL_UNCERTAIN: it overlaps lost events, or its end has no known cause although it should
 *   have one
 * @TB_INTERVAL_PREEMPTED: runnable because it was preempted, not woken
 * @TB_INTERVAL_OPEN_START: it began before the recording
 * @TB_INTERVAL_OPEN_END: it had not ended when the recording ended
 * @TB_INTERVAL_KERNEL_WORK: a sleep of a kernel thread
 * @TB_INTERVAL_TIMED_OUT: the timeout of the wait expired; a deliberate sleep never has this flag
 * @TB_INTERVAL_UNKNOWN_SLEEP: a sleep of which the state was not recorded: it has the state
 *   interruptible, and was uninterruptible or stopped as well as interruptible
 *
 * Additional facts about an interval.
 */
typedef enum
{
  TB_INTERVAL_UNCERTAIN = 1 << 0,
  TB_INTERVAL_PREEMPTED = 1 << 1,
  TB_INTERVAL_OPEN_START = 1 << 2,
  TB_INTERVAL_OPEN_END = 1 << 3,
  TB_INTERVAL_KERNEL_WORK = 1 << 4,
  TB_INTERVAL_TIMED_OUT = 1 << 5,
  TB_INTERVAL_UNKNOWN_SLEEP = 1 << 6,
} TbIntervalFlags;

/**
 * TbWaitKind:
 * @TB_WAIT_UNKNOWN: not known, or not yet: function names may determine it
 * @TB_WAIT_LOCK: a lock, semaphore or condition
 * @TB_WAIT_PIPE: data in, or room in, a pipe
 * @TB_WAIT_SOCKET: a message, a connection, or room to send
 * @TB_WAIT_POLL: the first of several files that is ready
 * @TB_WAIT_SLEEP: a deliberate sleep
 * @TB_WAIT_BLOCK_IO: a disk
 * @TB_WAIT_PAGE_FAULT: a page that must be read in
 * @TB_WAIT_CHILD: the end of a child process
 * @TB_WAIT_SIGNAL: a signal
 * @TB_WAIT_WORK: an idle kernel thread waits for work
 * @TB_WAIT_OTHER: something else
 * @TB_WAIT_BUSY: busy waiting: the thread ran between marks of spinning
 *
 * What a thread waits for: as the kernel reported it when the thread left its CPU, if that was
 * recorded; else derived from its system call or requests; else from its stack.
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
} TbWaitKind;

/**
 * TB_N_WAITS:
 *
 * Number of the values of [enum@WaitKind].
 */
#define TB_N_WAITS (TB_WAIT_BUSY + 1)

/**
 * TbCauseKind:
 * @TB_CAUSE_NONE: no cause: it is open at the end, was cut by lost events, or continued into the
 *   next interval by itself
 * @TB_CAUSE_THREAD: a thread; the cause is its id
 * @TB_CAUSE_DEVICE: a device; the cause is its id, %TB_ID_NONE for an unknown block device
 * @TB_CAUSE_TIMER: a timer
 * @TB_CAUSE_INTERRUPT: an interrupt; the cause is the string of its name, %TB_STRING_NONE if
 *   unknown
 * @TB_CAUSE_NETWORK: a message; the cause is the string of its peer, %TB_STRING_NONE if unknown
 * @TB_CAUSE_SIGNAL: a signal; the cause is the thread that sent it
 * @TB_CAUSE_UNKNOWN: it ended, but the cause is not known
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
} TbCauseKind;

/**
 * TB_N_CAUSES:
 *
 * Number of the values of [enum@CauseKind].
 */
#define TB_N_CAUSES (TB_CAUSE_UNKNOWN + 1)

TB_EXPORT const char *tb_state_get_name (TbState state);
TB_EXPORT const char *tb_state_get_label (TbState state);
TB_EXPORT const char *tb_wait_kind_get_name (TbWaitKind kind);
TB_EXPORT const char *tb_wait_kind_get_label (TbWaitKind kind);
TB_EXPORT const char *tb_cause_kind_get_name (TbCauseKind kind);

/**
 * TbIntervals:
 * @n: number of intervals
 * @start: start of each, ns
 * @end: end of each
 * @thread: thread
 * @state: [enum@Tailback.State]
 * @flags: [flags@Tailback.IntervalFlags]
 * @cpu: running: the CPU; runnable: the CPU that it waited for; sleeping: the CPU that it left;
 *   %TB_CPU_ALL if unknown
 * @kind: [enum@Tailback.WaitKind] of a sleep, as far as events show it: see
 *   [method@Tailback.Trace.get_wait_kind]
 * @object: string: the object of a sleep: file, host:port; %TB_STRING_NONE if unknown; see
 *   [method@Tailback.Trace.get_object] for locks
 * @stack: of a sleep or a preemption: the call stack when it left the CPU
 * @cause_kind: [enum@Tailback.CauseKind]
 * @cause: the cause, an id or string according to the kind
 * @wakeup: row of the wakeup table that ended it, or that made the thread runnable for a runnable
 *   interval; %TB_ID_NONE if none
 * @sleep: row of the sleep table that describes the sleep; %TB_ID_NONE if none
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
 * @lost_ns: total length of the time ranges with lost events, overlaps counted once
 * @sleeps_without_wakeup: sleeps that ended without a recorded wake-up
 * @stray_wakeups: wake-ups without effect, of threads that were running, runnable, or gone
 * @self_wakeups: wake-ups in which waker and wakee are the same thread; dropped
 * @unknown_switch_outs: switches out of a thread that was not known to run on that CPU
 * @merged_false_wakeups: waits that were merged with the next because the wake-up between them was
 *   declared false
 * @unbalanced_interrupts: interrupt handlers whose entry or exit is missing
 * @unmatched_marks: spin and false-wakeup marks without a counterpart
 * @late_wakeups: wake-ups recorded only by sched_wakeup, which may run on another CPU than the
 *   waker
 * @cpus_without_idle: CPUs with switches to the idle task and none from it
 *
 * Counts of contradictions and gaps in the session. Every analysis adds those that affect it to its
 * report.
 */
typedef struct
{
  guint64 lost_events;
  gint64 lost_ns;
  guint64 sleeps_without_wakeup;
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
 * @share: share of the work that is done, 0…1
 * @what: the current step, for display
 * @data: (closure): the data passed with the function
 *
 * Receives the progress of long work, in the thread that does the work.
 */
    typedef void (*TbProgressFunc) (double share, const char *what, gpointer data);

/**
 * TB_WAKEUP_TOLERANCE:
 *
 * Wake-up tolerance, ns: a wake-up that comes at most this long before the thread leaves its CPU
 * ends the sleep that follows, unless another wake-up follows it.
 */
#define TB_WAKEUP_TOLERANCE G_GINT64_CONSTANT (100000)

TB_EXPORT TbTrace *tb_trace_new (TbSession *session,
                                 TbProgressFunc progress,
                                 gpointer data,
                                 GCancellable *cancellable,
                                 GError **error);
TB_EXPORT TbTrace *tb_trace_new_with_tolerance (TbSession *session,
                                                gint64 wakeup_tolerance,
                                                TbProgressFunc progress,
                                                gpointer data,
                                                GCancellable *cancellable,
                                                GError **error);
TB_EXPORT TbTrace *tb_trace_get_with_tolerance (TbTrace *self,
                                                gint64 wakeup_tolerance,
                                                TbProgressFunc progress,
                                                gpointer data,
                                                GCancellable *cancellable,
                                                GError **error);
TB_EXPORT TbSession *tb_trace_get_session (TbTrace *self);
TB_EXPORT gint64 tb_trace_get_wakeup_tolerance (TbTrace *self);
TB_EXPORT void tb_trace_get_range (TbTrace *self, gint64 *from, gint64 *to);
TB_EXPORT const TbTraceCounts *tb_trace_get_counts (TbTrace *self);
TB_EXPORT const char *const *tb_trace_get_warnings (TbTrace *self);
TB_EXPORT const char *const *tb_trace_get_remarks (TbTrace *self);
/* Whether names of functions of a module (its file name) are those of a file that may be another
 * one than the recorded file. */
TB_EXPORT gboolean tb_trace_has_unverified_names (TbTrace *self, const char *module);
TB_EXPORT GBytes *tb_trace_read_column (TbTrace *self, TbTableKind table, guint column);
TB_EXPORT GBytes *
tb_trace_read_rows (TbTrace *self, TbTableKind table, guint column, guint64 first, guint64 n);
TB_EXPORT gboolean tb_trace_check (TbTrace *self, GError **error);

TB_EXPORT const TbIntervals *tb_trace_get_intervals (TbTrace *self);
TB_EXPORT GBytes *tb_trace_get_interval_column (TbTrace *self, TbIntervalColumn column);
TB_EXPORT void
tb_trace_get_thread_intervals (TbTrace *self, guint32 thread, gsize *first, gsize *n);
TB_EXPORT gssize tb_trace_find_interval (TbTrace *self, guint32 thread, gint64 time);

TB_EXPORT gboolean tb_trace_is_kernel_thread (TbTrace *self, guint32 thread);
TB_EXPORT const char *tb_trace_get_thread_name_at (TbTrace *self, guint32 thread, gint64 time);
TB_EXPORT const char *
tb_trace_get_shown_thread_name_at (TbTrace *self, guint32 thread, gint64 time);
TB_EXPORT TbWaitKind tb_trace_get_wait_kind (TbTrace *self, gsize interval);
TB_EXPORT gboolean tb_trace_is_timed_out (TbTrace *self, gsize interval);
TB_EXPORT gboolean tb_trace_has_sleep_records (TbTrace *self);
TB_EXPORT const char *tb_trace_get_wait_call (TbTrace *self, gsize interval);
TB_EXPORT gboolean tb_trace_is_memory_fault (TbTrace *self, gsize interval);

/**
 * TbLockKind:
 * @TB_LOCK_WORD: a futex: a word in memory, by which libraries make locks and conditions
 * @TB_LOCK_FILE: the lock of a file, by flock() or fcntl()
 * @TB_LOCK_SEMAPHORE: a System V semaphore
 *
 * What a lock is for the kernel.
 */
typedef enum
{
  TB_LOCK_WORD,
  TB_LOCK_FILE,
  TB_LOCK_SEMAPHORE,
} TbLockKind;

/**
 * TbLock:
 * @process: process of the lock; %TB_ID_NONE if several processes share it
 * @address: address in the process that waited for it first; of a semaphore its number; 0 of a file
 * @place: frame of the module's variable that is the lock, %TB_ID_NONE if it is no variable
 * @object: string: the mapping it lies in: a file, "[heap]"; the locked file; %TB_STRING_NONE if
 *   unknown
 * @offset: offset in that mapping, or distance from the start address of the module's first page
 * @kind: [enum@Tailback.LockKind]
 *
 * A lock that threads slept for. Private locks of two processes at the same address are two locks;
 * a lock in a file that both have mapped is one, and so is the lock of a file.
 */
typedef struct
{
  guint32 process;
  guint32 place;
  guint32 object;
  guint64 address;
  guint64 offset;
  guint32 kind;
} TbLock;

TB_EXPORT const TbLock *tb_trace_get_locks (TbTrace *self, guint *n_locks);
TB_EXPORT guint32 tb_trace_get_lock (TbTrace *self, gsize interval);
TB_EXPORT guint32 tb_trace_get_file_lock (TbTrace *self, guint32 thread, guint32 file);
TB_EXPORT char *tb_trace_describe_lock (TbTrace *self, guint32 lock);
TB_EXPORT guint32 tb_trace_get_object (TbTrace *self, gsize interval);
TB_EXPORT char *tb_trace_describe_object (TbTrace *self, guint32 object);

/**
 * TbFunctionMatchFunc:
 * @function: name of a function, or its place in the module if the name is not known
 * @module: the file name of its module, "[kernel]", or ""
 * @data: (closure): the data passed with the function
 *
 * Decides whether a function is one of those that are sought. Called for the functions of each
 * frame of the stacks, in the calling thread.
 *
 * Returns: whether the function matches
 */
typedef gboolean (*TbFunctionMatchFunc) (const char *function, const char *module, gpointer data);

TB_EXPORT guint8 *
tb_trace_match_stacks (TbTrace *self, TbFunctionMatchFunc match, gpointer data, guint32 *n_stacks);
TB_EXPORT char **tb_trace_get_stack_functions (TbTrace *self, guint32 stack);
TB_EXPORT char *tb_trace_get_stack_label (TbTrace *self, guint32 stack);
TB_EXPORT char *tb_trace_find_program_function (TbTrace *self, guint32 stack, const char **module);
TB_EXPORT gboolean tb_trace_may_miss_callers (TbTrace *self);
TB_EXPORT const char *tb_trace_get_caller_option (TbTrace *self, guint32 node);
TB_EXPORT char *tb_trace_describe_caller_option (TbTrace *self, guint32 node);
TB_EXPORT char *tb_trace_get_wait_function (TbTrace *self, gsize interval);
TB_EXPORT char *tb_trace_describe_interval (TbTrace *self, gsize interval);
TB_EXPORT char *tb_trace_describe_wait (TbTrace *self, gsize interval);
TB_EXPORT char *tb_trace_describe_cause (TbTrace *self, TbCauseKind kind, guint32 cause);
TB_EXPORT char *tb_trace_describe_thread (TbTrace *self, guint32 thread);

G_END_DECLS
