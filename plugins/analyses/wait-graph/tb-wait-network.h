/* tb-wait-network.h: questions to peers and their answers, as requests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-devices.h"
#include "tb-wait-links.h"

G_BEGIN_DECLS

/* Requests to a node. */
typedef struct
{
  guint32 node;
  guint32 interface; /* by which all questions go to it, TB_ID_NONE not known */
  GArray *requests;  /* TbWaitRequest */
} TbWaitPeer;

/* Of every node of the model that is a peer: a question is asked when a thread sends on a socket, and answered when that
 * socket next receives. Sockets that were accepted, or on which something came before anything was sent, are those of clients:
 * who waits there waits for work, and the peer does not wait for it. Messages of all sockets are added to the links, NULL: that
 * is not needed. */
GArray *tb_wait_find_peers (const TbWaitModel *model, TbWaitLinks *links, GError **error);
/* A wait for a peer at the loopback interface is one for the thread that last sent from there to the waiter's own end of the
 * connection: it is recorded as well. Several threads may share the peer's end: only where the own end is not known it is who
 * last sent from there at all. Before edges are indexed. Where nobody is known to have sent, the peer stays. */
gboolean tb_wait_resolve_local_peers (TbWaitModel *model, GError **error);

G_END_DECLS
