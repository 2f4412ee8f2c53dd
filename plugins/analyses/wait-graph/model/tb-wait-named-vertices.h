/* tb-wait-named-vertices.h: vertices and processes that names of options stand for, in any form in
 * which the report shows them, such as "worker ×8" and "worker (812)"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "graph/tb-wait-graph.h"

G_BEGIN_DECLS

/* Sets chosen, by vertex: whether one of the names is its name, or that of one of its threads or of
 * its process. NULL: there are no names. Fails where nothing has a name. */
gboolean tb_wait_find_named_vertices (const TbWaitGraph *graph,
                                      const char *const *names,
                                      guint8 **chosen,
                                      GError **error);
/* Adds the threads of the processes with that name. */
gboolean tb_wait_select_named_process (TbSelection *selection, const char *name, GError **error);

G_END_DECLS
