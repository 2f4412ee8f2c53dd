/* tb-wait-ranking-findings.h: finding that names the edge with the longest plain waiting time and
 * its place in the graph's result (first, in a bottleneck, in the background, excluded); finding
 * that counts excluded edges
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
