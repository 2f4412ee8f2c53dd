/* tb-agent-estimate.h: text of the expected recording cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "capture/tb-capture-format.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): NULL if nothing was measured */
char *tb_agent_estimate_describe (const TbCaptureCost *cost);

G_END_DECLS
