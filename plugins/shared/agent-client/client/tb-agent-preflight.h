/* tb-agent-preflight.h: check before a recording, by a query to tailback-agent: lines on what would
 * work or is missing, authorization, and expected cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-agent-requirements.h"

G_BEGIN_DECLS

/* Returns TbPreflightLine: what would work, and the cost with these stacks
 * (TbCaptureStackFlags). */
GPtrArray *tb_agent_preflight (const TbAgentRequirements *requirements,
                               guint16 stacks,
                               TbScope scope,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
