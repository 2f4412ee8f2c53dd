/* tb-paths-process.h: which process is asked about
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-selection.h"

G_BEGIN_DECLS

/* The process of interest: by id ("id:7"), pid, name or command; "" the recorded command, else the one process of the
 * selection. Several that fit count as one where all descend from it. Failing names the pids or candidates. */
gboolean tb_paths_find_process (TbTrace *trace,
                                TbSelection *selection,
                                const char *text,
                                guint32 *process,
                                GError **error);
/* Its main thread, or the one asked for by id ("id:7"), tid or name. */
gboolean
tb_paths_find_thread (TbTrace *trace, guint32 process, const char *text, guint32 *thread, GError **error);

G_END_DECLS
