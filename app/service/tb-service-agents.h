/* tb-service-agents.h: start of tailback-agent for a user, with the ends of its streams for the
 * caller
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The ends of the streams for the caller; -1: not open. */
typedef struct
{
  int control; /* a socket: the agent's standard input */
  int stream;  /* its standard output */
  int log;     /* its standard error */
} TbServiceStreams;

void tb_service_streams_close (TbServiceStreams *self);
/* Starts the agent as this process's user. scope: "system" or "own"; backend: "bpf", "perf", or ""
 * for the agent's own choice; uid: the user whose processes "own" means. NULL with error. */
GSubprocess *tb_service_agents_start (const char *agent,
                                      const char *scope,
                                      const char *backend,
                                      guint32 uid,
                                      TbServiceStreams *streams,
                                      GError **error);

G_END_DECLS
