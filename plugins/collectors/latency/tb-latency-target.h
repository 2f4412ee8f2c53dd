/* tb-latency-target.h: look-up of the operation to measure (function, system call, kernel function,
 * device request) by its name, and list of the names that a program offers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-collector.h"
#include "tb-latency-drill.h"

G_BEGIN_DECLS

/* name: "[LIBRARY-OR-PROGRAM:]FUNCTION" or "syscall:NAME"; returns: how its returns are probed,
 * "auto": chosen automatically */
gboolean tb_latency_target_find (TbLatencyDrill *drill,
                                 const char *name,
                                 const char *returns,
                                 const TbTarget *target,
                                 GError **error);

/* (transfer full): possible values of name: functions of the target's program, of its loaded
 * libraries, and system calls. Reads symbols, so it must not be called in the main thread. */
char **tb_latency_target_list (const TbTarget *target, GCancellable *cancellable, GError **error);

/* Paths of the files mapped executable, each once; for a command, its program */
GPtrArray *tb_latency_target_list_files (const TbTarget *target);

/* FALSE with error: the thread does not belong to the program, or has ended. */
gboolean tb_latency_target_has_thread (const TbTarget *target, int thread, GError **error);

G_END_DECLS
