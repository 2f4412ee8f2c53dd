/* tb-agent-host.h: ways from a sandbox to an agent on the host: its D-Bus service, or a copy of our
 * agent that flatpak-spawn starts there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "capture/tb-capture-format.h"

G_BEGIN_DECLS

typedef enum
{
  TB_AGENT_HOST_NONE,
  TB_AGENT_HOST_SERVICE, /* org.tailback.Agent */
  TB_AGENT_HOST_SPAWN,   /* the user permits to start programs on the host */
} TbAgentHostWay;

TbAgentHostWay tb_agent_host_get_way (void);
/* Starts the agent by the service. FALSE with error: unavailable, or not authorized. */
gboolean tb_agent_host_start (gboolean system,
                              TbCaptureBackend backend,
                              int *in,
                              int *out,
                              int *log,
                              GCancellable *cancellable,
                              GError **error);
/* Copies our agent to where the host sees it by the same path. (transfer full): the path; NULL with
 * error */
char *tb_agent_host_copy_agent (const char *agent, GError **error);

G_END_DECLS
