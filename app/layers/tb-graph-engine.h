/* tb-graph-engine.h: igraph as the engine of graph layouts: edges to reverse so that no cycle is
 * left, and order of vertices in layers with few crossings; the layout calls it once it is
 * installed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "report/graph/tb-graph-layout.h"

G_BEGIN_DECLS

/* The engine that uses igraph. */
const TbGraphEngine *tb_graph_engine_get (void);

/* Makes graph layouts use igraph. Called once, when a program starts. */
void tb_graph_engine_install (void);

G_END_DECLS
