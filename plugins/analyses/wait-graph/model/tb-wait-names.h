/* tb-wait-names.h: ids, names and descriptions of vertices: common name of several threads, kernel
 * workers with their work, the program of a thread or process; threads of a vertex
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "graph/tb-wait-graph.h"

G_BEGIN_DECLS

/* Sets the id, name and process of every vertex. */
void tb_wait_graph_name_vertices (TbWaitGraph *graph);
/* As in JSON: "thread", "device", … */
const char *tb_wait_vertex_get_kind (const TbWaitVertex *vertex);
/* The name, with what distinguishes it from others of that name: "worker (812)", "vda (254:0)". */
char *tb_wait_vertex_describe (const TbWaitGraph *graph, guint32 vertex);
/* The same for display: "timer" and the like are translated. */
char *tb_wait_vertex_describe_translated (const TbWaitGraph *graph, guint32 vertex);
/* The name for display, with all programs that it was: "auth → authhelper". */
const char *tb_wait_vertex_get_label (const TbWaitGraph *graph, guint32 vertex);
/* A thread for display, with all programs that it was in the range: "auth → authhelper (812)". */
char *tb_wait_thread_describe (const TbWaitGraph *graph, guint32 thread);
/* The node of a thread, while it was that program: "auth (812)". */
char *tb_wait_node_describe (const TbWaitGraph *graph, guint32 node);
/* The node of which the program is that of the vertex; TB_ID_NONE: it is no thread and no
 * process. */
guint32 tb_wait_vertex_get_program_node (const TbWaitGraph *graph, guint32 vertex);
/* All nodes of its threads, including merged ones. */
GArray *tb_wait_vertex_list_thread_nodes (const TbWaitGraph *graph, guint32 vertex);
/* All its threads, likewise, each once. */
GArray *tb_wait_vertex_list_threads (const TbWaitGraph *graph, guint32 vertex);

/* Whether a vertex has this name, in any form in which it is shown, or this id. The name may have
 * "*" and "?". */
gboolean tb_wait_vertex_has_name (const TbWaitGraph *graph, guint32 vertex, const char *name);

G_END_DECLS
