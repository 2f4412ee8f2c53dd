/* tb-agent-cost-text.h: expected cost of a recording as text, from the costs that the agent
 * measured
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
