/* tb-graph-engine.h: igraph functions that a graph layout uses: edges to reverse against cycles,
 * order in layers with few crossings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Makes graph layouts use igraph. Called once, when a program starts. */
void tb_graph_engine_install (void);

G_END_DECLS
