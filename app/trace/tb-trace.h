/* tb-trace.h: what happened: states, wake-ups, devices, interrupts of a session
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/tb-session.h"

G_BEGIN_DECLS

/**
 * TbState:
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

typedef enum
{
  TB_INTERVAL_UNCERTAIN = 1 << 0,   /* overlaps lost events, or its end has no known cause though it should */
  TB_INTERVAL_PREEMPTED = 1 << 1,   /* runnable because it was preempted, not woken */
  TB_INTERVAL_OPEN_START = 1 << 2,  /* began before the recording */
  TB_INTERVAL_OPEN_END = 1 << 3,    /* not over when the recording ended */
  TB_INTERVAL_KERNEL_WORK = 1 << 4, /* a sleep of a kernel thread */
} TbIntervalFlags;

/* What a thread sleeps in, from its system call, else from its stack. */
typedef enum
{
  TB_WAIT_UNKNOWN,
  TB_WAIT_LOCK,
  TB_WAIT_PIPE,
  TB_WAIT_SOCKET,
  TB_WAIT_POLL,
  TB_WAIT_SLEEP, /* deliberate */
  TB_WAIT_BLOCK_IO,
  TB_WAIT_PAGE_FAULT,
  TB_WAIT_CHILD,
  TB_WAIT_SIGNAL,
  TB_WAIT_WORK,  /* a kernel thread waiting for work */
  TB_WAIT_OTHER,
  TB_WAIT_BUSY,  /* runs, but only to wait: between spin marks */
  TB_N_WAITS,
} TbWaitKind;

/* What ended an interval. TB_INTERVAL_CAUSE holds: */
typedef enum
{
  TB_CAUSE_NONE,      /* nothing did: it is open at the end, or ran on by itself */
  TB_CAUSE_THREAD,    /* thread id */
  TB_CAUSE_DEVICE,    /* device id, TB_ID_NONE = "block" */
  TB_CAUSE_TIMER,     /* nothing */
  TB_CAUSE_INTERRUPT, /* string id of its name */
  TB_CAUSE_NETWORK,   /* string id of the peer or interface, TB_STRING_NONE = "network" */
  TB_CAUSE_SIGNAL,    /* thread id that sent it */
  TB_CAUSE_UNKNOWN,   /* it ended, by what is not known */
  TB_N_CAUSES,
} TbCauseKind;

/* Stable names of the above in JSON and text: "running", "lock", "thread", … */
TB_EXPORT const char *tb_state_get_name (TbState state);
TB_EXPORT const char *tb_wait_kind_get_name (TbWaitKind kind);
TB_EXPORT const char *tb_cause_kind_get_name (TbCauseKind kind);

/**
 * TbIntervals:
 *
 * The interval table as arrays (see #TbIntervalColumn), sorted by thread and start.
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

TB_EXPORT TbTrace *tb_trace_new (TbSession *session, TbProgressFunc progress, gpointer data, GCancellable *cancellable,
                                 GError **error);
TB_EXPORT TbTrace *tb_trace_new_with_grace (TbSession *session, gint64 waking_grace, TbProgressFunc progress, gpointer data,
                                            GCancellable *cancellable, GError **error);
TB_EXPORT TbSession *tb_trace_get_session (TbTrace *self);
TB_EXPORT gint64 tb_trace_get_waking_grace (TbTrace *self);
TB_EXPORT void tb_trace_get_range (TbTrace *self, gint64 *from, gint64 *to);
TB_EXPORT const TbTraceCounts *tb_trace_get_counts (TbTrace *self);
TB_EXPORT const char *const *tb_trace_get_warnings (TbTrace *self);

TB_EXPORT const TbIntervals *tb_trace_get_intervals (TbTrace *self);
TB_EXPORT GBytes *tb_trace_get_interval_column (TbTrace *self, TbIntervalColumn column);
TB_EXPORT void tb_trace_get_thread_intervals (TbTrace *self, guint32 thread, gsize *first, gsize *n);
TB_EXPORT gssize tb_trace_find_interval (TbTrace *self, guint32 thread, gint64 time);

TB_EXPORT gboolean tb_trace_is_kernel_thread (TbTrace *self, guint32 thread);
TB_EXPORT const char *tb_trace_get_thread_name_at (TbTrace *self, guint32 thread, gint64 time);
TB_EXPORT TbWaitKind tb_trace_get_wait_kind (TbTrace *self, gsize interval);

TB_EXPORT char **tb_trace_get_stack_functions (TbTrace *self, guint32 stack);
TB_EXPORT char *tb_trace_get_stack_label (TbTrace *self, guint32 stack);
TB_EXPORT char *tb_trace_describe_interval (TbTrace *self, gsize interval);
TB_EXPORT char *tb_trace_describe_cause (TbTrace *self, TbCauseKind kind, guint32 cause);
TB_EXPORT char *tb_trace_describe_thread (TbTrace *self, guint32 thread);

G_END_DECLS
