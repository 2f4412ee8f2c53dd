/* tb-agent-process.h: a running tailback-agent and the two streams to and from it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>
#include <gio/gunixinputstream.h>

#include "capture/tb-capture-decoder.h"

G_BEGIN_DECLS

typedef struct _TbAgentProcess TbAgentProcess;

/* How to start the agent. */
typedef enum
{
  TB_AGENT_DIRECT,
  TB_AGENT_AUTHORIZED_OWN,    /* through polkit, for the user's own processes */
  TB_AGENT_AUTHORIZED_SYSTEM, /* through polkit, for everything */
} TbAgentPrivilege;

/* The agent's path: $TAILBACK_AGENT, else where it was installed. NULL with error if it is not there. */
char *tb_agent_process_find (GError **error);
/* Whether polkit's pkexec is there and the agent is one that a policy can speak of. */
gboolean tb_agent_process_can_authorize (void);

/* facility: the best that it may take. */
TbAgentProcess *tb_agent_process_new (TbAgentPrivilege privilege, TbCaptureFacility facility, GError **error);
/* Closes the streams, which ends the agent; it takes the kernel most of a second to give back what it had attached. */
void tb_agent_process_free (TbAgentProcess *self);

/* From any thread. */
gboolean tb_agent_process_send (TbAgentProcess *self, const TbCaptureRecord *record, GError **error);
/* Nothing can be sent any more, also by those that try just now. */
void tb_agent_process_hang_up (TbAgentProcess *self);

/* Reads until there is a record; in one thread at a time. MORE: the stream ended. DAMAGED: with error. */
TbCaptureResult tb_agent_process_read (TbAgentProcess *self,
                                       TbCaptureRecord *record,
                                       GCancellable *cancellable,
                                       GError **error);
const TbCaptureHeader *tb_agent_process_get_header (TbAgentProcess *self);
const TbCaptureDecoder *tb_agent_process_get_decoder (TbAgentProcess *self);

/* After the stream's end: why, in one line, from what the agent or pkexec said and how it ended. */
char *tb_agent_process_describe_end (TbAgentProcess *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbAgentProcess, tb_agent_process_free)

G_END_DECLS
