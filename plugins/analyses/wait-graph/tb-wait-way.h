/* tb-wait-way.h: what is waited for by way of somebody who only hands that on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-graph.h"

G_BEGIN_DECLS

/* By node: the kernel's own threads that are outside of the target. (transfer full) */
guint8 *tb_wait_find_handing_on (const TbWaitModel *model, const guint8 *outside);

/* Writes the waits anew, into waits: while one on whom somebody of the target waits, and who hands on, itself waits for a device, be
 * it by others that hand on, that one of the target waits for the device. That is so only where it waits for that at other times
 * itself, so that there is an edge. Instead of edges of the model the waits have the graph's. Sets by way of whom most of that was.
 * FALSE: nothing is handed on (or by far too much to be looked at), and waits is untouched. */
gboolean tb_wait_hand_on (TbWaitGraph *graph, const guint8 *outside, const guint8 *hands_on, TbWaits *waits);

G_END_DECLS
