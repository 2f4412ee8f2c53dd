/* tb-wait-names.h: what vertices are called
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-graph.h"

G_BEGIN_DECLS

/* Gives every vertex its id, name and process. */
void tb_wait_graph_name_vertices (TbWaitGraph *graph);
/* As in JSON: "thread", "device", … */
const char *tb_wait_vertex_get_kind (const TbWaitVertex *vertex);
/* With what tells it from others of its name: "worker (812)", "vda (254:0)". */
char *tb_wait_vertex_describe (const TbWaitGraph *graph, guint32 vertex);
/* The threads it stands for, those that are merged included. */
GArray *tb_wait_vertex_list_threads (const TbWaitGraph *graph, guint32 vertex);

G_END_DECLS
