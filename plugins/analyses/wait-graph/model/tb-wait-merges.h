/* tb-wait-merges.h: nodes that become one vertex of the graph: group of each node, reason for which
 * it is merged, whether it is outside the target
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "graph/tb-wait-graph.h"

G_BEGIN_DECLS

/* By node. */
typedef struct
{
  guint32 *group; /* TB_ID_NONE: alone */
  guint8 *merged; /* TbWaitMerged */
  guint8 *outside;
} TbWaitMerges;

void tb_wait_merges_clear (TbWaitMerges *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitMerges, tb_wait_merges_clear)

G_END_DECLS
