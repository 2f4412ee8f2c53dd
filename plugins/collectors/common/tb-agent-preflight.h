/* tb-agent-preflight.h: what tailback-agent says would work, and what it costs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-agent-wish.h"

G_BEGIN_DECLS

/* What the agent says would work, and what it costs with such stacks (TbCaptureStackFlags): TbPreflightLine. */
GPtrArray *tb_agent_preflight (const TbAgentWish *wish,
                               guint16 stacks,
                               TbScope scope,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
