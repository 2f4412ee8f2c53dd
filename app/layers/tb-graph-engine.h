/* tb-graph-engine.h: layers with few crossings, by igraph
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Lets layouts of graphs be made with igraph. Once, at the start of a program. */
void tb_graph_engine_install (void);

G_END_DECLS
