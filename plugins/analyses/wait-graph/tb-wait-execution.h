/* tb-wait-execution.h: who in a knot is limited by what it runs, not by what it waits for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-graph.h"

G_BEGIN_DECLS

/* By vertex: a thread (or several that are alike) that is busy for most of the time and waits next to never for what the arcs
 * that are present lead to, each of which refinement may take away. from: by arc, where it begins, TB_ID_NONE: it is not present.
 * threshold: ns, see tb_wait_refine(). */
guint8 *tb_wait_find_executing (const TbWaitGraph *graph, const guint32 *from, gint64 threshold);

G_END_DECLS
