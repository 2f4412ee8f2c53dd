/* tb-peaks-servers.h: what was done elsewhere while a thread waited for it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-peers.h"
#include "tb-peaks-spans.h"
#include "tb-peaks-tree.h"

G_BEGIN_DECLS

typedef struct
{
  const TbPeaksCalls *calls;
  TbPeaksTree *tree;
  const TbIntervals *intervals;
  TbPeaksIndex requests; /* to devices, by thread */
  TbPeaksPeers peers;    /* at the other ends of connections */
  guint32 thread;        /* that is looked into */
  GArray *touched;       /* guint32: nodes of the wait at hand */
  GArray *open; /* guint32: those of the walk, whose sums of the open call come to their end with it */
} TbPeaksServers;

gboolean tb_peaks_servers_init (TbPeaksServers *self,
                                const TbPeaksCalls *calls,
                                TbPeaksTree *tree,
                                GArray *open,
                                GError **error);
void tb_peaks_servers_clear (TbPeaksServers *self);
void tb_peaks_servers_begin_thread (TbPeaksServers *self, guint32 thread);
/* Goes on with who ended a wait, below the node that stands for that: how a device had the request in its queue and then
 * worked on it; who at the other end of a
 * connection, perhaps on another host, had the request; how a thread ran, waited for a cpu, and waited itself, for whom in turn. Returns how much of the wait that
 * explains. */
gint64 tb_peaks_servers_add (TbPeaksServers *self,
                             guint32 node,
                             TbCauseKind kind,
                             guint32 cause,
                             gint64 from,
                             gint64 to);

G_END_DECLS
