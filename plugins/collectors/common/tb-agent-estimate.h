/* tb-agent-estimate.h: what recording will cost, in words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "capture/tb-capture-format.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): NULL where nothing was measured */
char *tb_agent_estimate_describe (const TbCaptureCost *cost);

G_END_DECLS
