/* tb-agent-cost-text.h: sentences of the preflight on costs that the agent measured on this
 * machine: what recording a thread switch costs, at the present rate of switches, and what a call
 * of a probed function costs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "capture/tb-capture-format.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): NULL if nothing was measured */
char *tb_agent_cost_text_new (const TbCaptureCost *cost);

G_END_DECLS
