/* tb-wait-awaited-activity.h: activity of awaited threads during the waits of an edge: time
 * running, runnable, or waiting for other vertices
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "graph/tb-wait-graph.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 vertex;
  gint64 ns;
} TbWaitAwaitedWait;

/* Sums over all waits of an edge, each counted separately; of very many waits, over every nth. all
 * = running + runnable + Σ waits + rest. */
typedef struct
{
  gint64 all;
  gint64 running;
  gint64 runnable;
  gint64 rest; /* unknown, or before the thread existed */
  /* TbWaitAwaitedWait by awaited vertex, the longest first; never the edge's own target */
  GArray *waits;
} TbWaitAwaitedActivity;

/* The activity of the threads that end the waits of the arc, while these are open. Where such a
 * thread itself waits for a thread of the same vertex, the activity of that thread counts instead,
 * and so on. NULL: the arc does not lead to threads. */
TbWaitAwaitedActivity *tb_wait_awaited_activity_new (const TbWaitGraph *graph, guint32 arc);
void tb_wait_awaited_activity_free (TbWaitAwaitedActivity *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitAwaitedActivity, tb_wait_awaited_activity_free)

G_END_DECLS
