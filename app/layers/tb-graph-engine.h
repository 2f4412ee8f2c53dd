/* tb-graph-engine.h: layered graph layout with igraph
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Makes graph layouts use igraph. Called once, when a program starts. */
void tb_graph_engine_install (void);

G_END_DECLS
