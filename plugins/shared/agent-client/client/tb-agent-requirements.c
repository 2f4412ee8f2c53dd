/* tb-agent-requirements.c: requirements of a collector (backend, privileges, what is to be searched
 * for in programs), and the start of a tailback-agent that meets them, with authorization by the
 * user if needed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "base/tb-host-agent.h"
#include "base/tb-sandbox.h"
#include "tb-agent-status.h"
#include "tb-agent-requirements.h"

static TbAgentProcess *
open_agent (const TbAgentRequirements *requirements,
            TbAgentPrivilege privilege,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (TbAgentProcess) process
      = tb_agent_process_new (privilege, requirements->backend, cancellable, error);
  TbCaptureRecord record;
  g_autofree char *reason = NULL;

  if (process == NULL)
    return NULL;
  switch (tb_agent_process_read (process, &record, cancellable, error))
    {
    case TB_CAPTURE_HEADED:
      return g_steal_pointer (&process);
    case TB_CAPTURE_DAMAGED:
      return NULL;
    default:
      reason = tb_agent_process_describe_end (process);
      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE, reason);
      return NULL;
    }
}

TbAgentProcess *
tb_agent_requirements_open_direct (const TbAgentRequirements *requirements,
                                   GCancellable *cancellable,
                                   GError **error)
{
  return open_agent (requirements, TB_AGENT_DIRECT, cancellable, error);
}

gboolean
tb_agent_requirements_are_met (const TbAgentRequirements *requirements, TbAgentProcess *process)
{
  guint32 backend = tb_agent_process_get_header (process)->backend;

  return requirements->required ? backend == requirements->backend
                                : backend != TB_CAPTURE_BACKEND_OWN;
}

char *
tb_agent_requirements_describe_refusal (const TbAgentRequirements *requirements,
                                        TbAgentProcess *process)
{
  const TbCaptureHeader *header = tb_agent_process_get_header (process);

  for (guint i = 0; i < header->n_refusals; i++)
    if (header->refusals[i].backend == requirements->backend)
      return tb_agent_message_describe (&header->refusals[i].message);
  return header->n_refusals > 0 ? tb_agent_message_describe (&header->refusals[0].message)
                                : g_strdup (_ ("The agent reports no cause."));
}

gboolean
tb_agent_requirements_may_authorize (const TbAgentRequirements *requirements, TbScope scope)
{
  /* The agent in the sandbox sees no process of the host. */
  gboolean wanted = tb_sandbox_is_active ()    ? g_strcmp0 (requirements->authorize, "never") != 0
                    : scope == TB_SCOPE_SYSTEM ? g_strcmp0 (requirements->authorize, "never") != 0
                                               : g_strcmp0 (requirements->authorize, "always") == 0;

  return wanted && (geteuid () != 0 || tb_sandbox_is_active ())
         && tb_agent_process_can_authorize ();
}

/* (transfer full): why nothing can be recorded from this sandbox */
static char *
describe_sandbox (void)
{
  if (tb_agent_process_can_authorize ())
    return g_strdup (
        _ ("Recording from a sandbox needs authorization, which the options forbid. Set "
           "“authorize” to “system”."));
  return tb_host_agent_describe_missing ();
}

char *
tb_agent_requirements_check_sandbox (const TbAgentRequirements *requirements, TbScope scope)
{
  if (!tb_sandbox_is_active () || tb_agent_requirements_may_authorize (requirements, scope))
    return NULL;
  return describe_sandbox ();
}

/* The agent of the host, through whichever way there is */
static TbAgentProcess *
open_on_host (const TbAgentRequirements *requirements,
              TbScope scope,
              TbAgentPrivilege *privilege,
              GCancellable *cancellable,
              GError **error)
{
  g_autofree char *problem = tb_agent_requirements_check_sandbox (requirements, scope);

  if (problem != NULL)
    {
      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE, problem);
      return NULL;
    }
  *privilege = scope == TB_SCOPE_SYSTEM ? TB_AGENT_AUTHORIZED_SYSTEM : TB_AGENT_AUTHORIZED_OWN;
  return open_agent (requirements, *privilege, cancellable, error);
}

TbAgentProcess *
tb_agent_requirements_open (const TbAgentRequirements *requirements,
                            TbScope scope,
                            TbAgentPrivilege *privilege,
                            GCancellable *cancellable,
                            GError **error)
{
  g_autoptr (TbAgentProcess) process = NULL;

  *privilege = TB_AGENT_DIRECT;
  process = tb_sandbox_is_active ()
                ? open_on_host (requirements, scope, privilege, cancellable, error)
                : tb_agent_requirements_open_direct (requirements, cancellable, error);
  if (process != NULL && *privilege == TB_AGENT_DIRECT
      && !tb_agent_requirements_are_met (requirements, process)
      && tb_agent_requirements_may_authorize (requirements, scope))
    {
      g_clear_pointer (&process, tb_agent_process_free);
      *privilege = scope == TB_SCOPE_SYSTEM ? TB_AGENT_AUTHORIZED_SYSTEM : TB_AGENT_AUTHORIZED_OWN;
      process = open_agent (requirements, *privilege, cancellable, error);
    }
  if (process != NULL && requirements->required
      && !tb_agent_requirements_are_met (requirements, process))
    {
      g_autofree char *refusal = tb_agent_requirements_describe_refusal (requirements, process);

      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE, refusal);
      return NULL;
    }
  return g_steal_pointer (&process);
}
