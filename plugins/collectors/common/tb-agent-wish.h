/* tb-agent-wish.h: requirements of a collector, and the start of an agent that meets them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-collector.h"
#include "tb-agent-process.h"

G_BEGIN_DECLS

/* Requirements of a collector */
typedef struct
{
  TbCaptureFacility facility; /* the best backend that may be used */
  gboolean required;          /* fail without that backend */
  const char *authorize;      /* when to ask for authorization: "system", "always", "never" */
  gboolean annotations;       /* look for marks in programs */
  gboolean locks;             /* record the creation of locks */
  gboolean memory;            /* record the allocation of locks */
  gboolean measured;          /* measure the cost of recording first */
  const char *const *dumped;  /* with dump_bytes in START: names of threads; NULL or empty: all */
} TbAgentWish;

/* Starts the agent unprivileged, and reads its header with its capabilities. */
TbAgentProcess *
tb_agent_wish_open_direct (const TbAgentWish *wish, GCancellable *cancellable, GError **error);
/* The same, or with more privileges if they are required and may be asked for; privilege: (out):
 * the ones used */
TbAgentProcess *tb_agent_wish_open (const TbAgentWish *wish,
                                    TbScope scope,
                                    TbAgentPrivilege *privilege,
                                    GCancellable *cancellable,
                                    GError **error);

gboolean tb_agent_wish_is_met (const TbAgentWish *wish, TbAgentProcess *process);
gboolean tb_agent_wish_may_authorize (const TbAgentWish *wish, TbScope scope);
/* (transfer full): why the required backend was refused */
char *tb_agent_wish_describe_refusal (const TbAgentWish *wish, TbAgentProcess *process);

G_END_DECLS
