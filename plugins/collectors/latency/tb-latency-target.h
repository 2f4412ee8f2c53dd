/* tb-latency-target.h: the function that is meant, by name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-collector.h"
#include "tb-latency-drill.h"

G_BEGIN_DECLS

/* name: "[LIBRARY-OR-PROGRAM:]FUNCTION" or "syscall:NAME"; returns: how its returns are seen, "auto" to be chosen. */
gboolean tb_latency_target_find (TbLatencyDrill *drill,
                                 const char *name,
                                 const char *returns,
                                 const TbTarget *target,
                                 GError **error);

/* (transfer full): what name may be: functions of the target's program, those of libraries that it has loaded, system calls. Symbols
 * are read: not for the main thread. */
char **tb_latency_target_list (const TbTarget *target, GCancellable *cancellable, GError **error);

/* Paths of what is mapped executable, once each; of a command its program. */
GPtrArray *tb_latency_target_list_files (const TbTarget *target);

/* FALSE with error: the thread is none of the program's, or runs it no more. */
gboolean tb_latency_target_has_thread (const TbTarget *target, int thread, GError **error);

G_END_DECLS
