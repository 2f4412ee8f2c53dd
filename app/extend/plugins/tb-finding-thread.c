/* tb-finding-thread.c: name and TID of a thread, and name and PID of its process, stored as values
 * of a finding
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/plugins/tb-finding-thread.h"

static void
set_text (TbFinding *finding, const char *prefix, const char *name, const char *text)
{
  g_autofree char *whole = g_strconcat (prefix, name, NULL);

  tb_finding_set_string (finding, whole, text != NULL && text[0] != '\0' ? text : NULL);
}

static void
set_number (TbFinding *finding, const char *prefix, const char *name, gint64 number)
{
  g_autofree char *whole = g_strconcat (prefix, name, NULL);

  tb_finding_set_integer (finding, whole, number);
}

/**
 * tb_finding_set_thread:
 * @self: a finding
 * @prefix: (nullable): prefix of the names of the values: "holder_" sets "holder_thread",
 *   "holder_tid" and so on
 * @trace: the recording that the finding is about
 * @thread: a thread, %TB_ID_NONE if unknown
 *
 * Sets a thread that the sentence names as values: "thread" (its name), "tid", and "process" (the
 * name of its process) and "pid". Unknown values become null.
 */
void
tb_finding_set_thread (TbFinding *self, const char *prefix, TbTrace *trace, guint32 thread)
{
  TbSession *session;
  const TbThread *threads;
  const TbProcess *processes;
  guint n_threads, n_processes;
  gboolean is_known, has_process;

  g_return_if_fail (TB_IS_FINDING (self));
  g_return_if_fail (TB_IS_TRACE (trace));

  session = tb_trace_get_session (trace);
  threads = tb_session_get_threads (session, &n_threads);
  processes = tb_session_get_processes (session, &n_processes);
  is_known = thread < n_threads;
  has_process = is_known && threads[thread].process < n_processes;
  if (prefix == NULL)
    prefix = "";
  set_text (self, prefix, "thread", is_known ? threads[thread].name : NULL);
  if (is_known)
    set_number (self, prefix, "tid", threads[thread].tid);
  else
    set_text (self, prefix, "tid", NULL);
  set_text (self, prefix, "process", has_process ? processes[threads[thread].process].name : NULL);
  if (has_process)
    set_number (self, prefix, "pid", processes[threads[thread].process].pid);
  else
    set_text (self, prefix, "pid", NULL);
}
