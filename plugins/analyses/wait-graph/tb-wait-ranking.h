/* tb-wait-ranking.h: what ranking by waiting time alone names beside what the graph does, and what is left out of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-wait-result.h"

G_BEGIN_DECLS

/* How many edges are left out before knots are sought, and why. */
void tb_wait_add_set_aside (TbReport *report, const TbWaitResult *result);
void tb_wait_add_plain_ranking (TbReport *report, const TbWaitResult *result);

G_END_DECLS
