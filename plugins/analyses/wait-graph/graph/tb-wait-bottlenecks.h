/* tb-wait-bottlenecks.h: bottlenecks of knots: the edges that refinement leaves, the removed ones,
 * and the bound of what ending them can gain, the largest first
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
