/* tb-wait-cascaded-weights.h: cascaded weight of each edge, which counts threads delayed
 * indirectly too; delays of the threads that the user selected, by edge: sum, and time in which
 * any was delayed; each by a sweep over the waits
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "model/tb-wait-model.h"

G_BEGIN_DECLS

/* Sets the weight of every edge and counts the cycles that were cut. During a wait, the waiter is
 * attached to its waker. At any one time this makes a forest, and the weight of a wait grows at the
 * rate of the number of threads in the waiter's subtree, the waiter included. At equal times, ends
 * come before beginnings, and beginnings come in the order of the waits. A wait that would close a
 * cycle ends the chains that lead to it; its own weight grows all the same. */
gboolean
tb_wait_set_cascaded_weights (TbWaitModel *model, GCancellable *cancellable, GError **error);

/* Delays of the target, by edge. */
typedef struct
{
  gint64 *ns;         /* delay, counted once for each delayed thread */
  gint64 *blocked_ns; /* time during which at least one thread was delayed */
} TbWaitDelays;

/* waits: those of the model, or others between its nodes, with n_edges edges of any kind. outside:
 * by node, whether it is outside the target. Such a node does not count itself, but its subtree
 * does. delays: set to the result. */
gboolean tb_wait_compute_delays (const TbWaitModel *model,
                                 const TbWaits *waits,
                                 const guint8 *outside,
                                 guint32 n_edges,
                                 TbWaitDelays *delays,
                                 GCancellable *cancellable,
                                 GError **error);
void tb_wait_delays_clear (TbWaitDelays *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitDelays, tb_wait_delays_clear)

G_END_DECLS
