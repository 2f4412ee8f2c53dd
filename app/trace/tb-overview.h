/* tb-overview.h: the life of every thread at the resolution of a screen
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbOverviewState:
 * @TB_OVERVIEW_UNKNOWN: as %TB_STATE_UNKNOWN; so are those up to @TB_OVERVIEW_STOPPED
 * @TB_OVERVIEW_DISK: it sleeps, waiting for a disk
 * @TB_OVERVIEW_NETWORK: it sleeps, waiting for the network or another device
 *
 * What a thread does, told from events alone: names of functions may tell more of a sleep later.
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
  TB_OVERVIEW_N_STATES,
} TbOverviewState;

/**
 * TbOverviewThread:
 * @thread: which
 * @is_kernel: whether it is one of the kernel's own
 * @first: its first row
 * @n: how many rows it has, at least one
 * @ns: how long it was in each state: exactly as long as in the intervals
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
 * @to: its end
 * @step: within stretches of this length (ns) only how long each state lasted is right, not when it was
 * @n_threads: how many threads did anything
 * @threads: (array length=n_threads): they, by id
 * @columns: the rows, sorted by thread and start, without gaps within a thread
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
