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
/* Sets what of that weight delays those asked about: nodes that are outside count for nothing themselves, but hand on what
 * hangs on them. */
gboolean
tb_wait_sweep_for (TbWaitModel *model, const guint8 *outside, GCancellable *cancellable, GError **error);

G_END_DECLS
