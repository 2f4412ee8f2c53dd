/* tb-paths-thread-of-interest.h: choice of the process and the thread of interest: by id, number or
 * name in an option, else the selection or the recorded command, and the main thread; errors that
 * list candidates
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/selection/tb-selection.h"

G_BEGIN_DECLS

/* The process of interest: by id ("id:7"), PID, name or command. "": the only process of the
 * selection, else the recorded command. Several matches count as one where all descend from it. An
 * error lists the PIDs or candidates. */
gboolean tb_paths_find_process (TbTrace *trace,
                                TbSelection *selection,
                                const char *text,
                                guint32 *process,
                                GError **error);
/* The main thread of the process, or the thread given by id ("id:7"), TID or name. */
gboolean tb_paths_find_thread (TbTrace *trace,
                               guint32 process,
                               const char *text,
                               guint32 *thread,
                               GError **error);

G_END_DECLS
