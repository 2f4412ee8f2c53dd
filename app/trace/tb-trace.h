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
 *
 * What the session contradicted or left open; every analysis carries what concerns it into its report.
 */
typedef struct
{
  guint64 lost_events;
  gint64 lost_ns;               /* length of the union of lost ranges */
  guint64 sleeps_without_waking;
  guint64 stray_wakeups;
  guint64 self_wakeups;
  guint64 unknown_switch_outs;  /* prev was not known to run there */
  guint64 merged_false_wakeups;
  guint64 unbalanced_interrupts;
  guint64 unmatched_marks;      /* spin and false-wakeup marks that nothing answers */
  guint32 cpus_without_idle;    /* cpus with switches to idle and none from it */
} TbTraceCounts;

#define TB_TYPE_TRACE (tb_trace_get_type ())
TB_EXPORT G_DECLARE_FINAL_TYPE (TbTrace, tb_trace, TB, TRACE, GObject)

/* Progress of long work: share done, 0…1; called in the thread that does it. */
typedef void (*TbProgressFunc) (double share, const char *what, gpointer data);

/* Loads the derived tables, or builds them (and stores them where the session can be written) when they are absent or of
 * another version. Thread-safe afterwards. */
TB_EXPORT TbTrace *tb_trace_new (TbSession *session, TbProgressFunc progress, gpointer data, GCancellable *cancellable,
                                 GError **error);
TB_EXPORT TbSession *tb_trace_get_session (TbTrace *self);
TB_EXPORT void tb_trace_get_range (TbTrace *self, gint64 *from, gint64 *to);
TB_EXPORT const TbTraceCounts *tb_trace_get_counts (TbTrace *self);
TB_EXPORT const char *const *tb_trace_get_warnings (TbTrace *self);

TB_EXPORT const TbIntervals *tb_trace_get_intervals (TbTrace *self);
/* The rows of one thread: [*first, *first + *n). */
TB_EXPORT void tb_trace_get_thread_intervals (TbTrace *self, guint32 thread, gsize *first, gsize *n);
/* The row of the thread's interval at time, or -1. O(log n). */
TB_EXPORT gssize tb_trace_find_interval (TbTrace *self, guint32 thread, gint64 time);

/* A stack as functions, outermost first, inlines expanded; before names are known "module+0x1f". g_strfreev(). */
TB_EXPORT char **tb_trace_get_stack_functions (TbTrace *self, guint32 stack);
/* What to call an interval or its cause, for people: "fsync → /var/log/x", "vda", "timer", "nginx (812)". */
TB_EXPORT char *tb_trace_describe_interval (TbTrace *self, gsize interval);
TB_EXPORT char *tb_trace_describe_cause (TbTrace *self, TbCauseKind kind, guint32 cause);
/* The innermost user-space function of a stack, else the innermost at all; NULL for the empty one. */
TB_EXPORT char *tb_trace_get_stack_label (TbTrace *self, guint32 stack);

G_END_DECLS
