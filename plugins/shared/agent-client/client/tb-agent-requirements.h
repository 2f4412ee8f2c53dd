/* tb-agent-requirements.h: requirements of a collector (backend, privileges, what is to be searched
 * for in programs), and the start of a tailback-agent that meets them, with authorization by the
 * user if needed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-collector.h"
#include "tb-agent-process.h"

G_BEGIN_DECLS

/* Requirements of a collector */
typedef struct
{
  TbCaptureBackend backend;  /* the best backend that may be used */
  gboolean required;         /* fail without that backend */
  const char *authorize;     /* when to ask for authorization: "system", "always", "never" */
  gboolean annotations;      /* look for marks in programs */
  gboolean locks;            /* record the creation of locks */
  gboolean memory;           /* record the allocation of locks */
  gboolean measured;         /* measure the cost of recording first */
  const char *const *dumped; /* with dump_bytes in START: names of threads; NULL or empty: all */
} TbAgentRequirements;

/* Starts the agent unprivileged, and reads its header with its capabilities. */
TbAgentProcess *tb_agent_requirements_open_direct (const TbAgentRequirements *requirements,
                                                   GCancellable *cancellable,
                                                   GError **error);
/* The same, or with more privileges if they are required and may be asked for; privilege: (out):
 * the ones used */
TbAgentProcess *tb_agent_requirements_open (const TbAgentRequirements *requirements,
                                            TbScope scope,
                                            TbAgentPrivilege *privilege,
                                            GCancellable *cancellable,
                                            GError **error);

gboolean tb_agent_requirements_are_met (const TbAgentRequirements *requirements,
                                        TbAgentProcess *process);
gboolean tb_agent_requirements_may_authorize (const TbAgentRequirements *requirements,
                                              TbScope scope);
/* (transfer full) (nullable): why nothing can be recorded from this sandbox; NULL: it can, or there
 * is none */
char *tb_agent_requirements_check_sandbox (const TbAgentRequirements *requirements, TbScope scope);
/* (transfer full): why the required backend was refused */
char *tb_agent_requirements_describe_refusal (const TbAgentRequirements *requirements,
                                              TbAgentProcess *process);

G_END_DECLS
