/* tb-threads-findings.h: findings about threads that wait, lack a CPU or run most, and about
 * unknown states, missing ends of waits and lost events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-threads-summary.h"

G_BEGIN_DECLS

void tb_threads_add_findings (TbReport *report, TbThreadsSummary *summary);

G_END_DECLS
