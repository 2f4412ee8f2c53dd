/* tb-overview.h: overview of the states of every thread, summed in steps of time, small enough to
 * show a timeline before the intervals are loaded: loaded from a session in which a trace stored
 * it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbOverviewState:
 * @TB_OVERVIEW_UNKNOWN: as %TB_STATE_UNKNOWN; the values up to @TB_OVERVIEW_STOPPED equal those of
 *   [enum@Tailback.State]
 * @TB_OVERVIEW_RUNNING: running on a CPU
 * @TB_OVERVIEW_RUNNABLE: waiting for a CPU
 * @TB_OVERVIEW_INTERRUPTIBLE: sleeping; a signal can end the sleep
 * @TB_OVERVIEW_UNINTERRUPTIBLE: sleeping; only the awaited event can end the sleep
 * @TB_OVERVIEW_STOPPED: stopped by a signal or a tracer
 * @TB_OVERVIEW_DISK: sleeping, waiting for a disk or another device without a network interface
 * @TB_OVERVIEW_NETWORK: sleeping, waiting for the network
 *
 * State of a thread, derived from events alone. Function names may classify a sleep more exactly
 * later.
 */
typedef enum
{
  TB_OVERVIEW_UNKNOWN,
  TB_OVERVIEW_RUNNING,
  TB_OVERVIEW_RUNNABLE,
  TB_OVERVIEW_INTERRUPTIBLE,
  TB_OVERVIEW_UNINTERRUPTIBLE,
  TB_OVERVIEW_STOPPED,
  TB_OVERVIEW_DISK,
  TB_OVERVIEW_NETWORK,
} TbOverviewState;

/**
 * TB_OVERVIEW_N_STATES:
 *
 * Number of the values of [enum@Tailback.OverviewState]. A literal: the introspection of arrays of
 * this size does not evaluate enumerators.
 */
#define TB_OVERVIEW_N_STATES 8

/**
 * TbOverviewThread:
 * @thread: the thread
 * @is_kernel: whether it is a kernel thread
 * @first: its first row
 * @n: number of its rows, at least one
 * @ns: time in each state, exactly equal to the sum of the intervals
 *
 * The rows and times of a thread in an overview.
 */
typedef struct
{
  guint32 thread;
  gboolean is_kernel;
  gsize first;
  gsize n;
  gint64 ns[TB_OVERVIEW_N_STATES];
} TbOverviewThread;

/**
 * TbOverview:
 * @from: start of the recording, ns
 * @to: end of the recording
 * @step: length of a step, ns; within a step, the duration of each state is exact, but its position
 *   is not
 * @n_threads: number of threads with any activity
 * @threads: (array length=n_threads): these threads, by id
 * @columns: the rows, sorted by thread and start, without gaps within a thread
 *
 * The states of all threads at a coarse resolution, for the view of the whole recording.
 */
typedef struct
{
  gint64 from;
  gint64 to;
  gint64 step;
  guint n_threads;
  TbOverviewThread *threads;
  GBytes *columns[TB_OVERVIEW_N_COLUMNS];
} TbOverview;

TB_EXPORT TbOverview *tb_overview_load (TbSession *session);
TB_EXPORT void tb_overview_free (TbOverview *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbOverview, tb_overview_free)

G_END_DECLS
