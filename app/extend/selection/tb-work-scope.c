/* tb-work-scope.c: name of a unit of work and the process that it is limited to, split from a text
 * "NAME@PROCESS" unless the whole is a recorded name; the process is found in the recording; for
 * messages the whole text is the process
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "extend/selection/tb-work-scope.h"

static gboolean
is_recorded (TbSession *session, const char *name)
{
  for (guint i = 0; i < tb_session_get_n_strings (session); i++)
    if (tb_work_unit_matches (name, tb_session_get_string (session, i)))
      return TRUE;
  return FALSE;
}

/**
 * tb_work_scope_find: (skip)
 * @trace: a recording
 * @kind: kind of work, at least %TB_WORK_MARK
 * @given: name of the work, as [func@Tailback.work_unit_parse] returns it
 * @name: (out) (transfer full): the name without "@PROCESS", unless the recording has an item of
 *   exactly the given name
 * @process: (out) (transfer full) (nullable): the process that the work is limited to, %NULL all
 *   processes
 * @error: return location
 *
 * Finds the process to which a unit of work is limited.
 *
 * Returns: whether the process that is named, if any, is in the recording
 */
gboolean
tb_work_scope_find (TbTrace *trace,
                    TbWorkKind kind,
                    const char *given,
                    char **name,
                    TbSelection **process,
                    GError **error)
{
  gboolean is_message = kind == TB_WORK_SEND || kind == TB_WORK_RECEIVE;
  g_autofree char *found = NULL;
  g_autoptr (TbSelection) only = NULL;
  const char *at, *process_name = given;

  g_return_val_if_fail (TB_IS_TRACE (trace) && given != NULL, FALSE);

  at = strrchr (given, '@');
  if (is_message || at == NULL || is_recorded (tb_trace_get_session (trace), given))
    found = g_strdup (given);
  else
    {
      found = g_strndup (given, at - given);
      process_name = at + 1;
    }
  if (is_message || process_name != given)
    {
      only = tb_selection_new (trace);
      if (!tb_selection_add_process_by_name (only, process_name, error))
        return FALSE;
    }
  *name = g_steal_pointer (&found);
  *process = g_steal_pointer (&only);
  return TRUE;
}
