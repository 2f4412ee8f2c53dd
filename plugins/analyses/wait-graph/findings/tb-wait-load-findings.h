/* tb-wait-load-findings.h: findings about threads that limit by their own execution or often lack a
 * CPU, saturated devices, idle threads, and a load too small to saturate any thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

/* Whether a knot in the foreground or a thread's execution limits the target. */
gboolean tb_wait_has_foreground (const TbWaitResult *result);
/* Whether a vertex of the target is busy or runnable for more than half of the time, but only in a
 * background knot. */
gboolean tb_wait_has_busy_background (const TbWaitResult *result);

void tb_wait_add_sinks (TbReport *report, const TbWaitResult *result);
/* Adds threads that neither wait for others nor are busy. */
void tb_wait_add_idle (TbReport *report, const TbWaitResult *result);
/* Adds that the load is the limit, because there is no knot and no busy thread. */
void tb_wait_add_not_saturated (TbReport *report, const TbWaitResult *result);
/* Adds threads of bottlenecks that were often runnable. */
void tb_wait_add_runnable (TbReport *report, const TbWaitResult *result);

G_END_DECLS
