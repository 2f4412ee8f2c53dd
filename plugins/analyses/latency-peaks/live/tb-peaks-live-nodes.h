/* tb-peaks-live-nodes.h: nodes that a live search stored as JSON, and the time of each: what the
 * levels of the search, measured one after the other, show of the calls examined first
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct
{
  JsonObject *object; /* NULL: there is no node of that number */
  gint64 parent;
  gboolean is_disturbance; /* preemption, a wait for a CPU after a wake-up, or an interrupt */
  /* The ns of all calls of the operation that were examined: */
  double net;   /* without disturbances; of a disturbance: all of it in its parent's calls */
  double total; /* with disturbances; of a disturbance: the part that is in no callee */
  double own;   /* the part of the total that is in no other node */
  guint32 node; /* node of the tree, for the caller */
} TbPeaksLiveNode;

/* The nodes by number, parents first; invalid ones are left out. (transfer full) */
TbPeaksLiveNode *tb_peaks_live_read_nodes (JsonObject *state, guint *n_nodes);

G_END_DECLS
