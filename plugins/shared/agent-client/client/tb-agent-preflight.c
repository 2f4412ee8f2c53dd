/* tb-agent-preflight.c: check before a recording, by a query to tailback-agent: lines on what would
 * work or is missing, authorization, and expected cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/tb-sandbox.h"
#include "extend/plugins/tb-switch-rate.h"
#include "tb-agent-cost-text.h"
#include "tb-agent-preflight.h"
#include "tb-agent-status.h"

static const char *
describe_source (guint source)
{
  switch (source)
    {
    case TB_CAPTURE_SOURCE_SCHEDULER:
      return _ ("Running threads and wake-ups");
    case TB_CAPTURE_SOURCE_TASKS:
      return _ ("Processes and programs");
    case TB_CAPTURE_SOURCE_INTERRUPTS:
      return _ ("Interrupts");
    case TB_CAPTURE_SOURCE_BLOCK:
      return _ ("Disks");
    case TB_CAPTURE_SOURCE_NETWORK:
      return _ ("Network");
    case TB_CAPTURE_SOURCE_SYSCALLS:
      return _ ("System calls");
    case TB_CAPTURE_SOURCE_SAMPLES:
      return _ ("Samples of running code");
    case TB_CAPTURE_SOURCE_PROBES:
      return _ ("Function probes");
    case TB_CAPTURE_SOURCE_MARKS:
      return _ ("Marks of programs");
    case TB_CAPTURE_SOURCE_LATENCY:
      return _ ("Latencies of functions");
    case TB_CAPTURE_SOURCE_FUNCTIONS:
      return _ ("Functions of the kernel");
    default:
      return _ ("Recording");
    }
}

static void
free_preflight_line (gpointer data)
{
  TbPreflightLine *line = data;

  g_free (line->reason);
  g_free (line);
}

static TbPreflightLine *
add_preflight_line (GPtrArray *lines, guint source, gboolean works, const char *text)
{
  TbPreflightLine *line = g_new0 (TbPreflightLine, 1);

  line->what = describe_source (source);
  line->works = works;
  line->essential = source == TB_CAPTURE_SOURCE_NONE || source == TB_CAPTURE_SOURCE_SCHEDULER;
  if (*text != '\0')
    line->reason = g_strdup (text);
  g_ptr_array_add (lines, line);
  return line;
}

/* Some sources consist of several objects, each of which the agent reports. */
static gboolean
is_reported (GPtrArray *lines, const TbCaptureRecord *record)
{
  const char *what = describe_source (record->status.source);

  for (guint i = 0; i < lines->len; i++)
    {
      const TbPreflightLine *line = g_ptr_array_index (lines, i);

      if (line->works && line->reason == NULL && g_strcmp0 (line->what, what) == 0)
        return record->status.kind == TB_CAPTURE_STATUS_WORKS
               && record->status.code == TB_CAPTURE_CODE_NONE;
    }
  return FALSE;
}

/* In a sandbox only the agent of the host knows more, and it asks for authorization first. */
static void
add_sandbox_line (GPtrArray *lines, const TbAgentRequirements *requirements, TbScope scope)
{
  g_autofree char *problem = tb_agent_requirements_check_sandbox (requirements, scope);

  add_preflight_line (lines, TB_CAPTURE_SOURCE_NONE, problem == NULL,
                      problem != NULL ? problem
                                      : _ ("Recording outside the sandbox will ask for "
                                           "authorization."))
      ->essential
      = TRUE;
}

/* Adds what is known without asking for more privileges. TRUE: nothing else can be known. */
static gboolean
add_backend_line (GPtrArray *lines,
                  const TbAgentRequirements *requirements,
                  TbScope scope,
                  TbAgentProcess *process)
{
  gboolean may_authorize = tb_agent_requirements_may_authorize (requirements, scope);
  g_autofree char *text = NULL;

  if (tb_agent_requirements_are_met (requirements, process)
      || (scope != TB_SCOPE_SYSTEM && !requirements->required))
    return FALSE;
  if (may_authorize)
    text = g_strdup (scope == TB_SCOPE_SYSTEM
                         ? _ ("Recording the whole system will ask for authorization.")
                         : _ ("Recording will ask for authorization."));
  else
    text = tb_agent_requirements_describe_refusal (requirements, process);
  add_preflight_line (lines, TB_CAPTURE_SOURCE_NONE, may_authorize, text)->essential = TRUE;
  return may_authorize || requirements->required;
}

static void
add_cost_line (GPtrArray *lines, TbCaptureCost cost, guint64 switches)
{
  g_autofree char *text = NULL;
  TbPreflightLine *line;

  /* The agent measured a rate beside its own trials. */
  if (switches > 0)
    cost.switches = switches;
  text = tb_agent_cost_text_new (&cost);
  if (text == NULL)
    return;
  line = add_preflight_line (lines, TB_CAPTURE_SOURCE_NONE, TRUE, text);
  line->what = _ ("Cost");
  line->essential = FALSE;
}

GPtrArray *
tb_agent_preflight (const TbAgentRequirements *requirements,
                    guint16 stacks,
                    TbScope scope,
                    GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (free_preflight_line);
  guint64 switches = tb_switch_rate_get ();
  g_autoptr (TbAgentProcess) process = NULL;
  TbCaptureRecord record
      = { .type = TB_CAPTURE_QUERY, .cpu = TB_CAPTURE_CPU_NONE, .query = { stacks } };
  TbCaptureResult result;

  if (tb_sandbox_is_active ())
    {
      add_sandbox_line (lines, requirements, scope);
      return g_steal_pointer (&lines);
    }
  process = tb_agent_requirements_open_direct (requirements, cancellable, error);
  if (process == NULL)
    return NULL;
  if (add_backend_line (lines, requirements, scope, process))
    return g_steal_pointer (&lines);
  if (!tb_agent_process_send (process, &record, error))
    return NULL;
  while ((result = tb_agent_process_read (process, &record, cancellable, error))
         == TB_CAPTURE_RECORD)
    {
      if (record.type == TB_CAPTURE_COST)
        add_cost_line (lines, record.cost, switches);
      if (record.type != TB_CAPTURE_STATUS)
        continue;
      if (record.status.kind == TB_CAPTURE_STATUS_ANSWERED)
        return g_steal_pointer (&lines);
      if ((record.status.kind == TB_CAPTURE_STATUS_WORKS
           || record.status.kind == TB_CAPTURE_STATUS_MISSING)
          && !is_reported (lines, &record))
        {
          g_autofree char *text = tb_agent_status_describe (&record);

          add_preflight_line (lines, record.status.source,
                              record.status.kind == TB_CAPTURE_STATUS_WORKS, text);
        }
    }
  if (result != TB_CAPTURE_DAMAGED)
    {
      g_autofree char *reason = tb_agent_process_describe_end (process);

      g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, reason);
    }
  return NULL;
}
