/* tb-wait-findings.h: findings of a wait-graph report: bottlenecks, what they delay, activity of
 * the awaited thread, possible gain; units of work, merged cycles; calls the files with the other
 * findings; headline
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

void tb_wait_add_findings (TbReport *report, const TbWaitResult *result);
char *tb_wait_make_headline (const TbWaitResult *result);

G_END_DECLS
