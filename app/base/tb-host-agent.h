/* tb-host-agent.h: calls to the agent of the computer, org.tailback.Agent, which records, lists
 * processes, opens their files and starts commands for a program in a sandbox
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

TB_EXPORT gboolean tb_host_agent_exists (void);
TB_EXPORT char *tb_host_agent_describe_missing (void);
TB_EXPORT gboolean tb_host_agent_record (const char *scope,
                                         const char *backend,
                                         int *control,
                                         int *stream,
                                         int *log,
                                         GCancellable *cancellable,
                                         GError **error);
TB_EXPORT GVariant *tb_host_agent_list_processes (GCancellable *cancellable, GError **error);
TB_EXPORT int tb_host_agent_open_file (gint32 pid, const char *name, GError **error);
TB_EXPORT gboolean tb_host_agent_start_command (const char *const *argv,
                                                const int streams[3],
                                                gint32 *pid,
                                                int *channel,
                                                int *status,
                                                GError **error);
TB_EXPORT void tb_host_agent_send_signal (gint32 pid, int number);

G_END_DECLS
