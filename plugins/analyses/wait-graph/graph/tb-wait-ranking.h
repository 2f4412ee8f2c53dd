/* tb-wait-ranking.h: findings that compare the ranking by plain waiting time with that by the
 * graph, and that count excluded edges
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-wait-result.h"

G_BEGIN_DECLS

/* Adds how many edges are excluded before knots are sought, and why. */
void tb_wait_add_excluded_edges (TbReport *report, const TbWaitResult *result);
void tb_wait_add_plain_ranking (TbReport *report, const TbWaitResult *result);

G_END_DECLS
