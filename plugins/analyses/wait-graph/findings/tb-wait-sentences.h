/* tb-wait-sentences.h: parts of the sentences of findings: names of vertices, the waits and delays
 * of an edge
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "Waits" is used only with plain time, "delays others by" with the cascaded weight, and a share
 * with the upper bound.
 */

#pragma once

#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

/* "A (11), B (12) and 3 more" */
char *tb_wait_join_names (const TbWaitResult *result, const GArray *vertices);
/* "A waits 80 ms for B, 10 times (20 ms at the longest); this wait and all that depend on it
 * delay others by 90 ms" */
char *tb_wait_describe_arc (const TbWaitResult *result, guint32 arc);
/* " Most delayed by it: …"; "" where it delays no vertex. */
char *tb_wait_describe_heaviest_incoming (const TbWaitResult *result, guint32 vertex);

/* "A waits 4 s for B, which waits 3 s for vda": the heaviest waits of a knot for what is left
 * of it; NULL: none. */
char *tb_wait_describe_chain (const TbWaitResult *result, const TbWaitBottleneck *bottleneck);

G_END_DECLS
