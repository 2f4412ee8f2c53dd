/* tb-wait-proposal-findings.h: findings about annotations that the program lacks: those proposed,
 * and those applied to the analysis
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

void tb_wait_add_proposals (TbReport *report, const TbWaitResult *result);

G_END_DECLS
