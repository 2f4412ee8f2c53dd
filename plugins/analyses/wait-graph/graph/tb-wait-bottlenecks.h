/* tb-wait-bottlenecks.h: bottlenecks of knots, those with the largest bound first: each the
 * vertices and edges that refinement leaves, the removed edges, and an upper bound of what
 * removing the waits of one edge can gain
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-knots.h"

G_BEGIN_DECLS

/* (transfer full) (element-type TbWaitBottleneck): of all knots; those of
 * background knots last, then by bound, largest first. threshold: ns, see tb_wait_refine(). */
GArray *tb_wait_bottlenecks_find (const TbWaitKnots *knots, TbWaitGraph *graph, gint64 threshold);

G_END_DECLS
