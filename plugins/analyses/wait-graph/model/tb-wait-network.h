/* tb-wait-network.h: requests to network peers and their answers, as input of the use of devices;
 * waits for local peers turned into waits for the sending threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-model.h"
#include "tb-wait-network-links.h"

G_BEGIN_DECLS

/* A request to a device, or a request to a peer and its answer. */
typedef struct
{
  gint64 from; /* clipped to the range, like to */
  gint64 to;
  gint64 complete; /* not clipped; TB_TIME_NONE, or after the range: not completed in it */
  guint64 bytes;
  guint32 thread; /* TB_ID_NONE: unknown */
} TbWaitRequest;

/* A peer and the requests to it. */
typedef struct
{
  guint32 node;
  guint32 interface; /* interface of all requests to it; TB_ID_NONE: not known */
  GArray *requests;  /* TbWaitRequest */
} TbWaitPeer;

/* The peers of all network nodes of the model. A request begins when a thread sends on a socket,
 * and ends when that socket next receives. Sockets that were accepted, or that received before they
 * sent, are those of clients: a thread that waits there waits for work, and the peer does not wait
 * for it. The messages of all sockets are added to links; NULL: not needed. */
GArray *tb_wait_find_peers (const TbWaitModel *model, TbWaitNetworkLinks *links, GError **error);
/* A wait for a peer at the loopback interface becomes a wait for the thread that last sent from
 * there to the waiter's end of the connection, because that thread is recorded as well. Several
 * threads may share the peer's end. Therefore the thread that last sent from there to any address
 * is used only where the waiter's end is not known. Where no sender is known, the peer stays. To be
 * called before edges are indexed. */
gboolean tb_wait_resolve_local_peers (TbWaitModel *model, GError **error);

G_END_DECLS
