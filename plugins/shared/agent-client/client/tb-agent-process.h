/* tb-agent-process.h: running tailback-agent: its start (direct, through polkit, or on the host of
 * a sandbox), records sent to it and read from its stream, the reason of its end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>
#include <gio/gunixinputstream.h>

#include "capture/tb-capture-decoder.h"

G_BEGIN_DECLS

typedef struct _TbAgentProcess TbAgentProcess;

/* How the agent is started */
typedef enum
{
  TB_AGENT_DIRECT,
  TB_AGENT_AUTHORIZED_OWN,    /* through polkit, for the user's own processes */
  TB_AGENT_AUTHORIZED_SYSTEM, /* through polkit, for all processes */
} TbAgentPrivilege;

/* The agent's path: $TAILBACK_AGENT, else its installed path. NULL with error if it does not
 * exist. */
char *tb_agent_process_find (GError **error);
/* Whether polkit's pkexec exists and its policy covers the agent; in a sandbox: whether there is a
 * way to an agent of the host */
gboolean tb_agent_process_can_authorize (void);

/* backend: the best backend that the agent may use. In a sandbox every privilege but DIRECT starts
 * it on the host. */
TbAgentProcess *tb_agent_process_new (TbAgentPrivilege privilege,
                                      TbCaptureBackend backend,
                                      GCancellable *cancellable,
                                      GError **error);
/* Closes the streams, which ends the agent. The kernel needs most of a second to detach
 * everything. */
void tb_agent_process_free (TbAgentProcess *self);

/* From any thread. */
gboolean
tb_agent_process_send (TbAgentProcess *self, const TbCaptureRecord *record, GError **error);
/* Closes the stream to the agent. Later and concurrent sends fail. */
void tb_agent_process_hang_up (TbAgentProcess *self);

/* Reads until there is a record; in one thread at a time. MORE: end of the stream. DAMAGED: with
 * error. */
TbCaptureResult tb_agent_process_read (TbAgentProcess *self,
                                       TbCaptureRecord *record,
                                       GCancellable *cancellable,
                                       GError **error);
const TbCaptureHeader *tb_agent_process_get_header (TbAgentProcess *self);
const TbCaptureDecoder *tb_agent_process_get_decoder (TbAgentProcess *self);

/* To be called after the stream's end. Returns the reason in one line, from the log of the agent or
 * pkexec and from the exit status. */
char *tb_agent_process_describe_end (TbAgentProcess *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbAgentProcess, tb_agent_process_free)

G_END_DECLS
