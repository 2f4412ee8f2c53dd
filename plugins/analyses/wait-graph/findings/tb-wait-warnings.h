/* tb-wait-warnings.h: warnings of a wait-graph report: circular waits, waits without a known end,
 * option values that match nothing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

void tb_wait_add_warnings (TbReport *report, const TbWaitResult *result);

G_END_DECLS
