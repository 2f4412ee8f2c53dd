/* tb-wait-load-findings.h: findings about threads that limit by their own execution or often lack a
 * CPU, saturated devices, idle threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

void tb_wait_add_sinks (TbReport *report, const TbWaitResult *result);
/* Adds threads that neither wait for others nor are busy. */
void tb_wait_add_idle (TbReport *report, const TbWaitResult *result);
/* Adds threads of bottlenecks that were often runnable. */
void tb_wait_add_runnable (TbReport *report, const TbWaitResult *result);

G_END_DECLS
