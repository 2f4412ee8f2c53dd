/* tb-wait-execution-limits.h: search for the vertices of a knot that are limited by their own
 * execution, not by waits
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-graph.h"

G_BEGIN_DECLS

/* By vertex: a thread, or several merged ones, that is busy for most of the time and hardly ever
 * waits over the arcs that are present. Refinement may remove each of these arcs. from: by arc, its
 * origin; TB_ID_NONE: not present. threshold: ns, see tb_wait_refine(). */
guint8 *
tb_wait_find_execution_limited (const TbWaitGraph *graph, const guint32 *from, gint64 threshold);

G_END_DECLS
