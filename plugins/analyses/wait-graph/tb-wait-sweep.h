/* tb-wait-sweep.h: the cascaded weights of all edges, in one sweep over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-model.h"

G_BEGIN_DECLS

/* Sets the weight of every edge and counts the cycles that were cut. In every wait the waiter hangs on its waker; at one
 * instant that is a forest, and the weight of a wait grows with as many threads as hang on its waiter, itself included. What
 * ends at an instant ends before what begins then; what begins at the same instant begins in the order of the waits. A wait
 * that would close a cycle ends the chains that come to it: its own weight grows all the same. */
gboolean tb_wait_sweep (TbWaitModel *model, GCancellable *cancellable, GError **error);

/* What waits do to those asked about, by edge. */
typedef struct
{
  gint64 *ns;     /* by which they are delayed, once for each of them */
  gint64 *behind; /* for how long at least one of them was */
} TbWaitDelays;

/* waits: those of the model or others between its nodes, with n_edges edges of whatever kind. outside: by node, who is not asked
 * about; they count for nothing themselves, but hand on what hangs on them. delays: takes what comes out. */
gboolean tb_wait_sweep_for (const TbWaitModel *model,
                            const TbWaits *waits,
                            const guint8 *outside,
                            guint32 n_edges,
                            TbWaitDelays *delays,
                            GCancellable *cancellable,
                            GError **error);
void tb_wait_delays_clear (TbWaitDelays *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitDelays, tb_wait_delays_clear)

G_END_DECLS
