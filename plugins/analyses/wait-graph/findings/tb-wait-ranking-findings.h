/* tb-wait-ranking-findings.h: findings that compare the ranking of waits by plain waiting time
 * with that by the graph, and one that counts the excluded edges
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

/* Adds how many edges are excluded before knots are sought, and why. */
void tb_wait_add_excluded_edges (TbReport *report, const TbWaitResult *result);
void tb_wait_add_plain_ranking (TbReport *report, const TbWaitResult *result);

G_END_DECLS
