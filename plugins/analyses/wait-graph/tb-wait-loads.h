/* tb-wait-loads.h: who is busy, wants to be, or is idle, in sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-wait-result.h"

G_BEGIN_DECLS

/* Whether a knot or the execution of somebody limits what is asked about. */
gboolean tb_wait_has_foreground (const TbWaitResult *result);
/* Who is asked about and is or wants to be busy for more than half of the time, though only in a knot in the background. */
gboolean tb_wait_is_busy_behind (const TbWaitResult *result);

void tb_wait_add_sinks (TbReport *report, const TbWaitResult *result);
/* Who neither waits for others nor is busy. */
void tb_wait_add_idle (TbReport *report, const TbWaitResult *result);
/* No knot and nobody busy: the load is what limits it. */
void tb_wait_add_not_saturated (TbReport *report, const TbWaitResult *result);
/* Who of a bottleneck often wanted a cpu. */
void tb_wait_add_runnable (TbReport *report, const TbWaitResult *result);

G_END_DECLS
