/* tb-peaks-peers.h: thread at the other end of a connection that processed a request, and when,
 * found by the addresses of messages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "calls/tb-peaks-calls.h"

G_BEGIN_DECLS

/* Messages with known addresses of both ends. Sorted on first use. */
typedef struct
{
  const gint64 *time;
  const guint8 *kind;
  const guint32 *thread;
  const guint32 *local; /* strings: host:port */
  const guint32 *remote;
  gsize n;
  GBytes *columns[5];
  GArray *sent;    /* guint32: rows by thread, remote address and time */
  GArray *at_ends; /* guint32: rows by local address, remote address and time */
} TbPeaksPeers;

typedef struct
{
  guint32 thread;
  gint64 from; /* arrival of the request */
  gint64 to;   /* sending of the response */
} TbPeaksService;

gboolean tb_peaks_peers_init (TbPeaksPeers *self, TbSession *session, GError **error);
void tb_peaks_peers_clear (TbPeaksPeers *self);
/* For a wait of a thread that ended by a message from peer (a string): finds the sender, if it was
 * recorded too, and the arrival of its request. Both times lie within the wait. */
gboolean tb_peaks_peers_find (TbPeaksPeers *self,
                              guint32 thread,
                              guint32 peer,
                              gint64 from,
                              gint64 to,
                              TbPeaksService *service);

G_END_DECLS
