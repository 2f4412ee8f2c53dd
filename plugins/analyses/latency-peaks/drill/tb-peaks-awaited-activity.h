/* tb-peaks-awaited-activity.h: what the thread, remote peer or device that ended a call's wait did
 * during it, added to the drill-down tree below the wait
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-peers.h"
#include "calls/tb-peaks-spans.h"
#include "tb-peaks-tree.h"

G_BEGIN_DECLS

typedef struct
{
  const TbPeaksCalls *calls;
  TbPeaksTree *tree;
  const TbIntervals *intervals;
  TbPeaksIndex requests; /* device requests, by thread */
  TbPeaksPeers peers;    /* remote ends of connections */
  guint32 thread;        /* thread that is examined */
  GArray *touched;       /* guint32: nodes of the current wait */
  /* guint32: list of the walk; its nodes have sums of the open call, which are completed when that
   * call ends */
  GArray *open;
} TbPeaksAwaitedActivity;

gboolean tb_peaks_awaited_activity_init (TbPeaksAwaitedActivity *self,
                                         const TbPeaksCalls *calls,
                                         TbPeaksTree *tree,
                                         GArray *open,
                                         GError **error);
void tb_peaks_awaited_activity_clear (TbPeaksAwaitedActivity *self);
void tb_peaks_awaited_activity_begin_thread (TbPeaksAwaitedActivity *self, guint32 thread);
/* Adds the activity of the thread or device that ended a wait below its node: for a device, the
 * time of the request in its queue and in the device; for a message, the thread that had the
 * request at the other end of the connection, perhaps on another host; for a thread, its running
 * time, its waits for a CPU, and its own waits, with the threads and devices that ended them.
 * Returns the part of the wait that this explains. */
gint64 tb_peaks_awaited_activity_add (TbPeaksAwaitedActivity *self,
                                      guint32 node,
                                      TbCauseKind kind,
                                      guint32 cause,
                                      gint64 from,
                                      gint64 to);

G_END_DECLS
