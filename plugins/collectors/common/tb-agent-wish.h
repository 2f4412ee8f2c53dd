/* tb-agent-wish.h: what a collector wants of tailback-agent, and the agent that may do it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-collector.h"
#include "tb-agent-process.h"

G_BEGIN_DECLS

/* What a collector wants of the agent. */
typedef struct
{
  TbCaptureFacility facility; /* the best that may be taken */
  gboolean required;          /* without it nothing is recorded */
  const char *authorize;      /* "system", "always", "never": when to ask for authorization */
  gboolean annotations;       /* whether marks of programs are looked for */
  gboolean locks;             /* whether it is recorded where locks are made */
  gboolean memory;            /* whether it is recorded where they are allocated */
  gboolean measured;          /* whether it is asked first what recording costs */
  const char *const *dumped;  /* with dump_bytes in what is started: names of threads; NULL, or none: all */
} TbAgentWish;

/* Starts the agent as it is run for this user, and reads its header, which says what it may. */
TbAgentProcess *
tb_agent_wish_open_direct (const TbAgentWish *wish, GCancellable *cancellable, GError **error);
/* The same, or one with more rights where the wish needs them and they may be asked for; privilege: (out): which. */
TbAgentProcess *tb_agent_wish_open (const TbAgentWish *wish,
                                    TbScope scope,
                                    TbAgentPrivilege *privilege,
                                    GCancellable *cancellable,
                                    GError **error);

gboolean tb_agent_wish_is_met (const TbAgentWish *wish, TbAgentProcess *process);
gboolean tb_agent_wish_may_authorize (const TbAgentWish *wish, TbScope scope);
/* Why the facility that was wished for was refused. (transfer full) */
char *tb_agent_wish_describe_refusal (const TbAgentWish *wish, TbAgentProcess *process);

G_END_DECLS
