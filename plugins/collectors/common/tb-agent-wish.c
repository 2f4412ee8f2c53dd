/* tb-agent-wish.c: requirements of a collector, and the start of an agent that meets them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "tb-agent-status.h"
#include "tb-agent-wish.h"

static TbAgentProcess *
open_agent (const TbAgentWish *wish, TbAgentPrivilege privilege, GCancellable *cancellable, GError **error)
{
  g_autoptr (TbAgentProcess) process = tb_agent_process_new (privilege, wish->facility, error);
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
tb_agent_wish_open_direct (const TbAgentWish *wish, GCancellable *cancellable, GError **error)
{
  return open_agent (wish, TB_AGENT_DIRECT, cancellable, error);
}

gboolean
tb_agent_wish_is_met (const TbAgentWish *wish, TbAgentProcess *process)
{
  guint32 facility = tb_agent_process_get_header (process)->facility;

  return wish->required ? facility == wish->facility : facility != TB_CAPTURE_FACILITY_OWN;
}

char *
tb_agent_wish_describe_refusal (const TbAgentWish *wish, TbAgentProcess *process)
{
  const TbCaptureHeader *header = tb_agent_process_get_header (process);

  for (guint i = 0; i < header->n_refusals; i++)
    if (header->refusals[i].facility == wish->facility)
      return tb_agent_message_describe (&header->refusals[i].message);
  return header->n_refusals > 0 ? tb_agent_message_describe (&header->refusals[0].message)
                                : g_strdup (_ ("The agent does not say why."));
}

gboolean
tb_agent_wish_may_authorize (const TbAgentWish *wish, TbScope scope)
{
  gboolean wanted = scope == TB_SCOPE_SYSTEM ? g_strcmp0 (wish->authorize, "never") != 0
                                             : g_strcmp0 (wish->authorize, "always") == 0;

  return wanted && geteuid () != 0 && tb_agent_process_can_authorize ();
}

TbAgentProcess *
tb_agent_wish_open (const TbAgentWish *wish,
                    TbScope scope,
                    TbAgentPrivilege *privilege,
                    GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (TbAgentProcess) process = tb_agent_wish_open_direct (wish, cancellable, error);

  *privilege = TB_AGENT_DIRECT;
  if (process != NULL && !tb_agent_wish_is_met (wish, process) && tb_agent_wish_may_authorize (wish, scope))
    {
      g_clear_pointer (&process, tb_agent_process_free);
      *privilege = scope == TB_SCOPE_SYSTEM ? TB_AGENT_AUTHORIZED_SYSTEM : TB_AGENT_AUTHORIZED_OWN;
      process = open_agent (wish, *privilege, cancellable, error);
    }
  if (process != NULL && wish->required && !tb_agent_wish_is_met (wish, process))
    {
      g_autofree char *refusal = tb_agent_wish_describe_refusal (wish, process);

      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE, refusal);
      return NULL;
    }
  return g_steal_pointer (&process);
}
