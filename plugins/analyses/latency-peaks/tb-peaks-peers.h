/* tb-peaks-peers.h: who, at the other end of a connection, worked on what a thread waited for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-calls.h"

G_BEGIN_DECLS

/* Messages whose both ends are known. Sorted when first asked about. */
typedef struct
{
  const gint64 *time;
  const guint8 *kind;
  const guint32 *thread;
  const guint32 *local; /* strings: host:port */
  const guint32 *remote;
  gsize n;
  GBytes *columns[5];
  GArray *sent;    /* guint32: rows by thread, other end and time */
  GArray *at_ends; /* guint32: rows by own end, other end and time */
} TbPeaksPeers;

typedef struct
{
  guint32 thread;
  gint64 from; /* the request came */
  gint64 to;   /* the answer was sent */
} TbPeaksService;

gboolean tb_peaks_peers_init (TbPeaksPeers *self, TbSession *session, GError **error);
void tb_peaks_peers_clear (TbPeaksPeers *self);
/* Of a wait of a thread that a message from peer, a string, ended: who sent it, if that was recorded too, and from when on its
 * request was there; both within the wait. */
gboolean tb_peaks_peers_find (TbPeaksPeers *self,
                              guint32 thread,
                              guint32 peer,
                              gint64 from,
                              gint64 to,
                              TbPeaksService *service);

G_END_DECLS
