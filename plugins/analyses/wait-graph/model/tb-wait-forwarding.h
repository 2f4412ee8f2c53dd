/* tb-wait-forwarding.h: copy of the waits of a graph in which the target's waits for kernel threads
 * become waits for the devices that these threads meanwhile waited for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "graph/tb-wait-graph.h"

G_BEGIN_DECLS

/* By node: whether it is a kernel thread outside of the target, which may forward waits. (transfer
 * full) */
guint8 *tb_wait_find_forwarders (const TbWaitModel *model, const guint8 *outside);

/* Writes the waits with forwarding into waits. While the target waits for a forwarding thread that
 * itself waits for a device, directly or through other forwarding threads, the target waits for the
 * device. This applies only where the waiter also waits for that device at other times, so that
 * there is an edge. The waits have edges of the graph instead of edges of the model. Sets the main
 * forwarding vertex of each arc. Returns FALSE and leaves waits untouched if nothing is forwarded,
 * or by far too much to be processed. */
gboolean tb_wait_forward_waits (TbWaitGraph *graph,
                                const guint8 *outside,
                                const guint8 *is_forwarder,
                                TbWaits *waits);

G_END_DECLS
